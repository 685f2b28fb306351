"""The port of models: what a model is asked and replies, whole or piece by piece, and what callers receive of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Thought
from turnwise.core.state.kinds import ReplyFault


class TextDelta(Struct, frozen=True, gc=False):
    """A piece of a model's text, in order."""

    text: str
    """The piece of text."""


class CallMade(Struct, frozen=True, gc=False):
    """A tool call by a model; its arguments are an object, or JSON text."""

    tool: str
    """The name of the called tool."""
    arguments: dict[str, Any] | str = {}
    """The arguments by name, or the JSON text of them."""


class Usage(Struct, frozen=True, gc=False):
    """The model that replied, and what the call used: tokens and, if prices are known, the cost in US dollars.
    `finish` is why the reply ended, as the provider says it: with "stop", or "tool_calls" and a call, it is whole.
    """

    model: str
    """The name of the model that replied."""
    tokens_in: int = 0
    """The number of tokens of the request."""
    tokens_out: int = 0
    """The number of tokens of the reply."""
    cost: float | None = None
    """The cost in US dollars; `None` where no price is known."""
    finish: str = ""
    """Why the reply ended, as the provider says it: whole with `stop`, or `tool_calls` and a call; empty: unknown."""
    tokens_cached: int = 0
    """How many of the request's tokens (`tokens_in`) the provider had cached."""


class TextWithdrawn(Struct, frozen=True, gc=False):
    """Withdraws the text of a reply so far, which other text replaces.
    Where an attempt failed, `reason`, `code` and `tool` say why.
    """

    reason: str = ""
    """Why an attempt failed, in words; empty where none failed."""
    code: ReplyFault | Literal[""] = ""
    """The kind of the fault of a failed attempt; empty where none failed."""
    tool: str = ""
    """The tool that a failed attempt was about; empty if none."""


ModelEvent = TextDelta | CallMade | Usage | Thought | TextWithdrawn
"""The events that a model sends while it streams a reply."""


class ModelReply(Struct, frozen=True, gc=False):
    """The reply of a model: text, tool calls, model name, and usage; `finish` is why it ended, as in `Usage`."""

    text: str = ""
    """The text of the reply; empty if it has none."""
    model: str = ""
    """The name of the model that replied."""
    tokens_in: int = 0
    """The number of tokens of the request."""
    tokens_out: int = 0
    """The number of tokens of the reply."""
    calls: tuple[CallMade, ...] = ()
    """The tool calls of the reply, in order."""
    cost: float | None = None
    """The cost in US dollars; `None` where no price is known."""
    finish: str = ""
    """Why the reply ended, as the provider says it (see `Usage.finish`); empty where it is unknown."""
    tokens_cached: int = 0
    """How many of the request's tokens (`tokens_in`) the provider had cached."""


class Model(Protocol):
    """A model that returns its reply as a whole. Raises `ProviderFailed` if that fails."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        """Return the model's answer to one request."""
        ...


class StreamingModel(Protocol):
    """A model that streams its reply. Raises `ProviderFailed` if that fails, also in the middle."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the pieces of the model's answer to one request."""
        ...


AnyModel = Model | StreamingModel
"""A model that streams, or one that replies at once."""


class Delta(Struct, frozen=True, gc=False):
    """A piece of a model's text, sent before it is stored. The stored text comes as `Said`.
    After `TurnRestarted` the pieces are void.
    """

    node: str
    """The node that speaks."""
    effect: str
    """The id of the model call."""
    text: str
    """The piece of text, or the whole text where `is_whole`."""
    turn: int
    """The number of the turn."""
    is_whole: bool = False
    """True where the text replaces the earlier pieces of its model call, since that attempt failed."""


OnDelta = Callable[[Delta], object]
"""A function that is called with each piece of text that a model says in a turn."""
