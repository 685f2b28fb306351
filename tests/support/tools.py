"""Tools in the hands of a test: what each does is a function, or a plan of results; what it was asked is kept."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from support.chats import NOON_MS, flow_of
from turnwise.api.open import Turn
from turnwise.api.open import open as open_flow
from turnwise.core.state.effects import Message
from turnwise.flow.code import ToolCall
from turnwise.flow.model import Flow
from turnwise.models.scripted import Planned, ScriptedModel, ScriptedUnderstanding
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import CallMade, ModelReply
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore

Doing = Callable[..., Any]


class FakeTool:
    """A tool that does what it is told, and keeps what it was asked."""

    def __init__(self, does: Doing | Any = None, check: Doing | None = None) -> None:
        self.does = does if callable(does) else lambda **_given: does
        self.checks = check
        self.calls: list[dict[str, Any]] = []
        self.keys: list[str] = []

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """What it gives back."""
        self.calls.append(dict(arguments))
        self.keys.append(call.key)
        found = self.does(**arguments)
        return await found if inspect.isawaitable(found) else found

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Whether it was done."""
        assert self.checks is not None
        return self.checks(call)


class Stage:
    """A chat over a script of the model, with fake tools; each call waits for its turn."""

    def __init__(
        self,
        flow: str | Flow,
        model: Iterable[Planned] = (),
        tools: Mapping[str, Any] | None = None,
        understand: Iterable[Any] = (),
        store: Store | None = None,
        guards: Sequence[Any] = (),
    ) -> None:
        self.model = ScriptedModel(model)
        self.understanding = ScriptedUnderstanding(understand)
        self.clock = ManualClock(NOON_MS)
        self.store = store or MemoryStore()
        opened = flow_of(flow) if isinstance(flow, str) else flow
        self.tools = {name: one if isinstance(one, FakeTool) else FakeTool(one) for name, one in (tools or {}).items()}
        self.app = open_flow(
            opened,
            store=self.store,
            model=self.model,
            understand=self.understanding,
            clock=self.clock,
            guards=guards,
        )
        self.chat = self.app.chat("main")
        self.chat.runtime.performer.tools = self.tools

    def on(self, conversation: str) -> Stage:
        """Another conversation on the same stage."""
        other = object.__new__(Stage)
        vars(other).update(vars(self), chat=self.app.chat(conversation))
        return other

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.chat, name, None) or getattr(self.app, name)
        return lambda *args, **more: asyncio.run(method(*args, **more))

    def shown(self, call: int = -1) -> list[str]:
        """The tools that a call of the model was told of."""
        return [spec.name for spec in self.model.calls[call].tools]

    def transcript(self, call: int = -1) -> tuple[Message, ...]:
        """What a call of the model was shown of the conversation."""
        return self.model.calls[call].transcript


def uses(*tools: str | CallMade, say: str = "") -> ModelReply:
    """A reply that calls tools, in order, and may say something first."""
    return ModelReply(say, calls=tuple([CallMade(one, {}) if isinstance(one, str) else one for one in tools]))


def made(tool: str, **arguments: Any) -> CallMade:
    """One call with its arguments."""
    return CallMade(tool, arguments)


def facts(turn: Turn, *of: type) -> list[Any]:
    """The events of some kinds in a turn."""
    return [event for event in turn.events if isinstance(event, of)]
