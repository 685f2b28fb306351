"""Where a turn of LangGraph goes: the profiler's calls by package and by function.

.bench/venvs/langgraph/bin/python benchmarks/profile_langgraph.py [none|memory|sqlite]
"""

from __future__ import annotations

import asyncio
import cProfile
import pstats
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c
from adapters.langgraph import Adapter

TURNS = 200


async def profiled(store: str) -> cProfile.Profile:
    """The profile of some turns, in conversations of ten."""
    profile = cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder:
        adapter = Adapter(store, Path(folder))
        await adapter.open()
        for number in range(20):
            await adapter.turn(f"warm{number}", c.USER_TEXT)
        profile.enable()
        for number in range(TURNS):
            await adapter.turn(f"s{number // 10}", c.USER_TEXT)
        profile.disable()
        await adapter.close()
    return profile


def package(file: str) -> str:
    """What a file belongs to."""
    if file == "~":
        return "built-ins"
    _, found, rest = file.partition("site-packages/")
    return rest if found else f"stdlib {Path(file).parent.name}/{Path(file).name}"


def main() -> None:
    """Profile, and print the dearest files and functions."""
    store = sys.argv[1] if len(sys.argv) > 1 else "none"
    stats = pstats.Stats(asyncio.run(profiled(store)))
    seconds: dict[str, float] = defaultdict(float)
    calls: dict[str, int] = defaultdict(int)
    for (file, _, _), (_, count, own, _, _) in stats.stats.items():
        seconds[package(file)] += own
        calls[package(file)] += count
    total = sum(seconds.values())
    per_turn = sum(calls.values()) / TURNS
    print(f"store={store}: {per_turn:.0f} calls per turn, {total / TURNS * 1e3:.2f} ms per turn under the profiler")
    for name, own in sorted(seconds.items(), key=lambda pair: -pair[1])[:18]:
        print(f"{own / total * 100:5.1f} %  {calls[name] / TURNS:8.0f} calls per turn  {name}")
    stats.sort_stats("tottime").print_stats(22)


if __name__ == "__main__":
    main()
