"""Which readings of a message count, for which field, in which order.

It drops what is doubtful, asked, about somebody else, or said next to words that it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from turnwise.core.exposure import ExposedField
from turnwise.providers.offline.clauses import Clause, Heard
from turnwise.providers.offline.fitting import takes_kind
from turnwise.providers.offline.options import is_weak
from turnwise.providers.offline.readings import Reading
from turnwise.providers.offline.situation import Situation
from turnwise.providers.offline.tokens import Token
from turnwise.providers.offline.vocabulary.shape import length_at

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
    found: list[Mention] = []
    for at, clause in enumerate(heard.clauses):
        if not clause.readings or clause.is_question or _is_about_others(heard.clauses[: at + 1], situation):
            continue
        for reading in clause.readings:
            if reading in clause.olds or not _counts(heard, clause, reading, situation):
                continue
            carrier = _carrier(heard.clauses, at)
            moves = _moves_item(carrier, reading, situation)
            named = list_options(reading, situation) if moves else named_fields(heard, clause, reading, situation)
            is_doubtful = clause.is_doubtful or (clause.sentence in shaken and named is None)
            segment, cue = _correction(heard, reading)
            cue = "strong" if _says_cue(heard, reading, situation) else cue
            takes_out = bool(situation.vocabulary.requests.clear_verbs.intersection(carrier.said))
            found.append(Mention(reading, clause, segment, cue, named, is_doubtful, takes_out))
    return tuple(found)


def _counts(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True if nothing in the clause speaks against a reading (a doubtful one still competes)."""
    if reading.kind == "odd":
        return False
    if clause.is_doubtful:
        return True
    if any(other.kind == "odd" for other in clause.readings) or (clause.is_negated and not clause.olds):
        return False
    if _collides(heard, clause, reading, situation):
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
            return not _by_unit(heard, right, situation)
    return False


def _says_cue(heard: Heard, reading: Reading, situation: Situation) -> bool:
    """True if a text comes with the words that change it (`change my city to …`)."""
    if reading.kind != "text":
        return False
    said = [token.word for token in heard.tokens[reading.first : reading.stop]]
    return any(length_at(situation.vocabulary.speech.strong_cues, said, at) for at in range(len(said)))


def _is_exclamation(heard: Heard, clause: Clause, situation: Situation) -> bool:
    """True for the first word of `man, what a day`."""
    interjections = situation.vocabulary.speech.interjections
    if sum(token.word in interjections for token in heard.tokens[clause.first : clause.stop]) > 1:
        return True
    if clause.stop - clause.first != 1 or len(heard.clauses) == 1 or clause is not heard.clauses[0]:
        return False
    is_word = heard.tokens[clause.first].word in interjections
    return is_word and any(other.foreign for other in heard.clauses)


def _is_about_others(clauses: tuple[Clause, ...], situation: Situation) -> bool:
    """True where the last clause goes on about somebody else: `my brother is called Tom and is 12`."""
    last, speech = clauses[-1], situation.vocabulary.speech
    before = [clause for clause in clauses[:-1] if clause.sentence == last.sentence and not clause.is_question]
    if not before or any(word in speech.subjects for word in last.said):
        return False
    if not last.said and before[-1].readings and _refuses(before[-1], last, situation):
        return True
    if before[-1].foreign and last.said and last.said[0] in speech.copulas:
        return True
    return any(speech.others.intersection(clause.foreign) for clause in before)


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


def _correction(heard: Heard, reading: Reading) -> tuple[int, str]:
    """How many corrections came before a reading, and whether it is one: `weak`, `strong` or not."""
    values = sorted(r.first for clause in heard.clauses for r in clause.readings)
    marks = sorted((at, clause.is_strong) for clause in heard.clauses for at in clause.cues)
    segment, since, cue = 0, False, ""
    events = sorted([(at, 0, strong) for at, strong in marks] + [(at, 1, False) for at in values])
    for at, is_value, strong in events:
        if is_value and at >= reading.first:
            break
        if is_value:
            since = True
            continue
        if at > reading.first:
            break
        segment, since = (segment + 1, False) if since else (segment, since)
        cue = "strong" if strong else cue or "weak"
    return segment, cue or _cue_after(heard, reading, values, marks)


def _cue_after(heard: Heard, reading: Reading, values: list[int], marks: list[tuple[int, bool]]) -> str:
    """The cue that follows the last value of a message, or a value that is set against an old one."""
    if any(clause.olds for clause in heard.clauses):
        return "strong"
    if values and reading.first == values[-1]:
        after = [strong for at, strong in marks if at > reading.first]
        return ("strong" if any(after) else "weak") if after else ""
    return ""


# which field is named ------------------------------------------------------------------------------


def named_fields(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> frozenset[str] | None:
    """The fields that the words around a reading name, of those whose type takes it; `None` if none."""
    takers = frozenset(f.address for f in situation.exposed.fields if takes_kind(situation, f, reading))
    if reading.kind == "text":
        return takers
    for named in (_by_unit(heard, reading, situation), _by_frame(heard, clause, reading, situation)):
        if named & takers:
            return named & takers
    before, after = _around(clause, reading)
    for said in (before, after):
        named = situation.labels.named(said)
        if named & takers:
            return named & takers
    return None


def _by_unit(heard: Heard, reading: Reading, situation: Situation) -> frozenset[str]:
    """The fields that the word right after a reading names: `8 guests`, `45 years`."""
    at = reading.stop
    while at < len(heard.tokens) and heard.tokens[at].text == "-":
        at += 1
    if at >= len(heard.tokens):
        return frozenset()
    return situation.labels.named((heard.tokens[at].word,))


def _by_frame(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> frozenset[str]:
    """The fields that a way of speaking names: `I'm 45` is an age, `we're 6` a number of people."""
    if reading.kind != "number":
        return frozenset()
    said = list(_words_before(heard.tokens, clause, reading, situation))
    return frozenset(
        address
        for address, tables in situation.labels.frames.items()
        if any(length_at(table, said[-size:], 0) == size for table in tables for size in (3, 2, 1) if size <= len(said))
    )


def _words_before(tokens: tuple[Token, ...], clause: Clause, reading: Reading, situation: Situation) -> tuple[str, ...]:
    speech = situation.vocabulary.speech
    said = [tokens[at].word for at in clause.places if at < reading.first]
    while said and (said[-1] in speech.hedges or said[-1] in speech.small_adverbs):
        said.pop()
    return tuple(said)


def speaks_of_self(heard: Heard, clause: Clause, reading: Reading, situation: Situation) -> bool:
    """True if a number is said of the speaker ("I'm 45"), so that only a field for that may take it."""
    said = list(_words_before(heard.tokens, clause, reading, situation))
    frames = [concept.frames for concept in situation.vocabulary.concepts if concept.frames]
    return reading.kind == "number" and any(
        length_at(table, said[-size:], 0) == size for table in frames for size in (3, 2, 1) if size <= len(said)
    )


def _around(clause: Clause, reading: Reading) -> tuple[list[str], list[str]]:
    """The words between a reading and its neighbours in the clause, before and after it."""
    start = max((r.stop for r in clause.readings if r.stop <= reading.first), default=clause.first)
    end = min((r.first for r in clause.readings if r.first >= reading.stop), default=clause.stop)
    paired = list(zip(clause.places, clause.said, strict=True))
    before = [word for at, word in paired if start <= at < reading.first]
    return before, [word for at, word in paired if reading.stop <= at < end]


def takers_of(situation: Situation, mention: Mention) -> list[ExposedField]:
    """The exposed fields (lists aside) that a mention may be for, by name or by type."""
    fields = [field for field in situation.exposed.fields if field.field.type != "list"]
    if mention.named is not None:
        return [field for field in fields if field.address in mention.named]
    return [field for field in fields if takes_kind(situation, field, mention.reading)]
