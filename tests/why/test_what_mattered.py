"""`end`: the few decisions that mattered for where a conversation is, of many moves."""

from __future__ import annotations

from typing import Any

from support.chats import OneSyncChat, flow_of
from support.why_cases import every
from support.whys import lines_of
from turnwise.core.state.commands import Set
from turnwise.stores.memory import MemoryStore
from turnwise.why.subjects.ends import MOST_MOVES

NODES = 12
LADDER = "flow: ladder\nstart: n0\ncommands: [undo]\nperson: {queue: host}\nrecords: {u: {to: string}}\nnodes:\n" + "".join(
    f"  n{at}: {{say: At {at}., transitions: ["
    f"{{id: up{at}, at: before, when: u.to == 'n{at + 1}', to: n{at + 1}}},"
    f" {{id: down{at}, at: before, when: u.to == 'n{max(0, at - 1)}x', to: n{max(0, at - 1)}}}]}}\n"
    for at in range(NODES)
) + f"  n{NODES}: {{say: There., end: there}}\n"  # fmt: skip


def walked(*steps: str) -> Any:
    """A step is a node to go up to, one with an `x` to go down to, or `undo`."""
    chat: Any = OneSyncChat(flow_of(LADDER), store=MemoryStore())
    chat.start()
    for step in steps:
        if step == "undo":
            chat.undo()
        else:
            chat.commands([Set(field="u.to", value=step)])
    return chat


def told(answer: Any) -> list[str]:
    return [f"{fact.values['node']}→{fact.values['target']}" for fact in answer.facts if fact.kind == "node_left"]


def test_circles_and_undone_moves_are_counted_and_not_told() -> None:
    chat = walked("n1", "n2", "n1x", "n2", "n3", "undo", "n3", "n2x", "n1x", "n0x", "n1", "n2")
    assert chat.state().node == "n2"
    answer = chat.why("end")
    assert answer.line.startswith("the conversation has not ended")
    assert told(answer) == ["n0→n1", "n1→n2"]
    assert all("u.to was" in lines_of(answer) for _ in answer.facts[1:3])
    assert answer.fact("moves_left_out").text == "not listed here: 8 moves in a circle and 1 undone move"


def test_the_move_that_led_back_is_told() -> None:
    chat = walked("n1", "n0x")
    answer = chat.why("end")
    assert told(answer) == ["n1→n0"]
    assert "set u.to = n0x" in lines_of(answer)


def test_of_a_long_way_the_last_moves_are_told_and_how_many_came_before() -> None:
    chat = walked(*[f"n{at}" for at in range(1, NODES + 1)])
    answer = chat.why("end")
    assert (
        answer.line
        == "the conversation ended with the outcome there, because the transition up11 led to n12, which ends it (u.to is n12)"
    )
    seqs = [fact.seq for fact in answer.facts[0].walk() if fact.kind == "node_left"]
    assert told(answer) == [f"n{at}→n{at + 1}" for at in range(NODES - MOST_MOVES, NODES - 1)]
    assert len(seqs) == 1, "the last move is told once, as the cause of the end"
    assert answer.fact("moves_left_out").values["earlier"] == NODES - MOST_MOVES
    assert "the program sent commands: set u.to = n12" in lines_of(answer)


def test_without_moves_nothing_is_left_out() -> None:
    assert [fact.kind for fact in walked().why("end").facts] == ["conversation_goes_on", "time_passed"]


def test_a_long_conversation_has_a_short_answer() -> None:
    steps = ["n1", "n0x"] * 60
    chat = walked(*steps, "n1", "n2")
    answer = chat.why("end")
    assert told(answer) == ["n0→n1", "n1→n2"]
    assert answer.fact("moves_left_out").values["circles"] == len(steps)
    kinds = ["conversation_goes_on", "node_left", "node_left", "moves_left_out", "time_passed"]
    assert [fact.kind for fact in answer.facts] == kinds


def test_a_handed_over_conversation_tells_the_move_that_the_person_chose() -> None:
    chat = walked("n1")
    chat.take_over("eve")
    chat.give_back(transition="up1", reason="it is clear")
    answer = chat.why("end")
    assert told(answer) == ["n0→n1", "n1→n2"]
    assert "eve" in lines_of(answer)


SHOP = """
flow: shop
start: open
person: {queue: host}
records: {u: {age: {type: integer, about: the age}, card: {type: boolean}}}
nodes:
  open: {say: Hello., transitions: [{id: card, at: before, when: u.card, to: check}]}
  check:
    say: Checked.
    transitions:
      - {id: young, at: before, when: u.age < 18, because: too young., to: refused}
      - {id: host, at: before, when: u.age > 90, to: refused}
  refused:
    say: Wait.
    transitions: [{id: closed, at: timer, in: 5m, because: five minutes passed., end: closed}]
"""
CLOSED = "the conversation ended with the outcome closed by closed: five minutes passed"


def closed(*steps: Any) -> Any:
    chat: Any = OneSyncChat(flow_of(SHOP), store=MemoryStore())
    chat.start()
    chat.commands([Set(field="u.card", value=True)])
    for step in steps:
        chat.commands([step]) if isinstance(step, Set) else step(chat)
    chat.fire("closed")
    return chat


def test_an_end_without_a_condition_has_the_values_of_the_move_that_led_to_it() -> None:
    answer = closed(Set(field="u.age", value=16)).why("end")
    assert answer.line == f"{CLOSED}; young held in turn 3, as u.age was 16, by a command in turn 3"
    assert "refused" in [one.values["target"] for one in every(answer) if one.kind == "node_left"]
    assert told(answer) == ["open→check"]
    assert answer.plain == "The reason is: five minutes passed. I went by “16” for the age."


def test_an_end_after_the_choice_of_a_person_has_no_values() -> None:
    chat = closed(lambda one: one.take_over("eve"), lambda one: one.give_back(transition="host"))
    answer = chat.why("end")
    assert answer.line == f"{CLOSED}."
    assert told(answer) == ["open→check"]
