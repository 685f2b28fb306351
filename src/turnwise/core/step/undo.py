"""Undo (law 6.9): go back to the state at the end of an earlier turn."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.state import KEPT_USES, ApprovalRequest, Frame, State, ToolHistory, ToolUse
from turnwise.core.state.approvals import without_request
from turnwise.core.state.effects import RecallState
from turnwise.core.state.events import KeptWords, StateRecalled, Undone
from turnwise.core.state.fold.effects import with_requests
from turnwise.core.state.performed import merge_effects, without_results
from turnwise.core.tools import repeats
from turnwise.core.tools.consent import ask_again
from turnwise.core.turn import Phase, StepBuilder


def undo(step: StepBuilder, to: int | None) -> Phase:
    """Request the state at the end of the turn number `to`, by default of the turn before the last one; return the next
    phase.
    """
    target = step.state.came_from if to is None else to
    if not 1 <= target < step.number:
        step.say(step.machine.language.text("nothing_to_undo"), "undo")
        return ask_again(step)
    return step.ask(RecallState(step.effect_id(), target))


def restore_recalled(step: StepBuilder, event: StateRecalled) -> Phase:
    """Restore the state that was read, report which effects stay, and ask its open question again."""
    if event.state is None:
        step.say(step.machine.language.text("nothing_to_undo"), "undo")
        return Phase.FINISH
    then = _armed(step, _as_it_was(event, event.state, step.number))
    then = with_requests(then, tuple([_anew(step, then, one) for one in then.waiting_calls]))
    closed = _closed(step, then)
    for one in closed:
        then = replace(then, kept_effects=without_results(then.kept_effects, one.frame))
    step.emit(Undone(event.turn, then, event.kept, closed))
    step.speak()
    step.say(_undone_text(step, event.kept), "undone")
    is_asking = bool(step.state.frame.waiting_calls) or step.state.frame.form is not None
    if not is_asking:  # the node repeats its words
        step.say(event.said)
    return ask_again(step) if step.state.frame.person is None else Phase.FINISH


def _closed(step: StepBuilder, then: State) -> tuple[KeptWords, ...]:
    """Return how long the words of the open scopes are kept that are not open in an earlier state (law 6.4)."""
    still_open = {frame.id for frame in then.frames}
    scopes = [(frame.id, frame.scope.name) for frame in step.state.frames if frame.scope and frame.id not in still_open]
    known = [(number, name, step.machine.scopes.get(name)) for number, name in scopes]
    return tuple(
        [
            KeptWords(number, scope.keep_ms, scope=name)
            for number, name, scope in known
            if scope is not None and scope.keep_ms is not None
        ]
    )


def _as_it_was(event: StateRecalled, then: State, number: int) -> State:
    """Return an earlier state with the tool uses since then added. A model's call that waited for consent is dropped if
    its tool has run since, so that consent is not asked for twice. The work of a node runs again with the same call id,
    because the undo removed its result.
    """
    kept = event.kept
    if not kept:
        return then
    known = {call.id: call for call in (*then.taken_back, *event.calls)}
    then = replace(
        then,
        taken_back=tuple(known.values())[-KEPT_USES:],
        kept_effects=merge_effects(then.kept_effects, event.effects),
    )
    frames = event.frames or (then.frame.id,) * len(kept)
    *outer, frame = [
        _with_uses(frame, [tool for tool, of in zip(kept, frames, strict=False) if of == frame.id], number)
        for frame in then.frames
    ]
    then = replace(then, frame=frame, outer=tuple(outer))
    return with_requests(then, _still_waiting(event, then, frozenset(known)))


def _with_uses(frame: Frame, tools: list[str], number: int) -> Frame:
    """Return a frame in whose history some tools were used since."""
    if not tools:
        return frame
    counts = dict(frame.tools.counts)
    for tool in tools:
        counts[tool] = counts.get(tool, 0) + 1
    uses = (*frame.tools.last, *[ToolUse(tool, number, frame.node) for tool in tools])
    return replace(frame, tools=ToolHistory(counts, uses[-KEPT_USES:]))


def _armed(step: StepBuilder, then: State) -> State:
    """Return a state in which no call has passed its deadline: the undo gives as much time again."""
    requests = then.waiting_calls
    if not any(one.due_ms is not None and one.due_ms <= step.at_ms for one in requests):
        return then
    again = [
        replace(one, due_ms=step.at_ms + one.due_ms - one.since_ms, since_ms=step.at_ms)
        if one.due_ms is not None and one.due_ms <= step.at_ms
        else one
        for one in requests
    ]
    return with_requests(then, tuple(again))


def _still_waiting(event: StateRecalled, then: State, known: frozenset[str]) -> tuple[ApprovalRequest, ...]:
    """Return the calls of an earlier state that still wait for approval: not those of a model that were made since."""
    requests = then.waiting_calls
    for request in requests:
        is_made = request.tool in event.kept if event.made is None else request.call in event.made
        if request.call and is_made:
            requests, _ = without_request(requests, request.call)
    made = event.made or ()
    return tuple(
        [
            replace(one, behind=tuple([later for later in one.behind if later.id not in made]))
            if one.call
            else replace(one, was_begun=one.id in known or not event.calls)
            if one.tool in event.kept
            else one
            for one in requests
        ]
    )


def _anew(step: StepBuilder, then: State, request: ApprovalRequest) -> ApprovalRequest:
    """Return a call that waits, with a key of its own if the same one was done: to approve it is to do it once more."""
    is_own = not request.call and request.was_begun
    if is_own and repeats.is_certain(repeats.repeated_by(step.machine, then, request)):
        return replace(request, id=step.effect_id(), was_begun=False)
    return request


def _undone_text(step: StepBuilder, kept: tuple[str, ...]) -> str:
    """Return the reply to an undo: the turn was undone, and which effects remain."""
    language, tools = step.machine.language, step.machine.tools
    text = language.text("undone")
    changing = [tools[name].tool for name in dict.fromkeys(kept) if name in tools and tools[name].tool.kind == "effect"]
    if not changing:
        return text
    what = ", ".join(map(tool_in_words, changing))
    return f"{text} {language.text('undone_kept', what=what)}"
