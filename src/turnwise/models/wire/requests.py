"""A request in the words of the library, with names of tools as providers take them; what never changes is first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from msgspec.json import encode
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.messages import ModelRequest as Asked
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Message

_LONGEST = 64
_TAKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHER = re.compile(r"[^A-Za-z0-9_-]")


class ToolNames:
    """The names of the tools of one request, there and back. A name that every provider takes stays as it is."""

    def __init__(self, request: ModelRequest) -> None:
        used = [tool.name for tool in request.tools]
        used += [call.tool for message in request.transcript for call in message.calls]
        kept = {name for name in used if _TAKEN.fullmatch(name)}
        self._there = {name: name if name in kept else _made(name) for name in used}
        self._back = {there: name for name, there in self._there.items()}

    def there(self, name: str) -> str:
        """A tool's name, as the provider is told it."""
        return self._there.get(name, name)

    def back(self, name: str) -> str:
        """The tool that the provider means; a name that it was not told stays, and nothing is called so."""
        return self._back.get(name, name)


def _made(name: str) -> str:
    """A name of its own for a name that is not taken: readable, and never that of another tool."""
    proof = sha256(name.encode()).hexdigest()[:8]
    plain = _OTHER.sub("_", name).lstrip("-0123456789") or "tool"
    return f"{plain[: _LONGEST - 9]}_{proof}"


_LANGUAGES = {"de": "German"}
"""The languages that are asked for; English is what models speak unasked."""
BEGIN = "(The conversation begins.)"
GO_ON = "(Go on.)"
_EMPTY = "(an empty message)"
_APPLICATION = "[From the application, not from the user]"


def parameters_of(request: ModelRequest, names: ToolNames) -> ModelRequestParameters:
    """The tools that may be called now. One that must be called is asked for as the library asks for structured
    output: where a model cannot be forced, it is only asked.
    """
    tools = [
        ToolDefinition(name=names.there(tool.name), description=tool.about, parameters_json_schema=tool.parameters)
        for tool in request.tools
    ]
    if not request.must_call:
        return ModelRequestParameters(function_tools=tools)
    return ModelRequestParameters(output_tools=tools, output_mode="tool", allow_text_output=False)


def messages_of(request: ModelRequest, names: ToolNames) -> list[ModelMessage]:
    """The messages: the user's first and last, as every provider wants it, and none that is empty.

    Where no tool is offered, earlier calls and their results are told in words: some providers refuse calls
    in a conversation without tools.
    """
    talk = _Talk()
    for message in request.transcript:
        if message.role == "agent":
            talk.agent(_said(message, names, with_calls=bool(request.tools)))
        else:
            talk.asked(_told(message, names, with_calls=bool(request.tools)))
    talk.asked(_now(request, go_on=talk.is_answered()))
    instructions = "\n\n".join((*request.instructions, *_language(request)))
    for asked in talk.messages:
        if isinstance(asked, Asked):
            asked.instructions = instructions or None
    return talk.messages


class _Talk:
    """Messages that take turns: what follows one of the same side is added to it."""

    def __init__(self) -> None:
        self.messages: list[ModelMessage] = []

    def agent(self, parts: list[ModelResponsePart]) -> None:
        if not parts:
            return
        if not self.messages:
            self.asked(UserPromptPart(BEGIN))
        last = self.messages[-1]
        if isinstance(last, ModelResponse):
            last.parts = [*last.parts, *parts]
        else:
            self.messages.append(ModelResponse(parts))

    def asked(self, part: ModelRequestPart | None) -> None:
        if part is None:
            return
        last = self.messages[-1] if self.messages else None
        if isinstance(last, Asked):
            last.parts = [*last.parts, part]
        else:
            self.messages.append(Asked([part]))

    def is_answered(self) -> bool:
        return bool(self.messages) and isinstance(self.messages[-1], ModelResponse)


def _said(message: Message, names: ToolNames, *, with_calls: bool) -> list[ModelResponsePart]:
    parts: list[ModelResponsePart] = [TextPart(message.text)] if message.text.strip() else []
    if with_calls:
        parts += [ToolCallPart(names.there(call.tool), call.arguments, call.id) for call in message.calls]
    return parts


def _told(message: Message, names: ToolNames, *, with_calls: bool) -> ModelRequestPart:
    if message.role == "user":
        return UserPromptPart(message.text if message.text.strip() else _EMPTY)
    if with_calls:
        outcome = "failed" if message.is_error else "success"
        return ToolReturnPart(names.there(message.tool), message.result, message.call, outcome=outcome)
    return UserPromptPart(f"{_APPLICATION}\n{message.tool} gave: {encode(message.result).decode()}")


def _now(request: ModelRequest, *, go_on: bool) -> ModelRequestPart | None:
    """What is true of this call only; something must be there, where the agent spoke last or nobody has yet."""
    parts = list(_parts(request))
    if parts:
        return UserPromptPart("\n".join((_APPLICATION, *parts)))
    return UserPromptPart(GO_ON if go_on else BEGIN) if go_on or not request.transcript else None


def _parts(request: ModelRequest) -> Iterator[str]:
    if request.missing:
        yield f"Still to be found out from the user: {', '.join(request.missing)}."
    yield from request.notes
    if request.wording:
        yield f"Ask the user just this, in your own words, and nothing else: {request.wording}"
    if request.question:
        yield f"The user asks beside the matter, answer in a sentence or two: {request.question}"


def _language(request: ModelRequest) -> Iterator[str]:
    if request.language in _LANGUAGES:
        yield f"Speak {_LANGUAGES[request.language]} with the user."
