"""Failures after the last move of a turn (law 2.7): they are caught, and the work that failed is not tried again."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from turnwise.core.state.events import Warned


def _run(text: str, replies: list[Any]) -> tuple[tuple[tw.Turn, ...], tw.ScriptedModel]:
    model = tw.ScriptedModel(replies)
    with tw.open_sync(tw.loads(text, format="dygram"), model=model) as app:
        return app.chat("main").run(), model


@pytest.mark.law("2.7")
@pytest.mark.parametrize("states", [1, 3, 4, 5, 8])
def test_a_failure_is_caught_after_any_number_of_moves(states: int) -> None:
    names = [f"s{number}" for number in range(states)]
    text = "".join(f"state {name};\n" for name in names) + "task work { prompt: 'Work.'; }\nstate rescue; state fine;\n"
    text += " -> ".join([*names, "work"]) + ";\nwork -catch-> rescue;\nwork -> fine;\n"
    turns, model = _run(text, [tw.call("no_such_tool"), "A second try.", "A third."])
    assert (turns[-1].status, turns[-1].outcome) == ("ended", "rescue")
    assert [call.node for call in model.calls] == ["work"]


@pytest.mark.law("2.7")
def test_where_no_move_is_left_to_catch_a_failure_the_run_fails() -> None:
    text = """
    state a; state b; state c; task work { prompt: "Work."; }
    a -> b -> c -> work;
    work -catch-> b;
    """
    turns, model = _run(text, [tw.call("no_such_tool"), "A second try."])
    assert turns[-1].status == "failed"
    assert [call.node for call in model.calls] == ["work"]
    warned = [one.message for one in turns[-1].events if isinstance(one, Warned)]
    assert any("b was entered before in this turn" in one for one in warned)
