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
    """The stored form of an idempotency key: the key, a hash of its event, and the turn that the event began."""

    key: str
    """The idempotency key that the host sent with the event."""
    body: str
    """The hash of the event that was submitted with the key."""
    turn: int
    """The number of the turn that the event began."""


class Commit(Struct, frozen=True, gc=False):
    """Entries that a store writes atomically, with the receipt of the event, and the state at the end of a turn.

    The `first` commit of a turn claims the conversation, a `next` one needs that claim, a `takeover` takes the claim
    from a process that is dead, or from an earlier run of this one. A commit with a state ends the turn: it writes the
    state and its timers, and releases the claim.
    """

    entries: tuple[Entry, ...]
    part: Literal["first", "next", "takeover"] = "first"
    """Which commit of its turn it is; `takeover` continues the turn of a dead process or an earlier run."""
    state: State | None = None
    """The state after the turn, in the last commit of a turn; `None` in earlier ones."""
    receipt: Receipt | None = None
    """The receipt of the event that began the turn; `None` where it had no key."""
    fence: int = 0
    """The fencing token: all commits of one run of a turn have the same number, and no other run has it.
    The store accepts a `next` commit only with the number of the commit that claimed the turn."""
    delivery: str = ""
    """The id of the delivery that a store with an outbox queues for the turn in the same transaction; empty: none."""


class Claim(Struct, frozen=True, gc=False):
    """Says which process runs the current turn of a conversation: this one or another, and whether it is alive.

    A claim is held by a lease: the store renews it while the turn is under way. A process that renews it no more is
    dead when the lease has expired, or as soon as it is known to have ended. The process that takes it over fences it.
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
    """The fingerprint of the flow version that the conversation has."""


LEASE_S = 10
"""For how many seconds a process has what is due, or was cut off, for itself; then another one may get it."""
MOST_LEASED = 500
"""How many conversations that were cut off are leased at once."""


class Change(NamedTuple):
    """A conversation that was written, or deleted."""

    conversation: str | None = None
    """The id of the conversation; `None` if any conversation may have been written or deleted."""
    seq: int = 0
    """The position of the conversation's last entry; 0 if it was deleted."""


class Queued(Struct, frozen=True, gc=False):
    """A conversation that waits for a person or has one in charge: its flow, the node in charge, and the person."""

    conversation: str
    flow: str
    node: str
    person: Person


class Setting(Struct, frozen=True, gc=False):
    """A named value that was set at run time for all conversations of a flow, as an event of the setting's history."""

    flow: str
    name: str
    data: Any
    """The value as JSON data; `None` where it was taken away."""
    by: str
    """Who set the value."""
    at_ms: int
    """When the value was set, in milliseconds since 1970."""


Progress = Callable[[int, int], object]
"""A function that is called during long work with how many items are done, and how many there are."""


class Retained(NamedTuple):
    """How many events retention erased, and how many decisions it trimmed."""

    events: int = 0
    """How many events were erased."""
    decisions: int = 0
    """How many decisions were trimmed."""


class Writing(Protocol):
    """A commit that is being written. Awaiting it waits until it is durable, and raises the error of the write.
    An `asyncio.Future` is one.
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
        """Call `callback` now, since the write has ended."""
        callback(self)

    def exception(self) -> Exception | None:
        """Return the error of the write, `None` if it is durable."""
        return self._failure


class Store(Protocol):
    """Stores journals, latest states, receipts, timers, and the flows of conversations."""

    def commit(self, conversation: str, commit: Commit) -> Writing:
        """Queue a commit, of which all or nothing is written. Awaiting the result waits until it is durable.
        Commits are queued in the order of these calls. Raises `Conflict` if the first entry does not follow the last
        one or a turn is under way (for a `takeover`: in another process that is alive), `Superseded` if the claim
        belongs to another process or another `fence`, `StoreUnavailable`.
        """
        ...

    async def load(self, conversation: str) -> State | None:
        """Return the latest state of a conversation, after its last entry; `None` if there is no such conversation."""
        ...

    async def claim(self, conversation: str) -> Claim | None:
        """Return which process runs a turn of this conversation now; `None` if no turn is under way."""
        ...

    async def holds(self, conversation: str, fence: int) -> bool:
        """Return whether the run with the fencing token `fence` has the turn, and keeps it for at least half a lease
        from now. It is called before each call that changes the world, and asks the database only where the lease of
        this process may end sooner: a process that was suspended does not know that.
        """
        ...

    def is_shared(self) -> bool:
        """Return whether another process may write too; then a turn is claimed before its work begins, so that no work
        is done in vain. It is called in every turn that performs effects, and may return true without need.
        """
        ...

    def changes(self) -> AsyncIterator[Change]:
        """Yield one change for all conversations, then every conversation that any process writes or deletes.
        It comes soon after, as a hint to read the conversation. One may come several times.
        """
        ...

    async def cut_off(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the conversations with a turn in progress of this process, or of a dead process, up to `MOST_LEASED`.
        This process leases those of dead ones, as `due` does; except those in `without`, which are left to others.
        """
        ...

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """Return the receipt of an idempotency key; `None` if a conversation has not received it."""
        ...

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after position `after` up to and including `until` (`None`: up to the last), in order."""
        ...

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """Return the entries of the turn with this number, in order."""
        ...

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """Return the entries at some positions, by position."""
        ...

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """Return the entry of the newest snapshot at or before position `until`; `None` if there is none."""
        ...

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last `limit` entries with a message or reply after position `after`, of one frame or of all."""
        ...

    async def due(self, flow: str, now_ms: int, limit: int, without: Collection[str] = ()) -> tuple[Due, ...]:
        """Return the due timers of a flow's conversations, the oldest first, but none of the versions in `without`.
        These are fingerprints. However many timers these versions have, or other flows, it takes no longer.

        This process leases the conversations of what is returned for `LEASE_S`: as long as it lives and the lease
        lasts, another process that shares the store gets other ones, and this process the same ones again.
        """
        ...

    async def next_due(self, flow: str, without: Collection[str] = ()) -> int | None:
        """Return when the next timer of a flow is due, in milliseconds since 1970; `None` if there is no timer.
        Versions with the fingerprints `without` are left out.
        """
        ...

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations of all flows that wait for a person or have one in charge, in order of beginning.
        They are listed as of their last turn.
        """
        ...

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Store the document of a flow, so that conversations that began with it can continue and be explained."""
        ...

    async def flow(self, fingerprint: str) -> str | None:
        """Return the stored document of the flow with a fingerprint; `None` if it is not stored."""
        ...

    async def versions(self) -> tuple[str, ...]:
        """Return the fingerprints of all flow versions that are stored, in any order."""
        ...

    async def setting(self, flow: str, name: str) -> Any:
        """Return the value of a setting for all conversations of a flow; `None` if it is not set."""
        ...

    async def set_setting(self, flow: str, name: str, data: Any, by: str, at_ms: int) -> None:
        """Set a setting of a flow to JSON data, or take it away with `None`, for all its conversations; `by` is who
        sets it. The former value stays in the history of the setting, with who set it and when; retention leaves the
        history, as it names no conversation.
        """
        ...

    async def settings(self, flow: str, prefix: str = "") -> tuple[Setting, ...]:
        """Return the settings of a flow that are set now and whose name begins with `prefix`, in order of names."""
        ...

    async def setting_history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return all values that a setting of a flow was set to, in the order in which it was set."""
        ...

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """Return the ids of all conversations, or of the first `most`, in the order in which they began."""
        ...

    async def owned(self, owner: str) -> int:
        """Return how many conversations have an id that begins with `owner` and a colon.
        It takes the same time however many there are.
        """
        ...

    async def find(self, query: ConversationQuery) -> ConversationPage:
        """Return a page of the conversations that match, the one that changed last first. States are not loaded."""
        ...

    async def counts(self, flow: str = "") -> tuple[NodeCount, ...]:
        """Return how many conversations are in each node with each status, of one flow or, if empty, of all."""
        ...

    async def uncounted(self, most: int) -> tuple[Uncounted, ...]:
        """Return up to `most` conversations with ended turns whose uses of nodes, transitions, tools are uncounted."""
        ...

    async def count_uses(self, found: Sequence[Uses]) -> None:
        """Add the uses of entries to the counts, except of entries that another process has counted meanwhile."""
        ...

    async def use_counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often existing conversations used each thing of a flow, of one kind or, if empty, of all."""
        ...

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation with everything that is counted of it; return false if there is none."""
        ...

    async def retain(self, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
        """Erase events and trim decisions that are older than the retention of their flow version; return how many.
        See `Retention.of_version`. It goes up to the last turn that has ended, while other turns continue. Repeating it
        changes nothing more.
        """
        ...

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        """Erase the words of closed scopes whose time is over, of one conversation or of all; return how many scopes.
        See `without_words`. `retain` erases them too.
        """
        ...

    async def close(self) -> None:
        """Write everything that is queued, and release all resources of the store."""
        ...


class Host(Protocol):
    """The interface of the turn loop to one turn of one conversation."""

    async def load(self) -> State | None:
        """Return the state before the turn; `None` for a conversation that begins."""
        ...

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> ResultEvent:
        """Perform an effect; `again` is true if a process that ended may have performed it before."""
        ...

    async def commit(self, step: Step) -> None:
        """Make a step durable before anything that follows from it happens (law 3.8)."""
        ...


class Accepted(Struct, frozen=True, gc=False):
    """The result of an accepted event: the entries of its turn, the state after it and, if it is known, before it."""

    entries: tuple[Entry, ...]
    """The entries of the turn."""
    state: State
    """The state after the turn."""
    before: State | None = None
    """The state before the turn; `None` where it is not known."""


class Duplicate(Struct, frozen=True, gc=False):
    """The result of a repeated idempotency key: the entries of the turn that it began, and the latest state."""

    entries: tuple[Entry, ...]
    """The entries of the turn that the key began."""
    state: State
    """The latest state of the conversation."""
