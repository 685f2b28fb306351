"""Random nestings of frames: a state of a random conversation with frames of its earlier states below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from strategies.chance import Chance
from support.random_runs import Run
from turnwise.core.state import Ended, Frame, State
from turnwise.core.state import events as e


class Nesting:
    """Frames that wait below the frame in charge, from some turn of a conversation on. They are frames in which earlier
    turns ended, with what was open there.
    """

    def __init__(self, chance: Chance, run: Run) -> None:
        whole = [state for state in run.states.values() if not isinstance(state.status, Ended)]
        self.begins = chance.choice(whole) if whole else run.state
        frames = [chance.choice(whole or [self.begins]).frame for _ in range(chance.randint(1, 4))]
        self.outer = tuple([replace(frame, id=number) for number, frame in enumerate(frames)])
        self.id = self.begins.seq

    def over(self, state: State) -> State:
        """Return a state with these frames below its own; one from before stays as it is."""
        if state.turn < self.begins.turn:
            return state
        return replace(state, frame=replace(state.frame, id=self.id), outer=self.outer)

    def in_event(self, event: Any) -> Any:
        """Return an event with these frames in its state."""
        state = getattr(event, "state", None)
        return replace(event, state=self.over(state)) if isinstance(state, State) else event


def open_in(frames: tuple[Frame, ...]) -> Iterator[str]:
    """Yield what is open in some frames, by its name."""
    names = (
        "question",
        "pending",
        "timers",
        "awaiting_approval",
        "approvals",
        "person",
        "form",
        "tools",
        "closed_forms",
    )
    for frame in frames:
        yield from (name for name in names if getattr(frame, name))


def inputs_after(run: Run, seq: int) -> Iterator[e.Entry]:
    """Yield the entries after a position that came from outside: events and results of effects."""
    given = e.OutsideEvent | e.ResultEvent
    yield from (entry for entry in run.entries if entry.seq > seq and isinstance(entry.event, given))
