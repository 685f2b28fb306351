"""A script in a file, YAML or JSON: the replies of a model, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.providers.scripted import Planned, ScriptedModel
from turnwise.runner.ports import CallMade, ModelReply


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
    try:
        text = Path(file).read_text("utf-8")
    except OSError as error:
        raise TurnwiseError(f"{file}: the script cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TurnwiseError(f"{file}: the script is no text in UTF-8") from None
    try:
        written = cast("Any", YAML(typ="safe", pure=True)).load(text)
        replies = msgspec.convert(written, list[str | Reply])
    except MarkedYAMLError as error:
        mark, problem = cast("Any", error.problem_mark), cast("Any", error.problem)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        raise TurnwiseError(f"{file}{place}: the script is no YAML: {problem}") from None
    except YAMLError as error:
        raise TurnwiseError(f"{file}: the script is no YAML: {error}") from None
    except msgspec.ValidationError as error:
        hint = "a script is a list of replies: a text, or {text, calls: [{tool, arguments}]}, or {fails: reason}"
        raise TurnwiseError(f"{file}: {error}; {hint}") from None
    return ScriptedModel([_planned(reply) for reply in replies])


def _planned(reply: str | Reply) -> Planned:
    if isinstance(reply, str):
        return reply
    if reply.fails:
        return ProviderFailed(reply.fails)
    return ModelReply(reply.text, calls=tuple([CallMade(call.tool, call.arguments) for call in reply.calls]))
