"""Which readings of a message count, for which field, in which order.

It drops what is doubtful, asked, about somebody else, or said next to words that it does not know.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.commands.exposure import ExposedField
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.corrections import corrections_of, edited_field, says_cue
from turnwise.understanding.fitting import takes_kind
from turnwise.understanding.naming import fields_by_unit, named_fields
from turnwise.understanding.options import is_weak
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.shape import length_at

_MOST_READINGS = 12
_TOLERANT = frozenset({"email", "phone"})
_DAYS = frozenset({"date", "moment"})


class Mention(Struct, frozen=True):
    """A reading that counts.

    `named` are the fields that its words name (`None` where they name none), `segment` counts the
    corrections before it, `cue` is how clearly it corrects something; a doubtful one only competes, and
    one that `takes_out` leaves a list.
    """

    reading: Reading
    clause: Clause
    segment: int
    cue: str
    named: frozenset[str] | None
    is_doubtful: bool = False
    takes_out: bool = False


def mentions_of(heard: Heard, situation: Situation) -> tuple[Mention, ...]:
    """The readings that count, in order."""
    shaken = {
        clause.sentence
        for clause in heard.clauses
        if clause.is_doubtful and not clause.readings and not clause.is_question
    }
    corrections = corrections_of(heard)
    about_others = _about_others(heard.clauses, situation)
    found: list[Mention] = []
    unsure: list[Reading] = []
    unread = 0
    for at, clause in enumerate(heard.clauses):
        if clause.is_question or at in about_others or len(clause.readings) > _MOST_READINGS:
            continue
        for reading in clause.readings:
            is_unclear = _may_correct(clause, reading, found, situation)
            place = corrections[reading.first]
            if reading in clause.olds and not is_unclear:
                continue
            if not _counts(heard, clause, reading, situation):
                unread = place.segment  # what a value takes back that is not sure counts no more
                unsure.append(reading)
                continue
            carrier = _carrier(heard.clauses, at)
            moves = _moves_item(carrier, reading, situation)
            named = list_options(reading, situation) if moves else named_fields(heard, clause, reading, situation)
            named = named or _called_wrong(heard.clauses[:at], reading, situation)
            is_doubtful = is_unclear or clause.is_doubtful or (clause.sentence in shaken and named is None)
            cue = "strong" if says_cue(heard, reading, situation) else place.cue
            takes_out = bool(situation.vocabulary.requests.clear_verbs.intersection(carrier.said))
            found.append(Mention(reading, clause, place.segment, cue, named, is_doubtful, takes_out))
    kept = (mention for mention in found if mention.segment >= unread)
    return tuple(
        replace(one, is_doubtful=True) if _has_rival(one, unsure) or _is_part(one, heard.clauses) else one
        for one in kept
    )


def _is_part(mention: Mention, clauses: tuple[Clause, ...]) -> bool:
    """True for a number of things beside a number of unknown ones: both may count (`2 adults and 2 kids`)."""
    at = clauses.index(mention.clause)
    after = clauses[at + 1] if at + 1 < len(clauses) else None
    if after is None or mention.reading.kind != "number" or not _is_count(mention.clause) or not _is_count(after):
        return False
    return bool(after.foreign) and after.joint.isalpha() and after.sentence == mention.clause.sentence


def _is_count(clause: Clause) -> bool:
    """True for a number and a word after it, and nothing more."""
    is_number = len(clause.readings) == 1 and clause.readings[0].kind == "number"
    return is_number and len(clause.said) == 1 and clause.places[0] == clause.readings[0].stop


def _has_rival(mention: Mention, unsure: list[Reading]) -> bool:
    """True for a day that no word gives to a field, beside one that is not understood: either may be meant
    (`I arrive on March 2nd and leave on March 4th`).
    """
    if mention.reading.kind not in _DAYS or mention.named is not None:
        return False
    return any(other.kind in _DAYS and other.value != mention.reading.value for other in unsure)


def _called_wrong(before: tuple[Clause, ...], reading: Reading, situation: Situation) -> frozenset[str] | None:
    """The field that was called wrong just before, where it takes the value (`the departure is wrong, it is …`)."""
    wrong = [field for clause in before if (field := edited_field(clause, situation))]
    field = situation.exposed.field(wrong[-1]) if wrong else None
    return frozenset({field.address}) if field is not None and takes_kind(situation, field, reading) else None


def _may_correct(clause: Clause, reading: Reading, before: list[Mention], situation: Situation) -> bool:
    """True for `red, no green`: the one, but not the other, or the other after all."""
    refusals = situation.vocabulary.speech.refusals
    if reading.kind != "option" or len(clause.said) != 1 or not refusals.issuperset(clause.said):
        return False
    return any(one.reading.kind == "option" and one.reading.value.keys() & reading.value.keys() for one in before)


def _counts(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True if nothing in the clause speaks against a reading (a doubtful one still competes)."""
    if reading.kind == "odd":
        return False
    if clause.is_doubtful:
        return True
    if _is_ruled_out(heard, clause, reading, situation):
        return False
    if _moves_item(clause, reading, situation) or _is_had(clause, reading, situation):
        return True
    if _is_wished(heard, clause, reading, situation):
        return True
    others = situation.vocabulary.speech.others
    if clause.foreign and (reading.kind not in _TOLERANT or others.intersection(clause.foreign)):
        return reading.kind == "text" and not others.intersection(clause.foreign)
    if reading.kind == "option" and is_weak(heard.tokens, reading, situation.vocabulary):
        is_asked = situation.asked is not None and situation.asked.address in reading.value
        return is_asked and len(clause.readings) == 1
    return not _is_exclamation(heard, clause, situation)


def _is_ruled_out(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    if any(other.kind == "odd" for other in clause.readings) or (clause.is_negated and not clause.olds):
        return True
    if _collides(heard, clause, reading, situation) or _has_idle_place(clause, reading, situation):
        return True
    if _is_rate(heard, reading, situation):
        return True
    return _is_of_the_past(clause, reading, situation) or _is_well(clause, reading, situation)


def _is_rate(heard: Heard, reading: Reading, situation: Situation) -> bool:
    """True for an amount of each (`$50 a night`)."""
    at, tokens = reading.stop, heard.tokens
    while at < len(tokens) and tokens[at].word in situation.vocabulary.currencies:
        at += 1
    if reading.kind != "number" or at + 1 >= len(tokens) or tokens[at].word not in situation.vocabulary.speech.rates:
        return False
    return tokens[at + 1].kind == "word" and all(one.first != at + 1 for one in heard.readings)


def _moves_item(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for an option of a list after a verb that adds or removes (`drop Monday`)."""
    is_verb = bool(clause.foreign) and list_verbs(situation).issuperset(clause.foreign)
    return is_verb and bool(list_options(reading, situation))


def list_verbs(situation: Situation) -> frozenset[str]:
    """The verbs that put things into lists and take them out."""
    requests = situation.vocabulary.requests
    return requests.add_verbs | requests.clear_verbs | requests.remove_verbs


def list_options(reading: Reading, situation: Situation) -> frozenset[str]:
    """The lists that a reading is an option of."""
    options = [one for one in (reading, *reading.others) if one.kind == "option"]
    lists = {field.address for field in situation.exposed.fields if field.field.type == "list"}
    return frozenset(address for one in options for address in one.value if address in lists)


def _is_of_the_past(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for what was so on an earlier day (`it was a 9 yesterday`)."""
    if reading.kind in _DAYS or not situation.vocabulary.speech.past.intersection(clause.said):
        return False
    today = situation.almanac.today
    return any(one.kind == "date" and one.value.is_relative and one.value.upcoming < today for one in clause.readings)


def _is_well(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for an option of which no trouble is said, where trouble is asked for (`my hip is fine`)."""
    speech = situation.vocabulary.speech
    if reading.kind != "option" or not situation.asks_for_trouble:
        return False
    after = [word for at, word in zip(clause.places, clause.said, strict=True) if at >= reading.stop]
    is_said_of_it = bool(after) and after[0] not in speech.trailing
    return is_said_of_it and not speech.ailments.intersection(after)


def _is_had(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for an option of the speaker that is in trouble, where trouble is asked for (`my knees hurt`)."""
    speech, asked = situation.vocabulary.speech, situation.asked
    if reading.kind != "option" or not situation.asks_for_trouble or asked is None:
        return False
    if asked.address not in reading.value:
        return False
    if not speech.ailments.intersection(clause.said):
        return False
    before = {at: word for at, word in zip(clause.places, clause.said, strict=True) if at < reading.first}
    at = reading.first - 1
    while before.get(at, "") in speech.attributes:
        at -= 1
    is_other = any(one is not reading and one.kind not in _DAYS for one in clause.readings)
    return before.get(at, "") in speech.possessives and not is_other and not _is_against(clause, situation)


def _is_wished(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True for an option of the asked field right behind the words of a wish (`I want to dye my hair`)."""
    speech, asked = situation.vocabulary.speech, situation.asked
    if reading.kind != "option" or asked is None or asked.address not in reading.value or len(clause.readings) > 1:
        return False
    before = tuple(word for at, word in zip(clause.places, clause.said, strict=True) if at < reading.first)
    size = length_at(speech.wishes, before, 0) if before else 0
    after = [word for at, word in zip(clause.places, clause.said, strict=True) if at >= reading.stop]
    is_own = len(after) < 2 or (after[0] in speech.possessives and len(after) == 2)
    is_wish = size > 1 and is_own and all(word in speech.leads for word in before[size:])
    return is_wish and not is_weak(heard.tokens, reading, situation.vocabulary) and not _is_against(clause, situation)


def _is_against(clause: Clause, situation: Situation) -> bool:
    """True if a clause is about somebody else, the past, a possibility, or the means by which it is said."""
    speech = situation.vocabulary.speech
    against = speech.others | speech.past | speech.modals | speech.universals | speech.contacting
    return bool(against.intersection(clause.said))


def _collides(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True where a bare number stands right behind a number or a time, so that neither is sure (`two hours thirty`)."""
    amounts = [one for one in clause.readings if one.kind in ("number", "duration", "time")]
    for left, right in pairwise(amounts):
        if left.stop == right.first and right.kind == "number" and reading in (left, right):
            return not fields_by_unit(heard, right, situation)
    return False


def _has_idle_place(clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True beside a place in a row that no field asks for (`I'm the 3rd of 5`)."""
    places = [one for one in clause.readings if one.kind in ("nth", "place") and one is not reading]
    return any(not any(takes_kind(situation, field, one) for field in situation.exposed.fields) for one in places)


def _is_exclamation(heard: Heard, clause: Clause, situation: Situation) -> bool:
    """True for the first word of `man, what a day`."""
    interjections = situation.vocabulary.speech.interjections
    if sum(token.word in interjections for token in heard.tokens[clause.first : clause.stop]) > 1:
        return True
    if clause.stop - clause.first != 1 or len(heard.clauses) == 1 or clause is not heard.clauses[0]:
        return False
    is_word = heard.tokens[clause.first].word in interjections
    return is_word and any(other.foreign for other in heard.clauses)


def _about_others(clauses: tuple[Clause, ...], situation: Situation) -> frozenset[int]:
    """Which clauses go on about somebody else: `my brother is called Tom and is 12`."""
    speech = situation.vocabulary.speech
    found: set[int] = set()
    before: Clause | None = None
    is_other = False
    for at, clause in enumerate(clauses):
        if before is None or clause.sentence != before.sentence:
            before, is_other = None, False
        speaks_of_self = any(word in speech.subjects for word in clause.said)
        if before is not None and not speaks_of_self and (is_other or _goes_on(before, clause, situation)):
            found.add(at)
        if not clause.is_question:
            before, is_other = clause, is_other or bool(speech.others.intersection(clause.foreign))
    return frozenset(found)


def _goes_on(before: Clause, last: Clause, situation: Situation) -> bool:
    """True if a clause only carries on with what a refused one said."""
    if before.foreign and last.said and last.said[0] in situation.vocabulary.speech.copulas:
        return True
    return not last.said and bool(before.readings) and _refuses(before, last, situation)


def _refuses(before: Clause, last: Clause, situation: Situation) -> bool:
    """True if a clause speaks against the bare value after it: `my kids are 12 and 14`, `no ham and olives`."""
    speech = situation.vocabulary.speech
    is_joined = last.joint in speech.joints - speech.contrasts
    return (bool(before.foreign) and not list_verbs(situation).issuperset(before.foreign)) or (
        before.is_negated and is_joined
    )


def _carrier(clauses: tuple[Clause, ...], at: int) -> Clause:
    """The clause whose words carry a bare value too: `drop Monday and Tuesday`."""
    while at > 0 and not clauses[at].said and clauses[at - 1].sentence == clauses[at].sentence:
        at -= 1
    return clauses[at]


def takers_of(situation: Situation, mention: Mention) -> list[ExposedField]:
    """The exposed fields (lists aside) that a mention may be for, by name or by type."""
    fields = [field for field in situation.exposed.fields if field.field.type != "list"]
    if mention.named is not None:
        return [field for field in fields if field.address in mention.named]
    return [field for field in fields if takes_kind(situation, field, mention.reading)]
