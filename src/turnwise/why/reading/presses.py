"""Which press of a button a question is about: by the label that it has, and by whether it was accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject
from turnwise.why.names import words_in
from turnwise.why.query import Query
from turnwise.why.reading import Reading
from turnwise.why.reading.clauses import UNANSWERED
from turnwise.why.reading.sentences import Sentence, asks_for_count, hint_of
from turnwise.why.reading.words import NEGATIONS, OWNERS, words_of

_PRESSES = words_of(
    "press pressed pressing presses click clicked clicking clicks tap tapped tapping taps"
    " gedrückt drücken drückte drückt geklickt klick klicks klicken klickte angeklickt angetippt"
)
_BUTTONS = words_of("button buttons knopf knöpfe knopfs knöpfen schaltfläche schaltflächen")
_TO_LABEL = words_of(
    "on the a my that this for called labelled labeled named with label says saying reading auf den dem der die das"
    " mein meinen meinem einen namens mit beschriftung"
)
"""Words between a word for a press and its label."""
_OUTCOME = late_pattern(
    r"\b(?:accept\w*|refus\w*|reject\w*|ignor\w*|work\w*|happen\w*|effect|react\w*|nothing|angenommen|akzeptiert|abgelehnt"
    r"|funktionier\w*|wirkung\w*|ignoriert|reagier\w*|passier\w*|geschah|nichts|gewirkt|wirkte)\b"
)
"""What became of a press."""
_FAILED = late_pattern(
    r"\b(?:nothing|not|no|never|refus\w*|reject\w*|ignor\w*|nichts|nicht|keine?|nie|abgelehnt|ignoriert|wirkungslos|leere)\b"
    r"|n't\b"
)
_CAPITAL = late_pattern(r"\b(?i:press|click|tapp?)\w*(?: on)?(?: the)? ([A-ZÄÖÜ]\w*)")
"""A label that the conversation may not have: `I pressed Maybe`."""


async def pressed(query: Query, reading: Reading, sentence: Sentence) -> Reading | None:
    """Return a reading about the last press of a button that a question means, of those with its label and, where it
    came to nothing, of those that were refused; `None` for a question about something else.
    """
    if not _is_about_press(sentence):
        return None
    presses = [one async for one in query.back(e.UserChose)]
    labels = await _labels(query)
    asked = {*_asked_labels(reading, sentence, labels)}
    others = reading.names.by.difference(_PRESSES, _BUTTONS, *map(words_in, asked))
    if others and reading.names.best:
        return None
    found = [one for one in presses if not asked or not asked.isdisjoint(_names(one, labels))]
    is_count = asks_for_count(sentence.text, "message")
    if not found and not presses and reading.found:
        return None  # what was said may be called pressed
    if is_count and not asked and not found:
        return reading.without().at(query.turn.number, Subject("message"))
    if not found:
        named = "".join(f"“{one}” " for one in sorted(asked)[:1])
        return reading.without(f"no button {named}was pressed {query.where or 'so far'}")
    if asked and is_count:
        return reading.without("presses are counted for all buttons together")
    if _FAILED.search(sentence.unquoted) is not None:
        stale = {one.turn async for one in query.back(e.Warned) if getattr(one.event, "code", "") == "stale_button"}
        found = [one for one in found if one.turn in stale] or found
    return reading.at(found[-1 if sentence.is_about_first else 0].turn, Subject("message"))


def _is_about_press(sentence: Sentence) -> bool:
    """Return whether a question is about a press: the clause that asks has a word for it, or no other subject."""
    asks = {*words_in(sentence.clause)}
    if not _PRESSES.isdisjoint(asks):
        return True
    if not _BUTTONS.isdisjoint(asks):
        return _OUTCOME.search(sentence.unquoted) is not None
    cue = hint_of(sentence.main)
    is_open = cue is None or cue.kind in ("turn", "message") or UNANSWERED.search(sentence.unquoted) is not None
    return is_open and not _PRESSES.isdisjoint(words_in(sentence.unquoted))


async def _labels(query: Query) -> dict[str, set[str]]:
    """Return the labels of the buttons that were shown or pressed, folded, each with the values that stand for it."""
    found: dict[str, set[str]] = {}
    async for entry in query.back(e.Said, e.UserChose):
        match entry.event:
            case e.Said(buttons=buttons):
                for one in buttons:
                    found.setdefault(_folded(one.label), set()).add(one.value)
                    found.setdefault(_folded(one.value), set()).add(one.value)
            case e.UserChose(value=value):
                found.setdefault(_folded(value), set()).add(value)
            case _:
                pass
    return found


def _names(entry: e.Entry, labels: dict[str, set[str]]) -> set[str]:
    """Return the labels that stand for what was pressed."""
    value = entry.event.value if isinstance(entry.event, e.UserChose) else ""
    return {label for label, values in labels.items() if value in values}


def _folded(text: str) -> str:
    return " ".join(words_in(text))


def _asked_labels(reading: Reading, sentence: Sentence, labels: dict[str, set[str]]) -> Iterator[str]:
    """Yield the labels that a question has: in quotation marks, or beside a word for a press or a button."""
    yield from (" ".join(quote.words) for quote in sentence.quotes if quote.is_marked)
    said = words_in(sentence.text)
    kept = [at for at, word in enumerate(said) if word not in _TO_LABEL]
    words = tuple([said[at] for at in kept])
    known = [tuple(label.split()) for label in labels if label]
    for at, word in enumerate(words):
        if word in _PRESSES | _BUTTONS:
            after = [one for one in known if words[at + 1 : at + 1 + len(one)] == one]
            is_owned = at > 0 and kept[at - 1] > 0 and said[kept[at - 1] - 1] in OWNERS
            before = [one for one in known if at >= len(one) and words[at - len(one) : at] == one]
            before = [one for one in before if is_owned or word in _PRESSES or NEGATIONS.isdisjoint(one)]
            yield from (" ".join(one) for one in _longest(after) + _longest(before))
    capital = _CAPITAL.search(reading.text)
    word = capital[1].casefold() if capital is not None else ""
    if word and word not in _BUTTONS and not any(word in one for one in known):
        yield word


def _longest(labels: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return sorted(labels, key=len)[-1:]
