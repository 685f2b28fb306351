"""Sentences about the value of a field: which one it is, who gave it, and what it was made of."""

from __future__ import annotations

from turnwise.core.state import SAID_BY_USER
from turnwise.why.answer import Fact
from turnwise.why.plain.because import authored
from turnwise.why.plain.voice import LONGEST_QUOTE, Voice

_FROM_OUTSIDE = {"operator": "why_person_set", "command": "why_entered"}
"""The text for a value that neither the user nor the flow gave, by its origin."""


def source(voice: Voice, fact: Fact) -> str:
    """Say who gave a value, or what it was made of."""
    origin = str(fact.values.get("origin"))
    if origin in SAID_BY_USER:
        said = _said_otherwise(voice, fact)
        if said:
            return with_value(voice, fact, "why_told_as", word=said)
        return with_value(voice, fact, "why_told_partly" if _is_partly_from_others(voice, fact) else "why_told")
    if origin == "tool" and any(one.kind == "model_replied" for one in fact.causes):
        return with_value(voice, fact, "why_noted")
    if origin in ("set", "derived"):
        return _made(voice, fact)
    return with_value(voice, fact, _FROM_OUTSIDE.get(origin, "why_found"))


def _said_otherwise(voice: Voice, fact: Fact) -> str:
    """Return what the user said for one value where that is another word for it, is short, and is no secret."""
    address, value = str(fact.values["field"]), fact.values.get("value")
    is_list = address in voice.machine.fields and voice.machine.fields[address].type == "list"
    if is_list or not fact.values.get("synonym") or voice.is_hidden(address, value):
        return ""
    messages = (one.values["said"] for one in fact.walk() if one.kind == "message_received")
    said = str(fact.values.get("part") or next(messages, ""))
    return said if len(said) <= LONGEST_QUOTE else ""


def _is_partly_from_others(voice: Voice, fact: Fact) -> bool:
    """Return whether items of a list came from others than the user."""
    address = str(fact.values["field"])
    if address not in voice.machine.fields or voice.machine.fields[address].type != "list":
        return False
    earlier = (one for one in fact.walk() if one.kind == "field_set" and one.values["field"] == address)
    return any(one.values["origin"] not in SAID_BY_USER for one in earlier)


def _made(voice: Voice, fact: Fact) -> str:
    """Say of which fields a rule made a value, or the reason for the move that set it."""
    own = fact.values.get("field", fact.values.get("name"))
    names = [one.values["name"] for one in fact.causes if one.kind == "value_read"]
    read = voice.titles(one for one in names if one != own and not voice.is_secret(one))
    if read:
        return with_value(voice, fact, "why_made", fields=read)
    given = next((text for one in fact.causes if (text := authored(one))), "")
    if given:
        return with_value(voice, fact, "why_set", reason=given)
    return with_value(voice, fact, "why_held" if own in names else "why_found")


def former(voice: Voice, fact: Fact) -> str:
    """Say which value a field had before, or which one was taken back; nothing of lists, which grow item by item."""
    address, before = str(fact.values["field"]), fact.values.get("before")
    if address not in voice.machine.fields or voice.machine.fields[address].type == "list":
        return ""
    undone = (one for one in voice.facts if one.kind == "value_undone" and one.values["field"] == address)
    back = next((one.values["before"] for one in undone if one.values["before"] != fact.values["value"]), None)
    if any(voice.is_hidden(address, one) for one in (before, back) if one is not None):
        return ""
    is_other = before is not None and before != fact.values["value"]
    was = voice.text("why_before", value=voice.readable(address, before)) if is_other else ""
    return voice.text("why_undone_since", value=voice.readable(address, back)) if back is not None else was


def with_value(voice: Voice, fact: Fact, key: str, **more: str) -> str:
    """Return a text about a field and its value, or the text without the value where that is secret."""
    address = str(fact.values.get("field", fact.values.get("name")))
    value = fact.values.get("value", fact.values.get("before"))
    title = voice.title(address)
    if not title:
        return ""
    if voice.is_hidden(address, value):
        return voice.text(f"{key}_secret", field=title, **more)
    once = f"{key}_once" if key in _HELD and not voice.is_still(address, value) else key
    return voice.text(once, field=title, value=voice.readable(address, value), **more)


_HELD = (
    *("why_told", "why_told_as", "why_noted", "why_entered", "why_person_set", "why_found", "why_held", "why_made"),
    "why_set",
)
"""The texts for a value that the field has; each has another one for a value that it had once."""


def read_value(voice: Voice, fact: Fact) -> str:
    """Say which value a field has, and who gave it, where the state knows that."""
    address = str(fact.values["name"])
    found = voice.state.values.get(address)
    key = "why_told" if found is not None and found.how in SAID_BY_USER else "why_held"
    key = _FROM_OUTSIDE.get(found.how, key) if found is not None else key
    is_same = found is not None and fact.values.get("since") == found.turn
    return with_value(voice, fact, key if is_same else "why_held")
