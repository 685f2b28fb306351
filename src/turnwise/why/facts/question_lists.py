"""Facts about questions that are data: from where a form has its questions, and whether an answer is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.answers import is_right
from turnwise.core.phrase import Phrase, listed
from turnwise.core.state import QuestionList
from turnwise.core.state import events as e
from turnwise.flow.addresses import field_of, map_of
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.values import value_read


def _fixed(builder: FactBuilder, event: e.QuestionsFixed) -> Iterator[Fact]:
    about = (Subject("form", event.node), Subject("field", event.field), Subject("field", event.source))
    values: dict[str, Any] = {"node": event.node, "field": event.field, "list": event.source}
    values |= {"count": len(event.questions), "ids": listed([one.id for one in event.questions])}
    if builder.node != event.node:
        cause = builder.first("scope_closed", "scope_opened")
        yield builder.fact("questions_copied", *about, causes=(cause,), **values)
        return
    cause = builder.first("node_left", "scope_opened") or beginning_of_turn(builder)
    yield builder.fact("questions_read", *about, causes=(cause, *value_read(builder, event.source)), **values)


def list_with(builder: FactBuilder, address: str) -> QuestionList | None:
    """Return the list that has the question whose answer has an address, from the state; `None` if there is none."""
    state = builder.state
    if state is None or state.question_lists is None:
        return None
    found = state.question_lists.get(map_of(address))
    return found if found is not None and _number(found, address) else None


def _number(questions: QuestionList, address: str) -> int:
    id_ = field_of(address)
    return next((number for number, one in enumerate(questions.items, 1) if one.id == id_), 0)


def position(builder: FactBuilder, address: str) -> dict[str, Any]:
    """Return the values that say at which place of its list a question stands; empty for a question of the flow."""
    found = list_with(builder, address)
    if found is None:
        return {}
    return {"number": _number(found, address), "total": len(found.items), "list": found.source}


def facts_of_origin(builder: FactBuilder, address: str) -> tuple[Fact | None, ...]:
    """Return the facts about the origin of a question that is data: the read of its list, or the list's value."""
    found = list_with(builder, address)
    if found is None:
        return ()
    read = builder.first("questions_read")
    return (read,) if read is not None else tuple(value_read(builder, found.source))


def right_or_wrong(builder: FactBuilder, address: str, value: object) -> str:
    """Return in words whether an answer is right; empty if its question has no right answer, or if it is secret."""
    found = list_with(builder, address)
    if found is None or builder.machine.fields[address].secret:
        return ""
    right = found.items[_number(found, address) - 1].right
    return "" if not right else Phrase("a right answer") if is_right(right, value) else Phrase("not the right answer")


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {e.QuestionsFixed: _fixed}
"""The functions that yield the facts of an event, by the class of the event."""
