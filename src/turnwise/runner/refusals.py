"""Records events that were refused and began no turn, so that every answer of why can name them (law 3.1)."""

from __future__ import annotations

import asyncio
import logging

from turnwise.core.state.events import OutsideEvent
from turnwise.core.step.refused import (
    ENTRIES_SEARCHED,
    MOST_REFUSED,
    Refused,
    refused_event,
    should_record,
    without_secret,
)
from turnwise.core.turn import Refusal
from turnwise.errors import FlowUnavailable, StoreFailed
from turnwise.runner.conversation_locks import ConversationLocks
from turnwise.runner.turns import Turns

LONGEST_PAUSE_S = 0.1
"""The longest time between two looks at a turn after which something is recorded, in seconds."""

_log = logging.getLogger("turnwise.runner")


class Refusals:
    """Records refused events between two turns of their conversation.
    Those that were refused during a turn (`busy`) wait for its end, and take no lock: no further event is refused for
    them.
    """

    def __init__(self, turns: Turns, locks: ConversationLocks) -> None:
        self.turns = turns
        self.locks = locks
        self.is_draining = False
        self._waiting: dict[str, list[Refused]] = {}

    async def note(self, conversation: str, event: OutsideEvent | None, refusal: Refusal) -> None:
        """Record a refused event. A failure of the store is only logged: the sender gets the refusal anyway."""
        fact = refused_event(event, refusal)
        if fact is None:
            return
        try:
            is_noted = await self._note(conversation, fact)
        except (StoreFailed, FlowUnavailable) as failure:
            self._not_noted(conversation, failure)
            return
        if not is_noted:
            self._note_later(conversation, fact)

    def note_later(self, conversation: str, event: OutsideEvent | None, refusal: Refusal) -> None:
        """Record an event that was refused during a turn, after that turn."""
        fact = refused_event(event, refusal)
        if fact is not None:
            self._note_later(conversation, fact)

    def _note_later(self, conversation: str, fact: Refused) -> None:
        waiting = self._waiting.get(conversation)
        if waiting is None:
            waiting = self._waiting[conversation] = []
            self.locks.run_in_background(self._note_after_turn(conversation, waiting))
        if fact not in waiting and len(waiting) < MOST_REFUSED:
            waiting.append(fact)

    async def _note_after_turn(self, conversation: str, waiting: list[Refused]) -> None:
        pause_s = 0.002
        try:
            while waiting:
                if not self.locks.is_owned(conversation) and await self._note(conversation, waiting[0]):
                    del waiting[0]
                    continue
                if self.is_draining and not self.locks.is_owned(conversation):
                    return  # the turn is one of another process
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        except (StoreFailed, FlowUnavailable) as failure:
            self._not_noted(conversation, failure)
        finally:
            self._waiting.pop(conversation, None)

    def _not_noted(self, conversation: str, failure: Exception) -> None:
        self.turns.states.drop(conversation)
        _log.warning("%s: a refused event is not recorded: %s", conversation, failure)

    async def _note(self, conversation: str, fact: Refused) -> bool:
        """Record a refused event, unless it is recorded; return false during a turn. If another process writes the
        conversation meanwhile, look again.
        """
        turns = self.turns
        while True:
            state = await turns.store.load(conversation)
            if state is None or state.flow != turns.machines.current.flow.name:
                return True
            if state.doing is not None:
                return False
            own = without_secret(await turns.machines.of_state(state), state, fact)
            latest = await turns.store.entries(conversation, max(0, state.seq - ENTRIES_SEARCHED), state.seq)
            if not should_record(latest, own) or await turns.note(conversation, state, own):
                return True

    def reset(self) -> None:
        """Drop the refusals that wait to be recorded, after their event loop was closed."""
        self._waiting.clear()
