"""The words for facts about timers and durations; `kinds.WORDS` is the whole table, and says how it is read."""

from __future__ import annotations

from typing import Literal

TimeFact = Literal[
    "timer_fired",
    "timer_armed",
    "timer_dropped",
    "timer_judged",
    "timer_late",
    "timer_is_armed",
    "timer_not_armed",
    "time_passed",
    "happened_at",
]
"""What a fact about time can be."""

TIME_WORDS: dict[TimeFact, str] = {
    "timer_fired": "the timer {timer} came due[ at {due}][, and fired {late} later]",
    "timer_armed": "the timer {timer} was armed[ {anew}], to come due at {due}",
    "timer_dropped": "the timer {timer} was dropped, because {reason}",
    "timer_judged": "the timer {timer} came due[ at {due}], and {did}",
    "timer_late": "the timer {timer} came due and changed nothing, because {reason}",
    "timer_is_armed": "the timer {timer} is armed[ since turn {since}], and is not due yet: it is due at {due}"
    "[; it came due before, in turn {fired}]",
    "timer_not_armed": "the timer {timer} is not armed, because {reason}[; {fired}]",
    "time_passed": "{what} {duration}: from {at} (turn {since}) until {until}[ (turn {turn})]",
    "happened_at": "that was[ at {at},] in turn {turn}[, by {person}][: {did}]",
}
