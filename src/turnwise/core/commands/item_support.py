"""Finds the values in a command about items of a list that the message must bear out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.state import commands as c
from turnwise.core.state.items import ID
from turnwise.core.values import is_free_text
from turnwise.core.values.from_model import list_in, object_in
from turnwise.core.values.items import has_values
from turnwise.core.values.json_data import as_list, as_object

Given = tuple[AllowedField, Any]
"""A field of an item, and the value that a command gives it."""


def is_about_items(command: c.AnyCommand, shown: AllowedField | None) -> bool:
    """Return whether a command changes items of the list of records `shown`, or sets the whole list."""
    return shown is not None and bool(shown.field.parts) and isinstance(command, c.ItemCommand | c.Set)


def input_of_item(shown: AllowedField, allowed: AllowedInput) -> AllowedInput:
    """Return the input that is allowed inside an item of the list `shown`: only `set`, of the fields of its record,
    which are named without the list (`size`).
    """
    return AllowedInput(
        language=allowed.language,
        zone=allowed.zone,
        now_ms=allowed.now_ms,
        fields=tuple(
            AllowedField(part.name, part, part.about, is_free_text=is_free_text(part))
            for part in shown.field.parts
            if not part.value and not part.secret
        ),
        commands=("set",),
        phrases=allowed.phrases,
    )


def given_values(command: c.AnyCommand, shown: AllowedField, allowed: AllowedInput) -> Iterator[Given]:
    """Yield each value that a command sets in items of the list `shown`, with its field; of a list inside an item only
    the new entries.
    """
    fields = {one.address: one for one in input_of_item(shown, allowed).fields}
    known = items_of(shown)
    for values, old in _each(command, known):
        for name, value in values.items():
            field = fields.get(name)
            if field is None or value is None:
                continue
            had = as_list(old.get(name)) or []
            entries = as_list(list_in(value)) if field.field.type == "list" else None
            new = value if entries is None else [one for one in entries if one not in had]
            if entries is None or new:
                yield field, new


def _each(command: c.AnyCommand, known: list[dict[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield values that a command gives, with those that the item has now."""
    match command:
        case c.Add(item=item):
            yield object_in(item) or {}, {}
        case c.Change(name=name, value=value):
            yield {name: value}, named_item(command.item, known) or {}
        case c.Copy(changes=changes):
            yield changes, named_item(command.item, known) or {}
        case c.Set(value=value):
            for one in as_list(list_in(value)) or ():
                item = object_in(one) or {}
                old = named_item(item.get(ID), known) or {}
                yield {name: given for name, given in item.items() if name != ID and old.get(name) != given}, old
        case _:
            return


def items_of(shown: AllowedField) -> list[dict[str, Any]]:
    """Return the current items of the list `shown`."""
    return [cast("dict[str, Any]", one) for one in as_list(shown.value) or () if type(one) is dict]


def named_item(ref: Any, known: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the item among `known` that `ref` (an id, a position or a description) names; `None` if none or several
    fit.
    """
    match ref:
        case str():
            found = [one for one in known if one.get(ID) == ref]
        case int() if ref and abs(ref) <= len(known):
            found = [known[ref - 1 if ref > 0 else ref]]
        case dict():
            wanted = as_object(ref) or {}  # pyright: ignore[reportUnknownArgumentType]
            found = [one for one in known if has_values(one, wanted)]
        case _:
            found = []
    return found[0] if len(found) == 1 else None
