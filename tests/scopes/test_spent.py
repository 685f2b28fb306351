"""What scopes spend: reads of the store, and calls of models that cannot change anything (laws 6.1, 6.3)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import pytest

import turnwise as tw
from turnwise.core.state import events as e
from turnwise.core.state.effects import Understand
from turnwise.stores.memory import MemoryStore

pytestmark = pytest.mark.law("6.3")

FLOW = """
    flow: tutor
    start: chat
    records: {feedback: {text: string}}
    nodes:
      chat:
        prompt: You are Maya, a tutor.
        transitions: [{id: ask, at: before, when: message.text == "ask me", call: survey}]
      survey:
        scope:
          inherits: [message]
          returns: feedback
          start: talk
          nodes:
            talk:
              prompt: You ask for feedback.
              transitions: [{id: over, at: before, when: message.text == "enough", end: over, set: {feedback.text: message.text}}]
"""


class CountedReads(MemoryStore):
    """A store that lists which reads of entries were made."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[e.Entry, ...]:
        self.reads.append("window")
        return await super().window(conversation, after, limit, frame)

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[e.Entry, ...]:
        self.reads.append("entries")
        return await super().entries(conversation, after, until)

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, e.Entry]:
        self.reads += ["at"] * bool(positions)
        return await super().at(conversation, positions)


class Noting:
    """A model that notes what it was sent, and always says the same."""

    def __init__(self) -> None:
        self.sent: list[list[str]] = []

    async def reply(self, request: Any) -> tw.ModelReply:
        self.sent.append([message.text for message in request.transcript])
        return tw.ModelReply("Well, let us go on with that.")


@pytest.mark.parametrize("inner", [1, 100])
def test_closing_a_scope_and_the_turn_behind_it_read_nothing(inner: int) -> None:
    async def talk() -> None:
        store, model = CountedReads(), Noting()
        async with tw.open(tw.loads(FLOW), store=store, model=model, understand=lambda _message, _allowed: ()) as app:
            chat = app.chat("a")
            for text in ("hello", "and then?", "and then?", "ask me", *["an answer"] * inner):
                await chat.say(text)
            store.reads.clear()
            await chat.say("enough")
            await chat.say("and then?")
            assert store.reads == []
        assert "ask me" in model.sent[-1]
        assert "an answer" not in model.sent[-1]
        async with tw.open(tw.loads(FLOW), store=store, model=(cold := Noting())) as app:  # nothing is cached
            await app.chat("a").say("and now?")
        assert cold.sent[0][:-2] == model.sent[-1]

    asyncio.run(talk())


NESTED = """
    flow: tutor
    start: chat
    nodes:
      chat: {prompt: You are Maya., transitions: [{at: before, when: message.text == "outer", call: outer}]}
      outer:
        scope:
          start: talk
          summary: The outer one.
          nodes:
            talk:
              prompt: You ask.
              transitions:
                - {at: before, when: message.text == "inner", call: inner}
                - {at: before, when: message.text == "form", call: form}
                - {at: before, when: message.text == "enough", end: over}
            inner:
              scope:
                start: talk
                summary: The inner one.
                nodes:
                  talk: {prompt: You ask more., transitions: [{at: before, when: message.text == "enough", end: over}]}
            form:
              scope: {start: ask, summary: The form., records: {note: {text: string}}, nodes: {ask: {form: {fields: [{field: note.text, ask: What?}]}}}}
"""
NESTINGS = {
    "two": "hello|and then?|outer|an answer|inner|a|b|enough|c|enough|and now?",
    "at once": "hello|outer|inner|a|enough|enough|and now?",
    "twice": "hello|outer|inner|a|enough|inner|b|enough|enough|outer|c|enough|and now?",
    "form": "hello|outer|form|a text|c|enough|and now?",
    "form first": "hello|outer|a|form|a text|enough|and now?",
}


@pytest.mark.parametrize("nesting", NESTINGS)
def test_closing_scopes_in_scopes_reads_nothing_and_sends_what_a_new_process_would(nesting: str) -> None:
    messages = NESTINGS[nesting].split("|")

    async def talk() -> None:
        flow, store, model = tw.loads(NESTED), CountedReads(), Noting()
        async with tw.open(flow, store=store, model=model, understand=understand) as app:
            chat = app.chat("a")
            for text in messages:
                await chat.say(text)
            assert store.reads == []
        cold = Noting()
        again = MemoryStore()
        for text in messages:  # a process of its own for each message
            async with tw.open(flow, store=again, model=cold, understand=understand) as app:
                await app.chat("a").say(text)
        assert cold.sent == model.sent

    def understand(message: str, allowed: Any) -> list[Any]:
        asked = allowed.asked
        return [tw.Set(field=asked, value=message)] if asked else []

    asyncio.run(talk())


def test_the_turn_behind_a_long_survey_makes_as_many_calls_as_the_one_before() -> None:
    """Counted in Python, in the thread of the conversation: what the processor does else differs from run to run."""

    async def talk() -> list[int]:
        counts: list[int] = []
        async with tw.open(tw.loads(FLOW), model=Noting(), understand=lambda _message, _allowed: ()) as app:
            chat = app.chat("a")
            for text in ["and then?"] * 30:
                await chat.say(text)
            counts.append(await _calls(chat))
            for text in ("ask me", *["an answer"] * 60, "enough"):
                await chat.say(text)
            counts += [await _calls(chat), await _calls(chat)]
        return counts

    before, behind, later = asyncio.run(talk())
    assert max(behind, later) <= before * 1.01


async def _calls(chat: Any) -> int:
    """The calls of Python functions in a turn: the least of three, since work in the background may fall into one."""
    return min([await _calls_once(chat) for _ in range(3)])


async def _calls_once(chat: Any) -> int:
    found = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal found
        found += event == "call"

    sys.setprofile(count)
    try:
        await chat.say("and then?")
    finally:
        sys.setprofile(None)
    return found


def test_no_one_is_asked_whether_the_opening_message_cancels_the_scope() -> None:
    async def talk() -> None:
        asked: list[str] = []

        def understand(message: str, _allowed: Any) -> tuple[()]:
            asked.append(message)
            return ()

        async with tw.open(tw.loads(FLOW), model=Noting(), understand=understand) as app:
            chat = app.chat("a")
            turns = [await chat.say(text) for text in ("hello", "ask me", "an answer")]
        effects = [[one.event.effect for one in turn.entries if isinstance(one.event, e.EffectAsked)] for turn in turns]
        assert [any(isinstance(one, Understand) for one in found) for found in effects] == [False, False, True]
        assert asked == ["an answer"]

    asyncio.run(talk())


def test_a_gap_in_a_summary_is_reported_as_one_of_the_summary() -> None:
    flow = FLOW.replace(
        "          start: talk\n", "          summary: 'Feedback: {{ feedback.text }}'\n          start: talk\n"
    )
    with tw.open_sync(tw.loads(flow), model=tw.ScriptedModel(["Hello.", "Inside.", "Back."])) as app:
        chat = app.chat("a")
        turn = [chat.say(text) for text in ("hello", "ask me", "cancel")][-1]
        found = [one.message for one in turn.warnings if one.code == "text_gap"]
        assert found == ["the summary of 'survey' has a gap: {{ feedback.text }} has no value"]
