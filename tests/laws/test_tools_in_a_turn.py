"""Sections 1 to 3, as far as they are about the tools that a model calls inside of a turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import Ended, Failed, Waiting
from turnwise.core.state import events as e
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import Planned
from turnwise.runner.model_port import CallMade

DESK = """
    flow: desk
    start: talk
    records: {user: {name: string, age: integer, done: boolean, pin: {type: string, secret: true}}}
    tools:
      look: {about: look it up, args: {q: {type: string, optional: true}, n: {type: integer, min: 0, optional: true}}}
      find: {about: find it}
      save: {about: save it, kind: effect, args: {note: {type: string, optional: true}}}
      late: {about: of another node}
    nodes:
      talk:
        prompt: Talk.
        tools: {allow: [look, find, save]}
        TALK
      next: {prompt: Go on., tools: {allow: [late]}, transitions: [{at: before, when: message.text == "back", to: talk}]}
      told: {say: "Told: {{ error.kind }} of {{ error.tool }}."}
      tell: {prompt: "It was {{ error.kind }}: {{ error.message }}"}
"""
FAILS = OSError("gone")


def desk(
    model: list[Planned], talk: str = "", more: str = "", flow: str = DESK, tools: dict[str, Any] | None = None
) -> Stage:
    text = flow.replace("TALK", talk).replace("flow: desk\n", f"flow: desk\n    {more}\n" if more else "flow: desk\n")
    return Stage(text, model, {"look": "found", "find": "there", "save": "saved", "late": "late"} | (tools or {}))


def failing() -> FakeTool:
    def does(**_given: Any) -> Any:
        raise FAILS

    return FakeTool(does)


def reasons(turn: Any) -> list[str]:
    return [one.reason for one in facts(turn, e.CallRefused)]


# 3.6 ---------------------------------------------------------------------------------------------


@pytest.mark.requirement("003-19")
@pytest.mark.law("3.6", "2.1")
def test_calls_are_no_reply_so_the_work_goes_on_until_the_model_says_something() -> None:
    stage = desk([uses("look"), uses("find", say="One moment."), "Here it is."], "transitions: [{to: next}]", tools={})
    stage.model.plan.append("Next.")
    turn = stage.say("hi")
    assert [one.text for one in turn.said] == ["One moment.", "Here it is.", "Next."]
    assert [one.moment for one in facts(turn, e.Decided)] == ["before", "tool", "tool", "after", "before", "after"]
    assert len(stage.model.calls) == 4
    assert [event.tool for event in facts(turn, e.ToolReturned)] == ["look", "find"]


@pytest.mark.law("3.6")
@pytest.mark.parametrize(
    ("call", "reason", "told"),
    [
        (made("late"), "not_allowed", "'late' is not allowed here; available are: look, find, save"),
        (made("lok"), "unknown_tool", "Did you mean 'look'?"),
        (made("x" * 500), "unknown_tool", "there is no tool 'xxx"),
        (made(""), "unknown_tool", "there is no tool ''"),
        (made("write_user", set={"age": 3}), "not_allowed", "'write_user' is not allowed here"),
        (made("go_to_next"), "not_open", "'go_to_next' is not open now"),
        (made("go_to_nowhere"), "not_open", "is not open now"),
        (CallMade("look", "{not JSON"), "not_json", "the arguments cannot be read: they are not JSON"),
        (CallMade("look", "[1]"), "not_json", "no object with a value per name"),
        (CallMade("look", "[" * 3000), "not_json", "they are not JSON"),
        (made("look", n="many"), "arguments", "n: "),
        (made("look", n=-1), "arguments", "n: "),
        (made("look", n=[1]), "arguments", "n: "),
        (made("look", qq="x"), "arguments", "there is no argument 'qq'; did you mean 'q'?"),
        (made("save", note={"a": 1}), "arguments", "note: "),
    ],
)
def test_a_call_is_checked_when_it_arrives_and_a_refused_one_never_runs(call: CallMade, reason: str, told: str) -> None:
    stage = desk([uses(call), "I see."])
    turn = stage.say("hi")
    (refused,) = facts(turn, e.CallRefused)
    assert refused.reason == reason
    assert told in refused.text
    assert not any(tool.calls for tool in stage.tools.values())
    assert turn.state.tools.counts == {}
    assert turn.state.errors == 1
    (result,) = [one for one in stage.transcript() if one.role == "tool"]
    assert (result.result, result.is_error) == ({"success": False, "error": refused.text}, True)
    assert turn.text == "I see."


@pytest.mark.law("3.6")
def test_no_arguments_at_all_are_none() -> None:
    stage = desk([uses(CallMade("look", "")), "I see."])
    stage.say("hi")
    assert stage.tools["look"].calls == [{}]


@pytest.mark.law("3.6")
def test_allowed_tools_are_computed_at_each_call_of_a_model() -> None:
    flow = DESK.replace(
        "tools: {allow: [look, find, save]}", "tools: {allow: [look, find, save], sequence: [look, find]}"
    )
    stage = desk([uses("look"), uses("find"), "Done."], flow=flow)
    stage.say("hi")
    assert [stage.shown(number) for number in range(3)] == [["look"], ["find"], ["look", "find", "save"]]


@pytest.mark.law("3.6", "2.2")
def test_a_move_after_a_result_changes_prompt_and_tools_for_the_next_call_of_the_same_turn() -> None:
    way = 'transitions: [{at: tool, when: tools.used("look"), to: next}]'
    stage = desk([uses("look", say="Let me see."), "I am the next."], way)
    turn = stage.say("hi")
    assert turn.state.node == "next"
    assert [(request.node, request.instructions) for request in stage.model.calls] == [
        ("talk", ("Talk.",)),
        ("next", ("Go on.",)),
    ]
    assert stage.shown() == ["late"]
    shown = stage.transcript()
    assert [(one.role, one.text, [call.tool for call in one.calls]) for one in shown] == [
        ("user", "hi", []),
        ("agent", "Let me see.", ["look"]),
        ("tool", "", []),
    ]


@pytest.mark.law("3.6", "4.3", "2.2", "3.9")
def test_calls_behind_one_that_moved_are_dropped_and_do_not_count_against_their_tools() -> None:
    way = 'transitions: [{at: tool, when: tools.used("look"), to: next}]'
    flow = DESK.replace("allow: [late]", "allow: [find]")
    stage = desk(
        [uses("look", "find", "find", "find"), uses("find"), "Well."], way, flow=flow, tools={"find": failing()}
    )
    turn = stage.say("hi")
    assert reasons(turn) == ["dropped"] * 3
    assert turn.state.errors == 4
    assert turn.text == "Well."
    assert turn.state.tools.counts == {"look": 1, "find": 1}
    results = [one.result for one in stage.transcript(1) if one.role == "tool"]
    assert results[0] == "found"
    assert all("not run" in one["error"] for one in results[1:])


@pytest.mark.law("3.9")
def test_what_was_dropped_does_not_stand_for_what_failed() -> None:
    way = 'transitions: [{at: error, when: error.kind == "tool", to: tell}]'
    stage = desk([uses("look", "find", "save"), "Sorry."], way, tools={"look": failing()})
    turn = stage.say("hi")
    assert reasons(turn) == ["dropped", "dropped"]
    assert stage.model.calls[-1].instructions == ("It was tool: OSError: gone",)
    assert turn.taken == ("to_tell",)
    (moved,) = facts(turn, e.Moved)
    assert moved.because == "error caught: tool in look"


@pytest.mark.law("3.6")
@pytest.mark.parametrize(
    ("limits", "model", "message", "asked"),
    [
        ("model_calls: 2", [uses("look"), uses("look"), "Never."], "model_calls: 2 calls in one turn", 2),
        ("tool_calls: 3", [uses("look", "find", "late", "look"), "Never."], "tool_calls: 3 calls in one turn", 1),
    ],
)
def test_a_model_that_calls_for_ever_comes_to_a_limit(
    limits: str, model: list[Planned], message: str, asked: int
) -> None:
    stage = desk(model, more=f"limits: {{{limits}}}")
    turn = stage.say("hi")
    assert turn.state.status == Failed("limit", message)
    assert len(stage.model.calls) == asked
    caught = desk(model, "transitions: [{at: error, when: error.kind == 'limit', to: told}]", f"limits: {{{limits}}}")
    assert caught.say("hi").text == "Told: limit of ."


@pytest.mark.law("3.6")
def test_by_default_there_are_twelve_calls_of_a_model_and_twenty_four_of_tools() -> None:
    turn = desk([uses("look")] * 13).say("hi")
    assert (turn.state.status, turn.state.tools.counts) == (
        Failed("limit", "model_calls: 12 calls in one turn"),
        {"look": 12},
    )
    turn = desk([uses(*["look"] * 30)]).say("hi")
    assert (turn.state.status, turn.state.tools.counts) == (
        Failed("limit", "tool_calls: 24 calls in one turn"),
        {"look": 24},
    )
    assert reasons(turn) == ["dropped"] * 6


@pytest.mark.law("2.1")
def test_an_empty_reply_after_a_call_is_no_work() -> None:
    turn = desk([uses("look"), uses()], "transitions: [{to: told}]").say("hi")
    assert turn.state.node == "talk"
    assert [one.code for one in facts(turn, e.ModelFailed)] == ["empty"]


@pytest.mark.law("3.4")
def test_what_a_model_claims_is_recorded_and_not_believed() -> None:
    said = "The flow is complete. Moving to node told now. go_to_told()"
    turn = desk([said], "transitions: [{when: user.done, to: told}]").say("hi")
    assert (turn.state.node, turn.text) == ("talk", said)
    assert isinstance(turn.state.status, Waiting)


@pytest.mark.law("3.6")
def test_reading_calls_of_one_reply_run_at_the_same_time_where_nothing_can_come_between() -> None:
    begun: list[str] = []
    both = asyncio.Event()

    async def meet(name: str) -> str:
        begun.append(name)
        if len(begun) == 2:
            both.set()
        await asyncio.wait_for(both.wait(), 60)
        return name

    tools = {name: FakeTool(lambda name=name, **_given: meet(name)) for name in ("look", "find")}
    stage = desk([uses("look", "find"), "Both."], tools=tools)
    turn = stage.say("hi")
    assert turn.text == "Both."
    assert [event.tool for event in facts(turn, e.ToolReturned)] == ["look", "find"]


@pytest.mark.law("3.6")
@pytest.mark.parametrize(
    ("talk", "calls"),
    [
        ('transitions: [{at: tool, when: tools.used("look"), to: next}]', ("look", "find")),
        ("transitions: [{at: error, when: error.kind == 'tool', to: told}]", ("look", "find")),
        ("", ("look", "save")),
        ("", ("look", "late")),
        ("", ("look", "look", "look", "find")),
    ],
)
def test_what_may_not_come_to_run_is_not_begun_before_its_time(talk: str, calls: tuple[str, ...]) -> None:
    async def look(**_given: Any) -> str:
        await asyncio.sleep(0.01)
        others = [tool for name, tool in stage.tools.items() if name != "look"]
        assert not any(tool.calls for tool in others)
        raise FAILS

    stage = desk([uses(*calls), "Well.", "Well."], talk, tools={"look": FakeTool(look)})
    turn = stage.say("hi")
    assert [event.reason for event in facts(turn, e.ToolFailed)] == ["OSError: gone"] * calls.count("look")


# 3.8, 1.1: what is kept ----------------------------------------------------------------------------


@pytest.mark.law("4.3", "1.1")
def test_every_call_is_recorded_with_its_turn_node_arguments_result_and_time() -> None:
    async def slow(**_given: Any) -> str:
        stage.clock.move_s(2)
        return "found"

    stage = desk([uses(made("look", q="x"), "nobody"), "Well."], tools={"look": FakeTool(slow)})
    turn = stage.say("hi")
    (replied, _) = facts(turn, e.ModelReplied)
    assert [(one.tool, one.arguments) for one in replied.calls] == [("look", {"q": "x"}), ("nobody", {})]
    (asked,) = [one.effect for one in facts(turn, e.EffectAsked) if one.effect.__struct_config__.tag == "run_tool"]
    assert (asked.tool, asked.arguments, asked.call) == ("look", {"q": "x"}, replied.calls[0].id)
    (returned,) = facts(turn, e.ToolReturned)
    assert (returned.result, returned.ms, returned.call) == ("found", 2000, replied.calls[0].id)
    (refused,) = facts(turn, e.CallRefused)
    assert (refused.call, refused.tool) == (replied.calls[1].id, "nobody")
    (use,) = turn.state.tools.last
    assert (use.tool, use.turn, use.node) == ("look", 1, "talk")


@pytest.mark.law("1.1", "4.3")
def test_what_is_kept_of_calls_is_a_count_per_known_tool_and_the_last_uses() -> None:
    stage = desk([])
    for number in range(6):
        stage.model.plan.extend([uses(*["look"] * 20, "find", f"unknown_{number}"), "Well."])
        turn = stage.say("on")
    assert turn.state.tools.counts == {"look": 120, "find": 6}
    assert len(turn.state.tools.last) == 64
    assert turn.state.doing is None


@pytest.mark.law("3.8", "4.5")
def test_before_an_effect_runs_its_intent_and_all_before_it_are_kept() -> None:
    async def save(**_given: Any) -> str:
        kept = [type(entry.event).__name__ for entry in await stage.store.entries("main")]
        seen.append(kept)
        return "saved"

    seen: list[list[str]] = []
    stage = desk([uses("look", "save"), "Saved."], tools={"save": FakeTool(save)})
    stage.say("hi")
    assert seen[0][-1] == "EffectAsked"
    assert {"UserSaid", "ModelReplied", "ToolReturned"} <= set(seen[0])


@pytest.mark.law("3.8")
def test_what_happened_with_tools_is_replayed_and_run_again() -> None:
    way = 'transitions: [{at: tool, when: tools.count("look") > 1, to: next}, {at: choice, to: told}]'
    stage = desk(
        [
            uses("look", "late", say="Hm."),
            "Well.",
            uses("nobody", "look", "find"),
            "On.",
            "And on.",
            uses("go_to_told"),
        ],
        way,
    )
    for text in ("one", "two", "three", "back"):
        stage.say(text)
    assert stage.replay()
    assert stage.rerun().difference is None


# 3.9 -----------------------------------------------------------------------------------------------


@pytest.mark.law("3.9")
@pytest.mark.parametrize("call", ["look", "nobody"])
def test_a_failure_is_told_to_the_model_twice_per_tool_then_it_is_a_limit(call: str) -> None:
    stage = desk([uses(call)] * 5, tools={"look": failing()})
    turn = stage.say("hi")
    assert len(stage.model.calls) == 3
    assert isinstance(turn.state.status, Failed)
    assert turn.state.status.reason == "limit"
    assert f"{call} failed 3 times in one turn" in turn.state.status.message
    assert turn.state.errors == 4
    stage.model.plan.clear()
    stage.model.plan.extend([uses(call), "It works again."])
    turn = stage.say("again")
    assert turn.text == "It works again."


@pytest.mark.law("3.9")
def test_failures_are_counted_per_tool() -> None:
    stage = desk([uses("look", "find"), uses("look", "find"), "Neither."], tools={"look": failing(), "find": failing()})
    turn = stage.say("hi")
    assert (turn.text, turn.state.errors) == ("Neither.", 4)
    results = [one for one in stage.transcript() if one.role == "tool"]
    assert [one.result for one in results] == [{"success": False, "error": "OSError: gone"}] * 4
    assert turn.state.tools.counts == {"look": 2, "find": 2}


@pytest.mark.law("3.9", "2.2")
@pytest.mark.parametrize(
    ("call", "kind", "tool"), [("look", "tool", "look"), ("late", "refused", "late"), ("nobody", "refused", "nobody")]
)
def test_an_error_transition_is_judged_first_with_what_failed_bound(call: str, kind: str, tool: str) -> None:
    way = f'transitions: [{{at: error, when: error.kind == "{kind}" && error.tool == "{tool}", to: told}}]'
    stage = desk([uses(call), "Never."], way, tools={"look": failing()})
    turn = stage.say("hi")
    assert turn.text == f"Told: {kind} of {tool}."
    (moved,) = facts(turn, e.Moved)
    assert moved.because == f"error caught: {kind} in {tool}"
    assert len(stage.model.calls) == 1


@pytest.mark.law("3.9")
def test_an_error_of_the_node_is_nearer_than_one_of_the_flow() -> None:
    more = "transitions: [{at: error, priority: 1, to: next}]"
    stage = desk([uses("look")], "transitions: [{at: error, priority: 900, to: told}]", more, tools={"look": failing()})
    assert stage.say("hi").state.node == "told"


@pytest.mark.law("3.9", "3.6")
def test_a_model_that_fails_behind_its_calls_ends_the_turn_and_the_next_message_tries_again() -> None:
    stage = desk([uses("save"), ProviderFailed("gone"), "Saved, as I said."])
    turn = stage.say("hi")
    assert turn.state.status == Failed("model", "gone")
    assert stage.tools["save"].calls == [{}]
    turn = stage.say("and?")
    assert turn.text == "Saved, as I said."
    assert [one.role for one in stage.transcript()] == ["user", "agent", "tool", "agent", "user"]
    assert stage.tools["save"].calls == [{}]


@pytest.mark.law("3.9")
@pytest.mark.parametrize(("fails", "runs"), [(0, 1), (1, 2), (2, 3), (3, 3)])
def test_a_tool_is_tried_again_as_often_as_it_says_each_time_under_the_same_key(fails: int, runs: int) -> None:
    plan = iter([FAILS] * fails)

    def save(**_given: Any) -> str:
        found = next(plan, None)
        if found is not None:
            raise found
        return "saved"

    flow = DESK.replace("kind: effect,", "kind: effect, retry: {times: 2},")
    stage = desk([uses("save"), "Well."], flow=flow, tools={"save": FakeTool(save)})
    turn = stage.say("hi")
    assert len(stage.tools["save"].keys) == runs
    assert len(set(stage.tools["save"].keys)) == 1
    assert bool(facts(turn, e.ToolReturned)) is (fails < 3)
    assert turn.state.tools.counts == {"save": 1}


@pytest.mark.law("3.9")
def test_a_tool_that_takes_too_long_has_failed() -> None:
    async def slow(**_given: Any) -> str:
        await asyncio.sleep(60)
        return "never"

    flow = DESK.replace("about: look it up,", "about: look it up, timeout: 20ms,")
    turn = desk([uses("look"), "Well."], flow=flow, tools={"look": FakeTool(slow)}).say("hi")
    (failed,) = facts(turn, e.ToolFailed)
    assert failed.reason == "it gave no result within 0.02 s"


@pytest.mark.law("3.9", "1.1")
@pytest.mark.parametrize(
    ("given", "reason"),
    [(object(), "no JSON data"), ("x" * 200_000, "(result_chars)"), ({1: {2}}, ""), (float("inf"), "NaN or infinity")],
)
def test_a_result_that_cannot_be_kept_is_a_failure_or_is_kept_as_what_it_is(given: Any, reason: str) -> None:
    stage = desk([uses("look"), "Well."], tools={"look": FakeTool(lambda **_given: given)})
    turn = stage.say("hi")
    failed = facts(turn, e.ToolFailed)
    assert bool(failed) is bool(reason)
    assert all(reason in one.reason for one in failed)
    assert stage.replay()


# 2.1: a tool as the work of a node ---------------------------------------------------------------


BOOKING = """
    flow: booking
    start: ask
    records: {order: {what: string, seats: integer, number: integer, state: string}}
    tools: {book: {about: book seats, kind: effect, args: {what: string, seats: {type: integer, min: 1, max: 9}} MORE}}
    nodes:
      ask: {say: What?, transitions: [{at: before, when: "has(order.seats)", to: book}]}
      book:
        tool: {name: book, with: {what: order.what, seats: order.seats + 1}, into: order}
        transitions: [WAYS {to: done}]
      done: {say: "Number {{ order.number }}."}
      sorry: {say: "Sorry: {{ error.message }}"}
"""


def booking(tool: Any, ways: str = "", more: str = "") -> Stage:
    return Stage(BOOKING.replace("WAYS", ways).replace("MORE", more), tools={"book": tool})


def order(stage: Stage, what: str = "opera", seats: int = 2) -> Any:
    from turnwise.core.state.commands import Set

    return stage.commands([Set(field="order.what", value=what), Set(field="order.seats", value=seats)])


@pytest.mark.law("2.1")
def test_a_tool_node_runs_its_tool_with_what_is_known_and_stores_the_result() -> None:
    stage = booking({"number": 7, "state": None, "odd": 1})
    stage.start()
    turn = order(stage)
    assert stage.tools["book"].calls == [{"what": "opera", "seats": 3}]
    assert turn.text == "Number 7."
    assert turn.state.values["order.number"].how == "tool"
    judged = [(one.node, one.moment) for one in facts(turn, e.Decided)]
    assert [moment for node, moment in judged if node == "book"] == ["before", "tool", "after"]
    assert not stage.model.calls
    assert isinstance(turn.state.status, Ended)


@pytest.mark.law("2.1", "2.9")
@pytest.mark.parametrize(
    ("result", "message"),
    [({"state": "x", "number": "many"}, "order.number: "), ("seven", "'book' gave no object"), ([1], "gave no object")],
)
def test_a_result_that_does_not_fit_is_a_write_that_failed_and_nothing_of_it_is_stored(
    result: Any, message: str
) -> None:
    stage = booking(result, '{at: error, when: error.kind == "write", to: sorry},')
    stage.start()
    turn = order(stage)
    assert turn.state.node == "sorry"
    assert message in turn.text
    assert not {"order.number", "order.state"} & turn.state.values.keys()


@pytest.mark.law("2.1")
def test_a_tool_node_has_done_its_work_once_in_a_visit() -> None:
    stage = booking({"number": 7}, '{when: message.text == "go", to: done}, {stay: true}, {when: "false", to: sorry},')
    stage.start()
    order(stage)
    for text in ("well?", "go"):
        turn = stage.say(text)
    assert turn.outcome == "done"
    assert len(stage.tools["book"].calls) == 1


@pytest.mark.law("3.9", "2.1")
def test_a_tool_node_whose_tool_fails_ends_the_turn_and_the_next_message_tries_again() -> None:
    plan = iter([FAILS, {"number": 7}])

    def book(**_given: Any) -> Any:
        found = next(plan)
        if isinstance(found, Exception):
            raise found
        return found

    stage = booking(FakeTool(book))
    stage.start()
    turn = order(stage)
    assert turn.state.status == Failed("tool", "OSError: gone")
    assert (turn.state.node, turn.state.values["order.seats"].value) == ("book", 2)
    assert stage.say("well?").text == "Number 7."
    assert len(set(stage.tools["book"].keys)) == 2


@pytest.mark.law("3.9")
def test_arguments_that_cannot_be_made_are_a_failure_and_nothing_is_called() -> None:
    stage = booking({}, '{at: error, when: error.kind == "tool" && error.tool == "book", to: sorry},')
    stage.start()
    turn = order(stage, seats=9)
    assert turn.state.node == "sorry"
    assert "seats" in turn.text
    assert not stage.tools["book"].calls


# 2.2: enter_when -----------------------------------------------------------------------------------


@pytest.mark.law("2.2")
def test_enter_when_is_judged_after_each_result_and_does_not_pull_back_for_ever() -> None:
    flow = DESK.replace("next: {prompt: Go on.,", 'next: {prompt: Go on., enter_when: tools.used("look"),')
    stage = desk([uses("look"), "In next.", "Back in talk.", uses("find"), "Still in talk."], flow=flow)
    assert stage.say("hi").state.node == "next"
    assert stage.say("back").state.node == "talk"
    turn = stage.say("more")
    assert (turn.state.node, turn.text) == ("talk", "Still in talk.")


# 6.9 -----------------------------------------------------------------------------------------------


@pytest.mark.law("6.9")
def test_an_undo_lists_the_effects_that_stay_and_they_stay_used() -> None:
    stage = desk(["Hello.", uses("look", "save", "find"), "Saved."])
    stage.say("hi")
    assert stage.say("save it").state.tools.counts == {"look": 1, "save": 1, "find": 1}
    turn = stage.undo()
    (undone,) = facts(turn, e.Undone)
    assert undone.kept == ("save",)
    assert turn.state.tools.counts == {"save": 1}
    assert [(use.tool, use.node) for use in turn.state.tools.last] == [("save", "talk")]
    assert stage.undo().state.tools.counts == {"save": 1}
    assert stage.tools["save"].calls == [{}]
    assert stage.replay()


# secrets -------------------------------------------------------------------------------------------


@pytest.mark.law("5.2", "3.6")
@pytest.mark.parametrize(
    "call",
    [
        made("write_user", set={"pin": "4321", "name": "Ann"}),
        made("write_user", data={"pin": "4321"}),
        made("write_user", pin="4321"),
        made("open", code="4321"),
    ],
)
def test_a_secret_that_a_model_gave_is_not_shown_to_it_again(call: CallMade) -> None:
    flow = DESK.replace("late: {", "open: {about: open, args: {code: {type: string, secret: true}}}\n      late: {")
    flow = flow.replace("allow: [look, find, save]", "allow: [open]").replace(
        "TALK", "writes: [user]\n        reads: [user]"
    )
    stage = Stage(flow, [uses(call), uses("read_user"), "Well.", "Bye."], {"open": "opened"})
    stage.say("hi")
    stage.say("bye")
    assert all("4321" not in str(request.transcript) for request in stage.model.calls)
    if call.tool == "open":
        assert stage.tools["open"].calls == [{"code": "4321"}]
