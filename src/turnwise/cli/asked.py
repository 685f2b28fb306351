"""What the commands share that ask a store later: opening it, output for machines, progress, pairs of names."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.json import encode
from rich.console import Console
from rich.progress import Progress as Bar

from turnwise.api.open import open_archive, open_store
from turnwise.api.output import put_data
from turnwise.archive import Archive
from turnwise.cli.supply import flow_of, guards_of
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.migration.verdict import Renaming
from turnwise.errors import StoreFailed, TurnwiseError, WrongUsage
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
