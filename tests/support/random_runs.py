"""A conversation with a random machine, made from one number: every step, and a digest of all of it.

Run as a program with two numbers it prints a digest per case from the first to before the second, so
that another process can compare.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from hashlib import sha256

from strategies.chance import Chance
from strategies.machines import make_flow
from strategies.random_events import RandomEvents
from strategies.random_items import RandomItemEvents, make_flow_of_items
from strategies.random_scopes import make_scoped_flow
from strategies.random_times import Times, with_times
from support.chats import NOON_MS
from support.pure_guards import GUARDS
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, State
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_entry, encode_state
from turnwise.core.state.fold import fold
from turnwise.core.step import start, step
from turnwise.core.turn import Refusal, Step
from turnwise.flow.model import Flow, Limits

TURNS = 12
"""How many events come from outside, by default."""
_MOST_STEPS = 80
"""More steps than any turn can take within its limits."""


@dataclass
class Run:
    """A conversation so far: its journal, its state, and the state at the end of each turn."""

    flow: Flow
    machine: Machine
    entries: list[e.Entry] = field(default_factory=list[e.Entry])
    states: dict[int, State] = field(default_factory=dict[int, State])
    refused: list[Refusal] = field(default_factory=list[Refusal])

    @property
    def state(self) -> State:
        """The state at the end of the last turn."""
        return self.states[max(self.states)]

    def digest(self) -> str:
        """A hash of all states, events and refusals: decisions are among the events."""
        found = sha256(self.machine.fingerprint.encode())
        for entry in self.entries:
            found.update(encode_entry(entry))
        for state in self.states.values():
            found.update(encode_state(state))
        found.update(repr(self.refused).encode())
        return found.hexdigest()


class Conversing:
    """A random conversation under way."""

    def __init__(
        self,
        seed: int,
        limits: Limits | None = None,
        secrets: float = 0.05,
        *,
        has_scopes: bool = False,
        has_times: bool = False,
        has_items: bool = False,
    ) -> None:
        self.chance = Chance(seed)
        if has_items:
            flow = make_flow_of_items(self.chance)
        else:
            make = make_scoped_flow if has_scopes or has_times else make_flow
            flow = make(self.chance, secrets)
        flow = with_times(self.chance, flow) if has_times else flow
        flow = flow if limits is None else replace(flow, limits=limits)
        self.run = Run(flow, link(flow, GUARDS))
        kind = RandomItemEvents if has_items else RandomEvents
        self.random_events = kind(self.chance, self.run.machine)
        self.times = Times(self.chance, self.run.machine) if has_times else None
        self.at_ms = NOON_MS
        self.words: dict[int, str] = {}

    def begin(self) -> None:
        """Start, now and then with a first event."""
        first = self.random_events.event(None) if self.chance.is_lucky(0.3) else None
        done = start(self.run.machine, self.at_ms, first)
        if isinstance(done, Refusal):
            self.run.refused.append(done)
            done = start(self.run.machine, self.at_ms)
        assert isinstance(done, Step)
        self.finish(done)

    def go_on(self) -> None:
        """One event from outside, and all that follows; time now and then goes back."""
        self.at_ms += self.chance.choice((0, 1000, 90_000, 86_400_000, -5000))
        state = self.run.state
        if self.times is not None and self.chance.is_lucky(0.05):
            self.note(self.times.forced())
        elif self.times is not None and self.chance.is_lucky(0.35):
            due = self.times.event(state)
            if isinstance(due, e.ScheduleDue) and due.at_ms is not None and self.chance.is_lucky(0.9):
                self.at_ms = max(self.at_ms, due.at_ms)
            self.take(due)
        else:
            self.take(self.random_events.event(state))

    def note(self, fact: e.Note) -> None:
        """What is recorded between two turns."""
        state = self.run.state
        entry = e.Entry(state.seq + 1, state.turn, max(self.at_ms, state.at_ms), fact, state.frame.id)
        self.run.entries.append(entry)
        self.run.states[state.turn] = fold(state, entry)

    def take(self, event: e.OutsideEvent) -> None:
        """One event from outside, as it was made."""
        done = step(self.run.machine, self.run.state, event, self.at_ms)
        if isinstance(done, Refusal):
            self.run.refused.append(done)
        else:
            self.finish(done)

    def finish(self, done: Step) -> None:
        """Give a turn its results until it is over."""
        steps = 0
        self.keep(done)
        while done.effects:
            steps += 1
            assert steps < _MOST_STEPS, "the turn does not end"
            (effect,) = done.effects
            if self.chance.is_lucky(0.05):
                self.come_between(done.state)
            result = self.random_events.result(effect, done.state, self.words, self.run.states)
            following = step(self.run.machine, done.state, result, self.at_ms)
            assert isinstance(following, Step), f"the result of an awaited effect was refused: {following}"
            done = following
            self.keep(done)
        self.run.states[done.state.turn] = done.state

    def come_between(self, state: State) -> None:
        """What is not awaited while a turn is under way is refused."""
        for event in (self.random_events.unasked(state), self.random_events.event(state)):
            refused = step(self.run.machine, state, event, self.at_ms)
            assert isinstance(refused, Refusal), "two turns at once"
            self.run.refused.append(refused)

    def keep(self, done: Step) -> None:
        """What one step gave."""
        self.run.entries += done.entries
        for entry in done.entries:
            match entry.event:
                case e.UserSaid(text=text):
                    self.words[entry.seq] = text
                case e.UserChose(value=value):
                    self.words[entry.seq] = value
                case _:
                    pass


def converse(
    seed: int,
    turns: int = TURNS,
    secrets: float = 0.05,
    *,
    has_scopes: bool = False,
    has_times: bool = False,
    has_items: bool = False,
) -> Run:
    """A whole random conversation."""
    talking = Conversing(seed, secrets=secrets, has_scopes=has_scopes, has_times=has_times, has_items=has_items)
    talking.begin()
    for _ in range(turns):
        talking.go_on()
        if isinstance(talking.run.state.status, Ended) and talking.chance.is_lucky(0.6):
            break
    return talking.run


def main() -> None:
    """Print a digest per case."""
    first, last = map(int, sys.argv[1:])
    for seed in range(first, last):
        print(seed, converse(seed).digest())


if __name__ == "__main__":
    main()
