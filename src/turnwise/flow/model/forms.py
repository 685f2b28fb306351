"""Forms with their questions, and `collect`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.flow import short_forms as short
from turnwise.flow.call_sites import call_site
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Span
from turnwise.flow.kinds import Many, Name, Object, Table, Text, one_of
from turnwise.flow.model.values import GUARD, OPTIONS, Guard, Option
from turnwise.flow.model.words import (
    REFERENCE,
    REFERENCES,
    TEXTS,
    CollectMode,
    EditWay,
    Exposure,
    LastRung,
    MatchMode,
    Prefill,
    Values,
    Wording,
)

STOP: Takes[Stop | Values | None, Stop | None] = converter(Object("Stop"))
"""The converter of the answers that end a form."""
CONFIRM: Takes[Confirm | bool | None, Confirm | None] = converter(Object("Confirm"))
"""The converter of `confirm` of a form, or `true`."""
QUESTIONS: Takes[Sequence[FormField | str], tuple[FormField, ...]] = converter(Many(Object("FormField")))
"""The converter of the questions of a form; a text is the name of a field."""
ACKNOWLEDGE: Takes[Acknowledge | str | None, Acknowledge | None] = converter(Object("Acknowledge"))
"""The converter of `acknowledge` of a form, or its text."""


@part("answers that end a form", is_bare=True)
class Stop:
    """Answers that end a form, and the reply to them."""

    values: tuple[str, ...] = key("the answers", converter=TEXTS)
    say: str = key("the reply to them", default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a question of a form", is_bare=True)
class FormField:
    """One question of a form. `key` is its name for clients, if that is not the field's name."""

    field: str = key("the field that takes the answer", converter=REFERENCE)
    ask: str = key("the question", default="")
    help: str = key("the reply when the user asks for help", default="")
    required: bool = key(
        "false: the form can be complete without it, and asks it after the required ones", default=True
    )
    fresh: bool = key("a new visit clears the answer", default=False)
    asked: bool = key(
        "false: the form never puts this question; it takes the answer if the user gives it", default=True
    )
    options: tuple[Option, ...] = key("the allowed answers, in the order of the buttons", converter=OPTIONS, default=())
    other: bool = key("a button for an answer in free text", default=False)
    anything: bool = key("a free text may be any message, also a question, a bare yes or thanks", default=False)
    buttons: Mapping[str, str] = key(
        "labels of the buttons, by option; each is a template", Table(Text()), factory=dict[str, str]
    )
    ask_when: Guard = key("when it is asked", converter=GUARD, default="")
    stop: Stop | None = key("answers that end the form", converter=STOP, default=None)
    match: MatchMode = key("whether a model may read the answer", one_of(MatchMode), default="direct_then_model")
    validate: Guard = key("a guard that a new value must not fail", converter=GUARD, default="")
    refuse: str = key(
        "the reply when `validate` refuses; without it, when a bound or the pattern of the field does", default=""
    )
    rephrase: tuple[str, ...] = key(
        "other wordings, one for each time that the answer was not understood", converter=TEXTS, default=()
    )
    then: LastRung = key("what happens after the last of these wordings", one_of(LastRung), default="")
    items: tuple[FormField, ...] = key(
        "of a list of a record: the questions of each item, by the names of its fields; by default all are asked",
        converter=QUESTIONS,
        default=(),
    )
    more: str = key(
        "of a list of a record: the question after an item whether another follows; without it, `min` items are asked",
        default="",
    )
    label: str = key(
        "of a list of a record: a template for one item as users read it, over the fields of its record", default=""
    )
    key: str = key("its name for clients; that of the field where left out", default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("how answers are confirmed", short.CONFIRM)
class Confirm:
    """How a form asks the user to confirm its answers: summary template, button labels, way to edit."""

    summary: str = key("a template for the summary", default="")
    buttons: Mapping[str, str] = key("labels: `yes`, `edit`; each is a template", Table(Text()), factory=dict[str, str])
    edit: EditWay = key("an edit asks which answer, or asks again in order", one_of(EditWay), default="chooser")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("what is said after an answer", short.ACKNOWLEDGE, is_bare=True)
class Acknowledge:
    """What a form says after an answer: before the next question, after a right one, after a wrong one.

    `right` and `wrong` are for questions that are data and say which answers are right.
    """

    text: str = key("a text before the next question", default="")
    right: str = key("the text after a right answer instead", default="")
    wrong: str = key("the text after a wrong answer instead; it may read `form.right_answer`", default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("questions that are asked in order, required ones first")
class Form:
    """Fields that are asked in order, may be confirmed, and may end early."""

    fields: tuple[FormField, ...] = key("the questions", converter=QUESTIONS, default=())
    questions: str = key(
        "a field that holds the questions as data, a list of `question`; it is read when the form is entered",
        converter=REFERENCE,
        default="",
    )
    into: str = key(
        "of questions that are data: the field of type `answers` that takes them",
        converter=REFERENCE,
        default="",
    )
    confirm: Confirm | None = key("the answers are shown and confirmed", converter=CONFIRM, default=None)
    statement: str = key("a template for the problem statement", default="")
    handoff: str = key("who takes over after the confirmation", Name(), default="")
    acknowledge: Acknowledge | None = key("what is said after an answer", converter=ACKNOWLEDGE, default=None)
    wording: Wording = key("who words the questions", one_of(Wording), default="fixed")
    fresh: bool = key("a new visit clears the answers", default=False)
    prefill: Prefill = key("what happens to values known from elsewhere", one_of(Prefill), default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("fields filled from what the user says", short.COLLECT, is_bare=True)
class Collect:
    """Fields that are filled from the user's messages while a node works (slot filling)."""

    fields: tuple[str, ...] = key("fields, or whole records", converter=REFERENCES)
    mode: CollectMode = key("whether known values may be overwritten", one_of(CollectMode), default="conversational")
    expose: Exposure = key("all missing fields at once, or one at a time", one_of(Exposure), default="all")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""
