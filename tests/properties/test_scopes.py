"""Law 6.3: whatever happens inside scopes, the conversation around them is the same but for a summary."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Container
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.chats import NOON_MS, OneChat, Waiting, done, flow_of
from turnwise.core.addresses import scope_of
from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.markers import APPLICATION
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_state
from turnwise.core.state.fold import fold_all
from turnwise.core.state.frames import Frame
from turnwise.core.state.kinds import ERASED
from turnwise.core.state.retention import DAY_MS
from turnwise.flow.converters import copy_with
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding, call
from turnwise.runner.clocks import ManualClock
from turnwise.stores.memory import MemoryStore

NESTINGS = 5000 if os.environ.get("TURNWISE_SOAK") == "1" else 60

FLOW = """
flow: nest
start: chat
commands: [cancel]
records:
  user: {name: string}
  result: {mood: string, note: string}
  score: {points: {type: integer, min: 0}}
tools: {look: {about: look}, save: {about: save, kind: effect}}
nodes:
  chat:
    prompt: Talk with {{ user.name }}.
    tools: {allow: [look, open_quiz]}
    transitions:
      - {id: a, at: before, when: message.text.startsWith("begin survey"), call: survey}
      - {id: b, at: before, when: message.text.startsWith("begin quiz"), call: quiz, with: {topic: message.text}}
      - {id: late, at: timer, in: 90d, to: chat}
  survey:
    scope: {inherits: [user], returns: result, summary: "Survey {{ result.mood }} ({{ scope.outcome }})", limits: {turns: 5}}
    form:
      fields:
        - {field: result.mood, ask: Mood?}
        - {field: result.note, ask: Note?}
  quiz:
    scope:
      inherits: [message]
      input: {topic: {type: string, default: all}}
      returns: score
      summary: "Quiz: {{ score.points }}"
      start: play
      nodes:
        play:
          prompt: Play about {{ input.topic }}.
          tools: {allow: [look, save]}
          transitions:
            - {id: nested, at: before, when: message.text == "take a break", to: rest}
            - {id: over, at: before, when: message.text == "over", end: over, set: {score.points: 3}}
        rest:
          scope: {inherits: [message]}
          prompt: Chat about the weather.
          transitions: [{to: play}]
"""
PLAIN = (
    FLOW.replace("call: survey", "to: chat")
    .replace("call: quiz, with: {topic: message.text}", "to: chat")
    .replace('startsWith("begin', 'startsWith("never')
)


@tw.tool
async def look() -> str:
    """look"""
    return "seen"


@tw.tool(kind="effect")
async def save() -> str:
    """save"""
    return "saved"


class Side:
    """A conversation with a scripted model, which goes on in copies and in other versions of its flow."""

    def __init__(self, text: str) -> None:
        self.flow, self.store, self.clock = flow_of(text), MemoryStore(), ManualClock(NOON_MS)
        self.model = ScriptedModel()
        self.name, self.copies = "main", 0
        self.open()
        self.set("Hello.", user__name="Max")

    def open(self) -> None:
        chat = OneChat(
            self.flow,
            store=self.store,
            understand=ScriptedUnderstanding(),
            model=self.model,
            clock=self.clock,
            tools={"look": look, "save": save},
        )
        self.chat: Any = Waiting(chat, self.name)

    def say(self, text: str, *replies: Any) -> None:
        self.model.plan.extend(replies)
        self.chat.say(text)
        assert not self.model.plan, text

    def set(self, *replies: Any, **values: Any) -> None:
        self.model.plan.extend(replies)
        commands = [c.Set(field=name.replace("__", "."), value=value) for name, value in values.items()]
        self.chat.commands(commands)

    # what must change nothing ----------------------------------------------------------------------

    def forked(self) -> None:
        self.copies += 1
        name = f"copy {self.copies}"
        self.chat.fork(name, effects=True)
        self.name, self.chat = name, self.chat.on(name)

    def imported(self) -> None:
        self.copies += 1
        name = f"copy {self.copies}"
        asyncio.run(self.chat.app.import_(self.chat.export(), conversation=name, effects=True))
        self.name, self.chat = name, self.chat.on(name)

    def migrated(self) -> None:
        self.flow = copy_with(self.flow, version=self.flow.version + 1)
        self.open()
        assert done(self.chat.chat.migrate()).moved == 1

    def retained(self) -> None:
        self.clock.move_s(1)
        done(self.chat.app.retain(tw.Retention(events_days=0, decisions_days=0)))
        self.open()

    def replayed(self) -> None:
        assert self.chat.replay()


class Run:
    """A random conversation in which scopes open and close, and the same without them."""

    def __init__(self, seed: int, flow: str = FLOW) -> None:
        self.random = Random(seed)
        self.seen: Counter[str] = Counter()
        self.message = ""
        """The message that opened the last scope."""
        self.inner, self.plain = Side(flow), Side(PLAIN)
        self.summaries = 0
        """How many summaries the outer transcript has."""
        self.erased: set[str] = set()
        """The messages that opened a scope and were erased while it was open."""

    def outside(self, number: int) -> None:
        text = f"message {number}"
        for side in (self.inner, self.plain):
            side.say(text, f"outer {number}")
        self.between()

    def between(self) -> None:
        """Let something happen that must change nothing; what erases words happens to both."""
        what = self.random.choice(["", "", "", "forked", "imported", "migrated", "retained", "replayed", "undone"])
        is_inside = bool(self.inner.chat.state().outer)
        if what == "undone":
            for side in [self.inner] if is_inside else [self.inner, self.plain]:
                side.say("one moment", *([] if side.chat.state().node == "survey/form" else ["Yes."]))
                side.chat.undo()
        elif what:
            getattr(self.inner, what)()
        if what == "migrated":
            self.plain.migrated()
        if what == "retained":
            self.plain.retained()
            self.summaries = 0
            self.erased |= {self.message} if is_inside else set()
        self.seen[what] += 1

    def twice(self, what: str, act: Callable[[], object]) -> None:
        """Do something, and perhaps take it back and do it once more."""
        act()
        if self.random.random() < 0.2:
            self.seen[f"undone {what}"] += 1
            self.inner.chat.undo()
            act()
            if what == "opening":
                self.plain.say(self.message, "taken back")
                self.plain.model.calls.pop()
                self.plain.chat.undo()

    def opened(self, number: int) -> None:
        """Open a scope, say something inside, and close it; the same message is an ordinary one without the scope."""
        kind = self.random.choice(["survey", "quiz", "quiz by tool"])
        self.message = f"please begin {kind} {number}" if kind == "quiz by tool" else f"begin {kind} {number}"
        (self.survey if kind == "survey" else self.quiz)(self.message, number)
        self.plain.say(self.message, f"back {number}")
        self.summaries += 1
        self.seen[kind] += 1
        self.between()

    def survey(self, message: str, number: int) -> None:
        self.twice("opening", lambda: self.inner.say(message))
        how, back = self.random.choice(["whole", "cancel", "limit"]), f"back {number}"
        self.seen[how] += 1
        if how == "whole":
            self.inner.set(**{"survey/result__mood": "good"})
            self.between()
            self.twice("closing", lambda: self.inner.set(back, **{"survey/result__note": "fine"}))
        elif how == "cancel":
            self.inner.set(**{"survey/result__mood": "bad"})
            self.twice("closing", lambda: self.inner.say("cancel", back))
        else:
            for _ in range(4):
                self.inner.say("hm")
            self.twice("closing", lambda: self.inner.say("hm", back))

    def quiz(self, message: str, number: int) -> None:
        replies = [call("open_quiz", topic="a topic")] if message.startswith("please") else []
        self.twice("opening", lambda: self.inner.say(message, *replies, "First question?"))
        for turn in range(self.random.randrange(4)):
            uses = self.random.choice([[], [call("look")], [call("save")]])
            self.inner.say(f"inner {number} {turn}", *uses, f"Wrong {turn}.")
            self.between()
        if self.random.random() < 0.5:
            self.seen["nested"] += 1
            self.inner.say("take a break", "Nice weather.")
            self.between()
            self.twice("closing", lambda: self.inner.say("it rains", call("finish_rest"), "Where were we?"))
        self.twice("closing", lambda: self.inner.say("over", f"back {number}"))


def clean(request: ModelRequest, erased: Container[str] = ()) -> ModelRequest:
    """Return a request without the summaries of scopes, without the calls that opened them, and without some words."""
    openers = {one.call for one in request.transcript if one.role == "tool" and one.tool == "open_quiz"}
    kept = [
        one
        for one in request.transcript
        if not one.text.startswith(APPLICATION)
        and one.text not in erased
        and not {one.call, *(each.id for each in one.calls)} & openers
    ]
    return replace(request, transcript=tuple(kept))


def of_root(frame: Frame) -> tuple[Any, ...]:
    return frame.node, frame.visit, frame.visits, frame.tools, frame.closed_forms, frame.question, frame.timers


def sent(side: Side) -> list[ModelRequest]:
    """What the model of the outer conversation was sent, the last one of each message."""
    return [one for one in side.model.calls if not scope_of(one.node)]


@pytest.mark.law("6.3")
@pytest.mark.requirement("003-01", "003-08", "003-09", "003-11", "003-17", "003-62")
def test_the_conversation_around_scopes_is_the_same_but_for_their_summaries() -> None:
    seen: Counter[str] = Counter()
    for seed in range(NESTINGS):
        run = Run(seed)
        for number in range(run.random.randrange(1, 5)):
            (run.opened if run.random.random() < 0.6 else run.outside)(number)
        for side in (run.inner, run.plain):
            side.say("the last message", "outer 99")
        inner, plain = sent(run.inner), sent(run.plain)
        assert inner[-1].node == plain[-1].node == "chat"
        assert clean(inner[-1]).as_sent() == clean(plain[-1], run.erased).as_sent(), seed
        expected = {clean(one, run.erased).fingerprint() for one in plain}
        assert {clean(one, run.erased).fingerprint() for one in inner} >= expected, seed
        journal = run.inner.chat.journal()
        last = [one.event.prompt for one in journal if isinstance(one.event, e.ModelReplied)][-1]
        assert last == inner[-1].fingerprint()
        notes = sum(one.text.startswith(APPLICATION) for one in inner[-1].transcript)
        notes += sum(one.role == "tool" and one.tool == "open_quiz" for one in inner[-1].transcript)
        assert notes == run.summaries, seed
        state, other = run.inner.chat.state(), run.plain.chat.state()
        assert state.outer == ()
        assert of_root(state.frame) == of_root(other.frame), seed
        kept = {name: found.value for name, found in state.values.items() if not name.startswith(("result.", "score."))}
        assert kept == {name: found.value for name, found in other.values.items()}
        assert run.inner.chat.replay()
        folded = fold_all(journal)
        assert folded is not None
        assert encode_state(folded) == encode_state(state)
        seen.update(run.seen)
    assert not {"survey", "quiz", "quiz by tool", "whole", "cancel", "limit", "nested"} - seen.keys()
    assert (
        not {"forked", "imported", "migrated", "retained", "undone", "undone opening", "undone closing"} - seen.keys()
    )


@pytest.mark.law("6.4")
def test_what_is_left_of_erased_scopes_leads_to_the_same_state() -> None:
    count = undone = 0
    for seed in range(NESTINGS):
        run = Run(seed, FLOW.replace("scope: {", "scope: {keep: 1d, ").replace("scope:\n", "scope:\n      keep: 1d\n"))
        for number in range(run.random.randrange(1, 5)):
            (run.opened if run.random.random() < 0.6 else run.outside)(number)
        before, state = run.inner.chat.journal(), run.inner.chat.state()
        done(run.inner.store.erase_words(NOON_MS + 2 * DAY_MS))
        journal = run.inner.chat.journal()
        closed = [one.event for one in journal if isinstance(one.event, e.ScopeClosed)]
        frames = {one.keep.frame for one in closed if one.keep is not None and one.keep.by is not None}
        count += len(frames)
        taken_back = [kept for one in journal if isinstance(one.event, e.Undone) for kept in one.event.closed]
        assert all(one.by is not None for one in taken_back), seed
        undone += len({one.frame for one in taken_back} - frames)
        frames |= {one.frame for one in taken_back}
        assert fold_all(journal) == state == run.inner.chat.state()
        assert [entry.seq for entry in journal] == [entry.seq for entry in before]
        texts = [
            one.event.text for one in journal if one.frame in frames and isinstance(one.event, e.UserSaid | e.Said)
        ]
        assert {*texts} <= {ERASED}
        assert not [
            one for one in journal if one.frame not in frames and one != before[one.seq - 1] and not _bears(one)
        ]
    assert count > NESTINGS
    assert undone > NESTINGS / 10


def _bears(entry: e.Entry) -> bool:
    """Whether an entry outside of erased scopes may change: it has a state, or opened or closed one."""
    return isinstance(entry.event, e.ScopeOpened | e.ScopeClosed | e.Undone | e.StateRecalled | e.Snapshot | e.Decided)
