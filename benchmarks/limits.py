"""What disk, SQLite, Postgres, JSON encoders and a bare HTTP stream cost when nothing else is done.

    .bench/venvs/base/bin/python benchmarks/limits.py [--repeats 7] [--only fsync sqlite json]

Prints JSON lines. `pg` needs BENCH_PG_HOST, as in `run.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c

ROW = json.dumps({"x": "y" * 2000})


def report(what: str, samples: list[float], unit: str = "us", **more: Any) -> None:
    """Print a limit."""
    median, least, most = (round(value, 3) for value in (statistics.median(samples), min(samples), max(samples)))
    print(json.dumps({"limit": what, unit: median, "min": least, "max": most, **more}), flush=True)


def timed(function: Callable[[int], Any], number: int, repeats: int) -> list[float]:
    """Microseconds per unit of work; the function does as many as it is told."""
    function(max(1, number // 10))
    found: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        function(number)
        found.append((time.perf_counter() - start) / number * 1e6)
    return found


async def timed_async(function: Callable[[], Awaitable[Any]], number: int, repeats: int) -> list[float]:
    """The same for a coroutine function that does one unit."""
    found: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(number):
            await function()
        found.append((time.perf_counter() - start) / number * 1e6)
    return found


# the disk ----------------------------------------------------------------------------------------


def do_fsync(repeats: int, folder: Path) -> None:
    """Appending and overwriting a page."""
    file = os.open(folder / "f", os.O_RDWR | os.O_CREAT)
    page = b"x" * 4096

    def append(sync: Callable[[int], Any]) -> Callable[[int], None]:
        def go(number: int) -> None:
            for _ in range(number):
                os.write(file, page)
                sync(file)

        return go

    def overwrite(number: int) -> None:
        for _ in range(number):
            os.pwrite(file, page, 0)
            os.fdatasync(file)

    report("append 4 KiB + fsync", timed(append(os.fsync), 300, repeats))
    report("append 4 KiB + fdatasync", timed(append(os.fdatasync), 300, repeats))
    report("overwrite 4 KiB + fdatasync", timed(overwrite, 300, repeats))
    report("append 4 KiB, no sync", timed(append(lambda _: None), 3000, repeats))
    os.close(file)


# databases ---------------------------------------------------------------------------------------


class _Rows:
    """A table of 2 KB rows in SQLite."""

    def __init__(self, file: Path, mode: str, sync: str) -> None:
        self.connection = sqlite3.connect(file, isolation_level=None)
        self.connection.execute(f"pragma journal_mode={mode}")
        self.connection.execute(f"pragma synchronous={sync}")
        self.connection.execute("create table t(sid text, n integer, body blob, primary key(sid, n)) without rowid")
        self.last = 0

    def insert(self, number: int) -> None:
        for _ in range(number):
            self.last += 1
            self.connection.execute("insert into t values('s', ?, ?)", (self.last, ROW))

    def insert_in_groups(self, number: int) -> None:
        for _ in range(number // 50):
            self.connection.execute("begin")
            self.insert(50)
            self.connection.execute("commit")

    def read(self, number: int) -> None:
        for place in range(number):
            self.connection.execute("select body from t where sid='s' and n=?", (place % 500 + 1,)).fetchone()


def do_sqlite(repeats: int, folder: Path) -> None:
    """Commits and reads, and hops to a thread and back."""
    for mode, sync in (("wal", "normal"), ("wal", "full"), ("delete", "full"), ("wal", "off")):
        rows = _Rows(folder / f"{mode}-{sync}.db", mode, sync)
        report(f"sqlite commit of a 2 KB row, {mode}, synchronous={sync}", timed(rows.insert, 500, repeats))
        if (mode, sync) == ("wal", "normal"):
            in_groups = timed(rows.insert_in_groups, 5000, repeats)
            report("the same, 50 rows per transaction, per row", in_groups)
            report("sqlite read of one 2 KB row by key", timed(rows.read, 2000, repeats))
        rows.connection.close()
    asyncio.run(_threads(repeats, folder))


async def _threads(repeats: int, folder: Path) -> None:
    import aiosqlite

    async with aiosqlite.connect(folder / "aio.db", isolation_level=None) as connection:
        await connection.execute("pragma journal_mode=wal")
        await connection.execute("pragma synchronous=normal")
        await connection.execute("create table t(n integer primary key, body blob)")

        async def insert() -> None:
            await connection.execute("insert into t(body) values(?)", (ROW,))

        report("aiosqlite commit of a 2 KB row, wal, normal", await timed_async(insert, 300, repeats))
    loop = asyncio.get_running_loop()

    async def hop() -> None:
        await loop.run_in_executor(None, int)

    report("run_in_executor hop", await timed_async(hop, 1000, repeats))


def do_pg(repeats: int, _folder: Path) -> None:
    """Commits and roundtrips of two drivers."""
    asyncio.run(_asyncpg(repeats))
    asyncio.run(_psycopg(repeats))


async def _asyncpg(repeats: int) -> None:
    import asyncpg

    connection = await asyncpg.connect(user=c.PG_USER, database=c.PG_DB, host=c.PG_HOST)
    await connection.execute("drop table if exists lim; create table lim(n bigserial primary key, body text)")
    for level in ("on", "off"):
        await connection.execute(f"set synchronous_commit={level}")
        insert = await connection.prepare("insert into lim(body) values($1)")
        samples = await timed_async(lambda insert=insert: insert.fetch(ROW), 300, repeats)
        report(f"asyncpg commit of a 2 KB row, synchronous_commit={level}", samples)
    samples = await timed_async(lambda: connection.fetchval("select 1"), 500, repeats)
    report("asyncpg select 1 (socket roundtrip)", samples)
    pool = await asyncpg.create_pool(user=c.PG_USER, database=c.PG_DB, host=c.PG_HOST, min_size=16, max_size=16)

    async def insert_twenty() -> None:
        for _ in range(20):
            await pool.execute("insert into lim(body) values($1)", ROW)

    rates: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        await asyncio.gather(*(insert_twenty() for _ in range(64)))
        rates.append(64 * 20 / (time.perf_counter() - start))
    report("asyncpg commits/s, 64 tasks on 16 connections, synchronous_commit=on", rates, unit="per_s")
    await pool.close()
    await connection.execute("drop table lim")
    await connection.close()


async def _psycopg(repeats: int) -> None:
    import psycopg

    insert = "insert into lim(body) values(%s)"
    connection = await psycopg.AsyncConnection.connect(c.PG_DSN, autocommit=True, prepare_threshold=0)
    await connection.execute("drop table if exists lim")
    await connection.execute("create table lim(n bigserial primary key, body text)")
    for level in ("on", "off"):
        await connection.execute(f"set synchronous_commit={level}")
        samples = await timed_async(lambda: connection.execute(insert, (ROW,)), 300, repeats)
        report(f"psycopg async commit of a 2 KB row, synchronous_commit={level}", samples)
    await connection.close()
    with psycopg.connect(c.PG_DSN, autocommit=True, prepare_threshold=0) as blocking:

        def go(number: int) -> None:
            for _ in range(number):
                blocking.execute(insert, (ROW,))

        report("psycopg sync commit of a 2 KB row, synchronous_commit=on", timed(go, 300, repeats))
        blocking.execute("drop table lim")


# HTTP --------------------------------------------------------------------------------------------

SERVER = """
import sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Mount, Route

DATA = b'{"type":"text_delta","text":"some words of the reply"}\\n\\n'
EVENTS = [f"event: e{number}\\ndata: ".encode() + DATA for number in range(8)]

async def sse(request):
    await request.body()
    async def events():
        for event in EVENTS:
            yield event
    return StreamingResponse(events(), media_type="text/event-stream")

async def plain(request):
    return PlainTextResponse("ok")

class Bare:
    async def __call__(self, scope, receive, send):
        await receive()
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for event in EVENTS:
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

app = Starlette(routes=[Route("/sse", sse, methods=["POST"]), Route("/plain", plain), Mount("/bare", Bare())])
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", loop=sys.argv[2], http="httptools")
"""


async def _client(port: int, path: str, number: int, method: str) -> tuple[list[float], list[float]]:
    """A raw client on one connection: the seconds to the first event and to the last."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"text": c.USER_TEXT}).encode() if method == "POST" else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    firsts: list[float] = []
    totals: list[float] = []
    for _ in range(number):
        start = time.perf_counter()
        writer.write(head.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        if b"chunked" in answer:
            size = -1
            is_first = True
            while size != 0:
                size = int((await reader.readline()).strip(), 16)
                await reader.readexactly(size + 2)
                if is_first:
                    firsts.append(time.perf_counter() - start)
                    is_first = False
        else:
            length = next(line for line in answer.split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.split(b":")[1]))
        totals.append(time.perf_counter() - start)
    writer.close()
    return firsts, totals


async def _at_once(port: int, path: str, connections: int, number: int) -> float:
    start = time.perf_counter()
    await asyncio.gather(*(_client(port, path, number, "POST") for _ in range(connections)))
    return connections * number / (time.perf_counter() - start)


def do_sse(repeats: int, folder: Path) -> None:
    """Roundtrips on a kept connection, with two event loops."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    (folder / "server.py").write_text(SERVER)
    for loop in ("asyncio", "uvloop"):
        server = subprocess.Popen([sys.executable, str(folder / "server.py"), str(port), loop])
        try:
            _until_it_answers(port)
            _roundtrips(repeats, port, loop)
        finally:
            server.terminate()
            server.wait()


def _until_it_answers(port: int) -> None:
    for _ in range(100):
        try:
            asyncio.run(_client(port, "/plain", 5, "GET"))
            return
        except OSError:
            time.sleep(0.1)


def _roundtrips(repeats: int, port: int, loop: str) -> None:
    kinds = (
        ("plain GET", "/plain", "GET"),
        ("POST + 8 SSE events, StreamingResponse", "/sse", "POST"),
        ("POST + 8 SSE events, bare ASGI", "/bare/", "POST"),
    )
    for label, path, method in kinds:
        asyncio.run(_client(port, path, 100, method))
        found = [asyncio.run(_client(port, path, 300, method)) for _ in range(repeats)]
        report(f"uvicorn {loop}: {label}, whole", [statistics.median(totals) * 1e6 for _, totals in found])
        firsts = [statistics.median(each) * 1e6 for each, _ in found if each]
        if firsts:
            report(f"uvicorn {loop}: {label}, first event", firsts)
    rates = [asyncio.run(_at_once(port, "/sse", 50, 20)) for _ in range(repeats)]
    label = f"uvicorn {loop}: SSE turns/s, 50 connections (client and server share the cores)"
    report(label, rates, unit="per_s")


# encoders ----------------------------------------------------------------------------------------


def do_json(repeats: int, _folder: Path) -> None:
    """Encoding and decoding of histories."""
    import msgspec
    import orjson
    import pydantic

    call = {"name": c.TOOL_NAME, "args": c.TOOL_ARGS, "id": "call_1"}
    turn = [
        {"role": "user", "content": c.USER_TEXT},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": c.TOOL_RESULT},
        {"role": "assistant", "content": c.REPLY},
    ]
    history = turn * 5
    encoded = orjson.dumps(history)

    class Message(msgspec.Struct, omit_defaults=True):
        role: str
        content: str = ""
        tool_calls: list[Any] = []
        tool_call_id: str = ""

    class Model(pydantic.BaseModel):
        role: str
        content: str = ""
        tool_calls: list[Any] = []
        tool_call_id: str = ""

    structs = [Message(**message) for message in history]
    to_json, to_msgpack = msgspec.json.Encoder().encode, msgspec.msgpack.Encoder().encode
    of_json = msgspec.json.Decoder(list[Message]).decode
    adapter = pydantic.TypeAdapter(list[Model])
    models = adapter.validate_json(encoded)
    short: dict[str, Callable[[], Any]] = {
        "json.dumps 20 messages": lambda: json.dumps(history),
        "orjson.dumps 20 messages": lambda: orjson.dumps(history),
        "msgspec.json encode 20 dicts": lambda: to_json(history),
        "msgspec.json encode 20 Structs": lambda: to_json(structs),
        "msgspec.msgpack encode 20 dicts": lambda: to_msgpack(history),
        "msgspec.json decode into 20 Structs": lambda: of_json(encoded),
        "orjson.loads 20 messages": lambda: orjson.loads(encoded),
        "json.loads 20 messages": lambda: json.loads(encoded),
        "orjson.dumps 1 turn (4 messages)": lambda: orjson.dumps(turn),
        "pydantic dump_json 20 models": lambda: adapter.dump_json(models),
        "pydantic validate_json 20 models": lambda: adapter.validate_json(encoded),
    }
    for what, function in short.items():
        samples = timed(lambda number, function=function: [function() for _ in range(number)], 2000, repeats)
        report(what, samples, bytes=len(encoded))
    whole = turn * 3000
    kept = [orjson.dumps(message) for message in whole]
    fragments = [orjson.Fragment(message) for message in kept]
    body = orjson.dumps(whole)
    large: dict[str, Callable[[], Any]] = {
        "request body of 3000 turns: orjson.dumps of 12 000 dicts": lambda: orjson.dumps({"messages": whole}),
        "request body of 3000 turns: orjson.dumps of kept Fragments": lambda: orjson.dumps({"messages": fragments}),
        "request body of 3000 turns: join of kept byte strings": lambda: b'{"messages":[' + b",".join(kept) + b"]}",
        "cold read of 3000 turns: orjson.loads": lambda: orjson.loads(body),
    }
    for what, function in large.items():
        report(what, timed(lambda number, function=function: [function() for _ in range(number)], 20, repeats))


# Python ------------------------------------------------------------------------------------------


def do_python(repeats: int, _folder: Path) -> None:
    """What an event loop costs, and the five rules."""
    asyncio.run(_loop(repeats))
    rules = timed(lambda number: [c.evaluate_rules(c.FIELDS, c.REPLY) for _ in range(number)], 20_000, repeats)
    report("evaluate the 5 rules as Python lambdas", rules)


async def _loop(repeats: int) -> None:
    async def coroutine() -> int:
        return 1

    async def task() -> None:
        await asyncio.create_task(coroutine())

    report("await of a coroutine", await timed_async(coroutine, 5000, repeats))
    report("create_task + await", await timed_async(task, 5000, repeats))
    found: list[float] = []
    for _ in range(repeats):
        queue: asyncio.Queue[int] = asyncio.Queue()

        async def take(queue: asyncio.Queue[int] = queue) -> None:
            for _ in range(5000):
                await queue.get()

        taking = asyncio.create_task(take())
        start = time.perf_counter()
        for number in range(5000):
            queue.put_nowait(number)
            await asyncio.sleep(0)
        await taking
        found.append((time.perf_counter() - start) / 5000 * 1e6)
    report("asyncio.Queue put/get hop between two tasks", found)


LIMITS: dict[str, Callable[[int, Path], None]] = {
    "fsync": do_fsync,
    "sqlite": do_sqlite,
    "pg": do_pg,
    "sse": do_sse,
    "json": do_json,
    "python": do_python,
}


def main() -> None:
    """Measure limit after limit; one that fails is told and stops no other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    known = [name for name in LIMITS if name != "pg" or os.environ.get("BENCH_PG_HOST")]
    parser.add_argument("--only", nargs="*", choices=list(LIMITS), default=known)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-", dir=os.environ.get("BENCH_TMP")) as folder:
        for name in args.only:
            try:
                LIMITS[name](args.repeats, Path(folder))
            except Exception as error:
                print(json.dumps({"limit": name, "failed": f"{type(error).__name__}: {error}"[:300]}), flush=True)


if __name__ == "__main__":
    main()
