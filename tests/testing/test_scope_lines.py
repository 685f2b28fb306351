"""Lines of scenario files about scopes: what they compare, what is wrong with them, and how they are recorded."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from support.inner import FLOW, REPLIES, opened, talked
from turnwise.testing.play import PlayedScenario, play_file
from turnwise.testing.recorded import checked_scenario, record_scenario
from turnwise.testing.report import rewrite_expectations
from turnwise.testing.scenario import parse_scenarios

HEAD = "flow:\n" + "".join(f"  {line}\n" for line in FLOW.strip().split("\n")) + "\nscenario: one\n"
QUIZ = "model: Hello.\nuser: hello\nmodel: -> open_quiz\nmodel: First?\nuser: a quiz\n"


def played(lines: str, path: Path) -> PlayedScenario:
    (one,) = play_file(parse_scenarios(HEAD + lines, path / "x.scenario"))
    return one


def told(one: PlayedScenario) -> list[str]:
    return [f"{miss.line.head}: {miss.found}" for miss in one.misses] + [problem.text for problem in one.problems]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("frame: quiz", ""),
        ("frame: none", "frame: quiz"),
        ("frame: quiz/rest", "frame: quiz"),
        ("frames: quiz", ""),
        ("frames: quiz > quiz/rest", "frames: quiz"),
        ("opened: quiz by tool", ""),
        ("opened: quiz by user", "opened: quiz by tool"),
        ("opened: none", "opened: quiz by tool"),
        ("scope outcome: none", ""),
        ("scope outcome quiz: over", "scope outcome quiz: none"),
        ("scope summary: none", ""),
        ("starts: A short survey", ""),
        ("starts: none", "starts: A short survey"),
        ("asked contains quiz: Play.", ""),
        ("asked without .: Play.", ""),
        ("asked contains 1: Talk.", ""),
        ("asked contains .: Play.", "asked contains .: Talk."),
        ("asked contains survey: Play.", "asked contains survey: no call"),
        ("offered quiz: none", ""),
        ("transcript contains: hello", ""),
        ("transcript contains quiz: First?", ""),
        ("transcript without .: First?", ""),
        ("transcript without quiz: First?", "transcript without quiz: First?"),
        ("transcript contains survey: x", "transcript contains survey: not opened"),
        ("transcript without survey: x", "transcript without survey: not opened"),
    ],
)
def test_a_line_about_a_scope(line: str, found: str, tmp_path: Path) -> None:
    misses = told(played(f"{QUIZ}{line}\n", tmp_path))
    assert [one.split("\n")[0] for one in misses] == ([found] if found else [])


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("frame: quis", "there is no scope 'quis'; did you mean 'quiz'?"),
        ("frames: quiz > quiz/rst", "there is no scope 'quiz/rst'; did you mean 'quiz/rest'?"),
        ("opened: quiz by tol", "there is no opening 'quiz by tol'; did you mean 'quiz by tool'?"),
        ("scope outcome quis: over", "there is no scope 'quis'; did you mean 'quiz'?"),
        ("scope outcome: ovr", "there is no outcome of a scope 'ovr'; did you mean 'over'?"),
        ("asked contains quis: Play.", "there is no scope 'quis'; did you mean 'quiz'?"),
        ("asked contains 0: Play.", "'0' is no number of a call of the model, counted from 1"),
        ("transcript contains quis: Play.", "there is no scope 'quis'; did you mean 'quiz'?"),
        ("transcript without:", "every text contains nothing; write what must be in it"),
    ],
)
def test_a_wrong_name_is_reported_with_the_nearest_one(line: str, wrong: str, tmp_path: Path) -> None:
    assert told(played(f"{QUIZ}{line}\n", tmp_path)) == [wrong]


def test_rewriting_writes_what_happened_and_keeps_what_was_searched(tmp_path: Path) -> None:
    lines = f"{QUIZ}frame: none\nscope outcome: over\ntranscript contains .: gone\n"
    file = parse_scenarios(HEAD + lines, tmp_path / "x.scenario")
    written = rewrite_expectations(file, play_file(file))
    assert written.endswith("frame: quiz\nscope outcome: none\ntranscript contains .: gone\n")


def test_a_recorded_conversation_says_what_became_of_its_scopes(tmp_path: Path) -> None:
    async def recorded() -> str:
        async with opened(*REPLIES) as app:
            await talked(app.chat("a"))
            return await record_scenario(app.runtime.archive, "a")

    text = asyncio.run(recorded())
    steps = text.split("\nuser: ")
    kept = ("opened", "frames", "scope")
    own = [[line for line in step.split("\n") if line.startswith(kept)] for step in steps[1:]]
    assert own == [
        [],
        ["opened: quiz by tool", "frames: quiz"],
        ["opened: quiz/rest by node", "frames: quiz > quiz/rest"],
        ["scope outcome quiz/rest: completed", "scope summary quiz/rest: rest: completed", "frames: quiz"],
        ["scope outcome quiz: over", "scope summary quiz: Points: 3", "frames: none"],
        ["opened: survey by call", "frames: survey"],
    ]
    assert checked_scenario(text, tmp_path / "x.scenario")[1] == []
