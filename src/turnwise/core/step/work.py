"""The work of a node (laws 2.1, 2.3, 3.6), the decision after it, and the end of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.decision import catch, decide, fail, give_up
from turnwise.core.forms import buttons, is_put
from turnwise.core.forms.speak import say_closed, speak
from turnwise.core.handover import is_in_charge
from turnwise.core.machine import APPROVAL_DEADLINE, PERSON_TIMEOUT, Stay
from turnwise.core.state import Ended, Failed, Fault, Person, State, Timer
from turnwise.core.state import events as e
from turnwise.core.state.kinds import Wait
from turnwise.core.step import person, reply_guard
from turnwise.core.step.receive import CONTINUATION, MACHINE_TIMERS, offered_now
from turnwise.core.tools import approvals, calls, consent, unclear
from turnwise.core.tools import work as tool_work
from turnwise.core.tools.offered import choices
from turnwise.core.turn import Phase, StepBuilder
from turnwise.flow.model import Moment

_WAYS_OUT: tuple[Moment, ...] = ("before", "tool", "after", "timer", "choice")
_ARMING = ("said", "chose", "commands", "started", "undo", "given_back", "approval")
"""Turns that arm the timers of the node anew."""

SNAPSHOT_EVERY = 200
"""After so many events the state is written into the journal, so that folding can begin there."""
RUN_RECOVERY_MS = 2000
"""How long after a turn of an autonomous flow its recovery timer fires, if the next turn has not begun."""


def before(turn: StepBuilder) -> Phase:
    """Judge `before`, where a message may move on without the node's work."""
    return decide(turn, "before", on_stay=Phase.WORK) or Phase.WORK


def work(turn: StepBuilder) -> Phase:
    """Do the node's work, or request the effect that does it. It rests while a person is awaited."""
    node = turn.node
    if turn.state.frame.person is not None:
        return person.wait(turn, None)
    match node.work:
        case "say":
            if node.say is not None and not turn.state.frame.is_work_done:
                turn.say(turn.fill(node.say))
                turn.emit(e.WorkDone(turn.state.frame.node))
            return Phase.AFTER
        case "prompt":
            return _prompt(turn)
        case "form":
            assert node.form is not None
            return speak(turn, node.form)
        case "tool":
            assert node.tool is not None
            return tool_work.run(turn, node.tool)
        case "person":
            return Phase.AFTER if turn.state.frame.is_work_done else person.wait(turn, node.person)
        case "none":
            return Phase.AFTER


def _prompt(turn: StepBuilder) -> Phase:
    """Call the model, unless the machine answered the message itself; a call that waits for approval comes first."""
    if turn.doing.kind == "continued" and turn.state.frame.is_work_done:
        return Phase.AFTER
    request = turn.state.frame.awaiting_approval
    if request is not None and unclear.is_unclear(turn, request):
        unclear.note_unclear(turn, request)
        if unclear.only_asks_again(turn):
            return Phase.FINISH
    elif request is not None:
        return consent.resolve(turn, request) or calls.handle_calls(turn)
    return Phase.FINISH if answer_commands(turn) else calls.call_model(turn)


def answer_commands(turn: StepBuilder) -> bool:
    """Answer help, wait and the like in the machine's own words, each once; return true if the message held nothing
    else.
    """
    language, outcomes = turn.machine.language, turn.doing.outcomes
    for outcome in dict.fromkeys(outcomes):
        match outcome.kind:
            case "help":
                turn.say(language.text("help_general"), "help")
            case "why":
                turn.say(outcome.text, "why")
            case "wait":
                turn.say(language.text("wait"), "wait")
            case "hand_over" if turn.state.frame.person is None:
                turn.say(language.text("handed_over"), "hand_over")
            case "refused" if not outcome.field and outcome.text:
                turn.say(outcome.text, "refused")
            case _:
                pass
    answered = ("help", "why", "wait", "hand_over", "refused", "repeat")
    return turn.doing.has_spoken and bool(outcomes) and all(outcome.kind in answered for outcome in outcomes)


def model_answered(turn: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """The model replied for the node, or called tools; without calls its work is done. A reply that was cut off is kept
    and marked.
    """
    if isinstance(event, e.ModelFailed):
        turn.say(reply_guard.begun(turn, event.text), "cut")
        return _model_failed(turn, Fault("model", event.reason, at=event.at))
    if not turn.doing.calls and not event.text.strip():  # law 2.1
        return _model_failed(turn, Fault("model", "the reply of the model is empty"))
    turn.say(reply_guard.checked(turn, event.text), "reply")
    if turn.doing.calls or turn.state.frame.waiting_calls:
        return calls.handle_calls(turn)
    turn.emit(e.WorkDone(turn.state.frame.node))
    return Phase.AFTER


def _model_failed(turn: StepBuilder, fault: Fault) -> Phase:
    """The model failed: `error` transitions are judged. An approval that it was to answer beside is asked again."""
    request = turn.state.frame.awaiting_approval
    if request is None or turn.state.frame.question is not None:
        return fail(turn, fault)
    phase = catch(turn, fault)
    if phase is None:
        unclear.say_nothing_done(turn)
    return phase or Phase.FINISH


def tool_answered(turn: StepBuilder, event: e.ToolReturned | e.ToolFailed) -> Phase:
    """A tool returned or failed: for a model, or as the work of the node in charge."""
    own = turn.node.tool if not event.call else None
    if isinstance(event, e.ToolFailed):
        return fail(turn, calls.tool_fault(event)) if own else calls.call_failed(turn, event)
    return tool_work.returned(turn, own, event.result) if own else calls.call_returned(turn, event)


def after(turn: StepBuilder) -> Phase:
    """Law 3.7: judge `after`, but only when the work was done in this visit."""
    node = turn.node
    if node.work != "none" and not turn.state.frame.is_work_done:
        return Phase.FINISH
    form = turn.state.frame.form
    if node.node.end and not (form is not None and form.broken_off):
        say_closed(turn)
        turn.emit(e.Ended(node.node.end))
        return Phase.FINISH
    return decide(turn, "after", on_stay=Phase.FINISH) or _rest(turn)


def _rest(turn: StepBuilder) -> Phase:
    """No transition was taken: wait, end, or be stuck (laws 2.1, 2.6, 5.9)."""
    node, name = turn.node, turn.state.frame.node
    form = turn.state.frame.form
    if form is not None and form.status not in ("confirmed", "handed_off"):
        return Phase.FINISH  # the usual case: the form waits for its next answer
    if form is None and node.work in ("prompt", "form") and not turn.machine.flow.autonomous:
        return Phase.FINISH  # its work goes on with the next message
    ways: set[Moment] = {moment for moment in _WAYS_OUT if _leads_out(turn, moment)}
    if form is not None or (node.work in ("none", "say", "tool", "person") and not ways):
        say_closed(turn)
        turn.emit(e.Ended(form.status if form is not None else name))
    elif turn.machine.flow.autonomous and node.work == "prompt":
        return _continue_run(turn, ways)
    elif node.work == "none" and not ways & {"before", "timer"}:
        return give_up(turn, "stuck", f"no way out of '{name}' holds, and it waits for nothing")
    return Phase.FINISH


def _continue_run(turn: StepBuilder, ways: set[Moment]) -> Phase:
    """Law 2.8: an autonomous flow does not wait for a person after a prompt."""
    name = turn.state.frame.node
    if not ways:
        turn.emit(e.Ended(name))
        return Phase.FINISH
    if ways <= {"before", "timer"}:
        return Phase.FINISH
    if not turn.doing.asked_to_choose and any(choices(turn.machine, turn.state)):
        return calls.report_choice_errors(turn) or turn.ask_model("choose")
    return give_up(turn, "stuck", f"no way out of '{name}' holds, and it waits for nothing")


def _leads_out(turn: StepBuilder, moment: Moment) -> bool:
    node = turn.state.frame.node
    candidates = turn.machine.candidates(node, moment).all
    return any(not c.is_mirror and not (c.level == "enter" and c.target == node) for c in candidates)


# the end of a turn -------------------------------------------------------------------------------


def finish(turn: StepBuilder) -> Phase:
    """Say the fallback if a message got no reply (law 3.11), arm the timers and wait."""
    if turn.doing.closed:
        say_closed(turn)
    if turn.state.frame.awaiting_approval is not None and turn.state.frame.person is None:
        approvals.ask_next(turn)  # no yes counts for a question that was not asked
    doing, status = turn.doing, turn.state.status
    is_silent = doing.kind in ("said", "chose") and not doing.has_spoken and not is_in_charge(turn)
    if is_silent and not isinstance(status, Ended) and not approvals.say_waiting(turn):
        turn.warn("silent_turn", f"nothing was said in '{turn.state.frame.node}', so the fallback text was")
        turn.emit(e.Said(turn.fill(turn.machine.fallback), "fallback"))
    if isinstance(status, Ended):
        turn.emit(e.TurnEnded())
    elif isinstance(status, Failed):
        turn.emit(e.TurnEnded("", _timers(turn)))
    else:
        waits_for: Wait = CONTINUATION if turn.continues else _waits_for(turn)
        turn.emit(e.TurnEnded(waits_for, _timers(turn, is_run=waits_for == CONTINUATION)))
    if turn.seq - turn.state.snapshot >= SNAPSHOT_EVERY:
        position = turn.seq + 1
        turn.emit(e.Snapshot(replace(turn.state, seq=position, snapshot=position)))
    return Phase.AWAIT


def _waits_for(turn: StepBuilder) -> Wait:
    """A person, a button if the last reply offered one, else a message."""
    form, state, frame = turn.node.form, turn.state, turn.state.frame
    if frame.person is not None:
        return "person"
    if frame.awaiting_approval is not None:
        return "button"
    if frame.approvals:
        return "approval"
    run = frame.form
    if form is None or run is None:
        return "message"
    for entry in reversed(turn.entries):
        if isinstance(entry.event, e.Said):
            return "button" if entry.event.buttons else "message"
    return "button" if is_put(run, state) and buttons.offered(turn.machine, state, form) else "message"


def _timers(turn: StepBuilder, *, is_run: bool = False) -> tuple[Timer, ...]:
    """The timers of the node. A user event, or entering the node, arms them anew; other events leave them as they are.
    One more fires if the process of an autonomous flow ends before its next turn. While a person interrupts the node,
    only the wait for the person has a timer, and none while a person is in charge.
    """
    frame = turn.state.frame
    deadline = _deadline(turn) if frame.approvals or frame.awaiting_approval is not None else ()
    person = frame.person
    if person is not None and not (person.is_work and not person.operator):
        return (*_timer_of_wait(turn, person), *deadline)
    if turn.doing.kind in _ARMING or turn.doing.entered or turn.doing.rearms:
        timers = [
            Timer(candidate.id, frame.node, frame.visit, turn.at_ms + candidate.delay_ms)
            for candidate in turn.machine.candidates(frame.node, "timer").all
            if candidate.delay_ms is not None
        ]
    else:
        timers = [timer for timer in frame.timers if timer.transition not in MACHINE_TIMERS]
        timers += [turn.again] if turn.again is not None else []
    if person is not None:
        timers += _timer_of_wait(turn, person)
    if is_run:
        timers.append(Timer(CONTINUATION, frame.node, frame.visit, turn.at_ms + RUN_RECOVERY_MS))
    return (*timers, *deadline)


def remind(turn: StepBuilder, before: State, fired: e.TimerFired) -> None:
    """Say the reminder of a timer that stays, and arm it again until it has fired as often as it may (law 2.15).

    The open question stays open, and its buttons are offered again.
    """
    candidates = turn.machine.candidates(before.frame.node, "timer").all
    taken = next((one.event.taken for one in reversed(turn.entries) if isinstance(one.event, e.Decided)), -1)
    candidate = next(one for one in candidates if one.id == fired.timer)
    action, frame = candidate.action, turn.state.frame
    question = frame.question
    if not isinstance(action, Stay) or candidate.delay_ms is None:
        return
    text = turn.fill(action.say) if action.say is not None and taken >= 0 and candidates[taken] is candidate else ""
    if text.strip():
        kind, field = (question.kind, question.field) if question is not None else (None, "")
        turn.emit(e.Said(text, "reminder", offered_now(turn.machine, turn.state), kind, field))
    count = 1 + max((timer.fired for timer in before.frame.timers if timer.transition == fired.timer), default=0)
    if count < action.repeat:
        turn.again = Timer(candidate.id, frame.node, frame.visit, turn.at_ms + candidate.delay_ms, count)


def _deadline(turn: StepBuilder) -> tuple[Timer, ...]:
    """The timer of the next deadline of a call that waits for approval."""
    frame = turn.state.frame
    due = [request.due_ms for request in frame.waiting_calls if request.due_ms is not None]
    return (Timer(APPROVAL_DEADLINE, frame.node, frame.visit, min(due)),) if due else ()


def _timer_of_wait(turn: StepBuilder, person: Person) -> tuple[Timer, ...]:
    """The timer that ends the wait for a person. A message does not arm it anew, and it fires once."""
    begins = any(isinstance(entry.event, e.PersonAwaited) for entry in turn.entries)
    frame = turn.state.frame
    is_armed = begins or any(timer.transition == PERSON_TIMEOUT for timer in frame.timers)
    if person.operator or person.due_ms is None or not is_armed:
        return ()
    return (Timer(PERSON_TIMEOUT, frame.node, frame.visit, person.due_ms),)
