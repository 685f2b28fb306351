"""A user who may ask why (`commands: [why]`) gets one sentence, and the question again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import turnwise as tw
from turnwise.core.language import is_why_question
from turnwise.core.state import commands as c
from turnwise.models.scripted import ScriptedModel
from turnwise.stores.memory import MemoryStore
from turnwise.why.ask import why_for_user
from turnwise.why.history import History

ELIGIBILITY = Path("examples/eligibility/eligibility.flow.yaml").read_text("utf-8")
ALLOWED = ELIGIBILITY.replace("commands: [ask, undo]", "commands: [ask, undo, why]")
MOVED = """
flow: moved
version: 1
start: front
language: en
commands: [why]
records: {u: {age: {type: integer, max: 120, about: your age}, pin: {type: string, secret: true, about: your number}}}
nodes:
  front:
    collect: [u.age]
    say: How old are you?
    transitions: [{id: old, at: before, when: u.age > 60, because: people over 60 get a discount, to: desk}]
  desk:
    form: {fields: [{field: u.pin, ask: "Your number?"}]}
    transitions: [{id: out, at: after, to: out}]
  out: {say: Done., end: done}
"""


DISCOUNT = """
flow: discount
version: 1
start: ask
language: en
commands: [why]
records: {u: {age: {type: integer, max: 120, about: your age}}}
nodes:
  ask:
    form: {fields: [{field: u.age, ask: "Your age?"}]}
    transitions: [{id: old, at: after, because: people over 60 get a discount, to: talk}]
  talk: {say: Anything else?, transitions: [{id: bye, at: before, when: 'message.text == "bye"', to: out}]}
  out: {say: Done., end: done}
"""
PLANNED = """
flow: planned
version: 1
start: front
language: en
commands: [why]
records: {u: {age: integer}}
nodes:
  front:
    say: Hello.
    transitions: [{id: on, at: after, reply: next, when: u.age > 3, because: old enough, to: desk}]
  desk: {say: Here., transitions: [{id: off, at: before, when: u.age > 99, to: front}]}
"""
CAUGHT = """
flow: caught
version: 1
start: front
language: en
commands: [why]
records: {u: {pin: {type: string, about: your number}}}
nodes:
  front:
    prompt: Talk.
    transitions: [{id: sorry, at: error, because: the line is down, to: desk}]
  desk: {form: {fields: [{field: u.pin, ask: "Your number?"}]}}
"""


def said(flow: str, *texts: str) -> str:
    chat = tw.open_sync(tw.loads(flow)).chat("a")
    chat.start()
    return [chat.say(text).text for text in texts][-1]


ANSWERS = [
    (("why?",), "I ask because I still need patient information."),
    (("Yes", "why do you need that?"), "I ask because I still need insurance history."),
    (("Yes", "blah", "why"), "I did not understand the answer about insurance history."),
    (("Yes", "No", "Billing", "Escalate", "Urgent", "why?"), "I ask you to confirm because I have all the answers"),
    (
        ("Yes", "No", "Billing", "Escalate", "Urgent", "no", "why?"),
        "I ask again because you wanted to change your answer.",
    ),
]


@pytest.mark.parametrize(("texts", "answer"), ANSWERS)
def test_the_user_is_told_why_and_asked_again(texts: tuple[str, ...], answer: str) -> None:
    text = said(ALLOWED, *texts)
    assert text.startswith(answer)
    assert "?" in text.removeprefix(answer)


def test_the_reason_of_a_move_is_told_while_it_is_new() -> None:
    assert said(MOVED, "I am 70", "why?") == (
        "The reason is: people over 60 get a discount. I ask because I still need your number.\n\nYour number?"
    )


def test_a_move_that_a_person_chose_is_called_that() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    chat.start()
    chat.take_over("Lena")
    chat.give_back("ok", transition="old")
    assert chat.say("why?").text.startswith("A person decided that. I ask because I still need your number.")
    assert chat.rerun().agrees


def test_a_move_that_a_person_chose_for_the_next_message_is_called_that() -> None:
    chat = tw.open_sync(tw.loads(PLANNED)).chat("a")
    chat.start()
    chat.take_over("Lena")
    chat.give_back("ok", transition="on", reason="I know her")
    assert chat.state().pending.operator == "Lena"
    chat.say("hello")
    assert chat.why("desk").plain == "A person decided that."
    assert "Lena" in chat.why("desk").line
    assert chat.say("why?").text.startswith("A person decided that.")


def test_the_machines_own_reason_for_a_move_is_no_reason_of_the_author() -> None:
    chat = tw.open_sync(tw.loads(CAUGHT), model=ScriptedModel([ValueError("broken"), "Well."])).chat("a")
    chat.say("hello")
    assert chat.state().node == "desk"
    assert chat.why("desk").line == "front → desk by sorry: error caught: model; ValueError: broken"
    assert chat.why("desk").plain == "The reason is: the line is down."
    assert chat.say("why?").text.startswith("I ask because I still need your number.")


def test_without_the_command_nothing_is_kept_and_nothing_is_told() -> None:
    chat = tw.open_sync(tw.loads(MOVED.replace("commands: [why]\n", ""))).chat("a")
    chat.say("I am 70")
    assert chat.state().frame.because == ""
    assert "The reason is" not in chat.say("why?").text


def test_a_field_can_be_named_and_no_secret_is_told() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    chat.say("I am 70")
    assert chat.commands([c.Why(field="u.age")]).text.startswith("I have your age because you told me.")
    assert chat.commands([c.Why(field="u.pin")]).text.startswith("I ask because I still need your number.")


def test_german_is_understood_and_spoken() -> None:
    german = ALLOWED.replace("language: en", "language: de")
    assert said(german, "warum?").startswith("Ich frage, weil mir noch fehlt: patient information.")


def test_the_conversation_runs_again_as_it_ran() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    for text in ("hello", "I am 70", "why?", "1234"):
        chat.say(text)
    assert chat.rerun().agrees


WHOLE = [
    (
        ("Yes", "Yes", "a painting", "Why was my answer about the purpose of the check refused?"),
        "I did not understand the answer about purpose of the check. "
        "That is not one of the options: Billing, Treatment, Referral.\n\nWhat is the check for?",
    ),
    (
        ("Yes", "Yes", "a painting", "Why was my answer “a painting” refused?"),
        "I did not understand the answer about purpose of the check. "
        "The options are: Billing, Treatment, Referral.\n\nWhat is the check for?",
    ),
    (
        ("Yes", "Yes", "treatment", "hm, and why is the insurance history yes?"),
        "You answered “Yes” for insurance history.\n\nWhat should happen if the check fails?",
    ),
    (
        ("Yes", "Yes", "treatment", "undo", "Why not treatment?"),
        "The answer “Treatment” about purpose of the check was taken back.\n\nWhat is the check for?",
    ),
    (("Yes", "why the urgency, and not billing?"), "I ask because I still need insurance history."),
    (
        ("Yes", "Yes", "a painting", "why?"),
        "I did not understand the answer about purpose of the check. "
        "The options are: Billing, Treatment, Referral.\n\nWhat is the check for?",
    ),
    (("Yes", "warum?"), "I ask because I still need insurance history."),
    (("Yes", "How come you ask about the insurance history?"), "I ask because I still need insurance history."),
    (("Yes", "why is the sky blue?"), "I ask because I still need insurance history."),
    (("Yes", "why would it not be yours if I had said no?"), "I ask because I still need insurance history."),
    (("Unknown", "Warum geht es nicht weiter?"), "I cannot go on with your answer about patient information."),
]


@pytest.mark.parametrize(("texts", "answer"), WHOLE)
def test_a_whole_question_is_answered_without_a_model(texts: tuple[str, ...], answer: str) -> None:
    assert said(ALLOWED, *texts).startswith(answer)


def test_a_question_of_thousands_of_words_is_not_read() -> None:
    question = "why is the insurance history yes"
    done = ("Yes", "Yes", "referral please")
    assert said(ALLOWED, *done, f"{question}?").startswith("You answered “Yes” for insurance history")
    assert said(ALLOWED, *done, f"{question}{' “b”' * 2000}?") == "This conversation has ended."


@pytest.mark.parametrize("message", ["Looks good, why do you need all this?", "Yes, but why do you need that?"])
def test_a_yes_beside_a_why_confirms_nothing_and_the_why_is_answered(message: str) -> None:
    text = said(ALLOWED, "Yes", "No", "Billing", "Escalate", "Urgent", message)
    assert text.startswith("I ask you to confirm because I have all the answers that I need.")
    assert text.endswith("Is this correct?")


@pytest.mark.parametrize("message", ["Yes, why do you need that?", "yes, but why?", "No. Why do you ask?"])
def test_a_yes_or_no_beside_a_why_is_no_answer_and_the_why_is_answered(message: str) -> None:
    chat = tw.open_sync(tw.loads(ALLOWED)).chat("a")
    chat.say("Yes")
    assert chat.say(message).text.startswith("I ask because I still need insurance history.")
    assert "case.insurance_history" not in chat.state().values


@pytest.mark.parametrize(
    ("message", "answers"),
    [
        ("why do you know my age? " * 40, ["You answered “70” for your age."]),
        ("why is it so? why was it so slow?", ["The reason is: people over 60 get a discount."]),
        ("".join(f"why do you know my age so {n}? " for n in "abcdefgh"), None),
    ],
)
def test_few_questions_of_one_message_are_answered_and_no_sentence_is_said_twice(
    message: str, answers: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()

    async def answered(history: History, question: str) -> str:
        asked.append(question)
        return await why_for_user(history, question)

    monkeypatch.setattr("turnwise.why.ask.why_for_user", answered)
    chat = tw.open_sync(tw.loads(DISCOUNT)).chat("a")
    for text in ("hello", "70"):
        chat.say(text)
    said = chat.say(message).text.split("\n\n")
    assert len(set(asked)) == len(asked) <= 3
    assert len(set(said)) == len(said)
    assert answers in (None, said)


def test_a_question_and_its_why_are_one_question() -> None:
    text = said(ALLOWED, "Yes", "Yes", "treatment", "undo", "Is it treatment or not, and why?")
    assert text == "The answer “Treatment” about purpose of the check was taken back.\n\nWhat is the check for?"


def test_an_answer_with_the_word_why_is_an_answer() -> None:
    flow = """
flow: free
version: 1
start: ask
language: en
commands: [why]
records: {u: {note: {type: string, about: your note}, word: {type: string, about: your word}}}
nodes:
  ask:
    form: {fields: [{field: u.note, ask: "Your note?", anything: true}, {field: u.word, ask: "Your word?"}]}
"""
    chat = tw.open_sync(tw.loads(flow)).chat("a")
    chat.start()
    chat.say("why do birds sing?")
    assert chat.state().values["u.note"].value == "why do birds sing?"
    assert chat.say("Why do you have my note?").text.startswith("You answered “why do birds sing?” for your note.")
    assert "u.word" not in chat.state().values
    chat.say("warum")
    assert chat.state().values["u.word"].value == "warum"


@pytest.mark.parametrize("length", [200, 201, 5000])
def test_a_long_value_is_quoted_in_part_and_is_still_known(length: int) -> None:
    flow = MOVED.replace("age: {type: integer, max: 120, about: your age}", "age: {type: string, about: your note}")
    flow = flow.replace("u.age > 60", 'u.age == "x"').replace(
        "say: How old are you?", "form: {fields: [{field: u.age}]}"
    )
    chat = tw.open_sync(tw.loads(flow.replace("collect: [u.age]\n    ", ""))).chat("a")
    chat.start()
    chat.say("x" * length)
    answer = chat.why("u.age")
    assert answer.plain == f"You answered “{'x' * 200}{'…' if length > 200 else ''}” for your note."


def test_the_answer_is_recorded_with_the_command_and_hides_secrets() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    chat.start()
    chat.say("I am 70")
    chat.say("4711")
    chat.undo()
    turn = chat.say("Why do you not have my number 4711?")
    assert "4711" not in turn.text
    assert turn.text == "The answer about your number was taken back.\n\nYour number?"
    understood = next(one for one in turn.events if isinstance(one, tw.events.Understood))
    assert understood.commands[0].answer == "The answer about your number was taken back."
    assert chat.rerun().agrees


def test_a_command_of_the_program_says_no_words_of_its_own() -> None:
    chat = tw.open_sync(tw.loads(MOVED)).chat("a")
    chat.say("I am 70")
    assert chat.commands([c.Why(answer="Because I say so.")]).text.startswith("The reason is: people over 60")


def test_where_a_model_is_connected_it_is_asked_as_before() -> None:
    model = ScriptedModel(["Because of the rules."])
    chat = tw.open_sync(tw.loads(CAUGHT), model=model).chat("a")
    assert chat.say("Why do you want to know all that?").text == "Because of the rules."


HEALTH = Path("examples/health_intake/health_intake.flow.yaml").read_text("utf-8")
ASKABLE = HEALTH.replace("language: en\n", "language: en\ncommands: [why]\n")


@pytest.mark.parametrize("question", ["why?", "why can I not go on?"])
def test_a_denied_agreement_is_what_is_needed_and_not_what_is_optional(question: str) -> None:
    chat = tw.open_sync(tw.loads(ASKABLE)).chat("a")
    for text in ("hello", "I'm Kim, and I am 48", "thanks"):
        chat.say(text)
    assert chat.say("I don't agree to the terms").text == "I still need: agreement to the terms."
    assert chat.say(question).text == "I ask because I still need agreement to the terms."


TOLD = ("hello", "I'm Kim, and I am 48, I agree to the terms", "I sleep badly, I am sad, my knees")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why?", "The reason is: at least three groups of symptoms are known."),
        ("Why was I let in?", "The reason is: at least three groups of symptoms are known."),
        ("Why do you have my age in years?", "You answered “48” for age in years."),
    ],
)
def test_a_node_with_once_does_not_go_on_because_of_a_why(question: str, answer: str) -> None:
    chat = tw.open_sync(tw.loads(ASKABLE)).chat("a")
    for text in TOLD:
        chat.say(text)
    assert chat.say(question).text == answer
    assert chat.state().node == "closing"
    assert chat.say("no, thanks").text == "Take care, Kim. We will write to you."
    assert chat.rerun().agrees


def test_a_message_with_the_word_that_asks_nothing_goes_on() -> None:
    chat = tw.open_sync(tw.loads(ASKABLE)).chat("a")
    for text in TOLD:
        chat.say(text)
    assert chat.say("why not").text == "Take care, Kim. We will write to you."


@pytest.mark.parametrize("question", ["ok, why was I let in?", "Thanks! Why was I let in?", "Hm, und warum?"])
def test_small_words_before_a_why_do_not_move_it_on(question: str) -> None:
    chat = tw.open_sync(tw.loads(ASKABLE)).chat("a")
    for text in (*TOLD, question):
        chat.say(text)
    assert chat.state().node == "closing"


@pytest.mark.parametrize("question", ["why?", "warum?"])
def test_after_the_end_a_why_is_answered_and_changes_nothing(question: str) -> None:
    chat = tw.open_sync(tw.loads(ALLOWED)).chat("a")
    for text in ("Yes", "Yes", "referral please"):
        chat.say(text)
    before, journal = chat.state().turn, len(chat.journal())
    turn = chat.say(question)
    assert turn.refused == "conversation_ended"
    assert turn.text == (
        "The reason is: a referral with earlier inconsistencies is not for a machine. This conversation has ended."
    )
    assert chat.state().turn == before
    assert chat.say("hello").text == "This conversation has ended."
    (noted,) = chat.journal()[journal:]  # both messages are the same refusal, and no answer is kept
    assert noted.event == tw.events.EventRefused("said", "conversation_ended", "This conversation has ended.")


@pytest.mark.parametrize(
    ("texts", "reply"),
    [
        (("Yes",), "I ask because I still need insurance history."),
        (("Yes", "Yes", "referral please"), "This conversation has ended."),
    ],
)
def test_an_answer_that_cannot_be_found_costs_no_reply(
    texts: tuple[str, ...], reply: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_given: object) -> str:
        raise RuntimeError("a fault of ours")

    chat = tw.open_sync(tw.loads(ALLOWED)).chat("a")
    for text in texts:
        chat.say(text)
    monkeypatch.setattr("turnwise.why.ask.why_for_user", broken)
    assert chat.say("why was this asked?").text.startswith(reply)


def test_after_the_end_of_a_flow_without_the_command_nothing_is_answered() -> None:
    chat = tw.open_sync(tw.loads(ELIGIBILITY)).chat("a")
    for text in ("Yes", "Yes", "referral please"):
        chat.say(text)
    assert chat.say("why?").text == "This conversation has ended."


NEEDED, NEEDS = "I asked for your age because I needed it.", "I ask because I still need your age."
BEGUN = """
flow: begun
version: 1
start: front
language: en
commands: [why, undo]
records: {u: {age: {type: integer, about: your age}, note: {type: string, about: your note}}}
nodes:
  front: {say: Hello., transitions: [{id: on, at: after, reply: next, because: it begins, to: desk}]}
  desk: {form: {fields: [{field: u.age, ask: "Age?"}, {field: u.note, ask: "Note?"}]}}
"""


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("I am 70", "Note?"),
        ("well, why not, I am 70", "Note?"),
        ("why not? I am 70", f"The reason is: it begins. {NEEDS}\n\nNote?"),
        ("undo, and why not", "There is nothing to undo.\n\nAge?"),
        ("undo, why not?", f"There is nothing to undo.\n\nThe reason is: it begins. {NEEDS}\n\nAge?"),
        ("I am 70, why?", f"The reason is: it begins. {NEEDED}\n\nNote?"),
        ("70. Why do you need that?", f"The reason is: it begins. {NEEDED}\n\nNote?"),
    ],
)
def test_a_message_that_does_more_than_ask_why_is_read_after_the_decided_move(message: str, text: str) -> None:
    chat = tw.open_sync(tw.loads(BEGUN)).chat("a")
    chat.start()
    assert chat.say(message).text == text
    assert (chat.state().node, chat.state().pending) == ("desk", None)
    assert ("u.age" in chat.state().values) == ("70" in message)
    assert chat.rerun().agrees


def test_a_choice_that_asks_why_is_an_answer() -> None:
    options = "{type: choice, options: [Why not?, What for?], about: your age}"
    flow = BEGUN.replace("{type: integer, about: your age}", options)
    for option in ("Why not?", "What for?"):
        chat = tw.open_sync(tw.loads(flow)).chat("a")
        chat.say("hello")
        chat.say("hello")
        assert chat.say(option).text == "Note?"
        assert chat.state().values["u.age"].value == option


@pytest.mark.parametrize("part", ["what,", "and what ", "for,what ", "what!for!", "why,"])
def test_whether_a_long_message_asks_why_takes_no_time_that_grows_with_the_square(part: str) -> None:
    message = part * 20_000
    begin = time.thread_time()
    is_why_question(message + "x")
    assert time.thread_time() - begin < 2


def test_whether_users_may_ask_why_after_the_end_is_what_the_version_in_use_says() -> None:
    store, flow = MemoryStore(), BEGUN.split("  desk:", maxsplit=1)[0] + "  desk: {say: Done., end: done}\n"
    with tw.open_sync(tw.loads(flow), store=store) as app:
        app.chat("a").start()
    later = flow.replace("version: 1", "version: 2").replace("[why, undo]", "[undo]")
    with tw.open_sync(tw.loads(later), store=store) as app:
        app.chat("a").migrate()
        app.chat("a").say("hello")
        assert app.chat("a").say("why?").text == "This conversation has ended."
