"""Options that come from a list of the conversation: those that were shown with a question."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct


class ShownOption(Struct, frozen=True, gc=False, omit_defaults=True, array_like=True):
    """One option as it was shown: the value that is stored, and the label if it is another text."""

    value: str
    """The value that is stored."""
    label: str = ""
    """The text that is shown, if it is another than the value; else empty."""

    @property
    def text(self) -> str:
        """What the user reads of it."""
        return self.label or self.value


class OptionList(Struct, frozen=True, gc=False, omit_defaults=True):
    """The options that a field has since they were read from its list."""

    items: tuple[ShownOption, ...]
    """The options, in order."""
    source: str
    """The address of the list."""
    chosen: tuple[ShownOption, ...] = ()
    """The options of its value, as shown when it was chosen, if the options were read again since."""

    def shown_option(self, value: str) -> ShownOption | None:
        """Return the option with this value among those that are shown."""
        return next((one for one in self.items if one.value == value), None)

    def chosen_option(self, value: str) -> ShownOption | None:
        """Return the option with this value as it was shown when it was chosen."""
        return next((one for one in (*self.chosen, *self.items) if one.value == value), None)


OptionLists = dict[str, OptionList]
"""Options that come from lists, by the address of the field that takes the answer."""


def values_of(value: object) -> tuple[str, ...]:
    """Return the answers in the value of a field: the items of a list, or the one value."""
    found = cast("list[Any]", value) if isinstance(value, list) else [value]
    return tuple([one for one in found if isinstance(one, str)])
