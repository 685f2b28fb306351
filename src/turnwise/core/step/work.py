"""The work of a node (laws 2.1, 2.3, 3.6), the decision after it, and the end of a turn."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from turnwise.core import scopes
from turnwise.core.candidates import APPROVAL_DEADLINE, PERSON_TIMEOUT, Candidate, Stay
from turnwise.core.decision import decide, fail, finish_frame, give_up, phase_after_scope
from turnwise.core.decision.frames import close_scope, open_scope
from turnwise.core.external_events import HELD_EVENT, holds_back_events
from turnwise.core.forms import buttons, follow_answers, is_question_asked
from turnwise.core.forms.speak import say_closed, say_limit, speak
from turnwise.core.handover import is_in_charge
from turnwise.core.offers import asking
from turnwise.core.schedules.arming import arm
from turnwise.core.state import Ended, Failed, Person, State, Timer
from turnwise.core.state import events as e
from turnwise.core.state.kinds import BY_CLOCK, Wait
from turnwise.core.state.proposals import open_offer
from turnwise.core.step import budgets, person
from turnwise.core.step.external_events import say_beside
from turnwise.core.step.receive import CONTINUATION_TIMER, MACHINE_TIMERS
from turnwise.core.step.wishes import open_wished
from turnwise.core.tools import approvals, calls, consent, unclear
from turnwise.core.tools import work as tool_work
from turnwise.core.tools.choices import report_choice_errors
from turnwise.core.tools.offered import choices
from turnwise.core.turn import Phase, StepBuilder
from turnwise.flow.model import Moment

_WAYS_OUT: tuple[Moment, ...] = ("before", "tool", "calls", "after", "timer", "event", "choice")
_WAITING: frozenset[Moment] = frozenset(("before", "timer", "event"))
"""The moments for which a node without work waits."""
_ARMING = ("said", "chose", "commands", "started", "undo", "given_back", "approval")
"""Turns that arm the timers of the node anew."""

SNAPSHOT_EVERY = 200
"""After how many events the state is written into the journal, so that folding can begin there."""
RUN_RECOVERY_MS = 2000
"""How many milliseconds after a turn of an autonomous flow its recovery timer fires, if the next turn has not begun."""


def before(step: StepBuilder) -> Phase:
    """Judge the moment `before`: a message may lead on without the node's work; return the next phase."""
    return decide(step, "before", on_stay=Phase.WORK) or Phase.WORK


def work(step: StepBuilder) -> Phase:
    """Do the node's work, or request the effect that does it; nothing while a person is awaited. Return the phase."""
    node = step.node
    if step.state.frame.person is not None:
        return person.wait(step, None)
    is_back = step.doing.closed_scopes or step.state.frame.wishes
    if is_back and (phase := _after_scope(step)) is not None:
        return phase
    match node.work:
        case "say":
            return _say(step)
        case "prompt":
            return _prompt(step)
        case "form":
            return _form(step)
        case "scope":
            return _scope(step)
        case "tool":
            assert node.tool is not None
            return tool_work.run(step, node.tool)
        case "person":
            return Phase.AFTER if step.state.frame.is_work_done else person.wait(step, node.person)
        case "none":
            return Phase.AFTER


def _after_scope(step: StepBuilder) -> Phase | None:
    """Return what comes before the work of a node around a closed scope: after a timer or a schedule the next message,
    else a scope that was asked for together with the closed one and can be opened now; `None` for its work.
    """
    if step.doing.closed_scopes and step.doing.kind in BY_CLOCK:
        return Phase.FINISH
    return Phase.UNDERSTAND if open_wished(step) else None


def _say(step: StepBuilder) -> Phase:
    """Say the text of the node, once in a visit."""
    if step.node.say is not None and not step.state.frame.is_work_done:
        step.say(step.fill(step.node.say))
        step.emit(e.WorkDone(step.state.frame.node))
    return Phase.AFTER


def _form(step: StepBuilder) -> Phase:
    """Ask the next question of the form. A scope that has had as many turns as it may have is closed instead."""
    frame, form = step.state.frame, step.node.form
    assert form is not None
    asks_on = frame.scope is not None and frame.form is not None and frame.form.status == "collecting"
    if asks_on and scopes.limit_reached(step):
        say_limit(step, form)
        return phase_after_scope(step, close_scope(step, "limit"))
    if step.doing.closed_scopes:
        follow_answers(step, form)
    return speak(step, form)


def _scope(step: StepBuilder) -> Phase:
    """Open the scope of the node. One that was closed in this turn begins with the next message at the earliest."""
    name = step.state.frame.node
    if step.state.frame.is_work_done:
        return Phase.AFTER
    if name in step.doing.closed_scopes:
        return Phase.FINISH
    refused = open_scope(step, scopes.Opening(name, "node"))
    return fail(step, refused) if refused is not None else Phase.UNDERSTAND


def _prompt(step: StepBuilder) -> Phase:
    """Call the model, unless the machine answered the message itself; a call that waits for approval comes first."""
    if step.doing.kind == "continued" and step.state.frame.is_work_done:
        return Phase.AFTER
    request = step.state.frame.awaiting_approval
    if request is not None and unclear.is_unclear(step, request):
        unclear.note_unclear(step, request)
        if unclear.only_asks_again(step):
            return Phase.FINISH
    elif request is not None:
        return consent.resolve(step, request) or calls.handle_calls(step)
    is_answered = step.doing.outcomes and answer_commands(step)
    return Phase.FINISH if is_answered else calls.call_model(step)


def answer_commands(step: StepBuilder) -> bool:
    """Answer `help`, `wait` and similar commands with fixed texts; return whether the message had nothing else.
    Each is answered once in a turn.
    """
    language, outcomes = step.machine.language, step.doing.outcomes
    said = {entry.event.text for entry in step.entries if isinstance(entry.event, e.Said)}
    for outcome in dict.fromkeys(outcomes):
        match outcome.kind:
            case "help":
                step.say(language.text("help_general"), "help")
            case "why":
                step.say(outcome.text, "why")
            case "wait":
                step.say(language.text("wait"), "wait")
            case "hand_over" if step.state.frame.person is None:
                step.say(language.text("handed_over"), "hand_over")
            case "refused" if not outcome.field and outcome.text and outcome.text not in said:
                step.say(outcome.text, "refused")
            case _:
                pass
    answered = ("help", "why", "wait", "hand_over", "refused", "repeat")
    return step.doing.has_spoken and bool(outcomes) and all(outcome.kind in answered for outcome in outcomes)


def tool_returned(step: StepBuilder, event: e.ToolReturned) -> Phase:
    """Handle the result of a tool that a model called, or that is the node's own work; return the next phase."""
    own = step.node.tool if not event.call else None
    return calls.call_returned(step, event) if own is None else tool_work.finish_work(step, own, event.result)


def tool_failed(step: StepBuilder, event: e.ToolFailed) -> Phase:
    """Handle the failure of a tool that a model called, or that is the node's own work; return the next phase."""
    is_own = step.node.tool is not None and not event.call
    return fail(step, calls.tool_fault(event)) if is_own else calls.call_failed(step, event)


def after(step: StepBuilder) -> Phase:
    """Judge the moment `after`, but only if the node's work was done in this visit (law 3.7); return the next phase."""
    node = step.node
    if node.work != "none" and not step.state.frame.is_work_done:
        return Phase.FINISH
    form = step.state.frame.form
    if node.node.end and not (form is not None and form.broken_off):
        return phase_after_scope(step, finish_frame(step, node.node.end))
    return decide(step, "after", on_stay=Phase.FINISH) or _rest(step)


def _rest(step: StepBuilder) -> Phase:
    """No transition was taken: wait, end, or be stuck (laws 2.1, 2.6, 5.9)."""
    node, name = step.node, step.state.frame.node
    form = step.state.frame.form
    is_inner = step.state.frame.scope is not None
    if is_inner and form is not None and form.status in ("stopped", "cancelled"):
        return phase_after_scope(step, close_scope(step, form.status))
    if form is not None and form.status not in ("confirmed", "handed_off"):
        return Phase.FINISH  # the usual case: the form waits for its next answer
    if form is None and node.work in ("prompt", "form") and not step.machine.flow.autonomous:
        return Phase.FINISH  # its work goes on with the next message
    ways: set[Moment] = {
        moment
        for moment in _WAYS_OUT
        for c in step.machine.candidates(name, moment).all
        if not c.is_mirror and not (c.level == "enter" and c.target == name)
    }
    if form is not None or (node.work in ("none", "say", "tool", "person", "scope") and not ways):
        natural = "handed_off" if form is not None and form.status == "handed_off" else "completed"
        outcome = natural if is_inner else form.status if form is not None else name
        return phase_after_scope(step, finish_frame(step, outcome))
    if step.machine.flow.autonomous and node.work == "prompt":
        return _continue_run(step, ways)
    if node.work == "none" and not ways & _WAITING:
        if is_inner:
            return phase_after_scope(step, close_scope(step, "failed"))
        return give_up(step, "stuck", f"no way out of '{name}' holds, and it waits for nothing")
    return Phase.FINISH


def _continue_run(step: StepBuilder, ways: set[Moment]) -> Phase:
    """Law 2.8: an autonomous flow does not wait for a person after a prompt."""
    name = step.state.frame.node
    if not ways:
        return phase_after_scope(step, finish_frame(step, name if step.state.frame.scope is None else "completed"))
    if ways <= _WAITING:
        return Phase.FINISH
    if not step.doing.asked_to_choose and any(choices(step.machine, step.state)):
        return report_choice_errors(step) or step.ask_model("choose")
    return give_up(step, "stuck", f"no way out of '{name}' holds, and it waits for nothing")


# the end of a turn -------------------------------------------------------------------------------


def _ask_for_yes(step: StepBuilder) -> None:
    """Ask about a call that waits for approval, or again whether to go on beyond a budget."""
    frame = step.state.frame
    if frame.awaiting_approval is not None and frame.person is None:
        approvals.ask_next(step)  # no yes counts for a question that was not asked
    elif frame.question is not None and frame.question.kind == "budget":
        budgets.ask_again(step)


def finish(step: StepBuilder) -> Phase:
    """End the turn: send the fallback if a message got no reply (law 3.11), arm the timers and wait.
    A scope that has had as many turns or tokens as it may have is closed first, and what is proposed is asked.
    """
    frame = step.state.frame
    if frame.scope is not None and frame.person is None and scopes.limit_reached(step):
        return phase_after_scope(step, close_scope(step, "limit"))
    if step.doing.closed:
        say_closed(step)
    if frame.awaiting_approval is not None or (frame.question is not None and frame.question.kind == "budget"):
        _ask_for_yes(step)
    if step.state.offers or (step.node.offer is not None and not step.state.frame.has_offered):
        phase = asking.end_turn(step)
        if phase is not None:
            return phase
    if not step.doing.has_spoken:
        _say_if_silent(step)
    status = step.state.status
    if type(status) is Ended:
        step.emit(e.TurnEnded())
    elif type(status) is Failed:
        step.emit(e.TurnEnded("", _timers(step), arm(step) if step.machine.schedules else None))
    else:
        waits_for: Wait = CONTINUATION_TIMER if step.continues else _waits_for(step)
        schedules = arm(step) if step.machine.schedules else None
        step.emit(e.TurnEnded(waits_for, _timers(step, is_run=waits_for == CONTINUATION_TIMER), schedules))
    if step.seq - step.state.snapshot >= SNAPSHOT_EVERY:
        position = step.seq + 1
        step.emit(e.Snapshot(replace(step.state, seq=position, snapshot=position)))
    return Phase.AWAIT


def _say_if_silent(step: StepBuilder) -> None:
    """Say a fixed text if a message got no reply: that the scope is closed, that the offer was declined, or the
    fallback.
    """
    doing = step.doing
    is_silent = doing.kind in ("said", "chose") and not is_in_charge(step)
    if not is_silent or type(step.state.status) is Ended or approvals.say_waiting(step):
        return
    language = step.machine.language
    if doing.has_declined:
        step.say(language.text("offer_declined"), "say")
    elif doing.closed_scopes:
        step.say(language.text("scope_closed"), "say")
    else:
        step.warn("silent_turn", f"'{step.state.frame.node}' said nothing, so the fallback text was sent")
        step.emit(e.Said(step.fill(step.machine.fallback), "fallback"))


def _waits_for(step: StepBuilder) -> Wait:
    """Return what the conversation waits for: a person, a button if the last reply offered one, else a message."""
    form, state, frame = step.node.form, step.state, step.state.frame
    if frame.person is not None:
        return "person"
    if frame.awaiting_approval is not None or (state.offers and open_offer(state) is not None):
        return "button"
    if state.spending is not None and state.spending.asked:
        return "button"
    if frame.approvals:
        return "approval"
    run = frame.form
    if form is None or run is None:
        return "message"
    for entry in reversed(step.entries):
        if isinstance(entry.event, e.Said):
            return "button" if entry.event.buttons else "message"
    return "button" if is_question_asked(run, state) and buttons.form_buttons(step.machine, state, form) else "message"


def _timers(step: StepBuilder, *, is_run: bool = False) -> tuple[Timer, ...]:
    """Return the timers of the node. A user event, or entering the node, arms them anew; other events leave them as
    they are. One more fires if the process of an autonomous flow ends before its next turn. While a person interrupts
    the node, only the wait for the person has a timer, and none while a person is in charge.
    """
    frame = step.state.frame
    deadline, person = (), frame.person
    if frame.approvals or frame.awaiting_approval is not None:
        due = [request.due_ms for request in frame.waiting_calls if request.due_ms is not None]
        deadline = (Timer(APPROVAL_DEADLINE, frame.node, frame.visit, min(due)),) if due else ()
    if person is not None and not (person.is_work and not person.operator):
        return (*_timer_of_wait(step, person), *deadline)
    is_held = bool(step.doing.closed_scopes and frame.timers)  # inner messages arm no outer timer
    if not is_held and (step.doing.kind in _ARMING or step.doing.entered or step.doing.rearms):
        fired_here = step.machine.candidates(frame.node, "timer").all
        timers = _timers_of(step, fired_here) if fired_here else []
    else:
        timers = [timer for timer in frame.timers if timer.transition not in MACHINE_TIMERS]
        timers += [step.again] if step.again is not None else []
    if person is not None:
        timers += _timer_of_wait(step, person)
    if frame.scope is not None:
        timers += _timer_of_scope(step, step.machine.scopes[frame.scope.name].idle_ms)
    if frame.held_events and not holds_back_events(frame):
        due_ms = step.at_ms + (step.doing.kind == "timer")  # each time is fired once
        timers.append(Timer(HELD_EVENT, frame.node, frame.visit, due_ms))
    if is_run:
        timers.append(Timer(CONTINUATION_TIMER, frame.node, frame.visit, step.at_ms + RUN_RECOVERY_MS))
    return (*timers, *deadline)


def _timers_of(step: StepBuilder, candidates: Iterable[Candidate]) -> list[Timer]:
    """Return the timers of the node in charge, each armed from now."""
    frame = step.state.frame
    return [
        Timer(candidate.id, frame.node, frame.visit, step.at_ms + candidate.delay_ms)
        for candidate in candidates
        if candidate.delay_ms is not None
    ]


def remind(step: StepBuilder, before: State, fired: e.TimerFired) -> None:
    """Send the reminder of the timer `fired` whose move is not made, and arm the timer again up to its limit (law
    2.15). `before` is the state before the event. The open question stays open, and its buttons are offered again.
    """
    candidates = step.machine.candidates(before.frame.node, "timer").all
    taken = next((one.event.taken for one in reversed(step.entries) if isinstance(one.event, e.Decided)), -1)
    candidate = next(one for one in candidates if one.id == fired.timer)
    action, frame = candidate.action, step.state.frame
    if not isinstance(action, Stay) or candidate.delay_ms is None:
        return
    text = step.fill(action.say) if action.say is not None and taken >= 0 and candidates[taken] is candidate else ""
    if text.strip():
        say_beside(step, text, "reminder")
    count = 1 + max((timer.fired for timer in before.frame.timers if timer.transition == fired.timer), default=0)
    if count < action.repeat:
        step.again = Timer(candidate.id, frame.node, frame.visit, step.at_ms + candidate.delay_ms, count)


def _timer_of_scope(step: StepBuilder, idle_ms: int | None) -> tuple[Timer, ...]:
    """The timer that closes the scope in charge when nothing is said in it; each message arms it anew."""
    frame = step.state.frame
    if idle_ms is None:
        return ()
    if step.doing.kind in _ARMING or step.doing.opened or step.doing.closed_scopes:
        return (Timer(scopes.IDLE_TIMER, frame.node, frame.visit, step.at_ms + idle_ms),)
    return tuple([timer for timer in frame.timers if timer.transition == scopes.IDLE_TIMER])


def _timer_of_wait(step: StepBuilder, person: Person) -> tuple[Timer, ...]:
    """Return the timer that ends the wait for a person. A message does not arm it anew, and it fires once."""
    begins = any(isinstance(entry.event, e.PersonAwaited) for entry in step.entries)
    frame = step.state.frame
    is_armed = begins or any(timer.transition == PERSON_TIMEOUT for timer in frame.timers)
    if person.operator or person.due_ms is None or not is_armed:
        return ()
    return (Timer(PERSON_TIMEOUT, frame.node, frame.visit, person.due_ms),)
