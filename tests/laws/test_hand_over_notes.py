"""A transition hands a note over: the model of its target reads it, and everybody who asks."""

from __future__ import annotations

import pytest

from support.chats import Talk, flow_of, problems_of, talk
from turnwise.core.state import events as e
from turnwise.drawing.build import graph_of
from turnwise.drawing.mermaid import write_mermaid

FLOW = """
flow: desk
start: first
records: {user: {name: string, pin: {type: string, secret: true}}}
nodes:
  first:
    prompt: Receive.
    transitions:
      - {id: hand_over, at: before, when: message.text == "a bill", to: second, note: "{{ user.name }} asks."}
      - {id: survey, at: before, when: message.text == "ask", call: survey, note: Be brief.}
      - {id: enters, at: before, when: message.text == "enter", to: survey, note: Be friendly.}
  second: {prompt: Advise.}
  survey: {scope: {summary: Done.}, prompt: Ask.}
"""


def said(*texts: str, flow: str = FLOW) -> Talk:
    made = talk(flow, understand=[()] * 9, model=[f"reply {number}" for number in range(9)])
    made.chat.start()
    made.set(user__name="Ada")
    for text in texts:
        made.chat.say(text)
    return made


@pytest.mark.law("2.1")
def test_a_note_is_in_the_journal_in_the_prompt_and_in_the_answer_to_why() -> None:
    made = said("a bill")
    (moved,) = [one.event for one in made.chat.journal() if isinstance(one.event, e.Moved)]
    assert moved.note == "Ada asks."
    assert made.model.calls[-1].instructions == (
        "Advise.",
        "A note from the part of the conversation before: Ada asks.",
    )
    assert "it handed over: Ada asks." in str(made.chat.why("node second"))
    assert "note" in [part["part"] for part in _prompt(made)]
    made.chat.say("more")
    assert made.model.calls[-1].instructions[-1].endswith("Ada asks.")
    made.chat.undo()
    made.chat.undo()
    assert made.chat.state().frame.note == ""


def _prompt(made: Talk) -> list[dict[str, str]]:
    (shown,) = [fact for fact in made.chat.why("model").facts if fact.kind == "prompt_shown"]
    return shown.values["parts"]


@pytest.mark.law("6.1")
@pytest.mark.parametrize(("text", "note"), [("ask", "Be brief."), ("enter", "Be friendly.")])
def test_the_first_model_inside_a_scope_reads_the_note(text: str, note: str) -> None:
    made = said(text)
    assert made.chat.state().node == "survey/prompt"
    assert made.model.calls[-1].instructions[-1].endswith(note)
    assert f"it handed over: {note}" in str(made.chat.why("node survey"))


def test_a_note_is_drawn_at_its_arrow() -> None:
    assert "Be brief.</i>" in write_mermaid(graph_of(flow_of(FLOW)))


def test_a_secret_in_a_note_is_redacted() -> None:
    flow = FLOW.replace("{{ user.name }} asks.", "{{ user.pin }} asks.")
    made = talk(flow, understand=[()] * 9, model=["one", "two", "three"])
    made.chat.start()
    made.set(user__pin="77-88-99")
    made.chat.say("a bill")
    assert "77-88-99" not in str(made.model.calls[-1].instructions)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("{{ user.name }} asks.", "{{ usr.name }} asks.", "nothing is called 'usr'"),
        ("{{ user.name }} asks.", "{{ user.nam }} asks.", "has no field 'nam'"),
        ("to: second, note", "end: done, note", "'note' goes with 'to' or 'call'"),
        ("to: second, note", "stay: true, note", "'note' goes with 'to' or 'call'"),
    ],
)
def test_a_wrong_note_is_reported(old: str, new: str, problem: str) -> None:
    found = problems_of(FLOW.replace(old, new))
    assert any(problem in one for one in found), found


@pytest.mark.parametrize(
    ("written", "problem"), [("some", "all, visit, none"), ("{last: 0}", "1"), ("{lst: 3}", "last")]
)
def test_a_wrong_transcript_is_reported(written: str, problem: str) -> None:
    found = problems_of(
        FLOW.replace("second: {prompt: Advise.}", f"second: {{prompt: Advise., transcript: {written}}}")
    )
    assert any(problem in one for one in found), found


def test_a_transcript_beside_the_nodes_of_a_scope_is_refused() -> None:
    flow = FLOW.replace(
        "survey: {scope: {summary: Done.}, prompt: Ask.}",
        "survey: {transcript: none, scope: {start: one, nodes: {one: {prompt: Ask.}}}}",
    )
    assert any("'transcript' of 'survey' works inside its scope" in one for one in problems_of(flow))
