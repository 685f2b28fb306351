"""The command `turnwise lsp`: what it says without its package, and without its store."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from support.shell import ROOT


def run(*arguments: str, without: str = "") -> subprocess.CompletedProcess[str]:
    hide = f"import sys; sys.modules[{without!r}] = None; " if without else ""
    code = f"{hide}import importlib.util as u; f = u.find_spec; u.find_spec = lambda name, *a: None if name == {without!r} else f(name, *a); from turnwise.cli import main; main()"
    command = [sys.executable, "-c", code, "lsp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def test_without_the_extra_one_line_says_what_to_install() -> None:
    found = run(without="pygls")
    assert found.returncode == 1
    assert found.stdout == ""
    assert found.stderr == "the language server needs a package that is not installed: pip install 'turnwise[editor]'\n"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert [one.partition(">")[0] for one in extras["editor"]] == ["pygls"]


def test_a_store_that_is_not_there_is_reported_before_the_server_begins(tmp_path: Path) -> None:
    found = run("--store", f"sqlite:///{tmp_path / 'none.db'}")
    assert found.returncode == 1
    assert "none.db" in found.stderr


def test_it_ends_by_itself_where_standard_input_is_closed() -> None:
    assert run("--stdio").returncode == 0
