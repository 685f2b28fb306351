"""Parts of other documents: what an import brings, and everything that can be wrong with it."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import run
from turnwise.authoring import imports
from turnwise.core.machine import Machine
from turnwise.flow.codec import encode_flow
from turnwise.stores.sqlite import SqliteStore

VISIT = """\
flow: visit
start: ask
imports:
  - {from: lib/people.yaml, names: [guest, bye, look]}
nodes:
  ask:
    say: How many?
    collect: [guest.people]
    tools: {allow: [look]}
    transitions: [{id: many, at: before, when: guest.people > 3, to: bye}]
"""
PEOPLE = """\
records:
  guest: {people: integer}
tools: {look: {about: looks, args: {}}, other: {about: is not imported, args: {}}}
nodes:
  bye: {say: "Bye {{ guest.people }}.", end: done}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A flow that imports from a document in a folder below its own."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "visit.flow.yaml").write_text(VISIT, "utf-8")
    (tmp_path / "lib/people.yaml").write_text(PEOPLE, "utf-8")
    return tmp_path


def flow(folder: Path) -> Path:
    return folder / "visit.flow.yaml"


def found(folder: Path, imported: str = "lib/people.yaml", names: str = "guest, bye, look") -> list[str]:
    """Return the problems of a flow with other imports, each without the folder."""
    flow(folder).write_text(VISIT.replace("lib/people.yaml", imported).replace("guest, bye, look", names), "utf-8")
    return [str(one).replace(f"{folder}{os.sep}", "") for one in tw.check(flow(folder))]


def test_named_parts_are_brought_in_and_nothing_else(folder: Path) -> None:
    assert tw.check(flow(folder)) == []
    whole = tw.load(flow(folder))
    assert [one.name for one in whole.records] == ["guest"]
    assert [one.name for one in whole.tools] == ["look"]
    assert [one.name for one in whole.nodes] == ["ask", "bye"]
    assert whole.imports == ()
    assert list(whole.files) == [str(folder / "lib/people.yaml")]


def test_the_result_is_the_flow_with_the_parts_written_inside(folder: Path) -> None:
    begin, _, rest = VISIT.partition("imports:\n")
    parts = PEOPLE.partition("nodes:")[0].replace(", other: {about: is not imported, args: {}}", "")
    nodes = rest.partition("\n")[2] + PEOPLE.partition("nodes:\n")[2]
    inside = begin + parts + nodes
    imported = tw.load(flow(folder))
    assert imported == tw.loads(inside)
    assert encode_flow(imported) == encode_flow(tw.loads(inside))


def test_json_and_yaml_import_from_each_other(folder: Path) -> None:
    (folder / "lib/people.json").write_text(json.dumps({"records": {"guest": {"people": "integer"}}}), "utf-8")
    document = {
        "flow": "visit",
        "start": "ask",
        "imports": [
            {"from": "lib/people.json", "names": ["guest"]},
            {"from": "lib/people.yaml", "names": ["bye"]},
        ],
        "nodes": {"ask": {"say": "Hello.", "collect": ["guest.people"], "transitions": [{"at": "after", "to": "bye"}]}},
    }
    (folder / "visit.json").write_text(json.dumps(document), "utf-8")
    assert [node.name for node in tw.load(folder / "visit.json").nodes] == ["ask", "bye"]


def test_a_flow_in_python_imports_from_documents(folder: Path) -> None:
    (folder / "visit.py").write_text(
        "import turnwise as tw\n"
        "ask = tw.Node('ask', say='Hello.', collect=['guest.people'], transitions=[tw.Transition(at='after', to='bye')])\n"
        "flow = tw.Flow('visit', start='ask', nodes=[ask],\n"
        "               imports=[tw.Import('lib/people.yaml', names=['guest', 'bye'])])\n",
        "utf-8",
    )
    assert [node.name for node in tw.load(folder / "visit.py").nodes] == ["ask", "bye"]
    assert tw.check(folder / "visit.py") == []
    (folder / "lib/people.yaml").write_text(PEOPLE.replace("bye:", "by:"), "utf-8")
    (problem,) = tw.check(folder / "visit.py")
    assert (problem.code, Path(problem.span.file).name, problem.span.line) == ("TW098", "visit.py", 4)
    assert "did you mean 'by'?" in problem.hint


def test_a_flow_of_a_program_imports_from_the_folder_of_its_file() -> None:
    made = tw.Flow(
        "visit",
        start="hello",
        nodes=[],
        imports=[tw.Import("../flows/valid/nothing.yaml", names=["hello"])],
    )
    (problem,) = [one for one in tw.check(made) if one.code == "TW097"]
    assert (problem.code, problem.message) == (
        "TW097",
        "'../flows/valid/nothing.yaml' is not in the folder of the flow",
    )
    with pytest.raises(tw.FlowError, match="TW097"):
        tw.open(made)
    with pytest.raises(tw.FlowError, match="TW097"):
        tw.draw(made)


def test_a_part_may_have_another_name(folder: Path) -> None:
    assert found(folder, names="guest, bye as ask, look")[0].startswith(
        "visit.flow.yaml:4:44: TW098 'ask' stands twice in 'nodes'; the other is at "
    )
    flow(folder).write_text(VISIT.replace("bye", "bye as leave", 1).replace("to: bye", "to: leave"), "utf-8")
    assert tw.check(flow(folder)) == []
    assert [node.name for node in tw.load(flow(folder)).nodes] == ["ask", "leave"]


WRONG = {
    "lib/poeple.yaml": "TW097 'lib/poeple.yaml' cannot be imported: there is no such file; did you mean 'lib/people.yaml'?",
    "lib": "TW097 'lib' cannot be imported: this is a folder, not a flow document",
    "../people.yaml": "TW097 '../people.yaml' is not in the folder of the flow; ",
    "/etc/passwd": "TW097 '/etc/passwd' is not in the folder of the flow; ",
    "lib/away/passwd": "TW097 'lib/away/passwd' is not in the folder of the flow; ",
    "visit.flow.yaml": "TW097 'visit.flow.yaml' leads back to itself: visit.flow.yaml → visit.flow.yaml; ",
    "lib/code.py": "TW097 'lib/code.py' is Python, which no document runs; ",
    "'lib/nul\\0.yaml'": "TW097 ",
}


@pytest.mark.parametrize("imported", WRONG)
def test_a_document_that_cannot_be_imported_is_one_problem(folder: Path, imported: str) -> None:
    (folder / "lib/away").symlink_to("/etc")
    (folder / "lib/code.py").write_text("raise SystemExit\n", "utf-8")
    (problem,) = found(folder, imported if "\\0" not in imported else '"lib/nul\\0.yaml"')
    assert problem.startswith(f"visit.flow.yaml:4:{13 if '0' in imported else 12}: {WRONG[imported]}")


NAMED = {
    "guset": "TW098 'lib/people.yaml' has no part called 'guset'; did you mean 'guest'?",
    "both": "TW098 'lib/people.yaml' has several parts called 'both'; it has tools.both and nodes.both; write one of them",
    "tools.both as b th": "TW016 'b th' is no name; letters, digits, _, -, . and / only",
    "nodes.guest": "TW098 'lib/people.yaml' has no part called 'nodes.guest'",
}


@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_means_no_single_part_is_one_problem(folder: Path, name: str) -> None:
    text = PEOPLE.replace("nodes:\n", "nodes:\n  both: {say: Hello.}\n").replace("other:", "both:")
    (folder / "lib/people.yaml").write_text(text, "utf-8")
    (problem,) = found(folder, names=f"guest, bye, look, {name}")
    assert problem.startswith(f"visit.flow.yaml:4:55: {NAMED[name]}")


def test_problems_of_parts_name_the_line_of_their_document(folder: Path) -> None:
    text = PEOPLE.replace("guest.people }}", "guest.peple }}").replace("integer", "intger")
    (folder / "lib/people.yaml").write_text(text, "utf-8")
    field, node = tw.check(flow(folder))
    assert str(field).startswith(f"{folder / 'lib/people.yaml'}:2:19: TW014 ")
    assert str(node).startswith(f"{folder / 'lib/people.yaml'}:5:28: TW031 ")
    assert node.subject.node == "bye"


def test_comments_count_in_the_document_where_they_stand(folder: Path) -> None:
    lonely = PEOPLE + "  alone: {say: Nobody comes here.}\n"
    (folder / "lib/people.yaml").write_text(lonely, "utf-8")
    (warning,) = found(folder, names="guest, bye, look, alone")
    code = warning.partition(" ")[2].split()[0]
    aside = f"  # turnwise: ignore {code} a program starts there\n  alone:"
    (folder / "lib/people.yaml").write_text(lonely.replace("  alone:", aside), "utf-8")
    assert found(folder, names="guest, bye, look, alone") == []
    (folder / "lib/people.yaml").write_text(PEOPLE.replace("  bye:", aside.replace("alone", "bye")), "utf-8")
    (idle,) = found(folder)
    assert idle.startswith("lib/people.yaml:5:3: TW081 ")


def test_what_a_document_imports_may_be_imported_from_it(folder: Path) -> None:
    (folder / "lib/more.yaml").write_text("imports: [{from: people.yaml, names: [guest, bye]}]\n", "utf-8")
    text = VISIT.replace(
        "names: [guest, bye, look]}", "names: [guest, look]}\n  - {from: lib/more.yaml, names: [bye, guest]}"
    )
    flow(folder).write_text(text, "utf-8")
    assert tw.check(flow(folder)) == []  # guest comes by two ways, and is the same part
    assert len(tw.load(flow(folder)).files) == 2


def test_a_circle_is_reported_once_with_all_of_its_documents(folder: Path) -> None:
    (folder / "lib/one.yaml").write_text("imports: [{from: two.yaml, names: [x]}]\n", "utf-8")
    (folder / "lib/two.yaml").write_text("imports: [{from: one.yaml, names: [x]}]\n", "utf-8")
    (problem,) = found(folder, "lib/one.yaml")
    assert problem.startswith(
        "lib/two.yaml:1:18: TW097 'one.yaml' leads back to itself: lib/one.yaml → lib/two.yaml → lib/one.yaml"
    )


def test_too_many_documents_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "MOST_FILES", 2)
    for number in range(3):
        (folder / f"lib/{number}.yaml").write_text(f"tools: {{t{number}: {{about: x, args: {{}}}}}}\n", "utf-8")
    listed = "\n".join(f"  - {{from: lib/{number}.yaml, names: [t{number}]}}" for number in range(3))
    flow(folder).write_text(VISIT.replace("  - {from: lib/people.yaml, names: [guest, bye, look]}", listed), "utf-8")
    (problem,) = tw.check(flow(folder))
    assert problem.message == "'lib/2.yaml' is one document too many: a flow imports at most 2"
    assert problem.span.line == 6


def test_a_chain_of_the_most_documents_is_read(folder: Path) -> None:
    for number in range(imports.MOST_FILES - 1):
        text = f"imports: [{{from: {number + 1}.yaml, names: [guest, bye, look]}}]\n"
        (folder / f"lib/{number}.yaml").write_text(text, "utf-8")
    (folder / f"lib/{imports.MOST_FILES - 1}.yaml").write_text(PEOPLE, "utf-8")
    assert found(folder, "lib/0.yaml") == []


def test_every_command_reads_what_a_flow_imports(folder: Path) -> None:
    assert run("check", str(flow(folder))).code == 0
    assert "bye" in run("draw", str(flow(folder))).out
    written = run("convert", str(flow(folder)), "--to", "yaml").out
    assert "imports" not in written
    assert tw.loads(written) == tw.load(flow(folder))
    scenario = folder / "visit.scenario"
    scenario.write_text("flow: visit.flow.yaml\n---\nuser: '4'\nexpect: {node: bye}\n", "utf-8")
    assert run("test", str(scenario)).code in (0, 1)


def test_a_conversation_goes_on_without_the_imported_document(folder: Path) -> None:
    async def play() -> None:
        store = SqliteStore(folder / "s.db")
        async with tw.open(flow(folder), store=store, tools={"look": lambda: 1}) as app:
            await app.chat("x").start()
            fingerprint = app.machine.fingerprint
        store = SqliteStore(folder / "s.db")
        (folder / "lib/people.yaml").unlink()
        other = flow(folder).read_text("utf-8").partition("imports:")[0] + "nodes: {ask: {say: Hello., end: x}}\n"
        async with tw.open(tw.loads(other), store=store) as app:
            machine: Machine = await app.runtime.machines.runnable_machine(fingerprint)
            assert "bye" in machine.nodes
            turn = await app.chat("x").say("4")
            assert turn.text == "Bye 4."

    asyncio.run(play())
