"""Which fact of an answer comes first: the one that a question in plain words asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.reading import Reading
from turnwise.why.reading.sentences import Sentence

_UNDONE: tuple[FactKind, ...] = (
    "value_undone",
    "value_lost",
    "field_cleared",
    "field_shelved",
    "field_inactive",
    "items_removed",
)
"""Facts about values that a field no longer has."""
_REFUSED: tuple[FactKind, ...] = (
    *("value_refused", "command_refused", "write_refused", "give_back_refused", "call_refused"),
    *("words_not_taken", "not_understood"),
)
"""Facts about values that a field never had."""


def with_lead(facts: Sequence[Fact], reading: Reading) -> list[Fact]:
    """Return the facts of an answer. A value that was refused or taken back comes first where the question has it, and
    not the value that the field has: `why was 51 not taken?` Else the fact comes first that is about what the question
    asks of its subject: how it was lost, entered, refused, what it lacks.
    """
    lead = _lead(facts, reading) if reading.sentence is not None else None
    return list(facts) if lead is None else [lead, *(fact for fact in facts if fact is not lead)]


def _lead(facts: Sequence[Fact], reading: Reading) -> Fact | None:
    assert reading.sentence is not None, "only a question in plain words asks for one of several facts"
    if reading.cue is not None and reading.cue.happening == "change":
        acted = next((fact for fact in facts if fact.kind == "person_acted"), None)
        if acted is not None:
            return acted
    repeated = {*reading.sentence.content} - {*words_in(reading.subject.name)}
    of_message = reading.subject.kind == "message"
    lead = (_of_words if of_message else _with_value)(facts, reading.sentence, repeated)
    return lead if lead is not None else _asked_for(facts, reading.subject, reading.sentence, repeated)


# a value that the question has --------------------------------------------------------------------


def _with_value(facts: Sequence[Fact], sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return the fact about a value that the question has, and that the field has not; also about one that the question
    only holds against the value of the field: `why is it Partial although I said no?`, `why is it still Partial?`
    """
    first = facts[0]
    if first.kind == "field_empty":
        return _of_empty(facts, sentence, repeated)
    if first.kind not in ("field_set", "value_read"):
        return None
    own = _words(first.values["value"])
    added = [
        one for one in facts if one.kind == "items_added" and _words(one.values["before"]) & own & {*sentence.main}
    ]
    if len(added) == 1 and added[0].values["turn"] != first.turn and not own.issubset(sentence.words):
        return added[0]
    is_against = _AGAINST.search(sentence.text) is not None
    if own.issubset(sentence.words) and not is_against:
        return None
    lost = [fact for fact in facts if fact.kind in (*_UNDONE, *_REFUSED)]
    said = [fact for fact in lost if not (repeated - own).isdisjoint(_lost(fact))]
    since = [fact for fact in lost if not 0 < fact.seq < first.seq] if is_against else []
    return next(iter(said or since[::-1]), None)


def _of_empty(facts: Sequence[Fact], sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return the value that an empty field had, or words for one that it did not take, where the question has them."""
    asked = {*words_in(sentence.text)} if _IS_PAST.match(sentence.text) is not None else set[str]()
    had = (one for one in facts if one.kind == "field_set" and _words(one.values["value"]) <= asked)
    unused = (one for one in facts if one.kind == "words_not_taken" and _words(one.values["word"]) & repeated)
    return next(had, None) or next(unused, None)


_IS_PAST = late_pattern(r"\s*(?:who|wer|when|wann|how|wie|was|did|had)\b")
"""How a question begins that asks for a value of before, and not why there is none."""


def _of_words(facts: Sequence[Fact], _sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return what became of the words of a message that the question has; `None` where the first fact says it."""
    said = [fact for fact in facts if fact.kind in _TAKEN_OR_NOT and not repeated.isdisjoint(_lost(fact))]
    return said[0] if said and facts[0] not in said else None


_TAKEN_OR_NOT: tuple[FactKind, ...] = (*_REFUSED, "field_set")
_AGAINST = late_pattern(
    r"\b(?:although|though|despite|obwohl|trotz)\b.*\b(?:sa(?:id|ys?|gte?|gt)|told|answer\w*|wrote|gesagt|schrieb)\b"
    r"|\bstill\b(?! (?:missing|lacking|needed|required|open))|\bimmer noch\b"
)
"""What the user said, or that another value was to be expected, is held against a value."""


def _lost(fact: Fact) -> set[str]:
    """Return the words of a value that was refused or taken back; a refused command has it in what caused it."""
    values = fact.values
    value = next((found for name in ("given", "before", "value", "operator") if (found := values.get(name))), None)
    return _words(value) if value else {word for cause in fact.causes for word in words_in(cause.text)}


def _words(value: Any) -> set[str]:
    return {*words_in(str(value))}


# what the question asks of its subject ------------------------------------------------------------


class _Aspect(NamedTuple):
    """Words that ask for something about a subject, and the facts that say it."""

    asks: re.Pattern[str]
    kinds: tuple[FactKind, ...]
    is_meant: Callable[[Fact, Subject], bool] | None = None

    def says(self, fact: Fact, subject: Subject) -> bool:
        """Return whether a fact says it about a subject."""
        return fact.kind in self.kinds and (self.is_meant is None or self.is_meant(fact, subject))


def _aspect(words: str, *kinds: FactKind) -> _Aspect:
    return _Aspect(late_pattern(rf"\b(?:{words})\b"), kinds)


def _leads_to(fact: Fact, subject: Subject) -> bool:
    return fact.values["target"] == subject.name


def _is_lacking(fact: Fact, subject: Subject) -> bool:
    """Return whether a decision took no transition because none held."""
    return not fact.values["transition"] and fact.values["node"] == subject.name and "which" in fact.text


_ENTERED = r"(?:come|came|comes|get|got|go|went|led|lead|sent|brought|moved?|turned)(?: \w+){0,2} (?:to|into|back)"
_SAID = late_pattern(r"\b(?:say|says|said|writes?|wrote|tells?|told|sagte?|gesagt|schr[ei]+b)\b")
_ASPECTS = (
    _aspect(
        r"no longer|not any ?more|nicht mehr|dropped|lost|lose|gone|vanish\w*|disappear\w*|remov\w+|delet\w+"
        r"|wip(?:e|es|ed)|erased?|cleared|undone|taken back|took back"
        r"|weg|verschwunden|verloren|gelöscht|entfernt|zurückgenommen",
        *_UNDONE,
    ),
    _aspect(
        r"refus\w+|reject\w+|declin\w+|ignor\w+|(?:not|n't|never|nicht|nie)(?: \w+)? (?:accept\w*|taken?|stored?|saved?"
        r"|noted?|kept|keep|enough|übernommen|gespeichert|notiert|akzeptiert|angenommen)|abgelehnt|fehlt|failed|empty|blank|leer",
        *_REFUSED,
    ),
    _Aspect(
        late_pattern(rf"\b(?:{_ENTERED}|enter\w*|reach\w*|kam\w*|gekommen|gelangt\w*|geschickt)\b"),
        ("node_left",),
        _leads_to,
    ),
    _aspect(r"missing|lacks?|lacking|needs?|needed|required|fehlt|fehlen|nötig|gebraucht", "transition_judged"),
    _aspect(r"t(?:ake|akes|ook|aken)(?: \w+){0,2} over|übernommen|übernahm", "person_took_over", "person_in_charge"),
    _aspect(r"g(?:ive|ives|ave|iven)(?: \w+){0,2} back|zurückgegeben|gab \w+ zurück", "person_gave_back"),
    _Aspect(_SAID, ("person_said",)),
    _aspect(r"how long|wie lange", "nobody_came", "person_took_over", "timer_fired"),
    _aspect(r"queues?|warteschlange", "person_awaited", "person_is_awaited"),
    _aspect(r"see|saw|seen|shown?|prompt|sah|sieht|gesehen|gezeigt", "prompt_shown"),
    _aspect(r"(?:when|wann)\b.*\b(?:armed|gestellt)|armed anew|more time|neu gestellt|mehr zeit", "timer_armed"),
    _aspect(r"armed|gestellt", "timer_is_armed", "timer_not_armed"),
    _Aspect(late_pattern(r"\b(?:stay\w*|remain\w*|bl[ei]+b\w*|geblieben)\b"), ("decided",), _is_lacking),
)


def _asked_for(facts: Sequence[Fact], subject: Subject, sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return the fact about what the question asks of its subject; `None` where the first one says it."""
    first = facts[0]
    if first.kind == "person_acted":
        return _of_person(facts, subject, sentence)
    for aspect in [one for one in _ASPECTS if one.asks.search(sentence.clause)]:
        found = [fact for fact in facts if aspect.says(fact, subject)]
        said = [fact for fact in found if not repeated.isdisjoint(_lost(fact))]
        own = (first,) if first.kind == "node_not_in_charge" else (first, *first.causes)
        if first in said or (not said and any(aspect.says(one, subject) for one in own)):
            return None
        if found and not all(first in fact.causes for fact in found):
            return (said or found)[0 if sentence.is_about_first else -1]
    return None


def _of_person(facts: Sequence[Fact], subject: Subject, sentence: Sentence) -> Fact | None:
    """Return the act of a person, or what came of it, that the question asks for; else what the user said meanwhile."""
    meanwhile = [fact for fact in facts[1:] if fact.kind == "message_not_interpreted"]
    if meanwhile and _SAID.search(sentence.clause) and not {*words_in(subject.name)} & {*sentence.main}:
        return meanwhile[0]
    effects = [fact for fact in facts[1:] if fact.kind in _REFUSED]
    asked = (one for one in _ASPECTS if one.asks.search(sentence.text))
    found = [fact for aspect in asked for fact in (*facts[0].causes, *effects) if aspect.says(fact, subject)]
    return found[-1] if found else None
