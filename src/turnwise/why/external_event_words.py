"""The words for facts about events of other systems; the table of all facts is `WORDS` in `why/kinds.py`."""

from __future__ import annotations

from typing import Literal

ExternalEventFact = Literal[
    "event_received",
    "event_held",
    "event_resumed",
    "event_waits",
    "event_never_came",
    "notice_said",
]
"""The kinds of facts about events of other systems: events of the journal, or how things stand at the end of a turn.

- `event_received`: it came, with its data and who sent it; secrets of the data are redacted.
- `event_held`, `event_resumed`: it waited for a scope or a person, and was judged afterwards.
- `event_waits`, `event_never_came`: how that stands when someone asks.
- `notice_said`: what a transition said that stays in its node.
"""

EXTERNAL_EVENT_WORDS: dict[ExternalEventFact, str] = {
    "event_received": "the event {event} came[ from {by}][ with {data}]",
    "event_held": "the event {event} waits[ until the scope {scope} is closed][ until {person} has given back]",
    "event_resumed": "the event {event}, which had waited, was judged in {node}",
    "event_waits": "the event {event} waits since turn {since}: {reason}",
    "event_never_came": "the event {event} never came[ {where}]",
    "notice_said": "the event {event} made it say “{said}”, and it stayed in {node}[; {open} stayed open]",
}
"""The words for facts about external events, by the kind of fact."""
