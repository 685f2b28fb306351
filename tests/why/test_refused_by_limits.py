"""Why where a limit of stored values refused something: the limit leads to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.json import encode

from support.why_cases import Talk
from support.whys import Chat, lines_of
from turnwise.core.state.commands import Set

SMALL = """
flow: small
start: talk
limits: {lists: 3, strings: 20}
records:
  r: {note: {type: string, about: a note}, days: {type: list, of: integer, about: days}}
nodes:
  talk:
    prompt: Talk.
    transitions: [{id: keep, at: before, when: message.text.startsWith("y"), set: {r.note: message.text}, to: kept}]
  kept: {say: Kept.}
"""
LONG = "y" * 50


def talk() -> Chat:
    return Talk(SMALL, ["Well."] * 9).did("hi").chat


def written() -> Chat:
    """A transition sets a text that is too long."""
    chat = talk()
    chat.say(LONG)
    return chat


def named() -> Chat:
    """A program sends a text that is too long."""
    chat = talk()
    chat.commands([Set(field="r.note", value=LONG)])
    return chat


def listed() -> Chat:
    """A program sends a list that is too long."""
    chat = talk()
    chat.commands([Set(field="r.days", value=[1, 2, 3, 4])])
    return chat


@pytest.mark.parametrize(
    ("play", "limit", "kind"),
    [(written, "strings", "write_refused"), (named, "strings", "value_refused"), (listed, "lists", "value_refused")],
)
def test_a_limit_leads_to_what_it_refused(play: Callable[[], Chat], limit: str, kind: str) -> None:
    answer = play().why(limit)
    assert answer.facts[0].kind == kind, lines_of(answer)
    assert answer.facts[1].kind in ("limit_stands", "limit_used")
    other = {"strings": "lists", "lists": "strings"}[limit]
    assert play().why(other).facts[0].kind == "limit_stands"


def test_a_bound_of_the_field_is_no_limit_of_the_flow() -> None:
    flow = SMALL.replace("about: a note", "about: a note, max: 10")
    chat = Talk(flow, ["Well."] * 9).did("hi").chat
    chat.commands([Set(field="r.note", value="y" * 15)])
    assert chat.why("strings").facts[0].kind == "limit_stands"


def test_the_bytes_of_a_list_of_records_count_in_their_limit() -> None:
    flow = SMALL.replace("records:", "records:\n  size: {name: string}\n  order: {sizes: {type: list, of: size}}")
    chat = Talk(flow, ["Well."] * 9).did("hi").chat
    assert chat.why("limit list_bytes").facts[0].text.endswith("and turn 1 used none")
    chat.commands([Set(field="order.sizes", value=[{"name": "small"}])])
    (stored,) = chat.state().values["order.sizes"].value
    used = len(encode([stored]))
    assert chat.why("limit list_bytes").facts[0].text.endswith(f"turn 2 used {used}")
