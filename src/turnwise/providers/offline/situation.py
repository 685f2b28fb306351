"""All that understanding one message depends on, gathered once.

It is a value; it reads no message and proposes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from turnwise.core.exposure import Exposed, ExposedField
from turnwise.core.language import Language, language_of
from turnwise.core.values import Rules
from turnwise.providers.offline.calendar import Almanac
from turnwise.providers.offline.clock import Dial
from turnwise.providers.offline.labels import Labels, labels_of
from turnwise.providers.offline.options import Options, options_of
from turnwise.providers.offline.tokens import words_of
from turnwise.providers.offline.vocabulary import VOCABULARIES
from turnwise.providers.offline.vocabulary.shape import Vocabulary

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Situation:
    """What is exposed, in the words of its language."""

    exposed: Exposed
    vocabulary: Vocabulary
    language: Language
    rules: Rules
    almanac: Almanac
    dial: Dial
    labels: Labels
    options: Options

    @property
    def asked(self) -> ExposedField | None:
        """The field whose question is open, unless a confirmation or a choice of answers is awaited."""
        if self.exposed.question in ("confirmation", "chooser"):
            return None
        return self.exposed.field(self.exposed.asked)

    @property
    def is_about_third(self) -> bool:
        """True if the open question is about somebody or something else than the user."""
        title = words_of(self.asked.title) if self.asked else ()
        return bool(title) and not self.vocabulary.speech.addressing.intersection(title)

    @property
    def asks_option(self) -> bool:
        """True if the open question is answered by one of its options."""
        return self.asked is not None and bool(self.asked.field.options)

    @property
    def confirms(self) -> bool:
        """True if a yes or no is awaited: to a summary, an offer, a held call or a suggested answer."""
        return self.exposed.question == "confirmation" or "affirm" in self.exposed.commands

    def allows(self, command: str) -> bool:
        """True if a command may be proposed."""
        return command in self.exposed.commands


def situation_of(exposed: Exposed) -> Situation | None:
    """The situation of an exposure, `None` where its language is not spoken here."""
    vocabulary = VOCABULARIES.get(exposed.language)
    if vocabulary is None:
        return None
    language = language_of(exposed.language)
    return Situation(
        exposed=exposed,
        vocabulary=vocabulary,
        language=language,
        rules=Rules(language, exposed.zone),
        almanac=Almanac(today_of(exposed), vocabulary.calendar, vocabulary.numbers),
        dial=Dial(vocabulary.clock, vocabulary.numbers, _day_words(vocabulary), vocabulary.calendar.parts),
        labels=labels_of(exposed, vocabulary),
        options=options_of(exposed, vocabulary),
    )


def _day_words(vocabulary: Vocabulary) -> frozenset[str]:
    calendar = vocabulary.calendar
    return frozenset(calendar.weekdays) | {phrase[-1] for phrase in calendar.relative}


def today_of(exposed: Exposed) -> date:
    """The day on which the message was written, in the conversation's zone."""
    moment = _EPOCH + timedelta(milliseconds=exposed.now_ms)
    return moment.astimezone(ZoneInfo(exposed.zone)).date()
