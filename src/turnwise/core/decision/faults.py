"""Builds failures as data: what failed, the field, argument or limit, the value, the line in the flow."""

from __future__ import annotations

from typing import Any, final

from msgspec import Struct

from turnwise.core.candidates import Write
from turnwise.core.machine import Machine
from turnwise.core.secrets import secret_values, without_values
from turnwise.core.state import Fault, State
from turnwise.core.state.kinds import CallRefusal
from turnwise.core.values import REDACTED, Refused

_LONGEST_VALUE = 200
"""The longest text that a failure keeps as the refused value, in characters."""


@final
class RefusedCall(Struct, frozen=True):
    """Why a tool call is refused."""

    reason: CallRefusal
    """The code of why the call is refused."""
    text: str
    """Why the call is refused, in words for the model."""
    subject: str = ""
    """The first wrong argument; empty if no argument is wrong."""
    value: Any = None
    """The value of the first wrong argument; `None` if no argument is wrong."""
    bound: Any = None
    """The bound that the value exceeds; `None` if it exceeds none."""


def write_fault(
    machine: Machine, state: State, address: str, value: Any, refused: Refused, *, write: Write | None = None
) -> Fault:
    """Return the failure for a value that a field refuses. `write` is the `set` that computed the value."""
    is_secret = machine.fields[address].secret or (write is not None and write.is_secret)
    return Fault(
        kind="write",
        message=f"{address}: {refused.text}",
        subject=address,
        value=_shown(machine, state, value, is_secret=is_secret),
        bound=refused.bound,
        at=write.span.line_text if write is not None else "",
    )


def call_fault(machine: Machine, state: State, tool: str, refused: RefusedCall) -> Fault:
    """Return the failure for a tool call that was refused."""
    declared = machine.tools.get(tool)
    arg = declared.args.get(refused.subject) if declared is not None else None
    return Fault(
        kind="refused",
        message=refused.text,
        tool=tool,
        subject=refused.subject,
        value=_shown(machine, state, refused.value, is_secret=arg is not None and arg.secret),
        bound=refused.bound,
        at=declared.tool.span.line_text if declared is not None else "",
    )


def limit_fault(machine: Machine, limit: str, message: str, tool: str = "") -> Fault:
    """Return the failure for a limit of the flow that was reached: `limit` is its key under `limits`, `tool` the tool
    that reached it, if any.
    """
    limits = machine.flow.limits
    return Fault("limit", message, tool, subject=limit, bound=getattr(limits, limit), at=limits.span.line_text)


def _shown(machine: Machine, state: State, value: Any, *, is_secret: bool) -> Any:
    """Return a refused value for display: cut to a limit, and without secrets."""
    if value is None:
        return None
    if is_secret:
        return REDACTED
    value = without_values(value, secret_values(machine, state))
    return value[:_LONGEST_VALUE] + "…" if isinstance(value, str) and len(value) > _LONGEST_VALUE else value
