"""Links forms: compiles the field, texts and guards of each question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from turnwise.core.forms.buttons import NO, OTHER, YES
from turnwise.core.language import Language, normalized
from turnwise.core.link.builder import Builder
from turnwise.core.link.fields import check_options, is_bounded, validator
from turnwise.core.link.item_questions import in_order, with_items
from turnwise.core.linked_form import Acknowledgement, LinkedForm, Question
from turnwise.core.machine import Template
from turnwise.core.state.events import Button
from turnwise.core.values import Refused, is_read_as_text, match_option, read_value
from turnwise.flow.diagnostic import Span
from turnwise.flow.model import Field, Form, FormField

_BUTTONS = ("yes", "edit")


def link_form(builder: Builder, form: Form) -> LinkedForm:
    """Return the compiled form of a node."""
    span = form.span
    source, answers = _data(builder, form) if form.questions or form.into else ("", "")
    if not form.fields and not form.questions and not form.into:
        if not builder.is_unreadable(span):
            builder.report("TW045", "the form has no fields", span, "list them under 'fields'")
    elif not any(question.asked for question in form.fields) and not (form.questions or form.into or form.confirm):
        hint = "leave 'asked: false' out, or add 'confirm' to have known values confirmed"
        builder.report("TW045", "no field of the form is ever asked", span, hint)
    questions = [question for field in form.fields for question in _questions(builder, field)]
    by_address: dict[str, Question] = {}
    for question in questions:
        if question.address in by_address:
            builder.report("TW017", f"the form asks for '{question.address}' twice", question.form_field.span)
        by_address[question.address] = question
    confirm = form.confirm
    for key in confirm.buttons if confirm else ():
        if key not in _BUTTONS and confirm:
            builder.report("TW010", f"there is no button '{key}' here", confirm.span.of("buttons"), "yes, edit")
    statement = builder.statement(form.statement, span.of("statement"))
    return LinkedForm(
        form=form,
        questions=tuple(questions),
        in_order=in_order(questions),
        by_address=by_address,
        acknowledge=_acknowledgement(builder, form),
        statement=statement[0] if statement else None,
        draft=statement[1] if statement else None,
        summary=builder.optional(confirm.summary, confirm.span.of("summary")) if confirm else None,
        labels=_labels(builder, confirm.buttons, confirm.span) if confirm else {},
        has_conditions=any(question.ask_when is not None for question in questions),
        has_items=any(question.items for question in questions),
        has_validators=any(
            q.validators or q.field.options_from or builder.names.validated(q.address) for q in questions
        ),
        source=source,
        answers=answers,
    )


def _questions(builder: Builder, form_field: FormField) -> list[Question]:
    """Return the question of a field; that of a list of a record behind those of its items."""
    question = _question(builder, form_field)
    if question is None:
        return []
    return with_items(builder, question, lambda one: _question(builder, one))


def _data(builder: Builder, form: Form) -> tuple[str, str]:
    """Return the addresses of the questions of a form that are data, and of their answers; report wrong ones."""
    span = form.span
    if form.fields:
        key, hint = "questions" if form.questions else "into", "leave out 'fields', or 'questions' and 'into'"
        builder.report("TW015", f"a form has 'fields' or '{key}', not both", span.of(key), hint)
        return "", ""
    if not form.questions or not form.into:
        lacking, has = ("questions", "into") if form.into else ("into", "questions")
        hint = "name a field of type answers" if lacking == "into" else "name a field that is a list of question"
        builder.report("TW014", f"a form with '{has}' needs '{lacking}'", span, hint)
        return "", ""
    source, answers = (
        builder.field(form.questions, span.of("questions")),
        builder.written_field(form.into, span.of("into")),
    )
    if source is not None and (source.type, source.of) != ("list", "question"):
        message = f"'{form.questions}' is no list of questions"
        builder.report("TW046", message, span.of("questions"), "{type: list, of: question}")
    if answers is not None and answers.type != "answers":
        builder.report("TW046", f"'{form.into}' is no map of answers", span.of("into"), "{type: answers}")
    address = builder.names.address
    return address(form.questions), address(form.into)


def _acknowledgement(builder: Builder, form: Form) -> Acknowledgement | None:
    found = form.acknowledge
    if found is None:
        return None
    for key in ("right", "wrong"):
        if getattr(found, key) and not form.questions:
            message = f"'{key}' is for questions that are data and have right answers"
            builder.report("TW041", message, found.span.of(key), "list them under 'questions'")
    texts = [builder.optional(getattr(found, key), found.span.of(key)) for key in ("text", "right", "wrong")]
    return Acknowledgement(*texts)


def _question(builder: Builder, form_field: FormField) -> Question | None:
    span = form_field.span
    declared = builder.written_field(form_field.field, span.of("field"))
    if declared is None:
        return None
    field = _as_asked(builder, declared, form_field)
    ask = form_field.ask or f"{(declared.about or declared.name.replace('_', ' ')).rstrip('.?').capitalize()}?"
    stop = form_field.stop
    return Question(
        form_field=form_field,
        field=field,
        address=builder.names.address(form_field.field),
        key=form_field.key or declared.name,
        ask=builder.template(ask, span.of("ask")),
        help=builder.optional(form_field.help, span.of("help")),
        match=form_field.match,
        ask_when=builder.guard(form_field.ask_when, span.of("ask_when")),
        validators=validator(builder, form_field.validate, form_field.refuse, span),
        stop_values=_stop_values(builder, field, form_field),
        stop_say=builder.optional(stop.say, stop.span.of("say")) if stop else None,
        rephrase=tuple(
            builder.template(text, span.of(f"rephrase.{number}")) for number, text in enumerate(form_field.rephrase)
        ),
        buttons=(shown := option_buttons(builder.rules.language, field, form_field)),
        labels=_labels(builder, {button.value: button.label for button in shown}, span),
        refuse=None if form_field.validate else builder.optional(form_field.refuse, span.of("refuse"), is_said=False),
    )


def _labels(builder: Builder, texts: Mapping[str, str], span: Span) -> dict[str, Template]:
    """Return the labels of buttons that are templates; an option that looks like one is reported by its check."""
    return {
        value: builder.template(text, span.of("buttons"), is_said=False)
        for value, text in texts.items()
        if "{{" in text and text != value
    }


def option_buttons(language: Language, field: Field, form_field: FormField) -> tuple[Button, ...]:
    """Return the option buttons of a question in order, with *Other* only if the form allows it (law 5.2)."""
    labels = {normalized(value): label for value, label in form_field.buttons.items()}
    if field.type == "boolean":
        words = ((YES, language.text("buttons_yes")), (NO, language.text("buttons_no")))
        return tuple(Button(labels.get(normalized(value), label), value) for value, label in words)
    found = [Button(labels.get(normalized(option.value), option.shown), option.value) for option in field.options]
    if form_field.other:
        found.append(Button(labels.get(normalized(OTHER), language.text("buttons_other")), OTHER))
    return tuple(found)


def _as_asked(builder: Builder, declared: Field, form_field: FormField) -> Field:
    """Return the field of a question, with the question's options if it has some."""
    span, options = form_field.span, form_field.options
    _check_keys(builder, declared, form_field)
    check_options(builder, options, span)
    if options and declared.type not in ("string", "choice", "list"):
        message = f"a field of type {declared.type} takes no options"
        builder.report("TW042", message, span.of("options"), "make it a choice")
        return declared
    for option in options if declared.options else ():
        if match_option(declared.options, option.value) is None:
            message = f"'{option.value}' is no option of '{form_field.field}'"
            builder.report("TW042", message, span.of("options"))
    if declared.options_from is not None and (options or form_field.buttons):
        key = "options" if options else "buttons"
        message = f"the options of '{form_field.field}' come from '{declared.options_from.list}', with their labels"
        builder.report("TW129", message, span.of(key), f"leave '{key}' out")
        return declared
    known = options or declared.options
    for value in form_field.buttons:
        if match_option(known, value) is None and declared.type != "boolean" and value != OTHER:
            builder.report("TW042", f"the button '{value}' belongs to no option", span.of("buttons"))
    return replace(declared, options=known)


def _check_keys(builder: Builder, declared: Field, form_field: FormField) -> None:
    """Report keys that need another key or a default."""
    span = form_field.span
    problems = [
        (
            form_field.refuse and not form_field.validate and not is_bounded(declared),
            "refuse",
            "'refuse' says nothing without 'validate', 'min', 'max' or 'pattern'",
        ),
        (form_field.then == "skip" and form_field.required, "then", "'then: skip' needs 'required: false'"),
        (
            form_field.then == "default" and declared.default is None,
            "then",
            f"'then: default' needs a default, and '{declared.name}' has none",
        ),
        (
            form_field.anything and not form_field.other and (form_field.options or not is_read_as_text(declared)),
            "anything",
            f"'anything' is for a free text, and '{declared.name}' is none",
        ),
    ]
    for is_wrong, key, message in problems:
        if is_wrong:
            builder.report("TW041", message, span.of(key))


def _stop_values(builder: Builder, field: Field, form_field: FormField) -> frozenset[Any]:
    found: set[Any] = set()
    stop = form_field.stop
    for number, written in enumerate(stop.values if stop else ()):
        value = read_value(field, written, builder.rules)
        if isinstance(value, Refused):
            span = stop.span.of(f"values.{number}") if stop else form_field.span
            builder.report("TW042", f"'{written}' is no answer to this question: {value.text}", span)
        else:
            found.update(value if isinstance(value, list) else [value])
    return frozenset(found)
