"""The calls of apps and chats about overlays: force them on and off, and say how they stand."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.api.runtime import Runtime
from turnwise.archive.arguments import check_name, check_text
from turnwise.core.machine import Machine
from turnwise.core.overlay_standing import OverlayStanding, standings
from turnwise.core.state import ForcedOverlay, State
from turnwise.core.state.events import OverlayForced
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.errors import UnknownConversation, UnknownOverlay, WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.runner.overlays import forced_for_all, setting_of


class OverlayCalls:
    """The methods of a chat about overlays."""

    runtime: Runtime
    """The shared parts of the app that the chat belongs to."""
    name: str
    """The id of the conversation."""

    async def force_overlay(self, name: str, on: bool | None, *, by: str = "") -> OverlayStanding:  # noqa: FBT001
        """Force an overlay on or off in this conversation from its next turn on; `None` ends the forcing. Then the
        forcing for all conversations decides, else the dates of the overlay. `by` names who forces it.

        Raises `UnknownConversation`, and `UnknownOverlay` where the flow of the conversation has none of this name.
        """
        state = await self.runtime.archive.store.load(self.name)
        if state is None:
            raise UnknownConversation(self.name)
        machine = await self.runtime.machines.of_state(state)
        fact = OverlayForced(_known(machine, name), _checked(on), check_text("by", by))
        await self.runtime.engine.record_fact(self.name, fact)
        return next(one for one in await self.overlays() if one.name == name)

    async def overlays(self) -> tuple[OverlayStanding, ...]:
        """Return the status of each overlay: whether it is active, by its dates or forced, and until or from when.
        Raises `UnknownConversation`.
        """
        runtime = self.runtime
        state = await runtime.archive.state(self.name)
        machine = await runtime.machines.of_state(state)
        return await standings_now(runtime, machine, state)


class AppOverlays:
    """The methods of an app about overlays."""

    runtime: Runtime
    """The shared parts of the app."""

    async def force_overlay(self, name: str, on: bool | None, *, by: str = "") -> None:  # noqa: FBT001
        """Force an overlay on or off for all conversations of the flow from their next turns on; `None`: by its dates.
        `by` names who forces it. A forcing in one conversation takes precedence. Raises `UnknownOverlay`.
        """
        await force_for_all(self.runtime, name, on, by=by)

    async def forced_overlays(self) -> tuple[ForcedOverlay, ...]:
        """Return which overlays are forced for all conversations of the flow, by whom and since when."""
        return await forced_for_all(self.runtime.archive.store, self.runtime.machine)


async def force_for_all(runtime: Runtime, name: str, on: bool | None, *, by: str = "") -> None:  # noqa: FBT001
    """Force an overlay on or off for all conversations of the flow; `None`: by its dates. Raises `UnknownOverlay`."""
    setting, at_ms = setting_of(_known(runtime.machine, name)), runtime.clock.now_ms()
    store, flow = runtime.archive.store, runtime.machine.flow.name
    await store.set_setting(flow, setting, _checked(on), check_text("by", by), at_ms)


async def standings_now(runtime: Runtime, machine: Machine, state: State) -> tuple[OverlayStanding, ...]:
    """Return the status of each overlay of a conversation, by what is forced for all conversations at this time and by
    its `state`.
    """
    if not machine.overlays:
        return ()
    forced = await forced_for_all(runtime.archive.store, machine)
    known = replace(state.overlays or NO_OVERLAYS, forced_for_all=forced)
    return standings(machine, replace(state, overlays=known), runtime.clock.now_ms())


def _known(machine: Machine, name: str) -> str:
    if check_name("name", name) not in machine.overlays:
        raise UnknownOverlay(name, nearest(name, machine.overlays) if machine.overlays else "the flow has none")
    return name


def _checked(on: bool | None) -> bool | None:  # noqa: FBT001
    if on is not None and not isinstance(on, bool):  # pyright: ignore[reportUnnecessaryIsInstance]  as elsewhere
        raise WrongArgument("on", on, "True, False, or None")
    return on
