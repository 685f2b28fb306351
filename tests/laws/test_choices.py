"""Law 2.14: a way out that the model chooses."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise
from support.chats import problems_of
from support.tools import Stage, facts, made, uses
from turnwise.core.state import Failed
from turnwise.core.state import events as e
from turnwise.models.scripted import Planned

FLOW = """
    flow: hall
    start: hall
    records: {user: {age: integer, note: string}}
    tools: {look: {about: look}, find: {about: find}}
    LIMITS
    nodes:
      hall:
        prompt: Welcome.
        tools: {allow: [look, find]}
        writes: [user]
        transitions:
          - {id: in, at: choice, to: inside, because: they want to come in}
          - {id: out, at: choice, when: user.age >= 18, to: outside}
          MORE
      inside: {prompt: Inside., tools: {allow: [look]}, transitions: [{at: choice, to: hall}]}
      outside: {say: Outside.}
      aside: {say: Aside.}
"""


def hall(model: list[Planned], more: str = "", limits: str = "", guards: tuple[Any, ...] = (), **tools: Any) -> Stage:
    flow = FLOW.replace("MORE", f"- {more}" if more else "").replace("LIMITS", limits)
    return Stage(flow, model, {"look": "found", "find": "there"} | tools, guards=guards)


@pytest.mark.law("2.14", "2.2")
def test_a_way_is_offered_while_its_guard_holds_with_what_is_behind_it() -> None:
    stage = hall(["Hello.", uses(made("write_user", set={"age": 18})), "Well."])
    stage.say("hi")
    assert stage.shown() == ["look", "find", "write_user", "go_to_inside"]
    (way,) = [spec for spec in stage.model.calls[-1].tools if spec.name == "go_to_inside"]
    assert way.about == "go on to: they want to come in"
    stage.say("I am 18")
    assert stage.shown() == ["look", "find", "write_user", "go_to_outside", "go_to_inside"]


@pytest.mark.law("2.14")
def test_the_choice_ends_the_work_moves_at_once_and_after_is_not_judged() -> None:
    stage = hall([uses("go_to_inside", say="Come in."), "Here we are."], "{at: after, to: aside}")
    turn = stage.say("hi")
    assert (turn.state.node, turn.text) == ("inside", "Come in.\n\nHere we are.")
    judged = [(one.node, one.moment) for one in facts(turn, e.Decided)]
    assert judged == [("hall", "before"), ("hall", "choice"), ("inside", "before"), ("inside", "after")]
    assert [event.node for event in facts(turn, e.WorkDone)] == ["hall", "inside"]
    (moved,) = facts(turn, e.Moved)
    assert (moved.transition, moved.because) == ("in", "they want to come in")
    (decision,) = [one for one in turn.decisions if one.moment == "choice"]
    assert [(one.id, one.outcome) for one in decision.candidates] == [("out", "unknown"), ("in", "taken")]
    assert turn.state.tools.counts == {"go_to_inside": 1}


@pytest.mark.law("2.14", "2.4")
def test_of_several_that_are_open_the_model_chooses_and_the_others_are_outranked() -> None:
    stage = hall([uses(made("write_user", set={"age": 20}), "go_to_inside"), "In."])
    turn = stage.say("hi")
    (decision,) = [one for one in turn.decisions if one.moment == "choice"]
    assert [(one.id, one.outcome) for one in decision.candidates] == [("out", "outranked"), ("in", "taken")]


@pytest.mark.law("2.14", "2.13")
def test_a_way_by_code_is_open_though_a_rule_before_it_holds_too() -> None:
    @turnwise.guard
    def is_known(user: Any) -> bool:
        return user.note is not None

    more = "{at: choice, guard: is_known, to: aside}"
    stage = hall(
        [uses(made("write_user", set={"note": "x", "age": 30})), uses("go_to_aside")], more, guards=(is_known,)
    )
    turn = stage.say("hi")
    assert stage.shown(0)[-1:] == ["go_to_inside"]
    assert set(stage.shown(1)[-3:]) == {"go_to_outside", "go_to_aside", "go_to_inside"}
    assert turn.state.node == "aside"


@pytest.mark.law("2.14")
@pytest.mark.parametrize(
    ("calls", "ran", "dropped", "node"),
    [
        (("look", "go_to_inside"), {"look": 1, "go_to_inside": 1}, [], "inside"),
        (("go_to_inside", "look", "find"), {"go_to_inside": 1}, ["look", "find"], "inside"),
        (("look", "go_to_inside", "look"), {"look": 1, "go_to_inside": 1}, ["look"], "inside"),
        (("go_to_inside", "go_to_hall"), {"go_to_inside": 1}, ["go_to_hall"], "inside"),
        (("go_to_inside", "go_to_inside"), {"go_to_inside": 1}, ["go_to_inside"], "inside"),
    ],
)
def test_earlier_calls_run_later_ones_and_a_second_choice_are_refused(
    calls: tuple[str, ...], ran: dict[str, int], dropped: list[str], node: str
) -> None:
    turn = hall([uses(*calls), "There."]).say("hi")
    assert (turn.state.node, turn.state.tools.counts) == (node, ran)
    assert [(one.tool, one.reason) for one in facts(turn, e.CallRefused)] == [(tool, "dropped") for tool in dropped]
    assert turn.state.errors == len(dropped)


@pytest.mark.law("2.14", "3.6")
@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("go_to_outside", "these are open: go_to_inside"),
        ("go_to_aside", "is not open"),
        ("go_to_ouside", "is not open"),
    ],
)
def test_a_way_that_is_not_open_is_refused_and_the_work_goes_on(call: str, told: str) -> None:
    turn = hall([uses(call), "Then stay."]).say("hi")
    (refused,) = facts(turn, e.CallRefused)
    assert (refused.reason, turn.state.node, turn.text) == ("not_open", "hall", "Then stay.")
    assert told in refused.text


@pytest.mark.law("2.14")
def test_what_a_call_before_it_changes_opens_or_closes_a_way_in_the_same_reply() -> None:
    turn = hall([uses(made("write_user", set={"age": 18}), "go_to_outside")]).say("hi")
    assert turn.text == "Outside."
    stage = hall(
        [uses(made("write_user", set={"age": 18})), uses(made("write_user", set={"age": 3}), "go_to_outside"), "No."]
    )
    turn = stage.say("hi")
    assert "go_to_outside" in stage.shown(1)
    assert [one.reason for one in facts(turn, e.CallRefused)] == ["not_open"]


@pytest.mark.law("2.14", "3.7")
def test_where_nothing_was_chosen_after_is_judged() -> None:
    turn = hall(["Hello."], "{at: after, to: aside}").say("hi")
    assert turn.state.node == "aside"


@pytest.mark.law("2.14", "4.1")
def test_a_policy_may_deny_a_way() -> None:
    flow = FLOW.replace("allow: [look, find]", "deny: [go_to_in*]").replace("MORE", "").replace("LIMITS", "")
    stage = Stage(flow, [uses("go_to_inside"), "No."], {"look": "", "find": ""})
    turn = stage.say("hi")
    assert "go_to_inside" not in stage.shown(0)
    assert turn.state.node == "hall"


@pytest.mark.law("2.14", "2.7")
def test_a_choice_that_a_limit_blocks_is_told_as_what_it_is() -> None:
    stage = hall([uses("go_to_inside"), uses("go_to_hall"), "Still here.", "Hello again."], limits="limits: {moves: 1}")
    turn = stage.say("hi")
    assert turn.state.node == "inside"
    assert [warned.code for warned in turn.warnings] == ["transition_cascade_limit", "silent_turn"]
    (_, answer) = facts(turn, e.CallAnswered)
    assert answer.result == {"success": False, "error": "the limit of 1 moves in a turn was reached"}
    assert turn.state.tools.counts == {"go_to_inside": 1}
    assert stage.say("and now?").text == "Still here."


@pytest.mark.law("2.14", "2.9")
def test_a_choice_whose_write_is_refused_moves_nowhere() -> None:
    stage = hall(
        [uses("go_to_aside", "look")], "{at: choice, set: {user.age: '\"old\"'}, to: aside}".replace('"old"', "1 / 0")
    )
    turn = stage.say("hi")
    assert (turn.state.node, turn.state.status) == ("hall", Failed("write", "user.age: a division by zero"))
    assert [one.tool for one in facts(turn, e.CallRefused)] == ["look"]


@pytest.mark.law("2.14")
@pytest.mark.parametrize("action", ["stay: true", "end: done"])
def test_a_choice_goes_to_a_node(action: str) -> None:
    (found,) = problems_of(FLOW.replace("MORE", f"- {{at: choice, {action}}}").replace("LIMITS", ""))
    assert found.startswith("TW041 a choice needs 'to'")


@pytest.mark.law("2.14")
@pytest.mark.parametrize("name", ["go_to_hall", "read_user", "write_user"])
def test_no_tool_has_the_name_of_one_that_the_flow_brings_along(name: str) -> None:
    found = problems_of(
        FLOW.replace("find: {about: find}", f"{name}: {{about: find}}, find: {{}}")
        .replace("MORE", "")
        .replace("LIMITS", "")
    )
    assert any(one.startswith(f"TW017 '{name}' is the name of a tool") for one in found)


@pytest.mark.law("2.14", "6.9")
def test_what_if_asks_for_the_choice_that_was_made() -> None:
    stage = hall([uses(made("write_user", set={"age": 20}), "go_to_outside")])
    assert stage.say("hi").outcome == "outside"
    assert stage.what_if(values={"user.age": 30}).otherwise == ()
    (other,) = stage.what_if(values={"user.age": 3}).otherwise
    assert (str(other.was), str(other.would)) == ("→ outside by out", "stayed")
    assert stage.replay()
    assert stage.rerun().difference is None
