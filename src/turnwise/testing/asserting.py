"""Assertions about turns, whose failures explain the decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.core.explain.decision_lines import lines_of_candidate, lines_of_decision
from turnwise.core.explain.now import explain_now
from turnwise.core.trace import Decision
from turnwise.flow.diagnostic import nearest
from turnwise.runner.result import Turn


def why_not_in(turn: Turn, node: str) -> list[str]:
    """Return lines that explain why the conversation is not in a node after a turn."""
    if turn.after is None:
        return [f"the input was refused: {turn.refused}: {turn.refusal}"]
    known = turn.machine.nodes
    if node not in known:
        return [f"no node is called {node!r}; {nearest(node, known)}".rstrip("; ")]
    head = f"turn {turn.number} of {turn.conversation!r} ended in {turn.state.node}, not in {node}"
    return [head, *_refusal(turn), *_leading(turn, node)]


def why_not_taken(turn: Turn, transition: str) -> list[str]:
    """Return lines that explain why a transition was not taken in a turn."""
    if turn.after is None:
        return [f"the input was refused: {turn.refused}: {turn.refusal}"]
    known = turn.machine.transitions()
    if transition not in known:
        return [f"no transition is called {transition!r}; {nearest(transition, known)}".rstrip("; ")]
    head = f"{transition} was not taken in turn {turn.number} of {turn.conversation!r}"
    return [head, *_refusal(turn), *_of_transition(turn, transition)]


def why_taken(turn: Turn, transition: str) -> list[str]:
    """Return lines that explain why a transition was taken in a turn."""
    head = f"{transition} was taken in turn {turn.number} of {turn.conversation!r}"
    lines = [line for d in turn.decisions if d.taken == transition for line in _decision(d, transition)]
    return [head, *lines]


def explain_comparison(turns: Iterable[Turn], op: str, left: str, right: object) -> list[str] | None:
    """Return lines that explain a failed comparison (`left op right`, such as `"ask" == turn.node`) by the latest turn
    that it concerns; `None` if it concerns none.
    """
    for turn in reversed(list(turns)):
        if op == "==" and isinstance(right, str) and turn.node is not None:
            here, other = turn.node, right if left == turn.node else left
            if here in (left, right) and other in turn.machine.nodes:
                return [f"{left!r} == {right!r}", *why_not_in(turn, other)]
        if op == "in" and isinstance(right, tuple) and right == turn.taken:
            return [f"{left!r} in {right!r}", *why_not_taken(turn, left)]
    return None


def _refusal(turn: Turn) -> Iterator[str]:
    if turn.refused:
        yield f"the input was refused: {turn.refused}: {turn.refusal}"


def _leading(turn: Turn, node: str) -> Iterator[str]:
    """Yield every decision with the candidates that lead to a node, or with all candidates if none does."""
    leads = {one.id for decision in turn.decisions for one in decision.candidates if one.target == node}
    for decision in turn.decisions:
        if leads & {one.id for one in decision.candidates} or not leads:
            yield from _decision(decision, *leads)
    if leads:
        return
    if not turn.decisions:
        yield "nothing was decided in this turn"
    ways = [one.id for one in turn.machine.nodes[turn.state.node].candidates if one.target == node]
    for way in ways:
        yield from _standing(turn, way)
    if not ways:
        yield f"no transition of {turn.state.node} leads to {node}"


def _of_transition(turn: Turn, transition: str) -> Iterator[str]:
    judged = [decision for decision in turn.decisions if decision.candidate(transition) is not None]
    for decision in judged:
        yield from _decision(decision, transition)
    if not judged:
        yield from (f"{decision.moment}: {decision.line}" for decision in turn.decisions)
        yield from _standing(turn, transition)


def _decision(decision: Decision, *only: str) -> Iterator[str]:
    """Yield the lines of a decision, with some of its candidates, or with all."""
    if not only:
        yield from (line.text + line.aside for line in lines_of_decision(decision))
        return
    yield f"{decision.moment}: {decision.line}"
    for candidate in decision.candidates:
        if candidate.id in only:
            yield from (line.text + line.aside for line in lines_of_candidate(candidate))


def _standing(turn: Turn, transition: str) -> Iterator[str]:
    """Explain a transition that was not judged, as it would be judged at the end of the turn."""
    now = explain_now(turn.machine, turn.state, transition, turn=turn.number, left=turn.left)
    if now is None:
        yield f"{turn.state.node} has no transition {transition}"
        return
    yield from (line.text + line.aside for line in lines_of_decision(now, transition))


def assert_taken(turn: Turn, transition: str) -> None:
    """Raise `AssertionError`, with the reason, unless a transition was taken in the turn."""
    __tracebackhide__ = True
    if transition not in turn.taken:
        raise AssertionError("\n".join(why_not_taken(turn, transition)))


def assert_not_taken(turn: Turn, transition: str) -> None:
    """Raise `AssertionError` if a transition was taken in the turn, or if the flow has no transition of this name."""
    __tracebackhide__ = True
    if transition in turn.taken:
        raise AssertionError("\n".join(why_taken(turn, transition)))
    if transition not in turn.machine.transitions():
        raise AssertionError("\n".join(why_not_taken(turn, transition)))


def assert_in(turn: Turn, node: str) -> None:
    """Raise `AssertionError`, with the reason, unless the conversation is in a node after the turn."""
    __tracebackhide__ = True
    if turn.node != node:
        raise AssertionError("\n".join(why_not_in(turn, node)))
