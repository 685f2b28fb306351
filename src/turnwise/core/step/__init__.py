"""`start` and `step`: from an event and a state to a new state, decided events and requested effects.

A turn walks through phases (section 3); `_PHASES` shows which function does which. Nothing here waits or reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import assert_never, cast, get_args

from turnwise.core.commands.exposure import command_phrase, exposed, uses_messages
from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.commands.reasons import may_ask_why
from turnwise.core.decision import catch, decide, fail
from turnwise.core.decision.moves import enter, enter_late, move
from turnwise.core.forms import messages as forms
from turnwise.core.forms.direct import needs_model
from turnwise.core.forms.speak import speak
from turnwise.core.language import begins_with_why, is_question
from turnwise.core.machine import Machine
from turnwise.core.state import Fault, State, ValueOrigin
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, Why
from turnwise.core.state.effects import AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.fold import fold
from turnwise.core.step import approving, late, person, reply_guard, work
from turnwise.core.step.receive import admit, is_stale
from turnwise.core.step.spoken_language import follow_language
from turnwise.core.step.undo import recalled, undo
from turnwise.core.tools import consent
from turnwise.core.tools.calls import tool_reported
from turnwise.core.turn import Phase, Refusal, Step, StepBuilder, TextRefused
from turnwise.core.zones import is_zone, zone_hint


def start(machine: Machine, at_ms: int, first: e.OutsideEvent | None = None, *, time_zone: str = "") -> Step | Refusal:
    """Begin a conversation; a first message is served in the same turn, with one reply (law 3.1)."""
    if time_zone and not is_zone(time_zone):
        return Refusal("unknown_time_zone", f"'{time_zone[:60]}' is no time zone; {zone_hint(time_zone)}")
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
        return _walk(turn, partial(fail, fault=refused))
    return _walk(turn, (lambda _: Phase.BEFORE) if first is None else partial(_begin, event=first))


def _started(machine: Machine, at_ms: int, time_zone: str, *, is_entered: bool) -> StepBuilder:
    """The first turn of a conversation, with only its start."""
    flow = machine.flow
    started = e.Started(
        flow=flow.name,
        version=flow.version,
        fingerprint=machine.fingerprint,
        node=flow.start,
        time_zone=time_zone or flow.time_zone,
        language=machine.language.code,
        is_entered=is_entered,
        explains="why" in flow.commands.names,
    )
    entry = e.Entry(1, 1, at_ms, started)
    turn = StepBuilder(machine, fold(None, entry), at_ms, 1)
    turn.entries.append(entry)
    turn.derive()
    return turn


def step(machine: Machine, state: State, event: e.OutsideEvent | e.ResultEvent, at_ms: int) -> Step | Refusal:
    """Process one event: from outside, or the result of the effect that the turn awaits."""
    machine, at_ms = machine.speaking(state) if machine.languages else machine, max(at_ms, state.at_ms)
    if type(event) in _RESULTS:
        return _continue(machine, state, cast("e.ResultEvent", event), at_ms)
    admitted = admit(machine, state, cast("e.OutsideEvent", event))
    if isinstance(admitted, Refusal):
        return admitted
    turn = StepBuilder(machine, state, at_ms, state.turn + 1)
    return _walk(turn, partial(_begin, event=admitted))


def resume(machine: Machine, state: State, at_ms: int) -> Step:
    """Resume a turn that was cut off: request the effect that it awaits once more."""
    assert state.doing is not None
    assert state.doing.awaited is not None, "a turn is only ever cut off while it waits"
    turn = StepBuilder(machine.speaking(state), state, max(at_ms, state.at_ms), state.turn)
    turn.emit(e.TurnRestarted())
    turn.effects.append(state.doing.awaited)
    return turn.step()


def note(state: State, fact: e.Note, at_ms: int) -> Step:
    """Record a fact about the conversation between two turns; that needs no flow."""
    entry = e.Entry(state.seq + 1, state.turn, max(at_ms, state.at_ms), fact, state.frame.id)
    return Step(fold(state, entry), (entry,))


def _walk(turn: StepBuilder, begin: Callable[[StepBuilder], Phase]) -> Step:
    """Run phase after phase until the turn has ended or waits for an effect. A text that requires a missing value is a
    failure of the phase that says it.
    """
    run: Callable[[StepBuilder], Phase] | None = begin
    while run is not None:
        try:
            phase = run(turn)
        except TextRefused as refusal:
            phase = fail(turn, refusal.fault)
        if turn.machine.speaks is not None:
            follow_language(turn)
        run = _PHASES.get(phase)
    return turn.step()


# an event from outside begins a turn ---------------------------------------------------------------


def _begin(turn: StepBuilder, event: e.OutsideEvent) -> Phase:
    """Record the event and find the phase in which its turn begins."""
    before = turn.state
    turn.emit(event)
    if not before.frame.visit and not isinstance(event, e.UndoAsked) and not person.rests(before, event):
        refused = enter_late(turn)
        if refused is not None:
            return fail(turn, refused)
    phase = approving.begin(turn, event)
    if phase is not None:
        return phase
    phase = person.begin(turn, before, event)
    if phase is not None and isinstance(event, e.UserChose):
        late.hide_answer(turn, event)
    if phase is None:
        phase = late.begin(turn, before, event)
    return phase if phase is not None else _begin_alone(turn, before, event)


def _begin_alone(turn: StepBuilder, before: State, event: e.OutsideEvent) -> Phase:
    """Begin a turn while no person takes part."""
    match event:
        case e.UserChose() if is_stale(turn.machine, turn.state, event):
            return late.answer_button(turn, before, event)
        case e.UserSaid() | e.UserChose():
            is_read_first = before.frame.pending is None or _may_ask_why(turn)
            return Phase.UNDERSTAND if is_read_first else _make_pending_move(turn)
        case e.Commands(commands):
            phase = _make_pending_move(turn)
            return _apply(turn, commands, "command") if phase is Phase.UNDERSTAND else phase
        case e.ToolUsed():
            return tool_reported(turn, event)
        case e.CallsDecided():
            raise AssertionError("decisions about calls begin elsewhere")
        case e.TimerFired():
            return _decide_timer(turn, before, event)
        case e.Continued():
            return Phase.UNDERSTAND
        case e.UndoAsked(to):
            return undo(turn, to)
        case e.TakenOver() | e.OperatorSaid() | e.GivenBack():
            raise AssertionError("turns of a person begin elsewhere")
    assert_never(event)


def _make_pending_move(turn: StepBuilder) -> Phase:
    """Law 3.3: make the move that was decided for the next user event before the message is read."""
    pending = turn.state.frame.pending
    if pending is None:
        return Phase.UNDERSTAND
    planned = (pending.transition, pending.target)
    after = turn.machine.candidates(turn.state.frame.node, "after").all
    candidate = [one for one in after if (one.id, one.target) == planned][0]  # noqa: RUF015  `next` calls a generator
    refused = move(turn, candidate, candidate.because)
    return fail(turn, refused) if refused is not None else Phase.UNDERSTAND


def _may_ask_why(turn: StepBuilder) -> bool:
    """Return whether the message may only ask why: then it is read first, and the move that was decided waits. What
    stands before or after a question is for the next node.
    """
    text = (turn.doing.message or "").rstrip()
    if not may_ask_why(turn.machine, text):
        return False
    return (is_question(text[-1:]) and begins_with_why(text)) or turn.machine.language.asks_why(text)


def _decide_timer(turn: StepBuilder, before: State, event: e.TimerFired) -> Phase:
    """Law 2.15: a timer of an earlier visit, of another node, or that was armed anew since, changes nothing."""
    is_known = any(candidate.id == event.timer for candidate in turn.machine.candidates(before.frame.node, "timer").all)
    is_visit = event.visit is None or event.visit == before.frame.visit
    is_armed = event.due_ms is None or any(event.means(timer) for timer in before.frame.timers)
    if not (is_known and is_visit and is_armed):
        turn.warn("late", f"the timer '{event.timer}' belongs to an earlier visit")
        return Phase.FINISH
    phase = decide(turn, "timer", firing=event.timer, on_stay=Phase.FINISH) or Phase.FINISH
    work.remind(turn, before, event)
    return phase


# a message is understood (law 3.4) -----------------------------------------------------------------


def _understand(turn: StepBuilder) -> Phase:
    """Read the turn's message at the node in charge without a model, or request its understanding."""
    doing, state = turn.doing, turn.state
    if doing.is_used_up or doing.kind not in ("said", "chose") or (doing.button is not None and doing.entered):
        return Phase.BEFORE  # a button belongs to the node that offered it
    if doing.understood_for:
        return _understand_again(turn)
    answer = consent.answer_of_message(turn) if state.frame.awaiting_approval is not None else ""
    if answer:
        turn.emit(e.CommandApplied(answer))
        return Phase.BEFORE
    form, run = turn.node.form, state.frame.form
    if form is not None and run is not None:
        return _unless_undone(turn, forms.interpret_message(turn, form, run))
    if doing.message is None or not uses_messages(turn.machine, state):
        return Phase.BEFORE
    command = command_phrase(turn.machine, state, doing.message)
    if command is not None:
        return _apply(turn, (command,), "direct")
    return turn.ask(Understand(turn.effect_id()))


def _understand_again(turn: StepBuilder) -> Phase:
    """Law 2.7: a message that another node understood may be understood again, for this node's own fields only."""
    form, run = turn.node.form, turn.state.frame.form
    if form is not None and run is not None and not needs_model(form, run):
        return Phase.BEFORE
    fields = exposed(turn.machine, turn.state).fields
    return turn.ask(Understand(turn.effect_id())) if fields and turn.doing.message else Phase.BEFORE


def _apply(turn: StepBuilder, commands: tuple[AnyCommand, ...], how: ValueOrigin) -> Phase:
    """Apply commands at the node in charge, whatever proposed them."""
    form, run = turn.node.form, turn.state.frame.form
    if form is not None and run is not None:
        return _unless_undone(turn, forms.apply_commands(turn, form, run, commands, how))
    CommandInterpreter(turn, how).apply_all(commands)
    if turn.node.work not in ("prompt", "form"):  # those say themselves what came of the commands
        texts = [one.text for one in turn.doing.outcomes if one.kind == "refused" and one.field]
        for text in dict.fromkeys(texts):
            turn.say(text, "refused")
        work.answer_commands(turn)
    return _unless_undone(turn, Phase.BEFORE)


def _unless_undone(turn: StepBuilder, phase: Phase) -> Phase:
    """The next phase, unless a command undoes the last turn: that replaces everything else. Where the user asked for a
    person, the conversation waits for one at once.
    """
    for outcome in turn.doing.outcomes:
        if outcome.kind == "undo":
            return undo(turn, None)
    return Phase.WORK if turn.state.frame.person is not None else phase


# the result of an effect continues a turn ----------------------------------------------------------


def _continue(machine: Machine, state: State, event: e.ResultEvent, at_ms: int) -> Step | Refusal:
    """Continue with the result of the effect that the turn awaits; refuse any other."""
    awaited = state.doing.awaited if state.doing is not None else None
    if awaited is None or awaited.id != event.effect or not isinstance(event, _results_of(awaited)):
        return Refusal("not_awaited", f"nothing waits for the result of effect {event.effect!r}")
    turn = StepBuilder(machine, state, at_ms, state.turn)
    turn.emit(event)
    if replaced := getattr(event, "replaced", 0):
        turn.warn("characters_replaced", f"{replaced} that UTF-8 cannot encode; \ufffd stands in their place")
    if chars := getattr(event, "request_chars", 0):
        turn.warn("request_shortened", f"it was too long for the model, and was shortened to {chars:,} characters")
    return _walk(turn, partial(_use_result, awaited=awaited, event=event))


def _results_of(effect: AnyEffect) -> tuple[type[e.ResultEvent], ...]:
    match effect:
        case Understand():
            return e.Understood, e.UnderstandingFailed
        case CallModel():
            return e.ModelReplied, e.ModelFailed
        case RunTool():
            return e.ToolReturned, e.ToolFailed
        case RecallWords():
            return (e.WordsRecalled,)
        case RecallState():
            return (e.StateRecalled,)
    assert_never(effect)


def _use_result(turn: StepBuilder, awaited: AnyEffect, event: e.ResultEvent) -> Phase:
    """Process a result; `awaited` is the effect that it belongs to."""
    match event:
        case e.ModelReplied() | e.ModelFailed():
            assert isinstance(awaited, CallModel)
            _warn_of_replies(turn, event)
            match awaited.purpose:
                case "reply" | "choose":
                    return work.model_answered(turn, event)
                case "aside":
                    return _answered_aside(turn, event)
                case "word":
                    return _reworded(turn, event)
            assert_never(awaited.purpose)
        case e.ToolReturned() | e.ToolFailed():
            return work.tool_answered(turn, event)
        case e.Understood(commands=commands):
            return _apply_understood(turn, commands, _how(awaited))
        case e.UnderstandingFailed(reason=reason):
            turn.warn("understanding_failed", reason)
            return _apply_understood(turn, (), _how(awaited))
        case e.WordsRecalled(words=words):
            assert turn.node.form is not None
            return speak(turn, turn.node.form, aside="", words=words)
        case e.StateRecalled():
            return recalled(turn, event)
    assert_never(event)


def _warn_of_replies(turn: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> None:
    """Warn of each reply of the model that was none (law 2.1)."""
    for attempt in event.attempts:
        if attempt.code:
            turn.warn("reply_failed", f"a reply was discarded: {attempt.reason}")
    if isinstance(event, e.ModelFailed) and event.code:
        turn.warn("reply_failed", event.reason)


def _apply_understood(turn: StepBuilder, commands: tuple[AnyCommand, ...], how: ValueOrigin) -> Phase:
    """Apply what was understood. Where a decided move waited for it, and the message does more than ask why, move
    first: then the message is read at the next node.
    """
    is_why = bool(commands) and all(isinstance(one, Why) for one in commands)
    if turn.state.frame.pending is not None and not is_why:
        return _make_pending_move(turn)
    return _apply(turn, commands, how)


def _how(awaited: AnyEffect) -> ValueOrigin:
    """Return how values were understood: "direct" for an answer to one field, which no later node understands again."""
    assert isinstance(awaited, Understand)
    return "direct" if awaited.field else "understood"


def _answered_aside(turn: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """The model answered a question aside, or failed; unless an `error` transition is taken, the form asks on."""
    assert turn.node.form is not None
    if isinstance(event, e.ModelReplied):
        turn.say(reply_guard.checked(turn, event.text), "reply")
        return speak(turn, turn.node.form, aside="")
    turn.say(reply_guard.begun(turn, event.text), "cut")
    phase = catch(turn, Fault("model", event.reason, at=event.at))
    if phase is None:
        turn.say(turn.machine.language.text("failed"), "reply")
    return phase or speak(turn, turn.node.form, aside="")


def _reworded(turn: StepBuilder, event: e.ModelReplied | e.ModelFailed) -> Phase:
    """The model reworded a form's question; if it failed, the form uses its own text (law 5.11)."""
    assert turn.node.form is not None
    text = event.text.strip() if isinstance(event, e.ModelReplied) else ""
    text = text if reply_guard.checked(turn, text) == text else ""
    if isinstance(event, e.ModelFailed):
        turn.warn("wording_failed", event.reason)
    return speak(turn, turn.node.form, aside="", worded=text)


_RESULTS = frozenset(get_args(e.ResultEvent))
"""The types of results. Looking one up takes a tenth of the time of `isinstance` with a union of structs."""
_PHASES: Mapping[Phase, Callable[[StepBuilder], Phase]] = {
    Phase.UNDERSTAND: _understand,
    Phase.BEFORE: work.before,
    Phase.WORK: work.work,
    Phase.AFTER: work.after,
    Phase.FINISH: work.finish,
}
"""The function of each phase but `AWAIT`, in which the step is over."""
