"""`start` and `step`: from an event and a state to a new state, decided events and requested effects.

A turn walks through phases (section 3 of the laws); `_PHASES` shows which function does which. Nothing here waits or
reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from turnwise.core.commands.allowed_input import allowed_input, uses_messages
from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.commands.phrases import command_phrase
from turnwise.core.decision import fail, phase_after_scope
from turnwise.core.decision.frames import close_scope, open_scope
from turnwise.core.decision.moves import enter, enter_late
from turnwise.core.forms import messages as forms
from turnwise.core.forms.direct import needs_model
from turnwise.core.forms.speak import speak
from turnwise.core.machine import Machine
from turnwise.core.offers import answers as offer_answers
from turnwise.core.offers import requested_opening
from turnwise.core.schedules.firing import fire
from turnwise.core.state import ForcedOverlay, State, ValueOrigin
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, Why
from turnwise.core.state.effects import AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.fold import fold
from turnwise.core.state.proposals import open_offer
from turnwise.core.step import approving, budgets, late, person, work
from turnwise.core.step.external_events import judge_event
from turnwise.core.step.model_replies import model_failed, model_replied
from turnwise.core.step.overlays import follow_overlays
from turnwise.core.step.pending import make_pending_move, may_ask_only_why
from turnwise.core.step.receive import TIMED_EVENTS, admit, begins_scope, is_early, is_stale
from turnwise.core.step.spoken_language import follow_language
from turnwise.core.step.time_zone import follow_time_zone
from turnwise.core.step.timers import decide_timer
from turnwise.core.step.undo import restore_recalled, undo
from turnwise.core.tools import consent
from turnwise.core.tools.calls import tool_reported
from turnwise.core.turn import OverBudget, Phase, Refusal, Step, StepBuilder, TextRefused
from turnwise.core.zones import is_zone, zone_hint


def start(
    machine: Machine,
    at_ms: int,
    first: e.OutsideEvent | None = None,
    *,
    time_zone: str = "",
    overlays: tuple[ForcedOverlay, ...] = (),
) -> Step | Refusal:
    """Begin a conversation; a first message is answered in the same turn, with one reply (law 3.1). `time_zone` is that
    of the user, by default that of the flow. `overlays` are those that are forced for all conversations of the flow.
    """
    if time_zone and not is_zone(time_zone):
        return Refusal("unknown_time_zone", f"'{time_zone[:60]}' is no time zone; {zone_hint(time_zone)}")
    if first is not None:
        admitted = admit(machine, None, first)
        if isinstance(admitted, Refusal):
            return admitted
        first = admitted
    step = _started(machine, at_ms, time_zone, overlays, is_entered=True)
    refused = enter(step)
    if refused is not None:
        step = _started(machine, at_ms, time_zone, overlays, is_entered=False)
        if first is not None:
            step.emit(first)
        return _walk(step, fail, refused)
    return _walk(step, _without_message) if first is None else _walk(step, _begin, first)


def _without_message(_step: StepBuilder) -> Phase:
    """Go on where a conversation begins by itself: there is nothing to understand."""
    return Phase.BEFORE


def _started(
    machine: Machine, at_ms: int, time_zone: str, overlays: tuple[ForcedOverlay, ...], *, is_entered: bool
) -> StepBuilder:
    """Return the first turn of a conversation, with only its start."""
    flow = machine.flow
    started = e.Started(
        flow=flow.name,
        version=flow.version,
        fingerprint=machine.fingerprint,
        node=flow.start,
        time_zone=time_zone or (flow.time_zone if machine.time_zone is None else machine.rules.zone),
        language=machine.language.code,
        is_entered=is_entered,
        explains="why" in flow.commands.names,
        overlays=overlays,
    )
    entry = e.Entry(1, 1, at_ms, started)
    step = StepBuilder(machine, fold(None, entry), at_ms, 1)
    step.entries.append(entry)
    if machine.overlays:
        follow_overlays(step)
    step.derive()
    return step


def step(machine: Machine, state: State, event: e.OutsideEvent | e.ResultEvent, at_ms: int) -> Step | Refusal:
    """Process one event: one from outside, or the result of the effect that the turn waits for."""
    at_ms = max(at_ms, state.at_ms)
    if machine.has_variants:
        machine = machine.for_conversation(state)
    if type(event) in _RESULTS:
        return _continue(machine, state, event, at_ms)  # type: ignore[arg-type]
    admitted = admit(machine, state, event)  # type: ignore[arg-type]
    if isinstance(admitted, Refusal):
        return admitted
    if type(admitted) in TIMED_EVENTS and is_early(admitted, at_ms):
        return Refusal("not_due", "this time has not come: the clock was set back after it was seen")
    step = StepBuilder(machine, state, at_ms, state.turn + 1)
    return _walk(step, _begin, admitted)


def resume(machine: Machine, state: State, at_ms: int) -> Step:
    """Resume a turn that was cut off: request the effect that it waits for again."""
    assert state.doing is not None
    assert state.doing.awaited is not None, "a turn is only ever cut off while it waits"
    step = StepBuilder(machine.for_conversation(state), state, max(at_ms, state.at_ms), state.turn)
    step.emit(e.TurnRestarted())
    if machine.budgets:
        budgets.settle_lost(step, state.doing.awaited)
    step.effects.append(state.doing.awaited)
    return step.result()


def note_fact(state: State, fact: e.Note, at_ms: int) -> Step:
    """Record a fact about the conversation between two turns; this needs no flow."""
    entry = e.Entry(state.seq + 1, state.turn, max(at_ms, state.at_ms), fact, state.frame.id)
    return Step(fold(state, entry), (entry,))


def _walk(step: StepBuilder, begin: Callable[..., Phase], *given: object) -> Step:
    """Run phase after phase until the turn has ended or waits for an effect; `begin` is what comes before the first
    one, with what it is given. A text that requires a missing value is a failure of the phase that says it.
    """
    run: Callable[..., Phase] | None = begin
    while run is not None:
        try:
            phase = run(step, *given)
        except TextRefused as refusal:
            phase = fail(step, refusal.fault)
        except OverBudget as over:
            phase = budgets.handle_reached(step, over.refused)
        if step.machine.speaks is not None:
            follow_language(step)
        if step.machine.time_zone is not None:
            follow_time_zone(step, step.machine.time_zone)
        run, given = _PHASES.get(phase), ()
    return step.result()


# an event from outside begins a turn ---------------------------------------------------------------


def _begin(step: StepBuilder, event: e.OutsideEvent) -> Phase:
    """Record the event and find the phase in which its turn begins."""
    before = step.state
    step.emit(event)
    if step.machine.overlays or before.overlays is not None:
        follow_overlays(step)
    if not before.frame.visit and not isinstance(event, e.UndoAsked) and not person.waits_for_give_back(before, event):
        refused = enter_late(step)
        if refused is not None:
            return fail(step, refused)
    now, question = step.state.frame, before.frame.question
    is_asked = before.spending is not None and before.spending.asked
    waits_for_approval = now.awaiting_approval is not None or now.approvals
    confirms = question is not None and question.kind == "confirmation"
    is_held = is_asked or waits_for_approval or confirms or before.frame.person is not None or type(event) in _OF_OTHERS
    if not is_held or type(event) is e.ScheduleDue:  # a schedule waits by itself for what it may not interrupt
        return _BEGINNINGS[type(event)](step, before, event)
    phase = budgets.handle_answer(step, before, event) or approving.begin(step, event)
    if phase is not None:
        return phase
    phase = person.begin(step, before, event)
    if phase is not None and isinstance(event, e.UserChose):
        late.hide_answer(step, event)
    if phase is None:
        phase = late.ask_unseen_question_again(step, before, event)
    return phase if phase is not None else _BEGINNINGS[type(event)](step, before, event)


_OF_OTHERS = frozenset((e.CallsDecided, e.TimerFired, e.TakenOver, e.OperatorSaid, e.GivenBack))
"""Events that a person or a timer causes; all others begin a turn alone where no one waits and nothing is confirmed."""


def _read_message(step: StepBuilder, before: State, _event: e.UserSaid | e.UserChose) -> Phase:
    is_asked = bool(step.state.offers) and open_offer(step.state) is not None
    is_read_first = before.frame.pending is None or is_asked or may_ask_only_why(step)
    return Phase.UNDERSTAND if is_read_first else make_pending_move(step)


def _read_button(step: StepBuilder, before: State, event: e.UserChose) -> Phase:
    begin = begins_scope(step.machine, step.state, event)
    if begin is not None:
        return _move_and_apply(step, (begin,), "button")
    is_late = is_stale(step.machine, step.state, event)
    return late.answer_button(step, before, event) if is_late else _read_message(step, before, event)


def _move_and_apply(step: StepBuilder, commands: tuple[AnyCommand, ...], how: ValueOrigin) -> Phase:
    """Apply commands at the node of the next turn: the move that was decided for it is made first."""
    phase = make_pending_move(step)
    return _apply(step, commands, how) if phase is Phase.UNDERSTAND else phase


# a message is understood (law 3.4) -----------------------------------------------------------------


def _understand(step: StepBuilder) -> Phase:
    """Read the turn's message at the node in charge without a model, or request its understanding."""
    doing, state = step.doing, step.state
    if doing.is_used_up or doing.kind not in ("said", "chose") or (doing.button is not None and doing.entered):
        return Phase.BEFORE  # a button belongs to the node that offered it
    if doing.understood_for:
        return _understand_again(step)
    answer = consent.answer_of_message(step) if state.frame.awaiting_approval is not None else ""
    if answer:
        step.emit(e.CommandApplied(answer))
        return Phase.BEFORE
    if state.offers:
        if (phase := offer_answers.read_message(step)) is not None:
            return phase
        if state.frame.pending is not None and open_offer(step.state) is None:
            return make_pending_move(step)
    form, run = step.node.form, state.frame.form
    if form is not None and run is not None:
        return _unless_undone(step, forms.interpret_message(step, form, run))
    if doing.message is None or not uses_messages(step.machine, state):
        return Phase.BEFORE
    command = command_phrase(step.machine, state, doing.message)
    if command is not None:
        return _apply(step, (command,), "direct")
    return step.ask(Understand(step.effect_id()))


def _understand_again(step: StepBuilder) -> Phase:
    """Law 2.7: a message that another node understood may be understood again, for this node's own fields only."""
    form, run = step.node.form, step.state.frame.form
    if form is not None and run is not None and not needs_model(form, run):
        return Phase.BEFORE
    fields = allowed_input(step.machine, step.state).fields
    return step.ask(Understand(step.effect_id())) if fields and step.doing.message else Phase.BEFORE


def _apply(step: StepBuilder, commands: tuple[AnyCommand, ...], how: ValueOrigin) -> Phase:
    """Apply commands at the node in charge, whatever proposed them."""
    if step.state.offers and offer_answers.answered_by(step, commands):
        commands = offer_answers.apply_answer(step, commands, how)
        if not commands:
            return _unless_undone(step, Phase.BEFORE)
    form, run = step.node.form, step.state.frame.form
    if form is not None and run is not None:
        return _unless_undone(step, forms.apply_commands(step, form, run, commands, how))
    CommandInterpreter(step, how).apply_all(commands)
    if step.node.work not in ("prompt", "form"):  # those say themselves what came of the commands
        texts = [one.text for one in step.doing.outcomes if one.kind == "refused" and one.field]
        for text in dict.fromkeys(texts):
            step.say(text, "refused")
        work.answer_commands(step)
    return _unless_undone(step, Phase.BEFORE)


def _unless_undone(step: StepBuilder, phase: Phase) -> Phase:
    """Return the next phase, unless a command undoes the last turn: that replaces everything else. Where the user asked
    for a person, the conversation waits for one at once.
    """
    for outcome in step.doing.outcomes:
        if outcome.kind == "undo":
            return undo(step, None)
        if outcome.kind == "cancel" and not outcome.field and step.state.frame.scope is not None:
            return phase_after_scope(step, close_scope(step, "cancelled"))
        if outcome.kind == "affirm" and open_offer(step.state) is not None:
            return offer_answers.take(step)
        if outcome.kind == "start":
            by = "program" if step.doing.kind == "commands" else "user"
            refused = open_scope(step, requested_opening(step.state, outcome.text, by))
            return fail(step, refused) if refused is not None else Phase.UNDERSTAND
    return Phase.WORK if step.state.frame.person is not None else phase


# the result of an effect continues a turn ----------------------------------------------------------


def _continue(machine: Machine, state: State, event: e.ResultEvent, at_ms: int) -> Step | Refusal:
    """Continue with the result of the effect that the turn awaits; refuse any other."""
    awaited = state.doing.awaited if state.doing is not None else None
    if awaited is None or awaited.id != event.effect or type(event) not in _RESULTS_OF[type(awaited)]:
        return Refusal("not_awaited", f"nothing waits for the result of effect {event.effect!r}")
    step = StepBuilder(machine, state, at_ms, state.turn)
    step.emit(event)
    if machine.budgets:
        budgets.settle(step, state, awaited, event)
    if type(event) in _REPAIRED and event.replaced:  # type: ignore[union-attr]
        step.warn("characters_replaced", f"{event.replaced} that UTF-8 cannot encode; \ufffd stands in their place")  # type: ignore[union-attr]
    if type(event) in _OF_REQUESTS and event.request_chars:  # type: ignore[union-attr]
        chars = event.request_chars  # type: ignore[union-attr]
        step.warn("request_shortened", f"it was too long for the model, and was shortened to {chars:,} characters")
    return _walk(step, _USES[type(event)], awaited, event)


def _understood(step: StepBuilder, awaited: Understand, event: e.Understood) -> Phase:
    if event.by == "rules" and event.attempts:  # a model failed, and the rules read the message in its place
        step.warn("understanding_failed", event.attempts[-1].reason)
    return budgets.after_understanding(step, _apply_understood(step, event.commands, _how(awaited)), event)


def _not_understood(step: StepBuilder, awaited: Understand, event: e.UnderstandingFailed) -> Phase:
    step.warn("understanding_failed", event.reason)
    return _apply_understood(step, (), _how(awaited))


def _words_recalled(step: StepBuilder, _awaited: RecallWords, event: e.WordsRecalled) -> Phase:
    assert step.node.form is not None
    return speak(step, step.node.form, aside="", words=event.words)


def _apply_understood(step: StepBuilder, commands: tuple[AnyCommand, ...], how: ValueOrigin) -> Phase:
    """Apply what was understood. Where a decided move waited for it, and the message does more than ask why, move
    first: then the message is read at the next node.
    """
    is_why = bool(commands) and all(isinstance(one, Why) for one in commands)
    answers = is_why or (step.state.offers and offer_answers.answered_by(step, commands))
    if step.state.frame.pending is not None and not answers:
        return make_pending_move(step)
    return _apply(step, commands, how)


def _how(awaited: Understand) -> ValueOrigin:
    """Return how values were understood: "direct" for an answer to one field, which no later node understands again."""
    return "direct" if awaited.field else "understood"


_RESULTS_OF: Mapping[type[AnyEffect], tuple[type[e.ResultEvent], ...]] = {
    Understand: (e.Understood, e.UnderstandingFailed),
    CallModel: (e.ModelReplied, e.ModelFailed),
    RunTool: (e.ToolReturned, e.ToolFailed),
    RecallWords: (e.WordsRecalled,),
    RecallState: (e.StateRecalled,),
}
"""The events that may be the result of each kind of effect."""
_RESULTS = frozenset(get_args(e.ResultEvent))
"""The types of results. Looking one up takes a tenth of the time of `isinstance` with a union of structs."""
_REPAIRED = frozenset([one for one in _RESULTS if "replaced" in one.__struct_fields__])
_OF_REQUESTS = frozenset([one for one in _RESULTS if "request_chars" in one.__struct_fields__])
"""The results that may say that characters, or their request, were changed. A look for an attribute that is missing
takes as long as a function.
"""
_PHASES: Mapping[Phase, Callable[[StepBuilder], Phase]] = {
    Phase.UNDERSTAND: _understand,
    Phase.BEFORE: work.before,
    Phase.WORK: work.work,
    Phase.AFTER: work.after,
    Phase.FINISH: work.finish,
}
"""The function of each phase but `AWAIT`, in which the step is over."""
_BEGINNINGS: Mapping[type[e.OutsideEvent], Callable[[StepBuilder, State, Any], Phase]] = {
    e.UserSaid: _read_message,
    e.UserChose: _read_button,
    e.Commands: lambda step, _before, event: _move_and_apply(step, event.commands, "command"),
    e.ToolUsed: lambda step, _before, event: tool_reported(step, event),
    e.TimerFired: decide_timer,
    e.ScheduleDue: fire,
    e.EventReceived: judge_event,
    e.Continued: lambda _step, _before, _event: Phase.UNDERSTAND,
    e.UndoAsked: lambda step, _before, event: undo(step, event.to),
}
"""How a turn begins in which no person takes part, by its event; three class patterns on structs take ten times as long
as a table. Decisions about calls, and turns of a person, begin elsewhere.
"""
_USES: Mapping[type[e.ResultEvent], Callable[[StepBuilder, Any, Any], Phase]] = {
    e.ModelReplied: model_replied,
    e.ModelFailed: model_failed,
    e.ToolReturned: lambda step, _awaited, event: work.tool_returned(step, event),
    e.ToolFailed: lambda step, _awaited, event: work.tool_failed(step, event),
    e.Understood: _understood,
    e.UnderstandingFailed: _not_understood,
    e.WordsRecalled: _words_recalled,
    e.StateRecalled: lambda step, _awaited, event: restore_recalled(step, event),
}
"""How each kind of result is processed."""
