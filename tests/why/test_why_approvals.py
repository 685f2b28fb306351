"""Why about calls that wait for approval: why they wait, who decided, when, and why they were not run."""

from __future__ import annotations

from typing import Any

from support.tools import FakeTool, Stage, made, uses
from support.why_cases import every
from turnwise.core.state import events as e

FLOW = """
    flow: depot
    start: desk
    tools:
      ship: {about: ship a crate, kind: effect, confirm: true, args: {to: string, pin: {type: string, secret: true, optional: true}}}
      label: {about: print a label, kind: effect, args: {to: string}}
      scrap: {about: scrap a crate, kind: effect, confirm: true, approver: operator, approve_within: 10m, args: {crate: string}}
    nodes:
      desk: {prompt: Run the depot., tools: {allow: ['*']}, transitions: [{id: labelled, at: tool, when: 'tools.count("label") > 0', to: home}]}
      home: {prompt: Home.}
"""


def depot(*calls: Any) -> Stage:
    tools = {name: FakeTool("done") for name in ("ship", "label", "scrap")}
    stage = Stage(FLOW, [uses(*calls), "Well.", "Well."], tools)
    stage.say("go")
    return stage


def lines(stage: Stage, question: str, turn: int | None = None) -> dict[str, str]:
    return {fact.kind: fact.text for fact in reversed(every(stage.why(question, turn=turn)))}


SHIP, SCRAP = made("ship", to="Bo", pin="4711"), made("scrap", crate="7")


def test_a_call_that_waits_says_for_whom_and_until_when() -> None:
    stage = depot(SHIP, SCRAP)
    ship, scrap = stage.state().waiting_calls
    assert lines(stage, f"call {ship.name}")["call_still_awaits"].startswith("the call of ship waits for the user's")
    found = lines(stage, f"call {scrap.name}")
    assert found["call_still_awaits"].startswith("the call of scrap waits for the operator's")
    assert "by an operator until 2026-01-09 12:10" in found["call_awaits_approval"]


def test_an_approved_call_says_by_whom_and_with_what() -> None:
    stage = depot(SHIP, SCRAP)
    ship, scrap = stage.state().waiting_calls
    stage.approve(scrap.name, arguments={"crate": "8"}, operator="Lena")
    found = lines(stage, f"call {scrap.name}", 2)
    assert found["call_approved"] == "Lena approved the call of scrap, with crate = 8, which were changed"
    assert found["calls_decided"].startswith("Lena decided about calls that wait")
    stage.decline(ship.name, reason="too far")
    declined = lines(stage, f"call {ship.name}", 3)["call_refused"]
    assert declined.startswith("the call of ship was refused (declined)")
    assert "the user said no: too far" in declined
    assert "4711" not in str(stage.why(f"call {ship.name}"))


def test_a_call_that_nobody_approved_says_so() -> None:
    stage = depot(SCRAP)
    (scrap,) = stage.state().waiting_calls
    stage.clock.move_s(600)
    stage.tick()
    found = lines(stage, f"call {scrap.name}", 2)
    assert "refused (expired)" in found["call_refused"]
    assert "timer_fired" in found


def test_a_call_behind_another_and_a_move_behind_a_call_say_what_they_wait_for() -> None:
    stage = depot(SHIP, made("label", to="Bo"), made("label", to="Cy"))
    (queued, _) = [one.event for one in stage.journal() if isinstance(one.event, e.CallQueued)]
    assert "an earlier call of the same reply" in lines(stage, f"call {queued.call}")["call_queued"]
    turn = stage.say("yes")
    assert turn.state.node == "home"
    assert "other calls of label" in lines(stage, "transition labelled")["move_put_off"]


def test_calls_that_a_move_makes_impossible_say_which_move() -> None:
    stage = depot(made("label", to="Bo"), SHIP)
    found = lines(stage, "tool ship")
    assert "the conversation moved to 'home' before its turn came" in found["call_refused"]


def test_a_message_that_is_neither_yes_nor_no_says_that_nothing_was_decided() -> None:
    stage = depot(SHIP)
    stage.say("yes, is it far?")
    (ship,) = stage.state().waiting_calls
    found = lines(stage, f"call {ship.name}", 2)
    assert found["approval_unclear"].startswith("ship was neither approved nor declined")
    assert "call_still_awaits" in found or "call_awaits_approval" in found
