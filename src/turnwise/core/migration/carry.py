"""Carries a state, with the run of its form, over to another version of the flow, or lists why it does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.addresses import scope_of
from turnwise.core.forms import with_status
from turnwise.core.linked_form import LinkedForm
from turnwise.core.locale import language_for
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.migration import (
    NO_RENAMING,
    Fit,
    MisfitReason,
    Renaming,
    must_finish,
    needs_mapping,
    of_scope,
    worst_fit,
)
from turnwise.core.migration.lists import options_renamed, questions_renamed
from turnwise.core.migration.offers import carried_offers, carried_question
from turnwise.core.schedules.arming import armed_at
from turnwise.core.state import (
    Ended,
    FieldValue,
    ForcedOverlay,
    FormRun,
    Frame,
    OpenScope,
    OverlayState,
    Pending,
    Question,
    State,
    Timer,
    Waiting,
)
from turnwise.core.state.events import Migrated
from turnwise.core.step.receive import MACHINE_TIMERS
from turnwise.core.tools.check_call import read_arguments
from turnwise.core.turn import Step, StepBuilder
from turnwise.core.values import REDACTED, Refused, read_value
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field, Moment


def carried_run(
    form: LinkedForm, run: FormRun, state: State, renaming: Renaming
) -> tuple[FormRun, tuple[MisfitReason, ...]]:
    """Return the progress of a form in the new version, and why it does not fit. `state` has the carried values."""
    reasons = tuple(
        needs_mapping(f"the question for '{address}' is gone")
        for address in dict.fromkeys((run.asked, run.stopped_at))
        if address and renaming.question(address) not in form.by_address
    )
    carried = _renamed(form, run, renaming)
    if reasons or run.status != "awaiting_confirmation":
        return carried, reasons
    return carried, _unconfirmed(form, carried, state)


def _renamed(form: LinkedForm, run: FormRun, renaming: Renaming) -> FormRun:
    def known(addresses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([new for new in map(renaming.question, addresses) if new in form.by_address])

    return replace(
        run,
        asked=renaming.question(run.asked) if run.asked else "",
        stopped_at=renaming.question(run.stopped_at) if run.stopped_at else "",
        walk=known(run.walk),
        skipped=known(run.skipped),
        misses={renaming.question(address): count for address, count in run.misses.items()},
        suggested={
            renaming.question(address): value
            for address, value in run.suggested.items()
            if renaming.question(address) in form.by_address
        },
    )


def _unconfirmed(form: LinkedForm, run: FormRun, state: State) -> tuple[MisfitReason, ...]:
    """Return why answers that are being confirmed could not be confirmed in the new form."""
    now = with_status(form, run, state)
    if now.status == "awaiting_confirmation" or (run.editing == "chooser" and form.form.confirm is not None):
        return ()
    if now.status == "collecting":
        return (must_finish(f"its answers are being confirmed, and '{now.asked}' would have to be asked first"),)
    if now.status == "stopped":
        return (must_finish(f"its answers are being confirmed, and the one to '{now.stopped_at}' would end it"),)
    return (must_finish("its answers are being confirmed, and the form does not ask for that any more"),)


class Carried(Struct, frozen=True):
    """A state carried over to a new version of its flow, and the reasons why it does not fit."""

    state: State
    """The state as the new version has it."""
    reasons: tuple[MisfitReason, ...] = ()
    """Why the state does not fit; empty if it does."""

    @property
    def fit(self) -> Fit:
        """The worst verdict of the reasons: whether the state fits the new version."""
        return worst_fit(self.reasons)


def carry_state(
    machine: Machine, state: State, renaming: Renaming = NO_RENAMING, *, old: Machine | None = None, at_ms: int = 0
) -> Carried:
    """Return a state, between two turns, as another version of its flow has it at `at_ms`. `old` is the machine that it
    comes from; without it every `enter_when` counts as never judged.
    """
    assert state.doing is None, "a turn is under way"
    return _Carrying(machine, state, renaming, old).run(max(at_ms, state.at_ms))


def record_migration(machine: Machine, state: State, event: Migrated, at_ms: int) -> Step:
    """Record that a conversation continues with this version, as a turn in which nothing is sent."""
    step = StepBuilder(machine, state, max(at_ms, state.at_ms), state.turn + 1)
    step.emit(event)
    return step.result()


class _Carrying:
    """One state that is being carried over."""

    def __init__(self, machine: Machine, state: State, renaming: Renaming, old: Machine | None) -> None:
        lists = self.lists = questions_renamed(state.question_lists, renaming)
        self.options = options_renamed(machine, state.option_lists, renaming)
        self.machine = machine.for_conversation(replace(state, question_lists=lists, option_lists=self.options))
        self.old = old.for_conversation(state) if old is not None else None
        self.state = state
        self.renaming = renaming
        self.reasons: list[MisfitReason] = []

    def run(self, at_ms: int) -> Carried:
        state, machine = self.state, self.machine
        values = self.values(state.values)
        carried = replace(
            state,
            version=machine.flow.version,
            fingerprint=machine.fingerprint,
            seq=state.seq + 1,
            turn=state.turn + 1,
            at_ms=at_ms,
            language=language_for(machine, values),
            values=values,
            shelved=self.values(state.shelved),
            question_lists=self.lists,
            option_lists=self.options,
            overlays=self.overlays(),
            offers=carried_offers(machine, state, self.renaming) if state.offers else (),
        )
        *outer, frame = [_CarryingFrame(self, frame, carried).run() for frame in state.frames]
        if frame.question is None and state.question is not None and isinstance(state.status, Waiting):
            carried = replace(carried, status=replace(state.status, what="message"))
        carried = replace(carried, frame=frame, outer=tuple(outer))
        if machine.schedules or state.schedules is not None:
            carried = self.with_schedules(carried, at_ms)
        return Carried(carried, tuple(dict.fromkeys(self.reasons)))

    def with_schedules(self, carried: State, at_ms: int) -> State:
        """Return the state with the schedules of the new version: those that are new are due from now on."""
        if not self.machine.schedules or isinstance(carried.status, Ended):
            return replace(carried, schedules=None)
        said_ms = carried.schedules.said_ms if carried.schedules is not None else at_ms
        return replace(carried, schedules=armed_at(self.machine, carried, at_ms, said_ms, is_new=True))

    def overlays(self) -> OverlayState | None:
        """Return the overlays under their new names, without those that the new version does not have."""
        found, named = self.state.overlays, self.renaming.overlays
        if found is None:
            return None

        def known(forced: tuple[ForcedOverlay, ...]) -> tuple[ForcedOverlay, ...]:
            renamed = [replace(one, name=named.get(one.name, one.name)) for one in forced]
            return tuple([one for one in renamed if one.name in self.machine.overlays])

        return replace(
            found,
            active=tuple([named.get(name, name) for name in found.active]),
            forced=known(found.forced),
            forced_for_all=known(found.forced_for_all),
        )

    # fields ----------------------------------------------------------------------------------

    def values(self, values: dict[str, FieldValue]) -> dict[str, FieldValue]:
        """Return the values at their new addresses, in the stored form of their fields."""
        found: dict[str, FieldValue] = {}
        for address, value in values.items():
            target = self.renaming.field(address)
            if not target:
                continue
            if target in found:
                self.reasons.append(needs_mapping(f"two values would go to '{target}'"))
            kept = self.value(address, target, value)
            if kept is not None:
                found[target] = kept
        return found

    def value(self, address: str, target: str, value: FieldValue) -> FieldValue | None:
        field = self.machine.fields.get(target)
        if field is None:
            hint = nearest(target, self.machine.fields)
            self.reasons.append(
                needs_mapping(_with(f"'{address}' has a value, and there is no field '{target}'", hint))
            )
            return None
        nodes = [frame.node for frame in self.state.frames]
        if self.was_taken(_asked(self.old, nodes, address), value.value):
            field = _asked(self.machine, map(self.renaming.node, nodes), target) or field
        kept = read_value(field, value.value, self.machine.rules)
        if not isinstance(kept, Refused):
            return replace(value, value=kept)
        known = self.old.fields.get(address) if self.old is not None else None
        if known is not None and not self.was_taken(known, value.value) and known.type == field.type:
            return value  # a text of one's own beside the options, which no field reads anew
        shown: Any = REDACTED if field.secret else value.value
        self.reasons.append(must_finish(f"'{target}' does not take {shown!r}: {kept.text}"))
        return None

    def was_taken(self, field: Field | None, value: Any) -> bool:
        """True if a field of the old version accepts a value, or if there is no old version."""
        if self.old is None:
            return True
        return field is not None and not isinstance(read_value(field, value, self.old.rules), Refused)


class _CarryingFrame:
    """One frame of a state that is being carried over. `carried` is the state with the carried values."""

    def __init__(self, carrying: _Carrying, frame: Frame, carried: State) -> None:
        self.old, self.machine = carrying.old, carrying.machine
        self.renaming = carrying.renaming
        self.reasons = carrying.reasons
        self.frame = frame
        self.carried = carried
        self.name = carrying.renaming.node(frame.node)
        self.node = carrying.machine.nodes.get(self.name)

    def run(self) -> Frame:
        """Return the frame in its node of the new version."""
        frame, node, new = self.frame, self.node, self.renaming.node
        if node is None:
            hint = nearest(self.name, self.machine.nodes)
            self.reasons.append(needs_mapping(_with(f"there is no node '{self.name}'", hint)))
        found = replace(
            frame,
            visits=_merged(frame.visits, new),
            judged=self.judged(),
            decided={},
            closed_forms={new(one): status for one, status in frame.closed_forms.items()},
            last_field=self.renaming.question(frame.last_field),
            form=self.form(node) if node is not None else frame.form,
            node=self.name if node is not None else frame.node,
            pending=self.pending(),
            timers=self.timers(),
            question=self.question(),
            scope=self.scope(),
        )
        self.check_held()
        self.check_events()
        person = frame.person
        if person is not None and person.is_work and node is not None and node.person is None:
            self.reasons.append(must_finish(f"a person of the queue '{person.queue}' is its work, and that is gone"))
        return found

    def form(self, node: LinkedNode) -> FormRun | None:
        """Return the run of the frame's form in a node of the new version, which must have the same work."""
        frame = self.frame
        if not frame.visit:
            return frame.form  # it could not be entered yet, and will be anew
        if (frame.form is None) != (node.form is None):
            there = "has no form any more" if node.form is None else "has a form now, which was never opened"
            self.reasons.append(must_finish(f"'{self.name}' {there}"))
            return frame.form
        was = self.old.nodes.get(frame.node) if self.old is not None else None
        if frame.sequence and was is not None and was.toolbox.sequence != node.toolbox.sequence:
            self.reasons.append(must_finish(f"'{self.name}' demands tools in another order, and some were used"))
        if frame.form is None or node.form is None:
            return frame.form
        if frame.form.answers and self.renaming.question(frame.form.answers) != node.form.answers:
            self.reasons.append(must_finish(f"the form of '{self.name}' does not take answers in the same field"))
            return frame.form
        run, reasons = carried_run(node.form, frame.form, replace(self.carried, frame=self.frame), self.renaming)
        self.reasons += reasons
        return replace(run, answers=node.form.answers) if run.answers else run

    def scope(self) -> OpenScope | None:
        """Return the scope that the frame is, under its new name; its node must stand in it, as before."""
        scope = self.frame.scope
        if scope is None:
            return None
        name = self.renaming.node(scope.name)
        known = self.old.scopes.get(scope.name) if self.old is not None else None
        if known is not None:
            self.reasons += of_scope(known, self.machine, self.renaming)
        elif name not in self.machine.scopes:
            self.reasons.append(needs_mapping(f"there is no scope '{name}'"))
        if scope_of(self.name) != name:
            self.reasons.append(needs_mapping(f"'{self.name}' does not stand in the scope '{name}'"))
        return replace(scope, name=name)

    def pending(self) -> Pending | None:
        """Return the planned move; the new version must have it."""
        pending = self.frame.pending
        if pending is None:
            return None
        target = self.renaming.node(pending.target)
        ways = self.ways(self.frame.node, "after")
        if ways is not None and (pending.transition, target) not in ways:
            self.reasons.append(must_finish(f"the move by '{pending.transition}' was planned, and is gone"))
        return replace(pending, target=target)

    def timers(self) -> tuple[Timer, ...]:
        """Return the armed timers; the new version must have their transitions, except that of an autonomous run."""
        for timer in self.frame.timers:
            if timer.transition in MACHINE_TIMERS:
                continue
            ways = self.ways(timer.node, "timer")
            if ways is not None and timer.transition not in {name for name, _ in ways}:
                self.reasons.append(must_finish(f"the timer '{timer.transition}' is armed, and is gone"))
        return tuple([replace(timer, node=self.renaming.node(timer.node)) for timer in self.frame.timers])

    def question(self) -> Question | None:
        """Return the open question under its new name."""
        question = self.frame.question
        if question is None or not question.field:
            return question
        if question.kind == "offer":
            return carried_question(question, self.frame, self.carried, self.renaming)
        return replace(question, field=self.renaming.question(question.field))

    def judged(self) -> dict[str, int]:
        """Return the marks of those `enter_when` that are unchanged."""
        old = self.old
        if old is None:
            return {}
        new = self.renaming.node
        return {
            new(node): mark
            for node, mark in self.frame.judged.items()
            if node in old.nodes
            and new(node) in self.machine.nodes
            and old.nodes[node].node.enter_when == self.machine.nodes[new(node)].node.enter_when
        }

    def check_held(self) -> None:
        """Check that the calls waiting for approval are the same calls in the new version."""
        for request in self.frame.waiting_calls:
            tool = self.machine.tools.get(request.tool)
            if tool is None or read_arguments(tool, request.arguments, self.machine.rules) != request.arguments:
                self.reasons.append(must_finish(f"a call of '{request.tool}' waits for consent, and could not be made"))
            elif tool.tool.approver != request.approver:
                self.reasons.append(must_finish(f"a call of '{request.tool}' waits, and another one approves it now"))

    def check_events(self) -> None:
        """Check that the events of other systems that wait are events of the new version, with the same data."""
        for event in self.frame.held_events:
            declared = self.machine.events.get(event.name)
            if declared is None or read_arguments(declared, event.data, self.machine.rules) != event.data:
                self.reasons.append(must_finish(f"the event '{event.name}' waits, and could not be judged"))

    def ways(self, node: str, moment: Moment) -> set[tuple[str, str]] | None:
        """Return the names and targets of the candidates at a node and moment of the new version; `None` if it has no
        such node, which is reported elsewhere.
        """
        name = self.renaming.node(node)
        if name not in self.machine.nodes:
            return None
        return {(candidate.id, candidate.target) for candidate in self.machine.candidates(name, moment).all}


def _asked(machine: Machine | None, nodes: Iterable[str], address: str) -> Field | None:
    """Return a field as the form of one of the nodes asks for it; `None` if none does."""
    if machine is None:
        return None
    forms = (machine.nodes[node].form for node in nodes if node in machine.nodes)
    questions = (form.by_address.get(address) for form in forms if form is not None)
    return next((question.field for question in questions if question is not None), None)


def _merged(visits: dict[str, int], new: Callable[[str], str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for node, count in visits.items():
        found[new(node)] = found.get(new(node), 0) + count
    return found


def _with(text: str, hint: str) -> str:
    return f"{text}; {hint}" if hint else text
