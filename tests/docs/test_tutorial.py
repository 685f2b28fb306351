"""The tutorials, followed literally by somebody who reads nothing else: files written, commands run, outputs compared."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.shell import ROOT, environment, run

PAGES: dict[str, tuple[int, list[str]]] = {"tutorial.md": (10, ["sh"]), "dygram-tutorial.md": (13, [])}
"""The pages with the number of their commands, and the languages of blocks that nobody follows: the setting up."""
_BLOCK = re.compile(r"^```(\w+)(?: (title|add)=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TYPED = "you › "


@dataclass(frozen=True)
class Command:
    """A command of a console, what is typed into it, and the lines that it prints."""

    line: str
    typed: tuple[str, ...]
    shown: tuple[str, ...]


def commands(console: str) -> list[Command]:
    """The commands of a block."""
    found: list[Command] = []
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        line, *rest = part.splitlines()
        typed = tuple(one.removeprefix(_TYPED) for one in rest if one.startswith(_TYPED))
        shown = tuple(one for one in rest if one.strip() and not one.startswith(_TYPED))
        found.append(Command(line, typed, shown))
    return found


def run_in(folder: Path, command: Command) -> list[str]:
    """What a command prints, without empty lines."""
    name, *words = command.line.split()
    typed = "\n".join(command.typed)
    if name == "turnwise":
        ran = run(*words, given=typed, at=folder)
        assert ran.code in (0, 1), ran.err
        return [line for line in [*ran.err.splitlines(), *ran.lines] if line.strip()]
    done = subprocess.run(
        [{"python": sys.executable}.get(name, name), *words],
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout
    return [line for line in done.stdout.splitlines() if line.strip()]


def change(path: Path, difference: str) -> None:
    """Change a file as a block of `-` and `+` lines says."""
    old, new = (
        "".join(line[1:] for line in difference.splitlines(keepends=True) if line.startswith(sign)) for sign in "-+"
    )
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_who_follows_the_tutorial_sees_what_it_shows(page: str, tmp_path: Path) -> None:
    ran = 0
    for language, kind, name, text in _BLOCK.findall(_text(page)):
        if language == "console":
            for command in commands(text):
                assert run_in(tmp_path, command) == list(command.shown), command.line
                ran += 1
        elif language == "diff":
            change(tmp_path / name, text)
        elif kind == "add":
            (tmp_path / name).write_text((tmp_path / name).read_text("utf-8") + text, "utf-8")
        elif kind == "title":
            (tmp_path / name).write_text(text, "utf-8")
    assert ran == PAGES[page][0]


def _text(page: str) -> str:
    return (ROOT / "docs" / page).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_the_tutorial_is_tried(page: str) -> None:
    blocks = [(language, name) for language, _, name, _ in _BLOCK.findall(_text(page))]
    assert len(blocks) * 2 == sum(line.startswith("```") for line in _text(page).splitlines())
    assert [language for language, name in blocks if not name and language != "console"] == PAGES[page][1]
