"""Entries of the journal as rows: the kind, one line about it, and the event without secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from turnwise.core.state import effects as f
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, name_of
from turnwise.core.state.retention import erasure_text
from turnwise.server.views.event_subjects import event_subject
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.trace import EventRow

LONGEST = 160
"""How many characters a line has at most."""


def event_row(entry: e.Entry, redaction: Redaction) -> EventRow:
    """Return an entry as a row."""
    event = entry.event
    line = LINES[type(event)](event, redaction, entry.seq)
    return EventRow(
        entry.seq,
        entry.turn,
        entry.at_ms,
        str(event.__struct_config__.tag),
        _in_short(line),
        str(event_subject(entry, redaction.machine)),
        redaction.event(entry),
        isinstance(event, e.Erased),
    )


def _in_short(line: str) -> str:
    """Return a text as one line that is not too long."""
    line = " ".join(line.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


Line = Callable[[Any, Redaction, int], str]
"""Writes the line about an event."""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _value(event: e.FieldSet, redaction: Redaction, _: int) -> str:
    return f"{event.field} = {_json(redaction.value(event.field, event.value))} ({event.how})"


def _item_added(event: e.ItemAdded, redaction: Redaction, _: int) -> str:
    copied = f", a copy of {event.copy_of}" if event.copy_of else ""
    return f"{event.field}[{event.id}] = {_json(redaction.value(event.field, event.values))}{copied} ({event.how})"


def _item_changed(event: e.ItemChanged, redaction: Redaction, _: int) -> str:
    value = _json(redaction.value(event.field, event.value))
    return f"{event.field}[{event.id}].{event.name} = {value} ({event.how})"


def _command(command: AnyCommand, redaction: Redaction) -> str:
    field = str(getattr(command, "field", ""))
    value = getattr(command, "value", getattr(command, "item", None))
    given = f" = {_json(redaction.value(field, value))}" if value is not None else ""
    return f"{name_of(command)} {field}".rstrip() + given


def _commands(event: e.Commands | e.Understood, redaction: Redaction, _: int) -> str:
    found = "; ".join(_command(command, redaction) for command in event.commands) or "nothing"
    if not isinstance(event, e.Understood):
        return found
    left = [f"{one.field} = {_json(redaction.value(one.field, one.value))} ({one.reason})" for one in event.dropped]
    return f"{found} (by {event.by})" + (f"; left out: {', '.join(left)}" if left else "")


def _effect(event: e.EffectAsked, redaction: Redaction, _: int) -> str:
    match event.effect:
        case f.Understand(field=field):
            return f"understand the message for {field}" if field else "understand the message"
        case f.CallModel(purpose=purpose, about=about):
            return f"call the model: {purpose}" + (f", {redaction.text(about)}" if about else "")
        case f.RunTool(tool=tool):
            return f"run {tool}"
        case f.RecallWords():
            return "read words from the journal"
        case f.RecallState(turn=turn):
            return f"read the state of turn {turn}"


def _tokens(event: e.ModelReplied, redaction: Redaction, _: int) -> str:
    calls = ", ".join(call.tool for call in event.calls)
    tokens = f"{event.tokens_in} + {event.tokens_out} tokens" if event.tokens_in or event.tokens_out else ""
    said = redaction.text(event.text)
    return "; ".join(part for part in (event.model, tokens, f"calls {calls}" if calls else "", said) if part)


def _decided(event: e.Decided, redaction: Redaction, _: int) -> str:
    machine, moment = redaction.machine, event.moment
    head = f"{event.node} at {moment}"
    if event.node not in machine.nodes or event.taken < 0:
        return f"{head}: stayed, {len(event.outcomes)} judged"
    candidate = machine.candidates(event.node, moment).all[event.taken]  # type: ignore[arg-type]
    return f"{head}: {candidate.id}" + (f" → {candidate.target}" if candidate.target else "")


def _refused(event: e.CommandRefused, redaction: Redaction, _: int) -> str:
    return f"{event.command} {event.field}".rstrip() + f" refused: {event.reason}. {redaction.text(event.text)}"


def _with(head: str, rest: str) -> str:
    return ": ".join(part for part in (head, rest) if part)


def _given_back(event: e.GivenBack, redaction: Redaction) -> str:
    outcome = f"outcome {event.outcome}" if event.outcome else ""
    set_ = f"set {', '.join(event.set)}" if event.set else ""
    way = f"by {event.transition}" if event.transition else f"ended: {event.end}" if event.end else ""
    parts = (event.operator, outcome, set_, way, redaction.text(event.reason))
    return "; ".join(part for part in parts if part)


def _give_back_refused(event: e.GiveBackRefused, redaction: Redaction, _: int) -> str:
    values = [f"{name} = {_json(redaction.value(name, value))}" for name, value in event.set.items()]
    return f"{event.operator}: {', '.join(values)} refused"


def _event_refused(event: e.EventRefused, redaction: Redaction, _: int) -> str:
    what = " ".join(part for part in (event.kind.replace("_", " "), redaction.text(event.name), event.operator) if part)
    return f"{what} refused: {event.code}. {redaction.text(event.text)}".rstrip()


def _overlay_forced(event: e.OverlayForced, _: Redaction, __: int) -> str:
    how = "by its dates" if event.on is None else "on" if event.on else "off"
    parts = (f"{event.name} {how}", "for all conversations" if event.for_all else "", event.by and f"by {event.by}")
    return ", ".join(part for part in parts if part)


def _schedule_fired(event: e.ScheduleFired, redaction: Redaction, _: int) -> str:
    what = " ".join(part for part in (event.did.replace("_", " "), event.scope) if part)
    why = " ".join(part for part in (event.reason.replace("_", " "), redaction.text(event.text)) if part)
    return f"{event.schedule}: {_with(what, why)}"


def _event_received(event: e.EventReceived, redaction: Redaction, _: int) -> str:
    data = redaction.data(redaction.event_data(event.name, event.data))
    return _with(event.name, _json(data) if data else "")


LINES: dict[type, Line] = {
    e.Started: lambda event, _, __: f"{event.flow} version {event.version}, in {event.node}",
    e.UserSaid: lambda event, redaction, seq: redaction.message(seq, event.text),
    e.UserChose: lambda event, redaction, seq: redaction.message(seq, event.value),
    e.Commands: _commands,
    e.ToolUsed: lambda event, _, __: f"{event.tool}, by the host",
    e.TimerFired: lambda event, _, __: event.timer,
    e.ScheduleDue: lambda event, _, __: _with(event.schedule, f"fired by {event.by}" if event.by else ""),
    e.ScheduleFired: _schedule_fired,
    e.TimeZoneChanged: lambda event, _, __: event.time_zone,
    e.EventReceived: _event_received,
    e.EventHeld: lambda event, _, __: f"{event.name}, until {event.inside or 'the person'} is done",
    e.EventResumed: lambda event, _, __: event.name,
    e.UndoAsked: lambda event, _, __: f"back to turn {event.to}" if event.to is not None else "the last turn",
    e.Understood: _commands,
    e.UnderstandingFailed: lambda event, redaction, _: redaction.text(event.reason),
    e.ModelReplied: _tokens,
    e.ModelFailed: lambda event, redaction, _: redaction.text(event.reason),
    e.ToolReturned: lambda event, _, __: f"{event.tool} after {event.ms} ms",
    e.ToolFailed: lambda event, redaction, _: f"{event.tool}: {redaction.text(event.reason)}",
    e.StateRecalled: lambda event, _, __: f"the state of turn {event.turn}",
    e.FieldSet: _value,
    e.ItemAdded: _item_added,
    e.ItemChanged: _item_changed,
    e.ItemRemoved: lambda event, _, __: f"{event.field}[{event.id}] ({event.how})",
    e.ItemMoved: lambda event, _, __: f"{event.field}[{event.id}] to position {event.to + 1} ({event.how})",
    e.FieldCleared: lambda event, _, __: f"{event.field} ({event.how})",
    e.NothingSet: lambda event, _, __: event.text,
    e.FieldShelved: lambda event, _, __: event.field,
    e.FieldRevived: lambda event, _, __: event.field,
    e.LanguageChanged: lambda event, _, __: event.language,
    e.OverlaysChanged: lambda event, _, __: ", ".join(event.active) or "none is active",
    e.OverlayForced: _overlay_forced,
    e.CallSettled: lambda event, _, __: _with(event.tool or event.model or "the model", f"{event.used.tokens} tokens"),
    e.BudgetReached: lambda event, _, __: _with(event.budget, event.then),
    e.BudgetAnswered: lambda event, _, __: _with(event.budget, "goes on" if event.granted else "stops"),
    e.CommandApplied: lambda event, _, __: f"{event.command} {event.field}".rstrip(),
    e.CommandRefused: _refused,
    e.Missed: lambda event, _, __: event.field,
    e.Decided: _decided,
    e.MovePlanned: lambda event, _, __: f"{event.transition} → {event.target}, with the next message",
    e.MovePutOff: lambda event, _, __: (
        f"{event.transition} → {event.target}, after all calls of {event.tool}" if event.transition else ""
    ),
    e.JudgingPlanned: lambda event, _, __: (
        "calls, when all calls of the reply are done" if event.reply else f"{event.moment}, when the person gives back"
    ),
    e.Moved: lambda event, redaction, _: _with(
        f"{event.source} → {event.target} by {event.transition}", redaction.text(event.note)
    ),
    e.QuestionsFixed: lambda event, _, __: f"{len(event.questions)} questions of {event.source} for {event.field}",
    e.OptionsFixed: lambda event, _, __: f"{len(event.options)} options of {event.source} for {event.field}",
    e.FormChanged: lambda event, _, __: f"{event.run.status}" + (f", asks {event.run.asked}" * bool(event.run.asked)),
    e.FormClosed: lambda event, _, __: f"{event.node}: {event.status}",
    e.Said: lambda event, redaction, _: f"{event.kind}: {redaction.text(event.text)}",
    e.CallAnswered: lambda event, _, __: event.tool,
    e.CallRefused: lambda event, redaction, _: f"{event.tool} refused: {event.reason}. {redaction.text(event.text)}",
    e.CallHeld: lambda event, _, __: f"{event.tool} waits for approval by the {event.approver}",
    e.ApprovalUnclear: lambda event, _, __: f"neither yes nor no to {event.tool}",
    e.CallQueued: lambda event, _, __: f"{event.tool} waits for an earlier call",
    e.CallApproved: lambda event, _, __: _with(f"{event.tool} approved", event.by),
    e.CallsDecided: lambda event, _, __: _with(f"{len(event.decisions)} calls", event.by),
    e.SequenceAdvanced: lambda event, _, __: f"{event.to} positions passed",
    e.WorkDone: lambda event, _, __: event.node,
    e.ArtefactMade: lambda event, _, __: event.kind,
    e.EffectAsked: _effect,
    e.Faulted: lambda event, redaction, _: f"{event.fault.kind}: {redaction.text(event.fault.message)}",
    e.Warned: lambda event, redaction, _: f"{event.code}: {redaction.text(event.message)}",
    e.Undone: lambda event, _, __: f"back to turn {event.to}",
    e.Ended: lambda event, _, __: event.outcome,
    e.Failed: lambda event, redaction, _: f"{event.reason} {redaction.text(event.message)}".rstrip(),
    e.TurnEnded: lambda event, _, __: f"waits for {event.waits_for}" if event.waits_for else "",
    e.CallerLeft: lambda event, _, __: ", ".join(map(str, event.turns)),
    e.Continued: lambda _, __, ___: "the flow goes on by itself",
    e.TakenOver: lambda event, redaction, _: _with(
        f"{event.operator} instead of {event.instead_of}" if event.instead_of else event.operator,
        redaction.text(event.reason),
    ),
    e.OperatorSaid: lambda event, redaction, _: _with(event.operator, redaction.text(event.text)),
    e.GiveBackRefused: _give_back_refused,
    e.EventRefused: _event_refused,
    e.GivenBack: lambda event, redaction, _: _given_back(event, redaction),
    e.ScopeOpened: lambda event, redaction, _: _with(event.scope, redaction.text(event.note)),
    e.ScopeClosed: lambda event, redaction, _: _with(f"{event.scope}: {event.outcome}", redaction.text(event.summary)),
    e.Offered: lambda event, redaction, _: _with(event.scope, redaction.text(event.opener)),
    e.OfferClosed: lambda event, _, __: _with(f"{event.scope}: {event.outcome}", event.because),
    e.PersonAwaited: lambda event, redaction, _: _with(f"queue {event.queue}", redaction.text(event.about)),
    e.NobodyCame: lambda event, _, __: f"queue {event.queue}",
    e.WordsRecalled: lambda event, _, __: f"{len(event.words)} pieces of text",
    e.WordsHidden: lambda event, _, __: f"words of the message at {event.place[0]}",
    e.TurnRestarted: lambda _, __, ___: "the turn goes on where it was cut off",
    e.Snapshot: lambda _, __, ___: "the state at this position",
    e.Forked: lambda event, _, __: f"from {event.source}, turn {event.turn}",
    e.Migrated: lambda event, _, __: f"to {event.fingerprint}",
    e.Erased: lambda event, _, __: f"{event.kind}, erased by retention{erasure_text(event.by)}",
}
"""What makes the line about each event."""
