"""Several models, one after the other: the next is asked only where nothing of an answer was shown yet."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import cast

from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.providers.closing import let_go
from turnwise.runner.ports import ModelEvent, StreamingModel


class FirstToAnswer:
    """The first of several models that answers."""

    understands = True

    def __init__(self, models: Sequence[StreamingModel]) -> None:
        self.models = models

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Its answer. Raises `ProviderFailed` with every reason where none answers."""
        reasons: list[str] = []
        for model in self.models:
            is_shown = False
            try:
                async with aclosing(cast("AsyncGenerator[ModelEvent]", model.stream(request))) as pieces:
                    async for event in pieces:
                        is_shown = True
                        yield event
                return
            except ProviderFailed as failure:
                if is_shown:
                    raise
                reasons.append(str(failure))
        raise ProviderFailed("; ".join(reasons))

    async def close(self) -> None:
        """Let go of their connections."""
        for model in self.models:
            await let_go(model)
