"""What the code of a flow prints is no output of a command that gives data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.shell import run

CODE = '''
import turnwise as tw

print("it is loaded")

@tw.tool
def look() -> str:
    """Look."""
    print("it is looked")
    return "seen"

@tw.guard
def ready() -> bool:
    print("it is judged")
    return True
'''
FLOW = """
flow = tw.Flow(
    "visit",
    start="a",
    tools=[look],
    nodes=[
        tw.Node("a", tool=tw.ToolWork("look"), transitions=[tw.Transition(guard=ready, to="b")]),
        tw.Node("b", say="Hello.", end="done"),
    ],
)
"""
DOCUMENT = """
flow: visit
start: a
tools: {look: {}}
nodes:
  a: {tool: look, transitions: [{guard: ready, to: b}]}
  b: {say: Hello., end: done}
"""
SCENARIO = """
flow: visit.flow.yaml
python: parts.py

scenario: it is looked
start:
bot: Hello.
"""
ASKED = [
    ("check visit.py --json", ["it is loaded"]),
    ("check visit.flow.yaml --python parts.py --json", ["it is loaded"]),
    ("chat visit.py --json", ["it is loaded", "it is looked", "it is judged"]),
    ("chat visit.flow.yaml --python parts.py --json", ["it is loaded", "it is looked", "it is judged"]),
    ("test visit.scenario --json", ["it is loaded", "it is looked", "it is judged"]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A flow in Python, the same as a document with its code beside it, and a scenario."""
    files = {"visit.py": CODE + FLOW, "parts.py": CODE, "visit.flow.yaml": DOCUMENT, "visit.scenario": SCENARIO}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(("command", "printed"), ASKED, ids=[one[0] for one in ASKED])
def test_data_is_alone_on_standard_output(command: str, printed: list[str], folder: Path) -> None:
    ran = run(*command.split(), at=folder)
    assert ran.code == 0, ran.err
    assert all(json.loads(line) is not None for line in ran.lines)
    assert ran.err.splitlines() == printed


def test_a_drawing_is_alone_on_standard_output(folder: Path) -> None:
    ran = run("draw", "visit.flow.yaml", "--python", "parts.py", at=folder)
    assert (ran.lines[0], ran.err) == ("flowchart TD", "it is loaded\n")
