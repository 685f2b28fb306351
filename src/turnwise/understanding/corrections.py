"""Corrections: which readings correct something, and which answers a message wants changed or removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from turnwise.core.state.commands import AnyCommand, Clear, Edit
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.fitting import fit
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.shape import length_at

Cue = Literal["", "weak", "strong"]


class Place(Struct, frozen=True):
    """How many corrections of earlier readings come before a reading, and how clearly it corrects something."""

    segment: int
    cue: Cue


def corrections_of(heard: Heard) -> Mapping[int, Place]:
    """The place of every reading among the corrections of its message, by the reading's first token."""
    values = [(reading.first, False, False) for clause in heard.clauses for reading in clause.readings]
    cues = [(at, True, clause.is_strong) for clause in heard.clauses for at in clause.cues]
    takes_back = any(clause.olds for clause in heard.clauses)
    places: dict[int, Place] = {}
    segment, has_value, cue = 0, False, _cue(says=takes_back, is_strong=takes_back)
    for at, is_cue, is_strong in sorted([*values, *cues]):
        if is_cue:
            segment, has_value = segment + has_value, False
            cue = _cue(says=True, is_strong=is_strong or cue == "strong")
        else:
            places[at], has_value = Place(segment, cue), True
    return _with_trailing(places, cues)


def _with_trailing(places: dict[int, Place], cues: list[tuple[int, bool, bool]]) -> Mapping[int, Place]:
    """The last reading is also corrected by what follows it (`my name is Adam, sorry`)."""
    last = max(places, default=-1)
    after = [is_strong for at, _, is_strong in cues if at > last]
    if after and last in places and not places[last].cue:
        places[last] = Place(places[last].segment, _cue(says=True, is_strong=any(after)))
    return places


def _cue(*, says: bool, is_strong: bool) -> Cue:
    return "strong" if is_strong else "weak" if says else ""


def says_cue(heard: Heard, reading: Reading, situation: Situation) -> bool:
    """True if a text comes with the words that change it (`change my city to …`)."""
    if reading.kind != "text":
        return False
    said = [token.word for token in heard.tokens[reading.first : reading.stop]]
    return any(length_at(situation.vocabulary.speech.strong_cues, said, at) for at in range(len(said)))


def edits_of(heard: Heard, situation: Situation) -> list[Edit]:
    """The answers that a message calls wrong or wants changed."""
    found: dict[str, Edit] = {}
    goes_on = False
    for clause in heard.clauses:
        field = edited_field(clause, situation)
        if field is None and goes_on and _only_names(clause, situation):
            field = only_named(clause.said, situation)
        goes_on = field is not None
        if field:
            found.setdefault(field, Edit(field=field, words=heard.words(clause.first, clause.stop), confidence=1.0))
    return list(found.values())


def edited_field(clause: Clause, situation: Situation) -> str | None:
    """The field whose answer a clause calls wrong or wants changed, by its name or by the value that it holds."""
    requests, said = situation.vocabulary.requests, clause.said
    if clause.is_question or clause.is_doubtful:
        return None
    if clause.readings:
        says_wrong = bool(requests.wrong.intersection(said)) and requests.wrong.issuperset(clause.foreign)
        return _holder(clause, situation) if says_wrong else None
    for at in range(len(said)):
        if size := length_at(requests.exceptions, said, at):
            return only_named(said[at + size :], situation)
    is_wrong = bool(requests.wrong.intersection(said))
    is_not_right = clause.is_negated and bool(requests.right.intersection(said))
    wants = bool(requests.edit_verbs.intersection(said)) and not clause.is_negated
    return only_named(said, situation) if is_wrong or is_not_right or wants else None


def _holder(clause: Clause, situation: Situation) -> str | None:
    """The only field that holds the one value which a clause says (`Oslo is wrong`)."""
    if len(clause.readings) != 1:
        return None
    reading = clause.readings[0]
    holders = [f for f in situation.exposed.fields if f.value is not None and fit(situation, f, reading) == f.value]
    return holders[0].address if len(holders) == 1 else None


def _only_names(clause: Clause, situation: Situation) -> bool:
    """True for the rest of an enumeration: `(change my name) and age`."""
    return not clause.readings and all(
        word in situation.vocabulary.speech.filler or situation.labels.knows(word) for word in clause.said
    )


def only_named(said: Sequence[str], situation: Situation) -> str | None:
    """The one field that words name, if they name one."""
    named = situation.labels.named(said)
    return next(iter(named)) if len(named) == 1 else None


def clears_of(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The values that a message wants taken away."""
    return [
        Clear(field=name, words=heard.words(clause.first, clause.stop), confidence=1.0)
        for name, clause in _cleared(heard, situation)
    ]


def _cleared(heard: Heard, situation: Situation) -> Iterator[tuple[str, Clause]]:
    goes_on = False
    for clause in heard.clauses:
        verbs = situation.vocabulary.requests.clear_verbs.intersection(clause.said)
        says_so = bool(verbs) and verbs.issuperset(clause.foreign) and not clause.readings
        if clause.is_question or clause.is_negated or clause.is_doubtful:
            says_so = False
        goes_on = says_so or (goes_on and _only_names(clause, situation))
        name = only_named(clause.said, situation) if goes_on else None
        field = situation.exposed.field(name) if name else None
        if field and field.value is not None:
            yield field.address, clause


def chosen_fields(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The answers that a message picks out of those shown: by name or by place."""
    found: dict[str, AnyCommand] = {}
    for clause in heard.clauses:
        if clause.is_question or clause.is_negated or clause.is_doubtful:
            continue
        name = only_named(clause.said, situation) or _at_place(clause, situation)
        if name:
            found.setdefault(name, Edit(field=name, words=heard.words(clause.first, clause.stop), confidence=1.0))
    return list(found.values())


def named_answer(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The answer that a message names and says no more about (`consent`), to be asked again."""
    clause = heard.clauses[0] if len(heard.clauses) == 1 else None
    if clause is None or not clause.is_plain() or not _only_names(clause, situation):
        return []
    name = only_named(clause.said, situation)
    return [Edit(field=name, words=heard.words(clause.first, clause.stop), confidence=1.0)] if name else []


def _at_place(clause: Clause, situation: Situation) -> str | None:
    shown = [field.address for field in situation.exposed.fields if field.value is not None]
    places: list[int] = [reading.value for reading in clause.readings if reading.kind in ("nth", "place")]
    if clause.foreign or len(places) != 1 or not -len(shown) <= places[0] <= len(shown):
        return None
    return shown[places[0] - 1 if places[0] > 0 else places[0]] if places[0] else None
