"""Why a scope was opened and closed, and where a value comes from that it gave back."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.why_cases import Talk, every
from turnwise.models.scripted import call
from turnwise.why.answer import Fact, Subject

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
    assert found["scope_opened"].values["by"] == "asks"
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


SCHOOL = """
flow: school
version: 1
start: talk
language: en
commands: [cancel, why, undo, {start: [survey]}]
limits: {frames: 3}
records:
  user: {name: string}
  feedback: {mood: {type: choice, options: [good, bad], about: how it was}, text: {type: string}}
  result: {score: {type: integer}}
nodes:
  talk:
    prompt: Talk.
    tools: {allow: [open_exam]}
    transitions:
      - {id: asks, at: before, when: 'message.text.contains("quiz")', call: quiz, with: {topic: user.name}, because: they asked}
      - {id: named, at: before, when: user.name == "Ada", call: quiz, with: {topic: user.name}, because: she is Ada}
  survey:
    title: feedback
    scope:
      returns: feedback
      summary: "Feedback: {{ feedback.mood }}"
      limits: {turns: 3, idle: 30m, tokens: 1000}
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?}]}
          transitions:
            - {id: deeper, at: after, when: feedback.mood == "bad", to: detail, because: it was bad}
            - {id: fine, at: after, end: fine, because: it was good}
        detail:
          transitions:
            - {id: back, at: after, when: scope.outcome == "completed", return: true}
            - {id: broken, at: after, end: broken}
          scope:
            returns: feedback
            start: what
            nodes: {what: {form: {fields: [{field: feedback.text, ask: What was bad?}]}}}
  quiz:
    scope:
      input: {topic: string}
      returns: result
      records: {memo: {answer: {type: choice, options: [ja, nein]}}}
      start: one
      nodes:
        one:
          form: {fields: [{field: memo.answer, ask: "Is it {{ input.topic }}?"}]}
          transitions: [{id: right, at: after, when: memo.answer == "ja", set: {result.score: 1}, end: passed}]
  exam: {scope: {returns: result, input: {level: {type: integer}}}, prompt: Examine.}
"""


def first(talk: Talk, subject: str, turn: int | None = None) -> Fact:
    return talk.chat.why(subject, turn=turn).facts[0]


def set_name(chat: tw.SyncChat) -> None:
    chat.commands([tw.commands.Set(field="user.name", value="Ada")])


def test_an_open_scope_says_since_when_by_whom_and_how_much_of_its_limits_it_has_used() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "what?")
    assert first(talk, "survey").text == (
        "survey is open since turn 2, opened by the user; it had 1 of at most 3 turns of the user "
        "and used 0 of at most 1000 tokens; survey/ask is in charge in it"
    )
    assert talk.chat.why("survey").plain == "I did that because you asked for it."


def test_a_node_around_an_open_scope_waits_and_was_entered() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "bad")
    waits = first(talk, "talk")
    assert waits.kind == "node_waits"
    assert waits.text == "talk waits while the scope survey is open, since turn 2; survey/detail/what is in charge"
    assert first(talk, "survey/detail").kind == "scope_is_open"
    assert [one.text for one in talk.chat.why("talk").facts if one.kind == "counted"] == [
        "talk was entered once in this conversation, in turn 1"
    ]


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        (("good",), "fine"),
        (("bad", "cancel"), "broken"),
        (("cancel",), "cancelled, because it was cancelled"),
        (("x", "y", "z"), "limit, because it had 3 of at most 3 turns of the user"),
    ],
)
def test_a_closed_scope_says_its_outcome_and_why(steps: tuple[str, ...], outcome: str) -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", *steps)
    end = len(steps) + 2
    closed = first(talk, "survey")
    assert closed.kind == "scope_not_open"
    assert closed.text == f"survey is not open: it was opened in turn 2 and closed in turn {end} as {outcome}"
    if outcome.partition(",")[0] in ("cancelled", "limit"):
        kept = [one.values["kept"] for one in every(talk.chat.why("feedback.mood")) if one.kind == "scope_closed"]
        assert kept == ["feedback"]


def test_a_scope_in_which_nothing_was_said_says_for_how_long() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback")
    talk.clock.move_s(1800)
    talk.app.tick()
    assert first(talk, "survey").text.endswith("as timeout, because nothing was said in it for 30m")
    assert first(talk, "survey/ask").text.endswith("and left in turn 3 when survey was closed as timeout")
    assert talk.chat.why("survey").plain == "The time for that had passed."


def test_a_scope_that_was_never_opened_says_who_could_open_it_and_what_that_lacked() -> None:
    talk = Talk(SCHOOL).did("hello")
    assert first(talk, "survey").text == "survey was never opened: a user, by “feedback” could open it"
    assert first(talk, "exam").text == "exam was never opened: the model of talk could open it"
    quiz = first(talk, "quiz")
    assert quiz.kind == "scope_never_opened"
    assert 'asks did not hold, because it needs message.text.contains("quiz")' in quiz.text
    assert first(talk, "quiz/one").text.startswith("quiz/one was never entered: quiz was never opened")


def test_a_scope_whose_input_is_missing_says_so() -> None:
    talk = Talk(SCHOOL).did("hello", "a quiz, please")
    refused = first(talk, "quiz")
    assert refused.kind == "move_undone"
    assert refused.text == (
        "asks held, but the move talk → quiz was taken back, because a write was refused: "
        "the scope 'quiz' needs the input 'topic', which has no value"
    )
    talk.did("well")
    assert "asks held, but the move talk → quiz was taken back" in first(talk, "quiz").text


def test_a_scope_that_is_open_already_is_refused_and_says_so() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "feedback")
    refused = [one for one in every(talk.chat.why("survey")) if one.kind == "command_refused"]
    assert [one.values["scope"] for one in refused] == ["survey"]
    assert refused[0].text.startswith("the command start of survey was refused because it is open already")
    assert first(talk, "message 3") == refused[0]


def test_a_scope_that_a_model_may_not_open_with_these_arguments_says_so() -> None:
    talk = Talk(SCHOOL, [call("open_exam", level="high"), "Well."]).did("hello", "examine me")
    assert first(talk, "exam").text.startswith("exam was never opened: the call of open_exam was refused")


def test_what_a_scope_was_given_comes_from_what_the_transition_read() -> None:
    talk = Talk(SCHOOL).did("hello", set_name)
    answer = talk.chat.why("input.topic")
    assert answer.line == "quiz/input.topic was set to Ada, given to the scope quiz"
    assert [one.kind for one in answer.facts[0].causes] == ["value_read", "scope_opened"]
    assert answer.facts[0].causes[0].values["name"] == "user.name"


def test_a_returned_value_leads_through_the_scopes_to_the_words_of_the_user() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "bad", "it was dull")
    answer = talk.chat.why("feedback.text")
    assert answer.line == "feedback.text was set to it was dull, returned by the scope survey"
    fields = [one.values["field"] for one in every(answer) if one.kind == "field_set"]
    assert fields == ["feedback.text", "survey/feedback.text", "survey/detail/feedback.text"]
    assert "message_received" in [one.kind for one in every(answer)]
    assert answer.plain == "You answered “it was dull” for text."


def test_a_value_inside_a_closed_scope_is_gone_with_it() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "bad", "cancel")
    assert first(talk, "survey/feedback.mood").text == (
        "survey/feedback.mood has no value: survey is not open: it was opened in turn 2 and closed in turn 4 as broken; "
        "there it was bad at last"
    )
    assert first(talk, "form survey/ask").text == "the form of survey/ask is not open: the scope survey is not open"


def test_a_field_that_only_a_scope_fills_names_it() -> None:
    talk = Talk(SCHOOL).did("hello")
    assert first(talk, "feedback.mood").text.endswith("feedback.mood can be set by the scope survey")


def test_the_outcome_of_a_scope_is_what_a_transition_read() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "bad", "cancel")
    read = [one for one in every(talk.chat.why("back")) if one.kind == "root_read"]
    assert [(one.values["name"], one.values["value"]) for one in read] == [("scope.outcome", "cancelled")]
    assert read[0].causes[0].kind == "scope_closed"
    assert talk.chat.why("scope.outcome").subject.name == "survey"


def test_a_message_inside_says_what_a_model_outside_is_shown_instead() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback")
    assert not [one for one in talk.chat.why("message 2").facts if one.kind == "words_summarized"]
    talk.did("good", "well")
    (said,) = [one for one in talk.chat.why("message 3").facts if one.kind == "words_summarized"]
    (shown,) = [one for one in talk.chat.why("model").facts if one.kind == "words_summarized"]
    assert said.text == shown.text
    assert said.text.endswith("a model outside of it is shown instead: “Feedback: good”")
    assert not [one for one in talk.chat.why("message 1").facts if one.kind == "words_summarized"]


def test_words_that_were_erased_are_said_to_be() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "good")
    talk.clock.move_s(10 * 86400)
    talk.did("well").app.retain(tw.Retention(events_days=5))
    answer = talk.chat.why("feedback.mood")
    assert answer.line == "feedback.mood was good, passed on by a scope in turn 3"
    assert "turn 3 was erased by retention" in str(answer)
    assert "the user said “good”" not in str(answer)


def test_an_undo_behind_the_opening_of_a_scope_is_said() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "undo")
    text = first(talk, "survey").text
    assert text == (
        "survey is not in charge: the conversation is in talk; it was entered in turn 2; the undo of turn 3 took that back"
    )


@pytest.mark.parametrize("question", ["scope survey", "frame survey", "why scope survey?", "Frame: Survey"])
def test_a_scope_is_asked_for_by_its_name(question: str) -> None:
    talk = Talk(FLOW).did("hello", "about the lesson", "good")
    assert talk.chat.why(question).subject == Subject("node", "survey")
    with pytest.raises(tw.UnknownSubject, match="'scope servey'; did you mean 'survey'"):
        talk.chat.why("scope servey")


def test_a_limit_that_closed_a_scope_is_said_to_its_user() -> None:
    talk = Talk(SCHOOL).did("hello", "feedback", "x", "y", "z")
    assert talk.chat.why("survey").plain == "There is a limit for that, to which I kept."


WISHES = """
flow: lesson
start: talk
commands: [cancel, {start: [quiz, words]}]
records: {result: {right: {type: integer, about: right answers of the last quiz}}}
nodes:
  talk: {say: Hello., transitions: [{id: bye, at: before, when: 'message.text == "bye"', to: over}]}
  over: {say: Bye., end: over}
  quiz:
    description: five questions
    scope:
      returns: result
      start: ask
      nodes:
        ask: {description: asks for the quiz, form: {fields: [{field: result.right, ask: How many were right in the quiz?}]}}
  words:
    title: my vocabulary
    scope: {start: tell, nodes: {tell: {say: Haus., end: told}}}
"""


@pytest.mark.parametrize(
    ("question", "node"),
    [
        ("why is quiz not open", "quiz"),
        ("why can't I start the quiz?", "quiz"),
        ("who opened the quiz", "quiz"),
        ("why was the quiz closed", "quiz"),
        ("warum ist das Quiz nicht offen?", "quiz"),
        ("warum wurde das Quiz abgebrochen?", "quiz"),
        ("when did my vocabulary begin", "words"),
    ],
)
def test_a_question_that_only_names_a_scope_and_its_opening_is_about_that_scope(question: str, node: str) -> None:
    talk = Talk(WISHES).did("hello", "quiz", "cancel")
    assert talk.chat.why(question).subject == Subject("node", node)


@pytest.mark.parametrize("question", ["why did the quiz cost so much", "why is it not open"])
def test_a_question_that_says_more_than_a_scope_is_not_clearly_about_it(question: str) -> None:
    talk = Talk(WISHES).did("hello", "quiz", "cancel")
    with pytest.raises(tw.NoClearSubject):
        talk.chat.why(question)


def test_a_user_who_asks_about_a_scope_is_answered_about_it() -> None:
    with tw.open_sync(tw.loads(WISHES.replace("[cancel,", "[cancel, why,"))) as app:
        chat = app.chat("ada")
        chat.say("hello")
        assert chat.say("why is the quiz not open?").text == "We have not come to that."
        for message in ("quiz", "cancel"):
            chat.say(message)
        assert chat.say("why was the quiz closed?").text == "I stopped there because you wanted to."
