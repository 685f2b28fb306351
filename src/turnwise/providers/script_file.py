"""A script in a file, YAML or JSON: the replies of a model, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.providers.scripted import ScriptedModel
from turnwise.runner.ports import CallMade, ModelReply

T = TypeVar("T")
REPLY = "a text, or {text, calls: [{tool, arguments}]}, or {fails: reason}"
"""How a reply is written."""


class ScriptedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a tool."""

    tool: str
    arguments: dict[str, Any] = {}


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reply with calls, or a failure with its reason."""

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    fails: str = ""


def script(file: str) -> ScriptedModel:
    """The model that gives what a file says. Raises `TurnwiseError` with the place of what is wrong in it."""
    replies = read_shape(Path(file), list[str | Reply], "script", f"a script is a list of replies: {REPLY}")
    return ScriptedModel([model_reply(reply) for reply in replies])


def read_shape(file: Path, shape: type[T], name: str, hint: str) -> T:
    """Return what a YAML file says, in a shape. Raises `TurnwiseError` with the place of what is wrong in it.

    `name` says what the file is, and `hint` how one is written.
    """
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise TurnwiseError(f"{file}: the {name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TurnwiseError(f"{file}: the {name} is no text in UTF-8") from None
    try:
        return msgspec.convert(cast("Any", YAML(typ="safe", pure=True)).load(text), shape)
    except MarkedYAMLError as error:
        mark, problem = cast("Any", error.problem_mark), cast("Any", error.problem)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        raise TurnwiseError(f"{file}{place}: the {name} is no YAML: {problem}") from None
    except YAMLError as error:
        raise TurnwiseError(f"{file}: the {name} is no YAML: {error}") from None
    except msgspec.ValidationError as error:
        raise TurnwiseError(f"{file}: {error}; {hint}") from None


def model_reply(reply: str | Reply) -> ModelReply | ProviderFailed:
    """Return what a model gives for a written reply: the reply, or its failure."""
    if isinstance(reply, str):
        return ModelReply(reply)
    if reply.fails:
        return ProviderFailed(reply.fails)
    return ModelReply(reply.text, calls=tuple([CallMade(call.tool, call.arguments) for call in reply.calls]))
