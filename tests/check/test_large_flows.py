"""Flows of more nodes than Python may recurse: no rule recurses along the way, and none takes a time that grows with the square."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import pytest

import turnwise as tw

NODES = 1500
SECONDS = 6.0
"""Of the processor, for one flow; each of these takes a quarter of a second to two, and many times that where a time grows with the square."""


def node(number: int, **values: object) -> tw.Node:
    """One of many nodes that lead each to the next."""
    return tw.Node(f"n{number}", transitions=[tw.Transition(to=f"n{(number + 1) % NODES}")], **values)  # type: ignore[arg-type]


def row(**values: object) -> list[tw.Node]:
    """Nodes that lead each to the next, up to the last but one."""
    return [node(number, **values) for number in range(NODES - 1)]


BOOK = tw.Tool("book", kind="effect", expects="confirmed")
OPEN = "n0 → n1 → n2 → n3 → n4 → n5 → … → n1494 → n1495 → n1496 → n1497 → n1498 → n1499"
ROUND = "n0 → n1 → n2 → n3 → n4 → n5 → … → n1495 → n1496 → n1497 → n1498 → n1499 → n0"
LARGE: dict[str, tuple[Callable[[], tw.Flow], dict[str, int], str]] = {
    "a way to an effect": (
        lambda: tw.Flow(
            "f",
            start="n0",
            prompt="Help.",
            tools=[BOOK],
            nodes=[*row(prompt="p"), tw.Node("n1499", prompt="p", tools=tw.ToolPolicy(allow=["book"]))],
        ),
        {"TW072": 1},
        OPEN,
    ),
    "a circle": (
        lambda: tw.Flow("f", start="n0", nodes=[node(number, say="s") for number in range(NODES)]),
        {"TW056": 1},
        ROUND,
    ),
    "moves in a row": (
        lambda: tw.Flow("f", start="n0", nodes=[*row(say="s"), tw.Node("n1499", say="s", end="e")]),
        {"TW057": 1},
        "1499 moves",
    ),
    "circles that end": (
        lambda: tw.Flow(
            "f",
            start="n0",
            nodes=[
                tw.Node(
                    f"n{n}",
                    say="s",
                    transitions=[tw.Transition(when="visits('n0') < 3", to=f"n{(n + 1) % NODES}")],
                )
                for n in range(NODES)
            ],
        ),
        {},
        "",
    ),
    "nodes that open from every other": (
        lambda: tw.Flow(
            "f",
            start="n0",
            nodes=[tw.Node(f"n{n}", prompt="p", enter_when=f"message.text == 'x{n}'") for n in range(NODES)],
        ),
        {},
        "",
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_flow_is_checked_soon(name: str) -> None:
    made, codes, said = LARGE[name]
    flow = made()
    begun = time.process_time()
    found = tw.check(flow)
    assert time.process_time() - begun < SECONDS
    assert Counter(one.code for one in found) == codes
    assert all(said in one.message for one in found), found


def test_a_large_flow_is_drawn() -> None:
    flow = LARGE["a circle"][0]()
    assert tw.draw(flow).count("==>") == NODES
    assert tw.draw(flow, "dot").count("->") >= NODES
