"""Section 4: tools and records."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.chats import problems_of
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import Failed
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.errors import InDoubt, NotDone, ProviderFailed
from turnwise.models.scripted import Planned
from turnwise.runner.model_port import CallMade

TOOLS = "tools: {think: {about: x}, web_search: {about: x}, web_read: {about: x}, save: {about: x, kind: effect}}"
NODE = f"""
    flow: f
    start: a
    records: {{user: {{name: string, age: integer}}}}
    {TOOLS}
    nodes:
      a: {{prompt: Talk., KEYS}}
      b: {{prompt: On.}}
"""
ALL = ["think", "web_search", "web_read", "save"]


def node(keys: str, model: list[Planned], flow: str = NODE) -> Stage:
    return Stage(flow.replace("KEYS", keys), model, dict.fromkeys(ALL, "done"))


def refusals(turn: Any) -> list[tuple[str, str]]:
    return [(one.tool, one.reason) for one in facts(turn, e.CallRefused)]


# 4.1 ---------------------------------------------------------------------------------------------


@pytest.mark.law("4.1")
@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("transitions: []", []),
        ("tools: {allow: ['*']}", ALL),
        ("tools: {}", ALL),
        ("tools: {allow: [think]}", ["think"]),
        ("tools: {allow: ['web_*']}", ["web_search", "web_read"]),
        ("tools: {deny: ['web_*']}", ["think", "save"]),
        ("tools: {allow: ['web_*', save], deny: [web_read]}", ["web_search", "save"]),
        ("tools: {allow: ['*'], deny: [save, 'w*d']}", ["think", "web_search"]),
        ("tools: {sequence: [think, save]}", ["think"]),
        ("tools: {sequence: [[think, save], web_read]}", ["think", "save"]),
        ("tools: {sequence: [{tools: [think], optional: true}, save]}", ["think", "save"]),
        ("tools: {allow: [think, save], sequence: [think, save]}", ["think"]),
        ("tools: {deny: [save], sequence: [[think, save], web_read]}", ["think"]),
        ("reads: [user], writes: [user.name]", ["read_user", "write_user"]),
        ("reads: [user], tools: {allow: [think]}", ["think", "read_user"]),
        ("reads: [user], writes: [user], tools: {deny: ['write_*', save]}", [*ALL[:3], "read_user"]),
        ("writes: [user], tools: {sequence: [think]}", ["think", "write_user"]),
        ("writes: [user], tools: {sequence: [think, write_user]}", ["think"]),
        ("transitions: [{at: choice, to: b}], tools: {allow: [think]}", ["think", "go_to_b"]),
        ("transitions: [{at: choice, to: b}], tools: {sequence: [think]}", ["think", "go_to_b"]),
        ("transitions: [{at: choice, to: b}], tools: {allow: [think], deny: ['go_to_*']}", ["think"]),
    ],
)
def test_allow_deny_and_sequence_intersect(keys: str, shown: list[str]) -> None:
    stage = node(keys, ["Well."])
    stage.say("hi")
    assert stage.shown() == shown


@pytest.mark.law("4.1")
@pytest.mark.parametrize(
    ("sequence", "calls", "refused"),
    [
        ("[think, save]", "think save", ""),
        ("[think, save]", "save", "save"),
        ("[think, save]", "think think", "think"),
        ("[think, save]", "think save web_read think", ""),
        ("[think, think, save]", "think save", "save"),
        ("[think, think, save]", "think think save", ""),
        ("[[think, save], web_read]", "save web_read", ""),
        ("[[think, save], web_read]", "save think", "think"),
        ("[think, {tools: [save], optional: true}, web_read]", "think web_read", ""),
        ("[think, {tools: [save], optional: true}, web_read]", "think save web_read", ""),
        ("[think, {tools: [save], optional: true}, web_read]", "think web_read save", ""),
        ("[think, {tools: [save], optional: true}, web_read]", "think save save", "save"),
    ],
)
def test_a_sequence_is_used_in_its_order_then_all_that_is_allowed_is_free(
    sequence: str, calls: str, refused: str
) -> None:
    turn = node(f"tools: {{sequence: {sequence}}}", [uses(*calls.split()), "Well."]).say("hi")
    assert refusals(turn) == ([(refused, "out_of_sequence")] if refused else [])
    assert turn.state.tools.counts == {
        t: calls.split().count(t) - (t == refused) for t in calls.split() if calls.split().count(t) - (t == refused)
    }


@pytest.mark.law("4.1")
def test_a_sequence_goes_on_over_turns_and_begins_again_with_a_visit() -> None:
    keys = 'tools: {sequence: [think, save]}, transitions: [{at: before, when: message.text == "b", to: b}]'
    flow = NODE.replace(
        "b: {prompt: On.}", 'b: {prompt: On., transitions: [{at: before, when: message.text == "a", to: a}]}'
    )
    stage = node(keys, [uses("think"), *["Well."] * 9], flow)
    stage.say("hi")
    stage.say("on")
    assert stage.shown() == ["save"]
    assert stage.tool_used("save").state.frame.sequence == 2
    stage.say("on")
    assert stage.shown() == ALL
    stage.say("b")
    stage.say("a")
    assert stage.shown() == ["think"]


@pytest.mark.law("4.1", "4.4")
def test_a_write_that_was_refused_is_no_step_in_an_order_of_tools() -> None:
    keys = "writes: [user], tools: {sequence: [write_user, save]}"
    stage = node(
        keys,
        [
            uses(made("write_user", set={"age": "old"}), "save"),
            uses(made("write_user", set={"age": 3}), "save"),
            "Well.",
        ],
    )
    turn = stage.say("hi")
    assert refusals(turn) == [("save", "out_of_sequence")]
    assert turn.state.tools.counts == {"write_user": 1, "save": 1}


@pytest.mark.law("4.1")
def test_a_policy_that_can_allow_nothing_is_an_error() -> None:
    found = problems_of(NODE.replace("KEYS", "tools: {allow: [save], deny: [save]}"))
    assert any("allow" in one and not one.startswith("TW07") for one in found), found


# 4.2 ---------------------------------------------------------------------------------------------


@pytest.mark.law("4.2")
@pytest.mark.parametrize(("enforce", "shown"), [("", ALL), (", enforce: true", ["think"])])
def test_a_sequence_that_opened_its_step_is_demanded_in_it_only_where_it_says_so(
    enforce: str, shown: list[str]
) -> None:
    step = f"b: {{prompt: On., enter_when: [{{type: sequence_match}}], tools: {{sequence: [think, save]{enforce}}}}}"
    stage = node("tools: {allow: ['*']}", [uses("think", "save"), "There."], NODE.replace("b: {prompt: On.}", step))
    turn = stage.say("hi")
    assert turn.state.node == "b"
    assert stage.shown() == shown


@pytest.mark.law("4.2")
@pytest.mark.parametrize(
    ("policy", "is_wrong"),
    [
        ("{allow: [think], sequence: [think, save]}", False),
        ("{allow: [think], deny: [save], sequence: [save, save]}", False),
        ("{deny: ['*'], sequence: [think, save]}", False),
        ("{allow: [think], sequence: [think, save], enforce: true}", True),
        ("{allow: [think], deny: [think], sequence: [save]}", True),
        ("{deny: ['*'], sequence: [think], enforce: true}", True),
    ],
)
def test_a_sequence_that_only_opens_its_step_asks_for_no_tool_in_it(policy: str, is_wrong: bool) -> None:
    step = f"b: {{prompt: On., enter_when: [{{type: sequence_match}}], tools: {policy}}}"
    found = problems_of(NODE.replace("b: {prompt: On.}", step).replace("KEYS", "tools: {allow: ['*']}"))
    assert any("allow" in one or "denied" in one for one in found if not one.startswith("TW07")) is is_wrong, found


# 4.3 ---------------------------------------------------------------------------------------------


@pytest.mark.law("4.3")
def test_uses_are_calls_that_ran_whatever_their_result_and_refused_ones_are_none() -> None:
    def fails(**_given: Any) -> Any:
        raise OSError("gone")

    keys = "reads: [user], writes: [user], tools: {allow: [think, save]}"
    calls = (
        "think",
        "save",
        "web_read",
        made("write_user", set={"age": "x"}),
        made("read_user", fields=["nobody"]),
        "read_user",
    )
    stage = node(keys, [uses(*calls), "Well."])
    stage.tools["think"].does = fails
    turn = stage.say("hi")
    assert turn.state.tools.counts == {"think": 1, "save": 1, "read_user": 1}
    assert [use.tool for use in turn.state.tools.last] == ["think", "save", "read_user"]
    assert turn.state.errors == 4


# 4.4 ---------------------------------------------------------------------------------------------

RECORDS = """
    flow: f
    start: a
    records:
      user:
        name: {type: string, max: 9}
        age: {type: integer, min: 0, validate: "user.age != 13", refuse: Not thirteen.}
        plan: {type: choice, options: [{gold: [premium]}, basic]}
        tags: {type: list, max: 3}
        born: date
        kind: {type: string, default: new}
        pin: {type: string, secret: true}
        hidden: string
      other: {note: string}
    nodes:
      a:
        prompt: Talk to {{ user.name }}.
        reads: [user.name, user.age, user.tags, user.kind, user.pin]
        writes: [user.name, user.age, user.plan, user.tags, user.born, user.pin]
        transitions: [WAY]
      b: {say: "B: {{ user.age }} {{ error.message }}"}
"""


def records(*calls: CallMade, way: str = "", more: tuple[Planned, ...] = ("Well.",)) -> tuple[Stage, Any]:
    stage = Stage(RECORDS.replace("WAY", way), [uses(*calls), *more])
    return stage, stage.say("hi")


def answers(turn: Any) -> list[Any]:
    return [one.result for one in facts(turn, e.CallAnswered)]


def values(turn: Any) -> dict[str, Any]:
    return {address: value.value for address, value in turn.state.values.items()}


@pytest.mark.law("4.4")
@pytest.mark.parametrize(
    ("given", "written", "kept"),
    [
        ({"set": {"name": "Ann"}}, ["name"], {"name": "Ann"}),
        ({"data": {"name": "Ann"}}, ["name"], {"name": "Ann"}),
        ({"set": {"age": "7", "plan": "PREMIUM"}}, ["age", "plan"], {"age": 7, "plan": "gold"}),
        ({"set": {"born": "2000-02-29"}}, ["born"], {"born": "2000-02-29"}),
        ({"set": {"tags": ["a"]}, "add": {"tags": "b"}}, ["tags"], {"tags": ["a", "b"]}),
        ({"add": {"tags": ["a", "b"]}, "remove": {"tags": ["a"]}}, ["tags"], {"tags": ["b"]}),
        ({"set": {"age": 3}, "data": {"age": 4}}, ["age"], {"age": 4}),
    ],
)
def test_a_write_changes_what_it_names_and_tells_what_became_of_it(
    given: dict[str, Any], written: list[str], kept: dict[str, Any]
) -> None:
    _, turn = records(made("write_user", **given))
    assert answers(turn) == [{"success": True, "context": "user", "written": written, "values": kept}]
    assert values(turn) == {f"user.{name}": value for name, value in kept.items()}
    assert {value.how for value in turn.state.values.values()} == {"tool"}
    assert turn.state.errors == 0


@pytest.mark.law("4.4")
@pytest.mark.parametrize("nothing", [None, " "])
def test_nothing_clears_a_field(nothing: Any) -> None:
    _, turn = records(made("write_user", set={"tags": ["a"]}, data={"tags": nothing}))
    assert answers(turn) == [{"success": True, "context": "user", "written": ["tags"], "values": {"tags": []}}]
    assert values(turn) == {}


@pytest.mark.law("4.4", "1.3")
def test_an_empty_list_is_a_value_of_a_list() -> None:
    _, turn = records(made("write_user", set={"tags": ["a"]}, data={"tags": []}))
    assert answers(turn) == [{"success": True, "context": "user", "written": ["tags"], "values": {"tags": []}}]
    assert values(turn) == {"user.tags": []}


@pytest.mark.law("4.4")
def test_an_empty_list_is_no_value_of_what_is_no_list() -> None:
    _, turn = records(made("write_user", set={"age": []}))
    assert not answers(turn)[0]["success"]


@pytest.mark.law("4.4")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"set": {"age": "old"}}, "age: "),
        ({"set": {"age": -1}}, "age: "),
        ({"set": {"age": 13}}, "age: Not thirteen."),
        ({"set": {"age": None, "name": "x" * 10}}, "name: "),
        ({"set": {"plan": "silver"}}, "plan: "),
        ({"set": {"name": {"a": 1}}}, "name: "),
        ({"set": {"born": "yesterday"}}, "born: "),
        ({"set": {"tags": ["a", "b", "c", "d"]}}, "tags: "),
        ({"add": {"name": "x"}}, "name: is no list"),
        ({"set": {"hidden": "x"}}, "'hidden' of 'user' may not be written here; these may: name, age"),
        ({"set": {"nmae": "x"}}, "'user' has no field 'nmae'; did you mean 'name'?"),
        ({"set": {"name": "Ann", "age": "old"}}, "age: "),
        ({"set": "name"}, "'set' takes an object"),
        ({"name": "Ann"}, "there is no 'name' here"),
        ({}, "nothing was given"),
        ({"set": {}}, "nothing was given"),
    ],
)
def test_a_write_that_is_refused_changes_nothing_and_says_why(given: dict[str, Any], told: str) -> None:
    stage, turn = records(made("write_user", set={"name": "Bob"}), made("write_user", **given))
    assert values(turn) == {"user.name": "Bob"}
    (_, answer) = answers(turn)
    assert not answer["success"]
    assert answer.keys() == {"success", "error"}
    assert told in answer["error"]
    assert turn.state.errors == 1
    assert stage.transcript()[-1].is_error
    assert turn.state.tools.counts == {"write_user": 1}


@pytest.mark.law("4.4", "3.9")
def test_a_refused_write_is_an_error_of_kind_write() -> None:
    way = '{at: error, when: error.kind == "write" && error.tool == "write_user", to: b}'
    _, turn = records(made("write_user", set={"age": 13}), way=way, more=())
    assert turn.text == "B:  age: Not thirteen."


@pytest.mark.law("4.4")
def test_writes_apply_in_order_and_the_next_read_and_guard_see_them() -> None:
    way = "{at: tool, when: user.age > 17, to: b}"
    stage, turn = records(
        made("write_user", set={"age": 5}),
        made("read_user", fields=["age"]),
        made("write_user", set={"age": 6}),
        made("read_user", fields=["age", "name"]),
        made("write_user", set={"age": 18}),
        made("write_user", set={"age": 19}),
        way=way,
        more=(),
    )
    told = [answer["data"] for answer in answers(turn) if "data" in answer]
    assert told == [{"age": 5}, {"age": 6, "name": None}]
    assert (turn.state.node, values(turn)) == ("b", {"user.age": 18})
    assert [one.reason for one in facts(turn, e.CallRefused)] == ["dropped"]
    assert [one.value for one in facts(turn, e.FieldSet)] == [5, 6, 18]
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("4.4", "3.6")
def test_a_template_sees_what_was_written_in_the_same_turn() -> None:
    stage, _ = records(made("write_user", set={"name": "Ann"}))
    assert stage.model.calls[-1].instructions == ("Talk to Ann.",)


@pytest.mark.law("4.4", "1.3")
def test_null_and_blank_take_a_value_away() -> None:
    calls = (made("write_user", set={"name": "Ann", "age": 3}), made("write_user", set={"name": " ", "age": None}))
    _, turn = records(*calls)
    assert values(turn) == {}
    assert answers(turn)[1]["values"] == {"name": None, "age": None}


@pytest.mark.law("4.4")
@pytest.mark.parametrize(
    ("given", "data"),
    [
        ({}, {"name": "Ann", "age": None, "tags": [], "kind": "new", "pin": "•••"}),
        ({"fields": ["name"]}, {"name": "Ann"}),
        ({"fields": "kind"}, {"kind": "new"}),
        ({"fields": []}, {"name": "Ann", "age": None, "tags": [], "kind": "new", "pin": "•••"}),
        ({"fields": None}, {"name": "Ann", "age": None, "tags": [], "kind": "new", "pin": "•••"}),
    ],
)
def test_reading_gives_the_fields_that_may_be_read_and_no_secret(given: dict[str, Any], data: dict[str, Any]) -> None:
    from turnwise.core.values import REDACTED

    _, turn = records(made("write_user", set={"name": "Ann", "pin": "1234"}), made("read_user", **given))
    expected = {name: REDACTED if name == "pin" else value for name, value in data.items()}
    assert answers(turn)[1] == {"success": True, "context": "user", "data": expected}
    assert answers(turn)[0]["values"]["pin"] == REDACTED
    assert values(turn)["user.pin"] == "1234"


@pytest.mark.law("4.4", "3.6")
@pytest.mark.parametrize("given", [{"fields": ["plan"]}, {"fields": ["name", 7]}, {"fields": {"a": 1}}, {"of": "name"}])
def test_reading_what_may_not_be_read_is_refused(given: dict[str, Any]) -> None:
    _, turn = records(made("read_user", **given))
    (refused,) = facts(turn, e.CallRefused)
    assert refused.reason == "arguments"
    assert "readable are: name, age, tags, kind, pin" in refused.text
    assert turn.state.tools.counts == {}


@pytest.mark.law("4.4")
def test_a_record_is_there_only_where_the_node_reads_or_writes_it() -> None:
    stage, turn = records(made("read_other"), made("write_other", set={"note": "x"}))
    assert stage.shown() == ["read_user", "write_user"]
    assert refusals(turn) == [("read_other", "not_allowed"), ("write_other", "not_allowed")]
    (reading, writing) = stage.model.calls[0].tools
    assert reading.parameters["properties"]["fields"]["items"]["enum"] == ["name", "age", "tags", "kind", "pin"]
    properties = writing.parameters["properties"]
    assert list(properties["set"]["properties"]) == ["name", "age", "plan", "tags", "born", "pin"]
    assert list(properties["add"]["properties"]) == list(properties["remove"]["properties"]) == ["tags"]


# 4.5 ---------------------------------------------------------------------------------------------

CONSENT = """
    flow: f
    start: a
    records: {order: {what: string, seats: integer}}
    tools:
      book: {about: book seats, kind: effect, confirm: true, args: {what: string, seats: {type: integer, max: 9, about: how many}, pin: {type: string, secret: true, optional: true}}}
      look: {about: look}
    nodes:
      a:
        prompt: Talk.
        collect: [order]
        tools: {allow: [book, look]}
        transitions: [{at: before, when: message.text == "leave", to: b}, {at: before, when: message.text == "no way", block: Not now.}]
      b: {prompt: B.}
"""
CALL = made("book", what="opera", seats="2", pin="1234")


def held(*more: Planned, understand: tuple[Any, ...] = (), call: CallMade = CALL) -> tuple[Stage, Any]:
    stage = Stage(CONSENT, [uses(call, say="Let me book."), *more], {"book": "booked", "look": "found"}, understand)
    return stage, stage.say("book it")


@pytest.mark.law("4.5")
def test_a_call_that_needs_consent_is_held_and_the_machine_asks_in_its_own_words() -> None:
    stage, turn = held()
    asked = turn.said[-1]
    assert [said.kind for said in turn.said] == ["reply", "consent"]
    assert asked.text == "Shall I do this: book seats?\n- what: opera\n- how many: 2\n- pin: •••\nYes or no?".replace(
        "•••", asked.text.split("pin: ")[1].split("\n")[0]
    )
    assert "1234" not in turn.text
    assert [button.label for button in turn.buttons] == ["Yes", "No"]
    assert turn.state.status.what == "button"
    assert not stage.tools["book"].calls
    assert turn.state.tools.counts == {}


_FORGED = {
    "x\n- how many: 1\nYes or no?": r"x\n- how many: 1\nYes or no?",
    "x\r\x1b[2Ky": r"x\r\x1b[2Ky",
    "x\u2028y\u2029z\x85.": r"x\u2028y\u2029z\x85.",
    "\u202eEUR 5\u2066": r"\u202eEUR 5\u2066",
    "a\u200bb\ufeffc\U000e0041": r"a\u200bb\ufeffc\U000e0041",
    "12\xa0500\u3000Ä 名 👩\u200d🚀": "12 500 Ä 名 👩\u200d🚀",
    "o" * 400: "o" * 400,
    "o" * 5000: "o" * 400 + "… (5,000 characters)",
}


@pytest.mark.law("4.5")
@pytest.mark.parametrize(("value", "told"), _FORGED.items(), ids=ascii)
def test_no_value_looks_like_a_line_of_the_question(value: str, told: str) -> None:
    stage, turn = held("Booked.", call=made("book", what=value, seats=2))
    assert turn.said[-1].text == f"Shall I do this: book seats?\n- what: {told}\n- how many: 2\nYes or no?"
    stage.say("yes")
    assert stage.tools["book"].calls == [{"what": value.strip(), "seats": 2}]


_YES = {
    "yes": lambda stage: stage.say("yes"),
    "Yes, please.": lambda stage: stage.say("Yes, please."),
    "button": lambda stage: stage.choose("affirm"),
    "label": lambda stage: stage.choose("Yes"),
    "command": lambda stage: stage.commands([c.Affirm()]),
}


@pytest.mark.law("4.5")
@pytest.mark.parametrize("way", _YES)
def test_yes_runs_that_very_call_once(way: str) -> None:
    stage, _ = held("Booked.", "Anything else?")
    turn = _YES[way](stage)
    assert stage.tools["book"].calls == [{"what": "opera", "seats": 2, "pin": "1234"}]
    assert turn.text == "Booked."
    assert [one.role for one in stage.transcript()][:4] == ["user", "agent", "tool", "agent"]
    assert stage.transcript()[2].result == "booked"
    stage.say("yes")
    assert len(stage.tools["book"].calls) == 1
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("4.5")
@pytest.mark.parametrize("said", ["no", "No.", "no, thanks", "don't do it", "👎🏽", "cancel that"])
def test_a_no_lets_it_go_and_the_model_is_told(said: str) -> None:
    stage, _ = held("As you like.", "And now?")
    turn = stage.say(said)
    assert [one.reason for one in facts(turn, e.CallRefused)] == ["declined"]
    (result,) = [one for one in stage.transcript() if one.role == "tool"]
    assert ("the user" in result.result["error"], result.is_error) == (True, True)
    assert turn.text == "As you like."
    stage.say("yes")
    assert not stage.tools["book"].calls


UNCLEAR = [
    "maybe",
    "yes?",
    "yes but tomorrow",
    "yes and no",
    "not yes",
    "what's the weather",
    "yes, what does it cost?",
]


@pytest.mark.law("4.5")
@pytest.mark.parametrize("said", UNCLEAR)
def test_what_is_neither_yes_nor_no_is_answered_and_the_approval_asked_again(said: str) -> None:
    stage, first = held("Two euros.", "Done.")
    turn = stage.say(said)
    assert [one.kind for one in turn.said] == ["reply", "consent"]
    assert turn.said[-1].text == first.said[-1].text
    assert not stage.tools["book"].calls
    (result,) = [one for one in stage.transcript() if one.role == "tool"]
    assert "waits for approval" in result.result["error"]
    stage.say("yes")
    assert len(stage.tools["book"].calls) == 1


@pytest.mark.law("4.5")
def test_after_two_unclear_messages_the_next_one_drops_the_call_and_the_user_is_told() -> None:
    stage, _ = held("Hm.", "Well.", "As you like.", "What?")
    stage.say("perhaps")
    stage.say("is it far?")
    turn = stage.say("na ja")
    assert [one.reason for one in facts(turn, e.CallRefused)] == ["dropped"]
    assert turn.text == "That was not done: book seats.\n\nAs you like."
    stage.say("yes")
    assert not stage.tools["book"].calls


@pytest.mark.law("4.5")
def test_a_model_that_fails_beside_an_approval_leaves_it_open() -> None:
    stage, first = held(ProviderFailed("down"), "Done.")
    turn = stage.say("is it far?")
    assert turn.text == f"I have not done anything yet.\n\n{first.said[-1].text}"
    stage.say("yes")
    assert len(stage.tools["book"].calls) == 1


@pytest.mark.law("4.5")
def test_other_arguments_re_arm_the_approval() -> None:
    stage, _ = held(uses(made("book", what="opera", seats=3, pin="1234")), "Done.")
    turn = stage.say("only if there are three")
    assert [one.reason for one in facts(turn, e.CallRefused)] == ["replaced"]
    assert "how many: 3" in turn.text
    stage.say("yes")
    assert [one["seats"] for one in stage.tools["book"].calls] == [3]


@pytest.mark.law("4.5")
@pytest.mark.parametrize(("tool", "reasons"), [("look", []), ("tip", ["dropped"])])
def test_another_effect_drops_the_call_and_says_so_but_a_look_does_not(tool: str, reasons: list[str]) -> None:
    flow = """
        flow: f
        start: a
        tools:
          book: {about: book seats, kind: effect, confirm: true, args: {what: string}}
          look: {about: look it up}
          tip: {about: give a tip, kind: effect}
        nodes: {a: {prompt: Help., tools: {allow: ['*']}}}
    """
    plan = [uses(made("book", what="opera")), uses(made(tool)), "Well."]
    stage = Stage(flow, plan, {"book": "booked", "look": "found", "tip": "given"})
    stage.say("book it")
    turn = stage.say("something else first")
    assert [one.reason for one in facts(turn, e.CallRefused)] == reasons
    assert ("That was not done: book seats." in turn.text) is bool(reasons)
    assert len(stage.tools[tool].calls) == 1
    stage.say("yes")
    assert len(stage.tools["book"].calls) == (0 if reasons else 1)


@pytest.mark.law("4.5", "3.4")
@pytest.mark.parametrize(("commands", "ran"), [([c.Affirm()], 1), ([c.Deny()], 0), ([], 0)])
def test_what_is_understood_may_consent_too(commands: list[c.AnyCommand], ran: int) -> None:
    stage, _ = held("Well.", understand=([], commands))
    stage.say("that plan has my full support")
    shown = stage.understanding.calls[-1][1]
    assert {"affirm", "deny"} <= set(shown.commands)
    assert shown.question == "call"
    assert len(stage.tools["book"].calls) == ran


@pytest.mark.law("4.5", "7.1")
def test_nothing_is_consented_to_before_it_was_asked() -> None:
    stage = Stage(CONSENT, ["Hello.", uses(CALL)], {"book": "booked", "look": ""})
    stage.say("hi")
    turn = stage.commands([c.Affirm()])
    assert [one.reason for one in facts(turn, e.CommandRefused)] == ["nothing_to_affirm"]
    assert not stage.tools["book"].calls


@pytest.mark.law("4.5", "3.1")
def test_a_button_of_an_earlier_question_is_stale_and_the_question_is_put_again() -> None:
    stage, first = held("As you like.", uses(made("book", what="ballet", seats=1)), "Well.")
    stage.say("no")
    second = stage.say("the ballet then")
    turn = stage.choose("affirm", position=first.position)
    assert [said.kind for said in turn.said] == ["stale_button", "consent"]
    assert "ballet" in turn.said[-1].text
    assert not stage.tools["book"].calls
    stage.choose("affirm", position=second.position)
    assert stage.tools["book"].calls == [{"what": "ballet", "seats": 1}]


@pytest.mark.law("4.5", "3.1")
def test_a_button_that_was_not_offered_is_refused() -> None:
    stage, _ = held()
    assert stage.choose("maybe").refused == "unknown_button"


@pytest.mark.law("4.5")
def test_calls_behind_a_held_one_wait_for_it_and_those_before_it_ran() -> None:
    stage = Stage(CONSENT, [uses("look", CALL, "look", CALL), "Booked."], {"book": "booked", "look": "found"})
    turn = stage.say("hi")
    assert turn.state.tools.counts == {"look": 1}
    assert refusals(turn) == []
    assert stage.say("yes").state.tools.counts == {"look": 2, "book": 1}
    stage.say("no")
    assert len(stage.tools["book"].calls) == 1


@pytest.mark.law("4.5", "3.6")
def test_a_call_that_is_badly_typed_is_refused_before_anybody_is_asked() -> None:
    turn = held("Sorry.", call=made("book", what="opera", seats=99))[1]
    assert refusals(turn) == [("book", "arguments")]
    assert turn.text == "Let me book.\n\nSorry."


@pytest.mark.law("4.5")
def test_leaving_the_node_lets_the_call_go_and_a_block_keeps_it() -> None:
    stage, _ = held("In b.", "Well.")
    assert stage.say("leave").state.node == "b"
    stage.say("yes")
    assert not stage.tools["book"].calls
    flow = CONSENT.replace(
        "b: {prompt: B.}", 'b: {say: B., transitions: [{at: before, when: message.text == "on", to: a}]}'
    )
    stage = Stage(flow, [uses(CALL)], {"book": "booked", "look": "found"})
    stage.say("book it")
    turn = stage.say("leave")
    assert (turn.state.awaiting_approval, turn.state.status.what) == (None, "message")
    stage, _ = held("Booked.")
    turn = stage.say("no way")
    assert (turn.text, turn.state.awaiting_approval is not None) == ("Not now.", True)
    assert stage.say("yes").text == "Booked."


@pytest.mark.law("6.9")
@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("about: books seats, title: your seats", "your seats"),
        ("about: 'Book seats. Never book twice; ask for the day before.'", "Book seats"),
        ("kind: effect", "book"),
    ],
)
def test_an_undo_says_in_words_for_users_what_stays(told: str, words: str) -> None:
    kind = "" if "kind" in told else ", kind: effect"
    flow = (
        f"flow: f\nstart: a\ntools: {{book: {{{told}{kind}}}}}\nnodes: {{a: {{prompt: A., tools: {{allow: [book]}}}}}}"
    )
    stage = Stage(flow, ["Hello.", uses("book"), "Booked."], {"book": "booked"})
    stage.say("hello")
    stage.say("book")
    assert stage.undo().text.startswith(f"I have taken that back. What was carried out, or begun, stays: {words}.")


@pytest.mark.law("4.5", "6.9")
@pytest.mark.parametrize("then", ["yes", "no"])
def test_an_undo_says_what_was_done_and_no_yes_does_it_twice(then: str) -> None:
    stage, _ = held("Booked.", "It is booked already.")
    stage.say("yes")
    turn = stage.undo()
    assert facts(turn, e.Undone)[0].kept == ("book",)
    assert turn.text == "I have taken that back. What was carried out, or begun, stays: book seats."
    assert (turn.buttons, turn.state.awaiting_approval, turn.state.status.what) == ((), None, "message")
    assert turn.state.tools.counts == {"book": 1}
    assert stage.say(then).text == "It is booked already."
    assert len(stage.tools["book"].calls) == 1
    told = [message for message in stage.transcript() if message.role == "tool"]
    assert [message.result for message in told] == ["booked"]
    assert stage.replay()


@pytest.mark.law("4.5", "6.9")
def test_an_undo_brings_the_question_back_where_nothing_was_done() -> None:
    stage, _ = held("Then not.", "Booked.")
    stage.say("no")
    turn = stage.undo()
    assert [said.kind for said in turn.said] == ["undone", "consent"]
    assert turn.said[0].text == "I have taken that back."
    assert stage.say("yes").text == "Booked."


@pytest.mark.law("6.9")
@pytest.mark.parametrize(
    ("failure", "kept"),
    [(OSError("sold out"), ()), (InDoubt("the line went dead"), ("book",))],
    ids=["not done", "in doubt"],
)
def test_an_undo_lists_what_may_have_been_done_and_nothing_that_was_not(
    failure: Exception, kept: tuple[str, ...]
) -> None:
    stage, _ = held("It failed.")

    def fails(**_given: Any) -> Any:
        raise failure

    stage.tools["book"].does = fails
    stage.say("yes")
    turn = stage.undo()
    assert facts(turn, e.Undone)[0].kept == kept
    assert (turn.state.awaiting_approval is None, "book" in turn.state.tools.counts) == (bool(kept), bool(kept))


BOOKING = """
flow: f
start: a
tools: {book: {about: book seats, kind: effect, confirm: true, on_crash: POLICY}}
records: {order: {number: integer}}
nodes:
  a: {say: Hello., transitions: [{at: before, when: message.text == "go", to: b}]}
  b: {tool: {name: book, into: order}, transitions: [{when: has(order.number), to: c}, {at: error, to: d}]}
  c: {say: "Number {{ order.number }}."}
  d: {say: "It failed.", transitions: [{to: a}]}
"""


@pytest.mark.law("4.5", "6.9")
@pytest.mark.parametrize(
    ("policy", "calls", "said"),
    [("again", 2, "Number 7."), ("check", 1, "Number 7."), ("unknown", 1, "It failed.")],
)
def test_the_work_of_a_node_that_was_done_before_an_undo_is_the_same_call(policy: str, calls: int, said: str) -> None:
    tool = FakeTool({"number": 7}, check=lambda _call: {"number": 7})
    stage = Stage(BOOKING.replace("POLICY", policy), [], {"book": tool})
    stage.say("hello")
    stage.say("go")
    assert stage.say("yes").text == "Number 7."
    turn = stage.undo()
    assert [one.kind for one in turn.said] == ["undone", "consent"]
    assert turn.text.startswith("I have taken that back. What was carried out, or begun, stays: book seats.")
    assert ("once more" in turn.text) == (policy == "again")
    assert stage.say("yes").text.startswith(said)
    assert (len(tool.keys), len(set(tool.keys))) == (calls, calls), "what is done once more has a key of its own"
    assert stage.replay()
    assert stage.rerun().agrees


REACHED_AGAIN = """
flow: f
start: a
tools: {pay: {about: pay, kind: effect, on_crash: POLICY, args: {sum: integer}}}
records: {order: {sum: integer, number: integer}}
nodes:
  a: {prompt: Hello., collect: [order.sum], transitions: [{at: before, when: message.text == "go", to: b}]}
  b: {tool: {name: pay, into: order, with: {sum: order.sum}}, transitions: [{to: a}, {id: failed, at: error, to: a}]}
"""


def reached_again(tool: FakeTool, policy: str = "again") -> Stage:
    """A conversation in which a node has paid 5, and an undo took that back, to before the node was reached."""
    stage = Stage(REACHED_AGAIN.replace("POLICY", policy), ["Hello.", *["Again."] * 9], {"pay": tool})
    stage.say("hello")
    stage.commands([c.Set(field="order.sum", value=5)])
    stage.say("go")
    assert tool.keys == ["main/3.2"]
    assert stage.undo().state.node == "a"
    return stage


@pytest.mark.law("4.5", "6.9")
@pytest.mark.parametrize(("policy", "calls"), [("again", 2), ("check", 1), ("unknown", 1)])
def test_the_work_of_a_node_that_is_reached_again_after_an_undo_is_the_same_call(policy: str, calls: int) -> None:
    tool = FakeTool({"number": 7}, check=lambda _call: {"number": 7})
    stage = reached_again(tool, policy)
    turn = stage.say("go")
    if policy == "again":
        assert tool.keys == ["main/3.2"], "it is asked about first"
        turn = stage.say("yes")
    assert (len(tool.keys), len(set(tool.keys))) == (calls, calls)
    assert (turn.state.values.get("order.number") is None) == (policy == "unknown")
    assert stage.replay()
    assert stage.rerun().agrees
    if policy == "unknown":
        (failed,) = facts(turn, e.ToolFailed)
        assert failed.reason.startswith("this call was made before, and an undo took its result back")
        assert "process" not in failed.reason
        return
    stage.say("go")
    assert len(tool.keys) == calls + 1, "only the call that was taken back is the same one"
    assert tool.keys[-1] != "main/3.2"


@pytest.mark.law("4.5", "6.9")
def test_another_call_after_an_undo_has_a_key_of_its_own() -> None:
    tool = FakeTool({"number": 7})
    stage = reached_again(tool)
    stage.commands([c.Set(field="order.sum", value=6)])
    stage.say("go")
    assert len(set(tool.keys)) == 2


@pytest.mark.law("4.5", "6.9")
def test_consent_that_is_asked_for_again_after_an_undo_is_to_the_same_call() -> None:
    tool = FakeTool({"number": 7}, check=lambda _call: {"number": 7})
    stage = Stage(BOOKING.replace("POLICY", "unknown"), [], {"book": tool})
    stage.say("hello")
    stage.say("go")
    assert stage.say("yes").text == "Number 7."
    assert stage.undo(to=1).state.node == "a"
    assert stage.say("go").state.awaiting_approval is not None
    turn = stage.say("yes")
    assert tool.keys == ["main/2.1"]
    assert facts(turn, e.ToolFailed)[0].reason.startswith("this call was made before, and an undo took its result back")
    assert turn.text.startswith("It failed.")
    assert stage.rerun().agrees


@pytest.mark.law("4.5", "6.9")
def test_a_yes_that_is_taken_back_and_given_again_has_the_same_key() -> None:
    stage, _ = held("It failed.", "Booked.", "Booked anew.")
    plan = iter([OSError("sold out"), "booked"])

    def books(**_given: Any) -> Any:
        found = next(plan)
        if isinstance(found, Exception):
            raise found
        return found

    stage.tools["book"].does = books
    stage.say("yes")
    stage.undo()
    assert stage.say("yes").text == "Booked."
    assert len(stage.tools["book"].keys) == 2
    assert len(set(stage.tools["book"].keys)) == 1


@pytest.mark.law("4.5", "3.9")
def test_a_held_call_that_fails_is_told_to_the_model() -> None:
    stage, _ = held("Sorry, it failed.")

    def fails(**_given: Any) -> Any:
        raise OSError("sold out")

    stage.tools["book"].does = fails
    turn = stage.say("yes")
    assert turn.text == "Sorry, it failed."
    assert stage.transcript()[2].result == {"success": False, "error": "OSError: sold out"}


WORK = """
    flow: f
    start: a
    commands: [set]
    records: {order: {seats: integer}}
    tools: {book: {about: book seats, kind: effect, confirm: true, args: {seats: integer}}}
    nodes:
      a: {say: How many?, transitions: [{at: before, when: "has(order.seats)", to: book}]}
      book: {tool: {name: book, with: {seats: order.seats}}, transitions: [WAY {to: done}]}
      done: {say: Booked.}
      sorry: {say: "Not booked: {{ error.kind }} {{ error.message }}"}
"""


def work(way: str = "") -> tuple[Stage, Any]:
    stage = Stage(WORK.replace("WAY", way), tools={"book": "booked"})
    stage.start()
    return stage, stage.commands([c.Set(field="order.seats", value=2)])


@pytest.mark.law("4.5", "2.1")
def test_a_tool_node_asks_for_consent_too() -> None:
    stage, turn = work()
    assert "- seats: 2" in turn.text
    assert stage.say("yes").outcome == "done"
    assert stage.tools["book"].calls == [{"seats": 2}]


@pytest.mark.law("4.5", "3.9")
def test_a_no_in_a_tool_node_is_an_error_of_kind_refused() -> None:
    stage, _ = work('{at: error, when: error.kind == "refused" && error.tool == "book", to: sorry},')
    assert stage.say("no").text == "Not booked: refused the user said no"
    stage, _ = work()
    turn = stage.say("no")
    assert turn.state.status == Failed("refused", "the user said no")
    assert not stage.tools["book"].calls


@pytest.mark.law("4.5")
@pytest.mark.parametrize("beside", [[], [c.Affirm()], [c.Deny()]])
def test_an_edit_arms_the_call_anew_and_a_yes_beside_it_consents_to_nothing_yet(beside: list[c.AnyCommand]) -> None:
    stage, _ = work()
    turn = stage.commands([*beside, c.Set(field="order.seats", value=3)])
    assert "- seats: 3" in turn.said[-1].text
    assert not stage.tools["book"].calls
    assert stage.say("yes").outcome == "done"
    assert stage.tools["book"].calls == [{"seats": 3}]


@pytest.mark.law("4.5")
def test_each_call_of_an_effect_has_a_key_of_its_own_that_its_attempts_share() -> None:
    stage = node("tools: {allow: [save]}", [uses("save", "save"), "Saved.", uses("save"), "Saved."])
    stage.say("one")
    stage.say("two")
    keys = stage.tools["save"].keys
    assert len(set(keys)) == 3
    assert all(key.startswith("main/") for key in keys)


CRASH = f"flow: f\nstart: a\n{TOOLS}\nnodes: {{a: {{prompt: Talk., tools: {{allow: [save]}}}}}}"


@pytest.mark.law("4.5", "3.8")
@pytest.mark.parametrize(
    ("policy", "check", "runs", "text"),
    [
        ("again", None, 2, "saved"),
        ("check", lambda _call: "it was", 1, "it was"),
        ("check", "not done", 2, "saved"),
        ("unknown", None, 1, "it is not known"),
    ],
)
def test_after_a_crash_a_call_in_doubt_is_settled_by_its_policy_under_the_same_key(
    policy: str, check: Any, runs: int, text: str
) -> None:
    def asked(_call: Any) -> Any:
        raise NotDone

    stage = Stage(
        CRASH.replace("kind: effect", f"kind: effect, on_crash: {policy}"),
        [uses("save"), "Well."],
        {"save": FakeTool("saved", asked if check == "not done" else check)},
    )

    async def scenario() -> None:
        begun = asyncio.Event()

        async def hang(**_given: Any) -> None:
            begun.set()
            await asyncio.sleep(3600)

        real, stage.tools["save"].does = stage.tools["save"].does, hang
        asyncio.get_running_loop().turn = asyncio.create_task(stage.chat.say("hi"))  # type: ignore[attr-defined]
        await begun.wait()
        stage.tools["save"].does = real

    asyncio.run(scenario())  # the turn dies with its loop
    asyncio.run(stage.chat.runtime.engine.recover(waits=True))
    keys = stage.tools["save"].keys
    assert (len(keys), len(set(keys))) == (runs, 1)
    (result,) = [one for one in stage.transcript() if one.role == "tool"]
    assert text in str(result.result)
