"""What scopes spend: reads of the store, and calls of models that cannot change anything (laws 6.1, 6.3)."""

from __future__ import annotations

import asyncio
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
