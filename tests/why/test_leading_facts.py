"""The first line of an answer is about what the question has: a refused value, a message, a move, a reply."""

from __future__ import annotations

import pytest

import turnwise as tw
from asked_stories import ask, partner
from support.chats import NOON_MS
from support.opened import close_all, opened
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import ScriptedModel, call

HEALTH = "examples/health_intake/health_intake.flow.yaml"


@pytest.mark.parametrize(
    ("question", "line", "plain"),
    [
        (
            "why was my age 51 not taken?",
            "the command set on user.age to 51 was refused",
            "I could not take the answer",
        ),
        ("why did you not note that I am 200?", "the value 200, as the rules", "That is more than 120."),
        ("warum wurde 200 abgelehnt?", "the value 200, as the rules", "That is more than 120."),
        ("why is my age 45?", "user.age was set to 45", "I have “45”"),
        ("why is my age 45 and not 51?", "the command set on user.age to 51 was refused", "I have “45”"),
        ("user.age", "user.age was set to 45", "I have “45”"),
    ],
)
def test_a_refused_value_comes_first_where_the_question_has_it(question: str, line: str, plain: str) -> None:
    chat = opened(HEALTH)
    try:
        for text in ("I'm Rita, 200 years old", "I'm 45", "I'm 51"):
            chat.say(text)
        answer = chat.why(question)
        assert answer.line.startswith(line)
        assert plain in answer.plain
    finally:
        close_all()


def test_a_dropped_timer_names_the_move_that_left_its_node() -> None:
    chat = opened(HEALTH)
    try:
        for text in ("I'm Olga", "I'm 35 years old and I agree to the terms", "sorry, I am 53"):
            chat.say(text)
        fact = chat.why("turned_away").fact("timer_dropped")
        assert fact is not None
        assert fact.text == "the timer turned_away was dropped, because ineligible was left by corrected"
        assert fact.causes[0].values["transition"] == "corrected"
    finally:
        close_all()


SAID = ("I'm Olga", "I'm 35 years old and I agree to the terms", "sorry, I am 53", "I sleep badly", "my head aches")


@pytest.mark.parametrize(
    ("question", "subject", "turn", "line"),
    [
        ("why was my head aches not noted as a symptom?", "message 5", 5, "nothing in the message was understood"),
        (
            "why was my head aches not noted?",
            "message 5",
            5,
            "in profiler; what can be understood there: symptoms.groups (sleep, mood, memory, hot flushes, joints)",
        ),
        ("why did you not keep sleep as a symptom?", "field symptoms.groups", 5, "symptoms.groups was set to sleep"),
        (
            "Warum hat sie nach „I sleep badly“ noch weitere Symptome erfragt?",
            "field symptoms.groups",
            4,
            "symptoms.groups was set to sleep",
        ),
        (
            "why was Olga turned away at first?",
            "node ineligible",
            5,
            "introduction → ineligible by too_young: under age 38; too_young held in turn 2, as user.age was 35",
        ),
        ("why did it first turn Olga away and later let her in?", "node ineligible", 5, "introduction → ineligible by"),
        ('was I handed to a person because of "my head aches"?', "the person", 5, "no person is awaited or in charge"),
        ("ineligible", "node ineligible", 5, "and left in turn 3 by corrected (what is known no longer rules"),
    ],
)
def test_a_question_finds_its_turn_and_the_visit_of_a_node(question: str, subject: str, turn: int, line: str) -> None:
    chat = opened(HEALTH)
    try:
        for text in SAID:
            chat.say(text)
        answer = chat.why(question)
        assert (str(answer.subject), answer.turn) == (subject, turn)
        assert line in answer.line
        assert [one.kind for one in (answer.subject, *answer.also)].count("message") <= 1
    finally:
        close_all()


def test_what_the_machine_said_goes_before_a_name_in_a_clause_that_says_when() -> None:
    model = ScriptedModel(["Welcome, Svenja.", ProviderFailed("the network is down")])
    chat = opened(HEALTH, model=model)
    try:
        for text in ("I'm Svenja, 44", "I agree to the terms"):
            chat.say(text)
        answer = chat.why("why did it say something went wrong after I agreed to the terms?")
        assert answer.line == "the turn failed (model): the network is down"
    finally:
        close_all()


def test_a_timer_that_came_due_leads_back_to_what_brought_its_node_in_charge() -> None:
    clock = tw.ManualClock(NOON_MS)
    chat = opened(HEALTH, clock=clock)
    try:
        for text in ("I'm Paul, a man, 50, and I agree to the terms", "hm"):
            chat.say(text)
        chat.fire("turned_away")
        walked = [one.text for one in chat.why("end").facts[0].walk()]
        assert "user.gender was set to male, as the rules understood it, from “man”" in str(walked)
    finally:
        close_all()


def test_what_a_person_set_and_why_one_came_is_in_the_answer_about_the_person() -> None:
    chat = opened(HEALTH)
    try:
        chat.say("I'm Wilma, 39")
        chat.take_over("Lena", reason="training")
        chat.give_back("helped", set={"user.age": 45})
        texts = [fact.text for fact in chat.why("person").facts]
        assert texts[0] == "Lena gave the conversation back with the outcome helped, set user.age = 45"
        assert "Lena took over: training" in texts
    finally:
        close_all()


ELIGIBILITY = "examples/eligibility/eligibility.flow.yaml"
ANSWERED = ("yes", "no", "undo", "partial", "billing, and let us wait, it is urgent", "dunno")
ADMITTED = ("I'm Nadia", "I'm 39, and I agree to the terms", "sorry, I am 41", "I sleep badly", "my moods", "my joints")


@pytest.mark.parametrize(
    ("path", "said", "question", "line"),
    [
        (ELIGIBILITY, ANSWERED, "why is it no longer No for the insurance history?", "had the value No until the undo"),
        (ELIGIBILITY, ANSWERED, "Wieso ist insurance_history nicht mehr No?", "had the value No until the undo"),
        (
            ELIGIBILITY,
            ANSWERED,
            "why is the insurance history partial although I said no?",
            "had the value No until the undo",
        ),
        (ELIGIBILITY, ANSWERED, 'why was "let us wait" ignored?', "stands for Wait of case.on_failure, and was not"),
        (ELIGIBILITY, ANSWERED, 'why was "it is urgent" ignored?', "case.urgency was set to Urgent"),
        (
            ELIGIBILITY,
            ("yes", "perhaps", "it is no"),
            "why is the insurance history No although I said perhaps?",
            "set to No",
        ),
        (ELIGIBILITY, ANSWERED, "what happened to the insurance history?", "insurance_history was set to Partial"),
        (HEALTH, ADMITTED, "how did it come to closing?", "profiler → closing by three_groups"),
        (HEALTH, ADMITTED, "wodurch kam es zu closing?", "profiler → closing by three_groups"),
        (HEALTH, ADMITTED[:5], "how many symptom groups are still missing?", "it needs size(symptoms.groups) >= 3"),
        (
            HEALTH,
            (*ADMITTED[:3], "I sleep badly and my knees hurt"),
            "how many symptom groups are still missing?",
            "it needs size(symptoms.groups) >= 3",
        ),
        (HEALTH, ADMITTED[:5], "why are there two symptom groups?", "symptoms.groups was set to sleep, mood"),
    ],
)
def test_the_fact_comes_first_that_is_about_what_is_asked(
    path: str, said: tuple[str, ...], question: str, line: str
) -> None:
    chat = opened(path)
    try:
        for text in said:
            chat.say(text)
        assert line in chat.why(question).line
    finally:
        close_all()


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Since when is the age 45?", "user.age was set to 45"),
        ("Wann wurde das Alter gesetzt?", "user.age was set to 45"),
        ("When was she let in?", "introduction → profiler by complete"),
        ("When was the introduction left?", "introduction"),
    ],
)
def test_a_question_of_when_is_answered_with_the_time_in_its_zone(question: str, line: str) -> None:
    clock = tw.ManualClock(NOON_MS)
    chat = opened(HEALTH, clock=clock)
    try:
        chat.say("I'm Ada")
        clock.move_s(180)
        chat.say("I'm 45, and I agree to the terms")
        clock.move_s(3600)
        chat.say("I sleep badly")
        answer = chat.why(question)
        at, first = answer.facts[:2]
        assert line in first.text
        did = first.text.removeprefix("before: ").partition(" (")[0]
        assert answer.line.startswith(f"that was at {at.values['at']}, in turn 2: {did}")
        assert at.values["at"] == "2026-01-09 13:03:00 CET"
        assert answer.plain.endswith(f" That was at {at.values['at']}.")
    finally:
        close_all()


UNDONE_ANSWER = ("hello", "yes", "partial", "billing", "tell me", "undo", "Escalate, and there is no hurry")
ASIDE = ("hello", "yes", "help", "referral, please", "perhaps")
AGREED = ("I'm Quirin, 45", "I do not agree to the terms", "well, I agree to the terms")


@pytest.mark.parametrize(
    ("path", "said", "question", "lines"),
    [
        (
            ELIGIBILITY,
            UNDONE_ANSWER,
            "Why was I asked twice what should happen if the check fails?",
            (
                "which took back case.on_failure = Notify",
                "was asked for 2 times in this conversation, in turns 4 and 6",
            ),
        ),
        (
            ELIGIBILITY,
            UNDONE_ANSWER,
            "How often was I asked what should happen if the check fails?",
            ("was asked for 2 times in this conversation, in turns 4 and 6", "the user was asked for case.on_failure"),
        ),
        (
            ELIGIBILITY,
            UNDONE_ANSWER,
            "Was I asked twice what should happen if the check fails?",
            ("was asked for 2 times in this conversation, in turns 4 and 6", "the user was asked for case.on_failure"),
        ),
        (
            ELIGIBILITY,
            (*UNDONE_ANSWER[:4], "banana", "tell me", "undo"),
            "Why did it ask me again what to do if the check fails?",
            ("which took back case.on_failure = Notify", "is asked again because the answer was not understood"),
        ),
        (
            ELIGIBILITY,
            ("yes", "partial", "billing", "sorry, it is for therapy"),
            "Why did the purpose change twice?",
            ("case.purpose was set to Treatment", "was set 2 times in this conversation: Billing in turn 3, then"),
        ),
        (
            ELIGIBILITY,
            ("hello", "yes", "undo", "yes", "no", "start over", "unknown", "I have it now"),
            "Why was I asked again whether I have the patient's information?",
            ("lost its value Yes, because the form of intake began anew", "the user was asked for case.patient_info"),
        ),
        (
            ELIGIBILITY,
            ("hello", "yes", "partial", "billing", "wait", "asap", "no, escalate"),
            "Why was Wait stored?",
            ("case.on_failure had the value Wait", "case.on_failure was set to"),
        ),
        (
            HEALTH,
            ("I'm Ruth, 36", "sorry, I am 46", "I am a man"),
            "Why was she turned away although she is 46?",
            ("introduction → ineligible by ineligible_male", "user.age was set to 46"),
        ),
        (
            ELIGIBILITY,
            ("hello", "yes", "start over", "yes"),
            "Why did I have to say twice that I have the patient info?",
            ("lost its value Yes, because the form of intake began anew", "was set 2 times"),
        ),
        (
            HEALTH,
            ("I'm Ada, 45, and I agree to the terms", "I sleep badly"),
            "Why is Ada still in the profiler although she said she sleeps badly?",
            ("stayed in profiler", "symptoms.groups was set to sleep"),
        ),
        (
            HEALTH,
            ("I'm Ada, 45", "I agree to the terms"),
            "In which turn did Ada agree?",
            (", in turn 2: user.tos_acknowledged was set to true", "user.tos_acknowledged was set to true"),
        ),
        (
            ELIGIBILITY,
            ASIDE,
            "Why was I asked four times about the insurance history?",
            ("is asked again because the answer was not understood", "was asked for 4 times"),
        ),
        (
            ELIGIBILITY,
            (*ANSWERED[:2], "start over", "yes"),
            "Why was I asked twice about the insurance history?",
            ("case.insurance_history lost its value", "was asked for 2 times"),
        ),
        (
            HEALTH,
            AGREED,
            "How come he had to say twice about the terms?",
            (
                "complete did not hold, because it needs user.tos_acknowledged (is false)",
                "was set 2 times in this conversation: false in turn 2",
            ),
        ),
        (
            HEALTH,
            ("I'm Rita, 45", "I agree to the terms"),
            "Why did she have to agree twice?",
            ("was set once in this conversation: true in turn 2", "user.tos_acknowledged was set to true"),
        ),
        (
            ELIGIBILITY,
            ASIDE[:4],
            "Why did it ask about the insurance history again although I had said referral?",
            ("and was stored in case.purpose instead", "is asked because"),
        ),
        (
            ELIGIBILITY,
            ASIDE[:4],
            "Why is patient info Yes although I said referral?",
            ("case.patient_info was set to Yes", "case.purpose was set to Referral"),
        ),
        (
            ELIGIBILITY,
            UNDONE_ANSWER,
            "Who took back the answer about what happens if the check fails, and when?",
            (", in turn 6, by the user, who said “undo”: the state", "which took back case.on_failure = Notify"),
        ),
        (
            ELIGIBILITY,
            UNDONE_ANSWER,
            "Wer hat die Antwort zurückgenommen?",
            ("which took back case.on_failure = Notify", "that was in turn 6, by the user, who said “undo”"),
        ),
        (
            ELIGIBILITY,
            UNDONE_ANSWER,
            "When was the answer taken back?",
            (", in turn 6: the state of the end of turn 4", "which took back case.on_failure = Notify"),
        ),
    ],
)
def test_what_the_clause_that_asks_is_about_leads_and_the_rest_follows(
    path: str, said: tuple[str, ...], question: str, lines: tuple[str, ...]
) -> None:
    chat = opened(path)
    try:
        for text in said:
            chat.say(text)
        answer = chat.why(question)
        texts = [fact.text for fact in answer.facts]
        for text, line in zip(texts, lines, strict=False):
            assert line in text, texts[:4]
        assert len(set(texts[:4])) == len(texts[:4])
    finally:
        close_all()


def test_the_sentence_for_the_user_says_of_the_reason_of_then_that_it_is_over() -> None:
    chat = opened(HEALTH)
    try:
        for text in ("I'm Maria, 35", "sorry, I am 48"):
            chat.say(text)
        answer = chat.why("why was she asked for her age again?")
        assert answer.line == "corrected did not hold, because it needs user.age >= 38 (is 35)"
        assert answer.plain == "I had “35” for age in years, which stood against that."
    finally:
        close_all()


def test_only_a_question_of_when_has_the_time_in_its_sentence() -> None:
    chat = opened(ELIGIBILITY)
    try:
        for text in UNDONE_ANSWER:
            chat.say(text)
        assert "That was" not in chat.why("Wer hat die Antwort zurückgenommen?").plain
        assert "That was at" in chat.why("Who took back the answer, and when?").plain
    finally:
        close_all()


@pytest.mark.parametrize(
    "question",
    [
        "Why didn't the half-hour deadline throw Bert out the first time?",
        "Why did the deadline have no effect at first?",
        "Warum hat die Frist beim ersten Mal nicht gegriffen?",
    ],
)
def test_the_first_time_that_a_timer_came_due_is_found(question: str) -> None:
    chat = opened(HEALTH)
    try:
        chat.say("I'm Bert, I am 51 and a man")
        chat.say("sorry, I am a woman")
        chat.fire("turned_away", visit=1)
        chat.say("no, I am a man")
        chat.fire("turned_away")
        answer = chat.why(question)
        assert answer.turn == 3
        assert answer.line.startswith("the timer turned_away came due and changed nothing")
        assert "its transition was taken" in chat.why("why did turned_away fire?").line
    finally:
        close_all()


def test_which_asks_for_every_time_that_something_failed() -> None:
    model = ScriptedModel(["Hello.", ProviderFailed("503"), "Well.", ProviderFailed("429")])
    chat = opened(HEALTH, model=model)
    try:
        for text in ("I'm Anna, 45", "what are the terms?", "I see", "are you there?"):
            chat.say(text)
        for question, count in (
            ("Which message did we fail to answer?", "a turn failed 2 times in this conversation, in turns 2 and 4"),
            ("Where did the model fail?", "the model failed 2 times in this conversation, in turns 2 and 4"),
        ):
            answer = chat.why(question)
            assert "429" in answer.line
            assert answer.facts[1].text == count
        assert chat.why("Why did the model fail?").fact("counted") is None
    finally:
        close_all()


def test_who_works_in_a_node_is_a_person_and_so_is_whom_the_user_spoke_to() -> None:
    chat = opened("examples/health_intake/call_back.flow.yaml")
    try:
        chat.start()
        for text in ("a rash", "0170 112233"):
            chat.say(text)
        chat.take_over("Mara", reason="skin is hers")
        chat.operator_say("Put something cool on it.")
        chat.say("I will")
        chat.give_back("call", transition="helped", reason="it itches less already")
        assert chat.why("which nurse ended it and why").line.startswith("Mara gave the conversation back")
        assert chat.why("What did Clara say to Mara?").line.startswith("the message “I will” was not interpreted")
        assert chat.why("What did Mara say?").line == "Mara said “Put something cool on it.”"
    finally:
        close_all()


def test_words_that_were_not_taken_come_first_by_the_words_of_the_user() -> None:
    chat = opened(HEALTH, model=ScriptedModel(["Hello.", "And your joints?", "Noted."]))
    try:
        for text in ("I'm Anna, 43, and I agree to the terms", "I cannot sleep", "and my knees hurt"):
            chat.say(text)
        answer = chat.why("You never wrote down my knees. Why?")
        assert str(answer.subject) == "field symptoms.groups"
        assert answer.line.startswith("“knees” in the message of turn 3 stands for joints of symptoms.groups")
    finally:
        close_all()


def test_a_message_that_was_ignored_after_the_end_leads_where_the_question_is_about_it() -> None:
    chat = opened(ELIGIBILITY)
    try:
        for text in ("hello", "yes", "yes", "referral"):
            chat.say(text)
        answer = chat.why("Why did you ignore me when I wrote “wait, one more thing”?")
        assert answer.line.startswith("nothing that is stored has “wait one more thing”")
    finally:
        close_all()


def test_words_in_quotes_are_looked_for_first_in_calls_of_the_tool_that_is_named() -> None:
    rents = partner(
        call("save_result", text="move to Lisbon"),
        "I cannot save that yet.",
        call("web_search", query="rents in Lisbon"),
        "No net.",
        texts=("keep this", "please research the rents in Lisbon"),
    )
    answer = rents.why("Was “Lisbon” saved with save_result?")
    assert (str(answer.subject), answer.turn) == ("tool save_result", 1)
    assert answer.line.startswith("the call of save_result was refused")


def test_each_value_that_messages_name_and_that_was_not_taken_is_found_by_its_words() -> None:
    wrong = call("write_symptoms", add={"groups": ["tiredness"]})
    chat = opened(HEALTH, model=ScriptedModel(["Hello.", "How is your mood?", "And?", [wrong], "Is it your sleep?"]))
    try:
        chat.say("I'm Elsa, 51")
        chat.take_over("Lena")
        chat.say("I agree. And I sleep badly")
        chat.give_back("helped", set={"user.tos_acknowledged": True})
        for text in ("my mood is low", "I am always tired"):
            chat.say(text)
        asleep = chat.why("Why does it not know that she sleeps badly?")
        assert asleep.line.startswith("“sleep badly” in the message of turn 3 stands for sleep")
        assert chat.why("Why is her mood not noted?").line.startswith("“mood” in the message of turn 5")
        assert chat.why("symptoms.groups").line.startswith("symptoms.groups has no value: a write was refused")
    finally:
        close_all()


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Why did it not remember that I said tell me?", "which took back case.on_failure = Notify"),
        ("Warum wurde meine Antwort „tell me“ verworfen?", "which took back case.on_failure = Notify"),
        ("What did “tell me” do?", "case.on_failure was set to Notify"),
        ("Why was “maybe” not taken?", "case.insurance_history was not understood"),
    ],
)
def test_the_undo_of_what_a_message_set_leads_where_the_question_is_about_its_loss(question: str, line: str) -> None:
    chat = opened(ELIGIBILITY)
    try:
        for text in ("hello", "yes", "maybe", "partial", "billing", "tell me", "undo"):
            chat.say(text)
        assert line in chat.why(question).line
    finally:
        close_all()


def test_a_message_that_was_not_answered_leads_with_the_failure_of_its_turn() -> None:
    answer = ask("failed", 'What did the bot do with "what are the terms?"')
    assert (str(answer.subject), answer.turn) == ("message 2", 2)
    assert answer.line == "the turn failed (model): the service is overloaded"


def test_what_a_tool_returned_and_why_a_person_came_late_are_asked_of_them() -> None:
    assert ask("without_net", "What did web_search return?").line.startswith("web_search failed")
    assert ask("reviewed", "What did summarize return?").line.startswith("summarize returned “a”")
    chat = opened(HEALTH)
    try:
        chat.say("I'm Elsa, 51")
        chat.take_over("Lena", reason="on shift")
        chat.give_back("helped")
        assert chat.why("Why did Lena come so late?").line == "Lena took over: on shift"
    finally:
        close_all()


@pytest.mark.parametrize(
    ("story", "question", "line"),
    [
        (
            "maria",
            "Why was Maria not let in?",
            "complete did not hold, because it needs user.tos_acknowledged (missing)",
        ),
        ("maria", "Why was she not let in at first?", "before: introduction → ineligible by too_young"),
        ("maria", "Why was Maria first let in?", "before: introduction → profiler by complete"),
        ("maria", "Why was closing not reached earlier?", "three_groups did not hold, because it needs size(symptoms"),
        (
            "maria",
            "Warum kam sie nicht früher nach closing?",
            "three_groups did not hold, because it needs size(symptoms",
        ),
        ("job", "Why did planning_mode not open before?", "enter_planning_mode was not judged, because nothing that"),
        ("maria", "Why was closing reached?", "profiler → closing by three_groups"),
        ("hanna", "Why did she not leave the profiler?", "after: stayed in profiler: 1 candidate"),
        ("hanna", "Why is she not out of the profiler yet?", "after: stayed in profiler: 1 candidate"),
    ],
)
def test_why_not_is_not_answered_by_what_came_to_be_so_later(story: str, question: str, line: str) -> None:
    assert ask(story, question).line.startswith(line)


@pytest.mark.parametrize(
    ("said", "question", "line"),
    [
        (AGREED, "Why did she first say no to the terms?", "user.tos_acknowledged had the value false from turn 2"),
        (("I'm Ada, 45", "I'm 200", "I'm 46"), "Why did the age 200 not get through?", "the value 200, as the rules"),
        (
            ("I'm Ada", "well, it is what it is"),
            "Why did it not go on when I said it is what it is?",
            "nothing in the message",
        ),
    ],
)
def test_the_first_value_the_refused_one_and_words_that_name_nothing_are_found(
    said: tuple[str, ...], question: str, line: str
) -> None:
    chat = opened(HEALTH)
    try:
        for text in said:
            chat.say(text)
        answer = chat.why(question)
        assert answer.line.startswith(line)
    finally:
        close_all()


def test_a_tool_that_the_flow_has_not_is_named_by_its_words() -> None:
    chat = tw.open_sync("examples/context_machine/context_machine.flow.yaml", model=ScriptedModel(DELETES)).chat("a")
    chat.run()
    for question in ("Why did it try to delete everything?", "delete_everything"):
        assert chat.why(question).line.startswith("the call of delete_everything was refused (unknown tool)")


DELETES = [call("delete_everything"), call("write_config", set={"result": "done"}), "Written."]


def test_why_it_stayed_is_the_decision_that_lacked_something_whatever_the_node_is_called() -> None:
    flow = (
        "{flow: f, start: which_clinic, records: {r: {n: integer}}, nodes: {which_clinic: {prompt: Ask., writes: [r],"
        " transitions: [{id: enough, to: c, at: before, when: r.n > 5}]}, c: {say: C}}}"
    )
    chat = opened(tw.loads(flow))
    try:
        chat.say("hello")
        assert chat.why("why did it stay in which_clinic?").line.startswith(
            "before: stayed in which_clinic: 1 candidate"
        )
    finally:
        close_all()
