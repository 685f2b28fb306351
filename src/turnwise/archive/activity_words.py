"""The headlines of what a conversation does, in the languages of the page and the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from turnwise.flow.late_pattern import late_pattern

_ENGLISH = {
    "ended": "Ended: {outcome}",
    "failed": "Failed: {reason}; the message is kept",
    "waits_for_person": "Waits for a person, {duration}",
    "with_person": "With {name}[ since {since}]",
    "waits_for_approval": "Waits for a yes to “{tool}”",
    "waits_for_approvals": "Waits for {waiting} of {count} approvals: {tools}",
    "asks_field": "Asks for “{field}”[: {answered} of {count} answered]",
    "changes_answer": "Changes “{field}”[: {answered} of {count} answered]",
    "asks_item": "Asks for “{field}”: item {number} of {list}",
    "asks_another_item": "Asks “anything else?” for {field}: {items} so far",
    "asks_which_item": "Asks which of “{field}” is meant",
    "asks_which_answer": "Asks which answer to change",
    "confirms": "Waits for a yes to the summary[: {answered} of {count} answered]",
    "offers": "Offers {scope}: waits for a yes",
    "asks_about_budget": "Stopped at a limit: asks whether to go on",
    "form_stopped": "Stopped at an answer: {answer}",
    "works": "Works in {node}",
    "waits_for_message": "Waits for a message in {node}",
}
_GERMAN = {
    "ended": "Beendet: {outcome}",
    "failed": "Fehlgeschlagen: {reason}; die Nachricht ist da",
    "waits_for_person": "Wartet auf einen Menschen, seit {duration}",
    "with_person": "Bei {name}[ seit {since} Uhr]",
    "waits_for_approval": "Wartet auf ein Ja zu „{tool}“",
    "waits_for_approvals": "Wartet auf {waiting} von {count} Freigaben: {tools}",
    "asks_field": "Fragt nach „{field}“[: {answered} von {count} beantwortet]",
    "changes_answer": "Ändert „{field}“[: {answered} von {count} beantwortet]",
    "asks_item": "Fragt nach „{field}“: Nummer {number} von {list}",
    "asks_another_item": "Fragt „Noch etwas?“ zu {field}: bisher {items}",
    "asks_which_item": "Fragt, was von „{field}“ gemeint ist",
    "asks_which_answer": "Fragt, welche Antwort zu ändern ist",
    "confirms": "Wartet auf ein Ja zur Zusammenfassung[: {answered} von {count} beantwortet]",
    "offers": "Bietet {scope} an: wartet auf ein Ja",
    "asks_about_budget": "Am Limit angehalten: fragt, ob es weitergeht",
    "form_stopped": "Angehalten bei einer Antwort: {answer}",
    "works": "Arbeitet in {node}",
    "waits_for_message": "Wartet auf eine Nachricht in {node}",
}
_OUTCOMES = {
    "completed": "abgeschlossen",
    "cancelled": "abgebrochen",
    "declined": "abgelehnt",
    "handed off": "übergeben",
    "handed over": "übergeben",
    "stopped": "angehalten",
    "timeout": "Zeit abgelaufen",
    "limit": "am Limit",
    "failed": "fehlgeschlagen",
}


class _Words(NamedTuple):
    """The headlines of one language, and how it joins and counts."""

    headlines: Mapping[str, str]
    joint: str
    counts: str
    units: tuple[str, ...]
    outcomes: Mapping[str, str]


_WORDS = {
    "en": _Words(_ENGLISH, " and ", "{answered} of {count} answered", ("s", "min", "h", "d"), {}),
    "de": _Words(_GERMAN, " und ", "{answered} von {count} beantwortet", ("s", "min", "Std.", "T"), _OUTCOMES),
}
LANGUAGES = tuple(_WORDS)
"""The codes of the languages that have headlines."""

_COUNTS = ("answered", "count")
_PART = late_pattern(r"\{(\w+)\}")
_OPTIONAL = late_pattern(r"\[([^\]]*)\]")
_QUOTES = str.maketrans("", "", "“”„")
_LONGEST = 48
"""Titles in a headline are cut behind so many characters."""


def headline_of(kind: str, parts: Mapping[str, Any], language: str) -> str:
    """Return the headline of a kind of activity in a language, with the values of its parts.
    What a template has in brackets is left out if a part of it is missing.
    """
    words = _words(language)
    known = {name: _written(name, value, words) for name, value in parts.items()}
    if "for_ms" in parts:
        known["duration"] = duration_words(parts["for_ms"], words.units)

    return fill_template(words.headlines[kind], known)


def fill_template(template: str, known: Mapping[str, str]) -> str:
    """Return a template with its values by name (`known`); a part in brackets is left out if one of its values is
    missing or empty.
    """

    def optional(found: re.Match[str]) -> str:
        return found[1] if all(known.get(name) for name in _PART.findall(found[1])) else ""

    return _PART.sub(lambda found: known.get(found[1], ""), _OPTIONAL.sub(optional, template))


def short_headline(kind: str, parts: Mapping[str, Any], headline: str, language: str) -> str:
    """Return a `headline`, made of `kind` and `parts`, for a row of a list: without quotes, and after the colon only
    the counts.
    """
    if kind == "ended":
        return headline
    if kind == "with_person":
        return headline_of(kind, without_time(parts), language)
    head = headline.partition(":")[0].translate(_QUOTES)
    if kind == "waits_for_person":
        return head.partition(",")[0]  # a list is not written anew every minute
    if kind in ("asks_field", "changes_answer", "confirms") and "answered" in parts:
        return f"{head}, {fill_template(_words(language).counts, {name: str(parts[name]) for name in _COUNTS})}"
    return head


def without_time(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a headline without `since`, a time in a zone: readers in other zones have their own."""
    return {name: value for name, value in parts.items() if name != "since"}


def _words(language: str) -> _Words:
    return _WORDS.get(language, _WORDS["en"])


def duration_words(span_ms: int, units: tuple[str, ...]) -> str:
    """Return a time span in words, in its two largest units: `16 min`, `2 h 14 min`.
    `units` are the names of the units in a language.
    """
    seconds = max(0, span_ms // 1000)
    counts = (seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60)
    named = [f"{count} {unit}" for count, unit in zip(counts, reversed(units), strict=True) if count]
    return " ".join(named[:1] if seconds < 3600 else named[:2]) or f"0 {units[0]}"


def duration_in(language: str, span_ms: int) -> str:
    """Return a time span in the words of a language."""
    return duration_words(span_ms, _words(language).units)


def _written(name: str, value: Any, words: _Words) -> str:
    if isinstance(value, list):
        return words.joint.join(_short(str(one)) for one in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return words.outcomes.get(value, value) if name == "outcome" else _short(str(value))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
