"""The app: an opened flow with its conversations, timers and retention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self

from turnwise.api.chat import Chat
from turnwise.api.overlays import AppOverlays
from turnwise.api.runtime import Runtime
from turnwise.archive.arguments import check_flow, check_progress, check_retention
from turnwise.core.machine import Machine
from turnwise.core.state.retention import Retention
from turnwise.errors import DeliveryReported, UnknownDelivery
from turnwise.flow.model import Flow
from turnwise.runner.ports import Progress, Queued, Retained
from turnwise.runner.schedules import InputSet, inputs_set, set_input

if TYPE_CHECKING:
    from turnwise.archive.asking import WhatIf
    from turnwise.archive.migrating import Migration
    from turnwise.core.explain.history import Edge
    from turnwise.core.migration import Renaming
    from turnwise.runner.outbox_port import DeliveryStatus, StoredDelivery

_OF_A_CHAT = frozenset(
    {
        *("start", "say", "choose", "commands", "tool_used", "fire", "run", "following", "undo", "stream"),
        *("take_over", "operator_say", "give_back", "approve", "decline", "decide"),
        *(
            "state",
            "journal",
            "turn",
            "explain",
            "why",
            "compare",
            "ways_to",
            "replay",
            "rerun",
            "export",
            "events",
            "fork",
            "forget",
            "overlays",
        ),
    }
)


class App(AppOverlays):
    """An opened flow with its conversations. `app.chat("42")` is the conversation named 42.

    Use it in `async with` for work that goes on by itself: turns that a crash cut off are finished, timers fire, old
    events are erased; at the end everything is written. After closing every call raises `TurnwiseError`.
    """

    def __init__(self, runtime: Runtime, retention: Retention | None = None) -> None:
        self.runtime = runtime
        self.machine: Machine = runtime.machine
        self._retention = retention

    def __getattr__(self, name: str) -> NoReturn:
        hint = f"; it is a call of one conversation: app.chat(…).{name}(…)" if name in _OF_A_CHAT else ""
        hint = "; tw.asgi(app, authenticate=…) serves an app over HTTP" if name in ("serve", "asgi") else hint
        hint = "; tw.open_sync(…) opens a flow for code without a loop" if name == "blocking" else hint
        raise AttributeError(f"an App has no '{name}'{hint}")

    def chat(self, conversation: str, *, existing: bool = False) -> Chat:
        """Return the chat of the conversation with this name; its first event begins the conversation. With `existing`
        no event begins it: if the conversation was deleted, or has never begun, events raise `UnknownConversation`.
        """
        return Chat(self.runtime, conversation, existing=existing)

    async def conversations(self) -> tuple[str, ...]:
        """Return the names of all conversations in the store."""
        return await self.runtime.archive.store.conversations()

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations that wait for a person, or have one, the longest wait first, as of their last turn.
        With a person `person.operator` is set. Another flow's conversations in the same store are among them.
        """
        found = await self.runtime.archive.store.queue()
        return tuple(sorted(found, key=lambda one: one.person.since_ms))

    # all conversations -------------------------------------------------------------------------

    async def what_if(
        self,
        *,
        values: Mapping[str, Any] | None = None,
        rules: Mapping[str, str] | None = None,
        flow: Flow | Machine | None = None,
        progress: Progress | None = None,
    ) -> WhatIf:
        """Return which decisions of all conversations would differ with other `values` by field, guards (`rules`) by
        transition, or another flow; see `Chat.what_if`.
        """
        return await self.runtime.archive.what_if(
            None, values=values, rules=rules, flow=self.runtime.link_supposed(flow), progress=progress
        )

    async def history(self, transition: str | None = None, *, progress: Progress | None = None) -> tuple[Edge, ...]:
        """Return how often transitions, or only one, were judged in all conversations, and with which outcomes."""
        return await self.runtime.archive.history(None, transition, progress)

    async def import_(
        self, data: bytes, conversation: str | None = None, *, effects: bool | None = None, key: str | None = None
    ) -> Chat:
        """Import an exported conversation, by default under its own name, and return its chat; the conversation
        continues where it was. Under another name it is a copy, in which tools with effects are refused; `effects`
        allows or forbids them. A repeated call with the same `key` returns what it imported. Raises `ImportRefused` for
        a file that is cut, edited or of another kind, `ConversationExists`, and `KeyReused` for a key of another
        request.
        """
        imported = self.runtime.archive.import_conversation(data, conversation, effects=effects, key=key)
        return Chat(self.runtime, await imported)

    async def migrate(
        self, renaming: Renaming | None = None, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Migration:
        """Move waiting conversations of older versions to this flow's version; those that do not fit stay (law 6.8).
        `renaming` has new names of nodes, fields and overlays by old ones. With `dry_run` only report what would be
        moved.
        """
        return await self.runtime.archive.migrate(self.machine, renaming, dry_run=dry_run, progress=progress)

    async def retain(self, retention: Retention, progress: Progress | None = None) -> Retained:
        """Erase events and trim decisions older than `retention` or their flow's `keep`; return how many of each."""
        from turnwise.runner.retention import retain

        check_progress(progress)
        store = self.runtime.archive.store
        return await retain(store, check_retention(retention), self.runtime.clock.now_ms(), progress)

    async def set_schedule_input(
        self,
        flow: str,
        schedule: str,
        period: str,
        input: Mapping[str, Any] | None,  # noqa: A002  so the scope calls it
        *,
        by: str = "",
    ) -> None:
        """Set the input of a schedule for a period, in all conversations of a flow; `None` takes it away.
        The period is a day (`2026-11-10`), an ISO week, a month, a year, or `default`. The input replaces what the flow
        has for the period. The store keeps who set what when, and each firing records the input that it used.
        """
        check_flow(flow, self.machine)
        runtime = self.runtime
        runtime.check_open()
        await set_input(runtime.store, runtime.clock, self.machine, schedule, period, input, by)

    async def schedule_inputs(self, schedule: str) -> tuple[InputSet, ...]:
        """Return the inputs of a schedule that are set with `set_schedule_input`, by period."""
        self.runtime.check_open()
        return await inputs_set(self.runtime.store, self.machine, schedule)

    async def tick(self) -> int:
        """Fire all due timers and schedules, and send the due deliveries; return how many timers and schedules fired.
        After 10,000 it returns, and the next call goes on. An app in `async with` fires and sends by itself.
        """
        self.runtime.check_open()
        return await self.runtime.background.tick()

    # deliveries --------------------------------------------------------------------------------

    async def deliveries(
        self, *, conversation: str = "", status: DeliveryStatus | Literal[""] = "", after: int = 0, limit: int = 100
    ) -> tuple[StoredDelivery, ...]:
        """Return the deliveries of this flow with their state, the oldest first: of one conversation or status, or all.
        A status is `waiting`, `sending`, `delivered` or `failed`. `after` is the `number` of the last one of a page.
        """
        from turnwise.api.delivery import checked_query, outbox_of
        from turnwise.runner.reported_deliveries import with_reports

        query = checked_query(conversation, self.machine.flow.name, status, after, limit)
        store = self.runtime.archive.store
        return await with_reports(store, await outbox_of(store).find(query))

    async def send_again(self, id: str, *, confirm: bool = False) -> StoredDelivery:  # noqa: A002  the attribute
        """Send a delivery again that failed or was delivered, and return it; one that waits is due now.
        Raises `UnknownDelivery`, and `DeliveryReported` for a failed one whose messages a turn reported to its caller,
        unless `confirm` is true.
        """
        from turnwise.api.delivery import outbox_of
        from turnwise.runner.reported_deliveries import reporting_turn

        runtime, store = self.runtime, self.runtime.archive.store
        known = await outbox_of(store).get(id)
        if known is not None and not confirm and (turn := await reporting_turn(store, known)):
            raise DeliveryReported(id, turn)
        found = await outbox_of(store).send_again(id, runtime.clock.now_ms())
        if found is None:
            raise UnknownDelivery(id)
        runtime.background.wake()
        return found

    # life --------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        runtime = self.runtime
        runtime.check_open()
        await runtime.machines.keep_current()
        await runtime.background.start(retention=self._retention, waits=runtime.waits_for_recovery)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def drain(self) -> None:
        """Refuse new events, fire no timers, and wait for the running turns and the deliveries in progress."""
        await self.runtime.drain()

    async def close(self, *, drain_s: float | None = None) -> None:
        """Drain, then release store and tools. Turns that still run after `drain_s` seconds are cancelled.
        Another process over the same store continues them at once, or the next one that starts. In a forked child it
        only forbids further calls.
        """
        if self.runtime.home.is_forked:
            self.runtime.is_closed = True
            return
        self.runtime.home.check()
        await self.runtime.close(drain_s)
