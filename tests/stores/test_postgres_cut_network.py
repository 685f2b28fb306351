"""The network between one replica and the database drops everything, without a word: the replica does not hang, and the
others go on. In a network namespace, which only root may make.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from support.postgres import dies_with_parent, server
from support.tcp_proxy import Proxy
from turnwise.stores.postgres import PostgresStore
from turnwise.testing.store_support import Journal, holds

HERE, THERE, INSIDE = "10.213.77.1", "10.213.77.2", f"turnwise-{os.getpid()}"
LONGEST_S = 30.0
"""How long a commit may hang: what TCP needs to notice it (11 s), and the next attempt, on a busy machine."""
REPLICA = """
import asyncio, json, sys, time
from turnwise.errors import StoreUnavailable
from turnwise.stores.postgres import PostgresStore
from turnwise.testing.store_support import Journal

async def main():
    store, journal = PostgresStore(sys.argv[1], retry_s=1), Journal()
    await store.commit("a", journal.begin())
    await store.commit("b", Journal().begin())
    await store.load("a")
    print(json.dumps("ready"), flush=True)
    for work in (lambda: store.commit("a", journal.open("lost")), lambda: store.load("a")):
        sys.stdin.readline()
        began = time.monotonic()
        try:
            await work()
            found = "done"
        except StoreUnavailable as error:
            found = "refused"
        print(json.dumps([found, time.monotonic() - began]), flush=True)
    sys.stdin.readline()
    print(json.dumps((await store.load("b")).turn), flush=True)
    await store.close()

asyncio.run(main())
"""


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@pytest.fixture
def link() -> Iterator[str]:
    """A network between this machine and a namespace; the name of its interface here."""
    name = f"tw{os.getpid() % 100_000}"
    try:
        ip("netns", "add", INSIDE)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a network namespace needs root, and the program ip")
    try:
        ip("link", "add", name, "type", "veth", "peer", "name", "there", "netns", INSIDE)
        ip("addr", "add", f"{HERE}/30", "dev", name)
        ip("link", "set", name, "up")
        ip("-n", INSIDE, "addr", "add", f"{THERE}/30", "dev", "there")
        ip("-n", INSIDE, "link", "set", "there", "up")
        yield name
    finally:
        subprocess.run(["ip", "link", "del", name], check=False, capture_output=True)
        ip("netns", "del", INSIDE)


def replica(address: str) -> subprocess.Popen[str]:
    """A replica inside of the namespace."""
    return subprocess.Popen(
        ["ip", "netns", "exec", INSIDE, sys.executable, "-c", REPLICA, address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=dies_with_parent,  # noqa: PLW1509  it only calls the system
    )


def asked(process: subprocess.Popen[str]) -> Any:
    """Let a replica go on; return what it answers."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return answer(process)


def answer(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def test_a_replica_that_the_network_cuts_off_refuses_in_time_and_its_turns_go_on_elsewhere(link: str) -> None:
    address, proxy = server().fresh(), Proxy(server().folder, HERE)
    there = replica(f"{proxy.address(address)}&dead_after=1s")
    try:
        assert answer(there) == "ready"
        ip("addr", "flush", "dev", link)  # packets for an address that is not here are dropped
        for _ in range(2):
            outcome, seconds = asked(there)
            assert outcome == "refused"
            assert seconds < LONGEST_S
        asyncio.run(writes_what_the_other_left(address))
        ip("addr", "add", f"{HERE}/30", "dev", link)
        assert asked(there) == 1
    finally:
        there.kill()
        there.communicate()
        proxy.close()


async def writes_what_the_other_left(address: str) -> None:
    store, journal = PostgresStore(address), Journal()
    journal.begin()
    await store.commit("a", journal.turn("from elsewhere"))
    await holds(store, "a", journal)
    await store.close()
