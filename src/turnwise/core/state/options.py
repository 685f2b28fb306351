"""Options that come from a list of the conversation: those that were shown with a question."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct


class ShownOption(Struct, frozen=True, gc=False, omit_defaults=True, array_like=True):
    """One option as it was shown: the stored value, and the label if it differs."""

    value: str
    """The value that is stored when the option is chosen."""
    label: str = ""
    """The text that is shown, if it differs from the value; else empty."""

    @property
    def text(self) -> str:
        """The text of the option as the user sees it."""
        return self.label or self.value


class OptionList(Struct, frozen=True, gc=False, omit_defaults=True):
    """The options of a field as they were last read from its list."""

    items: tuple[ShownOption, ...]
    """The options, in order."""
    source: str
    """The address of the list."""
    chosen: tuple[ShownOption, ...] = ()
    """The chosen options as shown when they were chosen, if the options were read again since; else empty."""

    def shown_option(self, value: str) -> ShownOption | None:
        """Return the current option with a value; `None` if there is none."""
        return next((one for one in self.items if one.value == value), None)

    def chosen_option(self, value: str) -> ShownOption | None:
        """Return the option with a value as it was shown when it was chosen; `None` if there is none."""
        return next((one for one in (*self.chosen, *self.items) if one.value == value), None)


OptionLists = dict[str, OptionList]
"""Options that come from lists, by the address of the field that takes the answer."""


def values_of(value: object) -> tuple[str, ...]:
    """Return the answers in the value of a field: all items of a list, or the single value."""
    found = cast("list[Any]", value) if isinstance(value, list) else [value]
    return tuple([one for one in found if isinstance(one, str)])
