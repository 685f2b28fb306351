"""What people did who were awaited or in charge, and what the user was shown: forms, questions, texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.story.beginnings import began
from turnwise.why.story.questions import why_form_asks
from turnwise.why.story.telling import Telling, of

_PERSON = Subject("person")
_QUESTIONS = {
    "field": "for",
    "confirmation": "to confirm",
    "chooser": "which answer to change",
    "call": "to approve a call",
}


def _awaited(telling: Telling, event: e.PersonAwaited) -> Iterator[Fact]:
    until = telling.time(event.due_ms) if event.due_ms is not None else ""
    causes = (telling.first("command_applied", "node_left") or began(telling),)
    values: dict[str, Any] = {"queue": event.queue, "topic": event.about, "until": until}
    yield telling.fact("person_awaited", _PERSON, Subject("node", telling.node), causes=causes, **values)


def _took(telling: Telling, event: e.TakenOver) -> Iterator[Fact]:
    about = (_PERSON, Subject("turn", str(telling.entry.turn)))
    yield telling.fact("person_took_over", *about, operator=event.operator, reason=event.reason)


def _said(telling: Telling, event: e.OperatorSaid) -> Iterator[Fact]:
    operator = event.operator or e.A_PERSON
    about = (_PERSON, Subject("message", str(telling.entry.turn)))
    yield telling.fact("person_said", *about, operator=operator, said=event.text)


def _gave(telling: Telling, event: e.GivenBack) -> Iterator[Fact]:
    fields = [Subject("field", name) for name in event.set]
    about = (_PERSON, Subject("turn", str(telling.entry.turn)), *fields, *of("transition", event.transition))
    values: dict[str, Any] = {
        "operator": event.operator or e.A_PERSON,
        "outcome": event.outcome,
        "fields": ", ".join(event.set),
        "transition": event.transition,
        "end": event.end,
        "reason": event.reason,
    }
    yield telling.fact("person_gave_back", *about, **values)


def _nobody(telling: Telling, event: e.NobodyCame) -> Iterator[Fact]:
    yield telling.fact("nobody_came", _PERSON, causes=(began(telling),), queue=event.queue)


def _form(telling: Telling, event: e.FormChanged) -> Iterator[Fact]:
    run, before = event.run, telling.state.frame.form if telling.state is not None else None
    notes: list[str] = []
    if before is not None:
        skipped = [name for name in run.skipped if name not in before.skipped]
        notes += [f"{', '.join(skipped)} skipped"] if skipped else []
        notes += [f"it stopped at {run.stopped_at}"] if run.stopped_at and run.stopped_at != before.stopped_at else []
        notes += ["an answer is being changed"] if run.editing and run.editing != before.editing else []
    about = (
        Subject("form", telling.node),
        Subject("question"),
        Subject("node", telling.node),
        *of("field", run.asked),
        *of("field", run.stopped_at),
    )
    causes = (telling.first("field_set", "field_cleared", "command_applied", "not_understood") or began(telling),)
    values = {
        "node": telling.node,
        "status": run.status.replace("_", " "),
        "field": run.asked if run.status == "collecting" else "",
        "note": ", ".join(notes),
    }
    yield telling.fact("form_progressed", *about, causes=causes, **values)


def _closed(telling: Telling, event: e.FormClosed) -> Iterator[Fact]:
    about = (Subject("form", event.node), Subject("node", event.node))
    causes = (telling.first("decided"),)
    yield telling.fact("form_closed", *about, causes=causes, node=event.node, status=event.status.replace("_", " "))


def _machine_said(telling: Telling, event: e.Said) -> Iterator[Fact]:
    if event.question is not None:
        about = (Subject("question"), *of("field", event.field), *of("question", event.field))
        why = why_form_asks(telling) if event.question != "call" else None
        causes = (why, telling.first("form_progressed", "call_awaits_approval") or began(telling))
        what = _QUESTIONS[event.question]
        yield telling.fact("question_asked", *about, causes=causes, what=what, field=event.field, said=event.text)
        return
    causes = (telling.first("decided", "node_left", "model_replied") or began(telling),)
    about = (Subject("turn", str(telling.entry.turn)), *of("field", event.field))
    reply = event.kind.replace("_", " ")
    yield telling.fact("text_said", *about, causes=causes, said=event.text, reply=reply)


def _artefact(telling: Telling, event: e.ArtefactMade) -> Iterator[Fact]:
    causes = (telling.first("form_progressed"),)
    yield telling.fact("artefact_made", Subject("form", telling.node), causes=causes, artefact=event.kind)


TELLERS: dict[type, Callable[[Telling, Any], Iterator[Fact]]] = {
    e.PersonAwaited: _awaited,
    e.TakenOver: _took,
    e.OperatorSaid: _said,
    e.GivenBack: _gave,
    e.NobodyCame: _nobody,
    e.FormChanged: _form,
    e.FormClosed: _closed,
    e.Said: _machine_said,
    e.ArtefactMade: _artefact,
}
