"""Scripted understanding and speaking, for tests: what was planned is given, and what was asked is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, cast

from turnwise.core.commands import AnyCommand
from turnwise.core.exposure import Exposed
from turnwise.core.prompts import ModelRequest
from turnwise.core.understanding import TOOL
from turnwise.errors import ProviderFailed, WrongArgument
from turnwise.runner.ports import CallMade, ModelEvent, ModelReply, TextDelta, Usage


class ScriptedUnderstanding:
    """Gives the planned commands, call by call; an exception in the plan is raised. `calls` are kept."""

    def __init__(self, plan: Iterable[Sequence[AnyCommand] | Exception] = ()) -> None:
        self._all = tuple(plan)
        self.plan = deque(self._all)
        self.calls: list[tuple[str, Exposed]] = []

    def __call__(self, message: str, exposed: Exposed) -> Sequence[AnyCommand]:
        """The commands that are planned next; none where the plan is at its end."""
        self.calls.append((message, exposed))
        planned = self.plan.popleft() if self.plan else ()
        if isinstance(planned, Exception):
            raise planned
        return planned

    def restart(self) -> None:
        """Begin the plan anew."""
        self.plan = deque(self._all)

    def assert_complete(self) -> None:
        """Fail unless everything that was planned was asked for."""
        assert not self.plan, f"{len(self.plan)} planned understandings were never asked for"


Piece = str | ModelReply | ModelEvent | Exception
Planned = Piece | Sequence[Piece]
"""What a script gives for one call: a text, a reply with calls, a failure, or several of them and their pieces in
order. An exception among the pieces cuts the reply there.
"""
_EXPECTED = "a text, a tw.ModelReply, call(…), an exception, or a list of them for one reply"


class ScriptedModel:
    """Gives the planned replies, call by call; an exception in the plan is raised. `calls` are kept. With
    `understands` messages are read by it too, and those replies are planned as well. Raises `WrongArgument` for what
    is no reply.
    """

    def __init__(self, plan: Iterable[Planned] = (), *, understands: bool = False) -> None:
        if isinstance(plan, str) or not isinstance(plan, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
            raise WrongArgument("plan", plan, "a list with what is given for each call")
        self.understands = understands
        self._all = tuple(plan)
        self.plan = deque(self._all)
        self.calls: list[ModelRequest] = []
        for number, planned in enumerate(self.plan):
            pieces(planned, f"plan[{number}]")

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The reply that is planned next. Raises `ProviderFailed` where the plan is at its end."""
        self.calls.append(request)
        if not self.plan:
            raise ProviderFailed("the script has no further reply")
        for piece in pieces(self.plan.popleft()):
            if isinstance(piece, Exception):
                raise piece
            yield piece
        yield Usage("scripted")

    def restart(self) -> None:
        """Begin the plan anew."""
        self.plan = deque(self._all)

    def assert_complete(self) -> None:
        """Fail unless everything that was planned was asked for."""
        assert not self.plan, f"{len(self.plan)} planned replies were never asked for"


def pieces(planned: Planned, place: str = "plan") -> list[ModelEvent | Exception]:
    """What is planned for one call, piece by piece. Raises `WrongArgument` for what is no piece of a reply."""
    match planned:
        case str():
            return [TextDelta(planned)]
        case ModelReply(text=text, calls=calls):
            return [TextDelta(text), *calls] if text else list(calls)
        case Exception() | TextDelta() | CallMade() | Usage():
            return [planned]
        case list() | tuple():
            parts = enumerate(cast("Sequence[Piece]", planned))
            return [piece for number, one in parts for piece in pieces(one, f"{place}[{number}]")]
        case _:
            raise WrongArgument(place, planned, _EXPECTED)


def call(tool: str, **arguments: Any) -> ModelReply:
    """A planned reply that calls a tool and says nothing."""
    return ModelReply(calls=(CallMade(tool, arguments),))


def understood(*commands: Mapping[str, Any], **claims: Any) -> ModelReply:
    """A planned understanding: commands as a model writes them, and what it claims beside them."""
    return ModelReply(calls=(CallMade(TOOL, {"commands": list(commands), **claims}),))
