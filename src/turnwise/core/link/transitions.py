"""Links transitions: checks that each has one action and fitting keys, and compiles its guard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.core.addresses import addressed, local_name
from turnwise.core.candidates import Action, Block, Candidate, End, GoTo, Open, Return, Stay, Write
from turnwise.core.guards import Ref
from turnwise.core.guards.event_roots import EVENT
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.python import record_of_parameter
from turnwise.core.guards.scope import FORM_STATUS, Reads
from turnwise.core.link.builder import Builder
from turnwise.core.link.external_events import check_events
from turnwise.core.state.kinds import Level
from turnwise.core.values.schema import is_needed
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Span, nearest
from turnwise.flow.diagnostic_targets import unique_name
from turnwise.flow.frozen import make
from turnwise.flow.guard import Expression, parse
from turnwise.flow.model import Node, Transition

_ACTIONS = ("to", "call", "stay", "block", "return", "end")
_PARAMETERS = ("tools", "message", "visits", "turns", "errors", "error", "now", "today")


def of_node(builder: Builder, node: Node) -> tuple[Candidate, ...]:
    """Return the candidates for a node's own transitions, also the moves after `once`."""
    declared = list(node.transitions)
    if node.once:
        declared.append(make(Transition, id=f"once_{node.once}", to=node.once, reply="next", span=node.span.of("once")))
    return _linked(builder, declared, "node", node)


def of_flow(builder: Builder) -> tuple[Candidate, ...]:
    """Return the candidates for the flow's transitions, which apply at every node; nodes may not reuse their names."""
    candidates = _linked(builder, list(builder.flow.transitions), "flow")
    builder.names_of_flow = {candidate.id for candidate in candidates}
    return candidates


def of_entering(builder: Builder) -> tuple[Candidate, ...]:
    """Return the candidates for `enter_when`, which are judged at `before` and `tool` of every other node."""
    found: list[Candidate] = []
    for node in builder.flow.nodes:
        sequence = node.tools.sequence if node.tools else ()
        guard = builder.guard(node.enter_when, node.span.of("enter_when"), sequence)
        if guard is None:
            continue
        for moment in ("before", "tool"):
            because = node.description
            found.append(
                Candidate(
                    f"enter_{node.name}",
                    moment,
                    "enter",
                    GoTo(builder.names.node(node.name)),
                    guard,
                    because=because,
                    span=node.span,
                )
            )
    return tuple(found)


def compiled_writes(builder: Builder, table: Mapping[str, Any], span: Span, key: str) -> tuple[Write, ...]:
    """Return the compiled writes of a `set`, a table of values or expressions by field, which stands under `key`."""
    found: list[Write] = []
    for address, written in table.items():
        place = span.of(f"{key}.{address}")
        reads = Reads()
        value = builder.value(address, written, place, reads)
        if value is not None:
            refs = tuple(reads.refs.values())
            expression = _tree(builder, written, refs)
            is_secret = expression is not None and reads_secret(builder.names, parse(written))
            found.append(Write(builder.names.address(address), value, place, is_secret, expression, refs))
    return tuple(found)


def _returning(builder: Builder, transition: Transition) -> list[Action]:
    if builder.outer is not None:
        return [Return()]
    message = "'return' closes a scope, and this transition stands outside of all scopes"
    builder.report("TW094", message, transition.span.of("return"), "write 'end' to end the conversation")
    return []


def opening_of(
    builder: Builder, name: str, with_: Mapping[str, Any], span: Span, key: str, code: str = "TW094"
) -> Open | None:
    """Return the compiled opening of a scope, with its input, for a `key` of the flow; report errors under `code`, and
    return `None` for an unknown scope.
    """
    nodes = {node.name: node.scope for node in builder.with_scopes}
    scope, place = nodes.get(name), builder.names.node(name)
    if scope is None:
        is_node = name in builder.names.nodes
        message = f"the node '{name}' has no scope" if is_node else f"no node is called '{name}'"
        builder.report(code, f"{message}, so there is nothing to open", span.of(key), nearest(name, nodes))
        return None
    fields, found = {field.name: field for field in scope.input}, list[Write]()
    for one, written in with_.items():
        where, reads = span.of(f"with.{one}"), Reads()
        if one not in fields:
            builder.report(code, f"the scope of '{name}' takes no input '{one}'", where, nearest(one, fields))
            continue
        value = builder.value_for(fields[one], written, where, reads)
        if value is not None:
            refs = tuple(reads.refs.values())
            expression = _tree(builder, written, refs)
            found.append(Write(f"{place}/input.{one}", value, where, expression=expression, reads=refs))
    for one, field in fields.items():
        if is_needed(field) and one not in with_:
            builder.report(code, f"the scope of '{name}' needs the input '{one}'", span, "give it under 'with'")
    return Open(place, tuple(found))


def _tree(builder: Builder, written: Any, refs: tuple[Ref, ...]) -> Expression | None:
    """Return what computes a value; `None` for a constant."""
    return addressed(parse(written), builder.names) if refs else None


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
        if not actions:
            builder.guard(transition.when, transition.span.of("when"))  # a wrong target hides no wrong guard
        for action in actions:
            name = transition.id if len(actions) == 1 else ""
            name = name or unique_name("_".join(part for part in (transition.id, _name_of(action)) if part), names)
            names.add(name)
            candidates.append(_candidate(builder, transition, action, name, level, node))
    return tuple(candidates)


def _name_of(action: Action) -> str:
    match action:
        case GoTo(target):
            return f"to_{local_name(target)}"
        case Stay():
            return "stay"
        case Block():
            return "block"
        case End(outcome):
            return f"end_{outcome}"
        case Open(scope):
            return f"open_{local_name(scope)}"
        case Return():
            return "return"


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
        events=transition.event,
        delay_ms=None if transition.delay_s is None else round(transition.delay_s * 1000),
        writes=compiled_writes(builder, transition.set, span, "set"),
        note=builder.prompt(transition.note, span.of("note")) if transition.note else None,
        span=span,
        follows_any=transition.any or reads_status,
        is_exception=transition.exception,
    )


# the action --------------------------------------------------------------------------------------


def _actions(builder: Builder, transition: Transition) -> list[Action]:
    """Return the action of a transition; if its Python guard chooses a target, one `Go` per target."""
    present = [name for name in _ACTIONS if getattr(transition, "return_" if name == "return" else name)]
    if len(present) > 1:
        message = f"a transition has one action, this has {' and '.join(present)}"
        hint = "'call' interrupts and comes back here; 'to' the node of the scope lets that node lead on"
        builder.report("TW015", message, transition.span, hint if "call" in present else "")
        return []
    if not present and builder.is_unreadable(transition.span):
        return []
    if not present:
        return _targets_of_code(builder, transition)
    match present[0]:
        case "to":
            is_known = _is_node(builder, transition.to, transition.span.of("to"))
            return [GoTo(builder.names.node(transition.to))] if is_known else []
        case "stay":
            reminder = builder.optional(transition.say, transition.span.of("say"))
            return [Stay(reminder, transition.repeat)]
        case "block":
            return [Block(builder.template(transition.block, transition.span.of("block")))]
        case "end":
            return [End(transition.end)]
        case "call":
            opening = opening_of(builder, transition.call, transition.with_, transition.span, "call")
            return [opening] if opening is not None else []
        case _:
            return _returning(builder, transition)


def _targets_of_code(builder: Builder, transition: Transition) -> list[Action]:
    guard = builder.code.get(transition.guard)
    if guard is not None and guard.targets:
        targets = [t for t in guard.targets if _is_node(builder, t, transition.span.of("guard"))]
        return [GoTo(builder.names.node(target)) for target in targets]
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
    if name in builder.declared:
        hint = f"it is a tool, which a node allows by 'tools': {{allow: [{name}]}}"
    builder.report("TW012", f"transition goes to '{name}', which no node is called", span, hint)
    return False


def _check_keys(builder: Builder, transition: Transition, action: Action, node: Node | None) -> None:
    """Report keys that need another moment or key, or exclude each other. The timers of a node with a person may leave
    out their delay: it is the longest wait for the person. Without a node it is a transition of the flow.
    """
    if builder.is_unreadable(transition.span):
        return
    check_events(builder, transition)
    for key, message in (
        *_wrong_at_moment(transition, node),
        *_wrong_for_action(transition, action),
        *_wrong_of_timer(transition, action, node),
    ):
        builder.report("TW041", message, transition.span.of(key))


def _wrong_at_moment(transition: Transition, node: Node | None) -> Iterator[tuple[str, str]]:
    """Yield the keys that belong to another moment or another kind of rule."""
    if transition.any and not (transition.at == "after" and (node is None or node.form is not None)):
        yield "any", "'any' works at 'after' of a form only"
    if transition.reply == "next" and transition.at != "after":
        yield "reply", "'reply: next' works at 'after' only"
    if transition.guard and transition.when:
        yield "guard", "'when' and 'guard' exclude each other"
    if transition.exception and not (transition.when or transition.guard):
        yield "exception", "'exception' is about a guard that does not hold, and this transition has none"
    if transition.mirror and not transition.when:
        yield "mirror", "a mirror needs 'when', the rule that it describes"


def _wrong_for_action(transition: Transition, action: Action) -> Iterator[tuple[str, str]]:
    """Yield the keys that do not fit the action."""
    if type(action) is not GoTo:
        if transition.reply == "next":
            yield "reply", "'reply: next' needs 'to'"
        if transition.at == "choice":
            yield "at", "a choice needs 'to': what it offers"
        if transition.at != "before" and isinstance(action, Block):
            yield "block", "'block' works at 'before' only"
        if transition.note and not isinstance(action, Open):
            yield "note", "'note' goes with 'to' or 'call'"
        if (
            transition.set
            and isinstance(action, Stay | Block | Open)
            and not (transition.at == "event" and isinstance(action, Stay))
        ):
            yield "set", "'set' writes on a move, and this is none"
    if transition.with_ and not isinstance(action, Open):
        yield "with", "'with' is for the scope of a 'call'"


def _wrong_of_timer(transition: Transition, action: Action, node: Node | None) -> Iterator[tuple[str, str]]:
    """Yield the keys of timers that stand elsewhere, and a timer without a delay."""
    if transition.at == "timer":
        if transition.delay_s is None and (node is None or node.person is None):
            yield "at", "a timer needs 'in', its delay"
    elif transition.delay_s is not None:
        yield "in", "'in' works at 'timer' only"
    if transition.say and not (transition.at in ("timer", "event") and isinstance(action, Stay)):
        yield "say", "'say' is of a timer or event with 'stay: true'"
    if transition.repeat > 1 and not (transition.at == "timer" and isinstance(action, Stay)):
        yield "repeat", "'repeat' is of a timer with 'stay: true'"


# Python guards -----------------------------------------------------------------------------------


def _code(builder: Builder, transition: Transition, action: Action) -> PythonGuard | None:
    """Return the Python guard that a transition names; report one that is missing or does not fit."""
    span = transition.span.of("guard")
    guard = python_guard(builder, transition.guard, span)
    if guard is not None and guard.targets and isinstance(action, GoTo) and transition.to not in ("", *guard.targets):
        hint = f"it declares {', '.join(guard.targets)}"
        builder.report("TW036", f"'{guard.name}' does not declare the target '{transition.to}'", span, hint)
    return guard


def python_guard(builder: Builder, name: str, span: Span, more: tuple[str, ...] = ()) -> PythonGuard | None:
    """Return the Python guard of a name; report one that is missing (`None`) or does not fit. It may have parameters
    named in `more` beside records and roots.
    """
    guard = builder.code.get(name)
    if guard is None:
        hint = nearest(name, builder.code) or "pass it to tw.open(flow, guards=[…])"
        builder.report("TW024", f"no function '{name}' is supplied", span, hint)
        return None
    if guard.is_async:
        hint = "a guard is pure: fetch with a tool first, and let the guard read the record"
        builder.report("TW036", f"'{guard.name}' is an async function", span, hint)
    known = (*builder.names.records, *_PARAMETERS, *((EVENT,) if builder.flow.events else ()), *more)
    for parameter in guard.parameters:
        if parameter not in known and not record_of_parameter(parameter, builder.names.records):
            hint = nearest(parameter, known)
            builder.report("TW036", f"'{guard.name}' asks for '{parameter}', which is no record", span, hint)
    return guard
