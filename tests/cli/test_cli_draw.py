"""`turnwise draw`: a flow on standard output or in a file, and the path of a stored conversation over it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import INTAKE, sets
from support.drawn import read_dot, read_mermaid
from support.shell import ROOT, run

EXAMPLE = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a conversation of four turns, of which the last was taken back once."""
    address = f"sqlite:///{tmp_path / 'talks.db'}"
    with tw.open_sync(INTAKE, store=address) as app:
        chat = app.chat("ada")
        chat.start()
        chat.commands(sets(user__age=45))
        chat.commands(sets(user__gender="man"))
        chat.undo()
        chat.commands(sets(user__name="Ada", user__tos_acknowledged=True))
    return address


def test_mermaid_is_alone_on_standard_output() -> None:
    ran = run("draw", EXAMPLE)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == tw.draw(EXAMPLE)


@pytest.mark.parametrize("out", [(), ("-o", "-")])
@pytest.mark.parametrize("form", ["mermaid", "dot"])
def test_a_document_from_standard_input_is_drawn_on_standard_output(form: str, out: tuple[str, ...]) -> None:
    ran = run("draw", "-", "--format", form, *out, given=EXAMPLE.read_bytes())
    assert (ran.code, ran.out, ran.err) == (0, tw.draw(EXAMPLE, form), "")


@pytest.mark.parametrize(
    ("name", "form"), [("x.mmd", "mermaid"), ("x.dot", "dot"), ("x.gv", "dot"), ("x.txt", "mermaid")]
)
def test_the_name_of_the_file_says_which_form(tmp_path: Path, name: str, form: str) -> None:
    ran = run("draw", EXAMPLE, "-o", name, at=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (tmp_path / name).read_text("utf-8") == tw.draw(EXAMPLE, form)
    assert run("draw", EXAMPLE, "--format", "DOT", "-o", name, at=tmp_path).code == 0
    assert (tmp_path / name).read_text("utf-8") == tw.draw(EXAMPLE, "dot")


def test_guards_can_be_left_out() -> None:
    assert "user.age" not in run("draw", EXAMPLE, "--no-guards").out.replace("• user.age", "")
    assert "handed_off" in run("draw", EXAMPLE, "--guards").out
    assert "handed_off" not in run("draw", EXAMPLE, "--no-guards").out


def test_functions_of_a_file_show_where_they_lead(tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(
        "flow: f\nstart: a\nnodes:\n  a: {prompt: Hi., transitions: [{at: before, guard: route}]}\n  b: {say: B.}\n"
    )
    (tmp_path / "guards.py").write_text("import turnwise as tw\n@tw.guard(to='b')\ndef route():\n    return None\n")
    drawn = read_mermaid(run("draw", "flow.yaml", "--python", "guards.py", at=tmp_path).out)
    assert drawn.between("a", "b") == ["before\nroute()"]


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_svg_is_written_where_graphviz_is(tmp_path: Path) -> None:
    assert run("draw", EXAMPLE, "-o", "x.svg", at=tmp_path).code == 0
    assert (tmp_path / "x.svg").read_text("utf-8").startswith("<svg")


def test_without_graphviz_svg_says_what_to_install(tmp_path: Path) -> None:
    ran = run("draw", EXAMPLE, "--format", "svg", PATH=str(tmp_path))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "SVG needs Graphviz, and 'dot' is not on the path: install Graphviz (apt-get install graphviz, brew install "
        "graphviz, winget install Graphviz.Graphviz), or write another --format\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        ([], "there is nothing to draw; name a flow document, or --conversation and --store\n", 2),
        (["nothere.yaml"], "nothere.yaml: TW001 there is no such file\n", 1),
        (
            [str(EXAMPLE), "-o", "x.png"],
            "no drawing is named .png; .mmd, .mermaid, .md, .txt, .dot, .gv, .svg, or add --format\n",
            2,
        ),
        (
            [str(EXAMPLE), "-o", str(EXAMPLE), "--format", "dot"],
            f"{EXAMPLE} is the flow itself; name another file\n",
            1,
        ),
        ([str(EXAMPLE), "--format", "svgg"], "no drawing has the format 'svgg'; did you mean 'svg'?\n", 2),
        ([str(EXAMPLE), "--format", "bogus"], "no drawing has the format 'bogus'; ", 2),
        (["--conversation", "ada"], "--conversation needs --store, the address of the store that has it: ", 2),
        (["--conversation", "ada", "--store", "sqlite:///no.db"], "no.db: there is no such store\n", 1),
    ],
)
def test_what_cannot_be_drawn_is_one_line(tmp_path: Path, arguments: list[str], said: str, code: int) -> None:
    ran = run("draw", *arguments, at=tmp_path)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


def test_a_conversation_that_is_not_there_is_one_line(store: str) -> None:
    ran = run("draw", "--store", store, "--conversation", "bob")
    assert (ran.code, ran.err) == (1, "there is no conversation 'bob'\n")


# the path ----------------------------------------------------------------------------------------


def test_the_path_of_a_conversation_is_told_in_words_and_lines(store: str) -> None:
    ran = run("draw", "--store", store, "--conversation", "ada")
    assert (ran.code, ran.err) == (0, "")
    drawn = read_mermaid(ran.out)
    assert drawn.nodes["legend"].split("\n")[:2] == ["Health intake", "conversation ada, turn 5"]
    assert drawn.nodes[drawn.named("introduction")].split("\n")[-1] == "entered in turn 1"
    assert drawn.nodes[drawn.named("profiler")].split("\n")[-2:] == ["entered in turn 5", "▶ the conversation is here"]
    (complete,) = drawn.between("introduction", "profiler")
    assert complete.split("\n")[-1] == "taken in turn 5"
    fates = {label.split("\n")[1]: label.split("\n")[-1] for _, _, label in drawn.arrows if "\n" in label}
    assert fates["“user is male”"] == "judged 3 times, not taken"
    assert fates["“three groups done”"] == "judged 1 time, not taken"
    assert drawn.between("closing", "farewell") == ["after · once · at the next\nmessage\nnever judged"]
    assert [
        drawn.styles[place] for place, (_, _, label) in enumerate(drawn.arrows) if label.endswith("taken in turn 5")
    ] == ["stroke-width:4px"]
    never = [drawn.styles[place] for place, (_, _, label) in enumerate(drawn.arrows) if label.endswith("never judged")]
    assert set(never) == {"opacity:0.4,stroke-dasharray:2 4"}
    assert drawn.looks == {
        drawn.named("introduction"): {"class": "entered"},
        drawn.named("profiler"): {"class": "current"},
    }


def test_a_planned_move_is_planned_until_the_next_message_takes_it(tmp_path: Path) -> None:
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(
        "flow: f\nstart: a\nrecords: {user: {age: integer}}\nnodes:\n"
        "  a:\n    prompt: A.\n    collect: [user]\n    transitions:\n"
        "      - {id: on, at: after, when: user.age > 3, reply: next, to: b}\n"
        "      - {id: out, at: before, when: user.age > 90, to: c}\n"
        "  b: {say: B., once: a}\n"
        "  c: {say: C., end: c}\n",
        "utf-8",
    )
    address = f"sqlite:///{tmp_path / 't.db'}"

    def of(source: str, target: str) -> str:
        drawn = read_mermaid(run("draw", "--store", address, "--conversation", "x").out)
        (label,) = drawn.between(source, target)
        return label.split("\n")[-1]

    with tw.open_sync(flow, store=address) as app:
        chat = app.chat("x")
        chat.commands(sets(user__age=5))
        assert of("a", "b") == "planned for the next message"
        chat.commands([])
        assert (of("a", "b"), of("b", "a")) == ("taken in turn 2", "planned for the next message")
        chat.undo()
        assert (of("a", "b"), of("b", "a")) == ("planned for the next message", "never judged")
        chat.commands([])
        chat.commands([])
        assert (of("b", "a"), of("a", "b")) == ("taken in turn 5", "taken in turn 4, and planned")


def test_a_node_and_an_end_of_one_name_are_told_apart(tmp_path: Path) -> None:
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(
        "flow: f\nstart: a\nrecords: {user: {age: integer}}\nnodes:\n"
        "  a: {prompt: A., collect: [user], transitions: [{at: before, when: user.age > 3, to: out}]}\n"
        "  out: {prompt: O., collect: [user], transitions: [{id: over, at: before, when: user.age > 9, end: out}]}\n",
        "utf-8",
    )
    address = f"sqlite:///{tmp_path / 't.db'}"

    def told() -> tuple[str, str]:
        drawn = read_mermaid(run("draw", "--store", address, "--conversation", "x").out)
        node, end = (label for label in drawn.nodes.values() if label.startswith("out\n"))
        return node.split("\n", 3)[-1], end.split("\n", 2)[-1]

    with tw.open_sync(flow, store=address) as app:
        chat = app.chat("x")
        chat.commands(sets(user__age=5))
        assert told() == ("• user\nentered in turn 1\n▶ the conversation is here", "the end")
        chat.commands(sets(user__age=10))
        assert told() == ("• user\nentered in turn 1", "▶ the conversation ended here")
        chat.undo()
        assert told() == ("• user\nentered in turn 1\n▶ the conversation is here", "the end")


def test_a_plan_that_came_to_nothing_is_not_taken(tmp_path: Path) -> None:
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(
        "flow: f\nstart: a\nnodes:\n"
        "  a: {say: A., once: b, transitions: [{id: late, at: timer, in: 1h, to: c}]}\n"
        "  b: {say: B., end: over}\n"
        '  c: {say: C., transitions: [{id: on, at: before, when: visits("a") > 3, to: a}]}\n',
        "utf-8",
    )
    address = f"sqlite:///{tmp_path / 't.db'}"
    with tw.open_sync(flow, store=address) as app:
        chat = app.chat("x")
        chat.start()
        chat.fire("late")
    drawn = read_mermaid(run("draw", "--store", address, "--conversation", "x").out)
    (label,) = drawn.between("a", "b")
    assert label.split("\n")[-1] == "judged 1 time, not taken"


def test_the_path_stands_in_the_dot_as_well(store: str) -> None:
    drawn = read_dot(run("draw", "--store", store, "--conversation", "ada", "--format", "dot").out)
    here = drawn.looks[drawn.named("profiler")]
    assert (here["penwidth"], here["peripheries"], here["color"]) == ("2.5", "2", "#0a58ca")
    taken = {label: width for (_, _, label), width in zip(drawn.arrows, drawn.styles.values(), strict=True) if label}
    assert sorted(taken.values()) == ["1", "1", "1", "1", "3"]


def test_another_version_of_the_flow_is_told_of_and_what_it_lacks_is_named(store: str, tmp_path: Path) -> None:
    changed = INTAKE.read_text("utf-8").replace("profiler", "questions")
    (tmp_path / "new.yaml").write_text(changed, "utf-8")
    ran = run("draw", "new.yaml", "--store", store, "--conversation", "ada", at=tmp_path)
    assert ran.code == 0
    assert ran.err == "the conversation runs on another version of this flow; leave the flow out to draw that version\n"
    assert "It was in nodes that are not drawn: profiler" in read_mermaid(ran.out).nodes["legend"]
    same = run("draw", INTAKE, "--store", store, "--conversation", "ada")
    assert (same.err, same.out) == ("", run("draw", "--store", store, "--conversation", "ada").out)


def test_unnamed_ways_ways_of_all_nodes_and_tool_steps_are_found_by_their_place(tmp_path: Path) -> None:
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(
        "flow: f\nstart: a\nrecords: {user: {age: integer}}\ntools: {think: {about: x}}\n"
        "transitions:\n  - {at: tool, when: tools.used('stop'), to: out}\n".replace("'stop'", '"stop"').replace(
            "tools: {think: {about: x}}", "tools: {think: {about: x}, stop: {about: x}}"
        )
        + "nodes:\n"
        "  a:\n    prompt: A.\n    transitions: [{at: before, when: user.age > 3, to: b}, {at: before, when: user.age == 3, to: b}]\n"
        "  b: {prompt: B., transitions: [{at: before, when: user.age == 9, to: a}]}\n"
        '  thinking: {prompt: T., enter_when: tools.used("think")}\n'
        "  out: {say: Out., end: out}\n",
        "utf-8",
    )
    address = f"sqlite:///{tmp_path / 't.db'}"
    with tw.open_sync(flow, store=address) as app:
        chat = app.chat("x")
        chat.start()
        chat.commands(sets(user__age=5))
        chat.commands(sets(user__age=9))
        chat.commands(sets(user__age=4))
        chat.tool_used("think")
        chat.tool_used("stop")
    drawn = read_mermaid(run("draw", "--store", address, "--conversation", "x").out)
    fates = {tuple(label.split("\n")[-2:]) for _, _, label in drawn.arrows if label}
    assert fates == {
        ("user.age > 3", "taken in turns 2, 3 (2 times)"),
        ("user.age == 3", "judged 3 times, not taken"),
        ("user.age == 9", "taken in turn 3"),
        ('tools.used("stop")', "taken in turn 6"),
        ('tools.used("think")', "taken in turn 5"),
    }
    assert drawn.nodes[drawn.named("b")].split("\n")[-1] == "entered in turns 2, 3 (2 times)"


SURVEY = """
flow: f
start: talk
commands: [{start: [survey]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}}}
nodes:
  talk: {say: Hello., transitions: [{at: before, when: message.text == "bye", end: bye}]}
  survey:
    scope:
      returns: feedback
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How?}]}
          transitions:
            - {id: fine, at: after, when: feedback.mood == "good", end: fine}
            - {id: deeper, at: after, to: detail}
        detail: {scope: {returns: feedback}, form: {fields: [{field: feedback.mood, ask: And now?}]}}
"""


def test_the_path_leads_into_scopes_and_out_of_them(tmp_path: Path) -> None:
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(SURVEY, "utf-8")
    address = f"sqlite:///{tmp_path / 't.db'}"
    with tw.open_sync(flow, store=address) as app:
        chat = app.chat("x")
        for said in ("survey", "good", "survey", "bad"):
            chat.say(said)
    drawn = read_mermaid(run("draw", "--store", address, "--conversation", "x").out)
    last = {label.split("\n")[0]: label.split("\n")[-1] for label in drawn.nodes.values() if "\n" in label}
    last = {name: last[name] for name in ("talk", "survey", "ask", "fine", "detail")}
    assert last == {
        "talk": "▶ waits for an inner conversation",
        "survey": "entered in turns 1, 3 (2 times)",
        "ask": "entered in turns 1, 3 (2 times)",
        "fine": "reached in turn 2",
        "detail": "▶ the conversation is here",
    }
    (fine,) = drawn.between("ask", "fine")
    assert fine.endswith("taken in turn 2")
    level = read_mermaid(run("draw", "--store", address, "--conversation", "x", "--scope", ".").out)
    assert "not drawn" not in level.nodes["legend"]
    assert level.nodes[level.named("survey")].endswith("▶ the conversation is here")
    inside = read_mermaid(run("draw", "--store", address, "--conversation", "x", "--scope", "survey").out)
    assert inside.nodes[inside.named("detail")].endswith("▶ the conversation is here")
