"""Short ways from the text of a flow to its machine, and to a conversation with it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from support.one_chat import OneChat
from turnwise.api.open import Turn
from turnwise.authoring.document import read_document
from turnwise.core.link import examine, link
from turnwise.core.machine import Machine
from turnwise.core.state.commands import AnyCommand, Set
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Flow
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore

NOON_MS = 1_767_960_000_000
"""Noon of 9 January 2026, UTC."""


def flow_of(text: str) -> Flow:
    """The flow of a document that can be read."""
    flow, diagnostics = read_document(dedent(text), "flow.yaml")
    assert not has_errors(diagnostics), "\n".join(map(str, diagnostics))
    return flow


def machine_of(text: str, *guards: PythonGuard) -> Machine:
    """The machine of a document that can be linked."""
    return link(flow_of(text), guards)


def problems_of(text: str, *guards: PythonGuard) -> list[str]:
    """What is wrong with a document: of each problem its code, its message and its hint."""
    flow, found = read_document(dedent(text), "flow.yaml")
    found = [*found, *(examine(flow, guards)[1] if not has_errors(found) else ())]
    return [f"{one.code} {one.message} {one.hint}".rstrip() for one in found]


def done(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of work that waits for nothing, and so needs no event loop."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    work.close()
    raise AssertionError("this waits for something")


class Waiting:
    """A chat each of whose calls gives its result at once."""

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
    """A conversation whose understanding, model, clock and store are in the test's hands."""

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
    """What became of a transition, at each time that it was judged in a turn."""
    found = [decision.candidate(transition) for decision in turn.decisions]
    return [candidate.outcome for candidate in found if candidate is not None]
