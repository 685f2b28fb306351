"""What a message asks to be done: skip, help, cancel and the like, tasks to start.

It finds what is said outright; a wish that is denied, doubted or asked about is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from turnwise.core.state.commands import (
    AnyCommand,
    Cancel,
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
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.polarity import without_phrases
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token, closest, stem, words_of
from turnwise.understanding.vocabulary.shape import is_one_of, length_at

Words = tuple[int, int]

_LEAST_TYPED = 5


_PLAIN: Mapping[str, Callable[..., AnyCommand]] = {
    "skip": Skip,
    "help": Help,
    "repeat": Repeat,
    "wait": Wait,
    "cancel": Cancel,
    "restart": Restart,
    "undo": Undo,
    "hand_over": HandOver,
    "edit": Edit,
}
_KINDS = tuple(_PLAIN)


def command_named(kind: str, words: Words, confidence: float = 1.0) -> AnyCommand | None:
    """The command of a kind that needs no field or value."""
    make = _PLAIN.get(kind)
    return make(words=words, confidence=confidence) if make else None


def kind_of(said: Sequence[str], situation: Situation) -> str:
    """The command that words as a whole ask for, whether or not it is exposed; empty where none."""
    table = situation.vocabulary.requests.commands
    for core in _cores(tuple(said), situation):
        found = [kind for kind in _KINDS if is_one_of(table[kind], core)]
        exposed = [kind for kind in found if situation.allows(kind)]
        if found:
            return (exposed or found)[0]
    return _by_keywords(said, situation)


def _by_keywords(said: Sequence[str], situation: Situation) -> str:
    """The command whose words are all there, among small words only (`may I speak with a manager`)."""
    speech = situation.vocabulary.speech
    for kind, groups in situation.vocabulary.requests.keywords:
        known = frozenset[str]().union(*groups)
        rest = [word for word in said if word not in known]
        if all(group.intersection(said) for group in groups) and all(
            word in speech.filler or word in speech.trailing for word in rest
        ):
            return kind
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


def is_whole_answer(tokens: Sequence[Token], clause: Clause, situation: Situation) -> bool:
    """True if a clause is an option and nothing more, so that it answers a question that was not asked (`billing,
    please`, but not `take care`); what is also a command, or only polite, is none.
    """
    speech = situation.vocabulary.speech
    rest = without_phrases(clause.said, situation)
    if not all(word in speech.leads or situation.labels.knows(word) for word in rest):
        return False
    said = tuple(token.word for token in tokens[clause.first : clause.stop] if token.kind != "mark")
    is_idle = is_one_of(speech.idle, said) or is_one_of(speech.fill_phrases, said)
    is_all_option = not clause.said and len(said) > 1  # the author's own words, such as "No rush"
    return not ((is_idle and not is_all_option) or kind_of(said, situation))


def typed_kind(said: Sequence[str], situation: Situation) -> tuple[str, float] | None:
    """The exposed command that one misspelled word is (`cancle`)."""
    if len(said) != 1 or len(said[0]) < _LEAST_TYPED:
        return None
    table = situation.vocabulary.requests.commands
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
    for at, clause in enumerate(heard.clauses):
        kind = "" if clause.readings else kind_of(clause.said, situation)
        if kind == "cancel" and _goes_another_way(clause, heard.clauses[at + 1 :], situation):
            continue
        command = command_named(kind, heard.words(clause.first, clause.stop)) if situation.allows(kind) else None
        if command:
            found.setdefault(kind, command)
    return list(found.values())


def _goes_another_way(clause: Clause, after: tuple[Clause, ...], situation: Situation) -> bool:
    """True where a cancel only takes back what was said (`never mind, make it …`), whether or not the rest is known."""
    is_dismissal = is_one_of(situation.vocabulary.requests.dismissals, clause.said)
    return any((one.cues and one.is_strong) or (is_dismissal and one.foreign) for one in after)


def explained_field(said: Sequence[str], situation: Situation) -> str | None:
    """The field that `what do you mean by …` asks about."""
    for at in range(len(said)):
        size = length_at(situation.vocabulary.requests.explain, said, at)
        named = situation.labels.named(said[at + size :]) if size else frozenset[str]()
        if len(named) == 1:
            return next(iter(named))
    return None


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
