"""What a message asks to be done: skip, help, cancel and the like, edits, deletions, tasks to start.

It finds what is said outright; a wish that is denied, doubted or asked about is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from turnwise.core.commands import (
    AnyCommand,
    Cancel,
    Clear,
    Edit,
    HandOver,
    Help,
    Repeat,
    Restart,
    Skip,
    Start,
    Undo,
    Wait,
)
from turnwise.core.language import language_of
from turnwise.providers.offline.clauses import Clause, Heard
from turnwise.providers.offline.situation import Situation
from turnwise.providers.offline.spelling import closest
from turnwise.providers.offline.tokens import stem, words_of
from turnwise.providers.offline.vocabulary import VOCABULARIES
from turnwise.providers.offline.vocabulary.shape import Phrases, is_one_of, length_at, phrases

Words = tuple[int, int]

_LEAST_TYPED = 5


@cache
def phrases_of(language: str) -> Mapping[str, Phrases]:
    """For each command the phrases that ask for it: the language's own and the vocabulary's."""
    shipped = language_of(language).phrases
    own = VOCABULARIES[language].requests.commands
    return {kind: _joined(own[kind], shipped.get(kind, ()) if kind != "edit" else ()) for kind in own}


def _joined(own: Phrases, shipped: Sequence[str] | frozenset[str]) -> Phrases:
    lines = [" ".join(phrase) for some in own.values() for phrase in some]
    return phrases([*lines, *shipped])


def command_named(kind: str, words: Words, confidence: float = 1.0) -> AnyCommand | None:
    """The command of a kind that needs no field or value."""
    match kind:
        case "skip":
            return Skip(words, confidence)
        case "help":
            return Help(words=words, confidence=confidence)
        case "repeat":
            return Repeat(words, confidence)
        case "wait":
            return Wait(words, confidence)
        case "cancel":
            return Cancel(words, confidence)
        case "restart":
            return Restart(words, confidence)
        case "undo":
            return Undo(words, confidence)
        case "hand_over":
            return HandOver(words, confidence)
        case "edit":
            return Edit(words=words, confidence=confidence)
        case _:
            return None


_KINDS = ("skip", "help", "repeat", "wait", "cancel", "restart", "undo", "hand_over", "edit")


def kind_of(said: Sequence[str], situation: Situation) -> str:
    """The command that words as a whole ask for, whether or not it is exposed; empty where none."""
    table = phrases_of(situation.exposed.language)
    for core in _cores(tuple(said), situation):
        found = [kind for kind in _KINDS if is_one_of(table[kind], core)]
        exposed = [kind for kind in found if situation.allows(kind)]
        if found:
            return (exposed or found)[0]
    return ""


def _cores(said: tuple[str, ...], situation: Situation) -> list[tuple[str, ...]]:
    """The words, then the words without what leads up to them and trails after them."""
    speech = situation.vocabulary.speech
    cores = [said]
    first, stop = 0, len(said)
    while stop > first and said[stop - 1] in speech.trailing:
        stop -= 1
        cores.append(said[first:stop])
    while first < stop:
        sizes = (length_at(speech.wishes, said, first), length_at(speech.requests, said, first))
        if not max(sizes):
            break
        first += max(sizes)
        cores += [said[first:], said[first:stop]]
    return [core for core in cores if core]


def typed_kind(said: Sequence[str], situation: Situation) -> tuple[str, float] | None:
    """The exposed command that one misspelled word is (`cancle`)."""
    if len(said) != 1 or len(said[0]) < _LEAST_TYPED:
        return None
    table = phrases_of(situation.exposed.language)
    known = {
        first: kind
        for kind in _KINDS
        if situation.allows(kind)
        for first, some in table[kind].items()
        if (first,) in some and len(first) >= _LEAST_TYPED
    }
    return closest(said[0], known)


def clause_commands(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The commands that clauses ask for, each once, questions among them (`what do you mean?`)."""
    found: dict[str, AnyCommand] = {}
    for clause in heard.clauses:
        kind = "" if clause.readings else kind_of(clause.said, situation)
        command = command_named(kind, heard.words(clause.first, clause.stop)) if situation.allows(kind) else None
        if command:
            found.setdefault(kind, command)
    return list(found.values())


def explained_field(said: Sequence[str], situation: Situation) -> str | None:
    """The field that `what do you mean by …` asks about."""
    for at in range(len(said)):
        size = length_at(situation.vocabulary.requests.explain, said, at)
        named = situation.labels.named(said[at + size :]) if size else frozenset[str]()
        if len(named) == 1:
            return next(iter(named))
    return None


# edits and deletions -------------------------------------------------------------------------------


def edits_of(heard: Heard, given: frozenset[str], situation: Situation) -> list[AnyCommand]:
    """The answers that a message wants changed without saying to what."""
    found: dict[str, AnyCommand] = {}
    for clause in heard.clauses:
        field = None if clause.is_question else _edited(clause, situation)
        if field and field not in given:
            found.setdefault(field, Edit(field=field, words=heard.words(clause.first, clause.stop), confidence=1.0))
    return list(found.values())


def _edited(clause: Clause, situation: Situation) -> str | None:
    requests, said = situation.vocabulary.requests, clause.said
    if clause.is_doubtful or clause.readings:
        return None
    for at in range(len(said)):
        if size := length_at(requests.exceptions, said, at):
            return _only_named(said[at + size :], situation)
    is_wrong = any(word in requests.wrong for word in said) or (
        clause.is_negated and any(word in requests.right for word in said)
    )
    wants = any(word in requests.edit_verbs for word in said) and not clause.is_negated
    return _only_named(said, situation) if is_wrong or wants else None


def _only_named(said: Sequence[str], situation: Situation) -> str | None:
    named = situation.labels.named(said)
    return next(iter(named)) if len(named) == 1 else None


def clears_of(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The values that a message wants taken away."""
    found: list[AnyCommand] = []
    for clause in heard.clauses:
        verbs = situation.vocabulary.requests.clear_verbs.intersection(clause.said)
        if not verbs or clause.readings or clause.is_question or clause.is_negated or clause.is_doubtful:
            continue
        name = _only_named(clause.said, situation)
        field = situation.exposed.field(name) if name else None
        if field and field.value is not None and verbs.issuperset(clause.foreign):
            found.append(Clear(field=field.address, words=heard.words(clause.first, clause.stop), confidence=1.0))
    return found


def chosen_fields(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The answers that a message picks out of those shown: by name or by place."""
    found: dict[str, AnyCommand] = {}
    for clause in heard.clauses:
        if clause.is_question or clause.is_negated or clause.is_doubtful:
            continue
        name = _only_named(clause.said, situation) or _at_place(clause, situation)
        if name:
            found.setdefault(name, Edit(field=name, words=heard.words(clause.first, clause.stop), confidence=1.0))
    return list(found.values())


def _at_place(clause: Clause, situation: Situation) -> str | None:
    shown = [field.address for field in situation.exposed.fields if field.value is not None]
    places = [reading.value for reading in clause.readings if reading.kind in ("nth", "place")]
    if clause.foreign or len(places) != 1 or not -len(shown) <= places[0] <= len(shown):
        return None
    return shown[places[0] - 1 if places[0] > 0 else places[0]] if places[0] else None


# tasks ---------------------------------------------------------------------------------------------


def starts_of(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The tasks that a message asks to start, in its order."""
    endings = situation.vocabulary.endings
    found: dict[str, AnyCommand] = {}
    for clause in heard.clauses:
        if clause.is_question or clause.is_negated or clause.is_doubtful:
            continue
        stems = {stem(token.word, endings) for token in heard.tokens[clause.first : clause.stop]}
        if situation.vocabulary.speech.openers.intersection(clause.said):
            continue
        for target in situation.exposed.starts:
            wanted = {stem(word, endings) for word in words_of(target.replace("_", " "))}
            if wanted and wanted <= stems:
                words = heard.words(clause.first, clause.stop)
                found.setdefault(target, Start(target=target, words=words, confidence=1.0))
    return list(found.values())
