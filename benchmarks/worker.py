"""One measurement of one adapter, inside that adapter's virtual environment; prints one JSON line.

`run.py` and `figures.py` start it. By hand:

    PYTHON_OF_THE_VENV benchmarks/worker.py --adapter langgraph --work w1 --store sqlite
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any, TypedDict

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c

TURNS = 10
"""The turns of a conversation of W1 and of the form."""

Make = Callable[..., c.Adapter]
Result = dict[str, Any]


# what the process and its store use --------------------------------------------------------------


def io_now() -> dict[str, int]:
    """What this process has read and written so far."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return {}
    return {key: int(value) for key, value in (line.split(": ") for line in lines)}


def io_between(before: dict[str, int], after: dict[str, int], key: str, turns: int) -> float:
    """What was read or written per turn."""
    return (after.get(key, 0) - before.get(key, 0)) / turns


def rss_mb() -> float:
    """The memory that this process holds."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def percentile(samples: Iterable[float], share: float) -> float:
    """The sample under which this share of them lies."""
    known = sorted(samples)
    return known[min(len(known) - 1, int(share * len(known)))]


def psql(sql: str) -> str:
    """What the database of the benchmark answers."""
    command = ["psql", "-h", c.PG_HOST, "-U", c.PG_USER, "-d", c.PG_DB, "-Atqc", sql]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def pg_reset() -> None:
    """Empty the database of the benchmark."""
    psql("drop schema public cascade; create schema public;")


PG_RELATIONS = (
    "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c "
    "join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and relkind = 'r'"
)


class Stored(TypedDict):
    """The size of a store, and the position of the write-ahead log of Postgres."""

    bytes: int
    wal: int


def stored(adapter: c.Adapter) -> Stored:
    """The size of an adapter's store now."""
    if adapter.store == "postgres":
        wal = psql("select (pg_current_wal_lsn() - '0/0')::bigint")
        return {"bytes": int(psql(PG_RELATIONS) or 0), "wal": int(wal or 0)}
    files = adapter.workdir.rglob("*") if adapter.workdir else ()
    return {"bytes": sum(file.stat().st_size for file in files if file.is_file()), "wal": 0}


def last_line(text: str) -> str:
    """What an error says, without the places where it happened."""
    return next((line[-300:] for line in reversed(text.splitlines()) if line.strip()), "no result")


# W1 and the form: turns of short conversations ---------------------------------------------------


class Blocks:
    """Blocks of conversations of ten turns each, every reply asserted."""

    def __init__(self, adapter: c.Adapter, seconds: float = 2.0, most: int = 20) -> None:
        self.adapter = adapter
        self.seconds = seconds
        self.most = most
        self.begun = 0
        self.per_block = 2

    async def open(self) -> None:
        """Open the engine, warm it up, and find how many conversations make a block of so many seconds."""
        await self.adapter.open()
        await self.block(2)
        times, _ = await self.block(1)
        self.per_block = max(2, min(self.most, int(self.seconds / (statistics.median(times) * TURNS))))
        gc.collect()

    async def block(self, conversations: int = 0) -> tuple[list[float], float]:
        """The seconds of each turn of some new conversations, and the processor seconds per turn."""
        adapter = self.adapter
        times: list[float] = []
        used = 0.0
        for _ in range(conversations or self.per_block):
            self.begun += 1
            sid = f"s{self.begun}"
            await adapter.begin(sid)
            before = time.process_time()
            for number in range(TURNS):
                text, expected = adapter.exchange(number)
                start = time.perf_counter()
                reply = await adapter.turn(sid, text)
                times.append(time.perf_counter() - start)
                assert reply == expected, f"{reply!r} instead of {expected!r}"
            used += time.process_time() - before
        return times, used / len(times)


async def w1(make: Make, args: argparse.Namespace) -> Result:
    """The median of the medians of some blocks."""
    adapter = make()
    blocks = Blocks(adapter)
    await blocks.open()
    medians: list[float] = []
    processor: list[float] = []
    times: list[float] = []
    io_before, stored_before = io_now(), stored(adapter)
    for _ in range(args.repeats):
        found, used = await blocks.block()
        medians.append(statistics.median(found) * 1e3)
        processor.append(used * 1e3)
        times += found
    io_after, stored_after = io_now(), stored(adapter)
    await adapter.close()
    turns = len(times)
    return {
        "ms": statistics.median(medians),
        "ms_min": min(medians),
        "ms_max": max(medians),
        "cpu_ms": statistics.median(processor),
        "p99_ms": percentile(times, 0.99) * 1e3,
        "turns": turns,
        "wchar_per_turn": io_between(io_before, io_after, "wchar", turns),
        "syscw_per_turn": io_between(io_before, io_after, "syscw", turns),
        "store_bytes_per_turn": (stored_after["bytes"] - stored_before["bytes"]) / turns,
        "wal_bytes_per_turn": (stored_after["wal"] - stored_before["wal"]) / turns,
        "note": adapter.note(),
    }


async def serve(make: Make, _args: argparse.Namespace) -> Result:
    """Blocks on demand, so that another process can take turns with this one: a line in, a line out.

    `block` gives the median of a block in microseconds; anything else ends it.
    """
    blocks = Blocks(make(), seconds=0.25, most=400)
    await blocks.open()
    print(json.dumps({"ready": True}), file=sys.__stdout__, flush=True)
    for line in sys.stdin:
        if line.strip() != "block":
            break
        times, _ = await blocks.block()
        print(json.dumps({"us": statistics.median(times) * 1e6, "turns": len(times)}), file=sys.__stdout__, flush=True)
    await blocks.adapter.close()
    return {}


async def serve_many(make: Make, args: argparse.Namespace) -> Result:
    """The same with conversations at once; `block` gives the microseconds of all by the number of turns."""
    adapter = make()
    await adapter.open()
    blocks = 0
    print(json.dumps({"ready": True}), file=sys.__stdout__, flush=True)
    for line in sys.stdin:
        if line.strip() != "block":
            break
        blocks += 1
        sids = [f"b{blocks}-{number}" for number in range(args.sessions)]
        for sid in sids:
            await adapter.begin(sid)
        start = time.perf_counter()
        turns = await together(adapter, sids, TURNS if "form" in args.work else args.turns)
        took = time.perf_counter() - start
        print(json.dumps({"us": took / turns * 1e6}), file=sys.__stdout__, flush=True)
    await adapter.close()
    return {}


async def together(adapter: c.Adapter, sids: Iterable[str], turns: int = TURNS) -> int:
    """Conversations at once, each a closed loop of turns, every reply asserted; gives how many turns."""

    async def one(sid: str) -> int:
        for number in range(turns):
            text, expected = adapter.exchange(number)
            reply = await adapter.turn(sid, text)
            assert reply == expected, f"{reply!r} instead of {expected!r}"
        return turns

    return sum(await asyncio.gather(*(one(sid) for sid in sids)))


# W2 and W6: one long conversation ----------------------------------------------------------------

MARKS = {1: (1, 10), 100: (95, 104), 300: (295, 304), 1000: (990, 999), 3000: (2990, 2999)}
"""The turns that are measured around each mark."""


class _Window:
    """The ten turns around a mark."""

    def __init__(self, adapter: c.Adapter) -> None:
        self.adapter = adapter
        self.io = io_now()
        self.stored = stored(adapter)
        self.times: list[float] = []

    def result(self) -> Result:
        """What they took."""
        io, size, turns = io_now(), stored(self.adapter), len(self.times)
        return {
            "ms": statistics.median(self.times) * 1e3,
            "ms_min": min(self.times) * 1e3,
            "ms_max": max(self.times) * 1e3,
            "wchar": io_between(self.io, io, "wchar", turns),
            "rchar": io_between(self.io, io, "rchar", turns),
            "disk_total": size["bytes"],
            "disk_per_turn": (size["bytes"] - self.stored["bytes"]) / turns,
            "wal_per_turn": (size["wal"] - self.stored["wal"]) / turns,
            "rss_mb": rss_mb(),
        }


async def w2(make: Make, args: argparse.Namespace) -> Result:
    """One conversation, played from its first turn; then W6 on what is stored."""
    adapter = make()
    await adapter.open()
    for _ in range(5):
        await adapter.turn("warm", c.USER_TEXT)
    windows: dict[str, Result] = {}
    result: Result = {"windows": windows}
    began = time.perf_counter()
    recent: list[float] = []
    open_windows: dict[int, _Window] = {}
    loaded: Result | None = None
    number = 0
    while number < args.max_turn:
        number += 1
        for mark, (first, _) in MARKS.items():
            if number == first:
                open_windows[mark] = _Window(adapter)
        start = time.perf_counter()
        reply = await adapter.turn("growing", c.USER_TEXT)
        took = time.perf_counter() - start
        assert reply == c.REPLY
        recent.append(took)
        for mark, (first, last) in MARKS.items():
            if first <= number <= last:
                open_windows[mark].times.append(took)
            if number == last:
                windows[str(mark)] = {**open_windows[mark].result(), "elapsed_s": time.perf_counter() - began}
        if number == 1000 and adapter.store in ("sqlite", "postgres"):
            loaded = await w6(adapter, make)
        if time.perf_counter() - began > args.time_limit:
            result["stopped_at_turn"] = number
            last_ms = statistics.median(recent[-5:]) * 1e3
            windows[f"last@{number}"] = {"ms": last_ms, "disk_total": stored(adapter)["bytes"]}
            break
    if loaded is None and adapter.store in ("sqlite", "postgres"):
        loaded = {**await w6(adapter, make), "turns": number}
    await adapter.close()
    return {**result, "w6": loaded, "note": adapter.note()}


async def w2s(make: Make, _args: argparse.Namespace) -> Result:
    """The same on a history that was laid down at once: ten turns on top of 990 and of 2990."""
    windows: dict[str, Result] = {}
    result: Result = {"windows": windows}
    for target in (1000, 3000):
        adapter = make()
        await adapter.open()
        for _ in range(5):
            await adapter.turn("warm", c.USER_TEXT)
        await adapter.seed("growing", target - 10)
        await adapter.close()
        adapter = make()  # a fresh engine, which has nothing of the seeding in memory
        await adapter.open()
        await adapter.turn("warm", c.USER_TEXT)
        await adapter.turn("growing", c.USER_TEXT)
        window = _Window(adapter)
        for _ in range(9):
            start = time.perf_counter()
            reply = await adapter.turn("growing", c.USER_TEXT)
            window.times.append(time.perf_counter() - start)
            assert reply == c.REPLY
        windows[str(target)] = window.result()
        result[f"w6_{target}"] = await w6(adapter, make)
        await adapter.close()
        if adapter.store == "postgres":
            pg_reset()
        elif adapter.workdir:
            for file in adapter.workdir.iterdir():
                file.unlink()
    return {**result, "loadavg": os.getloadavg()[0]}


async def w6(live: c.Adapter, make: Make) -> Result:
    """Another engine on the same store: opening it, and loading the long conversation."""
    opening: list[float] = []
    loading: list[float] = []
    messages = 0
    for _ in range(3):
        other = make()
        start = time.perf_counter()
        await other.open()
        is_open = time.perf_counter()
        messages = await other.load("growing")
        loading.append((time.perf_counter() - is_open) * 1e3)
        opening.append((is_open - start) * 1e3)
        await other.close()
    return {
        "open_ms": statistics.median(opening),
        "load_ms": statistics.median(loading),
        "load_min": min(loading),
        "load_max": max(loading),
        "messages": messages,
    }


# W3: many conversations at once ------------------------------------------------------------------


async def w3(make: Make, args: argparse.Namespace) -> Result:
    """Conversations at once in one process, each a closed loop of turns."""
    adapter = make()
    await adapter.open()
    for number in range(5):
        await adapter.begin(f"warm{number}")
        await adapter.turn(f"warm{number}", adapter.exchange(0)[0])
    rates: list[float] = []
    medians: list[float] = []
    slowest: list[float] = []
    processor: list[float] = []
    failures: list[str] = []

    async def one(sid: str, latencies: list[float]) -> None:
        for number in range(args.turns):
            start = time.perf_counter()
            try:
                await adapter.turn(sid, adapter.exchange(number)[0])
            except Exception as error:
                failures.append(f"{type(error).__name__}: {error}"[:200])
            latencies.append(time.perf_counter() - start)

    for repeat in range(args.repeats):
        sids = [f"r{repeat}-{number}" for number in range(args.sessions)]
        for sid in sids:
            await adapter.begin(sid)
        latencies: list[float] = []
        start, used = time.perf_counter(), time.process_time()
        await asyncio.gather(*(one(sid, latencies) for sid in sids))
        took = time.perf_counter() - start
        rates.append(len(latencies) / took)
        processor.append((time.process_time() - used) / len(latencies) * 1e3)
        medians.append(percentile(latencies, 0.5) * 1e3)
        slowest.append(percentile(latencies, 0.99) * 1e3)
        if took > args.time_limit / args.repeats:
            break
    held = rss_mb()
    await adapter.close()
    return {
        "tps": statistics.median(rates),
        "tps_min": min(rates),
        "tps_max": max(rates),
        "p50_ms": statistics.median(medians),
        "p99_ms": statistics.median(slowest),
        "cpu_ms": statistics.median(processor),
        "loadavg": os.getloadavg()[0],
        "errors": len(failures),
        "error": failures[-1] if failures else "",
        "rss_mb": held,
        "repeats": len(rates),
    }


# compiling, and W5: transitions ------------------------------------------------------------------


def compile_times(adapter: type[c.Adapter], sizes: Iterable[int] = (10, 100, 1000)) -> Result:
    """Milliseconds to build and check a flow of so many nodes, or what went wrong."""
    found: dict[str, Any] = {}
    for size in sizes:
        times: list[float] = []
        for _ in range(3):
            gc.collect()
            start = time.perf_counter()
            try:
                adapter.compile_flow(size)
            except NotImplementedError:
                return {"compile_ms": {}}
            except Exception as error:
                found[str(size)] = f"{type(error).__name__}: {error}"[:160]
                break
            times.append((time.perf_counter() - start) * 1e3)
            if times[-1] > 20_000:
                break
        if times:
            found[str(size)] = statistics.median(times)
    return {"compile_ms": found}


def calls(function: Callable[[], Any], repeats: int, least_s: float = 0.2) -> list[float]:
    """Seconds of the processor per call, one sample per repeat; the collector of garbage runs as it does for users."""
    number = 100
    while _loop(function, number) < least_s:
        number *= 3
    return [_loop(function, number) / number for _ in range(repeats)]


def _loop(function: Callable[[], Any], number: int) -> float:
    start = time.process_time()
    for _ in range(number):
        function()
    return time.process_time() - start


def w5(adapter: type[c.Adapter], repeats: int = 7) -> Result:
    """Microseconds per transition with five rules."""
    found = adapter.transition()
    if found is None:
        return {"skipped": True}
    function, transitions, rules = found
    times = [seconds / transitions * 1e6 for seconds in calls(function, repeats)]
    return {"us_per_transition": statistics.median(times), "min": min(times), "max": max(times), "rules": rules}


def versions(adapter: type[c.Adapter]) -> Result:
    """The versions of an adapter's packages; a plain name where a package says its own."""
    found: Result = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in adapter.PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = getattr(importlib.import_module(package), "__version__", None)
    return found


# -------------------------------------------------------------------------------------------------

TURN_WORKS = {
    "w1": w1,
    "form": w1,
    "w2": w2,
    "w2s": w2s,
    "w3": w3,
    "form3": w3,
    "serve": serve,
    "serve-form": serve,
    "serve-w3": serve_many,
    "serve-form3": serve_many,
}
CLASS_WORKS = {"compile": compile_times, "w5": w5, "versions": versions}


def main() -> None:
    """Measure once and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapter", required=True)
    parser.add_argument("--work", required=True, choices=[*TURN_WORKS, *CLASS_WORKS])
    parser.add_argument("--store", default="none")
    parser.add_argument("--variant", default="")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--max-turn", type=int, default=3000)
    parser.add_argument("--time-limit", type=float, default=100)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3)
    args = parser.parse_args()
    module = importlib.import_module(f"adapters.{args.adapter}")
    result: Result = {"adapter": args.adapter, "work": args.work, "store": args.store, "variant": args.variant}
    if args.work in CLASS_WORKS:
        result |= CLASS_WORKS[args.work](module.Adapter)
    else:
        adapter = module.FormAdapter if "form" in args.work else module.Adapter
        if args.store not in adapter.STORES or args.variant not in adapter.VARIANTS:
            parser.error(
                f"{args.adapter} has no {args.work} with the store {args.store!r} and variant {args.variant!r}"
            )
        result |= measured(adapter, args)
    result["maxrss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print("RESULT " + json.dumps(result), file=sys.__stdout__)  # an adapter may have redirected sys.stdout


def measured(adapter: type[c.Adapter], args: argparse.Namespace) -> Result:
    """A measurement of turns, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=os.environ.get("BENCH_TMP")))
    try:
        if args.store == "postgres":
            pg_reset()
        return asyncio.run(TURN_WORKS[args.work](lambda: adapter(args.store, folder, args.variant), args))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
