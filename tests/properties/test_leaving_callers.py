"""Random machines, served to callers who leave at any moment while other messages wait, on both stores (laws 3.8, 3.10,
4.5). A case is one number: `serve(number, store)` of `support.random_callers` makes it again.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path

import pytest

from support.postgres import fresh_store
from support.random_callers import Served, serve, unprompted_turns
from turnwise.core.replay import replay, rerun
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_entry
from turnwise.core.turn import Refusal
from turnwise.runner.ports import Accepted, Duplicate

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
MACHINES = 5000 if IS_SOAK else 30


@pytest.mark.law("3.8", "3.10", "4.5")
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_whoever_leaves_nothing_is_doubled_mixed_up_or_lost(kind: str, tmp_path: Path) -> None:
    seen = Counter[str]()
    machines = MACHINES if kind != "postgres" else MACHINES // 3  # a turn takes five times as long

    async def play() -> None:
        store = fresh_store(kind, tmp_path / "callers.db")
        for number in range(machines):
            try:
                check(await asyncio.wait_for(serve(number, store), 60), seen)
            except BaseException as error:
                error.add_note(f"machine {number} on {kind}")
                raise
        await store.close()

    asyncio.run(play())
    print(dict(seen))
    assert min(seen[what] for what in ("left and served", "withdrawn", "received", "reported")) >= machines // 10, seen


def check(served: Served, seen: Counter[str]) -> None:
    """All that holds for a conversation whose callers left."""
    entries = served.entries
    assert replay(entries) == served.state
    assert list(map(encode_entry, rerun(served.machine, entries))) == list(map(encode_entry, entries))
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    ends = [entry.turn for entry in entries if isinstance(entry.event, e.TurnEnded)]
    assert ends == list(range(1, len(ends) + 1)), "each turn has ended before the next began"
    assert not any(isinstance(entry.event, e.TurnRestarted) for entry in entries), "no turn was cut off"
    assert max(served.performed.values(), default=1) == 1, "no effect was performed twice"
    delivered = answers_belong_to_their_keys(served, seen)
    turns_are_reported_once(served, delivered, seen)


def answers_belong_to_their_keys(served: Served, seen: Counter[str]) -> set[int]:
    """Each key gives the turn of its own event, and each event has one turn at most, in the order of arrival."""
    delivered = {done.state.turn for done in served.received.values() if isinstance(done, Accepted)}
    numbers: list[int] = []
    for key, event in served.sent.items():
        done, again = served.received.get(key), served.again.get(key)
        if done is None:
            seen["withdrawn" if again is None else "left and served"] += 1
        elif isinstance(done, Accepted):
            seen["received"] += 1
            assert isinstance(again, Duplicate)
            kept = [encode_entry(entry) for entry in again.entries]
            assert kept[: len(done.entries)] == [encode_entry(entry) for entry in done.entries]
        elif isinstance(done, Refusal):
            assert again is None
        if isinstance(again, Duplicate):
            own = [entry.event for entry in again.entries]
            assert event is None or type(event) in map(type, own)
            said = [one.text.strip() for one in own if isinstance(one, e.UserSaid)]
            assert not isinstance(event, e.UserSaid) or event.text.strip() in said
            numbers.append(again.entries[0].turn)
    assert numbers == sorted(set(numbers)), "one turn for each key, in the order of arrival"
    return delivered


def turns_are_reported_once(served: Served, delivered: set[int], seen: Counter[str]) -> None:
    """What nobody received is reported by a later turn that somebody received, or will be; nothing else is."""
    nobody, state = unprompted_turns(served.entries), served.state
    reported = [turn for turn in served.reported if turn not in nobody]
    missed = [turn for turn in range(1, state.turn + 1) if turn not in delivered | nobody] if state is not None else []
    pending = state.unreported if state is not None else ()
    later = [turn for turn in missed if turn in pending]
    # two callers who wait at once may read their reports in any order, but none is read twice
    assert sorted(reported + later) == missed, f"reported {reported}, missed {missed}, delivered {sorted(delivered)}"
    assert not delivered & set(reported)
    seen["reported"] += len(reported)
