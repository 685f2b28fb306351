"""Checks that the entries of an imported file fit its flows, so that no later turn or explanation fails on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from turnwise.core.decision.judge import ERROR, FALSE, TAKEN
from turnwise.core.explain.decision import explain
from turnwise.core.machine import Machine
from turnwise.core.migration.carry import carry_state
from turnwise.core.state import FORMAT, Frame, Place, State
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.state.fold import fold
from turnwise.core.state.kinds import Letter
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.core.state.read_lists import misread_lists
from turnwise.core.step.receive import MACHINE_TIMERS
from turnwise.core.values import REDACTED, Refused, read_value
from turnwise.core.zones import is_zone
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field, Moment
from turnwise.runner.clocks import LATEST_MS

LETTERS = "".join(get_args(Letter))
"""The letters of outcomes in a `Decided`."""
_EXACT = ("integer", "number", "boolean", "choice", "list")
_MOMENTS: tuple[str, ...] = get_args(Moment)


class Misfit(Exception):
    """An imported entry does not fit the flow; the message says which entry, and why."""


def check_fit(entries: Iterable[e.Entry], machines: Mapping[str, Machine]) -> None:
    """Raise `Misfit` for the first entry that does not fit its flow; `machines` has the flows by fingerprint."""
    state: State | None = None
    for entry in entries:
        if state is None and isinstance(entry.event, e.Erased):
            continue
        try:
            found = next(_misfits_of_fold(state, entry, machines), None)
            state = fold(state, entry)
        except Exception as error:  # noqa: BLE001  what somebody else wrote may break in any way
            found = f"it does not fit its flow: {type(error).__name__}: {error}"
        if found is not None:
            kind = entry.event.__struct_config__.tag
            raise Misfit(f"entry {entry.seq} ({kind}) does not fit: {' '.join(found.split())}")


def _misfits_of_fold(before: State | None, entry: e.Entry, machines: Mapping[str, Machine]) -> Iterator[str]:
    """Yield what does not fit in one entry, and in the state to which it leads."""
    after = fold(before, entry)
    if after.fingerprint not in machines:
        yield f"the flow with fingerprint {after.fingerprint} is missing"
        return
    machine = machines[after.fingerprint].for_conversation(after)
    earliest = before.at_ms if before is not None else 0
    if not earliest <= entry.at_ms <= LATEST_MS:
        yield f"its time {entry.at_ms} is before the entry that precedes it, or no time of a calendar"
    last = before.turn if before is not None else entry.turn
    if after.turn != entry.turn or entry.turn not in (last, last + 1):
        yield f"it says turn {entry.turn} after turn {last}"
    yield from _misfits_of_event(machine, before, after, entry)
    yield from _misfits_of_place(after, getattr(entry.event, "place", None))
    if after.doing is None and (before is None or before.doing is not None or isinstance(entry.event, _STATES)):
        yield from misfits_of_state(machine, after)


_STATES = e.Snapshot | e.Migrated


# events ------------------------------------------------------------------------------------------


def _unknown_nodes(machine: Machine, event: e.Moved | e.ScopeOpened | e.Offered) -> Iterator[str]:
    """Yield the nodes that an event names and that there are not; a scope is named as its node."""
    match event:
        case e.Moved(source=source, target=target):
            names = (source, target)
        case e.ScopeOpened(scope=scope, node=node):
            names = (scope, node)
        case e.Offered(scope=scope):
            names = (scope,)
    for name in names:
        yield from _unknown("node", name, machine.nodes)


def _misfits_of_event(machine: Machine, before: State | None, state: State, entry: e.Entry) -> Iterator[str]:
    match entry.event:
        case e.Started(node=node):
            yield from _unknown("node", node, machine.nodes)
            yield from _misfits_of_head(machine, state)
        case e.FieldSet(field=field, value=value):
            yield from _misfits_of_value(machine, field, value)
        case (
            e.FieldCleared(field=field)
            | e.FieldShelved(field=field)
            | e.FieldRevived(field=field)
            | e.NothingSet(field=field)
        ):
            yield from _unknown("field", field, machine.fields)
        case e.Moved() | e.ScopeOpened() | e.Offered() as named:
            yield from _unknown_nodes(machine, named)
        case e.Decided() as decided:
            yield from _misfits_of_decision(machine, before, entry, decided)
        case e.EffectAsked(effect=RunTool(tool=tool)) | e.CallHeld(tool=tool):
            yield from _unknown("tool", tool, machine.tools)
        case e.Undone(to=to, state=then) if not 0 <= to < state.turn or then.doing is not None:
            yield f"it goes back to turn {to} in turn {state.turn}"
        case e.StateRecalled(state=State() as then) | e.Undone(state=then):
            if then.fingerprint == machine.fingerprint:
                yield from misfits_of_state(machine, then)
        case _:
            pass


def _misfits_of_decision(machine: Machine, state: State | None, entry: e.Entry, decided: e.Decided) -> Iterator[str]:
    yield from _unknown("node", decided.node, machine.nodes)
    if decided.moment not in _MOMENTS:
        yield f"there is no moment '{decided.moment}'"
        return
    moment: Any = decided.moment
    candidates = machine.candidates(decided.node, moment)
    count = len(candidates.all)
    if len(decided.outcomes) != count or set(decided.outcomes) - set(LETTERS):
        yield f"'{decided.outcomes}' does not say what came of {count} candidates"
    if not -1 <= decided.taken < count:
        yield f"candidate {decided.taken} was taken, and there are {count}"
    if decided.outcomes.count(TAKEN) > 1 or (decided.taken >= 0 and decided.outcomes[decided.taken] in FALSE + ERROR):
        yield f"'{decided.outcomes}' does not say that candidate {decided.taken} was taken"
    if decided.reads and len(decided.reads) != len(candidates.keys):
        yield f"it has {len(decided.reads)} values for {len(candidates.keys)} names"
    for run in decided.code:
        yield from _unknown("Python guard", run.guard, machine.code)
    for node in decided.marks:
        yield from _unknown("node", node, machine.nodes)
    for transition in decided.calls or ():
        yield from _unknown("transition", transition, [candidate.id for candidate in candidates.all])
    for field in misread_lists(decided, state):
        yield f"it read a list of '{field[:40]}' that its state does not have"
    explain(machine, entry, state=state).to_dict()


# states ------------------------------------------------------------------------------------------


def misfits_of_state(machine: Machine, state: State) -> Iterator[str]:
    """Yield in words each name and value of a state that the flow does not have."""
    machine = machine.for_conversation(state)
    yield from _misfits_of_head(machine, state)
    if state.doing is not None:
        yield "its state is not between two turns"
        return
    for address, value in (*state.values.items(), *state.shelved.items()):
        yield from _misfits_of_value(machine, address, value.value)
        if not (0 <= value.turn <= state.turn and 0 <= value.at_ms <= LATEST_MS):
            yield f"a value was set in turn {value.turn}, at {value.at_ms}"
        yield from _misfits_of_place(state, value.place)
    for frame in state.frames:
        yield from _misfits_of_frame(machine, frame)
    overlays = state.overlays or NO_OVERLAYS
    for forced in (*overlays.forced, *overlays.forced_for_all):
        if not 0 <= forced.at_ms <= LATEST_MS:
            yield f"the overlay '{forced.name}' was forced at {forced.at_ms}, which is no time of a calendar"
    if not 0 <= state.snapshot <= state.seq or not 0 <= state.came_from <= state.turn:
        yield "it goes back to a position or a turn that is still to come"
    yield from (reason.text for reason in carry_state(machine, state, old=machine).reasons)


def _misfits_of_head(machine: Machine, state: State) -> Iterator[str]:
    """Yield the names and numbers of a state that are not those of its flow."""
    said = (state.flow, state.version, state.fingerprint, state.language)
    flow = machine.flow
    for name, one, other in zip(
        ("flow", "version", "fingerprint", "language"),
        said,
        (flow.name, flow.version, machine.fingerprint, machine.for_conversation(state).language.code),
        strict=True,
    ):
        if one != other:
            yield f"its {name} is {one!r}, that of the flow is {other!r}"
    if state.format != FORMAT:
        yield f"its state has format {state.format}"
    if not is_zone(state.time_zone):
        yield f"there is no time zone {state.time_zone!r}"
    yield from _misfits_of_schedules(machine, state)


def _misfits_of_schedules(machine: Machine, state: State) -> Iterator[str]:
    """Yield what is wrong with the schedules of a state."""
    known = state.schedules
    if known is None:
        return
    for one in (*known.armed, *known.instructions):
        yield from _unknown("schedule", one.schedule, machine.schedules)
    times = [at_ms for one in known.armed for at_ms in (one.due_ms, one.at_ms, one.done_ms)]
    if not all(-1 <= at_ms <= LATEST_MS for at_ms in times) or not is_zone(known.zone):
        yield "its schedules are due at a time that there is not"


def _misfits_of_frame(machine: Machine, frame: Frame) -> Iterator[str]:
    yield from _unknown("node", frame.node, machine.nodes)
    if frame.scope is not None:
        yield from _unknown("scope", frame.scope.name, machine.scopes)
    if frame.node not in machine.nodes:
        return
    if frame.visit < 0 or frame.turns < 0 or not 0 <= frame.sequence <= len(machine.nodes[frame.node].toolbox.sequence):
        yield f"it counts what never was in node '{frame.node}'"
    for node in (*frame.visits, *frame.judged, *frame.closed_forms):
        yield from _unknown("node", node, machine.nodes)
    yield from _misfits_of_timers(machine, frame)
    question = frame.question
    if question is not None and question.field:
        is_offer = question.kind == "offer"
        known = machine.scopes if is_offer else machine.fields
        yield from _unknown("scope" if is_offer else "field", question.field, known)
    form, run = machine.nodes[frame.node].form, frame.form
    if run is None or form is None:
        return
    named = (run.asked, run.stopped_at, *run.walk, *run.skipped, *run.misses, *run.suggested)
    for address in named:
        if address:
            yield from _unknown("question", address, form.by_address)
    for address, value in run.suggested.items():
        yield from _misfits_of_value(machine, address, value)


def _misfits_of_timers(machine: Machine, frame: Frame) -> Iterator[str]:
    """Yield what is wrong with the timers of a frame, and with the events that wait for it."""
    for event in frame.held_events:
        yield from _unknown("event", event.name, machine.events)
    for timer in frame.timers:
        yield from _unknown("node", timer.node, machine.nodes)
        if not 0 <= timer.due_ms <= LATEST_MS:
            yield f"the timer '{timer.transition}' is due at {timer.due_ms}, which is no time of a calendar"
        if timer.transition not in MACHINE_TIMERS:
            names = {candidate.id for candidate in machine.candidates(timer.node, "timer").all}
            yield from _unknown("timer", timer.transition, names)


# values ------------------------------------------------------------------------------------------


def _misfits_of_value(machine: Machine, address: str, value: Any) -> Iterator[str]:
    """Yield a value that neither its field nor a form question for it accepts."""
    yield from _unknown("field", address, machine.fields)
    field = machine.fields[address]
    reason = _refusal(machine, field, value)
    if reason is None:
        return
    for node in machine.nodes.values():
        question = node.form.by_address.get(address) if node.form is not None else None
        if question is None:
            continue
        is_own_text = question.form_field.other and isinstance(value, str | list)
        if is_own_text or _refusal(machine, question.field, value) is None:
            return
    yield f"field '{address}' does not take {_shown(field, value)}: {reason}"


def _shown(field: Field, value: Any) -> str:
    """Return a value for a message: cut if it is long, hidden if it is secret."""
    return repr(REDACTED if field.secret else value)[:80]


def _refusal(machine: Machine, field: Field, value: Any) -> str | None:
    """Return why a field cannot have this value, `None` if it can: unchanged, or in its canonical form."""
    kept = read_value(field, value, machine.rules)
    if isinstance(kept, Refused):
        return "it is refused" if field.secret else kept.text
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_kind = (is_number and type(kept) in (int, float)) or type(kept) is type(value)
    if not is_kind or ((field.options or field.type in _EXACT) and kept != value):
        return "it is kept in another form"
    return None


def _misfits_of_place(state: State, place: Place | None) -> Iterator[str]:
    if place is not None and not (0 < place[0] <= state.seq and 0 <= place[1] <= place[2]):
        yield f"there are no words at {place}"


def _unknown(kind: str, name: str, known: Iterable[str]) -> Iterator[str]:
    names = set(known)
    if name not in names:
        hint = nearest(name, names)
        yield f"there is no {kind} '{name}'" + (f"; {hint}" if hint else "")
