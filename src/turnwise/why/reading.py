"""Finds what a question is about: a name of any kind, a number of a turn, or a question in plain words.

Plain words are mapped offline, by the names and titles in them; the answer says how they were read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple, cast, get_args

from turnwise.core.machine import PERSON_TIMEOUT, Candidate, Machine
from turnwise.core.state.kinds import ArtefactKind
from turnwise.core.step.receive import CONTINUATION
from turnwise.core.tools.offered import CHOICE
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest, nearest_name
from turnwise.flow.model import Limits
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.cues import ALONE, ASKING, BEFORE_NAMES, CUE_WORDS, CUES, LITTLE, OWNERS

_CALL = re.compile(r"\d+-\d+-\d+")
_WORD = re.compile(r"\w+")
_TURN = re.compile(r"\b(?:in |at |of )?turn (\d{1,9})\b", re.IGNORECASE)
_WHY = re.compile(r"(?:why|warum|wieso|weshalb)(?:\s+not|\s+nicht)?(?:\s+|$)", re.IGNORECASE)
_TAKE_OVER = re.compile(r"\bt(?:ake|akes|ook|aken) over\b", re.IGNORECASE)
_ANOTHER: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\b(?:would lead|what leads|how (?:do|can|could|to)\b.*\b(?:get|reach))\b", re.IGNORECASE),
        "ask for ways to a node: --to NODE, chat.ways_to(NODE), or How to get to in the studio",
    ),
    (
        re.compile(r"\b(?:how (?:usual|common|often|rare)|wie (?:üblich|häufig|oft))\b", re.IGNORECASE),
        "ask with a name and --usual, usual=True, or usual=true over HTTP",
    ),
    (
        re.compile(r"\b(?:differs?|compared?|unterscheide\w*)\b", re.IGNORECASE),
        "compare two conversations: --against CONVERSATION, chat.compare(CONVERSATION), or Compare in the studio",
    ),
)
"""Questions that are none of why, each with how it is asked."""
_MARKED = re.compile(r"\b(field|node|transition|tool|timer|form|limit)\s+[“\"'`]?([\w.-]+)", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"'`]([\w.-]+)[”\"'`]")


class Reading(NamedTuple):
    """A question as it was read: its subject, other subjects of the same name, the turn that it names, and whether it
    was a sentence.
    """

    subject: Subject
    also: tuple[Subject, ...] = ()
    turn: int | None = None
    is_sentence: bool = False


def read_question(machine: Machine, question: str, turn: int, visited: Container[str] = ()) -> Reading:
    """Return what a question is about; `visited` are nodes that the conversation has been in. A name of the flow goes
    before a word such as `end`; `the end` is the end of the conversation. Raises `UnknownSubject` with a hint.
    """
    text = question.strip().rstrip("?").strip()
    if not text or text.casefold() in ("this turn", "the turn"):
        return Reading(Subject("turn", str(turn)), tuple(_named(machine, "turn")) if text else ())
    if not _WHY.sub("", text, count=1):
        return _of(machine, (*_named(machine, text), Subject("turn")), turn)
    found = _alone(machine, text) or _alone(machine, _WHY.sub("", text, count=1))
    if found:
        return _of(machine, found, turn)
    kind, _, name = text.replace(":", " ").partition(" ")
    if kind in get_args(SubjectKind) and name.strip() and (" " not in name.strip() or name == PERSON_TIMEOUT):
        return _explicit(machine, cast("SubjectKind", kind), name.strip(), turn)
    if text.lstrip("-").isdecimal():
        return Reading(Subject("turn", text), turn=int(text))
    if _turn_of_call(text) is not None:
        return Reading(Subject("call", text), turn=_turn_of_call(text))
    another = next((hint for pattern, hint in _ANOTHER if pattern.search(text)), "")
    if another:
        raise UnknownSubject(text, another)
    named_turn = _TURN.search(text)
    is_sentence = " " in text
    found = in_words(machine, _TURN.sub(" ", text), visited) if is_sentence else tuple(_hinted((text.casefold(),)))
    if not found:
        raise UnknownSubject(text, _hint(machine, text))
    number = int(named_turn[1]) if named_turn is not None else None
    return _of(machine, found, turn if number is None else number)._replace(turn=number, is_sentence=is_sentence)


def _alone(machine: Machine, text: str) -> tuple[Subject, ...]:
    """Return the subjects of a question that is only a name, or a word such as `end`; with `the` before it, it is that
    word first.
    """
    is_the, word = text.casefold().startswith("the "), text[4:] if text.casefold().startswith("the ") else text
    named = tuple(_named(machine, word))
    kind = ALONE.get(word.casefold())
    own = (Subject(kind),) if kind is not None else ()
    return (*own, *named) if is_the else (*named, *own)


def _hint(machine: Machine, text: str) -> str:
    """Return the nearest name, else the names that contain the text, else names that can be asked about."""
    named = [one for one in subjects(machine) if one.kind != "limit" and _is_used(machine, one.name)]
    names = list(dict.fromkeys(one.name for one in named))
    is_sentence = " " in text
    if not is_sentence:
        within = [name for name in names if len(text) >= _LEAST_PART and text.casefold() in name.casefold()]
        hint = nearest(text, names) or (f"there are {_few(within)}" if within else "")
        if hint:
            return hint
    words = [word for word in _words(text) if word not in LITTLE]
    own = {one.name.rpartition(".")[2]: one.name for one in named}
    near = next((own[found] for word in words if (found := nearest_name(word, own))), "") if is_sentence else ""
    if near:
        return f"did you mean '{near}'?"
    if not ASKING.isdisjoint(words):
        return f"its fields are {_few(machine.fields)}"
    return f"ask about a name of the flow, such as {_few(machine.nodes)}, or about a turn"


def _few(names: Iterable[str]) -> str:
    first, rest = list(names)[:_MOST_NAMED], list(names)[_MOST_NAMED:]
    return ", ".join(first) + (f" and {len(rest)} more" if rest else "")


_LEAST_PART = 3
_MOST_NAMED = 5


def _of(machine: Machine, found: tuple[Subject, ...], turn: int) -> Reading:
    """Return the reading of some subjects of which the first is meant, with the names of those that have none yet."""
    timers = [one for one in subjects(machine) if one.kind == "timer"]
    timers = [one for one in timers if _is_used(machine, one.name)] or timers
    named: list[Subject] = []
    for one in found:
        if one.kind == "timer" and not one.name:
            named += timers
        elif one.kind in ("turn", "message") and not one.name:
            named.append(Subject(one.kind, str(turn)))
        else:
            named.append(one)
    first, *others = dict.fromkeys(named)
    return Reading(first, tuple(others))


def _is_used(machine: Machine, timer: str) -> bool:
    """Return whether a timer can be armed: that of a person only where the flow waits for one."""
    waits = machine.flow.person is not None or any(node.work == "person" for node in machine.nodes.values())
    return timer != PERSON_TIMEOUT or waits


def _explicit(machine: Machine, kind: SubjectKind, name: str, turn: int) -> Reading:
    """Read `field user.age`, `turn 7`, `call 3.1`."""
    if kind in ("turn", "message") and name.isdecimal():
        return Reading(Subject(kind, name), turn=int(name))
    if kind == "call":
        return Reading(Subject(kind, name), turn=_turn_of_call(name))
    if kind == "question":
        field = _explicit(machine, "field", name, turn).subject
        return Reading(Subject("question", field.name))
    found = [subject for subject in _named(machine, name) if subject.kind == kind]
    if not found:
        known = [subject.name for subject in subjects(machine) if subject.kind == kind]
        raise UnknownSubject(f"{kind} {name}", nearest(name, known))
    return _of(machine, tuple(found), turn)


def _turn_of_call(name: str) -> int | None:
    """Return the turn of the call of a model, whose id begins with it: `3-1-2`; `None` for what is no id."""
    return int(name.partition("-")[0]) if _CALL.fullmatch(name) else None


def _named(machine: Machine, name: str) -> Iterator[Subject]:
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


def _generated_tools(machine: Machine) -> Iterator[str]:
    """Yield the tools for records, and those that choose a transition, which any node has."""
    for name, node in machine.nodes.items():
        yield from (*node.toolbox.reads, *node.toolbox.writes)
        yield from (CHOICE + one.target for one in machine.candidates(name, "choice").all if one.target)


def _of_nodes(machine: Machine) -> Iterator[Candidate]:
    return (candidate for node in machine.nodes.values() for candidate in node.candidates)


def _each(kind: SubjectKind, names: Iterable[str]) -> list[Subject]:
    return [Subject(kind, name) for name in names]


# plain words -------------------------------------------------------------------------------------


def in_words(machine: Machine, text: str, visited: Container[str] = ()) -> tuple[Subject, ...]:
    """Return the subject whose name, title, options or description is best contained in a question, else what its words
    hint at; then the others that may be meant. A question about asking for a field is one about the question of it.

    A node that was visited goes before a transition or timer whose name is in its description. A name that is a word of
    questions itself, such as `end`, counts after its kind (`node end`), in quotes, or where a
    name stands (`was end taken`); elsewhere it is only one of the others.
    """
    marked = tuple(dict.fromkeys(_marked(machine, text)))
    if marked:
        return marked
    said = tuple(_words(_TAKE_OVER.sub("takeover", text).replace(".", " ")))
    is_asked = not ASKING.isdisjoint(said)
    certain, doubtful = _weighed(machine, said, is_asked=is_asked)
    best = [_asked_for(machine, one) for one in certain] if is_asked else _as_happened(machine, certain, said, visited)
    others = _hinted(said) if not best or _is_cue(best[0].name) else []
    return tuple(dict.fromkeys([*best, *others, *doubtful]))


def _as_happened(
    machine: Machine, found: list[Subject], said: tuple[str, ...], visited: Container[str]
) -> list[Subject]:
    """Return the subjects with what happened before what did not: a node that was visited and is described by the same
    words; then the others, timers last where no word of the question is about one.
    """
    if not found or found[0].kind not in ("timer", "transition"):
        return found
    words = frozenset(_words(found[0].name)).intersection(said) - LITTLE
    nodes = [name for name, node in machine.nodes.items() if words <= frozenset(_words(node.node.description))]
    own = [Subject("node", name) for name in nodes if name in visited]
    is_about_time = not CUES[0][0].isdisjoint(said)
    return own + (found if is_about_time else sorted(found, key=lambda one: one.kind == "timer"))


def _hinted(said: tuple[str, ...]) -> list[Subject]:
    """Return what the words of a question hint at, the turn where they are all little; nothing where it was asked why
    something was asked that the flow does not name.
    """
    hinted: SubjectKind | None = next((kind for cues, kind in CUES if not cues.isdisjoint(said)), None)
    if hinted == "question" and not (LITTLE | CUE_WORDS).issuperset(said):
        return []
    if hinted is None:
        return [Subject("turn")] if LITTLE.issuperset(said) else []
    return [Subject(hinted)]


def _marked(machine: Machine, text: str) -> Iterator[Subject]:
    """Yield the subjects that are named after their kind, or in quotes."""
    for kind, name in _MARKED.findall(text):
        yield from (one for one in _named(machine, name) if one.kind == kind.casefold())
    for name in _QUOTED.findall(text):
        yield from _named(machine, name)


def _asked_for(machine: Machine, one: Subject) -> Subject:
    return Subject("question", one.name) if one.kind == "field" and one.name in machine.forms_of else one


def _is_cue(name: str) -> bool:
    return CUE_WORDS.issuperset(_words(name.rpartition(".")[2]))


def _weighed(machine: Machine, said: tuple[str, ...], *, is_asked: bool) -> tuple[list[Subject], list[Subject]]:
    """Return the subjects whose words are best contained in a question, and those that are only named by a word of
    questions.
    """
    found: dict[Subject, float] = {}
    doubtful: list[Subject] = []
    as_name = {word for before, word in pairwise(("", *said)) if _stands_as_name(word, before)}
    for subject, titles in _titles(machine).items():
        is_named = is_asked and subject.kind == "field" and ASKING.isdisjoint(_words(subject.name))
        weight, is_certain = 0.0, False
        for words, factor in titles:
            of, by = _weight(words, said)
            if of * factor > weight:
                weight, is_certain = of * factor, is_named or bool(by - CUE_WORDS or by & as_name)
        if weight and is_certain:
            found[subject] = weight
        elif weight >= 1:
            doubtful.append(subject)
    most = max(found.values(), default=0)
    return [one for one, weight in found.items() if weight == most], doubtful


def _stands_as_name(word: str, before: str) -> bool:
    """Return whether a word of questions is a name where it stands: `was end taken`, `my summary`, but not `my end`."""
    return before in BEFORE_NAMES or (before in OWNERS and word not in ALONE)


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in _WORD.findall(text.replace("_", " ")))


def _weight(words: frozenset[str], said: tuple[str, ...]) -> tuple[float, set[str]]:
    """Return how well some words are contained in a question, and by which of its words: not at all unless half of them
    are.
    """
    known = words - LITTLE
    by = {word: next((one for one in said if one == word or _is_alike(one, word)), "") for word in known}
    found = sum(1.0 if one == word else _ALIKE for word, one in by.items() if one)
    if not found or found * 2 < len(known) * _ALIKE:
        return 0.0, set()
    return found * found / len(known), {one for one in by.values() if one}


def _is_alike(one: str, other: str) -> bool:
    """Return whether two words are forms of one: `agree` and `agreement`, `urgent` and `urgency`."""
    if one[:_LEAST_BEGIN] != other[:_LEAST_BEGIN]:
        return False
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shorter, longer = sorted((len(one), len(other)))
    is_begin = same == shorter >= _LEAST_BEGIN and longer - same <= _LONGEST_ENDING
    return is_begin or (same > _LEAST_BEGIN and longer - same < _LONGEST_ENDING)


_ALIKE = 0.9
"""How much another form of a word weighs."""
_LEAST_BEGIN, _LONGEST_ENDING = 4, 4
_OPTION, _DESCRIPTION = 0.5, 0.25
"""How much the words of an option, or of a description, weigh against those of a name."""

_Titles = tuple[tuple[frozenset[str], float], ...]
_FIRST = re.compile(r"[^,;:(]*")


def _titles(machine: Machine) -> Mapping[Subject, _Titles]:
    """Return the words by which each subject may be named, and how much they weigh."""
    found: dict[Subject, _Titles] = {}
    for subject in subjects(machine):
        if subject.kind in ("limit", "form") or subject.name == PERSON_TIMEOUT:
            continue
        own = subject.name.partition(".")[2] if subject.kind == "field" else subject.name
        titles = [(own, 1.0)]
        if subject.kind == "field":
            field = machine.fields[subject.name]
            first = _FIRST.match(field.about)
            titles += [(field.about, 1.0), (first[0] if first is not None else "", 1.0)]
            titles += [(word, _OPTION) for option in field.options for word in (option.value, *option.words)]
        elif subject.kind == "node":
            node = machine.nodes[subject.name].node
            titles.append((node.description, _DESCRIPTION))
        found[subject] = tuple([(frozenset(_words(text)), weight) for text, weight in titles if text])
    return found
