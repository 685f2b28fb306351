"""The commands `explain`, `history`, `what-if`, `undo`, `fork` and `replay` on a store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.json import encode
from rich.console import Console
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from turnwise.api.open import open as open_flow
from turnwise.api.open import open_archive, open_store
from turnwise.api.output import put_data
from turnwise.archive import Archive
from turnwise.archive.asking import Replayed, WhatIf
from turnwise.cli.show import headings, plain_console, print_decision, print_story, print_turn, put
from turnwise.cli.supply import flow_of, guards_of
from turnwise.core.explain.history import Edge
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.migration.diff import Renaming
from turnwise.core.state.codec import encode_entry
from turnwise.core.state.events import Entry
from turnwise.errors import StoreFailed, TurnwiseError, UnknownTurn, WrongUsage
from turnwise.runner.past import chosen, with_progress
from turnwise.runner.ports import Progress

_WORTH_A_BAR = 20


def ask(
    store: str,
    python: Path | None,
    work: Callable[[Archive], Awaitable[int]],
    *,
    as_json: bool = False,
    writes: bool = False,
    makes: bool = False,
) -> int:
    """Open a store, do some work with it, and close it; gives what the work gave, an exit code. Where output is
    JSON an error is a JSON object too. What only asks will do with a store that is read-only, and makes none.
    """

    async def run() -> int:
        kept = open_store(store if makes else existing(store), may_only_read=not writes)
        archive = open_archive(kept, guards=guards_of(python))
        try:
            return await work(archive)
        finally:
            await archive.store.close()

    try:
        return asyncio.run(run())
    except TurnwiseError as error:
        if as_json:
            print_json({"error": str(error)})
        raise


def existing(store: str) -> str:
    """The address of a store that is there. Raises `TurnwiseError`."""
    kind, _, place = store.partition("://")
    path = Path(place[1:])
    if kind == "sqlite" and not path.exists():
        raise TurnwiseError(f"{path}: there is no such store")
    if kind == "sqlite":
        refuse_empty(path)
    return store


def refuse_empty(path: Path) -> None:
    """Raises `StoreFailed` for an empty file: looking at it must not make a store of it."""
    if path.is_file() and not path.stat().st_size:
        raise StoreFailed(path, "this file is empty; there is no store in it yet")


def machine_of(flow: Path | None, python: Path | None) -> Machine | None:
    """The machine of a document, `None` where there is none. Raises `FlowError`."""
    return link(flow_of(flow), guards_of(python)) if flow is not None else None


def pairs(given: Iterable[str], option: str) -> dict[str, str]:
    """Names and what each is given: `user.age=40`. Raises `TurnwiseError` for what is no pair."""
    found: dict[str, str] = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise WrongUsage(f"{option} takes NAME=VALUE, and this is {pair!r}")
        if name.strip() in found:
            raise WrongUsage(f"{option} names '{name.strip()}' twice: once as {found[name.strip()]!r}")
        found[name.strip()] = value.strip()
    return found


def renaming_of(nodes: Iterable[str], fields: Iterable[str]) -> Renaming:
    """The new names that are given as pairs."""
    return Renaming(pairs(nodes, "--map"), pairs(fields, "--map-field"))


def print_json(data: Any) -> None:
    """One JSON document, alone on standard output."""
    put_data(encode(data).decode())


@contextmanager
def progress(what: str) -> Generator[Progress]:
    """A bar on standard error for long work, in a terminal."""
    console = Console(stderr=True, highlight=False)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None, visible=False)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=total > _WORTH_A_BAR)

        yield tell


def count(number: int, what: str) -> str:
    """A number and what it counts."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def run_explain(
    store: str, python: Path | None, conversation: str, *, turn: int | None, transition: str | None, as_json: bool
) -> int:
    """Explain; gives the exit code: 1 where there is nothing of the name that is asked for."""

    async def work(archive: Archive) -> int:
        decisions = await archive.explain(conversation, turn, transition)
        if as_json:
            about = {number: (await archive.turn(conversation, number)).about for number in {d.turn for d in decisions}}
            print_json([{"about": about[decision.turn], **decision.to_dict()} for decision in decisions])
            return 0
        last = await archive.turn(conversation, turn)
        told = await archive.turn(conversation, decisions[0].turn) if decisions else None
        if not transition:
            print_story(plain_console(), last, told)
            return 0
        for line in headings(last, told):
            put(plain_console(), line, "bold")
        for decision in decisions:
            print_decision(plain_console(), decision, transition)
        return 0

    return ask(store, python, work, as_json=as_json)


def run_history(
    store: str, python: Path | None, conversation: str | None, *, transition: str | None, as_json: bool
) -> int:
    """Count; gives the exit code."""

    async def work(archive: Archive) -> int:
        with progress("counting decisions") as tell:
            edges = await archive.history(conversation, transition, tell)
        if as_json:
            print_json([_history_data(edge) for edge in edges])
        else:
            _print_history(edges)
        return 0

    return ask(store, python, work, as_json=as_json)


def _history_data(edge: Edge) -> dict[str, Any]:
    parts = {"node": edge.node, "moment": edge.moment, "transition": edge.transition, "target": edge.target or None}
    return {**parts, "judged": edge.judged, "held": edge.held, "outcomes": edge.outcomes}


def _print_history(edges: tuple[Edge, ...]) -> None:
    console = plain_console()
    if not console.is_terminal:
        for edge in edges:
            put(console, f"{edge.node}  {edge.moment}  {edge.transition}: {edge.line}")
        return
    table = Table("node", "moment", "transition", "judged", "held", "taken")
    for edge in edges:
        style = "dim" if not edge.judged else "yellow" if not edge.held else ""
        cells = (edge.node, edge.moment, edge.transition, str(edge.judged), str(edge.held), str(edge.taken))
        table.add_row(*map(Text, cells), style=style)
    console.print(table)


def run_what_if(
    store: str,
    python: Path | None,
    conversation: str | None,
    *,
    turn: int | None,
    values: Iterable[str],
    rules: Iterable[str],
    flow: Path | None,
    as_json: bool,
) -> int:
    """Judge again; gives the exit code."""
    supposed = {name: value or None for name, value in pairs(values, "--set").items()}
    guards = pairs(rules, "--rule")
    if not supposed and not guards and flow is None:
        raise WrongUsage("suppose something: --set FIELD=VALUE, --rule TRANSITION=GUARD, or --flow FILE")
    if turn is not None and conversation is None:
        raise WrongUsage("--turn needs a conversation")

    async def work(archive: Archive) -> int:
        machine = machine_of(flow, python)
        with progress("judging again") as tell:
            found = await archive.what_if(
                conversation, turn=turn, values=supposed, rules=guards, flow=machine, progress=tell
            )
        print_json(found) if as_json else _print_what_if(found)
        return 0

    return ask(store, python, work, as_json=as_json)


def _print_what_if(found: WhatIf) -> None:
    console = plain_console()
    for one in found.otherwise:
        put(console, f"{one.conversation}, turn {one.turn}: {one.was} then, {one.would} now", "bold")
        print_decision(console, one.decision)
    skipped = f"; {found.skipped} in nodes that the flow does not have" if found.skipped else ""
    put(console, f"{count(found.judged, 'decision')} judged again, {len(found.otherwise)} otherwise{skipped}")


def run_undo(store: str, python: Path | None, conversation: str, *, to: int | None) -> int:
    """Take turns back; gives the exit code: 1 where that is refused."""

    async def work(archive: Archive) -> int:
        state = await archive.state(conversation)
        if to is not None and not 1 <= to <= state.turn:
            raise UnknownTurn(conversation, to, state.turn)
        machine = await archive.machines.of(state.fingerprint)
        app = open_flow(machine, store=archive.store, guards=list(machine.code.values()))
        turn = await app.chat(conversation).undo(to=to)
        print_turn(plain_console(), turn, debug=False)
        return 1 if turn.refused is not None else 0

    return ask(store, python, work, writes=True)


def run_fork(store: str, source: str, conversation: str, *, turn: int | None, effects: bool) -> int:
    """Branch off; gives the exit code."""

    async def work(archive: Archive) -> int:
        await archive.fork(source, conversation, turn, effects=effects)
        state = await archive.state(conversation)
        put(plain_console(), f"{conversation}: as {source} was at the end of turn {state.turn}, in {state.node}")
        return 0

    return ask(store, None, work, writes=True)


def run_replay(
    store: str, python: Path | None, conversation: str | None, *, flow: Path | None, folds: bool, as_json: bool
) -> int:
    """Replay one or all; gives the exit code: 1 where something differs."""

    async def work(archive: Archive) -> int:
        machine = machine_of(flow, python)
        found: list[Replayed] = []
        with progress("replaying") as tell:
            for name in with_progress(await chosen(archive.store, conversation), tell):
                found.append(await archive.replay(name, runs=not folds, flow=machine))  # noqa: PERF401  one by one
        if as_json:
            print_json([{**_replay_data(one), "agrees": one.agrees} for one in found])
        else:
            _print_replay(found)
        return 0 if all(one.agrees for one in found) else 1

    return ask(store, python, work, as_json=as_json)


def _replay_data(one: Replayed) -> dict[str, object]:
    return {field: getattr(one, field) for field in one.__struct_fields__}


def _print_replay(found: list[Replayed]) -> None:
    console = plain_console()
    for one in found:
        how = "folded and run again" if one.is_run else "folded"
        size = f"{count(one.entries, 'event')}, {count(one.turns, 'turn')}"
        if one.agrees:
            put(console, f"{one.conversation}: {size}, {how}: the same", "green")
            continue
        put(console, f"{one.conversation}: {size}, {how}: not the same", "red")
        if not one.folds:
            put(console, "  folding the journal gives another state than the one that is kept")
        if one.difference is not None:
            put(console, f"  event {one.difference.seq} differs" + _reason(one.difference.reason))
            put(console, f"  - {_shown(one.difference.then)}")
            put(console, f"  + {_shown(one.difference.now)}")


def _reason(reason: str) -> str:
    return f": {reason}" if reason else ""


def _shown(entry: Entry | None) -> str:
    return encode_entry(entry).decode() if entry is not None else "(nothing)"
