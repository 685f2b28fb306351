"""The ports of the runner: protocols of tools, stores and clocks.

`Host` is what the loop of one turn needs. More ports: of models in `model_port.py`, of the engine in `engine.py`, of
upkeep in `store_upkeep.py`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Generator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from msgspec import Struct

from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.state import Person, State, Timer
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import AnyEffect
from turnwise.core.state.events import Entry, ResultEvent
from turnwise.core.state.retention import Retention
from turnwise.core.turn import Step
from turnwise.flow.code import ToolCall
from turnwise.runner.search import ConversationPage, ConversationQuery, NodeCount
from turnwise.runner.uses import Uncounted, UseCount, Uses

Understand = Callable[[str, AllowedInput], Sequence[AnyCommand] | Awaitable[Sequence[AnyCommand]]]
"""An understanding of users: a function of a message and of what is allowed, that returns commands."""


class Clock(Protocol):
    """The source of the time."""

    def now_ms(self) -> int:
        """Return milliseconds since 1970, UTC."""
        ...


class ToolRunner(Protocol):
    """Runs one tool. Any error that it raises is a failure of the tool; its result is JSON data."""

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Return the result of one call; `call.key` is the same for each attempt."""
        ...

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Find out whether a call that a crash interrupted was made: return its result, or raise `NotDone`."""
        ...


class Receipt(Struct, frozen=True, gc=False):
    """The stored form of an idempotency key: a hash of its event, and its turn."""

    key: str
    body: str
    """The hash of the event that came with it."""
    turn: int
    """The turn that the event began."""


class Commit(Struct, frozen=True, gc=False):
    """Entries that a store writes atomically, with the receipt of the event, and the state at the end of a turn.

    The `first` commit of a turn claims the conversation, a `next` one needs that claim, a `takeover` takes the claim
    from a process that is dead, or from an earlier run of this one. A commit with a state ends the turn: it writes the
    state and its timers, and releases the claim.
    """

    entries: tuple[Entry, ...]
    part: Literal["first", "next", "takeover"] = "first"
    """Which commit of its turn it is."""
    state: State | None = None
    """The state after the turn, with the last commit of it."""
    receipt: Receipt | None = None
    """The receipt of the event that began the turn; `None` where it had no key."""
    fence: int = 0
    """The fencing token: all commits of one run of a turn have the same number, and no other run has it. The store
    accepts a `next` commit only with the number of the commit that claimed the turn.
    """
    delivery: str = ""
    """The id of a delivery, with which a store with an outbox adds the turn to it in the same transaction."""


class Claim(Struct, frozen=True, gc=False):
    """The process that runs the current turn: this one or another, and whether it is alive.

    A claim is held by a lease: the store renews it while the turn is under way. A process that renews it no more is
    dead when the lease has expired, or as soon as it is known to have ended. Whoever takes it over fences it.
    """

    is_mine: bool
    """True if this process runs the turn."""
    is_alive: bool
    """False if the process that runs the turn is dead."""


class Due(Struct, frozen=True, gc=False):
    """A timer that is due, and the version of the flow that its conversation has."""

    conversation: str
    timer: Timer
    fingerprint: str
    """The version of the flow that the conversation has."""


LEASE_S = 10
"""For how long a process has what is due, or was cut off, for itself; then another one may get it."""
MOST_LEASED = 500
"""How many conversations that were cut off are leased at once."""


class Change(NamedTuple):
    """A conversation that was written, or deleted."""

    conversation: str | None = None
    """Its id; `None` if any conversation may have been written or deleted."""
    seq: int = 0
    """The position of its last entry; 0 if it was deleted."""


class Queued(Struct, frozen=True, gc=False):
    """A conversation that waits for a person, or has one: its flow, its node, and the person."""

    conversation: str
    flow: str
    node: str
    person: Person


class Setting(Struct, frozen=True, gc=False):
    """A value that was set for all conversations of a flow while it runs."""

    flow: str
    name: str
    data: Any
    """The value as JSON data; `None` takes it away."""
    by: str
    """Who set it."""
    at_ms: int
    """When it was set, in milliseconds since 1970."""


Progress = Callable[[int, int], object]
"""Is called from time to time with how many are done, and of how many."""


class Retained(NamedTuple):
    """How many events retention erased, and how many decisions it trimmed."""

    events: int = 0
    """How many events were erased."""
    decisions: int = 0
    """How many decisions were trimmed."""


class Writing(Protocol):
    """A commit that is being written. Awaiting it waits until it is durable, and raises the error of the write. An
    `asyncio.Future` is one.
    """

    def __await__(self) -> Generator[Any, Any, None]:
        """Wait until it is durable."""
        ...

    def add_done_callback(self, callback: Callable[[Any], object], /) -> None:
        """Call `callback` with this object when the write has ended."""
        ...

    def exception(self) -> BaseException | None:
        """Return the error of the write, `None` if it is durable."""
        ...


class Written:
    """A commit whose write has already ended."""

    __slots__ = ("_failure",)

    def __init__(self, failure: Exception | None = None) -> None:
        self._failure = failure

    def __await__(self) -> Generator[Any, Any, None]:
        if self._failure is not None:
            raise self._failure
        yield from ()

    def add_done_callback(self, callback: Callable[[Written], object], /) -> None:
        """Call `callback` now."""
        callback(self)

    def exception(self) -> Exception | None:
        """Return the error of the write."""
        return self._failure


class Store(Protocol):
    """Stores journals, latest states, receipts, timers, and the flows of conversations."""

    def commit(self, conversation: str, commit: Commit) -> Writing:
        """Write all of a commit or nothing. Commits are queued in the order of these calls; awaiting one waits until it
        is durable. Raises `Conflict` if the first entry does not follow the last one or a turn is under way (for a
        `takeover`: in another process that is alive),
        `Superseded` if the claim belongs to another process or another `fence`, `StoreUnavailable`.
        """
        ...

    async def load(self, conversation: str) -> State | None:
        """Return the state that the last entry leads to, `None` if there is no such conversation."""
        ...

    async def claim(self, conversation: str) -> Claim | None:
        """Return which process runs a turn of this conversation now; `None` if no turn is under way."""
        ...

    async def holds(self, conversation: str, fence: int) -> bool:
        """Return whether the run with this fencing token has the turn, and no other process may take it over for at
        least half a lease from now. It is called before each call that changes the world, and asks the database only
        where the lease of this process may end sooner: a process that was suspended does not know that.
        """
        ...

    def is_shared(self) -> bool:
        """Return whether another process may write too; then a turn is claimed before its work begins, so that no work
        is in vain. It is called in every turn that performs effects, and may return true without need.
        """
        ...

    def changes(self) -> AsyncIterator[Change]:
        """Yield first a change of all conversations, and from then on each that any process writes or deletes, soon
        after: a hint to read it. One may come several times.
        """
        ...

    async def cut_off(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the conversations with a turn in progress of this process, and up to `MOST_LEASED` whose process is
        dead; this process leases those, as `due` does. Of dead processes those in `without` are left to others.
        """
        ...

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """Return the receipt of an idempotency key."""
        ...

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after a position, in order, up to another."""
        ...

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """Return the entries of a turn, in order."""
        ...

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """Return the entries at some positions."""
        ...

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """Return the newest snapshot at or before a position."""
        ...

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last `limit` entries after a position that hold something said, of one frame or of all."""
        ...

    async def due(self, flow: str, now_ms: int, limit: int, without: Collection[str] = ()) -> tuple[Due, ...]:
        """Return the timers of a flow's conversations that are due, the oldest first, without those of the versions
        with these fingerprints. However many these have, or other flows, it takes no longer.

        This process leases the conversations of what is returned for `LEASE_S`: as long as it lives and the lease
        lasts, another process that shares the store gets other ones, and this process the same ones again.
        """
        ...

    async def next_due(self, flow: str, without: Collection[str] = ()) -> int | None:
        """Return when the next timer of a flow's conversations is due, in milliseconds since 1970, without those of
        the versions with these fingerprints.
        """
        ...

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations of all flows that wait for a person or have one, as of their last turn, in the order
        in which they began.
        """
        ...

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Store a flow, so that conversations that began with it can continue and be explained."""
        ...

    async def flow(self, fingerprint: str) -> str | None:
        """Return the stored flow of a fingerprint."""
        ...

    async def versions(self) -> tuple[str, ...]:
        """Return the fingerprints of all flows that are kept, in any order."""
        ...

    async def setting(self, flow: str, name: str) -> Any:
        """Return what a name is set to for all conversations of a flow, `None` if nothing."""
        ...

    async def set_setting(self, flow: str, name: str, data: Any, by: str, at_ms: int) -> None:
        """Set a name to JSON data for all conversations of a flow, or take it away with `None`. What it was before
        stays in its history, with who set it and when; it names no conversation, so retention leaves it.
        """
        ...

    async def settings(self, flow: str, prefix: str = "") -> tuple[Setting, ...]:
        """Return what is set for a flow now, of all names or of those that begin with a prefix, in order of names."""
        ...

    async def setting_history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return what a name was set to, in the order in which it was set."""
        ...

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """Return the ids of all conversations, or of the first so many, in the order in which they began."""
        ...

    async def owned(self, owner: str) -> int:
        """Return how many conversations have an id that begins with an owner and a colon. It takes the same time
        however many there are.
        """
        ...

    async def find(self, query: ConversationQuery) -> ConversationPage:
        """Return a page of the conversations that match, the one that changed last first. States are not loaded."""
        ...

    async def counts(self, flow: str = "") -> tuple[NodeCount, ...]:
        """Return how many conversations are in each node, of one flow or of all."""
        ...

    async def uncounted(self, most: int) -> tuple[Uncounted, ...]:
        """Return up to so many conversations with entries of whole turns whose uses are not counted."""
        ...

    async def count_uses(self, found: Sequence[Uses]) -> None:
        """Add what uncounted entries use, but not what another process has counted meanwhile."""
        ...

    async def use_counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often everything of a flow was used, of one kind or of all, by conversations that still exist."""
        ...

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation with all that is counted of it; return false if there is none."""
        ...

    async def retain(self, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
        """Erase events and trim decisions that are older than the retention of the version on which a conversation is
        (`Retention.of_version`), up to the last turn that has ended, while other turns continue. Repeating it changes
        nothing more.
        """
        ...

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        """Erase the words of the closed scopes whose time is over (`without_words`), of one conversation or of all;
        return of how many scopes. `retain` does so too.
        """
        ...

    async def close(self) -> None:
        """Write everything that is queued, and release all resources."""
        ...


class Host(Protocol):
    """The interface of the loop to one turn of one conversation."""

    async def load(self) -> State | None:
        """Return the state before the turn, `None` for a conversation that begins."""
        ...

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> ResultEvent:
        """Perform an effect; `again` is true if a process that ended may have performed it before."""
        ...

    async def commit(self, step: Step) -> None:
        """Make a step durable before anything that follows from it happens (law 3.8)."""
        ...


class Accepted(Struct, frozen=True, gc=False):
    """An event was accepted: the entries of its turn, the state after it and, if it is known, before it."""

    entries: tuple[Entry, ...]
    """The entries of the turn."""
    state: State
    before: State | None = None
    """The state before the turn; `None` where it is not known."""


class Duplicate(Struct, frozen=True, gc=False):
    """The key was used before: the entries of that turn, and the latest state."""

    entries: tuple[Entry, ...]
    """The entries of the turn that the key began."""
    state: State
    """The latest state of the conversation."""
