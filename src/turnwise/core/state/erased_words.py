"""Erases the words inside a closed scope (law 6.4): each entry keeps its kind and its position, without the texts in
it.

What remains still leads to the same state behind the scope, for the scope takes its frame and its values with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.state import FieldValue, FormRun, Frame, Proposal, State
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, Copy, ItemCommand, Start
from turnwise.core.state.effects import AnyEffect, Call, CallModel, RunTool
from turnwise.core.state.items import ID, is_id
from turnwise.core.state.kinds import ERASED
from turnwise.core.state.performed import KeptEffect
from turnwise.core.state.retention import DAY_MS, trimmed


def without_words(entries: Sequence[e.Entry], frame: int, by: e.Erasure) -> tuple[e.Entry, ...]:
    """Return the changed entries, as they are stored once the words of the scope `frame` (its id) are erased. `entries`
    begin at the opening of the scope or before, and end with the entry that closed it or took back its opening.
    """
    last = entries[-1]
    name, closed = next((name, one) for name, one in _closings(last.event) if one.frame == frame)
    frames = _frames(entries, frame, name)
    eraser = _Eraser(tuple([f"{one}/" for one in frames.values()]), frozenset(frames), by)
    changed = [eraser.without(entry) for entry in entries if entry.seq > frame]
    chars = _mean([len(text) for one in entries if one.frame == frame and (text := _said(one.event))])
    changed[-1] = _marked(changed[-1], replace(closed, by=by, mean_chars=chars))
    opening = next((one for one in entries if one.seq == frame), None)
    if opening is not None and isinstance(opening.event, e.ScopeOpened):
        changed.append(replace(opening, event=replace(opening.event, erased=by)))
    known = {entry.seq: entry for entry in entries}
    return tuple([entry for entry in changed if entry != known[entry.seq]])


def _closings(event: e.AnyEvent) -> tuple[tuple[str, e.KeptWords], ...]:
    """Return the scopes that an event closed whose words are kept for a time, each by name."""
    match event:
        case e.ScopeClosed(scope=scope, keep=keep) if keep is not None:
            return ((scope, keep),)
        case e.Undone(closed=closed):
            return tuple([(one.scope, one) for one in closed])
        case _:
            return ()


def _marked(entry: e.Entry, erased: e.KeptWords) -> e.Entry:
    """Return an entry that closed a scope, which says that the words of the scope were erased."""
    event = entry.event
    if isinstance(event, e.Undone):
        closed = tuple([erased if one.frame == erased.frame else one for one in event.closed])
        return replace(entry, event=replace(event, closed=closed))
    assert isinstance(event, e.ScopeClosed)
    return replace(entry, event=replace(event, keep=erased))


CLOSING_EVENTS = frozenset({e.ScopeClosed, e.Undone})
"""The events that may close a scope."""


def words_due(entry: e.Entry) -> tuple[tuple[int, int], ...]:
    """Return the scopes that an entry closed and whose words are to be erased: frame id, and time in ms since 1970."""
    if type(entry.event) not in CLOSING_EVENTS:
        return ()
    return tuple([(keep.frame, entry.at_ms + keep.ms) for _, keep in _closings(entry.event) if keep.by is None])


def erasure_of_words(entry: e.Entry, frame: int, now_ms: int) -> e.Erasure:
    """Return the record of the erasure, made now, of the words of the closed scope with the id `frame`."""
    ms = next((keep.ms for _, keep in _closings(entry.event) if keep.frame == frame), 0)
    return e.Erasure(now_ms, round(ms / DAY_MS, 3))


def _said(event: e.AnyEvent) -> str:
    """Return what an event adds to a transcript; empty for most."""
    match event:
        case e.UserSaid(text=text) | e.Said(text=text) | e.UserChose(value=text) | e.OperatorSaid(text=text):
            return text
        case e.ToolReturned(result=result, call=call) if call:
            return encode(result).decode()
        case _:
            return ""


def _mean(lengths: Sequence[int]) -> int:
    return sum(lengths) // len(lengths) if lengths else 0


def _frames(entries: Iterable[e.Entry], frame: int, name: str) -> dict[int, str]:
    """Return a frame with the name of its scope, and those that were opened inside it, also of scopes outside,
    which users may begin anywhere.
    """
    found = {frame: name}
    for entry in entries:
        if isinstance(entry.event, e.ScopeOpened) and entry.frame in found:
            found[entry.seq] = entry.event.scope
    return found


class _Eraser:
    """Erases what was said in some frames, and the values below some addresses."""

    def __init__(self, prefixes: tuple[str, ...], frames: frozenset[int], by: e.Erasure) -> None:
        self.prefixes = prefixes
        self.frames = frames
        self.by = by

    def without(self, entry: e.Entry) -> e.Entry:
        """Return an entry without words; the same one where it has none of the scope."""
        event = entry.event
        if isinstance(event, e.Undone | e.Snapshot | e.Migrated | e.StateRecalled) and event.state is not None:
            event = replace(event, state=self.state(event.state))
            if isinstance(event, e.StateRecalled):
                event = replace(event, effects=self._effects(event.effects))
                if event.state is not None and event.state.frame.id in self.frames:
                    event = replace(event, said=_text(event.said))
            return replace(entry, event=event)
        if isinstance(event, e.Decided):
            return trimmed(entry, self.by)
        if entry.frame not in self.frames:
            return entry
        if isinstance(event, e.FieldSet):
            is_inner = event.field.startswith(self.prefixes)
            return replace(entry, event=replace(event, value=_erased_value(event.value))) if is_inner else entry
        if isinstance(event, e.ItemAdded | e.ItemChanged):
            return replace(entry, event=_item(event)) if event.field.startswith(self.prefixes) else entry
        if isinstance(event, e.OptionsFixed):
            return replace(entry, event=replace(event, options=())) if event.field.startswith(self.prefixes) else entry
        erase = _EVENTS.get(type(event))
        return entry if erase is None else replace(entry, event=erase(event))

    def state(self, state: State) -> State:
        """Return a state without the values of the scope."""
        return replace(
            state,
            values=self._values(state.values),
            shelved=self._values(state.shelved),
            kept_effects=self._effects(state.kept_effects),
            frame=self._frame(state.frame),
            outer=tuple([self._frame(frame) for frame in state.outer]),
            offers=tuple([self._offer(one) for one in state.offers]),
            option_lists={k: one for k, one in state.option_lists.items() if not k.startswith(self.prefixes)} or None
            if state.option_lists is not None
            else None,
        )

    def _values(self, values: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
        return {
            name: replace(found, value=_erased_value(found.value)) if name.startswith(self.prefixes) else found
            for name, found in values.items()
        }

    def _effects(self, kept: tuple[KeptEffect, ...]) -> tuple[KeptEffect, ...]:
        return tuple([replace(one, result="") if one.frame in self.frames else one for one in kept])

    def _offer(self, offer: Proposal) -> Proposal:
        is_inner = offer.frame in self.frames
        return replace(offer, opener=_text(offer.opener), given=_blank(offer.given)) if is_inner else offer

    def _frame(self, frame: Frame) -> Frame:
        if frame.id not in self.frames:
            return frame
        asked, form, person = frame.awaiting_approval, frame.form, frame.person
        return replace(
            frame,
            form=_run(form) if form else None,
            awaiting_approval=replace(asked, arguments=_blank(asked.arguments)) if asked else None,
            approvals=tuple([replace(one, arguments=_blank(one.arguments)) for one in frame.approvals]),
            person=replace(person, about=_text(person.about), reason=_text(person.reason)) if person else None,
            note=_text(frame.note),
            wish_inputs={name: _blank(given) for name, given in frame.wish_inputs.items()},
        )


def _item(event: e.ItemAdded | e.ItemChanged) -> e.ItemAdded | e.ItemChanged:
    """Return an event of an item without its values; it keeps its id, so that later events still find it."""
    if isinstance(event, e.ItemAdded):
        return replace(event, values=_blank(event.values))
    return replace(event, value=_word(event.value))


# the parts of events -------------------------------------------------------------------------------


def _text(text: str) -> str:
    return ERASED if text else ""


def _word(value: Any) -> Any:
    return ERASED if value is not None else None


def _erased_value(value: Any) -> Any:
    """Return what is left of a value: of a list of records its items with their ids, which later events name."""
    items = cast("list[dict[str, Any]]", value) if isinstance(value, list) else []
    if items and isinstance(items[0], dict) and is_id(items[0].get(ID)):  # pyright: ignore[reportUnnecessaryIsInstance]
        return [{name: one if name == ID else ERASED for name, one in item.items()} for item in items]
    return ERASED


def _blank(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(values, ERASED)


def _call(call: Call) -> Call:
    return replace(call, arguments=_blank(call.arguments))


def _command(command: AnyCommand) -> AnyCommand:
    fields: Any = command
    known = [name for name in ("value", "item", "text", "answer") if getattr(fields, name, None)]
    erased: dict[str, Any] = dict.fromkeys(known, ERASED)
    if isinstance(command, Start):
        erased["input"] = _blank(command.input)
    if isinstance(command, Copy):
        erased["changes"] = _blank(command.changes)
    return replace(command, **erased) if erased else command


def _effect(effect: AnyEffect) -> AnyEffect:
    match effect:
        case RunTool(arguments=arguments):
            return replace(effect, arguments=_blank(arguments))
        case CallModel(purpose="aside" | "word" | "offer", about=about):
            return replace(effect, about=_text(about))
        case _:
            return effect


def _texts(*names: str) -> Callable[[Any], Any]:
    """Return what erases some texts of an event, and the reasons of its failed attempts."""

    def erase(event: Any) -> Any:
        found: dict[str, Any] = {name: _text(getattr(event, name)) for name in names}
        if getattr(event, "attempts", ()):
            found["attempts"] = tuple([replace(one, reason=ERASED) for one in event.attempts])
        return replace(event, **found)

    return erase


def _model_replied(event: e.ModelReplied) -> e.ModelReplied:
    event = _texts("text")(event)
    return replace(event, calls=tuple(map(_call, event.calls)), thoughts=())


def _understood(event: e.Understood) -> e.Understood:
    event = _texts()(event)
    return replace(event, commands=tuple(map(_command, event.commands)), claims=_blank(event.claims), dropped=())


def _decisions(event: e.CallsDecided) -> e.CallsDecided:
    found = [replace(one, arguments=_blank(one.arguments), reason=_text(one.reason)) for one in event.decisions]
    return replace(event, decisions=tuple(found))


def _form_changed(event: e.FormChanged) -> e.FormChanged:
    return replace(event, run=_run(event.run))


def _run(run: FormRun) -> FormRun:
    waiting = tuple(map(_item_command, run.waiting))
    return replace(run, suggested=_blank(run.suggested), correction=_word(run.correction), waiting=waiting)


def _item_command(command: ItemCommand) -> ItemCommand:
    """Return a command that waits without its words; what describes its item is erased as well."""
    erased = _command(command)
    return erased if isinstance(erased, ItemCommand) else command


_EVENTS: dict[type, Callable[[Any], Any]] = {
    e.UserSaid: _texts("text"),
    e.UserChose: _texts("value"),
    e.Commands: lambda event: replace(event, commands=tuple(map(_command, event.commands))),
    e.ToolUsed: lambda event: replace(event, arguments=_blank(event.arguments), result=_word(event.result)),
    e.EventReceived: lambda event: replace(event, data=_blank(event.data)),
    e.EventHeld: lambda event: replace(event, data=_blank(event.data)),
    e.CallsDecided: _decisions,
    e.OperatorSaid: _texts("text"),
    e.TakenOver: _texts("reason"),
    e.GivenBack: lambda event: replace(event, set=_blank(event.set), reason=_text(event.reason)),
    e.GiveBackRefused: lambda event: replace(
        event, set=_blank(event.set), refused=tuple([_texts("text", "iso")(one) for one in event.refused])
    ),
    e.EventRefused: _texts("text"),
    e.Understood: _understood,
    e.UnderstandingFailed: _texts("reason"),
    e.ModelReplied: _model_replied,
    e.ModelFailed: _texts("reason", "text"),
    e.ToolReturned: lambda event: _texts()(replace(event, result=_word(event.result))),
    e.ToolFailed: _texts("reason"),
    e.WordsRecalled: lambda event: replace(event, words=tuple([None for _ in event.words])),
    e.CommandApplied: lambda event: replace(event, text=_text(event.text), input=_blank(event.input)),
    e.CommandRefused: _texts("text", "iso"),
    e.Moved: _texts("note"),
    e.FormChanged: _form_changed,
    e.Said: lambda event: replace(event, text=ERASED, buttons=()),
    e.CallAnswered: lambda event: replace(event, result={"success": event.result["success"]}),
    e.CallRefused: _texts("text"),
    e.CallHeld: lambda event: replace(event, arguments=_blank(event.arguments)),
    e.CallApproved: lambda event: replace(event, arguments=_blank(event.arguments)),
    e.ScopeOpened: _texts("note"),
    e.ScopeClosed: _texts("summary"),
    e.Offered: lambda event: replace(event, opener=_text(event.opener), given=_blank(event.given)),
    e.PersonAwaited: _texts("about"),
    e.ArtefactMade: lambda event: replace(event, data=_blank(event.data)),
    e.EffectAsked: lambda event: replace(event, effect=_effect(event.effect)),
    e.Faulted: lambda event: replace(event, fault=replace(event.fault, message=ERASED, value=None, bound=None)),
    e.Warned: _texts("message"),
    e.Failed: _texts("message"),
}
"""What erases the words of each kind of event; all others have none."""
