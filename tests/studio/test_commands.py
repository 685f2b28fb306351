"""Commands that the page copies work in a shell as they are."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from support.serving import Served
from support.shell import ROOT, environment
from support.talking import clipboard
from support.watching import Watched

NAMES = ["maria", "it's Ada & co; $HOME", "-begins with a dash"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demonstration with a store whose path needs quoting too, given as a relative path."""
    folder = tmp_path_factory.mktemp("my store's")
    with Served("demo", "--no-browser", "--port", "0", "--store", "sqlite:///my store.db", at=folder) as served:
        yield served


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder for the shell with a `turnwise` that is this one."""
    program = tmp_path / "turnwise"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m turnwise "$@"\n')
    program.chmod(0o755)
    return tmp_path


def run(command: str, shell: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as it is."""
    env = environment(PYTHONPATH=str(ROOT / "src"))
    env["PATH"] = f"{shell}:{env['PATH']}"
    return subprocess.run(["sh", "-c", command], cwd=shell, env=env, capture_output=True, text=True, check=False)


def copied(page: Page) -> str:
    """Press the button, and return what is on the clipboard."""
    page.get_by_role("button", name="Copy as command").and_(page.locator(":enabled")).click()
    return clipboard(page)


@pytest.mark.parametrize("name", NAMES)
def test_a_copied_what_if_finds_the_same_in_a_terminal(kept: Served, watched: Watched, shell: Path, name: str) -> None:
    if name != "maria":
        forked = kept.post("/api/conversations/maria/fork", name=name)
        assert forked["id"] == name
    page = watched.page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{kept.address}/c/{quote(name, safe='')}?turn=4&what-if")
    panel = page.get_by_role("region", name=re.compile("^What if, at turn 4"))
    panel.get_by_label("What-if value of name").fill('O\'Neil & "Co" $(exit 3)')
    panel.get_by_label("What-if value of agreement to the terms").select_option("true")
    expect(panel.get_by_role("status")).to_contain_text("1 would come out differently")
    done = run(copied(page), shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{name}, turn 4: stayed then, → profiler by complete now" in done.stdout
    assert "1 otherwise" in done.stdout


def test_a_copied_what_if_of_a_flow_with_python_guards_names_their_file(
    kept: Served, watched: Watched, shell: Path
) -> None:
    page = watched.page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{kept.address}/c/nora?turn=2&what-if")
    panel = page.get_by_role("region", name=re.compile("^What if, at turn 2"))
    panel.get_by_label("What-if value of age in years").fill("30")
    expect(panel.get_by_role("status")).to_contain_text("differently")
    command = copied(page)
    assert "--python" in command
    done = run(command, shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert "nora, turn 2" in done.stdout
