"""The ports of the runner: protocols of models, tools, stores and clocks.

`Host` and `Engine` are the two ports of a durable turn; store, clock, model and understanding are
what the local engine is made of.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from msgspec import Struct

from turnwise.core.commands.exposure import Exposed
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import State, Timer
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import AnyEffect
from turnwise.core.state.events import Entry, OutsideEvent, ResultEvent
from turnwise.core.state.retention import Retention
from turnwise.core.turn import Refusal, Step
from turnwise.flow.code import ToolCall

Understand = Callable[[str, Exposed], Sequence[AnyCommand] | Awaitable[Sequence[AnyCommand]]]
"""The user's own understanding: a message and what is exposed go in, commands come out."""


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...


class TextDelta(Struct, frozen=True, gc=False):
    """A piece of a model's text, in order."""

    text: str


class CallMade(Struct, frozen=True, gc=False):
    """A whole call of a tool by a model; its arguments as an object, or as the text that should be one."""

    tool: str
    arguments: dict[str, Any] | str = {}


class Usage(Struct, frozen=True, gc=False):
    """Which model answered, and what it cost: in tokens and, where prices are known, in US dollars."""

    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


ModelEvent = TextDelta | CallMade | Usage


class ModelReply(Struct, frozen=True, gc=False):
    """What a model said or which tools it called, which model it was, and what it cost."""

    text: str = ""
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    calls: tuple[CallMade, ...] = ()
    cost: float | None = None


class Model(Protocol):
    """Reaches a model that answers in one piece. Raises `ProviderFailed` where that fails."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        """The model's answer to one request."""
        ...


class StreamingModel(Protocol):
    """Reaches a model that answers piece by piece. Raises `ProviderFailed` where that fails, also in the middle."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The pieces of the model's answer to one request."""
        ...


AnyModel = Model | StreamingModel


class Delta(Struct, frozen=True, gc=False):
    """A piece of text that a model is saying, before it is kept: the node that speaks, the effect it belongs to, the
    number of the turn. What the turn keeps of it comes as `Said`; after `TurnRestarted` it is taken back.
    """

    node: str
    effect: str
    text: str
    turn: int


OnDelta = Callable[[Delta], object]
"""Is called with each piece of text that a model says in a turn."""


class ToolRunner(Protocol):
    """Runs one tool. Whatever it raises is a failure of the tool, and its result is JSON data."""

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """The result of one call; `call.key` is the same for each attempt of it."""
        ...

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """After a crash: the result of a call that may have been made. Raises `NotDone` where it was not."""
        ...


class Receipt(Struct, frozen=True, gc=False):
    """What is kept of an idempotency key: a hash of the event that it came with, and its turn."""

    key: str
    body: str
    turn: int


class Commit(Struct, frozen=True, gc=False):
    """What is written at once: entries in order, the receipt of the event, the state at a turn's end.

    `part` says what it is of its turn: the `first` commit claims the conversation for the turn, a
    `next` one needs that claim, a `takeover` takes the claim from whoever has it. A commit with a
    state ends the turn: it writes the state and its timers, and gives the claim back.

    `fence` is the fencing token: all commits of one run of a turn have the same number, and no other run has it. The
    store remembers the number of the commit that claimed the turn, and accepts a `next` commit with that number only.
    """

    entries: tuple[Entry, ...]
    part: Literal["first", "next", "takeover"] = "first"
    state: State | None = None
    receipt: Receipt | None = None
    fence: int = 0


class Claim(Struct, frozen=True, gc=False):
    """Who runs the turn that is under way: this store's process or another, and whether that one is alive."""

    is_mine: bool
    is_alive: bool


class Due(Struct, frozen=True, gc=False):
    """A timer that came due."""

    conversation: str
    timer: Timer


Progress = Callable[[int, int], object]
"""Told from time to time how many are done, and of how many."""


class Retained(NamedTuple):
    """How many events retention erased, and how many decisions it trimmed."""

    events: int = 0
    decisions: int = 0


class Writing(Protocol):
    """A commit on its way: awaiting it waits until it is durable, and raises what kept it from that. An
    `asyncio.Future` is one.
    """

    def __await__(self) -> Generator[Any, Any, None]:
        """Wait for it."""
        ...

    def add_done_callback(self, callback: Callable[[Any], object], /) -> None:
        """Call this, with the writing itself, when it is over."""
        ...

    def exception(self) -> BaseException | None:
        """What kept it from being durable; `None` where it is."""
        ...


class Written:
    """A commit that is over already."""

    __slots__ = ("_failure",)

    def __init__(self, failure: Exception | None = None) -> None:
        self._failure = failure

    def __await__(self) -> Generator[Any, Any, None]:
        if self._failure is not None:
            raise self._failure
        yield from ()

    def add_done_callback(self, callback: Callable[[Written], object], /) -> None:
        """Call it now."""
        callback(self)

    def exception(self) -> Exception | None:
        """What kept it from being written."""
        return self._failure


class Store(Protocol):
    """Keeps journals, latest states, receipts, timers, and the flows that they were made with."""

    def commit(self, conversation: str, commit: Commit) -> Writing:
        """Write all of a commit or nothing. It is queued when this is called, in that order; awaiting
        it waits until it is durable. Raises `Conflict` where the first entry does not follow the last
        or a turn is under way, `Superseded` where the claim belongs to another process or another `fence`,
        `StoreUnavailable`.
        """
        ...

    async def load(self, conversation: str) -> State | None:
        """The state that the last entry leads to, `None` where there is no such conversation."""
        ...

    async def claim(self, conversation: str) -> Claim | None:
        """Who runs a turn of this conversation now."""
        ...

    def is_shared(self) -> bool:
        """Whether another process may be writing too: then a turn is claimed before its work begins, so that none
        is done in vain. It is asked in every turn that has work to do, and may be true without need.
        """
        ...

    async def cut_off(self) -> tuple[str, ...]:
        """The conversations whose turn is under way in a process that is dead, or was in this one."""
        ...

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """What is kept of a key."""
        ...

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """The entries after a position, in order, up to another."""
        ...

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """The entries of a turn, in order."""
        ...

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """The entries at some positions."""
        ...

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """The newest snapshot at or before a position."""
        ...

    async def window(self, conversation: str, after: int, limit: int) -> tuple[Entry, ...]:
        """The last `limit` entries after a position that hold something said, in order."""
        ...

    async def due(self, flow: str, now_ms: int, limit: int) -> tuple[Due, ...]:
        """The timers of a flow's conversations that are due, the oldest first."""
        ...

    async def next_due(self, flow: str) -> int | None:
        """When the next timer of a flow's conversations comes due, in milliseconds since 1970."""
        ...

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Keep a flow, so that conversations that began with it can go on and be explained."""
        ...

    async def flow(self, fingerprint: str) -> str | None:
        """The flow of a fingerprint, as it was kept."""
        ...

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """The ids of all conversations, or of the first so many, in the order in which they began."""
        ...

    async def forget(self, conversation: str) -> bool:
        """Delete all that is kept of a conversation; false where there is none."""
        ...

    async def retain(self, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
        """Erase and trim what is older than it is kept, up to the last turn that has ended, beside the
        turns that go on. The same again does nothing more.
        """
        ...

    async def close(self) -> None:
        """Write what waits, and let go of everything."""
        ...


class Host(Protocol):
    """One turn of one conversation, as the loop sees it."""

    async def load(self) -> State | None:
        """The state before the turn, `None` for a conversation that begins."""
        ...

    async def perform(self, effect: AnyEffect, state: State, *, again: bool = False) -> ResultEvent:
        """Do the work; `again` where it may have been done before, by a process that ended in the middle."""
        ...

    async def commit(self, step: Step) -> None:
        """Make a step durable before anything that follows from it is done (law 3.8)."""
        ...


class Accepted(Struct, frozen=True, gc=False):
    """An event was taken: the entries of its turn, the state after it and, where it is known, before it."""

    entries: tuple[Entry, ...]
    state: State
    before: State | None = None


class Duplicate(Struct, frozen=True, gc=False):
    """The same key came before: the entries of that turn, and the state as it is now."""

    entries: tuple[Entry, ...]
    state: State


class Engine(Protocol):
    """Takes events for any number of conversations, and gives each its turn."""

    async def submit(
        self, conversation: str, event: OutsideEvent | None, key: str = ""
    ) -> Accepted | Duplicate | Refusal:
        """Take an event in; `None` only starts the conversation. The same key is one turn."""
        ...

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """The entries after a position, then those to come."""
        ...

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        ...
