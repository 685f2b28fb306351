"""A rolling deploy under load: replicas of an earlier wheel are replaced by this version, and back, on one PostgreSQL."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from durability.test_deployment import verdict
from support.durable.balancer import Balancer
from support.durable.deployed import Replica, database, free_port, soak
from support.earlier import earlier
from support.postgres import server

MESSAGES = 240
MIXED_S = 2.0
"""For how long both versions serve side by side."""


def test_clients_see_no_error_while_an_earlier_version_is_replaced_and_comes_back(tmp_path: Path) -> None:
    before, store, hook = earlier(), database(server(), is_empty=True), free_port()
    replicas = [Replica(store, hook, package=before) for _ in range(2)]
    balancer = Balancer(replicas)
    try:
        for one in replicas:
            one.wait()
        checker = soak(
            [balancer], tmp_path / "ledger", hook, f"--messages={MESSAGES}", "--pause=1.1", "--conversations=20"
        )
        for package in (None, before):
            for one in replicas:
                time.sleep(MIXED_S)
                assert one.end(signal.SIGTERM) == 0
                one.package = package
                one.begin()
                one.wait()
        found = verdict(checker.communicate()[0])
    finally:
        balancer.close()
        for one in replicas:
            one.end()
    assert found["faults"] == []
    assert found["again"] == {}
