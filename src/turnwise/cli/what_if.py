"""`turnwise what-if`: which decisions would have come out otherwise. No model is called, nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from turnwise.archive import Archive
from turnwise.archive.asking import WhatIf
from turnwise.cli.asked import ask, count, machine_of, pairs, print_json, progress
from turnwise.cli.show import plain_console, print_decision, put
from turnwise.errors import WrongUsage


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
        print_json(found) if as_json else _print(found)
        return 0

    return ask(store, python, work, as_json=as_json)


def _print(found: WhatIf) -> None:
    console = plain_console()
    for one in found.otherwise:
        put(console, f"{one.conversation}, turn {one.turn}: {one.was} then, {one.would} now", "bold")
        print_decision(console, one.decision)
    skipped = f"; {found.skipped} in nodes that the flow does not have" if found.skipped else ""
    put(console, f"{count(found.judged, 'decision')} judged again, {len(found.otherwise)} otherwise{skipped}")
