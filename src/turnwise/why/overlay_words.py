"""The words for facts about overlays; the table of all facts is `WORDS` in `why/kinds.py`.

The value `because` of these texts is made by `facts.overlays.reason`: the dates of the overlay, or who forced it and
when.
"""

from __future__ import annotations

from typing import Literal

OverlayFact = Literal[
    "overlay_began",
    "overlay_ended",
    "overlay_forced",
    "overlay_is_active",
    "overlay_not_active",
    "overlay_in_prompt",
]
"""The kinds of facts about overlays: events of the journal, how things stand at the end of a turn, or a change of a
prompt. The first three have an event; the others say how things stand at the end of a turn."""

OVERLAY_WORDS: dict[OverlayFact, str] = {
    # events
    "overlay_began": "the overlay {overlay} is active from turn {turn} on, because {because}[; the agent is {persona}]",
    "overlay_ended": "the overlay {overlay} is not active any more from turn {turn} on, because {because}",
    "overlay_forced": "the overlay {overlay} {is}[ by {by}][ at {at}][, for all conversations of {flow}]",
    # how things stand
    "overlay_is_active": "{overlay} is active[ since turn {since}], because {because}[; {next}]",
    "overlay_not_active": "{overlay} is not active, because {because}[; {next}]",
    "overlay_in_prompt": "the overlay {overlay} was in the instructions for the model: {parts}",
}
"""The words for facts about overlays, by the kind of fact."""
