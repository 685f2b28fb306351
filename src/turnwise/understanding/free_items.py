"""Finds the items of a list of texts in the clauses of a message: `I have a headache`, `also nuts, milk and eggs`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import Set
from turnwise.core.values.entries import DIVIDING_MARKS, Joint, joint_of_mark, joints_that_divide
from turnwise.understanding.answers import answer_of
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.requests import kind_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.text_lists import unclear_items
from turnwise.understanding.vocabulary.tables import length_at

_MOST_ITEM_WORDS = 12
_MARKS = frozenset("-*•·>")
_CLOSING = frozenset(".,;:!?()\"'")
_QUOTES = frozenset('"“”„«»')
Item = tuple[Any, tuple[int, int], bool]
"""A value, start and end (exclusive) of its words in the message, and whether it is put in (or taken out)."""


def items_now(field: AllowedField) -> list[Any]:
    """Return the items that a list field has at present."""
    return list(field.value) if isinstance(field.value, list) else []  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def free_items(message: ParsedMessage, field: AllowedField) -> Iterator[Item]:
    """Yield every clause as an item of the asked list, without lead-in words (`I have a`, `also`)."""
    situation, speech, text = message.situation, message.situation.speech, message.text
    takes_out = False
    for clause in _whole_items(message, field):
        said = text.words[clause.first : clause.stop]
        if not speech.copulas.isdisjoint(said) or speech.negators.issuperset(said):
            continue  # a sentence about an item, or a "no"
        is_removal = clause.is_negated or said[0] in situation.requests.remove_verbs
        takes_out = is_removal or (takes_out and clause.joint not in ".,;\n")
        first, stop = _item(message, clause, takes_out=takes_out)
        if stop <= first:
            continue
        typed = text.as_typed(first, stop)
        same = [one for one in items_now(field) if isinstance(one, str) and one.casefold() == typed.casefold()]
        if same or not takes_out:
            yield same[0] if takes_out else typed, text.span(first, stop), not takes_out


def unclear_list(message: ParsedMessage, field: AllowedField) -> list[Set]:
    """Return the command for a message that may list one item or several: its whole text, which the machine refuses."""
    clauses, situation = _listing(message, field), message.situation
    if len(clauses) < 2 or not situation.allows("set"):
        return []
    first, stop = _item(message, clauses[0], takes_out=False)[0], _item(message, clauses[-1], takes_out=False)[1]
    typed = unclear_items(field.field, message.text.as_typed(first, stop), situation.rules) if first < stop else None
    is_change = bool(items_now(field))
    if typed is None:
        return []
    return [Set(message.text.span(first, stop), 1.0, value=typed, field=field.address, correction=is_change)]


# clauses as items ----------------------------------------------------------------------------------


def _listing(message: ParsedMessage, field: AllowedField) -> list[Clause]:
    """Return the clauses that may be items: none that ask, answer or say too much; none at all beside quotes, a doubt
    or a command.
    """
    words, situation = message.text.words, message.situation
    if not situation.asks(field) or not _QUOTES.isdisjoint(words):
        return []
    if any(_ends_list(clause, situation) for clause in message.clauses):
        return []
    return [
        clause
        for clause in message.clauses
        if not clause.is_question
        and 0 < clause.stop - clause.first <= _MOST_ITEM_WORDS
        and answer_of(words[clause.first : clause.stop], situation) is None
        and _says_something(message, clause)
    ]


def _says_something(message: ParsedMessage, clause: Clause) -> bool:
    """True for a clause that has more than lead-in and filler words."""
    first, stop = _item(message, clause, takes_out=True)
    return first < stop


def _whole_items(message: ParsedMessage, field: AllowedField) -> list[Clause]:
    """Return the clauses that may be items, those in one that a word such as *and* does not divide; none where that is
    not clear (`salt and pepper chips`).
    """
    clauses = _listing(message, field)
    joints: list[Joint] = [_joint(message, field, left, right) for left, right in pairwise(clauses)]
    divides = joints_that_divide(joints)
    if divides is None:
        return []
    found = clauses[:1]
    for clause, divided in zip(clauses[1:], divides, strict=True):
        before = found[-1]
        if divided:
            found.append(clause)
        else:
            is_negated = before.is_negated or clause.is_negated
            found[-1] = replace(before, stop=clause.stop, is_negated=is_negated)
    return found


def _joint(message: ParsedMessage, field: AllowedField, left: Clause, right: Clause) -> Joint:
    """Return what stands between two clauses. A word such as *and* divides like a mark where both are known items, or
    where the second has lead-in words of its own (`a headache and a fever`, `nuts and no milk`).
    """
    words, first = message.text.words, right.first
    if right.joint not in message.situation.language.phrases["and"]:
        return joint_of_mark(right.joint)
    before = words[first - 2] if first > 1 else ""
    if before == "-" or before in DIVIDING_MARKS:
        return "hyphen" if before == "-" else joint_of_mark(before)
    known = {str(one).casefold() for one in items_now(field)}
    spans = [_item(message, one, takes_out=True) for one in (left, right)]
    are_known = all(start < stop and message.text.as_typed(start, stop).casefold() in known for start, stop in spans)
    leads = [start > one.first for one, (start, _) in zip((left, right), spans, strict=True)]
    return "mark" if are_known or (leads[1] and (leads[0] or _changes_list(words[first], message))) else "and"


def _changes_list(word: str, message: ParsedMessage) -> bool:
    """True for a word that puts something in or takes it out."""
    requests, speech = message.situation.requests, message.situation.speech
    return word in requests.add_verbs | requests.remove_verbs | speech.negators | speech.additions


def _item(message: ParsedMessage, clause: Clause, *, takes_out: bool) -> tuple[int, int]:
    """Return the tokens of a clause without its lead-in words and trailing filler words."""
    said = message.text.words[clause.first : clause.stop]
    first = clause.first + _carrier_size(said, message.situation, takes_out=takes_out)
    return first, _item_stop(message, first, clause.stop)


def _ends_list(clause: Clause, situation: Situation) -> bool:
    """True for a clause after which nothing of a message is an item: a doubt, or a command (`nuts, cancel`)."""
    phrases, requests = situation.language.phrases, situation.requests
    changes = requests.add_verbs | requests.remove_verbs | requests.clear_verbs
    asks = bool(kind_of(clause.said, situation)) and changes.isdisjoint(clause.said)
    return clause.is_doubtful or asks or " ".join(clause.said) in phrases["dont_know"]


def _carrier_size(said: tuple[str, ...], situation: Situation, *, takes_out: bool) -> int:
    """Return the number of lead-in words before the item."""
    requests, speech = situation.requests, situation.speech
    at = 0
    while at < len(said):
        size = length_at(requests.list_carriers, said, at)
        is_verb = takes_out and said[at] in requests.remove_verbs | speech.negators | speech.filler
        if not size and not is_verb and said[at] not in _MARKS:
            return at
        at += size or 1
    return at


def _item_stop(message: ParsedMessage, first: int, stop: int) -> int:
    """Return the token after an item, without trailing filler words."""
    words, speech = message.text.words, message.situation.speech
    while stop > first:
        if stop - first > 1 and length_at(speech.fill_phrases, words[stop - 2 : stop], 0) == 2:
            stop -= 2
        elif words[stop - 1] in speech.trailing or words[stop - 1] in _CLOSING:
            stop -= 1
        else:
            break
    return stop
