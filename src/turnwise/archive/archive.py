"""The archive: explains, exports and migrates the conversations of a store, without a flow document."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.archive.answers import Answers
from turnwise.archive.arguments import (
    check_file,
    check_hypothesis,
    check_machine,
    check_name,
    check_number,
    check_optional_name,
    check_progress,
    check_renaming,
    check_transition_known,
)
from turnwise.core.machine import Machine
from turnwise.core.state.events import Entry
from turnwise.errors import UnknownTurn
from turnwise.runner.machines import AnyMachines
from turnwise.runner.model_port import AnyModel
from turnwise.runner.ports import Clock, Progress, Store
from turnwise.runner.result import Turn
from turnwise.runner.stored import StoredConversation, unknown_conversation

if TYPE_CHECKING:
    from turnwise.archive.asking import Replayed, WhatIf
    from turnwise.archive.frames import FrameInfo
    from turnwise.archive.migrating import Migration
    from turnwise.archive.transcript import TranscriptLine
    from turnwise.core.explain.history import Edge
    from turnwise.core.migration import Renaming
    from turnwise.core.trace import Decision
    from turnwise.drawing.path import Walk

_log = logging.getLogger("turnwise")

TURNS_SEARCHED_BACK = 20
"""How many turns without a decision `explain` skips in search of the last one with a decision."""


class Archive(Answers):
    """Explains, exports and migrates the conversations of a store. `None` as a conversation means all of them."""

    def __init__(
        self, store: Store, machines: AnyMachines, clock: Clock, question_model: AnyModel | None = None
    ) -> None:
        super().__init__(store, machines, question_model)
        self.clock = clock
        self.also_closes: list[Any] = []
        """Parts that were opened for this archive alone; each has a `close()` to await."""

    async def close(self) -> None:
        """Release the store, and the connections of a model that was opened by name; a model object stays open."""
        await self.store.close()
        for part in self.also_closes:
            await part.close()

    async def journal(self, conversation: str) -> tuple[Entry, ...]:
        """Return every journal entry of a conversation, in order. Raises `UnknownConversation`."""
        entries = await self.store.entries(check_name("conversation", conversation))
        if not entries:
            raise await unknown_conversation(self.store, conversation)
        return entries

    async def frames(self, conversation: str) -> tuple[FrameInfo, ...]:
        """Return the frames of a conversation in the order of opening, the conversation itself first.
        Those that were closed or undone are among them. Raises `UnknownConversation`.
        """
        from turnwise.archive.frames import frames_of

        return await frames_of(self.store, self.machines, check_name("conversation", conversation))

    async def transcript(self, conversation: str, frame: int | str | None = None) -> tuple[TranscriptLine, ...]:
        """Return the transcript as the user saw it, or only the lines of one frame, by its id or the name of its scope.
        Raises `UnknownConversation`, `UnknownFrame`.
        """
        from turnwise.archive.transcript import transcript_of

        if isinstance(frame, str):
            check_name("frame", frame)
        else:
            check_number("frame", frame)
        return await transcript_of(self.store, self.machines, check_name("conversation", conversation), frame)

    async def turn(self, conversation: str, number: int | None = None) -> Turn:
        """Return a past turn by its number, by default the last. Raises `UnknownConversation`, `UnknownTurn`."""
        check_number("number", number)
        last = (await self.state(conversation)).turn
        return await self.turns.stored_turn(conversation, number if number is not None else last)

    async def explain(
        self, conversation: str, turn: int | None = None, transition: str | None = None
    ) -> tuple[Decision, ...]:
        """Return the decisions of a past turn, by default of the last one with decisions; of one transition or of all.
        After an undo the default is the turn that it went back to. With a name, only decisions about that transition,
        or about transitions to that node, are returned. For a transition that was not judged, a `hypothetical` decision
        says why, and how it stood at the end of the turn. Raises `UnknownConversation`, `UnknownTurn`, and
        `UnknownTransition` for a name that the flow lacks.
        """
        check_optional_name("transition", transition)
        check_number("turn", turn)
        found = await self._decided(conversation, turn)
        decisions = found.decisions if found is not None else ()
        chosen = tuple(d for d in decisions if transition is None or d.about(transition))
        if transition and not chosen:
            return await self._standing(conversation, found, transition, is_named=turn is not None)
        return chosen

    async def _standing(
        self, conversation: str, turn: Turn | None, name: str, *, is_named: bool
    ) -> tuple[Decision, ...]:
        """Judge the transitions of a name at the end of a turn, or on the latest state if no turn was named. Raises
        `UnknownTransition`.
        """
        from turnwise.core.explain.now import explain_now, transitions_named

        if is_named and turn is not None:
            machine, state = turn.machine, turn.state
        else:
            state = await self.state(conversation)
            machine = await self.machines.shown_of_state(state)
        check_transition_known(machine, name)
        left, number = (turn.left, turn.number) if turn is not None else ((), state.turn)
        nodes = (state.node, *(gone.node for gone in reversed(left)))
        ways = transitions_named(machine, name, nodes)
        found = [explain_now(machine, state, way, conversation, number, left) for way in ways]
        return tuple([decision for decision in found if decision is not None])

    async def _decided(self, conversation: str, turn: int | None) -> Turn | None:
        """Return a turn, or the last one that decided something; `None` if that is no longer stored."""
        try:
            found = await self.turn(conversation, turn)
            first = max(1, found.number - TURNS_SEARCHED_BACK)
            while turn is None and not found.decisions and found.number > first:
                found = await self.turn(conversation, found.number - 1 if found.undone_to is None else found.undone_to)
        except UnknownTurn:
            if turn is not None:
                raise
            return None
        return found

    async def what_if(
        self,
        conversation: str | None,
        *,
        turn: int | None = None,
        values: Mapping[str, Any] | None = None,
        rules: Mapping[str, str] | None = None,
        flow: Machine | None = None,
        progress: Progress | None = None,
    ) -> WhatIf:
        """Return which decisions would differ with other `values` by field, guards (`rules`) by transition, or another
        flow: of a turn, a conversation or all.
        """
        from turnwise.archive.asking import Supposition, what_if

        check_optional_name("conversation", conversation)
        check_progress(progress)
        check_number("turn", turn)
        check_hypothesis(values, rules, flow)
        supposition = Supposition(dict(values or {}), dict(rules or {}), flow)
        return await what_if(self.store, self.machines, supposition, conversation, turn, progress)

    async def history(
        self, conversation: str | None, transition: str | None = None, progress: Progress | None = None
    ) -> tuple[Edge, ...]:
        """Return how often transitions, or only one, were judged in one conversation or in all, with the outcomes."""
        from turnwise.archive.asking import history

        check_optional_name("conversation", conversation)
        check_optional_name("transition", transition)
        check_progress(progress)
        return await history(self.store, self.machines, conversation, transition, progress)

    async def walk(self, conversation: str) -> Walk:
        """Return the path of a conversation through its nodes, for a drawing. Raises `UnknownConversation`."""
        from turnwise.drawing.path import Walk

        await self.state(conversation)
        walk = Walk()
        async for entry, fingerprint in StoredConversation(self.store, conversation).by_version():
            walk.add(await self.machines.for_display(fingerprint) if fingerprint else None, entry)
        return walk

    async def replay(self, conversation: str, *, runs: bool = False, flow: Machine | None = None) -> Replayed:
        """Fold the journal and compare the result with the stored state; with `runs` or another `flow` also run the
        conversation again and compare the entries.
        """
        from turnwise.archive.asking import replay

        check_hypothesis(None, None, flow)
        check_name("conversation", conversation)
        return await replay(self.store, self.machines, conversation, runs=runs, flow=flow)

    async def export(self, conversation: str) -> bytes:
        """Return a conversation as the bytes of a file, with the flows that it needs. Secret values are in it."""
        from turnwise.archive.transfer import export

        return await export(self.store, check_name("conversation", conversation))

    async def import_conversation(
        self,
        data: bytes,
        conversation: str | None = None,
        file: str = "the file",
        *,
        effects: bool | None = None,
        key: str | None = None,
    ) -> str:
        """Import an exported file as a conversation, by default under its own name; return the name.
        `file` is what errors call it. Under another name it is a copy, which may not use tools with effects; `effects`
        allows or forbids them. With the same `key` a file is imported once.
        """
        from turnwise.archive.transfer import import_conversation

        check_optional_name("conversation", conversation)
        check_optional_name("key", key)
        return await import_conversation(
            self.store, self.clock, check_file(data), conversation, file, effects=effects, key=key
        )

    async def fork(
        self,
        source: str,
        conversation: str,
        turn: int | None = None,
        *,
        effects: bool = False,
        key: str | None = None,
    ) -> None:
        """Begin a conversation as a copy of another (`source`) up to the end of a turn, by default the last.
        Without `effects` it may not use tools with effects. With the same `key` one copy is made.
        """
        from turnwise.archive.migrating import fork

        check_name("source", source)
        check_name("conversation", conversation)
        check_number("turn", turn)
        check_optional_name("key", key)
        await fork(self.store, self.machines, self.clock, source, conversation, turn, effects=effects, key=key)

    async def migrate(
        self,
        flow: Machine,
        renaming: Renaming | None = None,
        *,
        conversation: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Migration:
        """Move waiting conversations that can continue with another version of their flow; return the outcomes.
        `renaming` has new names by old ones; with `dry_run` only report.
        """
        from turnwise.archive.migrating import migrate
        from turnwise.core.migration import NO_RENAMING

        check_machine(flow)
        check_renaming(renaming)
        check_optional_name("conversation", conversation)
        check_progress(progress)
        return await migrate(
            self.store,
            self.machines,
            self.clock,
            flow,
            renaming or NO_RENAMING,
            conversation=conversation,
            dry_run=dry_run,
            progress=progress,
        )
