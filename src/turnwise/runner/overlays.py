"""Reads which overlays are forced for all conversations of a flow (settings of the store), so that a conversation
records the forcing before its next turn.
"""

from __future__ import annotations

from turnwise.core.machine import Machine
from turnwise.core.state import ForcedOverlay, State
from turnwise.core.state.events import OverlayForced
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.runner.ports import Store

_SETTING = "overlay."
"""Stands before the name of an overlay in the settings of its flow."""


def setting_of(overlay: str) -> str:
    """Return the name of the store's setting by which an overlay is forced for all conversations."""
    return f"{_SETTING}{overlay}"


async def forced_for_all(store: Store, machine: Machine) -> tuple[ForcedOverlay, ...]:
    """Return the overlays that are forced for all conversations of a flow now, as far as this version declares them."""
    found = await store.settings(machine.flow.name, _SETTING)
    forced = [ForcedOverlay(one.name[len(_SETTING) :], bool(one.data), one.by, one.at_ms) for one in found]
    return tuple([one for one in forced if one.name in machine.overlays])


def overlay_news(state: State, forced: tuple[ForcedOverlay, ...]) -> tuple[OverlayForced, ...]:
    """Return the events that a conversation has to record about overlays: which are `forced` for all conversations now,
    and which no longer are.
    """
    known = {one.name: one for one in (state.overlays or NO_OVERLAYS).forced_for_all}
    now = {one.name: one for one in forced}
    return (
        *[OverlayForced(name, None, for_all=True) for name in known if name not in now],
        *[
            OverlayForced(name, one.on, one.by, for_all=True, since_ms=one.at_ms)
            for name, one in now.items()
            if known.get(name) != one
        ],
    )
