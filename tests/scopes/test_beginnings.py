"""Scopes that a user begins in words of their own, without a model: every word has to belong to the wish (laws 6.1, 7.3b)."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from turnwise.core.link import link
from turnwise.core.state import commands as c
from turnwise.core.state import events as e

FLOW = """
    flow: tutor
    start: chat
    commands: [cancel, {start: [feedback, quiz, explain]}]
    records: {feedback: {mood: {type: choice, options: [good, bad]}}, result: {answer: {type: choice, options: [der, das]}}}
    nodes:
      chat: {prompt: Talk.}
      feedback:
        starts: [I want to give feedback]
        scope: {returns: feedback}
        form: {fields: [{field: feedback.mood, ask: How was it?}]}
      quiz:
        starts: [quiz me]
        scope: {returns: result}
        form: {fields: [{field: result.answer, ask: Haus?}]}
      explain:
        title: a word
        starts: ["explain {word}"]
        scope: {input: {word: {type: string, max: 20}}, start: tell, nodes: {tell: {say: "{{ input.word }} is a word.", end: told}}}
"""
WISHES = {
    "quiz": "quiz",
    "start the quiz": "quiz",
    "Start the quiz!": "quiz",
    "can we do the quiz now, please?": "quiz",
    "I'd like a quiz": "quiz",
    "let's do another quiz": "quiz",
    "ok, time for a quiz": "quiz",
    "quiz please": "quiz",
    "quiz me again": "quiz",
    "could you quiz me": "quiz",
    "please begin with the quiz": "quiz",
    "I'm ready for the quiz": "quiz",
    "give me the quiz": "quiz",
    "quiz me and then feedback": "quiz feedback",
    "first feedback, then the quiz": "feedback quiz",
    "give me feedback and a quiz": "feedback quiz",
    "quiz me; after that, I want to give feedback": "quiz feedback",
    "let's do the quiz now and the feedback after that": "quiz feedback",
    "explain Haus": "explain(Haus)",
    'please explain "bread and butter"': "explain(bread and butter)",
    "quiz me and then explain 'ser'": "quiz explain(ser)",
    "explain 'ser' and then quiz me": "explain(ser) quiz",
    "quiz me, explain Haus later": "quiz explain(Haus)",
    "quiz me, and the quiz again": "quiz",
}
NO_WISHES = (
    "no quiz",
    "don't start the quiz",
    "not the quiz",
    "what is the quiz?",
    "is there a quiz?",
    "the quiz was hard",
    "I had a quiz yesterday",
    "quiz or feedback",
    "quiz me and then sing",
    "stop the quiz",
    "my quiz",
    "a word",
    "explain",
    "how long is the quiz",
    "after the quiz",
    "I want to explain",
    "before the quiz I want to give feedback",
    "my feedback: the quiz is fine",
)


def opened(turn: Any) -> str:
    """The scopes that a message asked for, in order, with their input."""
    found = [one.event for one in turn.entries if isinstance(one.event, e.CommandApplied)]
    return " ".join(one.text + "".join(f"({value})" for value in one.input.values()) for one in found)


@pytest.mark.law("7.3b")
@pytest.mark.parametrize("text", WISHES)
def test_a_wish_of_which_each_word_is_explained_begins_scopes(text: str) -> None:
    chat = OneSyncChat(flow_of(FLOW))
    chat.start()
    assert opened(chat.say(text)) == WISHES[text]


@pytest.mark.law("7.3b")
@pytest.mark.parametrize("text", NO_WISHES)
def test_a_message_that_only_mentions_a_scope_begins_none(text: str) -> None:
    chat = OneSyncChat(flow_of(FLOW))
    chat.start()
    assert opened(chat.say(text)) == ""


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("starte das Quiz", "quiz"),
        ("Können wir bitte das Quiz machen?", "quiz"),
        ("ich möchte jetzt das Quiz", "quiz"),
        ("erst Feedback, dann das Quiz", "feedback quiz"),
        ("kein Quiz", ""),
        ("das Quiz war schwer", ""),
        ("was ist das Quiz?", ""),
    ],
)
def test_german_wishes_are_read_in_the_same_way(text: str, wished: str) -> None:
    chat = OneSyncChat(flow_of(FLOW.replace("start: chat", "start: chat\n    language: de")))
    chat.start()
    assert opened(chat.say(text)) == wished


def test_what_stands_in_a_gap_is_checked_as_the_input_and_opens_nothing_where_it_does_not_fit() -> None:
    chat = OneSyncChat(flow_of(FLOW))
    chat.start()
    turn = chat.say("explain Donaudampfschifffahrtsgesellschaft")
    assert (turn.node, len(turn.state.frames)) == ("chat", 1)
    assert [one.event.reason for one in turn.entries if isinstance(one.event, e.CommandRefused)]
    turn = chat.commands([c.Start(target="explain", input={"wort": "Haus"})])
    assert [one.event.reason for one in turn.entries if isinstance(one.event, e.CommandRefused)] == ["unknown_field"]
    assert chat.commands([c.Start(target="explain", input={"word": "Haus"})]).text.startswith("Haus is a word.")
    turn = chat.commands([c.Start(target="explain")])  # its input is not kept for another opening
    assert [one.event.reason for one in turn.entries if isinstance(one.event, e.CommandRefused)] == ["cannot_open"]
    assert turn.text


def test_a_scope_that_only_a_gap_gives_its_input_has_no_button() -> None:
    assert [button.label for button in OneSyncChat(flow_of(FLOW)).start().starts] == ["feedback", "quiz"]


def test_the_input_of_a_wish_that_waits_survives_a_replay_and_an_undo() -> None:
    chat = OneSyncChat(flow_of(FLOW.replace("[cancel,", "[cancel, undo,")))
    chat.start()
    chat.say("quiz me and then explain 'Haus'")
    chat.say("das")
    assert chat.why("explain").line
    chat.say("undo")
    turn = chat.say("der")
    assert "Haus is a word." in turn.text
    assert chat.replay()


def test_an_open_free_text_takes_a_wish_as_its_answer() -> None:
    free = FLOW.replace("mood: {type: choice, options: [good, bad]}", "mood: string")
    chat = OneSyncChat(flow_of(free))
    chat.start()
    chat.say("feedback")
    assert "start the quiz please" in str(chat.say("start the quiz please").state.values.values())


def test_a_question_with_options_may_be_left_for_a_wish_and_comes_back() -> None:
    chat = OneSyncChat(flow_of(FLOW))
    chat.start()
    chat.say("start the quiz")
    assert chat.say("please explain Haus").text.endswith("Haus?")


@pytest.mark.parametrize(
    ("starts", "scope_input", "code"),
    [
        ('["explain {term}"]', "{word: {type: string, default: it}}", "TW148"),
        ('["explain {word} {word}"]', "{word: string}", "TW148"),
        ('["explain {word}"]', "{word: {type: string, secret: true}}", "TW148"),
        ('["explain {word}"]', "{word: {type: list, of: string}}", "TW148"),
        ('["explain {word}", "explain it"]', "{word: string}", "TW148"),
        ("[explain]", "{word: string}", "TW094"),
        ('["explain {word}", "explain it"]', "{word: {type: string, default: it}}", ""),
    ],
)
def test_phrases_whose_gaps_fill_no_input_are_reported(starts: str, scope_input: str, code: str) -> None:
    text = FLOW.replace('["explain {word}"]', starts).replace("{word: {type: string, max: 20}}", scope_input)
    text = text.replace("{{ input.word }}", "It")
    with pytest.raises(tw.FlowError) if code else pytest.MonkeyPatch.context() as found:
        link(flow_of(text))
    if code:
        assert code in str(found.value)
