"""Blank values, which clear a field: what a tool, a transition or a node wrote."""

from __future__ import annotations

from typing import Any

from turnwise.core.candidates import Write
from turnwise.core.guards import GuardFault, env_of
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import events as e
from turnwise.core.values.json_data import as_object
from turnwise.flow.addresses import field_of
from turnwise.why.facts.builder import FactBuilder

_UNKNOWN = object()


def blank_by_tool(builder: FactBuilder, field: str) -> str:
    """Return the blank value of a tool or model by which a field is cleared at the builder's entry, in words."""
    name, entries = field_of(field), builder.turn.entries
    place = builder.entry.seq - entries[0].seq
    answered = next((one.event for one in entries[place:] if isinstance(one.event, e.CallAnswered)), None)
    for entry in reversed(entries[:place]):
        match entry.event:
            case e.ToolReturned(tool=tool, result=result):
                return phrase(
                    "because {tool} returned {value}", tool=tool, value=in_words((as_object(result) or {}).get(name))
                )
            case e.ModelReplied(calls=calls) if answered is not None:
                call = next((one for one in calls if one.id == answered.call), None)
                return _written(call.tool, call.arguments, name) if call is not None else ""
            case _:
                pass
    return ""


def _written(tool: str, arguments: dict[str, Any], name: str) -> str:
    parts = [as_object(arguments.get(key)) or {} for key in ("set", "data")]
    given = next((part[name] for part in parts if name in part), _UNKNOWN)
    did = (
        Phrase("removed its last item")
        if given is _UNKNOWN
        else phrase("wrote {value}, which clears a field", value=in_words(given))
    )
    return phrase("because the call of {tool} {did}", tool=tool, did=did)


def blank_by_flow(builder: FactBuilder, write: Write) -> str:
    """Return the blank value of a `set` by which a field is cleared at the builder's entry, in words; empty if none."""
    entries = builder.turn.entries
    before = entries[builder.entry.seq - entries[0].seq - 1].event
    if builder.state is None or isinstance(before, e.NothingSet):
        return ""
    try:
        return phrase(", which sets it to {value}", value=in_words(write.value(env_of(builder.state))))
    except (GuardFault, OverflowError):
        return ""


def in_words(blank: Any) -> str:
    """Return a blank value in words: null, a blank text or an empty list."""
    return "null" if blank is None else Phrase("a blank text") if isinstance(blank, str) else Phrase("an empty list")
