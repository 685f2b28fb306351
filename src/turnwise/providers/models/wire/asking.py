"""A request in the words of the library: what stays the same comes first, so that providers find it in their caches;
then what was said; last, what is true of this call only.
"""

from __future__ import annotations

from collections.abc import Iterator

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

from turnwise.core.messages import Message
from turnwise.core.prompts import ModelRequest
from turnwise.providers.models.wire.tool_names import ToolNames

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
