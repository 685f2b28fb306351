"""Adds the questions that are data of a conversation, and the options of the moment, to the machine of its flow (laws
5.15 and 5.18).

The texts of such questions are no templates: they are said as they are.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.answers import AnswerFields
from turnwise.core.link.forms import option_buttons
from turnwise.core.link.options import with_options
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.machine import Machine
from turnwise.core.state import DataQuestion, OptionLists, QuestionLists
from turnwise.core.template import Template
from turnwise.flow.addresses import answer_address
from turnwise.flow.converters import copy_with
from turnwise.flow.frozen import make
from turnwise.flow.model import FormField, Option, Stop

_MOST_KEPT = 32
"""For how many lists of questions and options a machine keeps what was linked."""


def with_lists(machine: Machine, questions: QuestionLists | None, options: OptionLists | None) -> Machine:
    """Return the machine in which forms over data have the given questions, and fields the given options."""
    declared = machine.declared or machine
    if machine.question_lists is questions and machine.option_lists is options:
        return machine
    kept = declared.with_lists
    found = next((one for one in kept if _has(one, questions, options)), None)
    found = found or _linked(declared, questions, options)
    kept[:] = [*[one for one in kept if one is not found][1 - _MOST_KEPT :], found]
    return found


def _has(machine: Machine, questions: QuestionLists | None, options: OptionLists | None) -> bool:
    is_same = machine.question_lists is questions and machine.option_lists is options
    return is_same or (machine.question_lists == questions and machine.option_lists == options)


def _linked(machine: Machine, questions: QuestionLists | None, options: OptionLists | None) -> Machine:
    joined = replace(machine, **with_options(machine, options)) if options else machine
    changes = _with_questions_of(joined, questions) if questions else {}
    made = replace(
        joined,
        **changes,
        explain_cache={},
        declared=machine,
        question_lists=questions,
        option_lists=options,
        with_lists=[],
    )
    kept: dict[str, Any] = vars(machine)
    vars(made).update({name: kept[name] for name in _UNCHANGED if name in kept})
    return made


def _with_questions_of(machine: Machine, lists: QuestionLists) -> dict[str, Any]:
    """Return what differs in the machine in which forms over data have these questions."""
    questions = {
        field: tuple([_question(machine, field, one) for one in found.items])
        for field, found in lists.items()
        if field in machine.fields
    }
    nodes = dict(machine.nodes)
    forms_of = dict(machine.forms_of)
    for name, node in machine.nodes.items():
        if node.form is not None and node.form.answers in questions:
            form = _with_questions(node.form, questions[node.form.answers])
            nodes[name] = replace(node, form=form)
            for address in form.by_address:
                forms_of[address] = (*forms_of.get(address, ()), name)
    fields = {one.address: one.field for found in questions.values() for one in found}
    return {"fields": AnswerFields({**machine.fields, **fields}), "nodes": nodes, "forms_of": forms_of}


_UNCHANGED = ("fingerprint", "starts", "call_names", "candidates")
"""What a machine computes once, and neither questions nor options change."""


def _with_questions(form: LinkedForm, questions: tuple[Question, ...]) -> LinkedForm:
    by_address = {one.address: one for one in questions}
    return replace(form, questions=questions, in_order=questions, by_address=by_address)


def _question(machine: Machine, answers: str, item: DataQuestion) -> Question:
    """Return a linked question. Its field is as secret as the field that takes all answers."""
    whole, address = machine.fields[answers], answer_address(answers, item.id)
    options = tuple([make(Option, value=one) for one in item.options])
    kind = "choice" if options else "string"
    field = copy_with(whole, name=item.id, type=kind, options=options, about=item.ask, default=None, validate="")
    stop = make(Stop, values=item.stop, say=item.stop_say, span=whole.span) if item.stop else None
    form_field = make(FormField, field=address, ask=item.ask, options=options, stop=stop, key=item.id, span=whole.span)
    return Question(
        form_field=form_field,
        field=field,
        address=address,
        key=item.id,
        ask=Template((item.ask,)),
        help=None,
        match=form_field.match,
        ask_when=None,
        validators=(),
        stop_values=frozenset(item.stop),
        stop_say=Template((item.stop_say,)) if item.stop_say else None,
        rephrase=(),
        buttons=option_buttons(machine.language, field, form_field),
        right=item.right,
    )
