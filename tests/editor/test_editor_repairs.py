"""Code actions for the diagnostics that know their repair, and formatting; each repaired document loses the problem."""

from __future__ import annotations

import pytest

from editor.conftest import ORDER, PARCEL
from support.language_client import LanguageClient, applied

FORMAT = {"tabSize": 2, "insertSpaces": True}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}


def actions(client: LanguageClient, name: str) -> list[dict]:
    params = {"textDocument": {"uri": client.uri(name)}, "range": WHOLE, "context": {"diagnostics": []}}
    return client.ask("textDocument/codeAction", params)


REPAIRS = [
    ("nearest.dy", PARCEL + "pack -> mesure;\n", "Change 'mesure' to 'measure'", "pack -> measure;\n"),
    ("arrow.dy", PARCEL + "pack ==> measure;\n", "Write '=>'", "pack => measure;\n"),
    ("unicode.dy", PARCEL + "pack → measure;\n", "Write '->'", "pack -> measure;\n"),
    (
        "guard.dy",
        PARCEL + "pack -when: parcel.weight > 2-> measure;\n",
        'Write "parcel.weight > 2"',
        'when: "parcel.weight > 2"-> measure',
    ),
    (
        "label.dy",
        PARCEL + "pack -all is packed-> measure;\n",
        'Write "all is packed"',
        'pack -"all is packed"-> measure',
    ),
    ("comma.dy", PARCEL.replace('address: "";', 'address: "";;'), "Leave out ';'", 'address: ""; }'),
    ("curly.dy", PARCEL.replace('"Pack it."', "“Pack it.”"), 'Write "Pack it."', 'prompt: "Pack it."'),
    (
        "field.dy",
        PARCEL + 'pack -when: "parcel.wieght > 2"-> measure;\n',
        "Change 'wieght' to 'weight'",
        "parcel.weight > 2",
    ),
    ("hyphen.dy", PARCEL + "task wrap-up;\n", "Write 'wrap_up'", "task wrap_up;\n"),
    ("target.flow.yaml", ORDER.replace("to: done", "to: doen"), "Change 'doen' to 'done'", "to: done}"),
    (
        "key.flow.yaml",
        ORDER.replace("    writes:", "    wrties:"),
        "Change 'wrties' to 'writes'",
        "    writes: [order]",
    ),
    ("tool.flow.yaml", ORDER.replace("[price]", "[prise]"), "Change 'prise' to 'price'", "tools: [price]"),
    (
        "option.flow.yaml",
        ORDER.replace("{type: choice", "{type: chioce"),
        "Change 'chioce' to 'choice'",
        "{type: choice",
    ),
    ("colon.flow.yaml", ORDER + "title: Order: now\n", 'Write "Order: now"', 'title: "Order: now"\n'),
]


@pytest.mark.parametrize(("name", "text", "title", "expected"), REPAIRS, ids=[one[0] for one in REPAIRS])
def test_a_problem_that_knows_its_repair_is_repaired(
    shared: LanguageClient, name: str, text: str, title: str, expected: str
) -> None:
    shared.open(name, text)
    before = shared.problems(name)
    found = {one["title"]: one for one in actions(shared, name)}
    assert title in found, (list(found), before)
    repair = found[title]
    made = applied_to(text, repair["edit"]["changes"][shared.uri(name)])
    assert expected in made
    shared.change(name, 2, {"text": made})
    after = shared.problems(name, 2)
    assert repair["diagnostics"][0]["message"] not in [one["message"] for one in after]


def applied_to(text: str, edits: list[dict]) -> str:
    """The text after edits; all its characters are one unit of UTF-16."""
    assert max(text) <= "\uffff"
    return applied(text, edits)


def test_what_only_edges_name_can_be_declared(shared: LanguageClient) -> None:
    text = PARCEL + "pack -> warehouse;\n"
    shared.open("declare.dy", text)
    shared.wait_for("declare.dy", bool)
    found = [one for one in actions(shared, "declare.dy") if one["title"].startswith("Declare")]
    made = applied(text, found[0]["edit"]["changes"][shared.uri("declare.dy")])
    assert made.endswith("pack -> warehouse;\nstate warehouse;\n")
    shared.change("declare.dy", 2, {"text": made})
    assert "TW138" not in [one["code"] for one in shared.problems("declare.dy", 2)]


def test_a_document_without_problems_has_nothing_to_repair(shared: LanguageClient) -> None:
    shared.open("fine.dy", PARCEL)
    assert shared.problems("fine.dy") == []
    assert actions(shared, "fine.dy") == []


def test_edits_have_the_version_of_the_document_where_the_client_knows_them(tmp_path) -> None:
    client = LanguageClient(tmp_path, capabilities={"workspace": {"workspaceEdit": {"documentChanges": True}}})
    client.open("a.dy", PARCEL + "pack -> mesure;\n", version=7)
    client.problems("a.dy")
    edit = actions(client, "a.dy")[0]["edit"]
    assert edit["documentChanges"][0]["textDocument"] == {"uri": client.uri("a.dy"), "version": 7}
    assert client.stop() == 0


# format ------------------------------------------------------------------------------------------


def formatted(client: LanguageClient, name: str, text: str) -> str:
    params = {"textDocument": {"uri": client.uri(name)}, "options": FORMAT}
    return applied(text, client.ask("textDocument/formatting", params))


def test_a_document_is_formatted_as_the_command_does(shared: LanguageClient) -> None:
    from turnwise.authoring.canonical import canonical_text

    for name, text in (("form.dy", PARCEL.replace("; ", ";   ")), ("form.flow.yaml", ORDER)):
        shared.open(name, text)
        made = formatted(shared, name, text)
        assert made == canonical_text(text, name)
        shared.change(name, 2, {"text": made})
        assert (
            shared.ask("textDocument/formatting", {"textDocument": {"uri": shared.uri(name)}, "options": FORMAT}) == []
        )


def test_a_comment_of_a_flow_in_yaml_stays(shared: LanguageClient) -> None:
    text = "# kept\n" + ORDER.replace("start: ask", "start:   ask  # here")
    shared.open("comment.flow.yaml", text)
    made = formatted(shared, "comment.flow.yaml", text)
    assert "# kept\n" in made
    assert "start: ask  # here\n" in made


def test_line_breaks_of_windows_stay(shared: LanguageClient) -> None:
    text = PARCEL.replace("; ", ";   ").replace("\n", "\r\n")
    shared.open("crlf.dy", text)
    made = formatted(shared, "crlf.dy", text)
    assert made.count("\r\n") == made.count("\n") > 5


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("no.dy", PARCEL + "task { {\n", "not formatted"),
        ("open.flow.yaml", ORDER + "x: [", "not formatted"),
    ],
)
def test_a_document_that_cannot_be_formatted_is_refused_with_the_reason(
    shared: LanguageClient, name: str, text: str, said: str
) -> None:
    shared.open(name, text)
    assert said in shared.refused(
        "textDocument/formatting", {"textDocument": {"uri": shared.uri(name)}, "options": FORMAT}
    )
