"""Canonical YAML: pleasant to read, and read the same by every reader."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from ruamel.yaml import YAML

from strategies.flows import flows
from strategies.texts import texts
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import WIDTH, write_yaml
from turnwise.flow.codec import write_flow
from turnwise.flow.model import (
    Field,
    Flow,
    Form,
    FormField,
    Limits,
    Node,
    Option,
    Record,
    Stop,
    Tool,
    Transition,
)

FLOW = Flow(
    "visit",
    "greet",
    title="A visit",
    prompt="Help the visitor.\nBe brief.\n",
    texts={"wait": "No hurry.", "affirm": ["yes", "sure"]},
    limits=Limits(moves=6),
    records=(
        Record("person", (Field("name"), Field("age", "integer", min=0), Field("since", "date", min="1900-01-01"))),
        Record("empty"),
    ),
    tools=(Tool("search", about="find things", args=(Field("text"),), timeout_s=90.0),),
    nodes=(
        Node("greet", say='Welcome, {{ has(person.name) ? person.name : "friend" }}!', once="ask"),
        Node(
            "ask",
            form=Form(
                (
                    FormField("person.name", "Who are you?", options=(Option("No"), Option("x", ("y", "ex")))),
                    FormField("person.age", "How old are you, please?", stop=Stop(("0",), "That is\nyoung."), required=False),
                )
            ),
            transitions=(
                Transition("done", when='form.status == "confirmed"', to="bye", set={"person.age": 1.5}),
                Transition("rest", at="timer", delay_s=5400.0, because="it takes so long that nobody can be expected to wait", to="bye"),
            ),
        ),
        Node("bye", say="Bye: see you # soon", end="12:30"),
    ),
)  # fmt: skip

TEXT = """\
flow: visit
title: A visit
start: greet
texts: {wait: No hurry., affirm: ["yes", sure]}
prompt: |
  Help the visitor.
  Be brief.
limits: {moves: 6}

records:
  person: {name: {}, age: {type: integer, min: 0}, since: {type: date, min: "1900-01-01"}}
  empty: {}

tools:
  search: {about: find things, args: {text: {}}, timeout: 1m30s}

nodes:
  greet: {say: 'Welcome, {{ has(person.name) ? person.name : "friend" }}!', once: ask}
  ask:
    form:
      fields:
        - field: person.name
          ask: Who are you?
          options: ["No", {x: ["y", ex]}]
        - field: person.age
          ask: How old are you, please?
          required: false
          stop:
            values: ["0"]
            say: |-
              That is
              young.
    transitions:
      - {id: done, when: form.status == "confirmed", set: {person.age: 1.5}, to: bye}
      - id: rest
        at: timer
        because: it takes so long that nobody can be expected to wait
        in: 1h30m
        to: bye
  bye: {say: "Bye: see you # soon", end: "12:30"}
"""


def test_a_flow_is_written_like_this() -> None:
    assert write_yaml(FLOW) == TEXT
    assert read_document(TEXT, "a.yaml") == (FLOW, [])


WRITTEN: list[tuple[str, str]] = [
    ("Hello, you.", "Hello, you."), ("", '""'), ("yes", '"yes"'), ("No", '"No"'), ("on", '"on"'), ("n", '"n"'), ("~", '"~"'),
    ("null", '"null"'), ("true", '"true"'), ("12", '"12"'), ("012", '"012"'), ("1_000", '"1_000"'), ("1.5", '"1.5"'),
    ("-1", '"-1"'), ("0x1f", '"0x1f"'), ("1e3", '"1e3"'), (".inf", '".inf"'), ("12:30", '"12:30"'), ("<<", '"<<"'),
    ("2026-11-20", '"2026-11-20"'), ("3 groups", "3 groups"), ("1h30m", "1h30m"), ("a: b", '"a: b"'), ("a:b", "a:b"),
    ("a #b", '"a #b"'), ("a#b", "a#b"), ("- a", '"- a"'), ("[a]", '"[a]"'), ("{{ a.b }}", '"{{ a.b }}"'), ("a {{ b }}", "a {{ b }}"),
    ("*", '"*"'), ("!has(a)", '"!has(a)"'), ("it's", "it's"), ('"hi"', "'\"hi\"'"), ('a == "b"', 'a == "b"'), ("'a'", '"\'a\'"'),
    ("a ", '"a "'), (" a", '" a"'), ("a\tb", '"a\\tb"'), ("C:\\new", "C:\\new"), ("\\", "\\"), ("a\u2028b", '"a\\u2028b"'),
    ("a\x00", '"a\\x00"'), ("\ufeff", '"\\ufeff"'), ("😀", "😀"), ("\U000e0001", '"\\U000e0001"'), ("\n", '"\\n"'), ("a\n\n", '"a\\n\\n"'),
    (" a\nb", '" a\\nb"'), ("a\n \nb", '"a\\n \\nb"'), ("a\r\nb", '"a\\r\\nb"'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written"), WRITTEN, ids=[ascii(text) for text, _ in WRITTEN])
def test_a_text_is_quoted_where_some_reader_would_misread_it(text: str, written: str) -> None:
    yaml = write_yaml(Flow("f", "a", title="T", fallback=text))
    expected = "" if not text else f"fallback: {written}\n"
    assert yaml == f"flow: f\ntitle: T\nstart: a\n{expected}"


def test_a_text_of_several_lines_is_a_block() -> None:
    assert "fallback: |-\n  a\n\n    b # c\n" in write_yaml(Flow("f", "a", fallback="a\n\n  b # c"))
    assert "fallback: |\n  - a\n" in write_yaml(Flow("f", "a", fallback="- a\n  b\n"))


def _loaded(text: str, version: tuple[int, int]) -> Any:
    yaml = YAML(typ="safe", pure=True)
    yaml.version = version  # type: ignore[assignment]
    return yaml.load(text)


@given(flows())
def test_every_reader_reads_the_same(flow: Flow) -> None:
    text, document = write_yaml(flow), write_flow(flow)
    assert _loaded(text, (1, 2)) == document
    assert _loaded(text, (1, 1)) == document


@given(texts, texts)
def test_keys_are_safe_too(key: str, value: str) -> None:
    flow = Flow("f", "a", texts={key: value})
    for version in ((1, 1), (1, 2)):
        assert _loaded(write_yaml(flow), version)["texts"] == {key: value}


@given(flows())
def test_lines_of_several_values_are_not_wide(flow: Flow) -> None:
    for line in write_yaml(flow).splitlines():
        if line.endswith("}") and ": {" in line:
            assert len(line) <= WIDTH or '"' in line or "'" in line
