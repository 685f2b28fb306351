"""One answer of a model: taken piece by piece, tried again where nothing of it was shown, bounded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from inspect import isawaitable, iscoroutine
from typing import Any, NoReturn, cast

from msgspec import DecodeError
from msgspec.json import decode
from msgspec.structs import replace

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Call
from turnwise.core.values.json_data import Repaired, TextRepairer, as_object, repair, repair_data
from turnwise.errors import ProviderFailed
from turnwise.flow.model import Retry
from turnwise.runner.json_data import NoData, Plain, plain
from turnwise.runner.ports import AnyModel, CallMade, Model, ModelEvent, ModelReply, StreamingModel, TextDelta, Usage
from turnwise.runner.tool_execution import within

Tell = Callable[[str], object]
"""Is told each piece of text as it comes."""


class Answer:
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls: list[CallMade] = []
        self.usage = Usage("")
        self.chars = 0
        self.repairer = TextRepairer()

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.texts)

    def take(self, event: ModelEvent) -> str:
        """Add a piece; return the text that can be shown for it now."""
        match event:
            case TextDelta(text):
                if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  models are anybody's code
                    raise ProviderFailed(f"the model gave {type(text).__name__} where text was expected")
                self.chars += len(text)
                return self._add(self.repairer.add(text))
            case CallMade(tool, arguments):
                self.calls.append(event)
                self.chars += len(tool) + len(arguments if isinstance(arguments, str) else str(arguments))
            case Usage():
                self.usage = replace(event, model=repair(event.model).data)
            case other:  # pyright: ignore[reportUnnecessaryComparison]  models are anybody's code
                raise _unexpected(other, "a tw.TextDelta, tw.CallMade or tw.Usage")
        return ""

    def end(self) -> str:
        """Add half a character whose other half never came; return the text that can be shown for it."""
        return self._add(self.repairer.end())

    @property
    def replaced(self) -> int:
        """How many lone surrogates were replaced in the text, and in the calls that were read."""
        return self.repairer.replaced

    def _add(self, text: str) -> str:
        if text:
            self.texts.append(text)
        return text


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
    try:
        if hasattr(model, "stream"):
            async with aclosing(_pieces(cast("StreamingModel", model), request)) as stream:
                async for event in stream:
                    _take(event, answer, most, tell)
            return
        reply = await _replied(cast("Model", model), request)
        for event in (TextDelta(reply.text), *reply.calls) if reply.text != "" else reply.calls:
            _take(event, answer, most, tell)
        answer.take(Usage(reply.model, reply.tokens_in, reply.tokens_out, reply.cost))
    finally:
        if rest := answer.end():
            tell(rest)


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
    shown = answer.take(event)
    if answer.chars > most:
        raise ProviderFailed(f"the reply is longer than {most:,} characters (reply_chars), so it was cut off")
    if shown:
        tell(shown)


def calls_of(answer: Answer, effect: str) -> tuple[Call, ...]:
    """The calls of an answer, each with an id of ours and with arguments that were read, or why they were not. What
    is replaced in them is added to `answer.replaced`.
    """
    group = effect.replace(".", "-")
    return tuple([_call(answer, f"{group}-{number}", made) for number, made in enumerate(answer.calls, 1)])


def _call(answer: Answer, call: str, made: CallMade) -> Call:
    tool = repair(made.tool)
    try:
        found = _decoded(made.arguments) if isinstance(made.arguments, str) else plain(made.arguments)
    except NoData as error:
        return Call(call, tool.data, wrong=f"they are no JSON data: {error}")
    except (ValueError, RecursionError) as error:
        return Call(call, tool.data, wrong=f"they are not JSON: {error}")
    answer.repairer.replaced += tool.replaced + found.replaced
    arguments = as_object(found.data)
    if arguments is None:
        return Call(call, tool.data, wrong="they are JSON, but no object with a value per name")
    return Call(call, tool.data, arguments)


def _decoded(text: str) -> Plain | Repaired:
    """The data of a JSON text. Raises `ValueError`."""
    repaired = repair(text or "{}")
    try:
        return Repaired(decode(repaired.data), repaired.replaced)
    except DecodeError:
        if "\\ud" not in text.lower():
            raise
    found = repair_data(json.loads(repaired.data, parse_constant=_refuse_constant))
    return Repaired(found.data, found.replaced + repaired.replaced)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
