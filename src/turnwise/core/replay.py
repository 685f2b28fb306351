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

_INPUTS = (*e.OutsideEvent.__args__, *e.ResultEvent.__args__)


def replay(entries: Iterable[e.Entry]) -> State | None:
    """The state that a journal leads to."""
    return fold_all(entries)


def rerun(machine: Machine, entries: Iterable[e.Entry]) -> tuple[e.Entry, ...]:
    """The journal that the machine writes when it is given the same inputs at the same times."""
    journal = list(entries)
    assert journal and isinstance(journal[0].event, e.Started)
    inputs = [entry for entry in journal if isinstance(entry.event, _INPUTS)]
    first = inputs[0] if inputs and inputs[0].turn == 1 and isinstance(inputs[0].event, e.OutsideEvent) else None
    started = journal[0]
    done = _taken(
        start(machine, started.at_ms, first.event if first else None, time_zone=started.event.time_zone)  # pyright: ignore[reportArgumentType]
    )
    written = list(done.entries)
    for entry in inputs[1:] if first else inputs:
        done = _taken(step(machine, done.state, entry.event, entry.at_ms))  # pyright: ignore[reportArgumentType]
        written += done.entries
    return tuple(written)


def _taken(done: Step | Refusal) -> Step:
    assert isinstance(done, Step), f"an event of the journal was refused: {done}"
    return done
