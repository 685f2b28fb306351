"""The line to one model: a request goes out, the pieces of its answer come in."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping

from pydantic_ai.direct import model_request_stream
from pydantic_ai.settings import ModelSettings

from turnwise.core.prompts import ModelRequest
from turnwise.providers.models.names import RealName
from turnwise.providers.models.patience import Patience
from turnwise.providers.models.wire.asking import messages_of, parameters_of
from turnwise.providers.models.wire.building import built
from turnwise.providers.models.wire.failing import trouble_of
from turnwise.providers.models.wire.hearing import Hearing
from turnwise.providers.models.wire.tool_names import ToolNames
from turnwise.runner.ports import ModelEvent

_OWN_RETRIES = ("openai", "anthropic", "groq", "ollama", "vllm", "compatible")
"""Whose clients would ask again by themselves; asking again is done once, in one place."""


class Line:
    """A model of the library and its connections. Raises `Trouble` where it cannot be made."""

    def __init__(self, name: RealName, patience: Patience, environment: Mapping[str, str]) -> None:
        self.name = name
        self.settings = ModelSettings(max_retries=0) if name.provider in _OWN_RETRIES else ModelSettings()
        try:
            self.model, self.close = built(name, patience, environment)
        except Exception as error:  # noqa: BLE001  the clients of providers raise what they like
            raise trouble_of(error) from None

    async def pieces(self, request: ModelRequest) -> AsyncGenerator[ModelEvent | None]:
        """The pieces of an answer; `None` for a sign of life without a word. Raises `Trouble`."""
        names = ToolNames(request)
        hearing = Hearing(self.name.provider, names)
        try:
            async with model_request_stream(
                self.model,
                messages_of(request, names),
                model_settings=self.settings,
                model_request_parameters=parameters_of(request, names),
                instrument=False,
            ) as stream:
                async for event in stream:
                    yield hearing.heard(event)
                found = hearing.ended(stream.get())
        except Exception as error:  # noqa: BLE001  the same
            raise trouble_of(error) from None
        for event in found:
            yield event
