"""How long answers to questions of why take: of any subject of a long conversation, through many steps, and searches."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

Samples = dict[str, list[float]]

TURNS = 10_000
SEARCHED = 1000
STEPS = 20
LONG = """
flow: long
version: 1
start: a
language: en
records: {u: {n: {type: integer}, big: {type: boolean}, total: {type: integer, value: u.n + 1}}}
nodes:
  a:
    collect: [u.n]
    say: Next?
    transitions: [{id: up, at: before, when: u.n > 90 && u.big, to: b, because: it is large}]
  b: {say: Large., transitions: [{id: back, at: before, to: a, set: {u.n: 1}}]}
"""
ASKED = ("", "u.n", "u.total", "u.big", "up", "back", "a", "b", "end", "conversation", "question", "message", "person")
"""Subjects of each kind; the slowest counts."""
IN_PLAIN_WORDS = (
    *("why did it not ask for n?", "why is n 9?", "why is n no longer 5?", "when was n set?", "how often was n set?"),
    *("who decided that it is large?", "why was I told twice?", "why was my answer refused?", "why did it end?"),
    *("why did it not go to b?", "what would have been needed to get to b?", "what if n had been 95?"),
    *("how long did it wait?", "how long was it in a?", "since when is it in a?", "why did the tool not run?"),
    *("what did it do when I said 12?", 'why was "hello there" ignored?', "why did it need three tries?"),
    *("why did the total change after turn 20?",),
)
"""A question for each reader of sentences; those count too that are about nothing which the conversation has."""


def chain(steps: int = STEPS) -> str:
    """Return a flow in which each node computes the next value from the one before."""
    fields = ", ".join(f"v{number}: {{type: integer}}" for number in range(steps + 1))
    lines = [
        f"flow: chain\nversion: 1\nstart: n0\nlanguage: en\nlimits: {{moves: 1}}\nrecords: {{u: {{{fields}}}}}\nnodes:"
    ]
    for at in range(steps):
        way = f"{{id: t{at}, at: before, when: u.v{at} > 0, to: n{at + 1}, set: {{u.v{at + 1}: u.v{at} + 1}}}}"
        lines.append(f"  n{at}: {{say: on, collect: [u.v0], transitions: [{way}]}}")
    return "\n".join([*lines, f"  n{steps}: {{say: done}}"])


async def _best(ask: Callable[[], Awaitable[Any]], repeats: int) -> float:
    """Return the shortest of some tries, in milliseconds."""
    from turnwise.errors import UnknownSubject

    found: list[float] = []
    for _ in range(repeats):
        begin = time.perf_counter()
        with suppress(UnknownSubject):
            await ask()
        found.append((time.perf_counter() - begin) * 1e3)
    return min(found)


async def _grown(chat: Any, turns: int) -> None:
    """Take turns, each with another value."""
    import turnwise as tw

    for number in range(turns):
        await chat.commands([tw.commands.Set(field="u.n", value=number % 90)])


async def _measured(folder: str, repeats: int, turns: int, searched: int) -> Samples:
    import turnwise as tw

    async with tw.open(tw.loads(LONG), store=f"sqlite:///{folder}/long.db") as app:
        chat, short = app.chat("long"), app.chat("short")
        await _grown(chat, turns)
        await _grown(short, searched)
        fork = await short.fork("fork", turn=searched // 2)
        await fork.commands([tw.commands.Set(field="u.n", value=95), tw.commands.Set(field="u.big", value=True)])
        answers = [await _best(lambda one=one: chat.why(one), repeats) for one in (*ASKED, *IN_PLAIN_WORDS)]
        compared = await _best(lambda: short.compare("fork"), repeats)
        ways = await _best(lambda: short.ways_to("b"), repeats)
    async with tw.open(tw.loads(chain()), store=f"sqlite:///{folder}/chain.db") as app:
        chat = app.chat("chain")
        await chat.commands([tw.commands.Set(field="u.v0", value=1)])
        for _ in range(STEPS + 2):
            await chat.say("on")
        assert len((await chat.why(f"u.v{STEPS}")).chain) > STEPS, "the value is traced back to the user"
        traced = await _best(lambda: chat.why(f"u.v{STEPS}"), repeats)
    return {"why_any": [max(answers)], "why_traced": [traced], "why_compared": [compared], "why_ways": [ways]}


def time_reasons(repeats: int, turns: int = TURNS, searched: int = SEARCHED) -> Samples:
    """Questions about a long conversation on SQLite, by the clock on the wall, the store read each time."""
    import asyncio

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(str(Path(folder)), repeats, turns, searched))
