"""Items of list fields: what a message puts in and takes out.

It never empties a list, and takes free words as items only where the list is what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import Add, AnyCommand, Remove, Set, Skip
from turnwise.core.values import Refused, is_free_text, item_field, read_value
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.fitting import fit, takes_kind
from turnwise.understanding.mentions import Mention, list_options
from turnwise.understanding.options import near_option
from turnwise.understanding.polarity import answer_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.shape import is_one_of, length_at

_MOST_ITEM_WORDS = 12
_MARKS = frozenset("-*•·>")
Item = tuple[Any, tuple[int, int], bool]
"""A value, its words, and whether it is put in (or taken out)."""


def list_commands(heard: Heard, mentions: tuple[Mention, ...], situation: Situation) -> list[AnyCommand]:
    """What a message does to the exposed lists."""
    commands: list[AnyCommand] = []
    for field in situation.exposed.fields:
        if field.field.type == "list":
            items = list(_items(heard, mentions, field, situation))
            commands += _commands(field, items, situation)
            commands += [] if items else none_of(heard, field, situation)
    return commands


def _items(heard: Heard, mentions: tuple[Mention, ...], field: ExposedField, situation: Situation) -> Iterator[Item]:
    is_asked = _is_asked(field, situation)
    if is_free_text(item_field(field.field)):
        yield from _free_items(heard, field, situation) if is_asked else ()
        return
    yield from _old_items(heard, field, situation)
    if is_asked and any(_is_unknown(clause, field, situation) for clause in heard.clauses):
        return
    own = [mention for mention in mentions if _is_for(mention, field, situation, is_asked=is_asked)]
    if is_asked and _misses_item(heard, mentions, field, situation):
        return
    for mention in _uncorrected(own, situation):
        value = fit(situation, field, mention.reading)
        if value is not None:
            yield value, heard.words(mention.reading.first, mention.reading.stop), not mention.takes_out
    if is_asked:
        yield from _near_items(heard, field, situation)


def _is_for(mention: Mention, field: ExposedField, situation: Situation, *, is_asked: bool) -> bool:
    names_it = field.address in (mention.named or list_options(mention.reading, situation))
    return not mention.is_doubtful and (is_asked or names_it) and takes_kind(situation, field, mention.reading)


def _misses_item(heard: Heard, mentions: tuple[Mention, ...], field: ExposedField, situation: Situation) -> bool:
    """True where an item of the same message does not count, so that the others would be only a part of the answer."""
    counted = [mention.reading for mention in mentions]
    said = [one for clause in heard.clauses if not clause.is_question for one in clause.readings]
    olds = [old for clause in heard.clauses for old in clause.olds]
    open_ones = [one for one in said if one not in counted and one not in olds]
    return any(one.kind == "option" and takes_kind(situation, field, one) for one in open_ones)


def _uncorrected(mentions: list[Mention], situation: Situation) -> list[Mention]:
    """Without what is taken back: of two items the second takes the place of the first (`nuts, no, dust`); with
    more it is not clear which, so that none counts.
    """
    last = max((one.segment for one in mentions), default=0)
    before, final = ([one for one in mentions if (one.segment == last) is is_last] for is_last in (False, True))
    speech = situation.vocabulary.speech
    if not before or final[0].clause.joint in speech.additions or speech.additions.intersection(final[0].clause.said):
        return mentions
    return final if len(before) == len(final) == 1 else []


def _is_unknown(clause: Clause, field: ExposedField, situation: Situation) -> bool:
    """True for a piece of an enumeration that is none of the options (`nuts, cats`)."""
    is_bare = bool(clause.foreign) and clause.said == clause.foreign and not clause.readings
    return is_bare and not clause.is_question and near_option(clause.foreign, field, situation.vocabulary) is None


def _is_asked(field: ExposedField, situation: Situation) -> bool:
    return situation.asked is not None and situation.asked.address == field.address


def _old_items(heard: Heard, field: ExposedField, situation: Situation) -> Iterator[Item]:
    """What is said not to be in the list."""
    for clause in heard.clauses:
        for old in () if clause.is_question else clause.olds:
            value = fit(situation, field, old)
            if value is not None:
                yield value, heard.words(old.first, old.stop), False


def _near_items(heard: Heard, field: ExposedField, situation: Situation) -> Iterator[Item]:
    for clause in heard.clauses:
        if clause.readings or clause.is_question or clause.is_doubtful or clause.is_negated:
            continue
        near = near_option(clause.foreign, field, situation.vocabulary)
        if near:
            yield near[0], heard.words(clause.first, clause.stop), True


def _commands(field: ExposedField, items: list[Item], situation: Situation) -> Iterator[AnyCommand]:
    held = _held_items(field)
    out = [item[0] for item in items if not item[2]]
    put_in = [item for item in items if item[2] and item[0] not in out]
    if put_in and not held and _is_asked(field, situation) and situation.allows("set"):
        value = read_value(field.field, list(dict.fromkeys(item[0] for item in put_in)), situation.rules)
        if not isinstance(value, Refused):
            words = (min(item[1][0] for item in put_in), max(item[1][1] for item in put_in))
            yield Set(field=field.address, value=value, words=words, confidence=1.0)
        return
    for value, words, is_put_in in items:
        if is_put_in and value not in held and situation.allows("add"):
            yield Add(field=field.address, item=value, words=words, confidence=1.0)
        elif not is_put_in and value in held and situation.allows("remove"):
            yield Remove(field=field.address, item=value, words=words, confidence=1.0)


def none_of(heard: Heard, field: ExposedField, situation: Situation) -> list[AnyCommand]:
    """That there is nothing to list (`none`, `no allergies`): the question is left out, where it may be."""
    speech = situation.vocabulary.speech
    options = (words_of(option.value) for option in field.field.options)
    if not _is_asked(field, situation) or _held_items(field) or any(is_one_of(speech.no, said) for said in options):
        return []
    if not heard.clauses or not all(_says_none(clause, situation) for clause in heard.clauses):
        return []
    return [Skip(words=heard.words(0, len(heard.tokens)), confidence=1.0)]


def _says_none(clause: Clause, situation: Situation) -> bool:
    if clause.readings or clause.is_question or clause.is_doubtful:
        return False
    speech = situation.vocabulary.speech
    small = speech.filler | speech.negators
    names = all(word in small or situation.labels.knows(word) for word in clause.said)
    is_negated = bool(speech.negators.intersection(clause.said))
    return answer_of(clause.said, situation) is False or (is_negated and names)


# free words ----------------------------------------------------------------------------------------


def _free_items(heard: Heard, field: ExposedField, situation: Situation) -> Iterator[Item]:
    """Every clause is an item, without the words that carry it (`I have a`, `also`)."""
    held = _held_items(field)
    if any(clause.is_doubtful for clause in heard.clauses):
        return
    takes_out = False
    for clause in heard.clauses:
        said = tuple(token.word for token in heard.tokens[clause.first : clause.stop])
        if not _says_item(clause, said, situation):
            continue
        takes_out = clause.is_negated or _takes_out(said, situation) or (takes_out and clause.joint not in ".,;\n")
        first = clause.first + _carried(said, situation, takes_out=takes_out)
        stop = _trimmed(heard, first, clause.stop, situation)
        if stop <= first:
            continue
        text = heard.text(first, stop)
        value = _held(text, held) if takes_out else text
        if value is not None:
            yield value, heard.words(first, stop), not takes_out


def _says_item(clause: Clause, said: tuple[str, ...], situation: Situation) -> bool:
    """True for a clause that can be an item: short, no question, no answer, no sentence about one."""
    speech = situation.vocabulary.speech
    if clause.is_question or not 0 < len(said) <= _MOST_ITEM_WORDS or answer_of(said, situation) is not None:
        return False
    return not speech.copulas.intersection(said) and set(said) != set(said) & speech.negators


def _takes_out(said: tuple[str, ...], situation: Situation) -> bool:
    return said[0] in situation.vocabulary.requests.remove_verbs


def _carried(said: tuple[str, ...], situation: Situation, *, takes_out: bool) -> int:
    """How many words lead up to the item."""
    requests, speech = situation.vocabulary.requests, situation.vocabulary.speech
    at = 0
    while at < len(said):
        size = length_at(requests.list_carriers, said, at)
        is_verb = takes_out and said[at] in requests.remove_verbs | speech.negators | speech.filler
        if not size and not is_verb and said[at] not in _MARKS:
            return at
        at += size or 1
    return at


def _trimmed(heard: Heard, first: int, stop: int, situation: Situation) -> int:
    speech = situation.vocabulary.speech
    while stop > first:
        tail = tuple(token.word for token in heard.tokens[max(first, stop - 2) : stop])
        if len(tail) == 2 and length_at(speech.fill_phrases, tail, 0) == 2:
            stop -= 2
        elif tail[-1] in speech.trailing or heard.tokens[stop - 1].kind == "mark":
            stop -= 1
        else:
            break
    return stop


def _held_items(field: ExposedField) -> list[Any]:
    return list(field.value) if isinstance(field.value, list) else []  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _held(text: str, held: list[Any]) -> Any | None:
    return next((item for item in held if isinstance(item, str) and item.casefold() == text.casefold()), None)
