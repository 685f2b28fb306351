"""Finds messages that only move through a conversation: back, never mind, a person, another answer (law 7.3a).

A message is one of them only if every word of it belongs to the request. `I want to cancel my contract` is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.state.commands import AnyCommand, CommandName, Edit, HandOver
from turnwise.understanding.labels import name_words, title_words
from turnwise.understanding.readings import Text
from turnwise.understanding.requests import command_named, phrased_kind
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stems_of, words_of
from turnwise.understanding.vocabulary.speech_shape import Move
from turnwise.understanding.vocabulary.tables import is_one_of

_MOST_WORDS = 12
"""A longer message says something."""
_PHRASED: tuple[CommandName, ...] = ("skip", "help", "repeat", "wait", "cancel", "restart", "back", "undo", "edit")
"""Commands that a whole phrase asks for, small words aside; of `hand_over` many phrases are also a subject."""

_A_FORM = {"en": "form", "de": "formular"}
"""What stands for the name of a scope in the words that leave it."""
_PHRASES_OF = {"edit": "change"}
"""What a flow calls its own phrases for a command, where that is not its name; they replace the shipped ones."""


def navigation_of(text: Text, situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message that only moves through the conversation; `None` for any other message."""
    said = text.words_between(0, len(text.tokens))
    kind = _kind_of(said, situation) if 0 < len(said) <= _MOST_WORDS else None
    if kind == "wait" and asks_which(situation):
        return None  # `later` answers when
    if kind is None:
        return _to_field(said, text, situation) if 0 < len(said) <= _MOST_WORDS else None
    words = (0, len(text.message))
    last = answer_before(situation.allowed) if kind == "edit" and _names_last(said, situation) else None
    if last is not None:
        command: AnyCommand | None = Edit(field=last.address, words=words, confidence=1.0)
    else:
        command = command_named(kind, words)
    return [command] if command is not None and situation.allows(kind) else []


def asks_which(situation: Situation) -> bool:
    """Return whether the open question asks when, which or how much, so that a value alone may answer it."""
    title = words_of(situation.asked.title) if situation.asked else ()
    return bool(title) and title[0] in situation.speech.openers and not situation.asks_for_trouble


def _to_field(said: tuple[str, ...], text: Text, situation: Situation) -> list[AnyCommand] | None:
    """Return the command of a message that moves and names an earlier answer at its end: back to it (`back to the
    colour`), or to a person who speaks about it (`can I talk to a person about the delivery`).
    """
    navigation, words = situation.vocabulary.navigation, (0, len(text.message))
    leads = situation.requests.into | navigation.about
    if not any(map(situation.labels.names_field, said)):
        return None
    first = [place for place, word in enumerate(said) if place and word in leads]
    for at, stop in [(place, end) for place in first for end in range(len(said), place, -1)]:
        field = _named_field(said[at + 1 : stop], situation)
        kind = _kind_of((*said[:at], *said[stop:]), situation) if field else None
        if kind == "back" and field and field.value is not None:
            return [Edit(field=field.address, words=words, confidence=1.0)] if situation.allows("edit") else []
        if kind == "hand_over" and said[at] in navigation.about:
            return [HandOver(words=words, confidence=1.0)] if situation.allows("hand_over") else []
    return None


def _named_field(said: Sequence[str], situation: Situation) -> AllowedField | None:
    """Return the field whose name or question all of some words belong to, small words aside, if it is one."""
    vocabulary, small = situation.vocabulary, situation.requests.target_links | situation.speech.trailing
    back = frozenset[str]().union(*(move.may for move in vocabulary.navigation.moves if move.kind == "back"))
    kept = (word for word in said if word not in small and word not in back)  # such as `question` beside a name
    wanted = stems_of(kept, vocabulary.endings)
    found = [
        field
        for field in (situation.allowed.fields if wanted else ())
        if wanted <= stems_of((*name_words(field), *title_words(field, vocabulary)), vocabulary.endings)
    ]
    return found[0] if len(found) == 1 else None


def hesitates(text: Text, situation: Situation) -> bool:
    """Return whether a message only hesitates, however long the sounds are drawn out (`hmmm`, `ähhm …`)."""
    said = text.words_between(0, len(text.tokens))
    hesitations = situation.vocabulary.navigation.hesitations
    return bool(said) and all("".join(letter for letter, _ in groupby(word)) in hesitations for word in said)


def may_answer(text: Text, moved: Sequence[AnyCommand], situation: Situation) -> bool:
    """Return whether the words of a message that `moved` read as commands may answer a question of few answers instead
    (`ja, eine Person`, `mir egal`).
    """
    said, speech = text.words_between(0, len(text.tokens)), situation.speech
    elaborates = said[0] in speech.answers and any(isinstance(one, HandOver) for one in moved)
    is_indifferent = not situation.vocabulary.navigation.indifferent.isdisjoint(said)
    return elaborates or is_indifferent or is_one_of(speech.idle, said)


def _kind_of(said: Sequence[str], situation: Situation) -> CommandName | None:
    kind = _kind_of_words(said, situation)
    if kind is not None or not situation.allowed.inside:
        return kind
    forms = inner_forms(said, situation.allowed.inside, situation.allowed.language)
    return "cancel" if any(_kind_of_words(form, situation) == "cancel" for form in forms) else None


def inner_forms(said: Sequence[str], inside: str, code: str) -> Iterator[tuple[str, ...]]:
    """Yield the words `said` without the name of the scope in charge, `inside` (`cancel the quiz`), and with `form` in
    its place, in the language of the code.
    """
    name = words_of(inside)
    places = range(len(said) - len(name) + 1) if name else ()
    for at in places:
        if tuple(said[at : at + len(name)]) == tuple(name):
            before, after = said[:at], said[at + len(name) :]
            if before or after:
                yield (*before, *after)
            yield (*before, _A_FORM[code], *after)
            return


def _kind_of_words(said: Sequence[str], situation: Situation) -> CommandName | None:
    phrased = phrased_kind(said, situation)
    if phrased in _PHRASED:
        return phrased
    navigation, own = situation.vocabulary.navigation, situation.allowed.phrases
    moves = (move for move in navigation.moves if _PHRASES_OF.get(move.kind, move.kind) not in own)
    return next((move.kind for move in moves if is_move(move, said, navigation.small)), None)


def is_move(move: Move, said: Sequence[str], small: frozenset[str]) -> bool:
    """Return whether the words `said` have one of each group that a move needs, and else only words that the move
    allows or that are in `small`.
    """
    if any(group.isdisjoint(said) for group in move.needs):
        return False
    own = move.may.union(*move.needs)
    return all(word in own or word in small for word in said)


def _names_last(said: Sequence[str], situation: Situation) -> bool:
    """True if a request to change an answer means the last one."""
    moves = situation.vocabulary.navigation.moves
    return any(move.kind == "back" and not group.isdisjoint(said) for move in moves for group in move.needs)


def answer_before(allowed: AllowedInput) -> AllowedField | None:
    """Return the answered field before the open question, else the last answered field; `None` if none has a value."""
    places = [at for at, one in enumerate(allowed.fields) if one.address == allowed.asked]
    before = (*allowed.earlier, *(allowed.fields[: places[0]] if places else allowed.fields))
    return next((one for one in reversed(before) if one.value is not None), None)
