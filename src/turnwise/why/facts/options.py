"""Facts about options that come from a list: when they were read, and the text that users read for an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.phrase import Phrase, listed, phrase
from turnwise.core.state import events as e
from turnwise.core.state.options import values_of
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.values import value_read


def _fixed(builder: FactBuilder, event: e.OptionsFixed) -> Iterator[Fact]:
    about = (Subject("field", event.field), Subject("field", event.source))
    is_secret = builder.machine.fields[event.field].secret
    yield builder.fact(
        "options_read",
        *about,
        causes=tuple(value_read(builder, event.source)),
        field=event.field,
        list=event.source,
        options=""
        if is_secret
        else listed([phrase("“{text}”", text=one.text) for one in event.options]) or Phrase("none"),
        left_out=event.left_out or "",
    )


def options_origin(builder: FactBuilder, address: str) -> tuple[Fact, ...]:
    """Return the facts about the list from which a field's options come; empty if the flow declares the options."""
    source = builder.machine.option_sources.get(address)
    if source is None:
        return ()
    about = Subject("field", address)
    read = [fact for fact in builder.facts if fact.kind == "options_read" and fact.about[:1] == (about,)]
    return (read[-1],) if read else tuple(value_read(builder, source.list))


def shown_as(builder: FactBuilder, address: str, value: object) -> str:
    """Return the text that users read for an option of a list; empty if it is the value itself."""
    known = (builder.state.option_lists or {}).get(address) if builder.state is not None else None
    if known is None or builder.machine.fields[address].secret:
        return ""
    found = [known.shown_option(one) for one in values_of(value)]
    return listed([phrase("“{label}”", label=one.label) for one in found if one is not None and one.label])


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {e.OptionsFixed: _fixed}
"""The functions that yield the facts of an event, by the class of the event."""
