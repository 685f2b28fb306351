"""Coverage: what turns have seen of nodes, transitions and the leaves of guards, with the lines of the document."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.chats import INTAKE, sets
from turnwise.core.state.commands import Set, Start
from turnwise.testing.coverage import Coverage, missing_parts, score, total
from turnwise.testing.coverage.page import page
from turnwise.testing.coverage.report import coverage_data, lines, lines_missing

FLOW = """\
flow: gate
start: door
records: {user: {age: integer, name: string, secret: {type: integer, secret: true}}}
tools: {ring: {about: the bell}}
transitions:
  - {id: fire, at: tool, when: tools.used("ring"), to: out}
nodes:
  door:
    prompt: Who is there?
    transitions:
      - id: grown
        at: before
        when: >-
          user.age >= 18 &&
          (user.name == "Ada" ||
          user.secret == 4711)
        to: inside
      - {id: young, at: before, when: user.age < 18, to: out}
  inside: {say: Welcome., once: out}
  out: {say: Goodbye., end: out}
  side: {say: By the side., enter_when: message.text.contains("side")}
"""


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    path = tmp_path / "gate.flow.yaml"
    path.write_text(FLOW, "utf-8")
    return path


def seen(flow: Path | tw.Flow, *talks: list[object], guards: tuple[object, ...] = ()) -> Coverage:
    """What some conversations have seen; a text is said, a tuple is given as commands, a `!name` is a tool's use."""
    coverage = Coverage()
    with tw.open_sync(flow, guards=guards, model=tw.ScriptedModel(["…"] * 50), understand=lambda *_: ()) as app:
        for number, talk in enumerate(talks):
            chat = app.chat(f"{number}")
            coverage.add(chat.start())
            for given in talk:
                if isinstance(given, tuple):
                    coverage.add(chat.commands(given))
                elif given.startswith("!"):
                    coverage.add(chat.tool_used(given[1:]))
                else:
                    coverage.add(chat.say(given))
    return coverage


def lacks(coverage: Coverage) -> list[tuple[int, str]]:
    (flow,) = coverage.flows
    return [(one.line, one.text) for one in missing_parts(flow) if not one.file]


def test_what_was_not_seen_is_told_with_the_line_where_it_stands(flow: Path) -> None:
    assert lacks(seen(flow, [sets(user__age=20, user__name="Ada")])) == [
        (6, "fire: never judged"),
        (14, "grown: leaf user.age >= 18 never seen not held"),
        (15, 'grown: leaf user.name == "Ada" never seen not held'),
        (16, "grown: leaf user.secret == [secret] never seen held, never seen not held"),
        (18, "young: judged, never taken"),
        (18, "young: leaf user.age < 18 never seen held"),
        (20, "node out: never entered"),
        (21, "enter_side: judged, never taken"),
        (21, 'enter_side: leaf message.text.contains("side") never seen held, never seen not held'),
        (21, "node side: never entered"),
    ]


def test_a_leaf_is_counted_as_the_trace_tells_it_whatever_decided_the_guard(flow: Path) -> None:
    """`user.age >= 18` is false and decides alone, yet the trace tells the verdict of the name as well."""
    found = lacks(seen(flow, [sets(user__age=3, user__name="Ada", user__secret=1)]))
    assert (14, "grown: leaf user.age >= 18 never seen held") in found
    assert (15, 'grown: leaf user.name == "Ada" never seen not held') in found
    assert (16, "grown: leaf user.secret == [secret] never seen held") in found


def test_unknown_is_neither_held_nor_not_held(flow: Path) -> None:
    found = lacks(seen(flow, [sets(user__name="Ada")]))
    assert (14, "grown: leaf user.age >= 18 never seen held, never seen not held") in found


def test_several_conversations_add_up_to_all(flow: Path) -> None:
    coverage = seen(
        flow,
        [sets(user__age=20, user__name="Ada"), "go on"],
        [sets(user__age=3)],
        [sets(user__age=20, user__name="Bob", user__secret=1), sets(user__secret=4711)],
        ["to the side", "!ring"],
        ["what?", "!ring"],
    )
    assert [text for _, text in lacks(coverage)] == ['fire: leaf tools.used("ring") never seen not held']
    assert str(score(coverage.flows[0]).all) == f"{4 + 5 + 11}/{4 + 5 + 12}"


def test_the_example_of_the_tests_says_which_leaf_was_seen_one_way_only() -> None:
    coverage = seen(INTAKE, [sets(user__age=45, user__name="Ada", user__tos_acknowledged=True)])
    line = next(n for n, text in enumerate(INTAKE.read_text("utf-8").splitlines(), 1) if "has(user.name)" in text)
    assert (line, "complete: leaf user.age >= 38 never seen not held") in lacks(coverage)


def test_a_python_guard_is_one_leaf_and_its_targets_are_transitions() -> None:
    class User(tw.Record):
        age: int | None = None

    @tw.guard(to=["b", "c"])
    def route(user: User) -> str | None:
        return "b" if user.age == 1 else None

    flow = tw.Flow(
        "f",
        start="a",
        records=[User],
        nodes=[tw.Node("a", prompt="A.", before=[route]), tw.Node("b", say="B."), tw.Node("c", say="C.")],
    )
    coverage = seen(flow, [sets(user__age=1)], guards=(route,))
    line = flow.nodes[2].span.line
    assert lacks(coverage) == [
        (line, "node c: never entered"),
        (line, "to_c: judged, never taken"),
        (line, "to_c: leaf route() never seen held"),
    ]


def test_a_mirror_need_only_be_judged_and_what_is_outranked_was_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        "flow: f\nstart: a\nrecords: {user: {age: integer}}\nnodes:\n  a:\n    prompt: A.\n    transitions:\n"
        "      - {id: code, at: before, guard: route, to: b}\n"
        "      - {id: same, at: before, when: user.age > 1, mirror: true, to: b}\n"
        "      - {id: late, at: before, when: user.age > 2, to: b, priority: 200}\n  b: {say: B.}\n"
    )

    @tw.guard
    def route(user: object) -> bool:
        return user.age is not None and user.age > 1

    found = [text for _, text in lacks(seen(path, [sets(user__age=1)], [sets(user__age=5)], guards=(route,)))]
    assert found == ["late: judged, never taken"]


def test_refused_and_repeated_turns_show_nothing(flow: Path) -> None:
    coverage = Coverage()
    with tw.open_sync(flow, model=tw.ScriptedModel(["…"] * 9)) as app:
        chat = app.chat("main")
        coverage.add(chat.tool_used("rong"))
        assert coverage.flows == []
        coverage.add(chat.start())
        before = coverage_data(coverage.flows)
        coverage.add(chat.commands([tw.commands.Set(field="user.agee", value=1)]))
        assert coverage_data(coverage.flows) == before


def test_two_runs_are_put_together_in_another_process(flow: Path) -> None:
    one, other = seen(flow, [sets(user__age=20, user__name="Ada")]), seen(flow, [sets(user__age=3)])
    together = Coverage()
    for part in (one, other, one):
        together.add_json(part.to_json())
    both = seen(flow, [sets(user__age=20, user__name="Ada")], [sets(user__age=3)])
    assert coverage_data(together.flows) == coverage_data(both.flows)
    together.add_json(seen(INTAKE, []).to_json())
    assert {flow.name for flow in together.flows} == {"gate", "health_intake"}


def test_another_version_of_a_file_is_another_flow(flow: Path) -> None:
    coverage = seen(flow, [sets(user__age=3)])
    flow.write_text(FLOW.replace("18", "21"), "utf-8")
    coverage.add_json(seen(flow, [sets(user__age=3)]).to_json())
    assert len(coverage.flows) == 2


def test_the_report_has_a_table_a_sum_and_places(flow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(flow.parent)
    coverage = seen(Path("gate.flow.yaml"), [sets(user__age=3)])
    assert list(lines(coverage.flows))[:3] == [
        "flow            nodes  transitions  leaves  all",
        "gate.flow.yaml  2/4    1/5          2/12    23 %",
        "gate.flow.yaml:6  fire: never judged",
    ]
    coverage.add_json(seen(INTAKE, []).to_json())
    assert list(lines(coverage.flows))[3].startswith("all ")
    assert total(coverage.flows).percent < 50
    assert total([]).percent == 100


def test_nothing_is_covered_of_a_flow_that_was_only_made_known(flow: Path) -> None:
    coverage = Coverage()
    coverage.know(tw.link(tw.load(flow)))
    assert str(score(coverage.flows[0]).all) == "0/21"


def test_the_nodes_inside_a_scope_are_entered_with_it(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        """
flow: f
start: a
records: {r: {mood: string}}
nodes:
  a: {say: Hello., transitions: [{at: before, when: message.text == "go", call: s}]}
  s: {scope: {returns: r}, form: {fields: [{field: r.mood, ask: Mood?}]}}
""",
        "utf-8",
    )
    coverage = seen(path, ["hi", "go"])
    assert "node s/form: never entered" not in [text for _, text in lacks(coverage)]


SURVEY = """\
flow: lesson
start: talk
commands: [{start: [survey]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}}}
nodes:
  talk:
    prompt: Talk.
    transitions: [{id: asks, at: before, when: message.text == "quiz", call: quiz}]
  survey:
    scope:
      returns: feedback
      limits: {turns: 2}
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?}]}
          transitions:
            - id: fine
              at: after
              when: >-
                size(message.text) > 0
                && feedback.mood == "good"
              end: fine
        help: {say: Help., enter_when: message.text == "help", once: ask}
  quiz:
    scope: {records: {memo: {n: integer}}}
    form: {fields: [{field: memo.n, ask: How many?}]}
"""


def test_what_is_inside_scopes_is_counted_and_each_outcome(tmp_path: Path) -> None:
    path = tmp_path / "lesson.flow.yaml"
    path.write_text(SURVEY, "utf-8")
    (nothing,) = seen(path, []).flows
    assert {(one.scope, one.outcome) for one in nothing.outcomes} == {
        *(("survey", "completed"), ("survey", "fine"), ("survey", "cancelled"), ("survey", "limit")),
        *(("quiz", "completed"), ("quiz", "cancelled")),
    }
    inside = seen(path, ["feedback", "survey", "good", "survey", "help", "cancel", "quiz", "4"])
    (flow,) = inside.flows
    assert {one.name for one in flow.nodes if one.is_entered} == {
        *("talk", "survey", "survey/ask", "survey/help", "quiz", "quiz/form")
    }
    assert [line.rpartition(".yaml")[2] for line in lines(inside.flows)][2:] == [
        ":11  scope survey: never closed as completed",
        ":11  scope survey: never closed as limit",
        ":21  fine: leaf size(message.text) > 0 never seen not held",
        ':22  fine: leaf survey/feedback.mood == "good" never seen not held',
        ":26  scope quiz: never closed as cancelled",
    ]
    assert next(lines(inside.flows)).split() == ["flow", "nodes", "transitions", "leaves", "outcomes", "all"]
    assert coverage_data(inside.flows)[0]["outcomes"] == {"seen": 3, "all": 6}


def test_each_outcome_of_an_offer_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "lesson.flow.yaml"
    path.write_text(
        SURVEY.replace("    prompt: Talk.", "    prompt: Talk.\n    offer: {scope: survey, opener: A minute?}")
    )
    (flow,) = seen(path, ["not now"]).flows
    offers = {one.outcome: one.was_reached for one in flow.outcomes if one.is_offer}
    assert offers == {"taken": False, "declined": True, "lapsed": False}
    found = [line.rpartition(".yaml")[2] for line in lines([flow])]
    assert ":8  offer of survey: never taken" in found
    assert ":8  offer of survey: never lapsed" in found
    assert ":8  offer of survey: never declined" not in found


USES = """
overlays: {advent: {from: 2026-12-01, to: 2026-12-24, addendum: It is Advent.}, may: {from: 2027-05-01, to: 2027-05-31, addendum: May.}}
events: {paid: {amount: integer}, shipped: {carrier: string}}
schedules:
  evening: {at: "20:00", instruct: Say good night.}
  yearly: {cron: "0 9 1 1 *", instruct: Greet.}
"""


def test_schedules_events_and_overlays_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "lesson.flow.yaml"
    path.write_text(SURVEY + USES)
    coverage, clock = Coverage(), tw.ManualClock(1_796_120_000_000)  # 1 December 2026

    with tw.open_sync(path, model=tw.ScriptedModel(["…"]), clock=clock) as app:
        chat = app.chat("one")
        for turn in (chat.start(), chat.event("paid", {"amount": 1}), chat.fire("evening")):
            coverage.add(turn)
    (flow,) = coverage.flows
    assert [(one.kind, one.name, one.was_seen) for one in flow.uses] == [
        ("schedule", "evening", True),
        ("schedule", "yearly", False),
        ("event", "paid", True),
        ("event", "shipped", False),
        ("overlay", "advent", True),
        ("overlay", "may", False),
    ]
    found = [line.rpartition("  ")[2] for line in lines([flow])]
    for text in ("schedule yearly: never fired", "event shipped: never came", "overlay may: never active"):
        assert text in found
    assert coverage_data([flow])[0]["uses"] == {"seen": 3, "all": 6}
    assert "uses" in next(lines([flow])).split()
    assert "schedules, events, overlays" in page(flow)


def test_a_flow_without_scopes_has_no_column_of_outcomes(flow: Path) -> None:
    assert next(lines(seen(flow, []).flows)).split() == ["flow", "nodes", "transitions", "leaves", "all"]


def test_a_part_of_another_document_is_told_with_that_document(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("nodes:\n  bye: {say: Bye., end: done}\n", "utf-8")
    flow = tmp_path / "f.flow.yaml"
    flow.write_text(
        "flow: f\nstart: a\nimports: [{from: more.yaml, names: [bye]}]\nnodes:\n"
        "  a: {say: Hi., transitions: [{id: leave, at: before, when: message.since_entry, to: bye}]}\n",
        "utf-8",
    )
    (seen_flow,) = seen(flow, []).flows
    assert [(one.file, one.line, one.text) for one in missing_parts(seen_flow)] == [
        ("", 5, "leave: judged, never taken"),
        ("", 5, "leave: leaf message.since_entry never seen held"),
        (str(tmp_path / "more.yaml"), 2, "node bye: never entered"),
    ]
    assert list(lines_missing([seen_flow]))[-1].endswith("more.yaml:2  node bye: never entered")
    assert "more.yaml:2</td>" in page(seen_flow)


QUIZ = """
flow: tutor
start: chat
commands: [{start: [quiz]}]
records:
  lib:
    questions:
      type: list
      of: question
      default:
        - {id: q1, ask: "Haus?", options: [house, mouse], right: house}
        - {id: q2, ask: "Maus?", right: mouse, stop: [enough]}
        - {id: q3, ask: "Why?"}
  feedback: {answers: answers}
nodes:
  chat: {say: Hello., transitions: [{id: bye, at: before, when: message.text == "bye", end: bye}]}
  quiz:
    scope: {inherits: [lib], returns: feedback}
    form: {questions: lib.questions, into: feedback.answers}
"""


def of_questions(coverage: Coverage) -> list[str]:
    (flow,) = coverage.flows
    return [one.text for one in missing_parts(flow) if one.text.startswith("question")]


def quizzed(*talks: list[object]) -> Coverage:
    return seen(tw.loads(QUIZ), *talks)


def answer(**given: str) -> tuple[object, ...]:
    return tuple([Set(field=f"quiz/feedback.answers.{name}", value=value) for name, value in given.items()])


def test_each_outcome_of_a_question_that_is_data_is_counted() -> None:
    every = [
        *("question q1 of quiz/form: never answered right", "question q1 of quiz/form: never answered wrong"),
        *("question q2 of quiz/form: never answered right", "question q2 of quiz/form: never answered wrong"),
        *("question q2 of quiz/form: never stopped by it", "question q3 of quiz/form: never answered"),
    ]
    assert of_questions(quizzed([])) == every
    begin = (Start(target="quiz"),)
    some = quizzed([begin, answer(q1="house"), answer(q2="enough")])
    assert of_questions(some) == [every[1], every[2], every[3], every[5]]
    right = quizzed([begin, answer(q1="mouse"), answer(q2="Mouse."), answer(q3="so")], [begin, answer(q2="louse")])
    some.add_json(right.to_json())
    assert of_questions(some) == []
    assert score(some.flows[0]).outcomes.seen >= 6


def test_questions_that_a_run_brings_along_are_counted_from_then_on() -> None:
    text = QUIZ.replace("inherits: [lib]", "input: {questions: {type: list, of: question}}")
    coverage = Coverage()
    text = text.replace("lib.questions", "input.questions").replace("commands: [{start: [quiz]}]\n", "")
    flow = tw.loads(text.replace("say: Hello.,", "prompt: Hello., tools: {allow: [open_quiz]},"))
    asked = {"questions": [{"id": "new", "ask": "New?", "right": "blue"}]}
    with tw.open_sync(flow, model=tw.ScriptedModel([tw.call("open_quiz", **asked), "Back."])) as app:
        coverage.know(app.machine)
        assert of_questions(coverage) == []
        chat = app.chat("a")
        coverage.add(chat.say("hello"))
        right, wrong = (f"question new of quiz/form: never answered {how}" for how in ("right", "wrong"))
        assert of_questions(coverage) == [right, wrong]
        coverage.add(chat.say("blue"))
        assert of_questions(coverage) == ["question new of quiz/form: never answered wrong"]
        before = Coverage()
        before.know(app.machine)
        before.add_json(coverage.to_json())
        assert of_questions(before) == of_questions(coverage)
