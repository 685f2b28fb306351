"""Which calls may run beside the first one: what nothing can come between (law 3.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from turnwise.core.effects import RunTool
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.tools.arrive import read_arguments, refusal
from turnwise.core.tools.calls import TOLD
from turnwise.core.values import Refused


def ahead(machine: Machine, state: State, effect: RunTool) -> Iterator[RunTool]:
    """The calls behind one that is to run now which will surely follow it as they are: reading tools in a row, at a
    node where no result and no failure leads anywhere. Their effects have no id yet.
    """
    doing = state.doing
    if doing is None or not doing.calls or not _only_reads(machine, effect.tool):
        return
    box = machine.nodes[state.node].toolbox
    if box.sequence or any(machine.docket(state.node, moment).candidates for moment in ("tool", "error")):
        return
    room = machine.flow.limits.tool_calls - doing.tool_calls
    failures = Counter(doing.failures)
    before = effect.tool
    for call in doing.calls[: max(room, 0)]:
        failures[before] += 1
        if failures[before] > TOLD or not _only_reads(machine, call.tool):
            return  # if all fail, that is a limit
        if refusal(machine, state, call) is not None:
            return
        arguments = read_arguments(machine.tools[call.tool], call.arguments, machine.rules)
        if isinstance(arguments, Refused):
            return
        yield RunTool("", call.tool, arguments, call.id)
        before = call.tool


def _only_reads(machine: Machine, tool: str) -> bool:
    found = machine.tools.get(tool)
    return found is not None and found.tool.kind == "read" and not found.tool.confirm
