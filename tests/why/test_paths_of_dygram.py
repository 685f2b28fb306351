"""Records, tools and nodes that stand in a node of a DyGram document can be asked about by their path there."""

from __future__ import annotations

from functools import cache

import pytest

import turnwise as tw
from turnwise.errors import UnknownSubject

DESK = """
machine "Desk" { autonomous: false; }
state desk "The desk" {
  context memo { text<string>; own__size<Integer>; }
  tool weigh "Weighs a parcel" { input: {}; }
  state parcel { scope: { start: "ask"; nodes: { ask: { say: "Which parcel?"; end: "asked"; }; }; }; }
  state note @start {
    form: { fields: [{ field: "desk.memo.text"; ask: "What is it?"; }]; };
    writes: ["desk.memo"];
  }
  note -when: "memo.text == 'parcel'"-> parcel;
  parcel -> shut;
}
state shut;
"""
ASKED = [
    ("desk.memo.text", "field desk.memo.text"),
    ("Desk.memo.text", "field desk.memo.text"),
    ("field desk.memo.text", "field desk.memo.text"),
    ("why desk.memo.text?", "field desk.memo.text"),
    ("desk.memo.own__size", "field desk.memo.own__size"),
    ("desk.memo", "field desk.memo.text"),
    ("desk.weigh", "tool desk.weigh"),
    ("tool desk.weigh", "tool desk.weigh"),
    ("desk.note", "node desk.note"),
    ("desk.parcel", "node desk.parcel"),
]


@cache
def desk() -> tw.SyncChat:
    chat = tw.open_sync(tw.loads(DESK, format="dygram")).chat("x")
    chat.start()
    return chat


@pytest.mark.parametrize(("question", "subject"), ASKED, ids=[question for question, _ in ASKED])
def test_what_stands_in_a_node_is_found_by_its_path(question: str, subject: str) -> None:
    assert str(desk().why(question).subject) == subject


def test_a_path_that_nothing_has_is_refused() -> None:
    with pytest.raises(UnknownSubject):
        desk().why("field desk.memo.own.size")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("desk.parcel", "leads to desk.parcel"),
        ("desk.parcel/ask", "leads to desk.parcel/ask"),
        ("desk.parcel:asked", "leads to the outcome asked of desk.parcel"),
    ],
)
def test_the_ways_to_a_scope_are_found_by_its_path(name: str, said: str) -> None:
    assert said in str(desk().ways_to(name))


def test_there_is_no_way_to_a_path_that_nothing_has() -> None:
    with pytest.raises(UnknownSubject):
        desk().ways_to("desk.letter")
