"""A model for a name: of a provider, from a script, from a recording."""

from __future__ import annotations

from turnwise.errors import TurnwiseError
from turnwise.providers.models.fallback import FirstToAnswer
from turnwise.providers.models.names import Cassette, Offline, RealName, Script, check_ready, read_name
from turnwise.providers.models.patience import Patience
from turnwise.providers.models.reach import Reach, reach_of
from turnwise.providers.models.real import RealModel
from turnwise.runner.ports import StreamingModel


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
            from turnwise.providers.script_file import script

            return script(file)
        case Cassette(file=file, models=models):
            from turnwise.providers.cassette import CassetteModel

            return CassetteModel(file, made(models, reach) if models else None)
        case _:
            return _real(chosen, reach)


def _real(names: tuple[RealName, ...], reach: Reach) -> StreamingModel:
    if reach.may_call:
        for name in names:
            check_ready(name, reach.environment)
    models = [RealModel(name, reach) for name in names]
    return models[0] if len(models) == 1 else FirstToAnswer(models)
