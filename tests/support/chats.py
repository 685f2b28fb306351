"""Flows, machines and chats for tests: from a text to a flow, and to a chat whose parts are scripted."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent
from types import TracebackType
from typing import Any, Self

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.api.open import Turn, open_sync
from turnwise.api.open import open as open_flow
from turnwise.api.sync import SyncChat
from turnwise.authoring.document import read_document
from turnwise.core.link import link, link_with_diagnostics
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, Set
from turnwise.core.step import start, step
from turnwise.core.trace import Considered, Decision
from turnwise.core.turn import Step
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Flow
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore

NOON_MS = 1_767_960_000_000
"""Noon of 9 January 2026, UTC."""
FLOWS = Path(__file__).parents[1] / "flows"
INTAKE = FLOWS / "health_intake.flow.yaml"
REPLY = "…"


class OneSyncChat(SyncChat):
    """The chat `main` of an app that is opened for it; in a `with` block it enters and closes the app."""

    def __init__(self, *args: Any, **more: Any) -> None:
        app = open_sync(*args, **more)
        super().__init__(app, app.app.chat("main"))
        self.runtime = app.app.runtime

    def __enter__(self) -> Self:
        self.app.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.app.close()

    def close(self) -> None:
        """Close the app."""
        self.app.close()


class OneChat(Chat):
    """The same for `async with`."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.app: App = open_flow(*args, **more)
        super().__init__(self.app.runtime, "main")

    async def __aenter__(self) -> Self:
        await self.app.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.app.close()

    async def close(self) -> None:
        """Close the app."""
        await self.app.close()


@cache
def flow_of(text: str) -> Flow:
    """The flow of a document that can be read; flows cannot be changed, so that tests of one text share it."""
    flow, diagnostics = read_document(dedent(text), "flow.yaml")
    assert not has_errors(diagnostics), "\n".join(map(str, diagnostics))
    return flow


def machine_of(text: str, *guards: PythonGuard) -> Machine:
    """The machine of a document that can be linked."""
    return link(flow_of(text), guards)


def problems_of(text: str, *guards: PythonGuard) -> list[str]:
    """The problems of a document: of each its code, its message and its hint."""
    flow, found = read_document(dedent(text), "flow.yaml")
    found = [*found, *(link_with_diagnostics(flow, guards)[1] if not has_errors(found) else ())]
    return [f"{one.code} {one.message} {one.hint}".rstrip() for one in found]


def done(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of work that waits for nothing but other tasks, of which there are none, and so needs no event loop."""
    try:
        while work.send(None) is None:
            pass
    except StopIteration as end:
        return end.value
    work.close()
    raise AssertionError("this waits for something")


class Waiting:
    """A chat without an event loop: each call returns its result at once."""

    def __init__(self, chat: OneChat, conversation: str = "main") -> None:
        self.app = chat.app
        self.chat: Any = chat.app.chat(conversation)
        self.first = chat

    def on(self, conversation: str) -> Waiting:
        """Another conversation of the same app."""
        return Waiting(self.first, conversation)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.chat, name, None) or getattr(self.app, name)
        return lambda *args, **more: done(method(*args, **more))


@dataclass
class Talk:
    """A conversation with the scripted understanding, model, clock and store of a test."""

    chat: Waiting
    understanding: ScriptedUnderstanding
    model: ScriptedModel
    clock: ManualClock
    store: Store

    def set(self, conversation: str = "main", **values: Any) -> Turn:
        """Commands that set fields: `set(user__age=3)` sets `user.age`."""
        commands = [Set(field=name.replace("__", "."), value=value) for name, value in values.items()]
        return self.chat.on(conversation).commands(commands)


def talk(
    flow: str | Flow | Machine,
    *guards: PythonGuard,
    understand: Iterable[Sequence[AnyCommand] | Exception] = (),
    model: Iterable[str | Exception] = (),
    store: Store | None = None,
) -> Talk:
    """Open a flow with these understandings and replies, call by call."""
    understanding, speaking, clock = ScriptedUnderstanding(understand), ScriptedModel(model), ManualClock(NOON_MS)
    opened = flow_of(flow) if isinstance(flow, str) else flow
    kept = store or MemoryStore()
    chat = OneChat(opened, store=kept, understand=understanding, model=speaking, guards=guards, clock=clock)
    return Talk(Waiting(chat), understanding, speaking, clock, kept)


def names(turn: Turn) -> list[str]:
    """The names of a turn's events, as in the journal."""
    return [str(event.__struct_config__.tag) for event in turn.events]


def outcomes(turn: Turn, transition: str) -> list[str]:
    """The outcome of a transition, at each time that it was judged in a turn."""
    found = [decision.candidate(transition) for decision in turn.decisions]
    return [candidate.outcome for candidate in found if candidate is not None]


def scripted_chat(
    flow: Flow | str | Path, *guards: Any, understood: Iterable[Any] = (), replies: Iterable[Any] = (REPLY,) * 60
) -> OneSyncChat:
    """A chat with scripted understanding and model. A text is a YAML document."""
    of = flow_of(flow) if isinstance(flow, str) else flow
    model, understanding = ScriptedModel(replies), ScriptedUnderstanding(understood)
    return OneSyncChat(of, guards=guards, understand=understanding, model=model)


def offline_chat(flow: Flow | str | Path = INTAKE, *guards: Any) -> OneSyncChat:
    """A chat with the offline rules and no model."""
    return OneSyncChat(flow_of(flow) if isinstance(flow, str) else flow, guards=guards)


def sets(**values: Any) -> tuple[Set, ...]:
    """Commands that set fields: `user__age=45` is `user.age`."""
    return tuple(Set(field=name.replace("__", "."), value=value) for name, value in values.items())


def node_of(turn: Turn) -> str:
    """The node in charge after a turn."""
    assert turn.node is not None
    return turn.node


def candidate(decision: Decision, transition: str) -> Considered:
    """A candidate of a decision."""
    found = decision.candidate(transition)
    assert found is not None, f"{transition} is no candidate of {decision.line}"
    return found


def outcomes_of(decision: Decision) -> dict[str, str]:
    """The outcome of each candidate of a decision."""
    return {one.id: one.outcome for one in decision.candidates}


def at_rest(machine: Machine) -> State:
    """The state after the first turn, in which the model said something if it was asked."""
    done = start(machine, 0)
    assert isinstance(done, Step)
    while done.effects:
        following = step(machine, done.state, e.ModelReplied(done.effects[0].id, REPLY), 0)
        assert isinstance(following, Step)
        done = following
    return done.state
