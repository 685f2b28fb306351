"""Finds messages that take back a text given before without saying what it should be: `my name isn't Ada, it's Eve`.

The field is asked again. A message in which any word says something else is none: `the parcel is not for Ada`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import AnyCommand, Edit
from turnwise.understanding.labels import is_person_name
from turnwise.understanding.names import is_written_as_name
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stem, stems_of, words_of
from turnwise.understanding.vocabulary.tables import Phrases

_MOST_WORDS = 12
"""A longer message says more."""


def denied_text(text: Text, answered: Collection[AllowedField], situation: Situation) -> list[AnyCommand] | None:
    """Return the command that asks for a text again which a message only denies or spells anew; `None` for any other
    message. `answered` are the fields with an answer.
    """
    said = text.words_between(0, len(text.tokens))
    if "?" in text.words or not 0 < len(said) <= _MOST_WORDS or not situation.speech.past.isdisjoint(said):
        return None
    texts = [one for one in answered if one.is_free_text and isinstance(one.value, str) and not one.field.secret]
    found = [one for one in texts if _denies(text, one, situation) or _spells(text, one, situation)]
    words = text.span(0, len(text.tokens))
    if not found and not (list(answered) and _calls_wrong(said, situation)):
        return None
    return [Edit(field=found[0].address if len(found) == 1 else "", words=words, confidence=1.0)]


def _calls_wrong(said: Sequence[str], situation: Situation) -> bool:
    """True if a message only says that something is wrong, and the question does not ask for that: `no, that's wrong`,
    `that is not right`.
    """
    requests, speech = situation.requests, situation.speech
    title = words_of(situation.asked.title) if situation.asked else ()
    rest = said[1:] if said[0] in speech.refusals and len(said) > 1 else said
    is_denied = not speech.negators.isdisjoint(rest)
    is_wrong = not requests.wrong.isdisjoint(rest) and not is_denied
    is_wrong = is_wrong or (is_denied and not requests.right.isdisjoint(rest))
    known = _small(situation) | requests.wrong | requests.right
    return is_wrong and known.issuperset(rest) and requests.wrong.isdisjoint(title) and not situation.asks_for_trouble


def _denies(text: Text, field: AllowedField, situation: Situation) -> bool:
    """True if a negation stands right before the old text, and nothing else is said than perhaps a new one."""
    old = words_of(field.value)
    places = [at for at in range(len(text.tokens)) if old and text.words[at : at + len(old)] == old]
    if len(places) != 1 or text.words[places[0] - 1] not in situation.speech.negators:
        return False
    rest = [*range(places[0]), *range(places[0] + len(old), len(text.tokens))]
    return not _others(text, rest, field, situation)


def _spells(text: Text, field: AllowedField, situation: Situation) -> bool:
    """True if a message says how the name of a person is written: `my name is spelled Adah`."""
    spelling = situation.vocabulary.naming.spelling
    rest = [at for at in range(len(text.tokens)) if text.words[at] not in spelling]
    if len(rest) == len(text.tokens) or not is_person_name(field, situation.vocabulary):
        return False
    said, endings = text.words_between(0, len(text.tokens)), situation.vocabulary.endings
    is_named = not stems_of(said, endings).isdisjoint(situation.labels.stems.get(field.address, frozenset[str]()))
    small = _small(situation)
    is_new = any(is_written_as_name(text.tokens[at]) and text.words[at] not in small for at in rest)
    return is_new and (is_named or said[0] in situation.speech.subjects) and not _others(text, rest, field, situation)


def _others(text: Text, places: Iterable[int], field: AllowedField, situation: Situation) -> list[int]:
    """Return the tokens that are neither small words, the name of the field, nor a name."""
    small, endings = _small(situation) | situation.requests.wrong, situation.vocabulary.endings
    names = situation.labels.stems.get(field.address, frozenset[str]())
    may_be_name = is_person_name(field, situation.vocabulary)
    return [
        at
        for at in places
        if text.kind(at) != "mark"
        and text.words[at] not in small
        and stem(text.words[at], endings) not in names
        and not (may_be_name and is_written_as_name(text.tokens[at]))
    ]


def _small(situation: Situation) -> frozenset[str]:
    speech, naming = situation.speech, situation.vocabulary.naming
    tables = (naming.frames, naming.self_frames, naming.asked_frames, speech.strong_cues, speech.weak_cues)
    small = speech.filler | speech.negators | speech.copulas | speech.joints | speech.subjects | speech.possessives
    return small.union(speech.trailing, *map(_words, tables))


def _words(table: Phrases) -> frozenset[str]:
    return frozenset([word for some in table.values() for phrase in some for word in phrase])
