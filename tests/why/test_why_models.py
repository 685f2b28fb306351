"""What a model was shown and why, why none was called, and who of the people did what."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import understood_reply
from turnwise.runner.model_port import ModelReply

HELP = """
flow: support
start: advise
commands: [hand_over, help]
person: {queue: advisers, timeout: 10m}
limits: {window: 4}
records:
  case: {topic: string, pin: {type: string, secret: true}}
nodes:
  advise:
    prompt: Help the user with a bill about {{ case.topic }}.
    collect: [case.topic, case.pin]
    transitions: [{id: is_refund, when: case.topic == "refund", because: a person decides on refunds, to: desk}]
  desk:
    entry: I am passing you on.
    person: {queue: billing, about: "a refund", timeout: 5m}
    transitions:
      - {id: nobody, at: timer, because: nobody came, to: later}
      - {id: solved, when: person.outcome == "solved", because: the desk solved it, to: done}
      - {id: open, because: the desk did not solve it, to: later}
  done: {say: Thank you., end: solved}
  later: {say: We will write., end: open}
"""


def takes(operator: str, reason: str = "") -> Any:
    return lambda chat: chat.take_over(operator, reason=reason)


@cache
def helped() -> tw.SyncChat:
    talk = Talk(HELP, ["Hello."] * 20)
    return talk.did(
        *("hi", "talk to a human", "hello?"),
        *(takes("Lena", "she asked"), "hi lena", lambda chat: chat.operator_say("hi")),
        lambda chat: chat.give_back(set={"case.topic": "refund"}, reason="agreed"),
        takes("Max"),
        lambda chat: chat.give_back("solved", transition="open", reason="no way"),
    ).chat


ASKED = [
    Case("person", "no person is awaited or in charge; only desk hands over to a person", turn=1),
    Case(
        "person",
        "a person of the queue advisers is awaited since 2026-01-09 12:00:00 UTC, at most until 2026-01-09 12:10:00 UTC",
        {"person_awaited": {"queue": "advisers"}, "command_applied": {"command": "hand_over"}},
        ("no_person", "person_in_charge"),
        turn=2,
    ),
    Case("person", "a person of the queue advisers is awaited", {"person_is_awaited": {}}, turn=3),
    Case("model", "no model was called in turn 3, because a person of the queue advisers is awaited", turn=3),
    Case(
        "person",
        "Lena is in charge since 2026-01-09 12:00:00 UTC: she asked",
        {"person_took_over": {"operator": "Lena"}},
        ("person_is_awaited",),
        turn=4,
    ),
    Case(
        "person timeout",
        "the timer person timeout is not armed, because no person is awaited; turn 4 dropped it",
        turn=4,
    ),
    Case("model", "no model was called in turn 5, because Lena is in charge", {}, ("prompt_shown",), turn=5),
    Case("person", "Lena is in charge", {"person_said": {"said": "hi"}}, turn=6),
    Case(
        "person",
        "Lena gave the conversation back",
        {"field_set": {"field": "case.topic"}, "person_is_awaited": {"reason": "a person is the work of desk"}},
        turn=7,
    ),
    Case("case.topic", "case.topic was set to refund", {"person_gave_back": {"operator": "Lena"}}, turn=7),
    Case("model", "no model was called in turn 7, because a person of the queue billing is awaited", turn=7),
    Case(
        "person",
        "Max gave the conversation back with the outcome solved, took open; the reason: no way",
        {"decided": {"operator": "Max"}},
        ("person_is_awaited",),
        turn=9,
    ),
    Case("solved", "solved held, and was outranked by open", {"outranked": {"reason": "Max, a person, chose it"}}),
    Case("open", "after: desk → later by open", {"person_gave_back": {}}),
]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: f"{case.question} {case.turn or ''}")
def test_a_person_or_model(case: Case) -> None:
    check(helped(), case)


def test_nobody_came_is_told_with_its_timer() -> None:
    talk = Talk(HELP, ["Hello."] * 20)
    talk.did("hi", "talk to a human", talk.later(700), lambda chat: chat.fire("person timeout"))
    check(
        talk.chat,
        Case(
            "person",
            "no person took over from the queue advisers in time (it waited 11m40s), and the machine went on",
            {"timer_fired": {"timer": "person timeout", "late": "100 s"}, "no_person": {}},
            ("person_in_charge",),
        ),
    )


def test_a_flow_without_people_says_so() -> None:
    chat = Talk("flow: f\nstart: a\nnodes: {a: {prompt: Talk.}}", ["Hi."]).did("hi").chat
    check(chat, Case("person", "no person is awaited or in charge; no node of the flow hands over to a person"))


# prompts -----------------------------------------------------------------------------------------------


def test_a_prompt_is_told_part_by_part_and_proved() -> None:
    class Counting:
        async def reply(self, _request: object) -> ModelReply:
            return ModelReply("Hello.", "gpt", 120, 7)

    chat = Talk(HELP, model=Counting()).did("hi", "and?").chat
    answer = check(
        chat,
        Case(
            "model",
            "the model gpt replied: “Hello.” (127 tokens)",
            {
                "model_replied": {"tokens_in": 120, "tokens_out": 7},
                "prompt_shown": {"is_proved": True, "purpose": "reply", "node": "advise"},
                "window_began": {"since": 1, "reason": "it shows the conversation from its beginning"},
            },
            ("prompt_changed", "model_not_called"),
            turn=1,
        ),
    )
    shown = answer.fact("prompt_shown")
    assert shown is not None
    assert [part["part"] for part in shown.values["parts"]] == ["prompt", "missing", "transcript"]
    assert shown.values["parts"][-1] == {"part": "transcript", "role": "user", "text": "hi"}
    assert shown.values["hash"] in shown.text
    check(chat, Case("model", "the model", {"prompt_changed": {"what": "2 messages joined the transcript"}}))


def test_a_full_window_begins_where_the_limit_says() -> None:
    chat = Talk(HELP, [f"Reply {n}." for n in range(9)]).did(*[f"message {n}" for n in range(6)]).chat
    answer = check(chat, Case("model", "the model"))
    began = answer.fact("window_began")
    assert began is not None
    assert began.values["reason"].startswith("the limit window allows 4 turns")
    assert began.values["since"] > 1
    check(chat, Case("window", "the limit window allows 4 turns"))


def test_a_prompt_that_changed_says_which_part() -> None:
    plan = [understood_reply({"set": "case.topic", "value": "gas"}), "Gas it is.", understood_reply(), "Well."]
    chat = Talk(HELP, plan, understands=True).did("about gas", "and?").chat
    answer = check(chat, Case("model", "the model", {}, ("rules_sufficed",), turn=2))
    told = [fact.values["what"] for fact in answer.facts if fact.kind == "prompt_changed"]
    assert told
    shown = [fact.values["purpose"] for fact in answer.facts if fact.kind == "prompt_shown"]
    assert shown == ["understand the message", "reply"]


def test_a_model_that_failed_has_the_providers_reason() -> None:
    chat = Talk(HELP, [ProviderFailed("over the quota")]).did("hi").chat
    check(
        chat,
        Case(
            "model",
            "the model scripted failed to reply in advise, because it gave the error “over the quota”",
            {"prompt_shown": {"is_proved": False, "unproved": "the journal has no hash of it"}},
            ("model_replied",),
        ),
    )


def test_no_secret_is_in_the_prompt_of_an_answer() -> None:
    chat = Talk(HELP, ["What?", "Well."]).did("my pin is 77-88-99", "and now?").chat
    for turn in (1, 2):
        assert "77-88-99" not in str(chat.why("model", turn=turn).to_dict())


FORM = """
flow: f
start: ask
records: {user: {name: string, age: integer}}
nodes:
  ask: {form: {fields: [{field: user.name}, {field: user.age}]}, transitions: [{id: on, at: after, to: talk}]}
  talk: {say: Thank you.}
"""


@pytest.mark.parametrize(
    ("flow", "message", "line"),
    [
        (FORM, "Ada", "no model was called in turn 1, because the form of ask reads the answers"),
        (
            "flow: f\nstart: a\nnodes: {a: {say: Hello.}}",
            "hi",
            "no model was called in turn 1, because the conversation",
        ),
        (
            HELP,
            "help",
            "no model was called in turn 1, because the machine answered without one (to a request for help)",
        ),
    ],
)
def test_why_no_model_was_called(flow: str, message: str, line: str) -> None:
    chat = Talk(flow, ["Never."]).did(message).chat
    check(chat, Case("model", line, {}, ("model_called", "prompt_shown", "model_call_unknown")))
