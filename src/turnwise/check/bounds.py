"""Rules about bounds of lists and texts that the limits of the flow do not let them reach."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.values.room import room_of
from turnwise.flow.diagnostic import Diagnostic, problem


def check_reached(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW119: a `max` of a list or a text that its limit never lets it reach."""
    machine = checked.machine
    for address, field in machine.fields.items():
        room = room_of(field, machine.rules)
        bound = field.max
        if room is None or not isinstance(bound, int | float) or bound <= room.most:
            continue
        message = f"'{address}' never has {bound:g} {room.things}: {room.limit} allows {room.most:,}"
        yield problem("TW119", message, field.span.of("max"), f"lower 'max', or raise '{room.limit}'")
