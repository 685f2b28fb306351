"""The server as a process: it drains, survives a kill, and stands clients that send or take nothing."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from support.served import events_of
from support.shell import StartedWithStreams, start_with_streams
from turnwise.server.run import GC_THRESHOLDS, collect_garbage_rarely

ROOT = Path(__file__).parents[2]
LOADED = ("turnwise.stores.sqlite", "concurrent.futures.thread")
"""What each server would import by itself."""


@contextmanager
def running(store: str, *limits: str) -> Iterator[tuple[StartedWithStreams, str]]:
    """Run a server in a fork; yield its process and address."""
    process = start_with_streams(store, *limits, program="support.server_program", modules=LOADED)
    try:
        address = process.stdout.readline().decode().strip()
        assert address.startswith("http"), process.stderr.read()
        yield process, address
    finally:
        process.kill()
        process.close()


@contextmanager
def running_with_files(files: str, store: str, *limits: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a server with an option of `ulimit` for its open files; yield its process and address."""
    server = [sys.executable, "-m", "support.server_program", store, *limits]
    command = ["sh", "-c", f'ulimit {files}; exec "$@"', "sh", *server]
    env = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=ROOT)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()
        assert address.startswith("http"), process.stderr.read() if process.stderr else ""
        yield process, address
    finally:
        process.kill()
        process.communicate(timeout=60)


def ended(process: StartedWithStreams, within_s: float = 60) -> tuple[int, str]:
    """Wait for the end of a process; return its exit code and what it printed on standard error."""
    code, _, printed = process.close(within_s)
    return code, printed.decode()


def client_of(address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=address, timeout=60, trust_env=False)


async def begun(client: httpx.AsyncClient, name: str = "x") -> None:
    answer = await client.post("/api/conversations", json={"flow": "echo", "name": name})
    assert answer.status_code == 201, answer.text


async def say(client: httpx.AsyncClient, text: str, name: str = "x") -> httpx.Response:
    return await client.post(f"/api/conversations/{name}/turns", json={"text": text})


async def listened(client: httpx.AsyncClient, path: str, events: list[dict[str, str]]) -> None:
    """Read a stream until it ends."""
    async with client.stream("GET", path) as response:
        rest = ""
        async for text in response.aiter_text():
            *blocks, rest = (rest + text).split("\n\n")
            events += [event for block in blocks for event in events_of(block)]


@pytest.mark.parametrize("kind", ["memory://", "sqlite"])
def test_a_server_that_is_terminated_finishes_its_turns_and_takes_no_new_ones(kind: str, tmp_path: Path) -> None:
    store = kind if kind == "memory://" else f"sqlite:///{tmp_path}/talks.db"
    working = tmp_path / "working"

    async def talks(process: StartedWithStreams, address: str) -> None:
        async with client_of(address) as client:
            await begun(client)
            events: list[dict[str, str]] = []
            streaming = asyncio.ensure_future(listened(client, "/api/stream?conversation=x", events))
            while not events:
                await asyncio.sleep(0.01)
            slow = asyncio.ensure_future(say(client, f"until {working}"))
            while not working.exists():
                await asyncio.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            await streaming
            assert events[-1]["event"] == "draining"
            assert json.loads(events[-1]["data"])["retry_ms"] > 0
            ready = await client.get("/api/ready")
            assert (ready.status_code, ready.json()["code"]) == (503, "draining")
            assert (await client.get("/api/health")).status_code == 200
            refused = await say(client, "hello")
            assert (refused.status_code, refused.json()["code"]) == (503, "draining")
            assert refused.headers["retry-after"] == "1"
            working.unlink()
            answer = await slow
            assert (answer.status_code, answer.json()["text"]) == (200, f"done: until {working}")

    with running(store) as (process, address):
        asyncio.run(asyncio.wait_for(talks(process, address), 60))
        assert ended(process) == (0, "")


def test_a_server_that_is_to_stop_is_unready_first_and_then_closes_its_listener(tmp_path: Path) -> None:
    """A load balancer sends no client to a server that refuses (R3)."""
    working = tmp_path / "working"

    async def talks(process: StartedWithStreams, address: str) -> None:
        async with client_of(address) as client, client_of(address) as other:
            await begun(client)
            await begun(client, "y")
            process.send_signal(signal.SIGTERM)
            while (await other.get("/api/ready")).status_code == 200:
                await asyncio.sleep(0.01)
            async with client_of(address) as late:
                assert (await say(late, "hello")).status_code == 200
            slow = asyncio.ensure_future(say(client, f"until {working}", "y"))
            async with asyncio.timeout(60):
                while (await say(other, "hello")).status_code == 200:
                    await asyncio.sleep(0.02)
            async with client_of(address) as late:
                with pytest.raises(httpx.ConnectError):
                    await late.get("/api/health")
            working.unlink()
            assert (await slow).status_code == 200

    with running(f"sqlite:///{tmp_path}/talks.db", "leave_s=0.8") as (process, address):
        asyncio.run(asyncio.wait_for(talks(process, address), 60))
        assert ended(process) == (0, "")


def test_a_turn_that_never_ends_is_answered_as_interrupted_and_goes_on_at_the_next_start(tmp_path: Path) -> None:
    store, flag = f"sqlite:///{tmp_path}/talks.db", tmp_path / "hung"
    flag2 = tmp_path / "hung2"
    headers = {"idempotency-key": "k1"}

    async def begins(process: StartedWithStreams, address: str) -> None:
        async with client_of(address) as client:
            for name in ("x", "y"):
                await begun(client, name)
            path = "/api/conversations/{}/turns"
            hanging = asyncio.ensure_future(
                client.post(path.format("x"), json={"text": f"hang {flag}"}, headers=headers)
            )
            accept = {"accept": "text/event-stream"}
            streaming = asyncio.ensure_future(
                client.post(path.format("y"), json={"text": f"hang {flag2}"}, headers=accept)
            )
            while not (flag.exists() and flag2.exists()):
                await asyncio.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            answer = await hanging
            assert (answer.status_code, answer.json()["code"]) == (503, "interrupted")
            assert int(answer.headers["retry-after"]) > 0
            assert answer.headers["content-type"] == "application/problem+json"
            last = list(events_of((await streaming).text))[-1]
            assert (last["event"], json.loads(last["data"])["code"]) == ("problem", "interrupted")

    async def goes_on(address: str) -> None:
        async with client_of(address) as client:
            path = "/api/conversations/x/turns"
            answer = await client.post(path, json={"text": f"hang {flag}"}, headers=headers)
            assert (answer.json()["text"], answer.json()["is_duplicate"]) == (f"done: hang {flag}", True)
            following = await say(client, "hello", "y")
            assert [one["text"] for one in following.json()["recovered"]] == [f"done: hang {flag2}"]

    with running(store, "drain_s=0.3") as (process, address):
        asyncio.run(asyncio.wait_for(begins(process, address), 60))
        assert ended(process) == (0, "")
    with running(store) as (_, address):
        asyncio.run(asyncio.wait_for(goes_on(address), 60))


async def killed_while(
    client: httpx.AsyncClient,
    process: StartedWithStreams,
    text: str,
    streaming: asyncio.Future[None],
    events: list[dict[str, str]],
) -> None:
    """Kill the server in the middle of the turn of a message, when the stream has shown the message."""
    hanging = asyncio.ensure_future(say(client, text))
    while not any(f'"{text}"' in event["data"] for event in events):
        await asyncio.sleep(0.01)
    process.kill()
    for one in (streaming, hanging):
        with pytest.raises(httpx.HTTPError):
            await one


def test_a_server_listens_before_the_turns_that_were_cut_off_are_finished(tmp_path: Path) -> None:
    """A model that hangs must not keep a supervisor from seeing that the server lives."""
    store = f"sqlite:///{tmp_path}/talks.db"

    async def before(process: StartedWithStreams, address: str) -> None:
        async with client_of(address) as client:
            await begun(client)
            events: list[dict[str, str]] = []
            streaming = asyncio.ensure_future(listened(client, "/api/stream?conversation=x&after=0", events))
            await killed_while(client, process, "wait 3600", streaming, events)

    async def after(address: str) -> None:
        async with client_of(address) as client:
            assert (await client.get("/api/health")).status_code == 200
            await begun(client, "y")
            assert (await client.post("/api/conversations/y/turns", json={"text": "hello"})).status_code == 200

    with running(store) as (process, address):
        asyncio.run(asyncio.wait_for(before(process, address), 60))
    with running(store) as (_, address):
        asyncio.run(asyncio.wait_for(after(address), 60))


def test_a_server_that_is_killed_under_an_open_stream_goes_on_where_it_was(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/talks.db"
    events: list[dict[str, str]] = []
    path = "/api/stream?conversation=x&after=0"

    async def before(process: StartedWithStreams, address: str) -> None:
        async with client_of(address) as client:
            await begun(client)
            streaming = asyncio.ensure_future(listened(client, path, events))
            for number in range(5):
                await say(client, f"message {number}")
            while sum(event["event"] == "turn" for event in events) < 6:
                await asyncio.sleep(0.01)
            await killed_while(client, process, "wait 1", streaming, events)

    async def after(address: str) -> None:
        async with client_of(address) as client:
            cursor = events[-1]["id"]
            streaming = asyncio.ensure_future(listened(client, f"{path}&cursor={cursor}", events))
            while sum(event["event"] == "turn" for event in events) < 7:
                await asyncio.sleep(0.01)
            streaming.cancel()

    with running(store) as (process, address):
        asyncio.run(asyncio.wait_for(before(process, address), 60))
    with running(store) as (_, address):
        asyncio.run(asyncio.wait_for(after(address), 60))
    assert any("done: wait 1" in event["data"] for event in events)
    said = [json.loads(one["data"])["message"]["seq"] for one in events if one["event"] == "message"]
    assert said == sorted(set(said))
    turns = [json.loads(one["data"])["turn"]["number"] for one in events if one["event"] == "turn"]
    assert turns == list(range(1, 8))


def _connected(address: str) -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname or "", place.port or 0), timeout=60)


_GET = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_TURN = (
    b"%b /api/conversations/x/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)


def _streaming(address: str) -> socket.socket:
    """Return a connection that is in use: it has taken the beginning of a stream."""
    one = _connected(address)
    one.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n")
    assert one.recv(4096).startswith(b"HTTP/1.1 200")
    return one


def _is_closed(one: socket.socket) -> bool:
    """Wait until the server closes a connection; return false if it does not."""
    one.settimeout(60)
    try:
        return one.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def _is_closed_now(one: socket.socket) -> bool:
    """Read what has come, and return whether the connection is closed."""
    one.settimeout(0.2)
    try:
        while one.recv(65_536):
            pass
    except TimeoutError:
        return False
    return True


@pytest.fixture
def many_files() -> Iterator[int]:
    """Allow this process to open many files; as many as are left for connections, at most a thousand."""
    before, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = 4_096 if allowed == resource.RLIM_INFINITY else min(4_096, allowed)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, files), allowed))
    yield min(1_000, files // 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, allowed))


def test_a_thousand_connections_that_send_nothing_are_closed_and_keep_nobody_out(many_files: int) -> None:
    with running("memory://", "header_s=1", "connections=1200") as (_, address):
        idle: list[socket.socket] = []
        try:
            for number in range(many_files):
                idle.append(_connected(address))
                if number % 2:
                    idle[-1].sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0")
            assert httpx.get(f"{address}/api/health", timeout=60, trust_env=False).status_code == 200
            assert all(_is_closed(one) for one in idle)
        finally:
            for one in idle:
                one.close()
        assert httpx.get(f"{address}/api/health", timeout=60, trust_env=False).status_code == 200


def test_a_server_asks_for_the_open_files_that_its_connections_need() -> None:
    with running_with_files("-Sn 64", "memory://", "connections=300") as (process, address):
        open_ones = [_connected(address) for _ in range(100)]
        assert httpx.get(f"{address}/api/health", timeout=60, trust_env=False).status_code == 200
        for one in open_ones:
            one.close()
        process.terminate()
        assert process.communicate(timeout=60)[1] == b""
        assert process.returncode == 0


def test_where_the_system_allows_fewer_files_fewer_connections_are_taken() -> None:
    with running_with_files("-n 203", "memory://", "connections=300") as (_, address):
        open_ones = [_streaming(address) for _ in range(3)]
        assert b"connections is 3, and as many are open" in _connected(address).recv(4096)
        for one in open_ones:
            one.close()


def test_more_connections_than_the_limit_are_refused_with_its_name() -> None:
    with running("memory://", "connections=3") as (_, address):
        open_ones = [_streaming(address) for _ in range(3)]
        refused = _connected(address)
        answer = refused.recv(4096).decode()
        assert answer.startswith("HTTP/1.1 503")
        assert json.loads(answer.partition("\r\n\r\n")[2])["limit"] == "connections"
        for one in (*open_ones, refused):
            one.close()


def test_connections_that_are_not_used_keep_nobody_out() -> None:
    with running("memory://", "connections=6") as (_, address):
        httpx.post(f"{address}/api/conversations", json={"flow": "echo", "name": "x"}, trust_env=False)
        streams = [_streaming(address) for _ in range(2)]
        turn = _connected(address)
        turn.sendall(_TURN % (b"POST", 18) + b'{"text": "wait 3"}')
        for begin in (b"", _GET, b"GET / HTTP/1.1\r\n", _TURN % (b"POST", 1000) + b"{", _TURN % (b"GET", 0)):
            others = [_connected(address) for _ in range(30)]
            for one in others:
                one.sendall(begin)
            time.sleep(1.2)  # an incomplete request has a second
            assert httpx.get(f"{address}/api/health", timeout=60, trust_env=False).status_code == 200
            for one in others:
                one.close()
        turn.settimeout(60)
        assert turn.recv(4096).startswith(b"HTTP/1.1 200")  # who is served keeps the place
        assert not any(_is_closed_now(one) for one in streams)
        for one in (turn, *streams):
            one.close()


def test_an_upload_that_goes_on_keeps_its_place() -> None:
    with running("memory://", "connections=1") as (_, address):
        httpx.post(f"{address}/api/conversations", json={"flow": "echo", "name": "x"}, trust_env=False)
        slow = _connected(address)
        slow.sendall(_TURN % (b"POST", 6_000 + 17) + b'{"text": "hello"')
        for _ in range(6):
            time.sleep(0.3)
            assert _connected(address).recv(4096).startswith(b"HTTP/1.1 503")
            slow.sendall(b" " * 1_000)
        slow.settimeout(60)
        slow.sendall(b"}")
        assert slow.recv(4096).startswith(b"HTTP/1.1 200")
        slow.close()


def test_what_is_no_request_is_answered_with_a_problem() -> None:
    with running("memory://") as (_, address):
        for sent in (
            b"garbage\r\n\r\n",
            b"\x16\x03\x01\x02\x00",
            b"GET / HTTP/9.x\r\n\r\n",
            b"GET /\x01 HTTP/1.0\r\n\r\n",
        ):
            one = _connected(address)
            one.sendall(sent)
            head, _, body = one.recv(4096).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400"), head
            assert b"content-type: application/problem+json" in head
            assert (json.loads(body)["code"], json.loads(body)["status"]) == ("malformed", 400)
            assert _is_closed(one)
            one.close()


def test_a_body_that_drips_or_stops_is_cut_and_one_that_comes_in_parts_is_taken() -> None:
    with running("memory://", "header_s=1") as (_, address):
        httpx.post(f"{address}/api/conversations", json={"flow": "echo", "name": "x"}, trust_env=False)
        body = json.dumps({"text": "in parts " * 600}).encode()
        head = (
            f"POST /api/conversations/x/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        one = _connected(address)
        one.sendall(head.encode())
        for begin in range(0, len(body), 250):
            one.sendall(body[begin : begin + 250])
            time.sleep(0.1)
        assert b"200 OK" in one.recv(4096)
        one.close()
        slow = _connected(address)
        slow.sendall(head.encode() + body[:3])
        assert _is_closed(slow)
        slow.close()
        drips = _connected(address)
        drips.sendall(head.encode())
        with pytest.raises(ConnectionError):
            for byte in body[:100]:
                drips.sendall(bytes([byte]))
                time.sleep(0.1)
        drips.close()


def test_a_client_that_takes_nothing_is_cut_and_its_memory_is_freed() -> None:
    with running("memory://", "stalled_s=1", "header_s=30") as (_, address):

        async def talks() -> None:
            async with client_of(address) as client:
                await begun(client)
                stalled = _connected(address)
                stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                stalled.sendall(
                    b"GET /api/conversations/x/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
                )
                for _ in range(300):
                    assert (await say(client, "x" * 9_900)).status_code == 200
                async with asyncio.timeout(60):
                    while (await _open_streams(client)) > 0:
                        await asyncio.sleep(0.2)
                stalled.close()

        asyncio.run(talks())


async def _open_streams(client: httpx.AsyncClient) -> int:
    text = (await client.get("/api/metrics")).text
    line = next(line for line in text.splitlines() if line.startswith("turnwise_open_streams "))
    return int(float(line.split()[1]))


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM]])
def test_the_exit_code_says_how_it_was_ended(signals: list[Any]) -> None:
    with running("memory://") as (process, _):
        for one in signals:
            process.send_signal(one)
        assert ended(process) == (130 if signals == [signal.SIGINT] else 0, "")


def test_garbage_is_collected_rarely_while_a_server_runs_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with collect_garbage_rarely():
        assert gc.get_threshold() == GC_THRESHOLDS
        assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
