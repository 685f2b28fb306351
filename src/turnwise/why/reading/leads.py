"""The order of the facts of an answer: the one that a question in plain words asks for comes first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.moves import is_lacking
from turnwise.why.kinds import FactKind
from turnwise.why.names import words_in
from turnwise.why.phrases import GIVE_BACK, TAKE_OVER
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.beside import beside
from turnwise.why.reading.clauses import LOST, STAYING, UNANSWERED
from turnwise.why.reading.rejections import rejecting
from turnwise.why.reading.sentences import Sentence
from turnwise.why.reading.values import REFUSED, UNDONE, of_words, with_value, words_of_value
from turnwise.why.subjects import answer
from turnwise.why.subjects.supposed import answer_supposed


async def ordered(query: Query, reading: Reading) -> list[Fact]:
    """Return the answer, its facts in order: what the clause that asks is about, then what the question asks beside
    that or holds against it, then what completes the answer, and at last which turns were not searched.
    """
    supposes = reading.supposes
    facts = await (answer_supposed(query, supposes) if supposes is not None else answer(query))
    lead = _lead(facts, reading) if reading.sentence is not None else None
    first = lead if lead is not None else facts[0]
    first = first if _is_refusal(query, reading) else _not_before(facts, reading, first) or first
    others = [one async for one in beside(query, reading, first)]
    leading = [one.fact for one in others if one.leads]
    following = [one.fact for one in others if not one.leads]
    end = Subject("conversation")
    unread = [query.end.standing("not_searched", end, first=query.searched)] if query.searched else []
    return [*leading, first, *following, *facts, *unread]


def distinct(facts: Sequence[Fact]) -> list[Fact]:
    """Return facts without those that stand before, as one of the facts or among its causes."""
    known: set[tuple[str, int, int]] = set()
    found: list[Fact] = []
    for fact in facts:
        found += [fact] if _key(fact) not in known else []
        known |= {_key(one) for one in fact.walk()}
    return found


def _key(fact: Fact) -> tuple[str, int, int]:
    return fact.text, fact.turn, fact.seq


def _lead(facts: Sequence[Fact], reading: Reading) -> Fact | None:
    """Return the fact that a question asks for: a value that was refused or taken back where the question has it, and
    not the value that the field has: `why was 51 not taken?` Else the fact that is about what the question asks of its
    subject: how it was lost, entered, refused, what it lacks; `None` where that is the first one.
    """
    assert reading.sentence is not None, "only a question in plain words asks for one of several facts"
    if reading.cue is not None and reading.cue.happening in ("change", "outside"):
        acted = next((fact for fact in facts if fact.kind in ("person_acted", "commands_received")), None)
        if acted is not None:
            return acted
    if reading.refused:
        return next((fact for fact in facts if fact.seq == reading.refused), None)
    repeated = {*reading.sentence.content} - {*words_in(reading.subject.name)}
    of_message = reading.subject.kind == "message"
    lead = (of_words if of_message else with_value)(facts, reading.sentence, repeated)
    lead = lead if lead is not None else _asked_for(facts, reading.subject, reading.sentence, repeated)
    if lead is not None and lead.kind == "give_back_refused":  # each value has its reason
        return next((fact for fact in facts if lead in fact.causes), lead)
    return lead


def _is_refusal(query: Query, reading: Reading) -> bool:
    """Return whether a transition rejects that the question does not name: that it was taken is the reason why the user
    was not let in.
    """
    is_named = reading.subject in reading.names.best
    return not is_named and any(one.id == reading.subject.name for one in rejecting(query.machine))


def _not_before(facts: Sequence[Fact], reading: Reading, lead: Fact) -> Fact | None:
    """Return why something was not so before it came to be so, where the question is why it was not; `None` where the
    fact does not say that it was.
    """
    closest = next((fact for fact in facts if fact.kind == "came_closest"), None)
    if closest is not None and lead.kind == "node_never_entered" and reading.turn is None and _is_past(reading):
        return closest
    own = (lead.values.get("target"), lead.values.get("transition"))
    is_so = lead.kind in ("node_left", "decided") and reading.subject.name in own
    if reading.sentence is None or not reading.sentence.is_negated or not is_so:
        return None
    before = (fact for fact in facts if fact.kind == "transition_judged" and 0 < fact.turn < lead.turn)
    return next(before, None)


def _is_past(reading: Reading) -> bool:
    """Return whether a question asks how something was, and not how it stands."""
    return reading.sentence is not None and not reading.sentence.is_present


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
    """Return whether a decision in a node took no transition because none held."""
    return is_lacking(fact) and fact.values["node"] == subject.name


_ENTERED = r"(?:come|came|comes|get|got|go|went|led|lead|sent|brought|moved?|turned)(?: \w+){0,2} (?:to|into|back)"
_SAID = late_pattern(r"\b(?:say|says|said|writes?|wrote|tells?|told|sagte?|gesagt|schr[ei]+b)\b")
_ASPECTS = (
    _Aspect(LOST, UNDONE),
    _Aspect(UNANSWERED, ("message_not_interpreted",)),
    _aspect(
        r"refus\w+|reject\w+|declin\w+|ignor\w+|(?:not|\w+n't|never|nicht|nie)(?: \w+)? (?:accept\w*|taken?|stored?"
        r"|saved?|noted?|kept|keep|enough|(?:get|go|got) through|übernommen|gespeichert|notiert"
        r"|akzeptiert|angenommen)|abgelehnt|fehlt|failed|empty|blank|leer"
        r"|(?:could|can|konnte\w*|kann|durfte\w*|darf)(?:n't| (?:\w+ ){0,4}(?:not|nicht))",
        *REFUSED,
    ),
    _Aspect(
        late_pattern(rf"\b(?:{_ENTERED}|enter\w*|reach\w*|kam\w*|gekommen|gelangt\w*|geschickt)\b"),
        ("node_left",),
        _leads_to,
    ),
    _aspect(
        r"missing|lacks?|lacking|need(?:s|ed)?(?! (?:an? )?(?:human|person))|required|fehlt|fehlen|nötig|gebraucht",
        "transition_judged",
    ),
    _aspect(
        rf"{TAKE_OVER}|übernommen|(?:get|got|come|came)(?: \w+)? in(?:to)?",
        "person_took_over",
        "person_in_charge",
    ),
    _aspect(GIVE_BACK, "person_gave_back"),
    _Aspect(_SAID, ("person_said",)),
    _aspect(r"return\w*|lieferte?|geliefert|zurückgab", "tool_returned", "call_answered"),
    _aspect(
        r"how long|wie lange|(?:so|too) (?:late|long)|(?:so|zu) (?:spät|lange)",
        "nobody_came",
        "person_took_over",
        "timer_fired",
    ),
    _aspect(r"queues?|warteschlange", "person_awaited", "person_is_awaited"),
    _aspect(r"see|saw|seen|shown?|prompt|sah|sieht|gesehen|gezeigt", "prompt_shown"),
    _aspect(r"(?:when|wann)\b.*\b(?:armed|gestellt)|armed anew|more time|neu gestellt|mehr zeit", "timer_armed"),
    _aspect(r"armed|gestellt", "timer_is_armed", "timer_not_armed"),
    _Aspect(STAYING, ("decided",), _is_lacking),
)


def _asked_for(facts: Sequence[Fact], subject: Subject, sentence: Sentence, repeated: set[str]) -> Fact | None:
    """Return the fact about what the question asks of its subject; `None` where the first one says it."""
    first = facts[0]
    if first.kind == "person_acted":
        return _of_person(facts, subject, sentence)
    if first.kind == "node_not_in_charge" and not (sentence.is_present or _LEFT.search(sentence.text)):
        return next((fact for fact in facts if fact.kind == "node_left" and _leads_to(fact, subject)), None)
    for aspect in [one for one in _ASPECTS if one.asks.search(sentence.clause)]:
        found = [fact for fact in facts if aspect.says(fact, subject)]
        said = [fact for fact in found if not repeated.isdisjoint(words_of_value(fact))]
        own = (first,) if first.kind in ("node_not_in_charge", "timer_fired") else (first, *first.causes)
        if first in said or (not said and any(aspect.says(one, subject) for one in own)):
            return None
        if found and not all(first in fact.causes for fact in found):
            return (said or found)[0 if sentence.is_about_first else -1]
    return None


_LEFT = late_pattern(
    r"\b(?:no longer|any ?more|nicht mehr|not|never|\w+n't|nicht|nie|left|lea[vf]\w+|verlassen|over"
    r"|end(?:s|ed)?|weiter)\b"
)
"""What asks how a node was left, or why it was not in charge. Any other question about the past asks how it came."""
_TO = ("to", "zu", "mit", "with")


def _of_person(facts: Sequence[Fact], subject: Subject, sentence: Sentence) -> Fact | None:
    """Return the act of a person, or what came of it, that the question asks for; else what the user said meanwhile."""
    meanwhile = [fact for fact in facts[1:] if fact.kind == "message_not_interpreted"]
    said, name = _SAID.search(sentence.clause) is not None, {*words_in(subject.name)}
    by_person = any(word in name and before not in _TO for before, word in pairwise(("", *sentence.main)))
    if meanwhile and said and not by_person:
        return meanwhile[0]
    effects = [fact for fact in facts[1:] if fact.kind in REFUSED]
    asked = (one for one in _ASPECTS if one.asks.search(sentence.text))
    found = [fact for aspect in asked for fact in (*facts[0].causes, *effects) if aspect.says(fact, subject)]
    return found[-1] if found else None
