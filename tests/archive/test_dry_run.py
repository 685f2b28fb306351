"""Dry run: what an event would do, told without doing it."""

from __future__ import annotations

from random import Random

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of, offline_chat, scripted_chat, sets
from support.stored import INTAKE
from turnwise.core.state.codec import encode_state
from turnwise.core.values import REDACTED

TOOLS = """
flow: f
start: home
records: {user: {name: string, pin: {type: string, secret: true}}}
tools: {book: {about: book it, kind: effect, args: {name: string}}}
nodes:
  home:
    prompt: Talk.
    writes: [user]
    tools: {allow: [book]}
    transitions: [{id: named, at: before, when: has(user.name), to: quiet, because: the name is known}]
  quiet: {prompt: Talk on., transitions: [{id: on, at: after, when: has(user.name), to: booking}]}
  booking: {tool: {name: book, with: {name: user.name}}, transitions: [{id: done, at: after, to: done}]}
  done: {say: Done., end: completed}
"""


def test_a_message_that_would_be_taken_changes_nothing() -> None:
    with offline_chat(INTAKE) as chat:
        chat.start()
        before = encode_state(chat.state())
        found = chat.dry_run("Ada")
        assert encode_state(chat.state()) == before
        assert (found.is_known, found.refused, found.values) == (True, None, {"user.name": "Ada"})
        assert found.text == "How old are you?"
        assert chat.say("Ada").text == found.text


def test_a_button_that_is_not_offered_would_be_refused() -> None:
    with offline_chat(INTAKE) as chat:
        chat.start()
        found = chat.dry_run(tw.Button("Basic", "Basic"))
        assert (found.refused, found.moves, found.is_known) == ("unknown_button", (), True)
        assert found.text == chat.choose("Basic").refusal


def test_a_button_says_where_it_leads() -> None:
    with offline_chat(INTAKE) as chat:
        chat.start()
        for message in ("Ada", "30", "Plus"):
            chat.say(message)
        yes = next(button for button in chat.turn().buttons)
        found = chat.dry_run(yes)
        assert (found.moves, found.turn.node) == (("done",), "served")
        assert [decision.taken for decision in found.turn.decisions if decision.taken] == ["done", "once_bye"]
        assert chat.choose(yes).taken == ("done", "once_bye")


def test_the_first_message_can_be_tried_before_the_conversation_begins() -> None:
    with offline_chat(INTAKE) as chat:
        assert chat.dry_run("hello").text.endswith("What is your name?")
        with pytest.raises(tw.UnknownConversation):
            chat.state()


def test_where_a_model_may_call_tools_it_says_that_only_the_model_knows() -> None:
    with scripted_chat(TOOLS) as chat:
        chat.start()
        found = chat.dry_run("hello")
        assert (found.is_known, found.decided_by, found.turn.node) == (False, "model", "home")
        assert found.why.startswith("the model of home would be called")


def test_a_model_whose_words_decide_nothing_is_passed_and_a_tool_is_not_run() -> None:
    with scripted_chat(TOOLS) as chat:
        chat.start()
        calls = len(chat.runtime.performer.model.calls)  # type: ignore[union-attr]
        found = chat.dry_run(sets(user__name="Ada", user__pin="1234"))
        assert found.moves == ("named", "on")
        assert (found.decided_by, found.supposes_reply) == ("tool", True)
        assert "the tool book would run" in found.why
        assert found.values == {"user.name": "Ada", "user.pin": REDACTED}
        assert len(chat.runtime.performer.model.calls) == calls  # type: ignore[union-attr]
        assert found.text == ""


def test_the_words_of_a_model_are_not_known() -> None:
    of = TOOLS.replace("{id: on, at: after, when: has(user.name), to: booking}", "")
    with scripted_chat(of) as chat:
        chat.start()
        found = chat.dry_run(sets(user__name="Ada"))
        assert (found.is_known, found.moves, found.text) == (True, ("named",), "")
        assert found.why == "a model would speak in quiet; its words are not known"


def test_an_understanding_of_the_host_is_not_called() -> None:
    def never(message: str, allowed: tw.AllowedInput) -> list[object]:
        if message != "hello":
            raise AssertionError(message)
        return []

    with OneSyncChat(flow_of(INTAKE), understand=never) as chat:
        chat.say("hello")
        found = chat.dry_run("my name is Ada, I am 30")
    assert (found.is_known, found.decided_by) == (False, "understanding")
    assert "not by the offline rules" in found.why


def test_an_ended_conversation_takes_nothing() -> None:
    with offline_chat(INTAKE) as chat:
        chat.start()
        for message in ("Ada", "12"):
            turn = chat.say(message)
        assert turn.outcome == "refused"
        assert chat.dry_run("hello").refused == "conversation_ended"


@pytest.mark.parametrize("seed", range(12))
def test_what_it_says_is_what_happens(seed: int) -> None:
    """Any message of a form conversation: the same texts, moves and values."""
    words = (
        "Ada",
        "30",
        "Plus",
        "yes",
        "no",
        "change my age",
        "12",
        "what?",
        "back",
        "I am Eve and 40",
        "Basic please",
    )
    chance = Random(seed)
    with offline_chat(INTAKE) as chat:
        chat.start()
        for _ in range(8):
            message = chance.choice(words)
            found = chat.dry_run(message)
            turn = chat.say(message)
            assert found.is_known
            assert (found.refused, found.text) == (turn.refused, turn.text)
            assert found.turn.taken == turn.taken
            if turn.refused is None:
                assert found.turn.state.values.keys() == turn.state.values.keys()
                assert {n: v.value for n, v in found.turn.state.values.items()} == {
                    n: v.value for n, v in turn.state.values.items()
                }
