"""Calls that a request requires, on servers that do not force them: the arguments are asked for as a JSON object.

Ollama ignores `tool_choice`, and llama.cpp does for some chat templates: a small model writes a text then. The same
servers force the form of a text by a JSON schema (`response_format`), so that the model can write nothing else.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from typing import Protocol

from msgspec import DecodeError
from msgspec.json import decode
from msgspec.structs import replace
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import ToolSpec
from turnwise.core.values.json_data import as_object
from turnwise.models.reach import AttemptFailed
from turnwise.models.wire.short_schema import short_schema
from turnwise.runner.model_port import CallMade, ModelEvent, TextDelta, Usage

_WITH_SCHEMA = ("ollama", "vllm", "compatible")
"""The providers whose servers may force a JSON schema where they do not force a call."""
_BY_SCHEMA_AT_ONCE = ("ollama",)
"""Providers that cannot force any call."""
_FENCE = "```"


class Send(Protocol):
    """A function that sends a request once, with a JSON schema for the answer if wanted."""

    def __call__(self, request: ModelRequest, *, by_schema: bool) -> AsyncGenerator[ModelEvent | None]:
        """Stream the pieces of the reply."""
        ...


class RequiredCalls:
    """Requests tool calls that must be made, and learns how the server of a connection supports that."""

    def __init__(self, provider: str) -> None:
        self.may_use_schema = provider in _WITH_SCHEMA
        self.by_schema = provider in _BY_SCHEMA_AT_ONCE

    async def stream(self, request: ModelRequest, send: Send) -> AsyncGenerator[ModelEvent | None]:
        """Yield a reply with the required call; `None` for a piece that is not passed on.
        `send` sends the request once. A text in the place of the call is asked for by a JSON schema, in this and in all
        later requests, unless the server refuses schemas.
        """
        spent = Usage("")
        while True:
            by_schema, reply = self.by_schema, list[ModelEvent]()
            try:
                async with aclosing(send(request, by_schema=by_schema)) as events:
                    async for event in events:
                        reply += [event] if event is not None else []
                        yield None
            except AttemptFailed as failure:
                if not (by_schema and failure.is_refused):
                    raise
                self.by_schema = self.may_use_schema = False
                continue
            if by_schema:
                reply = list(_as_call(request.must_call, reply))
            if by_schema or not self.may_use_schema or any(isinstance(one, CallMade) for one in reply):
                break
            self.by_schema = True
            spent = next((one for one in reply if isinstance(one, Usage)), spent)
        for event in reply:
            yield _with(spent, event) if isinstance(event, Usage) else event


def schema_request(request: ModelRequest) -> ModelRequest:
    """Return a request that asks for the arguments of its required call as text, and shows their form."""
    tool = required_tool(request)
    form = short_schema(tool.parameters)
    words = f"Reply with one JSON object and nothing else: {tool.about}. Its form, in TypeScript:\n{form}"
    first, *others = request.instructions  # the schema changes more seldom than what follows, and can be kept
    return replace(request, tools=(), instructions=(first, words, *others))


def schema_parameters(tool: ToolSpec) -> ModelRequestParameters:
    """Return the request parameters that require an answer in the form of a tool's arguments."""
    form = OutputObjectDefinition(json_schema=tool.parameters, name=tool.name, description=tool.about)
    return ModelRequestParameters(output_mode="native", output_object=form, allow_text_output=True)


def required_tool(request: ModelRequest) -> ToolSpec:
    """Return the tool that a request requires the model to call."""
    return next(tool for tool in request.tools if tool.name == request.must_call)


def _as_call(tool: str, reply: Iterable[ModelEvent]) -> Iterator[ModelEvent]:
    """Yield a reply whose text is the arguments of a call with that call in its place; another text stays."""
    events = list(reply)
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    arguments = _object_in(text)
    if arguments is None:
        yield from events
        return
    if arguments.get("name") == tool and (inner := as_object(arguments.get("arguments"))) is not None:
        arguments = inner  # a server that does not force the schema, and a model that has learned to write calls
    yield CallMade(tool, arguments)
    yield from (event for event in events if not isinstance(event, TextDelta))


def _object_in(text: str) -> dict[str, object] | None:
    """Return the JSON object that a text consists of, with or without a fence of Markdown around it."""
    text = text.strip()
    if text.startswith(_FENCE) and text.endswith(_FENCE):
        text = text.removesuffix(_FENCE).partition("\n")[2]
    try:
        return as_object(decode(text))
    except (DecodeError, UnicodeEncodeError):
        return None


def _with(spent: Usage, usage: Usage) -> Usage:
    """Return the usage of a reply with that of a reply before it that had no call."""
    if not spent.model:
        return usage
    return replace(
        usage,
        tokens_in=usage.tokens_in + spent.tokens_in,
        tokens_out=usage.tokens_out + spent.tokens_out,
        cost=None if usage.cost is None else usage.cost + (spent.cost or 0),
        tokens_cached=usage.tokens_cached + spent.tokens_cached,
    )
