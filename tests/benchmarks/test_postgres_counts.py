"""What a turn with a tool call costs on PostgreSQL, in counts that have no noise."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from support.postgres import server

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import on_postgres  # noqa: E402

MOST_COLD, MOST_CACHED, MOST_COMMITS = 6, 3, 3


def test_a_turn_with_a_tool_call_takes_few_round_trips_and_commits() -> None:
    address = server().fresh()
    cold, cached = asyncio.run(on_postgres.round_trips(address))
    assert cold <= MOST_COLD
    assert cached <= MOST_CACHED
    name = address.partition("@/")[2].partition("?")[0]
    ((numbered,),) = server().execute("SELECT last_value FROM written", name)
    assert numbered <= 3 * MOST_COMMITS, "three turns"


def test_what_is_measured_is_measured(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(on_postgres, "TURNS", 3)
    monkeypatch.setattr(on_postgres, "AT_ONCE", 10)
    monkeypatch.setattr(on_postgres, "EACH", 1)
    monkeypatch.setattr(on_postgres, "PACED_S", 0.1)
    server()
    found = asyncio.run(on_postgres.measure(tmp_path))
    assert found["round_trips"] <= MOST_CACHED
    assert min(found.values()) > 0
