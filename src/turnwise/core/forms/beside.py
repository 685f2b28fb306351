"""Finds words, in a message that completes a form, that are no part of its answers (law 5.5): `4, but don't book yet`.

Nothing guesses what these words mean: the answers count, and the form asks whether to go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from turnwise.core.commands.denial import has_denial, is_denied, pieces_of
from turnwise.core.commands.quotes import places_of
from turnwise.core.language import Language, is_question
from turnwise.core.language.answers import hesitates, is_idle
from turnwise.core.linked_form import LinkedForm
from turnwise.core.state import FormRun
from turnwise.core.state import commands as c
from turnwise.core.turn import StepBuilder


def asking_to_go_on(step: StepBuilder, form: LinkedForm, run: FormRun, commands: Sequence[c.AnyCommand]) -> FormRun:
    """Return the run of a complete form without `confirm`; it asks whether to go on, if the message said more.
    More means other things than the commands that were understood.
    """
    values = [one for one in commands if isinstance(one, c.Set | c.Add | c.Remove) and not one.objection]
    if form.form.confirm or run.status != "collecting" or not (values or run.asks_to_go_on):
        return run
    message = step.doing.message or ""
    spans = [span for one in values if (span := _span(one, form, message)) is not None]
    return replace(run, asks_to_go_on=says_more(message, spans, step.machine.language))


def says_more(message: str, spans: Sequence[tuple[int, int]], language: Language) -> bool:
    """Return whether a message asks, denies or says something outside the spans from which values were read."""
    if not spans:
        return False
    if is_question(message) or hesitates(message) or any(is_denied(span, message, language) for span in spans):
        return True
    others = [(start, end) for start, end in pieces_of(message, language) if not _has_value(start, end, spans)]
    first = min(start for start, _ in spans)
    return any(
        not is_idle(language, message[start:end], with_function_words=True)
        or (start > first and has_denial(message[start:end], language))
        for start, end in others
    )


def _span(command: c.Set | c.Add | c.Remove, form: LinkedForm, message: str) -> tuple[int, int] | None:
    """Return where a value stands: where it is spelled, else the words that it was read from."""
    if command.words is None:
        return None
    start, end = command.words
    value: Any = command.value if isinstance(command, c.Set) else command.item
    question = form.by_address.get(command.field)
    options = question.field.options if question is not None else ()
    place = None if isinstance(value, list) else next(places_of(value, options, message[start:end]), None)
    return command.words if place is None else (place[0] + start, place[1] + start)


def _has_value(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for span in spans)
