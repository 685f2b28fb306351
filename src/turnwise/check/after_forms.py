"""Checks what follows a form that the user cancels: tools with side effects that run anyway, or no transition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwise.check.checked_flow import CheckedFlow, is_instant
from turnwise.check.solver import Solver
from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Candidate, GoTo
from turnwise.core.guards.scope import FORM_STATUS
from turnwise.core.linked_form import LinkedForm
from turnwise.core.machine import LinkedNode
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import Expression, parse, text_of
from turnwise.flow.guard import syntax as s

_OF_MESSAGES = ("turns", "message.")
_CANCEL = '{when: form.status == "cancelled", …}'
_LEFT = {
    "cancelled": "was cancelled",
    "stopped": "was stopped by an answer",
    "handed_off": "was left for a person before its end",
}
"""The statuses of a form that was not finished as asked, in words."""


def check_effects(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW083: report ways on which an effect runs after a form that the user did not confirm.

    They are a guard that also holds when the form was cancelled, `any: true`, or no other transition after a cancel.
    """
    every = (*checked.machine.flow_candidates, *checked.machine.enter_candidates)
    shared = [candidate for candidate in every if _is_way(candidate)]
    for node in checked.reachable_nodes:
        if node.form is None:
            continue
        ways = [candidate for candidate in node.candidates if _is_way(candidate)]
        blind = [candidate for candidate in (*ways, *shared) if not _reads_status(candidate)]
        is_heeded = any(_reads_status(candidate) for candidate in (*ways, *shared))
        is_heeded = is_heeded or bool(scope_of(node.node.name))  # a scope closes with its form
        for candidate in blind:
            if is_heeded and not candidate.follows_any:
                continue
            tool = _effect_behind(checked, candidate.target, node)
            if tool:
                yield _problem(node, candidate, tool)
        yield from _leaking(checked, node, [one for one in (*ways, *shared) if _reads_status(one)])


def _leaking(checked: CheckedFlow, node: LinkedNode, heeding: list[Candidate]) -> Iterator[Diagnostic]:
    """Report the ways to an effect whose guard reads the status, and may hold also in a form that broke off. A guard
    that holds only there is no mistake: it was written for such a form.
    """
    form = node.form
    if form is None:
        return
    finished = "handed_off" if form.form.handoff else "confirmed"
    for candidate in heeding:
        guard = candidate.guard
        if guard is None or not checked.is_sound(guard) or not _may_hold(checked, guard.expression, finished):
            continue
        through = [one for one in _unfinished(checked, form) if _may_hold(checked, guard.expression, one)]
        tool = _effect_behind(checked, candidate.target, node) if through else ""
        if tool:
            name, how = node.node.name, " or ".join(_LEFT[one] for one in through)
            message = f"'{candidate.id}' leads to the effect '{tool}' also where the form of '{name}' {how}"
            yield problem("TW083", message, guard.span, _guard_to_write(checked.solver, guard.expression, finished))


def _unfinished(checked: CheckedFlow, form: LinkedForm) -> Sequence[str]:
    """Return the statuses in which a form may rest without being finished as asked."""
    may_stop = form.form.questions or any(question.stop_values for question in form.questions)
    leaves = checked.machine.person is None  # otherwise the form goes on after the person
    return [
        one
        for one in _LEFT
        if one == "cancelled" or (one == "stopped" and may_stop) or (one == "handed_off" and leaves)
    ]


def _may_hold(checked: CheckedFlow, guard: Expression, status: str) -> bool:
    """True unless the status alone makes a guard false or unknown."""
    return checked.solver.verdict_where(guard, FORM_STATUS, status) is not False


def _guard_to_write(solver: Solver, guard: Expression, finished: str) -> str:
    """Return a hint with the guard for a form that finished as asked: without the status after a handoff, for that is
    also the status of a form that was left for a person.
    """
    rest = _rest(solver, guard, finished)
    is_all = rest == s.Literal(value=True, at=0)
    if finished == "handed_off":
        text = "leave 'when' out" if is_all else f"write 'when: {text_of(rest)}'"
        return f"{text}: without the status it is judged only where the form finished as asked"
    confirmed = parse('form.status == "confirmed"')
    parts = rest.parts if isinstance(rest, s.Logic) and rest.op == "&&" else (rest,)
    return f"write 'when: {text_of(confirmed if is_all else s.Logic('&&', (confirmed, *parts)))}'"


def _rest(solver: Solver, guard: Expression, status: str) -> Expression:
    """Return what is left of a guard where the status is known."""
    verdict = solver.verdict_where(guard, FORM_STATUS, status)
    if verdict is not None:
        return s.Literal(value=verdict, at=0)
    if not isinstance(guard, s.Logic):
        return guard
    rests = [_rest(solver, part, status) for part in guard.parts]
    kept = [one for one in rests if not (isinstance(one, s.Literal) and isinstance(one.value, bool))]
    return kept[0] if len(kept) == 1 else s.Logic(guard.op, tuple(kept))


def _problem(node: LinkedNode, candidate: Candidate, tool: str) -> Diagnostic:
    name = node.node.name
    is_handoff = node.form is not None and node.form.form.handoff
    if candidate.follows_any:
        message = f"'{candidate.id}' runs the effect '{tool}' also where the form of '{name}' was cancelled or stopped"
        hint = "leave 'any: true' out" + ("" if is_handoff else ', or guard it: form.status == "confirmed"')
        return problem("TW083", message, candidate.span, hint)
    message = f"'{candidate.id}' leads from the form of '{name}' to the effect '{tool}', and nothing follows a cancel"
    hint = f"add {_CANCEL}" if is_handoff else f"write 'when: form.status == \"confirmed\"', and add {_CANCEL}"
    return problem("TW083", message, candidate.span, hint)


def _is_way(candidate: Candidate) -> bool:
    return candidate.moment == "after" and not candidate.is_mirror and isinstance(candidate.action, GoTo)


def _reads_status(candidate: Candidate) -> bool:
    guard = candidate.guard
    return guard is not None and any(ref.key == FORM_STATUS for ref in guard.refs)


def _effect_behind(checked: CheckedFlow, target: str, node: LinkedNode) -> str:
    """Return the first tool with side effects that runs without the user's approval before the conversation waits."""
    answered = {question.address for question in node.form.questions} if node.form is not None else set[str]()
    seen, ahead = {node.node.name}, [target]
    while ahead:
        name = ahead.pop(0)
        if name in seen:
            continue
        seen.add(name)
        behind = checked.machine.nodes[name]
        tool = behind.tool.tool.tool if behind.tool is not None else None
        if tool is not None and tool.kind == "effect" and not tool.confirm:
            return tool.name
        if behind.work == "prompt":
            ahead += [way.target for way in checked.ways.ways_out(name) if _is_behind_reply(way, answered)]
        elif is_instant(behind) or (tool is not None and not tool.confirm):
            ahead += [way.target for way in checked.ways.ways_out(name) if way.target and _is_at_once(way)]
    return ""


def _is_behind_reply(way: Candidate, answered: set[str]) -> bool:
    """True if a way may be taken as soon as a model has replied: it needs no more than answers that are there."""
    reads = {ref.key for ref in way.guard.refs} if way.guard is not None else set[str]()
    return bool(way.target) and way.moment == "after" and _is_at_once(way) and not way.code and reads <= answered


def _is_at_once(way: Candidate) -> bool:
    """True if a way may be taken in the turn in which its node is entered, without another message."""
    is_next = way.guard is not None and any(ref.key.startswith(_OF_MESSAGES) for ref in way.guard.refs)
    return way.moment in ("before", "after", "tool", "calls") and way.reply == "now" and not is_next
