"""Why a scope is open, was closed, or was never opened; and that a node waits while a scope around it is open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Open
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, listed, phrase, without_stop
from turnwise.core.state import Frame, State
from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.scopes import OPENER_WORDS, limits_used
from turnwise.why.path import on_path
from turnwise.why.prompts import Prompt
from turnwise.why.query import MOST_ENTRIES_READ, Query
from turnwise.why.subjects.proposals import answer_offer, offerers


def open_frame(state: State, scope: str) -> Frame | None:
    """Return the frame of an open scope; `None` if the scope is not open."""
    return next((one for one in state.frames if one.scope is not None and one.scope.name == scope), None)


async def answer_open(query: Query, scope: str) -> list[Fact] | None:
    """Return that a scope is open, since when, by whom, and how much of its limits it has used; `None` if it is not."""
    frame = open_frame(query.state, scope)
    if frame is None or frame.scope is None:
        return None
    opened = await query.newest_in_turn(frame.scope.turn, lambda fact: _is_opening(fact, scope))
    values: dict[str, Any] = {"scope": scope, "since": frame.scope.turn, "who": OPENER_WORDS[frame.scope.by]}
    values["now"] = query.state.node
    values["used"] = limits_used(query.machine.scopes[scope], frame.scope)
    first = query.end.fact_of_state("scope_is_open", query.subject, causes=(opened,), **values)
    return [first, *([opened] if opened is not None else [])]


async def waits_around(query: Query, node: str) -> Fact | None:
    """Return that a node waits while a scope that was opened in it is open; `None` if it does not wait."""
    for outer, inner in pairwise(query.state.frames):
        if outer.node == node and inner.scope is not None:
            opened = await query.last(e.ScopeOpened, scope=inner.scope.name)
            values: dict[str, Any] = {"node": node, "scope": inner.scope.name, "since": inner.scope.turn}
            values["now"] = query.state.node
            return query.end.fact_of_state("node_waits", query.subject, causes=(opened,), **values)
    return None


async def words_left(query: Query) -> Fact | None:
    """Return what the transcript shows in place of a message of a scope that was closed since; else `None`."""
    before, last = query.turn.before, query.history.last
    open_now = {frame.id for frame in last.frames}
    gone = next((one for one in (before.frames if before is not None else ()) if one.id not in open_now), None)
    after = query.turn.entries[0].seq
    if gone is None or gone.scope is None:
        return None
    for entry in await query.history.unerased(after, min(last.seq, after + MOST_ENTRIES_READ)):
        if isinstance(entry.event, e.ScopeClosed) and entry.event.scope == gone.scope.name:
            closed = _of_kind(await query.facts_of(entry), "scope_closed")
            return _summarized(query, closed) if closed is not None else None
    return None


async def shown_instead(query: Query, prompt: Prompt) -> list[Fact]:
    """Return facts about what a prompt shows in place of the messages of scopes that were closed before."""
    shown = [part.text for part in prompt.parts if part.part == "transcript"]
    found: list[Fact] = []
    async for entry in on_path(query.entries_backwards(e.ScopeClosed, e.Undone, since=max(1, prompt.begins[1]))):
        event = entry.event
        if isinstance(event, e.ScopeClosed) and entry.seq < prompt.seq and any(event.summary in one for one in shown):
            closed = _of_kind(await query.facts_of(entry), "scope_closed")
            found += [_summarized(query, closed)] if closed is not None else []
    return found[::-1]


def _summarized(query: Query, closed: Fact) -> Fact:
    scope, summary = str(closed.values["scope"]), str(closed.values["summary"])
    values: dict[str, Any] = {"scope": scope, "turn": closed.turn, "summary": summary}
    about = (query.subject, Subject("node", scope))
    return query.end.fact_of_state("words_summarized", *about, causes=(closed,), **values)


def _is_opening(fact: Fact, scope: str) -> bool:
    return fact.kind == "scope_opened" and fact.values["scope"] == scope


class Closing(NamedTuple):
    """The last closing of a scope, and the opening before it."""

    closed: Fact
    """The fact that the scope was closed."""
    opened: Fact
    """The fact that the scope was opened before."""


async def last_closing(query: Query, scope: str) -> Closing | None:
    """Return how a scope was last opened and closed; `None` if never, or if an undo took that back."""
    closed: Fact | None = None
    async for entry in on_path(query.entries_backwards(e.ScopeOpened, e.ScopeClosed, e.Undone)):
        event = entry.event
        if isinstance(event, e.ScopeClosed) and event.scope == scope and closed is None:
            closed = _of_kind(await query.facts_of(entry), "scope_closed")
        elif isinstance(event, e.ScopeOpened) and event.scope == scope:
            opened = _of_kind(await query.facts_of(entry), "scope_opened")
            return Closing(closed, opened) if closed is not None and opened is not None else None
    return None


def _of_kind(facts: list[Fact], kind: str) -> Fact | None:
    return next((one for one in facts if one.kind == kind), None)


async def answer_closed(query: Query, scope: str) -> list[Fact] | None:
    """Return facts that a scope is not open and how it was closed last; `None` if it was never closed."""
    last = await last_closing(query, scope)
    if last is None:
        return None
    closed, opened = last
    values: dict[str, Any] = {"scope": scope, "since": opened.turn, "turn": closed.turn}
    values |= {"outcome": closed.values["outcome"], "why": closed.values["why"]}
    values["waits"] = _wished(query.state, scope)
    first = query.end.fact_of_state("scope_not_open", query.subject, causes=(closed, opened), **values)
    offered = await answer_offer(query, scope)
    return [first, closed, opened, *[one for one in offered if one.kind == "offer_stands"]]


async def answer_unopened(query: Query, scope: str, ways: list[Fact]) -> Fact:
    """Return the fact that a scope was never opened, and why: who was refused it, how the transitions that open it were
    judged (the facts `ways`), and who else could open it.
    """
    refused, offered = await _refused(query, scope), await answer_offer(query, scope)
    judged = [one for one in ways if one.kind in ("transition_judged", "transition_not_judged")]
    parts = [refused.text] if refused is not None else [without_stop(one.text) for one in judged[:2]]
    standing = [one.text for one in offered if one.kind != "offered"][:2]
    others = list(_others(query.machine, scope))
    parts += standing or (
        [phrase("{others} could open it", others=listed(others))] if others and refused is None else []
    )
    wished = _wished(query.state, scope)
    parts = [wished] if wished else parts
    reason = joined(parts, "; ") or Phrase("nothing in the flow opens it")
    causes = (refused, *offered, *ways)
    return query.end.fact_of_state("scope_never_opened", query.subject, causes=causes, scope=scope, reason=reason)


def _wished(state: State, scope: str) -> str:
    """Return that a scope was asked for beside another one and waits for that; empty where it was not."""
    frames = state.frames
    at = next((index for index, frame in enumerate(frames) if scope in frame.wishes), None)
    if at is None:
        return ""
    inner = frames[at + 1].scope if at + 1 < len(frames) else None
    until = (
        phrase("when {scope} is closed", scope=inner.name)
        if inner is not None
        else Phrase("as soon as nothing else is under way")
    )
    return phrase("it was asked for beside another scope, and opens {until}", until=until)


async def _refused(query: Query, scope: str) -> Fact | None:
    """Return how the opening of a scope was refused the last time: to a user, a program, a model or a transition."""
    opener = query.machine.scopes[scope].opener
    tool = opener.tool.name if opener is not None else ""

    def is_meant(fact: Fact) -> bool:
        values = fact.values
        match fact.kind:
            case "command_refused":
                return values.get("command") == "start" and values.get("scope") == scope
            case "call_refused":
                return values.get("tool") == tool
            case "move_undone":
                return values.get("target") == scope
            case "write_refused":
                return any(one.name.startswith(f"{scope}/input.") for one in fact.about)
            case _:
                return False

    return await query.last(e.CommandRefused, e.CallRefused, e.Faulted, is_fact=is_meant)


def _others(machine: Machine, scope: str) -> Iterator[str]:
    """Yield in words who could open a scope, beside transitions."""
    if scope in machine.flow.commands.start:
        yield phrase("a user, by “{title}”", title=machine.nodes[scope].node.title or scope.replace("_", " "))
    scheduled = [one.name for one in machine.schedules.values() if one.scope == scope]
    if scheduled:
        yield phrase("the schedule {schedule}", schedule=listed(scheduled))
    offered = [name for name, node in machine.nodes.items() if scope in node.toolbox.opens.values()]
    if offered:
        yield phrase("the model of {nodes}", nodes=listed(offered))
    offering = offerers(machine, scope)
    if offering:
        yield phrase("the user, where {nodes} offers it", nodes=listed(offering))


def transitions_that_open(machine: Machine, scope: str, nodes: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the transitions that open a scope with `call`, of the first of `nodes` that has any, else of all nodes."""
    found: dict[str, list[str]] = {}
    for name, node in machine.nodes.items():
        for one in (*node.candidates, *machine.scope(name).flow_candidates):
            if isinstance(one.action, Open) and one.action.scope == scope:
                found.setdefault(name, []).append(one.id)
    first = next((found[node] for node in nodes if node in found), None)
    return tuple(dict.fromkeys(first or [name for names in found.values() for name in names]))


async def why_not_open(query: Query, address: str) -> Fact | None:
    """Return the fact that the outermost closed scope around a name is not open; `None` if all are open."""
    scopes: list[str] = []
    while address := scope_of(address):
        scopes.append(address)
    for scope in reversed(scopes):
        if scope in query.machine.scopes and open_frame(query.state, scope) is None:
            closed = await answer_closed(query, scope)
            return closed[0] if closed is not None else await answer_unopened(query, scope, [])
    return None
