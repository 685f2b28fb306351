"""What is wrong with a document, where, and what to do about it: as data, for people and for machines.

Refuses to raise for a single problem: problems are collected, `FlowError` carries them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Literal, NamedTuple

from turnwise.errors import TurnwiseError
from turnwise.flow.codes import CODES
from turnwise.flow.frozen import frozen
from turnwise.flow.located import Lines, Place, place_in

Severity = Literal["error", "warning"]


class Span(NamedTuple):
    """A place in a document: file name, line and column, both counted from 1.

    The span of an object also knows where the value of each of its keys stands (`parts`). What was made inside
    of a call has the place of the call, and its own under the empty key. The span of a text that takes several
    lines knows where each begins (`lines`).
    """

    file: str = ""
    line: int = 0
    column: int = 0
    parts: Mapping[str, Place] | None = None
    lines: Lines = ()

    def __str__(self) -> str:
        if not self.line:
            return self.file or "flow"
        return f"{self.file or 'flow'}:{self.line}:{self.column}"

    @property
    def line_text(self) -> str:
        """The place as `file:line`, empty where it is not known."""
        return f"{self.file or 'flow'}:{self.line}" if self.line else ""

    def of(self, key: str) -> Span:
        """The place of the value of `key`, or of the object where that is not known."""
        place = self.parts.get(key) if self.parts is not None else None
        if not place:
            return self
        return Span(self.file, place[0], place[1], None, place[2] if len(place) > 2 else ())

    @property
    def is_read(self) -> bool:
        """True if it is a place in a document that was read, and not in a program."""
        return self.line > 0 and (self.parts is None or isinstance(self.parts, dict))

    @property
    def last_line(self) -> int:
        """The last line of a text, as far as it is known."""
        return max([self.line, *(line for _, line, _ in self.lines)])

    def shifted(self, at: int) -> Span:
        """The place of a character of the text that begins here."""
        if self.lines:
            return Span(self.file, *place_in(self.lines, at))
        return Span(self.file, self.line, self.column + at) if self.line else self


NOWHERE = Span()


class Subject(NamedTuple):
    """What a problem is about: a node, a transition of it or of the flow, a field as `record.name`.

    Each is `None` where the problem is about none, or about several. A name is the one that is written, also where
    nothing has it. A transition without an `id` has the name that decisions give it.
    """

    node: str | None = None
    transition: str | None = None
    field: str | None = None

    def or_else(self, other: Subject) -> Subject:
        """This subject, and of the other what this one does not say."""
        return Subject(self.node or other.node, self.transition or other.transition, self.field or other.field)

    def shared(self, other: Subject) -> Subject:
        """What two subjects have in common; transitions of different nodes may have one name, and are not it."""
        if self.node != other.node:
            return Subject(None, None, self.field if self.field == other.field else None)
        return Subject(*(one if one == another else None for one, another in zip(self, other, strict=True)))


NOTHING = Subject()


@frozen
class Diagnostic:
    """One problem: a code that the documentation explains, what was found, what it is about, and a way out."""

    code: str
    message: str
    span: Span = NOWHERE
    hint: str = ""
    severity: Severity = "error"
    subject: Subject = field(default=NOTHING, compare=False)

    def __str__(self) -> str:
        word = "" if self.severity == "error" else "warning: "
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.span}: {self.code} {word}{self.message}{hint}"

    def as_data(self) -> dict[str, object]:
        """The problem as JSON data, for editors and CI."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "subject": self.subject._asdict(),
        }


class FlowError(TurnwiseError):
    """A document cannot be used; `diagnostics` holds every problem that was found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=_by_place))
        super().__init__("\n".join(str(d) for d in self.diagnostics))


def problem(code: str, message: str, span: Span = NOWHERE, hint: str = "", subject: Subject = NOTHING) -> Diagnostic:
    """A diagnostic with the severity that its code has in the table of codes. What `subject` leaves open is found
    by the place, in `flow/subjects.py`.
    """
    return Diagnostic(code, message, Span(*span.of("")[:3]), hint, CODES[code].severity, subject)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint with the known name most like `name`, or an empty text where none is like it."""
    names = tuple(known)
    found = nearest_name(name, names)
    if found:
        return f"did you mean '{found}'?"
    if 0 < len(names) <= 9:
        return "known: " + ", ".join(sorted(names))
    return ""


def nearest_name(name: str, known: Iterable[str]) -> str:
    """The known name most like `name`, an empty text where none is like it."""
    names = tuple(known)
    folded = name.casefold()
    if len(names) > _TOO_MANY:
        return ""
    if len(names) > _MANY:
        misspelt = _misspelt(names)
        return next((misspelt[v] for v in _variants(folded) if v in misspelt), "")
    from difflib import get_close_matches

    alike = {n.casefold(): n for n in names}
    return next((alike[n] for n in get_close_matches(folded, alike, n=1, cutoff=0.6)), "")


_MANY = 64
"""Among more names than these only a single slip is looked for: comparing each with each takes long."""
_TOO_MANY = 5000
_LONGEST_NAME = 40


def _variants(folded: str) -> list[str]:
    """A name, and what is left of it where one character is missing."""
    if len(folded) > _LONGEST_NAME:
        return [folded]
    return [folded, *(folded[:at] + folded[at + 1 :] for at in range(len(folded)))]


@lru_cache(maxsize=8)
def _misspelt(names: tuple[str, ...]) -> dict[str, str]:
    """Names by everything that they are when one character of them is missing."""
    found = {variant: name for name in reversed(names) for variant in _variants(name.casefold())}
    return found | {name.casefold(): name for name in names}


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """True if one of them is an error rather than a warning."""
    return any(d.severity == "error" for d in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics in the order of the document."""
    return sorted(diagnostics, key=_by_place)


def render(diagnostic: Diagnostic, lines: Sequence[str]) -> str:
    """The problem for people: the sentence, the line it is in, and a caret under the place."""
    span = diagnostic.span
    if not 0 < span.line <= len(lines):
        return str(diagnostic)
    text = lines[span.line - 1].rstrip()
    before = text[: max(span.column - 1, 0)]
    if len(before) > _WIDEST:
        text, before = "…" + text[len(before) - _WIDEST :], "…" + before[-_WIDEST:]
    pad = "".join(c if c == "\t" else " " for c in before)
    return f"{diagnostic}\n    {text[: 2 * _WIDEST]}\n    {pad}^"


_WIDEST = 90


def _by_place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    span = diagnostic.span
    return span.file, span.line, span.column, diagnostic.code, diagnostic.message
