"""Plain questions of support people, authors, auditors and users: what each is read as, at which turn, and what the
first line of its answer says.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import turnwise as tw
from asked_stories import HEALTH, ask

AGE = "user.age was set to 48, as the rules understood it, from “48” (was 35)"
ASKED = [
    # a time to come, and a time that passed
    ("again", "why was she not turned away after half an hour?", "timer turned_away", 2, "is due at"),
    ("lea", "when is Lea turned away?", "timer turned_away", 1, "is due at"),
    ("lea", "what happens if Lea says nothing more?", "timer turned_away", 1, "is due at"),
    ("lea", "how long until Lea is turned away", "timer turned_away", 1, "the timer turned_away gives 30m: from "),
    ("lea", "was passiert, wenn Lea nichts mehr sagt?", "timer turned_away", 1, "is due at"),
    ("lea", "wann läuft die Frist ab", "timer turned_away", 1, "is due at"),
    ("paula", "did the timer fire?", "timer turned_away", 2, "came due"),
    ("lea", "why was Lea turned away?", "node ineligible", 1, "by too_young: under age 38"),
    # what was said in an earlier turn selects that turn
    (
        "maria",
        "why did it let me in after I said thirty-five?",
        "transition too_young",
        2,
        "introduction → ineligible by too_young",
    ),
    ("maria", "what did it do when I said forty eight", "message 3", 3, AGE),
    ("maria", "explain why my message “sorry, I am 48” changed anything", "message 3", 3, AGE),
    ("ines", "why was Ines let in at exactly 38?", "turn 1", 1, "introduction → profiler by complete"),
    ("late", "why was 36 not taken?", "message 3", 3, "was not taken"),
    ("late", "why was Eva not turned away when she said 36?", "transition turned_away", 3, "profiler"),
    ("aside", "why did it not answer how long a check takes?", "message 4", 4, ""),
    ("restarted", "why did it explain what name and member number are for?", "message 2", 2, "help"),
    ("restarted", "why did it say “This answer is needed”?", "message 5", 5, "skip on case.purpose was refused"),
    ("stopped", "why can the check not begin?", "the form", 2, "stopped because case.patient_info is No"),
    ("two", "why didn't “both” work?", "message 5", 5, "was not understood"),
    ("case-1042", "why was “no, that's not correct” taken as an edit", "message 7", 7, "edit"),
    ("greta", "why was “Is there somebody who calls me back” ignored", "message 5", 5, "because Lena is in charge"),
    ("job", "why “no reason to stay is named”?", "tool think", 2, "think returned"),
    ("job", "why did it say it is the money against the people?", "turn 2", 2, "enter_post_analysis_step"),
    ("job", "why did the first message do nothing", "message 1", 1, ""),
    ("romy", "why pills?", "message 2", 2, "call.topic was set"),
    ("renamed", "why is it not Eve any more?", "message 2", 2, "another value"),
    ("without_net", "why was there no network", "tool web_search", 1, "web_search failed: OSError: no network"),
    ("wrong", "why was the answer 'done' not accepted the first time?", "tool write_config", 1, "no field 'answer'"),
    # where a value comes from
    ("maria", "who decided that she is 48", "field user.age", 8, AGE),
    ("maria", "wie kommt es, dass Maria 48 ist?", "field user.age", 8, AGE),
    ("lea", "who says that Lea is 31?", "field user.age", 1, "user.age was set to 31"),
    ("with_lena", "wer hat 41 eingetragen?", "field user.age", 4, "by Lena, who was in charge"),
    ("maria", "why joints?", "field symptoms.groups", 8, "symptoms.groups was set to sleep, memory, joints"),
    ("maria", "where does “Maria told of 3 groups” come from", "field symptoms.summary", 8, "by the transition three"),
    ("case-1042", "who set urgency to no rush", "field case.urgency", 8, "“no hurry” is a word for it"),
    ("case-1042", "how come I have to answer the purpose again?", "field case.purpose", 8, "asked again because"),
    ("romy", "nurses", "node nurse", 3, "questions → nurse by asked"),
    ("romy", "why was 0151 234567 stored as the number?", "field call.number", 3, "call.number was set to 0151 234567"),
    # what happened once
    ("restarted", "why did it start over?", "message 7", 7, "restart"),
    ("restarted", "why are all answers gone?", "message 7", 7, "restart"),
    ("restarted", "why was I not allowed to skip?", "message 5", 5, "skip on case.purpose was refused"),
    ("changed", "who changed my answers?", "person dora", 5, "set case.purpose = Holiday (turn 3; the value"),
    ("changed", "why was Holiday rejected?", "turn 3", 3, ""),
    ("failed", "what failed in turn 2?", "turn 2", 2, "the service is overloaded"),
    ("failed", "why did it give up?", "the conversation", 2, "the last turn failed (model)"),
    ("without_net", "why did it not plan when I said plan the first time?", "node planning_mode", 2, "web_search"),
    ("copied", "why is this a copy?", "the origin", 4, "everything before was copied from the conversation a"),
    ("copied", "where does this conversation come from?", "the origin", 4, "everything before was copied"),
    ("wrong", "what did the undo take back?", "turn 4", 4, "the state of the end of turn 1 was restored"),
    ("failed", "which model failed?", "the model", 2, "the service is overloaded"),
    ("job", "why was think used?", "tool think", 2, "think returned"),
    ("job", "warum wurde think benutzt?", "tool think", 2, "think returned"),
    ("run-1", "why did it wait for two model calls?", "the model", 1, "replied"),
    ("run-1", "what did the model write?", "tool write_config", 1, "write_config"),
    ("job", "why did the step change in turn 2?", "turn 2", 2, "enter_post_analysis_step"),
    ("job", "explain turn 2", "turn 2", 2, "enter_post_analysis_step"),
    # the clause that asks, and what it is kept from
    ("reviewed", "why did the review not open in turn 1 although save_result was used?", "node review", 1, "needs"),
    ("without_net", "why does a web search that failed keep it from planning?", "node planning_mode", 2, "web_search"),
    ("job", "why did it use summarize and not save_result?", "tool summarize", 2, "summarize returned"),
    ("practice", "did anything happen after ten minutes?", "timer erinnern", 4, "is due at"),
    ("stuck", "what's wrong with this run", "the conversation", 1, "stuck"),
    ("written", "where does hello world come from", "field config.value", 2, "config.value was set to hello world"),
    ("paula", "why turned_away and not corrected?", "transition turned_away", 2, "half an hour passed"),
    # a German question about an English flow
    ("old", "warum wurde mein Alter nicht gespeichert?", "field user.age", 2, "more than the maximum 120"),
    ("sofia", "warum fragt es nicht nach meinem Geschlecht?", "field user.gender", 2, "user.gender has no value"),
    ("greta", "wer ist zuständig?", "the person", 5, "Lena is in charge"),
    ("hanna", "warum ist Hanna noch im profiler?", "node profiler", 2, "introduction → profiler"),
    # an English question about a German flow, and a German one
    ("practice", "why does it know my age?", "field patient.alter", 4, "patient.alter was set to 37"),
    ("practice", "why is the e-mail empty", "field patient.email", 4, "was not understood"),
    ("practice", "why has it not asked for the date?", "question patient.tag", 4, "is not asked yet"),
    ("practice", "how come it wants my insurance", "field patient.kasse", 4, "patient.kasse was set to gesetzlich"),
    ("practice", "where does 37 come from?", "field patient.alter", 4, "patient.alter was set to 37"),
    ("practice", "why was thirty-seven stored", "field patient.alter", 4, "patient.alter was set to 37"),
    ("practice", "when is the reminder sent?", "timer erinnern", 4, "is due at"),
    ("practice", "what happens if Anna does not answer?", "timer erinnern", 4, "is due at"),
    ("practice", "Woher kommt die 37", "field patient.alter", 4, "patient.alter was set to 37"),
    ("practice", "Warum wurde “keine Ahnung” nicht verstanden?", "message 4", 4, "was not understood"),
    ("practice", "Wer hat gesetzlich eingetragen?", "field patient.kasse", 4, "“AOK” is a word for it"),
    ("practice", "was fehlt noch?", "the form", 4, "patient.email is asked again"),
    ("refused", "why was 200 refused?", "message 2", 2, "more than the maximum 120"),
    ("refused", "warum wurde zweihundert abgelehnt?", "message 2", 2, "more than the maximum 120"),
    # slips
    ("lea", "why is teh timer not fird?", "timer turned_away", 1, "is due at"),
    ("maria", "why did it happend?", "turn 8", 8, "the conversation ended"),
    ("maria", "weshalb ist das Gespraech beendet", "the end", 8, "the conversation ended"),
    ("case-1042", "why has it not gone to the expret", "transition expert", 8, "expert did not hold"),
    ("holiday", "why did the serach come back empty?", "tool search", 1, "search returned"),
    ("case-1042", "Warum hat der Planer den Fall noch nicht?", "node handed_over", 8, "never entered"),
    ("two", "whyy does it say its having trouble understanding", "message 5", 5, "was not understood"),
    # who is let in leaves the first node, and who gets a second chance comes back to it
    ("maria", "how come Maria got into the study", "transition complete", 5, "introduction → profiler"),
    ("maria", "Warum hat Maria doch mitmachen dürfen?", "transition complete", 5, "introduction → profiler"),
    ("maria", "why did Maria get a second chance?", "transition corrected", 3, "ineligible → introduction"),
    ("lea", "warum wurde Lea abgewiesen?", "transition too_young", 1, "introduction → ineligible"),
    ("lea", "why was Lea not let in?", "transition too_young", 1, "introduction → ineligible"),
    ("holiday", "why did it find nothing?", "tool search", 1, "search returned"),
    ("greta", "why does the machine say nothing any more?", "the conversation", 5, "with Lena"),
    ("romy", "why is nobody answering me?", "the person", 3, "a person of the queue nurses is awaited"),
    ("case-1042", "who am I talking to?", "the person", 8, "no person is awaited"),
    ("job", "why does the answer mention Sunday?", "tool list_generation", 3, "decide on Sunday"),
    # people
    ("greta", "who took the conversation over?", "the person", 5, "Lena is in charge"),
    ("with_lena", "why did Lena give it back?", "person Lena", 4, "gave the conversation back"),
    ("greta", "how come nobody answers Greta?", "the person", 5, "Lena is in charge"),
    # how usual
    ("maria", "how often was Maria turned away?", "node ineligible", 8, "ineligible was entered once in"),
    ("case-1040", "how often does this go to an expert?", "transition expert", 4, "expert was taken once in"),
]


@pytest.mark.parametrize(("story", "question", "subject", "turn", "line"), ASKED, ids=[one[1] for one in ASKED])
def test_a_question_is_read(story: str, question: str, subject: str, turn: int, line: str) -> None:
    answer = ask(story, question)
    assert (str(answer.subject), answer.turn) == (subject, turn), answer.line
    assert line in answer.line
    assert answer.read_as.startswith(f"why {subject}")


def test_how_often_is_counted_over_all_conversations() -> None:
    counted = ask("maria", "how often was Maria turned away?").fact("usual")
    assert counted is not None
    assert counted.text.startswith("ineligible was entered in")


REFUSED = [
    (
        "with_lena",
        "why was 400 refused?",
        "nothing that was said or called so far has 400; ask about a name of the flow",
    ),
    ("sofia", "why dosent it know my adress", "ask about a name of the flow"),
    ("sofia", "why was “banana republic” ignored?", "nothing that was said or called so far has “banana republic”"),
    ("case-1042", "who decided that a supervisor is not called?", "did you mean 'case.on_failure'?"),
    ("job", "why did it leave the analysis?", "did you mean 'enter_post_analysis_step' or 'post_analysis_step'?"),
    ("case-1040", "why is it not for a machine?", "did you mean 'expert'?"),
    ("maria", "why is my data stored?", "its fields are user.name"),
    ("maria", "why was the payment refused?", "ask about a name of the flow"),
    ("maria", "what did my sister say", "ask about a name of the flow"),
    ("job", "why did it call my boss?", "ask about a name of the flow"),
    ("practice", "warum wurde mein Hund nicht gespeichert", "its fields are patient.alter"),
    ("case-1042", "why did it not ask for my age?", "its fields are case.patient_info"),
    ("case-1042", "wieso fragt es nochmal nach der Farbe?", "its fields are case.patient_info"),
    ("hanna", "what would it take to get Hanna to the closing?", "--to NODE"),
]


@pytest.mark.parametrize(("story", "question", "hint"), REFUSED, ids=[one[1] for one in REFUSED])
def test_what_names_nothing_is_refused(story: str, question: str, hint: str) -> None:
    with pytest.raises(tw.UnknownSubject) as found:
        ask(story, question)
    assert hint in found.value.hint


def test_a_question_does_not_find_out_a_secret() -> None:
    text = Path(HEALTH).read_text("utf-8")
    flow = tw.loads(text.replace("age: {type: integer,", "age: {type: integer, secret: true,"))
    chat = tw.open_sync(flow, model=tw.ScriptedModel(["Hi."] * 3)).chat("a")
    chat.say("I'm Zora, I'm 37")
    for age in (36, 37):
        with pytest.raises(tw.UnknownSubject):
            chat.why(f"why {age}?")


SAFE = """
flow: safe
version: 1
start: ask
language: en
records: {door: {code: {type: string, secret: true, about: the code}, note: {type: string, about: a note}}}
nodes:
  ask: {form: {fields: [{field: door.code, ask: Which code?}, {field: door.note, ask: A note?}]}}
"""


@pytest.mark.parametrize("question", ["why {}?", "why was {} refused?", "where does “{}” come from", "did I say {}?"])
def test_a_secret_word_is_read_as_any_other_word(question: str) -> None:
    chat = tw.open_sync(tw.loads(SAFE)).chat("a")
    chat.start()
    chat.say("zebracrossing")

    def read(word: str) -> str:
        try:
            return chat.why(question.format(word)).read_as
        except tw.UnknownSubject as unknown:
            return unknown.hint.replace(word, "…")

    assert read("zebracrossing") == read("elephantwalk")


@pytest.mark.parametrize(
    "question", ["why “—”?", "why '' and “”?", "? ? ?", "why “1” and 2 and “thirty”", "first . first"]
)
def test_an_odd_question_is_read_or_refused(question: str) -> None:
    with suppress(tw.UnknownSubject):
        assert ask("maria", question).line
