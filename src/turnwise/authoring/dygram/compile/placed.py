"""Makes the parts of a flow document, each with the position of its source, and collects the problems."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.authoring.dygram.scanner import Source
from turnwise.authoring.dygram.syntax import Annotation, Array, Attribute, Attributes, Scalar, Value
from turnwise.flow import located
from turnwise.flow.diagnostic import Diagnostic, Span, nearest_name, problem

_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}
Pair = tuple[located.Scalar, located.Located]
"""A key and its value."""


class Output:
    """Makes the parts of a flow document, each at the offset of the DyGram source that it is made from."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def report(self, code: str, message: str, at: int, hint: str = "") -> None:
        """Record a problem at the offset `at` of the DyGram source."""
        self.diagnostics.append(problem(code, message, Span(self.source.file, *self.source.place(at)), hint))

    def key(self, name: str, at: int) -> located.Scalar:
        """Return a key at the offset `at`."""
        return located.Scalar(name, *self.source.place(at), name)

    def text(self, text: str, at: int) -> located.Scalar:
        """Return a text, without quotes in the source, at the offset `at`."""
        return located.Scalar(text, *self.source.place(at), text)

    def plain(self, value: object, at: int) -> located.Scalar:
        """Return a number, a boolean or null at the offset `at`."""
        return located.Scalar(value, *self.source.place(at))

    def scalar(self, scalar: Scalar, value: str | None = None) -> located.Scalar:
        """Return a single value, or the text `value` at its place.

        `true`, `false` and `null` are values, other words are texts.
        """
        line, column = self.source.place(scalar.at)
        if scalar.kind != "string":
            found = _WORDS.get(str(scalar.value), scalar.value) if scalar.kind == "word" else scalar.value
            text = scalar.written or str(scalar.value)
            return located.Scalar(found if value is None else value, line, column, text if value is None else value)
        text = str(scalar.value) if value is None else value
        lines: located.Lines = ()
        if value is None and "\n" in scalar.written:
            last_line, last_column = self.source.place(scalar.end)
            first, last = (line - 1, column), (last_line - 1, last_column - 2)
            lines = located.source_lines_of(text, self.source.lines, first, last)
        return located.Scalar(text, line, column, text, "quoted", lines)

    def value(self, value: Value) -> located.Located:
        """Return a value of the document as a value of the flow document."""
        match value:
            case Scalar():
                return self.scalar(value)
            case Array(items, at):
                return located.Items([self.value(item) for item in items], *self.source.place(at))
            case Attributes():
                return self.pairs([self.pair(one) for one in value.items], value.at)

    def pair(self, attribute: Attribute, name: str = "") -> Pair:
        """Return an attribute as a key and its value; `name` replaces the key unless it is empty."""
        at = attribute.name.at
        value = self.plain(None, at) if attribute.value is None else self.value(attribute.value)
        return self.key(name or attribute.name.text, at), value

    def pairs(self, pairs: Iterable[Pair], at: int) -> located.Pairs:
        """Return a mapping at the offset `at`."""
        return located.Pairs(list(pairs), *self.source.place(at))

    def items(self, items: Iterable[located.Located], at: int) -> located.Items:
        """Return a list at the offset `at`."""
        return located.Items(list(items), *self.source.place(at))


def value_of_annotation(annotation: Annotation) -> Scalar | None:
    """Return the value of an annotation, or of its first parameter; `None` if it has neither."""
    return annotation.value or (annotation.parameters[0].value if annotation.parameters else None)


def hint_of_similar(name: str, known: Iterable[str]) -> str:
    """Return a hint with the most similar known name; empty if none is similar."""
    found = nearest_name(name, known)
    return f"did you mean '{found}'?" if found else ""
