"""The calls of chats for people who help: take over, write to the user, give back, and decide calls that wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from turnwise.api.outside_events import decisions_of, entries_of, json_data
from turnwise.api.runtime import Runtime
from turnwise.archive.arguments import check_text
from turnwise.core.state import events as e
from turnwise.runner.result import Turn


class PeopleCalls:
    """The methods of a chat for a person who is in charge of it, or decides about tool calls."""

    runtime: Runtime
    """The shared parts of the app that the chat belongs to."""
    name: str
    """The id of the conversation."""

    if TYPE_CHECKING:

        async def _submit(self, event: e.OutsideEvent | None, key: str | None) -> Turn: ...

    async def take_over(
        self,
        operator: str,
        *,
        reason: str = "",
        instead_of: str | None = None,
        display: str = "",
        key: str | None = None,
    ) -> Turn:
        """Let a person take over this conversation: from now on nothing is interpreted and no model called (law 6.10).
        `display` is the name that the user sees, by default `operator`. Refused with the code `taken_over` where
        another person is in charge already. `instead_of` names the person in charge from whom this one takes over;
        refused where another person is in charge, or none (`no_person`).
        """
        texts = {"operator": operator, "reason": reason, "instead_of": instead_of or "", "display": display}
        event = e.TakenOver(**{name: check_text(name, text) for name, text in texts.items()})
        return await self._submit(event, key)

    async def operator_say(self, text: str, *, operator: str | None = None, key: str | None = None) -> Turn:
        """Send a message of the person in charge to the user.
        With `operator` it is refused (`taken_over`) where another person is in charge; `no_person` where none is.
        """
        by = "" if operator is None else check_text("operator", operator)
        return await self._submit(e.OperatorSaid(check_text("text", text), by), key)

    async def give_back(
        self,
        outcome: str = "done",
        *,
        set: Mapping[str, Any] | None = None,  # noqa: A002  the word that flows have for it
        transition: str | None = None,
        end: str | None = None,
        reason: str = "",
        operator: str | None = None,
        key: str | None = None,
    ) -> Turn:
        """Give the conversation back to the machine, with an `outcome` that guards read as `person.outcome`.
        `set` are fields with the values that were agreed (`None` removes one). `transition` is one of the node's
        transitions, taken whatever its guard says; `end` ends the conversation with that outcome; `reason` is recorded.
        A value that its field refuses is refused with the code `value_refused`, and the person stays in charge.
        """
        values = {check_text("a name in set", name): json_data(f"set[{name!r}]", one) for name, one in entries_of(set)}
        texts = {"outcome": outcome, "transition": transition, "end": end, "reason": reason, "operator": operator}
        given = {name: "" if text is None else check_text(name, text) for name, text in texts.items()}
        return await self._submit(e.GivenBack(set=values, **given), key)

    async def approve(
        self,
        *calls: str,
        arguments: Mapping[str, Any] | None = None,
        operator: str | None = None,
        key: str | None = None,
    ) -> Turn:
        """Approve waiting tool calls (`state.waiting_calls`) by their ids, or without ids all that the caller may
        decide. With `operator`, the name of a person, the calls with `approver: operator` are approved, else those of
        the user. `arguments` has new values by the name of an argument, for each of the calls. If one call cannot be
        approved, none is, and the turn is refused with a code: `unknown_call` if the call does not wait any more,
        `approver` if the other one of user and operator decides it, `arguments` if these are invalid.
        """
        changed = {check_text("a name in arguments", name): json_data(name, one) for name, one in entries_of(arguments)}
        return await self._decide(calls, operator, key, approve=True, arguments=changed)

    async def decline(self, *calls: str, reason: str = "", operator: str | None = None, key: str | None = None) -> Turn:
        """Decline waiting tool calls by their ids, or all, as `approve` approves them; the model receives the reason.
        An operator may decline also what the user approves.
        """
        return await self._decide(calls, operator, key, approve=False, reason=check_text("reason", reason))

    async def decide(
        self, decisions: Iterable[e.CallDecision], *, operator: str | None = None, by: str = "", key: str | None = None
    ) -> Turn:
        """Approve some waiting tool calls and decline others, in one turn. `by` is who decides, if no operator."""
        name = check_text("operator", operator) if operator is not None else check_text("by", by)
        return await self._submit(e.CallsDecided(tuple(decisions), name, is_operator=operator is not None), key)

    async def _decide(
        self, calls: tuple[str, ...], operator: str | None, key: str | None, *, approve: bool, **more: Any
    ) -> Turn:
        state = await self.runtime.archive.store.load(self.name) if not calls else None
        found = decisions_of(state, calls, approve=approve, operator=operator is not None, more=more)
        return await self.decide(found, operator=operator, key=key)
