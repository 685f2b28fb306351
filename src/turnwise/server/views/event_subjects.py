"""What an event of the journal is about: the subject of a question of why about it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from turnwise.core.machine import Machine
from turnwise.core.state import effects as f
from turnwise.core.state import events as e
from turnwise.why.answer import Subject, SubjectKind


def event_subject(entry: e.Entry, machine: Machine) -> Subject:
    """Return what an event is about; the turn of an event that has no subject of its own."""
    find = SUBJECTS.get(type(entry.event))
    found = find(entry.event, machine) if find is not None else None
    if found is None:
        return Subject("turn", str(entry.turn))
    return Subject("message", str(entry.turn)) if found.kind == "message" else found


_Find = Callable[[Any, Machine], Subject | None]


def _only(kind: SubjectKind) -> _Find:
    return lambda _event, _machine: Subject(kind)


def _field(event: Any, machine: Machine) -> Subject | None:
    return Subject("field", event.field) if event.field in machine.fields else None


def _command(event: Any, machine: Machine) -> Subject:
    return _field(event, machine) or Subject("message")


def _node(event: Any, machine: Machine) -> Subject | None:
    return Subject("node", event.node) if event.node in machine.nodes else None


def _form(event: e.FormClosed, machine: Machine) -> Subject | None:
    return Subject("form", event.node) if event.node in machine.nodes else None


def _transition(name: str, machine: Machine) -> Subject | None:
    candidates = chain(machine.flow_candidates, *(node.candidates for node in machine.nodes.values()))
    found = next((one for one in candidates if one.id == name), None)
    return Subject("timer" if found.moment == "timer" else "transition", name) if found is not None else None


def _decided(event: e.Decided, machine: Machine) -> Subject | None:
    """Return the transition that was taken, else the node that was stayed in."""
    node = _node(event, machine)
    if node is None or event.taken < 0:
        return node
    return _transition(machine.candidates(event.node, event.moment).all[event.taken].id, machine) or node  # type: ignore[arg-type]


def _moved(event: e.Moved | e.MovePlanned, machine: Machine) -> Subject | None:
    found = _transition(event.transition, machine)
    return found or (Subject("node", event.target) if event.target in machine.nodes else None)


def _call(event: Any, machine: Machine) -> Subject | None:
    return Subject("call", event.call) if event.call else _tool(event, machine)


def _tool(event: Any, machine: Machine) -> Subject | None:
    return Subject("tool", event.tool) if event.tool in machine.tools else None


def _effect(event: e.EffectAsked, machine: Machine) -> Subject | None:
    match event.effect:
        case f.Understand():
            return Subject("message")
        case f.CallModel():
            return Subject("model")
        case f.RunTool():
            return _call(event.effect, machine)
        case _:
            return None


def _said(event: e.Said, machine: Machine) -> Subject | None:
    if event.question is None:
        return None
    return Subject("question", event.field) if event.field in machine.fields else Subject("question")


def _form_changed(event: e.FormChanged, machine: Machine) -> Subject | None:
    return Subject("question", event.run.asked) if event.run.asked in machine.fields else None


def _refused(event: e.EventRefused, machine: Machine) -> Subject | None:
    match event.kind:
        case "taken_over" | "operator" | "given_back":
            return Subject("person", event.operator)
        case "tool" if event.name in machine.tools:
            return Subject("tool", event.name)
        case "timer":
            return _transition(event.name, machine)
        case _:
            return None


SUBJECTS: dict[type, _Find] = {
    e.Started: _node,
    e.UserSaid: _only("message"),
    e.UserChose: _only("message"),
    e.ToolUsed: _tool,
    e.TimerFired: lambda event, machine: _transition(event.timer, machine),
    e.Understood: _only("message"),
    e.UnderstandingFailed: _only("message"),
    e.ModelReplied: _only("model"),
    e.ModelFailed: _only("model"),
    e.ToolReturned: _call,
    e.ToolFailed: _call,
    e.FieldSet: _field,
    e.FieldCleared: _field,
    e.FieldShelved: _field,
    e.FieldRevived: _field,
    e.NothingSet: _field,
    e.Missed: _field,
    e.CommandApplied: _command,
    e.CommandRefused: _command,
    e.Decided: _decided,
    e.MovePlanned: _moved,
    e.Moved: _moved,
    e.FormChanged: _form_changed,
    e.FormClosed: _form,
    e.Said: _said,
    e.CallAnswered: _call,
    e.CallRefused: _call,
    e.CallHeld: _call,
    e.CallQueued: _call,
    e.ApprovalUnclear: _call,
    e.CallApproved: _call,
    e.WorkDone: _node,
    e.EffectAsked: _effect,
    e.Ended: _only("end"),
    e.Failed: _only("end"),
    e.TurnEnded: _only("conversation"),
    e.TakenOver: _only("person"),
    e.OperatorSaid: _only("person"),
    e.GivenBack: _only("person"),
    e.GiveBackRefused: _only("person"),
    e.EventRefused: _refused,
    e.PersonAwaited: _only("person"),
    e.NobodyCame: _only("person"),
}
"""How the subject of an event is found; the others are about their turn."""
