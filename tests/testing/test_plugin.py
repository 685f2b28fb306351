"""The pytest plugin, as a project sees it that has turnwise installed: scenarios, fixtures, failures, coverage."""

from __future__ import annotations

import sys

import pytest

from support.chats import INTAKE

pytest_plugins = ("pytester",)

MAN = 'scenario: a man\ncommands: set(user.gender, "man")\nnode: ineligible\n'
YOUNG = "scenario: too young\ncommands: set(user.age, 12)\nnode: ineligible\ntransition too_young: taken\n"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    (pytester.path / "intake.flow.yaml").write_bytes(INTAKE.read_bytes())
    (pytester.path / "a.scenario").write_text(f"flow: intake.flow.yaml\n{MAN}{YOUNG}", "utf-8")
    return pytester


def shown(project: pytest.Pytester, *options: str) -> tuple[pytest.RunResult, str]:
    unused = ("cacheprovider", "schemathesis", "hypothesispytest", "anyio")
    ran = project.runpytest_inprocess(*(f"-pno:{name}" for name in unused), *options)
    return ran, ran.stdout.str()


# scenario files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "setting"), [(["--turnwise"], ""), ([], "turnwise_scenarios = true")])
def test_scenarios_are_tests_where_that_is_asked_for(
    project: pytest.Pytester, options: list[str], setting: str
) -> None:
    project.makeini(f"[pytest]\n{setting}\n")
    ran, text = shown(project, "-v", *options)
    ran.assert_outcomes(passed=2)
    assert "a.scenario::a man PASSED" in text
    assert "a.scenario::too young PASSED" in text


def test_else_they_are_left_alone(project: pytest.Pytester) -> None:
    assert shown(project)[0].ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_one_scenario_can_be_chosen(project: pytest.Pytester) -> None:
    shown(project, "--turnwise", "a.scenario::too young")[0].assert_outcomes(passed=1)
    shown(project, "--turnwise", "-k", "man")[0].assert_outcomes(passed=1, deselected=1)


def test_a_scenario_that_fails_says_what_came_out_and_why(project: pytest.Pytester) -> None:
    text = f"flow: intake.flow.yaml\n{MAN}scenario: a woman\ncommands: set(user.age, 45)\nnode: profiler\n"
    (project.path / "a.scenario").write_text(text, "utf-8")
    ran, text = shown(project, "--turnwise")
    ran.assert_outcomes(passed=1, failed=1)
    assert "a.scenario:7: node" in text
    ran.stdout.fnmatch_lines(
        [
            "    expected: profiler",
            "    found:    introduction",
            "    turn 1 of 'main' ended in introduction, not in profiler",
            "    before: stayed in introduction: *",
            "      complete → profiler “name, age and terms collected, age 38 or more”: *",
            "          ✓ user.age >= 38   user.age is 45 (command, turn 1)",
            "        not known: user.name, user.tos_acknowledged",
        ]
    )
    assert "Traceback" not in text


def test_a_transition_that_was_to_be_taken_is_explained(project: pytest.Pytester) -> None:
    text = "flow: intake.flow.yaml\ncommands: set(user.age, 45)\ntransition too_young: taken\n"
    (project.path / "a.scenario").write_text(text, "utf-8")
    _, text = shown(project, "--turnwise")
    assert "    too_young was not taken in turn 1 of 'main'" in text
    assert "        ✗ user.age < 38   user.age is 45 (command, turn 1)" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("user: hi\n", "a.scenario:1: which flow?"),
        ("flow: nothere.yaml\nuser: hi\n", "a.scenario:1: there is no file"),
        ("flow: intake.flow.yaml\nclock: noon\nuser: hi\n", "a.scenario:2: the clock needs a moment"),
    ],
)
def test_a_file_that_cannot_be_played_is_an_error_of_collection(
    project: pytest.Pytester, content: str, said: str
) -> None:
    (project.path / "a.scenario").write_text(content, "utf-8")
    ran, text = shown(project, "--turnwise")
    ran.assert_outcomes(errors=1)
    assert said in text
    assert "Traceback" not in text


def test_a_wrong_line_and_a_scenario_that_shows_nothing_fail(project: pytest.Pytester) -> None:
    text = f"flow: intake.flow.yaml\n{MAN}scenario: odd\nuser: hi\nnod: x\nscenario: empty\nuser: hi\n"
    (project.path / "a.scenario").write_text(text, "utf-8")
    ran, text = shown(project, "--turnwise")
    ran.assert_outcomes(passed=1, failed=2)
    assert "a.scenario:7: no line begins with 'nod'; did you mean 'node'?" in text
    assert "nothing is expected here" in text


# failures that tell why --------------------------------------------------------------------------

TALK = """
    from turnwise.core.state.commands import Set
    from turnwise.testing.asserting import assert_in, assert_not_taken, assert_taken

    def sets(**values):
        return [Set(field=name.replace("__", "."), value=value) for name, value in values.items()]
"""


def talking(project: pytest.Pytester, body: str, *options: str) -> tuple[pytest.RunResult, str]:
    lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
    project.makepyfile(
        test_it=f"{TALK}\n    def test_it(turnwise_chat):\n        chat = turnwise_chat('intake.flow.yaml')\n{lines}\n"
    )
    return shown(project, *options)


def test_a_node_that_is_not_the_expected_one_is_explained_by_the_last_turn(project: pytest.Pytester) -> None:
    ran, text = talking(project, "turn = chat.commands(sets(user__age=45))\nassert turn.state.node == 'profiler'")
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(
        [
            "E       AssertionError: assert 'introduction' == 'profiler'",
            "E         turn 1 of 'test' ended in introduction, not in profiler",
            "E         before: stayed in introduction: *",
            "E           complete → profiler *: false",
            "E             *✓ user.age >= 38   user.age is 45 (command, turn 1)",
            "E             not known: user.name, user.tos_acknowledged",
            "E             would hold with: user.name = *, user.tos_acknowledged = true",
        ]
    )
    assert "ineligible_male" not in text, "only what leads there is told"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("assert 'too_young' in chat.start().taken", "too_young was not taken in turn 1 of 'test'"),
        ("assert_taken(chat.start(), 'too_young')", "? user.age < 38   user.age is not known"),
        ("assert_taken(chat.start(), 'to_young')", "no transition is called 'to_young'; did you mean 'too_young'?"),
        (
            "assert_taken(chat.start(), 'three_groups')",
            "it leads out of profiler, and the conversation was in introduction",
        ),
        ("assert_not_taken(chat.start(), 'to_young')", "did you mean 'too_young'?"),
        (
            "assert_not_taken(chat.commands(sets(user__age=3)), 'too_young')",
            "✓ user.age < 38   user.age is 3 (command, turn 1)",
        ),
        ("assert_in(chat.start(), 'profilr')", "no node is called 'profilr'; did you mean 'profiler'?"),
        ("assert_in(chat.start(), 'closing')", "no transition of introduction leads to closing"),
        ("chat.start(); assert_in(chat.tool_used('x'), 'closing')", "the input was refused: unknown_tool: "),
        ("assert 'closing' == chat.start().state.node", "turn 1 of 'test' ended in introduction, not in closing"),
        ("assert_in(chat.commands(sets(user__age=3)), 'introduction')", "introduction → ineligible by too_young"),
    ],
)
def test_an_assertion_that_fails_says_why(project: pytest.Pytester, body: str, said: str) -> None:
    ran, text = talking(project, body)
    ran.assert_outcomes(failed=1)
    assert said in text


def test_assertions_that_hold_say_nothing(project: pytest.Pytester) -> None:
    body = """
turn = chat.commands(sets(user__age=3))
assert_taken(turn, "too_young")
assert_not_taken(turn, "complete")
assert_in(turn, "ineligible")
assert turn.taken == ("too_young",)
"""
    talking(project, body)[0].assert_outcomes(passed=1)


def test_comparisons_about_something_else_are_left_to_pytest(project: pytest.Pytester) -> None:
    _, text = talking(project, "chat.start()\nassert 'a' + 'b' == 'abc'")
    assert "turn 1" not in text
    assert "- abc" in text


def test_a_turn_of_an_earlier_test_explains_nothing(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_two="def test_a(turnwise_chat):\n    turnwise_chat('intake.flow.yaml').start()\n"
        "def test_b():\n    assert str('introduction') == 'profiler'\n"
    )
    ran, text = shown(project)
    ran.assert_outcomes(passed=1, failed=1)
    assert "ended in" not in text


# fixtures ----------------------------------------------------------------------------------------


def test_the_clock_stands_until_it_is_moved(project: pytest.Pytester) -> None:
    project.makepyfile(
        "def test_it(turnwise_chat, turnwise_clock):\n"
        "    chat = turnwise_chat('intake.flow.yaml')\n"
        "    assert chat.start().entries[0].at_ms == 1767960000000\n"
        "    turnwise_clock.move_s(60)\n"
        "    assert chat.say('hi').entries[0].at_ms == 1767960060000\n"
    )
    shown(project)[0].assert_outcomes(passed=1)


@pytest.mark.parametrize(("planned", "outcomes"), [(1, {"passed": 1}), (2, {"passed": 1, "errors": 1})])
def test_everything_that_was_scripted_must_be_asked_for(
    project: pytest.Pytester, planned: int, outcomes: dict[str, int]
) -> None:
    project.makepyfile(
        "from turnwise.core.state.commands import Set\n"
        "def test_it(turnwise_chat, scripted_model, scripted_understanding):\n"
        f"    scripted_model.plan += ['Hello.'] * {planned}\n"
        "    scripted_understanding.plan.append([Set(field='user.age', value=3)])\n"
        "    chat = turnwise_chat('intake.flow.yaml', model=scripted_model, understand=scripted_understanding)\n"
        "    assert chat.start().text == 'Hello.'\n"
        "    assert chat.say('I am three').state.node == 'ineligible'\n"
    )
    ran, text = shown(project)
    ran.assert_outcomes(**outcomes)
    assert ("1 planned replies were never asked for" in text) == (planned > 1)


def test_a_flow_is_a_path_from_the_test_a_path_from_where_it_runs_or_a_flow(project: pytest.Pytester) -> None:
    (project.path / "deep").mkdir()
    (project.path / "deep" / "own.flow.yaml").write_text("flow: own\nstart: a\nnodes: {a: {say: Own.}}\n", "utf-8")
    (project.path / "deep" / "test_deep.py").write_text(
        "import turnwise as tw\n"
        "def test_it(turnwise_chat):\n"
        "    assert turnwise_chat('own.flow.yaml').start().text == 'Own.'\n"
        "    assert turnwise_chat('intake.flow.yaml').start().state.node == 'introduction'\n"
        "    flow = tw.Flow('f', start='a', nodes=(tw.Node('a', say='A.'),))\n"
        "    assert turnwise_chat(flow).start().text == 'A.'\n"
    )
    shown(project)[0].assert_outcomes(passed=1)


def test_a_chat_of_a_test_with_a_loop_of_its_own_is_explained_as_well(project: pytest.Pytester) -> None:
    project.makepyfile(
        "import asyncio, turnwise as tw\n"
        "def test_it():\n"
        "    async def talk():\n"
        "        turn = await tw.open('intake.flow.yaml').chat('x').start()\n"
        "        assert turn.state.node == 'profiler'\n"
        "    asyncio.run(talk())\n"
    )
    assert "ended in introduction, not in profiler" in shown(project)[1]


# coverage ----------------------------------------------------------------------------------------


def test_coverage_is_told_below_the_tests_of_scenarios_and_of_python(project: pytest.Pytester) -> None:
    ran, text = talking(
        project, "chat.commands(sets(user__gender='woman', user__age=40))", "--turnwise", "--turnwise-coverage"
    )
    ran.assert_outcomes(passed=3)
    ran.stdout.fnmatch_lines(
        [
            "*coverage of flows*",
            "flow * nodes  transitions  leaves  all",
            "intake.flow.yaml  2/5 *",
            "intake.flow.yaml:*  three_groups: never judged",
        ]
    )
    assert "too_young" not in text.rpartition("coverage of flows")[2], "all of it was seen, some in each kind of test"


def test_without_being_asked_nothing_is_counted(project: pytest.Pytester) -> None:
    assert "coverage" not in shown(project, "--turnwise")[1]


@pytest.mark.parametrize(("least", "code"), [("20", 0), ("99", 1)])
def test_too_little_fails_the_run(project: pytest.Pytester, least: str, code: int) -> None:
    ran, text = shown(project, "--turnwise", "--turnwise-fail-under", least)
    assert ran.ret == code
    assert ("and 99 % is asked for" in text) == bool(code)


def test_a_run_without_a_flow_has_not_seen_enough(project: pytest.Pytester) -> None:
    project.makepyfile("def test_it(): pass")
    ran, text = shown(project, "--turnwise-fail-under", "1")
    ran.assert_outcomes(passed=1)
    assert ran.ret == 1
    assert "no flow was run, so nothing was counted, and 1 % is asked for" in text


def test_pages_are_written(project: pytest.Pytester) -> None:
    shown(project, "--turnwise", "--turnwise-html", "out")
    assert "three_groups: never judged" in (project.path / "out" / "intake.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("conftest.py", "conftest.py: this is a file; name a folder"),
        ("x.html", "x.html: this is the name of a page, and pages go into a folder; name one"),
    ],
)
def test_pages_that_cannot_be_written_are_wrong_usage(project: pytest.Pytester, folder: str, said: str) -> None:
    (project.path / "conftest.py").touch()
    ran = shown(project, "--turnwise", "--turnwise-html", folder)[0]
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: {said}" in ran.stderr.str()


def test_what_several_processes_have_seen_is_added(project: pytest.Pytester) -> None:
    one = shown(project, "--turnwise", "--turnwise-coverage")[1].partition("coverage of flows")[2]
    ran, text = shown(project, "--turnwise", "--turnwise-coverage", "-n", "2")
    ran.assert_outcomes(passed=2)
    told = [line for line in text.partition("coverage of flows")[2].splitlines() if ":" in line]
    assert told == [line for line in one.splitlines() if ":" in line]
    assert shown(project, "--turnwise", "--turnwise-fail-under", "99", "-n", "2")[0].ret == 1


def test_a_run_that_does_not_use_it_loads_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n"
        "def test_it():\n"
        "    loaded = {name for name in sys.modules if name.split('.')[0] in ('turnwise', 'msgspec', 're2', 'ruamel')}\n"
        "    known = {'turnwise', 'turnwise.errors', 'turnwise.api', 'turnwise.api.listeners'}\n"
        "    assert loaded == known | {'turnwise.testing', 'turnwise.testing.plugin'}\n"
    )
    ran = pytester.runpytest_subprocess("-p", "no:hypothesispytest")
    ran.assert_outcomes(passed=1)
    assert sys.modules["turnwise.testing.plugin"].__file__
