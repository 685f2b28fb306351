"""Why a field has its value, or has none."""

from __future__ import annotations

from turnwise.why.answer import Fact
from turnwise.why.asking import Asking


async def answer(asking: Asking) -> list[Fact]:
    """Return where the value comes from; else why there is none. Then what else happened to the field in the turn."""
    name = asking.subject.name
    found = asking.state.values.get(name)
    if found is not None:
        first = await asking.last(
            lambda fact: fact.kind == "field_set" and asking.subject in fact.about, first=found.turn
        )
        first = first or asking.end.standing(
            "value_read", asking.subject, name=name, value=asking.end.value(name, found.value)
        )
    elif name in asking.state.shelved:
        shelved = await asking.last(lambda fact: fact.kind == "field_shelved" and asking.subject in fact.about)
        first = asking.end.standing("field_inactive", asking.subject, causes=(shelved,), field=name)
    else:
        first = await _empty(asking, name)
    return [first, *[fact for fact in asking.about if fact != first]]


async def _empty(asking: Asking, name: str) -> Fact:
    """Return why a field has no value: it was removed, refused, not understood, passed over, or nothing set it yet."""
    default = asking.machine.fields[name].default
    last = await asking.last(lambda fact: asking.subject in fact.about and fact.kind in _EMPTIED)
    if default is not None:
        value = asking.end.value(name, default)
        return asking.end.standing("field_default", asking.subject, causes=(last,), field=name, value=value)
    reason = last.text if last is not None else "nothing has set it yet"
    return asking.end.standing("field_empty", asking.subject, causes=(last,), field=name, reason=reason)


_EMPTIED = (
    "field_cleared",
    "command_refused",
    "not_understood",
    "nothing_set",
    "write_refused",
    "turn_undone",
)
