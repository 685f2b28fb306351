"""How a turn left a node: by which transition, at which moment, and after which failure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from msgspec import Struct

from turnwise.core.machine import Machine
from turnwise.core.state import Fault
from turnwise.core.state import events as e
from turnwise.flow.model import Moment


class Exit(Struct, frozen=True):
    """A node that a turn left. `moment` is empty where the move was planned in an earlier turn (`reply: next`);
    `target` is empty where the conversation ended in the node.
    """

    node: str
    target: str
    moment: str
    transition: str
    outcome: str = ""
    fault: Fault | None = None

    @property
    def text(self) -> str:
        """The exit in words: `book was left for refused at 'error' by no_booking`."""
        by = f" by {self.transition}" if self.transition else ""
        if not self.target:
            where = f" at `{self.moment}`" if self.moment and self.transition else ""
            return f"the conversation ended in {self.node} ({self.outcome}){where}{by}"
        if not self.moment:
            return f"{self.node} was left for {self.target}{by}, the move that an earlier turn had planned"
        return f"{self.node} was left for {self.target} at `{self.moment}`{by}"

    def before(self, moment: str) -> str:
        """The exit in words, with the failure that it answered; `moment` is one that was therefore not judged."""
        if not self.moment:
            return self.text
        cause = f"; what failed: {_cause(self.fault)}" if self.fault is not None else ""
        judged = f"before `{moment}` was judged" if moment == "after" else f"and `{moment}` was not judged there"
        return f"{self.text}, {judged}{cause}"


def _cause(fault: Fault) -> str:
    return f"{fault.kind} in {fault.tool}" if fault.tool else fault.kind


def exits(machine: Machine, events: Iterable[e.AnyEvent], node: str) -> tuple[Exit, ...]:
    """Every node that some events left, in order; `node` is in charge at first."""
    found: list[Exit] = []
    decided: e.Decided | None = None
    fault: Fault | None = None
    for event in events:
        match event:
            case e.Decided():
                decided = event if event.taken >= 0 else decided
            case e.Faulted():
                fault = event.fault
            case e.Moved(source=source, target=target, transition=transition):
                moment = _moment(machine, decided, transition)
                caught = fault if moment == "error" else None
                found.append(Exit(source, target, moment, transition, fault=caught))
                decided, fault, node = None, None, target
            case e.Undone(state=state) | e.Migrated(state=state):
                node, decided = state.node, None
            case e.Ended(outcome=outcome):
                name = _name(machine, decided)
                moment = decided.moment if decided is not None and name else ""
                found.append(Exit(node, "", moment, name, outcome, fault if moment == "error" else None))
            case _:
                pass
    return tuple(found)


def _moment(machine: Machine, decided: e.Decided | None, transition: str) -> str:
    """Return the moment at which a transition was taken; empty where no decision of these events took it."""
    return decided.moment if decided is not None and _name(machine, decided) == transition else ""


def _name(machine: Machine, decided: e.Decided | None) -> str:
    """Return the transition that a decision took."""
    if decided is None:
        return ""
    return machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken].id
