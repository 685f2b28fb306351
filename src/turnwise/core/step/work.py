"""The work of a node (laws 2.1, 2.3, 3.6), what follows when it is done, and the end of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.decision.decide import decide, fail, give_up
from turnwise.core.forms import buttons
from turnwise.core.forms.run import is_put
from turnwise.core.forms.speak import say_closed, speak
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, Failed, Fault, Timer
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel
from turnwise.core.state.events import (
    ModelFailed,
    ModelReplied,
    Said,
    Snapshot,
    ToolFailed,
    ToolReturned,
    TurnEnded,
    WorkDone,
)
from turnwise.core.step.receive import CONTINUATION
from turnwise.core.tools import calls, choice, consent
from turnwise.core.tools import work as tool_work
from turnwise.core.tools.offered import choices
from turnwise.core.turn import Phase, Turn
from turnwise.flow.model import Moment

_WAYS_OUT: tuple[Moment, ...] = ("before", "tool", "after", "timer", "choice")
_USER_TURNS = ("said", "chose", "commands")

SNAPSHOT_EVERY = 200
"""After so many events the state is written into the journal, so that folding has a place to begin."""
RUN_RESCUE_MS = 2000
"""How long after a turn of an autonomous flow somebody looks whether the next one has begun."""


def before(turn: Turn) -> Phase:
    """Law 3.5: judge `before` on the state as it is now."""
    return decide(turn, "before") or Phase.WORK


def work(turn: Turn) -> Phase:
    """Do the node's work, or ask for it."""
    node = turn.node
    match node.work:
        case "say":
            if node.say is not None and not turn.state.frame.is_work_done:
                turn.say(node.say(turn.env))
                turn.emit(WorkDone(turn.state.node))
            return Phase.AFTER
        case "prompt":
            return _prompt(turn)
        case "form":
            assert node.form is not None
            return speak(turn, node.form)
        case "tool":
            assert node.tool is not None
            return tool_work.run(turn, node.tool)
        case "none":
            return Phase.AFTER


def _prompt(turn: Turn) -> Phase:
    """Let the model speak, unless the machine has answered the message itself; a call that was held comes first."""
    if turn.doing.kind == "continued" and turn.state.frame.is_work_done:
        return Phase.AFTER
    held = turn.state.held
    if held is not None:
        return consent.settle(turn, held) or calls.ask_model(turn)
    if answer_commands(turn):
        return Phase.FINISH
    return calls.ask_model(turn)


def answer_commands(turn: Turn) -> bool:
    """Answer help, wait and the like in the machine's own words; true where that is all there was."""
    language = turn.machine.language
    texts = {"help": "help_general", "wait": "wait", "hand_over": "handed_over"}
    heard = turn.doing.heard
    for item in heard:
        if item.kind in texts:
            turn.say(language.text(texts[item.kind]), item.kind)
        elif item.kind == "refused" and not item.field and item.text:
            turn.say(item.text, "refused")
    return turn.doing.has_spoken and all(item.kind in (*texts, "refused", "repeat") for item in heard) and bool(heard)


def answered(turn: Turn, event: ModelReplied | ModelFailed) -> Phase:
    """The model spoke for the node, or called tools; without calls its work is done. What it said before it failed
    stays, and is marked.
    """
    if isinstance(event, ModelFailed):
        turn.say(event.text, "cut")
        return fail(turn, Fault("model", event.reason, at=event.at))
    turn.say(event.text, "reply")
    if turn.doing.calls:
        return calls.go_on(turn)
    turn.emit(WorkDone(turn.state.node))
    return Phase.AFTER


def tool_answered(turn: Turn, event: ToolReturned | ToolFailed) -> Phase:
    """A tool gave a result, or none: to a model, or as the work of the node in charge."""
    own = turn.node.tool if not event.call else None
    if isinstance(event, ToolFailed):
        return fail(turn, calls.tool_failed(event)) if own else calls.not_returned(turn, event)
    return tool_work.returned(turn, own, event.result) if own else calls.returned(turn, event.tool)


def after(turn: Turn) -> Phase:
    """Law 3.7: judge `after`, but only when the work was done in this visit."""
    node = turn.node
    if node.work != "none" and not turn.state.frame.is_work_done:
        return Phase.FINISH
    if node.node.end:
        say_closed(turn)
        turn.emit(e.Ended(node.node.end))
        return Phase.FINISH
    phase = decide(turn, "after")
    return phase if phase is not None else rest(turn)


def rest(turn: Turn) -> Phase:
    """No transition was taken: wait, end, or be stuck (laws 2.1, 2.6, 5.9)."""
    node, name = turn.node, turn.state.node
    form = turn.state.frame.form
    ways: set[Moment] = {moment for moment in _WAYS_OUT if _leads_out(turn.machine, name, moment)}
    if form is not None and form.status in ("confirmed", "handed_off"):
        say_closed(turn)
        turn.emit(e.Ended(form.status))
    elif node.work in ("none", "say", "tool") and not ways:
        say_closed(turn)
        turn.emit(e.Ended(name))
    elif turn.machine.flow.autonomous and node.work == "prompt":
        return _run_on(turn, ways)
    elif node.work == "none" and not ways & {"before", "timer"}:
        return give_up(turn, "stuck", f"no way out of '{name}' holds, and it waits for nothing")
    return Phase.FINISH


def _run_on(turn: Turn, ways: set[Moment]) -> Phase:
    """Law 2.8: an autonomous flow does not wait for a person after a prompt."""
    name = turn.state.node
    if not ways:
        turn.emit(e.Ended(name))
        return Phase.FINISH
    if ways <= {"before", "timer"}:
        return Phase.FINISH
    if not turn.doing.asked_to_choose and any(choices(turn.machine, turn.state)):
        return choice.report_errors(turn) or turn.ask(CallModel(turn.effect_id(), "choose"))
    return give_up(turn, "stuck", f"the work of '{name}' is done, and no way out of it holds")


def _leads_out(machine: Machine, node: str, moment: Moment) -> bool:
    candidates = machine.candidates(node, moment).all
    return any(not c.is_mirror and not (c.level == "enter" and c.target == node) for c in candidates)


# the end of a turn -------------------------------------------------------------------------------


def finish(turn: Turn) -> Phase:
    """Law 3.11 for a silent turn, then arm the timers and wait."""
    say_closed(turn)
    doing, status = turn.doing, turn.state.status
    if doing.kind in ("said", "chose") and not doing.has_spoken and not isinstance(status, Ended):
        turn.warn("silent_turn", f"nothing was said in '{turn.state.node}', so the fallback was")
        turn.emit(Said(turn.machine.fallback(turn.env), "fallback"))
    is_over = isinstance(turn.state.status, Ended | Failed)
    waits_for = "" if is_over else CONTINUATION if turn.continues else _waits_for(turn)
    timers = () if isinstance(status, Ended) else _timers(turn, waits_for)
    turn.emit(TurnEnded(waits_for, timers))
    if turn.seq - turn.state.snapshot >= SNAPSHOT_EVERY:
        position = turn.seq + 1
        turn.emit(Snapshot(replace(turn.state, seq=position, snapshot=position)))
    return Phase.AWAIT


def _waits_for(turn: Turn) -> str:
    form, run = turn.node.form, turn.state.frame.form
    if turn.state.held is not None:
        return "button"
    if form is None or run is None:
        return "message"
    last = next((entry.event for entry in reversed(turn.entries) if isinstance(entry.event, Said)), None)
    if last is not None:
        return "button" if last.buttons else "message"
    has_buttons = is_put(run, turn.state) and buttons.offered(turn.machine, turn.state, form)
    return "button" if has_buttons else "message"


def _timers(turn: Turn, waits_for: str) -> tuple[Timer, ...]:
    """The timers of the node, and one that sees to it that an autonomous flow goes on if its process ends."""
    if waits_for != CONTINUATION:
        return _own_timers(turn)
    state = turn.state
    return (*_own_timers(turn), Timer(CONTINUATION, state.node, state.frame.visit, turn.at_ms + RUN_RESCUE_MS))


def _own_timers(turn: Turn) -> tuple[Timer, ...]:
    """A user event, or entering the node, arms its timers anew; other events leave them as they are."""
    state = turn.state
    if turn.doing.kind not in (*_USER_TURNS, "started", "undo") and not turn.doing.entered:
        return tuple([timer for timer in state.timers if timer.transition != CONTINUATION])
    return tuple(
        Timer(candidate.id, state.node, state.frame.visit, turn.at_ms + candidate.delay_ms)
        for candidate in turn.machine.candidates(state.node, "timer").all
        if candidate.delay_ms is not None
    )
