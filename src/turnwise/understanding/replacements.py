"""Finds messages that put a new text in place of one given before: `Eve, not Ada`, `Eva statt Ada`.

The message repeats the text that a field holds, behind a word that takes it back; the words that are left are the new
text. A message that says anything else is none: `you wrote to Eve, not Ada`.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import AnyCommand, Edit, Set
from turnwise.understanding.labels import is_person_name
from turnwise.understanding.names import is_short_form, is_written_as_name, name_stop
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stem, words_of
from turnwise.understanding.vocabulary.tables import length_at

_MOST_TOKENS = 24
"""A longer message says more than a correction."""
_MORE_WORDS = 1
"""A new text has at most so many words more than the old one."""


def replaced_text(text: Text, answered: Iterable[AllowedField], situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message that is only a new text and the old one that it replaces, in one of the fields
    `answered`; `None` for any other message.
    """
    speech, requests = situation.speech, situation.requests
    against = (speech.denials & requests.remove_verbs) - speech.refusals
    takers = against | speech.instead | speech.away_led
    if (
        "?" in text.words
        or len(text.tokens) > _MOST_TOKENS
        or takers.isdisjoint(text.words)
        or not speech.past.isdisjoint(text.words)
    ):
        return None
    found: list[Set] = []
    for field in answered:
        old = words_of(field.value) if isinstance(field.value, str) and not field.field.secret else ()
        taken = _taken_back(text, old, takers, situation) if field.is_free_text and old else None
        span = _new_text(text, taken, field, len(old), situation) if taken else None
        if span is not None:
            typed = text.as_typed(*span)
            found.append(Set(field=field.address, value=typed, correction=True, words=text.span(*span), confidence=1.0))
    if len(found) > 1:
        return [Edit(words=text.span(0, len(text.tokens)), confidence=1.0)]  # which answer is meant is asked
    return list(found) or None


def _taken_back(
    text: Text, old: tuple[str, ...], takers: frozenset[str], situation: Situation
) -> tuple[int, int] | None:
    """Return the tokens of an old text with the word that takes it back; `None` unless it stands there once."""
    size = len(old)
    places = [at for at in range(len(text.tokens)) if text.words[at : at + size] == old]
    if len(places) != 1:
        return None
    first = places[0] - 1
    if text.words[first] not in takers and text.words[first - 1] in takers - situation.speech.denials:
        first -= 1  # `instead of Ada`
    if first < 0 or text.words[first] not in takers:
        return None
    return first, places[0] + size


def _new_text(
    text: Text, taken: tuple[int, int], field: AllowedField, size: int, situation: Situation
) -> tuple[int, int] | None:
    """Return the tokens of the new text, which stands before or behind what is taken back, small words aside."""
    sides = [_core(text, *side, field, situation) for side in ((0, taken[0]), (taken[1], len(text.tokens)))]
    (first, stop), *others = [side for side in sides if side[0] < side[1]] or [(0, 0)]
    if others or first == stop:
        return None
    tokens, speech = text.tokens[first:stop], situation.speech
    small = speech.filler | speech.negators | speech.copulas | speech.joints | speech.others
    named = [token for token in tokens if token.kind != "mark"]
    is_old_name = str(field.value)[0].isupper() and not text.message.islower()
    is_name = all(is_written_as_name(token) or token.kind == "number" for token in named)
    if is_person_name(field, situation.vocabulary):
        is_like_old = is_written_as_name(tokens[0]) or (not is_old_name and len(named) <= size)
        return (first, stop) if is_like_old and name_stop(text, first, situation, is_open=True) == stop else None
    is_plain = len(named) == len(tokens) or all(token.word in "-'./&" for token in tokens if token.kind == "mark")
    is_short = len(named) <= size + _MORE_WORDS and small.isdisjoint(token.word for token in named)
    return (first, stop) if is_plain and is_short and (is_name or not is_old_name) else None


def _core(text: Text, first: int, stop: int, field: AllowedField, situation: Situation) -> tuple[int, int]:
    """Return a part of a message without the small words at its ends: those of a correction, the name of the field."""
    speech, endings, frames = situation.speech, situation.vocabulary.endings, situation.vocabulary.naming.frames
    names = situation.labels.stems.get(field.address, frozenset[str]())
    while first < stop:
        tables = (speech.strong_cues, speech.weak_cues, frames)
        cues = max(length_at(table, text.words[first:stop], 0) for table in tables)
        word = text.words[first]
        is_small = word in speech.filler or word in speech.joints or word in speech.contrasts
        if not cues and not is_small and text.kind(first) != "mark" and stem(word, endings) not in names:
            break
        first += cues or 1
    while stop > first and (
        text.words[stop - 1] in speech.trailing | speech.joints
        or (text.kind(stop - 1) == "mark" and not is_short_form(text, stop - 1))
        or (text.words[stop - 1],) in speech.weak_cues.get(text.words[stop - 1], ())
    ):
        stop -= 1
    return first, stop
