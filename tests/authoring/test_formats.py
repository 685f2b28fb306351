"""The table of document formats: every row is used wherever a flow is read, written or shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.shell import ROOT, run
from turnwise.authoring.formats import FORMATS, WRITABLE_FORMATS, Format
from turnwise.authoring.source import SUFFIXES
from turnwise.server.documents import SourceText, read_flow_document

EXAMPLE = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
STEPS: dict[str, Any] = {
    "orchestration": {"steps": [{"name": "think", "isDefault": True}, {"name": "act", "availableTools": {}}]}
}
GATES: dict[str, Any] = {"gate_order": ["a"], "gates": {"a": {"question": "Who?", "expected_categories": ["x", "y"]}}}


@pytest.mark.parametrize("format", WRITABLE_FORMATS.values(), ids=list(WRITABLE_FORMATS))
def test_a_file_with_each_ending_of_a_format_is_the_flow_that_was_written(format: Format, tmp_path: Path) -> None:  # noqa: A002
    flow = tw.load(EXAMPLE)
    for suffix in format.suffixes:
        path = tmp_path / f"flow{suffix}"
        assert run("convert", EXAMPLE, "-o", path).code == 0
        assert tw.load(path) == flow
        assert run("convert", EXAMPLE, "--to", format.name).out == path.read_text("utf-8")


def test_each_ending_is_of_one_format() -> None:
    assert sorted(SUFFIXES) == sorted(suffix for one in FORMATS for suffix in one.suffixes)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_slip_in_the_name_of_a_file_of_any_format_is_named(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"intake{suffix}").write_text("", "utf-8")
    [missing] = tw.check(tmp_path / "intaek.yaml")
    assert missing.hint == f"did you mean '{tmp_path / f'intake{suffix}'}'?"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_flow_of_any_format_is_no_scenario(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"intake{suffix}").write_text("", "utf-8")
    assert "this is a flow" in run("test", f"intake{suffix}", at=tmp_path).err


@pytest.mark.parametrize("text", [STEPS, GATES], ids=["steps", "gates"])
@pytest.mark.parametrize("name", ["seed.json", "seed.yaml"])
def test_another_configuration_is_known_by_one_row_in_either_syntax(text: object, name: str) -> None:
    written = json.dumps(text, indent=2)
    assert tw.loads(written, name).nodes
    marks = [one.marks for one in FORMATS if one.sniff is not None]
    key = next(iter(json.loads(written)))
    assert sum(key in each for each in marks) == 1
    with pytest.raises(tw.FlowError, match=f"(?i)did you mean '{key}'"):
        tw.loads(written.replace(f'"{key}"', f'"{key[:-1]}"', 1), name)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("f.yaml", "flow: f\nstart: a\nnodes:\n\n  a:\n\n    say: Hi.\n    end: x\n", 5),
        ("f.json", '{"flow": "f", "start": "a", "nodes": {\n"a"\n:\n{"say": "Hi.", "end": "x"}}}', 2),
        ("f.yaml", "flow: f\nstart: a\nnodes:\n  ? a\n  : {say: Hi., end: x}\n", 4),
    ],
)
def test_the_line_of_a_node_is_that_of_its_name(name: str, text: str, line: int) -> None:
    document = read_flow_document(SourceText(name, text, 0))
    assert document.node_place("a") == (name, line)
    assert document.node_place("b") == ("", 0)
