"""Subjects that can be asked about, and facts: things that happened, or hold, with what caused them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.why.kinds import FactKind, words

SubjectKind = Literal[
    "conversation",
    "turn",
    "message",
    "node",
    "transition",
    "field",
    "item",
    "question",
    "form",
    "tool",
    "call",
    "timer",
    "schedule",
    "event",
    "person",
    "model",
    "limit",
    "overlay",
    "end",
    "delivery",
    "origin",
]
"""What can be asked about."""


class Subject(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a question is about. `name` is the name in the flow, the number of a turn or message, the id of a call, an
    item of a list of records by its id (`order.items[i3]`), or one value of it (`order.items[i3].size`); it is empty
    for what there is once: the conversation, its end, the open question, the person.
    """

    kind: SubjectKind
    """What kind of thing it is: a field, a node, a turn."""
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
    """What happened or holds, by which a program can tell facts apart."""
    text: str
    about: tuple[Subject, ...] = ()
    turn: int = 0
    seq: int = 0
    values: dict[str, Any] = {}
    source: str = ""
    causes: tuple[Fact, ...] = ()
    """The facts that caused it."""

    def walk(self) -> Iterator[Fact]:
        """Return the fact and everything that caused it, each before its causes."""
        found: list[Fact] = []
        rest: list[Fact] = [self]
        while rest:
            fact = rest.pop()
            found.append(fact)
            rest += fact.causes[::-1]
        return iter(found)

    def with_values(self, **values: Any) -> Fact:
        """Return the fact with some values changed, and its text made anew."""
        changed = self.values | values
        return replace(self, values=changed, text=words(self.kind, changed))
