"""What must hold of the conversations of a soak test, whatever happened to the replicas meanwhile."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnwise.testing.deployment.ledger import Acknowledged
from turnwise.testing.deployment.receiver import Received

_COUNTED = re.compile(r"Message (\d+)\.")


class Entry(NamedTuple):
    """An entry of a conversation's journal, as the API returns it."""

    seq: int
    """The position of the entry in the journal."""
    turn: int
    """The number of the turn."""
    kind: str
    """The tag of the entry's event, such as `said`."""
    text: str = ""
    """The text that the user or the machine sent; empty for other entries."""


def journal_faults(
    journal: Sequence[Entry], acknowledged: Sequence[Acknowledged], *, may_have_more: bool, counts: bool
) -> Iterable[str]:
    """Yield what is wrong with the journal of a conversation, in words.
    `acknowledged` are its messages; with `may_have_more` a message was sent and never answered, so that the journal may
    have it. `counts` is true if the flow counts its messages.
    """
    if [one.seq for one in journal] != list(range(1, len(journal) + 1)):
        yield "positions have gaps, or come twice"
    sent = {one.turn: one.text for one in journal if one.kind == "user_said"}
    said = defaultdict[int, list[str]](list)
    for one in journal:
        if one.kind == "said":
            said[one.turn].append(one.text)
    for one in acknowledged:
        if sent.get(one.turn) != one.message:
            yield f"{one.key} was acknowledged as turn {one.turn}, which has {sent.get(one.turn)!r}"
        elif "\n\n".join(said[one.turn]) != one.text:
            yield f"{one.key} was answered {one.text!r}, and its turn {one.turn} has {said[one.turn]}"
    extra = sum(one.kind == "user_said" for one in journal) - len(acknowledged)
    if extra < 0 or (extra and not may_have_more):
        yield f"{len(acknowledged)} messages were acknowledged, and {len(acknowledged) + extra} are there"
    yield from _orders(acknowledged)
    if counts:
        yield from _counts(journal)


def _orders(acknowledged: Sequence[Acknowledged]) -> Iterable[str]:
    """Each message has a turn of its own, and those of a client are in the order in which it sent them."""
    turns = Counter(one.turn for one in acknowledged)
    for turn, count in turns.items():
        if count > 1:
            yield f"turn {turn} answers {count} messages"
    last = dict[int, Acknowledged]()
    for one in sorted(acknowledged, key=lambda one: (one.client, one.number)):
        before = last.get(one.client)
        if before is not None and before.turn >= one.turn:
            yield f"{before.key} is turn {before.turn}, and {one.key}, which was sent later, is turn {one.turn}"
        last[one.client] = one


def _counts(journal: Sequence[Entry]) -> Iterable[str]:
    """The machine counts its messages without gap: the state of each turn follows that of the one before."""
    found = [int(match[1]) for one in journal if one.kind == "said" and (match := _COUNTED.fullmatch(one.text))]
    if found != list(range(len(found))):
        wrong = next(number for number, count in enumerate(found) if number != count)
        yield f"message {wrong} is counted as {found[wrong]}"


def stream_faults(seen: Sequence[int], last: int) -> Iterable[str]:
    """Yield what is wrong with the positions that a stream sent (`seen`), of which `last` must have
    arrived, in words.
    """
    if list(seen) != list(range(1, len(seen) + 1)):
        yield "its stream has gaps, or shows an entry twice"
    elif len(seen) < last:
        yield f"its stream ended at {len(seen)} of {last}"


def delivery_faults(queued: Sequence[tuple[str, str]], received: Sequence[Received]) -> Iterable[str]:
    """Yield what is wrong with the deliveries of a conversation, in words.
    `queued` has id and status of each, in order. One may come twice.
    """
    first = list(dict.fromkeys(one.id for one in received))
    for delivery, status in queued:
        if status != "delivered" or delivery not in first:
            yield f"the delivery {delivery} is {status}, and came {sum(one.id == delivery for one in received)} times"
    order = {delivery: place for place, (delivery, _) in enumerate(queued)}
    places = [order[one] for one in first if one in order]
    if places != sorted(places):
        yield "its deliveries came out of order"
