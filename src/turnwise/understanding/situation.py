"""All that understanding one message depends on: the exposed fields, and the vocabulary with the flow's own phrases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.commands.exposure import Exposed, ExposedField
from turnwise.core.language import Language, language_of
from turnwise.core.values import Rules
from turnwise.understanding.calendar import Almanac
from turnwise.understanding.clock import Dial
from turnwise.understanding.labels import Labels, labels_of, name_words
from turnwise.understanding.options import Options, options_of
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary import VOCABULARIES
from turnwise.understanding.vocabulary.shape import Phrases, Requests, Speech, Vocabulary, phrases

_NAMES = {"edit": "change", "deny": "edit", "leave": "leave_chooser"}
"""What a flow calls the phrases of a request, where it is not the name of the request."""
_MERGED = ("deny", "edit")
"""Requests whose shipped phrases depend on the question; they are in the vocabulary instead."""

Own = Mapping[str, tuple[str, ...]]


class Spoken(Struct, frozen=True):
    """The words of a flow and its fixed texts."""

    vocabulary: Vocabulary
    language: Language


def spoken(code: str, own: Own) -> Spoken | None:
    """A language with a flow's own phrases, `None` where it is not spoken here."""
    return _spoken(code, tuple(sorted(own.items()))) if code in VOCABULARIES else None


@lru_cache(maxsize=64)
def _spoken(code: str, given: tuple[tuple[str, tuple[str, ...]], ...]) -> Spoken:
    own = dict(given)
    language, shipped = language_of(code, own), VOCABULARIES[code]
    return Spoken(
        replace(
            shipped,
            speech=_speech(shipped.speech, own),
            requests=_requests(shipped, language_of(code).phrases, own),
        ),
        language,
    )


def _speech(shipped: Speech, own: Own) -> Speech:
    """Yes and no, as answers to a question."""
    return replace(
        shipped,
        yes=phrases(own["true"]) if "true" in own else shipped.yes,
        no=phrases(own["false"]) if "false" in own else shipped.no,
    )


def _requests(shipped: Vocabulary, known: Mapping[str, Iterable[str]], own: Own) -> Requests:
    """For each request its phrases: the flow's own, else the language's and the vocabulary's."""
    commands: dict[str, Phrases] = {}
    for kind, some in shipped.requests.commands.items():
        name = _NAMES.get(kind, kind)
        lines = [] if kind in _MERGED else [*known.get(name, ())]
        commands[kind] = phrases(own[name]) if name in own else phrases([*_lines(some), *lines])
    for kind, answers in (("affirm", shipped.speech.yes), ("deny", shipped.speech.no)):
        if _NAMES.get(kind, kind) not in own:
            commands[kind] = phrases([*_lines(commands[kind]), *_lines(answers)])
    keywords = tuple(rule for rule in shipped.requests.keywords if _NAMES.get(rule[0], rule[0]) not in own)
    return replace(shipped.requests, commands=commands, keywords=keywords)


def _lines(table: Phrases) -> list[str]:
    return [" ".join(phrase) for some in table.values() for phrase in some]


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
