"""What must hold between the journal of a conversation and what its tools did outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from support.durable.outside import POLICIES, Done
from turnwise.core.state import State
from turnwise.core.state import events as e


def faults(name: str, entries: Sequence[e.Entry], did: Sequence[Done], state: State) -> Iterable[str]:
    """A recorded call never repeats, an unrecorded one only with the same key or by its policy (law 4.5).

    `did` is what was done under the keys of this conversation, in its order. Where a process stood still inside of a
    call, another one may have made it again meanwhile, also of a tool that is checked first: then the recorded one is
    any of them. No store can hinder that.
    """
    is_open = state.doing is not None
    results = {f"{name}/{one.event.effect}": one.event for one in entries if isinstance(one.event, _RESULTS)}
    runs: dict[str, list[Done]] = {}
    for one in did:
        runs.setdefault(one.key, []).append(one)
    for key, known in runs.items():
        if key not in results and not (is_open and _is_last(key, entries)):
            yield f"{key} was done, and is not in the journal"
        if len({one.life for one in known}) < len(known):
            yield f"{key} was done twice in one life"
        if len(known) > 1 and POLICIES[known[0].tool] != "again" and not _stood_still(known):
            yield f"{key} was done again, and its policy is {POLICIES[known[0].tool]}"
    for key, result in results.items():
        if result.tool in POLICIES:
            yield from _of_result(key, result, runs.get(key, ()))
    if not is_open:
        yield from _unsettled(entries, state.awaiting_approval.call if state.awaiting_approval is not None else "")


_RESULTS = (e.ToolReturned, e.ToolFailed)


def _is_last(key: str, entries: Sequence[e.Entry]) -> bool:
    """Whether a key is asked for in the turn that is under way."""
    turn, effect = entries[-1].turn, key.rpartition("/")[2]
    asked = [one.event.effect.id for one in entries if one.turn == turn and isinstance(one.event, e.EffectAsked)]
    return effect in asked


def _stood_still(known: Sequence[Done]) -> bool:
    return any(one.stood_still for one in known)


def _of_result(key: str, result: e.ToolReturned | e.ToolFailed, known: Sequence[Done]) -> Iterable[str]:
    if isinstance(result, e.ToolFailed):
        if not (result.in_doubt and POLICIES[result.tool] == "unknown"):
            yield f"{key} failed: {result.reason}"
        return
    receipt = result.result["receipt"] if isinstance(result.result, dict) else result.result
    counting = known if _stood_still(known) else known[-1:]
    if receipt not in [one.receipt for one in counting]:
        yield f"{key} is recorded with {receipt}, and was done as {[one.receipt for one in known]}"


def _unsettled(entries: Sequence[e.Entry], held: str) -> Iterable[str]:
    """Each call of a model has one outcome, but for the one that waits for a yes, and those that open or close scopes."""
    calls = [call for one in entries if isinstance(one.event, e.ModelReplied) for call in one.event.calls]
    made = [call.id for call in calls if not call.tool.startswith(("open_", "finish_"))]
    settled = Counter(one.event.call for one in entries if isinstance(one.event, (*_RESULTS, e.CallRefused)))
    for call in made:
        if settled[call] != (call != held):
            yield f"the call {call} has {settled[call]} outcomes"


def counted(entries: Sequence[e.Entry], did: Sequence[Done]) -> Counter[str]:
    """How often a crash was settled in each way, to know that there was something to settle."""
    runs = Counter(one.key for one in did)
    found = Counter({"effects done": len(runs), "done again": sum(count > 1 for count in runs.values())})
    found["stood still in"] = len({one.key for one in did if one.stood_still})
    found["in doubt"] = sum(isinstance(one.event, e.ToolFailed) and one.event.in_doubt for one in entries)
    return found
