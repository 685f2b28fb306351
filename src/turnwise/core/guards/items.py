"""Compiles what guards read of lists, and of items of lists of records: `i.size`, `list[0]`, `sum`, `join`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from turnwise.core.guards import GuardFault
from turnwise.core.guards.logic import strict
from turnwise.core.guards.scope import Names, Term
from turnwise.core.guards.types import (
    ANSWERS,
    CONVERTERS,
    ITEM_PREFIX,
    LIST_PREFIX,
    NUMERIC,
    checked_converter,
    type_of,
    type_words,
    unset_value,
    value_text,
)
from turnwise.core.state.items import ID, index_of
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import GuardError
from turnwise.flow.guard import syntax as s

_ORDERED = (*NUMERIC, "string", "date", "time", "timestamp", "duration", "dyn")
AGGREGATES = ("sum", "min", "max", "join")
"""Functions that compute one value from a list."""


def item_part(names: Names, of: Term, select: s.Select, slot: int) -> Term:
    """Compile the selection of a value of a list item, `i.size` or `order.items[0].size`, with its default if it is
    missing. `slot` is where the item is bound, if it is a variable.
    """
    name, run = select.name, of.run
    if of.type == "dyn":
        return Term("dyn", strict(partial(_any_part, name), run))
    if not of.type.startswith(ITEM_PREFIX):
        what = "the items of the list have" if isinstance(select.of, s.Name) else f"{type_words(of.type)} has"
        hint = f"write size({s.text_of(select.of)})" if name in ("size", "length") else ""
        raise GuardError("TW032", f"{what} no '{name}'", select.at, hint)
    if name == ID:
        return Term("string", strict(partial(_any_part, ID), run))
    record = of.type.removeprefix(ITEM_PREFIX)
    fields = names.items_of(record)
    if name not in fields:
        hint = nearest(name, [*fields, ID])
        raise GuardError("TW031", f"an item of '{record}' has no '{name}'", select.at, hint)
    field = fields[name]
    kind = type_of(field)
    convert, unset = CONVERTERS.get(kind), unset_value(field)
    default = unset if unset is None or convert is None else convert(unset)

    if slot and default is None and convert is None:  # the usual case, for each item of a list
        return Term(kind, lambda env: env.bound[slot].get(name), of_item=(slot, name))

    def read(item: Any) -> Any:
        found = item.get(name)
        return default if found is None else found if convert is None else convert(found)

    return Term(kind, strict(read, run))


def _any_part(name: str, item: Any) -> Any:
    found = as_object(item)
    return None if found is None else found.get(name)


def element_access(of: Term, key: Term, at: int) -> Term:
    """Compile `answers["id"]`, `list[0]` (from 0) or `items["i3"]` at the offset `at`: unknown if there is no such
    answer or item.
    """
    if of.type in (ANSWERS, "dyn"):
        if of.type == ANSWERS and key.type not in ("string", "dyn"):
            raise GuardError("TW032", f"answers have the ids of their questions, this is {type_words(key.type)}", at)
        return Term("dyn", strict(_element, of.run, key.run))
    if not of.type.startswith(LIST_PREFIX):
        raise GuardError("TW032", f"[ ] reads an item of a list, this is {type_words(of.type)}", at)
    kind = of.type.removeprefix(LIST_PREFIX)
    if key.type not in ("int", "dyn", "string") or (key.type == "string" and not kind.startswith(ITEM_PREFIX)):
        raise GuardError("TW032", f"the items of a list are counted from 0, this is {type_words(key.type)}", at)
    if isinstance(key.constant, int) and key.constant < 0:
        raise GuardError("TW032", "the items of a list are counted from 0", at, "the last one is list[size(list) - 1]")
    return Term(kind, strict(_element, of.run, key.run))


def _element(of: Any, key: Any) -> Any:
    items, answers = as_list(of), as_object(of)
    if answers is not None:
        return answers.get(key)
    if items is None:
        raise GuardFault("[ ] needs a list, or a map of answers")
    place = index_of(items, key) if isinstance(key, str) else key
    return items[place] if 0 <= place < len(items) else None


def aggregate(name: str, args: list[Term], at: int) -> Term:
    """Compile `sum`, `min`, `max` or `join` of a list, called at the offset `at`; of an empty list `sum` is 0, `min`
    and `max` unknown.
    """
    group = args[0] if args else None
    if group is None or not (group.type.startswith(LIST_PREFIX) or group.type == "dyn"):
        raise GuardError(
            "TW032", f"{name}() takes a list" + (f", this is {type_words(group.type)}" if group else ""), at
        )
    kind = "dyn" if group.type == "dyn" else group.type.removeprefix(LIST_PREFIX)
    if name == "join":
        return _joined(args, at)
    if len(args) != 1:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    known = (*NUMERIC, "duration", "dyn") if name == "sum" else _ORDERED
    if kind not in known:
        hint = f"take a value of each first, as in map(i, i.price).{name}()" if kind.startswith(ITEM_PREFIX) else ""
        raise GuardError("TW032", f"{name}() does not take {type_words(LIST_PREFIX + kind)}", at, hint)
    if name == "sum":
        start: Any = timedelta() if kind == "duration" else 0

        def total(values: list[Any]) -> Any:
            return sum(values, start)

        return Term(kind, strict(checked_converter(total, kind), group.run))
    choose: Callable[..., Any] = min if name == "min" else max
    return Term(kind, strict(_chosen(choose), group.run))


def _chosen(choose: Callable[..., Any]) -> Callable[[Any], Any]:
    def run(values: Any) -> Any:
        try:
            return choose(values, default=None)
        except TypeError:
            raise GuardFault("these values have no order") from None

    return run


def _joined(args: list[Term], at: int) -> Term:
    if len(args) > 2 or (len(args) == 2 and args[1].type not in ("string", "dyn")):
        raise GuardError("TW032", 'join() takes a list and a text, as in tags.join(", ")', at)

    def join(values: list[Any], between: str = "") -> str:
        return between.join(map(value_text, values))

    return Term("string", strict(join, *[arg.run for arg in args]))
