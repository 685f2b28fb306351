"""What if a value, a guard or the flow had been another; and how often transitions were judged and held."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.chats import flow_of, sets
from support.stored import INTAKE, stored
from turnwise.core.explain.what_if import Way
from turnwise.errors import TurnwiseError

FLOW = """
flow: gate
start: ask
records: {user: {age: {type: integer, min: 0, max: 120}, vip: {type: boolean}}}
nodes:
  ask:
    say: Hi.
    transitions:
      - {id: vip, at: before, when: user.vip, to: in, priority: 1}
      - {at: before, when: user.age >= 18, to: in}
      - {id: child, at: before, guard: child}
  in: {say: Come in., transitions: [{id: leave, at: before, when: message.text == "bye", to: out}]}
  out: {say: Bye., end: out}
"""


@tw.guard(to="out")
def child(user: tw.Field) -> bool:
    return user.age is not None and user.age < 6  # type: ignore[attr-defined]


def talked(path: Path) -> tw.open:  # type: ignore[valid-type]
    chat = stored(path, FLOW, child)
    for name, age in (("a", 17), ("b", 40), ("c", 3)):
        chat.app.chat(name).start()
        chat.app.chat(name).commands(sets(user__age=age))
    return chat


def ways(found: object) -> list[tuple[str, int, str, str]]:
    return [(one.conversation, one.turn, str(one.was), str(one.would)) for one in found.otherwise]  # type: ignore[attr-defined]


def test_another_value_in_one_turn(tmp_path: Path) -> None:
    with talked(tmp_path / "x.db") as chat:
        found = chat.app.chat("a").what_if(turn=2, values={"user.age": "18"})
        assert found.judged == len(chat.app.chat("a").explain(turn=2))
        assert ways(found) == [("a", 2, "stayed", "→ in by to_in")]
        (one,) = found.otherwise
        assert one.decision.line == "ask → in by to_in"
        assert [(c.id, c.outcome) for c in one.decision.candidates] == [
            ("vip", "unknown"),
            ("to_in", "taken"),
            ("child", "not_reached"),
        ]
        assert chat.app.chat("a").what_if(turn=2, values={"user.age": 16}).otherwise == ()
        assert chat.app.chat("a").state().values["user.age"].value == 17, "nothing is changed"


def test_another_value_in_all_decisions_of_all_conversations(tmp_path: Path) -> None:
    with talked(tmp_path / "x.db") as chat:
        found = chat.app.what_if(values={"user.vip": True})
        assert ways(found) == [
            ("a", 1, "stayed", "→ in by vip"),
            ("a", 2, "stayed", "→ in by vip"),
            ("b", 1, "stayed", "→ in by vip"),
            ("b", 2, "→ in by to_in", "→ in by vip"),
            ("c", 1, "stayed", "→ in by vip"),
            ("c", 2, "→ out by child", "→ in by vip"),
        ]
        assert found.judged == sum(len(chat.app.chat(name).explain(turn=turn)) for name in "abc" for turn in (1, 2))
        assert ways(chat.app.chat("c").what_if(values={"user.age": None})) == [("c", 2, "→ out by child", "stayed")]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"to_in": "user.age >= 17"}, [("a", 2, "stayed", "→ in by to_in")]),
        ({"to_in": "user.age >= 41"}, [("b", 2, "→ in by to_in", "stayed")]),
        ({"vip": "has(user.age)"}, [("a", "in"), ("b", "in"), ("c", "in")]),
        ({"child": "user.age < 18"}, [("a", 2, "stayed", "→ out by child")]),
        ({"leave": "true"}, [("b", 2, "stayed", "→ out by leave")]),
    ],
)
def test_another_guard(tmp_path: Path, rules: dict[str, str], expected: list[tuple[object, ...]]) -> None:
    flow = FLOW.replace("guard: child}", "guard: child, to: out}")
    with stored(tmp_path / "x.db", flow, child) as chat:
        for name, age in (("a", 17), ("b", 40), ("c", 3)):
            chat.app.chat(name).start()
            chat.app.chat(name).commands(sets(user__age=age))
        found = ways(chat.app.what_if(rules=rules))
        if len(expected[0]) == 2:
            found = [(name, would.split()[1]) for name, _, _, would in found]  # type: ignore[misc]
        assert found == expected


def test_another_flow(tmp_path: Path) -> None:
    with talked(tmp_path / "x.db") as chat:
        other = flow_of(
            FLOW.replace(">= 18", ">= 16").replace("out", "gone").replace("guard: child", "when: false, to: ask")
        )
        found = chat.app.what_if(flow=other)
        assert ways(found) == [("a", 2, "stayed", "→ in by to_in"), ("c", 2, "→ out by child", "stayed")]
        assert chat.app.what_if(flow=flow_of(INTAKE)).judged == 0, "conversations of another flow are left alone"
        smaller = flow_of("flow: gate\nstart: ask\nnodes: {ask: {say: Hi., end: x}}")
        assert chat.app.chat("b").what_if(flow=smaller).skipped == 2


def test_a_limit_counts_in_what_if_too(tmp_path: Path) -> None:
    flow = """
flow: ring
start: a
records: {user: {go: {type: boolean}, stop: {type: boolean}}}
nodes:
  a: {say: A., transitions: [{id: on, at: after, when: user.go, to: b}]}
  b: {say: B., transitions: [{id: back, at: after, when: user.go, to: a}]}
"""
    with stored(tmp_path / "x.db", flow) as chat:
        chat.start()
        chat.commands(sets(user__go=True))
        assert {edge.transition: edge.outcomes.get("blocked") for edge in chat.history()} == {"on": 1, "back": None}
        assert chat.what_if(values={"user.stop": True}).otherwise == ()


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"values": {"user.agee": 3}}, "no field is called 'user.agee'; did you mean 'user.age'?"),
        ({"values": {"user.age": "many"}}, "user.age: "),
        ({"rules": {"chid": "true"}}, "no transition with a guard is called 'chid'; did you mean 'child'?"),
        ({"rules": {"child": "user.agee > 3"}}, "'user' has no field 'agee'"),
        ({"rules": {"to_in": "user.age >"}}, "TW"),
        ({"values": {}, "turn": 9}, "has no turn 9"),
    ],
)
def test_what_cannot_be_supposed_is_said(tmp_path: Path, more: dict[str, object], reason: str) -> None:
    with talked(tmp_path / "x.db") as chat:
        with pytest.raises(TurnwiseError) as refused:
            chat.app.chat("a").what_if(**more)
        assert reason in str(refused.value)


def test_ways_are_told_in_words() -> None:
    assert [str(way) for way in (Way(), Way("hold"), Way("go", "there"))] == ["stayed", "by hold", "→ there by go"]


def test_the_history_of_edges(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with talked(tmp_path / "x.db") as chat:
        one = {edge.transition: edge.line for edge in chat.app.chat("a").history()}
        assert one == {
            "vip": "judged 2 times, held 0, taken 0",
            "to_in": "judged 2 times, held 0, taken 0",
            "child": "judged 2 times, held 0, taken 0",
            "leave": "judged 0 times, held 0, taken 0",
        }
        every = {edge.transition: edge.line for edge in chat.app.history(progress=lambda *at: told.append(at))}
        assert every == {
            "vip": "judged 6 times, held 0, taken 0",
            "to_in": "judged 6 times, held 1, taken 1",
            "child": "judged 5 times, held 1, taken 1",
            "leave": "judged 1 time, held 0, taken 0",
        }
        (edge,) = chat.app.history("child")
        assert (edge.node, edge.moment, edge.target) == ("ask", "before", "out")
        assert edge.outcomes == {"false": 4, "not_reached": 1, "taken": 1}
        with pytest.raises(TurnwiseError, match="did you mean 'child'"):
            chat.app.history("chid")
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_what_is_computed_from_a_supposed_value_is_computed_anew(tmp_path: Path) -> None:
    flow = FLOW.replace("vip: {type: boolean}", "years: {type: integer, value: user.age - 18}")
    flow = flow.replace("when: user.vip", "when: user.years > 2")
    with stored(tmp_path / "x.db", flow, child) as chat:
        chat.start()
        chat.commands(sets(user__age=19))
        (one,) = chat.what_if(turn=2, values={"user.age": 30}).otherwise
        assert (str(one.was), str(one.would)) == ("→ in by to_in", "→ in by vip")
        assert chat.what_if(turn=2, values={"user.age": None}).otherwise[0].would == Way()
        assert str(chat.what_if(turn=2, values={"user.years": 3}).otherwise[0].would) == "→ in by vip"


def test_a_press_that_answered_a_secret_question_is_hidden_in_what_it_would_have_led_to() -> None:
    flow = """
    flow: f
    start: ask
    records: {u: {pin: {type: choice, options: [alpha, omega], secret: true}, age: {type: integer, default: 3}}}
    nodes:
      ask:
        form: {fields: [{field: u.pin, ask: "Pin?"}, {field: u.age, ask: "Age?"}]}
        transitions: [{id: on, at: before, when: message.button == "no" || u.age > 5, to: b}]
      b: {say: B.}
    """
    with tw.open_sync(flow_of(flow)) as app:
        chat = app.chat("x")
        chat.start()
        chat.choose("omega")
        found = chat.what_if(values={"u.age": 9}).otherwise
        assert [one.turn for one in found if "[secret]" in str(one.decision)] == [2]
        assert "omega" not in str(found)
