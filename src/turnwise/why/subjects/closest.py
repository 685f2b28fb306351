"""Finds the earlier turn in which a transition that reads the message came closest, and what kept it from firing."""

from __future__ import annotations

from typing import Any

from turnwise.core.candidates import Guard
from turnwise.core.guards.functions import reads_secret
from turnwise.core.phrase import listed
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, Decision, Group
from turnwise.flow.guard import syntax as s
from turnwise.flow.guard import text_of
from turnwise.runner.result import Turn
from turnwise.why.answer import Fact, Subject
from turnwise.why.path import on_path
from turnwise.why.query import Query
from turnwise.why.subjects.uses import guard_of, uses_read

_MOST_TURNS = 8
"""How many earlier turns are looked at."""


async def closest_turn(query: Query, transition: str) -> list[Fact]:
    """Return facts about the earlier turn in which fewest conditions of a transition failed; empty if none.
    Fewer must have failed than in this turn, or as many and none about the message. For a transition that does not read
    the message the list is empty: the values that it reads are still known. Turns that were undone do not count.
    """
    least, found = _rank(_failed(query.turn, transition)), None
    seen = {query.turn.number}
    async for entry in on_path(query.entries_backwards()):
        if least <= _LEAST or len(seen) > _MOST_TURNS:
            break
        if entry.turn in seen or not isinstance(entry.event, e.Decided):
            continue
        seen.add(entry.turn)
        turn = await query.history.turn(entry.turn)
        failed = _failed(turn, transition) if turn is not None else []
        if turn is not None and failed and _rank(failed) < least:
            least, found = _rank(failed), (turn, [text_of(part) for part in failed])
    return [await _fact(query, *found, transition)] if found is not None else []


_LEAST = (1, False)
"""The rank of one failed condition, which is not about the message."""


def _rank(failed: list[s.Expression]) -> tuple[int, bool]:
    """Return how many conditions failed, and whether one of them is about the message."""
    return len(failed), any(one == s.Name("message") for part in failed for one in s.walk(part))


async def _fact(query: Query, turn: Turn, failed: list[str], transition: str) -> Fact:
    then = await query.at_turn(turn)
    judged, _, guard = _judgings(turn, transition)[-1]
    state = next(one.state for one in turn.judged if one.entry.seq == judged.seq)
    uses = [
        one for one in await uses_read(then, state, guard, transition) if any(one.values["rule"] in f for f in failed)
    ]
    values: dict[str, Any] = {"rule": listed(failed), "reads": listed([one.values["did"] for one in uses])}
    about = (Subject("transition", transition), Subject("turn", str(turn.number)))
    causes = (next((one for one in then.facts if one.kind == "message_received"), None), *uses)
    return query.end.fact_of_state(
        "came_closest", *about, causes=causes, transition=transition, since=turn.number, **values
    )


def _failed(turn: Turn, transition: str) -> list[s.Expression]:
    """Return the conditions that failed when a transition that reads the message was judged last in a turn."""
    judgings = _judgings(turn, transition)
    if not judgings:
        return []
    _, considered, guard = judgings[-1]
    verdict, expression = considered.verdict, guard.expression
    if not isinstance(verdict, Group) or verdict.op != "all" or not isinstance(expression, s.Logic):
        return []
    pairs = zip(expression.parts, verdict.parts, strict=True)
    return [part for part, found in pairs if found.verdict != "held"]


def _judgings(turn: Turn, transition: str) -> list[tuple[Decision, Considered, Guard]]:
    """Return the decisions of a turn in which a transition was judged that reads the message and no secret."""
    found: list[tuple[Decision, Considered, Guard]] = []
    for decision in turn.decisions:
        considered = decision.candidate(transition)
        guard = guard_of(turn.machine, decision, transition)
        if considered is None or considered.verdict is None or guard is None:
            continue
        reads_message = any(ref.key.startswith("message") for ref in guard.refs)
        if reads_message and not reads_secret(turn.machine.names, guard.expression):
            found.append((decision, considered, guard))
    return found
