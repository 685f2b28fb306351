"""What a stream gives: the words of its own turn as they come, and then the turn."""

from __future__ import annotations

import asyncio

import pytest

import turnwise as tw
from turnwise.core.prompts import ModelRequest


class Slow:
    """A model that says back what it heard, when it is told to."""

    def __init__(self) -> None:
        self.may_speak = asyncio.Event()

    async def reply(self, request: ModelRequest) -> tw.ModelReply:
        """One answer."""
        await self.may_speak.wait()
        return tw.ModelReply(f"answer to {request.transcript[-1].text}")


async def listened(chat: tw.Chat, text: str) -> list[tw.Delta | tw.Turn]:
    return [piece async for piece in chat.stream(text)]


@pytest.mark.law("3.10")
def test_a_stream_gives_only_the_words_of_its_own_turn() -> None:
    async def both() -> list[list[tw.Delta | tw.Turn]]:
        model = Slow()
        flow = tw.Flow("talk", start="free", nodes=[tw.Node("free", prompt="Talk.")])
        async with tw.open(flow, model=model) as app:
            chat = app.chat("main")
            streams = [asyncio.create_task(listened(chat, text)) for text in ("one", "two")]
            await asyncio.sleep(0)
            model.may_speak.set()
            return await asyncio.gather(*streams)

    for number, (text, pieces) in enumerate(zip(("one", "two"), asyncio.run(both()), strict=True), 1):
        delta, turn = pieces
        assert delta == tw.Delta("free", f"{number}.{1}", f"answer to {text}", number)
        assert isinstance(turn, tw.Turn)
        assert (turn.number, turn.text) == (number, f"answer to {text}")
