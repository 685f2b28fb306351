"""What seed 003 asks of an inner conversation: its own voice, what it knows at its beginning, and what comes out of it."""

from __future__ import annotations

import pytest

from support.chats import Talk, problems_of, talk
from turnwise.models.scripted import call

FLOW = """
flow: tutor
start: chat
commands: [cancel]
records:
  user: {name: {type: string, default: Max}}
  score: {level: {type: choice, options: [A1, B2]}}
nodes:
  chat:
    persona: You are Maya, a tutor.
    prompt: Teach German.
    tools: {allow: [startQuiz]}
  quiz:
    persona: You are a strict examiner of {{ user.name }}.
    scope:
      tool: startQuiz
      inherits: [user, message]
      input: {type: {type: choice, options: [rapid, long]}}
      returns: score
      records: {own: {right: {type: integer, default: 0}}}
      summary: "Quiz over: {{ score.level }}."
      start: ask
      nodes:
        ask:
          prompt: Ask one {{ input.type }} question.
          writes: [score, own]
          transitions: [{id: enough, at: tool, when: has(score.level), return: true}]
"""


def quizzed() -> Talk:
    replies = [
        call("startQuiz", type="rapid"),
        "What is 'dog' in German?",
        call("write_score", set={"level": "B2"}),
        "Well done, Max! Now back to German.",
    ]
    made = talk(FLOW, understand=[()] * 9, model=replies)  # type: ignore[arg-type]
    made.chat.say("I want a quiz about animals")
    made.chat.say("der Hund")
    return made


@pytest.mark.requirement("003-02", "003-06", "003-07")
def test_the_inner_model_has_its_own_voice_and_knows_the_user_and_the_message() -> None:
    opening, first, _, back = quizzed().model.calls
    assert opening.instructions[0] == back.instructions[0] == "You are Maya, a tutor."
    assert first.instructions == ("You are a strict examiner of Max.", "Ask one rapid question.")
    assert [(one.role, one.text) for one in first.transcript] == [("user", "I want a quiz about animals")]
    assert "der Hund" not in str(back.transcript)
    assert "examiner" not in str(back)


@pytest.mark.requirement("003-10", "003-22", "003-28", "003-49")
def test_it_opens_in_the_turn_of_the_call_and_ends_with_a_typed_result_and_the_outer_voice() -> None:
    made = quizzed()
    first, last = made.chat.turn(1), made.chat.turn(2)
    assert first.text == "What is 'dog' in German?"
    assert last.text == "Well done, Max! Now back to German."
    assert last.value("score.level") == "B2"
    assert "Quiz over: B2." in str(made.model.calls[-1].transcript)


@pytest.mark.requirement("003-16")
def test_nothing_outside_can_read_what_the_scope_keeps_to_itself() -> None:
    made = quizzed()
    assert not [name for name in made.chat.state().values if name.startswith("quiz/")]
    flow = FLOW.replace("prompt: Teach German.", "prompt: 'Teach {{ own.right }}.'")
    assert any("nothing is called 'own'" in problem for problem in problems_of(flow))
