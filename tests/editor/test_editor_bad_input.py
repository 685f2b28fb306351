"""What breaks servers of editors: halves of characters, floods of edits, files that go away, huge lines, odd characters."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from editor.conftest import ORDER, PARCEL
from support.language_client import LanguageClient, insert


def is_alive(client: LanguageClient, name: str = "alive.dy") -> None:
    """The server still answers, with the text that the client has."""
    client.open(name, PARCEL)
    assert client.ask("textDocument/definition", client.at(name, 4, 20))["range"]["start"] == {
        "line": 1,
        "character": 8,
    }
    client.close(name)


def test_edits_between_the_halves_of_a_character_keep_the_text_in_step(client: LanguageClient) -> None:
    text = PARCEL.replace("Pack it.", "😀😀 {{ parcel.weight }}")
    client.open("a.dy", text)
    line = 3
    at = text.split("\n")[line].index("😀")
    client.change("a.dy", 2, insert(line, at + 1, "xx"))  # in the middle of the first pair
    client.problems("a.dy", 2)
    client.change("a.dy", 3, insert(line, at + 1, "", to=(line, at + 3)))
    assert client.problems("a.dy", 3) == []
    character = len(text.split("\n")[line][: text.split("\n")[line].index("weight")].encode("utf-16-le")) // 2
    found = client.ask("textDocument/definition", client.at("a.dy", line, character + 1))
    assert found["range"]["start"] == {"line": 1, "character": 17}


@pytest.mark.parametrize(
    ("offered", "chosen", "width"),
    [((), "utf-16", 2), (("utf-8",), "utf-8", 4), (("utf-32", "utf-16"), "utf-32", 1), (("utf-16",), "utf-16", 2)],
)
def test_positions_are_counted_as_the_client_asked(
    tmp_path: Path, offered: tuple[str, ...], chosen: str, width: int
) -> None:
    client = LanguageClient(tmp_path, encodings=offered)
    assert client.capabilities["positionEncoding"] == chosen
    client.open("a.dy", 'state a "😀"; state b; a -> b; b -> c;\n')
    found = client.problems("a.dy")
    assert found[0]["code"] == "TW138"
    assert found[0]["range"]["start"]["character"] == len('state a ""; state b; a -> b; b -> ') + width
    client.change("a.dy", 2, insert(0, 9 + width, "x"))
    found = client.problems("a.dy", 2)
    assert found[0]["range"]["start"]["character"] == len('state a "x"; state b; a -> b; b -> ') + width
    assert client.stop() == 0


def test_thousands_of_edits_are_taken_and_the_last_text_is_checked(client: LanguageClient) -> None:
    chance = random.Random(5)
    client.open("a.dy", PARCEL)
    lines = PARCEL.count("\n")
    begin = time.monotonic()
    for version in range(2, 5002, 2):
        line = chance.randrange(lines)
        character = chance.randrange(len(PARCEL.split("\n")[line]) + 1)
        client.change("a.dy", version, insert(line, character, "zz"))
        client.change("a.dy", version + 1, insert(line, character, "", to=(line, character + 2)))
    took = time.monotonic() - begin
    assert client.problems("a.dy", 5001) == []
    assert took < 60, "5,000 edits a minute"
    is_alive(client)


def test_a_document_that_is_closed_or_changed_while_it_is_checked_has_no_old_results(client: LanguageClient) -> None:
    large = "".join(f'task n{number} {{ prompt: "x"; }}\nn{number} -> n{number + 1};\n' for number in range(800))
    client.open("large.dy", large)
    time.sleep(0.4)  # the check has begun
    client.close("large.dy")
    client.open("large.dy", PARCEL, version=2)
    assert client.problems("large.dy", 2) == []
    time.sleep(1)
    assert [one for one in client.published if one[1] == 1] == []
    assert client.diagnostics[client.uri("large.dy")] == []


def test_a_file_that_is_deleted_or_was_never_there_is_no_trouble(client: LanguageClient) -> None:
    path = client.folder / "gone.dy"
    path.write_text(PARCEL, "utf-8")
    client.open("gone.dy", PARCEL)
    path.unlink()
    client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri("gone.dy"), "type": 3}]})
    assert client.problems("gone.dy") == []
    client.close("gone.dy")
    for method in ("hover", "definition", "completion"):
        client.ask(f"textDocument/{method}", client.at("never.dy", 3, 3))
    client.change("never.dy", 2, insert(0, 0, "x"))
    client.close("never.dy")
    is_alive(client)


@pytest.mark.parametrize("name", ["long.dy", "long.flow.yaml"])
def test_ten_megabytes_in_one_line_are_refused_at_once(client: LanguageClient, name: str) -> None:
    client.open(name, "x" * 10_000_000)
    assert [one["code"] for one in client.problems(name)] == ["TW002"]
    begin = time.monotonic()
    for version in range(2, 22):
        client.change(name, version, insert(0, 5_000_000, "é"))
    client.labels(name, 0, 9_000_000)
    assert client.ask("textDocument/hover", client.at(name, 0, 9_000_000)) is None
    assert [one["code"] for one in client.problems(name, 21)] == ["TW002"]
    assert time.monotonic() - begin < 60
    is_alive(client)


ODD = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "mark": lambda text: "\ufeff" + text,
    "both": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    ("name", "text", "marked"),
    [("o.dy", PARCEL + "pack -> mesure;\n", "mesure"), ("o.flow.yaml", ORDER.replace("to: done", "to: doen"), "doen")],
)
def test_places_are_right_with_other_line_breaks_and_marks(
    shared: LanguageClient, odd: str, name: str, text: str, marked: str
) -> None:
    written = ODD[odd](text)
    name = f"{odd}_{name}"
    shared.open(name, written)
    found = next(one for one in shared.problems(name) if marked in one["message"])
    lines = written.split("\n")
    begin, end = found["range"]["start"], found["range"]["end"]
    assert lines[begin["line"]][begin["character"] : end["character"]] == marked
    edits = (
        shared.ask("textDocument/rename", shared.at(name, 1, 9, newName="renamed"))
        if name.endswith(".dy")
        else {"changes": {}}
    )
    for edit in edits["changes"].get(shared.uri(name), []):
        begin, end = edit["range"]["start"], edit["range"]["end"]
        assert lines[begin["line"]][begin["character"] : end["character"]] == "parcel"


@pytest.mark.parametrize(
    "text",
    [
        "\0",
        PARCEL + "\0",
        "\ud800",
        "a\ud83d: 1",
        "\r\r\r",
        "\u2028\x85",
        "{{{{{{",
        "- " * 3000,
        "[" * 5000,
        "{" * 5000,
        "&a [*a]",
        "a: &a [*a]",
        '"',
        "'",
        "`",
        "@",
        "machine",
        "import {",
        "x -> ",
        "-" * 2000,
    ],
)
@pytest.mark.parametrize("name", ["odd.dy", "odd.flow.yaml"])
def test_no_text_ends_the_server(shared: LanguageClient, name: str, text: str) -> None:
    shared.open(name, text)
    for method in ("hover", "definition", "completion", "prepareRename"):
        for place in ((0, 0), (0, len(text)), (9, 9)):
            shared.answer(shared.begin(f"textDocument/{method}", shared.at(name, *place)))
    document = {"textDocument": {"uri": shared.uri(name)}}
    shared.ask("textDocument/documentSymbol", document)
    shared.answer(
        shared.begin("textDocument/formatting", {**document, "options": {"tabSize": 2, "insertSpaces": True}})
    )
    shared.close(name)
    is_alive(shared)


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_of_a_document_end_no_server_and_leave_the_same_text(shared: LanguageClient, seed: int) -> None:
    chance = random.Random(seed)
    name, base = [("e.dy", PARCEL), ("e.flow.yaml", ORDER)][seed % 2]
    shared.open(name, base)
    pieces = ["{", "}", '"', "->", "\n", "{{", "😀", "pack", ":", "- ", "\t", "é", "'", ";", "@"]
    for version in range(2, 60):
        line, character = chance.randrange(14), chance.randrange(30)
        shared.change(
            name,
            version,
            insert(line, character, chance.choice(pieces), to=(line + chance.randrange(2), chance.randrange(30))),
        )
        method = chance.choice(["completion", "hover", "definition"])
        shared.ask(f"textDocument/{method}", shared.at(name, line, character))
    shared.change(name, 60, {"text": base})
    assert shared.problems(name, 60) == []
    shared.close(name)


def test_a_document_without_a_file_is_checked_by_its_language(client: LanguageClient) -> None:
    for number, (language, text, code) in enumerate(
        [("dygram", "a -> b;\n", "TW138"), ("yaml", "flow: a\nnodse: {}\n", "TW010")]
    ):
        uri = f"untitled:Untitled-{number}"
        client.tell(
            "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}}
        )
        end = time.monotonic() + 60
        while uri not in client.diagnostics and time.monotonic() < end:
            time.sleep(0.05)
        assert code in [one["code"] for one in client.diagnostics[uri]]


def test_two_windows_on_one_folder_do_not_disturb_each_other(tmp_path: Path) -> None:
    tmp_path.joinpath("a.dy").write_text(PARCEL, "utf-8")
    windows = [LanguageClient(tmp_path) for _ in range(2)]
    windows[0].open("a.dy", PARCEL)
    windows[1].open("a.dy", PARCEL + "pack -> mesure;\n")
    assert windows[0].problems("a.dy") == []
    assert [one["code"] for one in windows[1].problems("a.dy")] == ["TW138"]
    assert windows[0].stop() == 0
    is_alive(windows[1])
    assert windows[1].stop() == 0


def test_messages_that_are_none_do_not_end_the_server(client: LanguageClient) -> None:
    client.may_log_errors = True
    client.send_raw(b"Content-Length: 9\r\n\r\n{not json")
    client.send({"method": "textDocument/didOpen", "params": {"nonsense": 1}})
    client.send({"method": "$/cancelRequest", "params": {"id": 999}})
    client.send({"id": 7001, "method": "no/such", "params": {}})
    client.tell("workspace/didChangeConfiguration", {"settings": {}})
    is_alive(client)


def test_a_request_that_is_cancelled_is_answered_once_and_others_go_on(client: LanguageClient) -> None:
    client.open("a.dy", PARCEL)
    numbers = [
        client.begin("textDocument/references", client.at("a.dy", 1, 9, context={"includeDeclaration": True}))
        for _ in range(20)
    ]
    for number in numbers[::2]:
        client.tell("$/cancelRequest", {"id": number})
    for number in numbers:
        found = client.answer(number)
        assert "error" in found or len(found["result"]) == 4
    is_alive(client)


def test_the_server_ends_when_the_editor_is_gone(tmp_path: Path) -> None:
    client = LanguageClient(tmp_path)
    client.open("a.dy", PARCEL)
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(60) is not None
    client.kill()
