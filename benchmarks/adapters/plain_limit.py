"""No peer but the limit: the same turn as plain Python with `sqlite3` or `asyncpg`.

It appends one row of about 1 KB per turn and keeps nothing else: the practical lower bound of an
engine in CPython that is durable per turn, without checkpoints per step, events and validation.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

import common as c

Message = dict[str, Any]


async def _model(messages: list[Message]) -> Message:
    if messages[-1]["role"] == "user":
        call = {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1"}
        return {"role": "assistant", "content": "", "tool_calls": [call]}
    return {"role": "assistant", "content": c.REPLY}


async def _tool(call: dict[str, Any]) -> Message:
    return {"role": "tool", "tool_call_id": call["id"], "content": c.lookup_order(**call["args"])}


class Adapter(c.Adapter):
    """Variant "full": `synchronous=full` in SQLite."""

    NAME = "plain_limit"
    STORES = ("none", "sqlite", "postgres")
    VARIANTS = ("", "full")
    IMPORT = "import asyncio, sqlite3, json"

    def note(self) -> str:
        level = "FULL" if self.variant == "full" else "NORMAL"
        return f"lower bound; live session cache, append-only; sqlite WAL, synchronous={level}"

    async def open(self) -> None:
        self.histories: dict[str, list[Message]] = {}
        if self.store == "sqlite":
            self.connection = sqlite3.connect(self.db, isolation_level=None)
            self.connection.execute("pragma journal_mode=wal")
            self.connection.execute(f"pragma synchronous={'full' if self.variant == 'full' else 'normal'}")
            self.connection.execute(
                "create table if not exists t(sid text, n integer, body blob, primary key(sid, n)) without rowid"
            )
        elif self.store == "postgres":
            import asyncpg

            self.pool = await asyncpg.create_pool(
                user=c.PG_USER, database=c.PG_DB, host=c.PG_HOST, min_size=8, max_size=16
            )
            await self.pool.execute("create table if not exists t(sid text, n int, body bytea, primary key(sid, n))")

    async def _history(self, sid: str) -> list[Message]:
        found = self.histories.get(sid)
        if found is not None:
            return found
        rows: Any = ()
        if self.store == "sqlite":
            rows = self.connection.execute("select body from t where sid=? order by n", (sid,))
        elif self.store == "postgres":
            rows = await self.pool.fetch("select body from t where sid=$1 order by n", sid)
        self.histories[sid] = [message for row in rows for message in json.loads(row[0])]
        return self.histories[sid]

    async def turn(self, sid: str, text: str) -> str:
        history = await self._history(sid)
        known = len(history)
        history.append({"role": "user", "content": text})
        while True:
            message = await _model(history)
            history.append(message)
            if not message.get("tool_calls"):
                break
            history.append(await _tool(message["tool_calls"][0]))
        c.evaluate_rules(c.FIELDS, message["content"])
        if self.store != "none":
            body = json.dumps(history[known:]).encode()
            if self.store == "sqlite":
                self.connection.execute("insert into t values(?,?,?)", (sid, known, body))
            else:
                await self.pool.execute("insert into t values($1,$2,$3)", sid, known, body)
        return message["content"]

    async def seed(self, sid: str, turns: int) -> None:
        for _ in range(turns):
            await self.turn(sid, c.USER_TEXT)

    async def load(self, sid: str) -> int:
        return len(await self._history(sid))

    async def close(self) -> None:
        if self.store == "sqlite":
            self.connection.close()
        elif self.store == "postgres":
            await self.pool.close()

    @staticmethod
    def compile_flow(nodes: int) -> dict[str, Any]:
        """A dict of tuples, every target checked and every node reached."""
        flow: dict[str, Any] = {
            f"n{number}": ((lambda state: True, f"n{number + 1}"), (None, "end")) for number in range(nodes - 1)
        }
        flow[f"n{nodes - 1}"] = ((None, "end"),)
        seen: set[str] = set()
        waiting = ["n0"]
        while waiting:
            node = waiting.pop()
            if node not in seen and node != "end":
                seen.add(node)
                waiting += [target for _, target in flow[node] if target not in seen]
        assert len(seen) == nodes
        return flow

    @staticmethod
    def transition() -> tuple[Callable[[], Any], int, int]:
        return lambda: c.evaluate_rules(c.FIELDS, c.REPLY), 1, len(c.RULES)
