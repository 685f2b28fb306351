"""Finds and prints turns that the machine starts itself while the terminal waits for a line: a timer is due, or an
autonomous flow continues.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread

from turnwise.api.open import SyncChat, Turn
from turnwise.core.machine import Machine
from turnwise.core.state.events import GivenBack, OperatorSaid, TakenOver
from turnwise.core.state.fold.beginnings import UNPROMPTED
from turnwise.errors import TurnwiseError, UnknownTurn

PROMPT = "\nyou › "
"""What the terminal prints before the user types."""
_OF_OPERATORS = TakenOver | OperatorSaid | GivenBack
_PAUSE_S = 0.2
"""The time between two looks at a conversation."""


def starts_turns(machine: Machine) -> bool:
    """Return whether turns may begin without this caller: by the machine, or by an operator in another process."""
    has_person = machine.person is not None or any(node.person is not None for node in machine.nodes.values())
    has_timers = any(machine.candidates(node, "timer").all for node in machine.nodes)
    is_unprompted = bool(machine.schedules or machine.events)
    return machine.flow.autonomous or has_person or has_timers or is_unprompted


def is_unprompted(turn: Turn) -> bool:
    """Return true if the machine started the turn itself."""
    return bool(turn.entries) and type(turn.entries[0].event) in UNPROMPTED


def is_of_operator(turn: Turn) -> bool:
    """Return true if an operator began the turn, in this process or in another."""
    return bool(turn.entries) and isinstance(turn.entries[0].event, _OF_OPERATORS)


def with_following_turns(chat: SyncChat, turn: Turn) -> Iterator[Turn]:
    """Yield a turn, and those that an autonomous flow starts after it."""
    yield turn
    if chat.machine.flow.autonomous and turn.entries:
        yield from chat.following(turn)[1:]


class UnshownTurns:
    """Finds the turns of a conversation that were not shown yet."""

    def __init__(self) -> None:
        self.shown: set[int] = set()
        self.looked_at = 0
        """The number of the last turn that `new` has examined."""

    def begin(self, chat: SyncChat) -> None:
        """Mark all turns that a conversation has now as shown."""
        self.looked_at = chat.state().turn

    def missed(self, turn: Turn) -> list[Turn]:
        """Return the earlier turns that a turn reports and that were not shown; mark them and the turn as shown.
        They are recovered ones, and those that the machine started.
        """
        earlier = sorted((*turn.recovered, *turn.unprompted), key=lambda one: one.number)
        found = [one for one in earlier if one.number not in self.shown]
        self.shown.update(one.number for one in (*earlier, turn))
        return found

    def new(self, chat: SyncChat) -> list[Turn]:
        """Return the turns that the machine or an operator has begun, and that have ended and were not shown yet.
        A turn under way is left for the next look.
        """
        state = chat.state()
        if state.doing is not None:
            return []
        found: list[Turn] = []
        for number in range(self.looked_at + 1, state.turn + 1):
            with suppress(UnknownTurn):  # retention may have erased it
                found.append(chat.turn(number))
        self.looked_at = max(self.looked_at, state.turn)
        unasked = [turn for turn in found if is_unprompted(turn) or is_of_operator(turn)]
        return [turn for turn in unasked if turn.number not in self.shown]


def lines_while_watching(
    lines: Iterable[str], look: Callable[[], bool], has_come: Callable[[], object], *, is_person: bool
) -> Iterator[str]:
    """Yield the lines; while the next one is awaited, a second thread calls `look` repeatedly.
    With `is_person` it prints the prompt again if `look` printed something. When the line has come, `has_come` is
    called, and then `look` once more.
    """
    rest = iter(lines)
    while True:
        line = _awaited(rest, look, is_person=is_person)
        has_come()
        look()
        if line is None:
            return
        yield line


def _awaited(lines: Iterator[str], look: Callable[[], bool], *, is_person: bool) -> str | None:
    has_come = Event()

    def watch() -> None:
        while not has_come.wait(_PAUSE_S):
            with suppress(TurnwiseError):  # the turn of the next line fails in the same way, and reports it
                if look():
                    readline = sys.modules.get("readline")
                    typed = readline.get_line_buffer() if readline is not None else ""
                    sys.stdout.write(PROMPT + typed if is_person else "")
                    sys.stdout.flush()

    # The copied context has the output of `--json`.
    watching = Thread(target=copy_context().run, args=(watch,), daemon=True)
    watching.start()
    try:
        return next(lines, None)
    finally:
        has_come.set()
        watching.join()
