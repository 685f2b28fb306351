"""The earlier run of a call that an undo took back and that was made again under the same key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.core.phrase import phrase
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.why.fact import Fact

if TYPE_CHECKING:
    from turnwise.runner.stored import StoredConversation

_MOST_READ = 2000
"""How many entries are searched, back from the call that was made again."""


async def with_earlier_run(stored: StoredConversation, called: Fact) -> Fact:
    """Return a call that was repeated after an undo, with the turn of its earlier run; any other call unchanged."""
    effect = next((_effect(one.event) for one in await stored.unerased(called.seq, called.seq)), "")
    undos: list[e.Entry] = []
    async for entry in stored.backwards(called.seq - 1 if effect else 0, called.seq - _MOST_READ):
        match entry.event:
            case e.Undone():
                undos.append(entry)
            case e.ToolReturned() | e.ToolFailed() if entry.event.effect == effect:
                return _ran(called, entry, undos)
            case _:
                pass
    return called


def _effect(event: e.AnyEvent) -> str:
    return event.effect.id if isinstance(event, e.EffectAsked) and isinstance(event.effect, RunTool) else ""


def _ran(called: Fact, run: e.Entry, undos: list[e.Entry]) -> Fact:
    """Return a call with its earlier run, where one of the undos since, the newest first, took that back."""
    took = [one.turn for one in undos if isinstance(one.event, e.Undone) and one.event.to < run.turn]
    if not took:
        return called
    again = phrase(
        "it ran in turn {turn} under the same key, and the undo of turn {took} took that back",
        turn=run.turn,
        took=took[-1],
    )
    return called.with_values(again=again)
