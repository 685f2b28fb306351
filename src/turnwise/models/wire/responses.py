"""A response as it arrives: text at once, calls when they are whole, the cost at the end.

Calls that a server sends under one index are separated; where that is impossible, the response is refused.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from openai.types.chat import ChatCompletionChunk
from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse

from turnwise.models.errors import Trouble
from turnwise.models.wire.requests import ToolNames
from turnwise.runner.ports import CallMade, ModelEvent, TextDelta, Usage


class Glued(Exception):
    """Two calls came as one."""


@dataclass(slots=True)
class _Begun:
    """A call of which pieces have come; `place` is its index among all calls."""

    place: int
    id: str
    name: str
    arguments: list[str] = field(default_factory=list[str])

    def is_whole(self) -> bool:
        try:
            json.loads("".join(self.arguments))
        except ValueError:
            return False
        return True


class Places:
    """To which call each piece belongs."""

    def __init__(self) -> None:
        self.begun: dict[int | None, list[_Begun]] = {}
        self.count = 0

    def place(self, index: int | None, id_: str, name: str, arguments: str) -> tuple[int, str]:
        """The index of the piece's call among all calls, and the name that it adds. Raises `Glued` where it may
        belong to two.
        """
        calls = self.begun.setdefault(index, [])
        call = self._same(calls, id_, name)
        if call is None:
            call, added = _Begun(self.count, id_, name), name
            self.count += 1
            calls.append(call)
        else:
            added = "" if call.name else name
            call.id, call.name = call.id or id_, call.name or name
        call.arguments.append(arguments)
        return call.place, added

    def _same(self, calls: list[_Begun], id_: str, name: str) -> _Begun | None:
        """The call that a piece goes on with, `None` where it begins one. Who gives ids is believed; else a name
        begins a call, once the one before it is whole.
        """
        call = next((call for call in reversed(calls) if call.id == id_), None) if id_ else calls[-1] if calls else None
        if call is None:
            return calls[-1] if calls and not calls[-1].id and not name else None
        if not name or not call.name or name == call.name:
            return None if name and not id_ and call.is_whole() else call
        if id_ or not call.is_whole():
            raise Glued
        return None


class _Apart:
    """The chunks of an answer, with an index of its own for every call."""

    def __init__(self, chunks: AsyncIterable[ChatCompletionChunk]) -> None:
        self.chunks: AsyncIterator[ChatCompletionChunk] = aiter(chunks)
        self.places = Places()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ChatCompletionChunk:
        chunk = await anext(self.chunks)
        delta = chunk.choices[0].delta if chunk.choices else None
        for piece in (delta.tool_calls or ()) if delta else ():
            function = piece.function
            name, arguments = (function.name or "", function.arguments or "") if function else ("", "")
            piece.index, added = self.places.place(piece.index, piece.id or "", name, arguments)
            if function:
                function.name = added or None
        return chunk


@dataclass
class _ApartResponse(OpenAIStreamedResponse):
    def _validate_response(self) -> AsyncIterable[ChatCompletionChunk]:
        return _Apart(super()._validate_response())


class ChatModel(OpenAIChatModel):
    """A model that speaks like OpenAI's, of a server that may give all its calls the same index."""

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _ApartResponse


_MOST_HELD = 1_000_000
"""Characters of calls that are held until they are whole."""
_ENDS_WITHOUT_A_WORD = {
    "content_filter": "kept its answer back by a filter",
    "length": "used up its tokens before it said anything",
    "error": "ended its answer with an error",
}


class Hearing:
    """One answer."""

    def __init__(self, provider: str, names: ToolNames) -> None:
        self.provider = provider
        self.names = names
        self.ids: dict[int, str] = {}
        self.held = 0

    def heard(self, event: ModelResponseStreamEvent | object) -> TextDelta | None:
        """The text of an event, where it has one. Raises where two calls came as one, or a call has no end."""
        match event:
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                return TextDelta(text) if text else None
            case PartStartEvent(index=index, part=ToolCallPart(tool_call_id=call, args=args)):
                self.ids[index] = call
                self._hold(args)
            case PartDeltaEvent(index=index, delta=ToolCallPartDelta() as delta):
                if delta.tool_name_delta or (delta.tool_call_id and delta.tool_call_id != self.ids.get(index)):
                    raise Glued
                self._hold(delta.args_delta)
            case _:
                pass
        return None

    def _hold(self, arguments: object) -> None:
        self.held += len(arguments) if isinstance(arguments, str) else len(str(arguments or ""))
        if self.held > _MOST_HELD:
            raise Trouble(f"sent calls of more than {_MOST_HELD:,} characters", may_pass=False)

    def ended(self, reply: ModelResponse) -> Iterable[ModelEvent]:
        """The calls, and what the answer cost. Raises `Trouble` where it ended without saying anything."""
        calls = [part for part in reply.parts if isinstance(part, ToolCallPart)]
        is_empty = not calls and not any(isinstance(part, TextPart) and part.content for part in reply.parts)
        if is_empty and reply.finish_reason in _ENDS_WITHOUT_A_WORD:
            raise Trouble(_ENDS_WITHOUT_A_WORD[reply.finish_reason], may_pass=False)
        for part in calls:
            yield CallMade(self.names.back(part.tool_name), _arguments(part))
        model = f"{self.provider}:{reply.model_name}"
        yield Usage(model, reply.usage.input_tokens, reply.usage.output_tokens, _cost(reply))


def _arguments(part: ToolCallPart) -> dict[str, Any] | str:
    """As the provider gives them: data, or the text that should be it."""
    return part.args if isinstance(part.args, str) else dict(part.args or {})


def _cost(reply: ModelResponse) -> float | None:
    """US dollars, where the provider says so or its prices are known."""
    if reply.usage.cost is not None:
        return float(reply.usage.cost)
    try:
        return float(reply.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None
