"""Lists of records as values that the search for needs tries: lists with one item changed, added or removed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from turnwise.core.state.items import ID, Item
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.guard import Expression
from turnwise.flow.guard.syntax import Select, walk
from turnwise.flow.model import Field

_MOST_VALUES = 8
"""How many values of one part of an item are tried."""
_MOST_ITEMS = 24
"""How many new items are tried."""
_LONGEST = 200
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ValuesOf = Callable[[Field], Iterable[Any]]
"""A function that returns the values to try for a field of an item."""


def lists_near(
    field: Field, expressions: list[Expression], constants: list[Any], kept: list[Item], values_of: ValuesOf
) -> Iterator[list[Item]]:
    """Yield variants of the list `kept` to try: one value of an item changed, an item added or removed, or another
    length. `expressions` are the conditions about the list, `constants` those in them, and `values_of` gives the values
    to try for a field of an item.
    """
    named = {part.name for expression in expressions for part in walk(expression) if isinstance(part, Select)}
    parts = {part.name: list(islice(values_of(part), _MOST_VALUES)) for part in field.parts if part.name in named}
    new = list(islice(_items(parts), _MOST_ITEMS))
    for at, item in enumerate(kept):
        for name, values in parts.items():
            yield from ([*kept[:at], {**item, name: value}, *kept[at + 1 :]] for value in values)
    yield from ([*kept, item] for item in new)
    for name, values in parts.items():
        yield from ([{**item, name: value} for item in kept] for value in values)
    yield from ([*kept[:at], *kept[at + 1 :]] for at in range(len(kept)))
    for number in constants:
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _LONGEST:
            for size in (number, number + 1, number - 1):
                yield from (_sized(kept, item, size) for item in new[:_MOST_VALUES])


def _items(parts: Mapping[str, list[Any]]) -> Iterator[Item]:
    """Yield new items: one without values, those with one value, then those with several."""
    yield {}
    yield from ({name: value} for name, values in parts.items() for value in values)
    if len(parts) > 1:
        few = [values[:3] for values in parts.values() if values]
        names = [name for name, values in parts.items() if values]
        yield from (dict(zip(names, values, strict=True)) for values in product(*few))


def _sized(kept: list[Item], item: Item, size: int) -> list[Item]:
    return kept[: max(size, 0)] if size <= len(kept) else [*kept, *[item] * (size - len(kept))]


def change_of_items(address: str, value: Any, now: Any) -> str | None:
    """Return in words how a list of records differs from its present value `now`: `order.items[0].size = "Large"`, or
    `a second item in order.items with size = "Large"`; `None` if no short words say it, as for a list that is another
    one altogether.
    """
    wanted, known = as_list(value), as_list(now) or []
    if wanted is None or not all(as_object(item) is not None for item in (*wanted, *known)):
        return None
    if not (wanted or known):
        return None
    if len(wanted) == len(known):
        return _changed(address, wanted, known)
    if len(wanted) < len(known):
        gone = [at for at, item in enumerate(known) if item not in wanted]
        return ", ".join(f"no {address}[{at}]" for at in gone) if len(gone) == len(known) - len(wanted) else None
    if wanted[: len(known)] != known:
        return None
    return _added(address, wanted[len(known) :], len(known))


def _changed(address: str, wanted: list[Item], known: list[Item]) -> str | None:
    texts = [
        f"{address}[{at}].{name} = {_written(new[name])}"
        for at, (new, old) in enumerate(zip(wanted, known, strict=True))
        for name in new
        if name != ID and new[name] != old.get(name)
    ]
    return ", ".join(texts) or None


def _added(address: str, added: list[Item], before: int) -> str:
    values = ", ".join(f"{name} = {_written(value)}" for name, value in added[0].items() if name != ID)
    place = _ORDINALS[before] if before < len(_ORDINALS) else f"{before + 1}th"
    count = f"a {place} item" if len(added) == 1 else f"{len(added)} more items"
    return f"{count} in {address}" + (f" with {values}" if values else "")


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
