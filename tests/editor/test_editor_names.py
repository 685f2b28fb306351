"""Definition, references, rename over files, hover and symbols, each by a real client, also in broken documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from editor.conftest import ORDER, PARCEL
from support.language_client import LanguageClient, applied

BROKEN = {".dy": "task { { ;\n", ".flow.yaml": "  ? [broken\n"}


def spot(text: str, marked: str) -> tuple[int, int]:
    """The place of `|` in a piece of a text."""
    before, after = marked.split("|")
    assert text.count(before + after) == 1, text.count(before + after)
    at = text.index(before + after) + len(before)
    return text[:at].count("\n"), at - text.rfind("\n", 0, at) - 1


def words_at(text: str, places: list[dict]) -> list[str]:
    lines = text.split("\n")
    return [
        lines[one["range"]["start"]["line"]][one["range"]["start"]["character"] : one["range"]["end"]["character"]]
        for one in places
    ]


DEFINITIONS = [
    ("a.dy", PARCEL, "-> pa|ck;\npack ->", (3, 5)),
    ("a.dy", PARCEL, "par|cel.weight > 3", (1, 8)),
    ("a.dy", PARCEL, "parcel.wei|ght > 3", (1, 17)),
    ("a.dy", PARCEL, "{{ parcel.addr|ess", (1, 28)),
    ("a.flow.yaml", ORDER, "to: do|ne", (13, 2)),
    ("a.flow.yaml", ORDER, "start: a|sk", (7, 2)),
    ("a.flow.yaml", ORDER, "writes: [or|der]", (3, 2)),
    ("a.flow.yaml", ORDER, "tools: [pr|ice]", (5, 2)),
    ("a.flow.yaml", ORDER, "order.si|ze == 'Large'", (3, 10)),
]


@pytest.mark.parametrize("is_broken", [False, True], ids=["good", "broken"])
@pytest.mark.parametrize(("name", "text", "marked", "expected"), DEFINITIONS)
def test_a_name_leads_to_its_declaration(
    shared: LanguageClient, name: str, text: str, marked: str, expected: tuple[int, int], is_broken: bool
) -> None:
    line, character = spot(text, marked)
    whole = text + (BROKEN[name[1:]] if is_broken else "")
    shared.open(name, whole)
    found = shared.ask("textDocument/definition", shared.at(name, line, character))
    assert found["uri"] == shared.uri(name)
    assert (found["range"]["start"]["line"], found["range"]["start"]["character"]) == expected


@pytest.mark.parametrize("is_broken", [False, True], ids=["good", "broken"])
@pytest.mark.parametrize(
    ("name", "text", "marked", "count"),
    [
        ("r.dy", PARCEL, "context par|cel", 4),
        ("r.dy", PARCEL, "task pa|ck", 3),
        ("r.flow.yaml", ORDER, "records:\n  or|der", 5),
        ("r.flow.yaml", ORDER, "{si|ze: {type", 4),
    ],
)
def test_a_name_is_found_wherever_it_is_written(
    shared: LanguageClient, name: str, text: str, marked: str, count: int, is_broken: bool
) -> None:
    whole = text + (BROKEN[name[1:]] if is_broken else "")
    shared.open(name, whole)
    params = shared.at(name, *spot(text, marked), context={"includeDeclaration": True})
    found = shared.ask("textDocument/references", params)
    assert len(found) == count
    assert len(set(words_at(whole, found))) == 1
    params["context"]["includeDeclaration"] = False
    assert len(shared.ask("textDocument/references", params)) == count - 1


# hover -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_broken", [False, True], ids=["good", "broken"])
@pytest.mark.parametrize(
    ("name", "text", "marked", "said"),
    [
        ("h.dy", PARCEL, "writes-> par|cel", ["context parcel", "weight: 0"]),
        ("h.dy", PARCEL, "\npack -> mea|sure", ['task measure "Weigh"']),
        ("h.dy", PARCEL, "parcel.wei|ght > 3", ["field parcel.weight = 0"]),
        ("h.flow.yaml", ORDER, "order.si|ze ==", ["field order.size: choice", "options: Small, Large"]),
        ("h.flow.yaml", ORDER, "tools: [pri|ce", ["tool price", "says what it costs"]),
        ("h.flow.yaml", ORDER, "to: do|ne", ["node done (say)"]),
        ("h.flow.yaml", ORDER, "    wri|tes:", ["**writes**", "records or fields that the model may write"]),
    ],
)
def test_what_a_name_is_is_shown(
    shared: LanguageClient, name: str, text: str, marked: str, said: list[str], is_broken: bool
) -> None:
    shared.open(name, text + (BROKEN[name[1:]] if is_broken else ""))
    found = shared.ask("textDocument/hover", shared.at(name, *spot(text, marked)))["contents"]["value"]
    for one in said:
        assert one in found


def test_nothing_is_shown_between_names(shared: LanguageClient) -> None:
    shared.open("n.dy", PARCEL + "\n\n\n")
    assert shared.ask("textDocument/hover", shared.at("n.dy", 9, 0)) is None
    assert shared.ask("textDocument/definition", shared.at("n.dy", 9, 0)) is None


# symbols -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_broken", [False, True], ids=["good", "broken"])
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("s.dy", PARCEL, {"parcel": ["weight", "address"], "measure": [], "pack": []}),
        ("s.flow.yaml", ORDER, {"order": ["size", "note"], "price": ["size"], "ask": [], "done": []}),
    ],
)
def test_the_outline_has_the_declarations(
    shared: LanguageClient, name: str, text: str, expected: dict[str, list[str]], is_broken: bool
) -> None:
    shared.open(name, text + (BROKEN[name[1:]] if is_broken else ""))
    found = shared.ask("textDocument/documentSymbol", {"textDocument": {"uri": shared.uri(name)}})
    assert {one["name"]: [inner["name"] for inner in one["children"]] for one in found} == expected
    for one in found:
        assert one["range"]["start"]["line"] <= one["selectionRange"]["start"]["line"] <= one["range"]["end"]["line"]


def test_declarations_of_all_files_are_found_by_a_part_of_the_name(client: LanguageClient) -> None:
    client.folder.joinpath("closed.flow.yaml").write_text(ORDER, "utf-8")
    client.open("open.dy", PARCEL)
    found = client.ask("workspace/symbol", {"query": "EAS"})
    assert [(one["name"], one["containerName"]) for one in found] == [("measure", "open.dy")]
    found = client.ask("workspace/symbol", {"query": "order"})
    assert {one["location"]["uri"] for one in found} == {client.uri("closed.flow.yaml")}


# rename ------------------------------------------------------------------------------------------


def renamed(client: LanguageClient, name: str, text: str, marked: str, new: str) -> dict[str, str]:
    """The texts of all files after a rename."""
    edit = client.ask("textDocument/rename", client.at(name, *spot(text, marked), newName=new))
    made = {}
    for uri, edits in edit["changes"].items():
        file = uri.rpartition("/")[2]
        before = text if file == name else client.folder.joinpath(file).read_text("utf-8")
        made[file] = applied(before, edits)
    return made


@pytest.mark.parametrize(
    ("name", "text", "marked", "old", "new"),
    [
        ("m.dy", PARCEL, "writes-> par|cel", "parcel", "box"),
        ("m.dy", PARCEL, "{{ parcel.add|ress", "address", "street"),
        ("m.dy", PARCEL, "\npa|ck -> measure", "pack", "wrap_it"),
        ("m.flow.yaml", ORDER, "to: do|ne", "done", "finished"),
        ("m.flow.yaml", ORDER, "order.si|ze ==", "size", "how_big"),
        ("m.flow.yaml", ORDER, "tools: [pr|ice", "price", "shop.cost"),
    ],
)
def test_a_name_is_renamed_everywhere_and_the_document_stays_good(
    shared: LanguageClient, name: str, text: str, marked: str, old: str, new: str
) -> None:
    shared.open(name, text)
    made = renamed(shared, name, text, marked, new)
    assert list(made) == [name]
    assert new in made[name]
    again = f"after_{name}"
    shared.open(again, made[name])
    assert shared.problems(again) == []
    if old != "size":  # the argument of the tool has that name too
        assert not re.search(rf"\b{old}\b", made[name].replace("Pack", ""))


def test_an_argument_of_a_tool_that_has_the_name_of_a_field_stays(shared: LanguageClient) -> None:
    shared.open("g.flow.yaml", ORDER)
    made = renamed(shared, "g.flow.yaml", ORDER, "order.si|ze ==", "how_big")["g.flow.yaml"]
    assert "args: {size: string}" in made
    assert shared.refused("textDocument/rename", shared.at("g.flow.yaml", *spot(ORDER, "args: {si|ze"), newName="x"))


NESTED = """machine "Two mornings";
context log { text: ""; }
task morning {
  task greet { prompt: "Greet, {{ log.text }}."; }
  greet -> evening.greet;
}
task evening {
  task greet { prompt: "Greet again."; say: "x"; }
}
morning.greet -when: "log.text == \\"a\\""-> evening.greet;
start_here -> morning.greet;
state start_here { }
"""


def test_parts_of_qualified_names_are_renamed_each_by_itself(shared: LanguageClient) -> None:
    shared.open("q.dy", NESTED)
    made = renamed(shared, "q.dy", NESTED, "task mor|ning", "dawn")["q.dy"]
    assert "task dawn {" in made and "dawn.greet -when" in made and "start_here -> dawn.greet" in made
    assert "evening.greet" in made
    made = renamed(shared, "q.dy", NESTED, "start_here -> morning.gr|eet", "hello")["q.dy"]
    assert 'task hello { prompt: "Greet, ' in made
    assert 'task greet { prompt: "Greet again' in made
    assert "  hello -> evening.greet;" in made


def test_names_of_the_flow_in_attributes_are_renamed_too(shared: LanguageClient) -> None:
    text = NESTED.replace('"Two mornings";', '"Two mornings" { start: "morning.greet"; };')
    shared.open("f.dy", text)
    made = renamed(shared, "f.dy", text, "task mor|ning", "dawn")["f.dy"]
    assert 'start: "dawn.greet"' in made


DESK = """machine "Desk" { autonomous: false; };
state desk {
  context memo { text<string>; tags<List<string>>; }
  tool weigh { input: { size: "integer"; }; }
  state parcel {
    scope: { inherits: ["desk.memo"]; returns: "desk.memo"; start: "ask"; nodes: { ask: { say: "{{ desk.memo.text }}"; end: "asked"; }; }; };
  }
  task note @start { prompt: "{{ memo.text }}, {{ desk.memo.text }}, {{ for tag in desk.memo.tags }}{{ tag }}{{ end }}"; }
  note -writes-> memo;
  note -> weigh;
  note -when: "desk.memo.text != '' && desk.memo.tags.exists(t, t == 'a') && tools.used('desk.weigh')"-> parcel;
  note -> shut;
  parcel -> shut;
}
state shut { set: { desk.memo.text: "null"; }; say: "Shut."; end: "shut"; }
"""
DESK_YAML = """flow: desk
start: note
records:
  desk.memo: {text: string, tags: {type: list, of: string}}
nodes:
  note:
    prompt: "{{ desk.memo.text }}"
    collect: [desk.memo]
    reads: [desk.memo.tags]
    transitions: [{at: after, when: 'has(desk.memo.text) && desk.memo.tags.exists(t, t == "a")', to: end}]
  end: {say: Bye., set: {desk.memo.text: "null"}, end: done}
"""


@pytest.mark.parametrize(
    ("name", "text", "marked", "old", "new", "count"),
    [
        ("d.dy", DESK, "context me|mo", "memo", "letter", 11),
        ("d.dy", DESK, "writes-> me|mo", "memo", "letter", 11),
        ("d.dy", DESK, "set: { desk.me|mo", "memo", "letter", 11),
        ("d.dy", DESK, "{{ memo.te|xt }}, {{", "text", "words", 6),
        ("d.dy", DESK, "tools.used('desk.we|igh", "weigh", "scale", 3),
        ("d.dy", DESK, "\nstate de|sk {", "desk", "counter", 10),
        ("d.flow.yaml", DESK_YAML, "reads: [desk.me|mo", "desk.memo", "desk.letter", 7),
        ("d.flow.yaml", DESK_YAML, "has(desk.memo.te|xt", "text", "words", 4),
    ],
)
def test_what_stands_in_a_node_is_renamed_wherever_its_path_is_written(
    shared: LanguageClient, name: str, text: str, marked: str, old: str, new: str, count: int
) -> None:
    shared.open(name, text)
    assert shared.problems(name) == []
    made = renamed(shared, name, text, marked, new)[name]
    assert made.count(new) - text.count(new) == count, made
    assert not re.search(rf"\b{re.escape(old)}\b", made), made
    shared.open(f"after_{name}", made)
    assert shared.problems(f"after_{name}") == []


@pytest.mark.parametrize(
    ("name", "text", "marked", "said"),
    [
        ("h.dy", DESK, "{{ for tag in desk.memo.ta|gs", "field desk.memo.tags"),
        ("h.dy", DESK, "writes-> me|mo", "context desk.memo"),
        ("h.dy", DESK, "note -> we|igh", "tool desk.weigh"),
        ("h.flow.yaml", DESK_YAML, "collect: [desk.me|mo", "desk.memo"),
    ],
)
def test_hover_shows_the_path(shared: LanguageClient, name: str, text: str, marked: str, said: str) -> None:
    shared.open(name, text)
    found = str(shared.ask("textDocument/hover", shared.at(name, *spot(text, marked)))["contents"])
    assert said in found
    assert "__" not in found


def project(client: LanguageClient) -> None:
    client.folder.joinpath("shop.dy").write_text(
        'context cart { total: 0; }\ntask pay { prompt: "Pay {{ cart.total }}."; }\n', "utf-8"
    )
    client.folder.joinpath("main.dy").write_text(
        'import { pay, cart } from "./shop.dy";\nmachine "Main";\ntask go { prompt: "Go."; }\ngo -writes-> cart;\n'
        'go -when: "cart.total > 1"-> pay;\ngo -> go;\n',
        "utf-8",
    )
    client.folder.joinpath("other.dy").write_text(
        'import { pay as settle } from "./shop.dy";\nmachine "Other";\ntask go { prompt: "Go."; }\ngo -> settle;\n',
        "utf-8",
    )
    client.folder.joinpath("flow.flow.yaml").write_text(
        "flow: f\nstart: a\nimports: [{from: shop.dy, names: [pay, cart as basket]}]\nnodes:\n"
        "  a: {say: '{{ basket.total }}', transitions: [{when: basket.total > 1, to: pay}]}\n",
        "utf-8",
    )


def test_a_name_is_renamed_in_the_files_that_import_it(client: LanguageClient) -> None:
    project(client)
    text = client.folder.joinpath("main.dy").read_text("utf-8")
    client.open("main.dy", text)
    made = renamed(client, "main.dy", text, 'cart.total > 1"-> pa|y', "check_out")
    assert sorted(made) == ["flow.flow.yaml", "main.dy", "other.dy", "shop.dy"]
    assert "task check_out" in made["shop.dy"]
    assert "import { check_out, cart }" in made["main.dy"] and '"-> check_out;' in made["main.dy"]
    assert "import { check_out as settle }" in made["other.dy"] and "go -> settle;" in made["other.dy"]
    assert "names: [check_out, cart as basket]" in made["flow.flow.yaml"] and "to: check_out" in made["flow.flow.yaml"]
    for file, content in made.items():
        client.folder.joinpath(file).write_text(content, "utf-8")
    client.change("main.dy", 2, {"text": made["main.dy"]})
    assert [one["code"] for one in client.problems("main.dy", 2) if one["severity"] == 1] == []


def test_a_field_is_renamed_in_the_files_that_import_its_record(client: LanguageClient) -> None:
    project(client)
    text = client.folder.joinpath("shop.dy").read_text("utf-8")
    client.open("shop.dy", text)
    made = renamed(client, "shop.dy", text, "{ tot|al: 0", "amount")
    assert sorted(made) == ["flow.flow.yaml", "main.dy", "shop.dy"]
    assert "cart.amount > 1" in made["main.dy"]
    assert "{{ basket.amount }}" in made["flow.flow.yaml"] and "when: basket.amount" in made["flow.flow.yaml"]


def test_a_name_given_by_as_is_one_of_its_own(client: LanguageClient) -> None:
    project(client)
    text = client.folder.joinpath("other.dy").read_text("utf-8")
    client.open("other.dy", text)
    made = renamed(client, "other.dy", text, "go -> set|tle", "close_it")
    assert list(made) == ["other.dy"]
    assert "import { pay as close_it }" in made["other.dy"] and "go -> close_it;" in made["other.dy"]


def test_a_definition_in_another_file_is_found_and_a_file_is_one_too(client: LanguageClient) -> None:
    project(client)
    text = client.folder.joinpath("flow.flow.yaml").read_text("utf-8")
    client.open("flow.flow.yaml", text)
    found = client.ask("textDocument/definition", client.at("flow.flow.yaml", *spot(text, "basket.tot|al > 1")))
    assert (found["uri"], found["range"]["start"]) == (client.uri("shop.dy"), {"line": 0, "character": 15})
    found = client.ask("textDocument/definition", client.at("flow.flow.yaml", *spot(text, "from: sh|op.dy")))
    assert found["uri"] == client.uri("shop.dy")


@pytest.mark.parametrize(
    ("name", "text", "marked", "new", "said"),
    [
        ("z.dy", PARCEL, "task pa|ck", "two words", "is no name"),
        ("z.dy", PARCEL, "task pa|ck", "", "is no name"),
        ("z.dy", PARCEL, "task pa|ck", "machine", "a word of DyGram"),
        ("z.dy", PARCEL, "task pa|ck", "measure", "has the name 'measure' already"),
        ("z.dy", PARCEL, "{ wei|ght: 0", "address", "has the name 'address' already"),
        ("z.dy", PARCEL, 'machine "Par|cel desk', "x", "no name here"),
        ("z.flow.yaml", ORDER, "to: do|ne", "ask", "has the name 'ask' already"),
        ("z.flow.yaml", ORDER, "to: do|ne", "a-b", "is no name"),
        ("z.flow.yaml", ORDER, "{si|ze: {type", "note", "has the name 'note' already"),
    ],
)
def test_a_rename_that_cannot_be_is_refused_with_the_reason(
    shared: LanguageClient, name: str, text: str, marked: str, new: str, said: str
) -> None:
    shared.open(name, text)
    assert said in shared.refused("textDocument/rename", shared.at(name, *spot(text, marked), newName=new))


def test_a_rename_that_would_capture_another_name_is_refused(shared: LanguageClient) -> None:
    text = "state a { state b { }\nstate c { }\nb -> d; }\nstate d { }\n"
    shared.open("capture.dy", text)
    said = shared.refused("textDocument/rename", shared.at("capture.dy", 1, 6, newName="d"))
    assert "would mean something else" in said or "already" in said


PIZZAS = """flow: shop
start: ask
records:
  box: {size: {type: choice, options: [Small, Large]}}
  pizza: {size: {type: choice, options: [Small, Large]}, note: {type: string, default: plain}}
  order:
    pizzas: {type: list, of: pizza}
    favourite: {type: string, options_from: {list: order.pizzas, label: "{{ option.size }}", value: size}}
nodes:
  ask:
    prompt: "{{ for one in order.pizzas }}{{ one.size }}, {{ one.note }}{{ end }}{{ box.size }}"
    form:
      fields:
        - field: order.pizzas
          label: "{{ pizza.size }} {{ box.size }}"
          items: [{field: size, ask: Which size?}, {field: note}]
        - field: order.favourite
    transitions:
      - {to: done, when: 'order.pizzas.exists(p, p.size == "Large") && box.size == "Small"'}
      - {to: done, when: 'order.pizzas.filter(p, p.size == "Small").exists(q, q.note == "x")'}
  done:
    say: "{{ for number, y in order.pizzas.filter(p, p.size == 'Small') }}{{ number }}: {{ y.size }}{{ end }}"
    end: done
"""


def test_a_field_of_the_items_of_a_list_is_renamed_in_loops_labels_questions_and_macros(shared: LanguageClient) -> None:
    shared.open("items.flow.yaml", PIZZAS)
    assert [one for one in shared.problems("items.flow.yaml") if one["severity"] == 1] == []
    made = renamed(shared, "items.flow.yaml", PIZZAS, "pizza: {si|ze", "how_big")["items.flow.yaml"]
    expected = PIZZAS
    for old, new in (
        ("pizza: {size", "pizza: {how_big"),
        ("one.size", "one.how_big"),
        ("pizza.size", "pizza.how_big"),
        ("{field: size", "{field: how_big"),
        ("option.size", "option.how_big"),
        ("value: size", "value: how_big"),
        ("p.size", "p.how_big"),
        ("y.size", "y.how_big"),
    ):
        assert old in expected
        expected = expected.replace(old, new)
    assert made == expected, "what is called the same elsewhere stays"
    shared.open("after_items.flow.yaml", made)
    assert [one for one in shared.problems("after_items.flow.yaml") if one["severity"] == 1] == []


def test_in_dygram_a_field_of_the_items_of_a_list_is_renamed_in_loops_and_macros(shared: LanguageClient) -> None:
    text = """machine "Shop" { start: ask; }
type Pizza { size<string>; note<string>; }
context order { pizzas<List<Pizza>>; size<string>; }
task ask { prompt: "{{ for one in order.pizzas }}{{ one.size }}{{ end }} {{ order.size }}"; }
state done { end: "done"; }
ask -when: "order.pizzas.exists(p, p.size == order.size)"-> done;
"""
    shared.open("items.dy", text)
    made = renamed(shared, "items.dy", text, "Pizza { si|ze", "how_big")["items.dy"]
    expected = text.replace("{ size<", "{ how_big<").replace("one.size", "one.how_big").replace("p.size", "p.how_big")
    assert made == expected
    made = renamed(shared, "items.dy", text, "one.si|ze", "how_big")["items.dy"]
    assert made == expected, "from a loop too"


def test_a_rename_that_would_leave_the_old_name_somewhere_is_refused_with_the_place(shared: LanguageClient) -> None:
    hidden = "{{ order.pizzas.filter(a, a.note == 'x').exists(b, b.size == 'Small') }}"
    text = PIZZAS.replace("  done:\n    say:", f'  done:\n    entry: "{hidden}"\n    say:')
    shared.open("hidden.flow.yaml", text)
    said = shared.refused(
        "textDocument/rename", shared.at("hidden.flow.yaml", *spot(text, "pizza: {si|ze"), newName="big")
    )
    assert "'size' is used where no rename reaches: hidden.flow.yaml:22 would have TW031 then" in said


def test_a_collision_in_a_file_that_imports_the_name_is_refused(client: LanguageClient) -> None:
    project(client)
    text = client.folder.joinpath("shop.dy").read_text("utf-8")
    client.open("shop.dy", text)
    said = client.refused("textDocument/rename", client.at("shop.dy", *spot(text, "task pa|y"), newName="go"))
    assert "main.dy has the name 'go' already" in said


def test_a_broken_document_is_renamed_unless_the_broken_part_may_name_it(shared: LanguageClient) -> None:
    good = PARCEL + "task { { ;\n"
    shared.open("b.dy", good)
    assert "wrap" in renamed(shared, "b.dy", good, "task pa|ck", "wrap")["b.dy"]
    bad = PARCEL + "measure ->> pack { { ;\n"
    shared.open("c.dy", bad)
    said = shared.refused("textDocument/rename", shared.at("c.dy", *spot(bad, "task pa|ck"), newName="wrap"))
    assert "cannot be read whole, and line 8 may name 'pack'" in said


def test_the_name_that_would_be_renamed_is_shown_first(shared: LanguageClient) -> None:
    shared.open("p.dy", PARCEL)
    found = shared.ask("textDocument/prepareRename", shared.at("p.dy", *spot(PARCEL, "writes-> par|cel")))
    assert found["placeholder"] == "parcel"
    assert shared.refused("textDocument/prepareRename", shared.at("p.dy", 0, 2))


def test_a_document_that_leads_out_of_the_project_is_not_followed(
    client: LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside: Path = tmp_path_factory.mktemp("outside") / "secret.dy"
    outside.write_text('task hidden { prompt: "x"; }\n', "utf-8")
    client.folder.joinpath("link.dy").symlink_to(outside)
    text = 'import { hidden } from "./link.dy";\nmachine "M";\ntask go { prompt: "x"; }\ngo -> hidden;\n'
    client.open("a.dy", text)
    assert "TW097" in [one["code"] for one in client.problems("a.dy")]
    assert client.ask("textDocument/definition", client.at("a.dy", 0, 25)) is None
    assert client.ask("workspace/symbol", {"query": "hidden"}) == []
    assert client.refused("textDocument/rename", client.at("a.dy", 0, 10, newName="seen"))
    assert outside.read_text("utf-8").startswith("task hidden")
