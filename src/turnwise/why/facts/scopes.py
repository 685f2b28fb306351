"""Facts about scopes: why one was opened, why it was closed, and what it passed on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.candidates import Open
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.scopes import WITHOUT_RESULT
from turnwise.core.state import OpenScope
from turnwise.core.state import events as e
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.values import FACTS_OF_ROOT, value_read
from turnwise.why.kinds import FactKind

OPENER_WORDS = {
    "node": Phrase("entering its node"),
    "call": Phrase("a transition that calls it"),
    "tool": Phrase("a tool of the model"),
    "user": Phrase("the user"),
    "program": Phrase("the program"),
    "offer": Phrase("an offer that the user took"),
    "schedule": Phrase("a schedule"),
}
"""The words for what opens a scope, by the code of the opener."""
_OPENED_AFTER: dict[str, tuple[FactKind, ...]] = {
    "node": ("node_left", "conversation_started"),
    "call": ("decided",),
    "tool": ("model_replied",),
    "user": ("command_applied",),
    "program": ("command_applied", "commands_received"),
    "offer": ("offer_closed",),
    "schedule": ("schedule_fired",),
}
_CLOSED_AFTER: dict[str, tuple[FactKind, ...]] = {
    "cancelled": ("command_applied", "form_progressed"),
    "limit": ("message_received", "button_pressed", "model_replied"),
    "timeout": ("timer_fired",),
    "failed": FACTS_OF_ROOT["error"],
}
"""What comes before the opening and the closing of a scope: its cause."""


def _erased(by: e.Erasure | None) -> str:
    """Return when the words inside were erased, and the rule; empty where they were not."""
    return (
        phrase("the words inside were erased on {on}: they are kept for {kept}", on=by.day, kept=by.duration)
        if by is not None
        else ""
    )


def _opened(builder: FactBuilder, event: e.ScopeOpened) -> Iterator[Fact]:
    about = (
        *(Subject("node", event.scope), Subject("node", event.node)),
        *subjects_named("transition", event.transition),
        *subjects_named("tool", event.tool),
    )
    cause = builder.first(*_OPENED_AFTER[event.by]) or beginning_of_turn(builder)
    by = event.transition or event.tool or (cause.values.get("schedule", "") if cause is not None else "")
    values: dict[str, Any] = {"scope": event.scope, "who": OPENER_WORDS[event.by], "by": by}
    because = cause.values.get("because", "") if cause is not None and event.transition else ""
    yield builder.fact(
        "scope_opened",
        *about,
        causes=(cause,),
        **values,
        because=because,
        note=event.note,
        erased=_erased(event.erased),
    )


def _closed(builder: FactBuilder, event: e.ScopeClosed) -> Iterator[Fact]:
    scope, is_kept = builder.machine.scopes.get(event.scope), event.outcome not in WITHOUT_RESULT
    copied = scope.returned if scope is not None else ()
    about = (
        *(Subject("node", event.scope), Subject("turn", str(builder.entry.turn))),
        *[Subject("field", one.outside) for one in copied],
        *subjects_named("tool", event.tool),
    )
    values: dict[str, Any] = {"scope": event.scope, "outcome": event.outcome, "summary": event.summary}
    values["erased"] = _erased(event.keep.by if event.keep is not None else None)
    values["by"] = Phrase("as the model wrote it") if event.is_by_model else ""
    values["why"] = _why_closed(builder, scope, event.outcome)
    values["kept"] = scope.scope.returns if scope is not None and scope.scope and not is_kept else ""
    written = builder.first("model_replied") if event.is_by_model else None
    returned = [fact for one in copied for fact in value_read(builder, one.inside)] if is_kept else []
    causes = (_cause(builder, event.outcome) or beginning_of_turn(builder), written, *returned)
    yield builder.fact("scope_closed", *about, causes=causes, **values)


def _cause(builder: FactBuilder, outcome: str) -> Fact | None:
    """Return what closed a scope: the decision, the end of a scope inside it, or what was said or done."""
    known = _CLOSED_AFTER.get(outcome)
    if known is not None:
        return builder.first(*known)
    return builder.first("decided", "command_applied", "form_progressed", "call_answered", "work_done", "scope_closed")


def _why_closed(builder: FactBuilder, scope: LinkedScope | None, outcome: str) -> str:
    """Return why a scope was closed from outside, in words; empty where its own nodes ended it."""
    opened = builder.state.frame.scope if builder.state is not None else None
    if scope is None or opened is None:
        return ""
    match outcome:
        case "limit":
            return phrase("it {used}", used=limits_used(scope, opened, only_reached=True))
        case "timeout":
            return phrase("nothing was said in it for {duration}", duration=write_duration((scope.idle_ms or 0) / 1000))
        case "cancelled":
            return Phrase("it was cancelled")
        case "failed":
            return Phrase("an `error` transition around it took over what failed inside")
        case _:
            return ""


def limits_used(scope: LinkedScope, opened: OpenScope, *, only_reached: bool = False) -> str:
    """Return in words how much of its limits (with `only_reached`, of the reached ones) an open scope has used; empty
    if there is none.
    """
    limits = (
        (
            phrase("had {turns} of at most {most} turns of the user", turns=opened.turns, most=scope.turns),
            opened.turns,
            scope.turns,
        ),
        (
            phrase("used {tokens} of at most {most} tokens", tokens=opened.tokens, most=scope.tokens),
            opened.tokens,
            scope.tokens,
        ),
    )
    shown = [text for text, now, most in limits if most is not None and (now >= most or not only_reached)]
    return joined(shown, " and ")


# what goes in and comes out ----------------------------------------------------------------------


def passed_on(builder: FactBuilder) -> str:
    """Return in words how the builder's entry passed a value to a scope, or out of it."""
    fact = builder.first("scope_closed", "scope_opened")
    if fact is None:
        return Phrase("by a scope")
    is_given = fact.kind == "scope_opened"
    return phrase(
        "given to the scope {scope}" if is_given else "returned by the scope {scope}", scope=fact.values["scope"]
    )


def passed_from(builder: FactBuilder, address: str) -> tuple[Fact | None, ...]:
    """Return the facts about the origin of a value that a scope received or returned. They are the value outside or
    inside that it was copied from, or what it was computed from, and the opening or closing.
    """
    fact = builder.first("scope_closed", "scope_opened")
    scope = builder.machine.scopes.get(str(fact.values["scope"])) if fact is not None else None
    if fact is None or scope is None:
        return (fact,)
    if fact.kind == "scope_closed":
        names = {one.inside for one in scope.returned if one.outside == address}
        return (*[one for one in fact.causes if one.values.get("name") in names], fact)
    names = [one.outside for one in scope.copied_in if one.inside == address]
    names += _read_by_input(builder.machine, str(fact.values["by"]), address)
    return (*[one for name in names for one in value_read(builder, name)], fact)


def _read_by_input(machine: Machine, transition: str, address: str) -> list[str]:
    """Return what a transition reads for an input of the scope that it opens."""
    opening = [one.action for one in machine.all_candidates() if one.id == transition and isinstance(one.action, Open)]
    return [ref.key for action in opening for write in action.input if write.address == address for ref in write.reads]


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.ScopeOpened: _opened,
    e.ScopeClosed: _closed,
}
"""The functions that yield the facts of an event, by the class of the event."""
