"""The context for understanding one message: the allowed fields, and the vocabulary with the flow's own phrases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from msgspec import Struct

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.language import Language
from turnwise.core.values import Rules
from turnwise.core.zones import named_zone
from turnwise.understanding.labels import Labels, Options, labels_of, name_words, options_of
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary import vocabulary_and_texts
from turnwise.understanding.vocabulary.shape import Vocabulary
from turnwise.understanding.vocabulary.speech_shape import Requests, Speech

_SURNAMES = frozenset({"last", "surname", "lastname", "nachname", "familienname", "family"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=64)
def _words_of_phrases(phrases: frozenset[str]) -> frozenset[str]:
    return frozenset([word for phrase in phrases for word in words_of(phrase)])


class Situation(Struct, frozen=True):
    """The fields and commands that a message may propose, with the vocabulary of its language."""

    allowed: AllowedInput
    """The fields and commands that the message may propose."""
    vocabulary: Vocabulary
    """The vocabulary of the conversation's language."""
    speech: Speech
    """The function words of the language."""
    requests: Requests
    """The phrases that request commands."""
    language: Language
    """The fixed texts and phrases of the conversation's language."""
    rules: Rules
    """How values are read: language, zone, size limits."""
    now: datetime
    """When the message was written, in the conversation's zone."""
    today: date
    """The date at `now`."""
    labels: Labels
    """The words that name the allowed fields."""
    options: Options
    """The words for the options of the allowed fields."""
    asked: AllowedField | None
    """The field whose question is open; `None` if none is, or if a confirmation or a choice of answers is awaited."""
    is_only_need: bool
    """True if `asked` was not put as a question, but is the only field that is still needed."""
    named_person: AllowedField | None
    """The field that `my name is` answers; `None` if there is none."""
    asks_option: bool
    """True if the open question is answered by one of its options."""
    asks_if_minding: bool
    """True for an open yes-or-no question in which a no agrees (`do you mind`)."""
    asks_for_trouble: bool
    """True if the open question asks what hurts or is broken."""
    asks_about_third: bool
    """True if the open question is about another person than the user."""
    confirms: bool
    """True if a yes or no is awaited: to a summary, an offer, a call that waits for approval or a suggested answer."""

    @property
    def asks_for_time(self) -> bool:
        """True if the open question is for a day or a time."""
        return self.asked is not None and self.asked.field.type in ("date", "time", "datetime")

    @property
    def polite_words(self) -> frozenset[str]:
        """The words of the polite phrases of the language."""
        return _words_of_phrases(self.language.phrases["polite"])

    def allows(self, command: str) -> bool:
        """Return whether a command may be proposed."""
        return command in self.allowed.commands

    def asks(self, field: AllowedField) -> bool:
        """Return whether the question of a field is open."""
        return self.asked is not None and self.asked.address == field.address

    def is_of_item(self, field: AllowedField) -> bool:
        """Return whether a field belongs to the records of a list, as a form asks for it while an item is made."""
        record = field.address.rpartition(".")[0].rpartition("/")[2]
        return any(one.field.parts and one.field.of == record for one in self.allowed.fields)


def has_items(allowed: AllowedInput) -> bool:
    """Return whether a message may change a list of records."""
    return any(field.field.type == "list" and field.field.parts for field in allowed.fields)


def situation_of(allowed: AllowedInput) -> Situation | None:
    """Return the situation of the allowed input; `None` if its language has no vocabulary."""
    words = vocabulary_and_texts(allowed.language, allowed.phrases)
    if words is None:
        return None
    vocabulary, language = words
    speech, labels = vocabulary.speech, labels_of(allowed, vocabulary)
    now = (_EPOCH + timedelta(milliseconds=allowed.now_ms)).astimezone(named_zone(allowed.zone))
    is_asking = allowed.question not in ("confirmation", "chooser")
    put = allowed.field(allowed.asked) if is_asking else None
    asked = put or (_only_need(allowed) if is_asking else None)
    title = words_of(asked.title) if asked else ()
    is_yes_or_no = asked is not None and asked.field.type == "boolean" and not asked.field.options
    return Situation(
        allowed=allowed,
        vocabulary=vocabulary,
        speech=speech,
        requests=vocabulary.requests,
        language=language,
        rules=Rules(language, allowed.zone, at_ms=allowed.now_ms),
        now=now,
        today=now.date(),
        labels=labels,
        options=options_of(allowed, vocabulary),
        asked=asked,
        is_only_need=asked is not put,
        named_person=_named_person(allowed, asked, labels),
        asks_option=asked is not None and bool(asked.field.options),
        asks_if_minding=is_yes_or_no and not speech.minding.isdisjoint(title),
        asks_for_trouble=not speech.trouble.isdisjoint(title),
        asks_about_third=bool(title) and speech.addressing.isdisjoint(title),
        confirms=allowed.question == "confirmation" or "affirm" in allowed.commands,
    )


def _only_need(allowed: AllowedInput) -> AllowedField | None:
    """Return the only field still needed, if a plain answer to it is unambiguous: a yes-or-no field, or a list of
    options, of which more may be named.
    """
    found = allowed.field(allowed.needed[0]) if len(allowed.needed) == 1 else None
    if found is None:
        return None
    has_options = bool(found.field.options)
    is_clear = has_options if found.field.type == "list" else found.field.type == "boolean" and not has_options
    return found if is_clear else None


def _named_person(allowed: AllowedInput, asked: AllowedField | None, labels: Labels) -> AllowedField | None:
    """The asked name, else the only one that is a whole or first name."""
    if asked is not None and asked.address in labels.persons:
        return asked
    found = [field for field in allowed.fields if field.address in labels.persons]
    return found[0] if len(found) == 1 and _SURNAMES.isdisjoint(name_words(found[0])) else None
