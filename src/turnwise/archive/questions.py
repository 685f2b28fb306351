"""The questions that a chat answers: what it asks its archive, with the conversation `main` where none is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise import arguments as given
from turnwise.archive.archive import Archive
from turnwise.archive.asking import WhatIf
from turnwise.archive.replaying import Replayed
from turnwise.arguments import DEFAULT
from turnwise.core.events import Entry
from turnwise.core.explain.history import Edge
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.trace import Decision
from turnwise.flow.model import Flow
from turnwise.runner.ports import Progress
from turnwise.runner.result import Turn


class Questions:
    """What can be asked about conversations, and of them as a whole."""

    machine: Machine

    @property
    def _archive(self) -> Archive:
        """Where the answers come from."""
        raise NotImplementedError

    async def state(self, conversation: str = DEFAULT) -> State:
        """The state of a conversation. Raises `UnknownConversation`."""
        return await self._archive.state(conversation)

    async def journal(self, conversation: str = DEFAULT) -> tuple[Entry, ...]:
        """Every event of a conversation, in order. Raises `UnknownConversation`."""
        return await self._archive.journal(conversation)

    async def turn(self, number: int | None = None, conversation: str = DEFAULT) -> Turn:
        """A past turn, the last where none is named, with everything that it showed when it was taken.
        Raises `UnknownConversation`, `UnknownTurn`.
        """
        return await self._archive.turn(conversation, number)

    async def explain(
        self, conversation: str = DEFAULT, *, turn: int | None = None, transition: str = ""
    ) -> tuple[Decision, ...]:
        """The decisions of a past turn, the last one that decided something where none is named; with one
        transition, or all. Raises `UnknownConversation`, `UnknownTurn`, `UnknownTransition`.
        """
        return await self._archive.explain(conversation, turn, transition)

    async def what_if(
        self,
        conversation: str | None = DEFAULT,
        *,
        turn: int | None = None,
        values: Mapping[str, Any] | None = None,
        rules: Mapping[str, str] | None = None,
        flow: Flow | Machine | None = None,
        progress: Progress | None = None,
    ) -> WhatIf:
        """Which decisions would have come out otherwise with other `values` of fields, other `rules` (guards by
        the names of transitions) or another `flow`: of a `turn`, of a conversation, or of all (`None`). No model
        is called and nothing changes.
        """
        given.supposed(values, rules, flow)
        supposed = link(flow, self.machine.code.values()) if isinstance(flow, Flow) else flow
        return await self._archive.what_if(
            conversation, turn=turn, values=values, rules=rules, flow=supposed, progress=progress
        )

    async def history(
        self, conversation: str | None = DEFAULT, transition: str = "", *, progress: Progress | None = None
    ) -> tuple[Edge, ...]:
        """How often transitions, or one, were judged and what came of it: in a conversation, or over all (`None`)."""
        return await self._archive.history(conversation, transition, progress)

    async def replay(self, conversation: str = DEFAULT) -> bool:
        """True if folding the journal gives exactly the state that is kept. Raises `UnknownConversation`."""
        return (await self._archive.replay(conversation)).folds

    async def rerun(self, conversation: str = DEFAULT) -> Replayed:
        """The journal folded and compared, and run again with its own flow and compared; no model is called."""
        return await self._archive.replay(conversation, runs=True)

    async def fork(
        self, conversation: str, *, source: str = DEFAULT, turn: int | None = None, effects: bool = False
    ) -> State:
        """A new conversation, from another up to the end of a turn (the last). Tools that change the world are
        refused in it, unless `effects` allows them.
        """
        await self._archive.fork(source, conversation, turn, effects=effects)
        return await self.state(conversation)

    async def export(self, conversation: str = DEFAULT) -> bytes:
        """A conversation as one file, with the flows that it needs; what is secret is in it."""
        return await self._archive.export(conversation)

    async def import_(self, data: bytes, conversation: str = "", *, effects: bool | None = None) -> str:
        """Take a file in, under its own name or another; gives the name. Under its own it goes on as it was; under
        another it is a copy, in which tools that change the world are refused. `effects` allows or forbids them.
        Raises `ImportRefused` for a file that is cut, edited or no such one, `ConversationExists` where the name is
        taken.
        """
        return await self._archive.take_in(data, conversation, effects=effects)
