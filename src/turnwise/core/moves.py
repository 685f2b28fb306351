"""Moving: leaving one node and entering another, with all that belongs to it, or not at all (law 2.9)."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.accept import accept
from turnwise.core.events import Ended, FieldCleared, FieldSet, FormClosed, Moved, Said
from turnwise.core.forms.opening import open_form
from turnwise.core.guards.env import GuardFault
from turnwise.core.machine import Candidate, Write
from turnwise.core.turn import Turn
from turnwise.core.values import Refused


def move(turn: Turn, candidate: Candidate, because: str) -> str:
    """Take a transition. Gives the reason where a write was refused: then nothing happened."""
    mark = turn.mark()
    source, target = turn.node, turn.machine.nodes[candidate.target]
    refused = write_all(turn, (*candidate.writes, *source.writes_on_leave))
    if not refused:
        form = turn.state.frame.form
        if form is not None and form.status in ("confirmed", "handed_off"):
            turn.emit(FormClosed(turn.state.node, form.status))
        turn.emit(Moved(turn.state.node, target.node.name, candidate.id, because))
        refused = enter(turn)
    if refused:
        turn.back_to(mark)
    return refused


def enter_late(turn: Turn) -> str:
    """Enter the first node, which could not be entered when the conversation began. Gives a refusal."""
    mark, node = turn.mark(), turn.state.node
    turn.emit(Moved(node, node, "", "it could not be entered before"))
    refused = enter(turn)
    if refused:
        turn.back_to(mark)
    return refused


def end(turn: Turn, candidate: Candidate, outcome: str) -> str:
    """End by a transition, with its writes. Gives the reason where one was refused: then nothing happened."""
    mark = turn.mark()
    refused = write_all(turn, candidate.writes)
    if refused:
        turn.back_to(mark)
    else:
        turn.emit(Ended(outcome))
    return refused


def enter(turn: Turn) -> str:
    """What entering the node in charge does: its writes, its form, its entry text. Gives a refusal."""
    node = turn.node
    refused = write_all(turn, node.writes)
    if refused:
        return refused
    if node.entry is not None and node.work != "prompt":
        turn.emit(Said(node.entry(turn.env), "entry"))
    if node.form is not None:
        open_form(turn, node.form)
    return ""


def write_all(turn: Turn, writes: Iterable[Write]) -> str:
    """Write fields in order, each checked as any other value; gives the reason of a refusal."""
    for write in writes:
        try:
            value = write.value(turn.env)
        except (GuardFault, OverflowError) as error:
            return f"{write.address}: {error}"
        if value is None or (isinstance(value, str) and not value.strip()):
            if write.address in turn.state.values:
                turn.emit(FieldCleared(write.address, "set"))
            continue
        stored = accept(turn.machine, turn.state, write.address, value)
        if isinstance(stored, Refused):
            return f"{write.address}: {stored.text}"
        turn.emit(FieldSet(write.address, stored, "set"))
    return ""
