"""Reports gaps in texts about events of other systems: data that an event may come without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from turnwise.check.checked_flow import CheckedFlow, Texts
from turnwise.core.guards.event_roots import EVENT
from turnwise.core.values.schema import is_needed
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import GuardError, parse
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field, Guard, Record


def check_gaps(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW111: report texts with a hole for data that an event may lack, if no guard asks whether it is there."""
    events = checked.machine.flow.events
    if not events:
        return
    names = checked.machine.names
    parts: list[Any] = [checked.machine.flow, *(one.scope for one in checked.machine.scopes.values() if one.scope)]
    nodes = [node.node for node in checked.machine.nodes.values()]
    for part in (*parts, *nodes):
        for transition in getattr(part, "transitions", ()):
            asked = set(_read(transition.when))
            named = [one for one in events if one.name in transition.event]
            yield from _gaps(Texts(transition, names), named or events, asked, is_exact=bool(named))
    for node in nodes:
        asked = {name for one in node.transitions for name in _read(one.when)}
        own = {span for one in node.transitions for _, span, *_ in Texts(one, names).expressions}
        yield from _gaps(Texts(node, names), events, asked, without=own)


def _gaps(
    texts: Texts, events: Iterable[Record], asked: set[str], *, is_exact: bool = False, without: Iterable[object] = ()
) -> Iterator[Diagnostic]:
    for expression, span, _, is_required in texts.expressions:
        name = _event_field(expression)
        if not name or is_required or name in asked or span in without:
            continue
        lacking = [one.name for one in events if _may_lack(one, name, is_exact=is_exact)]
        if lacking:
            message = f"'{EVENT}.{name}' leaves a gap here: {', '.join(lacking)} may come without it"
            hint = f"give it a default, ask in the guard with 'has({EVENT}.{name})', or write '| required'"
            yield problem("TW111", message, span, hint)


def _may_lack(event: Record, name: str, *, is_exact: bool) -> bool:
    """Return whether an event may come without a field; with `is_exact` also because it has none of this name."""
    field: Field | None = next((one for one in event.fields if one.name == name), None)
    if field is None:
        return is_exact and name != "name"
    return field.default is None and not is_needed(field)


def _event_field(expression: s.Expression) -> str:
    """Return the field of the event that is all of an expression; empty for any other."""
    is_field = isinstance(expression, s.Select) and isinstance(expression.of, s.Name) and expression.of.name == EVENT
    return expression.name if is_field else ""  # type: ignore[union-attr]


def _read(guard: Guard) -> Iterator[str]:
    """Yield the fields of the event that a guard reads: where one is missing, the guard is unknown."""
    try:
        tree = parse(guard) if guard and isinstance(guard, str) else None
    except GuardError:
        return
    for part in s.walk(tree) if tree is not None else ():
        if name := _event_field(part):
            yield name
