"""Finds what a question is about: a name of any kind, a number of a turn, or a question in plain words.

Plain words are read by rules, in this order. `sentences` takes a question apart, by the `words` and `clauses` of both
languages. `titles` finds what it names, `cues` at what its words hint; of both, this module makes its subjects.
`placing` lists the readers that then find in the journal what it repeats or means of the conversation, and in which
turn; the first that knows it decides. `leads` puts the fact first that it asks for, and `beside` what it asks besides.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, cast, get_args

from turnwise.core.machine import PERSON_TIMEOUT, Machine
from turnwise.core.state import State
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Subject, SubjectKind
from turnwise.why.names import is_used, words_in
from turnwise.why.reading.cues import ALONE, CLEAR, CUE_WORDS, OF_QUESTIONS, Cue, Happening
from turnwise.why.reading.sentences import Sentence, cue_of, has_phrase, sentence_of
from turnwise.why.reading.supposing import is_hypothetical, read_supposition
from turnwise.why.reading.titles import MARKED, Named, node_in, titles_of
from turnwise.why.reading.words import ASKING, LITTLE, MENTIONING, NOBODY, NONE, TOOLS
from turnwise.why.supposition import Supposition

_CALL = late_pattern(r"\d+-\d+-\d+")
_WHY = late_pattern(r"(?i:why|warum|wieso|weshalb)(?:\s+(?i:not|nicht))?(?:\s+|$)")
_ANOTHER = (
    (
        late_pattern(
            r"(?i)\b(?:would lead|what leads|what (?:would|does|will) it take"
            r"|how (?:do|can|could|to)\b.*\b(?:get|reach))\b"
        ),
        "ask for ways to a node: --to NODE, chat.ways_to(NODE), or How to get to in the studio",
    ),
    (
        late_pattern(r"(?i)\b(?:differs?|compared?|unterscheide\w*)\b"),
        "compare two conversations: --against CONVERSATION, chat.compare(CONVERSATION), or Compare in the studio",
    ),
    (
        late_pattern(
            r"(?i)\bwhat (?:happens|will happen|would happen) (?:if|when) (?:i|you|he|she|we|they) "
            r"(?:says?|answers?|types?|writes?|press|presses|chooses?)\b(?! (?:nothing|no more)\b)"
            r"|\bwas (?:passiert|geschieht), wenn (?:ich|sie|er|wir)\b(?!.*\b(?:nichts|hätte\w*|wäre\w*)\b)"
            r".*\b(?:sage|sagt|sagen|antworte|antwortet|antworten|schreibe|schreibt|wähle|wählt|drücke|drückt)\b"
        ),
        "try a message without storing it: chat.dry_run(text), or POST …/dry-run over HTTP",
    ),
)
"""Questions that are none of why, each with how it is asked."""
_MARKED = late_pattern(r"(?i)\b(field|node|transition|tool|timer|form|limit)\s+[“\"'`]?([\w.-]+)")
_MARKED_AFTER = late_pattern(r"(?i)\b([\w.-]+)[”\"'`]?\s+(field|node|transition|tool|timer|form|limit)\b")
_OFFERED = late_pattern(r"(?i)\b([\w.-]+)[”\"'`]?\s+(?:not\s+)?(?:allowed|offered|available|possible|permitted)\b")
_QUOTED = late_pattern(r"[“\"'`]([\w.-]+)[”\"'`]")
_SPELLED = late_pattern(r"\b\w+(?:[_.]\w+)+\b")


class Against(NamedTuple):
    """The turn of the words that a question holds against what it asks: `although I said no`; `is_turn` where it sets
    this turn against another one: `at 41 but not at 39`.
    """

    turn: int = 0
    words: tuple[str, ...] = ()
    is_turn: bool = False


BY_MODEL = "as the model read it"
"""What `note` says where a model read a question."""


class Reading(NamedTuple):
    """A question as it was read: its subject, other subjects that may be meant, and the turn that it names.

    A question in plain words has its `sentence`, its `cue`, and what it `names`. Where it names nothing of the flow and
    hints at nothing, `found` is empty, until the conversation has what is named; `hint` says what it has not. `spelled`
    are names that the flow has not; a model may have called them. `not_kept` is set where a message after the end may
    be meant: the words of it that the question has, and no event. `note` says who read it, where a model was asked to.
    `supposes` has the other values of a question about what would have been. `refused` is the position of an event that
    was refused and began no turn, where one is meant.
    """

    text: str
    found: tuple[Subject, ...]
    turn: int | None = None
    sentence: Sentence | None = None
    cue: Cue | None = None
    names: Named = Named()
    hint: str = ""
    spelled: tuple[str, ...] = ()
    not_kept: str | None = None
    against: Against = Against()
    note: str = ""
    supposes: Supposition | None = None
    refused: int = 0

    @property
    def is_by_model(self) -> bool:
        """True where a model read the question."""
        return self.note == BY_MODEL

    @property
    def subject(self) -> Subject:
        """What the question is about."""
        return self.found[0]

    @property
    def also(self) -> tuple[Subject, ...]:
        """What else it may be about."""
        return self.found[1:]

    @property
    def hint_kind(self) -> SubjectKind | None:
        """The kind of subject at which its words hint."""
        return self.cue.kind if self.cue is not None else None

    @property
    def happening(self) -> Happening | None:
        """What happened that its words hint at."""
        return self.cue.happening if self.cue is not None else None

    def about(self, *subjects: Subject) -> Reading:
        """Return it with some subjects before those that it has; a turn or message goes in place of another."""
        own = {one.kind for one in subjects if one.kind in _OF_TURN}
        others = [one for one in self.found if one.kind not in own]
        return self._replace(found=tuple(dict.fromkeys((*subjects, *others))))

    def at(self, turn: int, *subjects: Subject) -> Reading:
        """Return it at a turn, with some subjects before those that it has; turns and messages are those of that."""
        own = (Subject(one.kind, str(turn)) if one.kind in _OF_TURN else one for one in (*subjects, *self.found))
        return self._replace(found=tuple(dict.fromkeys(own)), turn=turn)

    def without(self, hint: str = "") -> Reading:
        """Return it with nothing found; `hint` says what the conversation has not."""
        return self._replace(found=(), hint=hint)


_OF_TURN: tuple[SubjectKind, ...] = ("turn", "message")


def read_question(machine: Machine, question: str, state: State, turn: int) -> Reading:
    """Return what a question is about, asked at the end of a turn; `state` is that of the conversation. A name of the
    flow goes before a word such as `end`; `the end` is the end of the conversation. Raises `UnknownSubject` with a hint
    for what is no sentence, and for a question that is none of why.
    """
    text = question.strip().rstrip("?").strip()
    if not text or text.casefold() in ("this turn", "the turn"):
        return Reading(text, (Subject("turn", str(turn)), *(titles_of(machine).named("turn") if text else ())))
    bare = _WHY.sub("", text, count=1)
    found = (
        (*titles_of(machine).named(text), Subject("turn"))
        if not bare
        else _alone(machine, text) or _alone(machine, bare)
    )
    if found:
        return Reading(text, resolved(machine, found, state, turn))
    kind, _, name = text.replace(":", " ").partition(" ")
    if kind in get_args(SubjectKind) and name.strip() and (" " not in name.strip() or name == PERSON_TIMEOUT):
        return _explicit(machine, cast("SubjectKind", kind), name.strip(), state, turn)
    if text.lstrip("-").isdecimal():
        return Reading(text, (Subject("turn", text),), int(text))
    if _turn_of_call(text) is not None:
        return Reading(text, (Subject("call", text),), _turn_of_call(text))
    another = next((hint for pattern, hint in _ANOTHER if pattern.search(text)), "")
    if another:
        raise UnknownSubject(text, another, what="another question than why:")
    if " " in text or has_phrase(text):
        return _supposed(machine, text, state, turn) or _plain(machine, text, state, turn)
    cue = cue_of((text.casefold(),))
    if cue is None:
        return Reading(text, (), spelled=(text,))
    return Reading(text, resolved(machine, (Subject(cue.kind),), state, turn))


def _supposed(machine: Machine, text: str, state: State, turn: int) -> Reading | None:
    """Read a question about what would have been with other values; `None` where it has none."""
    if not is_hypothetical(text):
        return None
    kinds = ("transition", "timer", "node", "question")

    def find(asked: str) -> tuple[Subject, ...]:
        return tuple([one for one in _plain(machine, asked, state, turn).found if one.kind in kinds])

    supposes = read_supposition(machine, text, state, find)
    if supposes is None:
        return None
    fields = [Subject("field", name) for name in supposes.values]
    number = sentence_of(text, titles_of(machine).names).turn
    return Reading(text, (*supposes.subjects[:1], *fields)[:1], number, supposes=supposes)


def resolved(machine: Machine, found: Iterable[Subject], state: State, turn: int) -> tuple[Subject, ...]:
    """Return subjects with the names of those that have none yet; of the timers, armed ones first."""
    whole: list[Subject] = []
    for one in found:
        if one.kind == "timer" and not one.name:
            whole += _timers(machine, state)
        elif one.kind in ("turn", "message") and not one.name:
            whole.append(Subject(one.kind, str(turn)))
        else:
            whole.append(one)
    return tuple(dict.fromkeys(whole))


def _timers(machine: Machine, state: State) -> list[Subject]:
    """Return the timers, armed ones first."""
    timers = [one for one in titles_of(machine).subjects if one.kind == "timer"]
    timers = [one for one in timers if is_used(machine, one.name)] or timers
    armed = {timer.transition for timer in state.timers}
    return sorted(timers, key=lambda timer: timer.name not in armed)


def _alone(machine: Machine, text: str) -> tuple[Subject, ...]:
    """Return the subjects of a question that is only a name, or a word such as `end`; with `the` before it, it is that
    word first.
    """
    is_the, word = text.casefold().startswith("the "), text[4:] if text.casefold().startswith("the ") else text
    found = titles_of(machine).named(word)
    kind = ALONE.get(word.casefold())
    own = (Subject(kind),) if kind is not None else ()
    return (*own, *found) if is_the else (*found, *own)


def _explicit(machine: Machine, kind: SubjectKind, name: str, state: State, turn: int) -> Reading:
    """Read `field user.age`, `turn 7`, `call 3.1`."""
    text = f"{kind} {name}"
    if kind in ("turn", "message") and name.isdecimal():
        return Reading(text, (Subject(kind, name),), int(name))
    if kind == "call":
        return Reading(text, (Subject(kind, name),), _turn_of_call(name))
    if kind == "person":
        return Reading(text, (), hint="no person of that name did anything so far")
    if kind == "question":
        field = _explicit(machine, "field", name, state, turn).subject
        return Reading(text, (Subject("question", field.name),))
    found = [subject for subject in titles_of(machine).named(name) if subject.kind == kind]
    if not found and kind == "tool":
        return Reading(name, (), spelled=(name,))
    if not found:
        known = [subject.name for subject in titles_of(machine).subjects if subject.kind == kind]
        raise UnknownSubject(text, nearest(name, known))
    return Reading(text, resolved(machine, found, state, turn))


def _turn_of_call(name: str) -> int | None:
    """Return the turn of the call of a model, whose id begins with it: `3-1-2`; `None` for what is no id."""
    return int(name.partition("-")[0]) if _CALL.fullmatch(name) else None


# plain words --------------------------------------------------------------------------------------


def _plain(machine: Machine, text: str, state: State, turn: int) -> Reading:
    """Read a question in plain words: by what is named after its kind, in quotes or as it is spelled; else by the names
    whose words are best contained in it; else by what its words hint at.
    """
    sentence = sentence_of(text, titles_of(machine).names)
    at = turn if sentence.turn is None else sentence.turn
    names = _named_in(machine, sentence)
    is_marked = names.is_marked
    best = _as_happened(machine, names, sentence, state)
    said = sentence.main if names.by.issubset(sentence.main) else sentence.words
    is_asked = not ASKING.isdisjoint(said) and not is_marked
    best = [_asked_for(machine, one) for one in best] if is_asked else best
    cue = sentence.cue() or (sentence.misspelled_cue() if not names.best else None)
    best = [*_who_works(machine, best, sentence, cue), *best]
    is_of_form = cue is not None and (cue.kind == "form" or (cue.kind == "question" and not is_asked))
    if is_of_form and not any(node.form is not None for node in machine.nodes.values()):
        cue = Cue("turn")
    is_sure = is_marked or (best and not _is_cue(best[0].name))
    hinted = [] if is_sure and not _is_weak(names, sentence, cue) else _hinted(sentence, cue)
    found = (*hinted, *best) if _is_weak(names, sentence, cue) else (*best, *hinted)
    found = resolved(machine, (*found, *names.doubtful), state, at)
    spelled = [name for name in _SPELLED.findall(sentence.unquoted) if not titles_of(machine).named(name)]
    return Reading(text, found, sentence.turn, sentence, cue, names, spelled=tuple(spelled))


_CERTAIN = 0.4
"""How well the clause that asks must name something, so that the other clauses do not count."""
_TEXT, _WORD, _PHRASE = 0.2, 0.45, 0.55
"""How well something must be named, so that a word of questions of any kind, one of a clear kind, or a phrase does not
count.
"""


def _is_weak(names: Named, sentence: Sentence, cue: Cue | None) -> bool:
    """Return whether a word hints at something more clearly than the names that are alike do."""
    if cue is not None and names.weight < _TEXT:
        return True
    is_tool = all(one.kind == "tool" for one in names.best)
    is_of_tool = cue is not None and cue.kind == "message" and is_tool
    if cue is None or not (cue.kind in CLEAR or (is_of_tool and sentence.has_phrase)):
        return False
    if cue.kind == "model" and is_tool and not TOOLS.isdisjoint(sentence.main):
        return False  # `by a tool` beside what the tool does
    if cue.kind == "person" and not NOBODY.isdisjoint(sentence.main):
        return names.weight < 1.0
    if cue.kind == "person" and not sentence.has_phrase and names.best[0].kind == "node" and cue_of(names.by) == cue:
        return False  # the text of a node speaks of a person
    return names.weight < (_PHRASE if sentence.has_phrase else _WORD)


def _named_in(machine: Machine, sentence: Sentence) -> Named:
    """Return what the clause that asks names, a tool or field before the node in which it stands; where that is little,
    what the whole sentence names.
    """
    titles, place = titles_of(machine), {*words_in(node_in(machine, sentence.clause))}
    apart = titles.weighed(tuple([word for word in sentence.main if word not in place])) if place else Named()
    if apart.weight >= _CERTAIN and apart.best[0].kind in ("tool", "field"):
        return apart
    own = _marked(machine, sentence.clause) or titles.weighed(_without_verbs(sentence, sentence.main))
    if own.weight >= _CERTAIN or sentence.words == sentence.main or (not own.best and sentence.is_about_itself):
        return own
    whole = _marked(machine, sentence.unquoted) or titles.weighed(_without_verbs(sentence, sentence.words))
    return whole if whole.weight > own.weight or not own.best else own


def _without_verbs(sentence: Sentence, said: tuple[str, ...]) -> tuple[str, ...]:
    """Return words without verbs such as `tell`, where these are followed by what was said."""
    has_said = any(not quote.is_marked and not quote.words[0].isdecimal() for quote in sentence.quotes)
    return tuple([word for word in said if not has_said or word not in MENTIONING])


def _marked(machine: Machine, text: str) -> Named | None:
    """Return the subjects that are named after their kind; else those in quotes, or spelled as in `save_result`."""
    marked = [*_MARKED.findall(text), *((kind, name) for name, kind in _MARKED_AFTER.findall(text))]
    marked += [("tool", name) for name in _OFFERED.findall(text)]
    found = [one for kind, name in marked for one in titles_of(machine).named(name) if one.kind == kind.casefold()]
    for pattern in (_QUOTED, _SPELLED):
        found = found or [one for name in pattern.findall(text) for one in titles_of(machine).named(name)]
    return Named(tuple(dict.fromkeys(found)), MARKED) if found else None


def _as_happened(machine: Machine, names: Named, sentence: Sentence, state: State) -> list[Subject]:
    """Return the subjects with what happened before what did not: a node that was visited and is described by the same
    words, where the name is not spelled; then the others, timers last. Where the question is about time, timers come
    first.
    """
    found = list(names.best)
    if not found or found[0].kind not in ("timer", "transition"):
        return found
    words = names.by.intersection(words_in(found[0].name))
    nodes = [name for name, node in machine.nodes.items() if words <= frozenset(words_in(node.node.description))]
    own = [Subject("node", name) for name in nodes if name in state.visits and words]
    if sentence.is_about_time and not (sentence.is_about_first and own):
        return sorted((*found, *own), key=lambda one: one.kind != "timer")
    return own + sorted(found, key=lambda one: one.kind == "timer")


def _hinted(sentence: Sentence, cue: Cue | None) -> list[Subject]:
    """Return what the words of a question hint at, the turn where they are all little; nothing where it was asked why
    something was asked that the flow does not name.
    """
    if cue is None:
        return [Subject("turn")] if LITTLE.issuperset(sentence.words) else []
    is_known = OF_QUESTIONS.issuperset(sentence.words) or sentence.has_phrase
    is_fault_of_turn = cue.happening == "failure" and sentence.turn is not None
    return [] if cue.kind == "question" and not is_known else [Subject("turn" if is_fault_of_turn else cue.kind)]


def _who_works(machine: Machine, best: list[Subject], sentence: Sentence, cue: Cue | None) -> list[Subject]:
    """Return the person, for a question which of those did something who work in a node, or why none of them came:
    `which nurse ended it?`, `why did no nurse come?`
    """
    nodes = {one.name for one in best if one.kind == "node" and machine.nodes[one.name].work == "person"}
    begins = (*_WHICH, *NONE) if cue is not None and cue.kind == "person" else _WHICH
    is_which = any(before in begins and word in nodes for before, word in pairwise(sentence.main))
    return [Subject("person")] if is_which else []


_WHICH = ("which", "welche", "welcher")


def _asked_for(machine: Machine, one: Subject) -> Subject:
    return Subject("question", one.name) if one.kind == "field" and one.name in machine.forms_of else one


def _is_cue(name: str) -> bool:
    return CUE_WORDS.issuperset(words_in(name.rpartition(".")[2]))
