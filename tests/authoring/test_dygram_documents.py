"""DyGram documents: the tree that each gets, the flow that it becomes, and every diagnostic.

Beside each document stand its diagnostics (`.txt`), and beside a valid one its tree (`.json`) and its flow as YAML
(`.yaml`). `TURNWISE_REWRITE=1` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

import pytest

from support.dygram_grammar import is_document
from support.dygram_trees import bare
from turnwise.api.documents import check, load
from turnwise.authoring.dygram.formatter import format_document
from turnwise.authoring.dygram.statements import parse
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.diagnostic import has_errors

FOLDER = Path(__file__).parent.parent / "flows" / "dsl"
DOCUMENTS = sorted(FOLDER.glob("*/*.dy"))
VALID = [path for path in DOCUMENTS if path.parent.name == "valid"]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _compare(path: Path, found: str) -> None:
    """Compare with what stands in a file, or write it."""
    if os.environ.get("TURNWISE_REWRITE") == "1":
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_a_dygram_document_gets_these_diagnostics(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    found = check(path.name)
    assert has_errors(found) == (path.parent.name == "invalid")
    _compare(path.with_suffix(".txt"), "".join(f"{one}\n" for one in found))


@pytest.mark.parametrize("path", VALID, ids=_name)
def test_a_dygram_document_has_this_tree(path: Path) -> None:
    tree = bare(parse(path.read_text("utf-8")).document)
    _compare(path.with_suffix(".json"), json.dumps(tree, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("path", VALID, ids=_name)
def test_a_dygram_document_becomes_this_flow(path: Path, tmp_path: Path) -> None:
    flow = load(path)
    written = write_yaml(flow)
    _compare(path.with_suffix(".yaml"), written)
    copy = tmp_path / "copy.flow.yaml"
    copy.write_text(written, "utf-8")
    assert load(copy) == flow


@pytest.mark.parametrize("path", VALID, ids=_name)
def test_formatting_a_dygram_document_changes_nothing_that_is_read(path: Path) -> None:
    text = path.read_text("utf-8")
    once = format_document(parse(text).document)
    assert format_document(parse(once).document) == once
    assert _without_comments(bare(parse(once).document)) == _without_comments(bare(parse(text).document))
    assert once.count("//") + once.count("/*") == text.count("//") + text.count("/*")


def _without_comments(tree: Any) -> Any:
    """The tree without layouts: formatting moves comments out of statements."""
    if isinstance(tree, dict):
        pairs = cast("dict[str, Any]", tree).items()
        return {key: _without_comments(value) for key, value in pairs if key not in ("layout", "comments")}
    return [_without_comments(one) for one in cast("list[Any]", tree)] if isinstance(tree, list) else tree


@pytest.mark.parametrize("path", VALID, ids=_name)
def test_another_reader_knows_the_documents_too(path: Path) -> None:
    assert is_document(path.read_text("utf-8"))


def test_there_are_many_documents_and_no_list_without_one() -> None:
    assert len(DOCUMENTS) >= 60
    stems = {path.with_suffix("") for path in DOCUMENTS}
    assert {path.with_suffix("") for path in FOLDER.glob("*/*.*")} == stems
