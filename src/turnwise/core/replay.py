"""Replay: a journal folded again, and run again, to show that both give the same (law 1.1, 3.8).

Folding needs the journal alone; running again needs the machine, and calls no model.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core import events as e
from turnwise.core.fold import fold_all
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.step import start, step
from turnwise.core.turn import Refusal, Step


def replay(entries: Iterable[e.Entry]) -> State | None:
    """The state that a journal leads to."""
    return fold_all(entries)


def rerun(machine: Machine, entries: Iterable[e.Entry]) -> tuple[e.Entry, ...]:
    """The journal that the machine writes when it is given the same inputs at the same times."""
    journal = list(entries)
    started = journal[0].event
    assert isinstance(started, e.Started)
    inputs = [(entry, entry.event) for entry in journal if isinstance(entry.event, e.OutsideEvent | e.ResultEvent)]
    first = inputs[0][1] if inputs and inputs[0][0].turn == 1 else None
    opening = first if isinstance(first, e.OutsideEvent) else None
    done = _taken(start(machine, journal[0].at_ms, opening, time_zone=started.time_zone))
    written = list(done.entries)
    for entry, event in inputs[1:] if opening is not None else inputs:
        done = _taken(step(machine, done.state, event, entry.at_ms))
        written += done.entries
    return tuple(written)


def _taken(done: Step | Refusal) -> Step:
    assert isinstance(done, Step), f"an event of the journal was refused: {done}"
    return done
