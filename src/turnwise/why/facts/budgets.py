"""Facts about budgets: what calls used, which budget was reached, and what the user answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.costs import amount_text, used_text
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.names import MEASURES

_DID = {
    "ask": Phrase("the user was asked whether to go on"),
    "hand_over": Phrase("a person was asked for"),
    "end": Phrase("the conversation ended"),
    "own_text": Phrase("the text of the flow was used without a model"),
}


def _settled(builder: FactBuilder, event: e.CallSettled) -> Iterator[Fact]:
    currency = builder.machine.currency
    note = (
        Phrase("the process ended before the reply, so what was reserved counts")
        if event.is_lost
        else Phrase("the provider counted no tokens, so four characters count as one")
        if event.is_estimated
        else ""
    )
    values: dict[str, Any] = {
        "what": event.tool or event.model or Phrase("the model"),
        "purpose": event.purpose if not event.tool else "",
        "used": used_text(event.used, currency),
        "reserved": used_text(event.reserved, currency) if event.reserved is not None else "",
        "note": note,
        "turn": builder.entry.turn,
    }
    subject = subjects_named("tool", event.tool) or (Subject("model"),)
    limits = tuple([Subject("limit", one) for one in MEASURES if getattr(event.used, one)])
    cause = builder.first("model_replied", "model_failed", "understood", "tool_returned", "tool_failed")
    yield builder.fact("call_settled", *limits, *subject, causes=(cause,), **values)


def _reached(builder: FactBuilder, event: e.BudgetReached) -> Iterator[Fact]:
    def shown(amount: int) -> str:
        return amount_text(event.measure, amount, event.currency)

    needed = Phrase("time") if event.measure == "time" else shown(event.needed)
    instead = phrase("{instead} is called instead", instead=event.instead) if event.instead else ""
    fitting = "" if event.measure == "time" else phrase("{amount} or more", amount=shown(event.spent + event.needed))
    values: dict[str, Any] = {
        "limit": event.measure,
        "budget": event.budget,
        "amount": shown(event.amount),
        "per": event.per,
        "spent": shown(event.spent),
        "needed": needed,
        "what": event.model or (Phrase("a tool") if event.purpose == "tool" else Phrase("the model")),
        "did": instead or _DID.get(event.then, ""),
        "fitting": fitting,
        "turn": builder.entry.turn,
    }
    about = (
        Subject("limit", event.measure),
        Subject("model"),
        Subject("turn", str(builder.entry.turn)),
        Subject("node", event.node),
        *((Subject("conversation"), Subject("end")) if event.then == "end" else ()),
        *((Subject("person"),) if event.then == "hand_over" else ()),
    )
    causes = (builder.first("call_settled") or beginning_of_turn(builder),)
    source = next((one.at for one in builder.machine.budgets if one.name == event.budget), "")
    yield builder.fact("budget_reached", *about, causes=causes, source=source, **values)


def _answered(builder: FactBuilder, event: e.BudgetAnswered) -> Iterator[Fact]:
    budget = next((one for one in builder.machine.budgets if one.name == event.budget), None)
    more = amount_text(budget.measure, event.granted, budget.currency) if budget is not None and event.granted else ""
    about = subjects_named("limit", budget.measure) if budget is not None else ()
    values: dict[str, Any] = {
        "budget": event.budget,
        "goes_on": Phrase("goes on") if event.granted else Phrase("does not go on"),
        "more": more,
    }
    yield builder.fact("budget_answered", *about, Subject("model"), causes=(beginning_of_turn(builder),), **values)


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.CallSettled: _settled,
    e.BudgetReached: _reached,
    e.BudgetAnswered: _answered,
}
"""The functions that yield the facts of an event, by the class of the event."""
