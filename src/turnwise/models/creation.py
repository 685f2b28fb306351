"""A model for a name: of a provider, from a script, from a recording, or several with fallback."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import cast

from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.models.names import Cassette, Offline, RealName, Script, check_ready, read_name
from turnwise.models.provider_model import RealModel
from turnwise.models.reach import Patience, Reach, let_go, reach_of
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


def model_named(name: str, reach: Reach | None = None, *, patience: Patience | None = None) -> StreamingModel:
    """The model of a name such as `openai:gpt-5-mini`, `openai:gpt-5-mini, ollama:llama3`, `cassette:talk.json` or
    `scripted:replies.yaml`; `patience` says how long it is waited for, or a `reach` says all that the environment
    would. Raises `TurnwiseError` for a name that means no model, a key or a package that is not there.
    """
    chosen = read_name(name)
    if isinstance(chosen, Offline):
        raise TurnwiseError("offline means that there is no model; leave it out")
    return made(chosen, reach or reach_of(patience=patience))


def made(chosen: Script | Cassette | tuple[RealName, ...], reach: Reach) -> StreamingModel:
    """The model of a name that was read."""
    match chosen:
        case Script(file=file):
            from turnwise.models.scripted import script

            return script(file)
        case Cassette(file=file, models=models):
            from turnwise.models.cassette import CassetteModel

            return CassetteModel(file, made(models, reach) if models else None)
        case _:
            return _real(chosen, reach)


def _real(names: tuple[RealName, ...], reach: Reach) -> StreamingModel:
    if reach.may_call:
        for name in names:
            check_ready(name, reach.environment)
    models = [RealModel(name, reach) for name in names]
    return models[0] if len(models) == 1 else FirstToAnswer(models)
