"""Diagnostics: problems in a document, with their place and a hint.

Refuses to raise for a single problem: problems are collected, `FlowError` carries them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

from turnwise.errors import TurnwiseError
from turnwise.flow.frozen import frozen
from turnwise.flow.located import Lines, Place, place_in

Severity = Literal["error", "warning"]
FAULT_MARK = "@"
"""Marks faults in `Span.parts`: `@0` is a problem of the object, `nodes.home@` a name that stands twice."""


class Span(NamedTuple):
    """A place in a document: file name, line and column, both counted from 1."""

    file: str = ""
    """The name of the file; empty if it is not known."""
    line: int = 0
    """The line in the file, counted from 1; 0 if it is not known."""
    column: int = 0
    """The column in the line, counted from 1; 0 if it is not known."""
    parts: Mapping[str, Place] | None = None
    """For an object: the places of the values of its keys, by key; of a call's argument its own, by an empty key."""
    lines: Lines = ()
    """For a text of several lines: where each of its lines begins in the document; else empty."""

    def __str__(self) -> str:
        if not self.line:
            return self.file or "flow"
        return f"{self.file or 'flow'}:{self.line}:{self.column}"

    @property
    def line_text(self) -> str:
        """The place as `file:line`; empty if it is not known."""
        return f"{self.file or 'flow'}:{self.line}" if self.line else ""

    def of(self, key: str) -> Span:
        """Return the place of the value under `key`, or the place of the object if that is not known."""
        place = self.parts.get(key) if self.parts is not None else None
        if not place:
            return self
        return Span(self.file, place[0], place[1], None, place[2] if len(place) > 2 else ())

    @property
    def is_read(self) -> bool:
        """True if the place is in a document that was read, not in a Python program."""
        return self.line > 0 and (self.parts is None or isinstance(self.parts, dict))

    @property
    def last_line(self) -> int:
        """The last line of the text that begins at this place, counted from 1, as far as it is known."""
        return max([self.line, *(line for _, line, _ in self.lines)])

    def at_character(self, at: int) -> Span:
        """Return the place of the character with the number `at`, from 0, of the text that begins at this place."""
        if self.lines:
            return Span(self.file, *place_in(self.lines, at))
        return Span(self.file, self.line, self.column + at) if self.line else self


NOWHERE = Span()
"""The place of what stands in no document."""


class DiagnosticTarget(NamedTuple):
    """The part of a flow that a problem concerns: a node, a transition, or a field as `record.name`.

    Each is `None` where the problem is about none, or about several. A name is the one that is written, also where
    nothing has it. A transition without an `id` has the name that decisions give it.
    """

    node: str | None = None
    transition: str | None = None
    field: str | None = None

    def shared_target(self, other: DiagnosticTarget) -> DiagnosticTarget:
        """Return the parts that two targets have in common; transitions of different nodes are never the same."""
        if self.node != other.node:
            return DiagnosticTarget(None, None, self.field if self.field == other.field else None)
        return DiagnosticTarget(*(one if one == another else None for one, another in zip(self, other, strict=True)))


NO_TARGET = DiagnosticTarget()
"""The target of a problem that is about no single part."""


@frozen
class Diagnostic:
    """A problem in a flow: its code, which the documentation explains, the message, the place and a hint."""

    code: str
    """The code of the problem, such as `TW001`."""
    message: str
    span: Span = NOWHERE
    """Where the problem is in the document."""
    hint: str = ""
    """What to do about the problem; empty if nothing is suggested."""
    severity: Severity = "error"
    subject: DiagnosticTarget = field(default=NO_TARGET, compare=False)
    """The node, transition or field that the problem concerns."""

    def __str__(self) -> str:
        word = "" if self.severity == "error" else "warning: "
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.span}: {self.code} {word}{self.message}{hint}"

    def as_data(self) -> dict[str, object]:
        """Return the diagnostic as JSON data, for editors and CI."""
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
    """Raised for a flow that cannot be used; `diagnostics` holds all problems that were found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=_by_place))
        super().__init__("\n".join(str(d) for d in self.diagnostics))


def problem(
    code: str, message: str, span: Span = NOWHERE, hint: str = "", subject: DiagnosticTarget = NO_TARGET
) -> Diagnostic:
    """Return a diagnostic with the severity that its code has in the table of codes.
    What `subject` leaves open is found by the place, in `flow/diagnostic_targets.py`.
    """
    return Diagnostic(code, message, Span(*span.of("")[:3]), hint, CODES[code].severity, subject)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint with the known name that is most similar to `name`; empty if none is similar."""
    names = tuple(known)
    found = nearest_name(name, names)
    if found:
        return f"did you mean '{found}'?"
    if 0 < len(names) <= 9:
        return "known: " + ", ".join(sorted(names))
    return ""


def nearest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar to `name`; empty if none is similar."""
    names = tuple(known)
    if len(names) > _TOO_MANY or len(name) > _LONGEST_COMPARED:
        return ""
    folded = name.casefold()
    if len(names) > _MANY:
        misspelt = _misspelt(names)
        return next((misspelt[v] for v in _variants(folded) if v in misspelt), "")
    from difflib import get_close_matches

    alike = {n.casefold(): n for n in names}
    return next((alike[n] for n in get_close_matches(folded, alike, n=1, cutoff=0.6)), "")


MOST_REPORTED = 20
"""How many faults of the same kind are reported one by one; the others are counted."""
LONGEST_SHOWN = 60
"""How many characters of an unknown name are shown."""
_MANY = 64
"""Among more names than these only a single slip is looked for: comparing each with each takes long."""
_TOO_MANY = 5000
_LONGEST_NAME = 40
_LONGEST_COMPARED = 200
"""A longer text is no name, and comparing it takes long."""


def _variants(folded: str) -> list[str]:
    """Return a name, and all its variants without one character."""
    if len(folded) > _LONGEST_NAME:
        return [folded]
    return [folded, *(folded[:at] + folded[at + 1 :] for at in range(len(folded)))]


@lru_cache(maxsize=8)
def _misspelt(names: tuple[str, ...]) -> dict[str, str]:
    """Return a mapping from names, and from their variants without one character, to the names."""
    found = {variant: name for name in reversed(names) for variant in _variants(name.casefold())}
    return found | {name.casefold(): name for name in names}


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether one of the diagnostics is an error, not a warning."""
    return any(d.severity == "error" for d in diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics in the order of their places in the document."""
    return sorted(diagnostics, key=_by_place)


def render(diagnostic: Diagnostic, lines: Sequence[str]) -> str:
    """Return a diagnostic as text: the message, the line of the document, and a caret under the place."""
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


# the codes ---------------------------------------------------------------------------------------


class DiagnosticCode(Struct, frozen=True):
    """What a diagnostic code means, and its severity."""

    about: str
    """The meaning of the code, in one line."""
    severity: Severity = "error"


CODES: dict[str, DiagnosticCode] = {
    # the document as text
    "TW001": DiagnosticCode("the file cannot be read"),
    "TW002": DiagnosticCode("the document is too large"),
    "TW003": DiagnosticCode("the text is not YAML or JSON"),
    "TW004": DiagnosticCode("the document is nested too deeply"),
    "TW005": DiagnosticCode("the document has too many parts, or its aliases make too many of them"),
    "TW006": DiagnosticCode("a key stands twice in one mapping"),
    "TW007": DiagnosticCode("the document is empty"),
    "TW008": DiagnosticCode("a text with a comma became a second key and needs quotes"),
    "TW009": DiagnosticCode("the document has a format that this version does not read"),
    # the document as a flow
    "TW010": DiagnosticCode("a key that is not known here"),
    "TW011": DiagnosticCode("a value of the wrong kind"),
    "TW012": DiagnosticCode("a transition goes to a node that does not exist"),
    "TW013": DiagnosticCode("a key is missing"),
    "TW014": DiagnosticCode("a value that is not among the allowed ones"),
    "TW015": DiagnosticCode("keys that exclude each other, or none where one is needed"),
    "TW016": DiagnosticCode("a name that cannot be used as one"),
    "TW017": DiagnosticCode("a name is used twice"),
    "TW018": DiagnosticCode("the flow starts at a node that does not exist"),
    "TW019": DiagnosticCode("a derived field that something writes, or that is derived from itself"),
    # names
    "TW020": DiagnosticCode("a field or record that is not declared"),
    "TW021": DiagnosticCode("a tool that is not declared"),
    "TW022": DiagnosticCode("an overlay that is not declared"),
    "TW023": DiagnosticCode("a node that does not exist is named"),
    "TW024": DiagnosticCode("a function that is not supplied"),
    "TW025": DiagnosticCode("a fixed text or a phrase that does not exist"),
    "TW026": DiagnosticCode("a command that does not exist"),
    "TW027": DiagnosticCode("a language that has no phrases"),
    "TW028": DiagnosticCode("a time zone that is not known"),
    "TW029": DiagnosticCode("an argument that the tool does not take, or one that it needs"),
    # guards and templates
    "TW030": DiagnosticCode("a guard cannot be read"),
    "TW031": DiagnosticCode("a name in a guard is not known"),
    "TW032": DiagnosticCode("types in a guard do not fit"),
    "TW033": DiagnosticCode("a part of CEL that guards do not have"),
    "TW034": DiagnosticCode("a regular expression is refused"),
    "TW035": DiagnosticCode("a condition object is wrong"),
    "TW036": DiagnosticCode("a Python guard cannot be used"),
    "TW037": DiagnosticCode("a template cannot be read"),
    "TW038": DiagnosticCode("a format of a text that does not exist, or does not fit the value"),
    "TW039": DiagnosticCode("a transition `before` without a guard, so that its node does nothing", "warning"),
    # meaning
    "TW040": DiagnosticCode("a node without a prompt of its own in a flow that has none"),
    "TW041": DiagnosticCode("a key that needs another moment or another key"),
    "TW042": DiagnosticCode("a default, option or bound does not fit the type"),
    "TW043": DiagnosticCode("a tool policy allows nothing, or stores results of a tool that it does not allow"),
    "TW044": DiagnosticCode("a sequence or window is longer than the history kept"),
    "TW045": DiagnosticCode("a form cannot ask anything"),
    "TW046": DiagnosticCode("a value that is written cannot be stored there"),
    "TW047": DiagnosticCode("a text or another field would reveal a secret", "warning"),
    "TW048": DiagnosticCode("a guard compares with a value that does not exist"),
    "TW049": DiagnosticCode("a guard compares with a value that the field never has", "warning"),
    "TW050": DiagnosticCode("a transition that never fires", "warning"),
    "TW051": DiagnosticCode("a node that nothing leads to", "warning"),
    "TW052": DiagnosticCode("a guard that never holds", "warning"),
    "TW053": DiagnosticCode("a guard that always holds", "warning"),
    "TW054": DiagnosticCode("two transitions have the same guard", "warning"),
    "TW055": DiagnosticCode("a node that nothing leads out of", "warning"),
    "TW056": DiagnosticCode("nodes that follow each other in a circle without a wait", "warning"),
    "TW057": DiagnosticCode("more moves in a row than a turn may have", "warning"),
    "TW058": DiagnosticCode("a field is read where nothing can have filled it", "warning"),
    "TW059": DiagnosticCode("a text with a hole that reads nothing, or with a field outside of one", "warning"),
    # configurations that are taken over from elsewhere
    "TW060": DiagnosticCode("a key of a configuration that means nothing here", "warning"),
    "TW061": DiagnosticCode("a step that nothing leads to, or a gate that is never asked", "warning"),
    "TW062": DiagnosticCode("a part of a configuration that leaves something open", "warning"),
    "TW063": DiagnosticCode("a name of a configuration that had to be changed", "warning"),
    # values that are written
    "TW065": DiagnosticCode("a value is set from a field that can be missing there", "warning"),
    "TW066": DiagnosticCode("a node that does not wait has no transition for every case", "warning"),
    # people
    "TW067": DiagnosticCode("a person's work without a queue, or with no time to come"),
    "TW068": DiagnosticCode("the outcome of a person is read where no person works", "warning"),
    "TW069": DiagnosticCode("a person of the whole flow for whom no user can ask", "warning"),
    # tools, forms and words
    "TW070": DiagnosticCode("a tool that nothing can use", "warning"),
    "TW071": DiagnosticCode("a guard asks for the use of a tool that cannot be used before", "warning"),
    "TW072": DiagnosticCode("an effect that can be had without what it expects"),
    "TW073": DiagnosticCode("a sequence begins with the tool that opens its node", "warning"),
    "TW074": DiagnosticCode("a transition that waits for a hand-over by a form that makes none", "warning"),
    "TW075": DiagnosticCode("an answer stops a form without a word", "warning"),
    "TW076": DiagnosticCode("a question that is never asked", "warning"),
    "TW077": DiagnosticCode("a phrase both confirms and edits", "warning"),
    "TW078": DiagnosticCode("a mirror without the code that it mirrors", "warning"),
    "TW079": DiagnosticCode("a Python guard that no transition uses", "warning"),
    # comments
    "TW080": DiagnosticCode("a comment to the checker that it cannot heed", "warning"),
    "TW081": DiagnosticCode("a comment that sets nothing aside", "warning"),
    # models
    "TW082": DiagnosticCode("a name that names no model"),
    # what follows a form
    "TW083": DiagnosticCode("an effect may follow a form that was not finished as asked", "warning"),
    # flows that are written in Python
    "TW085": DiagnosticCode("a class that cannot be a record, or says what no field can say"),
    "TW086": DiagnosticCode("a function that cannot be a tool, or takes what no argument can be"),
    "TW087": DiagnosticCode("a Python file or module cannot be run"),
    "TW088": DiagnosticCode("a Python file or module that has no flow, or several"),
    "TW089": DiagnosticCode("what is supplied for a tool does not fit it"),
    # limits of this version
    "TW092": DiagnosticCode("a move after a tool that refuses other calls of the same reply", "warning"),
    "TW093": DiagnosticCode("who approves a tool, until when, or what is asked, without `confirm`"),
    "TW094": DiagnosticCode("a scope that cannot be opened, filled or closed as the flow says"),
    "TW095": DiagnosticCode("a text that the message which enters its node skips", "warning"),
    # documents that a flow imports
    "TW097": DiagnosticCode("a document that cannot be imported"),
    "TW098": DiagnosticCode("an imported name that is unknown, stands for several parts, or is taken"),
    "TW099": DiagnosticCode("a key of a flow that has no effect where the flow runs as a scope", "warning"),
    "TW100": DiagnosticCode("a text in which words stay that `keep` of a scope erases", "warning"),
    "TW101": DiagnosticCode("an outcome that no scope has", "warning"),
    # time
    "TW102": DiagnosticCode("a schedule whose times, action or input are wrong"),
    "TW103": DiagnosticCode("times of a schedule that are hardly meant", "warning"),
    "TW104": DiagnosticCode("a key of a schedule that has no effect", "warning"),
    "TW105": DiagnosticCode("an offer that cannot be made as the flow says"),
    "TW106": DiagnosticCode("an offer that is never made", "warning"),
    "TW107": DiagnosticCode("an overlay whose dates cannot be read, or end before they begin"),
    "TW108": DiagnosticCode("an overlay that changes nothing, or that another one may hide", "warning"),
    "TW109": DiagnosticCode("an event of another system that is unknown, or declared as it cannot come"),
    "TW110": DiagnosticCode("data of an event that a transition reads and that its events do not have"),
    "TW111": DiagnosticCode("a text has a gap where an event comes without some of its data", "warning"),
    "TW112": DiagnosticCode("a budget or a price that cannot be used"),
    "TW113": DiagnosticCode("a budget that is never reached, or that no call fits", "warning"),
    "TW114": DiagnosticCode("a record that cannot be an item of a list"),
    "TW115": DiagnosticCode("a loop in a text that is not ended, or an end without a loop"),
    "TW118": DiagnosticCode("a transition at `calls` where no model calls tools", "warning"),
    "TW119": DiagnosticCode("a bound of a list or text that a limit of the flow never lets it reach", "warning"),
    "TW120": DiagnosticCode("a scope with `keep` that may stay open without end", "warning"),
    "TW121": DiagnosticCode("a note that no model reads", "warning"),
    "TW122": DiagnosticCode("a scope that fills nothing of what it returns", "warning"),
    "TW123": DiagnosticCode("a key of a question that its field has no use for: of lists of records, or of values"),
    "TW124": DiagnosticCode("a question for an item that cannot be asked"),
    "TW125": DiagnosticCode("a record that is asked for by itself, and as the item of a list"),
    "TW126": DiagnosticCode("a question for more items where the list can have no more", "warning"),
    # documents in DyGram
    "TW127": DiagnosticCode("options come from a field that is no list of them"),
    "TW128": DiagnosticCode("a label or a value that does not fit the items of a list of options"),
    "TW129": DiagnosticCode("a field that cannot have its options from a list"),
    "TW130": DiagnosticCode("something else stands in a DyGram document than what is expected there"),
    "TW131": DiagnosticCode("an arrow that DyGram does not have"),
    "TW132": DiagnosticCode("a text, a comment or braces that do not end"),
    "TW133": DiagnosticCode("a notation that is read otherwise than it looks", "warning"),
    "TW134": DiagnosticCode("a guard without quotes"),
    "TW135": DiagnosticCode("a statement where none of its kind can stand"),
    "TW136": DiagnosticCode("a construct of DyGram that no flow can run"),
    "TW137": DiagnosticCode("a construct of DyGram that has no effect in a flow", "warning"),
    "TW138": DiagnosticCode("a node that stands only in edges", "warning"),
    "TW139": DiagnosticCode("a name of several nodes, or a node of two types"),
    "TW140": DiagnosticCode("a document that cannot be formatted without losing a part of it"),
    "TW141": DiagnosticCode("a text of a question that is empty", "warning"),
    "TW142": DiagnosticCode("a name given by @name that cannot be the name"),
    "TW146": DiagnosticCode("a form that hands its answers over, and leads to a person as well", "warning"),
    "TW148": DiagnosticCode("a phrase of `starts` that cannot begin its scope"),
}
"""Every code of a diagnostic, with its meaning."""
