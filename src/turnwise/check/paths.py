"""Rules about paths: unreachable nodes, nodes without an exit, and loops of nodes that do not wait."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from turnwise.check.checked_flow import CheckedFlow, Step, is_instant, shown_way, steps_to
from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Block, Candidate, End, GoTo, Stay
from turnwise.core.machine import LinkedNode
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import parse
from turnwise.flow.guard import syntax as s


def check_unreachable(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW051: report nodes that no conversation can reach."""
    for name, node in checked.machine.nodes.items():
        is_inside = scope_of(name) and scope_of(name) not in checked.ways.first_ways  # that the scope is said is enough
        if name not in checked.ways.first_ways and not is_inside:
            yield problem("TW051", f"nothing leads from the start to '{name}'", node.node.span)


def check_no_way_out(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW055: report nodes that a conversation can never leave.

    A prompt may continue as long as the user likes, unless conversations of this flow end.
    """
    for node in checked.reachable_nodes:
        is_kept = node.work == "say" or (node.work == "prompt" and checked.ways.ends)
        if not is_kept or node.node.end or checked.machine.flow.autonomous or scope_of(node.node.name):
            continue
        if not any(candidate.moment != "error" for candidate in checked.ways.ways_out(node.node.name)):
            message = f"nothing leads out of '{node.node.name}', and it is no end"
            yield problem("TW055", message, node.node.span, "give it a transition, or 'end'")


def check_unguarded(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW039: report transitions at `before` without a guard, which leave a node as soon as it is entered.

    Such a node neither works nor waits.
    """
    for node in checked.reachable_nodes:
        name = node.node.name
        before = [c for c in node.candidates if c.moment == "before" and not c.is_mirror]
        if node.node.enter_when or any(isinstance(c.action, Stay | Block) for c in before):
            continue
        if node.work == "none" and not {candidate.moment for candidate in node.candidates} <= {"before", "timer"}:
            continue  # it neither works nor waits anyway
        everywhere = checked.machine.scope(name).flow_candidates
        shared = (c for c in everywhere if c.moment == "before" and c.target != name)
        found = next((c for c in (*before, *shared) if not c.is_guarded and isinstance(c.action, GoTo | End)), None)
        if found is not None and not (found.target and _comes_back(checked, found.target, name)):
            message = f"'{found.id}' is taken as soon as '{name}' is entered, which neither works nor waits"
            hint = "leave 'at: before' out, or say when: 'when: message.since_entry' waits for a message"
            yield problem("TW039", message, found.span, hint)


def check_skipped(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW095: report nodes whose text is never sent, because the message that enters the node also leaves it."""
    frames = checked.machine.scopes.values()
    entering = [one for frame in frames for one in (*frame.flow_candidates, *frame.enter_candidates)]
    entering += [candidate for node in checked.reachable_nodes for candidate in node.candidates]
    entered = {candidate.target for candidate in entering if candidate.moment != "timer" and not candidate.is_mirror}
    for node in checked.reachable_nodes:
        name = node.node.name
        if node.work != "say" or name not in entered:
            continue
        for candidate in node.candidates:
            if candidate.moment == "before" and isinstance(candidate.action, GoTo | End) and _waits(candidate):
                assert candidate.guard is not None
                held = [candidate.guard.expression, *_ENTERING]
                if not checked.solver.is_impossible(held):
                    message = f"the message that enters '{name}' takes '{candidate.id}', so that its text is not said"
                    hint = "'message.since_entry' holds from the next message on"
                    yield problem("TW095", message, candidate.guard.span, hint)


def _waits(candidate: Candidate) -> bool:
    """True if a guard waits for a message: it counts turns, or asks whether there is one."""
    if candidate.guard is None or candidate.is_mirror:
        return False
    for part in s.walk(candidate.guard.expression):
        match part:
            case s.Name("turns") | s.Call("has", (s.Select(s.Name("message")),)):
                return True
            case s.Binary("!=", s.Select(s.Name("message")), s.Literal("" | None)):
                return True
            case _:
                pass
    return False


_ENTERING = (parse("turns == 1"), parse("!message.since_entry"))
"""What holds in the turn of a message that enters a node."""


def _comes_back(checked: CheckedFlow, source: str, name: str) -> bool:
    """True if the same turn may return to a node; the node works when it is entered again (law 2.7)."""
    seen = {source}
    ahead = [source]
    while ahead:
        for candidate in checked.ways.ways_out(ahead.pop()):
            if candidate.moment in ("timer", "error") or candidate.reply == "next" or candidate.target in seen:
                continue
            if candidate.target == name:
                return True
            if candidate.target:
                seen.add(candidate.target)
                ahead.append(candidate.target)
    return False


def check_stuck(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW066: report nodes that do not wait, and that no transition leaves if all guards are false."""
    for node in checked.reachable_nodes:
        name = node.node.name
        shared = (candidate for candidate in checked.machine.scope(name).flow_candidates if candidate.target != name)
        ways = [c for c in (*node.candidates, *shared) if c.moment in ("before", "tool", "after") and not c.is_mirror]
        after = [candidate for candidate in ways if candidate.moment == "after"]
        if node.work not in ("none", "tool") or node.node.end or not after:
            continue
        guards = [candidate.guard for candidate in after if candidate.guard is not None]
        if any(not way.is_guarded for way in ways) or not all(map(checked.is_sound, guards)):
            continue
        if guards and checked.solver.is_impossible([], unless=[guard.expression for guard in guards]):
            continue
        message = f"'{name}' does not wait, and where none of its guards holds, no transition is taken"
        yield problem("TW066", message, node.node.span, "add a transition without 'when'")


# moves that follow each other in one turn --------------------------------------------------------

_MOST_WALKED = 500_000
"""How many nodes are visited in search of circles: a check ends soon, however large the flow is."""


def check_loops(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW056: report loops of nodes that do not wait and change no value that the guards of the loop read."""
    ways = {node.node.name: _instant_ways(checked, node) for node in checked.reachable_nodes if is_instant(node)}
    reported: set[str] = set()
    left = _MOST_WALKED
    for name in _circling(ways):
        if name in reported or left < 0:
            continue
        left -= len(ways)
        circle = _circle(ways, name)
        if circle and _never_ends(checked, circle):
            reported |= {candidate.target for candidate in circle}
            names = shown_way([name, *(candidate.target for candidate in circle)])
            message = f"this circle has no end and never waits: {names}"
            yield problem("TW056", message, circle[0].span, "let one of them ask or wait, or change what is judged")


def _instant_ways(checked: CheckedFlow, node: LinkedNode) -> list[Candidate]:
    """Return the transitions by which a node that does not wait is left in the same turn."""
    found = [*node.candidates, *checked.machine.scope(node.node.name).flow_candidates]
    moments = ("before", "after") if node.work == "none" else ("after",)
    return [
        candidate
        for candidate in found
        if candidate.moment in moments
        and candidate.reply == "now"
        and isinstance(candidate.action, GoTo)
        and not (candidate.code or candidate.is_mirror)
    ]


def _circling(ways: Mapping[str, list[Candidate]]) -> list[str]:
    """Return the nodes that can be on a circle: those left after removing nodes without a way in or out, repeatedly."""
    targets = {name: {one.target for one in found if one.target in ways} for name, found in ways.items()}
    sources: dict[str, set[str]] = {name: set() for name in ways}
    for name, found in targets.items():
        for target in found:
            sources[target].add(name)
    gone: set[str] = set()
    ahead = [name for name in ways if not (targets[name] and sources[name])]
    while ahead:
        name = ahead.pop()
        gone.add(name)
        for near, back in ((targets[name], sources), (sources[name], targets)):
            for other in near:
                back[other].discard(name)
                if not back[other] and other not in gone:
                    ahead.append(other)
    return [name for name in ways if name not in gone]


def _circle(ways: Mapping[str, list[Candidate]], name: str) -> list[Candidate]:
    """Return the shortest way from a node to itself, empty where there is none."""
    found: dict[str, Step] = {}
    ahead = deque([name])
    while ahead and name not in found:
        at = ahead.popleft()
        for candidate in ways.get(at, ()):
            if candidate.target in ways and candidate.target not in found:
                found[candidate.target] = (at, candidate)
                ahead.append(candidate.target)
    return [candidate for _, candidate in steps_to(found, name)]


def _never_ends(checked: CheckedFlow, circle: list[Candidate]) -> bool:
    """True if all guards of a circle can hold at once, and nothing in the circle changes a value that they read."""
    nodes = [checked.machine.nodes[candidate.target] for candidate in circle]
    written = {write.address for node in nodes for write in (*node.writes, *node.writes_on_leave)}
    written |= {write.address for candidate in circle for write in candidate.writes}
    guards = [candidate.guard for candidate in circle if candidate.guard is not None]
    read = {ref.key for guard in guards for ref in guard.refs}
    if read & written or any(key.startswith("visits(") for key in read):
        return False
    return not checked.solver.is_impossible([guard.expression for guard in guards])


def check_cascades(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW057: report paths with more moves in a row than a turn may have (law 2.7)."""
    forced: dict[str, Candidate] = {}
    """The one transition by which a node is always left at once."""
    for node in filter(is_instant, checked.reachable_nodes):
        ways = _instant_ways(checked, node)
        if len(ways) == 1 and not ways[0].is_guarded:
            forced[node.node.name] = ways[0]
    limit = checked.machine.flow.limits.moves
    targets = {candidate.target for candidate in forced.values()}
    for name, candidate in forced.items():
        if name in targets or checked.machine.flow.autonomous:
            continue
        names = list(_following(forced, name))
        if name == checked.machine.flow.start:
            names = names[1:]
        if len(names) > limit:
            message = f"{len(names)} moves follow each other in one turn, and {limit} are made: '{names[limit]}' waits"
            hint = "let one of them wait, or raise limits.moves"
            yield problem("TW057", message, candidate.span, hint)


def _following(forced: Mapping[str, Candidate], name: str) -> Iterator[str]:
    """Yield a node and the nodes that are entered one after another from it."""
    seen: set[str] = set()
    while name not in seen:
        yield name
        seen.add(name)
        if name not in forced:
            return
        name = forced[name].target
