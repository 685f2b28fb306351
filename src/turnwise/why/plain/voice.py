"""What every sentence for the person in the conversation is made with: texts and their values, and how a sentence is
chosen from several texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from msgspec import Struct

from turnwise.core.formatting import FormatLocale, localized
from turnwise.core.guards.types import value_text
from turnwise.core.language.en_reasons import REASONS
from turnwise.core.locale import written_for_user
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.values import REDACTED
from turnwise.core.zones import local_time
from turnwise.flow.late_pattern import late_pattern
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import quotable
from turnwise.why.kinds import FactKind

LONGEST_QUOTE = 80
"""How many characters a message has at most that is repeated to its user."""
_NAME = late_pattern(r"\{(\w+)\}")


@cache
def _names_in(key: str) -> frozenset[str]:
    """Return the names of the values that a text needs, by the shipped text; a flow may replace it with any other."""
    return frozenset(_NAME.findall(REASONS.get(key, "")))


class Voice(Struct, frozen=True):
    """The facts, states and texts from which a sentence for the user is made."""

    machine: Machine
    """The flow as the machine runs it."""
    state: State
    """The state at the end of the turn that is asked about."""
    subject: Subject
    """What the question is about."""
    facts: Sequence[Fact]
    """The facts of the answer, the most direct answer first."""
    sentences: Mapping[FactKind, Sentence]
    """The texts or functions that make a sentence, by the kind of the fact."""
    during: Sequence[Fact] = ()
    """All facts of the turn that is asked about."""
    now: State | None = None
    """The state at the end of the last turn; `None` if that is the turn that is asked about."""

    @property
    def is_past(self) -> bool:
        """True if the turn that is asked about is not the last one."""
        return self.now is not None and self.state.turn < self.now.turn

    def of(self, fact: Fact) -> str:
        """Return the sentence of a fact: its kind's first text or function that applies; empty if none does."""
        return self.first(fact, self.sentences.get(fact.kind, ()))

    def first(self, fact: Fact, sentence: Sentence) -> str:
        """Return the first text of a sentence that applies to a fact; empty if none does."""
        found = (one(self, fact) if callable(one) else self.fill(one, fact) for one in sentence)
        return next(filter(None, found), "")

    def first_of(self, facts: Iterable[Fact]) -> str:
        """Return the sentence of the first fact that has one; empty if none has."""
        return next((text for one in facts if (text := self.of(one))), "")

    def of_causes(self, fact: Fact, *kinds: FactKind) -> str:
        """Return the sentence of the first direct cause of these kinds (of any kind if none) that has one, or empty."""
        return self.first_of(one for one in fact.causes if not kinds or one.kind in kinds)

    def text(self, key: str, **values: Any) -> str:
        """Return a fixed text in the language of the flow; about an earlier turn, the text of this key for the past."""
        then, language = f"{key}_then", self.machine.language
        values = {name: self._time(one) if isinstance(one, datetime) else one for name, one in values.items()}
        return language.text(then if self.is_past and then in language.texts else key, **values)

    def text_of(self, fact: Fact, key: str, **values: Any) -> str:
        """Return the fixed text of a key; for a fact of an earlier turn, the text of the key for the past."""
        is_earlier = 0 < fact.turn < self.state.turn
        return self.text(f"{key}_then" if is_earlier else key, **values)

    def _time(self, at: datetime) -> str:
        """Return a local time as people say it, without the date where it is the day of the last entry."""
        place = FormatLocale(self.machine.language.code, self.state.time_zone)
        clock = localized("time", f"{at:%H:%M}", place)
        last = local_time(self.state.at_ms, self.state.time_zone).date()
        day = at.date()
        return clock if day == last else f"{localized('date', day.isoformat(), place)}, {clock}"

    def fill(self, key: str, fact: Fact, **given: Any) -> str:
        """Return the fixed text of a key with the values of a fact, and those `given`, filled in; empty if a value that
        the text needs is missing. A text about a secret value leaves out the value; of a value that the field no longer
        has, the text says that it had it once.
        """
        names, address = _names_in(key), str(fact.values.get("field", fact.values.get("name")))
        values = {**fact.values, "field": self.title(address), "reason": fact.values.get("said"), **given}
        if "value" in names and values["field"]:
            value = fact.values.get("value", fact.values.get("before"))
            if self.is_hidden(address, value):
                names, key = names - {"value"}, f"{key}_secret"
            else:
                values["value"] = self.readable(address, value)
                key = f"{key}_once" if f"{key}_once" in REASONS and not self._has(address, value) else key
        found = {name: values.get(name) for name in names}
        return self.text(key, **found) if all(found.values()) else ""

    def title(self, address: Any) -> str:
        """Return the title of a field for users; empty if the address is of no field."""
        return self.machine.short_title(str(address)) if address in self.machine.fields else ""

    def titles(self, addresses: Iterable[Any]) -> str:
        """Return the titles of several fields for users, as a list in words."""
        return ", ".join(dict.fromkeys(title for one in addresses if (title := self.title(one))))

    def read_by(self, fact: Fact, kind: FactKind = "value_read", but: Any = None) -> str:
        """Return the titles of the fields that a fact's causes of `kind` are about, without secret fields and the field
        `but`.
        """
        names = [one.values["name"] for one in fact.causes if one.kind == kind]
        return self.titles(one for one in names if one != but and not self.is_secret(one))

    def answers(self, values: Iterable[tuple[str, Any]]) -> str:
        """Return the titles of several fields for users, each with its value unless that is secret."""
        found: dict[str, None] = {}
        for address, value in values:
            text = self.title(address)
            if text and not self.is_hidden(address, value):
                text = self.text("why_answer", field=text, value=self.readable(address, value))
            found |= {text: None} if text else {}
        return ", ".join(found)

    def value(self, address: str) -> str | None:
        """Return the value of a field as the user reads it; `None` if it has none or is secret."""
        found = self.state.values.get(address)
        return value_text(found.value, self.machine.fields[address]) if found and not self.is_secret(address) else None

    def readable(self, address: str, value: Any) -> str:
        """Return a value as the user reads it, from the form that the auditor reads."""
        field, found = self.machine.fields[address], self.state.values.get(address)
        if found is not None and value_text(found.value, field) == value:
            return written_for_user(self.machine, self.state, field, found.value)
        if field.type == "boolean" and value in ("true", "false"):
            return self.text("value_yes" if value == "true" else "value_no")
        return str(value)

    def is_hidden(self, address: str, value: Any) -> bool:
        """Return whether the value of a field is a secret, or is not known in this state."""
        return value in (None, REDACTED) or self.is_secret(address)

    def is_secret(self, address: str) -> bool:
        """Return whether an address is that of a secret field."""
        return address in self.machine.fields and self.machine.fields[address].secret

    def _has(self, address: str, value: Any) -> bool:
        """Return whether a field has a value at the end of the last turn, which is as the auditor reads it."""
        found = (self.now or self.state).values.get(address)
        return found is not None and quotable(value_text(found.value, self.machine.fields[address])) == value


Say = Callable[[Voice, Fact], str]
"""A function that makes a sentence about a fact; empty where there is nothing to say to the person."""
Sentence = tuple[str | Say, ...]
"""The keys of texts, or functions that make a text; the first text that is not empty is the sentence."""


def causes(*kinds: FactKind) -> Say:
    """Return the function that makes the sentence of the first direct cause of these kinds that has one."""
    return lambda voice, fact: voice.of_causes(fact, *kinds)


def by(name: str, texts: Mapping[Any, str], otherwise: str = "") -> Say:
    """Return the function that chooses a fixed text by the value `name` of a fact: `texts` has the keys of texts by
    value, and `otherwise` is the key for any other value (empty: no text).
    """

    def say(voice: Voice, fact: Fact) -> str:
        key = texts.get(fact.values[name], otherwise)
        return voice.fill(key, fact) if key else ""

    return say
