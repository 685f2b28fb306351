"""Numbers that are hard to keep, in what a model calls and what a tool gives: each is kept as it is, or refused by name."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.tools import facts
from turnwise.core.state.events import CallAnswered, CallRefused, ToolFailed, ToolReturned
from turnwise.models.scripted import call
from turnwise.runner.model_port import CallMade, ModelReply
from turnwise.stores.memory import MemoryStore

BIG = 10**30


class User(tw.Record):
    age: int | None = None


@tw.tool
def take(whole: int | None = None, part: float | None = None, parts: list[float] | None = None) -> str:
    """Take numbers."""
    return repr((whole, part, parts))


@tw.tool
def give() -> dict[str, Any]:
    """Give numbers."""
    return {"big": BIG, "list": [-BIG, 2**64], "part": 1e308}


TOOLS = [take, give]
NODE = tw.Node("a", prompt="x", reads=[User], writes=[User], tools=tw.ToolPolicy(allow=TOOLS))
FLOW = tw.Flow("numbers", start="a", records=[User], tools=TOOLS, nodes=[NODE])
DIGITS = "That number has too many digits."
NONE = "the arguments cannot be read: they are no JSON data: it holds NaN or infinity"

CALLED: list[tuple[str, Any, Any]] = [
    ("kept", call("give"), {"big": BIG, "list": [-BIG, 2**64], "part": 1e308}),
    ("a whole number", call("take", whole=BIG), f"whole: {DIGITS}"),
    ("a negative one", call("take", whole=-(2**63) - 1), f"whole: {DIGITS}"),
    ("one in JSON", CallMade("take", f'{{"whole": {BIG}}}'), f"whole: {DIGITS}"),
    ("one in a text", call("take", whole=str(BIG)), f"whole: {DIGITS}"),
    ("one in groups", call("take", whole=f"{10**21:,}"), f"whole: {DIGITS}"),
    ("for a number", call("take", part=BIG), f"part: {DIGITS}"),
    ("in a list", call("take", parts=[1.5, BIG]), f"parts: {DIGITS}"),
    ("the largest", call("take", whole=2**63 - 1), repr((2**63 - 1, None, None))),
    ("the smallest", call("take", whole=-(2**63)), repr((-(2**63), None, None))),
    ("no number", call("take", part=math.nan), NONE),
    ("no number, which may be left out", call("take", whole=math.inf), NONE),
    ("no number in a list", call("take", parts=[1.0, -math.inf]), NONE),
    ("no number for a record", call("write_user", set={"age": math.nan}), NONE),
    ("a record", call("write_user", set={"age": BIG}), {"success": False, "error": f"age: {DIGITS}"}),
]


def outcome(turn: tw.Turn) -> Any:
    """What came of the one call of a turn."""
    (found,) = facts(turn, CallAnswered, CallRefused, ToolFailed, ToolReturned)
    return found.text if isinstance(found, CallRefused) else found.result


@pytest.mark.law("1.1")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize(("planned", "expected"), [one[1:] for one in CALLED], ids=[one[0] for one in CALLED])
def test_a_number_is_kept_or_refused_and_the_conversation_goes_on(
    planned: ModelReply | CallMade, expected: Any, kind: str, tmp_path: Path
) -> None:
    async def talk() -> None:
        store = MemoryStore() if kind == "memory" else f"sqlite:///{tmp_path}/a.db"
        async with tw.open(FLOW, store=store, model=tw.ScriptedModel([planned, "Done."])) as app:
            chat = app.chat("main")
            turn = await chat.say("go")
            assert (turn.text, outcome(turn)) == ("Done.", expected)
            assert outcome(await chat.turn(1)) == expected
        async with tw.open(FLOW, store=store, model=tw.ScriptedModel(["Still here."])) as app:
            chat = app.chat("main")
            assert (await chat.say("next")).text == "Still here."

    asyncio.run(talk())
