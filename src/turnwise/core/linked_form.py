"""A form as it is compiled: its questions, in order and by field, and its texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.candidates import Guard
from turnwise.core.state.events import Button
from turnwise.core.template import Template
from turnwise.flow.model import Field, Form, FormField, MatchMode


class Question(Struct, frozen=True):
    """A compiled question of a form: its field, its texts and its conditions."""

    form_field: FormField
    """The declaration of the question in the form."""
    field: Field
    """The field that takes the answer, with the options that the form allows."""
    address: str
    """The address of the field that takes the answer."""
    key: str
    """The name of the question for clients."""
    ask: Template
    """The text of the question."""
    help: Template | None
    """The reply when the user asks for help; `None` if there is none."""
    match: MatchMode
    """Whether a model may read the answer."""
    ask_when: Guard | None
    """The condition under which the question is asked; `None` for always."""
    validators: tuple[tuple[Guard, Template | None], ...]
    """The guards that a new value must not fail, each with its reply."""
    stop_values: frozenset[Any]
    """The answers that end the form."""
    stop_say: Template | None
    """The reply to an answer that ends the form; `None` for none."""
    rephrase: tuple[Template, ...]
    """Other wordings of the question, used in order each time an answer was not understood."""
    buttons: tuple[Button, ...]
    """The buttons of the question's options."""
    labels: Mapping[str, Template] = {}
    """The labels of buttons that are templates, by the value of the option."""
    refuse: Template | None = None
    """The reply to a refused value; `None` for the usual text."""
    right: tuple[str, ...] = ()
    """The right answers, for a question that is data; empty if it has none."""
    items: tuple[str, ...] = ()
    """For a list of records: the addresses of the record's fields that are asked for each item; else empty."""
    item_of: str = ""
    """For a question about a list item: the address of the list; else empty."""
    more: Template | None = None
    """For a list of records: the question whether another item follows; else `None`."""
    first_buttons: tuple[Button, ...] = ()
    """For a list of records: the buttons while the list has no items."""
    label: Template | None = None
    """For a list of records: the template that shows one item to users; `None` for the usual text."""


class Acknowledgement(Struct, frozen=True):
    """The texts that a form sends after an answer: before the next question, for a right and for a wrong answer."""

    say: Template | None
    """The text before the next question; `None` for none."""
    right: Template | None
    """The text after a right answer; `None` for none."""
    wrong: Template | None
    """The text after a wrong answer; `None` for none."""


class LinkedForm(Struct, frozen=True):
    """A compiled form: its questions and its texts."""

    form: Form
    """The form as the flow declares it."""
    questions: tuple[Question, ...]
    """All questions of the form, in the order of the flow."""
    in_order: tuple[Question, ...]
    """The questions that the form asks by itself, the required ones first."""
    by_address: Mapping[str, Question]
    """The questions, by the address of their field."""
    acknowledge: Acknowledgement | None
    """The texts after an answer; `None` for none."""
    statement: Template | None
    """The template of the problem statement; `None` without one."""
    draft: Template | None
    """The template of the problem statement with visible gaps for missing answers; `None` without one."""
    summary: Template | None
    """The template of the summary that the user confirms; `None` for the usual layout."""
    labels: Mapping[str, Template] = {}
    """The labels of the confirmation's buttons that are templates, by button."""
    has_conditions: bool = False
    """True if one of the questions has an `ask_when`."""
    has_validators: bool = False
    """True if one of the questions has a `validate`."""
    has_items: bool = False
    """True if a question asks for the items of a list of records."""
    source: str = ""
    """The address of the field that holds the questions as data; empty if the flow declares them."""
    answers: str = ""
    """The address of the field that takes the answers, if the questions are data; else empty."""
