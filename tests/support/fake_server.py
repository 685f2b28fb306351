"""A server that speaks like a provider's, and misbehaves as it is told: one prepared answer for each request."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What is sent: a status, headers, a body in pieces. `late_s` passes before the status, `hangs` after the last
    piece; `is_cut` breaks the connection there.
    """

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    late_s: float = 0
    is_cut: bool = False
    hangs: bool = False
    kind: str = "text/event-stream"


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: Any


class FakeServer:
    """Gives prepared answers, one for each request; what was asked is kept."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.plan: deque[Answer] = deque()
        self.asked: list[Asked] = []
        self.left = threading.Event()
        """Is set at the end, and where a client went away in the middle of an answer."""
        self.gone = threading.Event()

    def answers(self, *plan: Answer) -> None:
        """Plan what is answered next."""
        self.plan.extend(plan)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is what these tests are about."""


@contextmanager
def fake_server() -> Iterator[FakeServer]:
    """A server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            fake.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw)))
            answer = fake.plan.popleft() if fake.plan else error(500, "nothing is planned")
            if answer.late_s and fake.left.wait(answer.late_s):
                self.close_connection = True
                return
            try:
                self.send(answer)
            except OSError:
                fake.gone.set()
                self.close_connection = True

        def send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", answer.kind)
            self.send_header("transfer-encoding", "chunked")
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for piece in answer.pieces:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            if answer.hangs:
                fake.left.wait(60)
            if answer.is_cut or answer.hangs:
                self.close_connection = True
                return
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, *_: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    fake = FakeServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.left.set()
        server.shutdown()
        server.server_close()
        thread.join()


def sse(data: Any, event: str = "") -> bytes:
    """One event of a stream."""
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {event}\n" if event else "").encode() + f"data: {text}\n\n".encode()


def error(status: int, message: str, **headers: str) -> Answer:
    """An error as OpenAI's server tells it."""
    body = json.dumps({"error": {"message": message, "type": "some_error"}}).encode()
    return Answer((body,), status, {k.replace("_", "-"): v for k, v in headers.items()}, kind="application/json")


# like OpenAI's -----------------------------------------------------------------------------------


def chunk(finish: str | None = None, usage: dict[str, int] | None = None, model: str = "fake", **delta: Any) -> bytes:
    """One chunk of an answer."""
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}] if usage is None else []
    data: dict[str, Any] = {
        "id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": choices,
    }  # fmt: skip
    return sse(data if usage is None else {**data, "usage": usage, "x_groq": {"id": "r1", "usage": usage}})


def usage(tokens_in: int, tokens_out: int, model: str = "fake") -> bytes:
    """The chunk that says what an answer took."""
    total = tokens_in + tokens_out
    return chunk(
        usage={"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": total}, model=model
    )


DONE = sse("[DONE]")


def words(*pieces: str, model: str = "fake") -> Answer:
    """A text, piece by piece."""
    said = [chunk(content=piece, model=model) for piece in pieces]
    return Answer((*said, chunk("stop", model=model), usage(11, 7, model), DONE))


def piece(index: int | None, id_: str | None = None, name: str | None = None, arguments: str = "") -> dict[str, Any]:
    """A piece of a call."""
    return {
        "index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": arguments},
    }  # fmt: skip


def pieces(*found: dict[str, Any], finish: str = "tool_calls") -> Answer:
    """An answer that is made of pieces of calls, each in a chunk of its own."""
    return Answer((*(chunk(tool_calls=[one]) for one in found), chunk(finish), usage(11, 7), DONE))


def calls(*made: tuple[str, Any]) -> Answer:
    """Calls of tools, each in one piece, numbered as they should be."""
    return pieces(
        *(
            piece(index, f"call_{index}", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
            for index, (name, arguments) in enumerate(made)
        )
    )


# like Anthropic's --------------------------------------------------------------------------------


def blocks(*content: Iterable[tuple[str, dict[str, Any]]], stop: str = "end_turn") -> Answer:
    """A message of Anthropic's, block by block."""
    start = {
        "id": "m1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 11, "output_tokens": 1},
    }  # fmt: skip
    events: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": start})]
    for index, block in enumerate(content):
        events += [(kind, {"index": index, **data}) for kind, data in block]
    events.append(
        ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 7}})
    )
    events.append(("message_stop", {}))
    return Answer(tuple(sse({"type": kind, **data}, kind) for kind, data in events))


def text_block(*pieces: str) -> list[tuple[str, dict[str, Any]]]:
    """A block of text."""
    deltas = [("content_block_delta", {"delta": {"type": "text_delta", "text": one}}) for one in pieces]
    return [
        ("content_block_start", {"content_block": {"type": "text", "text": ""}}),
        *deltas,
        ("content_block_stop", {}),
    ]


def call_block(id_: str, name: str, arguments: str) -> list[tuple[str, dict[str, Any]]]:
    """A block that calls a tool."""
    begin = {"content_block": {"type": "tool_use", "id": id_, "name": name, "input": {}}}
    delta = {"delta": {"type": "input_json_delta", "partial_json": arguments}}
    return [("content_block_start", begin), ("content_block_delta", delta), ("content_block_stop", {})]
