"""Names of people: what is stored is the whole name, or nothing."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import turnwise as tw

FOLDER = Path(__file__).parent.parent / "utterances"
FLOW = """
flow: guests
start: ask
language: {language}
records: {{guest: {{name: {{type: string, about: name}}, wish: {{type: string, about: a wish}}}}}}
nodes:
  ask: {{form: {{fields: [{{field: guest.name, ask: "{name}"}}, {{field: guest.wish, ask: "{wish}"}}]}}, once: bye}}
  bye: {{say: Bye., end: done}}
"""
QUESTIONS = {"en": ("What is your name?", "What do you wish?"), "de": ("Wie heißen Sie?", "Was wünschen Sie?")}
ASK = "ask"
"""Expected of a message of which nothing may be stored: the name is asked again."""


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _stored(rows: list[dict[str, str]]) -> list[str]:
    """Return what is stored of each message, at the question for a name."""
    found: list[str] = []
    apps = {
        language: tw.open_sync(tw.loads(FLOW.format(language=language, name=name, wish=wish)))
        for language, (name, wish) in QUESTIONS.items()
    }
    for row in rows:
        chat = apps[row["lang"]].chat(row["id"])
        chat.start()
        found.append(chat.say(row["message"]).value("guest.name") or ASK)
    return found


@pytest.mark.law("5.2")
@pytest.mark.parametrize("name", ["names.tsv", "names_more.tsv"])
def test_the_whole_name_is_stored_or_nothing(name: str) -> None:
    rows = _rows(name)
    expected = [row["expected"].split(" | ") for row in rows]
    results = list(zip(rows, expected, _stored(rows), strict=True))
    wrong = [(row["id"], row["message"], got) for row, names, got in results if got not in (*names, ASK)]
    assert not wrong
    named = [(row, got) for row, names, got in results if ASK not in names]
    missed = [(row["id"], row["message"]) for row, got in named if got == ASK]
    assert len(missed) <= 0.05 * len(named), missed
