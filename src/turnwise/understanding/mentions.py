"""Selects the readings of a message that are values, and finds the fields that the message names for them.

Readings that are doubtful, asked, about another person, or beside unknown words are dropped. Fields are named by
units first, then by ways of speaking, then by labels; never by values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.field_values import takes_kind
from turnwise.understanding.labels import is_weak
from turnwise.understanding.readings import Reading
from turnwise.understanding.requests import Cue, corrections_of, edited_field, has_cue
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.tables import Phrases, length_at

_MOST_READINGS = 12
_TOLERANT = frozenset({"email", "phone"})
_DAYS = frozenset({"date", "moment"})


class Mention(Struct, frozen=True):
    """A value in a message that is used for a field, with its clause."""

    reading: Reading
    """The tokens and the value that they mean."""
    clause: Clause
    """The clause in which the value stands."""
    segment: int
    """The number of corrections in the message before the value, from 0."""
    cue: Cue
    """How clearly the value corrects an earlier one: empty, `weak` or `strong`."""
    named: frozenset[str] | None
    """The addresses of the fields that the words around the value name; `None` if they name none."""
    is_doubtful: bool = False
    """True if the value does not count by itself and only makes other values for its field uncertain."""
    takes_out: bool = False
    """True if the value is to be removed from a list."""


def mentions_of(message: ParsedMessage) -> tuple[Mention, ...]:
    """Return the readings of a message that it uses as values, in order."""
    clauses, corrections = message.clauses, corrections_of(message)
    by_others = about_others(message)
    shaken = {one.sentence for one in clauses if one.is_doubtful and not one.readings and not one.is_question}
    found: list[Mention] = []
    unsure: list[Reading] = []
    unread = 0
    for at, clause in enumerate(clauses):
        if clause.is_question or at in by_others or len(clause.readings) > _MOST_READINGS:
            continue
        for reading in clause.readings:
            is_unclear = _may_correct(clause, reading, found, message.situation)
            segment, cue = corrections[reading.first]
            if reading in clause.olds and not is_unclear:
                continue
            if not _counts(message, clause, reading):
                unread = segment  # what a value takes back that is not sure counts no more
                unsure.append(reading)
                continue
            mention = _mention(message, at, reading, segment, "strong" if has_cue(message, reading) else cue)
            is_shaken = clause.sentence in shaken and mention.named is None
            found.append(replace(mention, is_doubtful=is_unclear or clause.is_doubtful or is_shaken))
    return tuple(
        replace(one, is_doubtful=True) if _has_rival(one, unsure, message.situation) or _is_part(one, clauses) else one
        for one in found
        if one.segment >= unread
    )


def _mention(message: ParsedMessage, at: int, reading: Reading, segment: int, cue: Cue) -> Mention:
    """A reading of a clause with the fields that the message names for it."""
    situation, clause, carrier_at = message.situation, message.clauses[at], at
    while carrier_at > 0 and not message.clauses[carrier_at].said:  # a bare value: `drop Monday and Tuesday`
        if message.clauses[carrier_at - 1].sentence != clause.sentence:
            break
        carrier_at -= 1
    carrier = message.clauses[carrier_at]
    moves = _moves_item(carrier, reading, situation)
    named = list_options(reading, situation) if moves else named_fields(message, clause, reading)
    if not named:  # the field that was called wrong just before: `the departure is wrong, it is …`
        wrong = [address for one in message.clauses[:at] if (address := edited_field(one, situation))]
        field = situation.allowed.field(wrong[-1]) if wrong else None
        named = frozenset({field.address}) if field is not None and takes_kind(situation, field, reading) else None
    takes_out = not situation.requests.clear_verbs.isdisjoint(carrier.said)
    return Mention(reading, clause, segment, cue, named, takes_out=takes_out)


def _may_correct(clause: Clause, reading: Reading, before: list[Mention], situation: Situation) -> bool:
    """True for `red, no green`, which may exclude the second or correct the first to it."""
    if reading.kind != "option" or len(clause.said) != 1 or clause.said[0] not in situation.speech.refusals:
        return False
    return any(one.reading.kind == "option" and one.reading.value.keys() & reading.value.keys() for one in before)


def _has_rival(mention: Mention, unsure: list[Reading], situation: Situation) -> bool:
    """True for a day that no word gives to a field, beside one that is not understood: either may be meant
    (`I arrive on March 2nd and leave on March 4th`).
    """
    reading = mention.reading
    if reading.kind == "option":  # `my washer and my dryer make noise`
        return any(other.kind == "option" and _are_rivals(reading.value, other.value, situation) for other in unsure)
    if reading.kind not in (*_DAYS, "nth") or mention.named is not None:
        return False
    return any(other.kind in (*_DAYS, "nth", "odd") and other.value != mention.reading.value for other in unsure)


def _are_rivals(options: Mapping[str, str], others: Mapping[str, str], situation: Situation) -> bool:
    """True if two readings are different options of a field that takes one; a list takes both."""
    return any(
        value != others.get(address, value)
        for address, value in options.items()
        if (shown := situation.allowed.field(address)) is None or shown.field.type != "list"
    )


def _is_part(mention: Mention, clauses: tuple[Clause, ...]) -> bool:
    """True for a number of things beside a number of unknown ones: both may count (`2 adults and 2 kids`)."""
    at = clauses.index(mention.clause)
    pair = clauses[at : at + 2]
    if len(pair) < 2 or mention.reading.kind != "number":
        return False
    for one in pair:  # each is a number and a word after it, and nothing more
        is_number = len(one.readings) == 1 and one.readings[0].kind == "number"
        if not is_number or len(one.said) != 1 or one.places[0] != one.readings[0].stop:
            return False
    return bool(pair[1].foreign) and pair[1].joint.isalpha() and pair[0].sentence == pair[1].sentence


# what speaks for a reading and against it ----------------------------------------------------------


def _counts(message: ParsedMessage, clause: Clause, reading: Reading) -> bool:
    """True if no word of the clause excludes a reading (a doubtful one still competes)."""
    situation, speech = message.situation, message.situation.speech
    if reading.kind == "odd" or clause.is_doubtful:
        return reading.kind != "odd"
    if _is_ruled_out(message, clause, reading):
        return False
    if _moves_item(clause, reading, situation) or _is_had(clause, reading, situation):
        return True
    if _is_wished(message, clause, reading):
        return True
    is_anothers = not speech.others.isdisjoint(clause.foreign)
    reaches = reading.kind in _TOLERANT and situation.vocabulary.contact_words.issuperset(clause.foreign)
    if clause.foreign and (not reaches or is_anothers):
        return reading.kind == "text" and not is_anothers
    if reading.kind == "option" and is_weak(message.text, reading):
        is_asked = situation.asked is not None and situation.asked.address in reading.value
        return is_asked and len(clause.readings) == 1
    return not _is_exclamation(message, clause)


def _is_ruled_out(message: ParsedMessage, clause: Clause, reading: Reading) -> bool:
    """True if neighbouring readings or words make a reading uncertain, or show that it is not a value."""
    situation, speech = message.situation, message.situation.speech
    if any(other.kind == "odd" for other in clause.readings) or (clause.is_negated and not clause.olds):
        return True
    if _collides(message, clause, reading) or _is_rate(message, reading) or _is_excepted(clause, reading, situation):
        return True
    if reading.kind in _TOLERANT and _is_other_thing(message, clause, reading):
        return True
    # beside a place in a row that no field asks for (`I'm the 3rd of 5`)
    places = [one for one in clause.readings if one.kind in ("nth", "place") and one is not reading]
    if any(not any(takes_kind(situation, field, one) for field in situation.allowed.fields) for one in places):
        return True
    # what was so on an earlier day (`it was a 9 yesterday`)
    if reading.kind not in _DAYS and not speech.past.isdisjoint(clause.said):
        days = [one.value for one in clause.readings if one.kind == "date"]
        if any(day.is_relative and day.upcoming < situation.today for day in days):
            return True
    # an option without trouble, where the question asks for trouble (`my hip is fine`)
    after = clause.words_after(reading.stop) if reading.kind == "option" and situation.asks_for_trouble else []
    return bool(after) and after[0] not in speech.trailing and speech.ailments.isdisjoint(after)


def _is_excepted(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for a value behind a word that leaves it out (`anyone but …`, `every day except …`)."""
    speech, before = situation.speech, clause.words_before(reading.first)
    if not speech.reservations.isdisjoint(before):
        return True
    all_but = not speech.universals.isdisjoint(before) and not speech.contrasts.isdisjoint(before)
    return all_but or any(length_at(speech.exclusions, before, at) for at in range(len(before)))


def _is_other_thing(message: ParsedMessage, clause: Clause, reading: Reading) -> bool:
    """True for an address or a number that is called wrong, was one, or is something else (`order number …`)."""
    situation = message.situation
    if not (situation.requests.wrong | situation.speech.past).isdisjoint(clause.said):
        return True
    if reading.kind != "phone":
        return False
    numbers = situation.vocabulary.other_numbers
    if any(word in numbers or word.endswith(situation.vocabulary.number_endings) for word in clause.foreign):
        return True
    is_bare = (
        message.text.as_typed(reading.first, reading.stop).isdecimal() and message.text.words[reading.first][0] != "0"
    )
    return is_bare and bool(clause.foreign)


def _collides(message: ParsedMessage, clause: Clause, reading: Reading) -> bool:
    """True where a bare number stands right behind a number or a time, so that neither is sure (`two hours thirty`)."""
    amounts = [one for one in clause.readings if one.kind in ("number", "duration", "time")]
    for left, right in pairwise(amounts):
        if left.stop == right.first and right.kind == "number" and reading in (left, right):
            return not fields_by_unit(message, right)
    return False


def _is_rate(message: ParsedMessage, reading: Reading) -> bool:
    """True for an amount of each (`$50 a night`)."""
    text, at = message.text, reading.stop
    while text.words[at] in text.vocabulary.currencies:
        at += 1
    is_rate = reading.kind == "number" and text.words[at] in text.vocabulary.speech.rates
    return is_rate and text.kind(at + 1) == "word" and all(one.first != at + 1 for one in message.readings)


def _moves_item(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for an option of a list after a verb that adds or removes (`drop Monday`)."""
    return bool(clause.foreign) and _only_list_verbs(clause, situation) and bool(list_options(reading, situation))


def _only_list_verbs(clause: Clause, situation: Situation) -> bool:
    """True if all unknown words of a clause put things into lists or take them out."""
    requests = situation.requests
    return all(
        word in requests.add_verbs or word in requests.clear_verbs or word in requests.remove_verbs
        for word in clause.foreign
    )


def list_options(reading: Reading, situation: Situation) -> frozenset[str]:
    """Return the addresses of the list fields that have a reading as an option."""
    options = [one for one in (reading, *reading.others) if one.kind == "option"]
    lists = {field.address for field in situation.allowed.fields if field.field.type == "list"}
    return frozenset(address for one in options for address in one.value if address in lists)


def _is_had(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for an option of the speaker with a word of complaint, where the question asks for one (`my knees hurt`)."""
    speech, asked = situation.speech, situation.asked
    is_answer = reading.kind == "option" and asked is not None and asked.address in reading.value
    if not is_answer or not situation.asks_for_trouble or speech.ailments.isdisjoint(clause.said):
        return False
    words = dict(zip(clause.places, clause.said, strict=True))
    at = reading.first - 1
    while words.get(at, "") in speech.attributes:
        at -= 1
    is_other = any(one is not reading and one.kind not in _DAYS for one in clause.readings)
    return words.get(at, "") in speech.possessives and not is_other and not _is_against(clause, situation)


def _is_wished(message: ParsedMessage, clause: Clause, reading: Reading) -> bool:
    """True for an option of the asked field right behind the words of a wish (`I want to dye my hair`)."""
    speech, asked = message.situation.speech, message.situation.asked
    if reading.kind != "option" or asked is None or asked.address not in reading.value or len(clause.readings) > 1:
        return False
    before, after = clause.words_before(reading.first), clause.words_after(reading.stop)
    size = length_at(speech.wishes, before, 0) if before else 0
    is_wish = size > 1 and all(word in speech.leads for word in before[size:])
    is_own = len(after) < 2 or (len(after) == 2 and after[0] in speech.possessives)
    is_clear = is_wish and is_own and not is_weak(message.text, reading)
    return is_clear and not _is_against(clause, message.situation)


def _is_against(clause: Clause, situation: Situation) -> bool:
    """True if a clause is about another person, the past, a possibility, or a means of communication."""
    speech = situation.speech
    tables = (speech.others, speech.past, speech.modals, speech.universals, speech.contacting)
    return not all(table.isdisjoint(clause.said) for table in tables)


def _is_exclamation(message: ParsedMessage, clause: Clause) -> bool:
    """True for the first word of `man, what a day`."""
    words = message.text.words[clause.first : clause.stop]
    count = sum(word in message.situation.speech.interjections for word in words)
    is_lone = clause.stop - clause.first == 1 and clause is message.clauses[0]
    return count > 1 or (count == 1 and is_lone and any(other.foreign for other in message.clauses))


# clauses about other people ------------------------------------------------------------------------


def about_others(message: ParsedMessage) -> frozenset[int]:
    """Return the indices of the clauses that are about another person: `my brother is called Tom and is 12`."""
    speech = message.situation.speech
    found: set[int] = set()
    before: Clause | None = None
    is_other = False
    for at, clause in enumerate(message.clauses):
        if before is None or clause.sentence != before.sentence:
            before, is_other = None, False
        is_about_self = not speech.subjects.isdisjoint(clause.said)
        if before and not is_about_self and (is_other or _carries_on(before, clause, message.situation)):
            found.add(at)
        if not clause.is_question:
            before, is_other = clause, is_other or not speech.others.isdisjoint(clause.foreign)
    return frozenset(found)


def _carries_on(before: Clause, last: Clause, situation: Situation) -> bool:
    """True if a clause continues the excluded clause before it: `my kids are 12 and 14`, `no ham and olives`."""
    speech = situation.speech
    if before.foreign and last.said and last.said[0] in speech.copulas:
        return True
    if last.said or not before.readings:
        return False
    is_joined = last.joint in speech.joints and last.joint not in speech.contrasts
    return not _only_list_verbs(before, situation) or (before.is_negated and is_joined)


# fields that the words around a reading name -----------------------------------------------------


def named_fields(message: ParsedMessage, clause: Clause, reading: Reading) -> frozenset[str] | None:
    """Return the addresses of the fields that the words around a value name and that can take it; `None` if none."""
    labels, fields = message.situation.labels, message.situation.allowed.fields
    takers = frozenset(field.address for field in fields if takes_kind(message.situation, field, reading))
    if reading.kind == "text":
        return takers
    # the words between the reading and its neighbours in the clause, before and after it
    start = max((other.stop for other in clause.readings if other.stop <= reading.first), default=clause.first)
    end = min((other.first for other in clause.readings if other.first >= reading.stop), default=clause.stop)
    paired = list(zip(clause.places, clause.said, strict=True))
    before = [word for at, word in paired if start <= at < reading.first]
    after = [word for at, word in paired if reading.stop <= at < end]
    by_frame = {
        address for address, tables in labels.frames.items() if _ends_with_frame(message, clause, reading, tables)
    }
    by_unit = frozenset[str]() if reading.kind in _DAYS else fields_by_unit(message, reading)
    for named in (by_unit, by_frame, labels.fields_named(before), labels.fields_named(after)):
        if not takers.isdisjoint(named):
            return takers & named
    return None


def fields_by_unit(message: ParsedMessage, reading: Reading) -> frozenset[str]:
    """Return the addresses of the fields that the word right after a number names: `8 guests`, `45 years`."""
    at = reading.stop
    while message.text.words[at] == "-":
        at += 1
    return message.situation.labels.fields_named((message.text.words[at],))


def speaks_of_self(message: ParsedMessage, clause: Clause, reading: Reading) -> bool:
    """Return whether a number describes the user ("I'm 45"), so that only a field about the user accepts it."""
    frames = (concept.frames for concept in message.situation.vocabulary.concepts)
    return _ends_with_frame(message, clause, reading, frames)


def _ends_with_frame(message: ParsedMessage, clause: Clause, reading: Reading, frames: Iterable[Phrases]) -> bool:
    """True if the words before a number give it a meaning: `I'm 45` is an age, `we're 6` a number of people."""
    speech = message.situation.speech
    said = clause.words_before(reading.first) if reading.kind == "number" else []
    while said and (said[-1] in speech.hedges or said[-1] in speech.small_adverbs):
        said.pop()
    sizes = [size for size in (3, 2, 1) if size <= len(said)]
    return any(length_at(table, said[-size:], 0) == size for table in frames for size in sizes)
