"""The input of the static rules: a machine, the targets of its transitions, its guards and texts, and a solver."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from turnwise.check.solver import Solver
from turnwise.core.addresses import ROOT, addressed, scope_of
from turnwise.core.candidates import Candidate, End, GoTo, Guard, Open
from turnwise.core.forms.buttons import CONFIRM, EDIT, NO, OTHER, RESTART, YES
from turnwise.core.guards.scope import Names
from turnwise.core.linked_form import Question
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.values import bounds
from turnwise.flow.diagnostic import Diagnostic, Span, nearest
from turnwise.flow.guard import Expression, GuardError, parse
from turnwise.flow.guard import syntax as s
from turnwise.flow.kinds import Anything, Kind, Many, Named, Object, Table, Text
from turnwise.flow.model import Field, Node, Scope
from turnwise.flow.shapes import SHAPE_OF, inside
from turnwise.flow.template import holes, parse_template

Passes = Callable[[str, Candidate], bool]
"""A function that returns whether a way may be taken, from the node that it leaves and the transition."""
Step = tuple[str, Candidate]
"""One step of a path: the node that it leaves, and the transition."""
_MOST_SHOWN = 6
"""How many nodes of a long way are shown at each of its ends."""
_NO_TEMPLATES = ("description", "about", "title", "because", "id", "pattern", "to", "start", "fields", "texts")
"""Keys of texts that have no holes."""
CONFIRMED_GUARD = 'form.status == "confirmed"'
"""The guard that `expects: confirmed` of a tool stands for."""
EXPRESSION_TABLES = ("set", "set_on_leave", "with")
"""Keys of tables whose texts are expressions. The `with` of a schedule has data: its tables hold no texts."""


class Ways:
    """The graph of one flow: its nodes, and the transitions from one node to another."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.inside = {
            name: tuple(c for c in (*scope.flow_candidates, *scope.enter_candidates) if not c.is_mirror)
            for name, scope in machine.scopes.items()
        }
        self.shared = self.inside[ROOT]
        self.opened_everywhere = {
            name: [one.action.scope for one in scope.flow_candidates if isinstance(one.action, Open)]
            for name, scope in machine.scopes.items()
        }

    @cached_property
    def ways_into_scopes(self) -> dict[str, tuple[Candidate, ...]]:
        """The ways to open scopes (by entering the node, a `call` or a tool), keyed by the node in which they are."""
        return {name: tuple(self._opening(name)) for name in self.machine.nodes}

    def _opening(self, name: str) -> Iterator[Candidate]:
        node = self.machine.nodes[name]
        opened = [name] if node.work == "scope" else []
        opened += [one.action.scope for one in node.candidates if isinstance(one.action, Open)]
        opened += self.opened_everywhere[scope_of(name)]
        opened += [node.offer.scope] if node.offer is not None else []
        for scope in (*opened, *node.toolbox.opens.values()):
            yield Candidate(f"scope {scope}", "after", "node", GoTo(self.machine.scopes[scope].start))
            if scope != name:
                yield Candidate(f"scope {scope}", "after", "node", GoTo(scope))

    def ways_out(self, name: str) -> Iterator[Candidate]:
        """Yield the transitions out of a node that lead to another node or an end, the node's own first."""
        for candidate in (*self.machine.nodes[name].candidates, *self.inside[scope_of(name)]):
            if not candidate.is_mirror and candidate.target != name and isinstance(candidate.action, GoTo | End):
                yield candidate

    @cached_property
    def first_ways(self) -> dict[str, Step | None]:
        """The nodes that a conversation can reach, each with the last step to it; `None` where it can begin or open at
        once.
        """
        return self.reached_over(lambda _source, _candidate: True)

    def reached_over(self, passes: Passes) -> dict[str, Step | None]:
        """Return the nodes that are reached over ways that `passes` (by the node and its transition) allows, each with
        the last step to it. The nearest to the start first; `None` for a node that needs no step, such as the start.
        """
        start = self.machine.flow.start
        found: dict[str, Step | None] = {start: None}
        ahead = deque([start])
        for name in self.machine.opened_anywhere:
            if name not in found:
                found[name] = None
                ahead.append(name)
        anywhere: list[Candidate] = list(self.shared)
        while ahead:
            name = ahead.popleft()
            shared = self.inside[scope] if (scope := scope_of(name)) else anywhere
            for candidate in (*self.machine.nodes[name].candidates, *self.ways_into_scopes[name], *shared):
                target = candidate.target
                if target and target not in found and not candidate.is_mirror and passes(name, candidate):
                    found[target] = (name, candidate)
                    ahead.append(target)
            anywhere = [candidate for candidate in anywhere if candidate.target not in found]
        return found

    @cached_property
    def ends(self) -> bool:
        """True if a conversation can end without an error.

        At a node, by a transition, or by a form that has no transitions.
        """
        reached = self.reached_over(lambda _source, candidate: candidate.moment != "error")
        nodes = [self.machine.nodes[name] for name in reached if not scope_of(name)]
        if any(node.node.end or (node.work in ("none", "form", "person") and not node.candidates) for node in nodes):
            return True
        every = (*self.shared, *(candidate for node in nodes for candidate in node.candidates))
        return any(isinstance(candidate.action, End) and candidate.moment != "error" for candidate in every)


def steps_to(found: Mapping[str, Step | None], name: str) -> list[Step]:
    """Return the steps of a path to the node `name` in order; for a loop, its steps. `found` has the last step to each
    node, by the node's name.
    """
    steps: list[Step] = []
    at = name
    while (step := found.get(at)) is not None and not (steps and at == name):
        steps.append(step)
        at = step[0]
    return steps[::-1]


def shown_way(names: Sequence[str]) -> str:
    """Return the names of the nodes of a path joined in one line; a long path without its middle."""
    shown = [*names[:_MOST_SHOWN], "…", *names[-_MOST_SHOWN:]] if len(names) > 2 * _MOST_SHOWN else names
    return " → ".join(shown)


def is_instant(node: LinkedNode) -> bool:
    """Return whether a node does not wait for the user: it has a fixed text, or no work."""
    return node.work in ("say", "none") and not node.node.end


class CheckedFlow:
    """The input of the static rules: one linked flow.

    `found` is what linking found: rules report nothing that follows from it.
    """

    def __init__(self, machine: Machine, found: tuple[Diagnostic, ...] = ()) -> None:
        self.machine = machine
        self.solver = Solver(machine)
        self.ways = Ways(machine)
        self._reported = frozenset(one.span.line for one in found if one.code == "TW048" and one.span.line)
        """The lines of guards that linking found to compare with impossible values."""

    @cached_property
    def reachable_nodes(self) -> list[LinkedNode]:
        """The nodes that a conversation can reach, in the order of the flow."""
        return [node for name, node in self.machine.nodes.items() if name in self.ways.first_ways]

    @cached_property
    def candidates(self) -> list[Candidate]:
        """All transitions, each `enter_when` once."""
        own = [candidate for node in self.machine.nodes.values() for candidate in node.candidates]
        entering = [candidate for candidate in self.machine.enter_candidates if candidate.moment == "before"]
        return [*own, *self.machine.flow_candidates, *entering]

    @cached_property
    def questions(self) -> list[Question]:
        """The questions of all forms of the flow."""
        return [q for node in self.machine.nodes.values() if node.form is not None for q in node.form.questions]

    @cached_property
    def guards(self) -> list[Guard]:
        """All guards, each once."""
        found = [candidate.guard for candidate in self.candidates]
        found += [question.ask_when for question in self.questions]
        own = {guard.span: guard for question in self.questions for guard, _ in question.validators}
        own |= {guard.span: guard for each in self.machine.validators.values() for guard, _ in each}
        return [guard for guard in found if guard is not None] + list(own.values())

    @cached_property
    def impossible_values(self) -> ImpossibleValues:
        """The finder of comparisons with impossible values."""
        return ImpossibleValues(self.machine, self.questions, self.solver.reader.free)

    def is_sound(self, guard: Guard) -> bool:
        """Return whether each value that a guard compares with can occur, such as an option that exists: only then may
        rules report on its verdicts.
        """
        if self.impossible_values.faults(guard.expression):
            return False
        return not self._reported or self._reported.isdisjoint(range(guard.span.line, guard.span.last_line + 1))

    @cached_property
    def expressions(self) -> list[tuple[Expression, Span]]:
        """All expressions of guards, texts and written values, each with its place in the source."""
        found = [(guard.expression, guard.span) for guard in self.guards]
        return found + [(expression, span) for each in self.texts for expression, span, *_ in each.expressions]

    @cached_property
    def texts(self) -> list[Texts]:
        """The texts of the flow, of each node, and of the summaries and transitions of scopes."""
        machine = self.machine
        scopes = [(one.scope, one.names) for one in machine.scopes.values() if one.scope is not None]
        inner = [Texts(part, names) for scope, names in scopes for part in (scope.summary, *scope.transitions)]
        return [Texts(machine.flow, machine.names), *self.texts_of.values(), *inner]

    @cached_property
    def texts_of(self) -> dict[str, Texts]:
        """The texts of each node, keyed by the node's name."""
        machine = self.machine
        return {name: Texts(node.node, machine.scope(name).names) for name, node in machine.nodes.items()}


class Texts:
    """The texts of a part of a flow that have holes or are written to fields, with their expressions and places.

    Each has the key under which it stands. `names` are those that hold there.
    """

    def __init__(self, part: Any, names: Names) -> None:
        self.part = part
        self.all = list(_texts_in(part))
        found = [one for text, span, key in self.all for one in _expressions_in(text, span, key)]
        is_inner = bool(names.prefix)
        self.expressions = [(addressed(one[0], names), *one[1:]) for one in found] if is_inner else found


def _texts_in(part: Any) -> Iterator[tuple[str, Span, str]]:
    """Yield the texts of a part of a flow, without those of nodes inside it."""
    span: Span = getattr(part, "span", Span())
    of: type = part.__class__
    for key, attribute, kind, default in _with_texts(of):
        value = getattr(part, attribute)
        if value is default:
            continue
        match kind:
            case Text():
                yield value, span.of(key), key
            case Many(Text()):
                yield from ((text, span.of(f"{key}.{number}"), key) for number, text in enumerate(value))
            case Table(Anything() | Text()) if not kind.is_named:
                yield from ((text, span.of(f"{key}.{at}"), key) for at, text in value.items() if isinstance(text, str))
            case _:
                for inner in inside(kind, value):
                    if not isinstance(inner, Node | Scope):
                        yield from _texts_in(inner)


@cache
def _with_texts(of: type) -> tuple[tuple[str, str, Kind, Any], ...]:
    """Return the keys of a class, as `Shape.written` has them, that hold texts with holes, or parts with such texts."""
    kinds = Text | Many | Table | Named | Object
    return tuple([one for one in SHAPE_OF[of].written if isinstance(one[2], kinds) and one[0] not in _NO_TEMPLATES])


def _expressions_in(text: str, span: Span, key: str) -> Iterator[tuple[Expression, Span, str, bool]]:
    """Yield the expression of a value that is written, or those in the holes of a text, each with whether the text
    requires its value; none of a wrong one.
    """
    try:
        if key in EXPRESSION_TABLES:
            yield parse(text), span, key, False
        elif "{{" in text:
            for part in holes(parse_template(text)):
                yield part.expression, span.at_character(part.at), key, part.is_required
    except GuardError:
        return


# comparisons with impossible values --------------------------------------------------------------

_FIXED_BUTTONS = (YES, NO, OTHER, CONFIRM, EDIT, RESTART)
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
GuardFault = tuple[int, str, str]
"""A fault in an expression: the index of its first character, from 0, what is wrong there, and a hint."""


class ImpossibleValues:
    """Finds comparisons with values that a field or button never has, if its values are a closed set."""

    def __init__(self, machine: Machine, questions: Iterable[Question], free: frozenset[str]) -> None:
        self.fields = machine.fields
        self.free = free
        found = dict.fromkeys(_FIXED_BUTTONS)
        for question in questions:
            found |= dict.fromkeys(option.value for option in question.field.options)
            found[question.key] = None
        self.buttons = tuple(found)
        self.known: dict[int, tuple[GuardFault, ...]] = {}

    def faults(self, expression: Expression) -> tuple[GuardFault, ...]:
        """Return the faults of an expression: comparisons with values that cannot occur."""
        key = id(expression)
        if key not in self.known:
            compared = [part for part in s.walk(expression) if type(part) is s.Binary]
            self.known[key] = tuple([fault for part in compared for fault in self._in_comparison(part)])
        return self.known[key]

    def _in_comparison(self, part: s.Binary) -> Iterator[GuardFault]:
        match part:
            case s.Binary("in", item, s.Sequence(values)):
                for value in values:
                    yield from self._compared("==", item, value)
            case s.Binary("in", s.Literal(str()) as value, group):
                name = _name(group)
                field = self.fields.get(name)
                if field is not None and field.type == "list":
                    yield from self._no_option(name, field, value)
            case s.Binary(op, left, right) if op in _MIRRORED:
                yield from self._compared(op, left, right)
                yield from self._compared(_MIRRORED[op], right, left)
            case _:
                pass

    def _compared(self, op: str, side: Expression, other: Expression) -> Iterator[GuardFault]:
        """Yield what is wrong with comparing a field or the button with a constant."""
        name = _name(side)
        if not name or not isinstance(other, s.Literal) or other.value in ("", None):
            return
        field = self.fields.get(name)
        if isinstance(other.value, str) and op in ("==", "!="):
            if name == "message.button" and other.value not in self.buttons:
                yield other.at, f"no button has the value '{other.value}'", nearest(other.value, self.buttons)
            elif field is not None and field.type != "list":
                yield from self._no_option(name, field, other)
        elif field is not None and isinstance(other.value, int | float) and not isinstance(other.value, bool):
            yield from _out_of_bounds(name, field, op, other.value, other.at)

    def _no_option(self, name: str, field: Field, value: s.Literal) -> Iterator[GuardFault]:
        options = [option.value for option in field.options]
        if options and name not in self.free and value.value not in options:
            yield value.at, f"'{value.value}' is no option of '{name}'", nearest(str(value.value), options)


def _name(expression: Expression) -> str:
    """Return the address of a field or root of two names, empty for any other expression."""
    match expression:
        case s.Select(s.Name(of), name):
            return f"{of}.{name}"
        case _:
            return ""


def _out_of_bounds(name: str, field: Field, op: str, number: float, at: int) -> Iterator[GuardFault]:
    if field.type not in ("integer", "number"):
        return
    low, high = bounds(field)
    if high is not None and (number > high or (op == ">" and number == high)):
        yield at, f"'{name}' is at most {high}, so this {'always' if op in ('<', '<=', '!=') else 'never'} holds", ""
    elif low is not None and (number < low or (op == "<" and number == low)):
        yield at, f"'{name}' is at least {low}, so this {'always' if op in ('>', '>=', '!=') else 'never'} holds", ""
