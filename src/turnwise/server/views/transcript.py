"""The transcript of a conversation: what the chat shows, in one pass over the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Literal, TypeVar

from msgspec import to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from turnwise.archive.activity import WITHOUT_NEWS, activity_of
from turnwise.archive.activity_words import LANGUAGES, headline_of, without_time
from turnwise.archive.decision_words import DecisionWording, VerdictWords, act_words, is_unread
from turnwise.archive.frames import ErasedFrames
from turnwise.core.explain.decision import explain
from turnwise.core.explain.headline import Headline, act_of_person, headline
from turnwise.core.forms.buttons import label_of
from turnwise.core.machine import Machine
from turnwise.core.phrase import joined
from turnwise.core.state import Place, State
from turnwise.core.state import events as e
from turnwise.core.state.events import Erased, Snapshot
from turnwise.core.state.kinds import ERASED
from turnwise.core.state.read_lists import with_lists
from turnwise.core.state.retention import erasure_text
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.stored import PAGE_ENTRIES, StoredConversation, folded, messages_quoted_by, unknown_conversation
from turnwise.server.views.event_rows import command_line
from turnwise.server.views.forms import form_view
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.signs import lines_about, sign_of
from turnwise.server.wire.conversations import ActivityView, Message, Seam, UnderstoodValue

Shown = TypeVar("Shown", Message, Seam)
"""The class of the shown lines: messages or seams."""
Words = dict[str, VerdictWords]
"""What a decision came to, in words, by the code of each language of the page."""
Speaker = Literal["user", "button", "model", "text", "person", "tool", "system"]
"""Who or what a message comes from."""
_BY_MODEL = frozenset({"reply", "cut"})
_WITH_FORM = frozenset({"question", "summary", "chooser"})
_BY_USER = frozenset({"button", "direct", "understood", "command"})
SHOWN_EVENTS = frozenset(
    {
        *(e.UserSaid, e.UserChose, e.OperatorSaid, e.Said, e.FieldSet, e.CommandRefused),
        *(e.ItemAdded, e.ItemChanged, e.ItemRemoved, e.ItemMoved),
        *(e.Missed, e.Undone, e.Erased, e.Snapshot),
    }
)
"""The events that a transcript without `is_debug` is made of."""
PERSON_ACT = "person"
"""The moment of a seam that is no decision but an act of a person."""
_NOT_UNDERSTOOD = "not understood: the question is still open"
_NOT_INTERPRETED = "not interpreted while a person is in charge"


class ChatTranscript:
    """Collects the messages that a chat shows, entry by entry; with `is_debug` also decisions, tools and timers.
    With `has_summaries`, by default where it `is_debug`, the summary of a scope is a message, too; the user of a
    conversation sees one transcript without them.
    """

    def __init__(self, redaction: Redaction, *, is_debug: bool, has_summaries: bool | None = None) -> None:
        self.redaction = redaction
        self.is_debug = is_debug
        self.has_summaries = is_debug if has_summaries is None else has_summaries
        self.messages: list[Message] = []
        self.seams: list[Seam] = []
        self.is_cut = False
        self.erasure = ""
        self._erased = ErasedFrames()
        self._texts: dict[int, str] = {}
        self._last_input: int | None = None
        self._headlines: dict[bytes, tuple[Headline, Words]] = {}
        self._unread = 0
        """The turn in whose message nothing was understood when it was read last; 0 if something was."""

    def add(self, machine: Machine, entry: e.Entry, state: State | None, after: State | None) -> None:
        """Add a journal entry; `state` is the state before it, `after` the state after it."""
        if isinstance(entry.event, e.ItemEvent):
            self._item(machine, entry, entry.event, state if isinstance(entry.event, e.ItemRemoved) else after)
        elif type(entry.event) in SHOWN_EVENTS:
            self._add_shown(machine, entry, state, after)
        elif type(entry.event) is e.ScopeOpened:
            self._erased.add(entry)
        elif self.has_summaries and state is not None and isinstance(entry.event, e.ScopeClosed):
            self._closed(entry, entry.event, state)
        elif self.is_debug:
            if type(entry.event) is e.Understood and state is not None:
                self._unread = entry.turn if is_unread(machine, state, entry.event) else 0
            self._debug(machine, entry, state)
            if type(entry.event) is e.TurnEnded and after is not None:
                self._comes_to_rest(machine, entry, after)

    def _add_shown(self, machine: Machine, entry: e.Entry, state: State | None, after: State | None) -> None:
        event = entry.event
        match event:  # the most frequent first: a struct that does not match takes longer than one that does
            case e.Said():
                self._said(machine, entry, event, after)
            case e.UserSaid() | e.UserChose():
                self._input(machine, entry, event, state)
            case e.FieldSet(field=field, value=value, how=how) if how in _BY_USER:
                title = machine.title_of_question(field)
                self._understood(entry, field, value, how, event.place or self._place(event.words), title=title)
            case e.OperatorSaid(text=text, operator=operator, display=display):
                self._put(entry, "person", self.redaction.text(text), speaker=display or operator)
            case e.CommandRefused(text=text) if text:
                self._note(self.redaction.text(text))
            case e.Missed():
                self._note(_NOT_UNDERSTOOD)
            case e.Undone(to=to):
                self._undo(to, entry)
            case Erased():
                self.is_cut = True
            case Snapshot(by=by) if by is not None:
                self.erasure = erasure_text(by).strip()
            case _:
                pass

    def know(self, entries: Iterable[e.Entry]) -> None:
        """Record earlier messages, whose words answers of a form may come from."""
        for entry in entries:
            event = entry.event
            if isinstance(event, e.UserSaid):
                self._texts[entry.seq] = event.text
            elif isinstance(event, e.UserChose):
                self._texts[entry.seq] = event.value

    # messages ----------------------------------------------------------------------------------

    def _put(self, entry: e.Entry, by: Speaker, text: str, **more: Any) -> None:
        if text == ERASED:
            more["is_erased"] = entry.frame in self._erased.by_keep
        self.messages.append(Message(entry.seq, entry.turn, entry.at_ms, by, text, frame=entry.frame, **more))

    def _input(self, machine: Machine, entry: e.Entry, event: e.UserSaid | e.UserChose, state: State | None) -> None:
        by, text = ("user", event.text) if isinstance(event, e.UserSaid) else ("button", event.value)
        self._texts[entry.seq] = text
        self._last_input = len(self.messages)
        shown = self.redaction.message(entry.seq, text)
        if by == "button" and shown == text and state is not None:
            shown = self.redaction.text(label_of(machine, state, text))
        self._put(entry, by, shown)
        if self.is_debug and state is not None and state.person is not None and state.person.operator:
            self._note(_NOT_INTERPRETED)

    def _said(self, machine: Machine, entry: e.Entry, said: e.Said, after: State | None) -> None:
        by: Speaker = "model" if said.kind in _BY_MODEL else "text"
        view = None
        if after is not None and said.kind in _WITH_FORM:
            view = form_view(machine, after, self._words(after), self.redaction.text)
        speaker = after.node if after is not None else ""
        text = self.redaction.text(said.text)
        self._put(entry, by, text, speaker=speaker, kind=said.kind, buttons=said.buttons, form=view)

    def _closed(self, entry: e.Entry, event: e.ScopeClosed, state: State) -> None:
        """Add the summary that stays of a scope, in the frame around it."""
        summary, closes = self.redaction.text(event.summary), state.frame.id
        self._put(entry, "system", summary, speaker=event.scope, note=event.outcome, closes=closes)

    def _words(self, state: State) -> dict[Place, str]:
        """Return the user's words of the values of a state, by their position."""
        found: dict[Place, str] = {}
        for value in (*state.values.values(), *state.shelved.values()):
            if value.place is not None and self._texts.get(value.place[0], ERASED) != ERASED:
                seq, start, end = value.place
                if self.redaction.span(seq, self._texts[seq], start, end) is not None:
                    found[value.place] = self._texts[seq][start:end]
        return found

    def _item(self, machine: Machine, entry: e.Entry, event: e.ItemEvent, state: State | None) -> None:
        """Add what became of an item to the message in which that was understood; `state` has the item."""
        if event.how not in _BY_USER:
            return
        name = f"{event.field}[{event.id}]"
        match event:
            case e.ItemAdded(values=values):
                value, did = self.redaction.value(event.field, values), "added"
            case e.ItemChanged(name=part, value=new):
                name, value, did = f"{name}.{part}", self.redaction.value(event.field, new), "changed"
            case e.ItemRemoved():
                value, did = None, "removed"
            case e.ItemMoved(to=to):
                value, did = to + 1, "moved"
        words = event.words if isinstance(event, e.ItemAdded | e.ItemChanged) else None
        from turnwise.server.views.item_tables import shown_item

        item = shown_item(machine, state, event.field, event.id, self.redaction.text)
        self._understood(entry, name, value, event.how, self._place(words), did, item)

    def _understood(
        self,
        entry: e.Entry,
        field: str,
        value: Any,
        how: Any,
        place: Place | None,
        did: Any = "set",
        item: Any = None,
        title: str = "",
    ) -> None:
        """Add a value to the message that it was understood in, with the place of its words."""
        if self._last_input is None or self.messages[self._last_input].turn != entry.turn:
            return
        message = self.messages[self._last_input]
        span = None
        if place is not None and place[0] == message.seq:
            span = self.redaction.span(place[0], self._texts[place[0]], place[1], place[2])
        start, end = span if span is not None else (None, None)
        shown = self.redaction.value(field, value) if did == "set" else value
        found = UnderstoodValue(field, shown, how, start, end, did, item, title)
        others = tuple([one for one in message.understood if one.field != field])
        self.messages[self._last_input] = replace(message, understood=(*others, found))

    def _place(self, words: tuple[int, int] | None) -> Place | None:
        """Return the place of words of the last message; an event names the message only if it is an earlier one."""
        return (
            (self.messages[self._last_input].seq, *words)
            if words is not None and self._last_input is not None
            else None
        )

    def _note(self, text: str) -> None:
        if self._last_input is not None:
            message = self.messages[self._last_input]
            if text not in message.note:
                note = f"{message.note}; {text}" if message.note else text
                self.messages[self._last_input] = replace(message, note=note)

    def _undo(self, to: int, entry: e.Entry) -> None:
        """Mark everything after a turn, up to the undo, as taken back."""
        _mark_undone(self.messages, to, entry.turn)
        _mark_undone(self.seams, to, entry.turn)
        if self.is_debug:
            texts = lines_about(entry, self.redaction, self.redaction.machine, None)
            self._put(entry, "system", texts["en"], texts=texts)

    # for readers with debug:read ---------------------------------------------------------------

    def _debug(self, machine: Machine, entry: e.Entry, state: State | None) -> None:
        match entry.event:
            case e.Decided() if state is not None and entry.event.node in machine.nodes:
                if machine.candidates(entry.event.node, _moment(entry.event)).all:
                    self.seams.append(self._seam(machine, entry, entry.event, state))
            case e.ToolReturned(tool=tool, result=result):
                self._put(entry, "tool", encode(self.redaction.result(tool, result)).decode(), speaker=tool)
            case e.ToolFailed(tool=tool, reason=reason):
                self._put(entry, "tool", f"failed: {self.redaction.text(reason)}", speaker=tool, kind="failed")
            case e.CallRefused(tool=tool, text=text):
                self._put(entry, "tool", f"refused: {self.redaction.text(text)}", speaker=tool, kind="refused")
            case e.ToolUsed(tool=tool):
                self._put(entry, "tool", "used by the host", speaker=tool)
            case e.Commands(commands=commands):
                found = joined([command_line(one, self.redaction) for one in commands], ", ")
                texts = {language: writer.text(found) for language, writer in self.redaction.writers.items()}
                self._put(entry, "system", str(found), texts=texts)
            case e.TakenOver(reason=reason) | e.GivenBack(reason=reason):
                self.seams.append(self._act(entry, state, reason))
            case _:
                texts = lines_about(entry, self.redaction, machine, state)
                if texts:
                    sign, subject = sign_of(machine, entry)
                    self._put(entry, "system", texts["en"], sign=sign, subject=subject, texts=texts)

    def _act(self, entry: e.Entry, state: State | None, reason: str) -> Seam:
        """Return an act of a person as a seam."""
        done = act_of_person(entry.event, entry.at_ms, state.person if state is not None else None)
        text = self.redaction.text(f"{done}: {reason}" if reason else done)
        node = state.node if state is not None else ""
        about = entry.seq, entry.turn, entry.at_ms, node
        words = act_words(entry.event, entry.at_ms, state.person if state is not None else None, reason)
        hidden = {language: one.redacted(self.redaction.text) for language, one in words.items()}
        return Seam(*about, PERSON_ACT, "person", "not_reached", text, frame=entry.frame, words=hidden)

    def _seam(self, machine: Machine, entry: e.Entry, decided: e.Decided, state: State) -> Seam:
        """Return a decision in one line; equal decisions are explained once."""
        read = encode((machine.fingerprint, decided.node, decided.moment, decided.outcomes, decided.taken))
        whole = with_lists(decided, state)
        unread = self._unread == entry.turn
        key = read + encode((whole.reads, to_builtins(whole.code), unread))
        found = self._headlines.get(key)
        if found is None:
            decision = explain(machine, entry, texts=self._texts, state=state)
            short = headline(decision)
            wording = DecisionWording(machine, state, decision, short, unread)
            found = self._headlines[key] = short, wording.words()
        return seam_of(entry, decided, *found, self.redaction)

    def _comes_to_rest(self, machine: Machine, entry: e.Entry, after: State) -> None:
        """Say at a turn's last decision what the conversation does now, if it chose nothing, and something is open."""
        last = self.seams[-1] if self.seams else None
        if last is None or (last.turn, last.node) != (entry.turn, after.node):
            return
        if last.outcome != "stayed" or last.transition:
            return
        self.seams[-1] = replace(last, activity=activity_view(machine, after, entry.at_ms, self.redaction))


def activity_view(machine: Machine, state: State, at_ms: int, redaction: Redaction) -> ActivityView | None:
    """Return what a conversation does in a state, at the time `at_ms`, as clients receive it; `None` where nothing is
    open.
    """
    found = activity_of(machine, state, at_ms)
    if found.kind in WITHOUT_NEWS:
        return None
    kind, parts = found.kind, found.parts
    untimed = without_time(parts)
    texts = {language: redaction.text(headline_of(kind, untimed, language)) for language in LANGUAGES}
    since_ms = parts.get("since_ms") if kind == "with_person" else None
    return ActivityView(kind, redaction.text(found.text), found.inside, texts, since_ms)


def _mark_undone(found: list[Shown], to: int, turn: int) -> None:
    """Mark what comes from the turns between two; turn numbers never decrease."""
    for place in reversed(range(len(found))):
        if found[place].turn <= to:
            break
        if found[place].turn < turn:
            found[place] = replace(found[place], is_undone=True)


def seam_of(entry: e.Entry, decided: e.Decided, found: Headline, words: Words, redaction: Redaction) -> Seam:
    """Return a decision in one line, from its headline (`found`) and its words by language."""
    return Seam(
        entry.seq,
        entry.turn,
        entry.at_ms,
        decided.node,
        decided.moment,
        found.happened,
        found.mark,
        redaction.text(found.seam),
        found.target,
        found.transition,
        found.because,
        found.nearest,
        frame=entry.frame,
        words={language: one.redacted(redaction.text) for language, one in words.items()},
    )


def _moment(decided: e.Decided) -> Any:
    return decided.moment


async def transcript_of(
    store: Store,
    machines: AnyMachines,
    conversation: str,
    after: int,
    *,
    is_debug: bool,
    has_summaries: bool | None = None,
    frame: int | None = None,
) -> ChatTranscript:
    """Return what the chat shows of the turns that end after position `after`, of all frames or only of one; the other
    arguments are those of `ChatTranscript`. Raises `UnknownConversation`.
    """
    stored = StoredConversation(store, conversation)
    begin = await stored.begin_of_turn(after + 1) if after > 0 else 0
    after = begin if begin is not None else after
    state, entries = await stored.state_at(after), await stored.all_entries(after)
    last = await store.load(conversation)
    if last is None:
        raise await unknown_conversation(store, conversation)
    machine = await machines.shown_of_state(last)
    builder = ChatTranscript(Redaction(machine, (state, last), entries), is_debug=is_debug, has_summaries=has_summaries)
    builder.know((await store.at(conversation, tuple(messages_quoted_by(state)))).values())
    for at in range(0, len(entries), PAGE_ENTRIES):
        for one in folded(entries[at : at + PAGE_ENTRIES], state):
            known, state = one.after or one.before, one.after
            if known is not None and known.fingerprint != machine.fingerprint:
                machine = await machines.for_display(known.fingerprint)
            builder.add(machine.for_conversation(one.after), *one)
        await asyncio.sleep(0)
    if frame is not None:
        builder.messages = [one for one in builder.messages if one.frame == frame]
        builder.seams = [one for one in builder.seams if one.frame == frame]
    return builder
