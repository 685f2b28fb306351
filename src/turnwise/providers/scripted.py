"""Scripted understanding and speaking, for tests: what was planned is given, and what was asked is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from turnwise.core.commands import AnyCommand
from turnwise.core.exposure import Exposed
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.runner.ports import ModelReply


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


class ScriptedModel:
    """Gives the planned replies, call by call; an exception in the plan is raised. `calls` are kept."""

    def __init__(self, plan: Iterable[str | Exception] = ()) -> None:
        self.plan = deque(plan)
        self.calls: list[ModelRequest] = []

    async def reply(self, request: ModelRequest) -> ModelReply:
        """The reply that is planned next. Raises `ProviderFailed` where the plan is at its end."""
        self.calls.append(request)
        if not self.plan:
            raise ProviderFailed("the script has no further reply")
        planned = self.plan.popleft()
        if isinstance(planned, Exception):
            raise planned
        return ModelReply(planned, "scripted")

    def assert_complete(self) -> None:
        """Fail unless everything that was planned was asked for."""
        assert not self.plan, f"{len(self.plan)} planned replies were never asked for"
