"""How much of a limit a turn used, and what happened when it was reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.json import encode

from turnwise.core.phrase import Phrase
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold
from turnwise.core.state.items import ID
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.durations import write_duration
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact
from turnwise.why.facts.moves import COUNTED_WORDS
from turnwise.why.names import MEASURES
from turnwise.why.prompts import prompts
from turnwise.why.query import Query
from turnwise.why.subjects.budgets import answer_budget


async def answer_limit(query: Query) -> list[Fact]:
    """Return the fact that the turn reached the limit, or how much of the limit the turn used."""
    name = query.subject.name
    if name in MEASURES:
        return await answer_budget(query)
    bound: Any = query.machine.flow.limits.person_wait_s if name == "person_wait" else _bound(query, name)
    counted = COUNTED_WORDS.get(name) or _COUNTED[name]
    used = await _used(query, name)
    shown = write_duration(bound) if name == "person_wait" else bound
    source = query.machine.flow.limits.span.line_text
    values: dict[str, Any] = {
        "limit": name,
        "bound": shown,
        "counted": counted,
        "used": used,
        "did": Phrase("asked for")
        if used is not None and not isinstance(bound, float) and used > bound
        else Phrase("used"),
        "turn": query.turn.number if name != "person_wait" else None,
    }
    kind = "limit_used" if used is not None else "limit_stands"
    fact = query.end.fact_of_state(kind, query.subject, source=source, **values)
    reached = [one for one in query.facts_about if one.kind in _REACHED]
    return [*reached[-1:], fact, *[one for one in query.facts_about if one not in reached[-1:]]]


_REACHED = ("limit_reached", "move_blocked", "event_refused", "value_refused", "write_refused")
"""What reaching a limit leads to."""


def _bound(query: Query, name: str) -> int:
    return getattr(query.machine.flow.limits, name)


_COUNTED = {
    "frames": Phrase("open scopes"),
    "message_chars": Phrase("characters of a message"),
    "strings": Phrase("characters of a stored text"),
    "lists": Phrase("items of a stored list"),
    "person_wait": Phrase("of waiting for a person, where the flow sets no timeout"),
    "window": Phrase("turns of history that a model is shown"),
    "reply_chars": Phrase("characters of a reply of the model"),
    "list_bytes": Phrase("bytes of a stored list of records, as JSON"),
    "result_chars": Phrase("characters of a tool's result"),
    "questions": Phrase("questions of a form whose questions are data"),
    "summary_chars": Phrase("characters of a summary that a model writes"),
}


async def _used(query: Query, name: str) -> int | None:
    """Return how much of a limit was used, or the most that was used at once; `None` where nothing counts in it."""
    if name == "window":
        history = query.history
        found = await prompts(history.store, history.machines, query.turn)
        return max([one.history for one in found], default=None)
    return max(_COUNTS[name](query.turn), default=None) if name in _COUNTS else None


def _states(turn: Turn) -> Iterator[State]:
    """Yield the states of a turn."""
    state = turn.before
    for entry in turn.entries:
        state = fold(state, entry)
        yield state


def _of_turn(name: str) -> Callable[[Turn], Iterator[int]]:
    return lambda turn: (getattr(state.doing, name) for state in _states(turn) if state.doing is not None)


def _texts(turn: Turn) -> Iterator[int]:
    stored = [event.value for event in turn.events if isinstance(event, e.FieldSet)]
    return (len(value) for value in stored if isinstance(value, str))


def _lists(turn: Turn) -> Iterator[int]:
    stored = [as_list(event.value) for event in turn.events if isinstance(event, e.FieldSet)]
    return (len(value) for value in stored if value is not None)


def _list_bytes(turn: Turn) -> Iterator[int]:
    values = [found.value for state in _states(turn) for found in state.values.values()]
    stored = [items for items in map(as_list, values) if items and ID in (as_object(items[0]) or ())]
    return (len(encode(items)) for items in stored)


def _messages(turn: Turn) -> Iterator[int]:
    for event in turn.events:
        if isinstance(event, e.UserSaid):
            yield len(event.text)
        elif isinstance(event, e.UserChose):
            yield len(event.value)


def _replies(turn: Turn) -> Iterator[int]:
    for event in turn.events:
        if isinstance(event, e.ModelReplied):
            yield len(event.text) + sum(len(call.tool) + len(encode(call.arguments)) for call in event.calls)


def _results(turn: Turn) -> Iterator[int]:
    return (len(encode(event.result)) for event in turn.events if isinstance(event, e.ToolReturned | e.ToolUsed))


_COUNTS: dict[str, Callable[[Turn], Iterator[int]]] = {
    "moves": _of_turn("moves"),
    "model_calls": _of_turn("model_calls"),
    "tool_calls": _of_turn("tool_calls"),
    "run_moves": lambda turn: (state.run_moves for state in _states(turn)),
    "frames": lambda turn: (len(state.frames) for state in _states(turn)),
    "message_chars": _messages,
    "strings": _texts,
    "lists": _lists,
    "list_bytes": _list_bytes,
    "reply_chars": _replies,
    "result_chars": _results,
}
"""How much of each limit a turn used, as one number or several."""
