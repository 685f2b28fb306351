"""`start` and `step`: from an event and a state to a new state, decided events and requested effects.

The whole turn is a walk through the phases of section 3; the table at the end says which function
does which. Nothing here waits, reads a clock, or forgets an event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from turnwise.core.decision.decide import caught, decide, fail
from turnwise.core.decision.moves import enter, enter_late, move
from turnwise.core.forms.speak import speak
from turnwise.core.machine import Machine
from turnwise.core.state import Fault, How, State
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.fold import fold
from turnwise.core.step import message as hear
from turnwise.core.step import work
from turnwise.core.step.receive import admit, is_stale, offered_now
from turnwise.core.step.undo import recalled, undo
from turnwise.core.tools.calls import judged
from turnwise.core.tools.consent import put_again
from turnwise.core.turn import Phase, Refusal, Step, Turn
from turnwise.core.zones import is_zone, zone_hint


def start(machine: Machine, at_ms: int, first: e.OutsideEvent | None = None, *, time_zone: str = "") -> Step | Refusal:
    """Begin a conversation; a first message is served in the same turn, with one reply (law 3.1)."""
    if time_zone and not is_zone(time_zone):
        return Refusal("unknown_time_zone", f"'{time_zone}' is no time zone; {zone_hint(time_zone)}")
    if first is not None:
        admitted = admit(machine, None, first)
        if isinstance(admitted, Refusal):
            return admitted
        first = admitted
    turn = _started(machine, at_ms, time_zone, is_entered=True)
    refused = enter(turn)
    if refused is not None:
        turn = _started(machine, at_ms, time_zone, is_entered=False)
        if first is not None:
            turn.emit(first)
        return _run(turn, fail(turn, refused))
    if first is None:
        return _run(turn, Phase.BEFORE)
    return _run(turn, _begin(turn, first))


def _started(machine: Machine, at_ms: int, time_zone: str, *, is_entered: bool) -> Turn:
    """The first turn of a conversation, with nothing but its start."""
    flow = machine.flow
    started = e.Started(
        flow=flow.name,
        version=flow.version,
        fingerprint=machine.fingerprint,
        node=flow.start,
        time_zone=time_zone or flow.time_zone,
        language=machine.language.code,
        is_entered=is_entered,
    )
    entry = e.Entry(1, 1, at_ms, started)
    turn = Turn(machine, fold(None, entry), at_ms, 1)
    turn.entries.append(entry)
    turn.derive()
    return turn


def step(machine: Machine, state: State, event: e.OutsideEvent | e.ResultEvent, at_ms: int) -> Step | Refusal:
    """Take in one event: from outside, or the result of an effect that is awaited."""
    at_ms = max(at_ms, state.at_ms)
    if isinstance(event, e.ResultEvent):
        return _resume(machine, state, event, at_ms)
    admitted = admit(machine, state, event)
    if isinstance(admitted, Refusal):
        return admitted
    turn = Turn(machine, state, at_ms, state.turn + 1)
    return _run(turn, _begin(turn, admitted))


def resume(machine: Machine, state: State, at_ms: int) -> Step:
    """Go on with a turn that was cut off: the effect that it waits for is asked for again."""
    assert state.doing is not None
    assert state.doing.awaited is not None, "a turn is only ever cut off while it waits"
    turn = Turn(machine, state, max(at_ms, state.at_ms), state.turn)
    turn.emit(e.TurnRestarted())
    turn.effects.append(state.doing.awaited)
    return turn.step()


def note(state: State, fact: e.Forked | e.CallerLeft, at_ms: int) -> Step:
    """Record a fact about the conversation between two turns; that needs no flow."""
    entry = e.Entry(state.seq + 1, state.turn, max(at_ms, state.at_ms), fact)
    return Step(fold(state, entry), (entry,))


def _run(turn: Turn, phase: Phase) -> Step:
    """Walk on until the turn has ended or waits for work."""
    while phase is not Phase.AWAIT:
        phase = _PHASES[phase](turn)
    return turn.step()


# how a turn begins -------------------------------------------------------------------------------


def _begin(turn: Turn, event: e.OutsideEvent) -> Phase:
    """Record the event and find where its turn begins."""
    before = turn.state
    turn.emit(event)
    refused = None if before.frame.visit or isinstance(event, e.UndoAsked) else enter_late(turn)
    return fail(turn, refused) if refused is not None else _begun(turn, before, event)


def _begun(turn: Turn, before: State, event: e.OutsideEvent) -> Phase:
    match event:
        case e.UserSaid() | e.UserChose():
            if isinstance(event, e.UserChose) and is_stale(turn.machine, before, event):
                return _stale(turn, before, event)
            return _pending(turn)
        case e.Commands(commands):
            phase = _pending(turn)
            return hear.apply(turn, commands, "command") if phase is Phase.HEAR else phase
        case e.ToolUsed(tool):
            return judged(turn, tool) or Phase.FINISH
        case e.TimerFired():
            return _timer(turn, before, event)
        case e.Continued():
            return Phase.HEAR
        case e.UndoAsked(to):
            return undo(turn, to)
    assert_never(event)


def _pending(turn: Turn) -> Phase:
    """Law 3.3: a move that was decided for the next user event is taken before anything is heard."""
    pending = turn.state.pending
    if pending is None:
        return Phase.HEAR
    candidate = next(
        candidate
        for candidate in turn.machine.candidates(turn.state.node, "after").all
        if (candidate.id, candidate.target) == (pending.transition, pending.target)
    )
    refused = move(turn, candidate, candidate.because)
    return fail(turn, refused) if refused is not None else Phase.HEAR


def _stale(turn: Turn, before: State, event: e.UserChose) -> Phase:
    """A button of a question that is no longer open, or where no button is offered: say so, and put the current
    question again.
    """
    was_offered = event.position is not None or bool(before.question and offered_now(turn.machine, before))
    why = "the button belongs to a question that is no longer open" if was_offered else "no button is offered here"
    turn.warn("stale_button", why)
    turn.say(turn.machine.language.text("stale_button" if was_offered else "nothing_offered"), "stale_button")
    return put_again(turn)


def _timer(turn: Turn, before: State, event: e.TimerFired) -> Phase:
    """Law 2.15: a timer of an earlier visit, of another node, or that was armed anew since, is late and
    changes nothing.
    """
    candidates = turn.machine.candidates(before.node, "timer")
    is_known = any(candidate.id == event.timer for candidate in candidates.all)
    is_visit = event.visit is None or event.visit == before.frame.visit
    is_armed = event.due_ms is None or any(event.means(timer) for timer in before.timers)
    if not (is_known and is_visit and is_armed):
        turn.warn("late", f"the timer '{event.timer}' belongs to an earlier visit")
        return Phase.FINISH
    return decide(turn, "timer", firing=event.timer) or Phase.FINISH


# how a turn goes on ------------------------------------------------------------------------------


def _resume(machine: Machine, state: State, event: e.ResultEvent, at_ms: int) -> Step | Refusal:
    """The result of the effect that the turn waits for; any other is refused."""
    awaited = state.doing.awaited if state.doing is not None else None
    if awaited is None or awaited.id != event.effect or type(event) not in _ANSWERS[type(awaited)]:
        return Refusal("not_awaited", f"nothing waits for the result of effect {event.effect!r}")
    turn = Turn(machine, state, at_ms, state.turn)
    turn.emit(event)
    if replaced := getattr(event, "replaced", 0):
        turn.warn("characters_replaced", f"{replaced} that UTF-8 cannot encode; \ufffd stands in their place")
    return _run(turn, _take_result(turn, awaited, event))


def _take_result(turn: Turn, awaited: object, event: e.ResultEvent) -> Phase:
    match event:
        case e.ModelReplied() | e.ModelFailed():
            return _MODEL_SPOKE[_purpose(awaited)](turn, event)
        case e.ToolReturned() | e.ToolFailed():
            return work.tool_answered(turn, event)
        case e.Understood(commands=commands):
            return hear.apply(turn, commands, _read(awaited))
        case e.UnderstandingFailed(reason=reason):
            turn.warn("understanding_failed", reason)
            return hear.apply(turn, (), _read(awaited))
        case e.WordsRecalled(words=words):
            assert turn.node.form is not None
            return speak(turn, turn.node.form, aside="", words=words)
        case e.StateRecalled():
            return recalled(turn, event)
    assert_never(event)


def _read(awaited: object) -> How:
    """An answer that only the rules may read is a direct match of its field: no later node has it understood again."""
    assert isinstance(awaited, Understand)
    return "direct" if awaited.field else "understood"


def _purpose(awaited: object) -> str:
    assert isinstance(awaited, CallModel)
    return awaited.purpose


def _answered_aside(turn: Turn, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """A question was answered aside, or not; the form goes on with its own, unless an `error` is caught."""
    assert turn.node.form is not None
    if isinstance(event, e.ModelReplied):
        turn.say(event.text, "reply")
        return speak(turn, turn.node.form, aside="")
    turn.say(event.text, "cut")
    phase = caught(turn, Fault("model", event.reason, at=event.at))
    if phase is None:
        turn.say(turn.machine.language.text("failed"), "reply")
    return phase or speak(turn, turn.node.form, aside="")


def _worded(turn: Turn, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """The model put a form's question in its words; where it did not, the fixed text stands (law 5.11)."""
    assert turn.node.form is not None
    text = event.text.strip() if isinstance(event, e.ModelReplied) else ""
    if isinstance(event, e.ModelFailed):
        turn.warn("wording_failed", event.reason)
    return speak(turn, turn.node.form, aside="", worded=text)


_MODEL_SPOKE: dict[str, Callable[[Turn, e.ModelReplied | e.ModelFailed], Phase]] = {
    "reply": work.answered,
    "choose": work.answered,
    "aside": _answered_aside,
    "word": _worded,
}
_ANSWERS: dict[type, tuple[type, ...]] = {
    Understand: (e.Understood, e.UnderstandingFailed),
    CallModel: (e.ModelReplied, e.ModelFailed),
    RunTool: (e.ToolReturned, e.ToolFailed),
    RecallWords: (e.WordsRecalled,),
    RecallState: (e.StateRecalled,),
}
_PHASES: dict[Phase, Callable[[Turn], Phase]] = {
    Phase.HEAR: hear.hear,
    Phase.BEFORE: work.before,
    Phase.WORK: work.work,
    Phase.AFTER: work.after,
    Phase.FINISH: work.finish,
}
