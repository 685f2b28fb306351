"""The words for facts about schedules; the table of all facts is `WORDS` in `why/kinds.py`.

A schedule that is due may wait, do nothing, or do something with the input of a period. Each of these is in one fact,
so that the answer about an unprompted message is one sentence: the schedule, its time, what it did, the input
and where that came from.
"""

from __future__ import annotations

from typing import Literal

ScheduleFact = Literal[
    "schedule_due",
    "schedule_fired",
    "schedule_waits",
    "schedule_not_due",
    "time_zone_changed",
]
"""The kinds of facts about schedules: events of the journal, and how things stand at the end of a turn."""

SCHEDULE_WORDS: dict[ScheduleFact, str] = {
    "schedule_due": "the schedule {schedule} came due[ at {due}][; {by} fired it before its time]",
    "schedule_fired": "the schedule {schedule}, due at {due}, {deed}[ with the input of {period}: {given}][, {origin}]"
    "[, because {reason}][; it was put off until {until}][; {missed} handled with it]"
    "[; it was {late} late]",
    "schedule_waits": "the schedule {schedule} is due at {due}[, and fires at {at}][: it waits for {waits}]"
    "[; it fired last in turn {since}]",
    "schedule_not_due": "the schedule {schedule} is not due, because {reason}[; it fired last in turn {since}]",
    "time_zone_changed": "the conversation goes on in the time zone {zone}",
}
"""The words for facts about schedules, by the kind of fact."""
