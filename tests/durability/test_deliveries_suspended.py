"""Two processes that deliver from one store, of which one stands still or blocks its event loop: once each and in order,
as long as it is alive; and where it was suspended for longer than others wait, what is sent twice has the same id.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.durable.deliveries import fill
from support.durable.sender import Sender, accepted
from turnwise.runner.outbox_port import DeliveryQuery
from turnwise.stores.sqlite import SqliteStore

EACH = 3


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A store with one conversation whose turns wait to be delivered, and the log of the receiver."""
    store = tmp_path / "deliveries.db"
    asyncio.run(fill(store, 1, EACH))
    return store, tmp_path / "accepted.log"


def until(condition: Callable[[], bool]) -> None:
    """Look until something is so."""
    ends_s = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends_s
        time.sleep(0.005)


def attempts(store: Path) -> list[tuple[str, int]]:
    async def read() -> list[tuple[str, int]]:
        kept = SqliteStore(store)
        found = await kept.outbox.find(DeliveryQuery())
        await kept.close()
        return [(row.status, row.attempts) for row in found]

    return asyncio.run(read())


ALL_ONCE = [("delivered", 1)] * EACH


@pytest.mark.law("3.13")
def test_a_blocked_event_loop_loses_no_delivery_to_another_process(places: tuple[Path, Path]) -> None:
    """It is blocked for longer than others wait for a process that is silent."""
    with Sender(*places, claim_timeout_s=2, blocks_s=5, timeout_s=0.5) as one:
        until(lambda: len(accepted(places[1])) == 1)
        with Sender(*places, claim_timeout_s=2) as other:
            assert [one.wait(), other.wait()] == [0, 0]
    assert [turn for _, turn in accepted(places[1])] == [2, 3, 4]
    assert accepted(places[1])[0][0] == one.pid
    assert attempts(places[0]) == ALL_ONCE


@pytest.mark.law("3.13")
def test_a_process_that_stands_still_for_less_than_others_wait_repeats_nothing(places: tuple[Path, Path]) -> None:
    """Though its request was answered after the attempt's time was over."""
    with Sender(*places, claim_timeout_s=30, answers_after_s=0.2, timeout_s=0.4) as one:
        until(lambda: len(accepted(places[1])) == 1)
        one.stop()
        with Sender(*places, claim_timeout_s=30) as other:
            time.sleep(1.5)
            assert len(accepted(places[1])) == 1
            one.go_on()
            assert [one.wait(), other.wait()] == [0, 0]
    assert [turn for _, turn in accepted(places[1])] == [2, 3, 4]
    assert attempts(places[0]) == ALL_ONCE


def test_what_a_process_was_sending_that_stands_still_for_longer_is_sent_again_and_no_more(
    places: tuple[Path, Path],
) -> None:
    """The receiver knows the repetition by its id. What the process marks when it wakes up is refused."""
    with Sender(*places, claim_timeout_s=1.5, answers_after_s=0.6) as one:
        until(lambda: len(accepted(places[1])) == 1)
        one.stop()
        with Sender(*places, claim_timeout_s=1.5) as other:
            assert other.wait() == 0
            taken = accepted(places[1])
            one.go_on()
            assert one.wait() == 0
    assert taken == [(one.pid, 2), (other.pid, 2), (other.pid, 3), (other.pid, 4)]
    assert accepted(places[1]) == taken
    assert attempts(places[0]) == [("delivered", 2), ("delivered", 1), ("delivered", 1)]
