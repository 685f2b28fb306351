"""Files that cannot be used: one clear line that says what it is and why, and the file is left as it was."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import ROOT, environment, run
from turnwise.errors import StoreFailed
from turnwise.stores.sqlite import SqliteStore, schema
from turnwise.testing.store_support import Journal, holds, written

FLOW = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
UNPRIVILEGED = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
"""What a command of root is begun with, for the permissions of files to hold for it too."""


def filled(path: Path, turns: int = 60) -> dict[str, Journal]:
    """A store with some conversations, closed."""
    journals = {name: Journal() for name in ("a", "b", "c")}

    async def whole() -> None:
        store = SqliteStore(path)
        for name, journal in journals.items():
            await written(store, name, [journal.begin("begin " * 50)])
        for number in range(turns):
            for name, journal in journals.items():
                await written(store, name, [journal.turn(f"turn {number} of {name}")])
        await store.close()

    asyncio.run(whole())
    return journals


def a_text(path: Path) -> None:
    path.write_text("This is a letter and no database at all.\n" * 200)


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE letters (n INTEGER)")
        db.commit()


def marked_by_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA application_id = 7")
        db.commit()


def of_a_newer_format(path: Path) -> None:
    filled(path, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 7}")


def cut_in_the_middle(path: Path) -> None:
    filled(path)
    os.truncate(path, path.stat().st_size // 2 + 100)


def cut_after_the_first_lines(path: Path) -> None:
    filled(path)
    os.truncate(path, 700)


def with_a_wrong_beginning(path: Path) -> None:
    filled(path, 1)
    data = bytearray(path.read_bytes())
    data[:16] = b"SQLite format 4\x00"
    path.write_bytes(data)


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (Path.mkdir, "this is a folder; a file is needed"),
    "a text": (a_text, "this is not a database (file is not a database)"),
    "another program's": (of_another_program, "this is a database of another program"),
    "marked by another program": (marked_by_another_program, "this is a database of another program"),
    "newer": (of_a_newer_format, f"its format is {len(schema.MIGRATIONS) + 7}; this version of turnwise knows formats up to {len(schema.MIGRATIONS)}"),
    "cut": (cut_in_the_middle, "the database is damaged (database disk image is malformed)"),
    "cut short": (cut_after_the_first_lines, "the database is damaged (database disk image is malformed)"),
    "wrong beginning": (with_a_wrong_beginning, "this is not a database (file is not a database)"),
}  # fmt: skip


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_used_is_told_and_left_as_it_was(tmp_path: Path, name: str) -> None:
    make, reason = FILES[name]
    path = tmp_path / "talks.db"
    make(path)
    before = content(path)
    with pytest.raises(StoreFailed) as raised:
        tw.open(FLOW, store=f"sqlite:///{path}")
    assert str(raised.value) == f"{path}: {reason}"
    assert content(path) == before
    for args in (("store", "info", path), ("chat", FLOW, "--store", f"sqlite:///{path}")):
        ran = run(*args)
        assert (ran.code, ran.err, ran.out) == (1, f"{path}: {reason}\n", "")
    assert content(path) == before
    assert [one.name for one in tmp_path.iterdir()] == ["talks.db"]


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    path = tmp_path / "no" / "talks.db"
    ran = run("chat", FLOW, "--store", f"sqlite:///{path}")
    assert (ran.code, ran.err) == (1, f"{path}: there is no folder {path.parent}; make it first, or name another\n")
    ran = run("store", "info", path)
    assert (ran.code, ran.err) == (1, f"{path}: there is no such file\n")


def test_an_address_that_no_store_has_is_told() -> None:
    ran = run("chat", FLOW, "--store", "redis://localhost")
    assert ran.code == 1
    assert (
        ran.err
        == "no store is known for 'redis://localhost'; there are memory://, sqlite:///file.db and postgresql://host/database\n"
    )


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "talks.db"
    path.touch()
    ran = run("chat", FLOW, "--store", f"sqlite:///{path}", given="1\n")
    assert (ran.code, ran.err) == (0, "")
    assert run("store", "conversations", path).lines[1].startswith("main\tmain\teligibility\t")


# damage in one place ------------------------------------------------------------------------------


def page_with(path: Path, text: bytes) -> int:
    """The page in which a text stands."""
    return path.read_bytes().index(text) // 1024


def overwritten(path: Path, page: int, data: bytes = b"\xa5" * 1024) -> None:
    with path.open("r+b") as file:
        file.seek(page * 1024)
        file.write(data)


def test_one_page_that_is_damaged_is_told_and_the_rest_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "talks.db"
    journals = filled(path)
    overwritten(path, page_with(path, b"turn 7 of b"))

    async def whole() -> None:
        store = SqliteStore(path)
        told = 0
        for name, journal in journals.items():
            assert await store.load(name) == journal.state
            try:
                await holds(store, name, journal)
            except StoreFailed as failed:
                assert "the database is damaged" in str(failed)
                told += 1
        assert told > 0
        for name, journal in journals.items():
            await written(store, name, [journal.turn("it goes on")])
        await store.close()

    asyncio.run(whole())


@pytest.mark.parametrize("text", [b'{"type":"user_said","text":"turn 7 of b"}', b'{"format":2,"flow":"talk"'])
def test_a_row_that_is_no_longer_json_is_told(tmp_path: Path, text: bytes) -> None:
    """Damage that the database itself does not notice."""
    path = tmp_path / "talks.db"
    filled(path)
    data = path.read_bytes()
    assert text in data
    path.write_bytes(data.replace(text, b"#" * len(text)))

    async def whole() -> list[str]:
        store = SqliteStore(path)
        told: list[str] = []
        for ask in (
            store.load("a"),
            store.entries("b"),
            store.turn("b", 9),
            store.at("b", range(20, 45)),
            store.window("b", 0, 999),
        ):
            try:
                await ask
            except tw.TurnwiseError as error:
                told.append(str(error))
        await store.close()
        return told

    told = asyncio.run(whole())
    assert told
    assert all("is damaged" in words or "has format None" in words for words in told), told


def test_a_conversation_that_is_damaged_is_refused_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "talks.db"

    async def begun() -> None:
        async with tw.open(FLOW, store=f"sqlite:///{path}") as app:
            await app.chat("broken").say("hello")
            await app.chat("whole").say("hello")

    asyncio.run(begun())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE conversation SET state = x'78000000' WHERE id = 'broken'")

    async def went_on() -> None:
        async with tw.open(FLOW, store=f"sqlite:///{path}") as app:
            refused = await app.chat("broken").say("yes")
            assert (refused.refused, refused.text != "") == ("store_unavailable", True)
            assert (await app.chat("whole").say("yes")).refused is None

    asyncio.run(went_on())
    (record,) = [one for one in caplog.records if one.name == "turnwise.runner"]
    assert record.getMessage().startswith(f"broken: an event was refused: {path}: the database is damaged")


# read-only ----------------------------------------------------------------------------------------


@pytest.fixture
def bound(tmp_path: Path) -> Iterator[Path]:
    """A folder whose permissions are given back at the end."""
    yield tmp_path
    tmp_path.chmod(0o755)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_is_read_only_is_told_at_once(bound: Path, kind: str) -> None:
    path = bound / "talks.db"
    filled(path, 1)
    before = path.read_bytes()
    path.chmod(0o444)
    bound.chmod(0o555 if kind == "folder" else 0o777)
    for args in (
        ("chat", FLOW, "--store", f"sqlite:///{path}"),
        ("store", "retain", path, "--events", "0"),
        ("store", "forget", path, "a"),
        ("undo", "--store", f"sqlite:///{path}", "a"),
        ("fork", "--store", f"sqlite:///{path}", "a", "d"),
        ("migrate", "--store", f"sqlite:///{path}", FLOW),
    ):
        ran = run(*args, given="1\n", is_bound=True)
        assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert ran.err.startswith((f"{path}: the database is read-only (", f"{path}: the database cannot be opened ("))
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_is_read_only_can_be_asked_and_nothing_is_made_beside_it(bound: Path, kind: str) -> None:
    path = bound / "talks.db"
    store = f"sqlite:///{path}"
    for text in ("1", "Partial"):
        assert run("chat", FLOW, "--store", store, given=f"{text}\n").code == 0
    asking = [
        ("store", "conversations", path),
        ("store", "info", path),
        ("explain", "--store", store, "main"),
        ("history", "--store", store),
        ("replay", "--store", store),
        ("export", "--store", store, "main"),
        ("what-if", "--store", store, "--set", "case.insurance_history=Yes"),
        ("migrate", "--store", store, FLOW, "--dry-run"),
    ]
    before = [run(*args) for args in asking]
    path.chmod(0o444)
    bound.chmod(0o555 if kind == "folder" else 0o777)
    for args, was in zip(asking, before, strict=True):
        ran = run(*args, is_bound=True)
        assert (ran.code, ran.out, ran.err) == (was.code, was.out, was.err) == (0, was.out, "")
    assert [one.name for one in bound.iterdir()] == ["talks.db"]


def test_a_read_only_store_refuses_to_be_written_and_sees_what_others_write(bound: Path) -> None:
    """Who may not write a file may still read it while somebody else does."""
    program = """
import asyncio, sys, turnwise as tw
async def main():
    archive = tw.open_archive(f"sqlite:///{sys.argv[1]}")
    print(await archive.store.conversations(), flush=True)
    try:
        await archive.store.forget("a")
    except tw.StoreFailed as error:
        print(error, flush=True)
    input()
    print(await archive.store.conversations(), (await archive.store.load("b")).turn, flush=True)
asyncio.run(main())
"""
    if UNPRIVILEGED and shutil.which(UNPRIVILEGED[0]) is None:
        pytest.skip("nothing here takes from root the right to write what is read-only")
    path = bound / "talks.db"
    filled(path, 1)
    path.chmod(0o444)
    command = [*UNPRIVILEGED, sys.executable, "-c", program, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        assert reader.stdout.readline() == "('a', 'b', 'c')\n"
        assert reader.stdout.readline() == f"{path}: this store is read-only: it can be asked, and not written\n"
        path.chmod(0o644)

        async def forgotten() -> None:
            store = SqliteStore(path)
            await store.forget("a")
            await store.close()

        asyncio.run(forgotten())
        path.chmod(0o444)
        found, _ = reader.communicate("\n", timeout=60)
    assert found == "('b', 'c') 2\n"


def test_a_folder_in_which_nothing_can_be_made_is_told(bound: Path) -> None:
    path = bound / "talks.db"
    bound.chmod(0o555)
    ran = run("chat", FLOW, "--store", f"sqlite:///{path}", given="1\n", is_bound=True)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"{path}: the database cannot be opened (unable to open database file)\n"
