"""Requests to a provider: the transcript as the library's messages, and names of tools that providers accept.

What never changes comes first, so that providers can cache it.
"""

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
from pydantic_ai.messages import ModelRequest as LibraryRequest
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Message

_LONGEST_NAME = 64
_ACCEPTED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHER_CHARACTER = re.compile(r"[^A-Za-z0-9_-]")
_LANGUAGES = {"de": "German"}
"""The languages that the prompt asks for. Models speak English without being asked."""
BEGIN = "(The conversation begins.)"
CONTINUE = "(Go on.)"
_EMPTY = "(an empty message)"
_APPLICATION = "[From the application, not from the user]"


class ToolNames:
    """Translates the names of the tools of one request. A name that every provider accepts stays the same."""

    def __init__(self, request: ModelRequest) -> None:
        used = [tool.name for tool in request.tools]
        used += [call.tool for message in request.transcript for call in message.calls]
        self._sent = {name: name if _ACCEPTED_NAME.fullmatch(name) else _accepted_name(name) for name in used}
        self._own = {sent: name for name, sent in self._sent.items()}

    def to_provider(self, name: str) -> str:
        """Return the name of a tool as the provider knows it."""
        return self._sent.get(name, name)

    def from_provider(self, name: str) -> str:
        """Return the tool that the provider names. A name that was not sent stays the same, and no tool has it."""
        return self._own.get(name, name)


def _accepted_name(name: str) -> str:
    """Return a readable name that providers accept; a fingerprint makes it unique."""
    fingerprint = sha256(name.encode()).hexdigest()[:8]
    plain = _OTHER_CHARACTER.sub("_", name).lstrip("-0123456789") or "tool"
    return f"{plain[: _LONGEST_NAME - 9]}_{fingerprint}"


def parameters_of(request: ModelRequest, names: ToolNames) -> ModelRequestParameters:
    """Return the tools that may be called now. A tool that must be called is an output tool of the library: where a
    model cannot be forced to call it, the library only asks it to.
    """
    tools = [
        ToolDefinition(
            name=names.to_provider(tool.name), description=tool.about, parameters_json_schema=tool.parameters
        )
        for tool in request.tools
    ]
    if not request.must_call:
        return ModelRequestParameters(function_tools=tools)
    return ModelRequestParameters(output_tools=tools, output_mode="tool", allow_text_output=False)


def messages_of(request: ModelRequest, names: ToolNames) -> list[ModelMessage]:
    """Return the messages. The first and the last are the user's, and none is empty, as all providers require.

    Where the request offers no tools, earlier calls are left out and their results become texts: some providers
    refuse calls in a conversation without tools.
    """
    with_calls = bool(request.tools)
    messages: list[ModelMessage] = []
    for message in request.transcript:
        if message.role == "agent":
            _add_response(messages, _response_parts(message, names, with_calls=with_calls))
        else:
            _add_request(messages, _request_part(message, names, with_calls=with_calls))
    is_answered = bool(messages) and isinstance(messages[-1], ModelResponse)
    if notes := list(_notes(request)):
        _add_request(messages, UserPromptPart("\n".join((_APPLICATION, *notes))))
    elif is_answered or not request.transcript:
        _add_request(messages, UserPromptPart(CONTINUE if is_answered else BEGIN))
    language = _LANGUAGES.get(request.language)
    instructions = [*request.instructions, *([f"Speak {language} with the user."] if language else [])]
    for message in messages:
        if isinstance(message, LibraryRequest):
            message.instructions = "\n\n".join(instructions) or None
    return messages


def _add_response(messages: list[ModelMessage], parts: list[ModelResponsePart]) -> None:
    """Add parts of the agent, to the last message where that is the agent's too."""
    if not parts:
        return
    if not messages:
        _add_request(messages, UserPromptPart(BEGIN))
    last = messages[-1]
    if isinstance(last, ModelResponse):
        last.parts = [*last.parts, *parts]
    else:
        messages.append(ModelResponse(parts))


def _add_request(messages: list[ModelMessage], part: ModelRequestPart) -> None:
    """Add a part of the user or of a tool, to the last message where that is no answer."""
    last = messages[-1] if messages else None
    if isinstance(last, LibraryRequest):
        last.parts = [*last.parts, part]
    else:
        messages.append(LibraryRequest([part]))


def _response_parts(message: Message, names: ToolNames, *, with_calls: bool) -> list[ModelResponsePart]:
    parts: list[ModelResponsePart] = [TextPart(message.text)] if message.text.strip() else []
    if with_calls:
        parts += [ToolCallPart(names.to_provider(call.tool), call.arguments, call.id) for call in message.calls]
    return parts


def _request_part(message: Message, names: ToolNames, *, with_calls: bool) -> ModelRequestPart:
    if message.role == "user":
        return UserPromptPart(message.text if message.text.strip() else _EMPTY)
    if with_calls:
        outcome = "failed" if message.is_error else "success"
        return ToolReturnPart(names.to_provider(message.tool), message.result, message.call, outcome=outcome)
    return UserPromptPart(f"{_APPLICATION}\n{message.tool} gave: {encode(message.result).decode()}")


def _notes(request: ModelRequest) -> Iterator[str]:
    """Return the notes to the model that apply only to this call."""
    if request.missing:
        yield f"Still to be found out from the user: {', '.join(request.missing)}."
    yield from request.notes
    if request.wording:
        yield f"Ask the user just this, in your own words, and nothing else: {request.wording}"
    if request.question:
        yield f"The user asks beside the matter, answer in a sentence or two: {request.question}"
