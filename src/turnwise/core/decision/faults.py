"""Failures as data: what failed, the field, argument or limit, the value, the place in the author's code."""

from __future__ import annotations

from typing import Any

from turnwise.core.machine import LinkedTool, Machine, Write
from turnwise.core.secrets import secret_values, without
from turnwise.core.state import Fault, State
from turnwise.core.values import REDACTED, Refused

_LONGEST_VALUE = 200
"""The longest text that a failure keeps as the refused value, in characters."""


def write_refused(
    machine: Machine, state: State, address: str, value: Any, refused: Refused, *, write: Write | None = None
) -> Fault:
    """A value that a field does not take. `write` is the `set` that computed it."""
    is_secret = machine.fields[address].secret or (write is not None and write.is_secret)
    return Fault(
        kind="write",
        message=f"{address}: {refused.text}",
        subject=address,
        value=_shown(machine, state, value, is_secret=is_secret),
        bound=refused.bound,
        at=write.span.line_text if write is not None else "",
    )


def call_refused(machine: Machine, state: State, tool: str, refused: Refused) -> Fault:
    """A call of a tool that was not run; of wrong arguments, the first one is its subject."""
    declared = machine.tools.get(tool)
    is_secret = _is_secret(declared, refused.subject)
    return Fault(
        kind="refused",
        message=refused.text,
        tool=tool,
        subject=refused.subject,
        value=_shown(machine, state, refused.value, is_secret=is_secret),
        bound=refused.bound,
        at=declared.tool.span.line_text if declared is not None else "",
    )


def limit_reached(machine: Machine, limit: str, message: str, tool: str = "") -> Fault:
    """A limit of the flow that was reached."""
    limits = machine.flow.limits
    return Fault("limit", message, tool, subject=limit, bound=getattr(limits, limit), at=limits.span.line_text)


def _is_secret(tool: LinkedTool | None, argument: str) -> bool:
    return tool is not None and argument in tool.args and tool.args[argument].secret


def _shown(machine: Machine, state: State, value: Any, *, is_secret: bool) -> Any:
    """A refused value as it may be shown: short, and without secrets."""
    if value is None:
        return None
    if is_secret:
        return REDACTED
    value = without(value, secret_values(machine, state))
    return value[:_LONGEST_VALUE] + "…" if isinstance(value, str) and len(value) > _LONGEST_VALUE else value
