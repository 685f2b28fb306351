"""Links the overlays of a flow (law 6.6): their dates are read, and their texts compiled."""

from __future__ import annotations

from typing import Literal

from turnwise.core.link.builder import Builder
from turnwise.core.overlay_dates import EXPECTED_DATE, YEARS, Boundary, Dates, read_boundary
from turnwise.core.proposals import LinkedOverlay
from turnwise.core.zones import is_zone, zone_hint
from turnwise.flow.diagnostic import LONGEST_SHOWN
from turnwise.flow.model import Overlay


def link_overlays(builder: Builder) -> dict[str, LinkedOverlay]:
    """Return the overlays of a flow by name, the lowest priority number first."""
    linked = [_linked(builder, one) for one in builder.flow.overlays]
    return {one.overlay.name: one for one in sorted(linked, key=lambda one: one.overlay.priority)}


def _linked(builder: Builder, overlay: Overlay) -> LinkedOverlay:
    span = overlay.span
    return LinkedOverlay(
        overlay,
        _dates(builder, overlay),
        builder.prompt(overlay.persona, span.of("persona")) if overlay.persona else None,
        builder.prompt(overlay.addendum, span.of("addendum")) if overlay.addendum else None,
    )


def _dates(builder: Builder, overlay: Overlay) -> Dates:
    """Return the dates of an overlay; report what is wrong with them."""
    span, zone = overlay.span, overlay.time_zone
    begins, ends = _boundary(builder, overlay, "from"), _boundary(builder, overlay, "to")
    if zone and not is_zone(zone):
        builder.report("TW028", f"'{zone}' is no time zone", span.of("time_zone"), zone_hint(zone))
        zone = "UTC"
    if overlay.every and not (overlay.starts and overlay.ends):
        hint = "give it both 'from' and 'to'"
        builder.report("TW107", f"'{overlay.name}' comes back, and has no beginning or no end", span.of("every"), hint)
    if begins is not None and ends is not None:
        _check_order(builder, overlay, begins, ends)
    return Dates(begins, ends, bool(overlay.every), zone)


def _check_order(builder: Builder, overlay: Overlay, begins: Boundary, ends: Boundary) -> None:
    """Report an overlay that ends before it begins, or comes back before it ends."""
    if ends.latest < begins.earliest:
        message = f"'{overlay.name}' ends on {ends.text}, before it begins on {begins.text}"
        builder.report("TW107", message, overlay.span.of("to"), "'from' is the first day or moment, 'to' the last one")
    elif overlay.every and begins.in_year(begins.day.year + 1).earliest <= ends.latest:
        message = f"'{overlay.name}' comes back before it ends"
        builder.report("TW107", message, overlay.span.of("every"), "make it shorter than a year, or leave 'every' out")


def _boundary(builder: Builder, overlay: Overlay, key: Literal["from", "to"]) -> Boundary | None:
    text = overlay.starts if key == "from" else overlay.ends
    found = read_boundary(text) if text else None
    if text and found is None:
        message = f"'{text[:LONGEST_SHOWN]}' is no day and no moment"
        builder.report(
            "TW107", message, overlay.span.of(key), f"'{key}' is {EXPECTED_DATE}, from {YEARS[0]} to {YEARS[-1]}"
        )
    return found
