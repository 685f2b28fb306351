"""Several flows that are served with one file of tools: each gets the tools that it declares."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.shell import run
from turnwise.cli.inputs import flow_of
from turnwise.cli.serve import opened_app, source_of
from turnwise.errors import TurnwiseError
from turnwise.stores.memory import MemoryStore

TOOLS = """
import turnwise as tw

@tw.tool
def look_up(order: str) -> str:
    "Looks an order up."
    return "on its way"
"""
ORDERS = """
flow: orders
start: talk
tools: {look_up: {about: Looks an order up., args: {order: string}}}
nodes: {talk: {prompt: Help., tools: [look_up]}}
"""
HOURS = "flow: hours\nstart: a\nnodes: {a: {say: We open at nine.}}\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    found = tuple(tmp_path / name for name in ("orders.flow.yaml", "hours.flow.yaml", "tools.py"))
    for path, text in zip(found, (ORDERS, HOURS, TOOLS), strict=True):
        path.write_text(text, "utf-8")
    return found  # type: ignore[return-value]


def test_a_flow_without_tools_is_served_beside_one_that_declares_them(files: tuple[Path, Path, Path]) -> None:
    orders, hours, tools = files
    store = MemoryStore()
    together = [flow_of(path) for path in (orders, hours)]
    for path, flow, names in zip((orders, hours), together, ({"look_up"}, set[str]()), strict=True):
        app = opened_app(flow, store, "", "", tools, together)
        assert set(app.machine.tools) == names
        found = source_of(path, tools, (orders, hours)).load().diagnostics
        assert [one.code for one in found if one.severity == "error"] == []


def test_flows_that_share_a_file_of_tools_are_checked_as_they_are_served(files: tuple[Path, Path, Path]) -> None:
    orders, hours, tools = files
    assert run("check", orders, hours, "--python", tools).code == 0
    alone = run("check", hours, "--python", tools)
    assert alone.code == 1
    assert "the flow declares no tool 'look_up'" in alone.out


def test_a_tool_that_no_served_flow_declares_is_reported(files: tuple[Path, Path, Path]) -> None:
    orders, hours, tools = files
    tools.write_text(TOOLS + TOOLS.replace("look_up", "look_down"), "utf-8")
    with pytest.raises(TurnwiseError, match="the flow declares no tool 'look_down'"):
        opened_app(flow_of(hours), MemoryStore(), "", "", tools, [flow_of(orders), flow_of(hours)])


def test_a_single_flow_is_still_told_of_a_tool_that_it_does_not_declare(files: tuple[Path, Path, Path]) -> None:
    _, hours, tools = files
    with pytest.raises(TurnwiseError, match="the flow declares no tool 'look_up'"):
        opened_app(flow_of(hours), MemoryStore(), "", "", tools)
