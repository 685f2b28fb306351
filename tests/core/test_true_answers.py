"""Answers to why and why-not that were untrue once."""

from __future__ import annotations

import json
from typing import Any

import pytest

import turnwise as tw
from support.chats import candidate, scripted_chat, sets
from turnwise.cli.show import plain_console, print_why
from turnwise.core.explain.decision_lines import lines_of_decision
from turnwise.core.state.commands import Set
from turnwise.core.trace import GuardCode, Leaf

FLOW = """
flow: f
start: home
records: {u: {age: integer, name: string}}
tools: {think: {about: think}}
nodes:
  home:
    prompt: Talk.
    collect: [u]
    transitions:
      - {id: first, at: tool, when: u.age > 3, to: away}
      - {id: second, at: tool, when: u.age > 40, to: away}
      - {id: old, at: before, when: u.age > 100, to: away}
      - {id: look, at: before, guard: named, to: away}
  away: {prompt: There., transitions: [{id: back, at: before, when: u.age > 200, to: home}]}
"""
NAMED = tw.guard(lambda u: u.name == "Eve", name="named")


def words(decisions: tuple[tw.Decision, ...], transition: str = "") -> str:
    lines = [line for decision in decisions for line in lines_of_decision(decision, transition)]
    return "\n".join(line.text + line.aside for line in lines)


def test_a_transition_that_was_not_judged_is_answered_by_itself_and_not_by_another() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        chat.commands(sets(u__age=30))
        (found,) = chat.explain(transition="second")
    assert found.hypothetical
    assert not found.taken
    assert found.line == (
        "second was not judged in turn 1: it is judged after a tool was used. If it were judged now, it would not hold: "
        "it needs u.age > 40 (is 30)."
    )
    assert "home → away" not in words((found,), "second")
    assert "  second → away: false" in words((found,), "second")


def test_a_transition_of_another_node_is_said_to_be_one() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        chat.commands(sets(u__age=30))
        (found,) = chat.explain(transition="back")
        assert found.line == "back was not judged in turn 1: it leads out of away, and the conversation was in home."
        assert not found.candidates
        with pytest.raises(tw.UnknownTransition):
            chat.explain(transition="bakc")


def test_a_python_guard_that_was_not_called_gave_nothing() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        turn = chat.commands(sets(u__age=101))
    code = candidate(turn.decisions[0], "look").code
    assert isinstance(code, GuardCode)
    assert candidate(turn.decisions[0], "look").outcome in ("not_reached", "outranked")
    assert code.call == "not_called"
    assert "named: was not called" in words(turn.decisions, "look")


def test_what_a_python_guard_did_not_find_is_no_need() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        turn = chat.commands(sets(u__age=30))
    assert candidate(turn.decisions[0], "look").missing == ("u.name",)
    assert turn.decisions[0].line == (
        "stayed in home: 2 candidates, none held; nearest is → away, which needs u.age > 100 (is 30)"
    )


def test_a_supposed_value_is_said_to_be_supposed() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        chat.commands(sets(u__age=30))
        (one,) = chat.what_if(values={"u.age": 120}).otherwise
    assert "u.age is 120 (supposed)" in words((one.decision,))
    leaf = tw.judge("u.age > 3", {"u": {"age": 1}}).tree
    assert isinstance(leaf, Leaf)
    assert (leaf.operands[0].how, leaf.operands[0].turn) == ("supposed", 0)


def test_forks_are_counted_once() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        chat.commands(sets(u__age=30))
        copy = chat.fork("copy")
        (edge,) = chat.app.history("old")
        assert edge.line == "judged 1 time, held 0, taken 0"
        (alone,) = copy.history("old")
        assert alone.judged == 1


def test_decisions_and_debug_lines_are_data() -> None:
    with scripted_chat(FLOW, NAMED) as chat:
        turn = chat.commands(sets(u__age=30))
    data: dict[str, Any] = json.loads(json.dumps(turn.decisions[0].to_dict()))
    assert data["candidates"][0]["needs"][0][0]["text"] == "u.age > 100 (is 30)"
    line = json.loads(json.dumps(turn.evaluations[0].to_dict()))
    assert line["crewName"] == "home"


AGAIN = """
flow: f
start: home
records: {u: {age: integer, name: string}}
nodes:
  home: {prompt: Talk., collect: [u], transitions: [{id: go, at: before, when: u.age > 3, to: away}]}
  away: {prompt: There., collect: [u]}
"""


def test_what_is_understood_again_after_a_move_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    known = [Set((0, 1), field="u.age", value=41)]
    with scripted_chat(AGAIN, understood=[known, known]) as chat:
        chat.start()
        turn = chat.say("41")
    assert sum(event.__class__.__name__ == "FieldSet" for event in turn.events) == 2
    print_why(plain_console(), turn)
    assert capsys.readouterr().out.count("understood: u.age = 41") == 1


BRANCHES = """
flow: f
start: home
records: {u: {age: integer, gender: string}}
nodes:
  home:
    prompt: Talk.
    collect: [u]
    transitions:
      - {id: fine, at: before, when: (!has(u.age) || u.age >= 38) && (!has(u.gender) || u.gender != "male"), to: away}
      - {id: both, at: before, when: u.age >= 38 && u.gender == "x", to: away}
  away: {prompt: There.}
"""


def test_missing_names_only_what_keeps_a_guard_from_holding() -> None:
    with scripted_chat(BRANCHES) as chat:
        turn = chat.commands(sets(u__age=30))
        assert candidate(turn.decisions[0], "fine").missing == ()
        assert candidate(turn.decisions[0], "both").missing == ("u.gender",)
        turn = chat.commands(sets(u__age=40))
    assert turn.decisions[0].taken == "fine"
    assert candidate(turn.decisions[0], "fine").missing == ()


REFUSED = """
flow: f
start: home
records:
  o: {day: {type: date, validate: o.day >= today}, end: {type: date}, price: number, low: {type: integer, validate: o.low < 20}}
nodes:
  home:
    prompt: Talk.
    collect: [o]
    transitions:
      - {id: past, at: before, when: o.day < today, to: away}
      - {id: dear, at: before, when: o.price > 500, to: away}
      - {id: long, at: before, when: (o.end - o.day).getDays() >= 3, to: away}
      - {id: high, at: before, when: o.low > 10, to: away}
  away: {prompt: There.}
"""


def test_needs_name_no_value_that_a_validator_refuses_and_the_nearest_one_that_it_takes() -> None:
    with scripted_chat(REFUSED) as chat:
        turn = chat.commands(sets(o__day="2030-12-01", o__end="2030-12-02", o__price=120.0, o__low=3))
    found = {c.id: c for c in turn.decisions[0].candidates}
    assert found["past"].needs == ()
    assert found["past"].in_words == ("o.day < today",)
    assert [[(need.field, need.value) for need in one] for one in found["dear"].needs] == [[("o.price", 501)]]
    assert [(need.field, need.value) for need in found["long"].needs[0]] == [("o.end", "2030-12-04")]
    assert [[(need.field, need.value) for need in one] for one in found["high"].needs] == [[("o.low", 11)]]
