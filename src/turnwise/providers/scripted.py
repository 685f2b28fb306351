"""Scripted understanding and speaking, for tests: what was planned is given, and what was asked is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from turnwise.core.commands import AnyCommand
from turnwise.core.exposure import Exposed
from turnwise.core.prompts import ModelRequest
from turnwise.core.understanding import TOOL
from turnwise.errors import ProviderFailed
from turnwise.runner.ports import CallMade, ModelEvent, ModelReply, TextDelta, Usage


class ScriptedUnderstanding:
    """Gives the planned commands, call by call; an exception in the plan is raised. `calls` are kept."""

    def __init__(self, plan: Iterable[Sequence[AnyCommand] | Exception] = ()) -> None:
        self.plan = deque(plan)
        self.calls: list[tuple[str, Exposed]] = []

    def __call__(self, message: str, exposed: Exposed) -> Sequence[AnyCommand]:
        """The commands that are planned next; none where the plan is at its end."""
        self.calls.append((message, exposed))
        planned = self.plan.popleft() if self.plan else ()
        if isinstance(planned, Exception):
            raise planned
        return planned

    def assert_complete(self) -> None:
        """Fail unless everything that was planned was asked for."""
        assert not self.plan, f"{len(self.plan)} planned understandings were never asked for"


Planned = str | ModelReply | Sequence[ModelEvent | Exception] | Exception
"""What a script gives for one call: a text, a reply with calls, its pieces in order, or a failure. An exception
among the pieces cuts the reply there.
"""


class ScriptedModel:
    """Gives the planned replies, call by call; an exception in the plan is raised. `calls` are kept. With
    `understands` messages are read by it too, and those replies are planned as well.
    """

    def __init__(self, plan: Iterable[Planned] = (), *, understands: bool = False) -> None:
        self.understands = understands
        self.plan = deque(plan)
        self.calls: list[ModelRequest] = []

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

    def assert_complete(self) -> None:
        """Fail unless everything that was planned was asked for."""
        assert not self.plan, f"{len(self.plan)} planned replies were never asked for"


def pieces(planned: Planned) -> Sequence[ModelEvent | Exception]:
    """What is planned for one call, piece by piece."""
    match planned:
        case str():
            return [TextDelta(planned)]
        case ModelReply(text=text, calls=calls):
            return [TextDelta(text), *calls] if text else list(calls)
        case Exception():
            return [planned]
        case _:
            return planned


def call(tool: str, **arguments: Any) -> ModelReply:
    """A planned reply that calls a tool and says nothing."""
    return ModelReply(calls=(CallMade(tool, arguments),))


def understood(*commands: Mapping[str, Any], **claims: Any) -> ModelReply:
    """A planned understanding: commands as a model writes them, and what it claims beside them."""
    return ModelReply(calls=(CallMade(TOOL, {"commands": list(commands), **claims}),))
