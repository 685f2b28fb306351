"""The summary of a form: question, answer, and the words that the answer came from (law 5.13)."""

from __future__ import annotations

from turnwise.core.forms.artefacts import statement
from turnwise.core.forms.run import answered
from turnwise.core.guards.env import live
from turnwise.core.guards.types import shown
from turnwise.core.machine import LinkedForm, Machine, Question
from turnwise.core.state import Place, State
from turnwise.core.values import REDACTED


def places_of(form: LinkedForm, state: State) -> tuple[Place, ...]:
    """Where the words of the answers stand in the journal; none where a template is the summary."""
    if form.summary is not None:
        return ()
    found = (state.values[question.address].place for question in answered(form, state))
    return tuple(place for place in found if place is not None)


def summary(machine: Machine, state: State, form: LinkedForm, words: tuple[str | None, ...]) -> str:
    """The summary in the flow's own template, or in the language's layout."""
    if form.summary is not None:
        return form.summary(live(state))
    language = machine.language
    parts = [language.text("summary_title")]
    said = statement(form, state)
    if said:
        parts.append(language.text("summary_statement", statement=said))
    parts.append(language.text("summary_answers"))
    recalled = iter(words)
    for question in answered(form, state):
        place = state.values[question.address].place
        parts.append(_answer(machine, state, question, next(recalled, None) if place is not None else None))
    parts += ["---", language.text("summary_review"), language.text("summary_question")]
    return "\n\n".join(parts)


def _answer(machine: Machine, state: State, question: Question, words: str | None) -> str:
    language = machine.language
    value = state.values[question.address].value
    if isinstance(value, bool):
        answer = language.text("value_yes" if value else "value_no")
    else:
        answer = REDACTED if question.field.secret else shown(value, question.field)
    if words and not question.field.secret:
        line = language.text("summary_answer", answer=answer, words=words)
    else:
        line = language.text("summary_answer_plain", answer=answer)
    return f"**{question.ask(live(state))}**\n{line}"
