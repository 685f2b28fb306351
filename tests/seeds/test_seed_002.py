"""Seed 002, as far as it does not need its language: work first, reasons, errors caught. More of it stands in the scenarios
`seed-002-….scenario` and in those of the example `context_machine`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from support.chats import candidate, flow_of, node_of, outcomes_of, scripted_chat, sets
from support.tools import FakeTool, Stage, facts, uses
from turnwise.api.chat import Chat
from turnwise.api.open import open as open_flow
from turnwise.api.open import open_sync
from turnwise.core.state.commands import Set
from turnwise.core.state.events import Faulted, ModelReplied, Moved, Said
from turnwise.errors import ProviderFailed
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding

CONFIG = """
flow: config
start: begin
records: {config: {result: {type: string}, done: {type: boolean, default: false}}}
nodes:
  begin:
    prompt: Set the result.
    collect: [config]
    transitions: [{id: done, at: after, when: config.result, because: there is a result, to: complete}]
  complete: {say: Complete., end: complete}
"""


@pytest.mark.requirement("002-14")
@pytest.mark.law("2.3")
def test_work_comes_before_a_way_out_that_already_holds() -> None:
    flow = CONFIG.replace("result: {type: string}", "result: {type: string, default: x}")
    model = ScriptedModel(["working"])
    with open_sync(flow_of(flow), understand=ScriptedUnderstanding(), model=model) as app:
        chat = app.chat("main")
        turn = chat.start()
    assert [request.node for request in model.calls] == ["begin"]
    kinds = [type(event) for event in turn.events if isinstance(event, ModelReplied | Moved)]
    assert kinds == [ModelReplied, Moved]
    assert turn.text == "working\n\nComplete."
    assert turn.outcome == "complete"


@pytest.mark.requirement("002-17")
@pytest.mark.law("1.3")
@pytest.mark.parametrize(("value", "moves"), [("", False), ("   ", False), (None, False), ("done", True)])
def test_a_bare_field_is_a_guard(value: str | None, moves: bool) -> None:
    with scripted_chat(CONFIG) as chat:
        chat.start()
        turn = chat.commands([] if value is None else [Set(field="config.result", value=value)])
    assert (turn.outcome == "complete") is moves
    assert outcomes_of(turn.decisions[1])["done"] == ("taken" if moves else "false")


@pytest.mark.requirement("002-17")
@pytest.mark.parametrize(("value", "moves"), [(None, False), (False, False), (True, True)])
def test_a_bare_field_that_is_true_or_false_is_its_value(value: bool | None, moves: bool) -> None:
    with scripted_chat(CONFIG.replace("when: config.result", "when: config.done")) as chat:
        chat.start()
        turn = chat.commands([] if value is None else [Set(field="config.done", value=value)])
    assert (turn.outcome == "complete") is moves


THROUGH = """
flow: through
start: begin
records: {user: {vip: {type: boolean, default: true}}}
nodes:
  begin: {transitions: [{id: vip, at: after, when: user.vip, because: a good customer, to: lounge}, {at: after, to: hall}]}
  lounge: {transitions: [{at: after, to: desk}]}
  hall: {prompt: The hall.}
  desk: {prompt: The desk.}
"""


@pytest.mark.requirement("002-21", "002-22")
@pytest.mark.law("2.1", "2.6")
def test_nodes_without_work_are_passed_at_once_and_the_reason_is_recorded() -> None:
    model = ScriptedModel(["at the desk"])
    with open_sync(flow_of(THROUGH), model=model) as app:
        chat = app.chat("main")
        turn = chat.start()
    assert node_of(turn) == "desk"
    assert [request.node for request in model.calls] == ["desk"]
    moves = [(e.source, e.target, e.because) for e in turn.events if isinstance(e, Moved)]
    assert moves == [("begin", "lounge", "a good customer"), ("lounge", "desk", "")]
    decided = next(d for d in turn.decisions if d.taken == "vip")
    told = candidate(decided, "vip")
    assert (told.outcome, told.because) == ("taken", "a good customer")
    assert str(told.verdict).startswith(
        "Leaf(text='user.vip', verdict='held', operands=(Operand(name='user.vip', value=True"
    )


@pytest.mark.requirement("002-12")
@pytest.mark.law("1.2")
def test_values_belong_to_the_conversation_not_to_the_machine() -> None:
    chat = open_flow(flow_of(CONFIG), understand=ScriptedUnderstanding(), model=ScriptedModel(["…"] * 9)).chat("main")

    async def both() -> tuple[dict[str, object], dict[str, object]]:
        await Chat(chat.runtime, "one").commands([Set(field="config.done", value=True)])
        await Chat(chat.runtime, "two").commands([Set(field="config.result", value="two")])
        found = [(await Chat(chat.runtime, name).state()).values for name in ("one", "two")]
        return tuple({k: v.value for k, v in values.items()} for values in found)  # type: ignore[return-value]

    assert asyncio.run(both()) == ({"config.done": True}, {"config.result": "two"})


RISKY = """
flow: risky
start: risky
records: {user: {name: string}}
nodes:
  risky:
    prompt: Try it.
    transitions:
      - {id: caught, at: error, WHEN to: failed}
  failed: {prompt: Say that it failed.}
"""


@pytest.mark.requirement("002-27")
@pytest.mark.law("3.9", "2.11")
def test_failures_are_counted_and_a_guard_may_ask_for_the_count() -> None:
    flow = RISKY.replace("WHEN", "when: errors >= 2,")
    down = ProviderFailed("no answer")
    with scripted_chat(flow, replies=[down, down, "sorry"]) as chat:
        first = chat.start()
        assert first.state is not None
        assert (first.state.errors, node_of(first)) == (1, "risky")
        decided = next(d for d in first.decisions if d.moment == "error")
        assert outcomes_of(decided) == {"caught": "false"}
        second = chat.say("again")
    assert second.state is not None
    assert (second.state.errors, node_of(second)) == (2, "failed")


@pytest.mark.requirement("002-30", "002-31")
@pytest.mark.law("3.9")
def test_a_caught_error_moves_records_that_it_was_caught_and_the_handler_answers_in_the_same_turn() -> None:
    with scripted_chat(RISKY.replace("WHEN ", ""), replies=[ProviderFailed("no answer"), "It did not work."]) as chat:
        turn = chat.start()
    (moved,) = [event for event in turn.events if isinstance(event, Moved)]
    assert (moved.source, moved.target, moved.transition) == ("risky", "failed", "caught")
    assert moved.because == "error caught: model"
    assert [event.fault.kind for event in turn.events if isinstance(event, Faulted)] == ["model"]
    assert [event.text for event in turn.events if isinstance(event, Said)] == ["It did not work."]
    assert node_of(turn) == "failed"


@pytest.mark.law("2.2")
def test_a_way_out_for_errors_is_taken_for_no_other_reason() -> None:
    with scripted_chat(RISKY.replace("WHEN ", "")) as chat:
        chat.start()
        turn = chat.commands(sets(user__name="Ada"))
        assert node_of(turn) == "risky"
        assert all("caught" not in outcomes_of(decision) for decision in turn.decisions)


# with a model that calls tools -------------------------------------------------------------------

CAUGHT = """
flow: caught
start: risky
tools: {lookup: {about: look something up}, other: {about: something else}}
nodes:
  risky: {prompt: Look it up., tools: {allow: [lookup]}, transitions: [{id: caught, at: error, to: failed}]}
  failed: {prompt: Say that it failed.}
"""


def fails(**_given: Any) -> None:
    raise OSError("the line is dead")


@pytest.mark.requirement("002-28", "002-25")
@pytest.mark.law("3.9")
@pytest.mark.parametrize(
    ("called", "kind", "reason", "uses_of_lookup"),
    [
        ("lookup", "tool", "OSError: the line is dead", 1),
        ("lokup", "refused", "there is no tool 'lokup'; available are: lookup. Did you mean 'lookup'?", 0),
        ("other", "refused", "'other' is not allowed here; available are: lookup", 0),
    ],
)
def test_what_a_tool_fails_with_is_caught_counted_and_told_as_the_reason_of_the_move(
    called: str, kind: str, reason: str, uses_of_lookup: int
) -> None:
    stage = Stage(CAUGHT, [uses(called, "lookup"), "It failed."], {"lookup": FakeTool(fails), "other": "never"})
    turn = stage.say("beds?")
    (moved,) = facts(turn, Moved)
    assert (moved.source, moved.target, moved.because) == ("risky", "failed", f"error caught: {kind} in {called}")
    first = facts(turn, Faulted)[0].fault
    assert (first.kind, first.message) == (kind, reason)
    assert len(stage.tools["lookup"].calls) == uses_of_lookup
    assert not stage.tools["other"].calls
    assert (turn.state.node, turn.text) == ("failed", "It failed.")
    assert stage.replay()


def test_a_conversation_goes_on_after_any_failure_and_its_transcript_is_whole() -> None:
    replies = [uses("lookup"), uses("lokup"), uses("other"), "Nothing works.", "Still here."]
    flow = CAUGHT.replace(", transitions: [{id: caught, at: error, to: failed}]", "")
    stage = Stage(flow, replies, {"lookup": FakeTool(fails), "other": "never"})
    assert stage.say("beds?").text == "Nothing works."
    assert stage.say("hello?").text == "Still here."
    told = [message for message in stage.transcript() if message.role == "tool"]
    assert [(message.tool, message.is_error) for message in told] == [
        ("lookup", True),
        ("lokup", True),
        ("other", True),
    ]
    assert stage.state().errors == 3


@pytest.mark.requirement("002-14")
@pytest.mark.law("2.3", "2.8")
@pytest.mark.parametrize("times", [1, 2, 8])
def test_a_chain_of_prompts_gives_each_prompt_once(times: int) -> None:
    names = [f"n{number}" for number in range(times)]
    nodes = "".join(
        f"  {name}: {{prompt: Task {name}., transitions: [{{when: config.go, to: {after}}}]}}\n"
        for name, after in zip(names, [*names[1:], "over"], strict=True)
    )
    head = "flow: chain\nautonomous: true\nstart: n0\nrecords: {config: {go: {type: boolean, default: true}}}\nnodes:\n"
    stage = Stage(f"{head}{nodes}  over: {{end: over}}\n", ["Done."] * times)
    turns = stage.run()
    assert [request.instructions for request in stage.model.calls] == [(f"Task {name}.",) for name in names]
    assert turns[-1].outcome == "over"
