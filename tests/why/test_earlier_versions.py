"""Why in a conversation that moved to another version of its flow, in which nodes, fields and transitions are called
something else, are new or are gone.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import turnwise as tw
from support.why_cases import Talk, gives
from support.whys import Asked, Chat, check, table
from turnwise.core.migration import Renaming
from turnwise.stores.memory import MemoryStore
from turnwise.why.names import subjects

OLD = """
flow: care
version: 1
start: a
records:
  r:
    years: {type: integer, about: years}
    pin: {type: string, secret: true, about: pin}
    city: {type: string, about: city}
    room: {type: integer, value: r.years + 1}
nodes:
  a:
    prompt: A.
    collect: [r]
    transitions:
      - {id: senior, at: before, when: r.years > 60, because: over sixty, to: b}
      - {id: nag, at: timer, in: 1h, to: b}
  b:
    prompt: B.
    collect: [r]
    transitions: [{id: young, at: before, when: r.years < 60, to: a}]
"""
NEW = (
    OLD.replace("version: 1", "version: 2")
    .replace("years", "age")
    .replace("  b:\n", "  ward:\n")
    .replace("to: b}", "to: ward}")
    .replace("id: senior", "id: elder")
    .replace("    pin: {type: string, secret: true, about: pin}\n", "")
)


def moved() -> Chat:
    """A conversation that is moved in turn 5, and goes on."""
    store = MemoryStore()
    talk = Talk(OLD, ["Well."] * 9, store=store)
    talk.did("hi", gives(years=63), gives(pin="4711-x"), "and now?")
    talk = Talk(NEW, ["Well."] * 9, store=store, clock=talk.clock)
    found = talk.chat.migrate(Renaming(nodes={"b": "ward"}, fields={"r.years": "r.age", "r.pin": ""}))
    assert found.conversations[0].is_moved
    return talk.did("again").chat


MOVED = "(version 2 instead of 1); there b is called ward and r.years is called r.age; r.pin was not kept"
ASKED = [
    Asked("moved", "turn 5", MOVED, "migrated", never=("4711",)),
    Asked("moved", "origin", "the conversation is no copy", tells=(MOVED,)),
    Asked("moved", "ward", "a → b by senior: over sixty", "node_left", (MOVED,)),
    Asked("moved", "elder", "elder was not judged in turn 6: it leads out of a", "transition_not_judged"),
    Asked("moved", "senior", "senior was taken in turn 2: over sixty", "transition_was_taken"),
    Asked("moved", "b", "a → b by senior: over sixty", "node_left"),
    Asked("moved", "r.years", "r.years was set to 63", "field_set"),
    Asked("moved", "r.pin", "r.pin was set to [secret]", "field_set", never=("4711",)),
    Asked("moved", "r.age", "r.age was 63, by a command in turn 2", "value_read", ("r.years was set to 63", MOVED)),
]


@table({"moved": moved}, ASKED)
def test_names_of_both_versions_are_answered(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_a_name_of_an_earlier_version_is_read_with_its_turn() -> None:
    chat = moved()
    answer = chat.why("senior")
    assert answer.turn == 4
    assert answer.read_as == (
        "why transition senior, at the end of turn 4, with the version of the flow that was in use then"
    )
    for question, turn in (("elder", 2), ("senior", 6), ("blurb", None)):
        with pytest.raises(tw.UnknownSubject):
            chat.why(question, turn=turn)


def test_every_subject_of_a_version_can_be_asked_about_at_every_turn_of_it() -> None:
    chat = moved()
    for number in range(1, 7):
        for subject in subjects(chat.turn(number).machine):
            assert chat.why(str(subject), turn=number).line
