"""The summary of a form: each question, its answer, and the user's words (law 5.13)."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.formatting import in_one_line, readable
from turnwise.core.forms.run import answered, statement, text_env
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.state import FieldValue, FormRun, Place, State


def places_of(machine: Machine, form: LinkedForm, run: FormRun, state: State) -> tuple[Place, ...]:
    """The places of the answers' words in the journal; none if the flow has its own summary template."""
    if form.summary is not None:
        return ()
    found = (shown_place(machine, state, question.address) for question in answered(form, run, state))
    return tuple(place for place in found if place is not None)


def shown_place(machine: Machine, state: State, address: str) -> Place | None:
    """The place of an answer's words, `None` if they are, or overlap, the words of a secret answer."""
    place = state.values[address].place
    if place is None or machine.fields[address].secret:
        return None
    secrets = (found.place for name, found in state.values.items() if machine.fields[name].secret)
    return None if any(secret is not None and _overlap(place, secret) for secret in secrets) else place


def _overlap(one: Place, other: Place) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def summary(machine: Machine, state: State, form: LinkedForm, run: FormRun, words: tuple[str | None, ...]) -> str:
    """The summary in the flow's own template, or in the language's layout. Each value stands in one line, so that none
    looks like a line of the summary.
    """
    state = replace(state, values={name: _in_one_line(found) for name, found in state.values.items()})
    if form.summary is not None:
        return form.summary(text_env(form, run, state, ""))
    language = machine.language
    parts = [language.text("summary_title")]
    said = statement(form, run, state)
    if said:
        parts.append(language.text("summary_statement", statement=said))
    parts.append(language.text("summary_answers"))
    recalled = iter(words)
    for question in answered(form, run, state):
        title = question.ask(text_env(form, run, state, question.address))
        place = shown_place(machine, state, question.address)
        line = _answer(machine, state, question, next(recalled, None) if place is not None else None)
        parts.append(f"**{title}**\n{line}")
    parts += ["---", language.text("summary_review"), language.text("summary_question")]
    return "\n\n".join(parts)


def _answer(machine: Machine, state: State, question: Question, words: str | None) -> str:
    language = machine.language
    answer = readable(language, state.time_zone, question.field, state.values[question.address].value)
    if words:
        return language.text("summary_answer", answer=answer, words=in_one_line(words))
    return language.text("summary_answer_plain", answer=answer)


def _in_one_line(found: FieldValue) -> FieldValue:
    value = in_one_line(found.value)
    return found if value == found.value else replace(found, value=value)
