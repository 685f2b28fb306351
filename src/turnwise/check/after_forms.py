"""A rule about what follows a form: unwanted effects, and users who cancel and stay where they are."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.subject import Subject, is_instant
from turnwise.core.guards.scope import FORM_STATUS
from turnwise.core.machine import Candidate, Go, LinkedNode
from turnwise.flow.diagnostic import Diagnostic, problem

_OF_MESSAGES = ("turns", "message.")
_CANCEL = '{when: form.status == "cancelled", …}'


def check_effects(subject: Subject) -> Iterator[Diagnostic]:
    """TW083: ways from a form to an effect that do not read the form's status, where one runs the effect also after a
    cancel (`any: true`), or where nothing else follows a cancel.
    """
    shared = [candidate for candidate in subject.machine.flow_candidates if _is_way(candidate)]
    for node in subject.reached:
        if node.form is None:
            continue
        ways = [candidate for candidate in node.candidates if _is_way(candidate)]
        blind = [candidate for candidate in (*ways, *shared) if not _reads_status(candidate)]
        is_heeded = any(_reads_status(candidate) for candidate in (*ways, *shared))
        for candidate in blind:
            if is_heeded and not candidate.follows_any:
                continue
            tool = _effect_behind(subject, candidate.target, node.node.name)
            if tool:
                yield _problem(node, candidate, tool)


def _problem(node: LinkedNode, candidate: Candidate, tool: str) -> Diagnostic:
    name = node.node.name
    if candidate.follows_any:
        message = f"'{candidate.id}' runs the effect '{tool}' also where the form of '{name}' was cancelled or stopped"
        hint = "leave 'any: true' out, or guard it: form.status == \"confirmed\""
        return problem("TW083", message, candidate.span, hint)
    message = f"'{candidate.id}' leads from the form of '{name}' to the effect '{tool}', and nothing follows a cancel"
    hint = f"write 'when: form.status == \"confirmed\"', and add {_CANCEL}"
    return problem("TW083", message, candidate.span, hint)


def _is_way(candidate: Candidate) -> bool:
    return candidate.moment == "after" and not candidate.is_mirror and isinstance(candidate.action, Go)


def _reads_status(candidate: Candidate) -> bool:
    guard = candidate.guard
    return guard is not None and any(ref.key == FORM_STATUS for ref in guard.refs)


def _effect_behind(subject: Subject, target: str, form: str) -> str:
    """Return the first tool with side effects that runs without the user's approval before the conversation waits."""
    seen, ahead = {form}, [target]
    while ahead:
        name = ahead.pop(0)
        if name in seen:
            continue
        seen.add(name)
        node = subject.machine.nodes[name]
        if node.tool is not None:
            tool = node.tool.tool.tool
            if tool.kind == "effect" and not tool.confirm:
                return tool.name
        if is_instant(node) or (node.tool is not None and not node.tool.tool.tool.confirm):
            ahead += [way.target for way in subject.ways.of(name) if way.target and _is_at_once(way)]
    return ""


def _is_at_once(way: Candidate) -> bool:
    """True if a way may be taken in the turn in which its node is entered, without another message."""
    is_next = way.guard is not None and any(ref.key.startswith(_OF_MESSAGES) for ref in way.guard.refs)
    return way.moment in ("before", "after", "tool") and way.reply == "now" and not is_next
