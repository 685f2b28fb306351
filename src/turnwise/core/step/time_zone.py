"""Switches the time zone of a conversation when the fields that name it change; warns of a zone that is unknown."""

from __future__ import annotations

from turnwise.core.state.events import FieldSet, TimeZoneChanged, Warned
from turnwise.core.template import LinkedExpression, Template
from turnwise.core.turn import StepBuilder
from turnwise.core.zones import is_zone, zone_hint


def follow_time_zone(step: StepBuilder, named: Template) -> None:
    """Switch to the time zone that the template `named` renders from the fields now; warn operators of an unknown one,
    and keep the old. The warning is in the step that wrote the field.
    """
    if step.state.doing is None:
        return
    zone = named(step.env).strip()
    if not zone or zone == step.state.time_zone:
        return
    if is_zone(zone):
        step.emit(TimeZoneChanged(zone))
    elif _is_news(step, named):
        step.warn("unknown_time_zone", f"'{zone[:60]}' is no time zone; {zone_hint(zone)}")


def _is_news(step: StepBuilder, named: Template) -> bool:
    """Return whether this step has written a field that names the time zone, and not warned of it."""
    read = {name for part in named.parts if isinstance(part, LinkedExpression) for name in part.fields}
    events = [entry.event for entry in step.entries]
    is_warned = any(isinstance(one, Warned) and one.code == "unknown_time_zone" for one in events)
    return not is_warned and any(isinstance(one, FieldSet) and one.field in read for one in events)
