"""What became of the message of a turn: who read it, which field took what, and what was refused."""

from __future__ import annotations

from turnwise.core.commands.exposure import uses_messages
from turnwise.why.answer import Fact, Subject
from turnwise.why.asking import Asking
from turnwise.why.kinds import FactKind

_FIRST: tuple[FactKind, ...] = (
    "message_not_interpreted",
    "button_stale",
    "value_refused",
    "command_refused",
    "understanding_failed",
    "not_understood",
    "field_set",
    "field_cleared",
    "command_applied",
    "understood",
    "understood_nothing",
)
"""What decides what became of a message, the first the most."""
_READ: tuple[FactKind, ...] = (
    *("understood", "understood_nothing", "understanding_failed", "model_called", "message_not_interpreted"),
    "tool_called",
)


async def answer(asking: Asking) -> list[Fact]:
    """Return what became of the message of a turn."""
    asking.decisions += asking.turn.decisions
    message = Subject("message", str(asking.turn.number))
    about = [fact for fact in asking.told if message in fact.about]
    if not about:
        began = asking.told[0].text if asking.told else ""
        return [asking.end.standing("message_none", message, turn=asking.turn.number, began=began), *asking.told]
    seq = {fact.seq for fact in about}
    caused = [fact for fact in asking.told if any(one.seq in seq for one in fact.walk())]
    caused += _unread(asking, caused, message)
    first = next((fact for kind in _FIRST for fact in caused if fact.kind == kind), caused[-1])
    return [first, *[fact for fact in caused if fact != first]]


def _unread(asking: Asking, caused: list[Fact], message: Subject) -> list[Fact]:
    """Return how a message was read that no understanding was asked for."""
    kinds = {fact.kind for fact in caused}
    if not kinds.isdisjoint(_READ):
        return []
    stored = [fact for fact in caused if fact.values.get("origin") in ("direct", "button")]
    if stored or not kinds.isdisjoint(("command_applied", "value_refused")):
        return [asking.end.standing("message_read_exactly", message)] if "message_received" in kinds else []
    before = asking.turn.before
    if before is None or before.pending is not None or uses_messages(asking.turn.machine, before):
        return []
    return [asking.end.standing("message_not_read", message, Subject("node", before.node), node=before.node)]
