"""A process that executes the commands of a test, line by line: the program `support.durable.peer FLOW FILE SETTINGS`.

`Peer` is the test's end of it. Commands are answered in the order in which they are done, by their number; what
the peer reports by itself (that its model was asked) has a name in place of a number.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from support.chats import NOON_MS, machine_of
from support.durable.opened import store_at
from support.shell import start_with_streams
from turnwise.api.open import open as open_flow
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.events import Entry, TimerFired, UserSaid
from turnwise.runner.clocks import ManualClock, SystemClock
from turnwise.runner.model_port import ModelReply
from turnwise.runner.result import Turn

_COUNT = """
    flow: count
    start: a
    busy: {busy}
    records: {{r: {{n: {{type: integer, default: 0}}}}}}
    nodes: {{a: {{say: Counted., transitions: [{{at: before, when: has(message.text), set: {{r.n: r.n + 1}}, to: a}}]}}}}
"""
FLOWS = {
    "count": _COUNT.format(busy="queue"),
    "reject": _COUNT.format(busy="reject"),
    "talk": """
        flow: talk
        start: a
        persona: You talk.
        nodes: {a: {prompt: Talk.}}
    """,
    "once": """
        flow: once
        start: ask
        language: en
        commands: [why]
        records: {u: {age: {type: integer, max: 120, about: your age}}}
        nodes:
          ask:
            form: {fields: [{field: u.age, ask: Your age?}]}
            transitions: [{id: old, at: after, because: people over 60 get a discount, to: closing}]
          closing: {say: Anything else?, once: bye}
          bye: {say: Take care., end: done}
    """,
    "timer": """
        flow: timer
        start: a
        nodes:
          a: {say: Waiting., transitions: [{id: wake, at: timer, in: 1s, to: b}]}
          b: {say: Awake., transitions: [{id: again, at: timer, in: 1h, to: c}]}
          c: {say: Late.}
    """,
}
_WAIT_S = 600 if os.environ.get("TURNWISE_SOAK") == "1" else 120
"""How long a peer may live, so that a test always ends."""
_SENDERS = 4
LOADED = ("turnwise.stores.sqlite", "turnwise.stores.postgres.store", "concurrent.futures.thread")
"""What each peer would import by itself."""


class Peer:
    """A process with a store open, in a test's hands."""

    def __init__(self, flow: str, path: Path, **settings: Any) -> None:
        self._process = start_with_streams(
            *(flow, path, json.dumps(settings)), program="support.durable.peer", modules=LOADED
        )
        self._number = 0
        self._heard: dict[Any, Any] = {}
        self._timer = threading.Timer(_WAIT_S, self._process.kill)
        self._timer.start()
        self.wait("ready")

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._process.kill()
        sys.stderr.write(self._process.close()[2].decode())

    def begin(self, what: str, **how: Any) -> int:
        """Tell it to do something; gives the number of its answer."""
        self._number += 1
        self._process.stdin.write(json.dumps([self._number, what, how]).encode() + b"\n")
        self._process.stdin.flush()
        return self._number

    def wait(self, number: int | str) -> Any:
        """The answer to a command, or an unasked report."""
        while number not in self._heard:
            line = self._process.stdout.readline()
            assert line, f"the peer ended before it answered {number}"
            name, value = json.loads(line)
            self._heard[name] = value
        return self._heard.pop(number)

    def do(self, what: str, **how: Any) -> Any:
        """Tell it to do something, and wait until it is done."""
        return self.wait(self.begin(what, **how))

    def kill(self, *, is_reaped: bool = True) -> None:
        """Kill it, and wait until it is gone; unless it is reaped, its number stays taken."""
        if is_reaped:
            self._process.kill()
            self._process.wait()
        else:
            self._process.kill_unreaped()

    def stop(self) -> None:
        """Stop it, and wait until it stands still."""
        self._process.stop()

    def go_on(self) -> None:
        """Wake it."""
        self._process.send_signal(signal.SIGCONT)


class _Gate:
    """A model that reports each request, blocks the event loop for a while, and answers when it is released."""

    def __init__(self, *, is_open: bool, words: str, blocks_s: float) -> None:
        self.opened = asyncio.Event()
        self.words = words
        self.blocks_s = blocks_s
        if is_open:
            self.opened.set()

    async def reply(self, _request: ModelRequest) -> ModelReply:
        """The same words each time."""
        _send("asked", True)
        time.sleep(self.blocks_s)  # noqa: ASYNC251  as a model that computes without await
        await self.opened.wait()
        return ModelReply(self.words)


class _Served:
    """The process's end."""

    def __init__(
        self,
        flow: str,
        path: str,
        *,
        claim_timeout_s: float = 10.0,
        is_open: bool = True,
        words: str = "Hello.",
        blocks_s: float = 0.0,
        is_real_clock: bool = False,
        has_model: bool = True,
    ) -> None:
        self.clock = ManualClock(NOON_MS)
        self.model = _Gate(is_open=is_open, words=words, blocks_s=blocks_s)
        store = store_at(Path(path), claim_timeout_s)
        clock = SystemClock() if is_real_clock else self.clock
        self.app = open_flow(machine_of(FLOWS[flow]), store=store, model=self.model if has_model else None, clock=clock)

    async def serve(self) -> None:
        """Do what comes, side by side, until there is no more."""
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        _send("ready", True)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            tasks.add(asyncio.create_task(self._do(*json.loads(line))))
        await asyncio.gather(*tasks)

    async def _do(self, number: int, what: str, how: dict[str, Any]) -> None:
        try:
            _send(number, await getattr(self, f"do_{what}")(**how))
        except Exception as error:  # noqa: BLE001  the test that waits for it shall see it
            _send(number, f"{type(error).__name__}: {error}")

    async def do_say(
        self, text: str = "hello", key: str = "", conversation: str = "main", leaves_after_s: float | None = None
    ) -> Any:
        saying = self.app.chat(conversation).say(text, key=key or None)
        return _turn_data(await asyncio.wait_for(saying, leaves_after_s))

    async def do_is_shared(self) -> bool:
        return self.app.runtime.store.is_shared()

    async def do_due(self, limit: int) -> list[str]:
        found = await self.app.runtime.store.due(self.app.machine.flow.name, self.clock.now_ms(), limit)
        return [one.conversation for one in found]

    async def do_tick(self) -> int:
        return await self.app.tick()

    async def do_enter(self) -> None:
        await self.app.__aenter__()

    async def do_close(self) -> None:
        await self.app.close()

    async def do_open_gate(self) -> None:
        self.model.opened.set()

    async def do_wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def do_clock(self, moves_s: float) -> None:
        self.clock.move_s(moves_s)

    async def do_burst(self, name: str, messages: int, conversations: list[str]) -> dict[str, Any]:
        """Several senders, each of which sends its next message when the one before was answered."""
        count = messages // _SENDERS
        bursts = [self._sender(f"{name}{n}", count, conversations) for n in range(_SENDERS)]
        done = sum(await asyncio.gather(*bursts), Counter[str]())
        return dict(done)

    async def _sender(self, name: str, count: int, conversations: list[str]) -> Counter[str]:
        done = Counter[str]()
        for number in range(count):
            text, conversation = f"{name} {number}", conversations[number % len(conversations)]
            turn = await self.app.chat(conversation).say(text, key=text)
            while turn.refused == "busy":
                done["busy"] += 1
                await asyncio.sleep(0.001)
                turn = await self.app.chat(conversation).say(text, key=text)
            done[turn.refused or "served"] += 1
        return done

    async def do_follow(self, until: int, conversation: str = "main") -> list[int]:
        """The positions that are seen until the user has said so many things."""
        seen: list[int] = []
        async for entry in self.app.chat(conversation).events():
            seen.append(entry.seq)
            until -= _is_message(entry)
            if not until:
                return seen
        return seen

    async def do_follow_timer(self, conversation: str) -> int:
        """When a timer fires, in milliseconds after it was due."""
        async for entry in self.app.chat(conversation).events():
            if isinstance(entry.event, TimerFired):
                assert entry.event.due_ms is not None
                return entry.at_ms - entry.event.due_ms
        raise AssertionError


def _is_message(entry: Entry) -> bool:
    return isinstance(entry.event, UserSaid)


def _turn_data(turn: Turn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "text": turn.text,
        "refused": turn.refused,
        "again": turn.is_duplicate,
        "recovered": [one.number for one in turn.recovered],
    }


def _send(name: int | str, value: Any) -> None:
    sys.stdout.write(json.dumps([name, value]) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until standard input is closed."""
    asyncio.run(_Served(sys.argv[1], sys.argv[2], **json.loads(sys.argv[3])).serve())
