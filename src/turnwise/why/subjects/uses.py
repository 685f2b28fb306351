"""How the guards of a transition count the uses of tools: which use counts, and in which order they came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from turnwise.core.candidates import Guard
from turnwise.core.guards.functions import pattern_of, within_of
from turnwise.core.guards.scope import ended_with, was_used
from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import State, ToolHistory, ToolUse
from turnwise.core.state import events as e
from turnwise.core.trace import Decision
from turnwise.flow.guard import syntax as s
from turnwise.flow.guard import text_of
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.values import is_use
from turnwise.why.kinds import FactKind
from turnwise.why.path import with_undos
from turnwise.why.query import Query

OUTCOMES: tuple[FactKind, ...] = (
    "tool_given_up",
    "tool_returned",
    "tool_failed",
    "call_answered",
    "call_refused",
    "call_awaits_approval",
    "tool_used_by_host",
)
"""The kinds of facts about how a call of a tool ended."""
_RESULTS: tuple[FactKind, ...] = ("tool_returned", "tool_failed", "call_answered", "tool_used_by_host")


def is_result(fact: Fact, tool: str) -> bool:
    """Return whether a fact is the result or failure of a use of a tool; a refused call is not a use."""
    return fact.kind in _RESULTS and fact.values["tool"] == tool and is_use(fact)


class UndoneUses(NamedTuple):
    """The uses of a tool that undos took back."""

    turns: tuple[int, ...] = ()
    """The turns of the uses, in order."""
    undos: tuple[int, ...] = ()
    """The turns of the undos that took them back, in order."""

    @property
    def undos_text(self) -> str:
        """The undos in words: `the undo of turn 3`."""
        return undos_in_words(self.undos)

    @property
    def turns_text(self) -> str:
        """The turns of the uses in words: `in turns 2 and 4`."""
        return phrase("in {turns}", turns=turns_in_words(self.turns))


def undos_in_words(turns: Iterable[int]) -> str:
    """Return undos in words: `the undos of turns 3 and 5`; empty if there are none."""
    names = sorted(set(turns))
    text = "the undo of {turns}" if len(names) == 1 else "the undos of {turns}"
    return phrase(text, turns=turns_in_words(names)) if names else ""


def turns_in_words(turns: Iterable[Any]) -> Phrase:
    """Return numbers of turns in words: `turns 3 and 5`."""
    names = list(dict.fromkeys(map(str, turns)))
    return phrase("turns {turns}" if len(names) > 1 else "turn {turns}", turns=listed(names))


async def uses_taken_back(query: Query, tool: str) -> UndoneUses:
    """Return the uses of a tool so far that undos took back."""
    uses = [
        (one.turn, undo)
        async for one, undo in with_undos(query.entries_backwards())
        if undo and _is_use(one.event, tool)
    ]
    return UndoneUses(tuple([turn for turn, _ in reversed(uses)]), tuple([undo.turn for _, undo in reversed(uses)]))


def _is_use(event: e.AnyEvent, tool: str) -> bool:
    match event:
        case e.ToolReturned() | e.ToolUsed() | e.ToolFailed(not_run=False):
            return event.tool == tool
        case e.CallAnswered(result=result):
            return event.tool == tool and bool(result["success"])
        case _:
            return False


def guard_of(machine: Machine, decision: Decision, transition: str) -> Guard | None:
    """Return the guard of a transition that a decision had as a candidate; `None` without a guard or candidate."""
    candidates = machine.candidates(decision.node, cast("Moment", decision.moment)).all
    return next((one.guard for one in candidates if one.id == transition), None)


def tools_named(guard: Guard | None) -> frozenset[str]:
    """Return the tools whose uses a guard reads."""
    return frozenset(name for call in _calls(guard) for name in _names(call))


async def uses_read(query: Query, state: State, guard: Guard | None, transition: str) -> list[Fact]:
    """Return facts on how each rule in the guard of a transition that reads uses of tools counts those in `state`."""
    tools = ToolHistory(state.tools.counts, await as_they_ran(query, state.tools.last))
    return [await _read(query, tools, call, transition) for call in _calls(guard)]


async def undone_use(query: Query, tool: str) -> tuple[Fact, Fact] | None:
    """Return the facts about the last use of a tool and about the undo that took it back; `None` if no undo did."""
    found = await query.last(
        e.ToolReturned,
        e.ToolFailed,
        e.ToolUsed,
        e.CallAnswered,
        is_fact=lambda fact: is_result(fact, tool),
        since=max(1, query.turn.number - _NEAR),
    )
    undone = await query.undone_since(found)
    return (found, undone) if found is not None and undone is not None else None


_NEAR = 20
"""How many turns are searched for a use that was undone."""


async def as_they_ran(query: Query, uses: tuple[ToolUse, ...]) -> tuple[ToolUse, ...]:
    """Return uses with the turn and node in which each ran; after an undo the state has the undo's turn instead."""
    found = list(uses)
    async for entry in query.entries_backwards(
        e.Undone, since=min((use.turn for use in uses), default=query.turn.number)
    ):
        places = [at for at, use in enumerate(found) if use.turn == entry.turn]
        ran = await _undone_uses(query, entry) if places else []
        for at in reversed(places):
            own = next((use for use in reversed(ran) if use.tool == found[at].tool), None)
            if own is not None:
                ran.remove(own)
                found[at] = own
    return tuple(found)


async def _undone_uses(query: Query, undone: e.Entry) -> list[ToolUse]:
    """Return the uses in the turns that an undo took back, in order."""
    assert isinstance(undone.event, e.Undone), "the entry is an undo"
    entries = query.entries_backwards(
        e.ToolReturned, e.ToolFailed, e.ToolUsed, e.CallAnswered, since=undone.event.to + 1
    )
    numbers = sorted({entry.turn async for entry in entries if entry.turn < undone.turn})
    turns = [await query.history.turn(number) for number in numbers]
    return [use for turn in turns if turn is not None for use in turn.state.tools.last if use.turn == turn.number]


def _calls(guard: Guard | None) -> Iterator[s.Call]:
    parts = s.walk(guard.expression) if guard is not None else ()
    return (part for part in parts if isinstance(part, s.Call) and part.of == s.Name("tools"))


def _names(call: s.Call) -> list[str]:
    literals = (part for arg in call.args for part in s.walk(arg) if isinstance(part, s.Literal))
    return [part.value for part in literals if isinstance(part.value, str) and part.value]


async def _read(query: Query, tools: ToolHistory, call: s.Call, transition: str) -> Fact:
    names = _names(call)
    last = next((use for use in reversed(tools.last) if use.tool in names), None)
    outcome = None
    if last is not None:
        outcome = await query.newest_in_turn(last.turn, lambda fact: is_result(fact, last.tool))
    refused = [fact for fact in query.facts if fact.kind == "call_refused" and fact.values["tool"] in names]
    holds, did = _verdict(query, tools, call, has_failed=outcome is not None and outcome.kind == "tool_failed")
    is_count = call.name == "count"
    undone = await undone_use(query, names[0]) if names and names[0] not in tools.counts else None
    if undone is not None:
        use, undo = undone
        gone = phrase(
            "{tool} was used in turn {turn}, and the undo of turn {undone} took that back",
            tool=names[0],
            turn=use.turn,
            undone=undo.turn,
        )
        did = phrase("{did}; {gone}", did=did, gone=gone) if call.name == "ended_with" else gone
    if refused and (is_count or not holds):
        text = "{did}; in turn {turn} the call of {tool} was refused, and is no use"
        did = phrase(text, did=did, turn=query.turn.number, tool=refused[-1].values["tool"])
    about = (Subject("transition", transition), *[Subject("tool", name) for name in dict.fromkeys(names)])
    verdict = Phrase("holds") if holds else Phrase("does not hold")
    if is_count:
        verdict = phrase("is {value}", value=tools.counts.get(names[0], 0))
    values: dict[str, Any] = {"rule": text_of(call), "holds": verdict, "did": did}
    causes = (outcome, *(undone or ()), *refused[-1:])
    return query.end.fact_of_state("uses_read", *about, causes=causes, transition=transition, **values)


def _verdict(query: Query, tools: ToolHistory, call: s.Call, *, has_failed: bool) -> tuple[bool, str]:
    """Return whether a rule holds, and which uses made it so. A count holds if it is not 0."""
    if call.name == "ended_with":
        pattern = pattern_of(query.machine.names, call.args[0])
        return ended_with(tools, pattern), _in_order(tools.last, len(pattern))
    tool, within = _names(call)[0], within_of(call)
    holds = was_used(tools, tool, within)
    return holds, _use(tools, tool, within, holds=holds, has_failed=has_failed)


def _in_order(uses: tuple[ToolUse, ...], count: int) -> str:
    if not uses:
        return Phrase("no tool was used so far")
    shown = uses[-count - 1 :]
    last = joined((phrase("{tool} (turn {turn})", tool=use.tool, turn=use.turn) for use in shown), ", then ")
    return phrase("the last uses were {uses}", uses=last)


def _use(tools: ToolHistory, tool: str, within: int | None, *, holds: bool, has_failed: bool) -> str:
    place = next((at for at, use in enumerate(reversed(tools.last), 1) if use.tool == tool), 0)
    if tool not in tools.counts:
        return phrase("{tool} was not used so far", tool=tool)
    if not place:
        return phrase(
            "{tool} was used {times} times, before the last {count} uses",
            tool=tool,
            times=tools.counts[tool],
            count=len(tools.last),
        )
    use = tools.last[-place]
    text = phrase("{tool} was used in turn {turn} in {node}", tool=tool, turn=use.turn, node=use.node)
    if not holds:
        return phrase(
            "{text}, before the last {count} uses, {tools}",
            text=text,
            count=within,
            tools=listed([one.tool for one in tools.last[-(within or 1) :]]),
        )
    failed = Phrase("a call that failed is a use, too") if has_failed else ""
    ahead = (within or 0) - place + 1
    others = (
        Phrase("one more use of another tool")
        if ahead == 1
        else phrase("{count} more uses of other tools", count=ahead)
    )
    others = others if within is not None else ""
    return phrase("{text}[, and {failed}][; it counts until {others}]", text=text, failed=failed, others=others)
