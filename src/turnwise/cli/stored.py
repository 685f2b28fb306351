"""The commands about stored conversations: `history`, `what-if`, `replay`, `undo`, `fork`, `export` and `import`
(`explain` is in `answers`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from tempfile import NamedTemporaryFile

from msgspec.structs import asdict
from rich.table import Table
from rich.text import Text

from turnwise.api.open import open as open_flow
from turnwise.api.output import STANDARD_STREAM, put_text, refuse_existing, reporting_write_errors
from turnwise.archive import Archive
from turnwise.archive.asking import Replayed, WhatIf
from turnwise.archive.names import check_new_id
from turnwise.archive.transfer import FIRST_BYTES, NO_EXPORT, head_of
from turnwise.cli.inputs import machine_of, name_value_pairs, with_archive
from turnwise.cli.show import (
    counted_noun,
    plain_console,
    print_decision,
    print_json,
    print_line,
    print_turn,
    progress,
)
from turnwise.core.explain.history import Edge
from turnwise.core.state.codec import encode_entry
from turnwise.errors import ImportRefused, TurnwiseError, UnknownTurn, WrongUsage
from turnwise.runner.stored import conversation_ids, with_progress

MOST_IMPORT_BYTES = 1 << 30
"""The size of the largest export that can be imported."""


def run_history(store: str, conversation: str | None, transition: str, python: Path | None, as_json: bool) -> int:
    """Print how often transitions were judged and held; return the exit code."""

    async def work(archive: Archive) -> int:
        with progress("counting decisions") as report:
            edges = await archive.history(conversation, transition or None, report)
        if as_json:
            print_json([_history_data(edge) for edge in edges])
        else:
            _print_history(edges)
        return 0

    return with_archive(store, python, work, as_json=as_json)


def _history_data(edge: Edge) -> dict[str, object]:
    parts = {"node": edge.node, "moment": edge.moment, "transition": edge.transition, "target": edge.target or None}
    return {**parts, "judged": edge.judged, "held": edge.held, "outcomes": edge.outcomes}


def _print_history(edges: Iterable[Edge]) -> None:
    console = plain_console()
    if not console.is_terminal:
        for edge in edges:
            print_line(console, f"{edge.node}  {edge.moment}  {edge.transition}: {edge.line}")
        return
    table = Table("node", "moment", "transition", "judged", "held", "taken")
    for edge in edges:
        style = "dim" if not edge.judged else "yellow" if not edge.held else ""
        cells = (edge.node, edge.moment, edge.transition, str(edge.judged), str(edge.held), str(edge.taken))
        table.add_row(*map(Text, cells), style=style)
    console.print(table)


def run_what_if(
    store: str,
    conversation: str | None,
    turn: int | None,
    values: list[str] | None,
    rules: list[str] | None,
    flow: Path | None,
    python: Path | None,
    as_json: bool,
) -> int:
    """Judge decisions again under other assumptions and print those that differ; return the exit code."""
    supposed = {name: value or None for name, value in name_value_pairs(values, "--set").items()}
    guards = name_value_pairs(rules, "--rule")
    if not supposed and not guards and flow is None:
        raise WrongUsage("there is nothing to suppose; add --set FIELD=VALUE, --rule TRANSITION=GUARD, or --flow FILE")
    if turn is not None and conversation is None:
        raise WrongUsage("--turn needs a conversation")

    async def work(archive: Archive) -> int:
        machine = machine_of(flow, python) if flow is not None else None
        with progress("judging again") as report:
            found = await archive.what_if(
                conversation, turn=turn, values=supposed, rules=guards, flow=machine, progress=report
            )
        print_json(found) if as_json else _print_what_if(found)
        return 0

    return with_archive(store, python, work, as_json=as_json)


def _print_what_if(found: WhatIf) -> None:
    console = plain_console()
    for one in found.otherwise:
        print_line(console, f"{one.conversation}, turn {one.turn}: {one.was} then, {one.would} now", "bold")
        print_decision(console, one.decision)
    skipped = f"; {found.skipped} in nodes that the flow does not have" if found.skipped else ""
    print_line(
        console, f"{counted_noun(found.judged, 'decision')} judged again, {len(found.otherwise)} otherwise{skipped}"
    )


def run_replay(
    store: str, conversation: str | None, flow: Path | None, folds: bool, python: Path | None, as_json: bool
) -> int:
    """Replay one conversation or all; return the exit code, 1 where something differs."""
    if folds and flow is not None:
        raise WrongUsage("--fold runs nothing, and --flow names the flow to run; use one of them")

    async def work(archive: Archive) -> int:
        machine = machine_of(flow, python) if flow is not None else None
        with progress("replaying") as report:
            names = with_progress(await conversation_ids(archive.store, conversation), report)
            found = [await archive.replay(name, runs=not folds, flow=machine) for name in names]
        if as_json:
            print_json([{**asdict(one), "agrees": one.agrees} for one in found])
        else:
            _print_replay(found)
        return 0 if all(one.agrees for one in found) else 1

    return with_archive(store, python, work, as_json=as_json)


def _print_replay(found: list[Replayed]) -> None:
    console = plain_console()
    for one in found:
        how = "folded and run again" if one.is_run else "folded"
        size = f"{counted_noun(one.entries, 'event')}, {counted_noun(one.turns, 'turn')}"
        if one.agrees:
            print_line(console, f"{one.conversation}: {size}, {how}: the same", "green")
            continue
        print_line(console, f"{one.conversation}: {size}, {how}: not the same", "red")
        if not one.folds:
            print_line(console, "  folding the journal gives another state than the stored one")
        if one.difference is not None:
            reason = f": {one.difference.reason}" if one.difference.reason else ""
            print_line(console, f"  event {one.difference.seq} differs{reason}")
            for mark, entry in (("-", one.difference.then), ("+", one.difference.now)):
                print_line(console, f"  {mark} {encode_entry(entry).decode() if entry is not None else '(nothing)'}")


def run_undo(store: str, conversation: str, to: int | None, python: Path | None) -> int:
    """Undo turns of a stored conversation; return the exit code, 1 where that is refused."""

    async def work(archive: Archive) -> int:
        state = await archive.state(conversation)
        if to is not None and not 1 <= to <= state.turn:
            raise UnknownTurn(conversation, to, state.turn)
        machine = await archive.machines.of_state(state)
        app = open_flow(machine, store=archive.store, guards=list(machine.code.values()))
        turn = await app.chat(conversation).undo(to=to)
        print_turn(plain_console(), turn, debug=False)
        return 1 if turn.refused is not None else 0

    return with_archive(store, python, work, writes=True)


def run_fork(store: str, conversation: str, new: str, turn: int | None, effects: bool) -> int:
    """Begin a conversation as a copy of another; return the exit code."""

    async def work(archive: Archive) -> int:
        await archive.fork(conversation, check_new_id("NEW", new), turn, effects=effects)
        state = await archive.state(new)
        print_line(plain_console(), f"{new}: as {conversation} was at the end of turn {state.turn}, in {state.node}")
        return 0

    return with_archive(store, None, work, writes=True)


def run_export(
    store: str, conversation: str, file: Path | None, scenario: bool, python: Path | None, force: bool
) -> int:
    """Export a conversation to a file or to standard output; return the exit code."""
    if not force:
        refuse_existing(file)
    if scenario:
        return _export_scenario(store, conversation, file, python)

    async def work(archive: Archive) -> int:
        data = await archive.export(conversation)
        if file is None or str(file) == STANDARD_STREAM:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            _write(file, data)
        return 0

    return with_archive(store, None, work)


def _export_scenario(store: str, conversation: str, file: Path | None, python: Path | None) -> int:
    """Write a conversation as a scenario; report what comes out differently, and then return 1."""
    from turnwise.testing.recorded import checked_scenario, record_scenario

    folder = file.parent if file is not None and str(file) != STANDARD_STREAM else Path.cwd()
    named = os.path.relpath(python, folder) if python is not None else ""
    found: list[str] = []

    async def work(archive: Archive) -> int:
        found.append(await record_scenario(archive, conversation, python=named))
        return 0

    with_archive(store, python, work)
    text, differences = checked_scenario(found[0], folder / "recorded.scenario", python)
    put_text(file, text)
    return report_differences(differences)


def report_differences(differences: list[str]) -> int:
    """Print the differences that playing a conversation's scenario had; return the exit code, 1 if there are any."""
    for line in differences:
        sys.stderr.write(f"it does not run as it was recorded: {line}\n")
    return 1 if differences else 0


def _write(file: Path, data: bytes) -> None:
    """Write a file that only its owner may read. It replaces the old one as a whole, unless that is a device or a
    link, which stays.
    """
    if file.is_symlink() or (file.exists() and not file.is_file()):
        with reporting_write_errors(file):
            file.write_bytes(data)
        return
    with (
        reporting_write_errors(file),
        NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as target,
    ):
        try:
            target.write(data)
            target.flush()
            os.fsync(target.fileno())
            Path(target.name).replace(file)
        except OSError:
            Path(target.name).unlink(missing_ok=True)
            raise


def run_import(store: str, file: Path, name: str, effects: bool | None) -> int:
    """Import a conversation from a file or standard input; return the exit code."""
    data = _read(file)

    async def work(archive: Archive) -> int:
        check_new_id("--as" if name else "the id in the file", name or head_of(data, str(file)).conversation)
        imported = await archive.import_conversation(data, name or None, str(file), effects=effects)
        state = await archive.state(imported)
        print_line(plain_console(), f"{imported}: {state.seq} events, {state.turn} turns of {state.flow}")
        if state.is_bound:
            print_line(plain_console(), "it may not use tools that change the world; --effects allows them", "dim")
        return 0

    return with_archive(store, None, work, writes=True, creates=True)


def _read(file: Path) -> bytes:
    """Read an export, and no more of anything else than its beginning, for it may have no end."""
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == STANDARD_STREAM else file.open("rb") as stream:
            data = stream.read(len(FIRST_BYTES))
            if data != FIRST_BYTES:
                raise ImportRefused(str(file), NO_EXPORT)
            data += stream.read(MOST_IMPORT_BYTES)
    except OSError as error:
        raise TurnwiseError(f"{file}: it cannot be read: {error.strerror}") from None
    if len(data) > MOST_IMPORT_BYTES:
        raise ImportRefused(str(file), f"it is larger than {MOST_IMPORT_BYTES:,} bytes")
    return data
