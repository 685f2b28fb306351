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
"""What can be asked about."""


class Subject(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a question is about. `name` is the name in the flow, the number of a turn or message, the id of a call, an
    item of a list of records by its id (`order.items[i3]`), or one value of it (`order.items[i3].size`); it is empty
    for what there is once: the conversation, its end, the open question, the person.
    """

    kind: SubjectKind
    """What kind of thing it is: a field, a node, a turn."""
    name: str = ""
    """Its name, id or number; empty for what there is once in a conversation."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else f"the {self.kind}"

    @property
    def text(self) -> Phrase:
        """The subject as it is asked about, in words."""
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
    """One thing that happened, or holds, and what caused it."""

    kind: FactKind
    """What happened or holds, by which a program can tell facts apart."""
    text: str
    """The fact in words, made from `values`; secrets are redacted."""
    about: tuple[Subject, ...] = ()
    """Its subjects: about each of them one can ask again."""
    turn: int = 0
    """The turn in which it happened; 0 where none is known."""
    seq: int = 0
    """The position of its event in the journal; 0 where it is no event but follows from the flow and the state."""
    values: dict[str, Any] = {}
    """The values that the text is made from, by name; secrets are redacted."""
    source: str = ""
    """The place in the flow that it comes from, as `file:line`; empty without one."""
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
