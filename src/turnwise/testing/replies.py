"""What a scenario scripts: a reply of the model with its calls, a result of a tool, and failures of both."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple, cast

from turnwise.runner.ports import CallMade, ModelReply
from turnwise.testing.notation import NotationError

FAILS = "fails"
IN_DOUBT = "in doubt"
_WORDS = "the script says that it fails"
_CALL = re.compile(r"->\s*([^\s{\"\[]+)\s*(.*)", re.DOTALL)
_HOW = 'write it like -> think {"about": "x"}'


class Fails(NamedTuple):
    """A failure that is scripted; one in doubt may have done its work all the same."""

    words: str = _WORDS
    in_doubt: bool = False


class Gives(NamedTuple):
    """A result that is scripted."""

    value: Any


def read_reply(text: str) -> ModelReply | Fails:
    """A reply: what is said, then each call in a line of its own, `-> think {"about": "x"}`. A text in place of the
    object is what the model wrote for the arguments. Raises `NotationError`.
    """
    failure = _failure(text, FAILS)
    if failure is not None:
        return failure
    said, *calls = re.split(r"(?m)^(?=->)", text)
    return ModelReply(said.strip("\n"), calls=tuple([_call(one) for one in calls]))


def read_result(text: str) -> Gives | Fails:
    """A result as JSON, or `fails` and why, or `in doubt` and why. Raises `NotationError`."""
    failure = _failure(text, FAILS) or _failure(text, IN_DOUBT)
    if failure is not None:
        return failure
    try:
        return Gives(json.loads(text))
    except json.JSONDecodeError as error:
        raise NotationError(f"a result is JSON (a text in quotes), or 'fails' and why: {error}") from None


def _failure(text: str, word: str) -> Fails | None:
    if text != word and not text.startswith(f"{word} "):
        return None
    return Fails(text[len(word) :].strip() or _WORDS, word == IN_DOUBT)


def _call(text: str) -> CallMade:
    """A call, whose arguments may go on in indented lines."""
    first, *more = text.rstrip("\n").split("\n")
    if any(line and line[0] not in " \t" for line in more):
        raise NotationError("what is said stands before the calls; arguments that go on are indented")
    found = _CALL.fullmatch("\n".join([first, *more]))
    if found is None:
        raise NotationError(f"{first!r} is no call; {_HOW}")
    return CallMade(found[1], _arguments(first, found[2].strip()))


def _arguments(line: str, text: str) -> dict[str, Any] | str:
    if not text:
        return {}
    try:
        given: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(f"the arguments of {line!r} are no JSON: {error}; {_HOW}") from None
    if not isinstance(given, dict | str):
        raise NotationError(f"the arguments of {line!r} are no object; {_HOW}")
    return cast("dict[str, Any] | str", given)
