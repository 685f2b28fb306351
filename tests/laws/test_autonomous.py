"""Law 2.8: a flow that goes on by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.chats import OneChat, flow_of
from support.engines import local
from support.tools import Stage, facts, uses
from turnwise.api.chat import Chat
from turnwise.api.open import open as open_flow
from turnwise.core.state import Ended, Failed, Waiting
from turnwise.core.state import events as e
from turnwise.core.state.commands import Set
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import Planned, ScriptedModel
from turnwise.stores.memory import MemoryStore

LINE = """
    flow: line
    autonomous: true
    start: a
    records: {user: {n: {type: integer, default: 0}, name: string}}
    tools: {look: {about: look}, save: {about: save, kind: effect, confirm: true}}
    MORE
    nodes:
      a: {prompt: First., tools: {allow: [look, save]}, transitions: [A]}
      b: {prompt: Second., transitions: [B]}
      c: {prompt: Third., transitions: [C]}
      done: {say: Done.}
      ask: {form: {fields: [{field: user.name, ask: Who are you?}]}, transitions: [{to: done}]}
"""


def line(model: list[Planned], a: str = "{to: b}", b: str = "{to: c}", c: str = "{to: done}", more: str = "") -> Stage:
    flow = LINE
    for key, value in (("[A]", f"[{a}]"), ("[B]", f"[{b}]"), ("[C]", f"[{c}]"), ("MORE", more)):
        flow = flow.replace(key, value)
    return Stage(flow, model, {"look": "found", "save": "saved"})


@pytest.mark.law("2.8", "2.3")
def test_after_each_prompt_it_commits_and_goes_on_until_an_end() -> None:
    stage = line(["One.", "Two.", "Three."])
    turns = stage.run()
    assert [(turn.number, turn.text) for turn in turns] == [(1, "One."), (2, "Two."), (3, "Three."), (4, "Done.")]
    assert [type(turn.events[0]).__name__ for turn in turns] == ["Started", "Continued", "Continued", "Continued"]
    assert turns[0].state.status == Waiting("continuation", turns[0].state.at_ms)
    assert turns[-1].outcome == "done"
    assert stage.replay()
    assert stage.rerun().difference is None


@pytest.mark.law("2.8", "2.1")
def test_a_prompted_node_without_a_way_out_ends_after_its_work() -> None:
    assert line(["One."], a="").run()[-1].outcome == "a"


@pytest.mark.law("2.8", "2.6")
@pytest.mark.parametrize("way", ["{when: user.n > 3, to: b}", "{at: tool, to: b}"])
def test_one_whose_ways_out_all_fail_ends_the_run_as_stuck_with_the_trace(way: str) -> None:
    (turn,) = line(["One."], a=way).run()
    assert turn.state.status == Failed("stuck", "no way out of 'a' holds, and it waits for nothing")
    assert [decision.moment for decision in turn.decisions] == ["before", "after"]


@pytest.mark.law("2.8")
def test_it_waits_where_the_user_is_needed() -> None:
    stage = line(["One."], a="{to: ask}")
    turns = stage.run()
    assert (turns[-1].text, turns[-1].state.status.what) == ("Who are you?", "message")
    assert stage.commands([Set(field="user.name", value="Ann")]).outcome == "done"
    (turn,) = line([uses("save")]).run()
    assert turn.state.status.what == "button"
    (turn,) = line(["One."], a='{at: before, when: message.text == "on", to: b}').run()
    assert turn.state.status.what == "message"


@pytest.mark.law("2.8", "4.5")
def test_after_a_consent_it_goes_on() -> None:
    stage = line([uses("save"), "Saved.", "Two.", "Three."])
    (turn,) = stage.run()
    turn = stage.say("yes")
    assert turn.text == "Saved."
    assert stage.following(turn)[-1].outcome == "done"


@pytest.mark.law("2.8", "2.7")
def test_where_a_cascade_would_stop_it_goes_on_with_the_counts_anew() -> None:
    nodes = "\n".join(f"  n{i}: {{say: 'At {i}.', transitions: [{{to: n{i + 1}}}]}}" for i in range(11))
    stage = Stage(f"flow: chain\nautonomous: true\nstart: n0\nnodes:\n{nodes}\n  n11: {{say: End.}}")
    turns = stage.run()
    assert [len(facts(turn, e.Moved)) for turn in turns] == [4, 4, 3]
    assert [warned.code for turn in turns for warned in turn.warnings] == ["transition_cascade_limit"] * 2
    assert turns[-1].outcome == "n11"
    assert [said.text for turn in turns for said in turn.said] == [*(f"At {n}." for n in range(11)), "End."]


@pytest.mark.law("2.8", "3.6")
def test_the_calls_of_a_model_are_counted_anew_too() -> None:
    more = "limits: {model_calls: 2}"
    turns = line([uses("look"), "One.", "Two.", "Three."], more=more).run()
    assert turns[-1].outcome == "done"


@pytest.mark.law("2.8")
@pytest.mark.parametrize("limit", [3, 4, 10])
def test_a_run_has_so_many_moves_then_it_is_an_error(limit: int) -> None:
    back = "{to: a}"
    more = f"limits: {{run_moves: {limit}}}"
    stage = line(["Go."] * 50, b=back, more=more)
    turns = stage.run()
    assert turns[-1].state.status == Failed("limit", f"run_moves: {limit} moves in one run")
    assert sum(len(facts(turn, e.Moved)) for turn in turns) == limit
    caught = line(
        ["Go."] * 50, b=back, more=more + '\n    transitions: [{at: error, when: error.kind == "limit", to: done}]'
    )
    assert caught.run()[-1].outcome == "done"
    again = line(
        ["Go."] * 50, "{to: b}, {at: error, to: c}", "{to: a}, {at: error, to: c}", "{to: a}, {at: error, to: b}", more
    )
    turns = again.run()
    assert turns[-1].state.status == Failed("limit", f"run_moves: {limit} moves in one run")
    assert sum(len(facts(turn, e.Moved)) for turn in turns) == limit + 1


@pytest.mark.law("2.8")
def test_a_message_begins_a_run_anew() -> None:
    stage = line(["Go."] * 50, b="{to: a}", more="limits: {run_moves: 3}")
    stage.run()
    turn = stage.say("go on")
    assert turn.state.run_moves == 1
    assert len([one for one in stage.following(turn) if facts(one, e.Moved)]) == 3


@pytest.mark.law("2.8", "3.9")
def test_a_model_that_fails_ends_the_run_and_a_message_takes_it_up() -> None:
    stage = line(["One.", ProviderFailed("gone"), "Two.", "Three."])
    turns = stage.run()
    assert (len(turns), turns[-1].state.status) == (2, Failed("model", "gone"))
    turn = stage.say("try again")
    assert stage.following(turn)[-1].outcome == "done"


@pytest.mark.law("2.8")
def test_a_run_that_has_begun_gives_only_the_turns_that_come() -> None:
    stage = line([uses("save"), "One.", "Two.", "Three."])
    assert [turn.number for turn in stage.run()] == [1]
    assert stage.run() == ()
    turn = stage.say("yes")
    assert [turn.number for turn in stage.following(turn)] == [2, 3, 4, 5]
    assert stage.run() == ()


# choices ---------------------------------------------------------------------------------------------


@pytest.mark.law("2.14", "2.8")
def test_one_that_has_only_choices_is_asked_once_more_then_it_is_stuck() -> None:
    ways = "{at: choice, to: b}, {at: choice, when: user.n > 3, to: c}"
    stage = line(["Hm.", uses("go_to_b"), "Two.", "Three."], a=ways)
    assert stage.run()[-1].outcome == "done"
    assert stage.model.calls[0].notes == ()
    assert stage.model.calls[1].notes == ("Your work here is done. Go on by calling one of: go_to_b.",)
    stage = line(["Hm.", "Hm, hm."], a=ways)
    (turn,) = stage.run()
    assert isinstance(turn.state.status, Failed)
    assert (turn.state.status.reason, len(stage.model.calls)) == ("stuck", 2)


@pytest.mark.law("2.14", "2.8")
def test_it_is_not_asked_to_choose_where_no_way_is_open() -> None:
    stage = line(["Hm."], a="{at: choice, when: user.n > 3, to: b}")
    (turn,) = stage.run()
    assert isinstance(turn.state.status, Failed)
    assert len(stage.model.calls) == 1


@pytest.mark.law("2.14", "2.8")
def test_each_node_is_asked_once_more() -> None:
    stage = line(
        ["Hm.", uses("look"), "Hm.", uses("go_to_c"), "Three."],
        a='{at: choice, to: c}, {at: tool, when: tools.used("look"), to: b}',
        b="{at: choice, to: c}",
    )
    assert stage.run()[-1].outcome == "done"


@pytest.mark.law("2.8", "2.14")
def test_a_choice_ends_the_turn_as_any_other_way_behind_a_prompt() -> None:
    turns = line([uses("go_to_b", say="So."), "Two.", "Three."], a="{at: choice, to: b}").run()
    assert [turn.text for turn in turns] == ["So.", "Two.", "Three.", "Done."]


# who drives it -----------------------------------------------------------------------------------------


@pytest.mark.law("2.8", "3.1")
def test_nobody_goes_on_with_what_does_not_go_on() -> None:
    stage = line(["One."], a="")
    stage.run()
    for conversation in ("main", "other"):
        done = asyncio.run(stage.chat.runtime.engine.submit(conversation, e.Continued()))
        assert done.code in ("conversation_ended", "unknown_conversation")


@pytest.mark.law("2.8", "3.8")
def test_a_run_whose_process_ended_is_taken_up_when_its_time_has_come() -> None:
    store = MemoryStore()

    async def scenario() -> Any:
        stage = line([], more="")
        machine = stage.chat.machine
        model = ScriptedModel(["One.", "Two.", "Three."])
        chat = OneChat(machine, store=store, model=model, clock=stage.clock)
        local(chat)._runs.begin = lambda _conversation: None
        first = await chat.start()
        assert first.state.status.what == "continuation"
        other = OneChat(machine, store=store, model=model, clock=stage.clock)
        assert await other.app.tick() == 0
        stage.clock.move_s(3600)
        assert await other.app.tick() == 1
        await other.runtime.engine.wait("main")
        return await other.state()

    assert asyncio.run(scenario()).status == Ended("done")


@pytest.mark.law("2.8")
def test_a_run_that_cannot_be_driven_is_left_and_not_waited_for() -> None:
    async def scenario() -> Any:
        stage = line(["One.", "Two.", "Three."])
        chat = OneChat(stage.chat.machine, model=stage.model)
        local(chat)._runs.begin = lambda _conversation: None
        await chat.start()
        del local(chat)._runs.begin
        await chat.app.drain()
        await asyncio.wait_for(chat.runtime.engine.wait("main"), 60)
        return await Chat(chat.runtime, "main").state()

    assert asyncio.run(scenario()).status.what == "continuation"


@pytest.mark.law("2.8")
def test_a_message_that_comes_in_between_is_heard_by_the_node_in_charge() -> None:
    async def scenario() -> list[str]:
        flow = flow_of(
            LINE.replace("[A]", "[{to: b}]").replace("[B]", "[{to: c}]").replace("[C]", "[]").replace("MORE", "")
        )
        chat = open_flow(flow, model=ScriptedModel(["One.", "Two.", "Three.", "Four."])).chat("main")
        first = await chat.start()
        turn = await Chat(chat.runtime, "main").say("wait")
        rest = await chat.following(first)
        assert turn.refused is None
        return [one.outcome for one in rest]

    assert asyncio.run(scenario())[-1] == "c"
