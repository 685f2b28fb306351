"""Facts about offers: who proposed a scope, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import events as e
from turnwise.core.state.proposals import BY_NODE, LapseReason, OfferOutcome
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.kinds import FactKind

LAPSE_WORDS: dict[LapseReason, str] = {
    "other_turn": Phrase("the user spoke of something else"),
    "left": Phrase("its node was left"),
    "question": Phrase("another question was asked"),
    "scope": Phrase("another scope was opened"),
    "closed": Phrase("the scope in which it was made was closed"),
    "refused": Phrase("its scope could not be opened"),
}
"""Why an offer lapsed, in words, by the code of the reason."""
OUTCOME_WORDS: dict[OfferOutcome, str] = {
    "taken": Phrase("was taken"),
    "declined": Phrase("was declined"),
    "lapsed": Phrase("lapsed"),
}
"""What happened to an offer, in words, by its outcome."""
_CLOSED_AFTER: tuple[FactKind, ...] = (
    *("command_applied", "understood", "button_pressed", "message_received", "node_left", "scope_opened"),
)


def offered_by(by: str, node: str) -> str:
    """Return in words who proposed a scope: the `node`, or the schedule with the name `by`."""
    return phrase("the node {node}", node=node) if by == BY_NODE else phrase("the schedule {by}", by=by)


def _offered(builder: FactBuilder, event: e.Offered) -> Iterator[Fact]:
    node = builder.node if event.by == BY_NODE else ""
    about = (Subject("node", event.scope), *subjects_named("node", node), Subject("turn", str(builder.entry.turn)))
    values: dict[str, Any] = {"scope": event.scope, "who": offered_by(event.by, node), "said": event.opener}
    yield builder.fact("offered", *about, causes=(beginning_of_turn(builder),), **values)


def _closed(builder: FactBuilder, event: e.OfferClosed) -> Iterator[Fact]:
    about = (Subject("node", event.scope), Subject("turn", str(builder.entry.turn)))
    values: dict[str, Any] = {
        "scope": event.scope,
        "outcome": OUTCOME_WORDS[event.outcome],
        "why": LAPSE_WORDS.get(event.because, ""),
    }
    yield builder.fact(
        "offer_closed", *about, causes=(builder.first(*_CLOSED_AFTER) or beginning_of_turn(builder),), **values
    )


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.Offered: _offered,
    e.OfferClosed: _closed,
}
"""The functions that yield the facts of an event, by the class of the event."""
