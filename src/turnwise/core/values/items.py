"""Reads items of lists of records: their values by name, each as its field takes it, with everything that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.language import folded
from turnwise.core.state.items import ID, Item, is_id
from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.values.refusal import Refused, Rules
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field

Read = Callable[[Field, Any, Rules], Any]
"""A function that returns the canonical value of a field, or its refusal: `read_value`, or a function that first
converts what a model sent."""


class WrongPart(Struct, frozen=True):
    """A refused value of a list item: its name, the value, and the refusal."""

    name: str
    """The name of the value in the item; empty for the whole item."""
    value: Any
    """The value that is refused."""
    refused: Refused
    """Why the value is refused."""

    @property
    def text(self) -> str:
        """The reason in words, after the name of the value."""
        return f"{self.name}: {self.refused.text}" if self.name else self.refused.text


def is_item(field: Field) -> bool:
    """Return whether a field definition describes one item of a list of records."""
    return bool(field.parts) and field.type != "list"


def parts_by_name(field: Field) -> dict[str, Field]:
    """Return the fields of a list item, by name."""
    return {part.name: part for part in field.parts}


def read_parts(field: Field, raw: object, rules: Rules, read: Read) -> tuple[Item, list[WrongPart]]:
    """Return the values of an item by name, in canonical form, and the refused ones; `read` reads one value. They are
    in the order of its fields. Null and blank values are missing; an id is kept.
    """
    given = as_object(raw)
    if given is None:
        return {}, [WrongPart("", raw, rules.refused("item"))]
    known, found, wrong = parts_by_name(field), dict[str, Any](), list[WrongPart]()
    for name, value in given.items():
        part = known.get(name)
        if part is None and name != ID:
            wrong.append(WrongPart("", value, unknown_part(field, name, rules)))
        elif part is not None and value is not None and value != "":
            taken = read(part, value, rules)
            if type(taken) is Refused:
                wrong.append(WrongPart(name, value, taken))
            else:
                found[name] = taken
    id_ = given.get(ID)
    ordered = {name: found[name] for name in known if name in found}
    return ({ID: id_, **ordered} if is_id(id_) else ordered), wrong


def unknown_part(field: Field, name: str, rules: Rules) -> Refused:
    """Return the refusal of a value whose name is no field of an item."""
    hint = nearest(name[:60], parts_by_name(field))
    refused = rules.refused("unknown_argument", name=name[:60])
    return replace(refused, text=f"{refused.text} ({hint})" if hint else refused.text)


def read_item(field: Field, raw: object, rules: Rules, read: Read) -> Item | Refused:
    """Return an item in canonical form, or one refusal that lists everything wrong with it; `read` reads one value."""
    found, wrong = read_parts(field, raw, rules, read)
    return found if not wrong else _joined(wrong[0], [one.text for one in wrong])


def read_items(field: Field, raw: object, rules: Rules, read: Read) -> list[Item] | Refused:
    """Return the items of a whole list in canonical form, or one refusal that lists what is wrong with each; `read`
    reads one value.
    """
    given = as_list(list(raw) if isinstance(raw, tuple) else raw)  # pyright: ignore[reportUnknownArgumentType]
    if given is None:
        return rules.refused("list")
    found, wrong, texts = list[Item](), list[WrongPart](), list[str]()
    for number, one in enumerate(given, 1):
        item, faults = read_parts(field, one, rules, read)
        found.append(item)
        wrong += faults
        texts += [rules.language.text("item_wrong", number=number, fault=fault.text) for fault in faults]
    if wrong:
        return _joined(wrong[0], texts)
    beyond = beyond_limits(found, rules)
    return found if beyond is None else beyond


def _joined(first: WrongPart, texts: Iterable[str]) -> Refused:
    """Return the refusals of several values as one."""
    return replace(first.refused, text=" ".join(texts), words={}, readings=())


def beyond_limits(items: list[Item], rules: Rules) -> Refused | None:
    """Return the refusal of a list that has more items, or more bytes as JSON, than the limits of the flow allow."""
    if len(items) > rules.max_items:
        return rules.refused("items", allowed=rules.max_items)
    if len(encode(items)) > rules.max_list_bytes:
        return rules.refused("list_bytes", allowed=rules.max_list_bytes)
    return None


def has_values(item: Item, wanted: Item) -> bool:
    """Return whether an item has the values in `wanted`: texts ignoring case, and all wanted entries of a list."""
    return all(name in item and _is_same(item[name], value) for name, value in wanted.items())


def _is_same(value: Any, wanted: Any) -> bool:
    entries = as_list(wanted)
    if entries is not None:
        return all(any(_is_same(one, entry) for one in as_list(value) or ()) for entry in entries)
    if isinstance(value, str) and isinstance(wanted, str):
        return folded(value) == folded(wanted)
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def item_as_text(item: Item) -> str:
    """Return an item as text: its values in order, without its id."""
    return ", ".join([_shown(value) for name, value in item.items() if name != ID])


def _shown(value: Any) -> str:
    entries = as_list(value)
    return ", ".join(map(_shown, entries)) if entries is not None else str(value)
