"""Calls that a server sends under one index are taken apart; where they cannot be, the answer is refused.

Servers that speak like OpenAI's send a call in pieces that say by an index to which call they belong. Some give every
call the same one; put together by it, two calls become one that nobody made.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from typing import Self

from openai.types.chat import ChatCompletionChunk
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse


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
