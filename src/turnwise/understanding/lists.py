"""Understands messages that add items to list fields or remove them.

No message empties a filled list, and free words are items only where the list is what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import Add, AnyCommand, Remove, Set, Skip
from turnwise.core.values import Refused, is_free_text, item_field, read_value
from turnwise.understanding.answers import answer_of
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.field_values import fitting_value, joined_days, takes_kind
from turnwise.understanding.labels import near_option
from turnwise.understanding.mentions import Mention, list_options
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary import item_words
from turnwise.understanding.vocabulary.tables import is_one_of

if TYPE_CHECKING:
    from turnwise.understanding.free_items import Item


def list_commands(message: ParsedMessage, mentions: tuple[Mention, ...]) -> list[AnyCommand]:
    """Return the commands that change the allowed lists."""
    commands: list[AnyCommand] = []
    for field in message.situation.allowed.fields:
        if field.field.type != "list":
            continue
        if field.field.parts:  # its items are understood as a whole: `items`
            commands += _none_of(message, field) if not message.situation.confirms else []
            continue
        commands += _commands_of(message, mentions, field)
    return commands


def _commands_of(message: ParsedMessage, mentions: tuple[Mention, ...], field: AllowedField) -> list[AnyCommand]:
    """Return the commands that change one list."""
    from turnwise.understanding.free_items import free_items, unclear_list
    from turnwise.understanding.left_out import leaves_out, left_out

    is_free = is_free_text(item_field(field.field))
    items = list(free_items(message, field) if is_free else _items(message, mentions, field))
    if not is_free and leaves_out(field, item_words(message.situation.vocabulary.code)):
        items = list(left_out(message, mentions, field, items))
    is_all = _is_all(message)
    found = list(_commands(field, items, message.situation, is_all=is_all) if items else _none_of(message, field))
    return found or ([*unclear_list(message, field)] if is_free else [])


def _is_all(message: ParsedMessage) -> bool:
    """True if the items are all that the list shall have (`only sugar`), so that they replace those that it has."""
    situation, clauses = message.situation, [one for one in message.statements() if one.readings]
    verbs = situation.requests.add_verbs | situation.requests.remove_verbs | situation.requests.clear_verbs
    changes = verbs | situation.speech.additions
    return any(not situation.speech.exclusives.isdisjoint(one.said) for one in clauses) and all(
        one.is_assertion() and changes.isdisjoint(one.said) for one in clauses
    )


def _commands(field: AllowedField, items: list[Item], situation: Situation, *, is_all: bool) -> Iterator[AnyCommand]:
    """The commands for items of one field: a first answer sets the list, a later one changes it, or replaces it if it
    `is_all` that the list shall have.
    """
    from turnwise.understanding.free_items import items_now

    old = items_now(field)
    out = [value for value, _, is_put_in in items if not is_put_in]
    put_in = [(value, words) for value, words, is_put_in in items if is_put_in and value not in out]
    sets = is_all if old else situation.asks(field)
    if put_in and sets and situation.allows("set"):
        items = list(dict.fromkeys(item for item, _ in put_in))
        value = read_value(field.field, items, situation.rules)
        if isinstance(value, Refused) and value.reason == "ambiguous":
            value = items  # the machine refuses them, and names what one may be
        if not isinstance(value, Refused):
            span = (min(words[0] for _, words in put_in), max(words[1] for _, words in put_in))
            yield Set(field=field.address, value=value, correction=bool(old), words=span, confidence=1.0)
        return
    for value, words, is_put_in in items:
        if is_put_in and value not in (*old, *out) and situation.allows("add"):
            yield Add(field=field.address, item=value, words=words, confidence=1.0)
        elif not is_put_in and value in old and situation.allows("remove"):
            yield Remove(field=field.address, item=value, words=words, confidence=1.0)


def _none_of(message: ParsedMessage, field: AllowedField) -> list[AnyCommand]:
    """Return the command for a message that has nothing to list (`none`, `no allergies`): the list is set to an empty
    one (law 1.3), or skipped where it cannot be set or must have items.
    """
    from turnwise.understanding.free_items import items_now

    situation, speech = message.situation, message.situation.speech
    has_no = any(is_one_of(speech.no, words_of(option.value)) for option in field.field.options)
    if not situation.asks(field) or items_now(field) or has_no or not message.clauses:
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
    only_names = all(w in speech.filler or w in speech.negators or situation.labels.names_field(w) for w in said)
    return answer_of(said, situation) is False or (only_names and not speech.negators.isdisjoint(said))


# options and typed values --------------------------------------------------------------------------


def _items(message: ParsedMessage, mentions: tuple[Mention, ...], field: AllowedField) -> Iterator[Item]:
    """Yield the items to add to a list of options or typed values, from exact or inexact words, and those to remove."""
    situation = message.situation
    is_asked = situation.asks(field)
    for clause in message.statements():
        for old in clause.olds:
            value = fitting_value(situation, field, old)
            if value is not None:
                yield value, message.span(old), False
    bare = [one.foreign for one in message.statements() if one.foreign and one.said == one.foreign and not one.readings]
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
        value = fitting_value(situation, field, mention.reading)
        value = joined_days(situation, field, mention.reading) if value is None else value
        if value is not None:
            yield value, message.span(mention.reading), not mention.takes_out
    for clause in message.clauses if is_asked else ():
        is_plain = clause.is_assertion() and not clause.readings
        near = near_option(clause.foreign, field, situation.vocabulary) if is_plain else None
        if near:
            yield near[0], message.span(clause), True


def _misses_item(message: ParsedMessage, mentions: tuple[Mention, ...], field: AllowedField) -> bool:
    """True if the message has another option of this list that is not used."""
    counted = [mention.reading for mention in mentions] + [old for clause in message.clauses for old in clause.olds]
    return any(
        reading.kind == "option" and reading not in counted and takes_kind(message.situation, field, reading)
        for clause in message.statements()
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
