"""Models and understanding that give planned replies, from a program or a file, for tests and demonstrations.

They understand nothing themselves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.understanding import TOOL_NAME
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import Thought
from turnwise.errors import ProviderFailed, TurnwiseError, WrongArgument
from turnwise.runner.model_port import CallMade, ModelEvent, ModelReply, TextDelta, TextWithdrawn, Usage


class ScriptedUnderstanding:
    """Returns planned commands instead of understanding, call by call. `calls` has the messages that it was asked for.
    A planned exception is raised.
    """

    def __init__(self, plan: Iterable[Sequence[AnyCommand] | Exception] = ()) -> None:
        self._all = tuple(plan)
        self.plan = deque(self._all)
        self.calls: list[tuple[str, AllowedInput]] = []

    def __call__(self, message: str, allowed: AllowedInput) -> Sequence[AnyCommand]:
        """Return the next planned commands; none at the end of the plan."""
        self.calls.append((message, allowed))
        planned = self.plan.popleft() if self.plan else ()
        if isinstance(planned, Exception):
            raise planned
        return planned

    def restart(self) -> None:
        """Begin the plan again from its first reply."""
        self.plan = deque(self._all)

    def assert_complete(self) -> None:
        """Raise an error unless the plan is at its end."""
        assert not self.plan, f"{len(self.plan)} planned understandings were never asked for"


Piece = str | ModelReply | ModelEvent | Exception
"""What a plan may have for a call: a reply, an event of it, or an error."""
Planned = Piece | Sequence[Piece]
"""The reply to one call: a text, a reply with calls, a failure, or a list of these and their pieces, in order. An
exception in the list ends the reply there.
"""
_EXPECTED = "a text, a tw.ModelReply, call(…), an exception, or a list of them for one reply"


class ScriptedModel:
    """A model that gives planned replies, call by call, or raises a planned exception.
    `calls` has what it was asked. With `understands` it also interprets messages, and the plan has those replies too.
    Raises `WrongArgument` for a plan with something that is no reply.
    """

    name = "scripted"
    """What the model is called in journals."""

    def __init__(self, plan: Iterable[Planned] = (), *, understands: bool = False) -> None:
        if isinstance(plan, str) or not isinstance(plan, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
            raise WrongArgument("plan", plan, "a list with the reply to each call")
        self.understands = understands
        self._all = tuple(plan)
        self.plan = deque(self._all)
        self.calls: list[ModelRequest] = []
        for number, planned in enumerate(self.plan):
            reply_pieces(planned, f"plan[{number}]")

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the pieces of the next planned reply. Raises `ProviderFailed` at the end of the plan."""
        self.calls.append(request)
        if not self.plan:
            raise ProviderFailed("the script has no further reply")
        finish = ""
        for piece in reply_pieces(self.plan.popleft()):
            if isinstance(piece, Exception):
                raise piece
            finish = piece.finish if isinstance(piece, Usage) else finish
            yield piece
        yield Usage(self.name, finish=finish)

    def restart(self) -> None:
        """Begin the plan again from its first reply."""
        self.plan = deque(self._all)

    def assert_complete(self) -> None:
        """Raise an error unless the plan is at its end."""
        assert not self.plan, f"{len(self.plan)} planned replies were never asked for"


def reply_pieces(planned: Planned, place: str = "plan") -> list[ModelEvent | Exception]:
    """Return the pieces of a planned reply.
    Raises `WrongArgument` for something that is no piece. `place` names its place in the plan in the error.
    """
    match planned:
        case str():
            return [TextDelta(planned)]
        case ModelReply(text=text, calls=calls, finish=finish):
            end = [Usage("", finish=finish)] if finish else []
            return [*([TextDelta(text)] if text else []), *calls, *end]
        case Exception() | TextDelta() | CallMade() | Usage() | Thought() | TextWithdrawn():
            return [planned]
        case list() | tuple():
            parts = enumerate(cast("Sequence[Piece]", planned))
            return [piece for number, one in parts for piece in reply_pieces(one, f"{place}[{number}]")]
        case _:
            raise WrongArgument(place, planned, _EXPECTED)


def call(tool: str, **arguments: Any) -> ModelReply:
    """Return a planned reply without text that calls a tool."""
    return ModelReply(calls=(CallMade(tool, arguments),))


def understood_reply(*commands: Mapping[str, Any], **claims: Any) -> ModelReply:
    """Return a planned reply of a model that interprets a message: `commands` as a model writes them, and the other
    arguments (`claims`) of the call by which it returns them.
    """
    return ModelReply(calls=(CallMade(TOOL_NAME, {"commands": list(commands), **claims}),))


T = TypeVar("T")
"""The type of the content of a file."""
EXPECTED_REPLY = "a text, or {text, calls: [{tool, arguments}], finish: length}, or {fails: reason}"
"""How to write a reply in a file."""


class ScriptedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool call in a reply that a file describes."""

    tool: str
    """The name of the tool."""
    arguments: dict[str, Any] = {}
    """The values of the tool's arguments, by name."""


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reply that a file describes: text and tool calls, or a failure with its reason."""

    text: str = ""
    """The text of the reply; empty for none."""
    calls: tuple[ScriptedCall, ...] = ()
    """The tool calls of the reply, in order."""
    fails: str = ""
    """The reason for which the model call fails; empty for a reply."""
    finish: str = ""
    """Why the reply ended, such as `length`; empty for a whole one."""


def scripted_model_of_file(file: str) -> ScriptedModel:
    """Return the scripted model of a file. Raises `TurnwiseError` with the place of a mistake in it."""
    replies = read_shape(Path(file), list[str | Reply], "script", f"a script is a list of replies: {EXPECTED_REPLY}")
    return ScriptedModel([model_reply(reply) for reply in replies])


def read_shape(file: Path, shape: type[T], name: str, hint: str) -> T:
    """Return the content of a YAML file as a value of type `shape`. Raises `TurnwiseError` with the place of a mistake.
    `name` is what to call the file in errors, and `hint` says how to write one.
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
    """Return the model's reply that a file describes, or its failure."""
    if isinstance(reply, str):
        return ModelReply(reply)
    if reply.fails:
        return ProviderFailed(reply.fails)
    calls = tuple([CallMade(call.tool, call.arguments) for call in reply.calls])
    return ModelReply(reply.text, calls=calls, finish=reply.finish)
