"""Ways forward that lead into scopes, inside them, and out of them by each outcome."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert

import turnwise as tw
from support.chats import NOON_MS, flow_of
from turnwise.core.state import events as e
from turnwise.runner.clocks import ManualClock

SCHOOL = """
flow: school
start: talk
commands: [{start: [survey]}]
records:
  feedback: {mood: {type: choice, options: [good, bad]}, text: string}
  result: {score: {type: integer}, passed: boolean}
nodes:
  talk:
    prompt: Talk.
    tools: {allow: [open_exam]}
    transitions:
      - {id: asks, at: before, when: 'message.text.contains("quiz")', call: quiz, with: {topic: '"verbs"'}}
      - {id: unhappy, at: before, when: feedback.mood == "bad", to: sorry}
      - {id: best, at: before, when: result.passed, to: party}
  survey:
    scope:
      returns: feedback
      limits: {turns: 3, idle: 30m}
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?, stop: {values: [bad]}}]}
          transitions:
            - {id: deeper, at: after, when: feedback.mood == "good", to: detail}
        detail:
          scope:
            returns: feedback
            start: what
            nodes: {what: {form: {fields: [{field: feedback.text, ask: What was good?}]}}}
          transitions: [{id: back, at: after, when: scope.outcome == "completed", return: true}, {id: out, at: after, end: broken_off}]
  quiz:
    scope:
      input: {topic: string}
      records: {memo: {answer: integer}}
      start: one
      nodes:
        one:
          form: {fields: [{field: memo.answer, ask: How many verbs are there?}]}
          transitions:
            - {id: right, at: after, when: memo.answer > 1000, end: right}
            - {id: wrong, at: after, to: two}
        two: {say: That was wrong., end: wrong}
  exam:
    scope: {returns: result, input: {level: {type: integer}}}
    prompt: Ask about {{ input.level }}.
    transitions: [{at: after, to: party}]
  sorry: {say: I am sorry., end: sorry}
  party: {say: Well done., end: party}
"""
WAYS = [
    ("survey", "begin survey"),
    ("survey/ask", "begin survey"),
    ("survey/detail/what", "begin survey, then press “good”"),
    ("survey:completed", "begin survey, then press “good”, then answer survey/detail/feedback.text with “x”"),
    ("survey:broken_off", "begin survey, then press “good”, then cancel"),
    ("survey:stopped", "begin survey, then press “bad”"),
    ("survey:cancelled", "begin survey, then cancel"),
    ("survey:limit", "begin survey, then say anything, then say anything, then say anything"),
    ("survey:timeout", "begin survey, then wait until the timer scope idle comes due"),
    ("survey/detail:cancelled", "begin survey, then press “good”, then cancel"),
    ("quiz", "say “quiz”"),
    ("quiz/two", "say “quiz”, then answer quiz/memo.answer with “1000”"),
    ("quiz:right", "say “quiz”, then answer quiz/memo.answer with “1001”"),
    ("wrong", "say “quiz”, then answer quiz/memo.answer with “1000”"),
    ("back", "begin survey, then press “good”, then answer survey/detail/feedback.text with “x”"),
    ("sorry", "begin survey, then press “bad”, then say anything"),
]


def started(flow: str = SCHOOL) -> tuple[tw.SyncApp, tw.SyncChat, ManualClock]:
    clock = ManualClock(NOON_MS)
    app = tw.open_sync(flow_of(flow), clock=clock)
    chat = app.chat("a")
    chat.start()
    return app, chat, clock


@pytest.mark.parametrize(("target", "steps"), WAYS)
def test_a_way_leads_a_real_conversation_through_scopes(target: str, steps: str) -> None:
    app, chat, clock = started()
    way = chat.ways_to(target).facts[0]
    assert way.values["steps"] == steps
    for act in way.values["acts"]:
        submit(app, chat, clock, act)
    assert target in passed(chat)


def submit(app: tw.SyncApp, chat: tw.SyncChat, clock: ManualClock, act: dict[str, Any]) -> None:
    match convert(act["event"], e.OutsideEvent):
        case e.UserSaid(text):
            chat.say(text)
        case e.UserChose(value):
            chat.choose(value)
        case e.Commands(commands):
            chat.commands(commands)
        case e.TimerFired(due_ms=due) | e.ScheduleDue(at_ms=due):
            clock.move_s(((due or 0) - clock.now_ms()) / 1000)
            app.tick()
        case e.EventReceived(name, data):
            chat.event(name, data)
        case other:
            raise AssertionError(other)


def passed(chat: tw.SyncChat) -> set[str]:
    """What a conversation went through: nodes, transitions, outcomes."""
    found, machine = set[str](), chat.machine
    for entry in chat.journal():
        match entry.event:
            case e.Moved(target=node):
                found.add(node)
            case e.ScopeOpened(scope=scope, node=node):
                found |= {scope, node}
            case e.ScopeClosed(scope=scope, outcome=outcome):
                found.add(f"{scope}:{outcome}")
            case e.Decided(node=node, moment=moment, taken=taken) if taken >= 0:
                found.add(machine.candidates(node, moment).all[taken].id)  # pyright: ignore[reportArgumentType]
            case _:
                pass
    return found


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("exam", "say anything: leads to exam, if the model calls open_exam with level = 0"),
        (
            "exam:completed",
            "say anything: leads to the outcome completed of exam, if the model calls open_exam "
            "with level = 0, the model calls finish_exam with passed = true",
        ),
        (
            "party",
            "say anything, then say anything: leads to party, if the model calls open_exam with level = 0, "
            "the model calls finish_exam with passed = true",
        ),
    ],
)
def test_a_way_supposes_that_a_model_opens_and_closes_a_scope(target: str, line: str) -> None:
    assert started()[1].ways_to(target).line == line


def test_the_node_around_a_scope_is_reached_by_closing_it() -> None:
    _, chat, _ = started()
    chat.say("quiz")
    answer = chat.ways_to("talk")
    assert answer.read_as == "how a gets from quiz/one to talk"
    assert answer.line == "answer quiz/memo.answer with “1000”: leads to talk"


def test_an_outcome_or_scope_that_there_is_not_is_named_with_the_nearest() -> None:
    _, chat, _ = started()
    with pytest.raises(tw.UnknownSubject, match="did you mean 'survey:completed'"):
        chat.ways_to("survey:complete")
    with pytest.raises(tw.UnknownSubject, match="did you mean 'survey/ask'"):
        chat.ways_to("survey/aks")


def test_no_way_leads_to_a_scope_that_nothing_opens() -> None:
    closed = SCHOOL.replace("tools: {allow: [open_exam]}", "").replace("commands: [{start: [survey]}]", "")
    _, chat, _ = started(closed)
    assert chat.ways_to("exam").line == "no way to exam was found: no transitions lead from talk to exam"
    assert chat.ways_to("survey:limit").line.endswith("no transitions lead from talk to the outcome limit of survey")


TIMED = """
flow: tutor
start: talk
events: {paid: {amount: integer}}
records: {feedback: {mood: string}}
nodes:
  talk: {say: Hello., transitions: [{id: pay, at: event, event: paid, when: event.amount > 9, to: thanks}]}
  thanks: {say: Thanks., transitions: [{at: before, when: 'false', to: talk}]}
  survey: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: How was it?}]}}
  tips: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: A tip?}]}}
schedules:
  evening: {cron: "0 18 10 1 *", call: survey}
  noon: {cron: "30 12 11 1 *", offer: tips, opener: Shall I send tips?}
  note: {at: "13:00", instruct: Be kind.}
"""


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("survey", "wait until the schedule evening is due at 2026-01-10 18:00:00 UTC: leads to survey"),
        ("tips", "wait until the schedule noon is due at 2026-01-11 12:30:00 UTC, then press “Yes”: leads to tips"),
        ("thanks", 'the event paid comes with {"amount":10}: leads to thanks'),
        (
            "survey:completed",
            "wait until the schedule evening is due at 2026-01-10 18:00:00 UTC, "
            "then answer survey/feedback.mood with “x”: leads to the outcome completed of survey",
        ),
    ],
)
def test_a_way_leads_over_schedules_and_events_of_other_systems(target: str, line: str) -> None:
    other = "  noon:" if target != "tips" else "  evening:"  # the clock jumps over no other one
    lines = [line for line in TIMED.splitlines() if not line.startswith(other)]
    app, chat, clock = started("\n".join(lines))
    answer = chat.ways_to(target)
    assert answer.line == line
    for act in answer.facts[0].values["acts"]:
        submit(app, chat, clock, act)
    assert target in passed(chat)


def test_no_way_leads_over_a_schedule_that_is_held() -> None:
    _, chat, _ = started(TIMED.replace("talk: {say", "talk: {offer: {scope: tips, opener: Tips?}, say"))
    chat.choose("yes")
    acts = [act for fact in chat.ways_to("survey").facts for act in fact.values.get("acts", [])]
    assert acts[0]["kind"] != "timer"


QUIZ = """
flow: tutor
start: chat
commands: [cancel, {start: [quiz]}]
records:
  lib:
    questions:
      type: list
      of: question
      default:
        - {id: q1, ask: "Haus?", options: [house, mouse], right: house}
        - {id: q2, ask: "Maus?", right: mouse, stop: [enough]}
  feedback: {answers: answers, score: {type: integer, value: form.right}}
nodes:
  chat:
    say: Hello.
    transitions:
      - {id: well, at: before, when: feedback.score == 2, to: party}
      - {id: badly, at: before, when: feedback.score == 0, to: sorry}
  party: {say: P., end: party}
  sorry: {say: S., end: sorry}
  quiz:
    scope: {inherits: [lib], returns: feedback}
    form: {questions: lib.questions, into: feedback.answers}
"""
RIGHT = "begin quiz, then press “house”, then answer quiz/feedback.answers.q2 with “mouse”"
QUIZ_WAYS = [
    ("quiz:completed", RIGHT),
    ("quiz:stopped", "begin quiz, then answer quiz/feedback.answers.q2 with “enough”"),
    ("party", f"{RIGHT}, then say anything"),
    (
        "sorry",
        "begin quiz, then answer quiz/feedback.answers.q2 with “enough”, then say anything",
    ),
]


@pytest.mark.parametrize(("target", "steps"), QUIZ_WAYS)
def test_a_way_leads_a_real_conversation_through_questions_that_are_data(target: str, steps: str) -> None:
    app, chat, clock = started(QUIZ)
    way = chat.ways_to(target).facts[0]
    assert way.values["steps"] == steps
    for act in way.values["acts"]:
        submit(app, chat, clock, act)
    assert target in passed(chat)


def test_a_way_begins_within_questions_that_are_data() -> None:
    _, chat, _ = started(QUIZ)
    chat.say("quiz")
    chat.say("house")
    assert chat.ways_to("party").facts[0].values["steps"] == (
        "answer quiz/feedback.answers.q2 with “mouse”, then say anything"
    )


def test_of_questions_that_nobody_knows_yet_one_is_supposed() -> None:
    flow = QUIZ.replace("inherits: [lib], ", "input: {questions: {type: list, of: question}}, ")
    flow = flow.replace("lib.questions", "input.questions").replace(", {start: [quiz]}", "")
    flow = flow.replace("say: Hello.", "prompt: Talk.\n    tools: {allow: [open_quiz]}").replace(
        "score == 2", "score == 1"
    )
    _, chat, _ = started(flow)
    assert chat.ways_to("party").line == (
        "say anything, then answer quiz/feedback.answers.q1 with “x”, then say anything: leads to party, "
        "if the model calls open_quiz with questions = Question?"
    )
