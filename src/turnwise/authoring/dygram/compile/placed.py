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
    """Makes parts of a flow document, at places of the DyGram document that they are made from."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def report(self, code: str, message: str, at: int, hint: str = "") -> None:
        """Note a problem at a character."""
        self.diagnostics.append(problem(code, message, Span(self.source.file, *self.source.place(at)), hint))

    def key(self, name: str, at: int) -> located.Scalar:
        """Return a key."""
        return located.Scalar(name, *self.source.place(at), name)

    def text(self, text: str, at: int) -> located.Scalar:
        """Return a text that is not written with quotes."""
        return located.Scalar(text, *self.source.place(at), text)

    def plain(self, value: object, at: int) -> located.Scalar:
        """Return a number, a boolean or nothing."""
        return located.Scalar(value, *self.source.place(at))

    def scalar(self, scalar: Scalar, value: str | None = None) -> located.Scalar:
        """Return a single value, or another text in its place: `true`, `false` and `null` are what they say, other
        words are texts.
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
        """Return a value."""
        match value:
            case Scalar():
                return self.scalar(value)
            case Array(items, at):
                return located.Items([self.value(item) for item in items], *self.source.place(at))
            case Attributes():
                return self.pairs([self.pair(one) for one in value.items], value.at)

    def pair(self, attribute: Attribute, name: str = "") -> Pair:
        """Return an attribute as a key and its value, maybe with another name."""
        at = attribute.name.at
        value = self.plain(None, at) if attribute.value is None else self.value(attribute.value)
        return self.key(name or attribute.name.text, at), value

    def pairs(self, pairs: Iterable[Pair], at: int) -> located.Pairs:
        """Return a mapping."""
        return located.Pairs(list(pairs), *self.source.place(at))

    def items(self, items: Iterable[located.Located], at: int) -> located.Items:
        """Return a list."""
        return located.Items(list(items), *self.source.place(at))


def value_of_annotation(annotation: Annotation) -> Scalar | None:
    """Return what an annotation is given: its value, or that of its first parameter."""
    return annotation.value or (annotation.parameters[0].value if annotation.parameters else None)


def hint_of_similar(name: str, known: Iterable[str]) -> str:
    """Return a hint with the most similar known name; empty if none is similar."""
    found = nearest_name(name, known)
    return f"did you mean '{found}'?" if found else ""
