"""The events of forms: their progress, how they were left, what they make; questions and options that are data."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.core.state.events.base import Event
from turnwise.core.state.frames import FormRun
from turnwise.core.state.kinds import ArtefactKind
from turnwise.core.state.options import ShownOption
from turnwise.core.state.questions import DataQuestion


class Missed(Event, frozen=True, tag="missed"):
    """The user's answer was not understood: nothing was stored, and the same question is asked again."""

    field: str = ""
    """The address of the field that was asked for; empty if none."""


class FormChanged(Event, frozen=True, tag="form_changed"):
    """The progress of the current form changed to `run`."""

    run: FormRun
    """The whole progress of the form after the change."""


class FormClosed(Event, frozen=True, tag="form_closed"):
    """A form was left after it had been confirmed or handed over."""

    node: str
    """The node of the form."""
    status: Literal["confirmed", "handed_off"]
    """Whether the form was confirmed, or handed over without a confirmation."""


class QuestionsFixed(Event, frozen=True, tag="questions_fixed"):
    """The questions of a form were read from the field `source`, and stay fixed until the form is entered again.

    A scope that returns the answers takes their questions along.
    """

    field: str
    """The address of the field that takes the answers."""
    source: str
    """The field from which the questions were read."""
    node: str
    """The node of the form."""
    questions: tuple[DataQuestion, ...]
    """The questions that were read, in order."""


class OptionsFixed(Event, frozen=True, tag="options_fixed"):
    """The options of a field were read from the list `source`, and stay fixed until they are read again."""

    field: str
    """The address of the field that has the options."""
    source: str
    """The address of the list that holds the options."""
    options: tuple[ShownOption, ...]
    """The options that were read, in order."""
    left_out: int = 0
    """How many items of the list are no options, since they have no value or repeat one of an earlier item."""


class ArtefactMade(Event, frozen=True, tag="artefact_made"):
    """The machine made a document for the host program: `PROBLEM_STATEMENT`, `DRAFT_PLAN` or `HANDOFF`."""

    kind: ArtefactKind
    """What the document is: the problem statement, the answers so far as a plan, or a handover."""
    data: dict[str, Any]
    """The content of the document for the host, as JSON data; its keys depend on `kind`."""
