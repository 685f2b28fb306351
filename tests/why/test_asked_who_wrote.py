"""“Why did you write to me?” also finds the node that proposed something, and the person who wrote."""

from __future__ import annotations

import turnwise as tw
from support.chats import flow_of

FLOW = """
flow: tutor
start: chat
commands: [why]
person: {queue: desk}
records: {feedback: {mood: string}}
nodes:
  chat:
    prompt: You are Maya.
    offer: {scope: survey, opener: "Do you have a minute?"}
  survey:
    title: feedback
    scope: {returns: feedback}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
"""
QUESTIONS = ("Why did you write to me?", "Warum hast du mir geschrieben?")


def test_an_offer_of_a_node_and_a_person_are_found() -> None:
    model = tw.ScriptedModel(["Hi.", "Fine.", "Well."])
    with tw.open_sync(flow_of(FLOW), model=model) as app:
        chat = app.chat("ada")
        chat.say("hello")
        assert "Do you have a minute?" in chat.turn().text
        chat.say("no")
        for question in QUESTIONS:
            answer = chat.why(question)
            assert (str(answer.subject), answer.turn) == ("node survey", 1)
            assert answer.line == "the node chat proposed the scope survey: “Do you have a minute?”"
        chat.take_over("ann", display="Ann")
        assert chat.why(QUESTIONS[0]).turn == 1, "nothing was said"
        chat.operator_say("I am Ann. It is about your bill.")
        chat.give_back("done")
        for question in QUESTIONS:
            answer = chat.why(question)
            assert (answer.subject.kind, answer.turn) == ("person", 4)
            assert answer.plain == "A person was answering you then, so I did not."


def test_a_question_that_names_the_turn_of_an_offer_is_answered_by_it() -> None:
    with tw.open_sync(flow_of(FLOW), model=tw.ScriptedModel(["Hi.", "Fine."])) as app:
        chat = app.chat("ada")
        chat.say("hello")
        chat.say("no")
        assert chat.why("survey", turn=1).facts[0].kind == "offered"
        assert chat.why("survey").facts[0].kind == "scope_never_opened"
