"""The part of a transcript that a model is shown: the present turn, and some turns before it (law 3.6).

It decides by turns, never by messages: a turn is shown whole, with all its calls and results, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import get_args

from turnwise.core.machine import Machine
from turnwise.core.prompts.transcript import Line
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel
from turnwise.flow.model import NodeTranscript

_PARTS = 4
"""A full window moves on by this part of its turns at a time, so that many requests in a row begin alike."""


def is_shown(state: State, turn: int) -> bool:
    """Return whether models see a turn: not if an undo took it back."""
    return not any(after < turn < undo for after, undo in state.undone)


def without_undone(found: Sequence[Line], state: State) -> Sequence[Line]:
    """Return the lines `found` without those of turns that an undo took back."""
    return [line for line in found if is_shown(state, line.turn)]


def open_calls(state: State, recent: Iterable[e.Entry]) -> frozenset[str]:
    """Return the ids of earlier calls of models that wait for approval, or got a result in this turn.
    The entries of this turn are `recent`.
    """
    made, found = [""], list(map(_call_of, state.frame.waiting_calls))
    for entry in recent:
        event = entry.event
        if type(event) is e.ModelReplied:
            for call in event.calls:
                made.append(call.id)  # noqa: PERF401  a comprehension is a call
        elif type(event) in _OF_CALLS:
            found.append(getattr(event, "call", ""))
    return frozenset(found).difference(made)


_call_of = attrgetter("call")
_OF_CALLS = frozenset([kind for kind in get_args(e.AnyEvent) if "call" in kind.__struct_fields__])
"""The events that name a call. A look for an attribute that is missing takes as long as a function."""


def turns_of(calls: frozenset[str], found: Iterable[Line]) -> frozenset[int]:
    """Return the numbers of the turns with the replies that made the `calls` (ids), among the lines `found`."""
    if not calls:
        return frozenset()
    return frozenset([line.turn for line in found if not calls.isdisjoint([call.id for call in line.message.calls])])


def window(
    found: Sequence[Line],
    most: int,
    state: State,
    calls: frozenset[str] = frozenset(),
    of_node: NodeTranscript | None = None,
) -> tuple[Line, ...]:
    """Return the lines of the current turn and of at most `most` turns before it, without turns that were undone;
    `of_node` limits them further, to what the node's model sees. The last message of the user is always among them,
    however many turns the machine has started since, and so are the turns that made the `calls`; only with `of_node`
    that message may be missing.
    """
    shown = without_undone(found, state) if state.undone else found
    turns = sorted({*map(_turn_of, shown)} - {state.turn})
    begin = first_turn(turns, most)
    if of_node is not None:
        begin = max(begin, _first_of_node(turns, state, of_node))
    if not begin:
        return tuple(shown)
    kept = turns_of(calls, shown) if calls else frozenset[int]()
    lines = tuple([line for line in shown if line.turn >= begin or line.turn in kept])
    said = last_of_user(shown) if of_node is None or of_node.show == "all" else None
    if said is not None and (said.turn >= begin or said.turn in kept or last_of_user(lines) is not None):
        return lines
    return lines if said is None else (said, *lines)


_turn_of = attrgetter("turn")


def transcript_setting(machine: Machine, state: State) -> NodeTranscript | None:
    """Return which part of the transcript the model of the node in charge sees; `None` for all of it.
    A summary is made of all.
    """
    effect = state.doing.awaited if state.doing is not None else None
    if isinstance(effect, CallModel) and effect.purpose == "summary":
        return None
    return machine.nodes[state.frame.node].node.transcript


def _first_of_node(turns: Sequence[int], state: State, transcript: NodeTranscript) -> int:
    """Return the first turn that the model of a node reads; `turns` are those before the present one."""
    if transcript.show == "none":
        return state.turn
    since = state.frame.entered_turn if transcript.show == "visit" else 0
    last = transcript.last
    return since if last is None or len(turns) <= last else max(since, turns[-last])


def last_of_user(found: Sequence[Line]) -> Line | None:
    """Return the line of the user's last message; `None` if there is none."""
    for line in reversed(found):
        if line.message.role == "user":
            return line
    return None


def holds_window(turns: Iterable[int], said: int, most: int, state: State) -> bool:
    """Return whether the last lines of a transcript suffice for a window of `most` turns. `turns` are those of the
    lines, `said` is the turn of the user's last message among them, 0 if there is none.
    """
    known = {turn for turn in turns if is_shown(state, turn)}
    return said > 0 and len(known - {state.turn, min(known, default=0)}) >= most


def first_turn(turns: Sequence[int], most: int) -> int:
    """Return the number of the first turn of a window of at most `most` of the `turns`, 0 for all; it changes seldom,
    for the prompt caches of providers.
    """
    if len(turns) <= most:
        return 0
    step = max(1, most // _PARTS)
    first = turns[-most]
    return next((turn for turn in turns[-most:] if turn >= -(-first // step) * step), first)
