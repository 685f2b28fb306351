"""Flows from mappings and from text: programs that make flows need no files."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import turnwise as tw
from turnwise.flow.diagnostic import FlowError

FLOW: dict[str, Any] = {
    "flow": "f",
    "start": "a",
    "records": {"r": {"born": {"type": "date", "min": date(1900, 1, 1)}}},
    "nodes": {"a": {"say": "Hello.", "end": "done"}},
}
WRONG = """
flow: f
start: nowhere
version: none
nodes:
  a: {say: Hello., colour: red, transitions: [{to: b}, {when: user.age > 3, to: a}]}
  c: {say: C., tools: {allow: [think]}}
"""


@pytest.mark.parametrize("flow", [FLOW, MappingProxyType(FLOW)])
def test_a_mapping_is_a_flow(flow: Any) -> None:
    with tw.open_sync(flow) as app:
        chat = app.chat("42")
        assert chat.start().text == "Hello."
    assert tw.load(flow).records[0].fields[0].min == "1900-01-01"
    assert tw.check(flow) == tw.check(tw.load(flow))
    assert "Hello." in tw.draw(flow)


@pytest.mark.parametrize(
    "text",
    [
        "flow: f\nstart: a\nnodes: {a: {say: Hello., end: done}}",
        b'{"flow": "f", "start": "a", "nodes": {"a": {"say": "Hello.", "end": "done"}}}',
    ],
)
def test_a_text_is_a_flow(text: Any) -> None:
    with tw.open_sync(tw.loads(text)) as app:
        chat = app.chat("42")
        assert chat.start().text == "Hello."


@pytest.mark.parametrize("form", ["path", "mapping"])
def test_open_reports_every_problem_at_once_as_check_does(form: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.flow.yaml"
    path.write_text(WRONG, "utf-8")
    flow: Any = path
    if form == "mapping":
        a = {"say": "Hello.", "colour": "red", "transitions": [{"to": "b"}, {"when": "user.age > 3", "to": "a"}]}
        c = {"say": "C.", "tools": {"allow": ["think"]}}
        flow = {"flow": "f", "start": "nowhere", "version": "none", "nodes": {"a": a, "c": c}}
    told = tw.check(flow)
    with pytest.raises(FlowError) as failed:
        tw.open(flow)
    assert list(failed.value.diagnostics) == told
    assert {"TW010", "TW011", "TW012", "TW018", "TW021", "TW031"} <= {one.code for one in told}


def test_a_problem_of_a_text_is_told_with_its_name_and_line() -> None:
    with pytest.raises(FlowError, match=r"made\.yaml:4"):
        tw.loads(WRONG, "made.yaml")


@pytest.mark.parametrize("wrong", [{"flow": object()}, {"flow": float("nan")}, 3, None])
def test_what_is_no_flow_is_refused(wrong: Any) -> None:
    for call in (tw.open, tw.load, tw.check):
        with pytest.raises(tw.WrongArgument, match=r"mapping"):
            call(wrong)
