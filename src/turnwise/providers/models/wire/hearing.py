"""An answer as it comes in: text at once, calls when they are whole, what it cost at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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

from turnwise.providers.models.trouble import Trouble
from turnwise.providers.models.wire.apart import Glued
from turnwise.providers.models.wire.tool_names import ToolNames
from turnwise.runner.ports import CallMade, ModelEvent, TextDelta, Usage

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
