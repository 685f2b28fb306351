"""The subjects that a flow has, and which of them the words of a question name: by name, title, option or question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple, get_args

from turnwise.core.machine import PERSON_TIMEOUT, Candidate, Machine
from turnwise.core.state.kinds import ArtefactKind
from turnwise.core.step.receive import CONTINUATION
from turnwise.core.tools.offered import CHOICE
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Limits
from turnwise.understanding.vocabulary import CODES, shipped
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.cues import ALONE, ASKING, BEFORE_NAMES, CUE_WORDS, LITTLE, OWNERS

_WORD = late_pattern(r"\w+")


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded; names are split at `_`."""
    return tuple([word.casefold() for word in _WORD.findall(text.replace("_", " "))])


def named(machine: Machine, name: str) -> Iterator[Subject]:
    """Yield every subject of a name; a field also by its own name, where only one record has it."""
    folded = name.casefold()
    own = [address for address in machine.fields if address.partition(".")[2].casefold() == folded]
    for subject in subjects(machine):
        is_own = subject.kind == "field" and own == [subject.name]
        if subject.name == name or subject.name.casefold() == folded or is_own:
            yield subject
    for candidate in _of_nodes(machine):
        if candidate.code is not None and candidate.code.name == name:
            yield Subject("transition", candidate.id)
    for node, linked in machine.nodes.items():
        if linked.form is not None and name in (linked.form.form.handoff, *get_args(ArtefactKind)):
            yield Subject("form", node)


def subjects(machine: Machine) -> tuple[Subject, ...]:
    """Return everything of a flow that a question can name, the more specific kinds first."""
    timers = [one.id for one in (*machine.flow_candidates, *_of_nodes(machine)) if one.moment == "timer"]
    forms = [name for name, node in machine.nodes.items() if node.form is not None]
    tools = dict.fromkeys((*machine.tools, *_generated_tools(machine)))
    return (
        *_each("field", machine.fields),
        *_each("timer", (*dict.fromkeys(timers), PERSON_TIMEOUT, *([CONTINUATION] if machine.flow.autonomous else []))),
        *_each("transition", machine.transitions()),
        *_each("node", machine.nodes),
        *_each("tool", tools),
        *_each("form", forms),
        *_each("limit", [name.removesuffix("_s") for name in Limits.__annotations__ if name != "span"]),
    )


def is_used(machine: Machine, timer: str) -> bool:
    """Return whether a timer can be armed: that of a person only where the flow waits for one."""
    waits = machine.flow.person is not None or any(node.work == "person" for node in machine.nodes.values())
    return timer != PERSON_TIMEOUT or waits


def _generated_tools(machine: Machine) -> Iterator[str]:
    """Yield the tools for records, and those that choose a transition, which any node has."""
    for name, node in machine.nodes.items():
        yield from (*node.toolbox.reads, *node.toolbox.writes)
        yield from (CHOICE + one.target for one in machine.candidates(name, "choice").all if one.target)


def _of_nodes(machine: Machine) -> Iterator[Candidate]:
    return (candidate for node in machine.nodes.values() for candidate in node.candidates)


def _each(kind: SubjectKind, names: Iterable[str]) -> list[Subject]:
    return [Subject(kind, name) for name in names]


# the words of a sentence --------------------------------------------------------------------------


class Named(NamedTuple):
    """What the words of a sentence name: the subjects that are named best, how well from 0 on, by which words; and the
    subjects that are named only by a word of questions, such as `end`.
    """

    best: tuple[Subject, ...] = ()
    weight: float = 0.0
    by: frozenset[str] = frozenset()
    doubtful: tuple[Subject, ...] = ()


def weighed(machine: Machine, said: tuple[str, ...]) -> Named:
    """Return what the words of a sentence name best."""
    is_asked = not ASKING.isdisjoint(said)
    found: dict[Subject, tuple[float, frozenset[str]]] = {}
    doubtful: list[Subject] = []
    as_name = {word for before, word in pairwise(("", *said)) if _stands_as_name(word, before)}
    for subject, titles in _titles(machine).items():
        is_named = is_asked and subject.kind == "field" and ASKING.isdisjoint(words_in(subject.name))
        weight, is_certain, used = 0.0, False, frozenset[str]()
        for title in titles:
            of, by = _weight(title, said)
            if of > weight:
                weight, is_certain, used = of, is_named or bool(by - CUE_WORDS or by & as_name), by
        if weight and is_certain:
            found[subject] = weight, used
        elif weight >= 1:
            doubtful.append(subject)
    most = max((weight for weight, _ in found.values()), default=0.0)
    best = [subject for subject, (weight, _) in found.items() if weight == most]
    by = frozenset[str]().union(*(found[subject][1] for subject in best))
    return Named(tuple(best), most, by, tuple(doubtful))


def _stands_as_name(word: str, before: str) -> bool:
    """Return whether a word of questions is a name where it stands: `was end taken`, `my summary`, but not `my end`."""
    return before in BEFORE_NAMES or (before in OWNERS and word not in ALONE)


class _Title(NamedTuple):
    """Words by which a subject may be named, and how much they weigh; `least` is how many of them must be there."""

    words: frozenset[str]
    factor: float
    least: float


def _weight(title: _Title, said: tuple[str, ...]) -> tuple[float, frozenset[str]]:
    """Return how well a title is contained in a question, and by which of its words."""
    by = {word: next((one for one in said if one == word or _is_named(one, word)), "") for word in title.words}
    found = sum(1.0 if one == word else _ALIKE for word, one in by.items() if one)
    if not found or found < title.least * _ALIKE:
        return 0.0, frozenset()
    return found * found / len(title.words) * title.factor, frozenset([one for one in by.values() if one])


@lru_cache(maxsize=4096)
def _is_named(one: str, other: str) -> bool:
    """Return whether a word of a question stands for a word of a title: a form of it, or a word for the same."""
    return is_alike(one, other) or one in _meanings().get(other, ())


def is_alike(one: str, other: str) -> bool:
    """Return whether two words are forms of one: `agree` and `agreement`, `urgent` and `urgency`."""
    if one[:_LEAST_BEGIN] != other[:_LEAST_BEGIN]:
        return False
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shorter, longer = sorted((len(one), len(other)))
    is_begin = same == shorter >= _LEAST_BEGIN and longer - same <= _LONGEST_ENDING
    return is_begin or (same > _LEAST_BEGIN and longer - same < _LONGEST_ENDING)


@cache
def _meanings() -> Mapping[str, frozenset[str]]:
    """Return for each word of what fields are about the words for the same, in every language: `alter` for `age`."""
    found: dict[str, frozenset[str]] = {}
    for code in CODES:
        for concept in shipped(code).concepts:
            for word in concept.marks - LITTLE:
                found[word.casefold()] = found.get(word, frozenset()) | (concept.marks - LITTLE)
    return found


_ALIKE = 0.9
"""How much another form of a word weighs."""
_LEAST_BEGIN, _LONGEST_ENDING = 4, 4
_OPTION, _QUESTION, _DESCRIPTION = 0.5, 0.4, 0.25
"""How much the words of an option, of a question, or of a description weigh against those of a name."""
_FIRST = late_pattern(r"[^,;:(]*")


def _titles(machine: Machine) -> Mapping[Subject, tuple[_Title, ...]]:
    """Return the words by which each subject may be named."""
    asks = _questions(machine)
    found: dict[Subject, tuple[_Title, ...]] = {}
    for subject in subjects(machine):
        if subject.kind in ("limit", "form") or subject.name == PERSON_TIMEOUT:
            continue
        own = subject.name.partition(".")[2] if subject.kind == "field" else subject.name
        titles = [_title(own)]
        if subject.kind == "tool" and own not in machine.tools:
            titles = [_title(own, part=1.0), _title(own.partition("_")[0], _OPTION)]
        if subject.kind == "field":
            field = machine.fields[subject.name]
            first = _FIRST.match(field.about)
            titles += [_title(field.about), _title(first[0] if first is not None else "")]
            titles += [_title(ask, _QUESTION) for ask in asks.get(subject.name, ())]
            titles += [_title(word, _OPTION, 1.0) for option in field.options for word in (option.value, *option.words)]
        elif subject.kind == "node":
            titles.append(_title(machine.nodes[subject.name].node.description, _DESCRIPTION))
        found[subject] = tuple([title for title in titles if title.words])
    return found


def _title(text: str, factor: float = 1.0, part: float = 0.5) -> _Title:
    """Return the words of a title of which a part must be in a question."""
    words = frozenset(words_in(text)) - LITTLE
    return _Title(words, factor, len(words) * part)


def _questions(machine: Machine) -> dict[str, list[str]]:
    """Return the questions that forms ask for each field."""
    found: dict[str, list[str]] = {}
    for node in machine.nodes.values():
        for one in node.form.form.fields if node.form is not None else ():
            found.setdefault(one.field, []).append(one.ask)
    return found
