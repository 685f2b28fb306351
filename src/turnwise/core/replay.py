"""Replay: a journal folded again, and run again, to show that both give the same (law 1.1, 3.8).

Folding needs the journal alone; running again needs the machine, and calls no model.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core import events as e
from turnwise.core.fold import fold_all
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.step import fork, resume, start, step
from turnwise.core.turn import Refusal, Step


def replay(entries: Iterable[e.Entry]) -> State | None:
    """The state that a journal leads to."""
    return fold_all(entries)


def rerun(machine: Machine, entries: Iterable[e.Entry]) -> tuple[e.Entry, ...]:
    """The journal that the machine writes when it is given the same inputs at the same times."""
    journal = list(entries)
    started = journal[0].event
    assert isinstance(started, e.Started)
    inputs = [entry for entry in journal if isinstance(entry.event, _GIVEN)]
    first = inputs[0].event if inputs and inputs[0].turn == 1 else None
    opening = first if isinstance(first, e.OutsideEvent) else None
    done = _taken(start(machine, journal[0].at_ms, opening, time_zone=started.time_zone))
    written = list(done.entries)
    for entry in inputs[1:] if opening is not None else inputs:
        done = _taken(_again(machine, done.state, entry))
        written += done.entries
    return tuple(written)


_GIVEN = e.OutsideEvent | e.ResultEvent | e.TurnRestarted | e.Forked


def _again(machine: Machine, state: State, entry: e.Entry) -> Step | Refusal:
    """Give the machine what was given to it then."""
    match entry.event:
        case e.TurnRestarted():
            return resume(machine, state, entry.at_ms)
        case e.Forked():
            return fork(machine, state, entry.event, entry.at_ms)
        case event:
            assert isinstance(event, e.OutsideEvent | e.ResultEvent)
            return step(machine, state, event, entry.at_ms)


def _taken(done: Step | Refusal) -> Step:
    assert isinstance(done, Step), f"an event of the journal was refused: {done}"
    return done
