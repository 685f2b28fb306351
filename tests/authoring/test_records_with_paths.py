"""Records, tools and scopes that stand in a node are called by their paths, `desk.memo`, wherever anything is shown."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import turnwise as tw
from support.served import in_loop, served
from support.shell import run
from turnwise.core.guards.python import record_of_parameter

TEXT = """\
machine "Desk";
state desk "The desk" {
  context memo { text: ""; weight<number>; price<number>: { value: "desk.memo.weight * 2"; }; pin<string>: { secret: true; }; }
  tool weigh "Weighs a parcel" { args: { size: "integer"; }; }
  state parcel {
    scope: {
      inherits: ["desk.memo"];
      returns: "desk.memo";
      start: "ask";
      nodes: { ask: { say: "Sending {{ desk.memo.text }}."; end: "asked"; }; };
    };
  }
  task note @start { prompt: "Note it, {{ default(desk.memo.text, 'nothing') }} so far."; }
  note -writes-> memo;
  note -> weigh;
  note -when: "memo.weight > 3 && tools.used('desk.weigh')", "it is heavy"-> parcel;
  note -> shut;
  parcel -> shut;
}
state shut;
"""
REPLIES = [
    tw.call("desk.weigh", size=2),
    tw.call("write_desk.memo", set={"text": "a box", "weight": 5}),
    "Noted.",
]
SERVED = ["", "/trace", "/events", "/transcript", "/state", "/decisions", "/why?subject=desk.memo.text"]


def weigh(size: int) -> int:
    return size * 2


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    path = tmp_path / "desk.dy"
    path.write_text(TEXT, "utf-8")
    return path


def opened(desk: Path) -> tw.App:
    return tw.open(desk, model=tw.ScriptedModel(REPLIES), tools={"desk.weigh": weigh})


def test_the_flow_has_paths_as_names(desk: Path) -> None:
    flow = tw.load(desk)
    assert [one.name for one in flow.records] == ["desk.memo"]
    assert [one.name for one in flow.tools] == ["desk.weigh"]
    assert [one.name for one in flow.nodes] == ["desk.parcel", "desk.note", "shut"]
    assert tw.check(desk) == []


def test_turns_prompts_traces_and_answers_show_paths(desk: Path) -> None:
    model = tw.ScriptedModel(REPLIES)
    with tw.open_sync(desk, model=model, tools={"desk.weigh": weigh}) as app:
        chat = app.chat("x")
        turns = chat.run()
        turn = turns[-1]
        assert (turn.node, turn.text.split("\n")[-1]) == ("shut", "Sending a box.")
        assert turn.value("desk.memo.weight") == 5
        assert turn.value("desk.memo.price") == 10
        assert {"write_desk.memo", "desk.weigh"} <= {tool.name for tool in model.calls[0].tools}
        asked = [
            "desk.memo.text",
            "desk.memo.price",
            "desk.weigh",
            "write_desk.memo",
            "desk.parcel",
            "to_desk.parcel",
            "end",
        ]
        answers = [str(chat.why(one)) for one in asked]
        plain = [chat.why(one).plain for one in asked]
        shown = [*answers, *map(str, plain), str(model.calls), str([(one.events, one.decisions) for one in turns])]
    assert not [one for one in shown if "__" in one or "desk_memo" in one]
    assert "desk.memo.weight > 3" in shown[-1]
    assert "desk.memo.text was set to a box" in answers[0]


def test_ways_what_if_and_explain_show_paths(desk: Path, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'x.db'}"
    with tw.open_sync(desk, store=store, model=tw.ScriptedModel(REPLIES), tools={"desk.weigh": weigh}) as app:
        app.chat("a").start()
        assert "desk.parcel" in str(app.chat("a").ways_to("desk.parcel:asked").subject)
    ran = run("explain", "--store", store, "a")
    assert ran.code == 0, ran.err
    assert "desk.memo.weight" in ran.out
    assert "__" not in ran.out


@in_loop
async def test_the_server_and_the_panel_show_paths(desk: Path) -> None:
    async with served(opened(desk)) as client:
        assert (await client.post("/api/conversations", json={"flow": "Desk", "name": "x"})).status_code == 201
        found: dict[str, object] = {}
        while found.get("status") != "ended":
            await asyncio.sleep(0.01)
            found = (await client.get("/api/conversations/x")).json()
        texts = [(await client.get(f"/api/conversations/x{path}")) for path in SERVED]
        good = [one.text for one in texts if one.status_code == 200]
        flow = (await client.get("/api/flows/Desk")).text
    assert len(good) >= 4, [(one.url, one.status_code) for one in texts]
    assert any("desk.memo.text" in one for one in good)
    assert "desk.memo" in flow
    assert not [one for one in (*good, flow) if "desk__" in one or "desk_memo" in one]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("memo.weight > 3", "memo.wight > 3", "TW031 'desk.memo' has no field 'wight'; did you mean 'weight'?"),
        ("memo.weight > 3", "desk.mem.weight > 3", "TW031 nothing is called 'desk.mem'; did you mean 'desk.memo'?"),
        ("memo.weight > 3", "desk.memo > 3", "TW031 'desk.memo' is a record, name one of its fields; desk.memo.text"),
        ("memo.weight > 3", "memo.text.size > 3", "TW033 'desk.memo.text' has no parts"),
        ("memo.weight > 3", "memo.text > 3", "TW032"),
        ("memo.weight > 3", "memo.pin > 3", "TW032"),
        ('inherits: ["desk.memo"]', 'inherits: ["desk.memos"]', "no record is called 'desk.memos'"),
        (
            'returns: "desk.memo"',
            'returns: "desk.memo.text"',
            "TW020 no record is called 'desk.memo.text'; write 'desk.memo'",
        ),
        ("'desk.weigh'", "'desk.wegh'", "did you mean 'desk.weigh'?"),
        ('"desk.memo.weight * 2"', '"desk.memo.wait * 2"', "TW031 'desk.memo' has no field 'wait'"),
        ("state shut;", 'context desk_2 { a: ""; }\ncontext desk @name("desk") { memo: ""; }', "TW139"),
    ],
)
def test_diagnostics_show_paths(desk: Path, old: str, new: str, said: str) -> None:
    desk.write_text(TEXT.replace(old, new), "utf-8")
    found = [f"{one.code} {one.message}; {one.hint}" for one in tw.check(desk)]
    assert any(said in one for one in found), found
    assert not [one for one in found if "__" in one]


def test_a_guard_in_error_shows_the_path() -> None:
    text = TEXT.replace("memo.weight > 3", "1 / (memo.weight - 5) > 3")
    with tw.open_sync(
        tw.loads(text, format="dygram"), model=tw.ScriptedModel(REPLIES), tools={"desk.weigh": weigh}
    ) as app:
        shown = str([turn.decisions for turn in app.chat("x").run()])
    assert "desk.memo.weight - 5" in shown
    assert "__" not in shown


def test_a_record_with_a_path_is_the_same_in_every_form(desk: Path, tmp_path: Path) -> None:
    flow = tw.load(desk)
    for form, name in (("yaml", "a.yaml"), ("json", "a.json"), ("dygram", "a.dy"), ("python", "a.py")):
        written = run("convert", desk, "--to", form)
        assert written.code == 0, written.err
        copy = tmp_path / "copies" / name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(written.out, "utf-8")
        assert tw.load(copy) == flow, form
        assert "__" not in written.out.replace("own__", "")
    assert "  context memo {" in (tmp_path / "copies" / "a.dy").read_text("utf-8")
    assert "@name" not in (tmp_path / "copies" / "a.dy").read_text("utf-8")
    back = run("convert", tmp_path / "copies" / "a.yaml", "--to", "dygram")
    assert back.out == (tmp_path / "copies" / "a.dy").read_text("utf-8")


def test_a_conversation_goes_on_after_the_file_is_converted(tmp_path: Path) -> None:
    text = (
        'machine "Desk" { autonomous: false; }\n'
        "state desk { context memo { text<string>; why<string>; }\n"
        'state note @start { form: { fields: [{ field: "desk.memo.text"; ask: "What?"; }, '
        '{ field: "desk.memo.why"; ask: "Why?"; }]; }; } }\n'
    )
    store = f"sqlite:///{tmp_path / 'x.db'}"
    first = tw.loads(text, format="dygram")
    with tw.open_sync(first, store=store) as app:
        app.chat("x").start()
        app.chat("x").say("a box")
    second = tw.load(_written(tmp_path / "desk.flow.yaml", tw.write_yaml(first)))
    with tw.open_sync(second, store=store) as app:
        turn = app.chat("x").say("a gift")
    assert (turn.value("desk.memo.text"), turn.value("desk.memo.why")) == ("a box", "a gift")


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_drawings_show_paths(desk: Path) -> None:
    for form in ("mermaid", "dot"):
        ran = run("draw", desk, "--format", form)
        assert ran.code == 0, ran.err
        drawn = ran.out
        assert "desk.parcel" in drawn
        assert "desk__" not in drawn


def test_a_record_and_a_field_of_one_address_are_refused() -> None:
    flow = {
        "flow": "f",
        "start": "a",
        "records": {"desk": {"memo": "string"}, "desk.memo": {"text": "string"}},
        "nodes": {"a": {"say": "A.", "end": "done"}},
    }
    found = [str(one) for one in tw.check(flow)]
    assert any("TW017 a record and a field are called 'desk.memo'" in one for one in found), found


def test_answers_to_questions_that_are_data_stay_in_their_map() -> None:
    """An address of three parts is a field of a record with a path, or one answer: both in one conversation."""
    flow = {
        "flow": "quiz",
        "start": "ask",
        "records": {
            "desk.memo": {"text": "string", "answers": "answers"},
            "quiz": {
                "asked": {
                    "type": "list",
                    "of": "question",
                    "default": [{"id": "a", "ask": "A?"}, {"id": "b", "ask": "B?"}],
                },
                "given": "answers",
            },
        },
        "nodes": {
            "ask": {
                "form": {"questions": "quiz.asked", "into": "quiz.given"},
                "transitions": [
                    {"at": "after", "to": "note", "set": {"desk.memo.text": "'from ' + quiz.given[\"a\"]"}}
                ],
            },
            "note": {
                "form": {"questions": "quiz.asked", "into": "desk.memo.answers"},
                "transitions": [{"at": "after", "end": "done"}],
            },
        },
    }
    with tw.open_sync(flow) as app:
        chat = app.chat("x")
        chat.start()
        for text in ("one", "two", "three", "four"):
            turn = chat.say(text)
        assert turn.value("quiz.given") == {"a": "one", "b": "two"}
        assert turn.value("desk.memo.answers") == {"a": "three", "b": "four"}
        assert turn.value("desk.memo.text") == "from one"
        assert "desk.memo" not in turn.state.values
        assert "three" in str(chat.why("desk.memo.answers.a"))


def test_a_python_guard_asks_for_a_record_with_a_path_by_two_underscores() -> None:
    @tw.guard
    def is_heavy(desk__memo) -> bool:
        return desk__memo.weight is not None and desk__memo.weight > 3

    flow = {
        "flow": "f",
        "start": "a",
        "records": {"desk.memo": {"weight": {"type": "number", "default": 5}}},
        "nodes": {
            "a": {"say": "A.", "transitions": [{"at": "after", "guard": "is_heavy", "to": "b"}]},
            "b": {"say": "B.", "end": "done"},
        },
    }
    with tw.open_sync(flow, guards=[is_heavy]) as app:
        turn = app.chat("x").start()
    assert turn.node == "b"
    assert "desk.memo.weight" in str(turn.decisions)
    assert record_of_parameter("desk__memo", {"desk__memo": 1, "desk.memo": 2}) == "desk__memo"
