"""Reminders: what a timer said without leaving its node, how long after which event, and which question stayed open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from turnwise.core.candidates import Stay
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import QuestionKind
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.questions import why_form_asks

_MINUTE_S = 60
OPEN_QUESTION_WORDS: dict[QuestionKind, Phrase] = {
    "field": Phrase("the question {field}"),
    "confirmation": Phrase("the question whether the answers are right"),
    "chooser": Phrase("the question which answer to change"),
    "call": Phrase("the question for approval"),
    "budget": Phrase("the question whether to go on"),
    "offer": Phrase("the offer of {field}"),
}
"""What stays open, in words, by the kind of the open question."""


def reminder(builder: FactBuilder, event: e.Said) -> Iterator[Fact]:
    """Yield the fact that a timer sent its reminder."""
    fired = builder.latest.get("timer_fired")
    timer = str(fired.values["timer"]) if fired is not None else ""
    candidate = next((one for one in builder.machine.candidates(builder.node, "timer").all if one.id == timer), None)
    timers = builder.turn.before.timers if builder.turn.before is not None else ()
    armed = next((one for one in timers if one.transition == timer), None)
    most = candidate.action.repeat if candidate is not None and isinstance(candidate.action, Stay) else 1
    number = 1 + (armed.fired if armed is not None else 0)
    delay_ms = (candidate.delay_ms if candidate is not None else None) or 0
    passed_ms = builder.entry.at_ms - (armed.due_ms - delay_ms) if armed is not None else delay_ms
    passed_s = max(0, passed_ms) // 1000
    values: dict[str, Any] = {
        "timer": timer,
        "waited": phrase("another {duration}" if number > 1 else "{duration}", duration=rounded_time(passed_s)),
        "seconds": passed_s,
        "number": ordinal(number) if most > 1 else "",
        "most": most if most > 1 else None,
        "open": OPEN_QUESTION_WORDS[event.question].with_values(field=event.field)
        if event.question is not None
        else "",
        "field": event.field,
        "said": event.text,
    }
    about = (Subject("turn", str(builder.entry.turn)), Subject("timer", timer), *subjects_named("transition", timer))
    if event.question == "offer":
        about += (Subject("question"), Subject("node", event.field))
    elif event.question is not None:
        about += (Subject("question"), *subjects_named("field", event.field), *subjects_named("question", event.field))
    why = why_form_asks(builder) if event.question not in (None, "call", "offer") else None
    causes = (builder.first("decided") or beginning_of_turn(builder), why)
    source = str(candidate.span) if candidate is not None and candidate.span.line else ""
    yield builder.fact("reminder_said", *about, causes=causes, source=source, **values)


def rounded_time(seconds: int) -> timedelta:
    """Return a number of seconds as a duration, in whole minutes if it is long enough."""
    return timedelta(seconds=seconds - seconds % _MINUTE_S if seconds >= _MINUTE_S else seconds)


def in_words(seconds: int, language: str) -> str:
    """Return a number of seconds as a duration in words of a language."""
    from turnwise.core.formatting import FormatLocale, localized

    return localized("duration", rounded_time(seconds), FormatLocale(language, "UTC"))


def ordinal(number: int) -> str:
    """Return an ordinal number: `2nd`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return phrase("{number}{ending}", number=number, ending=ending)
