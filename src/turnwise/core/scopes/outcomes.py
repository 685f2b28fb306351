"""Finds the outcomes with which a scope may be closed, as far as its flow declares them."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Candidate, End, Return
from turnwise.core.linked_form import LinkedForm
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.values.questions import questions_by_default

AT_EVERY_SCOPE = ("completed", "stopped", "handed_off", "cancelled", "limit", "timeout", "failed")
"""The outcomes that no author names."""


def outcomes_of(machine: Machine, scope: str, *, has_any_questions: bool = False) -> tuple[str, ...]:
    """Return the outcomes that a scope may have: those its author names, `completed`, and those set from outside.
    They come in the order of the flow, between `completed` and what ends it from outside. Of questions that are data
    those count which the flow has by default; with `has_any_questions` also those that it may get.
    """
    linked, found = machine.scopes[scope], dict[str, None]()
    inside = {name: node for name, node in machine.nodes.items() if scope_of(name) == scope}
    for name, node in inside.items():
        found |= dict.fromkeys(_declared(machine, name, node))
        found |= dict.fromkeys(_natural(machine, name, node, has_any_questions=has_any_questions))
    if linked.finish is not None:
        found["completed"] = None
    if any(_waits(node) for node in inside.values()):  # else it is over in the turn in which it was opened
        found["cancelled"] = None
        if linked.turns is not None:
            found["limit"] = None
        if linked.idle_ms is not None:
            found["timeout"] = None
    if linked.tokens is not None:
        found["limit"] = None
    if any(one.moment == "error" for one in _around(machine, scope)):
        found["failed"] = None
    return tuple(sorted(found, key=_place))


def _place(outcome: str) -> int:
    """Return where an outcome stands: those of the author after `completed`."""
    return 2 * AT_EVERY_SCOPE.index(outcome) if outcome in AT_EVERY_SCOPE else 1


def _declared(machine: Machine, name: str, node: LinkedNode) -> Iterator[str]:
    for candidate in (*node.candidates, *machine.scope(name).flow_candidates):
        match candidate.action:
            case End(outcome):
                yield outcome
            case Return():
                yield "completed"
            case _:
                pass
    if node.node.end:
        yield node.node.end


def _natural(machine: Machine, name: str, node: LinkedNode, *, has_any_questions: bool) -> Iterator[str]:
    """Yield the outcomes of a node at which no transition is taken."""
    after = machine.candidates(name, "after").all
    ways = [one for moment in ("before", "after", "timer") for one in machine.candidates(name, moment).all]
    is_always_left = any(_is_always(one) for one in after)
    if node.form is not None:
        form = node.form.form
        if not node.node.end and not is_always_left:
            yield "handed_off" if form.handoff else "completed"
        may_stop = has_any_questions and bool(node.form.source)
        if (may_stop or _has_stops(machine, node.form)) and not any(
            _is_always(one) and one.follows_any for one in after
        ):
            yield "stopped"
    elif node.work in ("none", "say", "tool", "person", "scope") and not node.node.end:
        if not any(not one.is_mirror for one in ways):
            yield "completed"
        elif node.work == "none" and not is_always_left and not any(one.moment != "after" for one in ways):
            yield "failed"


def _has_stops(machine: Machine, form: LinkedForm) -> bool:
    """Return whether an answer to a form stops it."""
    known = questions_by_default(machine.fields.get(form.source), machine.rules) if form.source else ()
    return any(one.stop_values for one in form.questions) or any(one.stop for one in known)


def _is_always(candidate: Candidate) -> bool:
    return candidate.guard is None and candidate.code is None and not candidate.is_mirror


def _waits(node: LinkedNode) -> bool:
    """Return whether a conversation may wait at a node for the user, a person or an approval."""
    if node.work == "tool":
        return node.tool is not None and node.tool.tool.tool.confirm
    if node.work in ("say", "none"):
        return not node.node.end and any(one.moment in ("before", "timer") for one in node.candidates)
    return node.work != "scope"


def _around(machine: Machine, scope: str) -> Iterator[Candidate]:
    """Yield the transitions that are judged around a scope: those of the frames around it. Where it opens wherever the
    conversation is, or one of these does, also those of any frame in which the conversation may wait.
    """
    above = {""} | {scope[:at] for at, letter in enumerate(scope) if letter == "/"}
    is_begun = not {*above, scope}.isdisjoint(machine.opened_anywhere)
    for name, linked in machine.scopes.items():
        if name in above or (is_begun and not f"{name}/".startswith(f"{scope}/")):
            yield from linked.flow_candidates
    for name, node in machine.nodes.items():
        if name.startswith(f"{scope}/") or not (scope_of(name) in above or is_begun):
            continue
        if scope_of(name) in above or _waits(node):
            yield from node.candidates
