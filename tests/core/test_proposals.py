"""A scope that is proposed waits in the state, in the frame of the node or in the outermost one (law 6.5)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from support.chats import flow_of
from turnwise.core.link import link
from turnwise.core.offers import propose
from turnwise.core.state import Fault, State, TurnState
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_state, encode_state
from turnwise.core.step import start
from turnwise.core.turn import Step, StepBuilder

FLOW = """
flow: tutor
start: talk
records: {feedback: {mood: string}}
nodes:
  talk: {say: "Hello.", transitions: [{at: before, when: "feedback.mood == 'x'", to: talk}]}
  survey:
    scope: {input: {topic: {type: string}}, returns: feedback}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
"""


def _builder(text: str = FLOW) -> StepBuilder:
    machine = link(flow_of(text))
    begun = start(machine, 0)
    assert isinstance(begun, Step)
    doing = TurnState("timer", 1, begun.state.seq, start_node="talk", base=1)
    return StepBuilder(machine, replace(begun.state, doing=doing), 1, 2)


def test_a_proposal_waits_in_the_state() -> None:
    step = _builder()
    given: dict[str, Any] = {"survey/input.topic": "German"}
    assert propose(step, "survey", "Do you have a minute?", given, "feedback") is None
    (offer,) = step.state.offers
    assert (offer.scope, offer.opener, offer.by, offer.given) == ("survey", "Do you have a minute?", "feedback", given)
    assert (offer.status, offer.frame, offer.node, offer.asked) == ("waiting", 0, "", 0)
    assert decode_state(encode_state(step.state)).offers == step.state.offers


def test_a_proposal_without_its_input_is_refused_and_changes_nothing() -> None:
    step = _builder()
    before: State = step.state
    refused = propose(step, "survey", "Do you have a minute?", {}, "feedback")
    assert isinstance(refused, Fault)
    assert refused.message == "the scope 'survey' needs the input 'topic', which has no value"
    assert step.state is before


def test_without_an_opener_a_fixed_text_asks() -> None:
    step = _builder()
    propose(step, "survey", " ", {"survey/input.topic": "German"}, "feedback")
    assert step.state.offers[0].opener == "Would you like to begin: survey?"


def test_a_proposal_replaces_an_earlier_one_of_its_scope() -> None:
    step = _builder()
    for opener in ("First?", "Second?"):
        propose(step, "survey", opener, {"survey/input.topic": "German"}, "feedback")
    assert [one.opener for one in step.state.offers] == ["Second?"]


def test_a_proposal_that_was_asked_and_not_taken_is_kept_as_passed_over() -> None:
    step = _builder()
    propose(step, "survey", "Now?", {"survey/input.topic": "German"}, "feedback")
    step.emit(e.Said("Now?", "question", (), "offer", "survey"))
    assert (step.state.offers[0].status, step.state.offers[0].asked) == ("open", 1)
    step.emit(e.OfferClosed("survey", "declined"))
    assert step.state.offers[0].status == "passed"
    assert step.state.question is None
    step.emit(e.OfferClosed("survey", "taken"))
    assert step.state.offers == ()


def test_the_end_of_a_conversation_ends_its_offers() -> None:
    step = _builder()
    propose(step, "survey", "Now?", {"survey/input.topic": "German"}, "feedback")
    step.emit(e.Ended("done"))
    assert step.state.offers == ()
