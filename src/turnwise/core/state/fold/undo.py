"""Folds an undo: the state is that of an earlier turn again, apart from what an undo cannot take back."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state import KEPT_UNDOS, State
from turnwise.core.state import events as e
from turnwise.core.state.fold import person


def undone(state: State, entry: e.Entry, event: e.Undone) -> State:
    """Return the state after an undo: that of the earlier turn, except for what an undo cannot take back.

    The question of that time is open anew: no button that was offered until now answers it. A copy stays one, also
    where the state is from before the fork. What was spent stays spent. What is forced and which overlays are active is
    not taken back, nor which ids of items were given.
    """
    doing, question = replace(state.current, base=event.state.came_from, outcomes=()), event.state.question
    frame = replace(
        event.state.frame,
        question=replace(question, first=entry.seq) if question is not None else None,
        person=person.restored_person(event.state, entry.at_ms),
    )
    return replace(
        event.state,
        turn=state.turn,
        at_ms=entry.at_ms,
        doing=doing,
        frame=frame,
        is_bound=state.is_bound,
        forked=state.forked,
        snapshot=state.snapshot,
        spending=replace(state.spending, asked="", wanted=0) if state.spending is not None else None,
        overlays=state.overlays,
        undone=_taken_back(event.state, event.to, entry.turn),
        cut_off=0,
        missed=(),
        unprompted=(),
        unseen_from=0,
        schedules=state.schedules,  # what was handled is not handled again
        last_item=state.last_item,  # an id never names another item
    )


def _taken_back(then: State, turn: int, undo: int) -> tuple[tuple[int, int], ...]:
    """Return the turns that no model is shown any more, after an undo to a turn. Those of the state as it was then are
    among them, so that an undo to a turn within them shows it again.
    """
    spans = (*then.undone, (turn, undo))
    if len(spans) <= KEPT_UNDOS:
        return spans
    return ((spans[0][0], spans[1][1]), *spans[2:])
