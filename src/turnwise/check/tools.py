"""Rules about tools: unused tools, uses that come too late, and tools that are used before those that they expect."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CONFIRMED_GUARD, CheckedFlow, shown_way, steps_to
from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Candidate, End, GoTo, Guard
from turnwise.core.machine import LinkedNode
from turnwise.core.tools.results import destinations
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import Expression, GuardError, parse, text_of
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Condition, Node, Tool


def check_usable(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW070: report tools that no node allows and no guard names; a guard names a tool that the host uses."""
    named = {tool for guard in checked.guards for tool in _tools_in(guard.expression)}
    for tool in checked.machine.flow.tools:
        if tool.name not in named and not any(tool.name in _usable(node) for node in checked.reachable_nodes):
            yield problem("TW070", f"no node lets the tool '{tool.name}' be used", tool.span, "allow it in a node")


def _tools_in(expression: Expression) -> Iterator[str]:
    """Yield the tools that a guard names."""
    for part in s.walk(expression):
        if isinstance(part, s.Call) and part.of == s.Name("tools"):
            for inner in s.walk(part):
                if isinstance(inner, s.Literal) and isinstance(inner.value, str):
                    yield inner.value
        elif isinstance(part, s.Binary) and s.Select(s.Name("tools"), "last") in (part.left, part.right):
            yield from (str(inner.value) for inner in (part.left, part.right) if isinstance(inner, s.Literal))


def _usable(node: LinkedNode) -> frozenset[str]:
    """Return the declared tools that a node allows, or uses itself."""
    return node.tools if node.node.tool is None else node.tools | {node.node.tool.name}


def check_uses(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW071: report guards that need the use of a tool which no node before them allows.

    If no node allows any of the tools that a guard needs, the host uses them, and nothing is reported.
    """
    tools = frozenset[str]().union(*(_usable(node) for node in checked.reachable_nodes))
    for candidate in checked.candidates if tools else ():
        needed = _needed(checked, candidate.guard) if candidate.guard is not None else frozenset[str]()
        if needed & tools and candidate.target:
            yield from _not_before(checked, candidate, needed, needed - tools)


def _needed(checked: CheckedFlow, guard: Guard) -> frozenset[str]:
    """Return the tools without whose use a guard never holds."""
    found: set[str] = set()
    for part in s.walk(guard.expression):
        match part:
            case s.Call("used", (s.Literal(str() as tool), *_), s.Name("tools")):
                found |= {tool} if checked.solver.entails(guard.expression, part) else set()
            case _:
                pass
    return frozenset(found)


def _not_before(
    checked: CheckedFlow, candidate: Candidate, needed: frozenset[str], unallowed: frozenset[str]
) -> Iterator[Diagnostic]:
    assert candidate.guard is not None
    before = checked.ways.reached_over(lambda _source, way: way.guard is not candidate.guard)
    usable = frozenset[str]().union(*(_usable(checked.machine.nodes[name]) for name in before))
    if missing := sorted(needed - usable):
        names = " and ".join(f"'{tool}'" for tool in missing)
        when = "" if unallowed >= {*missing} else " before"
        message = f"this needs the use of {names}, which no node lets be used{when}"
        hint = "conditions that stand together must all hold: join alternatives with ||" if len(needed) > 1 else ""
        yield problem("TW071", message, candidate.guard.span, hint)


def check_other_calls(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW092: report a transition at `tool` that prevents another effect of the same reply."""
    effects = frozenset(tool.name for tool in checked.machine.flow.tools if tool.kind == "effect")
    for node in checked.reachable_nodes:
        if node.work != "prompt" or not effects & node.tools:
            continue
        for candidate in checked.machine.candidates(node.node.name, "tool").all:
            if candidate.level == "enter" or candidate.is_mirror or not isinstance(candidate.action, GoTo | End):
                continue
            named = _triggers(checked, node, candidate)
            after = checked.machine.nodes[candidate.target].tools if candidate.target else frozenset[str]()
            lost = sorted(effects & node.tools - (named or set()) - after)
            if named is not None and lost:
                names = " and ".join(f"'{tool}'" for tool in lost)
                message = f"after '{candidate.id}' no later call of {names} in the same reply is run"
                other = f"allow it in '{candidate.target}'" if candidate.target else "let the guard wait for it too"
                yield problem("TW092", message, candidate.span, f"write 'at: calls', or {other}")


def _triggers(checked: CheckedFlow, node: LinkedNode, candidate: Candidate) -> set[str] | None:
    """Return the tools that a transition at `tool` waits for: those that its guard names, and those whose results it
    reads; none where it holds after any of several tools, and `None` where that is unknown.
    """
    guard = candidate.guard
    if guard is None:
        return set() if candidate.code is None and len(node.tools) > 1 else None
    reads = {ref.address for ref in guard.refs}
    stored = {tool for tool, into in node.result_targets.items() if reads & {*destinations(checked.machine, into)}}
    return {*_tools_in(guard.expression), *stored} or None


def check_moment_of_calls(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW118: report transitions at `calls` where no model calls tools, so that they are never judged."""
    for scope in checked.machine.scopes.values():
        inside = [node for node in checked.reachable_nodes if scope_of(node.node.name) == scope.name]
        for candidate in scope.flow_candidates:
            if candidate.moment == "calls" and inside and not any(map(_has_calls, inside)):
                yield _never_judged(candidate, "at any node")
    for node in checked.reachable_nodes:
        for candidate in node.candidates if not _has_calls(node) else ():
            if candidate.moment == "calls" and candidate.level == "node":
                yield _never_judged(candidate, f"at '{node.node.name}'")


def _has_calls(node: LinkedNode) -> bool:
    """Return whether a model may call tools at a node, beside those that choose, open a scope or close it."""
    return node.work == "prompt" and bool(node.tools or node.toolbox.reads or node.toolbox.writes)


def _never_judged(candidate: Candidate, where: str) -> Diagnostic:
    message = f"'{candidate.id}' is never judged: no model calls a tool {where}"
    return problem("TW118", message, candidate.span.of("at"), "allow a tool there, or choose another moment")


def check_triggers(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW073: report a sequence that begins with the tool whose use has just entered its node."""
    for candidate in checked.machine.enter_candidates:
        policy = checked.machine.nodes[candidate.target].node.tools
        if candidate.moment != "before" or candidate.guard is None or policy is None or not policy.sequence:
            continue
        first = policy.sequence[0]
        is_trigger = any(isinstance(p, s.Call) and p.name == "ended_with" for p in s.walk(candidate.guard.expression))
        if not is_trigger and len(first.tools) == 1 and first.tools[0] in _needed(checked, candidate.guard):
            message = f"'{first.tools[0]}' opens this node, and its sequence asks for it again first"
            yield problem("TW073", message, policy.span.of("sequence"), "begin the sequence with what follows it")


def check_expected(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW072: report a tool that can be used before its `expects` is true, with a path on which that happens."""
    for tool in checked.machine.flow.tools:
        if not tool.expects:
            continue
        try:
            expected = parse(CONFIRMED_GUARD if tool.expects == "confirmed" else tool.expects)
        except GuardError as error:
            yield problem(error.code, error.message, tool.span.of("expects"), "expects: confirmed, or a guard")
            continue
        if not (tool.confirm and tool.expects == "confirmed"):
            yield from _unproved(checked, tool, expected)


def _unproved(checked: CheckedFlow, tool: Tool, expected: Expression) -> Iterator[Diagnostic]:
    def is_unproved(source: str, way: Candidate) -> bool:
        if way.guard is None or not checked.solver.entails(way.guard.expression, expected):
            return True
        return tool.expects == "confirmed" and not _confirms(checked, source)

    found = checked.ways.reached_over(is_unproved)
    for name in found:
        node = checked.machine.nodes[name].node
        if tool.name in _usable(checked.machine.nodes[name]) and not _is_kept_out(node, tool.name):
            way = shown_way([*(source for source, _ in steps_to(found, name)), name])
            message = f"'{tool.name}' expects '{text_of(expected)}', and can be used without it: {way}"
            uses_it = node.tool if node.tool is not None and node.tool.name == tool.name else node.tools
            span = uses_it.span if uses_it is not None else node.span
            yield problem("TW072", message, span, "let the way there have it as its guard")


def _confirms(checked: CheckedFlow, name: str) -> bool:
    """True if the form of a node asks for confirmation; without it, the last answer confirms the form."""
    here = checked.machine.nodes[name].form
    forms = [here] if here is not None else [node.form for node in checked.reachable_nodes if node.form is not None]
    return all(form.form.confirm is not None for form in forms)


def _is_kept_out(node: Node, tool: str) -> bool:
    """True if the node enforces a sequence that has no position for a tool."""
    policy = node.tools
    if policy is None or not policy.sequence:
        return False
    is_trigger = any(isinstance(one, Condition) and one.type == "sequence_match" for one in node.enter_when)
    return (policy.enforce or not is_trigger) and not any(tool in position.tools for position in policy.sequence)
