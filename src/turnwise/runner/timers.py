"""The background work of an engine: fires timers, and recovers the turns of dead processes."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from turnwise.core.state.events import Continued, TimerFired
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.core.turn import Refusal
from turnwise.errors import FlowUnavailable, TurnwiseError
from turnwise.runner.machines import Machines
from turnwise.runner.ports import Accepted, Clock, Due, Store
from turnwise.runner.schedules import KnownInputs, due_event, key_of, schedule_of

if TYPE_CHECKING:
    from turnwise.runner.engine import Engine

_log = logging.getLogger("turnwise.runner")


LONGEST_WAIT_S = 1.0
"""How many seconds late a timer that another process has armed may fire."""
FIRING_S = 0.05
"""The seconds until the next check while timers fire here: until their turns are written they hide what is due next."""
LONGEST_PAUSE_S = 60.0
"""The longest pause before a refused timer is retried, or a version of the flow that cannot run here, in seconds."""
MOST_DUE = 100
"""How many timers are begun at once; as many more are begun while the turns of these are being written."""
MOST_FIRED = 10_000
"""How many timers one call of `fire_due` fires at most, so that times which come due without end do not hold it."""
NEXT_BATCH_S = 0.005
"""The seconds until the next check while more is due than is begun at once."""

_NEVER = 2**62


class Timers:
    """Fires due timers, each due time once; retries refused ones after increasing delays."""

    def __init__(self, engine: Engine, machines: Machines, store: Store, clock: Clock) -> None:
        self._engine = engine
        self._machines = machines
        self._store = store
        self._clock = clock
        self.is_draining = False
        self._firing: dict[Due, asyncio.Task[bool]] = {}
        self._pauses: dict[Due, tuple[float, float]] = {}
        self._unavailable: dict[str, tuple[float, float]] = {}
        """The versions of the flow that cannot run here: until when they are left out, and for how long at a time."""
        self._woken = asyncio.Event()
        self._looks_at_ms = _NEVER

    def reset(self) -> None:
        """Drop timers in progress, after their event loop was closed."""
        self._firing.clear()
        self._woken = asyncio.Event()
        self._looks_at_ms = _NEVER

    async def fire_due(self) -> int:
        """Fire the due timers, and those that their turns make due, and wait for the turns; return how many fired.
        At most about `MOST_FIRED` are fired. A timer that is refused is tried once.
        """
        fired, tried = 0, set[Due]()
        await self._try_versions(_NEVER)
        while fired < MOST_FIRED:
            left = len(tried) - fired  # still due
            all_due = await self._due(MOST_DUE + left, self._clock.now_ms())
            found = [due for due in all_due if due not in tried][:MOST_DUE]
            if not found:
                break
            tried.update(found)
            inputs = KnownInputs(self._store, self._flow)
            fired += sum(await asyncio.gather(*[self._begin(due, inputs) for due in found]))
        return fired

    async def run(self) -> None:
        """Fire timers until cancelled. Turns that have begun are not cancelled with it."""
        while True:
            wait_s = LONGEST_WAIT_S
            self._woken.clear()
            self._looks_at_ms = _NEVER
            try:
                await self._engine.recover()
                wait_s = await self._look()
            except TurnwiseError as error:
                _log.error("timers: %s", error)
            self._looks_at_ms = self._clock.now_ms() + round(wait_s * 1000)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._woken.wait()

    def wake(self, due_ms: int) -> None:
        """Check for due timers at `due_ms` (milliseconds since 1970), if that is before the next check."""
        if due_ms < self._looks_at_ms:
            self._woken.set()

    async def _look(self) -> float:
        """Start firing due timers, except those that wait for a retry; return the seconds until the next check."""
        if len(self._firing) > MOST_DUE:
            return NEXT_BATCH_S
        now_s = asyncio.get_running_loop().time()
        await self._try_versions(now_s)
        limit = MOST_DUE + len(self._firing) + len(self._pauses)
        looked_ms = self._clock.now_ms()
        found = await self._due(limit, looked_ms)
        self._pauses = {due: pause for due, pause in self._pauses.items() if now_s < pause[0] + LONGEST_PAUSE_S}
        ready = [due for due in found if due not in self._firing and self._pauses.get(due, (0.0, 0.0))[0] <= now_s]
        begun = ready[:MOST_DUE]
        inputs = KnownInputs(self._store, self._flow)
        for due in begun:
            self._begin(due, inputs)
        if len(found) >= limit or len(ready) > len(begun):
            return NEXT_BATCH_S
        next_ms = await self._store.next_due(self._flow, self._unavailable)
        if next_ms is None:
            return LONGEST_WAIT_S
        if next_ms <= looked_ms:  # it is under way, here or elsewhere, or pauses
            return FIRING_S if self._firing else LONGEST_WAIT_S
        wait_s = (next_ms - self._clock.now_ms()) / 1000
        return min(LONGEST_WAIT_S, max(0.01, wait_s))

    @property
    def _flow(self) -> str:
        return self._machines.current.flow.name

    async def _due(self, limit: int, now_ms: int) -> tuple[Due, ...]:
        if self.is_draining:
            return ()
        return await self._store.due(self._flow, now_ms, limit, self._unavailable)

    def _begin(self, due: Due, inputs: KnownInputs) -> asyncio.Task[bool]:
        """Fire a timer, unless it is already being fired."""
        task = self._firing.get(due)
        if task is None:
            task = self._firing[due] = asyncio.create_task(self._fire(due, inputs))
            task.add_done_callback(partial(self._fired, due))
        return task

    def _fired(self, due: Due, task: asyncio.Task[bool]) -> None:
        """Forget a timer that was fired; check at once what else is due if there are few enough again, or none."""
        self._firing.pop(due, None)
        is_last = not self._firing and not task.cancelled() and task.exception() is None and task.result()
        if is_last or len(self._firing) == MOST_DUE:
            self._woken.set()

    async def _fire(self, due: Due, inputs: KnownInputs) -> bool:
        timer = due.timer
        key = f"timer/{timer.transition}/{timer.visit}/{timer.due_ms}"
        is_run = timer.transition == CONTINUATION_TIMER
        event = Continued() if is_run else TimerFired(timer.transition, timer.visit, timer.due_ms)
        if schedule_of(timer):
            key, event = key_of(timer), await due_event(inputs, timer, self._clock.now_ms())
        try:
            done = await self._engine.submit(due.conversation, event, "" if is_run else key)
        except TurnwiseError as error:
            return self._refused(due, str(error))
        if isinstance(done, Refusal) and done.code in ("not_going_on", "not_due"):
            self._pauses[due] = (asyncio.get_running_loop().time() + LONGEST_WAIT_S, 0.5)
            return False
        if isinstance(done, Refusal) and done.code == "flow_unavailable":
            return self._leave_out(due.fingerprint, done.text)
        return self._refused(due, done.code) if isinstance(done, Refusal) else isinstance(done, Accepted)

    def _refused(self, due: Due, reason: str) -> bool:
        pause_s = min(2 * self._pauses.get(due, (0.0, 0.5))[1], LONGEST_PAUSE_S)
        self._pauses[due] = (asyncio.get_running_loop().time() + pause_s, pause_s)
        _log.warning("%s: the timer %r was refused: %s", due.conversation, due.timer.transition, reason)
        return False

    def _leave_out(self, fingerprint: str, reason: str) -> bool:
        """Leave out all timers of a version of the flow that cannot run here."""
        if fingerprint not in self._unavailable:
            _log.warning("the timers of its conversations wait: %s", reason)
            self._pause_version(fingerprint, 1.0)
        return False

    def _pause_version(self, fingerprint: str, pause_s: float) -> None:
        pause_s = min(pause_s, LONGEST_PAUSE_S)
        self._unavailable[fingerprint] = asyncio.get_running_loop().time() + pause_s, pause_s

    async def _try_versions(self, now_s: float) -> None:
        """Try the versions that could not run, unless they are left out for longer."""
        for fingerprint, (until_s, pause_s) in tuple(self._unavailable.items()):
            if until_s <= now_s:
                try:
                    await self._machines.runnable_machine(fingerprint)
                except FlowUnavailable:
                    self._pause_version(fingerprint, 2 * pause_s)
                else:
                    del self._unavailable[fingerprint]
