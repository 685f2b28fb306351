"""The line `/clock` of the terminal: the time of the conversation, which can be moved where nothing is stored."""

from __future__ import annotations

from rich.console import Console

from turnwise.api.open import SyncChat
from turnwise.cli.show import print_line
from turnwise.core.zones import in_zone
from turnwise.errors import TurnwiseError
from turnwise.flow.durations import read_duration_s, write_duration
from turnwise.runner.clocks import ForwardClock, SystemClock

COMMAND = "/clock"
"""The command that shows the time of a conversation, or moves it forward."""
HELP = "/clock [+TIME]        the time of the conversation; +3d moves it forward, where nothing is stored"
"""The line of `/help` about the command."""
_MOST_TICKS = 10_000
_MOST_S = 100 * 366 * 86_400


def clock_of_talk(store: str) -> ForwardClock | SystemClock:
    """Return the clock of a talk in the terminal: one that can be moved, unless its conversations are stored."""
    return ForwardClock() if store == "memory://" else SystemClock()


def print_clock(console: Console, chat: SyncChat, moved: str) -> None:
    """Print the time of a conversation, after moving its clock forward by `moved`, such as `+3d` (empty: not at all).
    What is due then is fired.
    """
    clock, span = chat.app.app.runtime.clock, moved.strip().removeprefix("+").strip()
    seconds = read_duration_s(span) if span else 0.0
    if seconds is None or seconds > _MOST_S:
        print_line(console, f"'{span}' is no time span to move by; write +3d, +2h or +30m", "yellow")
        return
    if seconds and not isinstance(clock, ForwardClock):
        print_line(console, "the clock of stored conversations cannot be moved; leave --store out", "yellow")
        return
    if seconds and isinstance(clock, ForwardClock):
        clock.move_s(seconds)
        print_line(console, f"({write_duration(seconds)} later)", "dim")
        _fire(console, chat)
    print_line(console, in_zone(clock.now_ms(), chat.state().time_zone), "dim")


def _fire(console: Console, chat: SyncChat) -> None:
    """Fire what is due, until nothing more is."""
    try:
        for _ in range(_MOST_TICKS):
            if not chat.app.tick():
                return
    except TurnwiseError as error:
        print_line(console, str(error), "yellow")
