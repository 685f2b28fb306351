"""Why a schedule fired, with which input; or when it fires next, what it waits for, and why it did nothing."""

from __future__ import annotations

from turnwise.core.phrase import Phrase, phrase
from turnwise.core.schedules.firing import REASONS_TO_WAIT
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.schedules import NEVER_DUE
from turnwise.why.answer import Fact
from turnwise.why.query import Query


async def answer(query: Query) -> list[Fact]:
    """Return what the schedule did in the turn; else when it is due, what it did last, and an undo of that."""
    own = [fact for fact in query.facts_about if fact.kind in ("schedule_fired", "schedule_due")]
    fired = next((fact for fact in own if fact.kind == "schedule_fired"), None)
    last = fired or await query.last(e.ScheduleFired, schedule=query.subject.name)
    stands = _how_it_stands(query, last)
    if fired is not None:
        return [fired, *[fact for fact in own if fact != fired], stands]
    undone = await query.undone_since(last)
    return [stands, *([last] if last is not None else []), *([undone] if undone is not None else [])]


def _how_it_stands(query: Query, last: Fact | None) -> Fact:
    """Return when the schedule is due, or why it is not."""
    state, end, name = query.state, query.end, query.subject.name
    since = last.turn if last is not None else None
    armed = state.schedules.find(name) if state.schedules is not None else None
    if armed is None or armed.due_ms <= 0 or isinstance(state.status, Ended):
        reason = _why_not(query, None if armed is None else armed.due_ms)
        about = (query.subject,)
        return end.fact_of_state("schedule_not_due", *about, causes=(last,), schedule=name, reason=reason, since=since)
    is_later = armed.at_ms > armed.due_ms
    return end.fact_of_state(
        "schedule_waits",
        query.subject,
        causes=(last,),
        schedule=name,
        due=end.time(armed.due_ms),
        at=end.time(armed.at_ms) if is_later else "",
        waits=_waits(armed.waits, is_due=armed.due_ms <= state.at_ms or is_later),
        since=since,
    )


def _waits(waits: str, *, is_due: bool) -> str:
    """Return what a schedule waits for, in words; empty for one whose time has not come."""
    if not waits or (not is_due and waits in ("quiet", "pause")):
        return ""
    found = {"quiet": Phrase("the end of its quiet hours"), "pause": Phrase("a pause of the user")}.get(waits)
    return found or phrase("the end of what stands in its way, as {reason}", reason=Phrase(REASONS_TO_WAIT[waits]))


def _why_not(query: Query, due_ms: int | None) -> str:
    if isinstance(query.state.status, Ended):
        return Phrase("the conversation has ended")
    if due_ms is None:
        return Phrase("no turn has armed it yet")
    if due_ms == NEVER_DUE:
        return Phrase("it has no more times")
    return Phrase("it fired for this silence of the user, and comes again after the next message")
