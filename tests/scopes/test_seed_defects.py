"""The defects of the system that seed 003 describes, each shown to be absent; and its router (laws 6.1 to 6.3)."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.crossed import by_rules
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.models.scripted import call

pytestmark = pytest.mark.law("6.1", "6.2", "6.3")

TUTOR = """
    flow: tutor
    start: door
    commands: [cancel]
    records:
      user: {name: string, language: string}
      feedback: {text: string}
    tools:
      save: {about: save the profile, kind: effect, args: {name: string}}
      look: {about: look a word up}
    nodes:
      door: {transitions: [{id: unknown, when: "!has(user.name)", to: onboarding}, {id: known, to: chat}]}
      onboarding:
        scope:
          returns: user
          summary: "{{ user.name }} learns {{ user.language }}."
          start: ask
          nodes:
            ask: {form: {fields: [{field: user.name, ask: Your name?}, {field: user.language, ask: Which language?}]}, transitions: [{to: keep}]}
            keep: {tool: {name: save, with: {name: user.name}}, transitions: [{return: true}]}
        transitions: [{when: scope.outcome == "completed", to: chat}, {to: later}]
      later: {say: We will do that later., transitions: [{id: again, at: before, when: message.text == "go on", to: onboarding}]}
      chat: {prompt: You are Maya., tools: {allow: [startFeedback, look]}}
      talk_about_it:
        description: ask for feedback
        prompt: You ask for feedback.
        tools: {allow: [look]}
        scope: {tool: startFeedback, inherits: [user, message], returns: feedback, summary: "Feedback: {{ feedback.text }}", limits: {turns: 4, idle: 30m}}
"""


def tutor(*replies: Any, save: Any = "saved", known: bool = True) -> Stage:
    stage = Stage(TUTOR, replies, {"save": FakeTool(save), "look": FakeTool("a word")})
    stage.app.runtime.performer.understand = by_rules
    if known:
        stage.commands([c.Set(field="user.name", value="Max"), c.Set(field="user.language", value="German")])
    return stage


def shown(stage: Stage) -> list[str]:
    return [one.text for one in stage.transcript()]


def in_feedback(*more: Any) -> Stage:
    stage = tutor("Hallo!", call("startFeedback"), "What was wrong?", *more)
    stage.say("that was awful")
    return stage


def test_defect_the_collapse_does_not_collapse() -> None:
    stage = in_feedback("Tell me more.", call("finish_talk_about_it", text="too fast"), "Back to German.", "Ja.")
    for text in ("the pace", "much too quick", "weiter"):
        stage.say(text)
    assert not {"What was wrong?", "the pace", "Tell me more.", "much too quick"} & {*shown(stage)}
    assert "that was awful" in shown(stage)
    assert "Feedback: too fast" in str(stage.transcript())


@pytest.mark.requirement("003-59")
def test_defect_the_user_receives_the_internal_note_and_no_friendly_word() -> None:
    stage = in_feedback(call("finish_talk_about_it", text="too fast"), "I will slow down.")
    assert stage.say("the pace").text == "I will slow down."


def test_defect_the_inner_agent_knows_nothing_of_the_message_that_opened_it() -> None:
    stage = in_feedback()
    assert shown(stage) == ["that was awful"]
    assert "Max" in str(stage.model.calls[-1].instructions) or stage.state().values["user.name"].value == "Max"


def test_defect_the_main_agents_own_text_in_the_opening_turn_is_never_delivered() -> None:
    opening = tw.ModelReply("I am sorry to hear that.", calls=(made("startFeedback"),))
    stage = tutor("Hallo!", opening, "What was wrong?")
    assert stage.say("that was awful").text == "I am sorry to hear that.\n\nWhat was wrong?"


def test_defect_a_full_system_prompt_is_stored_on_every_turn() -> None:
    stage = in_feedback("More?")
    stage.say("the pace")
    assert "You ask for feedback" not in str([entry.event for entry in stage.journal()])


def test_defect_a_stale_inner_transcript_is_resumed_by_the_next_session() -> None:
    stage = in_feedback("Well.", call("startFeedback"), "What now?")
    stage.say("cancel")
    stage.say("again!")
    assert shown(stage) == ["again!"]
    assert "talk_about_it/feedback.text" not in stage.state().values


def test_defect_the_result_of_an_old_call_opens_the_session_again() -> None:
    stage = in_feedback(call("finish_talk_about_it", text="fast"), "Gut.", "Ja.", "Nein.")
    for text in ("the pace", "weiter", "weiter"):
        stage.say(text)
    assert stage.state().outer == ()
    assert sum(isinstance(one.event, e.ScopeOpened) for one in stage.journal()) == 1


@pytest.mark.requirement("003-18")
def test_defect_identical_consecutive_texts_are_dropped() -> None:
    stage = in_feedback("More?", "More?")
    stage.say("fast")
    stage.say("fast")
    assert shown(stage).count("fast") == 2
    inside = {entry.frame for entry in stage.journal() if isinstance(entry.event, e.UserSaid)} - {0}
    assert inside == {stage.state().frame.id}


def test_defect_any_tool_call_ends_the_session_whatever_its_name() -> None:
    stage = in_feedback(uses("look"), "It means awful.")
    turn = stage.say("what does furchtbar mean?")
    assert len(turn.state.frames) == 2
    assert [one.tool for one in facts(turn, e.ToolReturned)] == ["look"]


def test_defect_there_is_no_cancel_word_no_turn_limit_and_no_timeout() -> None:
    stage = in_feedback("Fine.")
    assert stage.say("cancel").state.outer == ()
    stage = in_feedback(*["Hm."] * 3, "Hm.", "Back.")
    for _ in range(4):
        stage.say("hm")
    assert stage.state().outer == ()
    assert [one.event.outcome for one in stage.journal() if isinstance(one.event, e.ScopeClosed)][-1] == "limit"
    stage = in_feedback()
    stage.clock.move_s(1801)
    assert stage.tick() == 1
    assert stage.state().outer == ()


@pytest.mark.requirement("003-29", "003-31", "003-32")
def test_defect_the_profile_is_not_saved_and_the_user_counts_as_onboarded() -> None:
    def full(name: str) -> str:
        raise OSError(f"no room for {name}")

    stage = tutor("Hallo Max!", save=full, known=False)
    assert stage.say("hello").text.endswith("Your name?")
    stage.commands([c.Set(field="onboarding/user.name", value="Max")])
    turn = stage.commands([c.Set(field="onboarding/user.language", value="German")])
    assert (turn.node, turn.status) == ("onboarding/keep", "failed")
    assert turn.value("user.name") is None
    assert turn.value("onboarding/user.name") == "Max"
    stage.tools["save"].does = FakeTool("saved").does
    turn = stage.say("again")
    assert (turn.node, turn.value("user.name"), turn.text) == ("chat", "Max", "Hallo Max!")


def test_the_router_lets_onboarding_come_first_and_says_in_the_trace_which_scope_is_active() -> None:
    stage = tutor(known=False)
    turn = stage.say("hello")
    assert [frame.scope.name for frame in turn.state.frames if frame.scope is not None] == ["onboarding"]
    found = [one.candidate("unknown") for one in turn.decisions]
    assert [one.outcome for one in found if one is not None] == ["taken"]
    assert [one.scope for one in facts(turn, e.ScopeOpened)] == ["onboarding"]
    stage.say("cancel")
    assert stage.state().node == "later"
    assert stage.say("go on").text.endswith("Your name?")
