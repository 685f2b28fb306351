"""Decides whether a message with a new value changes an earlier answer: `add sugar`, `nimm Blue`.

Each of these messages must say nothing else. A bare value, and a remark that has one, change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import Add, AnyCommand, Remove
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.labels import name_words, title_words
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stem, stems_of, words_of

_SAME_LETTERS = 5
"""Words that begin with so many same letters may be of one family."""


def changes_list(message: ParsedMessage, changes: Sequence[AnyCommand]) -> bool:
    """Return whether `changes` only add or remove items, and a word for that stands with each item: `also sugar`,
    `without milk`.
    """
    items = [one for one in changes if isinstance(one, Add | Remove)]
    moved = [clause for clause in message.clauses if clause.readings]
    return bool(items) and len(items) == len(changes) and all(_moves(message, at) for at in range(len(moved)))


def _moves(message: ParsedMessage, at: int) -> bool:
    moved = [clause for clause in message.clauses if clause.readings]
    while at > 0 and not moved[at].said and moved[at].sentence == moved[at - 1].sentence:  # `add sugar and corn`
        at -= 1
    clause, requests, speech = moved[at], message.situation.requests, message.situation.speech
    verbs = requests.add_verbs | requests.clear_verbs | (requests.remove_verbs - speech.negators)
    if not (speech.negators - speech.additions).isdisjoint(clause.said):
        return is_denied(clause, message.situation)
    before, after = clause.words_before(clause.readings[0].first), clause.words_after(clause.readings[-1].stop)
    is_added = bool(before and before[-1] in speech.additions) or bool(after and after[0] in speech.additions)
    return is_added or clause.joint in speech.additions or not verbs.isdisjoint(clause.said)


def is_denied(clause: Clause, situation: Situation) -> bool:
    """Return whether a clause only denies something (`no milk please`) and does not state it (`there is no milk`)."""
    speech, requests = situation.speech, situation.requests
    names = [word for word in clause.said if situation.labels.names_field(word) and word not in speech.filler]
    small = speech.trailing | speech.starters | requests.target_links | speech.negators | speech.small_adverbs
    cues = {word for table in (speech.weak_cues, speech.strong_cues) for word in table}
    negators = [at for at, word in enumerate(clause.said) if word in speech.negators]
    return len(negators) == 1 and all(word in small or word in cues or word in names for word in clause.said)


def is_polite(message: ParsedMessage) -> bool:
    """Return whether a message asks for something: by a word of politeness, of insisting or of correction."""
    polite = message.situation.polite_words | message.situation.speech.trailing
    return any(clause.cues for clause in message.clauses) or not polite.isdisjoint(message.all_words())


def chooses(message: ParsedMessage) -> bool:
    """Return whether a message only chooses one value: `I prefer blue`, `nimm Blue`."""
    return len(message.readings) == 1 and all(
        clause.is_assertion() and _is_chosen(clause, message.situation) for clause in message.clauses if clause.readings
    )


def _is_chosen(clause: Clause, situation: Situation) -> bool:
    """True if a word that chooses leads to the reading of a clause: `I want the blue one`."""
    choosing, speech = situation.vocabulary.navigation.choosing, situation.speech
    small = situation.requests.target_links | situation.vocabulary.calendar.on | speech.trailing | speech.small_adverbs
    before, after = clause.words_before(clause.readings[0].first), clause.words_after(clause.readings[0].stop)
    last = max((at for at, word in enumerate(before) if word in choosing), default=len(before))
    is_led = last < len(before) and small.issuperset(before[last + 1 :])
    beside, polite = (*before, *after), situation.polite_words | speech.trailing
    if not polite.isdisjoint(beside) and (small | polite | speech.leads).issuperset(beside):
        return True  # `the blue one please`
    return (is_led or (not before and bool(after) and after[0] in choosing)) and (small | choosing).issuperset(after)


def names_field(message: ParsedMessage, field: AllowedField) -> bool:
    """Return whether a message names a field by its name or question, or by a synonym (`my email`, `wrong email`)."""
    situation, endings, filler = (
        message.situation,
        message.situation.vocabulary.endings,
        message.situation.speech.filler,
    )
    own = {*name_words(field), *title_words(field, situation.vocabulary)} - filler
    if not stems_of(own, endings).isdisjoint(stems_of(message.all_words(), endings)):
        return True
    shown = {*name_words(field), *words_of(field.title), *words_of(field.field.about)}
    concepts = [one.marks for one in situation.vocabulary.concepts if not one.marks.isdisjoint(shown)]
    same, words = stems_of(frozenset[str]().union(*concepts) - filler, endings), message.text.words
    leads = situation.speech.possessives | situation.requests.target_links | situation.requests.wrong
    return any(words[at] in leads and stem(words[at + 1], endings) in same for at in range(len(words) - 1))


def resembles_name(word: str, situation: Situation) -> bool:
    """Return whether a word begins like a word in a field's name: `deliver` for the delivery day."""
    names = (name for field in situation.allowed.fields for name in (*name_words(field), *words_of(field.title)))
    return any(word[:_SAME_LETTERS] == name[:_SAME_LETTERS] for name in names if len(name) >= _SAME_LETTERS)


def is_closed(field: AllowedField) -> bool:
    """Return whether the values of a field can be recognised in a message: options, addresses, phone numbers, days."""
    return field.field.type in ("email", "phone", "date") or (field.field.type != "list" and bool(field.field.options))
