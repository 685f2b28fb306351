"""The commands of `turnwise deliveries`, and the webhook of `turnwise serve`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from msgspec import to_builtins
from msgspec.structs import replace

from turnwise.api.delivery import checked_query, outbox_of
from turnwise.api.open import open_store
from turnwise.cli.inputs import existing_store
from turnwise.cli.show import counted_noun, plain_console, print_json, print_line
from turnwise.errors import DeliveryReported, UnknownDelivery, WrongUsage
from turnwise.runner.clocks import SystemClock
from turnwise.runner.outbox_port import DeliveryQuery, Outbox, StoredDelivery
from turnwise.runner.ports import Store
from turnwise.runner.reported_deliveries import reporting_turn, with_reports

if TYPE_CHECKING:
    from turnwise.webhooks.webhook import Webhook

Found = TypeVar("Found")
"""The type of the result of the work on a store."""
_PAGE = 500
_MOST = 1_000_000
ALL_FAILED = "failed"
"""What `turnwise deliveries send` accepts in place of an id, for all failed deliveries."""


def webhook_of(
    deliver: str, deliver_secrets: list[str] | None, deliver_private: bool, deliver_http: bool
) -> Webhook | None:
    """Return the webhook for the options of `turnwise serve`; `None` without a URL. Raises `WrongUsage`."""
    names = deliver_secrets or []
    if not deliver:
        if names or deliver_private or deliver_http:
            raise WrongUsage("there is no receiver of deliveries; add --deliver URL")
        return None
    from turnwise.webhooks.webhook import Webhook

    if not names:
        raise WrongUsage("deliveries are signed; add --deliver-secret-env NAME, the variable that holds the secret")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        raise WrongUsage(f"the environment variable {missing[0]} of --deliver-secret-env is not set")
    secrets = [os.environ[name] for name in names]
    return Webhook(deliver, secrets=secrets, allow_private=deliver_private, allow_http=deliver_http)


def run_list(store: str, conversation: str, status: str, most: int, as_json: bool) -> int:
    """Print the deliveries of a store; return the exit code."""
    known = ("waiting", "sending", "delivered", "failed")
    if status not in ("", *known):
        raise WrongUsage(f"'{status}' is no status; they are {', '.join(known)}")
    query = checked_query(conversation, "", status, 0, _PAGE)

    async def work(opened: Store) -> tuple[StoredDelivery, ...]:
        return await with_reports(opened, await _listed(outbox_of(opened), query, most))

    found = _with_store(store, work, may_only_read=True)
    if as_json:
        print_json([to_builtins(row) for row in found])
        return 0
    console = plain_console()
    for row in found:
        print_line(console, _line(row))
    if not found:
        print_line(console, "no deliveries")
    return 0


def run_resend(store: str, ids: Sequence[str], confirm: bool) -> int:
    """Queue deliveries again; return the exit code."""
    now_ms = SystemClock().now_ms()

    async def work(opened: Store) -> tuple[int, int]:
        outbox, done, left = outbox_of(opened), 0, 0
        names = dict.fromkeys([one for one in ids if one != ALL_FAILED], True)
        if ALL_FAILED in ids:
            failed = await _listed(outbox, DeliveryQuery(status="failed", limit=_PAGE), _MOST)
            names = {**{row.id: False for row in failed}, **names}
        for name, is_named in names.items():
            known = await outbox.get(name)
            turn = await reporting_turn(opened, known) if known is not None and not confirm else 0
            if turn and is_named:
                raise DeliveryReported(name, turn)
            if not turn and await outbox.send_again(name, now_ms) is None:
                raise UnknownDelivery(name)
            done, left = (done, left + 1) if turn else (done + 1, left)
        return done, left

    done, left = _with_store(store, work)
    print_line(
        plain_console(), f"{counted_noun(done, 'delivery', 'deliveries')} will be sent again by who serves the flow"
    )
    if left:
        print_line(
            plain_console(), f"{counted_noun(left, 'other')} reported by a turn already; --confirm sends them, too"
        )
    return 0


async def _listed(outbox: Outbox, query: DeliveryQuery, most: int) -> list[StoredDelivery]:
    """Return the deliveries that match, read page by page."""
    found: list[StoredDelivery] = []
    while len(found) < most and (page := await outbox.find(query)):
        found += page
        query = replace(query, after=page[-1].number)
    return found[:most]


def _line(row: StoredDelivery) -> str:
    when = row.done_ms if row.done_ms is not None else row.due_ms
    parts = [row.id, row.conversation, f"turn {row.turn}", row.status, counted_noun(row.attempts, "attempt")]
    if when is not None:
        parts.append(_time(when))
    elif row.status == "waiting":
        parts.append("after an earlier one")
    parts += [row.error] if row.error else []
    return ", ".join([*parts, *([f"reported in turn {row.reported_in}"] if row.reported_in else [])])


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _with_store(address: str, work: Callable[[Store], Awaitable[Found]], *, may_only_read: bool = False) -> Found:
    async def done() -> Found:
        store = open_store(existing_store(address), may_only_read=may_only_read)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(done())
