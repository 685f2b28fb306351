"""Replies and the values that were understood from a message, as blocks that can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.serving import Served
from support.talking import Talk
from support.watching import Watched

FLOW = """
flow: notes
start: hello
records: {note: {text: string}}
nodes:
  hello:
    say: |
      Before the list:

      - one
      - two

      > a quotation

      ```
      code
      ```

      The end.
    transitions: [{id: next, to: ask}]
  ask:
    form: {fields: [{field: note.text, ask: What do you want to note?}]}
"""


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Served]:
    flow = tmp_path / "notes.flow.yaml"
    flow.write_text(FLOW, "utf-8")
    with Served("serve", flow, "--port", "0", "--store", f"sqlite:///{tmp_path}/notes.db") as served:
        yield served


def test_there_is_space_between_the_blocks_of_a_reply(notes: Served, watched: Watched) -> None:
    notes.post("/api/conversations", flow="notes", name="spaced")
    talk = Talk(watched.open(f"{notes.address}/c/spaced"))
    said = talk.transcript.locator(".said").first
    expect(said.locator("pre")).to_be_visible()
    boxes = said.evaluate("(one) => [...one.children].map((child) => child.getBoundingClientRect().toJSON())")
    gaps = [after["top"] - before["bottom"] for before, after in pairwise(boxes)]
    assert len(gaps) >= 4
    assert min(gaps) >= 6


def test_a_long_value_is_cut_in_the_transcript_and_whole_in_the_panel(notes: Served, watched: Watched) -> None:
    notes.post("/api/conversations", flow="notes", name="long")
    words = "remember this " * 250
    notes.post("/api/conversations/long/turns", text=words)
    talk = Talk(watched.open(f"{notes.address}/c/long?tab=state"))
    understood = talk.turn(2).locator(".und code")
    expect(understood).to_have_text(
        re.compile(
            r"^text = remember this remember this remember this remember this remember this remembe…$", re.IGNORECASE
        )
    )
    expect(talk.panel.locator('[data-field="note.text"]').first).to_contain_text(words.strip())
