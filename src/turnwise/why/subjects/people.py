"""Why a conversation waits for a person, who took over, and what the person did."""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.query import Query

_PERSON = Subject("person")
_DID = e.GivenBack | e.NobodyCame | e.TakenOver | e.PersonAwaited | e.OperatorSaid


async def answer_person(query: Query) -> list[Fact]:
    """Return what a person did in the turn, who is in charge or awaited, else that nobody is and what was last."""
    own = query.about
    stands = await who_answers(query)
    ended = [fact for fact in own if fact.kind in ("person_gave_back", "nobody_came")]
    first = ended[-1] if ended else stands
    did = [fact for one in ended[-1:] for fact in query.facts if one in fact.causes or _is_by_person(fact)]
    came = await query.last(lambda event: isinstance(event, e.TakenOver))
    found = [first]
    for fact in (*did, *own, stands, *([came] if came is not None else [])):
        if fact not in found:
            found.append(fact)
    return found


def _is_by_person(fact: Fact) -> bool:
    return bool(fact.values.get("operator")) and fact.kind == "decided"


async def who_answers(query: Query) -> Fact:
    """Return who is in charge or awaited at the end of the turn, and why; else that nobody is, and why not."""
    person, end = query.state.person, query.end
    about = (_PERSON, Subject("node", query.state.node))
    last = await query.last(lambda event: isinstance(event, _DID))
    if person is not None and person.operator:
        since = end.time(person.taken_ms or person.since_ms)
        took = await query.last(lambda event: isinstance(event, e.TakenOver))
        values = {"operator": person.operator, "since": since, "reason": person.reason}
        return end.standing("person_in_charge", *about, causes=(took,), **values)
    if person is not None:
        began = await query.last(lambda event: isinstance(event, e.PersonAwaited))
        reason = f"a person is the work of {query.state.node}" if person.is_work else "the user asked for one"
        values = {
            "queue": person.queue,
            "since": end.time(person.since_ms),
            "topic": person.about,
            "until": end.time(person.due_ms) if person.due_ms is not None else "",
            "reason": reason,
        }
        return end.standing("person_is_awaited", *about, causes=(began,), **values)
    return end.standing("no_person", *about, causes=(last,), reason=_why_nobody(query, last))


def _why_nobody(query: Query, last: Fact | None) -> str:
    """Return what would bring a person, or what the last person did."""
    if last is not None:
        return f"the last time was in turn {last.turn}: {last.text}"
    machine = query.machine
    nodes = [name for name, node in machine.nodes.items() if node.person is not None]
    if nodes:
        return f"only {' and '.join(nodes)} hands over to a person"
    if machine.person is not None:
        where = f" {query.where}" if query.where else ""
        return f"a person comes where the user asks for one, and the user did not{where}"
    return "no node of the flow hands over to a person"
