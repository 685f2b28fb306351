"""Background work as jobs of Procrastinate: what `LocalBackground` does in loops over leased rows, for a comparison.

A turn that queues a delivery, or whose autonomous run goes on, defers a job in its own transaction, by the public argument
`configure(connection=…)`. Periodic jobs finish the turns of dead replicas and fire due timers. No job has a `lock` or a
`queueing_lock`: a second run of one finds the claim, the receipt or the delivery taken, and ends. It needs the packages
`procrastinate` and `psycopg_pool`.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import procrastinate
from turnwise.core.state.events import Continued
from turnwise.core.step.receive import awaits_continuation
from turnwise.runner.background import LocalBackground
from turnwise.runner.ports import Commit
from turnwise.stores.postgres.store import PostgresStore
from turnwise.stores.postgres.writer import Writer

EACH_SECOND = "* * * * * *"
NAMESPACE = "turnwise"
AT_ONCE = 100
LONGEST_WAIT_S = 1.0
AGAIN = procrastinate.RetryStrategy(max_attempts=100, wait=1)
"""A job fails while the database cannot be reached."""


class JobsBackground(LocalBackground):
    """Runs jobs in a worker of this process. The worker is begun anew where it stops, as it does when a connection is
    lost.
    """

    def __init__(self, engine: Any, machines: Any, store: PostgresStore, clock: Any) -> None:
        super().__init__(engine, machines, store, clock)
        engine._runs.begin = lambda _: None  # the next turn of a run is a job
        self._address = store._address
        store._writer.__class__ = JobsWriter
        self._worker: asyncio.Task[None] | None = None

    async def start(self, *, retention: Any, waits: bool) -> None:
        """Finish the turns that were interrupted, and begin the worker."""
        del retention
        await self._engine.recover(waits=waits)
        self._worker = asyncio.create_task(self._work(), name="turnwise-jobs")

    async def _work(self) -> None:
        while True:
            with suppress(procrastinate.exceptions.ConnectorException, OSError):
                app = self._app()
                async with app.open_async():
                    await app.run_worker_async(
                        concurrency=AT_ONCE,
                        delete_jobs="successful",
                        install_signal_handlers=False,
                        fetch_job_polling_interval=LONGEST_WAIT_S,
                        update_heartbeat_interval=self._address.dead_after_s / 4,
                        stalled_worker_timeout=self._address.dead_after_s,
                    )
            await asyncio.sleep(0.05)

    def _app(self) -> procrastinate.App:
        connector = procrastinate.PsycopgConnector(conninfo=self._address.conninfo, min_size=2, max_size=8)
        app = procrastinate.App(connector=connector)
        tasks = procrastinate.Blueprint()

        @tasks.task(name="step", retry=AGAIN)
        async def step(conversation: str) -> None:
            await self._engine.submit(conversation, Continued())

        @tasks.periodic(cron=EACH_SECOND)  # what failed is due again
        @tasks.task(name="deliver", retry=AGAIN)
        async def deliver(timestamp: int = 0) -> None:
            del timestamp
            if self._deliveries is not None:
                await self._deliveries.send_due()

        @tasks.periodic(cron=EACH_SECOND)
        @tasks.task(name="recover")
        async def recover(timestamp: int) -> None:
            del timestamp
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._address.dead_after_s):
                await app.job_manager.retry_job(job)
            await self._engine.recover()

        @tasks.periodic(cron=EACH_SECOND)
        @tasks.task(name="timers")
        async def timers(timestamp: int) -> None:
            del timestamp
            await self._engine.fire_due()

        app.add_tasks_from(tasks, namespace=NAMESPACE)
        return app

    async def drain(self) -> None:
        """End the worker after its jobs."""
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
        await super().drain()

    def deliver(self, deliveries: Any) -> None:
        """Send deliveries by jobs."""
        self._deliveries = deliveries
        self._engine.deliver_turns(lambda: None)


_DEFERRING = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())


class JobsWriter(Writer):
    """Defers the jobs of commits in the transaction that writes them."""

    def _together(self, items: Any, *, again: bool) -> Any:
        self._jobs = [job for item in items for job in _jobs(item.work.conversation, item.work.commit)]
        return super()._together(items, again=again)

    def _connected(self) -> Any:
        return _Deferring(super()._connected(), self._jobs)


class _Deferring:
    """A connection that defers jobs before it commits."""

    def __init__(self, db: Any, jobs: list[tuple[str, dict[str, str]]]) -> None:
        self._db = db
        self._jobs = jobs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, sql: str, *values: Any, **more: Any) -> Any:
        if sql == "COMMIT":
            for name, arguments in self._jobs:
                task = _DEFERRING.configure_task(f"{NAMESPACE}:{name}", connection=self._db)
                task.defer(**arguments)
        return self._db.execute(sql, *values, **more)


def _jobs(conversation: str, commit: Commit) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    if commit.delivery:
        found.append(("deliver", {}))
    if commit.state is not None and awaits_continuation(commit.state):
        found.append(("step", {"conversation": conversation}))
    return found


def prepare(conninfo: str) -> None:
    """Make the tables of Procrastinate."""
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    app = procrastinate.App(connector=procrastinate.SyncPsycopgConnector(conninfo=conninfo))
    with app.open():
        app.schema_manager.apply_schema()
