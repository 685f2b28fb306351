"""Why a conversation waits for a person, who took over, and what the person did."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.kinds import FactKind
from turnwise.why.path import on_path
from turnwise.why.query import Query

_PERSON = Subject("person")
_DID = (e.GivenBack, e.NobodyCame, e.TakenOver, e.PersonAwaited, e.OperatorSaid)


_ACTS: tuple[FactKind, ...] = (
    *("commands_received", "person_took_over", "person_said", "person_gave_back", "give_back_refused", "event_refused"),
)
_REFUSED: tuple[FactKind, ...] = ("value_refused", "command_refused")
_EFFECTS: tuple[FactKind, ...] = (
    *_REFUSED,
    *("field_set", "field_cleared", "command_applied", "turn_undone", "node_left", "conversation_ended"),
)
"""What may come of an act of a person."""
_MOST_ACTS = 8
"""How many acts are listed, the newest."""


async def answer_person(query: Query) -> list[Fact]:
    """Return facts about what a person did, by name; without a name, about all persons of the turn.
    The latter are who is in charge or awaited, else that there is none and who was last, and what all of them did.
    """
    name, person = query.subject.name, query.state.person
    if name:
        stands = [await who_answers(query)] if person is not None and person.operator == name else []
        return [*await _did(query, name), *await _said_to(query, name), *stands]
    awaited = await query.last(e.PersonAwaited)
    found = [*await _in_charge(query), *([awaited] if awaited is not None else [])]
    return [*found, *[fact for fact in await _did(query) if fact not in found]]


async def _did(query: Query, person: str = "") -> list[Fact]:
    """Return the acts of a person, or of all persons, in order, each with its outcome."""
    acts: list[Fact] = []
    effects: list[Fact] = []
    parts: list[str] = []
    entries = await query.acts_of_persons(person)
    if query.names_turn and any(entry.turn == query.turn.number for entry in entries):
        entries = [entry for entry in entries if entry.turn == query.turn.number]
    for entry in entries[-_MOST_ACTS:]:
        for act in [fact for fact in await query.facts_of(entry) if fact.kind in _ACTS]:
            facts = await query.history.facts(entry.turn)
            own = [one for one in facts if one.kind in _EFFECTS and any(cause.seq == act.seq for cause in one.walk())]
            refused = [one.text for one in own if one.kind in _REFUSED]
            acts.append(act)
            effects += own
            parts.append(phrase("{text} (turn {turn})", text=act.text, turn=joined((str(act.turn), *refused), "; ")))
    if not acts:
        return []
    more = len(entries) - _MOST_ACTS
    earlier = [phrase("{count} acts before", count=more)] if more > 0 else []
    did = query.end.fact_of_state(
        "person_acted", Subject("person", person), causes=tuple(acts), line=joined((*earlier, *parts), "; ")
    )
    return [replace(did, turn=acts[-1].turn), *effects]


async def _said_to(query: Query, name: str) -> list[Fact]:
    """Return the messages that came while a person was in charge, in order, at most the last `_MOST_ACTS`."""
    operator, found = "", list[e.Entry]()
    entries = [one async for one in query.entries_backwards(e.TakenOver, e.GivenBack, e.UserSaid, e.UserChose)]
    for entry in reversed(entries):
        match entry.event:
            case e.TakenOver(operator=operator):
                pass
            case e.UserSaid() | e.UserChose() if operator == name:
                found.append(entry)
            case e.GivenBack():
                operator = ""
            case _:
                pass
    facts = [fact for entry in found[-_MOST_ACTS:] for fact in await query.facts_of(entry)]
    return [fact for fact in facts if fact.kind == "message_not_interpreted"]


async def said_to_person(query: Query, gave: Fact) -> list[Fact]:
    """Return facts about messages that went to a person and not to the machine, until the person gave it back.
    In order; at most the last `_MOST_ACTS`.
    """
    found: list[Fact] = []
    async for entry in query.entries_backwards():
        is_before = entry.seq < gave.seq
        if is_before and (isinstance(entry.event, e.GivenBack | e.NobodyCame) or len(found) == _MOST_ACTS):
            break
        if is_before and isinstance(entry.event, e.UserSaid | e.UserChose):
            said = [fact for fact in await query.facts_of(entry) if fact.kind == "message_not_interpreted"]
            if not said:
                break
            found += said
    return found[::-1]


async def _in_charge(query: Query) -> list[Fact]:
    """Return what a person did in the turn, who is in charge or awaited, else that nobody is and what was last."""
    own = query.facts_about
    stands = await who_answers(query)
    ended = [fact for fact in own if fact.kind in ("person_gave_back", "nobody_came")]
    first = ended[-1] if ended else stands
    by_person = [fact for fact in query.facts if fact.kind == "decided" and fact.values.get("operator")]
    did = [fact for one in ended[-1:] for fact in query.facts if one in fact.causes or fact in by_person]
    came = await query.last(e.TakenOver)
    found = [first]
    for fact in (*did, *own, stands, *([came] if came is not None else [])):
        if fact not in found:
            found.append(fact)
    return found


async def who_answers(query: Query) -> Fact:
    """Return the fact that says who is in charge or awaited after the turn, and why; else that no person is."""
    person, end = query.state.person, query.end
    about = (_PERSON, Subject("node", query.state.node))
    last = await query.last(*_DID)
    if person is not None and person.operator:
        since = end.time(person.taken_ms or person.since_ms)
        took = await query.last(e.TakenOver)
        values: dict[str, Any] = {"operator": person.operator, "since": since, "reason": person.reason}
        return end.fact_of_state("person_in_charge", *about, causes=(took,), **values)
    if person is not None:
        began = await query.last(e.PersonAwaited)
        reason = (
            phrase("a person is the work of {node}", node=query.state.node)
            if person.is_work
            else Phrase("the user asked for one")
        )
        values = {
            "queue": person.queue,
            "since": end.time(person.since_ms),
            "topic": person.about,
            "until": end.time(person.due_ms) if person.due_ms is not None else "",
            "reason": reason,
        }
        return end.fact_of_state("person_is_awaited", *about, causes=(began,), **values)
    handed = await _handed_to_host(query) if last is None else None
    is_over = isinstance(query.state.status, Ended)
    ended = await query.last(e.Ended) if is_over else None
    over = phrase("the conversation ended in turn {turn}", turn=ended.turn) if ended is not None else ""
    reason, undone = _why_no_person(query, last, handed), await query.undone_since(last)
    if undone is not None:
        reason = phrase("{text}; the undo of turn {turn} took that back", text=reason, turn=undone.turn)
    return end.fact_of_state("no_person", *about, causes=(undone, last, handed, ended), over=over, reason=reason)


async def _handed_to_host(query: Query) -> Fact | None:
    """Return the artefact with which the program was last asked to fetch a person, where no undo took that back."""
    async for entry in on_path(query.entries_backwards()):
        if isinstance(entry.event, e.ArtefactMade) and entry.event.kind == "HANDOFF":
            return next(iter(await query.facts_of(entry)), None)
    return None


def _why_no_person(query: Query, last: Fact | None, handed: Fact | None) -> str:
    """Return what the last person did, who was asked to fetch one, or what would bring one."""
    if last is not None:
        return phrase("the last time was in turn {turn}: {text}", turn=last.turn, text=last.text)
    machine = query.machine
    if handed is not None:
        text = "{text} in turn {turn}, which leaves it to the program to call one"
        lacking = (
            "{text} in turn {turn}, which leaves it to the program to call one, and the flow has no `person:` for that"
        )
        return phrase(text if machine.person is not None else lacking, text=handed.text, turn=handed.turn)
    nodes = [name for name, node in machine.nodes.items() if node.person is not None]
    if nodes:
        return phrase("only {nodes} hands over to a person", nodes=joined(nodes, " and "))
    if machine.person is not None:
        return phrase(
            "a person comes where the user asks for one, and the user did not[ {where}]", where=query.turns_searched
        )
    return Phrase("no node of the flow hands over to a person")
