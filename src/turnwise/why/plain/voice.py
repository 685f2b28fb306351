"""What every sentence for the person in the conversation is made with: texts, titles of fields, times, the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from turnwise.core.guards.types import shown
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.values import REDACTED
from turnwise.core.zones import in_zone
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import quoted
from turnwise.why.kinds import FactKind

LONGEST_QUOTE = 80
"""How many characters a message has at most that is repeated to its user."""


class Voice:
    """The machine, the state at the end of the turn, and the answer of which the sentence is made."""

    def __init__(
        self,
        machine: Machine,
        state: State,
        subject: Subject,
        facts: Sequence[Fact],
        sentences: Mapping[FactKind, Sentence],
        during: Sequence[Fact] = (),
        now: State | None = None,
    ) -> None:
        self.machine = machine
        self.state = state
        self.subject = subject
        self.facts = facts
        self.sentences = sentences
        self.during = during
        """The facts of the turn that is asked about."""
        self.now = now or state
        """The state at the end of the last turn."""
        self.is_past = self.state.turn < self.now.turn
        """Whether the turn that is asked about is not the last one."""

    def of(self, fact: Fact) -> str:
        """Return the sentence of a fact; empty where it has none for the person."""
        say = self.sentences.get(fact.kind)
        return say(self, fact) if say is not None else ""

    def of_causes(self, fact: Fact, *kinds: FactKind) -> str:
        """Return the sentence of the first direct cause of these kinds (of any kind without them) that has one."""
        found = (self.of(one) for one in fact.causes if not kinds or one.kind in kinds)
        return next((text for text in found if text), "")

    def all(self) -> list[Fact]:
        """Return the facts of the answer, then those of the turn."""
        return [*self.facts, *self.during]

    def time(self, at_ms: int) -> str:
        """Return a time in the time zone of the conversation."""
        return in_zone(at_ms, self.state.time_zone)

    def text(self, key: str, **values: Any) -> str:
        """Return a fixed text in the language of the flow: of an earlier turn, that it was so then."""
        then = f"{key}_then"
        return self.machine.language.text(
            then if self.is_past and then in self.machine.language.texts else key, **values
        )

    def text_of(self, fact: Fact, key: str, **values: Any) -> str:
        """Return a fixed text about how it was at the time of a fact."""
        is_earlier = 0 < fact.turn < self.state.turn
        return self.machine.language.text(f"{key}_then", **values) if is_earlier else self.text(key, **values)

    def title(self, address: Any) -> str:
        """Return what a field is called towards people; empty where the name is of no field."""
        return self.machine.short_title(str(address)) if address in self.machine.fields else ""

    def titles(self, addresses: Iterable[Any]) -> str:
        """Return what several fields are called towards people."""
        return ", ".join(dict.fromkeys(title for one in addresses if (title := self.title(one))))

    def answers(self, values: Iterable[tuple[str, Any]]) -> str:
        """Return what several fields are called towards people, each with its value, where that is no secret."""
        return ", ".join(dict.fromkeys(text for name, value in values if (text := self.answer(name, value))))

    def answer(self, address: str, value: Any) -> str:
        """Return what a field is called towards people, with its value, where that is known and no secret."""
        title = self.title(address)
        if not title or self.is_hidden(address, value):
            return title
        return self.text("why_answer", field=title, value=self.readable(address, value))

    def value(self, address: str) -> str | None:
        """Return the value that a field has, as the auditor reads it; `None` where it has none, or a secret one."""
        found = self.state.values.get(address)
        return shown(found.value, self.machine.fields[address]) if found and not self.is_secret(address) else None

    def is_still(self, address: str, value: Any) -> bool:
        """Return whether a field has a value now, which is as the auditor reads it."""
        found = self.now.values.get(address)
        return found is not None and quoted(shown(found.value, self.machine.fields[address])) == value

    def readable(self, address: str, value: Any) -> str:
        """Return a value as the user reads it, from the words of the auditor."""
        field, found = self.machine.fields[address], self.state.values.get(address)
        if found is not None and shown(found.value, field) == value:
            return written_for_user(self.machine, self.state, field, found.value)
        if field.type == "boolean" and value in ("true", "false"):
            return self.text("value_yes" if value == "true" else "value_no")
        return str(value)

    def ways_out(self, node: str) -> set[str]:
        """Return the transitions that lead out of a node."""
        moments: tuple[Moment, ...] = ("before", "after", "timer", "error", "choice")
        return {one.id for moment in moments for one in self.machine.candidates(node, moment).all}

    def is_hidden(self, address: str, value: Any) -> bool:
        """Return whether a value of a field is not known here, or is a secret."""
        return value in (None, REDACTED) or self.is_secret(address)

    def is_secret(self, address: str) -> bool:
        """Return whether a name is that of a secret field."""
        return address in self.machine.fields and self.machine.fields[address].secret

    def about_field(self, key: str, fact: Fact) -> str:
        """Return a text about the field of a fact; empty where the fact has none."""
        title = self.title(fact.values.get("field"))
        return self.text(key, field=title) if title else ""


Sentence = Callable[[Voice, Fact], str]
"""Makes the sentence of one fact; empty where there is nothing to say to the person."""


def fixed(key: str) -> Sentence:
    """Return a sentence that is a fixed text."""
    return lambda voice, _fact: voice.text(key)


def of_field(key: str) -> Sentence:
    """Return a sentence that is a fixed text about the field of the fact."""
    return lambda voice, fact: voice.about_field(key, fact)
