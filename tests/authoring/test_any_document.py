"""Whatever stands in a flow document: reading, linking and checking never raise, and no problem has a place outside it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from strategies.flows import data, flows
from strategies.texts import names, texts
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.check import check
from turnwise.core.link import link_with_diagnostics
from turnwise.flow import kinds as s
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Flow
from turnwise.flow.shapes import SHAPES

GUARDS = st.sampled_from([
    "true", "r.x", "r.x > 3", 'r.x == "a"', "has(r.x)", "r.y &&", "size(r.l) > 1", 'tools.used("t")', 'visits("a") > 1',
    "turns > 2", 'message.text.matches("(?=a)")', "r.x + 1", "form.status", 'now > timestamp("2026-01-01")', "-r.x", "r.z.a",
    'r.l.exists(i, i == "a")', "{{", "!", '[1, "a"]', "a ? b : c", 'error.kind == "tool"', "r", "x",
])  # fmt: skip
NAMES = st.sampled_from(["a", "b", "r", "r.x", "r.l", "t", "x", "1 a", ""])


@st.composite
def documents(draw: st.DrawFn, of: str = "Flow", depth: int = 0) -> Any:
    """Something like an object of a shape: most values fit, some do not, and keys may be missing or too many."""
    shape = SHAPES[of]
    most = (len(shape.keys), 7, 5, 3, 1, 0)[depth]
    chosen = draw(st.lists(st.sampled_from(shape.keys), max_size=most, unique=True))
    document = {key.name: draw(_value(key.kind, depth)) for key in chosen}
    if of == "Flow":
        document |= {"flow": "f", "start": "a", "nodes": draw(_value(s.Named("Node"), depth))}
        document["records"] = {"r": {"x": draw(documents("Field", 3)), "l": {"type": "list"}}}
    if draw(st.integers(0, 19)) == 19:
        document[draw(texts)] = draw(data)
    return document


def _value(kind: s.Kind, depth: int) -> SearchStrategy[Any]:
    return st.integers(0, 15).flatmap(lambda n: data if n == 15 else _fitting(kind, depth))


def _fitting(kind: s.Kind, depth: int) -> SearchStrategy[Any]:
    match kind:
        case s.Many(of):
            return st.lists(_value(of, depth), max_size=2)
        case s.Table(of):
            return st.dictionaries(NAMES | names, _value(of, depth), max_size=2)
        case s.Named(of):
            return st.dictionaries(NAMES | names, documents(of, min(depth + 1, 5)), max_size=2)
        case s.Object(of):
            return documents(of, min(depth + 1, 5))
        case s.OneOf(words):
            return st.sampled_from(words)
        case s.When():
            return GUARDS | st.lists(st.fixed_dictionaries({"type": texts | st.just("tool_used")}), max_size=2)
        case s.Number():
            return st.floats(-1, 3) | texts
        case s.Integer() | s.Bound():
            return st.integers(-1, 99) | texts
        case s.Flag():
            return st.booleans()
        case s.Duration():
            return st.sampled_from(["3s", "1h", "x"])
        case _:
            return NAMES | GUARDS | texts


@given(documents())
def test_no_document_makes_reading_or_linking_raise(document: Any) -> None:
    text = json.dumps(document, indent=1)
    flow, diagnostics = read_document(text, "a.json")
    machine, more = link_with_diagnostics(flow)
    assert has_errors(diagnostics + more) or machine is not None
    more += check(machine, more) if machine is not None else []
    lines = text.count("\n") + 1
    assert all(0 <= d.span.line <= lines and d.span.column >= 0 for d in diagnostics + more)
    if not diagnostics:
        assert read_document(write_yaml(flow), "a.yaml") == (flow, [])


@given(flows())
def test_no_flow_makes_linking_raise(flow: Flow) -> None:
    machine, diagnostics = link_with_diagnostics(flow)
    assert machine is not None or has_errors(diagnostics)
    if machine is not None:
        check(machine, diagnostics)


@pytest.mark.parametrize(
    "field",
    ["{min: many, default: abc}", "{type: date, min: 3, default: '2026-01-01'}", "{pattern: '(?=x)', default: abc}"],
)
def test_a_default_beside_a_bound_that_does_not_fit_is_a_diagnostic(field: str) -> None:
    flow, _ = read_document(f"flow: f\nstart: a\nrecords: {{r: {{x: {field}}}}}\nnodes: {{a: {{say: Hello.}}}}\n")
    assert has_errors(link_with_diagnostics(flow)[1])
