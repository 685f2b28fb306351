"""Entries of the journal as rows: the kind, one line about it, and the event without secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.archive.answer_titles import stored_value
from turnwise.core.explain.warning_words import warning_in_words
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import effects as f
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, Change, Dropped, Set, name_of
from turnwise.flow.late_pattern import late_pattern
from turnwise.server.views.event_subjects import event_subject
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.trace import EventRow

LONGEST_LINE = 160
"""How many characters a line has at most."""


_MARKS = late_pattern(r"\*\*|__|`+|(?m:^\s{0,3}(?:#{1,6}|[-*+]|\d+\.)\s+)|(?<=\])\([^)\s]*\)")
"""Marks of Markdown: emphasis, code, headings, items of lists, and the addresses of links."""


def without_markdown(text: str) -> str:
    """Return a text as people read it, in one line and without Markdown's marks."""
    return " ".join(_MARKS.sub("", text).split())


def event_row(entry: e.Entry, redaction: Redaction) -> EventRow:
    """Return a journal entry as a row of the event list, without secrets."""
    event = entry.event
    line = LINES[type(event)](event, redaction, entry.seq)
    return EventRow(
        entry.seq,
        entry.turn,
        entry.at_ms,
        str(event.__struct_config__.tag),
        _in_short(str(line)),
        str(event_subject(entry, redaction.machine)),
        redaction.event(entry),
        isinstance(event, e.Erased),
        {language: _in_short(writer.text(line)) for language, writer in redaction.writers.items()},
    )


def _in_short(line: str) -> str:
    """Return a text as one line that is not too long."""
    line = " ".join(line.split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"


Line = Callable[[Any, Redaction, int], str]
"""A function that returns the line about an event."""


def _value(event: e.FieldSet, redaction: Redaction, _: int) -> str:
    value = stored_value(redaction.value(event.field, event.value))
    return phrase("{field} = {value} ({how})", field=event.field, value=value, how=event.how)


def _item_added(event: e.ItemAdded, redaction: Redaction, _: int) -> str:
    item, values = f"{event.field}[{event.id}]", stored_value(redaction.value(event.field, event.values))
    text = "{item} = {values}[, a copy of {copied}] ({how})"
    return phrase(text, item=item, values=values, copied=event.copy_of, how=event.how)


def _item_changed(event: e.ItemChanged, redaction: Redaction, _: int) -> str:
    value = stored_value(redaction.value(event.field, event.value))
    return phrase(
        "{item} = {value} ({how})", item=f"{event.field}[{event.id}].{event.name}", value=value, how=event.how
    )


def command_line(command: AnyCommand, redaction: Redaction) -> str:
    """Return a command in words: `set user.age = 45`, `remove order.pizzas[i2]`."""
    field, ref = str(getattr(command, "field", "")), getattr(command, "item", None)
    value = command.value if isinstance(command, Set | Change) else ref
    if isinstance(ref, str) and field in redaction.machine.item_lists:
        part = f".{command.name}" if isinstance(command, Change) else ""
        given = stored_value(redaction.value(field, value)) if part else ""
        return phrase(
            "{command} {item}[ = {given}]", command=name_of(command), item=f"{field}[{ref}]{part}", given=given
        )
    given = stored_value(redaction.value(field, value)) if value is not None else ""
    return phrase("{command}[ {field}][ = {given}]", command=name_of(command), field=field, given=given)


def _commands(event: e.Commands | e.Understood, redaction: Redaction, _: int) -> str:
    found = joined([command_line(command, redaction) for command in event.commands], "; ") or Phrase("nothing")
    if not isinstance(event, e.Understood):
        return found
    left = [_left_out(one, redaction) for one in event.dropped]
    by = Phrase(event.by)
    return phrase("{commands} (by {by})[; left out: {left}]", commands=found, by=by, left=joined(left, ", "))


def _left_out(one: Dropped, redaction: Redaction) -> str:
    value = stored_value(redaction.value(one.field, one.value))
    return phrase("{field} = {value} ({dropped})", field=one.field, value=value, dropped=one.reason)


def _effect(event: e.EffectAsked, redaction: Redaction, _: int) -> str:
    match event.effect:
        case f.Understand(field=field):
            return phrase("understand the message[ for {field}]", field=field)
        case f.CallModel(purpose=purpose, about=about):
            return phrase("call the model: {purpose}[, {about}]", purpose=purpose, about=redaction.text(about))
        case f.RunTool(tool=tool):
            return phrase("run {tool}", tool=tool)
        case f.RecallWords():
            return Phrase("read words from the journal")
        case f.RecallState(turn=turn):
            return phrase("read the state of turn {turn}", turn=turn)


def _tokens(event: e.ModelReplied, redaction: Redaction, _: int) -> str:
    calls = ", ".join(call.tool for call in event.calls)
    tokens = f"{event.tokens_in} + {event.tokens_out}" if event.tokens_in or event.tokens_out else ""
    parts = (event.model, _part("{tokens} tokens", tokens=tokens), _part("calls {calls}", calls=calls))
    return joined(filter(None, (*parts, redaction.text(event.text))), "; ")


def _decided(event: e.Decided, redaction: Redaction, _: int) -> str:
    machine, moment = redaction.machine, event.moment
    at = {"node": event.node, "moment": moment}
    if event.node not in machine.nodes or event.taken < 0:
        return phrase("{node}, {moment}: stayed, {count} judged", **at, count=len(event.outcomes))
    candidate = machine.candidates(event.node, moment).all[event.taken]  # type: ignore[arg-type]
    text = "{node}, {moment}: {transition}[ → {target}]"
    return phrase(text, **at, transition=candidate.id, target=candidate.target)


def _refused(event: e.CommandRefused, redaction: Redaction, _: int) -> str:
    values = {"command": event.command, "field": event.field, "code": event.reason, "said": redaction.text(event.text)}
    return phrase("{command}[ {field}] refused: {code}. {said}", **values)


def _with(head: str, rest: str) -> str:
    return joined(filter(None, (head, rest)), ": ")


def _part(text: str, **values: Any) -> str:
    """Return a part of a line; empty without its values."""
    return phrase(text, **values) if all(values.values()) else ""


def _given_back(event: e.GivenBack, redaction: Redaction) -> str:
    parts = (
        event.operator,
        _part("outcome {outcome}", outcome=event.outcome),
        _part("set {fields}", fields=joined(event.set, ", ")),
        _part("by {transition}", transition=event.transition),
        _part("ended: {outcome}", outcome=event.end if not event.transition else ""),
        redaction.text(event.reason),
    )
    return joined(filter(None, parts), "; ")


def _give_back_refused(event: e.GiveBackRefused, redaction: Redaction, _: int) -> str:
    values = [f"{name} = {stored_value(redaction.value(name, value))}" for name, value in event.set.items()]
    return phrase("{operator}: {values} refused", operator=event.operator, values=", ".join(values))


def _event_refused(event: e.EventRefused, redaction: Redaction, _: int) -> str:
    name, said = redaction.text(event.name), redaction.text(event.text)
    text = "{event}[ {name}][ {operator}] refused: {code}.[ {said}]"
    return phrase(
        text, event=Phrase(event.kind.replace("_", " ")), name=name, operator=event.operator, code=event.code, said=said
    )


def _overlay_forced(event: e.OverlayForced, _: Redaction, __: int) -> str:
    how = Phrase("by its dates") if event.on is None else Phrase("on") if event.on else Phrase("off")
    where = Phrase("for all conversations") if event.for_all else ""
    return phrase("{overlay} {how}[, {where}][, by {by}]", overlay=event.name, how=how, where=where, by=event.by)


def _schedule_fired(event: e.ScheduleFired, redaction: Redaction, _: int) -> str:
    did, reason = Phrase(event.did.replace("_", " ")), event.reason.replace("_", " ")
    text = "{schedule}: {did}[ {scope}][: {reason}]"
    why = " ".join(filter(None, (reason, redaction.text(event.text))))
    return phrase(text, schedule=event.schedule, did=did, scope=event.scope, reason=why)


def _event_received(event: e.EventReceived, redaction: Redaction, _: int) -> str:
    data = redaction.data(redaction.event_data(event.name, event.data))
    return _with(event.name, stored_value(data) if data else "")


LINES: dict[type, Line] = {
    e.Started: lambda event, _, __: phrase(
        "{flow} version {version}, in {node}", flow=event.flow, version=event.version, node=event.node
    ),
    e.UserSaid: lambda event, redaction, seq: redaction.message(seq, event.text),
    e.UserChose: lambda event, redaction, seq: redaction.message(seq, event.value),
    e.Commands: _commands,
    e.ToolUsed: lambda event, _, __: phrase("{tool}, by the host", tool=event.tool),
    e.TimerFired: lambda event, _, __: event.timer,
    e.ScheduleDue: lambda event, _, __: _with(
        event.schedule, phrase("fired by {by}", by=Phrase(event.by)) if event.by else ""
    ),
    e.ScheduleFired: _schedule_fired,
    e.TimeZoneChanged: lambda event, _, __: event.time_zone,
    e.EventReceived: _event_received,
    e.EventHeld: lambda event, _, __: phrase(
        "{event}, until {scope} is done", event=event.name, scope=event.inside or Phrase("the person")
    ),
    e.EventResumed: lambda event, _, __: event.name,
    e.UndoAsked: lambda event, _, __: (
        phrase("back to turn {to}", to=event.to) if event.to is not None else Phrase("the last turn")
    ),
    e.Understood: _commands,
    e.UnderstandingFailed: lambda event, redaction, _: redaction.text(event.reason),
    e.ModelReplied: _tokens,
    e.ModelFailed: lambda event, redaction, _: redaction.text(event.reason),
    e.ToolReturned: lambda event, _, __: phrase("{tool} after {ms} ms", tool=event.tool, ms=event.ms),
    e.ToolFailed: lambda event, redaction, _: phrase(
        "{tool}: {text}", tool=event.tool, text=redaction.text(event.reason)
    ),
    e.StateRecalled: lambda event, _, __: phrase("the state of turn {turn}", turn=event.turn),
    e.FieldSet: _value,
    e.ItemAdded: _item_added,
    e.ItemChanged: _item_changed,
    e.ItemRemoved: lambda event, _, __: phrase("{item} ({how})", item=f"{event.field}[{event.id}]", how=event.how),
    e.ItemMoved: lambda event, _, __: phrase(
        "{item} to position {to} ({how})", item=f"{event.field}[{event.id}]", to=event.to + 1, how=event.how
    ),
    e.FieldCleared: lambda event, _, __: phrase("{field} ({how})", field=event.field, how=event.how),
    e.NothingSet: lambda event, _, __: event.text,
    e.FieldShelved: lambda event, _, __: phrase("{field}", field=event.field),
    e.FieldRevived: lambda event, _, __: phrase("{field}", field=event.field),
    e.LanguageChanged: lambda event, _, __: event.language,
    e.OverlaysChanged: lambda event, _, __: ", ".join(event.active) or Phrase("none is active"),
    e.OverlayForced: _overlay_forced,
    e.CallSettled: lambda event, _, __: _with(
        event.tool or event.model or Phrase("the model"), phrase("{tokens} tokens", tokens=event.used.tokens)
    ),
    e.BudgetReached: lambda event, _, __: _with(event.budget, event.then),
    e.BudgetAnswered: lambda event, _, __: _with(event.budget, Phrase("goes on") if event.granted else Phrase("stops")),
    e.CommandApplied: lambda event, _, __: phrase("{command}[ {field}]", command=event.command, field=event.field),
    e.CommandRefused: _refused,
    e.Missed: lambda event, _, __: phrase("{field}", field=event.field),
    e.Decided: _decided,
    e.MovePlanned: lambda event, _, __: phrase(
        "{transition} → {target}, with the next message", transition=event.transition, target=event.target
    ),
    e.MovePutOff: lambda event, _, __: (
        phrase(
            "{transition} → {target}, after all calls of {tool}",
            transition=event.transition,
            target=event.target,
            tool=event.tool,
        )
        if event.transition
        else ""
    ),
    e.JudgingPlanned: lambda event, _, __: (
        Phrase("calls, when all calls of the reply are done")
        if event.reply
        else phrase("{moment}, when the person gives back", moment=event.moment)
    ),
    e.Moved: lambda event, redaction, _: _with(
        phrase(
            "{node} → {target} by {transition}", node=event.source, target=event.target, transition=event.transition
        ),
        redaction.text(event.note),
    ),
    e.QuestionsFixed: lambda event, _, __: phrase(
        "{count} questions of {source} for {field}",
        count=len(event.questions),
        source=event.source,
        field=event.field,
    ),
    e.OptionsFixed: lambda event, _, __: phrase(
        "{count} options of {source} for {field}", count=len(event.options), source=event.source, field=event.field
    ),
    e.FormChanged: lambda event, _, __: phrase(
        "{status}[, asks {field}]", status=event.run.status, field=event.run.asked
    ),
    e.FormClosed: lambda event, _, __: phrase("{node}: {status}", node=event.node, status=event.status),
    e.Said: lambda event, redaction, _: phrase(
        "{reply}: {text}", reply=event.kind, text=without_markdown(redaction.text(event.text))
    ),
    e.CallAnswered: lambda event, _, __: phrase("{tool}", tool=event.tool),
    e.CallRefused: lambda event, redaction, _: phrase(
        "{tool} refused: {code}. {text}", tool=event.tool, code=event.reason, text=redaction.text(event.text)
    ),
    e.CallHeld: lambda event, _, __: phrase(
        "{tool} waits for approval by the {approver}", tool=event.tool, approver=event.approver
    ),
    e.ApprovalUnclear: lambda event, _, __: phrase("neither yes nor no to {tool}", tool=event.tool),
    e.CallQueued: lambda event, _, __: phrase("{tool} waits for an earlier call", tool=event.tool),
    e.CallApproved: lambda event, _, __: _with(phrase("{tool} approved", tool=event.tool), event.by),
    e.CallsDecided: lambda event, _, __: _with(phrase("{count} calls", count=len(event.decisions)), event.by),
    e.SequenceAdvanced: lambda event, _, __: phrase("{to} positions passed", to=event.to),
    e.WorkDone: lambda event, _, __: phrase("{node}", node=event.node),
    e.ArtefactMade: lambda event, _, __: phrase("{artefact}", artefact=event.kind),
    e.EffectAsked: _effect,
    e.Faulted: lambda event, redaction, _: phrase(
        "{fault}: {text}", fault=event.fault.kind, text=redaction.text(event.fault.message)
    ),
    e.Warned: lambda event, redaction, _: phrase(
        "{code}: {warning}", code=event.code, warning=warning_in_words(redaction.text(event.message))
    ),
    e.Undone: lambda event, _, __: phrase("back to turn {to}", to=event.to),
    e.Ended: lambda event, _, __: event.outcome,
    e.Failed: lambda event, redaction, _: phrase(
        "{code}[ {text}]", code=event.reason, text=redaction.text(event.message)
    ),
    e.TurnEnded: lambda event, _, __: (
        phrase("waits for {waits_for}", waits_for=event.waits_for) if event.waits_for else ""
    ),
    e.CallerLeft: lambda event, _, __: ", ".join(map(str, event.turns)),
    e.Continued: lambda _, __, ___: Phrase("the flow goes on by itself"),
    e.TakenOver: lambda event, redaction, _: _with(
        phrase("{operator} instead of {other}", operator=event.operator, other=event.instead_of)
        if event.instead_of
        else event.operator,
        redaction.text(event.reason),
    ),
    e.OperatorSaid: lambda event, redaction, _: _with(event.operator, redaction.text(event.text)),
    e.GiveBackRefused: _give_back_refused,
    e.EventRefused: _event_refused,
    e.GivenBack: lambda event, redaction, _: _given_back(event, redaction),
    e.ScopeOpened: lambda event, redaction, _: _with(phrase("{scope}", scope=event.scope), redaction.text(event.note)),
    e.ScopeClosed: lambda event, redaction, _: _with(
        phrase("{scope}: {outcome}", scope=event.scope, outcome=event.outcome), redaction.text(event.summary)
    ),
    e.Offered: lambda event, redaction, _: _with(phrase("{scope}", scope=event.scope), redaction.text(event.opener)),
    e.OfferClosed: lambda event, _, __: _with(
        phrase("{scope}: {outcome}", scope=event.scope, outcome=event.outcome), event.because
    ),
    e.PersonAwaited: lambda event, redaction, _: _with(
        phrase("queue {queue}", queue=event.queue), redaction.text(event.about)
    ),
    e.NobodyCame: lambda event, _, __: phrase("queue {queue}", queue=event.queue),
    e.WordsRecalled: lambda event, _, __: phrase("{count} pieces of text", count=len(event.words)),
    e.WordsHidden: lambda event, _, __: phrase("words of the message at {place}", place=event.place[0]),
    e.TurnRestarted: lambda _, __, ___: Phrase("the turn goes on where it was cut off"),
    e.Snapshot: lambda _, __, ___: Phrase("the state at this position"),
    e.Forked: lambda event, _, __: phrase("from {source}, turn {turn}", source=event.source, turn=event.turn),
    e.Migrated: lambda event, _, __: phrase("to {fingerprint}", fingerprint=event.fingerprint),
    e.Erased: lambda event, _, __: phrase(
        "{kind}, erased by retention[ on {on}, which keeps events for {kept}]",
        kind=event.kind,
        on=event.by.day if event.by is not None else "",
        kept=event.by.duration if event.by is not None else "",
    ),
}
"""The functions that write the line about an event, by class of event."""
