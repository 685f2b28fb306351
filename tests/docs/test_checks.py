"""Every code of the checker has a page: what it says there of the bad example it says, and nothing of the mended one."""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import chdir as _inside
from pathlib import Path
from typing import NamedTuple

import pytest

from support.shell import run
from turnwise.api.documents import check, check_text
from turnwise.cli.inputs import code_of
from turnwise.flow.diagnostic import CODES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "checks"
PAGES = sorted(FOLDER.glob("TW*.md"))
NAMES = {"yaml": "flow.yaml", "json": "flow.json", "dygram": "flow.dy", "python": "flow.py"}


class Block(NamedTuple):
    """A fenced block: its language, empty for plain text, and what stands in it."""

    language: str
    text: str


def section(page: Path, title: str) -> list[Block]:
    """The blocks under a heading of a page."""
    (text,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(*found) for found in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


def reported(blocks: list[Block], folder: Path) -> list[str]:
    """What the checker says of the last of some blocks. Python before it supplies guards and tools; a block that begins
    with the name of a file is a document beside it.
    """
    *before, (language, text) = blocks
    code = [block for block in before if block.language == "python"]
    beside = [block for block in before if block.language != "python"]
    for block in beside:
        (folder / block.text.splitlines()[0].removeprefix("# ")).write_text(block.text, "utf-8")
    if language == "sh":
        return _printed(text)
    if language == "python":
        return _of_python(text, folder)
    guards = folder / "guards.py"
    guards.write_text("".join(block.text for block in code), "utf-8")
    supplied = code_of(guards)
    with _inside(folder if beside else Path.cwd()):
        return [str(one) for one in check_text(text.encode(), NAMES[language], supplied.guards, supplied)]


def _printed(command: str) -> list[str]:
    """The problems that a line of a shell prints; its exit code says whether there are any."""
    before, _, words = command.partition("turnwise ")
    given = subprocess.check_output(before.rstrip("| "), shell=True, cwd=ROOT) if before else b""
    done = run(*shlex.split(words, comments=True), given=given, at=ROOT, COLUMNS="300")
    found = [line for line in done.lines if re.search(r": TW\d{3} ", line)]
    assert (done.code, done.err) == (int(bool(found)), "")
    return found


def _of_python(text: str, folder: Path) -> list[str]:
    """What is said of the flow that a Python file makes."""
    (folder / "flow.py").write_text(text, "utf-8")
    with _inside(folder):
        return [str(one) for one in check("flow.py")]


def test_every_code_has_a_page() -> None:
    assert {page.stem for page in PAGES} == set(CODES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_title_and_severity_of_its_code(page: Path) -> None:
    title, prose, *_ = page.read_text("utf-8").split("\n\n")
    code = CODES[page.stem]
    assert title == f"# {page.stem}: {code.about}"
    assert prose.startswith(f"*{code.severity.capitalize()}.* ")
    assert 2 <= len(re.findall(r"[.!?](?=\s|$)", prose.removeprefix(f"*{code.severity.capitalize()}.*"))) <= 5


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_bad_example_gets_the_report_that_is_printed(page: Path, tmp_path: Path) -> None:
    *blocks, printed = section(page, "Reported")
    assert printed.language == ""
    assert reported(blocks, tmp_path) == printed.text.splitlines()
    assert any(f": {page.stem} " in line for line in printed.text.splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_nothing_is_reported_of_the_corrected_example(page: Path, tmp_path: Path) -> None:
    assert reported(section(page, "Corrected"), tmp_path) == []
