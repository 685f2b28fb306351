"""The events of forms: their progress, how they were left, what they make; questions and options that are data."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.core.state.events.base import Event
from turnwise.core.state.frames import FormRun
from turnwise.core.state.kinds import ArtefactKind
from turnwise.core.state.options import ShownOption
from turnwise.core.state.questions import DataQuestion


class Missed(Event, frozen=True, tag="missed"):
    """An answer was not understood: nothing was stored, and the same question is asked again."""

    field: str = ""
    """The field that was asked for."""


class FormChanged(Event, frozen=True, tag="form_changed"):
    """The progress of the current form changed to this."""

    run: FormRun
    """The whole progress after the change."""


class FormClosed(Event, frozen=True, tag="form_closed"):
    """A form was left after it had been confirmed or handed over."""

    node: str
    """The node of the form."""
    status: Literal["confirmed", "handed_off"]
    """Whether it was confirmed, or handed over without that."""


class QuestionsFixed(Event, frozen=True, tag="questions_fixed"):
    """The questions whose answers a field takes were read from a field, and stay these until the form is entered again.
    A scope that returns the answers takes their questions along.
    """

    field: str
    """The field that takes the answers."""
    source: str
    """The field that the questions were read from."""
    node: str
    """The node of the form."""
    questions: tuple[DataQuestion, ...]
    """The questions."""


class OptionsFixed(Event, frozen=True, tag="options_fixed"):
    """The options of a field were read from the list that holds them, and stay these until they are read again."""

    field: str
    """The field that has the options."""
    source: str
    """The list that holds them."""
    options: tuple[ShownOption, ...]
    """The options, in order."""
    left_out: int = 0
    """How many items are no options, as they have no value, or one that an item before has."""


class ArtefactMade(Event, frozen=True, tag="artefact_made"):
    """Something for the host: `PROBLEM_STATEMENT`, `DRAFT_PLAN`, `HANDOFF`."""

    kind: ArtefactKind
    """What it is: the problem statement, a plan of the answers so far, or a handover."""
    data: dict[str, Any]
    """Its content, for the host."""
