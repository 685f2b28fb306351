"""Links the questions that a form asks for each item of a list of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from turnwise.core.forms.buttons import NO, YES
from turnwise.core.link.builder import Builder
from turnwise.core.linked_form import Question
from turnwise.core.machine import LinkedNode
from turnwise.core.state.events import Button
from turnwise.flow.converters import copy_with
from turnwise.flow.diagnostic import nearest
from turnwise.flow.frozen import make
from turnwise.flow.model import FormField

_OF_ITEMS = ("items", "more", "label")
"""Keys that only the question for a list of a record has."""
_OF_VALUES = ("options", "buttons", "other", "anything", "stop", "then", "match")
"""Keys that the question for a list of a record has no use for: its items have values, and it has none."""
_OF_FORMS = (*_OF_ITEMS, "fresh", "key")
"""Keys that the question of an item cannot have."""
Link = Callable[[FormField], Question | None]
"""A function that compiles one question of a form; returns `None` where the question has an error, which is recorded.
"""


def with_items(builder: Builder, question: Question, link: Link) -> list[Question]:
    """Return a question, behind those for an item of its list (which `link` makes); report keys that do not fit."""
    form_field, field = question.form_field, question.field
    if not field.parts:
        for key in _given(form_field, _OF_ITEMS):
            message = f"'{key}' is for a list of a record, and '{form_field.field}' is none"
            builder.report("TW123", message, form_field.span.of(key), "make it {type: list, of: RECORD}")
        return [question]
    for key in _given(form_field, _OF_VALUES):
        message = f"'{key}' is for a value, and '{form_field.field}' is a list of the record '{field.of}'"
        builder.report("TW123", message, form_field.span.of(key), "put it at a question under 'items'")
    if not form_field.items and "items" in (form_field.span.parts or ()):
        message = f"'items' names no question, so the form asks for no field of an item of '{form_field.field}'"
        builder.report(
            "TW124", message, form_field.span.of("items"), "leave it out to ask for all fields of the record"
        )
    if field.secret:
        message = f"'{form_field.field}' is secret, and no form asks for the items of a secret list"
        builder.report("TW124", message, form_field.span.of("field"), "fill it by a tool, or make it not secret")
        return [question]
    linked = [link(one) for one in _asked(builder, question)]
    parts = [one for one in linked if one is not None]
    if not parts:
        return [question]
    _check_bounds(builder, question)
    address, language = question.address, builder.rules.language
    first = (Button(language.text("buttons_yes"), YES), Button(language.text("buttons_no"), NO))
    later = (Button(language.text("buttons_more"), YES), Button(language.text("buttons_no_more"), NO))
    return [
        *[replace(one, item_of=address) for one in parts],
        replace(
            question,
            items=tuple([one.address for one in parts]),
            more=builder.optional(form_field.more, form_field.span.of("more")),
            label=builder.optional(form_field.label, form_field.span.of("label"), is_said=False),
            buttons=later,
            first_buttons=first,
        ),
    ]


def in_order(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions in asking order: required ones first, those of a list item before that of its list."""
    lists = {one.address: one for one in questions if one.items}

    def rank(question: Question) -> tuple[bool, int, bool]:
        whole = lists.get(question.item_of, question)
        return not whole.form_field.required, places[whole.address], not question.form_field.required

    places = {one.address: place for place, one in enumerate(questions)}
    asked = [one for one in questions if one.form_field.asked]
    items = sorted((one for one in asked if one.item_of), key=rank)
    others = sorted((one for one in asked if not one.item_of), key=rank)
    return tuple([one for whole in others for one in (*[q for q in items if q.item_of == whole.address], whole)])


def _asked(builder: Builder, question: Question) -> list[FormField]:
    """Return the questions of an item, each with the address of its field in the record."""
    form_field, field = question.form_field, question.field
    names = [part.name for part in field.parts]
    if not form_field.items:
        span = form_field.span
        return [make(FormField, field=f"{field.of}.{name}", span=span) for name in names]
    found: list[FormField] = []
    for one in form_field.items:
        name = one.field.removeprefix(f"{field.of}.")
        if name not in names:
            message = f"the record '{field.of}' has no field '{one.field}'"
            builder.report("TW124", message, one.span.of("field"), nearest(name, names) or ", ".join(names))
            continue
        for key in _given(one, _OF_FORMS):
            builder.report("TW124", f"'{key}' is not for the question of an item", one.span.of(key), "leave it out")
        found.append(copy_with(one, field=f"{field.of}.{name}"))
    return found


def _check_bounds(builder: Builder, question: Question) -> None:
    """Report a question for more items where the list can have only one, and a list that can never be long enough."""
    form_field, most = question.form_field, question.field.max
    if form_field.more and isinstance(most, int | float) and most <= 1:
        message = f"'more' is never asked: '{form_field.field}' has at most {most:g} item"
        builder.report("TW126", message, form_field.span.of("more"), "leave it out, or raise 'max'")


def check_shared(builder: Builder, nodes: Iterable[LinkedNode]) -> None:
    """Report records that a form asks for both alone and as list items: it empties them after each item."""
    nodes = list(nodes)
    questions = [one for node in nodes if node.form is not None for one in node.form.questions]
    alone = {one.address for one in questions if not one.item_of} | {a for node in nodes for a in node.collects}
    for question in {one.address: one for one in questions if one.item_of and one.address in alone}.values():
        message = f"'{question.address}' is asked for each item of '{question.item_of}', and by itself elsewhere"
        hint = "give the items a record of their own"
        builder.report("TW125", message, question.form_field.span, hint)


def _given(form_field: FormField, keys: tuple[str, ...]) -> list[str]:
    """Return which of some keys a question has."""
    default = make(FormField, field=form_field.field)
    return [key for key in keys if getattr(form_field, key) != getattr(default, key)]
