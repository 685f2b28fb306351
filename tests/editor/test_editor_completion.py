"""Completion of keys, names, fields, tools, options and guard names, by a real client, also in broken documents."""

from __future__ import annotations

import pytest

from editor.conftest import ORDER, PARCEL
from support.language_client import LanguageClient

TAIL = {".dy": "task { { ;\n", ".flow.yaml": "  ? [broken\n"}
CASES = [
    ("d.dy", PARCEL + "mea|", ["measure"]),
    ("d.dy", PARCEL + "ta|", ["task"]),
    ("d.dy", PARCEL + "measure -> pa|", ["parcel", "pack"]),
    ("d.dy", PARCEL + "measure -> pack, me|", ["measure"]),
    ("d.dy", PARCEL + "measure -wh|", ["when:"]),
    ("d.dy", PARCEL + "measure -@pri|", ["priority"]),
    ("d.dy", PARCEL + 'measure -when: "par|', ["parcel"]),
    ("d.dy", PARCEL + 'measure -when: "parcel.|', ["weight", "address"]),
    ("d.dy", PARCEL + 'measure -when: "tur|', ["turns"]),
    ("d.dy", PARCEL + 'measure -when: "vis|', ["visits"]),
    ("d.dy", PARCEL + "task later @st|", ["start"]),
    ("d.dy", PARCEL + "task later { pro|", ["prompt"]),
    ("d.dy", PARCEL + "task later {\n  tim|", ["timeout"]),
    ("d.dy", PARCEL + 'task later { prompt: "Say {{ parcel.ad|', ["address"]),
    ("d.dy", PARCEL + "task later { transcript: al|", ["all"]),
    ("d.dy", PARCEL + 'task later { writes: ["parcel.we|', ["parcel.weight"]),
    ("d.dy", PARCEL + "context more { day<Da|", ["Date"]),
    ("d.dy", PARCEL.replace(";", " { auto|", 1), ["autonomous"]),
    ("k.flow.yaml", ORDER + "lim|", ["limits"]),
    ("k.flow.yaml", ORDER + "  more:\n    pro|", ["prompt"]),
    ("k.flow.yaml", ORDER + "  more:\n    transitions:\n      - whe|", ["when"]),
    ("k.flow.yaml", ORDER + "  more:\n    transitions:\n      - to: do|", ["done"]),
    ("k.flow.yaml", ORDER + "  more:\n    transitions:\n    - to: do|", ["done"]),
    ("k.flow.yaml", ORDER + "  more:\n    transitions: [{when: order.si|", ["size"]),
    ("k.flow.yaml", ORDER + "  more: {transitions: [{to: a|", ["ask"]),
    ("k.flow.yaml", ORDER + "  more:\n    once: d|", ["done"]),
    ("k.flow.yaml", ORDER + "  more:\n    writes: [order.n|", ["order.note"]),
    ("k.flow.yaml", ORDER + "  more:\n    tools: [pr|", ["price"]),
    ("k.flow.yaml", ORDER + "  more:\n    tools:\n      allow:\n        - pr|", ["price"]),
    ("k.flow.yaml", ORDER + "  more:\n    say: 'Your {{ order.|", ["size", "note"]),
    ("k.flow.yaml", ORDER + "  more:\n    transcript: al|", ["all"]),
    ("k.flow.yaml", ORDER + "  more:\n    collect: order.n|", ["order.note"]),
    ("k.flow.yaml", ORDER + "  more:\n    transitions:\n      - at: be|", ["before"]),
    ("k.flow.yaml", ORDER + "busy: re|", ["reject"]),
    ("k.flow.yaml", ORDER + "autonomous: |", ["true", "false"]),
    ("k.flow.yaml", ORDER + "records:\n  x:\n    y: {type: dat|", ["date", "datetime"]),
    ("k.flow.yaml", ORDER.replace("start: ask", "start: a|"), ["ask"]),
]


@pytest.mark.parametrize("is_broken", [False, True], ids=["last", "broken"])
@pytest.mark.parametrize(("name", "marked", "expected"), CASES, ids=[case[1][-30:] for case in CASES])
def test_what_may_stand_here_is_offered_first(
    shared: LanguageClient, name: str, marked: str, expected: list[str], is_broken: bool
) -> None:
    at = marked.rindex("|")
    before, after = marked[:at], marked[at + 1 :] + ("\n" + TAIL[name[1:]] if is_broken else "")
    base = PARCEL if name.endswith(".dy") else ORDER
    shared.open(name, base)
    shared.problems(name)
    shared.change(name, 2, {"text": before + after})
    found = shared.labels(name, before.count("\n"), len(before) - before.rfind("\n") - 1)
    assert found[: len(expected)] == expected


def test_the_edit_of_an_offer_takes_the_place_of_what_is_typed(shared: LanguageClient) -> None:
    shared.open("e.dy", PARCEL + "measure -> pac")
    found = shared.ask("textDocument/completion", shared.at("e.dy", 7, 14))["items"][0]
    assert found["textEdit"] == {
        "newText": "pack",
        "range": {"start": {"line": 7, "character": 11}, "end": {"line": 7, "character": 14}},
    }


def test_a_key_that_is_there_is_not_offered_again(shared: LanguageClient) -> None:
    shared.open("t.flow.yaml", ORDER.replace("    writes:", "    w\n    writes:"))
    assert shared.labels("t.flow.yaml", 9, 5) == [one for one in shared.labels("t.flow.yaml", 9, 5) if one != "writes"]
    assert "prompt" not in shared.labels("t.flow.yaml", 9, 4)


def test_names_that_are_imported_are_offered(shared: LanguageClient) -> None:
    shared.open("i.flow.yaml", ORDER + "imports: [{from: x.yaml, names: [goodbye]}]\n")
    shared.problems("i.flow.yaml")
    shared.change(
        "i.flow.yaml",
        2,
        {"text": ORDER.replace("to: done", "to: good") + "imports: [{from: x.yaml, names: [goodbye]}]\n"},
    )
    assert shared.labels("i.flow.yaml", 12, 47)[:1] == ["goodbye"]


def test_many_names_are_offered_in_part_and_asked_for_again(shared: LanguageClient) -> None:
    text = "".join(f'task n{number} {{ prompt: "x"; }}\n' for number in range(500))
    shared.open("many.dy", text + "n1 -> n")
    found = shared.ask("textDocument/completion", shared.at("many.dy", 500, 7))
    assert found["isIncomplete"] is True
    assert len(found["items"]) == 200
