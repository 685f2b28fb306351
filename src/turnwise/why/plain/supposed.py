"""Sentences about what would have been with other values."""

from __future__ import annotations

from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.plain.voice import Sentence, Voice


def _with(voice: Voice, fact: Fact) -> str:
    """Return the values that are supposed, with the titles of their fields."""
    others = fact.values["others"].items()
    given = [voice.answer(name, value) if value is not None else _nothing(voice, name) for name, value in others]
    return ", ".join(given)


def _nothing(voice: Voice, address: str) -> str:
    return voice.text("why_no_answer", field=voice.title(address))


def _supposed(voice: Voice, fact: Fact) -> str:
    """Say whether it would have gone another way, and for which reason, or what would still have been needed."""
    values, answers = fact.values, _with(voice, fact)
    if not values["differs"]:
        return voice.text("why_supposed_same", answers=answers)
    if values["taken"]:
        reason = values["because"]
        key = "why_supposed_because" if reason else "why_supposed_otherwise"
        return voice.text(key, answers=answers, reason=reason)
    others = [one for one in voice.facts if one.kind == "supposed_candidate"]
    lacking = [one.values["lacking"] for one in others if one.values["target"] != values["was_target"]]
    fields = voice.titles(name for names in lacking for name in names)
    key = "why_supposed_lacks" if fields else "why_supposed_stays"
    return voice.text(key, answers=answers, fields=fields)


def _unread(voice: Voice, fact: Fact) -> str:
    return voice.text("why_supposed_same", answers=_with(voice, fact))


def _stop(voice: Voice, fact: Fact) -> str:
    return voice.about_field("why_supposed_stop", fact)


def _refused(voice: Voice, fact: Fact) -> str:
    answers = voice.answer(fact.values["field"], fact.values["supposed"])
    return voice.text("why_supposed_refused", answers=answers, reason=fact.values["reason"])


def _not_tried(voice: Voice, fact: Fact) -> str:
    return voice.about_field("why_supposed_not_tried", fact)


def _question(voice: Voice, fact: Fact) -> str:
    key = "why_supposed_asked" if fact.values["is_asked"] else "why_supposed_unasked"
    return voice.text(key, answers=_with(voice, fact), field=voice.title(fact.values["field"]))


SENTENCES: dict[FactKind, Sentence] = {
    "supposed": _supposed,
    "supposed_not_read": _unread,
    "supposed_question": _question,
    "supposed_stop": _stop,
    "supposed_refused": _refused,
    "supposed_not_tried": _not_tried,
}
