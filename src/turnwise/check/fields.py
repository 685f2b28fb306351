"""Rules about fields without a value: which fields are filled on the paths to each node; and about bounds out of reach.

`_Filled` knows the fields that any way can have filled, `_Present` those that every way has filled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from turnwise.check.checked_flow import CheckedFlow
from turnwise.check.solver import Possible
from turnwise.core.addresses import local_name, scope_of
from turnwise.core.candidates import Candidate, End, Return, Write
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.tools.results import destinations
from turnwise.core.values.room import room_of
from turnwise.core.values.schema import is_needed
from turnwise.flow.addresses import field_of, record_of
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.diagnostic import DiagnosticTarget as About
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s
from turnwise.flow.model.words import INPUT, Moment

_FILL_ANY = ("set", "add", "edit")
"""Commands that fill any field where the flow exposes them."""


def check_bounds(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW119: report a `max` of a list or text that the flow's limits never let a value reach."""
    machine = checked.machine
    for address, field in machine.fields.items():
        room = room_of(field, machine.rules)
        bound = field.max
        if room is None or not isinstance(bound, int | float) or bound <= room.most:
            continue
        message = f"'{address}' never has {bound:g} {room.things}: {room.limit} allows {room.most:,}"
        yield problem("TW119", message, field.span.of("max"), f"lower 'max', or raise '{room.limit}'")


def fields_set_by(candidate: Candidate) -> Iterator[str]:
    """Yield the addresses of the fields that a transition writes."""
    return (write.address for write in candidate.writes)


def filled_beside_form(machine: Machine, node: LinkedNode) -> Iterator[str]:
    """Yield the addresses of the fields that a node fills by other means than the answers to its form."""
    if node.person is not None:  # the person may set any field
        yield from (address for address, field in machine.fields.items() if not field.value)
    yield from _filled_by_itself(machine, node)


def _filled_by_itself(machine: Machine, node: LinkedNode) -> Iterator[str]:
    yield from node.collects
    yield from (write.address for write in (*node.writes, *node.writes_on_leave))
    inside = machine.scope(node.node.name)
    written = map(inside.names.address, node.node.writes)
    yield from (address for name in written for address in destinations(machine, name))
    if node.form is not None and node.form.answers:
        yield node.form.answers
    if node.work == "scope":
        closed = machine.scopes[node.node.name]
        yield from [closed.target_list] if closed.target_list else [copied.outside for copied in closed.returned]
    if node.toolbox.finish:
        yield from (copied.inside for copied in inside.returned)
    if node.tool is not None:
        yield from destinations(machine, node.tool.result_target)
    yield from (
        address
        for tool in node.tools & node.result_targets.keys()
        for address in destinations(machine, node.result_targets[tool])
    )


def _reported_results(checked: CheckedFlow) -> Iterator[str]:
    """Yield the fields that take the results of tools that no node may use: the program uses them, at any time."""
    machine = checked.machine
    used = {name for node in checked.reachable_nodes for name in node.tools}
    used |= {node.tool.tool.tool.name for node in checked.reachable_nodes if node.tool is not None}
    for tool in machine.flow.tools:
        if tool.name not in used:
            yield from destinations(machine, tool.into)


# fields that nothing fills -----------------------------------------------------------------------


def check_never_filled(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW058: report guards and texts that read a field that no path to them fills.

    A text that requires it is never sent.
    """
    if any(name in _FILL_ANY for name in checked.machine.flow.commands.names):
        return
    filled = _Filled(checked)
    reported: set[str] = set()
    without_person = checked.ways.reached_over(
        lambda source, way: way.moment == "timer" or checked.machine.nodes[source].node.person is None
    )
    for node in checked.reachable_nodes:
        if node.node.name not in without_person or node.person is not None:
            continue  # a person, who may set any field, is in charge, or was on every way
        guards = [candidate.guard for candidate in node.candidates]
        guards += [question.ask_when for question in (node.form.questions if node.form is not None else ())]
        read = [(guard.expression, guard.span, False) for guard in guards if guard is not None]
        texts = checked.texts_of[node.node.name].expressions
        read += [(expression, span, is_required) for expression, span, _, is_required in texts]
        yield from _unfilled(filled, read, filled.at(node.node.name), reported)
    shared = [one.guard for one in checked.candidates if one.level != "node" and one.guard is not None]
    yield from _unfilled(filled, [(guard.expression, guard.span, False) for guard in shared], filled.anywhere, reported)


def _unfilled(
    filled: _Filled, read: Iterable[tuple[Expression, Span, bool]], known: int, reported: set[str]
) -> Iterator[Diagnostic]:
    for expression, span, is_required in read:
        for part in s.walk(expression):
            if not isinstance(part, s.Select) or not isinstance(part.of, s.Name):
                continue
            address = f"{part.of.name}.{part.name}"
            if address in reported or not filled.lacks(address, known):
                continue
            reported.add(address)
            where = "" if filled.lacks(address, filled.anywhere) else " on the way here"
            what = "is required here" if is_required else "is read here"
            message = f"'{address}' {what}, and nothing{where} fills it"
            message += ", so this text is never said" if is_required else ""
            hint = "let a node collect, ask, write or set it"
            yield problem("TW058", message, span.at_character(part.of.at), hint, About(field=address))


def check_results(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW122: report a scope that returns a record of which nothing in it fills a field."""
    machine = checked.machine
    returning = [one for one in machine.scopes.values() if one.returned and one.start in checked.ways.first_ways]
    if not returning or machine.person is not None or any(name in _FILL_ANY for name in machine.flow.commands.names):
        return
    if any(node.person is not None for node in checked.reachable_nodes):
        return  # a person may set any field
    filled = _Filled(checked)
    for scope in returning:
        if scope.scope is not None and all(filled.lacks(one.inside, filled.anywhere) for one in scope.returned):
            name, record = local_name(scope.name), scope.scope.returns
            message = f"'{name}' returns '{record}', and nothing in it fills a field of that: what it held is lost"
            hint = "let a node in it ask, collect, write or set a field, or return nothing"
            yield problem("TW122", message, scope.scope.span.of("returns"), hint)


class _Filled:
    """The fields that at least one path to a node fills, for each node; each field is a bit of a number."""

    def __init__(self, checked: CheckedFlow) -> None:
        machine = checked.machine
        self.checked = checked
        self.bits = {address: 1 << number for number, address in enumerate(machine.fields)}
        self.own = {
            node.node.name: self.mask((*(node.form.by_address if node.form else ()), *_filled_by_itself(machine, node)))
            for node in checked.reachable_nodes
        }
        initial = self.mask(a for a, field in machine.fields.items() if field.default is not None or field.value)
        initial |= self.mask(_reported_results(checked))
        initial |= self.mask(a for a in machine.fields if a.startswith(f"{INPUT}."))
        for scope in machine.scopes.values():  # what a scope is given when it is opened
            initial |= self.mask((*scope.input, *(one.inside for one in scope.copied_in)))
        self.before = self.spread(initial)
        self.anywhere = initial
        for filled in (*self.own.values(), *(self.mask(fields_set_by(one)) for one in checked.candidates)):
            self.anywhere |= filled

    def mask(self, addresses: Iterable[str]) -> int:
        """Return some fields as a number."""
        found = 0
        for address in addresses:
            found |= self.bits[address]
        return found

    def lacks(self, address: str, known: int) -> bool:
        """True if a field is not among some."""
        return address in self.bits and not known & self.bits[address]

    def at(self, name: str) -> int:
        """Return the fields that can be filled while a node is in charge."""
        return self.before[name] | self.own[name]

    def spread(self, initial: int) -> dict[str, int]:
        """Return what can be filled on arrival at each node: the union over all ways."""
        nodes, ways = self.checked.machine.nodes, self.checked.ways
        before = dict.fromkeys(self.own, 0)
        before[self.checked.machine.flow.start] = anywhere = initial
        known: dict[str, int] = {}
        while known != before:
            known = dict(before)
            for name in before:
                filled = before[name] | self.own[name]
                anywhere |= filled
                self.bring(before, (*nodes[name].candidates, *ways.ways_into_scopes[name]), filled)
            self.bring(before, ways.shared, anywhere)
            for name in self.checked.machine.opened_anywhere:
                before[name] = before.get(name, 0) | anywhere
        return before

    def bring(self, before: dict[str, int], ways: Iterable[Candidate], filled: int) -> None:
        """Add at the targets of some ways what is filled when they are taken."""
        for candidate in ways:
            if candidate.target in before:
                before[candidate.target] |= filled | self.mask(fields_set_by(candidate))


# fields that may be missing ----------------------------------------------------------------------


def check_writes_of_missing(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW065: report a `set` that computes nothing, because a field that it needs is missing on some path to it."""
    of_nodes = [write for node in checked.reachable_nodes for write in (*node.writes, *node.writes_on_leave)]
    if not any(write.reads for write in (*of_nodes, *(one for c in checked.candidates for one in c.writes))):
        return
    present = _Present(checked)
    reported: set[tuple[str, str]] = set()
    for node in checked.reachable_nodes:
        name = node.node.name
        yield from _computing_nothing(checked, node.writes, present.before[name], reported)
        for candidate in (*checked.ways.ways_out(name), *_returning(checked, name)):
            on_leave = node.writes_on_leave if candidate.target or isinstance(candidate.action, End | Return) else ()
            known = present.after(node, candidate, present.before[name])
            yield from _computing_nothing(checked, (*candidate.writes, *on_leave), known, reported)
        if node.writes_on_leave and (node.node.end or _completes(checked.machine, node)):
            known = present.after(node, Candidate("end", "after", "node", End(node.node.end)), present.before[name])
            yield from _computing_nothing(checked, node.writes_on_leave, known, reported)


def _completes(machine: Machine, node: LinkedNode) -> bool:
    """Return whether a scope or the conversation may end at a node, and so leave it, though no transition is taken: by
    the tool of its model, or since the work is done and nothing leads on.
    """
    ways = [one for moment in get_args(Moment) for one in machine.candidates(node.node.name, moment).all]
    ways = [one for one in ways if not one.is_mirror and one.target != node.node.name]
    if node.form is not None:
        return not any(one.moment == "after" and one.guard is None and one.code is None for one in ways)
    return bool(node.toolbox.finish) or (node.work in ("say", "tool", "none", "person", "scope") and not ways)


def _returning(checked: CheckedFlow, name: str) -> Iterator[Candidate]:
    """Yield the transitions that close the scope in which a node stands."""
    shared = checked.ways.inside[scope_of(name)]
    return (one for one in (*checked.machine.nodes[name].candidates, *shared) if isinstance(one.action, Return))


def _computing_nothing(
    checked: CheckedFlow, writes: Iterable[Write], known: frozenset[str], reported: set[tuple[str, str]]
) -> Iterator[Diagnostic]:
    """Report writes that may compute nothing, in order; each write fills its field for the later ones."""
    for write in writes:
        expression = write.expression
        if expression is not None and not isinstance(expression, s.Select):
            fields, is_of_item = checked.machine.fields, _reads_item(expression)
            missing = [name for name in needed_by(expression) if name in fields and name not in known]
            missing = [name for name in missing if is_of_item or fields[name].type != "list"]
            place = (str(write.span), write.address)
            if missing and place not in reported:
                reported.add(place)
                names = " and ".join(f"'{name}'" for name in missing)
                message = f"'{write.address}' is set from {names}, which can be missing here: then nothing is set"
                hint = f"write default({missing[0]}, …), give the field a default, or ask has({missing[0]}) first"
                yield problem("TW065", message, write.span, hint, About(field=write.address))
        known |= {write.address}


def _reads_item(expression: Expression) -> bool:
    """Return whether an expression has no value for an empty list, which is what a list without a value is."""
    return any(isinstance(part, s.Call) and part.name in _OF_ITEMS for part in s.walk(expression))


_OF_ITEMS = (s.ITEM_ACCESS, "min", "max", "join")


def needed_by(expression: Expression) -> dict[str, None]:
    """Return the addresses of the fields without which an expression has no value, in order (a dict as ordered set).

    Conditions need none: they are true, false or unknown, as guards are.
    """
    match expression:
        case s.Select(of=s.Name(name=record), name=name):
            return {f"{record}.{name}": None}
        case s.Call(name="has") | s.Logic() | s.Not() | s.Binary(op="==" | "!="):
            return {}
        case s.Call(name="default", args=args, of=of):
            return _needed_by_all(*((of,) if of is not None else ()), *args)
        case s.Call(name=name, of=of) if name in s.MACROS and of is not None:
            return needed_by(of)
        case s.Conditional(then=then, other=other):
            return _needed_by_all(then, other)
        case _:
            return {name: None for part in s.parts_of(expression) for name in needed_by(part)}


def _needed_by_all(first: Expression, *others: Expression) -> dict[str, None]:
    found = [needed_by(other) for other in others]
    return {name: None for name in needed_by(first) if all(name in each for each in found)}


class _Present:
    """The fields that have a value at each node, whichever way leads there. Where the checker cannot know, a field
    counts as present: a Python guard, or a condition that it cannot solve, may have established it.
    """

    def __init__(self, checked: CheckedFlow) -> None:
        self.checked = checked
        self.fields = frozenset(checked.machine.fields)
        self.proved: dict[int, frozenset[str]] = {}
        self.before = self.spread()

    def spread(self) -> dict[str, frozenset[str]]:
        """Return what is present on arrival at each node: the intersection over all ways."""
        machine = self.checked.machine
        before = {node.node.name: self.fields for node in self.checked.reachable_nodes}
        before[machine.flow.start] = frozenset(
            a for a, of in machine.fields.items() if of.default is not None or of.value
        )
        known: dict[str, frozenset[str]] = {}
        while known != before:
            known = dict(before)
            for node in self.checked.reachable_nodes:
                name = node.node.name
                for candidate in self.checked.ways.ways_out(name):
                    if candidate.target in before:
                        written = {write.address for write in (*candidate.writes, *node.writes_on_leave)}
                        before[candidate.target] &= self.after(node, candidate, before[name]) | written
                for candidate in self.checked.ways.ways_into_scopes[name]:
                    if candidate.target in before:
                        there = self.after(node, candidate, before[name])
                        before[candidate.target] &= there | self._brought_along(candidate.target, there)
        return before

    def _brought_along(self, node: str, there: frozenset[str]) -> frozenset[str]:
        """Return what has a value in a scope that is opened at a node: the copies of what has one there, and the input
        that it needs.
        """
        scope = self.checked.machine.scope(node)
        copied = [one.inside for one in scope.copied_in if one.outside in there]
        return frozenset(
            (*copied, *[name for name, field in scope.input.items() if is_needed(field) or field.default is not None])
        )

    def after(self, node: LinkedNode, candidate: Candidate, before: frozenset[str]) -> frozenset[str]:
        """Return what is present when a transition is taken at a node, before its writes."""
        known = before | {write.address for write in node.writes}
        if candidate.moment in ("after", "choice"):
            known |= set(self._filled_by_work(node))
        return known | self._established(candidate)

    def _filled_by_work(self, node: LinkedNode) -> Iterator[str]:
        """Yield what the work of a node fills: required answers of its form, the record of its tool's result."""
        questions = node.form.questions if node.form is not None else ()
        yield from (question.address for question in questions if question.form_field.required)
        if node.form is not None and node.form.answers:
            yield node.form.answers
        if node.tool is not None:
            yield from destinations(self.checked.machine, node.tool.result_target)

    def _established(self, candidate: Candidate) -> frozenset[str]:
        """Return the fields that have a value where the guard of a transition holds."""
        guard = candidate.guard
        if candidate.code is not None:
            return self.fields
        if guard is None:
            return frozenset()
        if id(candidate) not in self.proved:
            names = (ref.address for ref in guard.refs if ref.address)
            self.proved[id(candidate)] = frozenset(name for name in names if not self._can_lack(guard.expression, name))
        return self.proved[id(candidate)]

    def _can_lack(self, guard: Expression, name: str) -> bool:
        """True if a guard is known to hold also where a field is missing."""
        has = s.Call("has", (s.Select(s.Name(record_of(name)), field_of(name)),))
        answer = self.checked.solver.is_possible([guard], unless=[has])
        return isinstance(answer, Possible) and answer.is_certain
