"""A flow as stored JSON: its format, what is refused, its fingerprint; and texts with holes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given

from strategies.flows import flows
from turnwise.errors import UnknownFormat
from turnwise.flow.codec import FORMAT, decode_flow, encode_flow, fingerprint
from turnwise.flow.diagnostic import FlowError, Span
from turnwise.flow.guard import GuardError
from turnwise.flow.guard.syntax import Name, Select
from turnwise.flow.model import Commands, Flow, Node
from turnwise.flow.template import TemplateExpression, parse_template

FLOW = Flow("f", "a", nodes=(Node("a", say="Hello."),))


@pytest.mark.law("1.4")
def test_a_format_that_is_not_known_is_refused_by_name() -> None:
    assert json.loads(encode_flow(FLOW))["format"] == FORMAT
    for text in ('{"flow": "f", "start": "a"}', '{"format": 2, "flow": "f"}', '{"format": "1"}'):
        with pytest.raises(UnknownFormat, match="reads 1"):
            decode_flow(text)


def test_a_stored_flow_that_is_wrong_says_everything() -> None:
    with pytest.raises(FlowError) as found:
        decode_flow('{"format": 1, "flow": "f f", "strat": "a"}')
    assert [d.code for d in found.value.diagnostics] == ["TW010", "TW013", "TW016"]


def test_the_fingerprint_changes_with_what_the_flow_says_and_not_with_its_place() -> None:
    assert fingerprint(FLOW) == fingerprint(replace(FLOW, span=Span("a.yaml", 3, 4)))
    others = [replace(FLOW, version=2), replace(FLOW, nodes=(Node("a", say="Hello!"),))]
    assert len({fingerprint(flow) for flow in (FLOW, *others)} | {fingerprint(FLOW, ("def f(): ...",))}) == 4


@given(flows())
def test_the_fingerprint_is_that_of_the_stored_flow(flow: Flow) -> None:
    assert fingerprint(decode_flow(encode_flow(flow))) == fingerprint(flow)


@pytest.mark.parametrize(
    "commands",
    [
        Commands(),
        Commands(("help",)),
        Commands(("help", "start"), ("a",)),
        Commands((), ("a",)),
        Commands(("start", "start"), ("a",)),
    ],
)
def test_commands_are_written_so_that_they_are_read_again(commands: Commands) -> None:
    flow = replace(FLOW, commands=commands)
    assert decode_flow(encode_flow(flow)) == flow


NAME = Select(Name("user"), "name")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("Hello.", ("Hello.",)),
        ("Hi {{ user.name }}!", ("Hi ", TemplateExpression(NAME, 5), "!")),
        ("{{user.name}}{{ user.name\n}}", (TemplateExpression(NAME, 2), TemplateExpression(NAME, 15))),
        ("}} and { and }", ("}} and { and }",)),
    ],
)
def test_a_text_with_holes_is_read_into_parts(text: str, parts: tuple[object, ...]) -> None:
    assert parse_template(text) == parts


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("Hi {{ user.name", "TW037", 3),
        ("{{}}", "TW030", 2),
        ("{{ a }} {{ b + }}", "TW030", 15),
        ("{{ a{b: 1} }}", "TW033", 4),
    ],
)
def test_what_is_wrong_in_a_hole_is_said_at_its_place_in_the_text(text: str, code: str, at: int) -> None:
    with pytest.raises(GuardError) as found:
        parse_template(text)
    assert (found.value.code, found.value.at) == (code, at)


def test_all_that_is_wrong_in_a_text_is_said() -> None:
    faults: list[GuardError] = []
    parts = parse_template("{{ a + }} {{ user.name, {{ b == }} and {{ user.name }}, {{ [ {{ ok", faults)
    assert [(one.code, one.at) for one in faults] == [
        ("TW030", 7),
        ("TW037", 10),
        ("TW030", 32),
        ("TW037", 56),
    ]
    assert [part for part in parts if isinstance(part, TemplateExpression)] == [TemplateExpression(NAME, 41)]
