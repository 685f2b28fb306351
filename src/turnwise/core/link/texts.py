"""Compiles the holes of texts: how each is filled and written, for users or for models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.answers import count_questions
from turnwise.core.formatting import FormatLocale, for_models, for_people, formatter
from turnwise.core.guards import Env, Evaluate, GuardFault
from turnwise.core.guards.scope import TIME_ZONE, Names, Root, time_zone
from turnwise.core.guards.types import type_of
from turnwise.core.language import Language
from turnwise.core.state import State
from turnwise.core.template import Fill, Template
from turnwise.core.values import REDACTED, is_free_text
from turnwise.core.values.json_data import as_list
from turnwise.flow import template as t
from turnwise.flow.guard import GuardError
from turnwise.flow.guard.syntax import Name, Select
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field

_WORDS = late_pattern(r"[\w .,;:'’-]+")


def _persona_name(state: State) -> str | None:
    return (state.overlays.persona_name or None) if state.overlays is not None else None


TEMPLATE_ROOTS: dict[str, Root] = {
    "form.number": Root("int", lambda _state: None),
    "form.total": Root("int", count_questions),
    "form.progress": Root("int", lambda _state: None),
    "form.right_answer": Root("string", lambda _state: None),
    "persona.name": Root("string", _persona_name),
}
"""The roots that texts may read beside those of guards, by name. Forms supply the values of `form.…` when they speak.
"""

MISSING_VALUE = "…"
"""Stands for a missing value in a text that is shown before all values are known."""
NOT_SAID = "'required' is for texts that are said and for prompts: this text cannot be left out"
"""The error for `required` in a text that cannot be refused."""
_WITH_ZONE = ("timestamp", "list:timestamp", "dyn")

Written = Callable[[Any, Env], str]
"""A function that renders a value as text."""


def fill_of(run: Evaluate, written: Written, *, is_secret: bool) -> Fill:
    """Return the function that renders one `{{ }}` of a text: `None` for a missing value or error, secrets redacted."""

    def fill(env: Env) -> str | None:
        try:
            value = run(env)
        except (GuardFault, OverflowError):
            return None
        if value is None:
            return None
        return REDACTED if is_secret else written(value, env)

    return fill


def repeated_fill(run: Evaluate, slot: int, inner: Template, *, is_secret: bool) -> Fill:
    """Return the function that renders a loop of a text: its inner text once for each item of a list, bound at `slot`,
    redacted if `is_secret`. The position is bound beside the item. A list without items is an empty text.
    """

    def fill(env: Env) -> str | None:
        try:
            items = as_list(run(env))
        except (GuardFault, OverflowError):
            return None
        if items is None:
            return None
        texts: list[str] = []
        for number, item in enumerate(items, 1):
            env.bound[slot], env.bound[-slot] = item, number
            texts.append(REDACTED if is_secret else inner(env))
        return "".join(texts)

    return fill


def with_own_format(hole: t.TemplateExpression, names: Names) -> t.TemplateExpression:
    """Return a `{{ }}` with the format of its field, if it is a field alone and has no format of its own.
    A format that cannot be read is reported at the field.
    """
    place = hole.expression
    if hole.format is not None or not isinstance(place, Select) or not isinstance(place.of, Name):
        return hole
    field = names.records.get(place.of.name, {}).get(place.name)
    if field is None or not field.format:
        return hole
    try:
        own = t.read_format(field.format)
        formatter(own, type_of(field))
    except GuardError:
        return hole
    return replace(hole, format=own)


def value_writer(hole: t.TemplateExpression, kind: str, language: Language, *, is_prompt: bool) -> Written:
    """Return a function that renders a value: in the format of the `{{ }}`, in ISO form for models (`is_prompt`), or
    for users. Raises `GuardError` for a wrong format.
    """

    def zone_of(env: Env) -> str:
        return env.source.get(TIME_ZONE, time_zone) or "UTC"

    if hole.format is not None:
        of = formatter(hole.format, kind)
        return lambda value, env: of(value, FormatLocale(language.code, zone_of(env)))
    if is_prompt:
        return lambda value, _env: for_models(language, value)
    if kind in _WITH_ZONE:
        return lambda value, env: for_people(language, zone_of(env), kind, value)
    return lambda value, _env: for_people(language, "UTC", kind, value)


def takes_words(field: Field) -> bool:
    """Return whether bare words without quotes may be meant as a constant for a field."""
    return is_free_text(field) or bool(field.options)


def are_words(text: str) -> bool:
    """Return whether a text has only words and punctuation, as a constant without quotes has."""
    return _WORDS.fullmatch(text) is not None
