"""Why about the moment `calls`: that its judging waits, what it decided and on what, and how to get there."""

from __future__ import annotations

import turnwise as tw
from support.chats import flow_of
from support.tools import FakeTool, Stage, made, uses
from support.why_cases import every

FLOW = """
    flow: pizzeria
    start: order
    records: {offer: {price: number}}
    tools:
      note: {about: note a pizza, kind: effect, args: {sort: string, size: {type: integer, min: 20}}}
      bill: {about: write the bill, kind: effect}
      pay: {about: pay, kind: effect, confirm: true}
      quote: {about: ask for a price, into: offer}
    nodes:
      order:
        prompt: Take the order.
        tools: {allow: ['*']}
        transitions:
          - {id: noted, at: calls, when: tools.used("note"), to: confirm, because: the order is noted}
          - {id: dear, at: calls, when: offer.price > 100, to: dear}
          - {id: paid, at: calls, when: tools.used("pay"), to: paid}
      confirm: {prompt: Read it back.}
      dear: {say: It is dear., end: dear}
      paid: {say: Thanks., end: paid}
"""
NOTE = made("note", sort="cheese", size=30)


def pizzeria(*calls: object) -> Stage:
    tools = {name: FakeTool("done") for name in ("note", "bill", "pay")} | {"quote": FakeTool({"price": 120})}
    stage = Stage(FLOW, [uses(*calls), "Well.", "Well."], tools)  # type: ignore[arg-type]
    stage.say("go")
    return stage


def lines(stage: Stage, question: str, turn: int | None = None) -> dict[str, str]:
    return {fact.kind: fact.text for fact in reversed(every(stage.why(question, turn=turn)))}


def test_a_move_after_all_calls_names_its_condition_and_the_call() -> None:
    found = lines(pizzeria(NOTE, "bill"), "node confirm")
    assert "the order is noted" in found["node_left"]
    assert found["tool_returned"].startswith("note returned")


def test_a_transition_that_was_outranked_says_by_which() -> None:
    found = lines(pizzeria(NOTE, "quote"), "transition dear")
    assert "outranked" in found


def test_a_judging_that_waits_for_an_approval_says_so() -> None:
    stage = pizzeria(NOTE, "pay")
    found = lines(stage, "transition noted")
    assert found["judging_planned"] == (
        "the transitions at `calls` of order are judged when all calls of the reply have their results"
    )
    assert "not judged" in str(stage.why("transition noted"))


def test_a_transition_that_no_reply_with_calls_reached_says_when_it_is_judged() -> None:
    stage = Stage(FLOW, ["Hello."], {})
    stage.say("hi")
    assert "when all calls of a reply of the model have their results" in str(stage.why("transition noted"))


def test_ways_lead_through_calls_of_the_model_with_arguments_that_the_tool_takes() -> None:
    chat = tw.open_sync(flow_of(FLOW)).chat("a")
    chat.start()
    assert "the model calls note" in chat.ways_to("confirm").line
    assert "the model calls quote, quote returns price = 101" in chat.ways_to("dear").line
    paid = chat.ways_to("paid").line
    assert "the model calls pay" in paid
    assert paid.startswith("say anything, then press “Yes”"), paid
