"""Offers over processes, copies, versions and turns of the machine; their answers by a model, and what a program sees
(laws 6.5, 7.1a).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.chats import OneSyncChat, flow_of, machine_of, problems_of, scripted_chat
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.commands.assent import objection_to_yes
from turnwise.core.migration import Renaming
from turnwise.core.offers import propose
from turnwise.core.offers.asking import end_turn
from turnwise.core.state import TurnState
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.step import start
from turnwise.core.turn import Step, StepBuilder

pytestmark = pytest.mark.law("6.5")

FLOW = """
flow: tutor
start: talk
version: 1
records: {feedback: {mood: {type: choice, options: [good, bad]}}, u: {topic: {type: string, default: verbs}, pin: {type: string, secret: true}}}
nodes:
  talk:
    say: Hello.
    offer: {scope: survey, opener: "Do you have a minute?", with: {topic: u.topic}}
    transitions:
      - {id: remind, at: timer, in: 10m, stay: true, say: Are you there?}
      - {id: call, at: timer, in: 20m, call: quiz}
      - {id: on, at: before, when: 'message.text == "on"', to: rest}
  rest: {say: Rest., transitions: [{id: back, at: before, when: 'message.text == "back"', to: talk}]}
  survey:
    title: feedback
    scope: {input: {topic: {type: string}}, returns: feedback, summary: "Mood: {{ feedback.mood }}"}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
  quiz: {scope: {start: one, nodes: {one: {say: "Ready?", transitions: [{at: before, when: 'message.text == "done"', return: true}]}}}}
"""

OFFER = 'offer: {scope: survey, opener: "Do you have a minute?", with: {topic: u.topic}}'


def stands(chat: tw.SyncChat) -> list[tuple[str, str]]:
    return [(one.scope, one.status) for one in chat.state().offers]


def test_a_program_sees_the_open_offer_with_its_buttons() -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        turn = chat.start()
        offer = turn.offer
        assert offer is not None
        assert (offer.scope, offer.title, offer.opener, offer.by) == (
            "survey",
            "feedback",
            "Do you have a minute?",
            "node",
        )
        assert [(one.label, one.value) for one in offer.buttons] == [("Yes", "yes"), ("No", "no")]
        assert (offer.buttons, offer.position) == (turn.buttons, turn.position)
        assert chat.say("hm").offer is None


def test_an_offer_stays_open_over_a_restart_and_a_copy(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'x.db'}"
    with OneSyncChat(flow_of(FLOW), store=address) as chat:
        chat.start()
    with OneSyncChat(flow_of(FLOW), store=address) as chat:
        assert stands(chat) == [("survey", "open")]
        copy = chat.fork("copy")
        read = chat.app.import_(chat.export(), "read")
        for one in (chat, copy, read):
            assert one.say("sure").text == "How was verbs?"
            assert one.frames()[-1].by == "offer"
            assert one.replay()


def test_a_program_answers_by_commands() -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.start()
        assert chat.commands([c.Deny()]).text == ""
        assert stands(chat) == [("survey", "passed")]
        assert chat.commands([c.Start(target="survey")]).text == "How was verbs?"
        assert chat.state().offers == ()


def test_the_button_of_an_offer_that_lapsed_is_stale() -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        offer = chat.start().offer
        assert offer is not None
        chat.say("hm")
        turn = chat.choose("yes", position=offer.position)
        assert [one.code for one in turn.warnings] == ["stale_button"]
        assert len(turn.state.frames) == 1


def test_a_reminder_leaves_it_open_and_repeats_its_buttons() -> None:
    clock = tw.ManualClock()
    with OneSyncChat(flow_of(FLOW), clock=clock) as chat:
        chat.start()
        clock.move_s(600)
        reminded = chat.fire("remind")
        assert reminded.text == "Are you there?"
        assert [one.label for one in reminded.buttons] == ["Yes", "No"]
        assert stands(chat) == [("survey", "open")]
        assert chat.say("yes").text == "How was verbs?"


def test_another_scope_that_is_opened_lets_it_lapse() -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.start()
        turn = chat.fire("call")
        assert [one.because for one in turn.events if isinstance(one, e.OfferClosed)] == ["scope"]
        assert chat.say("yes").state.frame.scope is not None
        assert chat.state().node == "quiz/one"


def test_leaving_its_node_lets_it_lapse_and_a_new_visit_makes_it_again() -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.start()
        chat.say("on")
        assert stands(chat) == [("survey", "passed")]
        chat.say("back")
        assert stands(chat) == [("survey", "open")]


def test_an_opening_that_fails_is_no_taken_offer() -> None:
    with scripted_chat(flow_of(FLOW.replace("version: 1", "limits: {frames: 1}"))) as chat:
        turn = chat.start()
        assert turn.offer is None
        assert stands(chat) == [("survey", "waiting")]


def test_what_is_offered_waits_behind_another_offer() -> None:
    machine = machine_of(FLOW.replace(f"    {OFFER}\n", "").replace("    title: feedback\n", ""))
    begun = start(machine, 0)
    assert isinstance(begun, Step)
    doing = TurnState("timer", 1, begun.state.seq, start_node="talk", base=1)
    step = StepBuilder(machine, replace(begun.state, doing=doing), 1, 2)
    assert propose(step, "survey", "A minute?", {"survey/input.topic": "verbs"}, "tuesday") is None
    assert propose(step, "quiz", "A quiz?", {}, "friday") is None
    assert end_turn(step) is None
    assert [(one.scope, one.status) for one in step.state.offers] == [("survey", "open"), ("quiz", "waiting")]
    step.emit(e.OfferClosed("survey", "declined"))
    assert end_turn(step) is None
    assert [(one.scope, one.status) for one in step.state.offers] == [("survey", "passed"), ("quiz", "open")]


NOW = "version: 2"
VERSIONS = [
    ("the same", FLOW, Renaming(), [("survey", "open")]),
    ("renamed", FLOW.replace("survey", "poll"), Renaming(nodes={"survey": "poll"}), [("poll", "open")]),
    ("without the input", FLOW.replace("topic: {type: string}}, returns", "other: {type: string, default: nouns}}, returns").replace("topic: u.topic}", "other: u.topic}").replace("input.topic", "input.other"), Renaming(), []),
    ("without the scope", FLOW.replace("survey", "poll"), Renaming(), []),
]  # fmt: skip


@pytest.mark.law("6.8")
@pytest.mark.parametrize(("name", "flow", "renaming", "kept"), VERSIONS, ids=[one[0] for one in VERSIONS])
def test_a_migration_keeps_the_offers_whose_scope_can_be_opened(
    tmp_path: Path, name: str, flow: str, renaming: Renaming, kept: Any
) -> None:
    address = f"sqlite:///{tmp_path / 'x.db'}"
    with OneSyncChat(flow_of(FLOW), store=address) as chat:
        chat.start()
    with OneSyncChat(flow_of(flow.replace("version: 1", NOW)), store=address) as chat:
        assert chat.migrate(renaming).moved == 1
        assert stands(chat) == kept
        question = chat.state().question
        assert (question.field if question is not None else "") == (kept[0][0] if kept else "")
        assert (chat.say("yes").text == "How was verbs?") is bool(kept)
        assert chat.replay()


def test_words_of_an_offer_inside_a_scope_are_erased_with_it() -> None:
    inner = """
    flow: f
    start: a
    nodes:
      a:
        scope:
          keep: 0d
          start: one
          nodes:
            one:
              say: One.
              offer: {scope: two, opener: "My dog too?"}
              transitions: [{at: before, when: 'message.text == "done"', return: true}]
            two: {scope: {start: x, nodes: {x: {say: X., transitions: [{at: before, when: 'message.text == "up"', return: true}]}}}}
        transitions: [{to: b}]
      b: {say: B., transitions: [{at: before, when: 'message.text == "never"', to: a}]}
    """
    with scripted_chat(flow_of(inner)) as chat:
        assert "My dog too?" in chat.start().text
        chat.say("done")
        assert chat.state().node == "b"
        assert chat.state().offers == ()
        assert "dog" not in str(chat.journal())
        assert chat.replay()


def test_a_secret_input_is_hidden() -> None:
    flow = FLOW.replace("input: {topic: {type: string}}", "input: {topic: {type: string, secret: true}}")
    flow = flow.replace("with: {topic: u.topic}", "with: {topic: \"'kiwi123'\"}").replace("{{ input.topic }}", "it")
    with scripted_chat(flow_of(flow)) as chat:
        chat.start()
        assert "kiwi123" not in str([fact.values for fact in chat.why("survey").facts])
        assert "kiwi123" not in str(chat.why("turn 1"))


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(
    ("message", "quoted", "others", "objection"),
    [
        ("I would love to, you know", "I would love to", (), ""),
        ("sure, but quickly", "sure", (), "no_plain_yes"),
        ("yes, but what does it cost?", "yes", (c.Ask(text="what does it cost?"),), "beside_question"),
        ("Yes. What does it cost?", "Yes", (c.Ask(text="What does it cost?"),), "beside_question"),
        ("ok, and my topic is nouns", "ok", (c.Set(value="nouns", field="u.topic"),), "no_plain_yes"),
        ("yes, or no", "yes", (c.Deny(),), "contradicted"),
    ],
)
def test_a_yes_that_a_model_understood_counts_only_if_the_message_says_it(
    message: str, quoted: str, others: Any, objection: str
) -> None:
    at = message.index(quoted)
    allowed = AllowedInput("en", "UTC", 0, commands=("affirm", "deny"), question="offer")
    assert objection_to_yes(quoted, (at, at + len(quoted)), others, message, allowed) == objection


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        ("sure", True), ("Sure!", True), ("yes, I have a minute", True), ("ok let's start", True), ("why not", True),
        ("with pleasure", True), ("no thanks", False), ("not now", False), ("maybe later", False), ("later", False),
        ("sorry, I have no time right now", False), ("I'm busy", False), ("another time", False),
        ("what is a verb?", None), ("maybe", None), ("yes but no", None), ("verbs", None), ("a minute", None),
    ],
)  # fmt: skip
def test_what_is_a_yes_and_what_a_no(text: str, is_taken: bool | None) -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.start()
        turn = chat.say(text)
        closed = [one.outcome for one in turn.events if isinstance(one, e.OfferClosed)]
        assert (closed == ["taken"]) is (is_taken is True), closed
        assert (closed == ["declined"]) is (is_taken is False), closed


@pytest.mark.parametrize(
    ("text", "is_asked_again"),
    [
        ("yes, but what does it cost?", True), ("yes but what does it cost?", True), ("sure but only later", True),
        ("ok but why?", True), ("what does it cost?", False), ("but is it long?", False), ("yes butter", False),
    ],
)  # fmt: skip
def test_a_yes_with_a_condition_is_asked_once_more_with_or_without_a_comma(text: str, is_asked_again: bool) -> None:
    with scripted_chat(flow_of(FLOW)) as chat:
        chat.start()
        turn = chat.say(text)
        assert (turn.offer is not None) is is_asked_again
        assert not [one for one in turn.events if isinstance(one, e.OfferClosed) and one.outcome == "taken"]


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        ("gerne", True), ("ja, habe ich", True), ("klar, fangen wir an", True), ("nein danke", False),
        ("jetzt nicht", False), ("später vielleicht", False), ("keine Zeit", False), ("was kostet das?", None),
    ],
)  # fmt: skip
def test_yes_and_no_in_german(text: str, is_taken: bool | None) -> None:
    flow = FLOW.replace("version: 1", "language: de").replace("Do you have a minute?", "Haben Sie eine Minute?")
    with scripted_chat(flow_of(flow)) as chat:
        assert [one.label for one in chat.start().buttons] == ["Ja", "Nein"]
        closed = [one.outcome for one in chat.say(text).events if isinstance(one, e.OfferClosed)]
        assert (closed == ["taken"]) is (is_taken is True), closed
        assert (closed == ["declined"]) is (is_taken is False), closed


@pytest.mark.parametrize(
    ("offer", "problem"),
    [
        (
            "offer: {scope: survy}",
            "TW105 no node is called 'survy', so there is nothing to open did you mean 'survey'?",
        ),
        ("offer: {scope: rest}", "TW105 the node 'rest' has no scope, so there is nothing to open"),
        ("offer: {scope: one}", "TW105 no node is called 'one', so there is nothing to open"),
        ("offer: {scope: survey}", "TW105 the scope of 'survey' needs the input 'topic' give it under 'with'"),
        (
            "offer: {scope: survey, with: {topic: u.topic, size: 3}}",
            "TW105 the scope of 'survey' takes no input 'size' known: topic",
        ),
        (
            "offer: {scope: quiz, wording: model}",
            "TW105 no model speaks at 'talk' that could word the offer give the node a prompt, or leave 'wording' out",
        ),
        ("offer: {scope: quiz, opener: '{{ u.size }}'}", "TW031"),
    ],
)
def test_an_offer_that_cannot_be_made_as_the_flow_says(offer: str, problem: str) -> None:
    found = problems_of(FLOW.replace(OFFER, offer))
    assert any(one.startswith(problem) for one in found), found
