"""Facts about people who were awaited or in charge, and about what the user was shown: forms, questions, texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.explain.now import FORM_STATUS
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import events as e
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.endings import undo_refused
from turnwise.why.facts.external_events import facts_of_notice
from turnwise.why.facts.questions import why_form_asks
from turnwise.why.facts.refusals import event_refused, give_back_refused
from turnwise.why.facts.reminders import reminder

_PERSON = Subject("person")
_QUESTIONS = {
    "field": Phrase("for"),
    "confirmation": Phrase("to confirm"),
    "chooser": Phrase("which answer to change"),
    "call": Phrase("to approve a call"),
    "offer": Phrase("whether to begin"),
    "budget": Phrase("whether to go on beyond a budget"),
}


def _awaited(builder: FactBuilder, event: e.PersonAwaited) -> Iterator[Fact]:
    until = builder.time(event.due_ms) if event.due_ms is not None else ""
    causes = (builder.first("command_applied", "node_left") or beginning_of_turn(builder),)
    values: dict[str, Any] = {"queue": event.queue, "topic": event.about, "until": until}
    yield builder.fact("person_awaited", _PERSON, Subject("node", builder.node), causes=causes, **values)


def _took(builder: FactBuilder, event: e.TakenOver) -> Iterator[Fact]:
    about = (_PERSON, Subject("turn", str(builder.entry.turn)))
    waiting = builder.state.person if builder.state is not None else None
    values: dict[str, Any] = {"operator": event.operator, "before": event.instead_of, "reason": event.reason}
    if waiting is not None and not waiting.operator:
        waited = (builder.entry.at_ms - waiting.since_ms) // 1000
        values["waited"] = write_duration(waited) if waited else ""
    yield builder.fact("person_took_over", *about, **values)


def _said(builder: FactBuilder, event: e.OperatorSaid) -> Iterator[Fact]:
    operator = event.operator or e.A_PERSON
    about = (_PERSON, Subject("message", str(builder.entry.turn)))
    yield builder.fact("person_said", *about, operator=operator, said=event.text)


def _gave(builder: FactBuilder, event: e.GivenBack) -> Iterator[Fact]:
    fields = [Subject("field", name) for name in event.set]
    about = (
        _PERSON,
        Subject("turn", str(builder.entry.turn)),
        *fields,
        *subjects_named("transition", event.transition),
    )
    values: dict[str, Any] = {
        "operator": event.operator or e.A_PERSON,
        "outcome": event.outcome,
        "given": joined(
            (
                phrase("{field} = {value}", field=name, value=builder.value(name, value))
                for name, value in event.set.items()
            ),
            ", ",
        ),
        "transition": event.transition,
        "end": event.end,
        "reason": event.reason,
    }
    yield builder.fact("person_gave_back", *about, **values)


def _nobody(builder: FactBuilder, event: e.NobodyCame) -> Iterator[Fact]:
    person = builder.state.person if builder.state is not None else None
    waited = write_duration((builder.entry.at_ms - person.since_ms) // 1000) if person is not None else ""
    node = Subject("node", builder.node)
    yield builder.fact(
        "nobody_came", _PERSON, node, causes=(beginning_of_turn(builder),), queue=event.queue, waited=waited
    )


def _form(builder: FactBuilder, event: e.FormChanged) -> Iterator[Fact]:
    run, before = event.run, builder.state.frame.form if builder.state is not None else None
    notes: list[str] = []
    if before is not None:
        skipped = [name for name in run.skipped if name not in before.skipped]
        notes += [phrase("{fields} skipped", fields=joined(skipped, ", "))] if skipped else []
        notes += (
            [phrase("it stopped at {field}", field=run.stopped_at)]
            if run.stopped_at and run.stopped_at != before.stopped_at
            else []
        )
        notes += [Phrase("an answer is being changed")] if run.editing and run.editing != before.editing else []
    about = (
        Subject("form", builder.node),
        Subject("question"),
        Subject("node", builder.node),
        *subjects_named("field", run.asked),
        *subjects_named("field", run.stopped_at),
    )
    causes = (
        builder.first("field_set", "field_cleared", "command_applied", "not_understood") or beginning_of_turn(builder),
    )
    asked, is_left = run.asked if run.status == "collecting" else "", _is_left_unasked(builder)
    values = {
        "node": builder.node,
        "is": Phrase("was") if asked and is_left else Phrase("is"),
        "status": FORM_STATUS[run.status],
        "field": asked if not is_left else "",
        "unasked": asked if is_left else "",
        "note": joined(notes, ", "),
    }
    yield builder.fact("form_progressed", *about, causes=causes, **values)


def _is_left_unasked(builder: FactBuilder) -> bool:
    """Return whether the turn left the form of the builder's entry before it asked anything more."""
    for entry in builder.turn.entries[builder.entry.seq - builder.turn.entries[0].seq + 1 :]:
        match entry.event:
            case e.FormChanged():
                return False
            case e.Said(question=question) if question is not None:
                return False
            case e.Moved() | e.Ended():
                return True
            case _:
                pass
    return False


def _closed(builder: FactBuilder, event: e.FormClosed) -> Iterator[Fact]:
    about = (Subject("form", event.node), Subject("node", event.node))
    causes = (builder.first("decided"),)
    yield builder.fact("form_closed", *about, causes=causes, node=event.node, status=FORM_STATUS[event.status])


def _machine_said(builder: FactBuilder, event: e.Said) -> Iterator[Fact]:
    if event.kind == "notice":
        yield from facts_of_notice(builder, event)
        return
    if event.kind == "reminder":
        yield from reminder(builder, event)
        return
    if event.question is not None:
        about = (Subject("question"), *subjects_named("field", event.field), *subjects_named("question", event.field))
        why = why_form_asks(builder) if event.question not in ("call", "offer") else None
        cause = builder.first("form_progressed", "call_awaits_approval")
        if event.question == "offer":
            about, cause = (Subject("question"), Subject("node", event.field)), builder.first("offered")
        causes = (why, builder.latest.get("turn_undone") or cause or beginning_of_turn(builder))
        what = _QUESTIONS[event.question]
        yield builder.fact("question_asked", *about, causes=causes, what=what, field=event.field, said=event.text)
        return
    if event.kind == "undo":
        yield from undo_refused(builder, event)
        return
    causes = (builder.first("decided", "node_left", "model_replied") or beginning_of_turn(builder),)
    about = (Subject("turn", str(builder.entry.turn)), *subjects_named("field", event.field))
    reply = Phrase(event.kind.replace("_", " "))
    yield builder.fact("text_said", *about, causes=causes, said=event.text, reply=reply)


def _artefact(builder: FactBuilder, event: e.ArtefactMade) -> Iterator[Fact]:
    causes = (builder.first("form_progressed", "command_applied"),)
    yield builder.fact("artefact_made", Subject("form", builder.node), causes=causes, artefact=event.kind)


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.PersonAwaited: _awaited,
    e.TakenOver: _took,
    e.OperatorSaid: _said,
    e.GivenBack: _gave,
    e.GiveBackRefused: give_back_refused,
    e.EventRefused: event_refused,
    e.NobodyCame: _nobody,
    e.FormChanged: _form,
    e.FormClosed: _closed,
    e.Said: _machine_said,
    e.ArtefactMade: _artefact,
}
"""The functions that yield the facts of an event, by the class of the event."""
