"""The calls that wait for approval (law 4.5): each request, and their order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state.effects import Call
from turnwise.flow.model.words import Approver


class ApprovalRequest(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tool call that waits for approval: a call by a model, or a node's own call."""

    tool: str
    """The name of the tool that is called."""
    arguments: dict[str, Any]
    """The arguments of the call by name."""
    call: str = ""
    """The id of the model's call; empty if the node itself makes the call."""
    id: str = ""
    """The id of the call's effect, kept so that repeated approvals approve the same call."""
    was_begun: bool = False
    """True where the call may have run already, before an undo."""
    approver: Approver = "user"
    """Who may decide: the user, or only an operator."""
    since_ms: int = 0
    """Since when the call waits, in milliseconds since 1970; 0 in states of version 0.1."""
    due_ms: int | None = None
    """When the call is declined if no one decides, in milliseconds since 1970; `None` if never."""
    behind: tuple[Call, ...] = ()
    """The later calls of the same reply that need no approval and run only after this one is decided."""
    is_approved: bool = False
    """True from the approval until the call is requested as an effect, in the same turn."""
    unclear: int = 0
    """How often the user has answered the question about this call with neither yes nor no."""

    @property
    def name(self) -> str:
        """The id by which clients name the request; in states of version 0.1 without ids the tool's name."""
        return self.call or self.id or self.tool


def reply_of(call: str) -> str:
    """Return the part of a call's id that all calls of one model reply share: `7-2` of `7-2-1`."""
    return call.rpartition("-")[0]


def number_of(call: str) -> int:
    """Return the number of a call in its model reply, the last part of its id; 0 if the id has none."""
    number = call.rpartition("-")[2]
    return int(number) if number.isdigit() else 0


def in_order(requests: Iterable[ApprovalRequest]) -> tuple[ApprovalRequest, ...]:
    """Return requests in the order of their calls: by turn, reply, and place in the reply."""
    return tuple(sorted(requests, key=lambda one: [int(part) for part in one.call.split("-") if part.isdigit()]))


def request_for_user(requests: Iterable[ApprovalRequest]) -> ApprovalRequest | None:
    """Return the first request that the user decides; `None` if an operator decides all."""
    return next((one for one in requests if one.approver == "user" and not one.is_approved), None)


def without_request(
    requests: tuple[ApprovalRequest, ...], call: str
) -> tuple[tuple[ApprovalRequest, ...], tuple[Call, ...]]:
    """Return the requests without the one of `call` (a call's id), and the calls that had to wait only for this one."""
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
