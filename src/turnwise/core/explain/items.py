"""Finds which item of a list decided an `exists` or `all` of a guard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from turnwise.core.explain.tree import leaves, plan
from turnwise.core.guards import Env, GuardFault, Test
from turnwise.core.guards.compile import over_items
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.scope import Names
from turnwise.core.values import REDACTED
from turnwise.core.values.json_data import as_list
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s


class ItemVerdict(Struct, frozen=True):
    """How the items of a list decided an `exists` or `all` of a guard."""

    rule: str
    """The `exists` or `all` as the author wrote it."""
    op: Literal["exists", "all"]
    """Whether one item is enough (`exists`), or each must meet the condition (`all`)."""
    count: int
    """The number of items in the list."""
    number: int = 0
    """The first item, counted from 1, that met an `exists` or failed an `all`; 0 if none decided."""
    unknown: int = 0
    """If no item decided: the first, counted from 1, whose condition is unknown or in error; else 0."""
    item: Any = None
    """The item at `number` or `unknown`, redacted if it is secret; `None` without one."""


def item_verdicts(expression: Expression, names: Names, env: Env) -> Iterator[ItemVerdict]:
    """Yield how the items decided each `exists` and `all` of a guard, where its list is known."""
    for leaf in leaves(plan(expression, names)):
        call = leaf.expression
        if not isinstance(call, s.Call) or call.of is None or call.name not in ("exists", "all"):
            continue
        group, condition = over_items(call, call.of, names)
        try:
            items = as_list(group(env))
        except GuardFault:
            continue
        if items is not None:
            is_secret = reads_secret(names, call)
            found = [_holds(condition, env, item) for item in items]
            yield _verdict(leaf.text, call.name, items, found, is_secret=is_secret)


def _verdict(
    rule: str, op: Literal["exists", "all"], items: list[Any], found: list[bool | None], *, is_secret: bool
) -> ItemVerdict:
    is_exists = op == "exists"
    number = found.index(is_exists) + 1 if is_exists in found else 0
    unknown = found.index(None) + 1 if None in found and not number else 0
    item = items[(number or unknown) - 1] if number or unknown else None
    shown = REDACTED if is_secret and item is not None else item
    return ItemVerdict(rule, op, len(items), number, unknown, shown)


def _holds(condition: Test, env: Env, item: Any) -> bool | None:
    """Return whether the condition holds for an item; `None` where it is unknown or in error."""
    env.bound[1] = item
    try:
        return condition(env)
    except GuardFault:
        return None
