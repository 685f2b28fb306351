"""Moves a conversation from one node to another, atomically (law 2.9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from turnwise.core.candidates import Candidate, Write
from turnwise.core.commands import accept
from turnwise.core.decision.dropped import drop_held
from turnwise.core.decision.faults import write_fault
from turnwise.core.forms import open_form
from turnwise.core.forms.questions import fix_questions
from turnwise.core.guards import GuardFault
from turnwise.core.state import Fault
from turnwise.core.state.events import FieldCleared, FieldSet, FormClosed, Moved, NothingSet, Said
from turnwise.core.turn import StepBuilder, TextRefused
from turnwise.core.values import Refused


def move(step: StepBuilder, candidate: Candidate, because: str) -> Fault | None:
    """Take a transition to another node; return the failure if a write was refused, so that nothing changed. `because`
    is the reason that is recorded with the move; empty for none.
    """
    mark = step.savepoint()
    source, target = step.node, step.machine.nodes[candidate.target]
    writes = (*candidate.writes, *source.writes_on_leave)
    refused = write_all(step, writes) if writes else None
    if refused is None:
        form = step.state.frame.form
        if form is not None and form.status in ("confirmed", "handed_off"):
            step.emit(FormClosed(step.state.frame.node, form.status))
        if step.state.frame.waiting_calls:
            drop_held(step, f"'{candidate.id}' moved the conversation to '{target.node.name}' first")
        note = "" if candidate.note is None else note_of_transition(step, candidate)
        if type(note) is Fault:
            refused = note
        else:
            step.emit(Moved(step.state.frame.node, target.node.name, candidate.id, because, note))
            refused = enter(step)
    if refused is not None:
        step.roll_back_to(mark)
        return replace(refused, transition=candidate.id)
    return None


def note_of_transition(step: StepBuilder, candidate: Candidate) -> str | Fault:
    """Return the text that a transition passes to the target's model, or the failure if it requires a missing value."""
    if candidate.note is None:
        return ""
    try:
        return step.fill(candidate.note)[: step.machine.flow.limits.strings]
    except TextRefused as refusal:
        return refusal.fault


def enter_late(step: StepBuilder) -> Fault | None:
    """Enter the first node, if that failed when the conversation began; return the failure, `None` if it succeeds."""
    mark, node = step.savepoint(), step.state.frame.node
    step.emit(Moved(node, node, "", "it could not be entered before"))
    refused = enter(step)
    if refused is not None:
        step.roll_back_to(mark)
    return refused


def prepare_end(step: StepBuilder, candidate: Candidate) -> Fault | None:
    """Make the writes of a transition that ends the conversation or a scope; return the failure if one was refused.
    Then nothing has changed; else the calls that wait are dropped.
    """
    mark = step.savepoint()
    refused = write_all(step, candidate.writes)
    if refused is not None:
        step.roll_back_to(mark)
        return replace(refused, transition=candidate.id)
    if step.state.frame.waiting_calls:
        drop_held(step, f"'{candidate.id}' ended the conversation first")
    return None


def leave(step: StepBuilder) -> Fault | None:
    """Make the writes of a node that is left without a move; return the failure if one was refused. Then nothing has
    changed.
    """
    writes = step.node.writes_on_leave
    if not writes:
        return None
    mark = step.savepoint()
    refused = write_all(step, writes)
    if refused is not None:
        step.roll_back_to(mark)
    return refused


def enter(step: StepBuilder) -> Fault | None:
    """Enter the current node: make its writes, send its entry text, open its form; return the failure, if any."""
    node = step.node
    refused = write_all(step, node.writes) if node.writes else None
    if refused is not None:
        return refused
    if node.entry is not None and node.work != "prompt":
        try:
            step.emit(Said(step.fill(node.entry), "entry"))
        except TextRefused as refusal:
            return refusal.fault
    if node.form is None:
        return None
    if node.form.source:
        refused = fix_questions(step, node.form)
        if refused is not None:
            return refused
    assert step.node.form is not None
    open_form(step, step.node.form)
    return None


def write_all(step: StepBuilder, writes: Iterable[Write]) -> Fault | None:
    """Write fields in order, each value validated; return the first failure, `None` if all succeed."""
    for write in writes:
        value = computed_value(step, write)
        if type(value) is Fault:
            return value
        if value is None or (isinstance(value, str) and not value.strip()):
            missing = _missing(step, write) if value is None else ()
            had_value = write.address in step.state.values
            if missing:
                step.emit(NothingSet(write.address, missing, had_value))
            if had_value or not missing:
                step.emit(FieldCleared(write.address, "set"))
            continue
        stored = canonical_value(step, write, value)
        if type(stored) is Fault:
            return stored
        step.emit(FieldSet(write.address, stored, "set"))
    return None


def computed_value(step: StepBuilder, write: Write) -> Any | Fault:
    """Return the value that a write computes, `None` if it has no value, or the failure."""
    try:
        return write.value(step.env)
    except (GuardFault, OverflowError) as error:
        return Fault("write", f"{write.address}: {error}", subject=write.address, at=write.span.line_text)


def input_of(step: StepBuilder, given: Iterable[Write]) -> dict[str, Any] | Fault:
    """Return the input of a scope by address, as the writes `given` compute it, without inputs that have no value; or
    the first failure.
    """
    found: dict[str, Any] = {}
    for write in given:
        value = computed_value(step, write)
        stored = value if value is None or isinstance(value, Fault) else canonical_value(step, write, value)
        if isinstance(stored, Fault):
            return stored
        if stored is not None:
            found[write.address] = stored
    return found


def canonical_value(step: StepBuilder, write: Write, value: Any) -> Any | Fault:
    """Return the value that a write computed in the form in which its field stores it, or the failure if the field
    refuses it.
    """
    stored = accept(step.machine, step.state, write.address, value)
    if type(stored) is Refused:
        return write_fault(step.machine, step.state, write.address, value, stored, write=write)
    return stored


def _missing(step: StepBuilder, write: Write) -> tuple[str, ...]:
    """Return the names that a `set` reads and that have no value."""
    env = step.env
    return tuple(ref.key for ref in write.reads if ref.value(env) is None)
