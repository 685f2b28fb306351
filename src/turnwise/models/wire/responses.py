"""Responses of a provider: text as it arrives, calls when they are complete, the cost at the end.

Some servers send all calls under one index. Such calls are separated; where that is impossible, the response is
refused.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from openai.types.chat import ChatCompletionChunk
from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse

from turnwise.core.state.effects import Thought
from turnwise.core.values.json_data import NotJson, as_object, to_json_data
from turnwise.models.names import RealName
from turnwise.models.reach import AttemptFailed
from turnwise.models.wire.requests import ToolNames
from turnwise.runner.model_port import CallMade, ModelEvent, TextDelta, Usage

_MOST_CHARACTERS = 1_000_000
"""The most characters of calls in one response."""


class MergedCalls(Exception):
    """A server sent two tool calls as one, and they cannot be separated."""


class ResponseReader:
    """Reads the events of one response of a provider."""

    def __init__(self, name: RealName, names: ToolNames) -> None:
        self.name = name
        self.names = names
        self.ids: dict[int, str] = {}
        self.size = 0

    def read(self, event: ModelResponseStreamEvent | object) -> TextDelta | None:
        """Return the text of an event; `None` if it has none.
        Raises `MergedCalls`, and `AttemptFailed` for endless calls.
        """
        match event:
            case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                return TextDelta(text) if text else None
            case PartStartEvent(index=index, part=ToolCallPart(tool_call_id=call, args=args)):
                self.ids[index] = call
            case PartDeltaEvent(index=index, delta=ToolCallPartDelta(args_delta=args) as delta):
                if delta.tool_name_delta or (delta.tool_call_id and delta.tool_call_id != self.ids.get(index)):
                    raise MergedCalls
            case _:
                return None
        self.size += len(args) if isinstance(args, str) else len(str(args or ""))
        if self.size > _MOST_CHARACTERS:
            raise AttemptFailed(f"sent calls of more than {_MOST_CHARACTERS:,} characters", may_pass=False)
        return None

    def end(self, reply: ModelResponse) -> Iterable[ModelEvent]:
        """Return the tool calls of the response, then its cost and the reason of its end.
        Raises `AttemptFailed` where that is missing: the response may be cut off.
        """
        finish = _finish(reply)
        if not finish:
            raise AttemptFailed("sent an answer without the reason of its end: it may be cut off", may_pass=True)
        calls = [part for part in reply.parts if isinstance(part, ToolCallPart)]
        for part in calls:
            arguments = part.args if isinstance(part.args, str) else dict(part.args or {})
            yield CallMade(self.names.from_provider(part.tool_name), arguments)
        yield from _thoughts(str(self.name), reply)
        model = f"{self.name.provider}:{reply.model_name}"
        used = reply.usage
        yield Usage(model, used.input_tokens, used.output_tokens, _cost(reply), finish, used.cache_read_tokens)


def _finish(reply: ModelResponse) -> str:
    """Return why a response ended: in the provider's own word where the library knows none, or only that it failed."""
    own = str((reply.provider_details or {}).get("finish_reason") or "")
    return (own or reply.finish_reason or "") if reply.finish_reason in (None, "error") else reply.finish_reason


def _thoughts(model: str, reply: ModelResponse) -> Iterable[Thought]:
    """Yield what the provider wants back with the calls of a response, in order."""
    calls = 0
    for part in reply.parts:
        match part:
            case ThinkingPart(content=text, signature=signature, id=id_, provider_name=provider):
                details = _details(part.provider_details)
                yield Thought(model, "thought", calls, text, signature or "", id_ or "", provider or "", details)
            case ToolCallPart():
                calls += 1
                if details := _details(part.provider_details):
                    provider, id_ = part.provider_name or "", part.id or ""
                    yield Thought(model, "call", calls, id=id_, provider=provider, details=details)
            case TextPart(provider_details=found) if details := _details(found):
                yield Thought(model, "text", calls, provider=part.provider_name or "", details=details)
            case _:
                pass


def _details(found: dict[str, Any] | None) -> dict[str, Any]:
    """Return details of a provider, if they can be stored."""
    try:
        return as_object(to_json_data(found).data) or {} if found else {}
    except NotJson:
        return {}


def _cost(reply: ModelResponse) -> float | None:
    """Return the cost in US dollars, where the provider reports it or its prices are known."""
    if reply.usage.cost is not None:
        return float(reply.usage.cost)
    try:
        return float(reply.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


# servers that send all calls under one index --------------------------------------------------------


class ChatModel(OpenAIChatModel):
    """A model with the API of OpenAI, on a server that may send all calls under one index."""

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _SeparatedResponse


@dataclass
class _SeparatedResponse(OpenAIStreamedResponse):
    async def _validate_response(self) -> AsyncIterator[ChatCompletionChunk]:
        separator = CallSeparator()
        async for chunk in super()._validate_response():
            delta = chunk.choices[0].delta if chunk.choices else None
            for piece in (delta.tool_calls or ()) if delta else ():
                function = piece.function
                name, arguments = (function.name or "", function.arguments or "") if function else ("", "")
                piece.index, added = separator.assign(piece.index, piece.id or "", name, arguments)
                if function:
                    function.name = added or None
            yield chunk


class CallSeparator:
    """Assigns the pieces of tool calls in a response to their calls."""

    def __init__(self) -> None:
        self.calls: dict[int | None, list[_PartialCall]] = {}
        self.count = 0

    def assign(self, index: int | None, id_: str, name: str, arguments: str) -> tuple[int, str]:
        """Return the index of a piece's call among all calls, from 0, and the name that the piece adds to it.
        `index` is the one that the server sent. Raises `MergedCalls` where the piece may belong to two calls.
        """
        calls = self.calls.setdefault(index, [])
        call = self._continued(calls, id_, name)
        if call is None:
            call, added = _PartialCall(self.count, id_, name), name
            self.count += 1
            calls.append(call)
        else:
            added = "" if call.name else name
            call.id, call.name = call.id or id_, call.name or name
        call.arguments.append(arguments)
        return call.index, added

    def _continued(self, calls: list[_PartialCall], id_: str, name: str) -> _PartialCall | None:
        """Return the call that a piece continues, `None` where it begins one. An id decides. Without ids, a name
        begins a call if the call before it is complete.
        """
        call = next((call for call in reversed(calls) if call.id == id_), None) if id_ else calls[-1] if calls else None
        if call is None:
            return calls[-1] if calls and not calls[-1].id and not name else None
        if not name or not call.name or name == call.name:
            return None if name and not id_ and call.is_complete() else call
        if id_ or not call.is_complete():
            raise MergedCalls
        return None


@dataclass(slots=True)
class _PartialCall:
    """A call of which pieces have arrived."""

    index: int
    id: str
    name: str
    arguments: list[str] = field(default_factory=list[str])

    def is_complete(self) -> bool:
        try:
            json.loads("".join(self.arguments))
        except ValueError:
            return False
        return True
