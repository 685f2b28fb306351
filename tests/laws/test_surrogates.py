"""Text with surrogates, as models and other code give it: joined where they are one character, else replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from support.chats import NOON_MS, OneChat, flow_of, machine_of, talk
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import commands as c
from turnwise.models.scripted import Planned
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import CallMade, Delta, ModelEvent, ModelReply, TextDelta, Usage

SPEAK = """
flow: speak
start: free
prompt: Be kind.
records: {user: {note: string}}
nodes:
  free: {prompt: Talk., writes: [user.note]}
"""
SMILE = "\N{GRINNING FACE}"
HIGH, LOW = "\ud83d", "\ude00"


class Pieces:
    """A model that gives these pieces, and may fail after them."""

    def __init__(self, *pieces: ModelEvent | Exception) -> None:
        self.pieces = pieces

    async def stream(self, _request: ModelRequest) -> AsyncIterator[ModelEvent]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece


STREAMS: list[tuple[str, tuple[str, ...], str, list[str]]] = [
    ("an emoji over two pieces", ("so ", HIGH, LOW, "!"), f"so {SMILE}!", ["so ", SMILE, "!"]),
    ("an emoji in two halves of pieces", (f"so {HIGH}", f"{LOW}!"), f"so {SMILE}!", ["so ", f"{SMILE}!"]),
    ("a first half alone", (f"so {HIGH}", "so"), "so \ufffdso", ["so ", "\ufffdso"]),
    ("a first half at the end", (f"so {HIGH}",), "so \ufffd", ["so ", "\ufffd"]),
    ("a second half alone", (f"so {LOW}", "so"), "so \ufffdso", ["so \ufffd", "so"]),
    ("two first halves, then a second", (HIGH, HIGH, LOW), f"\ufffd{SMILE}", ["\ufffd", SMILE]),
]


@pytest.mark.law("3.8")
@pytest.mark.parametrize(("pieces", "text", "shown"), [one[1:] for one in STREAMS], ids=[one[0] for one in STREAMS])
@pytest.mark.parametrize("store", ["memory", "sqlite"])
def test_a_text_in_pieces_is_joined_before_it_is_repaired(
    store: str, pieces: tuple[str, ...], text: str, shown: list[str], tmp_path: Path
) -> None:
    async def spoken() -> tuple[Any, list[str]]:
        address = "memory://" if store == "memory" else f"sqlite:///{tmp_path / 'speak.db'}"
        model = Pieces(*map(TextDelta, pieces), Usage("mo\ud83ddel"))
        async with OneChat(flow_of(SPEAK), store=address, model=model, clock=ManualClock(NOON_MS)) as chat:
            heard = [part async for part in chat.stream("hello")]
            assert await chat.replay()
            return heard[-1], [part.text for part in heard if isinstance(part, Delta)]

    turn, deltas = asyncio.run(spoken())
    assert (turn.text, deltas) == (text, shown)
    count = text.count("\ufffd")
    expected = [f"{count} that UTF-8 cannot encode; \ufffd stands in their place"] if count else []
    assert [warned.message for warned in turn.warnings if warned.code == "characters_replaced"] == expected


@pytest.mark.law("3.9")
def test_what_a_model_said_before_it_failed_is_repaired_too() -> None:
    async def spoken() -> Any:
        model = Pieces(TextDelta(f"so {HIGH}"), ValueError(HIGH))
        async with OneChat(flow_of(SPEAK), model=model, clock=ManualClock(NOON_MS)) as chat:
            return await chat.say("hello")

    turn = asyncio.run(spoken())
    assert turn.text.startswith("so \ufffd")
    assert [warned.code for warned in turn.warnings] == ["characters_replaced"]


CALLS: list[tuple[str, Any, str | None]] = [
    ("a text in data", {"set": {"note": f"{HIGH}{LOW} {HIGH}"}}, f"{SMILE} \ufffd"),
    ("a text in JSON", f'{{"set": {{"note": "{HIGH}{LOW} {HIGH}"}}}}', f"{SMILE} \ufffd"),
    ("escapes in JSON", '{"set": {"note": "\\ud83d\\ude00 \\ud83d"}}', f"{SMILE} \ufffd"),
    ("escapes in JSON that is none", '{"set": {"note": "\\ud83d", "other": NaN}}', None),
]


@pytest.mark.law("3.6")
@pytest.mark.parametrize(("arguments", "note"), [one[1:] for one in CALLS], ids=[one[0] for one in CALLS])
def test_the_arguments_of_a_call_are_repaired(arguments: Any, note: str | None) -> None:
    call: Planned = ModelReply(calls=(CallMade("write_user", arguments),))
    made = talk(SPEAK, model=[call, "Done."])  # type: ignore[list-item]
    turn = made.chat.say("hello")
    assert made.chat.replay()
    kept = turn.state.values.get("user.note")
    assert (kept.value if kept else None) == note
    if note:
        assert [warned.code for warned in turn.warnings] == ["characters_replaced"]


@pytest.mark.law("3.4")
def test_what_a_function_understood_is_repaired() -> None:
    form = machine_of("""
        flow: ask
        start: ask
        records: {user: {note: string}}
        nodes: {ask: {form: {fields: [{field: user.note}]}}}
        """)
    made = talk(form, understand=[[c.Set(field="user.note", value=f"{HIGH}{LOW} {HIGH}")]])
    made.chat.start()
    turn = made.chat.say("a smile")
    assert turn.state.values["user.note"].value == f"{SMILE} \ufffd"
    assert [warned.code for warned in turn.warnings] == ["characters_replaced"]


@pytest.mark.law("3.1")
def test_a_message_is_repaired() -> None:
    made = talk(SPEAK, model=["Hello."])
    turn = made.chat.say(f"{HIGH}{LOW} {LOW}")
    assert turn.entries[1].event.text == f"{SMILE} \ufffd"
