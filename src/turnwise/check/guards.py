"""Rules about guards: those that never or always hold, and transitions that never fire because of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.candidates import Candidate, Guard, in_order
from turnwise.core.machine import LinkedNode
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import Expression, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Moment

_ONE_FOR_ALL: tuple[Moment, ...] = ("before", "tool", "calls", "after", "error")
"""The moments at which all candidates are judged together; a timer is judged alone."""
_MOST_PARTS = 32
"""How many parts of a guard are compared in pairs."""
_MOST_EARLIER = 32
"""With how many earlier transitions each is compared."""


def check_values(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW049: report constants that are compared with a field or button which never has that value."""
    for expression, span in checked.expressions:
        for at, message, hint in checked.impossible_values.faults(expression):
            yield problem("TW049", message, span.at_character(at), hint)


def check_verdicts(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW052 and TW053: report guards that never hold, and guards that always hold."""
    solver = checked.solver
    for guard in checked.guards:
        if not checked.is_sound(guard):
            continue
        if solver.is_impossible([guard.expression]):
            at, message = _conflict(checked, guard.expression)
            yield problem("TW052", message, guard.span.at_character(at))
        elif solver.is_impossible([], unless=[guard.expression]):
            yield problem("TW053", f"'{text_of(guard.expression)}' always holds", guard.span, "leave it out")
        else:
            alternatives = (p.parts for p in s.walk(guard.expression) if isinstance(p, s.Logic) and p.op == "||")
            for alternative in (one for parts in alternatives for one in parts):
                if solver.is_impossible([alternative]):
                    at, message = _conflict(checked, alternative)
                    yield problem("TW052", message, guard.span.at_character(at))


def _conflict(checked: CheckedFlow, expression: Expression) -> tuple[int, str]:
    """Return where and why an expression never holds: the smallest part, or the two that exclude each other."""
    parts = expression.parts if isinstance(expression, s.Logic) and expression.op == "&&" else (expression,)
    for part in parts if len(parts) > 1 else ():
        if checked.solver.is_impossible([part]):
            return _conflict(checked, part)
    for one, other in combinations(parts[:_MOST_PARTS], 2):
        if checked.solver.is_impossible([one, other]):
            return _begin(other), f"'{text_of(one)}' and '{text_of(other)}' exclude each other: this never holds"
    return _begin(expression), f"'{text_of(expression)}' never holds"


def _begin(expression: Expression) -> int:
    """Return where an expression begins in its text."""
    return min(part.at for part in s.walk(expression))


# transitions that others keep from firing ---------------------------------------------------------


def check_order(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW050 and TW054: report transitions that can never be taken, since one judged earlier holds whenever they do."""
    judged: set[int] = set()
    for node in checked.reachable_nodes:
        declared = list(_rules(checked, node))
        judged_here = {one.moment for one in declared}
        for moment in _ONE_FOR_ALL:
            if moment not in judged_here:
                continue
            if moment == "error" and not any(one.moment == "error" for one in node.candidates):
                continue
            rules = in_order((c for c in declared if c.moment == moment), moment)
            for place, candidate in enumerate(rules):
                if candidate.level == "flow" and id(candidate) in judged:
                    continue
                judged.add(id(candidate))
                # a node may override what holds for the whole flow
                earlier = [one for one in rules[:place] if candidate.level in ("node", one.level)]
                yield from _outranked(checked, candidate, earlier)
        yield from _behind_own_entrance(checked, node)
    yield from _shadowed_entrances(checked)


def _rules(checked: CheckedFlow, node: LinkedNode) -> Iterator[Candidate]:
    """Yield the transitions of a node and of the flow that have no Python guard."""
    shared = (one for one in checked.machine.flow_candidates if one.target != node.node.name)
    return (one for one in (*node.candidates, *shared) if one.code is None and not one.is_mirror)


def _outranked(checked: CheckedFlow, candidate: Candidate, earlier: Sequence[Candidate]) -> Iterator[Diagnostic]:
    """Report why a transition never fires, if that is proved. One that says `any` is judged after a form that broke
    off, where the others are not.
    """
    if candidate.follows_any and candidate.moment == "after":
        earlier = [one for one in earlier if one.follows_any]
    known = next((one for one in earlier if one.guard is None), None)
    if candidate.guard is None and known is not None:
        message = f"'{candidate.id}' never fires: '{known.id}' has no guard either, and comes first"
        yield problem("TW050", message, candidate.span, "give one of them 'when'")
        return
    guards = _related_guards(checked, candidate, earlier)
    if candidate.guard is None:
        if guards and checked.solver.is_impossible([], unless=[guard for _, guard in guards]):
            yield problem("TW050", f"'{candidate.id}' never fires: {_hiding(guards)}", candidate.span)
        return
    own = candidate.guard.expression
    twin = next((name for name, guard in guards if guard == own), "")
    if twin:
        message = f"'{candidate.id}' never fires: '{twin}' has the same guard, and comes first"
        yield problem("TW054", message, candidate.span)
    elif checked.is_sound(candidate.guard) and _is_hidden(checked, own, [guard for _, guard in guards]):
        single = [(name, guard) for name, guard in guards if checked.solver.entails(own, guard)]
        yield problem("TW050", f"'{candidate.id}' never fires: {_hiding(single[:1] or guards)}", candidate.span)


def _related_guards(
    checked: CheckedFlow, candidate: Candidate, earlier: Sequence[Candidate]
) -> list[tuple[str, Expression]]:
    """Return the guards of earlier transitions that read something which this one reads, by name; all for an `else`."""
    read = {ref.key for ref in candidate.guard.refs} if candidate.guard is not None else None
    return [
        (one.id, one.guard.expression)
        for one in earlier[:_MOST_EARLIER]
        if one.guard is not None and checked.is_sound(one.guard)
        if read is None or not read.isdisjoint(ref.key for ref in one.guard.refs)
    ]


def _is_hidden(checked: CheckedFlow, own: Expression, earlier: list[Expression]) -> bool:
    """True if this guard can hold, and one of the earlier ones holds whenever it does."""
    solver = checked.solver
    return bool(earlier) and solver.is_impossible([own], unless=earlier) and not solver.is_impossible([own])


def _hiding(earlier: Sequence[tuple[str, Expression]]) -> str:
    """Return in words which transitions come first, and why they are taken."""
    if len(earlier) == 1:
        name, guard = earlier[0]
        return f"'{name}' comes first, and '{text_of(guard)}' holds whenever this does"
    names = ", ".join(f"'{name}'" for name, _ in earlier)
    return f"one of {names} comes first and holds whenever this does"


def _behind_own_entrance(checked: CheckedFlow, node: LinkedNode) -> Iterator[Diagnostic]:
    """TW050: transitions `before` that are judged after the node's own `enter_when`, which each message changes and
    which holds whenever they do, so that the node stays in charge (law 2.2).
    """
    name = node.node.name
    own = next((c for c in checked.machine.enter_candidates if c.moment == "before" and c.target == name), None)
    if own is None or own.guard is None or not any(ref.key.startswith("message.") for ref in own.guard.refs):
        return
    rules = in_order([*(c for c in _rules(checked, node) if c.moment == "before"), own], "before")
    for candidate in rules[rules.index(own) + 1 :]:
        guard = candidate.guard
        if candidate.level != "node" or guard is None or not (checked.is_sound(guard) and checked.is_sound(own.guard)):
            continue
        if guard.expression == own.guard.expression or _is_hidden(checked, guard.expression, [own.guard.expression]):
            why = f"'{name}' stays in charge by its own 'enter_when', and '{text_of(own.guard.expression)}'"
            message = f"'{candidate.id}' never fires: {why} holds whenever this does"
            yield problem("TW050", message, candidate.span, f"give it a 'priority' below {own.priority}")


def _shadowed_entrances(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW050 and TW054: an `enter_when` that never wins, because an earlier one changes and holds whenever it does."""
    earlier: list[tuple[Candidate, Guard]] = []
    for candidate in checked.machine.enter_candidates:
        if candidate.moment != "before" or candidate.guard is None:
            continue
        found = next((way for way in earlier[:_MOST_EARLIER] if _shadows(checked, way[1], candidate.guard)), None)
        if found is None:
            earlier.append((candidate, candidate.guard))
            continue
        known, guard = found
        if guard.expression == candidate.guard.expression:
            message = f"'{candidate.target}' has the same guard as '{known.target}', which is entered first"
            yield problem("TW054", message, candidate.guard.span)
        else:
            message = f"'{candidate.id}' never fires: {_hiding([(known.id, guard.expression)])}"
            yield problem("TW050", message, candidate.guard.span)


def _shadows(checked: CheckedFlow, earlier: Guard, later: Guard) -> bool:
    """True if an earlier `enter_when` has changed and holds whenever a later one has changed and holds (law 2.2)."""
    if earlier.expression == later.expression:
        return True
    if not (checked.is_sound(earlier) and checked.is_sound(later)):
        return False
    if {ref.key for ref in later.refs} <= {ref.key for ref in earlier.refs}:
        return _is_hidden(checked, later.expression, [earlier.expression])
    return _ends_alike(earlier.expression, later.expression)


def _ends_alike(earlier: Expression, later: Expression) -> bool:
    """True if both compare the last tool uses, and the sequence of the later one ends with that of the earlier one."""
    match earlier, later:
        case (
            s.Call("ended_with", (s.Sequence(first),), s.Name("tools")),
            s.Call("ended_with", (s.Sequence(second),), s.Name("tools")),
        ):
            one = [part.value for part in first if isinstance(part, s.Literal)]
            other = [part.value for part in second if isinstance(part, s.Literal)]
            size = len(one)
            return size < len(other) and other[-size:] == one and other[-size - 1 : -1] != one
        case _:
            return False


def check_mirrors(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW078: report mirrors (rules that describe a Python guard) at a node and moment that has no Python guard."""
    flow = checked.machine.flow_candidates
    nodes = checked.machine.nodes.values()
    for node in nodes:
        yield from _uncoded_mirrors(node.candidates, (*node.candidates, *flow))
    yield from _uncoded_mirrors(flow, (*flow, *(one for node in nodes for one in node.candidates)))


def _uncoded_mirrors(candidates: Iterable[Candidate], judged: Iterable[Candidate]) -> Iterator[Diagnostic]:
    """Report the mirrors among some transitions at whose moment no Python guard is judged."""
    coded = {one.moment for one in judged if one.code is not None}
    for candidate in candidates:
        if candidate.is_mirror and candidate.moment not in coded:
            message = f"'{candidate.id}' mirrors a Python guard, and there is none at '{candidate.moment}' here"
            yield problem("TW078", message, candidate.span.of("mirror"), "name it under 'guard' in a transition")
