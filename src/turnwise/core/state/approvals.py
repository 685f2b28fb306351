"""The calls that wait for approval (law 4.5): each request, and their order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state.effects import Call
from turnwise.flow.model.words import Approver


class ApprovalRequest(Struct, frozen=True, gc=False, omit_defaults=True):
    """A call that waits for approval: of a model, or of the node's own work."""

    tool: str
    """The tool that is called."""
    arguments: dict[str, Any]
    """Its arguments by name."""
    call: str = ""
    """The id of the model's call; empty for the node's own work."""
    id: str = ""
    """The id of its effect from now on, so that repeated approvals approve the same call."""
    was_begun: bool = False
    """True where it may have run already, before an undo."""
    approver: Approver = "user"
    """Who may decide: the user, or only an operator."""
    since_ms: int = 0
    """When it began to wait; 0 in states of version 0.1."""
    due_ms: int | None = None
    """When it is declined if no one decides; `None` if never."""
    behind: tuple[Call, ...] = ()
    """The later calls of the same reply that need no approval: they wait for it."""
    is_approved: bool = False
    """True from the approval until the call is requested, in the same turn."""
    unclear: int = 0
    """How often the user has answered neither yes nor no."""

    @property
    def name(self) -> str:
        """What names the request outside: its id, or its tool in states of version 0.1 that have none."""
        return self.call or self.id or self.tool


def reply_of(call: str) -> str:
    """Return what the calls of one reply have in common in their ids."""
    return call.rpartition("-")[0]


def number_of(call: str) -> int:
    """Return the place of a call in its reply."""
    number = call.rpartition("-")[2]
    return int(number) if number.isdigit() else 0


def in_order(requests: Iterable[ApprovalRequest]) -> tuple[ApprovalRequest, ...]:
    """Return requests in the order of their calls: by turn, reply, and place in the reply."""
    return tuple(sorted(requests, key=lambda one: [int(part) for part in one.call.split("-") if part.isdigit()]))


def request_for_user(requests: Iterable[ApprovalRequest]) -> ApprovalRequest | None:
    """Return the request that the user is asked about: the first one that the user decides."""
    return next((one for one in requests if one.approver == "user" and not one.is_approved), None)


def without_request(
    requests: tuple[ApprovalRequest, ...], call: str
) -> tuple[tuple[ApprovalRequest, ...], tuple[Call, ...]]:
    """Return the requests without that of a call, and the calls that wait for no request any more."""
    rest: list[ApprovalRequest] = []
    released: tuple[Call, ...] = ()
    for request in requests:
        if request.call != call:
            rest.append(request)
        elif rest:
            rest[-1] = replace(rest[-1], behind=(*rest[-1].behind, *request.behind))
        else:
            released = request.behind
    return tuple(rest), released
