"""What must hold of a store, whatever happened to the processes that wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from support.durable import effects, scopes
from support.durable.life import Acknowledged
from support.durable.opened import store_at
from support.durable.outside import Done, done_in
from support.durable.script import Play
from turnwise.core.replay import rerun
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_state
from turnwise.core.state.fold import fold_all
from turnwise.runner.ports import Store


class Verdict(NamedTuple):
    """What is wrong, and how often a crash in the middle of a tool was settled in each way."""

    faults: list[str]
    seen: Counter[str]


async def judged(path: Path, acknowledged: dict[str, list[Acknowledged]], play: Play, *, are_over: bool) -> Verdict:
    """Judge conversations: what was acknowledged and is not there, is there twice, or differs, and what was done outside."""
    store, verdict = store_at(path), Verdict([], Counter())
    outside: dict[str, list[Done]] = {}
    for one in done_in(path.with_suffix(".outside")):
        outside.setdefault(one.key.rpartition("/")[0], []).append(one)
    try:
        for name, known in acknowledged.items():
            entries, did = await store.entries(name), outside.get(name, [])
            verdict.faults.extend(await _faults(store, play, name, entries, known, did, are_over=are_over))
            verdict.seen.update(effects.counted(entries, did))
    finally:
        await store.close()
    return verdict


async def _faults(
    store: Store,
    play: Play,
    name: str,
    entries: tuple[e.Entry, ...],
    acknowledged: list[Acknowledged],
    did: Sequence[Done],
    *,
    are_over: bool,
) -> Iterable[str]:
    if not entries:
        return [f"{name}: nothing is kept of it"] if acknowledged else []
    state = await store.load(name)
    assert state is not None
    wrong = [*_order(entries), *_once(entries, acknowledged, state.turn), *_timers(entries)]
    if encode_state(state) != encode_state(fold_all(entries)):  # type: ignore[arg-type]
        wrong.append("the state is not the fold of the journal")
    if state.doing is None and rerun(play.machine, entries) != entries:
        wrong.append("run again, the journal is another")
    wrong += effects.faults(name, entries, did, state)
    wrong += scopes.faults(play.machine, entries, state, is_over=are_over)
    for known in acknowledged:
        receipt = await store.receipt(name, known.key)
        said = "\n\n".join(x.event.text for x in await store.turn(name, known.turn) if isinstance(x.event, e.Said))
        if receipt is None or receipt.turn != known.turn:
            wrong.append(f"{known.key} was acknowledged as turn {known.turn}, and is {receipt}")
        elif sha256(said.encode()).hexdigest()[:16] != known.proof:
            wrong.append(f"{known.key} was answered otherwise")
    if are_over and (
        len(acknowledged) != len(play.lines) or state.status != Ended("finished") or await store.claim(name)
    ):
        wrong.append(f"it has not come to its end: {state.status}")
    return [f"{name}: {fault}" for fault in wrong]


def _order(entries: tuple[e.Entry, ...]) -> Iterable[str]:
    if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
        yield "positions have gaps, or come twice"
    turns = [entry.turn for entry in entries]
    if turns != sorted(turns) or set(turns) != set(range(1, turns[-1] + 1)):
        yield "turns have gaps, or go back"


def _once(entries: tuple[e.Entry, ...], acknowledged: list[Acknowledged], turns: int) -> Iterable[str]:
    """Each event is there once and in the order of its sender, and each effect has one result."""
    given = [entry for entry in entries if isinstance(entry.event, e.OutsideEvent)]
    if Counter(entry.turn for entry in given) != Counter(range(1, turns + 1)):
        yield "a turn has not one event"
    sent = [entry.turn for entry in given if not isinstance(entry.event, e.TimerFired)]
    if sent[: len(acknowledged)] != [known.turn for known in acknowledged] or len(sent) > len(acknowledged) + 1:
        yield f"the turns {[known.turn for known in acknowledged]} were acknowledged, and are {sent}"
    results = Counter(entry.event.effect for entry in entries if isinstance(entry.event, e.ResultEvent))
    if any(count > 1 for count in results.values()):
        yield "an effect has two results"
    replies = Counter(entry.event.text for entry in entries if isinstance(entry.event, e.ModelReplied))
    if any(count > 1 for count in replies.values()):
        yield "a reply of the model was used twice"


def _timers(entries: tuple[e.Entry, ...]) -> Iterable[str]:
    """Each due time is handled once, and not early."""
    fired = [entry for entry in entries if isinstance(entry.event, e.TimerFired)]
    if len({entry.event for entry in fired}) != len(fired):
        yield "a timer fired twice"
    for entry in fired:
        assert isinstance(entry.event, e.TimerFired)
        if entry.event.due_ms is None or entry.at_ms < entry.event.due_ms:
            yield "a timer fired early"
    if any(isinstance(entry.event, e.Warned) and entry.event.code == "late" for entry in entries):
        yield "a timer was late"
    reached = [entry for entry in entries if isinstance(entry.event, e.Moved) and entry.event.target == "talk"]
    if len(reached) > 1 or len(fired) != len(reached):
        yield "the timer moved it more than once"
