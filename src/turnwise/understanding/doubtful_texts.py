"""Distinguishes postal addresses from messages that say something else at the question for one (`hurry up`, `can i add
a coke`).

Any text may be an address, and no table knows them all. So a text counts if it looks like one: it has a number in it, a
word for a street, a comma or the capitals of names, and beside small words in front of it nothing that makes it a
sentence. Any other text is only suggested, and the user is asked whether it is meant (law 5.8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.understanding.clauses import ParsedMessage, is_led_by
from turnwise.understanding.labels import name_words
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token, stem, stems_of, words_of
from turnwise.understanding.vocabulary.places import PLACES, PlaceWords

Reading = Literal["text", "request", "doubtful"]
"""What a message is at the question for an address: one, a request for something else, or nothing that is certain."""
_NO_ADDRESS = frozenset(("duration", "time", "phone", "email", "option"))
"""What a number, or another word, is no part of an address as."""
_BREAKS = frozenset((",", ";", "\n"))
_MOST_CHARS = 200
"""A longer message is not judged."""


def read_as_address(message: ParsedMessage, asked: AllowedField) -> Reading:
    """Return a whole message as a text for the asked field; doubtful if the field is for an address and the message
    does not look like one.
    """
    situation, typed = message.situation, message.text.message
    places = PLACES.get(situation.vocabulary.code)
    if places is None or len(typed) > _MOST_CHARS or not _asks_for_address(asked, places):
        return "text"
    parts = list(_parts(message, places))
    if not any(_makes_sentence(part, situation, places) for part in parts):
        found = [_content(part, situation) for part in parts]
        are_capitals_names = places.names_have_capitals and not typed.isupper()
        if any(map(_looks_like_address, parts, found, [places] * len(parts))) or (
            are_capitals_names and _are_names(found)
        ):
            return "text"
    said, speech = message.all_words(), situation.speech
    is_request = is_led_by(speech.requests, said, speech) or is_led_by(speech.inverted, said, speech)
    return "request" if is_request else "doubtful"


def _asks_for_address(asked: AllowedField, places: PlaceWords) -> bool:
    """Return whether a field or its question names an address, of no electronic kind."""
    title = words_of(asked.title)
    shown = {*name_words(asked), *title, *words_of(asked.field.about)}
    if not asked.is_free_text or asked.field.pattern or not places.electronic.isdisjoint(shown):
        return False
    return not places.marks.isdisjoint(shown) or (
        title[:1] != () and title[0] in places.where and not places.brings.isdisjoint(title)
    )


def _parts(message: ParsedMessage, places: PlaceWords) -> Iterator[list[Token]]:
    """Yield the tokens of a message between its commas, without small words in front of all (`it should go to`) and
    without what is a length of time, a time of day, a number to call or an option.
    """
    speech, tokens = message.situation.speech, message.text.tokens
    small = (
        speech.filler
        | speech.subjects
        | speech.pronouns
        | speech.modals
        | speech.copulas
        | speech.starters
        | places.brings
    )
    knows = message.situation.labels.names_field
    spoken = [at for at, one in enumerate(tokens) if one.kind != "mark" and not (one.word in small or knows(one.word))]
    first = spoken[0] if spoken else len(tokens)
    left_out = {
        at for one in message.readings if one.kind in _NO_ADDRESS for at in range(one.first, one.stop) if at >= first
    }
    part: list[Token] = []
    for at, token in enumerate(tokens[first:], first):
        if token.word in _BREAKS:
            yield part
            part = []
        elif at not in left_out:
            part.append(token)
    yield part


def _content(part: Sequence[Token], situation: Situation) -> list[Token]:
    """Return the words of a part that say something of their own: no small words, and no names of lists."""
    speech = situation.speech
    small = speech.filler | speech.trailing | speech.remarks | speech.interjections | speech.starters | speech.common
    words = [one for one in part if one.kind == "word" and one.word not in small]
    listed = _names_of_lists(situation) if words else frozenset[str]()
    return [one for one in words if stem(one.word, situation.vocabulary.endings) not in listed]


def _names_of_lists(situation: Situation) -> frozenset[str]:
    """Return the stems of the words by which the lists of records are called, here and at earlier questions."""
    allowed = situation.allowed
    lists = [one for one in (*allowed.fields, *allowed.earlier) if one.field.parts]
    named = [word for one in lists for word in (*name_words(one), *words_of(f"{one.field.about} {one.field.of}"))]
    return stems_of(named, situation.vocabulary.endings)


def _makes_sentence(part: Sequence[Token], situation: Situation, places: PlaceWords) -> bool:
    """Return whether a part has a word of sentences: a person, a helping verb, a denial, a question word, or a verb of
    changes in front. One with a capital is rather part of a name; behind "no" a number may follow (`No. 8`).
    """
    speech, requests = situation.speech, situation.requests
    signs = speech.subjects | speech.pronouns | speech.addressing | speech.modals | speech.copulas | speech.openers
    verbs = requests.add_verbs | requests.remove_verbs | requests.edit_verbs | requests.clear_verbs
    capitals = situation.vocabulary.naming.capital_pronouns if places.names_have_capitals else frozenset[str]()
    for at, token in enumerate(part):
        is_typed_small = token.text[:1].islower()
        if token.word in capitals or (is_typed_small and token.word in signs):
            return True
        if is_typed_small and at == 0 and token.word in verbs:
            return True
        if token.word in speech.negators and not any(one.kind == "number" for one in part[at + 1 : at + 3]):
            return True
    return False


def _looks_like_address(part: Sequence[Token], content: Sequence[Token], places: PlaceWords) -> bool:
    """Return whether a part has a word for a street or building, or a number: behind a word at the end (`room 312`), or
    in front of a name (`12 Baker`).
    """
    if any(one.word in places.ways or one.word.endswith(places.way_endings) for one in content):
        return True
    numbers = [at for at, one in enumerate(part) if one.kind == "number"]
    if not numbers or not content:
        return False
    behind = [one for one in part[numbers[-1] + 1 :] if one.kind == "word"]
    is_at_end = numbers[-1] > 0 and all(len(one.word) == 1 for one in behind)
    has_name = places.names_have_capitals and any(one.text[:1].isupper() for one in content)
    return is_at_end or has_name


def _are_names(found: Sequence[Sequence[Token]]) -> bool:
    """Return whether all words that say something have capitals, and are several."""
    content = [one for part in found for one in part]
    return len(content) > 1 and all(one.text[:1].isupper() for one in content)
