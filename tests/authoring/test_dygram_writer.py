"""Flows written in DyGram: read again they are the same flows, and what edges can say stands there as edges."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from turnwise.authoring.document import read_document
from turnwise.authoring.formats import WRITTEN
from turnwise.flow.model import Flow

ROOT = Path(__file__).parents[2]
FLOWS = sorted(
    [*ROOT.glob("examples/*/*.flow.yaml"), *ROOT.glob("tests/flows/*.flow.yaml"), *ROOT.glob("tests/flows/valid/*")]
)
DOCUMENTS = [path for path in FLOWS if path.suffix != ".txt"]
DYGRAM = sorted((ROOT / "tests" / "flows" / "dsl" / "valid").glob("*.dy"))
SHARED_NAMES = ("language_buddy.flow.yaml", "attributes_that_guards_read.dy")
"""Flows of which a node and a record have the same name."""


def written(flow: Flow) -> str:
    """The flow as a DyGram document."""
    write = WRITTEN["dygram"].write
    assert write is not None
    return write(flow)


@pytest.mark.parametrize("path", [*DOCUMENTS, *DYGRAM], ids=lambda path: path.name)
def test_a_flow_that_is_written_in_dygram_is_read_as_the_same(path: Path) -> None:
    flow = tw.load(path)
    text = written(flow)
    read, found = read_document(text, "flow.dy")
    if path.name in SHARED_NAMES:
        assert "TW139" in {one.code for one in found}
    else:
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


def test_what_no_edge_says_stays_a_key_of_the_node() -> None:
    way = {"at": "before", "when": "turns > 1", "to": "b", "priority": 3}
    flow = tw.load(
        {"flow": "f", "start": "a", "nodes": {"a": {"prompt": "A.", "transitions": [way]}, "b": {"end": "x"}}}
    )
    text = written(flow)
    assert 'at: "before";' in text
    assert "->" not in text
    assert tw.loads(text, format="dygram") == flow
