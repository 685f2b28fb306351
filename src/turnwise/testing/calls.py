"""The calls of a turn in the notation of scenarios, and scripted replies and results: read, written, compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from turnwise.api.open import Turn
from turnwise.core.secrets import Values, without
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.runner.ports import CallMade, ModelReply
from turnwise.testing.notation import NotationError

NONE = "none"
_GAVE = "=> "
_ENDS = ("failed", "in doubt", "refused", "held")
_HOW = 'write it like think {"about": "x"} => "done", or with failed, in doubt, refused or held behind it'
_decoder = json.JSONDecoder()


class CallSeen(NamedTuple):
    """A call and what became of it. Where a line leaves arguments or end out, they are `None`."""

    tool: str
    arguments: dict[str, Any] | None
    end: str | None

    @property
    def line(self) -> str:
        """The call as `read_call` reads it."""
        given = None if self.arguments is None else json.dumps(self.arguments, ensure_ascii=False)
        return " ".join(part for part in (self.tool, given, self.end) if part is not None)

    def without(self, hidden: Values) -> CallSeen:
        """The call, what it was given and what it gave without some texts. The reason of a failure never has them."""
        end = self.end
        if end is not None and end.startswith(_GAVE):
            end = _GAVE + json.dumps(without(json.loads(end.removeprefix(_GAVE)), hidden), ensure_ascii=False)
        return self._replace(arguments=without(self.arguments, hidden), end=end)

    def is_met_by(self, other: CallSeen) -> bool:
        """True if the other call is this one, as far as this one says."""
        return (
            self.tool == other.tool
            and self.arguments in (None, other.arguments)
            and self.end in (None, other.end, _kind(other.end))
        )


def _kind(end: str | None) -> str | None:
    """How a call ended, without the reason."""
    return next((word for word in _ENDS if end is not None and end.startswith(word)), None)


def calls_of(turn: Turn) -> list[CallSeen]:
    """The calls of a turn, in the order in which they came to their end."""
    made = dict(_made(turn))
    found: list[CallSeen] = []
    for event in turn.events:
        end = _end(event)
        if end is not None and isinstance(event, _ENDINGS):
            key = event.call or getattr(event, "effect", "")
            found.append(CallSeen(event.tool, made.get(key), end))
    return found


_ENDINGS = (e.ToolReturned, e.ToolFailed, e.CallAnswered, e.CallRefused, e.CallHeld)


def _made(turn: Turn) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The arguments of each call: as they were run, else as the model gave them."""
    held = turn.before.held if turn.before is not None else None
    if held is not None:
        yield held.call, held.arguments
    for event in turn.events:
        if isinstance(event, e.ModelReplied):
            yield from ((call.id, None if call.wrong else call.arguments) for call in event.calls)
        elif isinstance(event, e.CallHeld):
            yield event.call or event.effect, event.arguments
        elif isinstance(event, e.EffectAsked) and isinstance(event.effect, RunTool):
            yield event.effect.call or event.effect.id, event.effect.arguments


def _end(event: e.AnyEvent) -> str | None:
    match event:
        case e.ToolReturned(result=result) | e.CallAnswered(result=result):
            return _GAVE + json.dumps(result, ensure_ascii=False)
        case e.ToolFailed(reason=reason, in_doubt=in_doubt):
            return f"{'in doubt' if in_doubt else 'failed'} {' '.join(reason.split())}"
        case e.CallRefused(reason=reason):
            return f"refused {reason}"
        case e.CallHeld():
            return "held"
        case _:
            return None


# lines -------------------------------------------------------------------------------------------


def read_calls(text: str) -> list[CallSeen]:
    """The calls of some lines; what is indented below one goes on with it. Raises `NotationError`."""
    if text == NONE:
        return []
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and line[:1] in (" ", "\t"):
            lines[-1] += "\n" + line
        elif line.strip():
            lines.append(line)
    return [read_call(line) for line in lines]


def read_call(line: str) -> CallSeen:
    """The call of a line. Raises `NotationError`."""
    tool, _, rest = line.strip().partition(" ")
    rest, arguments = rest.strip(), None
    try:
        if rest.startswith("{"):
            arguments, place = _decoder.raw_decode(rest)
            rest = rest[place:].strip()
        end = _read_end(rest)
    except json.JSONDecodeError as error:
        raise NotationError(f"{line!r} is no call: {error}; {_HOW}") from None
    if end is None and rest:
        raise NotationError(f"{line!r} is no call; {_HOW}")
    return CallSeen(tool, cast("dict[str, Any] | None", arguments), end)


def _read_end(text: str) -> str | None:
    """How a call ended, in the one form in which it is told; `None` where the text is no end. Raises
    `JSONDecodeError`.
    """
    if text.startswith("=>"):
        return _GAVE + json.dumps(json.loads(text[2:]), ensure_ascii=False)
    is_end = any(text == word or text.startswith(f"{word} ") for word in _ENDS)
    return " ".join(text.split()) if is_end else None


def are_met(text: str, turn: Turn) -> bool:
    """True if the calls of a turn are those of some lines, in their order."""
    expected, found = read_calls(text), calls_of(turn)
    return len(expected) == len(found) and all(one.is_met_by(other) for one, other in zip(expected, found, strict=True))


def told(turn: Turn) -> str:
    """The calls of a turn, a line each."""
    return "\n".join(call.line for call in calls_of(turn)) or NONE


FAILS = "fails"
IN_DOUBT = "in doubt"
_WORDS = "the script says that it fails"
_CALL = re.compile(r"->\s*([^\s{\"\[]+)\s*(.*)", re.DOTALL)
_CALL_FORM = 'write it like -> think {"about": "x"}'


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
        raise NotationError(f"{first!r} is no call; {_CALL_FORM}")
    return CallMade(found[1], _arguments(first, found[2].strip()))


def _arguments(line: str, text: str) -> dict[str, Any] | str:
    if not text:
        return {}
    try:
        given: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(f"the arguments of {line!r} are no JSON: {error}; {_CALL_FORM}") from None
    if not isinstance(given, dict | str):
        raise NotationError(f"the arguments of {line!r} are no object; {_CALL_FORM}")
    return cast("dict[str, Any] | str", given)
