"""Sentences about items of lists of records: what was added, changed, moved and removed, and by whom."""

from __future__ import annotations

from turnwise.core.values.items import parts_by_name
from turnwise.why.answer import Fact
from turnwise.why.plain.fields import by_whom
from turnwise.why.plain.voice import Say, Voice


def said(key: str) -> Say:
    """Return the function that says, with the fixed text of this key, how an item changed and who changed it."""

    def say(voice: Voice, fact: Fact) -> str:
        text = voice.fill(key, fact.with_values(value=fact.values.get("item")))
        return _with_actor(voice, fact, text)

    return say


def held(voice: Voice, fact: Fact) -> str:
    """Return in words which items a list has."""
    return voice.fill("why_held", fact.with_values(value=voice.value(str(fact.values["field"]))))


def changed(voice: Voice, fact: Fact) -> str:
    """Return in words that a value of an item was set or removed, and by whom."""
    key = "why_item_cleared" if fact.values.get("value") is None else "why_item_set"
    return _with_actor(voice, fact, voice.fill(key, fact, which=_title(voice, fact)))


def lacks(voice: Voice, fact: Fact) -> str:
    """Return in words which value of an item has not been entered."""
    return voice.fill("why_item_lacks", fact, which=_title(voice, fact))


def _with_actor(voice: Voice, fact: Fact, text: str) -> str:
    return " ".join(filter(None, (text, by_whom(voice, fact)))) if text else ""


def _title(voice: Voice, fact: Fact) -> str:
    """Return what the value of an item is called towards people."""
    field = voice.machine.fields.get(str(fact.values["field"]))
    part = parts_by_name(field).get(str(fact.values["name"])) if field is not None else None
    return (part.about or part.name.replace("_", " ")) if part is not None else ""
