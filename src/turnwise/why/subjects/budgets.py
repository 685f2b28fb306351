"""Why a budget of money, tokens or time was reached: which one, how much of each is used, and the
calls that used it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from turnwise.core.costs import amount_text
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.spending import allowed_by, spent_of
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.query import Query
from turnwise.why.subjects.uses import turns_in_words

_MOST = 8
"""How many calls are listed: those that used most."""
_TURNS = 3
_THEN = {
    "ask": Phrase("the user is asked whether to go on"),
    "hand_over": Phrase("a person takes over"),
    "end": Phrase("the conversation ends"),
}


async def answer_budget(query: Query) -> list[Fact]:
    """Return facts about the budget: where it was reached last, its use, and the calls that used most of it."""
    name = query.subject.name
    calls, by_turn = list[e.Entry](), Counter[int]()
    async for entry in query.entries_backwards(e.CallSettled):
        if isinstance(entry.event, e.CallSettled) and (used := getattr(entry.event.used, name)):
            calls.append(entry)
            by_turn[entry.turn] += used
    reached = await query.last(e.BudgetReached, measure=name)
    standing = [*_standing(query, [turn for turn, _ in by_turn.most_common(_TURNS)])]
    most = sorted(calls, key=lambda one: -getattr(one.event.used, name))[:_MOST]  # type: ignore[union-attr]
    spent = [fact for entry in sorted(most, key=lambda one: one.seq) for fact in await query.facts_of(entry)]
    if not standing:
        standing = [query.end.fact_of_state("budget_undeclared", query.subject, limit=name)]
    own = [fact for fact in query.facts_about if fact is not reached and fact not in spent]
    return [*((reached,) if reached is not None else ()), *standing, *own, *spent]


def _standing(query: Query, turns: list[int]) -> list[Fact]:
    """Return how much of each budget of the measure is used in its present period."""
    found: list[Fact] = []
    for budget in query.machine.budgets:
        if budget.measure != query.subject.name:
            continue
        spent, allowed = spent_of(budget, query.state), allowed_by(budget, query.state)

        def shown(amount: int, currency: str = budget.currency) -> str:
            return amount_text(budget.measure, amount, currency)  # noqa: B023  called in this round of the loop

        values: dict[str, Any] = {
            "limit": budget.measure,
            "amount": shown(allowed),
            "per": budget.per,
            "spent": shown(spent),
            "left": shown(max(0, allowed - spent)),
            "then": _THEN.get(budget.then, phrase("{model} is called instead", model=budget.model)),
            "turns": _in_words(turns) if budget.per != "turn" else "",
        }
        found.append(
            query.end.fact_of_state("budget_stands", query.subject, Subject("model"), source=budget.at, **values)
        )
    return found


def _in_words(turns: list[int]) -> str:
    """Return `turn 2` or `turns 2 and 4`; an empty text for none."""
    return turns_in_words(sorted(turns)) if turns else ""
