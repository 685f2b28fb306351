"""Reads the answer to a question for a list of texts, item by item (law 7.3a)."""

from __future__ import annotations

from typing import Any

from turnwise.core.language import is_question
from turnwise.core.values import Refused, Rules, read_entries, read_value
from turnwise.core.values.entries import pieces_of
from turnwise.flow.model import Field
from turnwise.understanding.requests import kind_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.tables import is_one_of


def text_items(field: Field, message: str, situation: Situation) -> list[Any] | str | Refused | None:
    """Return the items that a message lists, or the text if they are unclear; `None` if an item is no answer. A yes,
    polite words and hedges beside the items are ignored (`nuts, I think`). An item is no answer if it is a command, a
    refusal, a question or "I don't know". The field refuses an unclear text with both readings.
    """
    rules = situation.rules
    pieces = [one for one in pieces_of(message, rules) if not _is_small(message[one.start : one.end], situation)]
    if not pieces or any(_is_no_item(message[one.start : one.end], situation) for one in pieces):
        return None
    entries = read_entries(field, message, pieces, rules)
    if isinstance(entries, Refused):
        return unclear_items(field, message[pieces[0].start : pieces[-1].end], rules)
    return read_value(field, entries, rules)  # pyright: ignore[reportReturnType]


def unclear_items(field: Field, typed: str, rules: Rules) -> str | None:
    """Return the text `typed` if it may be one item or several, so that the field refuses it; else `None`."""
    found = read_value(field, typed.strip(), rules)
    return typed.strip() if isinstance(found, Refused) and found.reason == "ambiguous" else None


def _is_small(item: str, situation: Situation) -> bool:
    """True for a part that says nothing of its own: a yes, a courtesy, a hedge."""
    speech, said, phrases = situation.speech, words_of(item), situation.language.phrases
    small = speech.filler | speech.answers | speech.hedges | speech.starters
    is_phrase = is_one_of(speech.doubt, said) or is_one_of(speech.yes, said) or " ".join(said) in phrases["polite"]
    return is_phrase or bool(situation.language.courtesy(item)) or all(word in small for word in said)


def _is_no_item(item: str, situation: Situation) -> bool:
    """True for a part that is no item: a command, a refusal, a question, or a part that begins with a negation."""
    speech, said = situation.speech, words_of(item)
    if is_question(item) or kind_of(said, situation) or is_one_of(speech.no, said):
        return True
    is_refusal = said[0] in speech.refusals or not (speech.negators | speech.subjects | speech.copulas).isdisjoint(said)
    return is_refusal or " ".join(said) in situation.language.phrases["dont_know"]
