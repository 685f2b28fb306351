"""Why a scope was opened and closed, and where a value comes from that it gave back."""

from __future__ import annotations

from support.why_cases import Talk, every

FLOW = """
flow: lesson
start: talk
commands: [cancel]
records: {feedback: {mood: {type: choice, options: [good, bad]}}, user: {name: string}}
nodes:
  talk:
    say: Hello.
    transitions: [{id: asks, at: before, when: 'message.text.contains("lesson")', call: survey, with: {topic: '"verbs"'}}]
  survey:
    scope: {returns: feedback, input: {topic: string}, summary: "The lesson was {{ feedback.mood }}."}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
"""


def test_a_scope_says_who_opened_it_and_with_what_it_was_closed() -> None:
    talk = Talk(FLOW).did("hello", "about the lesson", "good")
    found = {fact.kind: fact for fact in every(talk.chat.why("node survey", turn=2))}
    assert found["scope_opened"].values["who"] == "a transition that calls it"
    found = {fact.kind: fact for fact in every(talk.chat.why("node survey"))}
    closed = found["scope_closed"].values
    assert (closed["outcome"], closed["summary"]) == ("completed", "The lesson was good.")


def test_a_value_that_a_scope_gave_back_leads_to_its_words() -> None:
    talk = Talk(FLOW).did("hello", "about the lesson", "good")
    answer = talk.chat.why("field feedback.mood")
    assert answer.facts[0].kind == "field_set"
    assert answer.facts[0].values["origin"] == "scope"
    kinds = [fact.kind for fact in every(answer)]
    assert "scope_closed" in kinds
    inner = [fact for fact in every(answer) if fact.values.get("field") == "survey/feedback.mood"]
    assert inner
    assert inner[0].values["value"] == "good"


def test_a_scope_that_was_cancelled_gave_nothing_back() -> None:
    talk = Talk(FLOW).did("hello", "about the lesson", "cancel")
    found = {fact.kind: fact for fact in every(talk.chat.why("node survey"))}
    assert found["scope_closed"].values["outcome"] == "cancelled"
    assert talk.chat.why("field feedback.mood").facts[0].kind != "field_set"


def test_a_node_inside_was_entered_with_its_scope_and_left_with_it() -> None:
    talk = Talk(FLOW).did("hello", "about the lesson", "good")
    facts = talk.chat.why("node survey/form").facts
    assert facts[0].kind == "node_not_in_charge"
    assert "it was entered in turn 2" in facts[0].text
    counted = [fact.text for fact in facts if fact.kind == "counted"]
    assert any("was entered once" in text for text in counted)
    assert not any("not entered" in text for text in counted)


def test_a_question_that_was_open_may_stand_in_the_summary() -> None:
    flow = FLOW.replace('"The lesson was {{ feedback.mood }}."', '"{{ scope.outcome }} at {{ scope.open_question }}"')
    talk = Talk(flow).did("hello", "about the lesson", "cancel")
    found = {fact.kind: fact for fact in every(talk.chat.why("node survey"))}
    assert found["scope_closed"].values["summary"] == "cancelled at feedback.mood"
