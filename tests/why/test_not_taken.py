"""What a message names and no field took, and what a field had before: each is in the answer, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import turnwise as tw
from support.opened import close_all, opened
from turnwise.core.state.commands import Clear
from turnwise.models.scripted import ScriptedModel, call

HEALTH = "examples/health_intake/health_intake.flow.yaml"
PIZZA = "examples/pizza/pizza.flow.yaml"
CASE = "examples/eligibility/eligibility.flow.yaml"
Step = str | Callable[[tw.SyncChat], object]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def undo(chat: tw.SyncChat) -> object:
    return chat.undo()


def edit(chat: tw.SyncChat) -> object:
    return chat.choose("Edit Answers")


def talked(*steps: Step, flow: str = CASE) -> tw.SyncChat:
    """A conversation with a flow, in which these texts are said and these steps are done."""
    chat = opened(flow)
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
    for question in ("case.purpose", "message"):
        answer = chat.why(question)
        assert NAMES_TWO in answer.line
        assert answer.plain == "You named more than one answer about purpose of the check: Billing, Treatment."
    chat.say("both")
    later = chat.why("case.purpose")
    assert NAMES_TWO not in later.line
    assert NAMES_TWO in next(fact.text for fact in later.facts if fact.turn == 3 and fact.kind == "not_understood")


def test_the_sentence_for_the_user_about_two_answers_is_in_the_language_of_the_flow() -> None:
    chat = opened(tw.loads(GERMAN))
    chat.start()
    chat.say("Rechnung oder Therapie")
    assert chat.why("fall.zweck").plain == "Sie haben mehr als eine Antwort genannt (Zweck): Rechnung, Therapie."
    chat.say("Rechnung")
    chat.say("3 oder 4")
    assert "it names 3 and 4, of which only one can be the answer" in chat.why("fall.zahl").line


def test_an_option_beside_the_one_that_was_taken_is_named() -> None:
    chat = talked("Yes", "no, I mean partial")
    assert "the message also names No, which was not taken" in chat.why("case.insurance_history").line
    assert "also names" not in chat.why("case.patient_info").line


def test_an_option_inside_the_words_of_another_answer_is_not_called_passed_over() -> None:
    chat = talked("Yes", "yes, and no hurry")
    line = chat.why("case.insurance_history").line
    assert "set to Yes" in line
    assert "also names" not in line


def test_a_value_that_an_undo_took_away_is_in_the_answer_about_the_next_one() -> None:
    chat = talked("Yes", "partial", undo, "no")
    answer = chat.why("case.insurance_history")
    assert "set to No, answered by the user" in answer.line
    undone = answer.fact("value_undone")
    assert undone is not None
    assert undone.text == "case.insurance_history had the value Partial until the undo of turn 3"
    assert "“partial”" in " ".join(fact.text for fact in undone.walk())


def test_a_value_that_was_replaced_is_in_the_answer_with_its_origin() -> None:
    chat = talked("Yes", "Yes", "billing", "wait", "asap", edit, "purpose", "referral")
    replaced = chat.why("case.purpose").fact("value_replaced")
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
    assert answer.plain == (
        "The reason is: a referral with earlier inconsistencies is not for a machine. "
        "I went by “Referral” for purpose of the check."
    )


EVA = ("I'm Eva, 50, I agree to the terms", "sleep", "actually I am 36", "memory and joints")
ELSEWHERE = (
    "“36” in the message of turn 3 reads as 36 for user.age, and was not taken: "
    "profiler does not take user.age from messages; introduction and ineligible do"
)


def test_a_value_for_a_field_of_another_node_says_which_node_takes_it() -> None:
    chat = talked(*EVA, flow=HEALTH)
    for turn in (3, 4):
        answer = chat.why("user.age", turn=turn)
        assert "user.age was set to 50" in answer.line
        assert answer.fact("words_not_taken").text == ELSEWHERE
        assert answer.plain == "You answered “50” for age in years."
    assert chat.why("user.age", turn=2).fact("words_not_taken") is None
    message = chat.why("message 3")
    assert message.line == ELSEWHERE
    assert (
        message.plain
        == "I did not take “36” as an answer about age in years. At that point I took no answer about that."
    )


@pytest.mark.parametrize("text", ["I have 36 kids", "see you at 9", "36 % of them", "it is 36 degrees here"])
def test_a_number_that_is_no_age_is_not_said_to_be_one(text: str) -> None:
    chat = talked(EVA[0], text, flow=HEALTH)
    assert chat.why("user.age").fact("words_not_taken") is None
    assert "user.age" not in chat.why("message").line


def test_an_empty_field_says_that_a_message_came_at_the_wrong_node() -> None:
    flow = """
flow: two
version: 1
start: ask
language: de
records: {u: {name: {type: string, about: Name}, age: {type: integer, about: Alter}, n: {type: integer, about: Personen}}}
nodes:
  ask: {form: {fields: [{field: u.n, ask: "Für wie viele?"}]}, transitions: [{id: on, at: after, to: rest}]}
  rest: {prompt: Rest., collect: [u.age]}
"""
    chat = opened(tw.loads(flow))
    chat.start()
    chat.say("ich bin 36 Jahre alt")
    answer = chat.why("u.age")
    assert "reads as 36 for u.age, and was not taken: ask does not take u.age from messages; rest does" in answer.line
    not_taken = "Ich habe „36“ nicht als Antwort genommen: Alter."
    assert answer.plain == f"{not_taken} An dieser Stelle habe ich dazu keine Antwort angenommen."
    chat.say("4")
    assert "4" not in chat.why("u.age").line.replace("u.age", "")


def test_a_word_for_an_option_inside_a_sentence_says_why_it_was_not_taken() -> None:
    chat = talked("Yes", "no", "billing, and tell me about it")
    reason = "the rules take such words where they are the whole answer to its question, and not within this message"
    answer = chat.why("case.on_failure")
    assert f"“tell me” in the message of turn 3 stands for Notify of case.on_failure, and was not taken: {reason}" in (
        answer.line
    )
    not_taken = "I did not take “tell me” as an answer about what to do if the check fails."
    assert answer.plain == f"{not_taken} I did not understand it that way in that message."
    chat.say("wait")
    later = chat.why("case.on_failure", turn=3)
    assert "“tell me” in the message of turn 3 stands for Notify" in later.line
    assert later.fact("words_not_taken").values["reason"] == reason
    assert chat.why("case.on_failure").line == "case.on_failure was set to Wait, answered by the user"
    chat.say("undo")
    chat.say("tell me")
    assert chat.why("case.on_failure").fact("words_not_taken") is None


def test_an_item_that_a_list_has_already_was_not_passed_over() -> None:
    chat = talked(EVA[0], "I sleep badly and forget things", "yes, sleep, I told you", flow=HEALTH)
    assert chat.why("symptoms.groups").fact("words_not_taken") is None


def test_a_value_that_a_model_wrote_from_the_message_was_taken() -> None:
    plan = ["Hi.", call("write_user", set={"age": 41}), "Noted.", call("write_user", set={"age": 42}), "Noted."]
    chat = opened(HEALTH, model=ScriptedModel(plan))
    chat.start()
    chat.say("put me down as fortyish, 41")
    chat.say("no wait")
    assert chat.why("user.age").fact("words_not_taken") is None


def test_a_no_that_keeps_a_node_from_going_on_says_what_it_stands_against() -> None:
    chat = talked("I'm Rosa and I am 130 years old", "I do not agree to the terms", flow=HEALTH)
    answer = chat.why("user.tos_acknowledged")
    assert "user.tos_acknowledged was set to false" in answer.line
    against = next(fact for fact in answer.facts if fact.kind == "transition_judged")
    assert against.text == (
        "complete did not hold, because it needs user.age >= 38 (not known), user.tos_acknowledged (is false)"
    )
    agreed = talked("I'm Rosa and I agree to the terms", flow=HEALTH)
    assert agreed.why("user.tos_acknowledged").fact("transition_judged") is None


def test_a_list_that_is_too_short_says_what_it_stands_against() -> None:
    chat = talked(EVA[0], "I sleep badly and forget things", flow=HEALTH)
    against = chat.why("symptoms.groups").fact("transition_judged")
    assert against is not None
    assert "three_groups did not hold, because it needs size(symptoms.groups) >= 3" in against.text


def test_a_name_that_came_at_the_wrong_node_is_in_the_answer() -> None:
    chat = talked(EVA[0], "I'm Zoe, 37", flow=HEALTH)
    unused = chat.why("user.name").fact("words_not_taken")
    assert unused is not None
    assert "reads as Zoe for user.name, and was not taken: profiler does not take user.name" in unused.text


def test_a_yes_or_no_to_another_question_is_no_word_for_an_option() -> None:
    chat = talked("Yes", "Yes", "no, not sure what to say")
    assert chat.why("case.patient_info").fact("words_not_taken") is None


def test_a_value_that_was_cleared_before_an_answer_was_missed_says_by_whom() -> None:
    chat = talked("Yes", "partial")
    chat.commands([Clear(field="case.insurance_history")], by="dora")
    chat.say("banana")
    line = chat.why("case.insurance_history").line
    assert "case.insurance_history lost its value Partial, by a command of dora; the answer about" in line


def test_a_list_goes_back_to_the_words_for_all_its_items() -> None:
    chat = talked(EVA[0], "I cannot sleep", "my knees", flow=HEALTH)
    (said, *_) = chat.why("symptoms.groups").facts
    texts = " ".join(fact.text for fact in said.walk())
    assert "I cannot sleep" in texts
    assert "my knees" in texts


def test_a_question_with_a_condition_says_that_the_condition_holds() -> None:
    flow = """
flow: table
version: 1
start: ask
language: en
records: {guest: {people: {type: integer}, phone: {type: string}}}
nodes:
  ask:
    form:
      fields:
        - {field: guest.people, ask: "For how many?"}
        - {field: guest.phone, ask: "Your number?", ask_when: guest.people > 6}
"""
    chat = opened(tw.loads(flow))
    chat.start()
    chat.say("8")
    answer = chat.why("question")
    assert "the `ask_when` of guest.phone, guest.people > 6, holds: guest.people is 8" in answer.line
    assert "“8”" in " ".join(fact.text for fact in answer.facts[0].walk())


def test_a_transition_that_a_person_chose_has_the_reason_of_the_person() -> None:
    chat = talked("I'm Wilma, 39", flow=HEALTH)
    chat.take_over("Lena")
    chat.give_back("ok", transition="complete", reason="is a friend")
    chat.say("sleep")
    line = chat.why("complete").line
    assert line.partition("; ")[0] == "complete was taken in turn 3: Lena, a person, chose it: is a friend"


def test_the_reply_to_a_refused_value_is_what_was_said() -> None:
    chat = opened(HEALTH, model=ScriptedModel(["Hello.", "That cannot be. How old are you?"]))
    chat.say("Hello")
    chat.say("I am 150")
    for question in ("user.age", "message", "turn"):
        answer = chat.why(question)
        assert "because it is more than the maximum 120" in answer.line
        assert "the reply was" not in str(answer)
        assert answer.plain == "I could not take the answer about age in years. That is more than 120."


def test_the_reply_to_a_refused_answer_is_what_the_form_said() -> None:
    chat = talked("Yes", "No")
    said = chat.say("skip").text
    refused = chat.why("message").fact("command_refused")
    assert refused is not None
    assert refused.values["replied"] in said
    assert refused.text.endswith(f"; the reply was “{refused.values['replied']}”")


def test_an_error_is_in_the_turn_that_failed_and_in_the_conversation() -> None:
    model = ScriptedModel(["Hello.", tw.ProviderFailed("the network is down")])
    chat = opened(HEALTH, model=model)
    for text in ("Hello, I'm Elsa, 51, and I agree", "my mood"):
        chat.say(text)
    for subject in ("turn 2", "conversation", "model"):
        assert "the network is down" in chat.why(subject).line


def test_a_message_after_the_end_is_refused_and_not_kept() -> None:
    chat = talked("Yes", "No", "billing", "tell me", "no hurry")
    chat.choose("Looks Good")
    chat.say("and my knees hurt")
    for subject in ("message", "conversation", "turn"):
        refused = chat.why(subject).fact("event_refused")
        assert "because the conversation had ended" in refused.text
    assert "knees" not in str(chat.why("message").to_dict())


def test_words_for_an_empty_field_stand_beside_a_later_write_that_was_refused() -> None:
    wrong = call("write_symptoms", add={"groups": ["tiredness"]})
    chat = opened(HEALTH, model=ScriptedModel(["Hello.", "And?", [wrong], "Is it your sleep?"]))
    chat.say("Hello, I'm Elsa, 51, and I agree")
    chat.say("my mood is low")
    chat.say("I am always tired")
    empty = chat.why("symptoms.groups")
    assert empty.line.startswith("symptoms.groups has no value: a write was refused")
    said = empty.fact("words_not_taken")
    assert said is not None
    assert said.text == (
        "“mood” in the message of turn 2 stands for mood of symptoms.groups, and was not taken: "
        "the rules take such words where they are the whole answer to its question, and not within this message"
    )


def test_a_turn_with_a_refused_write_begins_with_it_and_not_with_the_stay() -> None:
    wrong, right = (call("write_symptoms", add={"groups": [group]}) for group in ("tiredness", "sleep"))
    model = ScriptedModel(["Hello.", [wrong], "Is it your sleep?", [wrong], [right], "Noted."])
    chat = opened(HEALTH, model=model)
    for text in ("Hello, I'm Elsa, 51, and I agree", "I am always tired", "that is it"):
        chat.say(text)
    answer = chat.why("turn 2")
    assert answer.line.startswith("a write was refused: groups: That is not one of the options")
    assert answer.fact("decided") is not None
    assert "refused" not in chat.why("turn 3").line


def test_an_item_beside_a_question_is_left_out_and_both_the_reply_and_the_answer_say_so() -> None:
    chat = talked("a large salami", flow=PIZZA)
    reply = chat.say("and a small funghi, how much is that?").text
    assert reply.startswith("I cannot answer that here.\n\nI have not taken anything of “small funghi” yet.")
    for question in ("why was my answer not taken?", "why was the small funghi not taken?", "message 2"):
        answer = chat.why(question)
        assert "“small funghi” in the message of turn 2 reads as size: Small, kind: Funghi" in answer.line
        assert "the message also asks a question, which may be about it" in answer.line
        assert answer.plain == (
            "I did not take “small funghi” as an answer about the pizzas."
            " Your message also asks something, and may ask it about that."
        )
    assert "words_not_taken" in [one.kind for one in chat.why("order.pizzas").facts]


def test_of_values_beside_a_question_the_reply_says_only_those_that_may_be_meant() -> None:
    chat = talked(flow=PIZZA)
    assert (
        "anything of “large salami, and a small funghi” yet"
        in chat.say("a large salami, and a small funghi, how much is that?").text
    )
    assert "not taken" not in chat.say("how much is a small funghi?").text
