"""Reports fields that are read where no transition, form or tool can have written them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.check.subject import Subject, Texts
from turnwise.core.machine import Candidate, Guard, LinkedNode, Machine
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.diagnostic import Subject as About
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s

_EVERYWHERE = ("set", "add", "edit")
"""Commands that fill any field where the flow exposes them."""


def check(subject: Subject) -> Iterator[Diagnostic]:
    """TW058: guards and texts that read what no way to them can have filled."""
    if any(name in _EVERYWHERE for name in subject.machine.flow.commands.names):
        return
    written = _Written(subject)
    told: set[str] = set()
    for node in subject.reached:
        yield from _unwritten(
            written, _read_at(node, subject.texts_of[node.node.name]), written.at(node.node.name), told
        )
    shared = [one.guard for one in subject.candidates if one.level != "node" and one.guard is not None]
    yield from _unwritten(written, _read_by(shared), written.everywhere, told)


def _unwritten(
    written: _Written, read: Iterable[tuple[Expression, Span]], known: int, told: set[str]
) -> Iterator[Diagnostic]:
    for expression, span in read:
        for address, at in addresses_in(expression):
            if address in told or not written.lacks(address, known):
                continue
            told.add(address)
            where = "" if written.lacks(address, written.everywhere) else " on the way here"
            message = f"'{address}' is read here, and nothing{where} fills it"
            hint = "let a node collect, ask, write or set it"
            yield problem("TW058", message, span.shifted(at), hint, About(field=address))


def addresses_in(expression: Expression) -> Iterator[tuple[str, int]]:
    """The names `of.name` in an expression, each with its place."""
    for part in s.walk(expression):
        if isinstance(part, s.Select) and isinstance(part.of, s.Name):
            yield f"{part.of.name}.{part.name}", part.of.at


def _read_at(node: LinkedNode, texts: Texts) -> Iterator[tuple[Expression, Span]]:
    """What is judged, said and written while a node is in charge."""
    yield from _read_by(candidate.guard for candidate in node.candidates)
    for question in node.form.questions if node.form is not None else ():
        yield from _read_by([question.ask_when])
    yield from ((expression, span) for expression, span, _ in texts.expressions)


def _read_by(guards: Iterable[Guard | None]) -> Iterator[tuple[Expression, Span]]:
    yield from ((guard.expression, guard.span) for guard in guards if guard is not None)


class _Written:
    """What can have been filled at each node, over any way to it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.fields = list(subject.machine.fields)
        self.bits = {address: 1 << number for number, address in enumerate(self.fields)}
        given = (a for a, field in subject.machine.fields.items() if field.default is not None or field.value)
        self.given = self.mask(given)
        self.own = {node.node.name: self.mask(_fills(subject.machine, node)) for node in subject.reached}
        self.before = self.spread()
        self.everywhere = self.given
        for filled in (*self.own.values(), *(self.mask(set_by(one)) for one in subject.candidates)):
            self.everywhere |= filled

    def mask(self, addresses: Iterable[str]) -> int:
        """Some fields as a number, a bit for each."""
        found = 0
        for address in addresses:
            found |= self.bits[address]
        return found

    def lacks(self, address: str, known: int) -> bool:
        """True if a field is not among some."""
        return address in self.bits and not known & self.bits[address]

    def at(self, name: str) -> int:
        """The fields that can be filled while a node is in charge."""
        return self.before[name] | self.own[name]

    def spread(self) -> dict[str, int]:
        """What can be filled on arriving at each node: what any way brings, until no way brings more."""
        nodes, ways = self.subject.machine.nodes, self.subject.ways
        before = dict.fromkeys(self.own, 0)
        before[self.subject.machine.flow.start] = self.given
        anywhere, is_settled = self.given, False
        while not is_settled:
            known = dict(before)
            for name in before:
                filled = before[name] | self.own[name]
                anywhere |= filled
                self.bring(before, nodes[name].candidates, filled)
            self.bring(before, ways.shared, anywhere)
            is_settled = before == known
        return before

    def bring(self, before: dict[str, int], ways: Iterable[Candidate], filled: int) -> None:
        """Note at the targets of some ways what is filled when they are taken."""
        for candidate in ways:
            if candidate.target in before:
                before[candidate.target] |= filled | self.mask(set_by(candidate))


def _fills(machine: Machine, node: LinkedNode) -> Iterator[str]:
    """The fields that a node lets be filled, or fills itself."""
    yield from (question.address for question in (node.form.questions if node.form is not None else ()))
    yield from filled_beside(machine, node)


def filled_beside(machine: Machine, node: LinkedNode) -> Iterator[str]:
    """The fields that a node fills by other ways than the answers to a form."""
    yield from node.collects
    yield from (write.address for write in (*node.writes, *node.writes_on_leave))
    results = (node.node.tool.into,) if node.node.tool else ()
    for name in (*node.node.writes, *results):
        fields = machine.names.records.get(name)
        yield from (f"{name}.{field}" for field in fields) if fields is not None else (name,) if name else ()


def set_by(candidate: Candidate) -> Iterator[str]:
    """The fields that a transition writes."""
    return (write.address for write in candidate.writes)
