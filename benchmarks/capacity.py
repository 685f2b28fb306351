"""What many parked conversations cost on PostgreSQL: `python benchmarks/capacity.py [--page docs/capacity.md] [SIZE…]`.

A real conversation is played until it waits, and its rows are multiplied in the database. At each size it measures bytes,
turns of parked conversations on a replica that has not seen them beside turns of an empty database in the same run, due
timers, lists, and vacuum. It prints a line of JSON for each size, and fills the tables of the page.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]
import turnwise as tw
from support.postgres import Server, programs
from turnwise.runner.search import ConversationQuery

SIZES = (10_000, 100_000, 1_000_000)
BATCH = 50_000
TURNS = 150
"""How many turns are measured: one of each conversation."""
CHANGED = 5_000
"""How many conversations were written anew before vacuum runs, at most."""
FLOW = """
    flow: intake
    start: ask
    language: en
    records: {user: {name: string, age: integer, city: string}}
    nodes:
      ask:
        form:
          fields:
            - {field: user.name, ask: What is your name?}
            - {field: user.age, ask: How old are you?}
            - {field: user.city, ask: Where do you live?}
        transitions: [{to: over}, {id: quiet, at: timer, in: 30d, stay: true, say: Are you still there?}]
      over: {say: Thank you., end: done}
"""
TABLES = ("conversation", "event", "timer", "inbox", "uncounted")
BEGIN = "\n<!-- measured by benchmarks/capacity.py -->\n"
END = "<!-- end -->\n"


def query(server: Server, database: str, sql: str) -> Any:
    """The first value of a statement, and the seconds that it took."""
    began = time.perf_counter()
    rows = server.execute(sql, database)
    return rows[0][0] if rows else None, time.perf_counter() - began


def multiply(server: Server, database: str, until: int) -> None:
    """Copy the rows of the conversation `template` until there are so many conversations."""
    (have, template), *_ = server.execute(
        "SELECT count(*), min(n) FILTER (WHERE id = 'template') FROM conversation", database
    )
    while have < until:
        count = min(BATCH, until - have)
        server.execute(_COPY.format(template=template, first=have, last=have + count - 1), database)
        have += count
    server.execute("VACUUM (ANALYZE)", database)


_COPY = """
    WITH made AS (
        INSERT INTO conversation (began_ms, at_ms, seq, trimmed, id, flow, fingerprint, node, status, waits, state)
        SELECT began_ms, at_ms + i, seq, trimmed, 'parked-' || i, flow, fingerprint, node, status, waits, state
        FROM conversation, generate_series({first}, {last}) AS i WHERE n = {template} RETURNING n
    ), events AS (
        INSERT INTO event (conversation, at_ms, seq, turn, frame, kind, body)
        SELECT made.n, at_ms, seq, turn, frame, kind, body FROM made, event WHERE conversation = {template}
    ), timers AS (
        INSERT INTO timer (conversation, version, due_ms, body)
        SELECT made.n, version, due_ms + made.n, body FROM made, timer WHERE conversation = {template}
    ), keys AS (
        INSERT INTO inbox (conversation, turn, key, body)
        SELECT made.n, turn, key, body FROM made, inbox WHERE conversation = {template}
    )
    INSERT INTO uncounted SELECT n FROM made
"""


async def turns(places: list[tuple[str, list[str]]]) -> list[list[float]]:
    """Milliseconds of one turn of each conversation, on replicas that have not seen any of them; those of the databases
    take turns, so that both meet the same other work of the machine.
    """
    apps = [tw.open(tw.loads(FLOW), store=address) for address, _ in places]
    found: list[list[float]] = [[] for _ in places]
    for pair in zip(*[names for _, names in places], strict=True):
        for app, name, times in zip(apps, pair, found, strict=True):
            began = time.perf_counter()
            turn = await app.chat(name).say("41", key="k2")
            times.append((time.perf_counter() - began) * 1e3)
            assert "Where do you live?" in turn.text, turn
    for app in apps:
        await app.close()
    return [times[5:] for times in found]


async def park(address: str, names: list[str]) -> None:
    """Begin conversations, which then wait for an answer."""
    app = tw.open(tw.loads(FLOW), store=address)
    for name in names:
        await app.chat(name).say("hello", key="k0")
        await app.chat(name).say("user.name: Ada", key="k1")
    await app.close()


async def reads(address: str) -> dict[str, float]:
    """Milliseconds of what a replica asks of all conversations."""
    app = tw.open(tw.loads(FLOW), store=address)
    store: Any = app.runtime.store
    far_ms = store.clock.now_ms() + 31 * 86_400_000
    asked = {
        "due_none_ms": lambda: store.due("intake", store.clock.now_ms(), 100, ()),
        "due_all_ms": lambda: store.due("intake", far_ms, 100, ()),
        "next_due_ms": lambda: store.next_due("intake", ()),
        "cut_off_ms": store.cut_off,
        "list_ms": lambda: store.find(ConversationQuery(flow="intake")),
        "list_node_ms": lambda: store.find(ConversationQuery(flow="intake", node="ask", status="waiting")),
    }
    found: dict[str, float] = {}
    for name, ask in asked.items():
        await ask()
        times: list[float] = []
        for _ in range(5):
            began = time.perf_counter()
            await ask()
            times.append((time.perf_counter() - began) * 1e3)
        found[name] = median(times)
    await app.close()
    return found


def vacuum(server: Server, database: str) -> dict[str, float]:
    """Seconds to vacuum each table after conversations were written anew."""
    server.execute(f"UPDATE conversation SET at_ms = at_ms + 1 WHERE n % 2 = 0 AND n < {2 * CHANGED}", database)
    server.execute(f"UPDATE timer SET due_ms = due_ms + 1 WHERE n % 2 = 0 AND n < {2 * CHANGED}", database)
    return {f"vacuum_{table}_s": query(server, database, f"VACUUM {table}")[1] for table in ("conversation", "timer", "event")}


class Measured:
    """A server with the database that grows, and one that stays empty."""

    def __init__(self) -> None:
        settings = {"fsync": "on", "autovacuum": "on", "shared_buffers": "512MB", "max_wal_size": "8GB"}
        self.server = Server(next(iter(programs().values())), **settings)
        self.full, self.empty = self.server.fresh(), self.server.fresh()
        self.database = self.full.partition("@/")[2].partition("?")[0]
        self.used = 0
        asyncio.run(park(self.full, ["template"]))

    def at(self, size: int, began: float) -> dict[str, Any]:
        """The figures at a size."""
        multiply(self.server, self.database, size)
        found: dict[str, Any] = {"conversations": size, "filled_after_s": time.perf_counter() - began}
        for table in TABLES:
            found[f"{table}_bytes"] = query(
                self.server, self.database, f"SELECT pg_total_relation_size('{table}')"
            )[0] / size
        found["bytes"] = sum(found[f"{table}_bytes"] for table in TABLES)
        entries, _ = query(self.server, self.database, "SELECT max(seq) FROM conversation WHERE id = 'template'")
        found["entries"] = entries
        found |= self._turns(size)
        found |= asyncio.run(reads(self.full))
        found |= vacuum(self.server, self.database)
        return {key: round(value, 3) if isinstance(value, float) else value for key, value in found.items()}

    def _turns(self, size: int) -> dict[str, float]:
        """Turns of parked conversations and of an empty database, one after the other."""
        chance = random.Random(size)
        parked = [f"parked-{n}" for n in chance.sample(range(1, size), TURNS)]
        fresh = [f"fresh-{self.used + n}" for n in range(TURNS)]
        self.used += TURNS
        asyncio.run(park(self.empty, fresh))
        full, empty = asyncio.run(turns([(self.full, parked), (self.empty, fresh)]))
        ratio = median([one / other for one, other in zip(full, empty, strict=True)])
        return {"turn_ms": median(full), "turn_empty_ms": median(empty), "turn_ratio": ratio}


ROWS = (
    ("bytes of a conversation, indexes included", "bytes", "{:,.0f}"),
    ("— in `event`", "event_bytes", "{:,.0f}"),
    ("— in `conversation`, with its state", "conversation_bytes", "{:,.0f}"),
    ("— in `timer`", "timer_bytes", "{:,.0f}"),
    ("— in `inbox`, its keys", "inbox_bytes", "{:,.0f}"),
    ("a turn of a parked conversation, ms", "turn_ms", "{:.1f}"),
    ("a turn of an empty database, ms", "turn_empty_ms", "{:.1f}"),
    ("times as long (at most 1.5)", "turn_ratio", "{:.2f}"),
    ("due timers: none is, ms", "due_none_ms", "{:.1f}"),
    ("due timers: the first 100, where all are, ms", "due_all_ms", "{:.1f}"),
    ("when the next timer is due, ms", "next_due_ms", "{:.1f}"),
    ("turns that were cut off: none was, ms", "cut_off_ms", "{:.1f}"),
    ("a page of the list of a flow, with its total, ms", "list_ms", "{:.1f}"),
    ("the same of a node, ms", "list_node_ms", "{:.1f}"),
    (f"vacuum of `conversation`, {CHANGED:,} changed, s", "vacuum_conversation_s", "{:.2f}"),
    (f"vacuum of `timer`, {CHANGED:,} changed, s", "vacuum_timer_s", "{:.2f}"),
)
"""The rows of the table on the page: the words, the figure, and how it is written."""


def table(found: list[dict[str, Any]]) -> str:
    """The figures as a table, a column for each size."""
    head = "".join([f" {one['conversations']:,} |" for one in found])
    lines = [f"| conversations |{head}", "|---|" + "---|" * len(found)]
    lines += ["".join([f"| {words} |", *[f" {form.format(one[name])} |" for one in found]]) for words, name, form in ROWS]
    return "\n".join(lines) + "\n"


def write(page: Path, found: list[dict[str, Any]]) -> None:
    """Put the table into the page, in the place of the earlier one."""
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{table(found)}\n{END}{rest.partition(END)[2]}")


def main() -> int:
    """Measure; 1 where a turn of the largest size takes more than 1.5 times that of an empty database."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    measured, began = Measured(), time.perf_counter()
    found = []
    try:
        for size in options.sizes or SIZES:
            found.append(measured.at(size, began))
            print(json.dumps(found[-1]), flush=True)
    finally:
        measured.server.remove()
    if options.page is not None:
        write(options.page, found)
    return int(found[-1]["turn_ratio"] > 1.5)


if __name__ == "__main__":
    os.nice(5)
    raise SystemExit(main())
