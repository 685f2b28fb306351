"""The loop of a turn: step, commit, perform, and again until the turn is over. It knows no database."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.core.events import Entry, OutsideEvent
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.step import resume, start, step
from turnwise.core.turn import Refusal, Step
from turnwise.runner.ports import Clock, Host


async def run_turn(
    machine: Machine, host: Host, clock: Clock, event: OutsideEvent | None, *, time_zone: str = ""
) -> Refusal | tuple[State, list[Entry]]:
    """One whole turn: its state afterwards and all its entries, or the refusal that changed nothing."""
    state = await host.load()
    if state is None:
        done = start(machine, clock.now_ms(), event, time_zone=time_zone)
    else:
        assert event is not None, "only a conversation that begins has no event"
        done = step(machine, state, event, clock.now_ms())
    if isinstance(done, Refusal):
        return done
    entries = list(done.entries)
    await host.commit(done)
    while done.effects:
        done = await _go_on(machine, host, clock.now_ms, done)
        entries += done.entries
    return done.state, entries


async def finish_turn(machine: Machine, host: Host, clock: Clock, state: State) -> State:
    """Go on with a turn that was cut off while it waited for an effect; gives the state at its end."""
    done = resume(machine, state, clock.now_ms())
    await host.commit(done)
    again = True
    while done.effects:
        done = await _go_on(machine, host, clock.now_ms, done, again=again)
        again = False
    return done.state


async def _go_on(machine: Machine, host: Host, now_ms: Callable[[], int], done: Step, *, again: bool = False) -> Step:
    """Perform what the last step asked for, and take the result in."""
    (effect,) = done.effects
    result = await host.perform(effect, done.state, again=again)
    following = step(machine, done.state, result, now_ms())
    assert isinstance(following, Step), f"the result of an awaited effect was refused: {following}"
    await host.commit(following)
    return following
