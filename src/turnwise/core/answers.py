"""Answers to questions that are data: their fields (`feedback.answers.q1`), and which are right (`form.right`)."""

from __future__ import annotations

from turnwise.core.language import folded, normalized
from turnwise.core.state import State
from turnwise.core.state.questions import QuestionList
from turnwise.flow.addresses import field_of, map_of
from turnwise.flow.converters import copy_with
from turnwise.flow.model import Field


class AnswerFields(dict[str, Field]):
    """The fields of a flow by address, and those of answers to questions that are data. An answer to an unknown
    question is a text field, as secret as the field that holds the answers.
    """

    def __contains__(self, address: object) -> bool:
        return super().__contains__(address) or (isinstance(address, str) and self._whole(address) is not None)

    def _whole(self, address: str) -> Field | None:
        """Return the field of which an address names one answer."""
        whole = self.get(map_of(address))
        return whole if whole is not None and whole.type == "answers" else None

    def __missing__(self, address: str) -> Field:
        whole = self._whole(address)
        if whole is None:
            raise KeyError(address)
        return copy_with(whole, name=field_of(address), type="string", default=None, validate="")


def is_right(right: tuple[str, ...], value: object) -> bool:
    """Return whether an answer is one of the right ones, ignoring case, spaces and final full stops."""
    text = str(value)
    return text in right or folded(normalized(text)) in [folded(normalized(one)) for one in right]


def questions_in_charge(state: State) -> QuestionList | None:
    """Return the questions of the form in charge; `None` if its questions are not data."""
    run = state.frame.form
    return (state.question_lists or {}).get(run.answers) if run is not None and run.answers else None


def count_questions(state: State) -> int | None:
    """Return how many questions the form in charge has; `None` if its questions are not data."""
    found = questions_in_charge(state)
    return len(found.items) if found is not None else None


def count_right_answers(state: State) -> int | None:
    """Return how many answers of the form in charge are right; `None` if its questions are not data."""
    run = state.frame.form
    return count_right_answers_in(state, run.answers) if run is not None and run.answers else None


def count_right_answers_in(state: State, field: str) -> int | None:
    """Return how many answers in a field of answers are right; `None` if no form that fills it was entered."""
    found = (state.question_lists or {}).get(field)
    if found is None:
        return None
    known = state.values.get(field)
    given: dict[str, object] = known.value if known is not None else {}
    return sum(one.id in given and is_right(one.right, given[one.id]) for one in found.items if one.right)
