"""One conversation: sends events to it, and answers questions about it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwise.api.listeners import LISTENERS, notify
from turnwise.api.outside_events import (
    as_outside_event,
    button_press,
    commands_event,
    external_event,
    timer_event,
    tool_use,
)
from turnwise.api.overlays import OverlayCalls
from turnwise.api.people import PeopleCalls
from turnwise.api.runtime import Runtime
from turnwise.api.spending import SpendingCalls
from turnwise.archive.answer_words import ENGLISH, AnswerWords
from turnwise.archive.archive import Archive
from turnwise.archive.arguments import check_name, check_number, check_text
from turnwise.core.machine import Machine
from turnwise.core.state import State, Timer
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand
from turnwise.core.turn import Refusal
from turnwise.errors import WrongArgument
from turnwise.flow.model import Flow
from turnwise.runner.conversation_locks import Caller
from turnwise.runner.model_port import Delta
from turnwise.runner.ports import Accepted, Duplicate
from turnwise.runner.result import Turn
from turnwise.runner.streams import stream_turn

if TYPE_CHECKING:
    from turnwise.archive.activity import Activity
    from turnwise.archive.asking import Replayed, WhatIf
    from turnwise.archive.dry_run import DryRun
    from turnwise.archive.frames import FrameInfo
    from turnwise.archive.migrating import Migration
    from turnwise.archive.transcript import TranscriptLine
    from turnwise.core.explain.history import Edge
    from turnwise.core.migration import Renaming
    from turnwise.core.trace import Decision
    from turnwise.why.answer import Answer

ShortTurn = Callable[[Accepted], Turn | None]
"""A function that returns a turn that has just ended without reading the journal; `None` if it needs earlier entries.
"""


class Chat(PeopleCalls, OverlayCalls, SpendingCalls):
    """One conversation of an app. Making a chat costs nothing; the first event begins the conversation.

    Each event returns a `Turn`; a refused event returns one too, with its `refused` code. With a `key` an event counts
    once: the same key returns the same turn and does nothing. Events are served in order of arrival. A conversation
    that is forgotten in the middle of a turn, or while an event waits, raises `UnknownConversation` there.
    """

    caller: Caller | None = None
    """The caller of this chat, where it can leave without being cancelled; else `None`."""

    def __init__(
        self, runtime: Runtime, name: str, *, existing: bool = False, short_turn: ShortTurn | None = None
    ) -> None:
        self.runtime = runtime
        self.existing = existing
        self._short_turn = short_turn
        self.name = check_name("conversation", name)

    def __repr__(self) -> str:
        return f"<Chat {self.name!r} of {self.machine.flow.name!r}>"

    @property
    def machine(self) -> Machine:
        """The linked flow of the conversation."""
        return self.runtime.machine

    # events ------------------------------------------------------------------------------------

    async def start(self, *, key: str | None = None, time_zone: str | None = None) -> Turn:
        """Begin the conversation without a message; one that has begun is left unchanged.
        `time_zone` is that of its user, such as `Europe/Berlin`.
        """
        zone = "" if time_zone is None else check_text("time_zone", time_zone)
        return await self._submit(None, key, zone)

    async def say(self, text: str, *, position: int | None = None, key: str | None = None) -> Turn:
        """Send a message of the user, and return its turn. The first message begins the conversation, with one reply.
        `position` is that of the last entry which the user has seen. Where something else was sent since, as from a
        second window, or another question was asked, the message is refused (`stale`). Without a `position` the message
        approves and confirms nothing that only a timer or an operator has led to: the question is asked again.
        """
        seen = check_number("position", position)
        return await self._submit(e.UserSaid(check_text("text", text)), key, seen=seen)

    async def choose(self, button: str | e.Button, *, position: int | None = None, key: str | None = None) -> Turn:
        """Press a button, named by its value or label; `position` is that of the turn that offered the button.
        Without a `position` the press approves and confirms nothing that only a timer or an operator has led to.
        """
        return await self._submit(button_press(button, position), key)

    async def commands(self, commands: Iterable[AnyCommand], *, by: str = "", key: str | None = None) -> Turn:
        """Apply commands of a program: an importer, a test, another understanding. `by` is who sent them."""
        return await self._submit(commands_event(commands, check_text("by", by)), key)

    async def tool_used(
        self, tool: str, arguments: Mapping[str, Any] | None = None, result: Any = None, *, key: str | None = None
    ) -> Turn:
        """Record that the host's own code has used a tool, with the `result`; its arguments are checked as those of a
        model's call.
        """
        return await self._submit(self.runtime.performer.without_keys(tool_use(tool, arguments, result)), key)

    async def fire(self, timer: str | Timer, *, visit: int | None = None, key: str | None = None) -> Turn:
        """Fire a timer, named by its transition or one of `state.due_timers`, or a schedule before its time. With
        `visit`, the number of a visit of the timer's node, a timer named by its transition only fires in that visit.
        """
        return await self._submit(await timer_event(self.runtime, timer, check_number("visit", visit)), key)

    async def event(
        self, name: str, data: Mapping[str, Any] | None = None, *, by: str = "", key: str | None = None
    ) -> Turn:
        """Send an event of another system by its name, with data by field, which the flow declares under `events`;
        `by`, its sender, is recorded.
        """
        return await self._submit(external_event(name, data, by), key)

    async def undo(self, *, to: int | None = None, key: str | None = None) -> Turn:
        """Undo the last turn, or all turns after turn `to`. Effects that were performed stay."""
        return await self._submit(e.UndoAsked(check_number("to", to)), key)

    async def run(self, *, key: str | None = None, time_zone: str | None = None) -> tuple[Turn, ...]:
        """Begin the conversation of an autonomous flow, and wait until the flow ends or needs a person (law 2.8).
        Return all its turns. `time_zone` is as in `start`. If the conversation had begun, return the turns that end
        after this call, maybe none.
        """
        first = await self.start(key=key, time_zone=time_zone)
        if first.refused is not None:
            return (first,)
        return await self.following(first) if first.events else await self._since(first.state.turn)

    async def following(self, turn: Turn) -> tuple[Turn, ...]:
        """Wait until an autonomous flow rests; return `turn` and the turns that the flow began by itself after it."""
        return (turn, *await self._since(turn.number))

    def stream(
        self, text: str | e.Button, *, position: int | None = None, key: str | None = None
    ) -> AsyncIterator[Delta | Turn]:
        """Send a message or a button; yield each piece of a model's text as it arrives, and at the end the turn.
        A `position` is as in `say` and `choose`. The turn continues when the caller stops listening; the next turn
        reports it.
        """
        engine, once = self.runtime.engine, "" if key is None else check_name("key", key)
        at = check_number("position", position)
        event = button_press(text, at) if isinstance(text, e.Button) else e.UserSaid(check_text("text", text))
        seen = at if isinstance(event, e.UserSaid) else None
        submit = partial(engine.submit, self.name, event, once, seen=seen, is_for_existing=self.existing)
        return stream_turn(submit, self._turn_of, partial(engine.record_missed, self.name))

    # questions ---------------------------------------------------------------------------------

    async def state(self) -> State:
        """Return the state of the conversation. Raises `UnknownConversation`."""
        return await self._archive.state(self.name)

    async def activity(self, *, language: str = "en") -> Activity:
        """Return what the conversation does now, as one headline: `Asks for “purpose”: 3 of 5 answered`.
        `language` is `en` or `de`. Raises `WrongArgument` for another one, `UnknownConversation` before the first
        event.
        """
        from turnwise.archive.activity import activity_of
        from turnwise.archive.activity_words import LANGUAGES

        if language not in LANGUAGES:
            raise WrongArgument("language", language, " or ".join(map(repr, LANGUAGES)))
        state = await self.state()
        machine = await self.runtime.machines.shown_of_state(state)
        return activity_of(machine, state, self.runtime.clock.now_ms(), language)

    async def journal(self) -> tuple[e.Entry, ...]:
        """Return every journal entry of the conversation, in order. Raises `UnknownConversation`."""
        return await self._archive.journal(self.name)

    async def frames(self) -> tuple[FrameInfo, ...]:
        """Return the frames of the conversation: itself and each opened scope. Raises `UnknownConversation`."""
        return await self._archive.frames(self.name)

    async def transcript(self, *, frame: int | str | None = None) -> tuple[TranscriptLine, ...]:
        """Return the transcript as the user saw it, or the lines of one frame, by its id or its scope's name.
        Of a scope it is the last frame. With `frame` only the lines of that frame are returned, with the summaries of
        scopes in it. Raises `UnknownFrame`.
        """
        return await self._archive.transcript(self.name, frame)

    def events(self, *, after: int = 0) -> AsyncIterator[e.Entry]:
        """Yield the journal entries after position `after`, then new ones, until the conversation is deleted."""
        if check_number("after", after) is None:
            raise WrongArgument("after", after, "an int")
        return self.runtime.engine.events(self.name, after)

    async def turn(self, number: int | None = None) -> Turn:
        """Return a past turn by its number, by default the last, with everything that it showed when it was taken.
        Raises `UnknownConversation`, `UnknownTurn`.
        """
        return await self._archive.turn(self.name, number)

    async def explain(self, *, turn: int | None = None, transition: str | None = None) -> tuple[Decision, ...]:
        """Return the decisions of a past turn, by default of the last one with decisions; of one transition or of all.
        Raises `UnknownConversation`, `UnknownTurn`, `UnknownTransition`.
        """
        return await self._archive.explain(self.name, turn, transition)

    async def why(
        self, question: str = "", *, turn: int | None = None, usual: bool = False, words: AnswerWords = ENGLISH
    ) -> Answer:
        """Return why something is as it is at the end of a turn, by default the last.
        The question is a field, node, transition, tool, timer or other subject by its name, a turn by its number,
        `end`, or plain words. With `usual` the second fact says in how many conversations of the flow that was so;
        these are read for it. `words` says in which language, and with which names, the answer is written.

        Raises `UnknownConversation`, `UnknownTurn`, `UnknownSubject`.
        """
        return await self._archive.why(self.name, question, turn=turn, usual=usual, words=words)

    async def compare(
        self,
        other: str | None = None,
        *,
        turn: int | None = None,
        other_turn: int | None = None,
        words: AnswerWords = ENGLISH,
    ) -> Answer:
        """Return the first decision that differs from another conversation (`other`), or from turn `other_turn` of it
        or of this one, and the values that made it. Raises `UnknownConversation`, `UnknownTurn`.
        """
        return await self._archive.compare(self.name, other, turn=turn, other_turn=other_turn, words=words)

    async def ways_to(
        self, node: str, *, turn: int | None = None, most_steps: int = 8, words: AnswerWords = ENGLISH
    ) -> Answer:
        """Return the shortest ways, of at most `most_steps` acts, from the present state or the end of a turn to a
        node, a transition or a scope's outcome. An outcome is named as `survey:completed`. A fork can begin at the end
        of a turn. The machine was run on each way, without effects. Raises `UnknownConversation`, `UnknownTurn`,
        `UnknownSubject`.
        """
        return await self._archive.ways_to(self.name, node, turn=turn, most_steps=most_steps, words=words)

    async def dry_run(
        self, event: str | e.Button | e.GivenBack | Iterable[AnyCommand], *, position: int | None = None
    ) -> DryRun:
        """Return what a message, a button, commands or a person's giving back would do now, without doing it.
        `position` is that of the question which the caller saw. Nothing is stored or called; where a model or a tool
        would decide, the answer says so.
        """
        from turnwise.archive.dry_run import dry_run

        runtime = self.runtime
        taken = as_outside_event(event, position)
        state = await runtime.archive.store.load(self.name)
        machine = self.machine if state is None else await runtime.machines.of_state(state)
        return await dry_run(runtime.performer, machine, self.name, state, taken, runtime.clock)

    async def what_if(
        self,
        *,
        turn: int | None = None,
        values: Mapping[str, Any] | None = None,
        rules: Mapping[str, str] | None = None,
        flow: Flow | Machine | None = None,
    ) -> WhatIf:
        """Return which decisions would differ with other `values` by field, guards (`rules`) by transition, or another
        flow: decisions of one turn, or by default of all. No model is called and nothing changes.
        """
        other = self.runtime.link_supposed(flow)
        return await self._archive.what_if(self.name, turn=turn, values=values, rules=rules, flow=other)

    async def history(self, transition: str | None = None) -> tuple[Edge, ...]:
        """Return how often transitions, or only one, were judged in this conversation, and with which outcomes."""
        return await self._archive.history(self.name, transition)

    async def replay(self) -> bool:
        """Return true if folding the journal gives exactly the stored state. Raises `UnknownConversation`."""
        return (await self._archive.replay(self.name)).folds

    async def rerun(self) -> Replayed:
        """Fold the journal, run the conversation again with its own flow, and compare both; no model is called."""
        return await self._archive.replay(self.name, runs=True)

    # the conversation as a whole ---------------------------------------------------------------

    async def fork(
        self, conversation: str, *, turn: int | None = None, effects: bool = False, key: str | None = None
    ) -> Chat:
        """Begin another conversation as a copy of this one up to the end of a turn, by default the last.
        Tools with effects are refused in the copy, unless `effects` allows them. A repeated call with the same `key`
        returns the copy that it made. Raises `ConversationExists`, and `KeyReused` for a key of another request.
        """
        await self._archive.fork(self.name, conversation, turn, effects=effects, key=key)
        return Chat(self.runtime, conversation)

    async def export(self) -> bytes:
        """Return the conversation as the bytes of a file, with the flows that it needs. Secret values are in it."""
        return await self._archive.export(self.name)

    async def migrate(self, renaming: Renaming | None = None, *, dry_run: bool = False) -> Migration:
        """Move the conversation to this flow's version if it fits (law 6.8); with `dry_run` only report whether.
        `renaming` has new names of nodes, fields and overlays by old ones.
        """
        return await self._archive.migrate(self.machine, renaming, conversation=self.name, dry_run=dry_run)

    async def forget(self) -> bool:
        """Delete everything that is stored of the conversation, after its current turn; return false if nothing is."""
        found = await self.runtime.engine.forget(self.name)
        self._archive.drop(self.name)
        return found

    # -------------------------------------------------------------------------------------------

    @property
    def _archive(self) -> Archive:
        return self.runtime.archive

    async def _since(self, number: int) -> tuple[Turn, ...]:
        """Return the turns after one, when the conversation has come to rest."""
        await self.runtime.engine.wait(self.name)
        last = (await self.turn()).number
        return tuple([await self.turn(later) for later in range(number + 1, last + 1)])

    async def _submit(
        self, event: e.OutsideEvent | None, key: str | None, time_zone: str = "", seen: int | None = None
    ) -> Turn:
        engine, name, once = self.runtime.engine, self.name, "" if key is None else check_name("key", key)
        done = await engine.submit(
            name, event, once, time_zone=time_zone, seen=seen, is_for_existing=self.existing, caller=self.caller
        )
        try:
            return await self._turn_of(done)
        except asyncio.CancelledError:
            engine.record_missed(name, done)
            raise

    async def _turn_of(self, done: Accepted | Duplicate | Refusal) -> Turn:
        if self._short_turn is not None and not LISTENERS and isinstance(done, Accepted):
            short = self._short_turn(done)
            if short is not None:
                return short
        turn = await self.runtime.turns.turn_of(self.name, done, self.runtime.machine)
        return notify(turn) if LISTENERS else turn
