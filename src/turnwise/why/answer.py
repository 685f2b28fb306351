"""The answer to a question of why, as data: its subject, its facts with their causes, and ways to another outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, to_builtins
from msgspec.structs import force_setattr, replace

from turnwise.core.trace import Decision
from turnwise.why.kinds import FactKind, words

SubjectKind = Literal[
    "conversation",
    "turn",
    "message",
    "node",
    "transition",
    "field",
    "question",
    "form",
    "tool",
    "call",
    "timer",
    "person",
    "model",
    "limit",
    "end",
    "origin",
]
"""What can be asked about."""


class Subject(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a question is about. `name` is the name in the flow, the number of a turn or message, or the id of a call;
    it is empty for what there is once: the conversation, its end, the open question, the person.
    """

    kind: SubjectKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else f"the {self.kind}"


class Fact(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that happened, or holds, and what caused it.

    `text` says it in words, made from `values` (secrets are redacted in both). `about` are its subjects: to each of
    them one can ask on. `seq` is the position of the event in the journal, 0 where it is no event but follows from
    the flow and the state; `turn` is 0 where no turn is known. `source` is `file:line` in the flow.
    """

    kind: FactKind
    text: str
    about: tuple[Subject, ...] = ()
    turn: int = 0
    seq: int = 0
    values: dict[str, Any] = {}
    source: str = ""
    causes: tuple[Fact, ...] = ()

    def walk(self) -> Iterator[Fact]:
        """Yield the fact and everything that caused it."""
        yield self
        for cause in self.causes:
            yield from cause.walk()

    def with_values(self, **values: Any) -> Fact:
        """Return the fact with some values changed, and its text made anew."""
        changed = self.values | values
        return replace(self, values=changed, text=words(self.kind, changed))


class Answer(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why something is as it is, at the end of a turn.

    The first of the `facts` answers the question; the others complete it, in the order in which they happened.
    `read_as` says how a question in plain words was read. `plain` is one sentence for the person in the conversation.
    `decisions` are those that the answer refers to. `also` are other subjects of the same name. `erased` says what
    retention took away, and when; then the facts may not be all.
    """

    conversation: str
    subject: Subject
    turn: int
    seq: int
    read_as: str
    facts: tuple[Fact, ...]
    plain: str = ""
    decisions: tuple[Decision, ...] = ()
    also: tuple[Subject, ...] = ()
    erased: tuple[str, ...] = ()
    line: str = ""
    """The answer in one line: the first fact."""

    def __post_init__(self) -> None:
        if not self.line:
            force_setattr(self, "line", self.facts[0].text)

    @property
    def chain(self) -> tuple[Fact, ...]:
        """The first fact and its main causes, one step back each."""
        found = [self.facts[0]]
        while found[-1].causes:
            found.append(found[-1].causes[0])
        return tuple(found)

    def fact(self, kind: FactKind) -> Fact | None:
        """The first fact of a kind, also among the causes."""
        return next((one for fact in self.facts for one in fact.walk() if one.kind == kind), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON data."""
        return to_builtins(self)
