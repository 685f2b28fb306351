"""Finds messages that correct an earlier answer while the question for a free text is open (law 7.3a).

A message is a correction only if every word of it belongs to one: the field that it names, the new value, the old one,
and words of correction. `My name is spelled wrong on the invoice` is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.language.answers import plain_answer
from turnwise.core.state.commands import Add, AnyCommand, Clear, Edit, Remove, Set, Wait, name_of
from turnwise.understanding.change_marks import (
    changes_list,
    chooses,
    is_closed,
    is_denied,
    is_polite,
    names_field,
    resembles_name,
)
from turnwise.understanding.clauses import Clause, ParsedMessage, parse
from turnwise.understanding.denied_texts import denied_text
from turnwise.understanding.field_values import fitting_value
from turnwise.understanding.labels import yes_no_values
from turnwise.understanding.navigation import answer_before, asks_which
from turnwise.understanding.parts import parts_of
from turnwise.understanding.readings import Text, text_of
from turnwise.understanding.replacements import replaced_text
from turnwise.understanding.scan import MOST_READINGS
from turnwise.understanding.situation import Situation, situation_of
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.tables import is_one_of, length_at

_CHANGES = Set | Add | Remove | Edit | Clear
_MOST_WORDS = 16
"""A longer message says more than a correction."""


def correction_of(text: Text, situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message that corrects an answer given before; `None` for any other message."""
    allowed, answered = situation.allowed, _answered(situation)
    if not answered or len(text.tokens) > _MOST_WORDS:
        return None
    replaced = replacement_of(text, situation)
    if replaced is not None:
        return replaced
    others = replace(allowed, fields=answered, asked="", question="", needed=(), earlier=())
    for view in (*_views(text, others, situation), others):
        found = _read(text.message, view, situation)
        if found is not None:
            return [one for one in found if situation.allows(name_of(one))]
    return None


def _views(text: Text, others: AllowedInput, situation: Situation) -> Iterable[AllowedInput]:
    """Yield the earlier answers as if the question of one were open: of the last one, of one that is repeated (`not
    Ada but Eve`), of one for a yes or no, and, where a value is chosen, of one of a closed type.
    """
    said, last = frozenset(text.words_between(0, len(text.tokens))), answer_before(situation.allowed)
    choosing = situation.vocabulary.navigation.choosing | situation.polite_words | situation.speech.trailing
    chooses = not choosing.isdisjoint(said) and not asks_which(situation)
    denies = not situation.speech.negators.isdisjoint(said)
    for one in others.fields:
        is_near = one is last or _is_repeated(one, said)
        is_denied = denies and bool(yes_no_values(one, situation.vocabulary))
        if is_near or is_denied or (chooses and is_closed(one)):
            yield replace(others, asked=one.address, last=one.address, question="field")


def replacement_of(text: Text, situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message that puts a new text in place of one given before; `None` for any other."""
    replaced = replaced_text(text, _answered(situation), situation) or denied_text(
        text, _answered(situation), situation
    )
    return replaced and [one for one in replaced if situation.allows(name_of(one))]


def _answered(situation: Situation) -> tuple[AllowedField, ...]:
    """Return the fields with a value but the one that is asked, the answers of an earlier form among them."""
    allowed = situation.allowed
    known = (*allowed.earlier, *allowed.fields)
    return tuple(one for one in known if one.value is not None and one.address != allowed.asked)


def _is_repeated(field: AllowedField, said: frozenset[str]) -> bool:
    """True if a message repeats the value of a field, which is no secret."""
    value = words_of(str(field.value)) if not field.field.secret else ()
    return bool(value) and said.issuperset(value)


def _read(typed: str, view: AllowedInput, asking: Situation) -> list[AnyCommand] | None:
    """Return the changes that a message makes to the fields of a view; `None` if it says anything else."""
    situation = situation_of(view)
    if situation is None:
        return None
    message = parse(text_of(typed, situation.vocabulary, situation.today), situation)
    if not message.clauses or len(message.readings) > MOST_READINGS:
        return None
    found = [one for one in parts_of(message) if not isinstance(one, Wait)]
    if not all(isinstance(one, _CHANGES) for one in found) or not _is_consumed(message, found):
        return None
    if _reports(message):
        return None
    changes = [one for one in _changes(found, view) if not _is_bare_answer(message, one, view)]
    is_marked = any(clause.cues or clause.olds or _denies(clause, situation) for clause in message.clauses)
    if is_marked and not changes and message.readings and not view.asked and not _denies_what_is_not(message):
        return [Edit(words=message.whole(), confidence=1.0)]  # which answer is meant is asked
    if any(isinstance(one, Add | Remove) for one in changes):
        is_meant = changes_list(message, changes)
    else:
        is_meant = is_marked or _names_field(message, changes, view) or _is_chosen(message, changes, view)
    if not changes or not is_meant:
        return None
    return _asked_again(message, changes) if asking.asks_for_trouble else changes


def _denies_what_is_not(message: ParsedMessage) -> bool:
    """True if a message only denies values that no field has: `no sugar`."""
    situation = message.situation
    is_held = any(
        (value := fitting_value(situation, one, old)) is not None and (value == one.value or value in _items(one))
        for one in situation.allowed.fields
        for old in message.readings
    )
    return not is_held and all(is_denied(clause, situation) for clause in message.clauses)


def _items(field: AllowedField) -> list[Any]:
    return list(field.value) if isinstance(field.value, list) else []  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _reports(message: ParsedMessage) -> bool:
    """True if a message says what was, and calls nothing wrong: `I got blue instead of red`."""
    past, wrong, said = message.situation.speech.past, message.situation.requests.wrong, message.all_words()
    is_name = any(reading.kind == "text" for reading in message.readings)
    return not past.isdisjoint(said) and wrong.isdisjoint(said) and not is_name


def _is_chosen(message: ParsedMessage, changes: Sequence[AnyCommand], view: AllowedInput) -> bool:
    """True if a value of the viewed field is chosen, or if the field is named and denied (`no newsletter`)."""
    field = view.field(view.asked)
    situation = message.situation
    if field is None or any(getattr(one, "field", "") != view.asked for one in changes):
        return False
    if yes_no_values(field, situation.vocabulary) and not message.readings:
        is_named = situation.labels.only_field_named(message.all_words()) == field.address and names_field(
            message, field
        )
        return is_named and all(is_denied(one, situation) for one in message.clauses)
    return is_closed(field) and chooses(message)


def _asked_again(message: ParsedMessage, changes: Sequence[AnyCommand]) -> list[AnyCommand]:
    """Return changes for a question of trouble: what is missing (`no milk`) may be the trouble, so it is asked about
    unless a word of politeness or correction asks for it.
    """
    lacks = all(is_denied(clause, message.situation) for clause in message.clauses)
    if not lacks or is_polite(message):
        return list(changes)
    fields = dict.fromkeys(getattr(one, "field", "") for one in changes)
    return [Edit(field=field, words=message.whole(), confidence=1.0) for field in fields]


def _denies(clause: Clause, situation: Situation) -> bool:
    """True if a clause only says that something is not so."""
    deny = situation.requests.commands["deny"]
    return not clause.readings and (is_one_of(situation.speech.no, clause.said) or is_one_of(deny, clause.said))


def _is_bare_answer(message: ParsedMessage, change: AnyCommand, view: AllowedInput) -> bool:
    """True if a yes or no would change an answer that the message does not name: it may as well answer the question."""
    field = view.field(getattr(change, "field", ""))
    situation = message.situation
    if field is None or not yes_no_values(field, situation.vocabulary) or _is_named(message, field):
        return False
    return plain_answer(situation.language, message.text.message, "true") is not None


def _is_consumed(message: ParsedMessage, found: Sequence[AnyCommand]) -> bool:
    """True if a message states only what its values, the values before, and small words say."""
    if any(clause.is_question or clause.is_doubtful for clause in message.clauses):
        return False
    if any(reading.kind == "odd" for reading in message.readings):
        return False
    known, spans = _explained(message.situation), [one.words for one in found if isinstance(one, Set) and one.words]
    for clause in message.clauses:
        for place, word in zip(clause.places, clause.said, strict=True):
            start = message.text.tokens[place].start
            is_of_value = any(begin <= start < end for begin, end in spans)
            is_known = word in known or word not in clause.foreign or resembles_name(word, message.situation)
            if not is_known and not is_of_value:
                return False
    return True


def _explained(situation: Situation) -> frozenset[str]:
    """Return the words that say nothing but that something is corrected, and the words of the values before."""
    navigation, requests = situation.vocabulary.navigation, situation.requests
    before = [words_of(str(field.value)) for field in situation.allowed.fields if not field.field.secret]
    known = navigation.small | navigation.answer_verbs | requests.wrong | requests.right | requests.edit_verbs
    known |= requests.add_verbs | requests.remove_verbs | requests.clear_verbs
    return known.union(situation.speech.copulas, *before)


def _changes(found: Sequence[AnyCommand], view: AllowedInput) -> Iterable[AnyCommand]:
    """Yield the commands that change an answer; a value that a field has already changes nothing."""
    for one in found:
        field = view.field(getattr(one, "field", ""))
        if isinstance(one, Set):
            if field is None or field.value != one.value:
                yield replace(one, correction=True)
        elif field is not None:
            yield one


def _names_field(message: ParsedMessage, changes: Sequence[AnyCommand], view: AllowedInput) -> bool:
    """True if a message names every field that it changes: `my age is 34`, `I'm 34`, but not `34 years`."""
    return not view.asked and all(_is_named(message, view.field(getattr(one, "field", ""))) for one in changes)


def _is_named(message: ParsedMessage, field: AllowedField | None) -> bool:
    if field is None:
        return False
    frames = message.situation.vocabulary.naming.self_frames
    says_self = any(length_at(frames, clause.said, 0) for clause in message.clauses if clause.said)
    return says_self or names_field(message, field) or any(one.kind == "text" for one in message.readings)
