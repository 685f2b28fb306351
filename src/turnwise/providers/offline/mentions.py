"""Which readings of a message count, for which field, in which order.

It drops what is doubtful, asked, about somebody else, or said next to words that it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from turnwise.core.exposure import ExposedField
from turnwise.providers.offline.clauses import Clause, Heard
from turnwise.providers.offline.corrections import corrections_of, says_cue
from turnwise.providers.offline.fitting import takes_kind
from turnwise.providers.offline.naming import fields_by_unit, named_fields
from turnwise.providers.offline.options import is_weak
from turnwise.providers.offline.readings import Reading
from turnwise.providers.offline.situation import Situation

_MOST_READINGS = 12
_TOLERANT = frozenset({"email", "phone"})


@dataclass(frozen=True, slots=True)
class Mention:
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
                continue
            carrier = _carrier(heard.clauses, at)
            moves = _moves_item(carrier, reading, situation)
            named = list_options(reading, situation) if moves else named_fields(heard, clause, reading, situation)
            is_doubtful = is_unclear or clause.is_doubtful or (clause.sentence in shaken and named is None)
            cue = "strong" if says_cue(heard, reading, situation) else place.cue
            takes_out = bool(situation.vocabulary.requests.clear_verbs.intersection(carrier.said))
            found.append(Mention(reading, clause, place.segment, cue, named, is_doubtful, takes_out))
    return tuple(mention for mention in found if mention.segment >= unread)


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
    if any(other.kind == "odd" for other in clause.readings) or (clause.is_negated and not clause.olds):
        return False
    if _collides(heard, clause, reading, situation) or _has_idle_place(clause, reading, situation):
        return False
    others = situation.vocabulary.speech.others
    if _moves_item(clause, reading, situation):
        return True
    if clause.foreign and (reading.kind not in _TOLERANT or others.intersection(clause.foreign)):
        return reading.kind == "text" and not others.intersection(clause.foreign)
    if reading.kind == "option" and is_weak(heard.tokens, reading, situation.vocabulary):
        is_asked = situation.asked is not None and situation.asked.address in reading.value
        return is_asked and len(clause.readings) == 1
    return not _is_exclamation(heard, clause, situation)


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
