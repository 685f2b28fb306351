"""Finds in a journal the effects that an undo cannot reverse, and the last reply of their turn."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, TypeGuard

from turnwise.core.state import TakenBack
from turnwise.core.state.effects import RunTool
from turnwise.core.state.events import (
    AnyEvent,
    EffectAsked,
    Entry,
    Said,
    ToolFailed,
    ToolReturned,
    ToolUsed,
)
from turnwise.core.state.in_charge import in_charge
from turnwise.core.state.performed import KeptEffect, digest

LONGEST_RESULT = 40
"""How many characters a result may have to be shown where an effect is asked about again."""


def last_said(entries: Iterable[Entry]) -> str:
    """Return the last reply text of a turn, to be repeated after an undo; empty if none, or if it asked for approval.
    Texts about an undo are left out, and so is an offer, which is asked again. A question for approval is repeated only
    while its call waits.
    """
    said = [entry.event for entry in entries if isinstance(entry.event, Said)]
    last = next((one for one in reversed(said) if one.kind not in ("undo", "undone", "offer")), None)
    return last.text if last is not None and last.kind != "consent" else ""


def lasting_uses(
    entries: Iterable[Entry], changing: Container[str]
) -> list[tuple[int, ToolUsed | ToolReturned | ToolFailed]]:
    """Return the tool uses that an undo cannot reverse, each with the number of the frame in which it was made.
    They are every use by the host, and every use of a tool in `changing` that had, or may have had, effects.
    """
    return [(entry.frame, entry.event) for entry in entries if _stays(entry.event, changing)]


def own_calls(events: Iterable[AnyEvent], nodes: tuple[str, ...], changing: Container[str]) -> tuple[TakenBack, ...]:
    """Return the calls of tools in `changing` that nodes made in their own work and that had, or may have had, effects.
    `nodes` are those in charge before the events.
    """
    asked: dict[str, TakenBack] = {}
    found: dict[str, TakenBack] = {}
    for event in events:
        nodes = in_charge(nodes, event)
        match event:
            case EffectAsked(RunTool(id=id_, tool=tool, arguments=arguments, call="")):
                asked[id_] = TakenBack(id_, nodes[-1], tool, digest(arguments))
            case ToolReturned(effect=id_) | ToolFailed(effect=id_) if id_ in asked and _stays(event, changing):
                found.setdefault(id_, asked[id_])
            case _:
                pass
    return tuple(found.values())


def effects_done(
    entries: Iterable[Entry], changing: Container[str], *, has_secrets: bool = False
) -> tuple[KeptEffect, ...]:
    """Return the effects of tools in `changing` that were performed, or may have been, by any caller of the tool.
    Of their results only short ones are kept, and with `has_secrets` none.
    """
    asked: dict[str, dict[str, Any]] = {}
    found: list[KeptEffect] = []
    for entry in entries:
        event, result, is_in_doubt = entry.event, None, False
        match event:
            case EffectAsked(RunTool(id=id_, arguments=arguments)):
                asked[id_] = arguments
                continue
            case ToolUsed(arguments=arguments, result=result):
                pass
            case ToolReturned(effect=id_, result=result) if id_ in asked:
                arguments = asked[id_]
            case ToolFailed(effect=id_, in_doubt=is_in_doubt) if id_ in asked:
                arguments = asked[id_]
            case _:
                continue
        if event.tool in changing and _stays(event, changing):
            shown = "" if has_secrets else _in_short(result)
            effect = KeptEffect(event.tool, digest(arguments), entry.turn, entry.at_ms, shown, is_in_doubt, entry.frame)
            found.append(effect)
    return tuple(found)


def _in_short(result: Any) -> str:
    """Return a result that a user may read beside a question, such as the number of a booking; else nothing."""
    if isinstance(result, bool) or not isinstance(result, str | int):
        return ""
    text = str(result).strip()
    return text if len(text) <= LONGEST_RESULT and text.isprintable() else ""


def _stays(event: AnyEvent, changing: Container[str]) -> TypeGuard[ToolUsed | ToolReturned | ToolFailed]:
    """Return whether an undo cannot reverse a tool use; a call that failed and is not in doubt had no effect."""
    if isinstance(event, ToolReturned | ToolFailed):
        return event.tool in changing and (isinstance(event, ToolReturned) or event.in_doubt)
    return isinstance(event, ToolUsed)
