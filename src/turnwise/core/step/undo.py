"""Undo (law 6.9): go back to the state at the end of an earlier turn."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state import KEPT_USES, State, ToolHistory, ToolUse
from turnwise.core.state.effects import RecallState
from turnwise.core.state.events import StateRecalled, Undone
from turnwise.core.tools.consent import ask_again
from turnwise.core.turn import Phase, Turn


def undo(turn: Turn, to: int | None) -> Phase:
    """Request the state at the end of an earlier turn, by default the turn before the last one."""
    target = turn.state.came_from if to is None else to
    if not 1 <= target < turn.number:
        turn.say(turn.machine.language.text("nothing_to_undo"), "undo")
        return ask_again(turn)
    return turn.ask(RecallState(turn.effect_id(), target))


def recalled(turn: Turn, event: StateRecalled) -> Phase:
    """Restore the recalled state, report which effects stay, and ask the question of that time again."""
    if event.state is None:
        turn.say(turn.machine.language.text("nothing_to_undo"), "undo")
        return Phase.FINISH
    turn.emit(Undone(event.turn, _as_it_was(event, event.state, turn.number), event.kept))
    turn.say(_undone_text(turn, event.kept), "undone")
    phase = ask_again(turn) if turn.state.person is None else Phase.FINISH
    is_asking = turn.state.awaiting_approval is not None or turn.state.frame.form is not None
    if not is_asking:  # the node repeats its words
        turn.say(event.said)
    return phase


def _as_it_was(event: StateRecalled, then: State, number: int) -> State:
    """Return an earlier state with the tool uses since then added. A model's call that waited for consent is dropped if
    its tool has run since, so that consent is not asked for twice. The work of a node runs again with the same call id,
    because the undo removed its result.
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
    request = then.awaiting_approval
    if request is None or request.tool not in kept:
        return then
    if request.call:
        return replace(then, awaiting_approval=None, question=None)
    return replace(then, awaiting_approval=replace(request, was_begun=request.id in known or not event.calls))


def _undone_text(turn: Turn, kept: tuple[str, ...]) -> str:
    """The reply to an undo: the turn was undone, and which effects remain."""
    language, tools = turn.machine.language, turn.machine.tools
    text = language.text("undone")
    changing = [tools[name].tool for name in dict.fromkeys(kept) if name in tools and tools[name].tool.kind == "effect"]
    if not changing:
        return text
    what = ", ".join((tool.about or tool.name.replace("_", " ")).rstrip(".") for tool in changing)
    return f"{text} {language.text('undone_kept', what=what)}"
