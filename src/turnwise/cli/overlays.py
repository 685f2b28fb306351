"""The command `/overlay` of the terminal: how overlays stand, and forcing one on or off."""

from __future__ import annotations

from rich.console import Console

from turnwise.api.open import SyncChat
from turnwise.cli.show import print_line
from turnwise.core.overlay_standing import OverlayStanding
from turnwise.core.zones import in_zone
from turnwise.errors import UnknownOverlay
from turnwise.testing.notation import NotationError
from turnwise.testing.overlay_lines import read_forcing

HELP = "/overlay [NAME HOW]   how overlays stand; force one: NAME on, off or auto; NAME on for all; by(WHO)"
"""The line of `/help` about overlays."""
COMMAND = "/overlay"
"""The command in `turnwise chat` that shows or forces overlays."""


def run_overlay(chat: SyncChat, console: Console, rest: str) -> None:
    """Force an overlay of a talk, or print the status of all of them."""
    if rest.strip():
        try:
            forcing = read_forcing(rest)
            target = chat.app if forcing.for_all else chat
            target.force_overlay(forcing.name, forcing.on, by=forcing.by)
        except (NotationError, UnknownOverlay) as error:
            print_line(console, str(error), "yellow")
            return
    found = chat.overlays()
    zone = chat.state().time_zone
    if not found:
        print_line(console, "the flow has no overlays", "yellow")
    for one in found:
        print_line(console, f"  {one.name}: {_standing(one, zone)}")


def _standing(of: OverlayStanding, zone: str) -> str:
    """Return in words how an overlay stands."""
    now = "active" if of.is_active else "not active"
    change = f", {'active' if of.is_next else 'not active'} from the next turn on" if of.is_next != of.is_active else ""
    return f"{now}{change}; {_reason(of, zone)}"


def _reason(of: OverlayStanding, zone: str) -> str:
    if of.forced is not None:
        by = f" by {of.forced.by}" if of.forced.by else ""
        return f"forced {'on' if of.forced.on else 'off'}{by}{' for all' if of.is_forced_for_all else ''}"
    if of.is_by_date:
        return f"its dates end at {in_zone(of.ends_ms, zone)}" if of.ends_ms is not None else "its dates have no end"
    return f"it begins at {in_zone(of.begins_ms, zone)}" if of.begins_ms is not None else "no date is to come"
