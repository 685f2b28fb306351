"""The parts of coverage that come from questions which are data: what their answers can lead to."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.answers import is_right
from turnwise.core.language import folded
from turnwise.core.machine import Machine
from turnwise.core.state import DataQuestion, QuestionList
from turnwise.core.state import events as e
from turnwise.core.values.questions import questions_by_default
from turnwise.flow.addresses import map_of
from turnwise.runner.result import Turn

_COPIED = frozenset({"scope", "prefill"})
"""How a value is set that is no answer, but one that was given before."""


def questions_of_flow(machine: Machine) -> Iterator[tuple[str, DataQuestion]]:
    """Yield the default questions of a flow's forms that are data, each with the node of the form."""
    for name, node in machine.nodes.items():
        if node.form is not None and node.form.source:
            found = questions_by_default(machine.fields.get(node.form.source), machine.rules)
            yield from ((name, question) for question in found)


def questions_of_turn(turn: Turn) -> Iterator[tuple[str, DataQuestion]]:
    """Yield the questions of each form that a turn entered with questions from data, each with the node of the form."""
    for event in turn.events:
        if isinstance(event, e.QuestionsFixed):
            yield from ((event.node, question) for question in event.questions)


def outcomes_of_question(question: DataQuestion) -> Iterator[str]:
    """Yield the outcomes that an answer to a question can have, in words."""
    others = [one for one in question.options if one not in question.stop]
    is_judged = bool(question.right)
    if others or not question.options:
        yield "answered right" if is_judged else "answered"
    if is_judged and (not others or not all(is_right(question.right, one) for one in others)):
        yield "answered wrong"
    if question.stop:
        yield "stopped by it"


def answers_of_turn(turn: Turn) -> Iterator[tuple[str, str, str]]:
    """Yield the node, the question and the outcome of each answer to a question from data in a turn."""
    lists = _lists(turn)
    for event in turn.events:
        found = lists.get(map_of(event.field)) if isinstance(event, e.FieldSet) and event.how not in _COPIED else None
        if found is None or not isinstance(event, e.FieldSet):
            continue
        id_ = event.field.rpartition(".")[2]
        question = next((one for one in found.items if one.id == id_), None)
        if question is not None:
            yield found.node, id_, _outcome(question, str(event.value))


def _lists(turn: Turn) -> dict[str, QuestionList]:
    """Return the lists of questions that were open in a turn, by the field that takes their answers."""
    found: dict[str, QuestionList] = {}
    for state in (turn.before, turn.after):
        found |= (state.question_lists or {}) if state is not None else {}
    fixed = [one for one in turn.events if isinstance(one, e.QuestionsFixed)]
    return found | {one.field: QuestionList(one.questions, one.source, one.node) for one in fixed}


def _outcome(question: DataQuestion, value: str) -> str:
    if folded(value) in [folded(one) for one in question.stop]:
        return "stopped by it"
    if not question.right:
        return "answered"
    return "answered right" if is_right(question.right, value) else "answered wrong"
