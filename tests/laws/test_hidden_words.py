"""What is secret stands in the store and nowhere else: not in what a model, a log or an explanation is shown."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Any

import msgspec
import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.explain.decision_lines import lines_of_decision
from turnwise.core.prompts.transcript import lines
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.models.scripted import Planned, ScriptedUnderstanding

SAFE = """
    flow: safe
    start: plan
    records: {user: {name: string, pin: {type: string, secret: true, about: PIN code}}}
    tools: {login: {about: log in, args: {pin: {type: string, secret: true}, who: {type: string, optional: true}}}}
    nodes: {plan: {prompt: Plan., collect: [user.name, user.pin], writes: [user], tools: {allow: [login]}}}
"""
PIN = "1111-AAA"


def safe(model: list[Planned], heard: list[list[Any]] | None = None, login: Any = "in") -> Stage:
    return Stage(SAFE, model, {"login": login}, heard or [])


def a_pin(value: str = PIN, words: tuple[int, int] | None = None, *, correction: bool = False) -> c.Set:
    return c.Set(words, field="user.pin", value=value, correction=correction)


def shown(stage: Stage) -> str:
    """All that any model was shown."""
    return str([request.transcript for request in stage.model.calls])


@pytest.mark.law("5.2", "4.4")
@pytest.mark.parametrize("write", [{"pin": None}, {"pin": "2222-BBB", "name": "Ada"}, {"name": "Ada"}])
def test_words_that_were_hidden_once_stay_hidden_whatever_is_written(write: dict[str, Any]) -> None:
    stage = safe([uses(made("write_user", set=write)), "So.", "Well.", "Bye."], [[a_pin()], [], []])
    stage.say("my pin is 1111-AAA")
    stage.say("ok")
    stage.undo()
    stage.say("and now?")
    assert len(stage.model.calls) == 4
    assert PIN not in shown(stage)
    assert "and now?" in shown(stage)
    assert stage.replay()


@pytest.mark.law("5.2")
def test_what_was_said_for_a_secret_is_hidden_though_it_was_not_stored_or_was_corrected() -> None:
    heard = [[a_pin()], [a_pin("2222-BBB")], [a_pin("3333-CCC", (10, 18), correction=True)], []]
    stage = safe(["One.", "Two.", "Three.", "Four."], heard)
    stage.say("my pin is 1111-AAA")
    refused = stage.say("sorry, 2222-BBB")
    assert [one.reason for one in facts(refused, e.CommandRefused)] == ["already_known"]
    stage.say("no, it is 3333-CCC, sure")
    stage.say("ok")
    for pin in (PIN, "2222-BBB", "3333-CCC"):
        assert pin not in shown(stage)
    assert "no, it is [secret], sure" in shown(stage)


@pytest.mark.law("5.2")
def test_a_later_message_that_repeats_a_secret_is_shown_without_it() -> None:
    stage = safe(["One.", "Two."], [[a_pin()], []])
    stage.say("my pin is 1111-AAA")
    stage.say("as I said, 1111-aaa is my pin")
    assert "as I said, [secret] is my pin" in shown(stage)


# what stands for a secret --------------------------------------------------------------------------


@pytest.mark.law("4.4")
def test_what_stands_for_a_secret_does_not_take_its_place() -> None:
    copied = made("write_user", set={"pin": "[secret]", "name": "Ada"})
    stage = safe([uses(copied), "So.", uses(made("write_user", set={"name": "Ada"})), "Well."], [[a_pin()], []])
    turn = stage.say("my pin is 1111-AAA")
    (answered,) = facts(turn, e.CallAnswered)
    told = "pin: That only stands for a secret, which is not shown; what is left out stays as it is."
    assert answered.result == {"success": False, "error": told}
    assert turn.state.values["user.pin"].value == PIN
    assert "user.name" not in turn.state.values
    turn = stage.say("ok")
    assert {name: found.value for name, found in turn.state.values.items()} == {"user.pin": PIN, "user.name": "Ada"}


@pytest.mark.law("3.6", "4.4")
def test_no_tool_is_called_with_what_stands_for_a_secret() -> None:
    stage = safe([uses(made("login", pin="[secret]")), "So."])
    (refused,) = facts(stage.say("hi"), e.CallRefused)
    assert (refused.reason, refused.text.partition(",")[0]) == ("arguments", "pin: That only stands for a secret")
    assert stage.tools["login"].calls == []


@pytest.mark.law("4.4", "7.1")
@pytest.mark.parametrize("field", ["{type: string, secret: true}", "{type: list, secret: true}"])
@pytest.mark.parametrize("value", ["[secret]", ["[secret]"], "it is [secret]."])
def test_nobody_sets_a_secret_to_what_stands_for_it(field: str, value: Any) -> None:
    if isinstance(value, list) and "list" not in field:
        pytest.skip("a list is no text")
    stage = Stage(SAFE.replace("{type: string, secret: true, about: PIN code}", field), ["So."], {"login": "in"})
    turn = stage.commands([a_pin(value)])
    assert [one.reason for one in facts(turn, e.CommandRefused)] == ["placeholder"]
    assert turn.state.values == {}


# what tools tell -----------------------------------------------------------------------------------


@pytest.mark.law("4.3", "5.2")
def test_the_words_of_a_failure_tell_no_secret_of_the_call_and_of_no_field() -> None:
    def fails(pin: str) -> None:
        raise ValueError(f"wrong pin {pin}, known is {PIN}")

    stage = safe(["Hm.", uses(made("login", pin="4711-XYZ")), "No."], [[a_pin()], []], FakeTool(fails))
    stage.say("my pin is 1111-AAA")
    (failed,) = facts(stage.say("log in"), e.ToolFailed)
    assert stage.tools["login"].calls == [{"pin": "4711-XYZ"}]
    assert failed.reason == "ValueError: wrong pin [secret], known is [secret]"
    assert "4711-XYZ" not in shown(stage)


@pytest.mark.law("3.6", "5.2")
def test_no_model_is_shown_a_secret_argument_in_the_result_of_its_call() -> None:
    echo = {"pin": "4711-XYZ", "is": ["it was 4711-xyz", 3, True, None]}
    stage = safe([uses(made("login", pin="4711-XYZ")), "So.", "Bye."], login=echo)
    (returned,) = facts(stage.say("log in"), e.ToolReturned)
    assert returned.result == echo
    stage.say("ok")
    assert [one.result for one in stage.transcript() if one.role == "tool"] == [
        {"pin": "[secret]", "is": ["it was [secret]", 3, True, None]}
    ]


@pytest.mark.law("4.3")
def test_no_provider_key_is_recorded_of_what_a_tool_gives_or_fails_with(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-made-up-1234567890"
    monkeypatch.setenv("OPENAI_API_KEY", key)

    def gives(pin: str, who: str = "") -> Any:
        if who:
            raise ValueError(f"bad key {key}")
        return {"key": key, "told": [f"it is {key}."]}

    calls = uses(made("login", pin="1"), made("login", pin="1", who="Ada"))
    stage = safe([calls, "So.", "Bye."], login=FakeTool(gives))
    turn = stage.say("log in")
    assert [one.result for one in facts(turn, e.ToolReturned)] == [{"key": "[key]", "told": ["it is [key]."]}]
    assert [one.reason for one in facts(turn, e.ToolFailed)] == ["ValueError: bad key [key]"]
    (used,) = facts(stage.tool_used("login", {"who": f"Ada {key}"}, {"key": key}), e.ToolUsed)
    assert (used.arguments, used.result) == ({"who": "Ada [key]"}, {"key": "[key]"})
    stage.say("ok")
    assert key not in shown(stage) + str(stage.export())


# what explains a decision --------------------------------------------------------------------------

READ = """
    flow: flow_of
    start: ask
    records: {user: {pin: {type: string, secret: true, about: PIN code}, name: string}}
    nodes:
      ask:
        prompt: Ask.
        collect: [user.pin, user.name]
        transitions:
          - {id: code, at: before, guard: code, to: other}
          - {id: looks, at: before, when: 'message.text.contains("zzz") || int(message.text) > 3', to: other}
      other: {say: Other.}
"""


def reading(*heard: list[Any], answer: str = "my pin is 1111-AAA") -> tuple[Any, Any]:
    @tw.guard(name="code")
    def code(message: Any) -> bool:
        """Reads what was said, and fails over it."""
        raise ValueError(f"cannot use {message.text}, {message.text.split()[-1]}")

    model = tw.ScriptedModel(["So."] * 9)
    of = flow_of(dedent(READ))
    chat = OneSyncChat(of, guards=[code], model=model, understand=ScriptedUnderstanding(list(heard)))
    chat.start()
    return chat, chat.say(answer)


def everything(turn: Any) -> str:
    """All that explains a turn, as a client, a terminal, a log and a failing scenario show it."""
    wire = [msgspec.json.encode(line).decode() for line in turn.debug_events]
    told = [line.text + line.aside for decision in turn.decisions for line in lines_of_decision(decision)]
    return "\\n".join([*wire, *told, str(turn.decisions), str(turn.evaluations)])


WAYS: list[tuple[list[Any], str]] = [
    ([a_pin(words=(10, 18))], "my pin is [secret]"),
    ([a_pin()], "[secret]"),
    ([a_pin("1111-AAA"), c.Set(None, field="user.name", value="Ada")], "[secret]"),
]


@pytest.mark.law("5.2")
@pytest.mark.parametrize(("heard", "left"), WAYS)
def test_no_explanation_tells_the_words_that_became_a_secret(heard: list[Any], left: str) -> None:
    chat, turn = reading(heard, [], [])
    found = everything(turn)
    assert "message.text" in found and left in found
    assert PIN not in found
    following = chat.say("1111-aaa is what I said")
    assert any(
        change.name == "message.text" for d in following.decisions for one in d.candidates for change in one.changed
    )
    assert PIN.casefold() not in everything(following).casefold()
    assert PIN not in str(chat.explain()) + str(chat.explain(turn=2))


@pytest.mark.law("5.2")
def test_no_explanation_tells_a_secret_that_was_refused_or_changed_since() -> None:
    chat, turn = reading([a_pin("1111-AAA")], [a_pin("2222-BBB", correction=True)], [])
    turn = chat.say("no, it is 2222-BBB")
    assert "1111" not in everything(turn) and "2222" not in everything(turn)
    turn = chat.say("what now?")
    assert "1111" not in everything(turn) and "2222" not in everything(turn)
    assert "what now?" in everything(turn)


@pytest.mark.law("5.2")
def test_a_failing_scenario_and_an_archive_that_is_read_later_tell_no_secret(tmp_path: Any) -> None:
    store = f"sqlite:///{tmp_path / 'kept.db'}"
    plan = [[a_pin(words=(10, 18))], []]
    of = flow_of(re.sub(r" *- {id: code.*\n", "", dedent(READ)))
    with OneSyncChat(
        of, store=store, model=tw.ScriptedModel(["So."] * 3), understand=ScriptedUnderstanding(plan)
    ) as chat:
        chat.start()
        chat.say("my pin is 1111-AAA")
    with OneSyncChat(
        of, store=store, model=tw.ScriptedModel(["So."] * 3), understand=ScriptedUnderstanding([[]])
    ) as chat:
        turn = chat.say("and now?")
        assert PIN not in everything(turn)
        assert "my pin is [secret]" in everything(turn)


@pytest.mark.law("5.2", "5.8")
def test_an_answer_to_a_secret_question_that_was_not_understood_is_hidden_too() -> None:
    of = """
    flow: asked
    start: ask
    records: {user: {pin: {type: integer, secret: true, min: 1000}}}
    nodes:
      ask:
        form: {fields: [{field: user.pin, ask: Your PIN?}]}
        transitions: [{id: looks, at: before, when: 'message.text.contains("zzz")', end: x}]
    """
    chat = OneSyncChat(flow_of(dedent(of)))
    chat.start()
    for said in ("4711-abc", "99"):
        turn = chat.say(said)
        assert "message.text" in everything(turn)
        assert said not in "\\n".join(line.text + line.aside for d in turn.decisions for line in lines_of_decision(d))


# what stands beside a question or a command ----------------------------------------------------------

ASKED = """
flow: asked
start: ask
language: en
commands: [ask, why]
records: {user: {pin: {type: string, pattern: "[0-9]{4}", secret: true, about: PIN code}, age: integer}}
nodes:
  ask: {form: {fields: [{field: user.pin, ask: Your PIN?}, {field: user.age, ask: Your age?}]}}
"""


@pytest.mark.law("5.2")
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("QX77. Help", "[secret] Help"),
        ("my PIN is QX77, why do you need that?", "[secret] why do you need that?"),
        ("my PIN is QX77. How long will it take?", "[secret] How long will it take?"),
        ("why do you need that? QX77", "why do you need that[secret]"),
        ("why do you need that?", "why do you need that?"),
        ("4711", "[secret]"),
    ],
)
def test_words_beside_a_question_may_be_a_secret_that_was_not_understood(said: str, left: str) -> None:
    chat = OneSyncChat(flow_of(ASKED))
    chat.start()
    turn = chat.say(said)
    shown_to_models = lines(chat.machine, turn.state, chat.journal())
    assert [line.message.text for line in shown_to_models if line.message.role == "user"] == [left]


@pytest.mark.law("5.2")
@pytest.mark.parametrize("value", ["QX77", "99999"])
def test_a_question_beside_a_value_in_free_text_is_recorded_without_the_value(value: str) -> None:
    chat = OneSyncChat(flow_of(ASKED.replace('pattern: "[0-9]{4}", ', "")))
    chat.start()
    turn = chat.say(f"my PIN is {value}, why is it needed here?")
    (understood,) = facts(turn, e.Understood)
    assert [one.text for one in understood.commands] == ["why is it needed here?"]
    assert facts(turn, e.WordsHidden)
