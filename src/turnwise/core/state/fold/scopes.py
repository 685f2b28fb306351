"""Folds the opening and closing of scopes: a frame is pushed on the stack, or removed from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from turnwise.core.state import Failed, Frame, OpenScope, OptionList, QuestionList, State
from turnwise.core.state import events as e
from turnwise.core.state.events import ScopeClosed, ScopeOpened
from turnwise.core.state.fold.fields import without_key
from turnwise.core.state.fold.offers import without_frame
from turnwise.core.state.kinds import ERASED
from turnwise.core.state.performed import without_results

_List = TypeVar("_List", OptionList, QuestionList)


def _opened(state: State, entry: e.Entry, event: ScopeOpened) -> State:
    """The scope is in charge; the frame around it waits as it is."""
    doing = state.current
    frame = Frame(
        event.node,
        id=entry.seq,
        transcript_from=event.message - 1 if event.message else entry.seq,
        entered_turn=entry.turn,
        visits={event.node: 1},
        note=event.note,
        scope=OpenScope(event.scope, event.by, entry.turn, event.message, event.call, event.tool),
    )
    doing = replace(
        doing,
        is_used_up=doing.is_used_up or not event.message,
        opened=doing.opened + 1,
        outcomes=(),
        calls=(),
        asked_to_choose=0,
        closed="",
    )
    around, outcomes = state.frame, state.current.outcomes
    if outcomes or around.wishes:
        asked = [one.text for one in outcomes if one.kind == "start" and one.text not in around.wishes]
        by_program = asked if doing.kind == "commands" else []
        around = replace(
            around,
            wishes=_without(event.scope, (*around.wishes, *asked)),
            program_wishes=_without(event.scope, (*around.program_wishes, *by_program)),
            wish_inputs=without_key(around.wish_inputs, event.scope),
        )
    return replace(state, outer=(*state.outer, around), frame=frame, doing=doing)


def _without(scope: str, wishes: Iterable[str]) -> tuple[str, ...]:
    """Return wishes without one scope, each once."""
    return tuple(dict.fromkeys([one for one in wishes if one != scope]))


def _closed(state: State, _entry: e.Entry, event: ScopeClosed) -> State:
    """The frame around the scope is in charge again; the values of the scope are gone."""
    doing, frame, prefix = state.current, state.outer[-1], f"{event.scope}/"
    if event.by == "node":
        frame = replace(frame, scope_outcome=event.outcome, is_work_done=True)
    doing = replace(
        doing,
        is_used_up=True,
        calls=(),
        closed_scopes=(*doing.closed_scopes, event.scope),
        scope_outcome=event.outcome,
        outcomes=(),
        asked_to_choose=0,
        closed="",
    )
    status = state.status
    if event.keep is not None and isinstance(status, Failed) and status.message:
        status = replace(status, message=ERASED)  # it may quote what was said inside
    return replace(
        state,
        status=status,
        kept_effects=state.kept_effects if event.keep is None else without_results(state.kept_effects, state.frame.id),
        outer=state.outer[:-1],
        frame=frame,
        doing=doing,
        values={key: value for key, value in state.values.items() if not key.startswith(prefix)},
        shelved={key: value for key, value in state.shelved.items() if not key.startswith(prefix)},
        question_lists=_outside(state.question_lists, prefix),
        option_lists=_outside(state.option_lists, prefix),
        offers=without_frame(state.offers, state.frame.id),
    )


def _outside(lists: dict[str, _List] | None, prefix: str) -> dict[str, _List] | None:
    """Return the lists of questions or options that are not those of a scope, `None` if there are none."""
    return {key: value for key, value in lists.items() if not key.startswith(prefix)} or None if lists else None


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {ScopeOpened: _opened, ScopeClosed: _closed}
"""The functions that return the state after an event, by the class of the event."""
