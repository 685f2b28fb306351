"""`turnwise soak` against replicas of `turnwise serve` on one PostgreSQL: real processes, over HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.durable.deployed import Replica, Threats, database, free_port, soak
from support.postgres import server

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
MESSAGES = 100_000 if IS_SOAK else 300
PAUSE_S = 0.0 if IS_SOAK else 0.5
"""How long a client waits after each answer, so that few messages take as long as timers and offers need."""
THREATS = 2_000 if IS_SOAK else 8


@contextmanager
def deployed(store: str, hook: int) -> Iterator[list[Replica]]:
    """Three replicas that take turns."""
    replicas = [Replica(store, hook) for _ in range(3)]
    try:
        for one in replicas:
            one.wait()
        yield replicas
    finally:
        for one in replicas:
            one.end()


def verdict(output: str | None) -> dict[str, Any]:
    assert output, "the checker has printed nothing"
    found = json.loads(output)
    print({key: value for key, value in found.items() if key != "faults"})
    return found


def test_messages_of_ten_clients_through_random_replicas_are_in_order_and_none_is_lost(tmp_path: Path) -> None:
    store, hook = database(server()), free_port()
    with deployed(store, hook) as replicas:
        options = (f"--messages={MESSAGES}", f"--pause={PAUSE_S}")
        output, _ = soak(replicas, tmp_path / "ledger", hook, *options).communicate()
    found = verdict(output)
    assert found["faults"] == []
    assert found["messages"] >= MESSAGES
    assert found["deliveries"] > 0
    assert {"timer_fired", "schedule_fired", "offered", "scope_opened", "scope_closed"} <= found["entries"].keys()


def test_replicas_that_are_killed_stopped_and_cut_off_lose_nothing_of_their_clients(tmp_path: Path) -> None:
    store, hook = database(server()), free_port()
    with deployed(store, hook) as replicas:
        threats = Threats(replicas, store, THREATS, 7)
        checker = soak(replicas, tmp_path / "ledger", hook, f"--messages={40 * THREATS}", "--patience=120")
        threats.start()
        output, _ = checker.communicate()
        threats.ends.set()
        threats.join()
    print(threats.done)
    found = verdict(output)
    assert found["faults"] == []
    assert min(threats.done.values()) > 0
