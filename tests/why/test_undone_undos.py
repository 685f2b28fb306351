"""Why after an undo of an undo: what was taken back by one, and is in force again by the other."""

from __future__ import annotations

from collections.abc import Callable

import turnwise as tw
from support.why_cases import Talk, gives
from support.whys import Asked, Chat, check, table

TRIP = """
flow: trip
start: plan
records:
  r: {days: {type: integer, about: days}, cost: {type: integer, value: r.days * 50}}
nodes:
  plan:
    prompt: Plan.
    collect: [r.days]
    transitions: [{id: dear, at: before, when: r.cost >= 500, because: too dear, to: saving}]
  saving: {prompt: Save., collect: [r.days]}
"""


def undone_twice(*undos: int) -> Callable[[], Chat]:
    """Turn 3 goes to `saving`; turn 4 takes that back, and each later turn goes back to the end of a turn."""

    def play() -> Chat:
        chat = Talk(TRIP, ["Well."] * 20).did("hi", gives(days=4), gives(days=12)).chat
        chat.undo()
        for to in undos:
            chat.undo(to=to)
        return chat

    return play


STORIES = {"once": undone_twice(), "twice": undone_twice(3), "thrice": undone_twice(3, 4)}
TAKEN = "dear was taken in turn 3: too dear"
ASKED = [
    Asked("once", "transition dear", f"{TAKEN}; turn 4 undid that", never=("turn 5",)),
    Asked("twice", "transition dear", f"{TAKEN}; dear was not judged in turn 5", never=("undid",)),
    Asked("twice", "transition dear", f"{TAKEN}; turn 4 undid that", turn=4),
    Asked("twice", "node saving", "plan → saving by dear: too dear", "node_left"),
    Asked("twice", "node plan", "the conversation is in saving; it was entered in turn 1 and left in turn 3 by dear"),
    Asked("thrice", "transition dear", f"{TAKEN}; turn 4 undid that"),
    Asked("thrice", "node saving", "it was entered in turn 5; the undo of turn 6 took that back"),
]


@table(STORIES, ASKED)
def test_a_move_is_undone_only_by_an_undo_that_is_in_force(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_the_user_hears_that_the_move_is_in_force_again() -> None:
    assert "too dear" in STORIES["twice"]().why("transition dear").plain
    assert "taken back" in STORIES["once"]().why("transition dear").plain


def test_an_undo_within_a_node_is_no_entry_of_it() -> None:
    chat = Talk(TRIP, ["Well."] * 20).did("hi", "again").chat
    chat.undo()
    chat.commands([tw.commands.Set(field="r.days", value=12)])
    found = chat.why("node plan")
    assert found.line.endswith("it was entered in turn 1 and left in turn 4 by dear (too dear)")
    assert found.plain == "The reason is: too dear."
