"""Questions in words that name a turn or a message by its number are about that turn, not about the last one."""

from __future__ import annotations

import pytest

import turnwise as tw

FLOW = """
flow: talk
start: intro
records: {user: {name: string}}
nodes:
  intro: {prompt: Ask for the name., transitions: [{at: before, when: 'message.text == "bye"', to: bye}]}
  bye: {say: Bye., end: done}
"""


@pytest.mark.parametrize(
    ("question", "kind", "turn"),
    [
        ("What did the model see in turn 3?", "model", 3),
        ("Which prompt was sent in turn 2?", "model", 2),
        ("what did the model read for message 3?", "model", 3),
        ("Was hat das Modell in Runde 2 gesehen?", "model", 2),
        ("why was message 3 ignored?", "message", 3),
        ("why did it not go on at turn 3?", "turn", 3),
    ],
)
def test_a_number_names_the_turn(question: str, kind: str, turn: int) -> None:
    model = tw.ScriptedModel(["What is your name?", "And your age?", "And where are you from?"])
    with tw.open_sync(tw.loads(FLOW), model=model) as app:
        chat = app.chat("ada")
        chat.start()
        for message in ("I would rather not say", "why that", "bye"):
            chat.say(message)
        answer = chat.why(question)
    assert (answer.subject.kind, answer.turn) == (kind, turn)
    if (kind, turn) == ("model", 3):
        assert "user “why that”" in str(answer)
        assert "bye" not in str(answer).partition("took")[0]
