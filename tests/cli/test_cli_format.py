"""`turnwise format`: documents in their canonical layout; what it would lose it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.shell import run

DYGRAM = "task greet \"Hello\"{prompt:'Greet.'} // first\ngreet->done /* odd */;state done"
FORMATTED = 'task greet "Hello" { prompt: "Greet."; } // first\n/* odd */\ngreet -> done;\nstate done;\n'


def test_a_file_is_formatted_in_place_once(tmp_path: Path) -> None:
    file = tmp_path / "greet.dy"
    file.write_text(DYGRAM, "utf-8")
    checked = run("format", file, "--check")
    assert (checked.code, checked.err, file.read_text("utf-8")) == (1, f"would format {file}\n", DYGRAM)
    done = run("format", file)
    assert (done.code, done.out, done.err) == (0, "", f"formatted {file}\n")
    assert file.read_text("utf-8") == FORMATTED
    for command in (("format", file), ("format", file, "--check")):
        done = run(*command)
        assert (done.code, done.out, done.err) == (0, "", "")


def test_crlf_and_the_mark_of_the_byte_order_are_formatted_away(tmp_path: Path) -> None:
    file = tmp_path / "greet.dy"
    file.write_bytes(b"\xef\xbb\xbf" + FORMATTED.replace("\n", "\r\n").encode())
    assert run("format", file, "--check").code == 1
    assert run("format", file).code == 0
    assert file.read_bytes() == FORMATTED.encode()


YAML = "flow: f\nstart: a\nnodes:\n  a: {say: 'Hello # you.', end: done}\n"


def test_yaml_and_json_keep_their_order_and_comments(tmp_path: Path) -> None:
    yaml, json = tmp_path / "f.flow.yaml", tmp_path / "f.flow.json"
    yaml.write_text(f"# mine\n{YAML}# the end\n", "utf-8")
    json.write_text('{"start":"a","flow":"f","nodes":{"a":{"say":"Hello # you.","end":"done"}}}', "utf-8")
    assert run("format", yaml, json).code == 0
    assert yaml.read_text("utf-8") == (
        '# mine\nflow: f\nstart: a\nnodes:\n  a: {say: "Hello # you.", end: done}\n# the end\n'
    )
    assert json.read_text("utf-8").startswith('{\n  "start": "a",\n  "flow": "f",\n')
    assert run("format", yaml, json, "--check").code == 0


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("f.yaml", "flow: f\nstart: a: b\n", "2:9", "TW003"),
        ("f.json", '{"flow": "f", }', "1:15", "TW003"),
        ("f.dy", "task a {\n  a <- b;\n}\n", "2:5", "TW131"),
        ("f.py", "flow = 3\n", "", "code is formatted"),
        ("f.txt", "flow", "", "names no format"),
    ],
)
def test_what_cannot_be_formatted_is_reported_and_stays(
    name: str, text: str, place: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    done = run("format", file)
    assert (done.code, done.err) == (1, "")
    assert message in done.lines[0]
    assert place in done.lines[0]
    assert file.read_text("utf-8") == text


def test_one_refused_file_hinders_no_other(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.dy", tmp_path / "bad.dy"
    good.write_text(DYGRAM, "utf-8")
    bad.write_text("-> b", "utf-8")
    done = run("format", bad, tmp_path / "none.dy", good)
    assert done.code == 1
    assert "TW130" in done.lines[0]
    assert any("TW001" in line for line in done.lines)
    assert good.read_text("utf-8") == FORMATTED
