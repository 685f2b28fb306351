"""What an event of the journal is about: the subject of a question of why about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from turnwise.core.machine import Machine
from turnwise.core.state import effects as f
from turnwise.core.state import events as e
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.item_names import ItemName

Named = tuple[SubjectKind, str]
"""The kind and the name of a subject; the name is empty for a kind with only one subject."""
_Find = Callable[[Any, Machine], Iterable[Named]]


def event_subject(entry: e.Entry, machine: Machine) -> Subject:
    """Return the subject that an event is about: its first one that exists in the flow, else its turn."""
    find = SUBJECTS.get(type(entry.event))
    for kind, name in find(entry.event, machine) if find is not None else ():
        known = _known(machine, kind, name, entry.turn)
        if known is not None:
            return known
    return Subject("turn", str(entry.turn))


def _known(machine: Machine, kind: SubjectKind, name: str, turn: int) -> Subject | None:
    """Return a subject, if the flow has it; of the call of a model, that has an id."""
    match kind:
        case "message":
            return Subject(kind, str(turn))
        case "transition":
            candidates = chain(machine.flow_candidates, *[node.candidates for node in machine.nodes.values()])
            found = next((one for one in candidates if one.id == name), None)
            return Subject("timer" if found.moment == "timer" else kind, name) if found is not None else None
        case "field" | "node" | "form" | "tool":
            names = {"field": machine.fields, "tool": machine.tools}.get(kind, machine.nodes)
            return Subject(kind, name) if name in names else None
        case "call":
            return Subject(kind, name) if name else None
        case _:
            return Subject(kind, name)


def _decided(event: e.Decided, machine: Machine) -> Iterable[Named]:
    """Return the transition that was taken, else the node that was stayed in."""
    if event.node not in machine.nodes:
        return ()
    taken = event.taken >= 0 and machine.candidates(event.node, event.moment).all[event.taken].id  # type: ignore[arg-type]
    return (("transition", taken or ""), ("node", event.node))


def _effect(event: e.EffectAsked, _machine: Machine) -> Iterable[Named]:
    match event.effect:
        case f.Understand():
            return (("message", ""),)
        case f.CallModel():
            return (("model", ""),)
        case f.RunTool(call=call, tool=tool):
            return (("call", call), ("tool", tool))
        case _:
            return ()


def _said(event: e.Said, machine: Machine) -> Iterable[Named]:
    is_of_field = event.field in machine.fields
    return (("question", event.field if is_of_field else ""),) if event.question is not None else ()


def _form_changed(event: e.FormChanged, machine: Machine) -> Iterable[Named]:
    return (("question", event.run.asked),) if event.run.asked in machine.fields else ()


def _refused(event: e.EventRefused, _machine: Machine) -> Iterable[Named]:
    match event.kind:
        case "taken_over" | "operator" | "given_back":
            return (("person", event.operator),)
        case "tool":
            return (("tool", event.name),)
        case "event":
            return (("event", event.name),)
        case "timer":
            return (("transition", event.name),)
        case "schedule":
            return (("schedule", event.name),)
        case _:
            return ()


def _item(event: e.ItemEvent, _machine: Machine) -> Iterable[Named]:
    return (("item", str(ItemName(event.field, event.id))),)


def _by(*keys: Named) -> _Find:
    """Return what finds the subjects of these kinds, each named by an attribute of the event, or without a name."""
    return lambda event, _machine: [(kind, getattr(event, key) if key else "") for kind, key in keys]


_Type = type[e.AnyEvent]
_PERSON: tuple[_Type, ...] = (
    *(e.TakenOver, e.OperatorSaid, e.GivenBack, e.GiveBackRefused),
    *(e.PersonAwaited, e.NobodyCame),
)
_FIELD: tuple[_Type, ...] = (
    *(e.FieldSet, e.FieldCleared, e.FieldShelved),
    *(e.FieldRevived, e.NothingSet, e.Missed, e.OptionsFixed),
)
_ITEM: tuple[_Type, ...] = (e.ItemAdded, e.ItemChanged, e.ItemRemoved, e.ItemMoved)
_CALL: tuple[_Type, ...] = (
    *(e.ToolReturned, e.ToolFailed, e.CallAnswered, e.CallRefused),
    *(e.CallHeld, e.CallQueued, e.ApprovalUnclear, e.CallApproved),
)

SUBJECTS: dict[type, _Find] = {
    **dict.fromkeys((e.UserSaid, e.UserChose, e.Understood, e.UnderstandingFailed), _by(("message", ""))),
    **dict.fromkeys((e.ModelReplied, e.ModelFailed), _by(("model", ""))),
    **dict.fromkeys(_PERSON, _by(("person", ""))),
    **dict.fromkeys((e.Ended, e.Failed), _by(("end", ""))),
    **dict.fromkeys(_FIELD, _by(("field", "field"))),
    **dict.fromkeys(_ITEM, _item),
    **dict.fromkeys((e.CommandApplied, e.CommandRefused), _by(("field", "field"), ("message", ""))),
    **dict.fromkeys(_CALL, _by(("call", "call"), ("tool", "tool"))),
    **dict.fromkeys((e.MovePlanned, e.Moved), _by(("transition", "transition"), ("node", "target"))),
    **dict.fromkeys((e.Started, e.WorkDone), _by(("node", "node"))),
    e.OverlayForced: _by(("overlay", "name")),
    e.CallSettled: _by(("tool", "tool"), ("model", "")),
    e.BudgetReached: _by(("limit", "measure")),
    e.BudgetAnswered: _by(("model", "")),
    e.OverlaysChanged: lambda event, _machine: [("overlay", name) for name in event.active],
    e.ToolUsed: _by(("tool", "tool")),
    **dict.fromkeys((e.EventReceived, e.EventHeld, e.EventResumed), _by(("event", "name"))),
    e.TimerFired: _by(("transition", "timer")),
    **dict.fromkeys((e.ScheduleDue, e.ScheduleFired), _by(("schedule", "schedule"))),
    e.FormClosed: _by(("form", "node")),
    e.QuestionsFixed: _by(("form", "node")),
    e.TurnEnded: _by(("conversation", "")),
    e.Decided: _decided,
    e.FormChanged: _form_changed,
    e.Said: _said,
    e.EffectAsked: _effect,
    e.EventRefused: _refused,
    **dict.fromkeys((e.ScopeOpened, e.ScopeClosed, e.Offered, e.OfferClosed), _by(("node", "scope"))),
}
"""The functions that yield the subjects of an event, the nearest first, by class; other events are about their turn."""
