"""Which model answers a request: the one that was given for all, else the one that its node or flow names."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from turnwise.core.language import Language
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.models.creation import made
from turnwise.models.names import Offline, read_name
from turnwise.models.no_model import NoModel
from turnwise.models.reach import Reach, let_go
from turnwise.runner.ports import ModelEvent, StreamingModel, TextDelta, Usage


class NamedModels:
    """Models by their names, each made once. `default` answers what names no model; where `named` is `None`, it
    answers everything. What cannot work is told at once: raises `TurnwiseError` for a name that means nothing, a key
    or a package that is not there.
    """

    def __init__(self, default: str, named: Iterable[str] | None, language: Language, reach: Reach) -> None:
        self.default = default
        self.is_for_all = named is None
        self.language = language
        self.reach = reach
        self._models = {name: self._made(name) for name in {default, *(named or ())}}

    @property
    def is_offline(self) -> bool:
        """Whether nobody but the offline rules answers."""
        return all(isinstance(model, _Silent) for model in self._models.values())

    @property
    def understands(self) -> bool:
        """Whether messages are read by a model too."""
        return getattr(self._models[self.default], "understands", False)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The answer of the model that is meant."""
        name = self.default if self.is_for_all else request.model or self.default
        if name not in self._models:
            self._models[name] = self._made(name)
        return self._models[name].stream(request)

    async def close(self) -> None:
        """Let go of every connection."""
        for model in self._models.values():
            await let_go(model)

    def _made(self, name: str) -> StreamingModel:
        chosen = read_name(name) if name or self.is_for_all else Offline()
        if isinstance(chosen, Offline):
            return _Silent(NoModel(self.language))
        return made(chosen, self.reach)


class _Silent:
    """No model, piece by piece."""

    def __init__(self, nobody: NoModel) -> None:
        self.nobody = nobody

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if request.must_call:
            raise ProviderFailed("no model is connected here")
        reply = await self.nobody.reply(request)
        yield TextDelta(reply.text)
        yield Usage(reply.model)
