"""The turns of one conversation as stories, each read and told once; and values traced back through them."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.errors import UnknownTurn
from turnwise.runner.machines import AnyMachines
from turnwise.runner.ports import Store
from turnwise.runner.result import Turn
from turnwise.runner.turn_result import TurnResults
from turnwise.why.answer import Fact
from turnwise.why.story import story

MOST_STEPS = 64
"""How many values are traced back in one answer."""

_MOST_SINGLES = 2
"""After so many turns that were read one by one, a chain of values is read in blocks."""
_BLOCK = 24


class History:
    """The turns of one conversation. `erased` names those that retention took away."""

    def __init__(
        self, store: Store, machines: AnyMachines, turns: TurnResults, conversation: str, state: State
    ) -> None:
        self.store = store
        self.machines = machines
        self.turns = turns
        self.conversation = conversation
        self.last = state
        self.erased: dict[int, str] = {}
        self._singles = 0
        """How many turns were read one by one."""
        self._turns: dict[int, Turn] = {}
        self._stories: dict[int, tuple[Fact, ...]] = {}

    async def turn(self, number: int) -> Turn | None:
        """Return a turn; `None` where retention erased it. Raises `UnknownTurn` for one that never was."""
        if number not in self._turns and number not in self.erased:
            try:
                self._turns[number] = await self.turns.past(self.conversation, number, self.last.turn)
            except UnknownTurn as error:
                if not error.is_erased:
                    raise
                self.erased[number] = str(error)
        return self._turns.get(number)

    async def load(self, first: int, last: int) -> None:
        """Read several turns at once."""
        missing = [one for one in range(max(1, first), last + 1) if one not in self._turns and one not in self.erased]
        if len(missing) > 1:
            found = await self.turns.past_between(self.conversation, missing[0], missing[-1])
            for turn in found:
                self._turns.setdefault(turn.number, turn)

    async def story(self, number: int) -> tuple[Fact, ...]:
        """Return the facts of a turn; none where retention erased it."""
        if number not in self._stories:
            turn = await self.turn(number)
            self._stories[number] = story(turn) if turn is not None else ()
        return self._stories[number]

    async def traced(self, fact: Fact, steps: list[int] | None = None) -> Fact:
        """Return a fact whose values that were read have their own causes, back to the words of the user; at most
        `MOST_STEPS` of them.
        """
        left = [MOST_STEPS] if steps is None else steps
        causes = [await self.traced(cause, left) for cause in fact.causes]
        if fact.kind == "value_read" and not causes and left[0] > 0:
            left[0] -= 1
            origin = await self.origin(fact)
            causes = [await self.traced(origin, left)] if origin is not None else []
        return replace(fact, causes=tuple(causes)) if causes else fact

    async def origin(self, read: Fact) -> Fact | None:
        """Return the fact by which a value came that was read later; `None` where it is erased, or a default."""
        since = read.values.get("since")
        if not since:
            return None
        number = int(since)
        if number not in self._turns:
            self._singles += 1
            if self._singles > _MOST_SINGLES:
                await self.load(number - _BLOCK + 1, number)
        written = await self.writes(number, read.values["name"])
        return next((fact for fact in reversed(written) if fact.seq < read.seq or fact.turn != read.turn), None)

    async def writes(self, number: int, field: str) -> list[Fact]:
        """Return how a turn set a field, in order."""
        return [one for one in await self.story(number) if one.kind == "field_set" and one.values["field"] == field]
