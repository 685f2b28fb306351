"""Finds the turns that reported deliveries which were given up, so that their messages reach the user once.

The next turn of a caller reports as `unprompted` or `recovered` what was given up before, and its program shows that to
the user. Such a delivery is not sent again unless someone confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from turnwise.core.state import MOST_UNREPORTED
from turnwise.core.state.fold.beginnings import UNPROMPTED
from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Store


async def reporting_turn(store: Store, row: StoredDelivery) -> int:
    """Return the turn whose result reported the messages of a delivery (`row`) that has failed for
    good; 0 if none did.
    """
    if row.status != "failed" or row.done_ms is None:
        return 0
    state = await store.load(row.conversation)
    if state is None or row.turn in state.unprompted or row.turn in state.unreported:
        return 0
    for number in range(row.turn + 1, min(state.turn, row.turn + MOST_UNREPORTED + 1) + 1):
        entries = await store.turn(row.conversation, number)
        if entries and type(entries[0].event) not in UNPROMPTED:
            return number if entries[-1].at_ms >= row.done_ms else 0  # before, it was on its way
    return 0


async def with_reports(store: Store, rows: Iterable[StoredDelivery]) -> tuple[StoredDelivery, ...]:
    """Return deliveries; those that have failed for good get the turn that reported their messages to a caller
    (`reported_in`).
    """
    return tuple([replace(row, reported_in=await reporting_turn(store, row)) for row in rows])
