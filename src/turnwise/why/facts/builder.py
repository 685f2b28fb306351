"""What the facts of a turn are made from: the turn, the state before each entry, and the facts made so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from turnwise.core.explain.hiding import hide_nothing
from turnwise.core.guards.types import value_text
from turnwise.core.phrase import mapped
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.trace import Decision
from turnwise.core.values import REDACTED
from turnwise.core.zones import local_time
from turnwise.runner.result import JudgedDecision, Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import PRIVATE, QUOTED, FactKind, words

_SHOWN = 200
"""How many characters of a text a fact quotes."""


class FactBuilder:
    """Makes the facts of one turn, entry by entry; `entry` is the one whose facts it makes at the moment.

    `state` is before the entry, `latest` the last fact of each kind.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.machine = turn.machine
        self.hide: Callable[[Any], Any] = turn.hide
        self.decision: Decision | None = None
        """The last decision of which facts were made."""
        self.state: State | None = turn.before
        self.entry: e.Entry = turn.entries[0]
        """The entry of which facts are made."""
        self.facts: list[Fact] = []
        self.latest: dict[FactKind, Fact] = {}
        self.by_effect: dict[str, Fact] = {}
        texts = (text for one in turn.entries if (text := _text(one.event)) is not None)
        self.message: str | None = next(texts, None)
        """What the user said or pressed in the turn, with its secrets."""

    def judged(self, decided: e.Decided) -> Decision:
        """Return the decision that the builder's entry records."""
        assert self.state is not None, "a conversation has begun before anything is decided"
        self.decision = self.turn.decision(self.turn.judged_on(self.entry, decided, self.state), is_brief=True)
        return self.decision

    def add(self, facts: Iterator[Fact]) -> None:
        """Add the facts of the builder's entry to those of the turn."""
        for fact in facts:
            self.facts.append(fact)
            self.latest[fact.kind] = fact

    def fact(
        self, kind: FactKind, *about: Subject, causes: tuple[Fact | None, ...] = (), source: str = "", **values: Any
    ) -> Fact:
        """Return a fact about the builder's entry from the `values` of its text, with secrets hidden.
        `about` are its subjects; `source` is the `file:line` of what it is about in the flow.
        """
        if self.hide is not hide_nothing:
            values |= {name: mapped(values[name], self.hide) for name in PRIVATE.intersection(values)}
        for name in QUOTED.intersection(values):
            text = values[name]
            if isinstance(text, str) and len(text) > _SHOWN:
                values[name] = mapped(text, quotable)
        known = tuple(filter(None, causes))
        return Fact(kind, words(kind, values), about, self.entry.turn, self.entry.seq, values, source, known)

    def fact_of_state(
        self, kind: FactKind, *about: Subject, causes: tuple[Fact | None, ...] = (), source: str = "", **values: Any
    ) -> Fact:
        """Return a fact that follows from the flow and the state, without an event (`seq` 0), with secrets hidden;
        arguments as in `fact`.
        """
        return replace(self.fact(kind, *about, causes=causes, source=source, **values), seq=0)

    def text_as_given(self, text: str) -> str:
        """Return the text if the user received it in the turn; empty if the user received another text instead."""
        said = [one.text for one in self.turn.events if isinstance(one, e.Said)]
        return text if any(text in one for one in said) else ""

    def value(self, address: str, value: Any) -> Any:
        """Return the value of a field as answers show it; a secret value is redacted."""
        field = self.machine.fields.get(address)
        if value is None or field is None:
            return value
        if field.secret:
            return REDACTED
        is_other = isinstance(value, list | dict) and (field.type not in ("list", "answers") or not value)
        return encode(value).decode() if is_other else value_text(value, field)

    def first(self, *kinds: FactKind) -> Fact | None:
        """Return the newest of the turn's facts of some kinds so far; `None` if there is none."""
        newest: Fact | None = None
        for kind in kinds:
            found = self.latest.get(kind)
            if found is not None and (newest is None or found.seq > newest.seq):
                newest = found
        return newest

    def time(self, at_ms: int) -> datetime:
        """Return a time, in milliseconds since 1970, as a local time in the conversation's time zone."""
        return local_time(at_ms, self.turn.state.time_zone)

    @property
    def previous(self) -> e.AnyEvent | None:
        """The event before the builder's entry in the same turn; `None` if there is none."""
        return self._beside(-1)

    @property
    def following(self) -> e.AnyEvent | None:
        """The event after the builder's entry in the same turn; `None` if there is none."""
        return self._beside(1)

    def _beside(self, step: int) -> e.AnyEvent | None:
        entries = self.turn.entries
        place = self.entry.seq - entries[0].seq + step
        return entries[place].event if 0 <= place < len(entries) else None

    @property
    def node(self) -> str:
        """The node in charge before the entry; empty if there is none."""
        return self.state.frame.node if self.state is not None else ""


def _text(event: e.AnyEvent) -> str | None:
    match event:
        case e.UserSaid(text=text):
            return text
        case e.UserChose(value=value):
            return value
        case _:
            return None


def subjects_named(kind: Any, name: str) -> tuple[Subject, ...]:
    """Return the subject with a name, in a tuple; an empty tuple if the name is empty."""
    return (Subject(kind, name),) if name else ()


def quotable(text: Any) -> Any:
    """Return the start of a long text, with an ellipsis; any other value unchanged."""
    return f"{text[:_SHOWN]}…" if isinstance(text, str) and len(text) > _SHOWN else text


def without_secrets(fact: Fact, hide: Callable[[Any], Any]) -> Fact:
    """Return a fact and its causes with their secrets replaced by `hide`."""
    hidden = {name: mapped(fact.values[name], hide) for name in PRIVATE.intersection(fact.values)}
    return replace(fact.with_values(**hidden), causes=tuple([without_secrets(cause, hide) for cause in fact.causes]))


def at_decision(turn: Turn, facts: tuple[Fact, ...], judged: JudgedDecision) -> FactBuilder:
    """Return a builder placed before a decision of the turn, to make facts about what the decision read; `facts` are
    those of the turn.
    """
    builder = FactBuilder(turn)
    builder.entry, builder.state = judged.entry, judged.state
    builder.add(fact for fact in facts if fact.seq < judged.entry.seq)
    return builder


def at_end(turn: Turn, facts: tuple[Fact, ...]) -> FactBuilder:
    """Return a builder placed after the last entry of the turn, to make facts about the state at its end; `facts` are
    those of the turn.
    """
    builder = FactBuilder(turn)
    builder.entry, builder.state = turn.entries[-1], turn.after
    builder.add(iter(facts))
    return builder
