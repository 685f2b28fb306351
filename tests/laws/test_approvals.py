"""Law 4.5: several calls of one reply that need approval, by the user or by an operator, with a deadline."""

from __future__ import annotations

from typing import Any

import pytest

from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.language import language_of
from turnwise.core.language.answers import begins_with_no
from turnwise.core.state import Ended
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED
from turnwise.models.scripted import Planned

SHIP = """
    flow: depot
    start: desk
    tools:
      ship: {about: ship a crate, kind: effect, confirm: true, args: {to: string, crates: {type: integer, max: 9}, pin: {type: string, secret: true, optional: true}}}
      label: {about: print a label, kind: effect, args: {to: string}}
      stock: {about: look into the stock}
      scrap: {about: scrap a crate, kind: effect, confirm: true, approver: operator, approve_within: 10m, args: {crate: string}}
      lend: {about: lend a truck, kind: effect, confirm: true, approve_within: 10m, args: {to: string}}
    nodes:
      desk:
        prompt: Run the depot.
        tools: {allow: ['*']}
        transitions: [{at: before, when: message.text == "home", to: home}]
      home: {prompt: Home.}
"""
NAMES = ("ship", "label", "stock", "scrap", "lend")
BO, CY = made("ship", to="Bo", crates=1), made("ship", to="Cy", crates=2)
LABEL, SCRAP, LEND = made("label", to="Bo"), made("scrap", crate="7"), made("lend", to="Di")


def depot(*model: Planned, flow: str = SHIP, **more: Any) -> Stage:
    return Stage(flow, model, {name: FakeTool(f"{name} done") for name in NAMES}, **more)


def waiting(turn: Any) -> list[tuple[str, Any]]:
    return [(one.tool, next(iter(one.arguments.values()))) for one in turn.state.waiting_calls]


def results(stage: Stage) -> list[Any]:
    return [one.result for one in stage.transcript() if one.role == "tool"]


def refused(turn: Any) -> list[tuple[str, str]]:
    return [(one.tool, one.reason) for one in facts(turn, e.CallRefused)]


# held together, asked one after the other ----------------------------------------------------------


@pytest.mark.law("4.5")
def test_calls_that_need_approval_are_held_together_and_asked_one_after_the_other() -> None:
    stage = depot(uses("stock", BO, CY), "Shipped.")
    turn = stage.say("one to Bo, two to Cy")
    assert (waiting(turn), turn.state.tools.counts) == ([("ship", "Bo"), ("ship", "Cy")], {"stock": 1})
    assert [("Bo" in one.text, "Cy" in one.text) for one in turn.said] == [(True, False)]
    turn = stage.say("yes")
    assert (stage.tools["ship"].calls, waiting(turn)) == ([{"to": "Bo", "crates": 1}], [("ship", "Cy")])
    assert "Cy" in turn.said[-1].text
    assert turn.state.status.what == "button"
    assert len(stage.model.calls) == 1
    turn = stage.say("no")
    assert (turn.text, waiting(turn)) == ("Shipped.", [])
    assert results(stage) == ["stock done", "ship done", {"success": False, "error": "the user said no"}]
    assert len(stage.model.calls) == 2
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("4.5")
@pytest.mark.parametrize(
    ("said", "ran"), [("yes", ["Bo", "label", "Cy"]), ("no", ["label"])], ids=["approved", "declined"]
)
def test_what_needs_no_approval_runs_in_the_order_of_the_calls(said: str, ran: list[str]) -> None:
    order: list[str] = []
    tools = {
        "ship": FakeTool(lambda to, crates: order.append(to)),
        "label": FakeTool(lambda to: order.append("label")),
        "stock": FakeTool("full"),
    }
    stage = Stage(SHIP, [uses(BO, LABEL, CY), "Well."], tools)
    stage.say("go")
    assert order == []
    stage.say(said)
    stage.say(said)
    assert order == ran
    assert len(results(stage)) == 3


@pytest.mark.law("4.5", "3.6")
def test_a_call_behind_a_held_one_is_checked_when_its_turn_comes() -> None:
    stage = depot(uses(BO, made("label"), made("ship", to="Cy", crates=99), made("nothing"), LABEL), "Well.")
    turn = stage.say("go")
    assert waiting(turn) == [("ship", "Bo")]
    turn = stage.say("yes")
    assert refused(turn) == [("label", "arguments"), ("ship", "arguments"), ("nothing", "unknown_tool")]
    assert stage.tools["label"].calls == [{"to": "Bo"}]
    assert len(results(stage)) == 5


@pytest.mark.law("4.5", "4.1")
def test_a_sequence_lets_the_next_call_be_held_when_it_is_next() -> None:
    flow = SHIP.replace("tools: {allow: ['*']}", "tools: {sequence: [ship, lend]}")
    stage = depot(uses(BO, LEND), "Well.", flow=flow)
    assert waiting(stage.say("go")) == [("ship", "Bo")]
    assert waiting(stage.say("yes")) == [("lend", "Di")]
    stage.say("yes")
    assert stage.tools["lend"].calls == [{"to": "Di"}]


@pytest.mark.law("4.5")
def test_a_failure_of_one_does_not_lose_the_others() -> None:
    def breaks(to: str, crates: int) -> None:
        if to == "Bo":
            raise ValueError("no truck")

    stage = Stage(SHIP, [uses(BO, LABEL, CY), "Well."], {"ship": FakeTool(breaks), "label": FakeTool("printed")})
    stage.say("go")
    turn = stage.say("yes")
    assert (stage.tools["label"].calls, waiting(turn)) == ([{"to": "Bo"}], [("ship", "Cy")])
    stage.say("yes")
    assert len(stage.tools["ship"].calls) == 2


@pytest.mark.law("4.5")
def test_each_call_has_a_key_of_its_own() -> None:
    stage = depot(uses(BO, BO, LABEL), "Well.")
    stage.say("go")
    stage.say("yes")
    stage.say("yes")
    keys = [*stage.tools["ship"].keys, *stage.tools["label"].keys]
    assert len(set(keys)) == 3


@pytest.mark.law("4.5", "3.1")
def test_a_button_of_the_first_question_does_not_answer_the_second() -> None:
    stage = depot(uses(BO, CY), "Well.")
    first = stage.say("go")
    stage.choose("affirm", position=first.position)
    turn = stage.choose("affirm", position=first.position)
    assert [said.kind for said in turn.said] == ["stale_button", "consent"]
    assert len(stage.tools["ship"].calls) == 1
    assert stage.say("yes", position=first.position).refused == "stale"


@pytest.mark.law("4.5", "2.14")
def test_a_choice_waits_for_the_approval_of_an_earlier_call() -> None:
    flow = SHIP.replace("to: home}]", "to: home}, {at: choice, to: home}]")
    stage = depot(uses(BO, "go_to_home", LABEL), "Home.", flow=flow)
    assert stage.say("go").state.node == "desk"
    turn = stage.say("yes")
    assert (turn.state.node, stage.tools["ship"].calls) == ("home", [{"to": "Bo", "crates": 1}])
    assert refused(turn) == [("label", "dropped")]
    assert [one.code for one in facts(turn, e.Warned)] == ["calls_not_run"]


# a move after a call -------------------------------------------------------------------------------------

MOVING = SHIP.replace("transitions: [", "transitions: [{id: out, at: tool, when: WHEN, to: home}, ")


def moving(when: str, *model: Planned) -> Stage:
    return depot(*model, flow=MOVING.replace("WHEN", f"'{when}'"))


def warnings(turn: Any) -> list[str]:
    return [one.message for one in facts(turn, e.Warned)]


_PRINT = {to: made("label", to=to) for to in ("Bo", "Cy", "Di")}


@pytest.mark.law("3.6")
@pytest.mark.parametrize(
    ("when", "calls", "ran", "left"),
    [
        ('tools.used("label")', "Bo Cy", "label label", 0),
        ('tools.used("label")', "Bo Cy Di", "label label label", 0),
        ('tools.used("label")', "Bo stock Cy", "label stock label", 0),
        ('tools.used("label")', "Bo Cy stock", "label label", 1),
        ('tools.used("label")', "stock Bo Cy", "stock label label", 0),
        ('tools.count("label") == 1', "Bo Cy", "label label", 0),
        ('tools.ended_with(["label", "stock"])', "Bo stock Cy", "label stock", 1),
        ('tools.used("stock")', "stock Bo Cy", "stock", 2),
        ('tools.count("label") == 2', "Bo Cy Di", "label label label", 0),
    ],
)
def test_a_move_waits_for_the_other_calls_of_its_tool_and_warns_of_the_rest(
    when: str, calls: str, ran: str, left: int
) -> None:
    stage = moving(when, uses(*[_PRINT.get(name, name) for name in calls.split()]), "Home.")
    turn = stage.say("go")
    assert [one.tool for one in facts(turn, e.ToolReturned)] == ran.split()
    assert (turn.state.node, turn.text) == ("home", "Home.")
    assert len(warnings(turn)) == left
    assert refused(turn) == [(one.partition(" ")[0], "dropped") for one in warnings(turn)]
    assert all("the conversation moved to 'home'" in one for one in warnings(turn))
    assert len(results(stage)) == len(calls.split())
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("3.6", "4.5")
@pytest.mark.parametrize("second", ["yes", "no"])
def test_a_move_waits_for_a_held_call_of_its_tool_too(second: str) -> None:
    stage = moving('tools.used("ship")', uses(BO, CY, LABEL), "Home.")
    stage.say("go")
    assert stage.say("yes").state.node == "desk"
    turn = stage.say(second)
    assert (turn.state.node, len(stage.tools["ship"].calls)) == ("home", 1 + (second == "yes"))
    assert refused(turn)[-1] == ("label", "dropped")
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("3.6", "4.5")
def test_a_move_drops_a_held_call_of_another_tool_and_says_so() -> None:
    stage = moving('tools.used("stock")', uses("stock", BO), "Home.")
    turn = stage.say("go")
    assert (turn.state.node, refused(turn)) == ("home", [("ship", "dropped")])
    stage = moving('tools.used("ship")', uses(BO, LEND), "Home.")
    stage.say("go")
    turn = stage.say("yes")
    assert (turn.state.node, refused(turn), turn.said[0].text) == (
        "home",
        [("lend", "dropped")],
        "That was not done: lend a truck.",
    )


# decided by a client -----------------------------------------------------------------------------------


def ids(turn: Any) -> list[str]:
    return [one.name for one in turn.state.waiting_calls]


@pytest.mark.law("4.5")
def test_each_call_is_approved_edited_or_declined_by_itself() -> None:
    stage = depot(uses(BO, CY, LEND), "Well.")
    bo, cy, di = ids(stage.say("go"))
    turn = stage.approve(cy, arguments={"crates": 3})
    assert stage.tools["ship"].calls == [{"to": "Cy", "crates": 3}]
    assert waiting(turn) == [("ship", "Bo"), ("lend", "Di")]
    assert turn.said == ()
    turn = stage.decide(
        [e.CallDecision(bo, approve=False, reason="too far"), e.CallDecision(di, approve=True)], by="Jo"
    )
    assert (turn.text, waiting(turn), stage.tools["lend"].calls) == ("Well.", [], [{"to": "Di"}])
    assert results(stage) == [
        {"success": False, "error": "Jo said no: too far"},
        {
            "note": "the arguments were changed when it was approved",
            "arguments": {"to": "Cy", "crates": 3},
            "result": "ship done",
        },
        "lend done",
    ]
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("4.5")
@pytest.mark.parametrize("approve", [True, False])
def test_all_that_wait_are_decided_at_once(approve: bool) -> None:
    stage = depot(uses(BO, LABEL, CY), "Well.")
    stage.say("go")
    turn = stage.approve() if approve else stage.decline()
    assert (turn.text, waiting(turn)) == ("Well.", [])
    assert len(stage.tools["ship"].calls) == 2 * approve
    assert len(stage.tools["label"].calls) == 1
    assert len(stage.model.calls) == 2


@pytest.mark.law("4.5")
@pytest.mark.parametrize(
    ("decisions", "code"),
    [
        ([], "arguments"),
        ([("9-9-9", {})], "unknown_call"),
        ([("", {})], "unknown_call"),
        ([(0, {}), (0, {})], "arguments"),
        ([(0, {}), ("9-9-9", {})], "unknown_call"),
        ([(0, {"crates": 10})], "arguments"),
        ([(0, {"crates": "many"})], "arguments"),
        ([(0, {"color": "red"})], "arguments"),
        ([(0, {"to": None})], "arguments"),
    ],
)
def test_a_wrong_decision_is_refused_and_none_counts(decisions: list[tuple[Any, Any]], code: str) -> None:
    stage = depot(uses(BO, CY))
    names = ids(stage.say("go"))
    found = [e.CallDecision(names[n] if isinstance(n, int) else n, True, given) for n, given in decisions]
    turn = stage.decide(found)
    assert (turn.refused, waiting(stage.turn())) == (code, [("ship", "Bo"), ("ship", "Cy")])
    assert not stage.tools["ship"].calls


@pytest.mark.law("4.5")
def test_of_two_people_who_decide_at_once_the_first_counts() -> None:
    stage = depot(uses(BO), "Shipped.")
    (bo,) = ids(stage.say("go"))
    assert stage.decline(bo, reason="not today").refused is None
    assert stage.approve(bo).refused == "unknown_call"
    assert not stage.tools["ship"].calls


@pytest.mark.law("4.5")
def test_a_secret_stays_as_it_is_if_it_comes_back_hidden() -> None:
    stage = depot(uses(made("ship", to="Bo", crates=1, pin="4711")), "Well.")
    (bo,) = ids(stage.say("go"))
    stage.approve(bo, arguments={"pin": REDACTED, "crates": 2})
    assert stage.tools["ship"].calls == [{"to": "Bo", "crates": 2, "pin": "4711"}]
    assert "4711" not in str(stage.transcript())


# an operator ---------------------------------------------------------------------------------------------


@pytest.mark.law("4.5")
def test_an_operator_decides_what_is_theirs_and_the_user_what_is_not() -> None:
    stage = depot(uses(SCRAP, BO), "Well.")
    turn = stage.say("scrap 7, ship to Bo")
    scrap, bo = ids(turn)
    assert ["colleague" in one.text for one in turn.said] == [True, False]
    assert "Bo" in turn.said[-1].text
    assert stage.approve(scrap).refused == "approver"
    assert stage.approve(bo, operator="Lena").refused == "approver"
    turn = stage.say("yes")
    assert (stage.tools["ship"].calls, stage.tools["scrap"].calls) == ([{"to": "Bo", "crates": 1}], [])
    assert turn.state.status.what == "approval"
    turn = stage.approve(operator="Lena")
    assert (turn.text, stage.tools["scrap"].calls) == ("Well.", [{"crate": "7"}])
    (approved,) = facts(turn, e.CallApproved)
    assert (approved.by, approved.approver) == ("Lena", "operator")


@pytest.mark.law("4.5")
def test_an_operator_may_decline_what_the_user_approves() -> None:
    stage = depot(uses(BO, CY), "Well.")
    bo, _ = ids(stage.say("go"))
    turn = stage.decline(bo, operator="Lena")
    assert (waiting(turn), "Cy" in turn.text) == ([("ship", "Cy")], True)


@pytest.mark.law("4.5")
@pytest.mark.parametrize("said", ["yes", "no", "Yes, please.", "how long does it take?"])
def test_no_message_of_the_user_decides_what_an_operator_decides(said: str) -> None:
    stage = depot(uses(SCRAP), "It waits for a colleague.", "Scrapped.")
    stage.say("scrap 7")
    turn = stage.say(said)
    assert (turn.text, waiting(turn)) == ("It waits for a colleague.", [("scrap", "7")])
    assert results(stage)[0]["error"] == "it waits for approval: it has not been run yet"
    assert stage.approve(operator="Lena").text == "Scrapped."
    assert results(stage) == ["scrap done"]


@pytest.mark.law("4.5")
def test_the_same_call_is_not_held_twice() -> None:
    stage = depot(uses(SCRAP), uses(SCRAP), "It waits.", uses(made("scrap", crate="8")), "Both wait.")
    stage.say("scrap 7")
    turn = stage.say("now!")
    assert (refused(turn), waiting(turn), turn.text) == ([("scrap", "waiting")], [("scrap", "7")], "It waits.")
    assert waiting(stage.say("and 8")) == [("scrap", "7"), ("scrap", "8")]


# a deadline ----------------------------------------------------------------------------------------------


def late(stage: Stage, minutes: int) -> int:
    stage.clock.move_s(minutes * 60)
    return stage.tick()


@pytest.mark.law("4.5", "6.7")
def test_after_its_deadline_a_call_is_declined_and_user_and_model_are_told() -> None:
    stage = depot(uses(LEND, LABEL, BO), "And now?")
    stage.say("go")
    assert late(stage, 9) == 0
    assert late(stage, 1) == 1
    turn = stage.turn()
    assert refused(turn) == [("lend", "expired")]
    assert turn.said[0].text == "Nobody approved it in time, so it was not done: lend a truck."
    assert (stage.tools["label"].calls, waiting(turn)) == ([{"to": "Bo"}], [("ship", "Bo")])
    assert "Bo" in turn.said[-1].text
    assert turn.state.timers == ()
    stage.say("no", position=turn.state.seq)
    assert not stage.tools["lend"].calls
    assert results(stage)[0]["error"] == "not run: nobody approved it in time"


@pytest.mark.law("4.5")
def test_a_deadline_calls_no_model_and_the_next_message_does() -> None:
    stage = depot(uses(LEND), "Nobody said yes.")
    stage.say("go")
    late(stage, 10)
    assert (len(stage.model.calls), stage.turn().state.status.what) == (1, "message")
    assert stage.say("well?").text == "Nobody said yes."


@pytest.mark.law("4.5")
@pytest.mark.parametrize("way", ["yes", "button", "approve"])
def test_a_yes_after_the_deadline_runs_nothing_though_no_timer_fired(way: str) -> None:
    stage = depot(uses(LEND, BO), "Well.", "Well.")
    (lend, _), asked = ids(turn := stage.say("go")), turn.position
    stage.clock.move_s(660)
    if way == "yes":
        stage.say("yes")
    elif way == "button":
        stage.choose("affirm", position=asked)
    else:
        stage.approve(lend)
    assert not stage.tools["lend"].calls
    assert not stage.tools["ship"].calls
    assert waiting(stage.turn()) == [("ship", "Bo")]


@pytest.mark.law("4.5")
def test_a_lapsed_last_call_leaves_the_message_to_the_model() -> None:
    stage = depot(uses(LEND), "It was too late.")
    stage.say("go")
    stage.clock.move_s(660)
    turn = stage.say("yes")
    assert [one.text for one in turn.said] == [
        "Nobody approved it in time, so it was not done: lend a truck.",
        "It was too late.",
    ]


@pytest.mark.law("4.5", "3.9")
def test_a_lapsed_call_of_a_node_is_a_failure_of_kind_refused() -> None:
    flow = SHIP.replace(
        "home: {prompt: Home.}",
        'home: {tool: {name: lend, with: {to: \'"Di"\'}}, transitions: [{at: error, when: error.kind == "refused", to: over}]}\n      over: {say: Over., end: over}',
    )
    stage = depot(flow=flow)
    stage.say("home")
    late(stage, 10)
    assert (stage.turn().state.status, stage.turn().text.splitlines()[-1]) == (Ended("over"), "Over.")


# what comes between ------------------------------------------------------------------------------------------


@pytest.mark.law("4.5", "3.6")
def test_leaving_the_node_drops_all_and_says_so_to_user_model_and_operators() -> None:
    stage = depot(uses(BO, LABEL, SCRAP), "Home.")
    stage.say("go")
    turn = stage.say("home")
    assert sorted(refused(turn)) == [("label", "dropped"), ("scrap", "dropped"), ("ship", "dropped")]
    assert waiting(turn) == []
    assert "That was not done: ship a crate." in turn.text
    warned = [one.message for one in facts(turn, e.Warned) if one.code == "calls_not_run"]
    assert any("ship" in one and '"to":"Bo"' in one for one in warned)
    assert len(warned) == 3
    assert len(results(stage)) == 3
    stage.say("yes")
    assert not stage.tools["ship"].calls


@pytest.mark.law("4.5", "6.9")
def test_an_undo_brings_back_what_has_not_been_done_since() -> None:
    stage = depot(uses(BO, LABEL, CY), "Well.", "Again.")
    stage.say("go")
    stage.say("yes")
    turn = stage.undo()
    assert turn.events
    assert waiting(turn) == [("ship", "Cy")]
    assert "Cy" in turn.said[-1].text
    stage.say("yes")
    assert [one["to"] for one in stage.tools["ship"].calls] == ["Bo", "Cy"]
    assert len(stage.tools["label"].calls) == 1
    assert stage.replay()


@pytest.mark.law("4.5", "6.9")
def test_an_undo_of_the_reply_takes_the_held_calls_back_and_that_of_a_lapse_gives_time_again() -> None:
    stage = depot("Hello.", uses(LEND), "Hm.")
    stage.say("hi")
    stage.say("go")
    assert waiting(stage.undo()) == []
    stage = depot("Hello.", uses(LEND), "Hm.")
    stage.say("hi")
    stage.say("go")
    late(stage, 12)
    turn = stage.undo(to=2)
    assert waiting(turn) == [("lend", "Di")]
    assert late(stage, 9) == 0
    stage.say("yes")
    assert stage.tools["lend"].calls == [{"to": "Di"}]


@pytest.mark.law("4.5", "6.9")
def test_a_copy_runs_no_effect_that_was_held() -> None:
    stage = depot(uses(BO, LABEL, "stock", SCRAP), "Well.")
    stage.say("go")
    stage.fork("copy")
    copy = stage.on("copy")
    copy.say("yes")
    turn = copy.approve(operator="Lena")
    assert not [one for one in stage.tools.values() if one.calls and one is not stage.tools["stock"]]
    assert stage.tools["stock"].calls
    assert turn.text == "Well."


@pytest.mark.law("4.5", "6.10")
def test_while_a_person_is_in_charge_an_approved_call_runs_and_no_model_speaks() -> None:
    stage = depot(uses(SCRAP), "Scrapped.")
    stage.say("scrap 7")
    stage.take_over("Lena")
    turn = stage.approve(operator="Lena")
    assert (stage.tools["scrap"].calls, turn.text) == ([{"crate": "7"}], "")
    assert stage.give_back().text == "Scrapped."


@pytest.mark.law("4.5", "2.9")
def test_affirm_as_a_command_answers_the_question_that_is_open() -> None:
    stage = depot(uses(BO, CY), "Well.")
    stage.say("go")
    stage.commands([c.Affirm()])
    stage.commands([c.Deny()])
    assert stage.tools["ship"].calls == [{"to": "Bo", "crates": 1}]


# as many as may be ---------------------------------------------------------------------------------


def shipments(count: int) -> Planned:
    return uses(*[made("ship", to=f"P{number}", crates=1) for number in range(count)])


@pytest.mark.law("4.5", "3.6")
def test_more_calls_than_may_wait_are_not_run_and_the_turn_does_not_fail() -> None:
    stage = depot(shipments(40), shipments(40), "Well.", *["Shipped."] * 9)
    turn = stage.say("ship them")
    assert turn.state.status.what == "button"
    assert turn.text.count("Shall I do this") == 1
    assert [one.arguments["to"] for one in turn.state.waiting_calls] == [f"P{number}" for number in range(24)]
    assert [one.code for one in turn.warnings] == ["calls_not_run"] * 16
    assert set(refused(turn)) == {("ship", "dropped")}
    turn = stage.say("try again")
    assert (turn.said[0].text, len(turn.state.waiting_calls), turn.state.status.what) == ("Well.", 24, "button")
    assert turn.said[-1].text.startswith("Shall I do this: ship a crate?\n- to: P0")
    assert "tool_calls" in str(stage.transcript()[-1].result)
    for _ in range(24):
        turn = stage.say("yes")
    assert [one["to"] for one in stage.tools["ship"].calls] == [f"P{number}" for number in range(24)]
    assert stage.rerun().agrees


@pytest.mark.law("4.5", "3.9")
@pytest.mark.parametrize(
    ("reply", "count"), [(BO, 20), (made("stock"), 30), ("stock", 12)], ids=["the same", "another", "as many as may be"]
)
def test_a_turn_that_asks_for_approval_does_not_fail_at_a_limit(reply: Any, count: int) -> None:
    stage = depot(uses(BO), *[uses(reply, reply)] * count, "Shipped.")
    stage.say("one to Bo")
    turn = stage.say("is that all?")
    assert turn.state.status.what == "button"
    assert "went wrong" not in turn.text
    assert turn.said[-1].text.startswith("Shall I do this: ship a crate?")
    assert len(turn.state.waiting_calls) == 1
    stage.say("yes")
    assert stage.tools["ship"].calls == [{"to": "Bo", "crates": 1}]


# a no with something behind it -----------------------------------------------------------------------


@pytest.mark.law("4.5", "5.5")
@pytest.mark.parametrize(
    ("language", "message", "is_no"),
    [
        ("en", "nope, 6", True),
        ("en", "no, to Eve", True),
        ("en", "no, not to Bo", True),
        ("en", "no. Make it 6", True),
        ("en", "no, go ahead", False),
        ("en", "no, 6 is right", False),
        ("en", "no, what does it cost?", False),
        ("en", "no problem", False),
        ("en", "not sure, 6", False),
        ("en", "6", False),
        ("de", "nein, an Eva", True),
        ("de", "nö, 6", True),
        ("de", "nein, mach ruhig, ja", False),
        ("de", "nein, was kostet das?", False),
        ("de", "kein Problem", False),
    ],
)
def test_a_no_with_something_behind_it_declines_unless_that_says_yes(language: str, message: str, is_no: bool) -> None:
    assert begins_with_no(language_of(language), message) is is_no


@pytest.mark.law("4.5")
def test_a_no_with_a_value_declines_the_call_of_a_model() -> None:
    stage = depot(uses(BO, CY), "To whom?", "Fine.")
    stage.say("one to Bo, two to Cy")
    turn = stage.say("no, not to Bo")
    assert refused(turn) == [("ship", "declined")]
    assert waiting(turn) == [("ship", "Cy")]
    stage.say("yes")
    assert stage.tools["ship"].calls == [{"to": "Cy", "crates": 2}]
