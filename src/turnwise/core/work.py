"""The work of a node (laws 2.1, 2.3, 3.6), what follows when it is done, and the end of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.decide import decide, fail, give_up
from turnwise.core.effects import CallModel
from turnwise.core.events import Ended, Said, Snapshot, TurnEnded, WorkDone
from turnwise.core.forms import buttons
from turnwise.core.forms.run import is_put
from turnwise.core.forms.speak import speak
from turnwise.core.machine import Machine
from turnwise.core.state import Broken, Over, Timer
from turnwise.core.turn import Phase, Turn
from turnwise.flow.model import Moment

_WAYS_OUT: tuple[Moment, ...] = ("before", "tool", "after", "timer", "choice")
_USER_TURNS = ("said", "chose", "commands")

SNAPSHOT_EVERY = 200
"""After so many events the state is written into the journal, so that folding has a place to begin."""


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
        case "none":
            return Phase.AFTER


def _prompt(turn: Turn) -> Phase:
    """Let the model speak, unless the machine has answered the message itself."""
    if answer_commands(turn):
        return Phase.FINISH
    limit = turn.machine.flow.limits.model_calls
    if turn.doing.model_calls >= limit:
        return fail(turn, "limit", f"model_calls: {limit} calls in one turn")
    return turn.ask(CallModel(turn.effect_id()))


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


def replied(turn: Turn, text: str) -> Phase:
    """The model spoke for the node."""
    turn.say(text, "reply")
    turn.emit(WorkDone(turn.state.node))
    return Phase.AFTER


def after(turn: Turn) -> Phase:
    """Law 3.7: judge `after`, but only when the work was done in this visit."""
    node = turn.node
    if node.work != "none" and not turn.state.frame.is_work_done:
        return Phase.FINISH
    if node.node.end:
        turn.emit(Ended(node.node.end))
        return Phase.FINISH
    phase = decide(turn, "after")
    return phase if phase is not None else rest(turn)


def rest(turn: Turn) -> Phase:
    """No transition was taken: wait, end, or be stuck (laws 2.1, 2.6, 5.9)."""
    node, name = turn.node, turn.state.node
    form = turn.state.frame.form
    ways = {moment for moment in _WAYS_OUT if _leads_out(turn.machine, name, moment)}
    if form is not None and form.status in ("confirmed", "handed_off"):
        turn.emit(Ended(form.status))
    elif node.work in ("none", "say") and not ways:
        turn.emit(Ended(name))
    elif node.work == "none" and not ways & {"before", "timer"}:
        return give_up(turn, "stuck", f"no way out of '{name}' holds, and it waits for nothing")
    return Phase.FINISH


def _leads_out(machine: Machine, node: str, moment: Moment) -> bool:
    candidates = machine.docket(node, moment).candidates
    return any(not c.is_mirror and not (c.level == "enter" and c.target == node) for c in candidates)


# the end of a turn -------------------------------------------------------------------------------


def finish(turn: Turn) -> Phase:
    """Law 3.11 for a silent turn, then arm the timers and wait."""
    doing, status = turn.doing, turn.state.status
    if doing.kind in ("said", "chose") and not doing.has_spoken and not isinstance(status, Over):
        turn.warn("silent_turn", f"nothing was said in '{turn.state.node}', so the fallback was")
        turn.emit(Said(turn.machine.fallback(turn.env), "fallback"))
    is_over = isinstance(turn.state.status, Over | Broken)
    timers = () if isinstance(status, Over) else _timers(turn)
    turn.emit(TurnEnded("" if is_over else _waits_for(turn), timers))
    if turn.seq - turn.state.snapshot >= SNAPSHOT_EVERY:
        position = turn.seq + 1
        turn.emit(Snapshot(replace(turn.state, seq=position, snapshot=position)))
    return Phase.AWAIT


def _waits_for(turn: Turn) -> str:
    form, run = turn.node.form, turn.state.frame.form
    if form is None or run is None:
        return "message"
    last = next((entry.event for entry in reversed(turn.entries) if isinstance(entry.event, Said)), None)
    if last is not None:
        return "button" if last.buttons else "message"
    has_buttons = is_put(run, turn.state) and buttons.offered(turn.machine, turn.state, form)
    return "button" if has_buttons else "message"


def _timers(turn: Turn) -> tuple[Timer, ...]:
    """A user event, or entering the node, arms its timers anew; other events leave them as they are."""
    state = turn.state
    if turn.doing.kind not in (*_USER_TURNS, "started", "undo") and not turn.doing.entered:
        return state.timers
    return tuple(
        Timer(candidate.id, state.node, state.frame.visit, turn.at_ms + candidate.delay_ms)
        for candidate in turn.machine.docket(state.node, "timer").candidates
        if candidate.delay_ms is not None
    )
