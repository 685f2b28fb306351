"""Facts about scopes: why one was opened, and with what it was closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import began
from turnwise.why.facts.builder import FactBuilder, of
from turnwise.why.facts.values import value_read

_BY = {
    "node": "entering its node",
    "call": "a transition that calls it",
    "tool": "a tool of the model",
    "user": "the user",
    "program": "the program",
}


def _opened(builder: FactBuilder, event: e.ScopeOpened) -> Iterator[Fact]:
    about = (Subject("node", event.scope), Subject("node", event.node), *of("transition", event.transition))
    cause = builder.first("decided", "command_applied", "model_replied", "node_left") or began(builder)
    yield builder.fact("scope_opened", *about, causes=(cause,), scope=event.scope, who=_BY[event.by], note=event.note)


def _closed(builder: FactBuilder, event: e.ScopeClosed) -> Iterator[Fact]:
    cause = builder.first("decided", "command_applied", "form_progressed", "call_answered", "timer_fired")
    about = (Subject("node", event.scope), Subject("turn", str(builder.entry.turn)))
    values: dict[str, Any] = {"scope": event.scope, "outcome": event.outcome, "summary": event.summary}
    written = builder.first("model_replied") if event.is_by_model else None
    values["by"] = "as the model wrote it" if event.is_by_model else ""
    scope = builder.machine.scopes.get(event.scope)
    returned = [
        fact for one in (scope.returned if scope is not None else ()) for fact in value_read(builder, one.inside)
    ]
    yield builder.fact("scope_closed", *about, causes=(cause or began(builder), written, *returned), **values)


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.ScopeOpened: _opened,
    e.ScopeClosed: _closed,
}
