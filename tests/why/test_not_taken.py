"""What a message names and no field took, and what a field had before: each is in the answer, with its reason."""

from __future__ import annotations

from collections.abc import Callable

import turnwise as tw

CASE = "examples/eligibility/eligibility.flow.yaml"
Step = str | Callable[[tw.SyncChat], object]


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def edit(chat: tw.SyncChat) -> object:
    return chat.choose("Edit Answers")


def talked(*steps: Step, flow: str = CASE) -> tw.SyncChat:
    """A conversation with a flow, in which these texts are said and these steps are done."""
    chat = tw.open_sync(flow).chat("a")
    for step in steps:
        chat.say(step) if isinstance(step, str) else step(chat)
    return chat


NAMES_TWO = "it names Billing and Treatment, of which only one can be the answer"
GERMAN = """
flow: fall
version: 1
start: frage
language: de
records: {fall: {zweck: {type: choice, options: [Rechnung, Therapie], about: Zweck}, zahl: {type: integer, about: Zahl}}}
nodes:
  frage: {form: {fields: [{field: fall.zweck, ask: "Wofür?"}, {field: fall.zahl, ask: "Wie viele?"}]}}
"""


def test_an_answer_that_names_two_options_says_so() -> None:
    chat = talked("Yes", "No", "billing or treatment")
    for question in ("case.purpose", "message", "why did it not take billing when I said billing or treatment?"):
        answer = chat.why(question)
        assert NAMES_TWO in answer.line
        assert answer.plain == "You named more than one answer about purpose of the check: Billing, Treatment."
    chat.say("both")
    later = chat.why("case.purpose")
    assert NAMES_TWO not in later.line
    assert NAMES_TWO in next(fact.text for fact in later.facts if fact.turn == 3 and fact.kind == "not_understood")


def test_the_sentence_for_the_user_about_two_answers_is_in_the_language_of_the_flow() -> None:
    chat = tw.open_sync(tw.loads(GERMAN)).chat("a")
    chat.start()
    chat.say("Rechnung oder Therapie")
    assert chat.why("fall.zweck").plain == "Sie haben mehr als eine Antwort genannt (Zweck): Rechnung, Therapie."
    chat.say("Rechnung")
    chat.say("3 oder 4")
    assert "it names 3 and 4, of which only one can be the answer" in chat.why("fall.zahl").line


def test_an_option_beside_the_one_that_was_taken_is_named() -> None:
    chat = talked("Yes", "no, or rather partial")
    assert "the message also names Partial, which was not taken" in chat.why("case.insurance_history").line
    assert "also names" not in chat.why("case.patient_info").line


def test_an_option_inside_the_words_of_another_answer_is_not_called_passed_over() -> None:
    chat = talked("Yes", "yes, and no hurry")
    line = chat.why("case.insurance_history").line
    assert "set to Yes" in line
    assert "also names" not in line


def test_a_value_that_an_undo_took_away_is_in_the_answer_about_the_next_one() -> None:
    chat = talked("Yes", "partial", undo, "no")
    answer = chat.why("why is the insurance history No when I said partial?")
    assert "set to No, answered by the user" in answer.line
    undone = answer.fact("value_undone")
    assert undone is not None
    assert undone.text == "case.insurance_history had the value Partial until the undo of turn 3"
    assert "“partial”" in " ".join(fact.text for fact in undone.walk())


def test_a_value_that_was_replaced_is_in_the_answer_with_its_origin() -> None:
    chat = talked("Yes", "Yes", "billing", "wait", "asap", edit, "purpose", "referral")
    replaced = chat.why("what was the purpose before I changed it?").fact("value_replaced")
    assert replaced is not None
    assert replaced.text == "case.purpose had the value Billing from turn 3 until turn 8"
    assert "“billing”" in " ".join(fact.text for fact in replaced.walk())


def test_a_transition_says_why_it_was_not_taken_before() -> None:
    chat = talked("Yes", "Yes", "billing", "wait", "asap", edit, "purpose", "referral")
    answer = chat.why("transition expert")
    before = next(fact for fact in answer.facts if fact.kind == "transition_judged")
    assert before.text == 'expert did not hold, because it needs case.purpose == "Referral" (is Billing)'
    assert before.turn == 7
    assert "“billing”" in " ".join(fact.text for fact in before.walk())
    assert answer.plain == "The reason is: a referral with earlier inconsistencies is not for a machine."
