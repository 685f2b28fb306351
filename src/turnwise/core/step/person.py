"""Turns with a person (law 6.10): the wait, the time in which an operator is in charge, and the way back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.commands.reasons import may_ask_why, reason_for_wait
from turnwise.core.decision import act_on, decide, fail
from turnwise.core.decision.dropped import drop_held
from turnwise.core.decision.judge import decided_event, judge, judgement_by_person
from turnwise.core.decision.moves import enter_late, leave
from turnwise.core.forms import messages as forms
from turnwise.core.handover import await_person, transition_named, transitions_at
from turnwise.core.machine import LinkedPerson, Machine
from turnwise.core.state import Person, State
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.tools import calls, consent
from turnwise.core.turn import Phase, Refusal, StepBuilder
from turnwise.core.values import REDACTED
from turnwise.flow.diagnostic import LONGEST_SHOWN, MOST_REPORTED, nearest


def waits_for_give_back(before: State, event: e.OutsideEvent) -> bool:
    """Return whether the machine does nothing in a turn, since an operator is in charge. `before` is the state before
    the event.
    """
    is_in_charge = before.frame.person is not None and bool(before.frame.person.operator)
    return is_in_charge or isinstance(event, e.TakenOver)


def begin(step: StepBuilder, before: State, event: e.OutsideEvent) -> Phase | None:
    """Begin a turn with a person awaited, in charge or acting; return `None` for any other turn. `before` is the state
    before the event. While an operator is in charge nothing is interpreted and nothing is judged.
    """
    person = before.frame.person
    match event:
        case e.TakenOver() | e.OperatorSaid():
            return Phase.FINISH
        case e.GivenBack():
            return _give_back(step, event, is_work=person is not None and person.is_work)
        case e.UndoAsked() | e.EventReceived():
            return None
        case _ if person is None:
            return None
        case _ if person.operator:
            return _in_charge(step, person, event)
        case _:
            return _in_queue(step, person, event)


def _in_charge(step: StepBuilder, person: Person, event: e.OutsideEvent) -> Phase:
    """Record an event while an operator is in charge; the values and results that the host sends are set."""
    if isinstance(event, e.Commands):
        apply(step, event.commands)
    elif isinstance(event, e.ToolUsed):
        return calls.tool_reported(step, event)
    elif isinstance(event, e.TimerFired):
        step.warn("late", f"{person.operator} is in charge")
    return Phase.FINISH


def _in_queue(step: StepBuilder, person: Person, event: e.OutsideEvent) -> Phase | None:
    """Begin a turn while a person is awaited: a message is not understood, and `before` is judged."""
    match event:
        case e.TimerFired(timer, due_ms=due_ms) if timer == PERSON_TIMEOUT and due_ms in (None, person.due_ms):
            return _wait_ended(step, person)
        case e.Commands(commands):
            apply(step, commands)
            return Phase.BEFORE
        case e.UserSaid() | e.UserChose():
            return Phase.BEFORE
        case _:
            return None


def wait(step: StepBuilder, work: LinkedPerson | None) -> Phase:
    """Wait for a person: send the waiting text, once and in reply to each message; return the next phase. `work` is the
    handover that is the node's own work, which begins the wait; `None` where a person is awaited already. The reason is
    added where the user asks why.
    """
    if work is not None and step.state.frame.person is None:
        await_person(step, work, is_work=True)
    begins = any(isinstance(entry.event, e.PersonAwaited) for entry in step.entries)
    has_entry = work is not None and step.node.entry is not None
    if begins and not has_entry:
        step.say(step.machine.language.text("person_awaited"), "person")
    elif not begins and step.doing.kind in ("said", "chose"):
        passed_on = step.machine.language.text("person_waiting")
        asks = may_ask_why(step.machine, step.doing.message or "")
        step.say(f"{passed_on} {reason_for_wait(step.machine, step.state) if asks else ''}".rstrip(), "person")
    return Phase.FINISH


def _wait_ended(step: StepBuilder, person: Person) -> Phase:
    """The wait has ended: a `timer` transition of the node is taken, else the machine says so and goes on."""
    if person.is_work:
        phase = decide(step, "timer", firing=PERSON_TIMEOUT, on_stay=Phase.WORK)
        if phase is Phase.WORK and step.state.frame.person is not None:  # `stay`: it waits as long again
            assert step.node.person is not None
            await_person(step, step.node.person, is_work=True)
            return Phase.FINISH
        if phase is not None:
            return phase
    step.emit(e.NobodyCame(person.queue))
    step.say(step.machine.language.text("nobody_came"), "person")
    return _go_on(step, is_work=person.is_work)


# the way back ------------------------------------------------------------------------------------


def _give_back(step: StepBuilder, event: e.GivenBack, *, is_work: bool) -> Phase:
    """Set the fields, end the person's work, and act on what the operator chose, or judge as usual."""
    apply(step, _commands_of(event), is_operator=True)
    refused = None if step.state.frame.visit else enter_late(step)
    if refused is not None:
        return fail(step, refused)
    if is_work:
        step.emit(e.WorkDone(step.state.frame.node))
    if event.end:
        refused = leave(step)
        if refused is not None:
            return fail(step, refused)
        drop_held(step, "a person ended the conversation first")
        step.emit(e.Ended(event.end))
        return Phase.FINISH
    phase = _take(step, event) if event.transition else calls.judge_held(step)
    if phase is None and not event.transition:
        phase = decide(step, "before", on_stay=Phase.WORK)
    return _go_on(step, is_work=is_work) if phase is None else phase


def _go_on(step: StepBuilder, *, is_work: bool) -> Phase:
    """Continue after the person's work, or at the interrupted node with its question.

    Where its work was done in this visit before, `after` is judged first: what the person agreed on may lead on.
    """
    if is_work:
        return Phase.AFTER if step.state.frame.is_work_done else _done(step)
    if step.state.frame.awaiting_approval is not None:
        return consent.ask_again(step)
    if step.node.work == "prompt" and step.state.frame.is_work_done and step.state.frame.pending is None:
        return decide(step, "after", on_stay=Phase.WORK) or Phase.WORK
    return Phase.WORK


def _done(step: StepBuilder) -> Phase:
    step.emit(e.WorkDone(step.state.frame.node))
    return Phase.AFTER


def _take(step: StepBuilder, event: e.GivenBack) -> Phase | None:
    """Take a transition by its name, whatever its guard says; the decision records the operator and the reason."""
    found = transition_named(step.machine, step.state.frame.node, event.transition)
    assert found is not None, "an unknown transition is refused before the turn"
    moment, index = found
    candidates = step.machine.candidates(step.state.frame.node, moment)
    firing = event.transition if moment == "timer" else ""
    judged = judge(candidates, step.env, step.machine, step.state, firing)
    judgement = judgement_by_person(judged, candidates, index, step.env, step.state)
    step.raised += judgement.raised
    decided = decided_event(judgement, candidates, moment, step.state)
    decided = replace(decided, operator=event.operator, because=event.reason)
    return act_on(step, moment, candidates.all[index], decided, Phase.WORK)


def apply(step: StepBuilder, commands: tuple[c.AnyCommand, ...], *, is_operator: bool = False) -> None:
    """Apply commands of the host program, or of an operator if `is_operator`, at the node in charge, like those of a
    user.
    """
    form, run, how = step.node.form, step.state.frame.form, "operator" if is_operator else "command"
    if not commands:
        return
    if form is not None and run is not None:
        forms.apply_commands(step, form, run, commands, how)
    else:
        CommandInterpreter(step, how).apply_all(commands)


def _commands_of(event: e.GivenBack) -> tuple[c.AnyCommand, ...]:
    return tuple(
        [
            c.Clear(field=field) if value is None else c.Set(value=value, field=field)
            for field, value in event.set.items()
        ]
    )


# what is refused ---------------------------------------------------------------------------------


def refuse_taken_over(state: State, operator: str, instead_of: str) -> Refusal | None:
    """Return the refusal of an operator who takes over without a name, or from a person whom `instead_of` does not
    name; else `None`.
    """
    if not operator:
        return Refusal("arguments", "an operator needs a name")
    if instead_of:
        return refuse_operator(state, instead_of)
    has = state.frame.person.operator if state.frame.person is not None else ""
    return Refusal("taken_over", f"{has} has taken this conversation over already") if has else None


def refuse_operator(state: State, operator: str) -> Refusal | None:
    """Return the refusal of an operator's act if that operator is not in charge; else `None`."""
    person = state.frame.person
    if person is None or not person.operator:
        return Refusal("no_person", "no person is in charge of this conversation: take it over first")
    if operator and operator != person.operator:
        return Refusal("taken_over", f"{person.operator} is in charge of this conversation, not {operator}")
    return None


def refuse_given_back(machine: Machine, state: State, event: e.GivenBack) -> Refusal | None:
    """Return the refusal to give back with an unknown transition or field or a refused value; else `None`."""
    if event.transition and event.end:
        return Refusal("arguments", "a conversation is given back with a transition, or ends: not both")
    unknown = [field for field in event.set if field not in machine.fields]
    if unknown:
        return refuse_unknown(machine, unknown)
    if event.transition and transition_named(machine, state.frame.node, event.transition) is None:
        known = [one.id for one in transitions_at(machine, state.frame.node)]
        hint = nearest(event.transition, known) if known else "it has none"
        return Refusal(
            "unknown_transition",
            f"'{state.frame.node}' has no transition '{event.transition[:LONGEST_SHOWN]}'; {hint}".rstrip("; "),
        )
    return _refuse_values(machine, state, event) if event.set else None


def _refuse_values(machine: Machine, state: State, event: e.GivenBack) -> Refusal | None:
    """Refuse values as their fields would; the trial changes nothing."""
    trial = StepBuilder(machine, state, state.at_ms, state.turn + 1)
    trial.emit(event)
    apply(trial, _commands_of(event), is_operator=True)
    refused = [one.event for one in trial.entries if isinstance(one.event, e.CommandRefused)]
    refused = [one for one in refused if one.reason != "nothing_to_clear"]
    if not refused:
        return None
    fields = tuple([(one.field, one.text or one.reason) for one in refused])
    given = {one.field: REDACTED if machine.fields[one.field].secret else event.set[one.field] for one in refused}
    operator = event.operator or (state.frame.person.operator if state.frame.person is not None else "")
    fact = e.GiveBackRefused(operator, given, tuple(refused))
    return Refusal("value_refused", "; ".join([f"{field}: {why}" for field, why in fields]), fields=fields, fact=fact)


def refuse_unknown(machine: Machine, unknown: Sequence[str]) -> Refusal:
    """Return the refusal of an event that names fields which the flow does not have (`unknown`)."""
    shown = [one[:LONGEST_SHOWN] for one in unknown[:MOST_REPORTED]]
    texts = [f"no field is called '{one}'; {nearest(one, machine.fields)}".rstrip("; ") for one in shown]
    fields = tuple(zip(unknown, texts, strict=False))
    if len(unknown) > MOST_REPORTED:
        fields += (("", f"and {len(unknown) - MOST_REPORTED:,} more fields that do not exist"),)
    return Refusal("unknown_field", texts[0], fields=fields)
