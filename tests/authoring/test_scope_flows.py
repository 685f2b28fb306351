"""Scopes whose flow stands in a document of its own (law 6.1): what it becomes, and everything that can be wrong with it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import talk
from turnwise.core.state.commands import Set
from turnwise.flow.codec import encode_flow
from turnwise.stores.sqlite import SqliteStore

TUTOR = """\
flow: tutor
start: chat
records:
  user: {name: string, level: string}
  feedback: {mood: {type: choice, options: [good, bad]}, text: string}
nodes:
  chat:
    say: Hello.
    transitions: [{at: before, when: 'message.text == "rate"', call: survey, with: {kind: rapid}}]
  survey:
    scope: {flow: lib/feedback.flow.yaml, inherits: [user], returns: feedback, summary: "Mood: {{ feedback.mood }}."}
"""
FEEDBACK = """\
flow: feedback
start: ask
description: asks how the lesson was
persona: You are brief.
records:
  input: {kind: {type: choice, options: [rapid, long]}}
  user: {name: string}
  feedback: {mood: {type: choice, options: [good, bad]}}
  saved: {number: integer}
tools:
  save: {about: saves it, args: {mood: string}, into: saved.number}
nodes:
  ask:
    form: {fields: [{field: feedback.mood, ask: "How was it? ({{ input.kind }})"}]}
    transitions: [{id: asked, at: after, to: store}]
  store: {tool: {name: save, with: {mood: feedback.mood}}, transitions: [{id: stored, at: after, to: thanks}]}
  thanks: {say: "Number {{ saved.number }}.", end: saved}
transitions:
  - {id: no_time, at: before, when: 'message.text == "no time"', end: put_off}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A flow with a scope that runs the flow of a document in a folder below its own."""
    (tmp_path / "lib").mkdir()
    write(tmp_path, TUTOR)
    write(tmp_path, FEEDBACK, "lib/feedback.flow.yaml")
    return tmp_path


def write(folder: Path, text: str, name: str = "tutor.flow.yaml") -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def found(folder: Path, *, tutor: str = TUTOR, feedback: str = FEEDBACK) -> list[str]:
    """Return the problems of the two documents together, each without the folder; `chat` may have no way out."""
    write(folder, feedback, "lib/feedback.flow.yaml")
    problems = tw.check(write(folder, tutor))
    return [str(one).replace(f"{folder}{os.sep}", "") for one in problems if one.code != "TW055"]


def save(mood: str) -> int:
    return 7 if mood == "good" else 8


def test_it_is_asked_saved_and_given_back(folder: Path) -> None:
    assert found(folder) == []

    async def play() -> None:
        async with tw.open(folder / "tutor.flow.yaml", tools={"save": save}) as app:
            chat = app.chat("x")
            await chat.say("hi")
            assert (await chat.say("rate")).text == "How was it? (rapid)"
            assert (await chat.say("good")).text.startswith("Number 7.")
            state = await chat.state()
            assert (state.node, state.values["feedback.mood"].value) == ("chat", "good")
            assert not [name for name in state.values if "saved" in name]

    asyncio.run(play())


def test_its_transitions_hold_at_every_node_inside_and_nowhere_else(folder: Path) -> None:
    chat = talk(tw.load(folder / "tutor.flow.yaml")).chat
    assert [chat.say(text).state.node for text in ("hi", "no time", "rate", "no time")] == [
        "chat",
        "chat",
        "survey/ask",
        "chat",
    ]


def test_both_documents_hold_alone(folder: Path) -> None:
    assert [one for one in tw.check(folder / "lib/feedback.flow.yaml") if one.severity == "error"] == []


def test_the_flow_that_results_needs_no_other_file(folder: Path) -> None:
    whole = tw.load(folder / "tutor.flow.yaml")
    assert list(whole.files) == [str(folder / "lib/feedback.flow.yaml")]
    (_, survey) = whole.nodes
    assert survey.scope is not None
    assert (survey.scope.flow, survey.scope.start, survey.persona) == ("", "ask", "You are brief.")
    assert [field.name for field in survey.scope.input] == ["kind"]
    (folder / "lib/feedback.flow.yaml").unlink()
    again = tw.loads(tw.write_yaml(whole))
    assert encode_flow(again) == encode_flow(whole)
    assert [one.code for one in tw.check(again)] == [one.code for one in tw.check(whole)]


def test_two_nodes_and_two_flows_may_run_it(folder: Path) -> None:
    twice = TUTOR + "  again:\n    scope: {flow: lib/feedback.flow.yaml, inherits: [user], returns: feedback}\n"
    twice = twice.replace("call: survey,", "call: again,")
    assert {one.partition(" ")[2][:5] for one in found(folder, tutor=twice)} == {"TW051"}  # nothing leads to `survey`
    assert [tool.name for tool in tw.load(folder / "tutor.flow.yaml").tools] == ["save"]
    other = write(folder, TUTOR.replace("flow: tutor", "flow: teacher"), "teacher.flow.yaml")
    assert tw.load(other).nodes[1] == tw.load(write(folder, TUTOR)).nodes[1]


def test_a_flow_of_a_program_names_a_document_from_its_own_folder(folder: Path) -> None:
    code = (
        "from typing import Literal\n"
        "import turnwise as tw\n"
        "scope = tw.Scope(flow='lib/feedback.flow.yaml', inherits=['user'], returns='feedback')\n"
        "class User(tw.Record):\n"
        "    name: str\n"
        "class Feedback(tw.Record):\n"
        "    mood: Literal['good', 'bad']\n"
        "flow = tw.Flow('tutor', start='survey', records=[User, Feedback],\n"
        "               nodes=[tw.Node('survey', scope=scope, end='done')])\n"
    )
    assert tw.check(write(folder, code, "tutor.py")) == []
    (folder / "lib/feedback.flow.yaml").unlink()
    (problem,) = tw.check(folder / "tutor.py")
    assert (problem.code, problem.span.line) == ("TW097", 3)


def test_a_scope_inside_it_runs_a_third_document(folder: Path) -> None:
    deeper = FEEDBACK.replace(
        "transitions: [{id: asked, at: after, to: store}]", "transitions: [{at: after, to: more}]"
    )
    deeper = deeper.replace(
        "nodes:\n", "nodes:\n  more: {scope: {flow: why.yaml}, transitions: [{at: after, to: store}]}\n"
    )
    write(folder, "flow: why\nstart: a\nnodes: {a: {say: Why?, end: said}}\n", "lib/why.yaml")
    assert found(folder, feedback=deeper) == []
    assert len(tw.load(folder / "tutor.flow.yaml").files) == 2


BESIDE = "flow: lib/feedback.flow.yaml, "
DOCUMENTS = {
    "lib/feedbak.flow.yaml": "TW097 'lib/feedbak.flow.yaml' cannot be imported: there is no such file; did you mean",
    "../feedback.flow.yaml": "TW097 '../feedback.flow.yaml' is not in the folder of the flow; ",
    "tutor.flow.yaml": "TW097 'tutor.flow.yaml' leads back to itself: tutor.flow.yaml → tutor.flow.yaml; ",
    "lib/code.py": "TW097 'lib/code.py' is Python, which no document runs; ",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_cannot_be_read_is_one_problem(folder: Path, name: str) -> None:
    write(folder, "raise SystemExit\n", "lib/code.py")
    (problem,) = found(folder, tutor=TUTOR.replace("lib/feedback.flow.yaml", name))
    assert problem.startswith(f"tutor.flow.yaml:11:19: {DOCUMENTS[name]}")


def test_a_circle_of_scopes_is_reported_with_all_of_its_documents(folder: Path) -> None:
    (problem,) = found(
        folder, feedback=FEEDBACK + "  - {at: before, call: me}\nimports: [{from: me.yaml, names: [me]}]\n"
    )
    assert "TW097 'me.yaml' cannot be imported: there is no such file" in problem
    write(folder, "nodes: {me: {scope: {flow: feedback.flow.yaml}}}\n", "lib/me.yaml")
    (problem,) = [one.replace(f"{folder}{os.sep}", "") for one in map(str, tw.check(folder / "tutor.flow.yaml"))]
    assert problem.startswith(
        "lib/me.yaml:1:28: TW097 'feedback.flow.yaml' leads back to itself: "
        "lib/feedback.flow.yaml → lib/me.yaml → lib/feedback.flow.yaml"
    )


def test_a_problem_inside_names_the_line_of_its_document(folder: Path) -> None:
    (problem,) = found(folder, feedback=FEEDBACK.replace("{{ saved.number }}", "{{ saved.nubmer }}"))
    assert problem.startswith("lib/feedback.flow.yaml:17:34: TW031 ")


def test_a_start_that_does_not_exist_is_reported_where_it_is_named(folder: Path) -> None:
    wrong = FEEDBACK.replace("start: ask", "start: asks")
    (problem,) = [one for one in found(folder, feedback=wrong) if "TW018" in one]
    line = next(number for number, one in enumerate(wrong.splitlines(), 1) if one.startswith("start:"))
    assert problem.startswith(f"lib/feedback.flow.yaml:{line}:8: TW018 the scope starts at 'asks'")


RECORDS = {
    "user: {name: string}": {
        "user: {nmae: string}": ":7:16: TW094 'user' has no field 'nmae' around the scope; did you mean 'name'?",
        "user: {name: integer}": ":7:16: TW094 'user.name' has the type integer in the scope, and string around it; "
        "the other stands at tutor.flow.yaml:4:16",
    },
    "feedback: {mood: {type: choice, options: [good, bad]}}": {
        "feedback: {mood: string}": ":8:20: TW094 'feedback.mood' has the type string in the scope, and choice around it; "
        "the other stands at tutor.flow.yaml:5:20",
        "feedback: {mood: {type: choice, options: [good, bad, so so]}}": ":8:20: TW094 'feedback.mood' has the option "
        "'so so' only on one side of the scope; the other stands at tutor.flow.yaml:5:20",
        "feedback: {mood: {type: choice, options: [good, bad], secret: true}}": ":8:20: TW094 'feedback.mood' is secret "
        "in the scope, and not around it; the other stands at tutor.flow.yaml:5:20",
        "feedback: {mood: {type: choice, options: [good, bad]}, mark: integer}": ":8:64: TW094 'feedback' has no field "
        "'mark' around the scope; known: mood, text",
    },
}


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, rows in RECORDS.items() for new in rows])
def test_records_that_do_not_fit_are_reported_with_both_places(folder: Path, old: str, new: str) -> None:
    (problem, *_) = found(folder, feedback=FEEDBACK.replace(old, new))
    assert problem == f"lib/feedback.flow.yaml{RECORDS[old][new]}"


def test_a_derived_field_around_it_is_not_given_back(folder: Path) -> None:
    derived = TUTOR.replace("text: string}", "text: string, score: {type: integer, value: '3'}}")
    (problem,) = found(
        folder, tutor=derived, feedback=FEEDBACK.replace("[good, bad]}}", "[good, bad]}, score: integer}")
    )
    assert "TW094 'feedback.score' is derived around the scope, which cannot give it back" in problem


def test_options_that_are_read_must_be_known_inside(folder: Path) -> None:
    tutor = TUTOR.replace("level: string", "level: {type: choice, options: [A1, B1]}")
    inside = "user: {name: string, level: {type: choice, options: [A1]}}"
    (problem,) = found(folder, tutor=tutor, feedback=FEEDBACK.replace("user: {name: string}", inside))
    assert "'user.level' has the option 'B1' only on one side of the scope" in problem


def test_a_scope_has_either_a_flow_or_parts_of_its_own(folder: Path) -> None:
    more = "start: a, nodes: {a: {say: Hi.}}, records: {own: {a: string}}, input: {kind: string}"
    problems = found(folder, tutor=TUTOR.replace(BESIDE, f"{BESIDE}{more}, "))
    excluded = [one.split("; ")[0].partition(" ")[2] for one in problems if " TW015 " in one]
    assert excluded == [
        f"TW015 the scope of 'survey' has '{key}', and 'lib/feedback.flow.yaml' has its own"
        for key in ("start", "nodes", "records", "input")
    ]


@pytest.mark.parametrize("key", ["commands: [cancel]", "schedules: {s: {every: 1w}}", "overlays: {o: {}}"])
def test_what_is_for_whole_conversations_is_an_error(folder: Path, key: str) -> None:
    (problem,) = found(folder, feedback=f"{FEEDBACK}{key}\n")
    name = key.partition(":")[0]
    assert f"TW094 '{name}' is for whole conversations, and cannot stand where 'feedback' runs as a scope of" in problem
    assert problem.startswith("lib/feedback.flow.yaml:20:")


def test_what_has_no_effect_inside_is_said_unless_it_is_the_same_outside(folder: Path) -> None:
    (problem,) = found(folder, feedback=f"{FEEDBACK}language: de\n")
    assert "TW099 warning: 'language' has no effect where 'feedback' runs as a scope of 'tutor'" in problem
    assert found(folder, feedback=f"{FEEDBACK}language: de\n", tutor=f"{TUTOR}language: de\n") == []


def test_a_tool_of_it_may_not_have_the_name_of_another(folder: Path) -> None:
    (problem,) = found(folder, tutor=f"{TUTOR}tools: {{save: {{about: saves another thing, args: {{}}}}}}\n")
    assert "TW098 'save' stands twice in 'tools'; the other is at tutor.flow.yaml:12" in problem


def test_its_model_and_settings_hold_inside_only(folder: Path) -> None:
    write(folder, f"{FEEDBACK}model: small\nsettings: {{temperature: 0.2}}\n", "lib/feedback.flow.yaml")
    _, survey = tw.load(folder / "tutor.flow.yaml").nodes
    assert survey.scope is not None
    assert {(node.model, node.settings.temperature) for node in survey.scope.nodes} == {("small", 0.2)}
    assert survey.model == ""


def test_a_conversation_inside_goes_on_without_the_document(folder: Path) -> None:
    async def play() -> None:
        async with tw.open(folder / "tutor.flow.yaml", store=SqliteStore(folder / "s.db"), tools={"save": save}) as app:
            await app.chat("x").say("hi")
            await app.chat("x").say("rate")
        (folder / "lib/feedback.flow.yaml").unlink()
        other = TUTOR.partition("  survey:")[0].replace(", call: survey, with: {kind: rapid}", ", to: chat")
        other += "tools: {save: {about: saves it, args: {mood: string}}}\n"
        async with tw.open(tw.loads(other), store=SqliteStore(folder / "s.db"), tools={"save": save}) as app:
            turn = await app.chat("x").say("bad")
            assert turn.text.startswith("Number 8.")
            assert (await app.chat("x").state()).values["feedback.mood"].value == "bad"

    asyncio.run(play())


def test_decisions_inside_name_the_line_of_the_document(folder: Path) -> None:
    async def play() -> None:
        async with tw.open(folder / "tutor.flow.yaml", tools={"save": save}) as app:
            for text in ("hi", "rate", "good"):
                await app.chat("x").say(text)
            answer = await app.chat("x").why("survey/thanks")
            assert "lib/feedback.flow.yaml:16" in str(answer)

    asyncio.run(play())


def test_a_record_that_is_inherited_or_returned_may_be_declared_again_in_one_document() -> None:
    again = """
flow: f
start: ask
records: {user: {name: string, level: string}}
nodes:
  ask:
    scope:
      inherits: [user]
      returns: user
      records: {user: {name: string}}
      start: a
      nodes: {a: {form: {fields: [{field: user.name, ask: Who?}]}}}
    end: done
"""
    assert tw.check(tw.loads(again)) == []
    answered = [[Set(field="ask/user.name", value="Ada")]]
    chat = talk(tw.loads(again.replace("inherits: [user]", "")), understand=answered).chat
    chat.say("hello")
    assert chat.say("I am Ada").state.values["user.name"].value == "Ada"
    (problem,) = tw.check(tw.loads(again.replace("field: user.name", "field: user.level")))
    assert problem.code == "TW020"
