"""Links transitions: checks that each has one action and fitting keys, and compiles its guard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.scope import FORM_STATUS, Reads
from turnwise.core.link.builder import Builder
from turnwise.core.machine import Action, Block, Candidate, End, Go, Stay, Write
from turnwise.core.state.kinds import Level
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Span, nearest
from turnwise.flow.diagnostic_targets import fresh
from turnwise.flow.frozen import make
from turnwise.flow.guard import parse
from turnwise.flow.model import Node, Transition

_ACTIONS = ("to", "call", "stay", "block", "return", "end")
_PARAMETERS = ("tools", "message", "visits", "turns", "errors", "error", "now", "today")


def of_node(builder: Builder, node: Node) -> tuple[Candidate, ...]:
    """Return the candidates of a node's own transitions, `once` among them."""
    declared = list(node.transitions)
    if node.once:
        declared.append(make(Transition, id=f"once_{node.once}", to=node.once, reply="next", span=node.span.of("once")))
    return _linked(builder, declared, "node", node)


def of_flow(builder: Builder) -> tuple[Candidate, ...]:
    """Return the candidates of the flow's transitions, which apply at every node; nodes may not reuse their names."""
    candidates = _linked(builder, list(builder.flow.transitions), "flow")
    builder.names_of_flow = {candidate.id for candidate in candidates}
    return candidates


def of_entering(builder: Builder) -> tuple[Candidate, ...]:
    """Return the candidates of `enter_when`, judged at `before` and `tool` of every other node."""
    found: list[Candidate] = []
    for node in builder.flow.nodes:
        sequence = node.tools.sequence if node.tools else ()
        guard = builder.guard(node.enter_when, node.span.of("enter_when"), sequence)
        if guard is None:
            continue
        for moment in ("before", "tool"):
            because = node.description
            found.append(
                Candidate(f"enter_{node.name}", moment, "enter", Go(node.name), guard, because=because, span=node.span)
            )
    return tuple(found)


def writes(builder: Builder, table: Mapping[str, Any], span: Span, key: str) -> tuple[Write, ...]:
    """Return the compiled writes of a `set`."""
    found: list[Write] = []
    for address, written in table.items():
        place = span.of(f"{key}.{address}")
        reads = Reads()
        value = builder.value(address, written, place, reads)
        if value is not None:
            refs = tuple(reads.refs.values())
            expression = parse(written) if refs else None
            is_secret = expression is not None and reads_secret(builder.names, expression)
            found.append(Write(address, value, place, is_secret, expression, refs))
    return tuple(found)


def _linked(
    builder: Builder, declared: list[Transition], level: Level, node: Node | None = None
) -> tuple[Candidate, ...]:
    """Return the candidates of transitions; one without a name gets a unique name."""
    candidates: list[Candidate] = []
    names = {transition.id for transition in declared if transition.id} | builder.names_of_flow
    if level == "flow":
        names |= {transition.id for node in builder.flow.nodes for transition in node.transitions}
    seen = set(builder.names_of_flow)
    for transition in declared:
        if transition.id and transition.id in seen:
            builder.report("TW017", f"two transitions here are called '{transition.id}'", transition.span.of("id"))
        seen.add(transition.id)
        actions = _actions(builder, transition)
        if not actions and not (transition.call or transition.return_):
            builder.guard(transition.when, transition.span.of("when"))  # a wrong target hides no wrong guard
        for action in actions:
            name = transition.id if len(actions) == 1 else ""
            name = name or fresh("_".join(part for part in (transition.id, _name_of(action)) if part), names)
            names.add(name)
            candidates.append(_candidate(builder, transition, action, name, level, node))
    return tuple(candidates)


def _name_of(action: Action) -> str:
    match action:
        case Go(target):
            return f"to_{target}"
        case Stay():
            return "stay"
        case Block():
            return "block"
        case End(outcome):
            return f"end_{outcome}"


def _candidate(
    builder: Builder, transition: Transition, action: Action, name: str, level: Level, node: Node | None
) -> Candidate:
    span = transition.span
    _check_keys(builder, transition, action, node)
    guard = builder.guard(transition.when, span.of("when"))
    reads_status = guard is not None and any(ref.key == FORM_STATUS for ref in guard.refs)
    return Candidate(
        id=name,
        moment=transition.at,
        level=level,
        action=action,
        guard=guard,
        code=_code(builder, transition, action) if transition.guard else None,
        is_mirror=transition.mirror,
        because=transition.because,
        priority=transition.priority,
        reply=transition.reply,
        delay_ms=None if transition.delay_s is None else round(transition.delay_s * 1000),
        writes=writes(builder, transition.set, span, "set"),
        span=span,
        follows_any=transition.any or reads_status,
    )


# the action --------------------------------------------------------------------------------------


def _actions(builder: Builder, transition: Transition) -> list[Action]:
    """Return the action of a transition; if its Python guard chooses a target, one `Go` per target."""
    present = [name for name in _ACTIONS if getattr(transition, "return_" if name == "return" else name)]
    if len(present) > 1:
        message = f"a transition has one action, this has {' and '.join(present)}"
        builder.report("TW015", message, transition.span)
        return []
    if not present and builder.is_unreadable(transition.span):
        return []
    if not present:
        return _targets_of_code(builder, transition)
    match present[0]:
        case "to":
            return [Go(transition.to)] if _is_node(builder, transition.to, transition.span.of("to")) else []
        case "stay":
            reminder = builder.optional(transition.say, transition.span.of("say"))
            return [Stay(reminder, transition.repeat)]
        case "block":
            return [Block(builder.template(transition.block, transition.span.of("block")))]
        case "end":
            return [End(transition.end)]
        case _:
            return []  # `call` and `return` are reported as not run by this version


def _targets_of_code(builder: Builder, transition: Transition) -> list[Action]:
    guard = builder.code.get(transition.guard)
    if guard is not None and guard.targets:
        targets = [t for t in guard.targets if _is_node(builder, t, transition.span.of("guard"))]
        return [Go(target) for target in targets]
    if not (transition.guard and guard is None):
        hint = "one of to, call, stay, block, return, end"
        builder.report("TW015", "a transition needs an action", transition.span, hint)
    elif guard is None:
        _code(builder, transition, Stay())
    return []


def _is_node(builder: Builder, name: str, span: Span) -> bool:
    if name in builder.names.nodes:
        return True
    if builder.unreadable and not builder.names.nodes:
        return False  # where the nodes could not be read, no target is wrong
    hint = nearest(name, builder.names.nodes)
    builder.report("TW012", f"transition goes to '{name}', which no node is called", span, hint)
    return False


def _check_keys(builder: Builder, transition: Transition, action: Action, node: Node | None) -> None:
    """Report keys that need another moment or key, or exclude each other. The timers of a node with a person may leave
    out their delay: it is the longest wait for the person. Without a node it is a transition of the flow.
    """
    span, has_person = transition.span, node is not None and node.person is not None
    is_after_form = transition.at == "after" and (node is None or node.form is not None)
    is_reminder, reminds = transition.at == "timer" and isinstance(action, Stay), "is of a timer with 'stay: true'"
    if builder.is_unreadable(span):
        return
    problems = [
        (isinstance(action, Block) and transition.at != "before", "block", "'block' works at 'before' only"),
        (transition.reply == "next" and transition.at != "after", "reply", "'reply: next' works at 'after' only"),
        (transition.reply == "next" and not isinstance(action, Go), "reply", "'reply: next' needs 'to'"),
        (transition.at == "choice" and not isinstance(action, Go), "at", "a choice needs 'to': what it offers"),
        (transition.delay_s is not None and transition.at != "timer", "in", "'in' works at 'timer' only"),
        (
            transition.delay_s is None and transition.at == "timer" and not has_person,
            "at",
            "a timer needs 'in', its delay",
        ),
        (bool(transition.say) and not is_reminder, "say", f"'say' {reminds}"),
        (transition.repeat > 1 and not is_reminder, "repeat", f"'repeat' {reminds}"),
        (transition.any and not is_after_form, "any", "'any' works at 'after' of a form only"),
        (bool(transition.when) and bool(transition.guard), "guard", "'when' and 'guard' exclude each other"),
        (transition.mirror and not transition.when, "mirror", "a mirror needs 'when', the rule that it describes"),
        (bool(transition.set) and isinstance(action, Stay | Block), "set", "'set' writes on a move, and this is none"),
    ]
    for is_wrong, key, message in problems:
        if is_wrong:
            builder.report("TW041", message, span.of(key))


# Python guards -----------------------------------------------------------------------------------


def _code(builder: Builder, transition: Transition, action: Action) -> PythonGuard | None:
    """Return the Python guard that a transition names; report one that is missing or does not fit."""
    span = transition.span.of("guard")
    guard = python_guard(builder, transition.guard, span)
    if guard is not None and guard.targets and isinstance(action, Go) and action.target not in guard.targets:
        hint = f"it declares {', '.join(guard.targets)}"
        builder.report("TW036", f"'{guard.name}' does not declare the target '{action.target}'", span, hint)
    return guard


def python_guard(builder: Builder, name: str, span: Span, more: tuple[str, ...] = ()) -> PythonGuard | None:
    """Return the Python guard of a name, which may ask for `more` than records and roots; report one that is missing or
    does not fit.
    """
    guard = builder.code.get(name)
    if guard is None:
        hint = nearest(name, builder.code) or "pass it to tw.open(flow, guards=[…])"
        builder.report("TW024", f"no function '{name}' is supplied", span, hint)
        return None
    if guard.is_async:
        hint = "a guard is pure: fetch with a tool first, and let the guard read the record"
        builder.report("TW036", f"'{guard.name}' is an async function", span, hint)
    known = (*builder.names.records, *_PARAMETERS, *more)
    for parameter in guard.parameters:
        if parameter not in known:
            hint = nearest(parameter, known)
            builder.report("TW036", f"'{guard.name}' asks for '{parameter}', which is no record", span, hint)
    return guard
