"""Random flows whose parts fit together are the same after they are written in DyGram, formatted and read."""

from __future__ import annotations

import os
from collections import Counter

import pytest

import turnwise as tw
from support.dygram_flows import random_flow
from turnwise.authoring.document import read_alone
from turnwise.authoring.dygram.formatter import format_document
from turnwise.authoring.dygram.statements import parse
from turnwise.authoring.formats import WRITABLE_FORMATS
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Flow

SEEDS = range(5000 if os.environ.get("TURNWISE_SOAK") == "1" else 150)
CHUNK = 50


def written(flow: Flow) -> str:
    """The flow as a DyGram document."""
    write = WRITABLE_FORMATS["dygram"].write
    assert write is not None
    return write(flow)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_a_random_flow_is_read_as_the_same(first: int) -> None:
    for seed in range(first, first + CHUNK):
        flow = random_flow(seed)
        text = written(flow)
        read, found = read_alone(text, "flow.dy")
        assert not has_errors(found), (seed, text, found)
        assert read == flow, (seed, text)
        once = format_document(parse(text).document)
        assert format_document(parse(once).document) == once, (seed, text)
        assert read_alone(once, "flow.dy").flow == flow, (seed, once)
        if seed % 10 == 0:  # to read YAML takes most of the time
            again = read_alone(write_yaml(read), "flow.yaml").flow
            assert again == flow, (seed, text)
            assert written(again) == text, (seed, text)


def test_the_flows_have_what_dygram_has_a_notation_for() -> None:
    texts = [written(random_flow(seed)) for seed in range(150)]
    signs = (
        "-when: ",
        "-catch",
        "-reads->",
        "-writes->",
        " -> ",
        "@name(",
        "@start",
        "tool ",
        "context ",
        "transitions: ",
    )
    seen = Counter(sign for text in texts for sign in signs if sign in text)
    assert all(seen[sign] >= 15 for sign in signs), seen


def test_an_edge_of_a_node_to_itself_is_a_transition() -> None:
    text = (
        'task a { prompt: "A."; } state m { state b; state c; } a -when: "turns < 3"-> a; a -catch-> a; a -> m; m -> b;'
    )
    flow = read_alone(text, "flow.dy").flow
    ways = {node.name: [(way.at, way.to) for way in node.transitions] for node in flow.nodes}
    assert ways["a"] == [("after", "a"), ("error", "a"), ("after", "m")]
    assert ways["m.b"] == []


def test_words_of_the_language_may_be_names_of_fields_records_and_items() -> None:
    text = """
    context order { "from"<Date>; "import": 3; lines<List<part>>; }
    type part { "as"<string>; }
    task a { prompt: "A."; }
    a -reads: "from"-> order;
    """
    flow = read_alone(text, "flow.dy").flow
    assert [field.name for field in flow.records[1].fields] == ["from", "import", "lines"]
    assert flow.nodes[0].reads == ("order.from",)
    data = {"machine": {"as": {"type": "string"}}, "email": {"x": {"type": "string"}}}
    lists = {f"l{number}": {"type": "list", "of": of} for number, of in enumerate(data)}
    whole = tw.load({"flow": "f", "start": "a", "records": {**data, "r": lists}, "nodes": {"a": {"end": "x"}}})
    assert read_alone(written(whole), "flow.dy").flow == whole


def test_nodes_with_paths_are_written_in_braces_where_nothing_around_them_changes_them() -> None:
    text = """
    machine "Desks";
    task intake.step "Takes it in" { prompt: "Take it in."; }
    state desk "The desk" { state wait; task pack { prompt: "Pack."; } }
    intake.step -> desk;
    desk.pack -> desk.wait;
    """
    flow = read_alone(text, "flow.dy").flow
    again = written(flow)
    assert 'state intake @start {\n  task step "Takes it in" {' in again
    assert 'state desk "The desk" {\n  state wait {\n    end: "desk.wait";\n  }\n  task pack {' in again
    assert "intake.step -> desk;\n" in again
    assert "@name" not in again
    assert read_alone(again, "flow.dy").flow == flow


@pytest.mark.parametrize(
    "nodes",
    [
        {"a": {"prompt": "A.", "transitions": [{"to": "a.b"}]}, "a.b": {"end": "x"}},  # 'a' has work of its own
        {"a": {"transitions": [{"to": "a.b"}]}, "b": {"end": "y"}, "a.b": {"end": "x"}},  # not together
        {"a": {"transitions": [{"to": "a.b"}]}, "a.b": {"end": "x"}, "a.c": {"prompt": "C."}},  # begins with the task
        {"a.import": {"end": "x"}},
        {".".join(["a"] * 70): {"end": "x"}},
        {"r.b": {"end": "x"}},  # a record is called so
        {"b": {"end": "y"}, "a": {"transitions": [{"to": "a.b"}]}, "a.b": {"end": "x"}},  # nothing enters 'a'
    ],
)
def test_other_nodes_with_paths_have_another_name_in_the_document(nodes: dict[str, object]) -> None:
    records = {"r": {"x": {"type": "string"}}}
    flow = tw.load({"flow": "f", "start": next(iter(nodes)), "records": records, "nodes": nodes})
    text = written(flow)
    assert '@name("' in text
    assert read_alone(text, "flow.dy").flow == flow
