"""The page ARCHITECTURE.md: every path on it exists, every folder is on it, and it answers where to change what."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "turnwise"
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
QUESTIONS = {
    "the text of a refusal": "core/language",
    "a new command, such as 'repeat'": "core/state/commands.py",
    "which commands a message may propose now": "core/commands/allowed_input.py",
    "a new store": "stores",
    "when a timer is armed": "core/step/work.py",
    "when a timer fires": "runner/timers.py",
    "how the search for 'would hold with' goes": "core/explain/search.py",
    "the line that sums up a decision": "core/explain/text.py",
    "a new function of guards": "core/guards/functions.py",
    "the precedence of an operator of guards": "flow/guard/parse.py",
    "a new key of a node": "flow/model",
    "a new event": "core/state/events",
    "what an event changes": "core/state/fold",
    "a new effect": "runner/perform.py",
    "a new static rule": "check",
    "the instructions of a model call": "core/prompts",
    "the question before a tool with side effects runs": "core/tools",
    "two processes on one conversation": "runner/conversation_locks.py",
    "how 'next Friday' is read": "understanding",
    "what 'in two days' means": "understanding/calendar.py",
    "what retention erases": "core/state/retention.py",
    "when SQLite erases old events": "stores/sqlite/upkeep.py",
    "what an undo takes back": "core/step/undo.py",
    "retries of a model call": "runner/received_reply.py",
    "what a subscriber of a stream receives": "runner/streams.py",
    "what a log must not show": "core/secrets.py",
    "a new provider of models": "models/wire",
    "an option of `turnwise chat`": "cli/app.py",
    "a colour of a drawing": "drawing/graph.py",
    "an expectation in scenario files": "testing/expectations.py",
}
"""Changes that an engineer may look for, and the place that the page names for each."""


_TOKEN = re.compile(r"`([A-Za-z_./*…-]+)`")


def _places(token: str, folders: list[Path]) -> list[Path]:
    """What a path on the page names: from one of the roots, or beside the paths before it in its line."""
    roots = [SOURCE, SOURCE / "core", ROOT, ROOT / "src", *folders]
    return [root / token for root in roots if (root / token).exists()]


def _named() -> list[tuple[str, list[Path]]]:
    """The paths of the page (`core/forms/`, `core/step/undo.py`, `messages.py`), each with what it names."""
    found: list[tuple[str, list[Path]]] = []
    for line in PAGE.splitlines():
        folders: list[Path] = []
        for token in _TOKEN.findall(line):
            is_path = re.fullmatch(r"(?:\w+/)+(?:\w+\.\w+)?|\w+\.(?:py|ts|tsx|css|toml|mjs)", token)
            if not is_path or re.search(r"\bxx\b|xx_", token):
                continue
            places = _places(token, folders)
            found.append((token, places))
            folders += [one if one.is_dir() else one.parent for one in places]
    return found


NAMED = _named()


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_page_names_the_place_for_a_change(question: str) -> None:
    place = QUESTIONS[question]
    assert (SOURCE / place).exists()
    assert f"`{place}" in PAGE


def test_every_path_on_the_page_exists() -> None:
    assert len(NAMED) > 200
    assert not [token for token, places in NAMED if not places]


def test_every_folder_is_on_the_page() -> None:
    for folder in (one for one in SOURCE.iterdir() if (one / "__init__.py").exists()):
        assert f"`{folder.name}/`" in PAGE, folder.name
    for room in (one for one in (SOURCE / "core").iterdir() if (one / "__init__.py").exists()):
        assert f"`{room.name}/`" in PAGE, room.name


def test_every_module_of_some_size_is_named_or_stands_in_a_folder_that_is() -> None:
    named = {place for _, places in NAMED for place in places}
    large = [one for one in SOURCE.rglob("*.py") if one.read_text("utf-8").count("\n") > 200 and one.parent != SOURCE]
    assert large
    assert not [one for one in large if one not in named and one.parent not in named]
