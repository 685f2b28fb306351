"""What a question may have meant that names nothing: names that are nearly the same, else what can be asked about."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.flow.diagnostic import nearest, nearest_name
from turnwise.why.names import is_used, words_in
from turnwise.why.reading.cues import OF_QUESTIONS
from turnwise.why.reading.sentences import asks_how_usual
from turnwise.why.reading.titles import titles_of
from turnwise.why.reading.words import ASKING, LITTLE

_USUAL = "ask with a name and --usual, usual=True, or usual=true over HTTP"


def hint_for(machine: Machine, text: str, state: State) -> str:
    """Return the nearest names, else those that contain the text, else what the conversation is at."""
    own = [one for one in titles_of(machine).subjects if one.kind != "limit" and is_used(machine, one.name)]
    names = list(dict.fromkeys(one.name for one in own))
    is_sentence = " " in text
    if not is_sentence:
        within = [name for name in names if len(text) >= _LEAST_PART and text.casefold() in name.casefold()]
        hint = nearest(text, names) or (f"there are {_few(within)}" if within else "")
        if hint:
            return hint
    if asks_how_usual(text):
        return _USUAL
    words = [word for word in words_in(text) if word not in LITTLE]
    last = {one.name.rpartition(".")[2]: one.name for one in own}
    near = [last[found] for word in words if (found := _near(word, last))] if is_sentence else []
    content = [word for word in words if word not in OF_QUESTIONS and len(word) > _LEAST_PART]
    meant = near or (titles_of(machine).mentioned(content) if is_sentence else [])
    if meant:
        return f"did you mean {' or '.join(map(repr, dict.fromkeys(meant)))}?"
    if not ASKING.isdisjoint(words):
        return f"its fields are {_few(machine.fields)}"
    fields = f"; its fields are {_few(machine.fields)}" if machine.fields else ""
    asked = [state.question.field] if state.question is not None and state.question.field else []
    return f"ask about a name of the flow, such as {_few((state.node, *asked))}, or about turn {state.turn}{fields}"


def _near(word: str, names: Iterable[str]) -> str:
    """Return the name that a word of a sentence is a slip of."""
    from difflib import SequenceMatcher

    found = nearest_name(word, names)
    return found if SequenceMatcher(None, word, found.casefold()).ratio() > _SLIP else ""


_SLIP = 0.8


def _few(names: Iterable[str]) -> str:
    first, rest = list(names)[:_MOST_NAMED], list(names)[_MOST_NAMED:]
    return ", ".join(first) + (f" and {len(rest)} more" if rest else "")


_LEAST_PART = 3
_MOST_NAMED = 5
