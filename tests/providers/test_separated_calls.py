"""Pieces of calls that a server sends under one index: taken apart, or refused; never put together to one that nobody
made.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.models.wire.responses import CallSeparator, MergedCalls

Piece = tuple[int | None, str, str, str]


def put_together(pieces: list[Piece]) -> list[tuple[str, str]]:
    """The calls, as they are put together by the places that their pieces get."""
    separator, found = CallSeparator(), dict[int, list[str]]()
    for index, id_, name, arguments in pieces:
        place, added = separator.assign(index, id_, name, arguments)
        call = found.setdefault(place, ["", ""])
        call[0] += added
        call[1] += arguments
    return [(name, arguments) for name, arguments in found.values()]


PIECES: list[tuple[str, list[Piece], list[tuple[str, str]]]] = [
    ("as it should be", [(0, "i", "a", ""), (0, "", "", '{"x"'), (0, "", "", ":1}"), (1, "j", "b", "{}")],
     [("a", '{"x":1}'), ("b", "{}")]),
    ("one index, two ids", [(0, "i", "a", "{}"), (0, "j", "b", '{"x":1}')], [("a", "{}"), ("b", '{"x":1}')]),
    ("one index, two ids, in pieces", [(0, "i", "a", ""), (0, "", "", "{}"), (0, "j", "b", "{"), (0, "", "", "}")],
     [("a", "{}"), ("b", "{}")]),
    ("one index, ids take turns", [(0, "i", "a", "{"), (0, "j", "b", "{"), (0, "i", "", "}"), (0, "j", "", "}")],
     [("a", "{}"), ("b", "{}")]),
    ("one index, no ids", [(0, "", "a", '{"x":1}'), (0, "", "b", "{}")], [("a", '{"x":1}'), ("b", "{}")]),
    ("no ids, the same tool twice", [(0, "", "a", '{"x":1}'), (0, "", "a", '{"x":2}')],
     [("a", '{"x":1}'), ("a", '{"x":2}')]),
    ("no index at all", [(None, "i", "a", "{}"), (None, "j", "b", "{}")], [("a", "{}"), ("b", "{}")]),
    ("the name in every piece", [(0, "i", "a", "{"), (0, "i", "a", "}")], [("a", "{}")]),
    ("the id after the name", [(0, "", "a", "{"), (0, "i", "", "}")], [("a", "{}")]),
    ("the name after the id", [(0, "i", "", ""), (0, "i", "a", "{}")], [("a", "{}")]),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "calls"), [case[1:] for case in PIECES], ids=[case[0] for case in PIECES])
def test_each_piece_goes_to_its_call(pieces: list[Piece], calls: list[tuple[str, str]]) -> None:
    assert put_together(pieces) == calls


REFUSED: list[tuple[str, list[Piece]]] = [
    ("another name under the same id", [(0, "i", "a", "{}"), (0, "i", "b", "{}")]),
    ("another name before the first call is whole", [(0, "", "a", '{"x"'), (0, "", "b", "{}")]),
    ("another name, and no arguments yet", [(0, "", "a", ""), (0, "", "b", "{}")]),
    ("a name in pieces", [(0, "i", "sear", ""), (0, "", "ch", "{}")]),
]


@pytest.mark.parametrize("pieces", [case[1] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_may_belong_to_two_calls_is_refused(pieces: list[Piece]) -> None:
    with pytest.raises(MergedCalls):
        put_together(pieces)


_names = st.sampled_from(["a", "b", "ab", "think"])
_arguments = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 9) | st.text(max_size=3), max_size=2)
_calls = st.lists(st.tuples(_names, _arguments.map(json.dumps)), max_size=4)


@given(_calls, st.booleans(), st.booleans(), st.data())
def test_calls_with_ids_come_out_as_they_were_made(
    calls: list[tuple[str, str]], has_one_index: bool, repeats_id: bool, data: Any
) -> None:
    pieces: list[Piece] = []
    for number, (name, arguments) in enumerate(calls):
        index, id_ = 0 if has_one_index else number, f"call_{number}"
        cut = data.draw(st.integers(0, len(arguments)))
        pieces += [(index, id_, name, arguments[:cut]), (index, id_ if repeats_id else "", "", arguments[cut:])]
    assert put_together(pieces) == calls


@given(_calls, st.data())
def test_calls_without_ids_come_out_as_they_were_made_where_each_is_whole(
    calls: list[tuple[str, str]], data: Any
) -> None:
    pieces: list[Piece] = []
    for name, arguments in calls:
        cut = data.draw(st.integers(0, len(arguments)))
        pieces += [(0, "", name, arguments[:cut]), (0, "", "", arguments[cut:])]
    assert put_together(pieces) == calls
