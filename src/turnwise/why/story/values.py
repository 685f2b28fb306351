"""The values of fields as facts: what a rule read, and how each value came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.state import How
from turnwise.why.answer import Fact, Subject
from turnwise.why.story.telling import Telling

HOW: dict[How, str] = {
    "button": "answered with a button",
    "direct": "answered by the user",
    "understood": "understood from the message",
    "command": "by a command of the program",
    "operator": "by the person in charge",
    "tool": "by a tool",
    "set": "by the flow",
    "prefill": "prefilled",
    "default": "by default",
    "derived": "computed",
    "supposed": "supposed",
}
"""How a value came, in words."""


def value_read(telling: Telling, name: str) -> Iterator[Fact]:
    """Yield the value that a rule read before the present entry, with its origin; a root that is no field has none."""
    if name not in telling.machine.fields or telling.state is None:
        return
    about, found = Subject("field", name), telling.state.values.get(name)
    if found is None:
        default = telling.machine.fields[name].default
        kind = "value_missing" if default is None else "value_read"
        how: dict[str, Any] = {} if default is None else {"value": telling.value(name, default), "how": HOW["default"]}
        yield telling.fact(kind, about, name=name, **how)
        return
    value = telling.value(name, found.value)
    yield telling.fact("value_read", about, name=name, value=value, how=HOW[found.how], since=found.turn)
