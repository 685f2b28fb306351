"""Asks the user before an effect is performed again that an undo did not reverse (laws 4.5, 6.9)."""

from __future__ import annotations

from typing import Any

from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.formatting import for_people
from turnwise.core.machine import Machine
from turnwise.core.state import ApprovalRequest, KeptEffect, State
from turnwise.core.state.performed import kept_effect
from turnwise.core.toolbox import LinkedTool
from turnwise.core.zones import local_time


def repeated_effect(
    state: State, tool: LinkedTool, arguments: dict[str, Any], *, was_begun: bool = False
) -> KeptEffect | None:
    """Return the earlier effect that a call would repeat; `None` if it repeats none.
    Where the call has the key of the earlier one (`was_begun`), its `on_crash` may settle that.
    """
    if not state.kept_effects or tool.tool.kind != "effect" or (was_begun and tool.tool.on_crash != "again"):
        return None
    return kept_effect(state.kept_effects, tool.tool.name, arguments)


def repeated_by(machine: Machine, state: State, request: ApprovalRequest) -> KeptEffect | None:
    """Return the earlier effect that a call waiting for approval would repeat; `None` if it repeats none."""
    tool = machine.tools.get(request.tool)
    return None if tool is None else repeated_effect(state, tool, request.arguments, was_begun=request.was_begun)


def is_certain(effect: KeptEffect | None) -> bool:
    """Return whether an effect is known to be done: to perform it again is a new call then, and no retry.
    False where its outcome is in doubt, and for `None`, no such effect.
    """
    return effect is not None and not effect.in_doubt


def note_of(machine: Machine, state: State, tool: LinkedTool, effect: KeptEffect) -> str:
    """Return the line that informs the user that an effect was done before, when, and with what result."""
    language = machine.language
    then, now = (local_time(at_ms, state.time_zone) for at_ms in (effect.at_ms, state.at_ms))
    words = {
        "time": for_people(language, state.time_zone, "time", then.strftime("%H:%M")),
        "date": for_people(language, state.time_zone, "date", then.date().isoformat()),
    }
    when = language.text("done_at" if then.date() == now.date() else "done_on", **words)
    result = f" ({effect.result})" if effect.result else ""
    key = "consent_maybe_done" if effect.in_doubt else "consent_done_before"
    return language.text(key, when=when, result=result, what=tool_in_words(tool.tool))
