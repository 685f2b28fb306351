"""All that understanding one message depends on, gathered once.

It is a value; it reads no message and proposes nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from turnwise.core.exposure import Exposed, ExposedField
from turnwise.core.language import Language
from turnwise.core.values import Rules
from turnwise.providers.offline.calendar import Almanac
from turnwise.providers.offline.clock import Dial
from turnwise.providers.offline.labels import Labels, labels_of, name_words
from turnwise.providers.offline.options import Options, options_of
from turnwise.providers.offline.spoken import spoken
from turnwise.providers.offline.tokens import words_of
from turnwise.providers.offline.vocabulary.shape import Vocabulary

_SURNAMES = frozenset({"last", "surname", "lastname", "nachname", "familienname", "family"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Situation(Struct, frozen=True):
    """What is exposed, in the words of its language.

    `asked` is the field whose question is open, unless a confirmation or a choice of answers is awaited; with
    `is_only_need` it was not put as a question, but is the one thing that is still needed;
    `named_person` the field that "my name is" speaks of. `asks_option`: the question is answered by one of
    its options; `asks_if_minding`: it is a yes-or-no question in which a no agrees; `asks_for_trouble`: it
    asks what hurts or is broken; `asks_about_third`: it is about somebody else than the user; `confirms`: a yes or
    no is awaited, to a summary, an offer, a held call or a suggested answer.
    """

    exposed: Exposed
    vocabulary: Vocabulary
    language: Language
    rules: Rules
    now: datetime
    almanac: Almanac
    dial: Dial
    labels: Labels
    options: Options
    asked: ExposedField | None
    named_person: ExposedField | None
    asks_option: bool
    asks_about_third: bool
    confirms: bool
    asks_if_minding: bool = False
    asks_for_trouble: bool = False
    is_only_need: bool = False

    def allows(self, command: str) -> bool:
        """True if a command may be proposed."""
        return command in self.exposed.commands


def situation_of(exposed: Exposed) -> Situation | None:
    """The situation of an exposure, `None` where its language is not spoken here."""
    words = spoken(exposed.language, exposed.phrases)
    if words is None:
        return None
    vocabulary, language = words.vocabulary, words.language
    labels = labels_of(exposed, vocabulary)
    now = _now(exposed)
    is_asking = exposed.question not in ("confirmation", "chooser")
    asked = exposed.field(exposed.asked) if is_asking else None
    needed = _only_need(exposed) if asked is None and is_asking else None
    asked = asked or needed
    title = words_of(asked.title) if asked else ()
    return Situation(
        exposed=exposed,
        vocabulary=vocabulary,
        language=language,
        rules=Rules(language, exposed.zone),
        now=now,
        almanac=Almanac(now.date(), vocabulary.calendar, vocabulary.numbers),
        dial=Dial(vocabulary.clock, vocabulary.numbers, _day_words(vocabulary), vocabulary.calendar.parts),
        labels=labels,
        options=options_of(exposed, vocabulary),
        asked=asked,
        named_person=_named_person(exposed, asked, labels),
        asks_option=asked is not None and bool(asked.field.options),
        asks_about_third=bool(title) and not vocabulary.speech.addressing.intersection(title),
        asks_for_trouble=bool(vocabulary.speech.trouble.intersection(title)),
        asks_if_minding=_asks_if_minding(asked, title, vocabulary),
        confirms=exposed.question == "confirmation" or "affirm" in exposed.commands,
        is_only_need=needed is not None,
    )


def _asks_if_minding(asked: ExposedField | None, title: tuple[str, ...], vocabulary: Vocabulary) -> bool:
    is_plain = asked is not None and asked.field.type == "boolean" and not asked.field.options
    return is_plain and bool(vocabulary.speech.minding.intersection(title))


def _only_need(exposed: Exposed) -> ExposedField | None:
    """The field that is all that is still needed, where a plain answer to it is clear: a yes-or-no, or a list of
    options, of which more may be named.
    """
    found = exposed.field(exposed.needed[0]) if len(exposed.needed) == 1 else None
    if found is None:
        return None
    is_clear = bool(found.field.options) if found.field.type == "list" else found.field.type == "boolean"
    return found if is_clear and (found.field.type == "list" or not found.field.options) else None


def _named_person(exposed: Exposed, asked: ExposedField | None, labels: Labels) -> ExposedField | None:
    """The asked name, else the only one that is a whole or first name."""
    if asked is not None and asked.address in labels.persons:
        return asked
    found = [field for field in exposed.fields if field.address in labels.persons]
    return found[0] if len(found) == 1 and not _SURNAMES.intersection(name_words(found[0])) else None


def _day_words(vocabulary: Vocabulary) -> frozenset[str]:
    calendar = vocabulary.calendar
    return frozenset(calendar.weekdays) | {phrase[-1] for phrase in calendar.relative}


def _now(exposed: Exposed) -> datetime:
    """When the message was written, in the conversation's zone."""
    moment = _EPOCH + timedelta(milliseconds=exposed.now_ms)
    return moment.astimezone(ZoneInfo(exposed.zone))
