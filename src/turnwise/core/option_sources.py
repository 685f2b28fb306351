"""Lists from which fields have their options: an item becomes an option (law 5.18)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.guards import Env
from turnwise.core.language import folded
from turnwise.core.state import FieldValue, ShownOption, State
from turnwise.core.template import Template
from turnwise.core.values.json_data import as_object

LONGEST_LABEL = 200
"""How many characters a label may have; longer labels are cut."""
ITEM_ROOT = "option"
"""The name by which a label reads the item of a list."""


class OptionSource(Struct, frozen=True):
    """The list from which a field reads its options, and how items of a list of records become options."""

    list: str
    """The address of the list from which the options are read."""
    label: Template | None = None
    """For a list of records: the template of an option's label; else `None`."""
    value: str = ""
    """For a list of records: the field of the item whose value is stored; empty for other lists."""
    default: tuple[Any, ...] = ()
    """The items of the list while the list has no value."""


class OptionsRead(Struct, frozen=True):
    """The options in a list as it is now, and how many of its items are not options."""

    items: tuple[ShownOption, ...] = ()
    """The options, in the order of the list."""
    left_out: int = 0
    """How many items of the list are not options, as they lack a value or repeat one."""


def read_options(source: OptionSource, state: State) -> OptionsRead:
    """Return the options that the list of a source has now. An item is no option without a value, or with the value of
    an earlier item. Of options with the same label the later ones are numbered.
    """
    found = state.values.get(source.list)
    items: list[Any] = list(found.value if found is not None else source.default)
    options: dict[str, ShownOption] = {}
    taken: set[str] = set()
    for item in items:
        value, label = _option(source, item, state)
        if not value or folded(value) in options:
            continue
        label = _unlike(label or value, taken)
        taken.add(folded(label))
        options[folded(value)] = ShownOption(value, label if label != value else "")
    return OptionsRead(tuple(options.values()), len(items) - len(options))


def _option(source: OptionSource, item: Any, state: State) -> tuple[str, str]:
    """Return the value and the label of an item; the value is empty if it has none."""
    values = as_object(item)
    if values is None:
        return str(item).strip(), ""
    label = _label(source.label, values, state) if source.label is not None else ""
    value = values.get(source.value, "") if source.value else label
    return str(value).strip(), label


def _label(template: Template, values: dict[str, Any], state: State) -> str:
    read = {f"{ITEM_ROOT}.{name}": FieldValue(value, "set", state.turn, state.at_ms) for name, value in values.items()}
    text = " ".join(template(Env(read, state)).split())
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def _unlike(label: str, taken: set[str]) -> str:
    """Return a label that no option before has."""
    number, own = 1, label
    while folded(own) in taken:
        number += 1
        own = f"{label} ({number})"
    return own
