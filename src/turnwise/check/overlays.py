"""Rules about overlays: one that changes nothing, and two of which one hides the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import combinations, product

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.machine import Machine
from turnwise.core.overlay_dates import YEARS, Boundary, Dates
from turnwise.core.proposals import LinkedOverlay
from turnwise.flow.diagnostic import Diagnostic, problem

_YEARS = 100
"""How many years of overlays that come back are compared."""
_FIRST, _LAST = Boundary(date(YEARS[0], 1, 1)), Boundary(date(YEARS[-1], 12, 31))


def check_effect(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """Report overlays that change nothing: no node shows their texts, and no guard asks for them."""
    machine = checked.machine
    tested = {ref.key for candidate in machine.all_candidates() if candidate.guard for ref in candidate.guard.refs}
    for one in machine.overlays.values():
        overlay = one.overlay
        if overlay.addendum or f'overlay.active("{overlay.name}")' in tested:
            continue
        if not overlay.persona and not overlay.persona_name:
            message = f"'{overlay.name}' changes nothing: it has no text, and no guard asks for it"
            yield problem("TW108", message, overlay.span, "give it a persona, a name or an addendum")
        elif overlay.persona and not _shows_persona(machine):
            message = f"the persona of '{overlay.name}' is never shown: every node with a model has one of its own"
            yield problem("TW108", message, overlay.span.of("persona"), "use 'addendum', which every node shows")


def _shows_persona(machine: Machine) -> bool:
    """Return whether a model may speak at a node without a persona of its own."""
    speaks = [node for node in machine.nodes.values() if node.work in ("prompt", "form")]
    return not speaks or any(not node.has_own_persona for node in speaks)


def check_overlaps(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """Report two overlays of one priority that may be active at the same time and both set persona or name."""
    for one, other in combinations(checked.machine.overlays.values(), 2):
        if one.overlay.priority != other.overlay.priority:
            continue
        both = [
            name for name, has in (("persona", one.persona and other.persona), ("name", _has_names(one, other))) if has
        ]
        if both and _meet(one.dates, other.dates):
            names = f"'{one.overlay.name}' and '{other.overlay.name}'"
            message = f"{names} overlap with the same priority, and each has a {' and a '.join(both)}"
            hint = f"that of '{one.overlay.name}' is shown, which stands first; give one of them another 'priority'"
            yield problem("TW108", message, other.overlay.span, hint)


def _has_names(one: LinkedOverlay, other: LinkedOverlay) -> bool:
    return bool(one.overlay.persona_name and other.overlay.persona_name)


def _meet(one: Dates, other: Dates) -> bool:
    """Return whether two overlays are active at the same local time, whatever their zones."""
    return any(a[0] <= b[1] and b[0] <= a[1] for a, b in product(_spans(one), _spans(other)))


def _spans(dates: Dates) -> list[tuple[datetime, datetime]]:
    """Return the spans of an overlay in local time, of one that comes back those of `_YEARS`; none without dates."""
    begins, ends = dates.begins, dates.ends
    if begins is None and ends is None:
        return []
    if begins is None or ends is None or not dates.is_yearly:
        return [((begins or _FIRST).earliest, (ends or _LAST).latest)]
    years = range(begins.day.year, begins.day.year + _YEARS)
    more = ends.day.year - begins.day.year
    return [
        (begins.in_year(year).earliest, ends.in_year(year + more).latest) for year in years if year + more <= YEARS[-1]
    ]
