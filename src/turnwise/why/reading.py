"""Finds what a question is about: a name of any kind, a number of a turn, or a question in plain words.

Plain words are mapped offline, by the names and titles in them; the answer says how they were read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, cast, get_args

from turnwise.core.machine import PERSON_TIMEOUT, Candidate, Machine
from turnwise.core.step.receive import CONTINUATION
from turnwise.core.tools.offered import CHOICE
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Limits
from turnwise.why.answer import Subject, SubjectKind

_CALL = re.compile(r"\d+-\d+-\d+")
_WORD = re.compile(r"\w+")
_TURN = re.compile(r"\b(?:in |at |of )?turn (\d{1,9})\b", re.IGNORECASE)
_ALONE: dict[str, SubjectKind] = {
    "end": "end",
    "question": "question",
    "form": "form",
    "person": "person",
    "model": "model",
    "conversation": "conversation",
    "message": "message",
    "turn": "turn",
    "prompt": "model",
    "timer": "timer",
}
"""Subjects that there are once; a name of the flow goes before them."""
_ASKING = frozenset(("ask", "asks", "asked", "asking", "question"))
_CUES: tuple[tuple[frozenset[str], SubjectKind], ...] = (
    (frozenset(("timer", "timers", "fire", "fired", "reminder", "timeout")), "timer"),
    (frozenset(("take", "took", "taken", "takeover", "charge", "operators")), "person"),
    (frozenset(("end", "ended", "over", "finish", "finished", "stop", "stopped")), "end"),
    (frozenset(("person", "human", "operator", "agent", "somebody")), "person"),
    (frozenset(("prompt", "model", "llm", "tokens", "tool", "tools")), "model"),
    (frozenset(("form", "confirm", "confirmation", "summary", "missing", "complete", "progress")), "form"),
    (_ASKING, "question"),
    (
        frozenset(
            (
                *("understand", "understood", "misunderstood", "message", "stored", "store", "saved", "save"),
                *("ignored", "ignore", "accepted", "accept", "refused", "rejected", "recorded"),
            )
        ),
        "message",
    ),
    (frozenset(("wait", "waits", "waiting", "conversation", "run", "runs", "running")), "conversation"),
    (
        frozenset(
            (
                *("say", "says", "said", "reply", "answer", "happen", "happened", "happening", "turn", "move", "moved"),
                *("here", "go", "goes", "going", "went", "continue", "continued", "stay", "stays", "stayed", "stuck"),
                *("leave", "left", "sent", "nothing"),
            )
        ),
        "turn",
    ),
)
_LITTLE = frozenset(
    (
        *(
            "a",
            "an",
            "and",
            "are",
            "be",
            "did",
            "do",
            "does",
            "for",
            "from",
            "has",
            "have",
            "he",
            "i",
            "in",
            "is",
            "it",
        ),
        *("its", "me", "my", "no", "not", "of", "on", "or", "she", "so", "that", "the", "there", "to", "was", "were"),
        *("what", "why", "with", "you", "your"),
    )
)
"""Words that name nothing."""


class Reading(NamedTuple):
    """A question as it was read: its subject, other subjects of the same name, the turn that it names."""

    subject: Subject
    also: tuple[Subject, ...] = ()
    turn: int | None = None


def read_question(machine: Machine, question: str, turn: int) -> Reading:
    """Return what a question is about. Raises `UnknownSubject` with the nearest name."""
    text = question.strip().rstrip("?").strip()
    if not text or text == "this turn":
        return Reading(Subject("turn", str(turn)))
    named = tuple(_named(machine, text))
    if named:
        return _of(machine, named, turn)
    if text.casefold() in _ALONE:
        return _of(machine, (Subject(_ALONE[text.casefold()]),), turn)
    kind, _, name = text.replace(":", " ").partition(" ")
    if kind in get_args(SubjectKind) and name.strip():
        return _explicit(machine, cast("SubjectKind", kind), name.strip(), turn)
    if text.lstrip("-").isdecimal():
        return Reading(Subject("turn", text), turn=int(text))
    if _turn_of_call(text) is not None:
        return Reading(Subject("call", text), turn=_turn_of_call(text))
    named_turn = _TURN.search(text)
    if " " in text and (found := _in_words(machine, _TURN.sub(" ", text))) is not None:
        number = int(named_turn[1]) if named_turn is not None else None
        return _of(machine, (found,), turn if number is None else number)._replace(turn=number)
    raise UnknownSubject(text, _hint(machine, text))


def _hint(machine: Machine, text: str) -> str:
    """Return the nearest name, else the names that contain the text."""
    names = list(dict.fromkeys(subject.name for subject in subjects(machine)))
    within = [name for name in names if len(text) >= _LEAST_PART and text.casefold() in name.casefold()]
    hint = nearest(text, names)
    return hint or (f"there are {', '.join(within[:_MOST_NAMED])}" if within else "")


_LEAST_PART = 3
_MOST_NAMED = 5


def _of(machine: Machine, found: tuple[Subject, ...], turn: int) -> Reading:
    first = found[0]
    if first.kind == "timer" and not first.name:
        timers = [one for one in subjects(machine) if one.kind == "timer"]
        first, found = timers[0], tuple(timers)
    if first.kind in ("turn", "message") and not first.name:
        first = Subject(first.kind, str(turn))
    return Reading(first, found[1:])


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


def _in_words(machine: Machine, text: str) -> Subject | None:
    """Return the subject whose name, title, options or description is best contained in a question, else what its words
    hint at. A question about asking for a field is one about the question of that field.
    """
    said = frozenset(_words(text.replace(".", " ")))
    best, most = None, 0.0
    for subject, titles in _titles(machine).items():
        weight = max((_weight(words, said) * factor for words, factor in titles), default=0)
        if weight > most:
            best, most = subject, weight
    if best is not None:
        is_asked = best.kind == "field" and not _ASKING.isdisjoint(said) and best.name in machine.forms_of
        return Subject("question", best.name) if is_asked else best
    return next((Subject(kind) for cues, kind in _CUES if cues & said), None)


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in _WORD.findall(text.replace("_", " ")))


def _weight(words: frozenset[str], said: frozenset[str]) -> float:
    """Return how well some words are contained in a question: not at all unless more than half of them are."""
    known = words - _LITTLE
    found = len(known & said)
    return found * found / len(known) if known and found * 2 > len(known) else 0


_OPTION, _DESCRIPTION = 0.5, 0.25
"""How much the words of an option, or of a description, weigh against those of a name."""

_Titles = tuple[tuple[frozenset[str], float], ...]


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
            titles.append((field.about, 1.0))
            titles += [(word, _OPTION) for option in field.options for word in (option.value, *option.words)]
        elif subject.kind == "node":
            node = machine.nodes[subject.name].node
            titles.append((node.description, _DESCRIPTION))
        found[subject] = tuple([(frozenset(_words(text)), weight) for text, weight in titles if text])
    return found
