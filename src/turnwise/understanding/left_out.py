"""Reads answers to a list of things to leave out: the items are those that the message denies.

`Without garlic` and `leave out the garlic` put garlic into such a list, `with garlic` takes it out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.free_items import Item
from turnwise.understanding.labels import name_words
from turnwise.understanding.mentions import Mention
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary import item_words
from turnwise.understanding.vocabulary.item_shape import ItemWord, ItemWords


def leaves_out(field: AllowedField, words: ItemWords) -> bool:
    """Return whether a list field asks what a thing is to be without, by its name, its question or its topic; `words`
    are the language's words about items.
    """
    said = {*name_words(field), *words_of(field.title), *words_of(field.field.about)}
    return field.field.type == "list" and not said.isdisjoint(words.leaving_out)


def left_out(
    message: ParsedMessage, mentions: Iterable[Mention], field: AllowedField, items: Iterable[Item]
) -> Iterator[Item]:
    """Yield the items of a message for a list of things to leave out; `items` are those that the message would add to a
    list of another kind. If only some of the items are denied, or more than one word denies, no item is certain.
    """
    found = list(items)
    named = [message.span(one.reading) for one in mentions if one.named is not None and field.address in one.named]
    is_mixed = len({is_put_in for _, _, is_put_in in found}) > 1
    for value, words, is_put_in in found if not is_mixed else ():
        clause = next((one for one in message.clauses if _holds(message.span(one), words)), None)
        if clause is None or _denials(clause, message.situation) > 1:
            continue
        if not is_put_in:
            yield value, words, True
        elif _is_wanted(clause, message.situation):
            yield value, words, False
        elif (message.situation.asks(field) or words in named) and not _chooses(clause, message.situation):
            yield value, words, True


def _holds(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _denials(clause: Clause, situation: Situation) -> int:
    return len([word for word in clause.said if word in situation.speech.negators])


def _is_wanted(clause: Clause, situation: Situation) -> bool:
    """True for `with garlic` and `add garlic`."""
    return _has(clause, ("with", "add"), situation) or not situation.requests.add_verbs.isdisjoint(clause.said)


def _chooses(clause: Clause, situation: Situation) -> bool:
    """True for `I want garlic`, which may be an answer to what to leave out, and may be its opposite."""
    choosing = situation.vocabulary.navigation.choosing | situation.vocabulary.speech.subjects
    return not choosing.isdisjoint(clause.said) or _has(clause, ("want",), situation)


def _has(clause: Clause, does: tuple[ItemWord, ...], situation: Situation) -> bool:
    phrases = item_words(situation.vocabulary.code).phrases
    return any(
        clause.said[at : at + len(said)] == said and not set(does).isdisjoint(meanings)
        for at, word in enumerate(clause.said)
        for said, meanings in phrases.get(word, ())
    )
