"""Two nodes of one simple name: everywhere that a user looks they are called by their paths, `intake.step`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import turnwise as tw
from support.served import in_loop, served
from support.shell import run

TEXT = """\
machine "Two desks";
context order { note: ""; }
state intake {
  context memo { text: ""; }
  task step "Takes it in" { prompt: "Take it in."; }
}
state packing {
  context memo { text: ""; }
  task step "Packs it" { prompt: "Pack it, at most {{ packing.step.limit }}."; limit: 3; }
  task choose "Chooses" { prompt: "Choose."; }
  step -when: "packing.memo.text != '' && visits('packing.step') == 1"-> choose;
  step -> lost;
}
intake.step -writes-> intake.memo;
packing.step -writes-> packing.memo;
intake.step -when: "intake.memo.text != ''"-> packing.step;
packing.choose -back-> intake.step;
packing.choose -again-> packing.step;
state lost;
"""
REPLIES = [
    tw.call("write_intake.memo", set={"text": "in"}),
    "Taken.",
    tw.call("write_packing.memo", set={"text": "box"}),
    "Packed.",
    tw.call("go_to_packing.step"),
    "Packed again.",
]
NODES = ["intake.step", "packing.step", "packing.choose", "packing.step", "lost"]


@pytest.fixture
def desks(tmp_path: Path) -> Path:
    path = tmp_path / "desks.dy"
    path.write_text(TEXT, "utf-8")
    return path


def test_nodes_have_their_paths_as_names_in_the_flow(desks: Path) -> None:
    flow = tw.load(desks)
    assert [one.name for one in flow.nodes] == ["intake", *dict.fromkeys(NODES)]
    assert flow.start == "intake"
    assert [one.name for one in flow.records] == ["order", "intake.memo", "packing.memo", "packing.step"]
    assert tw.check(desks) == []


def test_turns_moves_tools_and_answers_call_a_node_by_its_path(desks: Path) -> None:
    model = tw.ScriptedModel(REPLIES)
    with tw.open_sync(desks, model=model) as app:
        chat = app.chat("main")
        turns = chat.run()
        assert turns[-1].node == "lost"
        moves = [one.target for turn in turns for one in turn.events if type(one).__name__ == "Moved"]
        assert moves == NODES
        choosing = next(call for call in model.calls if call.node == "packing.choose")
        assert [tool.name for tool in choosing.tools] == ["go_to_intake.step", "go_to_packing.step"]
        assert "at most 3" in str(next(call for call in model.calls if call.node == "packing.step"))
        for name in ("packing.step", "node intake.step", "packing.choose", "go_to_packing.step", "to_packing.step"):
            answer = chat.why(name)
            assert name.split()[-1] in str(answer)
            assert "__" not in str(answer)
        assert "intake.memo.text was set to in" in str(chat.why("intake.memo.text"))


def test_two_nodes_of_one_simple_name_get_two_answers(desks: Path) -> None:
    with tw.open_sync(desks, model=tw.ScriptedModel(REPLIES)) as app:
        chat = app.chat("main")
        chat.run()
        first, second = chat.why("intake.step"), chat.why("packing.step")
    assert {one.name for one in (first.subject, second.subject)} == {"intake.step", "packing.step"}
    assert str(first) != str(second)


def test_the_way_to_a_node_is_asked_by_its_path(desks: Path, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'x.db'}"
    with tw.open_sync(desks, store=store, model=tw.ScriptedModel(REPLIES)) as app:
        app.chat("a").start()
    ran = run("explain", "--store", store, "a", "--to", "packing.choose")
    assert (ran.code, ran.err) == (0, "")
    assert "packing.choose" in ran.out
    ran = run("explain", "--store", store, "a", "--to", "packing.chose")
    assert "did you mean 'packing.choose'?" in ran.err


def test_drawings_and_diagnostics_show_paths(desks: Path) -> None:
    for form in ("mermaid", "dot"):
        drawn = run("draw", desks, "--format", form).out
        assert "packing.step" in drawn
        assert "__" not in drawn
    desks.write_text(TEXT.replace('"packing.memo.text !=', '"packing.memo.txt !='), "utf-8")
    told = run("check", desks).out
    assert "TW031" in told
    desks.write_text(TEXT.replace("visits('packing.step')", "visits('packing.stp')"), "utf-8")
    assert "did you mean 'packing.step'?" in run("check", desks).out


def test_a_scenario_names_a_node_by_its_path(desks: Path) -> None:
    scenario = desks.with_suffix(".scenario")
    scenario.write_text(
        "flow: desks.dy\n\nscenario: one step\n"
        'model: -> write_intake.memo {"set": {"text": "in"}}\nmodel: Taken.\nmodel: Packed.\n'
        "run:\ntransition to_packing.step: taken\nnode: lost\nstatus: ended lost\n",
        "utf-8",
    )
    ran = run("test", scenario)
    assert (ran.code, ran.err) == (0, ""), ran.out


def test_a_path_survives_every_form(desks: Path, tmp_path: Path) -> None:
    flow = tw.load(desks)
    for form, name in (("yaml", "a.yaml"), ("json", "a.json"), ("dygram", "a.dy"), ("python", "a.py")):
        copy = tmp_path / "copies" / name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(run("convert", desks, "--to", form).out, "utf-8")
        assert tw.load(copy) == flow, form


def test_a_node_is_imported_by_its_path(desks: Path) -> None:
    main = desks.with_name("main.dy")
    main.write_text('import { lost as gone } from "./desks.dy";\ntask a { prompt: "A."; }\na -> gone;\n', "utf-8")
    assert [one.name for one in tw.load(main).nodes] == ["a", "gone"]
    main.write_text(
        'import { packing.choose as pick, packing.memo as memo } from "./desks.dy";\n'
        'import { intake.step, packing.step as other } from "./desks.dy";\n'
        'task a { prompt: "A."; }\na -> pick;\na -writes-> memo;\n',
        "utf-8",
    )
    found = tw.load(main)
    assert [one.name for one in found.nodes] == ["a", "pick", "intake.step", "other"]
    assert [one.name for one in found.records] == ["memo", "packing.step"]  # its texts read its limit


def test_a_node_that_opens_a_scope_may_have_a_path() -> None:
    inner = (
        'state x { state a { scope: { start: "b"; nodes: { b: { say: "B."; end: "done"; }; }; }; transitions: []; } }'
    )
    loaded = tw.loads(inner, format="dygram")
    assert [one.name for one in loaded.nodes] == ["x", "x.a"]
    with tw.open_sync(loaded) as app:
        turn = app.chat("c").run()[-1]
    assert (turn.node, turn.text) == ("x.a", "B.")
    assert "x.a/b" in str(turn.events)


@in_loop
async def test_addresses_of_the_server_and_its_answers_have_paths(desks: Path) -> None:
    async with served(tw.open(desks, model=tw.ScriptedModel(REPLIES))) as client:
        begun = await client.post("/api/conversations", json={"flow": "two_desks", "name": "x"})
        assert begun.status_code == 201, begun.text
        found: dict[str, object] = {}
        while found.get("status") != "ended":
            await asyncio.sleep(0.01)
            found = (await client.get("/api/conversations/x")).json()
        assert found["node"] == "lost"
        told = await client.get("/api/conversations/x/why", params={"subject": "packing.step"})
        assert told.status_code == 200, told.text
        assert "packing.step" in told.text
        assert "__" not in told.text
        ways = await client.get("/api/conversations/x/why", params={"to": "packing.choose"})
        assert ways.status_code == 200, ways.text
        page = (await client.get("/api/flows/two_desks")).json()
        assert {"intake.step", "packing.step"} <= {one["name"] for one in page["graph"]["nodes"]}
