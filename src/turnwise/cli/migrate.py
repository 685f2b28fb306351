"""The commands `diff` and `migrate`: report what a changed flow means for conversations, and move them to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from rich.console import Console

from turnwise.archive import Archive
from turnwise.archive.migrating import Migration, check_old_names, check_renaming
from turnwise.cli.inputs import machine_of, name_value_pairs, with_archive
from turnwise.cli.show import counted_noun, plain_console, print_json, print_line, progress
from turnwise.core.machine import Machine
from turnwise.core.migration import Difference, FittedPart, Renaming, difference
from turnwise.errors import TurnwiseError, WrongUsage

_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_WORDS = {
    "compatible": "compatible",
    "needs_mapping": "needs mapping",
    "must_finish": "must finish on the old version",
    "current": "on this version already",
    "ended": "ended",
    "busy": "in the middle of a turn",
}
_STYLES = {"compatible": "green", "needs_mapping": "yellow", "must_finish": "red"}
_MOST_SHOWN = 20


def run_diff(
    old: str,
    new: Path,
    store: str,
    maps: list[str] | None,
    fields: list[str] | None,
    python: Path | None,
    as_json: bool,
) -> int:
    """Compare two versions of a flow; return the exit code, 1 where not everything is compatible."""
    machine = machine_of(new, python)
    renaming = _renaming(machine, maps, fields)
    check_renaming(machine, renaming)
    older = None if _FINGERPRINT.fullmatch(old) and not Path(old).exists() else machine_of(Path(old), python)
    if not store:
        if older is None:
            raise WrongUsage(f"{old} is a fingerprint; name the store that has its flow with --store")
        check_old_names(renaming, [older])
        return _print_diff(_difference(older, machine, renaming), None, as_json=as_json)

    async def work(archive: Archive) -> int:
        known = older or await archive.machines.for_display(old)
        with progress("examining conversations") as report:
            found = await archive.migrate(machine, renaming, dry_run=True, progress=report)
        return _print_diff(_difference(known, machine, renaming), found, as_json=as_json)

    return with_archive(store, python, work, as_json=as_json)


def _renaming(machine: Machine, maps: list[str] | None, fields: list[str] | None) -> Renaming:
    """Return the new names that options give to nodes, overlays and fields of the new version."""
    names = name_value_pairs(maps, "--map")
    overlays = {old: new for old, new in names.items() if new in machine.overlays}
    nodes = {old: new for old, new in names.items() if new in machine.nodes or new not in machine.overlays}
    return Renaming(nodes, name_value_pairs(fields, "--map-field"), overlays)


def _difference(old: Machine, new: Machine, renaming: Renaming) -> Difference:
    """Compare two machines. Raises `TurnwiseError` for different flows: no conversation moves between them."""
    if old.flow.name != new.flow.name:
        raise TurnwiseError(
            f"the old flow is '{old.flow.name}' and the new one '{new.flow.name}': "
            "conversations move only between versions of one flow"
        )
    return difference(old, new, renaming)


def run_migrate(
    store: str,
    new: Path,
    conversation: str | None,
    maps: list[str] | None,
    fields: list[str] | None,
    dry_run: bool,
    python: Path | None,
    as_json: bool,
) -> int:
    """Move conversations to a changed flow; return the exit code."""
    machine = machine_of(new, python)
    renaming = _renaming(machine, maps, fields)

    async def work(archive: Archive) -> int:
        with progress("migrating") as report:
            found = await archive.migrate(
                machine, renaming, conversation=conversation, dry_run=dry_run, progress=report
            )
        if as_json:
            print_json(_migration_data(found))
        else:
            console = plain_console()
            _print_migration(console, found)
            verb = "would be moved" if dry_run else "moved"
            moved = found.counts.get("compatible", 0) if dry_run else found.moved
            print_line(console, f"{counted_noun(moved, 'conversation')} {verb} to {found.fingerprint}", "bold")
        return 0

    return with_archive(store, python, work, as_json=as_json, writes=not dry_run)


def _print_diff(found: Difference, migration: Migration | None, *, as_json: bool) -> int:
    if as_json:
        data: dict[str, Any] = {"fit": found.fit, **asdict(found)}
        print_json({**data, "conversations": _migration_data(migration) if migration is not None else None})
    else:
        console = plain_console()
        _print_difference(console, found)
        if migration is not None:
            _print_migration(console, migration)
    return 0 if found.fit == "compatible" else 1


def _print_difference(console: Console, found: Difference) -> None:
    print_line(console, f"{found.flow}: {found.old} → {found.new}", "bold")
    for part in found.nodes:
        _print_part(console, "node", part)
    for part in found.fields:
        if part.reasons:
            _print_part(console, "field", part)
    for what, names in (("node", found.new_nodes), ("field", found.new_fields)):
        for name in names:
            print_line(console, f"  {what} {name}: new", "dim")


def _print_part(console: Console, what: str, part: FittedPart) -> None:
    print_line(console, f"  {what} {part.name}: {_WORDS[part.fit]}", _STYLES[part.fit])
    for reason in part.reasons:
        print_line(console, f"    {_WORDS[reason.fit]}: {reason.text}")


def _print_migration(console: Console, found: Migration) -> None:
    for node, counts in found.by_node().items():
        outcomes = ", ".join(f"{number} {_WORDS[outcome]}" for outcome, number in counts.items())
        print_line(console, f"  waiting in {node}: {outcomes}")
    for schedule, number in found.schedules.items():
        print_line(console, f"  schedule {schedule}: new for {counted_noun(number, 'conversation')}")
    stuck = [waiting for waiting in found.conversations if waiting.reasons or waiting.unavailable]
    for waiting in stuck[:_MOST_SHOWN]:
        print_line(
            console, f"  {waiting.conversation} in {waiting.node}: {_WORDS[waiting.outcome]}", _STYLES[waiting.outcome]
        )
        for reason in waiting.reasons:
            print_line(console, f"    {reason.text}")
        if waiting.unavailable:
            print_line(console, f"    it cannot go on until then: {waiting.unavailable}")
    if len(stuck) > _MOST_SHOWN:
        print_line(console, f"  and {len(stuck) - _MOST_SHOWN} more; --json lists all")


def _migration_data(found: Migration) -> dict[str, Any]:
    return {
        "fingerprint": found.fingerprint,
        "moved": found.moved,
        "counts": found.counts,
        "by_node": found.by_node(),
        "schedules": found.schedules,
        "conversations": found.conversations,
    }
