"""One answer of a model: taken piece by piece, tried again where nothing of it was shown, bounded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from inspect import isawaitable, iscoroutine
from typing import Any, cast

from msgspec import DecodeError
from msgspec.json import decode

from turnwise.core.data import as_object
from turnwise.core.messages import Call
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.flow.model import Retry
from turnwise.runner.limits import within
from turnwise.runner.plain import NoData, plain
from turnwise.runner.ports import AnyModel, CallMade, Model, ModelEvent, ModelReply, StreamingModel, TextDelta, Usage

Tell = Callable[[str], object]
"""Is told each piece of text as it comes."""


class Answer:
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls: list[CallMade] = []
        self.usage = Usage("")
        self.chars = 0

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self.texts)

    def take(self, event: ModelEvent) -> None:
        """Add a piece."""
        match event:
            case TextDelta(text):
                if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  models are anybody's code
                    raise ProviderFailed(f"the model gave {type(text).__name__} where text was expected")
                self.texts.append(text)
                self.chars += len(text)
            case CallMade(tool, arguments):
                self.calls.append(event)
                self.chars += len(tool) + len(arguments if isinstance(arguments, str) else str(arguments))
            case Usage():
                self.usage = event
            case other:  # pyright: ignore[reportUnnecessaryComparison]  models are anybody's code
                raise _unexpected(other, "a tw.TextDelta, tw.CallMade or tw.Usage")


async def ask(
    model: AnyModel, request: ModelRequest, answer: Answer, most: int, tell: Tell, retry: Retry, timeout_s: float | None
) -> None:
    """Fill an answer. Raises what the model raised last; what was said until then is in the answer."""
    attempts = 1 + retry.times
    for attempt in range(attempts):
        try:
            async with within(timeout_s):
                await _ask_once(model, request, answer, most, tell)
            return
        except TimeoutError as error:
            failure: Exception = _late(timeout_s) or error
        except Exception as error:  # noqa: BLE001  a provider may fail in any way
            failure = error
        if answer.texts or attempt == attempts - 1:
            raise failure
        answer.__init__()
        await asyncio.sleep(retry.pause_s)


def _late(timeout_s: float | None) -> ProviderFailed | None:
    return None if timeout_s is None else ProviderFailed(f"the model did not answer within {timeout_s:g} s")


async def _ask_once(model: AnyModel, request: ModelRequest, answer: Answer, most: int, tell: Tell) -> None:
    if not hasattr(model, "stream"):
        reply = await _replied(cast("Model", model), request)
        for event in (TextDelta(reply.text), *reply.calls) if reply.text != "" else reply.calls:
            _take(event, answer, most, tell)
        answer.take(Usage(reply.model, reply.tokens_in, reply.tokens_out, reply.cost))
        return
    async with aclosing(_pieces(cast("StreamingModel", model), request)) as stream:
        async for event in stream:
            _take(event, answer, most, tell)


async def _replied(model: Model, request: ModelRequest) -> ModelReply:
    """The reply of a model, which is anybody's code. Raises `ProviderFailed` for what is none."""
    given: Any = model.reply(request)
    if not isawaitable(given):
        raise ProviderFailed("the model's reply() must be async, so that nobody waits for it: async def reply(…)")
    reply: Any = await given
    if not isinstance(reply, ModelReply):
        raise _unexpected(reply, "a tw.ModelReply")
    return reply


def _pieces(model: StreamingModel, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
    """The pieces of a model's reply. Raises `ProviderFailed` where they do not come one by one."""
    given: Any = model.stream(request)
    if hasattr(given, "__aiter__") and hasattr(given, "aclose"):
        return cast("AsyncGenerator[ModelEvent]", given)
    if iscoroutine(given):
        given.close()
    raise ProviderFailed("the model's stream() must be an async generator: async def stream(…), with yield in it")


def _unexpected(given: object, expected: str) -> ProviderFailed:
    return ProviderFailed(f"the model gave {type(given).__name__} where {expected} was expected")


def _take(event: ModelEvent, answer: Answer, most: int, tell: Tell) -> None:
    answer.take(event)
    if answer.chars > most:
        raise ProviderFailed(f"the reply is longer than {most:,} characters (reply_chars), so it was cut off")
    if isinstance(event, TextDelta) and event.text:
        tell(event.text)


def calls_of(answer: Answer, effect: str) -> tuple[Call, ...]:
    """The calls of an answer, each with an id of ours and with arguments that were read, or why they were not."""
    group = effect.replace(".", "-")
    return tuple([_call(f"{group}-{number}", made) for number, made in enumerate(answer.calls, 1)])


def _call(call: str, made: CallMade) -> Call:
    if not isinstance(made.arguments, str):
        try:
            return Call(call, made.tool, plain(made.arguments)[0])
        except NoData as error:
            return Call(call, made.tool, wrong=f"they are no JSON data: {error}")
    try:
        found = decode(made.arguments or "{}")
    except (DecodeError, RecursionError) as error:
        return Call(call, made.tool, wrong=f"they are not JSON: {error}")
    arguments = as_object(found)
    if arguments is None:
        return Call(call, made.tool, wrong="they are JSON, but no object with a value per name")
    return Call(call, made.tool, arguments)
