"""What a message asks to be done: skip, help, cancel and the like, tasks to start.

A wish that is denied, doubted or asked about is no request.
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
from turnwise.understanding.clauses import Clause, Message
from turnwise.understanding.polarity import without_phrases
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import closest, stem, words_of
from turnwise.understanding.vocabulary.shape import is_one_of, length_at

_LEAST_TYPED = 5
_COMMANDS: Mapping[str, Callable[..., AnyCommand]] = {
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


def command_named(kind: str, words: tuple[int, int], confidence: float = 1.0) -> AnyCommand | None:
    """The command of a kind that needs no field or value."""
    make = _COMMANDS.get(kind)
    return make(words=words, confidence=confidence) if make else None


def kind_of(said: Sequence[str], situation: Situation) -> str:
    """The command that words as a whole ask for, whether or not it is exposed; empty where none."""
    speech, requests = situation.speech, situation.requests
    for core in _cores(tuple(said), situation):
        found = [kind for kind in _COMMANDS if is_one_of(requests.commands[kind], core)]
        if found:
            return next((kind for kind in found if situation.allows(kind)), found[0])
    for kind, groups in requests.keywords:  # all keywords, among small words only: `may I speak with a manager`
        if all(not group.isdisjoint(said) for group in groups):
            rest = [word for word in said if not any(word in group for group in groups)]
            if all(word in speech.filler or word in speech.trailing for word in rest):
                return kind
    return ""


def _cores(said: tuple[str, ...], situation: Situation) -> list[tuple[str, ...]]:
    """The words, then the words without what leads up to them and trails after them."""
    speech = situation.speech
    cores = [said]
    first, stop = 0, len(said)
    while stop > first and said[stop - 1] in speech.trailing:
        stop -= 1
        cores.append(said[first:stop])
    while first < stop:
        size = max(length_at(speech.wishes, said, first), length_at(speech.requests, said, first))
        if not size:
            break
        first += size
        cores += [said[first:], said[first:stop]]
    return [core for core in cores if core]


def is_whole_answer(text: Text, clause: Clause, situation: Situation) -> bool:
    """True if a clause is an option and nothing more, so that it answers a question that was not asked (`billing,
    please`, but not `take care`); what is also a command, or only polite, is none.
    """
    speech, rest = situation.speech, without_phrases(clause.said, situation)
    if not all(word in speech.leads or situation.labels.knows(word) for word in rest):
        return False
    said = text.said(clause.first, clause.stop)
    is_idle = is_one_of(speech.idle, said) or is_one_of(speech.fill_phrases, said)
    is_all_option = not clause.said and len(said) > 1  # the author's own words, such as "No rush"
    return not ((is_idle and not is_all_option) or kind_of(said, situation))


def misspelled_command(message: Message) -> AnyCommand | None:
    """The exposed command that a message of one misspelled word means (`cancle`)."""
    said, table, situation = message.said(), message.situation.requests.commands, message.situation
    if len(said) != 1 or len(said[0]) < _LEAST_TYPED:
        return None
    known = {
        first: kind
        for kind in _COMMANDS
        if situation.allows(kind)
        for first, some in table[kind].items()
        if (first,) in some and len(first) >= _LEAST_TYPED
    }
    found = closest(said[0], known)
    return command_named(found[0], message.whole(), round(found[1], 2)) if found else None


def clause_commands(message: Message) -> list[AnyCommand]:
    """The commands that clauses ask for, each once, questions among them (`what do you mean?`)."""
    situation, found = message.situation, dict[str, AnyCommand]()
    for at, clause in enumerate(message.clauses):
        kind = "" if clause.readings else kind_of(clause.said, situation)
        if kind == "cancel":  # not where it only takes back what was said (`never mind, make it …`)
            is_dismissal = is_one_of(situation.requests.dismissals, clause.said)
            after = message.clauses[at + 1 :]
            if any((one.cues and one.is_strong) or (is_dismissal and one.foreign) for one in after):
                continue
        command = command_named(kind, message.span(clause)) if situation.allows(kind) else None
        if command:
            found.setdefault(kind, command)
    return list(found.values())


def explained_field(said: Sequence[str], situation: Situation) -> str | None:
    """The field that `what do you mean by …` asks about."""
    for at in range(len(said)):
        size = length_at(situation.requests.explain, said, at)
        name = situation.labels.only_named(said[at + size :]) if size else None
        if name:
            return name
    return None


def starts_of(message: Message) -> list[AnyCommand]:
    """The tasks that a message asks to start, in its order."""
    situation, endings = message.situation, message.situation.vocabulary.endings
    found: dict[str, AnyCommand] = {}
    for clause in message.clauses:
        if not clause.asserts() or not situation.speech.openers.isdisjoint(clause.said):
            continue
        stems = {stem(word, endings) for word in message.text.words[clause.first : clause.stop]}
        for target in situation.exposed.starts:
            wanted = {stem(word, endings) for word in words_of(target.replace("_", " "))}
            if wanted and wanted <= stems:
                found.setdefault(target, Start(target=target, words=message.span(clause), confidence=1.0))
    return list(found.values())
