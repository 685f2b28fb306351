"""The input of the rules: a machine, its guards and texts with positions, its transitions, a solver."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from turnwise.check.never import Never
from turnwise.check.solver import Solver
from turnwise.core.machine import Candidate, End, Go, Guard, LinkedNode, Machine, Question
from turnwise.flow.diagnostic import Diagnostic, Span
from turnwise.flow.guard import Expression, GuardError, parse
from turnwise.flow.kinds import Anything, Many, Table, Text
from turnwise.flow.model import Node
from turnwise.flow.shapes import SHAPE_OF, inside
from turnwise.flow.template import parse_template

Passes = Callable[[str, Candidate], bool]
"""Whether a way may be taken: the node that it leads from, and the transition."""
Step = tuple[str, Candidate]
"""The node from which a way was taken, and which."""


class Ways:
    """The ways of one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.shared = tuple(c for c in (*machine.flow_candidates, *machine.enter_candidates) if not c.is_mirror)

    def of(self, name: str) -> Iterator[Candidate]:
        """The ways out of a node, its own first, that lead somewhere else or end."""
        for candidate in (*self.machine.nodes[name].candidates, *self.shared):
            if not candidate.is_mirror and candidate.target != name and isinstance(candidate.action, Go | End):
                yield candidate

    @cached_property
    def reached(self) -> dict[str, Step | None]:
        """The nodes that a conversation can come to, each with the way by which one comes first."""
        return self.over(lambda _source, _candidate: True)

    def over(self, passes: Passes) -> dict[str, Step | None]:
        """The nodes that are reached over some ways, each with the last of them; nearest to the start first."""
        start = self.machine.flow.start
        found: dict[str, Step | None] = {start: None}
        ahead = deque([start])
        anywhere: list[Candidate] = list(self.shared)
        while ahead:
            name = ahead.popleft()
            for candidate in (*self.machine.nodes[name].candidates, *anywhere):
                target = candidate.target
                if target and target not in found and not candidate.is_mirror and passes(name, candidate):
                    found[target] = (name, candidate)
                    ahead.append(target)
            anywhere = [candidate for candidate in anywhere if candidate.target not in found]
        return found

    @cached_property
    def ends(self) -> bool:
        """True if a conversation can end without an error: at a node, by a transition, or by a form that nothing
        follows.
        """
        reached = self.over(lambda _source, candidate: candidate.moment != "error")
        nodes = (self.machine.nodes[name] for name in reached)
        return any(_is_end(node) or _has_end(node.candidates) for node in nodes) or _has_end(self.shared)


def steps_to(found: Mapping[str, Step | None], name: str) -> list[Step]:
    """The steps by which a node is reached, the first one first; those of a circle back to the node itself."""
    steps: list[Step] = []
    at = name
    while (step := found.get(at)) is not None and not (steps and at == name):
        steps.append(step)
        at = step[0]
    return steps[::-1]


def shown_way(names: Sequence[str]) -> str:
    """The nodes of a way in a line, without the middle of a long one."""
    shown = [*names[:_MOST_SHOWN], "…", *names[-_MOST_SHOWN:]] if len(names) > 2 * _MOST_SHOWN else names
    return " → ".join(shown)


_MOST_SHOWN = 6


def _is_end(node: LinkedNode) -> bool:
    return bool(node.node.end) or (node.work in ("none", "form") and not node.candidates)


def _has_end(candidates: Iterable[Candidate]) -> bool:
    return any(isinstance(candidate.action, End) and candidate.moment != "error" for candidate in candidates)


def is_instant(node: LinkedNode) -> bool:
    """True if a node's work waits for nobody: it says something, or only passes on."""
    return node.work in ("say", "none") and not node.node.end


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
