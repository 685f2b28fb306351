"""Checks the phrases by which users begin scopes, and whether a scope has its input then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from turnwise.core.link.builder import Builder
from turnwise.core.start_phrases import gaps_of
from turnwise.core.values.schema import is_needed
from turnwise.flow import model
from turnwise.flow.diagnostic import nearest

_TYPES_OF_WORDS = ("string", "integer", "number", "boolean", "choice", "date", "time", "datetime", "duration")
_SIDE_BY_SIDE = re.compile(r"\}\s*\{")


def check_start_phrases(builder: Builder) -> None:
    """Report scopes that a user could begin without a required input, and phrases whose gaps fill no input."""
    for node in builder.flow.nodes:
        if node.scope is not None:
            fields = {field.name: field for field in node.scope.input}
            _check_started_input(builder, node, fields)
            for number, phrase in enumerate(node.starts):
                for message, hint in _faults(node, phrase, fields):
                    builder.report("TW148", message, node.span.of(f"starts.{number}"), hint)


def _check_started_input(builder: Builder, node: model.Node, fields: Mapping[str, model.Field]) -> None:
    """Report an input that is never given where users may begin a scope: it would never open."""
    commands = builder.flow.commands
    if node.name not in commands.start:
        return
    span = commands.span.of(f"start.{commands.start.index(node.name)}")
    given = {name for phrase in node.starts for name in gaps_of(phrase)}
    for field in fields.values():
        if is_needed(field) and field.name not in given:
            message = f"users may begin '{node.name}', which needs the input '{field.name}', and they give none"
            builder.report("TW094", message, span, f"give '{field.name}' a 'default'")


def _faults(node: model.Node, phrase: str, fields: Mapping[str, model.Field]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a phrase, each with a hint."""
    gaps = gaps_of(phrase)
    for name in dict.fromkeys(gaps):
        field = fields.get(name)
        if field is None:
            yield f"the phrase '{phrase}' fills '{name}', which is no input of '{node.name}'", nearest(name, fields)
        elif field.secret:
            yield f"the phrase '{phrase}' fills '{name}', which is secret", "words that begin a scope are no secret"
        elif field.type not in _TYPES_OF_WORDS:
            yield f"the phrase '{phrase}' fills '{name}', which is of type '{field.type}'", "words fill one value"
    if len(set(gaps)) < len(gaps) or _SIDE_BY_SIDE.search(phrase):
        yield (
            f"the gaps of the phrase '{phrase}' cannot be distinguished",
            "write words between two, and each name once",
        )
    in_others = {name for other in node.starts for name in gaps_of(other)}
    for name in sorted(in_others - set(gaps)):
        if name in fields and is_needed(fields[name]):
            yield (
                f"the phrase '{phrase}' begins '{node.name}' without the input '{name}', which it needs",
                f"add the gap {{{name}}}, or give '{name}' a 'default'",
            )
