"""Links the settings of a whole flow: its language, its time zone, its own fixed texts and phrases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwise.core.guards.scope import Names
from turnwise.core.language import LANGUAGES, language_of, phrase_kind
from turnwise.core.language.codes import code_or_default, language_code
from turnwise.core.link.builder import Builder
from turnwise.core.template import Template
from turnwise.core.values import Rules
from turnwise.core.zones import is_zone, zone_hint
from turnwise.flow.diagnostic import Diagnostic, Span, nearest, problem
from turnwise.flow.guard import Expression
from turnwise.flow.guard.syntax import Call, Conditional, Literal, Name, Select
from turnwise.flow.model import Flow


def is_computed(flow: Flow) -> bool:
    """Return whether a conversation's language is computed from its fields, so that it may change."""
    return "{{" in flow.language


def is_zone_computed(flow: Flow) -> bool:
    """Return whether a conversation's time zone is computed from its fields, so that it may change."""
    return "{{" in flow.time_zone


def rules_in(flow: Flow, code: str = "") -> Rules:
    """Return the rules for reading values in a language (by default the flow's) with the flow's own phrases."""
    code = code or code_or_default(flow.language)
    zone = flow.time_zone if is_zone(flow.time_zone) else "UTC"
    own = {key: value for key, value in _texts_in(flow, code).items() if isinstance(value, str) or _is_phrases(value)}
    limits = flow.limits
    return Rules(language_of(code, own), zone, limits.strings, limits.lists, limits.list_bytes)


def _texts_in(flow: Flow, code: str) -> Mapping[str, Any]:
    """Return the flow's own texts in a language; those that stand below its code replace those for all languages."""
    own = flow.texts.get(code)
    return {**flow.texts, **own} if isinstance(own, Mapping) else flow.texts  # pyright: ignore[reportUnknownVariableType]


# the language -------------------------------------------------------------------------------------


def link_language(builder: Builder) -> Template | None:
    """Return the template that renders a conversation's language; `None` if the flow has one fixed language.
    Language names that there are no phrases for are reported.
    """
    flow = builder.flow
    if not is_computed(flow):
        return None
    span = flow.span.of("language")
    parts = builder.parts_with_holes(flow.language, span, is_said=False)
    hole = parts[0][1] if len(parts) == 1 else None
    if hole is not None:
        given = _named_in(hole.expression, builder.names, span)
        builder.diagnostics += [_without_phrases(*one) for one in given if not language_code(one[0])]
    return Template([part for part, _ in parts])


def link_time_zone(builder: Builder) -> Template | None:
    """Return the template that renders a conversation's time zone; `None` if the flow has one fixed zone."""
    flow = builder.flow
    if not is_zone_computed(flow):
        return None
    return builder.template(flow.time_zone, flow.span.of("time_zone"), is_said=False)


def _named_in(expression: Expression, names: Names, span: Span) -> Iterator[tuple[str, Span]]:
    """Yield the names of languages that an expression can give, as far as they are known, and where they stand."""
    match expression:
        case Literal(value=str(named)):
            yield named, span
        case Select(of=Name(name=record), name=name):
            field = names.records.get(record, {}).get(name)
            if field is not None:
                yield from ((option.value, field.span) for option in field.options)
                if isinstance(field.default, str):
                    yield field.default, field.span
        case Conditional(then=then, other=other):
            yield from _named_in(then, names, span)
            yield from _named_in(other, names, span)
        case Call(name="default", args=args):
            for arg in args:
                yield from _named_in(arg, names, span)
        case _:
            pass


def _without_phrases(named: str, span: Span) -> Diagnostic:
    """Report a language that has no phrases."""
    return problem("TW027", f"there are no phrases for the language '{named}'", span, nearest(named, LANGUAGES))


# what is wrong -------------------------------------------------------------------------------------


def settings_faults(flow: Flow) -> list[Diagnostic]:
    """Return diagnostics for an unknown language or time zone, and for keys in `texts` that replace no fixed text."""
    found: list[Diagnostic] = []
    if not is_computed(flow) and flow.language not in LANGUAGES:
        found.append(_without_phrases(flow.language, flow.span.of("language")))
    if not is_zone_computed(flow) and not is_zone(flow.time_zone):
        span, hint = flow.span.of("time_zone"), zone_hint(flow.time_zone)
        found.append(problem("TW028", f"'{flow.time_zone}' is no time zone", span, hint))
    spoken = LANGUAGES if is_computed(flow) else (flow.language,)
    for key, value in flow.texts.items():
        if key in LANGUAGES and isinstance(value, Mapping):
            span = flow.span.of(f"texts.{key}")
            if key not in spoken:
                found.append(problem("TW025", f"this flow is never in the language '{key}'", span))
            found += _faults_of_texts(value, key, flow.span, f"texts.{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            found += _faults_of_texts({key: value}, flow.language, flow.span, "texts.")
    return found


def _faults_of_texts(given: Mapping[str, Any], code: str, span: Span, path: str) -> Iterable[Diagnostic]:
    """Report keys that replace no fixed text of a language, and values that cannot replace one."""
    texts, phrases = LANGUAGES[code_or_default(code)]
    for key, value in given.items():
        at = span.of(f"{path}{key}")
        is_text, is_list = key in texts, phrase_kind(key, phrases) != ""
        if not is_text and not is_list:
            yield problem("TW025", f"no fixed text is called '{key}'", at, nearest(key, [*texts, *phrases]))
        elif not (is_text and isinstance(value, str)) and not (is_list and _is_phrases(value)):
            kinds = [kind for kind, holds in (("one text", is_text), ("a list of phrases", is_list)) if holds]
            yield problem("TW025", f"'{key}' takes {' or '.join(kinds)}", at)
        elif isinstance(value, str) and "{{" in value:
            yield problem("TW025", f"'{key}' is a fixed text, and no template", at, "leave the braces out")


def _is_phrases(value: object) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)  # pyright: ignore[reportUnknownVariableType]
