"""Reports a `set` that may compute nothing, because a field that it reads can be missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.check.solver import Possible
from turnwise.check.subject import Subject
from turnwise.core.machine import Candidate, LinkedNode, Write
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.diagnostic import Subject as About
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s


def check(subject: Subject) -> Iterator[Diagnostic]:
    """TW065: a `set` whose result needs a field that some way to it leaves missing."""
    if not any(write.reads for write in _writes(subject)):
        return
    present = _Present(subject)
    told: set[tuple[str, str]] = set()
    for node in subject.reached:
        name = node.node.name
        yield from _lacking(subject, node.writes, present.before[name], told)
        for candidate in subject.ways.of(name):
            on_leave = node.writes_on_leave if candidate.target else ()
            known = present.after(node, candidate, present.before[name])
            yield from _lacking(subject, (*candidate.writes, *on_leave), known, told)


def _writes(subject: Subject) -> Iterator[Write]:
    for node in subject.reached:
        yield from (*node.writes, *node.writes_on_leave)
    for candidate in subject.candidates:
        yield from candidate.writes


def _lacking(
    subject: Subject, writes: Iterable[Write], known: frozenset[str], told: set[tuple[str, str]]
) -> Iterator[Diagnostic]:
    """The writes in order, each of which leaves its field filled."""
    for write in writes:
        expression = write.expression
        if expression is not None and not isinstance(expression, s.Select):
            missing = [name for name in needed_by(expression) if name in subject.machine.fields and name not in known]
            place = (str(write.span), write.address)
            if missing and place not in told:
                told.add(place)
                names = " and ".join(f"'{name}'" for name in missing)
                message = f"'{write.address}' is set from {names}, which can be missing here: then nothing is set"
                hint = f"write default({missing[0]}, …), give the field a default, or ask has({missing[0]}) first"
                yield problem("TW065", message, write.span, hint, About(field=write.address))
        known |= {write.address}


def needed_by(expression: Expression) -> dict[str, None]:
    """The fields without which an expression has no value, in the order of reading. Conditions need none: they are
    decided, or unknown, as guards are.
    """
    match expression:
        case s.Select(of=s.Name(name=record), name=name):
            return {f"{record}.{name}": None}
        case s.Call(name="has") | s.Logic() | s.Not():
            return {}
        case s.Call(name="default", args=args, of=of):
            first, *others = ((of,) if of is not None else ()) + args
            return _of_both(first, *others)
        case s.Call(name="exists" | "all" | "filter", of=of) if of is not None:
            return needed_by(of)
        case s.Conditional(then=then, other=other):
            return _of_both(then, other)
        case s.Binary(op="==" | "!="):
            return {}
        case _:
            return {name: None for part in s.parts_of(expression) for name in needed_by(part)}


def _of_both(first: Expression, *others: Expression) -> dict[str, None]:
    """What is needed by one expression and by all others."""
    found = [needed_by(other) for other in others]
    return {name: None for name in needed_by(first) if all(name in each for each in found)}


class _Present:
    """The fields that have a value at each node, whichever way leads there. Where the checker cannot tell, a field
    counts as present: a Python guard, and a condition that it cannot solve, may have seen to it.
    """

    def __init__(self, subject: Subject) -> None:
        machine = subject.machine
        self.subject = subject
        self.fields = frozenset(machine.fields)
        self.given = frozenset(a for a, of in machine.fields.items() if of.default is not None or of.value)
        self.proved: dict[int, frozenset[str]] = {}
        self.before = self.spread()

    def spread(self) -> dict[str, frozenset[str]]:
        """What is present on arriving at each node: what every way brings, until no way brings less."""
        nodes = {node.node.name: node for node in self.subject.reached}
        before = dict.fromkeys(nodes, self.fields)
        start = self.subject.machine.flow.start
        before[start] = self.given
        is_settled = False
        while not is_settled:
            known = dict(before)
            for name, node in nodes.items():
                for candidate in self.subject.ways.of(name):
                    if candidate.target in before:
                        written = {write.address for write in (*candidate.writes, *node.writes_on_leave)}
                        before[candidate.target] &= self.after(node, candidate, before[name]) | written
            is_settled = before == known
        return before

    def after(self, node: LinkedNode, candidate: Candidate, before: frozenset[str]) -> frozenset[str]:
        """What is present when a transition is taken at a node, before its writes."""
        known = before | {write.address for write in node.writes}
        if candidate.moment in ("after", "choice"):
            known |= set(self.filled_by_work(node))
        return known | self.established(candidate)

    def filled_by_work(self, node: LinkedNode) -> Iterator[str]:
        """The fields that the work of a node fills: required answers of its form, the record of its tool's result."""
        questions = node.form.questions if node.form is not None else ()
        yield from (question.address for question in questions if question.form_field.required)
        if node.tool is not None and node.tool.into:
            yield from (name for name in self.fields if name == node.tool.into or name.startswith(f"{node.tool.into}."))

    def established(self, candidate: Candidate) -> frozenset[str]:
        """The fields that have a value where the guard of a transition holds."""
        if candidate.code is not None:
            return self.fields
        if candidate.guard is None:
            return frozenset()
        key = id(candidate)
        if key not in self.proved:
            guard = candidate.guard
            names = (ref.address for ref in guard.refs if ref.address)
            self.proved[key] = frozenset(name for name in names if not self.can_lack(guard.expression, name))
        return self.proved[key]

    def can_lack(self, guard: Expression, name: str) -> bool:
        """True if a guard is known to hold also where a field is missing."""
        record, _, field = name.partition(".")
        has = s.Call("has", (s.Select(s.Name(record), field),))
        answer = self.subject.solver.possible([guard], unless=[has])
        return isinstance(answer, Possible) and answer.is_certain
