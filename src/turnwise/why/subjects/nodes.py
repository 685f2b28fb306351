"""Why a node is or is not in charge."""

from __future__ import annotations

from turnwise.core.addresses import scope_of
from turnwise.core.explain.now import transitions_named
from turnwise.core.phrase import joined, phrase, without_stop
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.path import on_path
from turnwise.why.query import Query
from turnwise.why.subjects.closest import closest_turn
from turnwise.why.subjects.ends import held_in_words, with_grounds
from turnwise.why.subjects.judging import facts_that_decided
from turnwise.why.subjects.people import who_answers
from turnwise.why.subjects.scopes import (
    answer_closed,
    answer_open,
    answer_unopened,
    transitions_that_open,
    waits_around,
    why_not_open,
)
from turnwise.why.subjects.transitions import (
    is_judged,
    judged_before,
    judged_last,
    outcomes_of,
    pending_move,
    was_judged,
)


async def answer_node(query: Query) -> list[Fact]:
    """Return how a node came in charge; if it is not in charge, how it was left, or the ways to it."""
    name = query.subject.name
    entered = await _entered(query, name)
    around = await _around(query, name, entered)
    if around is not None:
        return around
    if query.state.node == name:
        return await _in_charge(query, entered)
    stopped = [fact for fact in query.facts_about if fact.kind in ("move_blocked", "move_undone")]
    stopped = [fact for fact in stopped if fact.values["target"] == name][-1:]
    first = next(iter([*stopped, *await pending_move(query, name)]), None)
    named = transitions_named(query.machine, name, _nodes(query))
    named = tuple(dict.fromkeys((*named, *transitions_that_open(query.machine, name, _nodes(query)))))
    ways = [fact for one in named for fact in await outcomes_of(query, one)]
    near = [fact for one in named for fact in await closest_turn(query, one)]
    if first is not None:
        return [first, *ways, *_others(query, first)]
    undone = await query.undone_since(entered)
    is_of_scope = entered is not None and (bool(scope_of(name)) or entered.kind == "scope_opened")
    been = any(frame.visits.get(name) for frame in query.state.frames)
    if not been and not is_of_scope and undone is None:
        last = [fact for one in named if not was_judged(ways, one) for fact in await judged_last(query, one)]
        first = await _never(query, [*ways, *last] if query.names_turn else [*last, *ways])
        made = [fact for fact in query.facts_about if fact.kind == "offered"] if query.names_turn else []
        return [*made, first, *near, *[one for one in _others(query, first) if one not in made]]
    left = await _left(query, name)
    first = _not_in_charge(query, entered, left, undone)
    person = await _wait_in(query, name)
    others = [fact for fact in _others(query, first) if fact not in person]
    before = await _judged_before(query, entered)
    return [first, *person, *_entry(entered), *before, *near, *ways, *others]


async def _in_charge(query: Query, entered: Fact | None) -> list[Fact]:
    """Return how the node in charge was entered, and what else held then."""
    name, since = query.subject.name, query.state.frame.entered_turn
    first = entered or query.end.fact_of_state("node_in_charge", query.subject, node=name, since=since)
    waits = [await who_answers(query)] if query.state.person is not None else []
    carried = await _entered_before(query, first)
    before = await _judged_before(query, carried[0] if carried else first)
    return [*carried, first, *waits, *await _rivals(query, first), *before, *_others(query, first)]


async def _never(query: Query, ways: list[Fact]) -> Fact:
    """Return that a node was never entered, or a scope never opened, and what the ways to it lacked."""
    name = query.subject.name
    if query.machine.nodes[name].work == "scope":
        return await answer_unopened(query, name, ways)
    inside = await why_not_open(query, name)
    reason = (inside.text if inside is not None else "") or _first_ways(ways, query.turn.number)
    values = {"node": name, "reason": reason}
    return query.end.fact_of_state("node_never_entered", query.subject, causes=(inside, *ways), **values)


def _entry(entered: Fact | None) -> list[Fact]:
    """Return how a node was entered, with the values that decided it."""
    if entered is None or entered.kind != "node_left" or entered.values.get("grounds"):
        return [entered] if entered is not None else []
    grounds = held_in_words(entered)
    return [with_grounds(entered, grounds)] if grounds else [entered]


async def _judged_before(query: Query, entered: Fact | None) -> list[Fact]:
    """Return why a node was not entered when the transition that entered it was judged before."""
    by = str(entered.values.get("transition") or "") if entered is not None else ""
    turn = await query.history.turn(entered.turn) if entered is not None and by else None
    return await judged_before(await query.at_turn(turn), by) if turn is not None else []


def _not_in_charge(query: Query, entered: Fact | None, left: Fact | None, undone: Fact | None) -> Fact:
    """Return that a node is not in charge, how it was entered and left the last time, and what took that back."""
    name, now = query.subject.name, query.state.node
    if undone is not None and left is not None and entered is not None and left.seq < entered.seq:
        left = None  # the undo came while the node was in charge
    visit = joined([*_in_short("entered", entered), *_in_short("left", left)], " and ")
    if undone is not None:
        visit = phrase("{text}; the undo of turn {turn} took that back", text=visit, turn=undone.turn)
    causes = (entered if entered != left else None, left, undone)
    return query.end.fact_of_state("node_not_in_charge", query.subject, causes=causes, node=name, now=now, visit=visit)


def _in_short(what: str, move: Fact | None) -> list[str]:
    """Return in words in which turn a node was entered or left, by which transition, and why."""
    if move is None:
        return []
    transition, because = move.values.get("transition"), str(move.values.get("because", "")).rstrip(".")
    values = {"turn": move.turn, "transition": transition, "because": because}
    if move.kind == "scope_closed":
        values |= {"scope": move.values["scope"], "outcome": move.values["outcome"]}
        text = "left in turn {turn} when {scope} was closed as {outcome}[ ({because})]"
        return [phrase(text, **values)]
    return [phrase(_IN_SHORT[what], **values)]


_IN_SHORT = {
    "entered": "entered in turn {turn}[ by {transition}][ ({because})]",
    "left": "left in turn {turn}[ by {transition}][ ({because})]",
}


def _first_ways(ways: list[Fact], turn: int) -> str:
    """Return how a few transitions to a node were judged, or why they were not; the judged ones first."""
    kinds = ("transition_not_judged", "transition_judged")
    found: dict[str, Fact] = {}
    for fact in [fact for fact in ways if fact.kind in kinds]:
        before = found.get(fact.values["transition"])
        if before is None or (fact.turn == before.turn and (is_judged(fact) or not is_judged(before))):
            found[fact.values["transition"]] = fact
    own = [
        phrase("[in turn {turn} ]{text}", turn=fact.turn if fact.turn != turn else None, text=without_stop(fact.text))
        for fact in found.values()
    ]
    facts = list(dict.fromkeys(own))
    more = len(facts) - _FEW if len(facts) > _FEW else None
    return phrase("{ways}[; and {count} more]", ways=joined(facts[:_FEW], "; "), count=more) if facts else ""


_FEW = 2


async def _entered(query: Query, name: str) -> Fact | None:
    """Return how a node came in charge, the last time."""
    about = Subject("node", name)
    if query.state.node == name:
        entered = query.state.frame.entered_turn
        found = await query.newest_in_turn(entered, lambda fact: fact.kind in _ENTRIES and is_entry(fact, about))
        if found is not None:
            return found
    async for entry in on_path(query.entries_backwards(e.Moved, e.Started, e.ScopeOpened, e.Undone)):
        if not isinstance(entry.event, e.Undone) and _may_enter(entry.event, name):
            return (await query.facts_of(entry))[-1]
    types = (e.Moved, e.Started, e.ScopeOpened, e.Undone, e.Migrated)
    return await query.last(*types, is_event=lambda event: _may_enter(event, name))


async def _around(query: Query, name: str, entered: Fact | None) -> list[Fact] | None:
    """Return that a scope is open, or how it was closed, or that a node waits for one; `None` for any other node."""
    waits = await waits_around(query, name)
    if query.machine.nodes[name].work == "scope":
        found = await answer_open(query, name) or (None if waits is not None else await answer_closed(query, name))
        if found is not None:
            own = [entered] if entered is not None and entered not in found else []
            return [*found, *own, *_others(query, found[0])]
    if waits is None:
        return None
    return [waits, *_entry(entered), *_others(query, waits)]


async def _left(query: Query, name: str) -> Fact | None:
    """Return how a node was left, the last time that no undo took back; else the last time. A node of a scope may be
    left by the closing of the scope.
    """
    closed: Fact | None = None
    async for entry in on_path(query.entries_backwards(e.Moved, e.ScopeOpened, e.ScopeClosed, e.Undone)):
        event = entry.event
        if isinstance(event, e.ScopeClosed) and f"{name}/".startswith(f"{event.scope}/") and event.scope != name:
            closed = closed or (await query.facts_of(entry))[0]
        elif isinstance(event, e.Moved) and event.source == name:
            return (await query.facts_of(entry))[-1]
        elif _may_enter(event, name):
            return closed
    return await query.last(e.Moved, source=name)


async def _entered_before(query: Query, migrated: Fact) -> list[Fact]:
    """Return how the node in charge came in charge in an earlier version of the flow, perhaps under another name."""
    turn = await query.history.turn(query.state.frame.entered_turn) if migrated.kind == "migrated" else None
    if turn is None:
        return []
    node = Subject("node", turn.state.node)
    found = await query.newest_in_turn(turn.number, lambda fact: fact.kind in _ENTRIES and is_entry(fact, node))
    return [found] if found is not None else []


_ENTRIES = ("node_left", "scope_opened", "conversation_started", "turn_undone", "migrated")


def is_entry(fact: Fact, node: Subject) -> bool:
    """Return whether a fact says that this node came in charge."""
    return fact.values.get("target", node.name) == node.name and node in fact.about


def _may_enter(event: e.AnyEvent, name: str) -> bool:
    match event:
        case e.Moved(target=node) | e.Started(node=node):
            return node == name
        case e.ScopeOpened(scope=scope, node=node):
            return name in (scope, node)
        case e.Undone(state=state) | e.Migrated(state=state):
            return state.node == name
        case _:
            return False


async def _wait_in(query: Query, name: str) -> list[Fact]:
    """Return how the wait for a person ended in a node of which that is the work."""
    if query.machine.nodes[name].work != "person":
        return []
    came = await query.last(e.NobodyCame, e.TakenOver, e.GivenBack)
    return [came] if came is not None else []


async def _rivals(query: Query, entered: Fact) -> list[Fact]:
    """Return by what a move went before each other transition that held."""
    turn = await query.history.turn(entered.turn) if entered.values.get("also") else None
    if turn is None:
        return []
    then = await query.at_turn(turn)
    seq = next((cause.seq for cause in entered.causes if cause.kind == "decided"), 0)
    decision = next(one for one in turn.decisions if one.seq == seq)
    return [
        fact
        for one in decision.candidates
        for fact in facts_that_decided(then, decision, one)
        if fact.kind == "outranked"
    ]


def _nodes(query: Query) -> tuple[str, ...]:
    return (query.state.node, *(gone.node for gone in reversed(query.turn.left)))


def _others(query: Query, first: Fact) -> list[Fact]:
    return [fact for fact in query.facts_about if fact != first and fact not in first.causes]
