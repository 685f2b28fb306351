"""Files that commands write: one line says why one cannot be written, in the same words for every command."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.chats import INTAKE
from support.shell import ROOT, Ran, run

FLOW = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
SCENARIO = f"flow: {INTAKE}\nscenario: nothing yet\nstart:\nnode: introduction\n"
COMMANDS = {
    "draw": ("draw", FLOW, "--format", "dot", "-o"),
    "convert": ("convert", FLOW, "--to", "json", "-o"),
    "export": ("export", "--store", "sqlite:///talks.db", "main"),
    "pages": ("test", "one.scenario", "--html"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with tw.open_sync(INTAKE, store=f"sqlite:///{tmp_path / 'talks.db'}") as app:
        chat = app.chat("main")
        chat.start()
    (tmp_path / "one.scenario").write_text(SCENARIO, "utf-8")
    (tmp_path / "file").write_text("mine", "utf-8")
    (tmp_path / "folder").mkdir()
    return tmp_path


def written(command: str, folder: Path, out: str) -> Ran:
    return run(*COMMANDS[command], out, at=folder)


@pytest.mark.parametrize("command", ["draw", "convert", "export"])
@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("gone/x", "gone/x: there is no folder gone; make it first, or name another\n"),
        ("gone/for/good/x", "gone/for/good/x: there is no folder gone/for/good; make it first, or name another\n"),
        ("file/x", "file/x: file is a file, not a folder; name another place\n"),
        ("file/x/y", "file/x/y: file is a file, not a folder; name another place\n"),
        ("folder", "folder: this is a folder; name a file in it\n"),
        ("x" * 300, f"{'x' * 300}: it cannot be written: File name too long\n"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_line_with_the_way_out(
    folder: Path, command: str, out: str, said: str
) -> None:
    ran = written(command, folder, out)
    assert (ran.code, ran.out, ran.err) == (1, "", said)
    assert (folder / "file").read_text("utf-8") == "mine"


@pytest.mark.parametrize("command", ["convert", "export"])
def test_a_file_that_is_there_is_kept(folder: Path, command: str) -> None:
    ran = written(command, folder, "file")
    assert (ran.code, ran.err) == (1, "file: there is such a file already; --force replaces it\n")
    assert (folder / "file").read_text("utf-8") == "mine"


def test_pages_make_their_folder(folder: Path) -> None:
    ran = written("pages", folder, "gone/for/good")
    assert (ran.code, ran.err) == (0, "wrote gone/for/good/health_intake.html\n")


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("file", "file: this is a file; name a folder\n"),
        ("file/x", "file/x: file is a file, not a folder; name another place\n"),
        ("out.html", "out.html: this is the name of a page, and pages go into a folder; name one\n"),
    ],
)
def test_pages_that_cannot_be_written_are_told_before_anything_is_played(folder: Path, out: str, said: str) -> None:
    ran = written("pages", folder, out)
    assert (ran.code, ran.out, ran.err) == (1, "", said)
    assert not (folder / "out.html").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    ran = written("draw", folder, "/dev/full")
    assert (ran.code, ran.err) == (1, "/dev/full: it cannot be written: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such device")
def test_an_export_to_a_device_does_not_replace_it(folder: Path) -> None:
    ran = run("export", "--store", "sqlite:///talks.db", "main", "/dev/stdout", "--force", at=folder)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == run("export", "--store", "sqlite:///talks.db", "main", at=folder).out


def test_an_export_through_a_link_does_not_replace_the_link(folder: Path) -> None:
    (folder / "link.json").symlink_to(folder / "real.json")
    ran = run("export", "--store", "sqlite:///talks.db", "main", "link.json", "--force", at=folder)
    assert (ran.code, ran.err) == (0, "")
    assert (folder / "link.json").is_symlink()
    assert (folder / "real.json").read_text("utf-8") == run(
        "export", "--store", "sqlite:///talks.db", "main", at=folder
    ).out
