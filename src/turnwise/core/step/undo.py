"""Undo (law 6.9): restores the state of an earlier turn, but keeps the uses of tools."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state import KEPT_USES, State, ToolHistory, ToolUse
from turnwise.core.state.effects import RecallState
from turnwise.core.state.events import StateRecalled, Undone
from turnwise.core.tools.consent import ask_again
from turnwise.core.turn import Phase, Turn


def undo(turn: Turn, to: int | None) -> Phase:
    """Go back to the end of an earlier turn, by default to before the last one."""
    target = turn.state.came_from if to is None else to
    if not 1 <= target < turn.number:
        return _nothing(turn)
    return turn.ask(RecallState(turn.effect_id(), target))


def _nothing(turn: Turn) -> Phase:
    turn.say(turn.machine.language.text("nothing_to_undo"), "undo")
    return ask_again(turn)


def recalled(turn: Turn, event: StateRecalled) -> Phase:
    """The conversation is as it was, and says what stays; the question of that time is put again."""
    if event.state is None:
        turn.say(turn.machine.language.text("nothing_to_undo"), "undo")
        return Phase.FINISH
    turn.emit(Undone(event.turn, _as_it_was(event, event.state, turn.number), event.kept))
    turn.say(_told(turn, event.kept), "undone")
    phase = ask_again(turn)
    if turn.state.held is None and turn.state.frame.form is None:  # no question to put: the node repeats its words
        turn.say(event.said)
    return phase


def _as_it_was(event: StateRecalled, then: State, number: int) -> State:
    """An earlier state that knows what was done since. A model's call that waited for consent then waits no longer
    where its tool has run: one yes is not asked for twice. The work of a node is done again, for its result was taken
    back, and is then the same call, which may have been done.
    """
    kept = event.kept
    if not kept:
        return then
    known = {call.id: call for call in (*then.taken_back, *event.calls)}
    then = replace(then, taken_back=tuple(known.values())[-KEPT_USES:])
    counts = dict(then.tools.counts)
    for tool in kept:
        counts[tool] = counts.get(tool, 0) + 1
    uses = (*then.tools.last, *[ToolUse(tool, number, then.node) for tool in kept])
    then = replace(then, tools=ToolHistory(counts, uses[-KEPT_USES:]))
    held = then.held
    if held is None or held.tool not in kept:
        return then
    if held.call:
        return replace(then, held=None, question=None)
    return replace(then, held=replace(held, was_begun=held.id in known or not event.calls))


def _told(turn: Turn, kept: tuple[str, ...]) -> str:
    """What is said of it: that it was taken back, and which effects were not."""
    language, tools = turn.machine.language, turn.machine.tools
    text = language.text("undone")
    changing = [tools[name].tool for name in dict.fromkeys(kept) if name in tools and tools[name].tool.kind == "effect"]
    if not changing:
        return text
    what = ", ".join((tool.about or tool.name.replace("_", " ")).rstrip(".") for tool in changing)
    return f"{text} {language.text('undone_kept', what=what)}"
