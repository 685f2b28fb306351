"""What the rules look at: a machine, its guards and texts by place, its ways, and a solver for its guards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from turnwise.check.never import Never
from turnwise.check.solver import Solver
from turnwise.check.ways import Ways
from turnwise.core.machine import Candidate, Guard, LinkedNode, Machine, Question
from turnwise.flow.diagnostic import Diagnostic, Span
from turnwise.flow.guard import Expression, GuardError, parse
from turnwise.flow.model import Node
from turnwise.flow.parts import SHAPE_OF, inside
from turnwise.flow.shape import Anything, Many, Table, Text
from turnwise.flow.template import parse_template

_NO_TEMPLATES = ("description", "about", "title", "because", "id", "pattern", "to", "start", "fields", "texts")
"""Keys of texts that nobody fills in."""
WRITTEN = ("set", "set_on_leave")
"""Keys of tables whose texts are expressions."""


class Subject:
    """One machine under the rules. `found` is what linking found: a rule says nothing that follows from it."""

    def __init__(self, machine: Machine, found: tuple[Diagnostic, ...] = ()) -> None:
        self.machine = machine
        self.found = found
        self.solver = Solver(machine)

    @cached_property
    def ways(self) -> Ways:
        """Where the transitions lead."""
        return Ways(self.machine)

    @cached_property
    def reached(self) -> list[LinkedNode]:
        """The nodes that a conversation can come to, in the order of the flow."""
        return [node for name, node in self.machine.nodes.items() if name in self.ways.reached]

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Every transition, an `enter_when` once."""
        own = [candidate for node in self.machine.nodes.values() for candidate in node.candidates]
        entering = [candidate for candidate in self.machine.enter_candidates if candidate.moment == "before"]
        return [*own, *self.machine.flow_candidates, *entering]

    @cached_property
    def questions(self) -> list[Question]:
        """The questions of all forms."""
        return [q for node in self.machine.nodes.values() if node.form is not None for q in node.form.questions]

    @cached_property
    def guards(self) -> list[Guard]:
        """Every guard, once."""
        found = [candidate.guard for candidate in self.candidates]
        found += [question.ask_when for question in self.questions]
        own = {guard.span: guard for question in self.questions for guard, _ in question.validators}
        own |= {guard.span: guard for each in self.machine.validators.values() for guard, _ in each}
        return [guard for guard in found if guard is not None] + list(own.values())

    @cached_property
    def never(self) -> Never:
        """What is compared with values that are never there."""
        return Never(self.machine, self.questions, self.solver.reader.free)

    def is_sound(self, guard: Guard) -> bool:
        """True unless a guard compares with what is never there: then its verdicts only follow from that."""
        lines = range(guard.span.line, guard.span.last_line + 1)
        return self._told.isdisjoint(lines) and not self.never.faults(guard.expression)

    @cached_property
    def _told(self) -> frozenset[int]:
        """The lines of guards of which linking said that they compare with what is never there."""
        return frozenset(one.span.line for one in self.found if one.code == "TW048" and one.span.line)

    @cached_property
    def expressions(self) -> list[tuple[Expression, Span]]:
        """Every expression: of guards, of texts, of what is written."""
        found = [(guard.expression, guard.span) for guard in self.guards]
        return found + [(expression, span) for each in self.texts for expression, span, _ in each.expressions]

    @cached_property
    def texts(self) -> list[Texts]:
        """The texts of the flow, and of each of its nodes."""
        return [Texts(part) for part in (self.machine.flow, *self.machine.flow.nodes)]

    @cached_property
    def texts_of(self) -> dict[str, Texts]:
        """The texts of each node."""
        return {each.part.name: each for each in self.texts[1:]}


class Texts:
    """The texts of a part of a flow that are filled in or written to fields, and the expressions in them; each
    with its place, and the key under which it stands.
    """

    def __init__(self, part: Any) -> None:
        self.part = part
        self.all = list(_texts_in(part))
        self.expressions = list(_expressions_in(self.all))


def _expressions_in(texts: Iterable[tuple[str, Span, str]]) -> Iterator[tuple[Expression, Span, str]]:
    for text, span, key in texts:
        if key in WRITTEN:
            yield from _written(text, span, key)
        elif "{{" in text:
            yield from _holes(text, span, key)


def _texts_in(part: Any) -> Iterator[tuple[str, Span, str]]:
    """The texts of a part of a flow, without those of nodes inside it."""
    span: Span = getattr(part, "span", Span())
    of: type = part.__class__
    for key, attribute, kind, default in SHAPE_OF[of].written:
        value = getattr(part, attribute)
        if value is default or key in _NO_TEMPLATES:
            continue
        match kind:
            case Text():
                yield value, span.of(key), key
            case Many(Text()):
                yield from ((text, span.of(f"{key}.{number}"), key) for number, text in enumerate(value))
            case Table(Anything()) if key in WRITTEN:
                yield from ((text, span.of(f"{key}.{at}"), key) for at, text in value.items() if isinstance(text, str))
            case _:
                for inner in inside(kind, value):
                    if not isinstance(inner, Node):
                        yield from _texts_in(inner)


def _holes(text: str, span: Span, key: str) -> Iterator[tuple[Expression, Span, str]]:
    try:
        parts = parse_template(text)
    except GuardError:
        return
    for part in parts:
        if not isinstance(part, str):
            yield part.expression, span.shifted(part.at), key


def _written(text: str, span: Span, key: str) -> Iterator[tuple[Expression, Span, str]]:
    try:
        yield parse(text), span, key
    except GuardError:
        return
