"""Whole documents and every diagnostic that they get.

Beside each document stands its list as `.txt`. `TURNWISE_REWRITE=1` writes the lists anew; read the
difference before you keep it. That every code is shown is held by its page: `tests/docs/test_checks.py`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from turnwise.api.open import check, load
from turnwise.authoring.document import read_file
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.code import PythonGuard
from turnwise.flow.codec import decode_flow, encode_flow
from turnwise.flow.diagnostic import CODES, has_errors

FLOWS = Path(__file__).parent.parent / "flows"
DOCUMENTS = sorted(path for path in FLOWS.glob("*/*") if path.suffix in (".yaml", ".json"))
VALID = [path for path in DOCUMENTS if path.parent.name == "valid"]

GUARDS = [
    PythonGuard("route", lambda user: "bye", ("user",), ("bye",)),
    PythonGuard("later", lambda user: True, ("user",), is_async=True),
    PythonGuard("stranger", lambda somebody: True, ("somebody",)),
]
"""What code supplies to the documents that name Python guards."""


def _named_in(path: Path) -> list[PythonGuard]:
    """The guards that a document names."""
    text = path.read_text("utf-8", errors="replace")
    return [guard for guard in GUARDS if f"guard: {guard.name}" in text]


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_a_document_gets_these_diagnostics(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    found = "".join(f"{diagnostic}\n" for diagnostic in check(path.name, _named_in(path)))
    listed = path.with_name(f"{path.name}.txt")
    if os.environ.get("TURNWISE_REWRITE") == "1":
        listed.write_text(found, "utf-8")
    assert found == listed.read_text("utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_only_invalid_documents_have_errors(path: Path) -> None:
    assert has_errors(check(path, _named_in(path))) == (path.parent.name == "invalid")


@pytest.mark.parametrize("path", VALID, ids=_name)
def test_a_valid_document_survives_both_languages(path: Path, tmp_path: Path) -> None:
    flow = load(path)
    assert decode_flow(encode_flow(flow)) == flow
    written = tmp_path / "written.flow.yaml"
    written.write_text(write_yaml(flow), "utf-8")
    assert load(written) == flow


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_what_could_be_read_has_places_in_the_document(path: Path) -> None:
    lines = path.read_bytes().count(b"\n") + 1
    flow, diagnostics = read_file(path)
    spans = [flow.span, *(node.span for node in flow.nodes), *(d.span for d in diagnostics)]
    assert all(span.file == str(path) and 0 <= span.line <= lines for span in spans)


def test_every_list_belongs_to_a_document() -> None:
    lists = {path.name.removesuffix(".txt") for path in FLOWS.glob("*/*.txt")}
    assert lists == {path.name for path in DOCUMENTS}


def test_every_code_that_is_listed_is_one() -> None:
    shown = {code for path in FLOWS.glob("*/*.txt") for code in re.findall(r"TW\d{3}", path.read_text("utf-8"))}
    assert shown <= set(CODES)
