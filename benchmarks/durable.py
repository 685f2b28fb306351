"""Measures the store that lasts: conversations in an SQLite file, beside the raw limit of the same disk.

`figures.py` runs these, each round in a process of its own. Both sides of a ratio take turns within
the process, so that what befalls the disk befalls both.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c
import venvs
import worker
from promises import PARKED, TURNS

EXAMPLE = venvs.ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
EXAMPLES = sorted(path for path in (venvs.ROOT / "examples").glob("*/*.flow.yaml") if path.parent.name in path.name)
"""The flows of the examples that need no code beside them."""
AT_ONCE = 200
"""How many conversations talk at the same time."""
ASKED = 20
"""How many times something is asked of which the slowest counts."""

Samples = dict[str, list[float]]
Make = Callable[[str, Path], c.Adapter]
"""Makes an adapter for a store, with a folder for its file."""


def form(store: str, folder: Path) -> c.Adapter:
    """The form."""
    from adapters.turnwise import FormAdapter

    return FormAdapter(store, folder)


def tooled(store: str, folder: Path) -> c.Adapter:
    """The turn with a tool call."""
    from adapters.turnwise import Adapter

    return Adapter(store, folder)


class Disk(sqlite3.Connection):
    """A connection that counts its commits and, if asked, the steps of SQLite's own machine; after each commit it
    waits for so long as a slower disk would sync.
    """

    commits = 0
    steps = 0
    pause_s = 0.0
    counts_steps = False

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if Disk.counts_steps:
            self.set_progress_handler(_step, 1)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """A transaction ends with COMMIT, or is one INSERT outside of any."""
        done = super().execute(sql, parameters)
        if sql[:6].upper() in ("COMMIT", "INSERT") and not self.in_transaction:
            Disk.commits += 1
            time.sleep(Disk.pause_s)
        return done


def _step() -> int:
    Disk.steps += 1
    return 0


@contextmanager
def disk(pause_s: float = 0.0, *, counts_steps: bool = False) -> Iterator[None]:
    """Connections that are opened in here are to a `Disk`, which begins to count."""
    plain = sqlite3.connect
    Disk.commits, Disk.steps, Disk.pause_s, Disk.counts_steps = 0, 0, pause_s, counts_steps
    sqlite3.connect = partial(plain, factory=Disk)
    try:
        yield
    finally:
        sqlite3.connect = plain


# a turn, beside the limit of the disk ------------------------------------------------------------


def time_disk(repeats: int, conversations: int = 20, turns: int = 1000) -> Samples:
    """A form turn against one plain row, as the disk is and with slower syncs; then commits and bytes."""
    return beside_the_limit(form, "disk", repeats, conversations, turns)


def time_turn_disk(repeats: int, conversations: int = 20, turns: int = 1000) -> Samples:
    """The same for a turn with a tool call."""
    return beside_the_limit(tooled, "turn_disk", repeats, conversations, turns)


def beside_the_limit(make: Make, name: str, repeats: int, conversations: int, turns: int) -> Samples:
    """What turns take and write, beside one plain row for each."""
    found: Samples = {}
    fast = asyncio.run(_in_turns(make, repeats, conversations))
    with disk(0.001):
        slow = asyncio.run(_in_turns(make, repeats, max(5, conversations // 4)))
    found[name] = [ours / limit for ours, limit in fast]
    found[f"{name}_slow"] = [ours / limit for ours, limit in slow]
    found[f"{name}_us"] = [ours * 1e6 for ours, _ in fast]
    found[f"{name}_plain"] = [limit * 1e6 for _, limit in fast]
    found[f"{name}_bytes"] = [_written(make, 1, turns // worker.TURNS)]
    found[f"{name}_bytes_many"] = [_written(make, AT_ONCE, 1 + turns // (AT_ONCE * worker.TURNS))]
    with disk():
        found[f"{name}_commits"] = [asyncio.run(_commits(make, max(1, turns // 100)))]
    return found


async def _in_turns(make: Make, repeats: int, conversations: int, together: int = 5) -> list[tuple[float, float]]:
    """Medians of the seconds of our turns and of the limit's, some conversations of each and then the next."""
    from adapters import plain_limit

    with TemporaryDirectory() as ours, TemporaryDirectory() as limit:
        sides = (make("sqlite", Path(ours)), plain_limit.Adapter("sqlite", Path(limit), "full"))
        blocks = [worker.Blocks(side) for side in sides]
        for side in sides:
            await side.open()
        found: list[tuple[float, float]] = []
        for _ in range(repeats + 1):
            times: list[list[float]] = [[], []]
            for _ in range(conversations // together):
                for block, mine in zip(blocks, times, strict=True):
                    mine += (await block.block(together))[0]
            found.append((statistics.median(times[0]), statistics.median(times[1])))
        for side in sides:
            await side.close()
    return found[1:]


def _written(make: Make, at_once: int, rounds: int) -> float:
    """Kilobytes that this process writes in a turn, with so many conversations at once."""
    found = asyncio.run(_many(make, at_once, rounds))
    return worker.io_between(found.before, found.after, "wchar", found.turns) / 1000


async def _commits(make: Make, conversations: int) -> float:
    """The most commits of a turn."""
    most = 0
    with TemporaryDirectory() as folder:
        adapter = make("sqlite", Path(folder))
        await adapter.open()
        for number in range(conversations):
            await adapter.begin(f"c{number}")
            for turn in range(worker.TURNS):
                before = Disk.commits
                await adapter.turn(f"c{number}", adapter.exchange(turn)[0])
                most = max(most, Disk.commits - before)
        await adapter.close()
    return float(most)


# many conversations ------------------------------------------------------------------------------


class Crowd:
    """What many conversations at once took: seconds, turns, and the counters of the process."""

    def __init__(self) -> None:
        self.turns = 0
        self.seconds = 0.0
        self.before: dict[str, int] = {}
        self.after: dict[str, int] = {}


async def _many(make: Make, at_once: int, rounds: int) -> Crowd:
    """Rounds of so many conversations at once, each of ten turns, every reply asserted."""
    found = Crowd()
    with TemporaryDirectory() as folder:
        adapter = make("sqlite", Path(folder))
        await adapter.open()
        await worker.Blocks(adapter).block(2)
        names = [[f"r{number}-{one}" for one in range(at_once)] for number in range(rounds)]
        await asyncio.gather(*(adapter.begin(name) for some in names for name in some))
        found.before = worker.io_now()
        for some in names:
            start = time.perf_counter()
            found.turns += await worker.together(adapter, some)
            found.seconds += time.perf_counter() - start
        found.after = worker.io_now()
        await adapter.close()
    return found


def time_many_slow(repeats: int, at_once: int = AT_ONCE) -> Samples:
    """Turns per second with many conversations at once and slower syncs: of the form, and with a tool call."""
    found: Samples = {}
    with disk(0.001):
        for name, make in (("many_slow", form), ("turn_many_slow", tooled)):
            crowds = [asyncio.run(_many(make, at_once, 1)) for _ in range(repeats)]
            found[name] = [crowd.turns / crowd.seconds for crowd in crowds]
    return found


def time_parked(repeats: int, parked: int = PARKED) -> Samples:
    """Conversations that wait in a file: their memory, and one of them ready in the process that began them."""
    return asyncio.run(_parked(repeats, parked))


async def _parked(repeats: int, parked: int) -> Samples:
    from adapters.turnwise import FormAdapter

    chance = Random(parked)
    with TemporaryDirectory() as folder:
        adapter = FormAdapter("sqlite", Path(folder))
        await adapter.open()
        first = parked // 5
        await _begin(adapter, 0, first)
        held = worker.rss_mb()
        await _begin(adapter, first, parked)
        grown = max(0.0, worker.rss_mb() - held) * 2**20
        ready: list[float] = []
        for _ in range(repeats):
            some = [f"p{chance.randrange(parked)}" for _ in range(ASKED)]
            ready.append(max([await _timed(adapter.app.runtime.engine.turns.finish(name)) for name in some]))
        await adapter.close()
    return {"parked": [seconds * 1e3 for seconds in ready], "parked_bytes": [grown / (parked - first)]}


async def _begin(adapter: c.Adapter, first: int, last: int) -> None:
    """Begin conversations, many at once, and leave each where it asks its first question."""
    for number in range(first, last, AT_ONCE):
        await asyncio.gather(*(adapter.begin(f"p{one}") for one in range(number, min(last, number + AT_ONCE))))


async def _timed(work: Awaitable[Any]) -> float:
    """Seconds by the clock on the wall."""
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


# a long conversation -----------------------------------------------------------------------------


def time_long(repeats: int, turns: int = TURNS) -> Samples:
    """Asking a long conversation in a SQLite file why, and opening it as a process does that did not serve it."""
    import turnwise as tw

    found: Samples = {"why_not": [], "open_long": []}
    chance = Random(turns)
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/long.db"
        file = long_conversation(turns)
        with tw.open_sync(EXAMPLE, store=address) as app:
            chat = app.chat("main")
            app.import_(file)
            for _ in range(repeats):
                some = [chance.randint(1, turns) for _ in range(ASKED)]
                found["why_not"].append(max(clocked(lambda n=n: chat.explain(turn=n)) for n in some) * 1e3)
        for _ in range(repeats):
            with tw.open_sync(EXAMPLE, store=address) as app:
                engine = app.app.runtime.engine
                found["open_long"].append(clocked(lambda: app.loop.wait(engine.turns.finish("main"))) * 1e3)
    return found


def long_conversation(turns: int) -> bytes:
    """The file of a conversation of so many turns, in which an answer is changed again and again."""
    import turnwise as tw

    with tw.open_sync(EXAMPLE) as app:
        chat = app.chat("main")
        chat.start()
        for number in range(turns - 1):
            chat.commands([_change(number)])
        return chat.export()


def _change(number: int) -> Any:
    import turnwise as tw

    return tw.commands.Set(field="case.patient_info", value=("Yes", "No", "Unknown")[number % 3])


def clocked(function: Callable[[], Any]) -> float:
    """Seconds by the clock on the wall for one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


# late turns and early ones -----------------------------------------------------------------------

STEPPED = 20
"""Turns of which SQLite's steps are counted."""


def time_late(repeats: int, turns: int = TURNS, block: int = 100) -> Samples:
    """Turns from the 10th on of new conversations, and from the 10,000th on of one: a block of each and then the next.

    Bytes are those of all blocks. The log is written back before each: else the one of the import, with all its pages,
    is written back in one block or the other, and the ratio says where.
    """
    file = long_conversation(turns)
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/late.db"
        times, written = asyncio.run(_late(address, file, repeats, block))
        with disk(counts_steps=True):
            early, late = asyncio.run(_steps(address))
    return {"late_time": times, "late_written": [written], "late_steps": [late / early]}


async def _late(address: str, file: bytes, repeats: int, block: int) -> tuple[list[float], float]:
    """Ratios of the seconds of the processor, and the ratio of all bytes written."""
    import turnwise as tw

    ratios: list[float] = []
    written = [0, 0]
    app = tw.open(EXAMPLE, store=address)
    await app.import_(file, "late")
    for number in range(repeats + 1):  # one more, so that none of those measured is the last of the file
        await _ten(app, f"early{number}")
    for number in range(repeats):
        used: list[float] = []
        for side, name in enumerate((f"early{number}", "late")):
            _write_back(address)
            before, start = worker.io_now(), time.process_time()
            await _change_often(app, name, block)
            used.append(time.process_time() - start)
            written[side] += worker.io_now().get("wchar", 0) - before.get("wchar", 0)
        ratios.append(used[1] / used[0])
    await app.close()
    return ratios, written[1] / max(1, written[0])


def _write_back(address: str) -> None:
    """Write the log of a database back into it."""
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def _steps(address: str) -> list[int]:
    """What SQLite has to do for turns of a conversation that begins, and of the long one."""
    import turnwise as tw

    found: list[int] = []
    app = tw.open(EXAMPLE, store=address)
    await _ten(app, "stepped")
    for name in ("stepped", "late"):
        await _change_often(app, name, 1)
        Disk.steps = 0
        await _change_often(app, name, STEPPED)
        found.append(Disk.steps)
    await app.close()
    return found


async def _ten(app: Any, name: str) -> None:
    """A new conversation of nine turns: the next is its tenth."""
    await app.chat(name).start()
    await _change_often(app, name, 8)


async def _change_often(app: Any, name: str, turns: int) -> None:
    """Turns in which an answer is changed again and again."""
    for number in range(turns):
        await app.chat(name).commands([_change(number)])
