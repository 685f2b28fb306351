"""Answers a question by the kind of its subject: each kind has a function that returns the facts, the answer first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from turnwise.core.state import events as e
from turnwise.why.answer import Fact, SubjectKind
from turnwise.why.query import Query
from turnwise.why.subjects import (
    deliveries,
    ends,
    external_events,
    fields,
    forms,
    items,
    limits,
    messages,
    models,
    nodes,
    origins,
    overlays,
    people,
    schedules,
    timers,
    tools,
    turns,
)

Answerer = Callable[[Query], Awaitable[list[Fact]]]
"""A function that answers a question about a subject of one kind."""

ANSWERS: dict[SubjectKind, Answerer] = {
    "field": fields.answer,
    "item": items.answer,
    "node": nodes.answer_node,
    "transition": timers.answer_transition,
    "tool": tools.answer_tool,
    "call": tools.answer_call,
    "model": models.answer_model,
    "timer": timers.answer_timer,
    "schedule": schedules.answer,
    "event": external_events.answer,
    "limit": limits.answer_limit,
    "overlay": overlays.answer_overlay,
    "person": people.answer_person,
    "turn": turns.answer_turn,
    "message": messages.answer,
    "question": forms.answer_question,
    "form": forms.answer_form,
    "end": ends.answer,
    "delivery": deliveries.answer,
    "origin": origins.answer,
    "conversation": turns.answer_conversation,
}
"""The function that answers, by kind of subject."""


async def answer(query: Query) -> list[Fact]:
    """Return the facts that answer a question; the first answers it, the others complete it.
    None for a person who did nothing, and for a tool that is neither in the flow nor was called.
    """
    facts = await ANSWERS[query.subject.kind](query)
    disagreement = await _disagreement(query) if query.subject.kind in ("transition", "node") else None
    return facts if disagreement is None else [disagreement, *[fact for fact in facts if fact != disagreement]]


async def _disagreement(query: Query) -> Fact | None:
    """Return that the rules and the code disagreed about a transition or node in the turn; of a mirror, also before."""
    name, subject = query.subject.name, query.subject
    own = next((fact for fact in query.facts_about if fact.kind == "rules_disagree"), None)
    mirrors = (one for node in query.machine.nodes.values() for one in node.candidates if one.is_mirror)
    if own is not None or query.names_turn or all(one.id != name for one in mirrors):
        return own
    return await query.last(
        e.Decided,
        is_fact=lambda fact: fact.kind == "rules_disagree" and subject in fact.about,
    )
