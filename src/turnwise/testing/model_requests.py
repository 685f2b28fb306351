"""What a model was asked in a step: the tools that it was offered, and all the words that it was given."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from turnwise.core.prompts import ModelRequest
from turnwise.core.state.effects import Message

NO_CALL = "no call"


def asked(requests: Sequence[ModelRequest], number: str) -> ModelRequest | None:
    """One call of the model in a step, the last where no number is given; `None` where there is none."""
    place = int(number) - 1 if number else len(requests) - 1
    return requests[place] if 0 <= place < len(requests) else None


def offered(request: ModelRequest) -> str:
    """The names of the tools that a call was told of."""
    return ", ".join(spec.name for spec in request.tools) or "none"


def words(request: ModelRequest) -> str:
    """Everything that a call was told but its tools: a line for each part, a message for each line of the talk."""
    return "\n".join(part for part in _parts(request) if part)


def _parts(request: ModelRequest) -> Iterator[str]:
    yield from request.instructions
    if request.missing:
        yield f"missing: {', '.join(request.missing)}"
    yield from request.notes
    yield from (request.question, request.wording)
    for message in request.transcript:
        yield from _told(message)


def _told(message: Message) -> Iterator[str]:
    if message.role == "tool":
        yield f"{message.tool}: {json.dumps(message.result, ensure_ascii=False)}"
        return
    if message.text:
        yield f"{message.role}: {message.text}"
    for call in message.calls:
        yield f"-> {call.tool} {json.dumps(call.arguments, ensure_ascii=False)}"
