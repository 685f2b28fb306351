"""The client of the server's benchmark: 200 conversations, each with a connection for its turns and an open stream.

A process of its own, without any library but uvloop, where that is installed. It reads commands from its input, one JSON
object per line, and prints one per command. Several servers are given by their ports: `8080,8081`. A turn counts when its
answer has come and its event is on the stream.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count, cycle
from pathlib import Path
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import common

HOST = "127.0.0.1"
CONVERSATIONS = 200
PATIENCE_S = 60
"""How long a block may wait for its last answer or event."""
FLOW = "coffee"
STREAMS = {
    "chat": ("/api/stream?conversation={}", b"event: turn\n"),
    "debug": ("/api/stream?conversation={}&debug=true", b"event: turn\n"),
    "journal": ("/api/conversations/{}/events?after={}", b'"kind":"turn_ended"'),
    "bare": ("/api/stream?conversation={}", b"event: turn\n"),
}
"""What is streamed: messages and results; all that the debug panel shows; or every entry of the journal. With each the
address, and what stands once in the events of a turn.
"""
Said = tuple[tuple[str, str], ...]
"""What is said in turns, and words of the reply."""
ORDERS: Said = (("small", "Which milk would"), ("oat", "How many lumps"), ("two", "Which size would"))
TALKS: Said = (("Where do the beans come from?", "roasted last week"),)
TOOLED: Said = ((common.USER_TEXT, common.REPLY[:20]),)


class Caller(asyncio.Protocol):
    """A connection on which one request after another is sent."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.bytes = 0
        self._buffer = b""
        self._waiter: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(exc or ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(rest) < size:
            return
        self.bytes, self._buffer = size, b""
        waiter, self._waiter = self._waiter, None
        assert waiter is not None, "a response that no request asked for"
        if head[9:10] == b"2":
            waiter.set_result(rest)
        else:
            waiter.set_exception(RuntimeError(f"{head.decode()}\n{rest.decode()}"))

    def call(self, request: bytes) -> asyncio.Future[bytes]:
        """Send a request; the future has the body of its response."""
        assert self.transport is not None
        self._waiter = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._waiter


class Stream(asyncio.Protocol):
    """An open stream. `sent` are the times of the turns whose event has not come yet."""

    def __init__(self, request: bytes, mark: bytes) -> None:
        self.request = request
        self.mark = mark
        self.sent: deque[float] = deque()
        self.took: list[float] = []
        self.bytes = self.events = 0
        self.is_open = asyncio.get_running_loop().create_future()
        self._last = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        if not self.is_open.done():
            assert data.startswith(b"HTTP/1.1 200"), data.decode()
            self.is_open.set_result(None)
        self.bytes += len(data)
        self.events += data.count(b"event: ")
        seen = self._last + data
        now = time.perf_counter()
        for _ in range(seen.count(self.mark)):
            self.took.append(now - self.sent.popleft())
        self._last = b"" if seen.endswith(self.mark) else seen[1 - len(self.mark) :]


class Talk:
    """One conversation: its connection, its stream, and what is said in it."""

    def __init__(self, port: int, stream_port: int, number: int, streamed: str, flow: str) -> None:
        self.name = f"served{number}"
        self.port = port
        self.stream_port = stream_port
        self.streamed = streamed
        self.flow = flow
        if flow == FLOW:
            said, self.opening = (ORDERS, "order") if number % 2 else (TALKS, "talk")
        else:
            said, self.opening = TOOLED, common.USER_TEXT
        self.exchanges: Iterator[tuple[str, str]] = cycle(said)
        self.took: list[float] = []
        self.answered = 0
        self.due: deque[float] = deque()
        """When the turns that wait for the one before them were due."""
        self.is_busy = False

    async def open(self) -> None:
        """Begin the conversation, and open its stream."""
        loop = asyncio.get_running_loop()
        _, self.caller = await loop.create_connection(Caller, HOST, self.port)
        await self.caller.call(self._post("/api/conversations", {"flow": self.flow, "name": self.name}))
        opened = await self.caller.call(self._post(f"/api/conversations/{self.name}/turns", {"text": self.opening}))
        self.seq = json.loads(opened)["seq"] if opened.startswith(b"{") else 0
        self.stream = await self.open_stream()

    async def open_stream(self) -> Stream:
        """Open a stream of the conversation."""
        path, mark = STREAMS[self.streamed]
        address = f"{HOST}:{self.stream_port}"
        head = (
            f"GET {path.format(self.name, self.seq)} HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        _, stream = await loop.create_connection(lambda: Stream(head.encode(), mark), HOST, self.stream_port)
        await stream.is_open
        return stream

    def _post(self, path: str, body: dict[str, Any]) -> bytes:
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nContent-Type: application/json\r\n"
        return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data

    async def turn(self, due: float) -> None:
        """Take one turn, which was due at some time; check its answer."""
        text, expected = next(self.exchanges)
        self.stream.sent.append(due)
        answer = await self.caller.call(self._post(f"/api/conversations/{self.name}/turns", {"text": text}))
        assert expected.encode() in answer or answer.startswith(b"bare"), f"{text!r} was answered with {answer!r}"
        self.took.append(time.perf_counter() - due)
        self.answered += len(answer)

    async def turns(self, number: int) -> None:
        """Take turns one after another."""
        for _ in range(number):
            await self.turn(time.perf_counter())

    async def take_due(self) -> None:
        """Take the turns that are due; those that become due meanwhile follow."""
        self.is_busy = True
        while self.due:
            await self.turn(self.due.popleft())
        self.is_busy = False


class Load:
    """All conversations, each at one of the servers, and its stream at the next one."""

    def __init__(self, ports: Sequence[int], conversations: int, streamed: str, flow: str) -> None:
        count = len(ports)
        self.talks = [
            Talk(ports[number % count], ports[(number + 1) % count], number, streamed, flow)
            for number in range(conversations)
        ]
        self.reopened = 0
        self.stalled: list[Stream] = []

    async def open(self) -> dict[str, Any]:
        """Begin all conversations."""
        for talk in self.talks:
            await talk.open()
        return {"streams": len(self.talks)}

    async def closed(self, each: int) -> dict[str, Any]:
        """Let every conversation take so many turns, one after another: the highest rate."""
        self._reset()
        begin = time.perf_counter()
        await asyncio.gather(*(talk.turns(each) for talk in self.talks))
        await self._streamed()
        return self._found(each * len(self.talks), time.perf_counter() - begin)

    async def paced(self, rate: float, seconds: float) -> dict[str, Any]:
        """Send so many turns a second, each at its time, whether or not earlier ones were answered."""
        self._reset()
        begin, total = time.perf_counter(), int(rate * seconds)
        tasks: set[asyncio.Task[None]] = set()
        for number in count():
            while (wait_s := begin + number / rate - time.perf_counter()) > 0:
                await asyncio.sleep(wait_s)
            if number == total:
                break
            talk = self.talks[number % len(self.talks)]
            talk.due.append(begin + number / rate)
            if not talk.is_busy:
                talk.is_busy = True
                task = asyncio.create_task(talk.take_due())
                tasks.add(task)
                task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)
        await self._streamed()
        return self._found(total, time.perf_counter() - begin)

    async def stall(self) -> dict[str, Any]:
        """Open one more stream of the first conversation, and read nothing from it."""
        stream = await self.talks[0].open_stream()
        stream.transport.pause_reading()
        self.stalled.append(stream)
        return {"stalled": len(self.stalled)}

    async def reopen(self, streams: int) -> dict[str, Any]:
        """Close the streams of some conversations, and open new ones."""
        for _ in range(streams):
            talk = self.talks[self.reopened % len(self.talks)]
            talk.stream.transport.close()
            talk.stream = await talk.open_stream()
            self.reopened += 1
        return {"reopened": self.reopened}

    def _reset(self) -> None:
        for talk in self.talks:
            talk.took, talk.stream.took, talk.stream.bytes, talk.stream.events, talk.answered = [], [], 0, 0, 0

    async def _streamed(self) -> None:
        """Wait until every turn is on its stream."""
        until = time.perf_counter() + PATIENCE_S
        while any(talk.stream.sent for talk in self.talks):
            assert time.perf_counter() < until, "a turn is missing on its stream"
            await asyncio.sleep(0.001)

    def _found(self, turns: int, seconds: float) -> dict[str, Any]:
        answered = sorted(took for talk in self.talks for took in talk.took)
        streamed = sorted(took for talk in self.talks for took in talk.stream.took)
        assert len(answered) == len(streamed) == turns, f"{len(answered)} answers, {len(streamed)} events of {turns}"
        return {
            "turns": turns,
            "seconds": seconds,
            "rate": turns / seconds,
            "answer_bytes": sum(talk.answered for talk in self.talks) / turns,
            "stream_bytes": sum(talk.stream.bytes for talk in self.talks) / turns,
            "stream_events": sum(talk.stream.events for talk in self.talks) / turns,
            **{f"answer_p{part}_ms": _part(answered, part) for part in (50, 99)},
            **{f"stream_p{part}_ms": _part(streamed, part) for part in (50, 99)},
        }


def _part(values: list[float], percent: int) -> float:
    """Return the value that so many per cent do not exceed, in milliseconds."""
    return values[min(len(values) - 1, len(values) * percent // 100)] * 1e3


async def main(ports: Sequence[int], conversations: int, streamed: str, flow: str = FLOW) -> None:
    """Do what the commands say."""
    load = Load(ports, conversations, streamed, flow)
    loop = asyncio.get_running_loop()
    print(json.dumps(await load.open()), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        work = getattr(load, command.pop("do"))
        print(json.dumps(await work(**command)), flush=True)


if __name__ == "__main__":
    try:
        import uvloop as runner
    except ImportError:
        runner = asyncio
    runner.run(main([int(port) for port in sys.argv[1].split(",")], int(sys.argv[2]), *sys.argv[3:]))
