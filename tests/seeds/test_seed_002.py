"""Seed 002, as far as it needs neither its language nor a model with tools: work first, reasons, errors caught."""

from __future__ import annotations

import asyncio

import pytest

from support.talks import candidate, node_of, outcomes, read, sets, talk
from turnwise.core.commands import Set
from turnwise.core.events import Faulted, ModelReplied, Moved, Said
from turnwise.errors import ProviderFailed
from turnwise.open import open as open_flow
from turnwise.providers.scripted import ScriptedModel, ScriptedUnderstanding

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
    with open_flow(read(flow), understand=ScriptedUnderstanding(), model=model).blocking as chat:
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
    with talk(CONFIG) as chat:
        chat.start()
        turn = chat.commands([] if value is None else [Set(field="config.result", value=value)])
    assert (turn.outcome == "complete") is moves
    assert outcomes(turn.decisions[1])["done"] == ("taken" if moves else "false")


@pytest.mark.requirement("002-17")
@pytest.mark.parametrize(("value", "moves"), [(None, False), (False, False), (True, True)])
def test_a_bare_field_that_is_true_or_false_is_its_value(value: bool | None, moves: bool) -> None:
    with talk(CONFIG.replace("when: config.result", "when: config.done")) as chat:
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
    with open_flow(read(THROUGH), model=model).blocking as chat:
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
    chat = open_flow(read(CONFIG), understand=ScriptedUnderstanding(), model=ScriptedModel(["…"] * 9))

    async def both() -> tuple[dict[str, object], dict[str, object]]:
        await chat.commands([Set(field="config.done", value=True)], "one")
        await chat.commands([Set(field="config.result", value="two")], "two")
        found = [(await chat.state(name)).values for name in ("one", "two")]
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
    with talk(flow, replies=[down, down, "sorry"]) as chat:
        first = chat.start()
        assert first.state is not None
        assert (first.state.errors, node_of(first)) == (1, "risky")
        decided = next(d for d in first.decisions if d.moment == "error")
        assert outcomes(decided) == {"caught": "false"}
        second = chat.say("again")
    assert second.state is not None
    assert (second.state.errors, node_of(second)) == (2, "failed")


@pytest.mark.requirement("002-30", "002-31")
@pytest.mark.law("3.9")
def test_a_caught_error_moves_records_that_it_was_caught_and_the_handler_answers_in_the_same_turn() -> None:
    with talk(RISKY.replace("WHEN ", ""), replies=[ProviderFailed("no answer"), "It did not work."]) as chat:
        turn = chat.start()
    (moved,) = [event for event in turn.events if isinstance(event, Moved)]
    assert (moved.source, moved.target, moved.transition) == ("risky", "failed", "caught")
    assert moved.because == "error caught: model"
    assert [event.fault.kind for event in turn.events if isinstance(event, Faulted)] == ["model"]
    assert [event.text for event in turn.events if isinstance(event, Said)] == ["It did not work."]
    assert node_of(turn) == "failed"


@pytest.mark.law("2.2")
def test_a_way_out_for_errors_is_taken_for_no_other_reason() -> None:
    with talk(RISKY.replace("WHEN ", "")) as chat:
        chat.start()
        turn = chat.commands(sets(user__name="Ada"))
        assert node_of(turn) == "risky"
        assert all("caught" not in outcomes(decision) for decision in turn.decisions)
