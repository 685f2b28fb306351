"""The form of the node in charge, and facts about its questions."""

from __future__ import annotations

from turnwise.core.forms import is_open, questions_in_order
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.phrase import listed
from turnwise.core.state import FormRun, State
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.values import rule_needs, rule_reads, rule_values
from turnwise.why.kinds import FactKind


def condition_failed(builder: FactBuilder, address: str, question: Question) -> Fact:
    """Return the fact that the `ask_when` condition of a question does not hold, with the values that it read."""
    state, guard = builder.state, question.ask_when
    assert state is not None
    assert guard is not None
    return question_fact(
        builder,
        "question_condition_failed",
        address,
        causes=rule_reads(builder, guard),
        source=str(guard.span) if guard.span.line else "",
        field=address,
        needs=rule_needs(builder.machine, state, guard, state.node),
        **rule_values(builder, guard),
    )


def open_form(builder: FactBuilder) -> tuple[State, LinkedForm, FormRun] | None:
    """Return the state, the form of the node in charge and its progress; `None` if the node has no form."""
    state = builder.state
    if state is None or state.node not in builder.machine.nodes:
        return None
    form, run = builder.machine.nodes[state.node].form, state.frame.form
    return (state, form, run) if form is not None and run is not None else None


def still_open(form: LinkedForm, run: FormRun, state: State) -> list[Question]:
    """Return the questions of a form that still have to be asked before the form is complete."""
    return [one for one in questions_in_order(form, state, run) if is_open(one, run, state)]


def names_of(questions: list[Question]) -> str:
    """Return the addresses of the questions' fields, as a list in words."""
    return listed([one.address for one in questions])


def question_fact(
    builder: FactBuilder,
    kind: FactKind,
    address: str = "",
    *about: Subject,
    causes: tuple[Fact | None, ...] = (),
    source: str = "",
    **values: object,
) -> Fact:
    """Return a fact about the question of a field, or, without an `address`, about the form of the node in charge;
    arguments as in `FactBuilder.fact`.
    """
    subjects = (
        *subjects_named("field", address),
        *subjects_named("question", address),
        *about,
        *subjects_named("form", builder.node),
    )
    return builder.fact_of_state(kind, *subjects, causes=causes, source=source, **values)
