"""Tables by type stand in the place of `match` where each turn passes: each has a row for every member of its union."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import pytest

from turnwise.core import step
from turnwise.core.guards.compile import Compiler
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect
from turnwise.core.state.fold import CHANGES, effects
from turnwise.flow.guard.syntax import Expression

BEGIN_ELSEWHERE = {e.CallsDecided, e.TakenOver, e.OperatorSaid, e.GivenBack}
"""Events that need a person; `approving` and `person` begin their turns."""

TABLES: dict[str, tuple[Mapping[Any, Any], set[Any]]] = {
    "changes of events": (CHANGES, {*get_args(e.AnyEvent)} - {e.Started}),
    "requests of effects": (effects._ASKED, {*get_args(AnyEffect)}),
    "results of effects": (step._RESULTS_OF, {*get_args(AnyEffect)}),
    "uses of results": (step._USES, {*get_args(e.ResultEvent)}),
    "beginnings of turns": (step._BEGINNINGS, {*get_args(e.OutsideEvent)} - BEGIN_ELSEWHERE),
    "terms of guards": (Compiler._terms, {*get_args(Expression)}),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_a_row_for_each_member_of_its_union(name: str) -> None:
    table, members = TABLES[name]
    assert set(table) == members


def test_each_result_belongs_to_one_effect() -> None:
    named = [result for results in step._RESULTS_OF.values() for result in results]
    assert sorted(named, key=str) == sorted(get_args(e.ResultEvent), key=str)
