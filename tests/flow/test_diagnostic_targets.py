"""Which node, transition and field a diagnostic is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import run
from turnwise.authoring.document import read_file
from turnwise.core.link import link_with_diagnostics
from turnwise.flow.diagnostic import Diagnostic, DiagnosticTarget

FLOWS = Path(__file__).parent.parent / "flows"
DOCUMENTS = sorted(path for path in FLOWS.glob("*/*") if path.suffix in {".yaml", ".json"})
WRONG = """\
flow: f
start: home
records:
  user:
    name: strng
    age: {type: integer, min: many}
nodes:
  home:
    prompt: Hi.
    collect: [user.nam]
    transitions:
      - {id: leave, to: by}
      - {when: user.age > 'x', to: bye}
      - to: bye
        set: {user.age: old}
        colour: red
    # about the node, and written below its transitions
    colour: red
  ask:
    form:
      fields:
        - field: user.name
          ask: Who are {{ you }}?
  bye: {say: Bye., end: done}
titel: x
"""
SUBJECTS = {
    5: DiagnosticTarget(field="user.name"),
    6: DiagnosticTarget(field="user.age"),
    10: DiagnosticTarget("home", None, "user.nam"),
    12: DiagnosticTarget("home", "leave"),
    13: DiagnosticTarget("home", "to_bye"),
    15: DiagnosticTarget("home", "to_bye_2", "user.age"),
    16: DiagnosticTarget("home", "to_bye_2"),
    18: DiagnosticTarget("home"),
    23: DiagnosticTarget("ask", None, "user.name"),
    25: DiagnosticTarget(),
}


def _by_line(found: list[Diagnostic]) -> dict[int, DiagnosticTarget]:
    return {one.span.line: one.subject for one in found if one.severity == "error"}


def test_a_diagnostic_says_which_node_transition_and_field_it_is_about(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, "utf-8")
    assert _by_line(tw.check(path)) == SUBJECTS
    with pytest.raises(tw.FlowError) as refused:
        tw.load(path)
    assert refused.value.diagnostics[-1].subject == DiagnosticTarget()
    assert {one.span.line: one.subject for one in refused.value.diagnostics}[18] == DiagnosticTarget("home")


def test_json_shows_the_subject(tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text(WRONG, "utf-8")
    found = json.loads(run("check", "--json", "wrong.yaml", at=tmp_path).out)
    assert {d["line"]: DiagnosticTarget(**d["subject"]) for d in found if d["severity"] == "error"} == SUBJECTS
    assert found[0]["subject"] == {"node": None, "transition": None, "field": "user.name"}


def test_the_line_of_a_flow_in_python_has_the_same_subject(tmp_path: Path) -> None:
    path = tmp_path / "flow.py"
    path.write_text(
        "import turnwise as tw\n"
        "def way(**more):\n"
        "    return tw.Transition(to='nowhere', **more)\n"
        "flow = tw.Flow('f', start='home', nodes=[\n"
        "    tw.Node('home', prompt='Hi {{ you }}.', transitions=[\n"
        "        tw.Transition(to='bye', when='usr.x == 1'),\n"
        "        way(), way(when='true'),\n"
        "    ]),\n"
        "    tw.Node('bye', say='Bye.', set={'user.nam': 'x'}, end='done'),\n"
        "])\n",
        "utf-8",
    )
    found = _by_line(tw.check(path))
    assert found[5] == DiagnosticTarget("home")
    assert found[6] == DiagnosticTarget("home", "to_bye")
    assert found[9] == DiagnosticTarget("bye", None, "user.nam")
    assert found[3] == DiagnosticTarget("home"), "two transitions are made in one line: which, nobody can tell"


def test_a_part_that_an_alias_repeats_is_about_no_single_node() -> None:
    with pytest.raises(tw.FlowError) as refused:
        tw.loads(
            "flow: f\nstart: a\nnodes:\n"
            "  a: {prompt: Hi., transitions: &ways [{id: x, to: b, colour: red}]}\n"
            "  b: {prompt: Hi., transitions: *ways}\n"
        )
    assert {one.subject for one in refused.value.diagnostics} == {DiagnosticTarget()}


def test_comments_and_unreadable_documents_have_no_subject(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("flow: f\nstart: a\nnodes:\n  a: {say: Hi., end: x}\n  # turnwise: ignore TW051 no\n", "utf-8")
    assert [(one.code, one.subject) for one in tw.check(path)] == [("TW081", DiagnosticTarget())]
    path.write_text("flow: f\nnodes:\n  a: {say: Hi\n", "utf-8")
    assert [one.subject for one in tw.check(path)] == [DiagnosticTarget()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_diagnostic_has_a_wrong_subject(path: Path) -> None:
    flow = read_file(path).flow
    lines = path.read_text("utf-8", errors="replace").splitlines()
    machine, _ = link_with_diagnostics(flow, (), [])
    nodes = {node.name: node for node in flow.nodes}
    fields = {f"{record.name}.{field.name}" for record in flow.records for field in record.fields}
    for one in tw.check(path):
        node, transition, field = one.subject
        line = one.span.line
        if node is not None:
            begun = [name for text in lines[:line] for name in nodes if text.startswith((f"  {name}:", f'  "{name}"'))]
            assert node in nodes
            assert not begun or node == begun[-1] or path.suffix == ".json", one
        if transition is not None:
            ways = nodes[node].transitions if node is not None else flow.transitions
            [begin] = {way.span.line for way in ways if way.span.line <= line and _is_called(way, transition)} & {
                max(way.span.line for way in ways if way.span.line <= line)
            }
            assert begin <= line
            if machine is not None:
                known = machine.nodes[node].candidates if node is not None else machine.flow_candidates
                assert begin in {c.span.line for c in known if c.id == transition}
        if field is not None:
            record, _, name = field.partition(".")
            assert (
                field in fields or field in lines[line - 1] or (record in lines[line - 1] and name in lines[line - 1])
            )


def _is_called(way: tw.Transition, name: str) -> bool:
    action = f"to_{way.to}" if way.to else f"end_{way.end}" if way.end else "stay" if way.stay else "block"
    return name == way.id if way.id else name.startswith(action)


def test_the_names_of_transitions_are_those_of_decisions() -> None:
    flow = tw.loads(
        "flow: f\nstart: a\ntransitions: [{when: turns > 9, to: b}]\nnodes:\n"
        "  a:\n    prompt: Hi.\n    transitions:\n"
        "      - {to: b}\n      - {to: b}\n      - {id: own, end: x}\n"
        "  b: {say: Bye., end: done}\n"
    )
    machine, _ = link_with_diagnostics(flow, (), [])
    assert machine is not None
    lines = {c.span.line: c.id for c in machine.nodes["a"].candidates}
    found = {one.span.line: one.subject.transition for one in tw.check(flow) if one.code == "TW050"}
    assert set(found.values()) == {"to_b_3", "own"}
    assert found == {line: lines[line] for line in found}
