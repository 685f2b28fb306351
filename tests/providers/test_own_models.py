"""Models of one's own, and scripts of a test, that give something else than a reply: the reason says what was expected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

import turnwise as tw
from support.tools import facts
from turnwise.core.state.events import ModelFailed, ModelReplied, ToolReturned
from turnwise.errors import WrongArgument
from turnwise.models.scripted import call
from turnwise.runner.model_port import CallMade, ModelReply, TextDelta

FLOW = tw.Flow("talk", start="free", nodes=[tw.Node("free", prompt="Talk.")])


class Replies:
    """A model whose reply is whatever it is told."""

    def __init__(self, given: Any) -> None:
        self.given = given

    async def reply(self, _request: object) -> Any:
        return self.given


class Blocks:
    def reply(self, _request: object) -> ModelReply:
        return ModelReply("hello")


class Awaits:
    """A model that is not declared async, and gives something to await all the same."""

    def reply(self, request: object) -> Any:
        return Replies(ModelReply("hello")).reply(request)


class Streams:
    def __init__(self, given: Any) -> None:
        self.given = given

    async def stream(self, _request: object) -> AsyncIterator[Any]:
        yield self.given


class ReturnsAStream:
    async def stream(self, _request: object) -> list[object]:
        return [TextDelta("hello")]


class ListsAStream:
    def stream(self, _request: object) -> list[object]:
        return [TextDelta("hello")]


PIECES = "a tw.TextDelta, tw.CallMade or tw.Usage was expected"
NO_STREAM = "the model's stream() must be an async generator: async def stream(…), with yield in it"

WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: Replies("hello"), "the model gave str where a tw.ModelReply was expected"),
    (lambda: Replies({"text": "hello"}), "the model gave dict where a tw.ModelReply was expected"),
    (lambda: Replies(None), "the model gave NoneType where a tw.ModelReply was expected"),
    (lambda: Replies(ModelReply(calls=({"tool": "x"},))), f"the model gave dict where {PIECES}"),  # type: ignore[arg-type]
    (Blocks, "the model's reply() must be async, so that other turns do not wait for it: async def reply(…)"),
    (lambda: Streams("hello"), f"the model gave str where {PIECES}"),
    (ReturnsAStream, NO_STREAM),
    (ListsAStream, NO_STREAM),
]


@pytest.mark.parametrize(("model", "told"), WRONG, ids=range(len(WRONG)))
def test_a_model_that_gives_no_reply_fails_with_what_was_expected(model: Callable[[], Any], told: str) -> None:
    async def talk() -> list[str]:
        async with tw.open(FLOW, model=model()) as app:
            chat = app.chat("main")
            return [one.reason for one in facts(await chat.say("hi"), ModelFailed)]

    assert asyncio.run(talk()) == [told]


def test_a_reply_that_can_be_awaited_is_one_however_its_method_was_written() -> None:
    with tw.open_sync(FLOW, model=Awaits()) as app:
        chat = app.chat("main")
        assert chat.say("hi").text == "hello"


# scripts -------------------------------------------------------------------------------------------


@tw.tool
def look() -> str:
    """Look."""
    return "seen"


LOOKS = tw.Flow("looks", start="free", tools=[look], nodes=[tw.Node("free", prompt="x", tools=tw.ToolPolicy([look]))])

PLANNED: list[tuple[Any, int, str]] = [
    ([call("look"), call("look")], 2, ""),
    ([CallMade("look", {}), call("look")], 2, ""),
    (["I look.", call("look")], 1, "I look."),
    (CallMade("look", {}), 1, ""),
    ([TextDelta("I "), "look.", CallMade("look", {})], 1, "I look."),
]


@pytest.mark.parametrize(("planned", "calls", "said"), PLANNED, ids=range(len(PLANNED)))
def test_a_script_takes_replies_and_pieces_in_a_list_as_one_reply(planned: Any, calls: int, said: str) -> None:
    with tw.open_sync(LOOKS, model=tw.ScriptedModel([planned, "Done."])) as app:
        chat = app.chat("main")
        turn = chat.say("look twice")
    first = facts(turn, ModelReplied)[0]
    assert (len(first.calls), first.text, len(facts(turn, ToolReturned))) == (calls, said, calls)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("hello", r"plan must be a list with the reply to each call, not str 'hello'"),
        ([3], r"plan\[0\] must be a text, a tw\.ModelReply, call\(…\), an exception, or a list of them .*, not int 3"),
        (["a", {"tool": "look"}], r"plan\[1\] must be a text, .*, not dict"),
        ([[call("look"), "b", None]], r"plan\[0\]\[2\] must be a text, .*, not None"),
    ],
)
def test_a_script_refuses_what_is_no_reply(plan: Any, told: str) -> None:
    with pytest.raises(WrongArgument, match=told):
        tw.ScriptedModel(plan)
