"""One question: its subject, its turn, the facts of that turn, and a look back at the turns before."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.trace import Decision
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.history import History
from turnwise.why.story.telling import at_end

LOOK_BACK = 20
"""How many turns before the one that is asked about are searched, where the state does not name the turn."""


class Asking:
    """One question. `told` are the facts of its turn, `end` makes facts about how things stand at the end of it."""

    def __init__(self, history: History, turn: Turn, told: tuple[Fact, ...], subject: Subject) -> None:
        self.history = history
        self.turn = turn
        self.told = told
        self.subject = subject
        self.end = at_end(turn, told)
        self.machine: Machine = turn.machine
        self.state: State = turn.state
        self.decisions: list[Decision] = []

    @property
    def about(self) -> list[Fact]:
        """The facts of the turn about the subject, in order."""
        return [fact for fact in self.told if self.subject in fact.about]

    async def last(self, is_meant: Callable[[Fact], bool], *, first: int | None = None) -> Fact | None:
        """Return the newest fact of this turn or of those before it, at most `LOOK_BACK`, that is meant. With `first`
        the search begins at that turn, which the state names.
        """
        number = self.turn.number if first is None else min(first, self.turn.number)
        async for one in self.back(number):
            found = [fact for fact in await self.history.story(one) if is_meant(fact)]
            if found:
                return found[-1]
        return None

    async def back(self, number: int) -> AsyncIterator[int]:
        """Yield the numbers of a turn and of those before it, at most `LOOK_BACK`; these are read at once."""
        for one in range(number, max(0, number - LOOK_BACK), -1):
            if one == number - 1:
                await self.history.load(number - LOOK_BACK + 1, one)
            yield one

    async def last_about(self, subject: Subject) -> Fact | None:
        """Return the newest fact about a subject."""
        return await self.last(lambda fact: subject in fact.about)
