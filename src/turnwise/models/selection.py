"""Models by name: makes the model of a name, tries several in turn, and selects the model of a node or flow."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from typing import cast

from turnwise.core.language import Language
from turnwise.core.prompts import ModelRequest, with_call_notice
from turnwise.core.state.kinds import ReplyFault
from turnwise.errors import ProviderFailed, ReplyFailed, RequestTooLong, TurnwiseError
from turnwise.models.names import Cassette, Offline, RealName, ScriptFile, read_name
from turnwise.models.no_model import NoModel
from turnwise.models.provider_model import ProviderModel
from turnwise.models.reach import CallSettings, Patience, call_settings, check_connectable, close_model
from turnwise.runner.model_port import ModelEvent, StreamingModel, TextDelta, TextWithdrawn, Usage


def model_named(name: str, reach: CallSettings | None = None, *, patience: Patience | None = None) -> StreamingModel:
    """Return the model of a name such as `openai:gpt-5-mini` or `scripted:replies.yaml`, or of several names.
    Other names are `openai:gpt-5-mini, ollama:llama3` and `cassette:talk.json`. `patience` says how long to wait for
    it; `reach` replaces everything that the environment would say. Raises `TurnwiseError` for a name that means no
    model, and for a missing key or package.
    """
    chosen = read_name(name)
    if isinstance(chosen, Offline):
        raise TurnwiseError("offline means that there is no model; leave it out")
    return _make(chosen, reach or call_settings(patience=patience))


def _make(chosen: ScriptFile | Cassette | tuple[RealName, ...], reach: CallSettings) -> StreamingModel:
    match chosen:
        case ScriptFile(file=file):
            from turnwise.models.dialogue import model_of_file

            return model_of_file(file)
        case Cassette(file=file, models=models):
            from turnwise.models.cassette import CassetteModel

            return CassetteModel(file, _make(models, reach) if models else None)
        case names:
            if reach.may_call:
                for name in names:
                    check_connectable(name, reach.environment)
            models = [ProviderModel(name, reach) for name in names]
            return models[0] if len(models) == 1 else FirstToAnswer(models)


class FirstToAnswer:
    """A model made of several models, which are asked in turn until one answers."""

    understands = True
    """True: it also interprets messages of users."""

    def __init__(self, models: Sequence[StreamingModel]) -> None:
        self.models = models

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the first answer of the models; the text of an unusable reply is withdrawn.
        Raises `ProviderFailed` with every reason where no model answers, and where one fails in the middle of its
        answer.
        """
        from turnwise.runner.replies import CheckedReply

        reasons: list[str] = []
        is_too_long = False
        for model in self.models:
            is_shown, reply = False, CheckedReply(request)
            try:
                async with aclosing(cast("AsyncGenerator[ModelEvent]", model.stream(request))) as pieces:
                    async for event in pieces:
                        is_shown = True
                        for checked in reply.add(event):
                            yield checked
                for checked in reply.end():
                    yield checked
                return
            except ReplyFailed as failure:
                is_first_call_as_text = bool(failure.tool) and with_call_notice(request, failure.tool) != request
                if is_first_call_as_text or model is self.models[-1]:
                    raise
                reasons.append(str(failure))
                yield TextWithdrawn(str(failure), cast("ReplyFault", failure.code))
            except ProviderFailed as failure:
                if is_shown:
                    raise
                reasons.append(str(failure))
                is_too_long = is_too_long or isinstance(failure, RequestTooLong)
        raise (RequestTooLong if is_too_long else ProviderFailed)("; ".join(reasons))

    async def close(self) -> None:
        """Close the connections of all models."""
        for model in self.models:
            await close_model(model)


class NamedModels:
    """A model that passes each request to the model that it names; each named model is made once.
    `default` answers the requests that name no model, or all requests where `named` is `None`, but those of a `cheaper`
    one of a budget. Raises `TurnwiseError` at once for a wrong name, and for a missing key or package.
    """

    def __init__(
        self,
        default: str,
        named: Iterable[str] | None,
        language: Language,
        reach: CallSettings,
        cheaper: frozenset[str] = frozenset(),
    ) -> None:
        self.default = default
        self.cheaper = cheaper
        self.is_for_all = named is None
        self.language = language
        self.reach = reach
        self._models = {name: self._model(name) for name in {default, *(named or ())}}

    @property
    def is_offline(self) -> bool:
        """True if no request reaches a model."""
        return all(isinstance(model, _OfflineModel) for model in self._models.values())

    @property
    def understands(self) -> bool:
        """True if a model also interprets the messages of users."""
        return getattr(self._models[self.default], "understands", False)

    def name_of(self, request: ModelRequest) -> str:
        """Return the name of the model that answers a request."""
        is_for_all = self.is_for_all and request.model not in self.cheaper
        return self.default if is_for_all else request.model or self.default

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the answer of the model that the request names, else of the default."""
        name = self.name_of(request)
        if name not in self._models:
            self._models[name] = self._model(name)
        return self._models[name].stream(request)

    async def close(self) -> None:
        """Close the connections of all models."""
        for model in self._models.values():
            await close_model(model)

    def _model(self, name: str) -> StreamingModel:
        chosen = read_name(name) if name or self.is_for_all else Offline()
        return _OfflineModel(self.language) if isinstance(chosen, Offline) else _make(chosen, self.reach)


class _OfflineModel:
    """Streams the reply of `NoModel`."""

    def __init__(self, language: Language) -> None:
        self._no_model = NoModel(language)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if request.must_call:
            raise ProviderFailed("no model is connected here")
        reply = await self._no_model.reply(request)
        yield TextDelta(reply.text)
        yield Usage(reply.model)
