"""Diagnostics while a document is typed: of broken documents, of imported files, with links; old results are dropped."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from editor.conftest import ORDER, PARCEL
from support.language_client import LanguageClient, insert


def codes(found: list[dict]) -> list[str]:
    return [one["code"] for one in found]


@pytest.mark.parametrize(
    ("name", "text", "code", "underlined"),
    [
        ("broken.dy", PARCEL.replace("pack {", "pack { {"), "TW130", "{"),
        ("unknown.dy", PARCEL + "machine;\n", "TW130", ";"),
        ("arrow.dy", PARCEL.replace("pack -> measure", "pack → measure"), "TW131", None),
        ("guard.dy", PARCEL.replace("parcel.weight > 3", "parcel.wight > 3"), "TW031", None),
        ("target.flow.yaml", ORDER.replace("to: done", "to: dome"), "TW012", "dome"),
        ("open.flow.yaml", ORDER.replace("[price]", "[price"), "TW003", None),
        ("key.flow.yaml", ORDER.replace("    writes:", "    wrties:"), "TW010", "wrties"),
    ],
)
def test_a_problem_is_underlined_with_its_code_and_a_page(
    shared: LanguageClient, name: str, text: str, code: str, underlined: str | None
) -> None:
    shared.open(name, text)
    found = shared.wait_for(name, lambda problems: code in codes(problems))
    one = next(one for one in found if one["code"] == code)
    page = Path(urlsplit(one["codeDescription"]["href"]).path)
    assert page.name == f"{code}.md"
    assert page.read_text("utf-8").startswith(f"# {code}")
    begin, end = one["range"]["start"], one["range"]["end"]
    if underlined is not None:
        line = text.split("\n")[begin["line"]]
        assert line[begin["character"] : end["character"]] == underlined


def test_a_document_without_problems_has_none(shared: LanguageClient) -> None:
    shared.open("good.dy", PARCEL)
    shared.open("good.flow.yaml", ORDER)
    assert shared.problems("good.dy") == []
    assert codes(shared.problems("good.flow.yaml")) == []


def test_a_problem_comes_and_goes_while_the_document_is_typed(client: LanguageClient) -> None:
    client.open("a.dy", PARCEL)
    assert client.problems("a.dy", 1) == []
    line = PARCEL.split("\n").index("pack -> measure;")
    client.change("a.dy", 2, insert(line, 8, "xx", to=(line, 15)))
    assert codes(client.problems("a.dy", 2)) == ["TW138"]
    client.change("a.dy", 3, insert(line, 8, "measure", to=(line, 10)))
    assert client.problems("a.dy", 3) == []


def test_many_edits_are_one_check_and_the_last_text_counts(client: LanguageClient) -> None:
    client.open("a.dy", PARCEL)
    for version in range(2, 60):
        client.change("a.dy", version, insert(7, 0, "x"))
    assert client.problems("a.dy", 59)
    versions = [version for uri, version, _ in client.published if uri == client.uri("a.dy")]
    assert len(versions) < 10
    assert versions == sorted(versions)


def test_problems_of_an_imported_file_are_reported_there_and_as_it_is_in_the_editor(client: LanguageClient) -> None:
    client.folder.joinpath("parts.yaml").write_text("nodes:\n  bye: {say: Bye., end: over}\n", "utf-8")
    client.open(
        "main.flow.yaml", ORDER.replace("to: done}", "to: bye}") + "imports: [{from: parts.yaml, names: [bye]}]\n"
    )
    client.wait_for("main.flow.yaml", lambda found: "TW012" not in codes(found))
    client.open("parts.yaml", "nodes:\n  bye: {sya: Bye., end: over}\n")
    found = client.wait_for("parts.yaml", lambda found: "TW010" in codes(found))
    assert found[0]["range"]["start"] == {"line": 1, "character": 8}
    client.change("parts.yaml", 2, {"text": "nodes:\n  bye: {say: Bye., end: over}\n"})
    assert client.wait_for("parts.yaml", lambda found: found == []) == []
    client.change("parts.yaml", 3, {"text": "nodes:\n  by: {say: Bye., end: over}\n"})
    client.wait_for("main.flow.yaml", lambda found: "TW098" in codes(found))


def test_yaml_that_is_no_flow_is_left_alone_until_a_flow_imports_it(client: LanguageClient) -> None:
    text = "nodes:\n  bye: {sya: Bye., end: over}\n"
    client.open("parts.yaml", text)
    assert client.problems("parts.yaml") == []
    assert client.labels("parts.yaml", 1, 9)
    client.open("compose.yaml", "services:\n  web:\n    image: x\n    po")
    assert client.problems("compose.yaml") == []
    assert client.labels("compose.yaml", 3, 6) == []
    params = {"textDocument": {"uri": client.uri("compose.yaml")}, "options": {"tabSize": 2, "insertSpaces": True}}
    assert client.ask("textDocument/formatting", params) == []
    client.open("main.flow.yaml", ORDER + "imports: [{from: parts.yaml, names: [bye]}]\n")
    assert [code for code in codes(client.wait_for("parts.yaml", bool)) if code == "TW013"] == []
    assert "TW010" in codes(client.diagnostics[client.uri("parts.yaml")])


def test_a_closed_document_has_no_problems(client: LanguageClient) -> None:
    client.open("a.dy", PARCEL + "pack -> nowhere;\n")
    client.wait_for("a.dy", bool)
    client.close("a.dy")
    client.wait_for("a.dy", lambda found: found == [])


def test_a_file_that_is_made_later_is_found(client: LanguageClient) -> None:
    client.open("main.flow.yaml", ORDER + "imports: [{from: parts.yaml, names: [bye]}]\n")
    client.wait_for("main.flow.yaml", lambda found: "TW097" in codes(found))
    client.folder.joinpath("parts.yaml").write_text("nodes:\n  bye: {say: Bye., end: over}\n", "utf-8")
    changes = [{"uri": client.uri("parts.yaml"), "type": 1}]
    client.tell("workspace/didChangeWatchedFiles", {"changes": changes})
    client.wait_for("main.flow.yaml", lambda found: "TW097" not in codes(found))
    client.folder.joinpath("parts.yaml").unlink()
    client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri("parts.yaml"), "type": 3}]})
    client.wait_for("main.flow.yaml", lambda found: "TW097" in codes(found))


def test_a_client_that_can_is_asked_to_report_files_that_change(tmp_path: Path) -> None:
    made = LanguageClient(
        tmp_path, capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    )
    made.open("a.dy", PARCEL)
    made.problems("a.dy")
    assert [one["method"] for one in made.asked] == ["client/registerCapability"]
    assert made.stop() == 0


def test_python_guards_are_known_where_code_is_given(tmp_path: Path) -> None:
    tmp_path.joinpath("code.py").write_text(
        'print("a line that must not reach the editor")\nimport turnwise as tw\n\n\n@tw.guard\ndef is_late() -> bool:\n    return True\n',
        "utf-8",
    )
    text = ORDER.replace("when: \"order.size == 'Large'\"", "guard: is_late")
    alone = LanguageClient(tmp_path)
    alone.open("a.flow.yaml", text)
    assert "TW024" in codes(alone.problems("a.flow.yaml"))
    assert alone.stop() == 0
    made = LanguageClient(tmp_path, "--python", "code.py")
    made.open("a.flow.yaml", text)
    assert "TW024" not in codes(made.problems("a.flow.yaml"))
    assert made.stop() == 0
    assert b"must not reach" in made.stderr
