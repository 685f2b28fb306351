"""Prints turns that the machine starts (timers, autonomous flows) while the terminal waits for input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import copy_context
from threading import Event, Thread

from turnwise.api.open import SyncChat, Turn
from turnwise.core.machine import Machine
from turnwise.core.state.events import Continued, TimerFired
from turnwise.errors import TurnwiseError, UnknownTurn

PROMPT = "\nyou › "
_PAUSE_S = 0.2
"""The time between two looks at a conversation."""


def starts_turns(machine: Machine) -> bool:
    """True if the flow has turns that no caller asks for."""
    timers = any(transition.at == "timer" for node in machine.flow.nodes for transition in node.transitions)
    return machine.flow.autonomous or timers


def is_unprompted(turn: Turn) -> bool:
    """True if the machine started the turn itself."""
    return bool(turn.entries) and isinstance(turn.entries[0].event, TimerFired | Continued)


def followed(chat: SyncChat, turn: Turn) -> Iterator[Turn]:
    """A turn, and those that an autonomous flow takes by itself behind it."""
    yield turn
    if chat.machine.flow.autonomous and turn.entries:
        yield from chat.following(turn)[1:]


class Watch:
    """Finds turns that were not shown yet: those that a turn reports, and those that the machine started itself."""

    def __init__(self) -> None:
        self.shown: set[int] = set()
        self.looked_at = 0
        """The number of the last turn that it looked at."""

    def begin(self, chat: SyncChat) -> None:
        """Pass over every turn that a conversation has now."""
        self.looked_at = chat.state().turn

    def missed(self, turn: Turn) -> list[Turn]:
        """Return the turns that a turn reports, cut off or started by the machine, without those that were shown. They
        and the turn count as shown then.
        """
        earlier = sorted((*turn.recovered, *turn.unprompted), key=lambda one: one.number)
        found = [one for one in earlier if one.number not in self.shown]
        self.shown.update(one.number for one in (*earlier, turn))
        return found

    def new(self, chat: SyncChat) -> list[Turn]:
        """Return the turns that the machine has started and ended since the last look, without those that were shown. A
        turn under way is left for the next look.
        """
        state = chat.state()
        if state.doing is not None:
            return []
        found: list[Turn] = []
        for number in range(self.looked_at + 1, state.turn + 1):
            with suppress(UnknownTurn):  # it is no longer kept
                found.append(chat.turn(number))
        self.looked_at = max(self.looked_at, state.turn)
        return [turn for turn in found if is_unprompted(turn) and turn.number not in self.shown]


def watched(lines: Iterable[str], look: Callable[[], bool], *, is_person: bool) -> Iterator[str]:
    """The lines. While the next one is waited for, a second thread calls `look` again and again, and shows a person the
    prompt anew where `look` printed something. It is called once more when the line is there.
    """
    rest = iter(lines)
    while True:
        line = _awaited(rest, look, is_person=is_person)
        look()
        if line is None:
            return
        yield line


def _awaited(lines: Iterator[str], look: Callable[[], bool], *, is_person: bool) -> str | None:
    is_there = Event()

    def watch() -> None:
        while not is_there.wait(_PAUSE_S):
            with suppress(TurnwiseError):  # the next line meets it again, and reports it
                if look():
                    sys.stdout.write(PROMPT + _typed_so_far() if is_person else "")
                    sys.stdout.flush()

    # The copied context has the output of `--json`.
    watching = Thread(target=copy_context().run, args=(watch,), daemon=True)
    watching.start()
    try:
        return next(lines, None)
    finally:
        is_there.set()
        watching.join()


def _typed_so_far() -> str:
    """What the person has typed of the line; empty where the system has no line editing."""
    readline = sys.modules.get("readline")
    return readline.get_line_buffer() if readline is not None else ""
