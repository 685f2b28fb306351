"""Rules about offers: one that can never be made (law 6.5)."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.candidates import Candidate, End, GoTo, Return
from turnwise.core.machine import LinkedNode
from turnwise.flow.diagnostic import Diagnostic, problem


def check_made(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW106: report offers of nodes where no turn ends when their work is done, so that they are never made."""
    for node in checked.reachable_nodes:
        offer = node.node.offer
        why = _why_never(checked, node) if offer is not None else ""
        if offer is not None and why:
            message = f"the offer of '{offer.scope}' at '{node.node.name}' is never made: {why}"
            hint = "an offer is made when the conversation waits at its node"
            yield problem("TW106", message, offer.span, hint)


def _why_never(checked: CheckedFlow, node: LinkedNode) -> str:
    """Return why no turn ends in a node with its work done; empty where one may."""
    if node.node.end:
        return "it ends there"
    if node.form is not None:
        return ""  # it waits there when it is cancelled or stopped
    ways = [one for one in checked.machine.candidates(node.node.name, "after").all if not one.is_mirror]
    always = next((one for one in ways if _leaves_always(one)), None)
    return f"'{always.id}' is taken as soon as its work is done" if always is not None else ""


def _leaves_always(way: Candidate) -> bool:
    is_now = not isinstance(way.action, GoTo) or way.reply == "now"
    return way.guard is None and way.code is None and isinstance(way.action, GoTo | End | Return) and is_now
