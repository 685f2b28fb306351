"""Files that cannot be had, and bytes that are no text: a diagnostic each, and never an exception."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from turnwise.api.open import check
from turnwise.authoring.document import read_document, read_file
from turnwise.authoring.source import MAX_BYTES, decode_source, read_source
from turnwise.flow.diagnostic import Diagnostic

FLOW = "flow: a\nstart: b\nnodes: {b: {say: Hello.}}\n"


def _said(path: Path | str) -> str:
    [diagnostic] = read_file(path).diagnostics
    return str(diagnostic).removeprefix(str(path))


@pytest.mark.requirement("004-75")
def test_a_file_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    assert _said(tmp_path / "nothere.json") == ": TW001 there is no such file"
    assert [d.code for d in check(tmp_path / "nothere.json")] == ["TW001"]


def test_a_folder_is_no_document(tmp_path: Path) -> None:
    assert _said(tmp_path) == ": TW001 this is a folder, not a flow document"


def test_a_name_that_no_file_can_have_is_said(tmp_path: Path) -> None:
    assert _said("a\0b") == ": TW001 the file cannot be read: embedded null byte"
    assert _said(str(tmp_path / ("x" * 5000))).startswith(": TW001 the file cannot be read: ")


@pytest.fixture
def nobody() -> Iterator[None]:
    """A user who may read nothing here."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    yield
    if is_root:
        os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_file_without_permission_is_said(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    file = tmp_path / "secret.yaml"
    file.write_text(FLOW)
    file.chmod(0)
    request.getfixturevalue("nobody")
    assert _said(file) == ": TW001 the file cannot be read: Permission denied"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file here")
def test_a_file_without_end_is_not_read_to_its_end() -> None:
    assert (
        _said("/dev/zero")
        == ": TW002 the document has more than 2,000,000 bytes, which is the limit; split it into files"
    )


def test_a_document_over_two_megabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    assert [d.code for d in read_file(file).diagnostics] == ["TW002"]
    file.write_bytes(FLOW.encode() + b"#" * (MAX_BYTES - len(FLOW)))
    assert read_file(file).diagnostics == []


BYTES: list[tuple[bytes, str]] = [
    ("flow: ä\n".encode("latin-1"), "a.yaml:1:7: TW001 byte 0xe4 is not UTF-8; save the file as UTF-8"),
    ("# ä\nflow: ä".encode() + b"\xff", "a.yaml:2:8: TW001 byte 0xff is not UTF-8; save the file as UTF-8"),
    (FLOW.encode("utf-16"), "a.yaml:1:1: TW001 byte 0xff is not UTF-8; save the file as UTF-8"),
    (FLOW.encode("utf-16-be"), "a.yaml:1:1: TW003 the character U+0000 is not allowed here; "
     "write it as an escape, in double quotes"),
    (b"flow: \xed\xa0\x80", "a.yaml:1:7: TW001 byte 0xed is not UTF-8; save the file as UTF-8"),
    (b"\x89PNG\r\n", "a.yaml:1:1: TW001 byte 0x89 is not UTF-8; save the file as UTF-8"),
    (b"\xef\xbb\xbf", "a.yaml:1:1: TW007 there is nothing in it"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "said"), BYTES, ids=range(len(BYTES)))
def test_bytes_that_are_no_text_are_shown(content: bytes, said: str) -> None:
    text = decode_source(content, "a.yaml")
    found = [text] if isinstance(text, Diagnostic) else read_document(text, "a.yaml").diagnostics
    assert [str(diagnostic) for diagnostic in found] == [said]


@pytest.mark.parametrize(
    "content",
    [FLOW.encode("utf-8-sig"), FLOW.replace("\n", "\r\n").encode(), FLOW.replace("\n", "\r").encode()],
    ids=["byte order mark", "Windows", "old Mac"],
)
def test_marks_and_line_ends_of_other_systems_are_no_problem(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.flow.yaml"
    file.write_bytes(content)
    assert read_file(file) == read_document(FLOW)
    assert isinstance(read_source(file), str)
