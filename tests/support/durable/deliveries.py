"""Processes that deliver from one store and are killed; a receiver that fails one in five keeps what it accepted.

    python -m support.durable.deliveries FOLDER CONVERSATIONS EACH KILLS SEED

It prints what is wrong, and at the end a line of JSON.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import math
import os
import random
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

import turnwise as tw
from turnwise.runner import deliveries as loaded_here  # noqa: F401  each process would load it by itself
from turnwise.runner.outbox_port import DeliveryQuery
from turnwise.stores.sqlite import SqliteStore
from turnwise.testing.store_support import Journal
from turnwise.webhooks import post as loaded_too  # noqa: F401  as above

FLOW = {"flow": "talk", "start": "home", "nodes": {"home": {"say": "Hello."}}}
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
RETRIES = tw.DeliveryRetries(first_pause_s=0.005, longest_pause_s=0.02, give_up_after_s=1e9, timeout_s=30, at_once=8)
PROCESSES = 2
ANSWERS_AFTER_S = 0.01


class Kill(NamedTuple):
    """When the kill of a process began; another may have taken over its deliveries from then on."""

    at_s: float
    pid: int


class Accepted(NamedTuple):
    """A delivery that the receiver accepted, when, and which process sent it. The receiver may have read it after that
    process was killed.
    """

    at_s: float
    conversation: str
    turn: int
    id: str
    sender: int


async def receive(listening: socket.socket, log: Path, seed: int) -> None:
    """Accept four of five requests, and write each before it is answered."""
    chance, file = random.Random(seed), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            sender = int(head.split()[1].strip("/"))
            data = json.loads(await reader.readexactly(length))["data"]
            is_accepted = chance.random() >= 0.2
            if is_accepted:
                line = json.dumps([time.monotonic(), data["conversation"], data["turn"], data["id"], sender])
                os.write(file, f"{line}\n".encode())
            await asyncio.sleep(ANSWERS_AFTER_S)  # a process that is killed now leaves a delivery to be repeated
            status = b"200 OK" if is_accepted else b"500 No"
            writer.write(b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\n\r\n")
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(connected, sock=listening) as serving:
        await serving.serve_forever()


async def deliver(store: Path, port: int) -> None:
    """Deliver until nothing is left."""
    url = f"http://127.0.0.1:{port}/{os.getpid()}"
    hook = tw.Webhook(url, secrets=[SECRET], allow_private=True, allow_http=True, timeout_s=20)
    kept = SqliteStore(store, sync="normal", retry_s=30)
    async with tw.open(FLOW, store=kept, deliver=hook, delivery_retries=RETRIES):
        while await kept.outbox.count_open("talk", 1):
            await asyncio.sleep(0.02)


async def fill(store: Path, conversations: int, each: int) -> None:
    """Write conversations whose turns are all to be delivered."""
    kept = SqliteStore(store, sync="normal")
    for number in range(conversations):
        journal = Journal()
        writings = [kept.commit(f"c{number}", journal.begin())]
        for turn in range(each):
            commit = replace(journal.turn(f"message {turn}"), delivery=f"c{number}-{turn}")
            writings.append(kept.commit(f"c{number}", commit))
        for writing in writings:
            await writing
    await kept.close()


def forked(work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Do work in a child; its number."""
    pid = os.fork()
    if not pid:
        code = 1
        logging.disable()
        try:
            asyncio.run(work())
            code = 0
        except BaseException:  # noqa: BLE001  the child must not go on as its parent
            traceback.print_exc()
        finally:
            os._exit(code)
    return pid


def campaign(folder: Path, conversations: int, each: int, kills: int, seed: int) -> dict[str, Any]:
    """Kill processes that deliver, one after another; in the end let them finish. Return what is wrong."""
    store, log, chance = folder / "deliveries.db", folder / "accepted.log", random.Random(seed)
    assert os.waitpid(forked(lambda: fill(store, conversations, each)), 0)[1] == 0
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listening.getsockname()[1]
    receiver = forked(lambda: receive(listening, log, seed))
    done: list[Kill] = []
    wrong: list[str] = []
    try:
        working = [forked(lambda: deliver(store, port)) for _ in range(PROCESSES)]
        while len(done) < kills:
            place = chance.randrange(PROCESSES)
            await_first(log, working[place])
            time.sleep(chance.uniform(0.0, 0.1))
            at_s = time.monotonic()
            os.kill(working[place], signal.SIGKILL)
            _, status = os.waitpid(working[place], 0)
            if not os.WIFSIGNALED(status):
                break
            done.append(Kill(at_s, working[place]))
            working[place] = forked(lambda: deliver(store, port))
        ended = [os.waitpid(pid, 0)[1] for pid in working if exists(pid)]
        wrong += [f"a process ended with {status}" for status in ended if status]
    finally:
        os.kill(receiver, signal.SIGKILL)
        os.waitpid(receiver, 0)
    accepted = [Accepted(*json.loads(line)) for line in log.read_text().splitlines()]
    wrong += judged(accepted, done, conversations, each)
    wrong += asyncio.run(left(store))
    repeated = len(accepted) - len({one.id for one in accepted})
    late = read_after_kill(accepted, done)
    return {"killed": len(done), "accepted": len(accepted), "repeated": repeated, "read late": late, "wrong": wrong}


def await_first(log: Path, sender: int) -> None:
    """Wait until a process has sent something, or has ended: on a busy machine others need longer to begin."""
    ends_s = time.monotonic() + 60
    while time.monotonic() < ends_s and exists(sender) and not is_zombie(sender):
        if log.exists() and f" {sender}]" in log.read_text()[-20_000:]:
            return
        time.sleep(0.005)


def is_zombie(pid: int) -> bool:
    """Whether a child has ended and was not waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def exists(pid: int) -> bool:
    """Whether a child was not waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def judged(accepted: list[Accepted], kills: list[Kill], conversations: int, each: int) -> list[str]:
    """Return each breach: one that was lost, one out of order, one that was repeated though the process that sent it
    before was not killed until then.
    """
    killed_at_s = {kill.pid: kill.at_s for kill in kills}
    wrong: list[str] = []
    turns: dict[str, list[Accepted]] = {}
    for one in accepted:
        turns.setdefault(one.conversation, []).append(one)
    for number in range(conversations):
        found = turns.get(f"c{number}", [])
        if sorted({one.turn for one in found}) != list(range(2, each + 2)):
            wrong.append(f"c{number}: {len({one.turn for one in found})} of {each} arrived")
        for before, after in itertools.pairwise(found):
            if after.turn < before.turn:
                wrong.append(f"c{number}: turn {after.turn} came after turn {before.turn}")
            if after.turn == before.turn and killed_at_s.get(before.sender, math.inf) > after.at_s:
                wrong.append(f"c{number}: turn {after.turn} came twice, and its first sender was not killed")
    return wrong


def read_after_kill(accepted: list[Accepted], kills: list[Kill]) -> int:
    """Return how many messages the receiver read only after it was begun to kill their sender."""
    killed_at_s = {kill.pid: kill.at_s for kill in kills}
    return sum(one.at_s > killed_at_s.get(one.sender, math.inf) for one in accepted)


async def left(store: Path) -> list[str]:
    """Return what the store does not know as delivered."""
    kept = SqliteStore(store)
    found: list[str] = []
    for status in ("waiting", "sending", "failed"):
        rows = await kept.outbox.find(DeliveryQuery(status=status))  # type: ignore[arg-type]
        found += [f"{row.id} is {row.status}: {row.error}" for row in rows]
    await kept.close()
    return found


def main() -> int:
    """Run it; 1 if anything is wrong."""
    folder, *numbers = sys.argv[1:]
    done = campaign(Path(folder), *map(int, numbers))
    print(json.dumps(done))
    return 1 if done["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
