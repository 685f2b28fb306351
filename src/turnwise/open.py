"""The façade: load a flow, open it, and talk. The only place beside CLI and server that chooses concrete parts."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from turnwise.arguments import asked, chosen, commanded, fired, named, parts, said, undone, used
from turnwise.core import events as e
from turnwise.core.codec import encode_state
from turnwise.core.commands import AnyCommand
from turnwise.core.explain.decision import explain
from turnwise.core.fold import fold_all
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import Place, State
from turnwise.core.trace import Decision
from turnwise.core.turn import Refusal
from turnwise.documents import check, check_text, described, load
from turnwise.errors import TurnwiseError
from turnwise.flow.code import PythonGuard
from turnwise.flow.model import Flow
from turnwise.runner.clocks import SystemClock
from turnwise.runner.engine import LocalEngine
from turnwise.runner.perform import Performer, words_at
from turnwise.runner.ports import Clock, Model, Store, Understand
from turnwise.runner.result import Turn, messages
from turnwise.runner.waiting import OwnLoop
from turnwise.stores.memory import MemoryStore

__all__ = ["DEFAULT", "BlockingChat", "Chat", "Turn", "check", "check_text", "load", "open"]

Result = TypeVar("Result")
DEFAULT = "main"
"""The conversation that is meant where none is named."""


def open(  # noqa: A001  `tw.open` is the name that users read
    flow: Flow | Machine | str | Path,
    *,
    store: str | Store = "memory://",
    understand: Understand | None = None,
    model: Model | None = None,
    guards: Iterable[PythonGuard | Any] = (),
    clock: Clock | None = None,
) -> Chat:
    """Open a flow for conversations. Raises `FlowError` with every problem of the flow.

    `flow` is a `Flow`, the path of a document, or a machine that `link` made. `store` is `memory://`
    (for as long as the process lives) or a store of your own. `understand` takes the place of the offline
    rules: a function, async or not, that is given a message and what is exposed, and gives commands.
    `model` speaks for nodes with a prompt. `guards` are the Python guards that the flow names. `clock`
    tells the time; tests give a `ManualClock`. Raises `WrongArgument` for what is none of these.
    """
    parts(understand, store=None if isinstance(store, str) else store, model=model, clock=clock)
    if isinstance(flow, Machine):
        machine = flow
    else:
        machine = link(flow if isinstance(flow, Flow) else load(flow), described(guards))
    return Chat(
        machine, _store(store), understand or _offline(model), model or _no_model(machine), clock or SystemClock()
    )


def _offline(model: Model | None) -> Understand:
    from turnwise.providers.offline import understand, understand_beside_model

    return understand if model is None else understand_beside_model


def _no_model(machine: Machine) -> Model:
    from turnwise.providers.silent import NoModel

    return NoModel(machine.language)


def _store(store: str | Store) -> Store:
    if not isinstance(store, str):
        return store
    if store in ("memory://", "memory:", "memory"):
        return MemoryStore()
    raise TurnwiseError(f"no store is known for {store!r}; this version knows memory://")


class Chat:
    """Conversations of one machine, told apart by their name (`conversation`); the first event begins one.

    What can happen gives a `Turn`; an event that is refused gives one too, with its `refused` code. With a
    `key` an event counts once: the same key again gives the same turn and does nothing. Events of one
    conversation are served in their order, those of different ones side by side.
    """

    def __init__(self, machine: Machine, store: Store, understand: Understand, model: Model, clock: Clock) -> None:
        self.machine = machine
        self.store = store
        self.clock = clock
        self.engine = LocalEngine(machine, store, Performer(machine, store, model, understand), clock)

    # what can happen -------------------------------------------------------------------------

    async def start(self, conversation: str = DEFAULT, *, key: str = "", time_zone: str = "") -> Turn:
        """Begin a conversation without a message; one that has begun is left as it is."""
        return await self._submit(conversation, None, key, time_zone)

    async def say(self, text: str, conversation: str = DEFAULT, *, key: str = "") -> Turn:
        """The user says something. The first message begins the conversation, with one reply."""
        return await self._submit(conversation, said(text), key)

    async def choose(
        self, button: str | e.Button, conversation: str = DEFAULT, *, position: int | None = None, key: str = ""
    ) -> Turn:
        """The user presses a button, named by its value or label; `position` is the turn's that offered it."""
        return await self._submit(conversation, chosen(button, position), key)

    async def commands(self, commands: Iterable[AnyCommand], conversation: str = DEFAULT, *, key: str = "") -> Turn:
        """Commands from elsewhere: importers, tests, another understanding."""
        return await self._submit(conversation, commanded(commands), key)

    async def tool_used(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        result: Any = None,
        conversation: str = DEFAULT,
        *,
        key: str = "",
    ) -> Turn:
        """The host's own code used a tool."""
        return await self._submit(conversation, used(tool, arguments, result), key)

    async def fire(self, timer: str, conversation: str = DEFAULT, *, visit: int | None = None, key: str = "") -> Turn:
        """A timer comes due, named by its transition."""
        return await self._submit(conversation, fired(timer, visit), key)

    async def undo(self, conversation: str = DEFAULT, *, to: int | None = None, key: str = "") -> Turn:
        """Take the last turn back, or all turns after `to`; what was performed stays."""
        return await self._submit(conversation, undone(to), key)

    # what can be asked -----------------------------------------------------------------------

    async def state(self, conversation: str = DEFAULT) -> State:
        """The state of a conversation. Raises `UnknownConversation`."""
        return await self.engine.state(named(conversation))

    async def journal(self, conversation: str = DEFAULT) -> tuple[e.Entry, ...]:
        """Every event of a conversation, in order. Raises `UnknownConversation`."""
        await self.state(conversation)
        return await self.store.entries(conversation)

    async def explain(
        self, conversation: str = DEFAULT, *, turn: int | None = None, transition: str = ""
    ) -> tuple[Decision, ...]:
        """The decisions of a past turn (the last one that decided something), with one transition or all.
        Raises `UnknownConversation`, `UnknownTransition`.
        """
        asked(self.machine, turn, transition)
        journal = await self.journal(conversation)
        decided = [entry for entry in journal if isinstance(entry.event, e.Decided)]
        number = turn if turn is not None else decided[-1].turn if decided else 0
        found: list[Decision] = []
        for entry in decided:
            if entry.turn == number:
                decision = explain(self.machine, entry, conversation, messages(journal), _before(decided, entry))
                if not transition or decision.candidate(transition) is not None:
                    found.append(decision)
        return tuple(found)

    async def replay(self, conversation: str = DEFAULT) -> bool:
        """True if folding the journal gives exactly the state that is kept. Raises `UnknownConversation`."""
        folded = fold_all(await self.journal(conversation))
        return folded is not None and encode_state(folded) == encode_state(await self.state(conversation))

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        await self.engine.drain()

    @property
    def blocking(self) -> BlockingChat:
        """The same, for code without a loop of its own; where a loop is running, `await` the chat itself."""
        return BlockingChat(self)

    # -----------------------------------------------------------------------------------------

    async def _submit(self, conversation: str, event: e.OutsideEvent | None, key: str, time_zone: str = "") -> Turn:
        named(conversation, key, time_zone)
        before = await self.store.load(conversation)
        done = await self.engine.submit(conversation, event, key, time_zone=time_zone)
        if isinstance(done, Refusal):
            return Turn(conversation, self.machine, before, refused=done.code, refusal=done.text, before=before)
        return Turn(
            conversation,
            self.machine,
            done.state,
            done.entries,
            before if done.entries and before is not None and before.seq == done.entries[0].seq - 1 else None,
            await self._earlier(conversation, before, done.entries),
            await self._words(conversation, done.state),
            is_duplicate=not isinstance(done, Refusal) and type(done).__name__ == "Duplicate",
        )

    async def _earlier(
        self, conversation: str, before: State | None, entries: Sequence[e.Entry]
    ) -> dict[int, e.Decided]:
        """The judgings before those of this turn, by which a decision tells what has changed."""
        if before is None:
            return {}
        keys = {f"{x.event.node}/{x.event.moment}" for x in entries if isinstance(x.event, e.Decided)}
        positions = [before.decided[key] for key in keys if key in before.decided]
        found = await self.store.at(conversation, positions)
        return {seq: entry.event for seq, entry in found.items() if isinstance(entry.event, e.Decided)}

    async def _words(self, conversation: str, state: State) -> dict[Place, str | None]:
        """The words that the answers of the form in charge came from."""
        if state.frame.form is None:
            return {}
        places = [value.place for value in state.values.values() if value.place is not None]
        found = await self.store.at(conversation, [place[0] for place in places])
        return {place: words_at(found.get(place[0]), place[1], place[2]) for place in places}


def _before(decided: list[e.Entry], entry: e.Entry) -> e.Decided | None:
    """The judging of the same moment of the same node before this one."""
    event = entry.event
    assert isinstance(event, e.Decided)
    found: e.Decided | None = None
    for other in decided:
        earlier = other.event
        if other.seq >= entry.seq:
            break
        if isinstance(earlier, e.Decided) and (earlier.node, earlier.moment) == (event.node, event.moment):
            found = earlier
    return found


class BlockingChat:
    """A chat for code without a loop of its own: each call waits for its turn. Use it in a `with` block.

    In a notebook or an async server a loop is running: there, and after `close`, a call raises `CannotBlock`.
    Write `await chat.say(…)` there.
    """

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self._loop = OwnLoop()

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._loop.wait(work)

    def start(self, conversation: str = DEFAULT, **more: Any) -> Turn:
        """Begin a conversation without a message."""
        return self._wait(self.chat.start(conversation, **more))

    def say(self, text: str, conversation: str = DEFAULT, **more: Any) -> Turn:
        """The user says something."""
        return self._wait(self.chat.say(text, conversation, **more))

    def choose(self, button: str | e.Button, conversation: str = DEFAULT, **more: Any) -> Turn:
        """The user presses a button."""
        return self._wait(self.chat.choose(button, conversation, **more))

    def commands(self, commands: Iterable[AnyCommand], conversation: str = DEFAULT, **more: Any) -> Turn:
        """Commands from elsewhere."""
        return self._wait(self.chat.commands(commands, conversation, **more))

    def tool_used(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        result: Any = None,
        conversation: str = DEFAULT,
        **more: Any,
    ) -> Turn:
        """The host's own code used a tool."""
        return self._wait(self.chat.tool_used(tool, arguments, result, conversation, **more))

    def fire(self, timer: str, conversation: str = DEFAULT, **more: Any) -> Turn:
        """A timer comes due."""
        return self._wait(self.chat.fire(timer, conversation, **more))

    def undo(self, conversation: str = DEFAULT, **more: Any) -> Turn:
        """Take the last turn back."""
        return self._wait(self.chat.undo(conversation, **more))

    def state(self, conversation: str = DEFAULT) -> State:
        """The state of a conversation."""
        return self._wait(self.chat.state(conversation))

    def explain(self, conversation: str = DEFAULT, **more: Any) -> tuple[Decision, ...]:
        """The decisions of a past turn."""
        return self._wait(self.chat.explain(conversation, **more))

    def journal(self, conversation: str = DEFAULT) -> tuple[e.Entry, ...]:
        """Every event of a conversation, in order."""
        return self._wait(self.chat.journal(conversation))

    def replay(self, conversation: str = DEFAULT) -> bool:
        """True if folding the journal gives exactly the state that is kept."""
        return self._wait(self.chat.replay(conversation))

    def close(self) -> None:
        """Give the loop back."""
        self._loop.close()

    def __enter__(self) -> BlockingChat:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
