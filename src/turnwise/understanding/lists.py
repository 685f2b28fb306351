"""Understands messages that add items to list fields or remove them.

No message empties a filled list, and free words are items only where the list is what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import Add, AnyCommand, Remove, Set, Skip
from turnwise.core.values import Refused, is_free_text, item_field, read_value
from turnwise.understanding.answers import answer_of
from turnwise.understanding.clauses import Clause, Message
from turnwise.understanding.fitting import fit, takes_kind
from turnwise.understanding.labels import near_option
from turnwise.understanding.mentions import Mention, list_options
from turnwise.understanding.requests import kind_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.shape import is_one_of, length_at

_MOST_ITEM_WORDS = 12
_MARKS = frozenset("-*•·>")
_CLOSING = frozenset(".,;:!?()\"'")
Item = tuple[Any, tuple[int, int], bool]
"""A value, its words, and whether it is put in (or taken out)."""


def list_commands(message: Message, mentions: tuple[Mention, ...]) -> list[AnyCommand]:
    """Return the commands that change the exposed lists."""
    commands: list[AnyCommand] = []
    for field in message.situation.exposed.fields:
        if field.field.type != "list":
            continue
        is_free = is_free_text(item_field(field.field))
        items = list(_free_items(message, field) if is_free else _items(message, mentions, field))
        is_all = _is_all(message)
        commands += _commands(field, items, message.situation, is_all=is_all) if items else _none_of(message, field)
    return commands


def _is_all(message: Message) -> bool:
    """True if the items are all that the list shall have (`only sugar`), so that they replace those that it has."""
    situation, clauses = message.situation, [one for one in message.stated() if one.readings]
    verbs = situation.requests.add_verbs | situation.requests.remove_verbs | situation.requests.clear_verbs
    changes = verbs | situation.speech.additions
    return any(not situation.speech.exclusives.isdisjoint(one.said) for one in clauses) and all(
        one.asserts() and changes.isdisjoint(one.said) for one in clauses
    )


def _commands(field: ExposedField, items: list[Item], situation: Situation, *, is_all: bool) -> Iterator[AnyCommand]:
    """The commands for items of one field: a first answer sets the list, a later one changes it, or replaces it if it
    `is_all` that the list shall have.
    """
    old = _items_now(field)
    out = [value for value, _, is_put_in in items if not is_put_in]
    put_in = [(value, words) for value, words, is_put_in in items if is_put_in and value not in out]
    sets = is_all if old else situation.asks(field)
    if put_in and sets and situation.allows("set"):
        value = read_value(field.field, list(dict.fromkeys(item for item, _ in put_in)), situation.rules)
        if not isinstance(value, Refused):
            span = (min(words[0] for _, words in put_in), max(words[1] for _, words in put_in))
            yield Set(field=field.address, value=value, correction=bool(old), words=span, confidence=1.0)
        return
    for value, words, is_put_in in items:
        if is_put_in and value not in old and situation.allows("add"):
            yield Add(field=field.address, item=value, words=words, confidence=1.0)
        elif not is_put_in and value in old and situation.allows("remove"):
            yield Remove(field=field.address, item=value, words=words, confidence=1.0)


def _items_now(field: ExposedField) -> list[Any]:
    return list(field.value) if isinstance(field.value, list) else []  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _none_of(message: Message, field: ExposedField) -> list[AnyCommand]:
    """Return the command for a message that has nothing to list (`none`, `no allergies`): the list is set to an empty
    one (law 1.3), or skipped where it cannot be set or must have items.
    """
    situation, speech = message.situation, message.situation.speech
    has_no = any(is_one_of(speech.no, words_of(option.value)) for option in field.field.options)
    if not situation.asks(field) or _items_now(field) or has_no or not message.clauses:
        return []
    says_none = all(_says_none(clause, situation) for clause in message.clauses)
    if not says_none:
        return []
    may_be_empty = not isinstance(read_value(field.field, [], situation.rules), Refused)
    if may_be_empty and situation.allows("set"):
        return [Set(field=field.address, value=[], words=message.whole(), confidence=1.0)]
    return [Skip(words=message.whole(), confidence=1.0)]


def _says_none(clause: Clause, situation: Situation) -> bool:
    """True if a clause is a no, or negates only the field."""
    speech, said = situation.speech, clause.said
    if clause.readings or clause.is_question or clause.is_doubtful:
        return False
    only_names = all(w in speech.filler or w in speech.negators or situation.labels.knows(w) for w in said)
    return answer_of(said, situation) is False or (only_names and not speech.negators.isdisjoint(said))


# options and typed values --------------------------------------------------------------------------


def _items(message: Message, mentions: tuple[Mention, ...], field: ExposedField) -> Iterator[Item]:
    """Yield the items to add to a list of options or typed values, from exact or inexact words, and those to remove."""
    situation = message.situation
    is_asked = situation.asks(field)
    for clause in message.stated():
        for old in clause.olds:
            value = fit(situation, field, old)
            if value is not None:
                yield value, message.span(old), False
    bare = [one.foreign for one in message.stated() if one.foreign and one.said == one.foreign and not one.readings]
    # a piece of the enumeration is none of the options: `nuts, cats`
    has_unknown = is_asked and any(near_option(said, field, situation.vocabulary) is None for said in bare)
    if has_unknown or (is_asked and _misses_item(message, mentions, field)):
        return  # the others would be only a part of the answer
    own = [
        one
        for one in mentions
        if not one.is_doubtful
        and (is_asked or field.address in (one.named or list_options(one.reading, situation)))
        and takes_kind(situation, field, one.reading)
    ]
    for mention in _uncorrected(own, situation):
        value = fit(situation, field, mention.reading)
        if value is not None:
            yield value, message.span(mention.reading), not mention.takes_out
    for clause in message.clauses if is_asked else ():
        is_plain = clause.asserts() and not clause.readings
        near = near_option(clause.foreign, field, situation.vocabulary) if is_plain else None
        if near:
            yield near[0], message.span(clause), True


def _misses_item(message: Message, mentions: tuple[Mention, ...], field: ExposedField) -> bool:
    """True if the message has another option of this list that is not used."""
    counted = [mention.reading for mention in mentions] + [old for clause in message.clauses for old in clause.olds]
    return any(
        reading.kind == "option" and reading not in counted and takes_kind(message.situation, field, reading)
        for clause in message.stated()
        for reading in clause.readings
    )


def _uncorrected(mentions: list[Mention], situation: Situation) -> list[Mention]:
    """Return the items after a correction: the second of two replaces the first (`nuts, no, dust`). With more, it is
    not clear which, so that none counts.
    """
    last = max((one.segment for one in mentions), default=0)
    before, final = ([one for one in mentions if (one.segment == last) is is_last] for is_last in (False, True))
    additions = situation.speech.additions
    if not before or final[0].clause.joint in additions or not additions.isdisjoint(final[0].clause.said):
        return mentions
    return final if len(before) == len(final) == 1 else []


# free words ----------------------------------------------------------------------------------------


def _free_items(message: Message, field: ExposedField) -> Iterator[Item]:
    """Return every clause as an item of the asked list, without lead-in words (`I have a`, `also`)."""
    situation, speech, text = message.situation, message.situation.speech, message.text
    if not situation.asks(field) or any(_ends_list(clause, situation) for clause in message.clauses):
        return
    takes_out = False
    for clause in message.clauses:
        said = text.words[clause.first : clause.stop]
        if clause.is_question or not 0 < len(said) <= _MOST_ITEM_WORDS or answer_of(said, situation) is not None:
            continue
        if not speech.copulas.isdisjoint(said) or speech.negators.issuperset(said):
            continue  # a sentence about an item, or a "no"
        is_removal = clause.is_negated or said[0] in situation.requests.remove_verbs
        takes_out = is_removal or (takes_out and clause.joint not in ".,;\n")
        first = clause.first + _carrier_size(said, situation, takes_out=takes_out)
        stop = _item_stop(message, first, clause.stop)
        if stop <= first:
            continue
        typed = text.typed(first, stop)
        same = [one for one in _items_now(field) if isinstance(one, str) and one.casefold() == typed.casefold()]
        if same or not takes_out:
            yield same[0] if takes_out else typed, text.span(first, stop), not takes_out


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


def _item_stop(message: Message, first: int, stop: int) -> int:
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
