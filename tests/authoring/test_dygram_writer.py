"""Flows written in DyGram: read again they are the same flows, and what edges can say stands there as edges."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwise as tw
from strategies.flows import HOLDERS, flows, flows_with_key
from turnwise.api.documents import check_text
from turnwise.authoring.document import read_alone, read_document
from turnwise.authoring.formats import WRITABLE_FORMATS
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.link import link
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Field, Flow, Record
from turnwise.flow.shapes import SHAPES

ROOT = Path(__file__).parents[2]
FLOWS = sorted(
    [*ROOT.glob("examples/*/*.flow.yaml"), *ROOT.glob("tests/flows/*.flow.yaml"), *ROOT.glob("tests/flows/valid/*")]
)
DOCUMENTS = [path for path in FLOWS if path.suffix != ".txt"]
DYGRAM = sorted((ROOT / "tests" / "flows" / "dsl" / "valid").glob("*.dy"))


def written(flow: Flow) -> str:
    """The flow as a DyGram document."""
    write = WRITABLE_FORMATS["dygram"].write
    assert write is not None
    return write(flow)


@pytest.mark.parametrize("path", [*DOCUMENTS, *DYGRAM], ids=lambda path: path.name)
def test_a_flow_that_is_written_in_dygram_is_read_as_the_same(path: Path) -> None:
    flow = tw.load(path)
    text = written(flow)
    read = read_document(text, "flow.dy").flow
    assert read == flow
    assert written(read) == text


def test_transitions_and_permissions_are_written_as_edges() -> None:
    text = """
    machine "Work";
    context draft { ready: false; size<Integer>: { min: 0; }; kinds<List<string>>; }
    task write "Write it" @start { prompt: "Write."; }
    write -writes-> draft;
    write -when: "draft.ready", "it is ready"-> done;
    write -catch-> lost;
    write -> again;
    state done { end: "written"; }
    state lost { end: "lost"; }
    state again { end: "again"; }
    """
    assert written(tw.loads(text, format="dygram")) == (
        'machine "Work";\n'
        "context draft {\n  ready<boolean>: false;\n  size<Integer>: { min: 0; };\n  kinds<List<string>>;\n}\n"
        'task write "Write it" @start {\n  prompt: "Write.";\n}\n'
        "write -writes-> draft;\n"
        'write -when: "draft.ready", "it is ready"-> done;\n'
        "write -catch-> lost;\n"
        "write -> again;\n"
        'state done {\n  end: "written";\n}\n'
        'state lost {\n  end: "lost";\n}\n'
        'state again {\n  end: "again";\n}\n'
    )


def test_texts_with_the_patterns_of_uuid_and_url_are_written_as_these_types() -> None:
    fields = (
        "  id<UUID>;\n"
        '  page<URL>: { about: "your page"; };\n'
        "  links<List<URL>>;\n"
        '  code<string>: { pattern: "[0-9]{4}"; };\n'
    )
    flow = tw.loads(f"context order {{\n{fields}}}\nstate a;", format="dygram")
    read = {one.name: one for one in flow.records[0].fields}
    text = written(flow)
    assert fields in text
    assert tw.loads(text, format="dygram") == flow
    assert read["id"].type == read["page"].type == "string"
    assert read["links"].pattern == read["page"].pattern != read["id"].pattern


def test_what_no_edge_says_stays_a_key_of_the_node() -> None:
    way = {"at": "before", "when": "turns > 1", "to": "b", "priority": 3}
    flow = tw.load(
        {"flow": "f", "start": "a", "nodes": {"a": {"prompt": "A.", "transitions": [way]}, "b": {"end": "x"}}}
    )
    text = written(flow)
    assert 'at: "before";' in text
    assert "->" not in text
    assert tw.loads(text, format="dygram") == flow


KEYS = [
    (shape, key.name)
    for shape, found in SHAPES.items()
    for key in found.keys
    if shape in HOLDERS and shape != "Import" and (shape, key.name) != ("Flow", "imports")
]


_FLOWS_OF_A_KEY = 20
"""In a soak: to draw a flow takes 20 ms, and there are more than 250 keys."""


@pytest.mark.parametrize(("shape", "name"), KEYS, ids=lambda one: one)
@given(data=st.data())
@settings(max_examples=_FLOWS_OF_A_KEY if settings.default.max_examples >= 1000 else 3)
def test_every_key_of_every_part_can_be_written(shape: str, name: str, data: st.DataObject) -> None:
    """One flow for each key that a document can have, with that key set: none is refused, and each is read again."""
    flow = data.draw(flows_with_key(shape, name))
    text = written(flow)
    read, found = read_alone(text, "flow.dy")
    assert not has_errors(found), text
    assert read == flow, text


@given(flows())
def test_any_flow_is_read_as_the_same_through_dygram_and_yaml(flow: Flow) -> None:
    text = written(flow)
    read, found = read_alone(text, "flow.dy")
    assert not has_errors(found), text
    assert read == flow, text
    again = read_alone(write_yaml(read), "flow.yaml").flow
    assert again == flow
    assert written(again) == text


def test_names_that_several_things_have_are_written_with_another_and_their_own() -> None:
    flow = tw.load(
        {
            "flow": "f",
            "start": "parcel",
            "records": {"parcel": {"weight": {"type": "number"}}, "parcel_node": {"x": {"type": "string"}}},
            "tools": {"parcel": {"about": "Weighs."}, "weigh-it": {"about": "Weighs too."}},
            "nodes": {
                "parcel": {
                    "prompt": "Ask for {{ parcel.weight }}.",
                    "writes": ["parcel"],
                    "tools": {"allow": ["parcel", "weigh-it"]},
                    "transitions": [{"when": "parcel.weight > 3", "to": "import"}],
                },
                "import": {"end": "import"},
            },
        }
    )
    text = written(flow)
    assert 'task parcel_node_2 @name("parcel") @start {' in text
    assert "parcel_node_2 -writes-> parcel;" in text
    assert 'parcel_node_2 -when: "parcel.weight > 3"-> import_node;' in text
    assert 'tool weigh_it_tool "Weighs too." @name("weigh-it");' in text
    assert tw.loads(text, format="dygram") == flow


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("task a @name; ", "@name takes a name in quotes"),
        ("task a @name(5);", "@name takes a name in quotes"),
        ('task a; task b @name("a");', "'b' and 'a' are both called 'a'"),
        ('task a @name("c"); task b @name("c");', "'b' and 'a' are both called 'c'"),
        ('tool a @name("c"); tool b @name("c"); task d;', "'b' and 'a' are both called 'c'"),
        (
            'context c { x: 0; } task a @name("c") { prompt: "At most {{ a.limit }}."; limit: 3; }',
            "the values of 'a' would be a record called 'c', which a context is",
        ),
    ],
)
def test_a_given_name_that_is_taken_is_reported(text: str, expected: str) -> None:
    found = [one.message for one in check_text(text.encode(), "a.dy") if one.code == "TW142"]
    assert found == [expected]


def test_imports_that_are_not_made_yet_are_written_as_statements() -> None:
    flow = Flow("f", "a", imports=(tw.Import("./shop.dy", names=("shop.pay as pay", "stock")),))
    text = written(flow)
    assert text.startswith('import { shop.pay as pay, stock } from "./shop.dy";\n')
    assert read_alone(text, "flow.dy").flow == flow


def test_a_title_beside_the_attribute_description_is_the_title() -> None:
    text = 'task a { description: "Says it."; title: "A"; } task b { title: "B"; } task c "C" { title: "D"; }'
    flow = tw.loads(text, format="dygram")
    assert [(one.title, one.description) for one in flow.nodes] == [("A", "Says it."), ("", "B"), ("", "C\nD")]
    flow = tw.loads('note a "why"; task a { description: ""; title: "A"; prompt: "A."; }', format="dygram")
    assert [(one.title, one.description) for one in flow.nodes] == [("A", "why")]


def test_a_machine_names_the_node_with_which_a_run_begins() -> None:
    flow = tw.loads('machine "M" { start: "b.c"; }; init a; state b { task c { prompt: "C."; } }', format="dygram")
    assert flow.start == "b.c"


def test_a_conversation_goes_on_after_its_document_is_converted_to_yaml(tmp_path: Path) -> None:
    flow = tw.loads(
        """
        machine "Fruit" { autonomous: false; };
        task ask { prompt: "Ask for {{ ask.goods }}."; goods: "pears"; }
        task pay { prompt: "Ask for money."; }
        ask -when: "turns >= 2"-> pay;
        """,
        format="dygram",
    )
    converted = tmp_path / "flow.yaml"
    converted.write_text(write_yaml(flow), encoding="utf-8")
    assert link(tw.load(converted)).fingerprint == link(flow).fingerprint

    async def whole() -> list[str | None]:
        store = tw.MemoryStore()
        async with tw.open(flow, store=store, model=tw.ScriptedModel(["Pears?"])) as app:
            first = await app.chat("c").say("Hello")
        async with tw.open(converted, store=store, model=tw.ScriptedModel(["How many?"] * 3)) as app:
            second = await app.chat("c").say("Yes")
            third = await app.chat("c").say("Two")
        return [first.node, second.node, third.node]

    assert asyncio.run(whole()) == ["ask", "pay", "pay"]


@pytest.mark.parametrize("default", [{}, {"a": 1}, {"min": 3}, [], [{}], ""])
def test_a_default_is_never_read_as_keys_of_its_field(default: object) -> None:
    flow = Flow("a", start="b", records=(Record("a", (Field("a", default=default),)),))
    assert read_alone(written(flow), "flow.dy").flow == flow


def test_a_permission_that_stands_twice_is_written_twice() -> None:
    document = """
    flow: notes
    start: a
    records: {memo: {text: {type: string}}}
    nodes: {a: {prompt: A., reads: [memo, memo], end: done}}
    """
    flow = tw.loads(document)
    assert read_alone(written(flow), "flow.dy").flow == flow
