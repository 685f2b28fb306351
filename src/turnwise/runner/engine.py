"""The port of the engine: what an app, its chats, its timers and a server need to have turns run.

`LocalEngine` runs them in this process, with leases in the store for those of other processes. No caller knows more of
it than this port.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Protocol

from turnwise.core.state import State
from turnwise.core.state.events import Entry, Note, OutsideEvent
from turnwise.core.turn import Refusal
from turnwise.runner.conversation_locks import Caller
from turnwise.runner.machines import Machines
from turnwise.runner.model_port import OnDelta
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Duplicate, Store
from turnwise.runner.streams import Observer


class Engine(Protocol):
    """Accepts events for any number of conversations, and runs the turn of each. There is one per app."""

    async def submit(
        self,
        conversation: str,
        event: OutsideEvent | None,
        key: str = "",
        *,
        time_zone: str = "",
        on_delta: OnDelta | None = None,
        seen: int | None = None,
        is_for_existing: bool = False,
        caller: Caller | None = None,
    ) -> Accepted | Duplicate | Refusal:
        """Run the turn of an event; `None` only starts the conversation.
        A repeated key runs no second turn. `on_delta` is called with each piece of text that a model generates in it.
        With `seen`, the last position that the sender had received, a message is refused where the user has sent
        another since, or another question was asked. A caller who is cancelled before the turn begins withdraws the
        event. Later the turn continues to its end, and the next turn reports it. `caller` reports one who leaves
        without being cancelled. Raises `TurnwiseError` while draining, and `UnknownConversation` for an event that
        waited while the conversation was deleted, and with `is_for_existing` where there is none.
        """
        ...

    def record_missed(self, conversation: str, missed: object) -> None:
        """Record what no caller received, for the next turn to report it: the result of a `submit`, or the number of a
        turn that has ended.
        """
        ...

    async def record_fact(self, conversation: str, fact: Note) -> State | None:
        """Record a fact about a conversation after its turn in progress; return the state, `None` if none exists."""
        ...

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """Yield the journal entries after position `after`, then new ones, until the conversation is deleted."""
        ...

    def observe(self, observer: Observer) -> None:
        """Have an observer receive from now on what this engine does in all conversations."""
        ...

    def deliver_turns(self, wake: Callable[[], None]) -> None:
        """From now on add the turns for which no caller waits to the store's outbox; call `wake` after each."""
        ...

    async def wait(self, conversation: str) -> None:
        """Wait until an autonomous run of the conversation ends (law 2.8)."""
        ...

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation after its turn in progress; return false if no such conversation exists."""
        ...

    async def recover(self, *, waits: bool = False) -> None:
        """Finish the turns whose process has ended, in the background; with `waits` return when they are finished.
        Do nothing while draining.
        """
        ...

    async def fire_due(self) -> int:
        """Fire the due timers, and those that their turns make due, and wait for them; return how many timers fired."""
        ...

    async def run(self) -> None:
        """Recover turns and fire timers until cancelled. Turns that have begun are not cancelled with it."""
        ...

    async def drain(self) -> None:
        """Refuse new events, and wait for the turns in progress."""
        ...

    async def cancel_turns(self) -> None:
        """Cancel the turns in progress, after `drain` took too long; another process finishes them."""
        ...

    def reset(self) -> None:
        """Drop work in progress after its event loop was closed; the store knows which turns to finish."""
        ...


MakeEngine = Callable[[Machines, Store, Performer, Clock], Engine]
"""A function that makes the engine of an app."""
