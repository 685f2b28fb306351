"""Finds the reading calls of a reply that may run in parallel, since nothing can come between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from turnwise.core.decision.faults import RefusedCall
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.effects import RunTool
from turnwise.core.tools.calls import MOST_REPORTED_FAILURES
from turnwise.core.tools.check_call import read_arguments, refusal


def parallel_reads(machine: Machine, state: State, effect: RunTool) -> Iterator[RunTool]:
    """Yield the calls after `effect` that can run in parallel with it: reading tools, as long as no move can occur.
    They are consecutive, at a node where no result or failure can cause a move. Their effects have no id yet.
    """
    doing = state.doing
    if doing is None or not doing.calls or not _only_reads(machine, effect.tool):
        return
    box = machine.nodes[state.frame.node].toolbox
    if box.sequence or any(machine.candidates(state.frame.node, moment).all for moment in ("tool", "error")):
        return
    room = machine.flow.limits.tool_calls - doing.tool_calls
    failures = Counter(doing.failures)
    before = effect.tool
    for call in doing.calls[: max(room, 0)]:
        failures[before] += 1
        if failures[before] > MOST_REPORTED_FAILURES or not _only_reads(machine, call.tool):
            return  # if all fail, that is a limit
        if refusal(machine, state, call) is not None:
            return
        arguments = read_arguments(machine.tools[call.tool], call.arguments, rules_of(machine, state), by_model=True)
        if type(arguments) is RefusedCall:
            return
        yield RunTool("", call.tool, arguments, call.id)
        before = call.tool


def _only_reads(machine: Machine, tool: str) -> bool:
    found = machine.tools.get(tool)
    return found is not None and found.tool.kind == "read" and not found.tool.confirm
