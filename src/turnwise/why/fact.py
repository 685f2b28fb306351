"""Subjects that can be asked about, and facts: things that happened, or hold, with what caused them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.phrase import Phrase, phrase
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
"""The kinds of subjects that can be asked about."""


class Subject(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a question or a fact is about: a kind of thing and its name.

    `name` is the name in the flow, the number of a turn or message, the id of a call, an item of a list of records by
    its id (`order.items[i3]`), or one value of it (`order.items[i3].size`). It is empty for what exists once: the
    conversation, its end, the open question, the person.
    """

    kind: SubjectKind
    """The kind of the subject: a field, a node, a turn and so on."""
    name: str = ""
    """The name, id or number: `user.age`, `12`, `order.items[i3].size`; empty for what exists only once."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else f"the {self.kind}"

    @property
    def text(self) -> Phrase:
        """The subject in words, as a question names it."""
        return phrase("{kind} {name}" if self.name else "the {kind}", kind=_KINDS[self.kind], name=self.name)


_KINDS: dict[SubjectKind, Phrase] = {
    "conversation": Phrase("conversation"),
    "turn": Phrase("turn"),
    "message": Phrase("message"),
    "node": Phrase("node"),
    "transition": Phrase("transition"),
    "field": Phrase("field"),
    "item": Phrase("item"),
    "question": Phrase("question"),
    "form": Phrase("form"),
    "tool": Phrase("tool"),
    "call": Phrase("call"),
    "timer": Phrase("timer"),
    "schedule": Phrase("schedule"),
    "event": Phrase("event"),
    "person": Phrase("person"),
    "model": Phrase("model"),
    "limit": Phrase("limit"),
    "overlay": Phrase("overlay"),
    "end": Phrase("end"),
    "delivery": Phrase("delivery"),
    "origin": Phrase("origin"),
}


class Fact(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened, or that holds, and its causes."""

    kind: FactKind
    """The kind of the fact, by which a program can distinguish facts."""
    text: str
    """The fact as a sentence, made from `values`; secrets are redacted."""
    about: tuple[Subject, ...] = ()
    """The subjects of the fact; each can be the subject of a further question."""
    turn: int = 0
    """The number of the turn in which the fact happened; 0 if no turn is known."""
    seq: int = 0
    """The position of the fact's event in the journal; 0 if it follows from the flow and the state without an event."""
    values: dict[str, Any] = {}
    """The values that the text is made from, by name; secrets are redacted."""
    source: str = ""
    """The place in the flow that the fact comes from, as `file:line`; empty if there is none."""
    causes: tuple[Fact, ...] = ()
    """The facts that caused this fact, the main one first."""

    def walk(self) -> Iterator[Fact]:
        """Yield the fact, then each cause followed by its own causes."""
        found: list[Fact] = []
        rest: list[Fact] = [self]
        while rest:
            fact = rest.pop()
            found.append(fact)
            rest += fact.causes[::-1]
        return iter(found)

    def with_values(self, **values: Any) -> Fact:
        """Return the fact with some values replaced, and its text written again."""
        changed = self.values | values
        return replace(self, values=changed, text=words(self.kind, changed))
