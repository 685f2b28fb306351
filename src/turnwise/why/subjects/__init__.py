"""The answer for each kind of subject: which facts answer the question, the one that answers it first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from turnwise.why.answer import Fact, SubjectKind
from turnwise.why.query import Query
from turnwise.why.subjects import (
    ends,
    fields,
    forms,
    limits,
    messages,
    models,
    nodes,
    origins,
    people,
    timers,
    tools,
    turns,
)

Answerer = Callable[[Query], Awaitable[list[Fact]]]

ANSWERS: dict[SubjectKind, Answerer] = {
    "field": fields.answer,
    "node": nodes.answer_node,
    "transition": timers.answer_transition,
    "tool": tools.answer_tool,
    "call": tools.answer_call,
    "model": models.answer_model,
    "timer": timers.answer_timer,
    "limit": limits.answer_limit,
    "person": people.answer_person,
    "turn": turns.answer_turn,
    "message": messages.answer,
    "question": forms.answer_question,
    "form": forms.answer_form,
    "end": ends.answer,
    "origin": origins.answer,
    "conversation": turns.answer_conversation,
}


async def answer(query: Query) -> list[Fact]:
    """Return the facts that answer a question; the first answers it, the others complete it. Never empty."""
    return await ANSWERS[query.subject.kind](query)
