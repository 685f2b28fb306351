"""The health intake as rules, as code beside mirrors, and in Python: one behaviour."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

import turnwise as tw
from support.chats import sets
from support.shell import ROOT
from turnwise.core.link import link
from turnwise.testing.play import PlayedScenario, play_file
from turnwise.testing.scenario import parse_scenarios

FOLDER = ROOT / "examples" / "health_intake"
RULES = FOLDER / "health_intake.flow.yaml"
CODE = FOLDER / "with_code.flow.yaml"
SCENARIOS = FOLDER / "health_intake.scenario"


def _module(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Python file of the example, run as a program beside it would import it."""
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def guards(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    module = _module("guards", monkeypatch)
    return [module.route, module.three_groups]


@pytest.fixture
def in_python(guards: list[Any], monkeypatch: pytest.MonkeyPatch) -> tw.Flow:
    return _module("health_intake", monkeypatch).flow


def _played(header: str) -> list[PlayedScenario]:
    """The scenarios of the rules, played with another flow."""
    text = SCENARIOS.read_text("utf-8").replace("flow: health_intake.flow.yaml\n", header)
    assert header in text
    return play_file(parse_scenarios(text, SCENARIOS))


def _came_out(played: list[PlayedScenario]) -> list[Any]:
    return [
        (one.scenario.title, turn.text, turn.state.node, turn.state.status, turn.outcome, turn.state.values)
        for one in played
        for turn in one.turns
        if turn.state is not None
    ]


@pytest.mark.requirement("000-12", "000-27")
def test_code_answers_every_conversation_as_the_rules_do() -> None:
    by_rules = _came_out(_played("flow: health_intake.flow.yaml\n"))
    by_code = _came_out(_played("flow: with_code.flow.yaml\npython: guards.py\n"))
    assert len(by_rules) > 30
    assert by_code == by_rules


def test_nowhere_in_these_conversations_do_the_mirrors_disagree() -> None:
    played = _played("flow: with_code.flow.yaml\npython: guards.py\n")
    decisions = [decision for one in played for turn in one.turns for decision in turn.decisions]
    assert any(one.by.startswith("a mirror") for decision in decisions for one in decision.candidates)
    assert [decision for decision in decisions if decision.mirror_disagrees is not None] == []


@pytest.mark.requirement("000-23")
@pytest.mark.parametrize(
    ("rule", "age", "by_rules", "by_code"),
    [("user.age < 40", 39, "ineligible", "profiler"), ("user.age < 36", 37, "(stay)", "ineligible")],
)
def test_code_decides_where_a_mirror_says_otherwise_and_the_decision_tells(
    rule: str, age: int, by_rules: str, by_code: str, guards: list[Any], tmp_path: Path
) -> None:
    path = tmp_path / "drifted.flow.yaml"
    copy(CODE.parent / "health_intake.flow.yaml", tmp_path)
    path.write_text(CODE.read_text("utf-8").replace("user.age < 38", rule), "utf-8")
    with tw.open_sync(path, guards=guards) as app:
        chat = app.chat("main")
        chat.start()
        turn = chat.commands(sets(user__name="Ada", user__age=age, user__tos_acknowledged=True))
    assert turn.state is not None
    assert turn.state.node == by_code
    told = turn.decisions[0].mirror_disagrees
    assert told is not None
    assert (told.rules, told.code) == (by_rules, by_code)


@pytest.mark.requirement("000-02", "000-15", "000-69")
def test_the_source_and_what_it_read_stand_in_the_decision(guards: list[Any]) -> None:
    with tw.open_sync(CODE, guards=guards) as app:
        chat = app.chat("main")
        chat.start()
        chat.commands(sets(user__name="Ada", user__age=45, user__tos_acknowledged=True))
        turn = chat.commands(sets(symptoms__groups=["sleep"]))
    (three_groups,) = turn.decisions[-1].candidates
    assert three_groups.code is not None
    assert three_groups.code.source.startswith("def three_groups(symptoms: Any) -> bool:\n")
    assert three_groups.code.reads == {"symptoms.groups": ["sleep"]}


def test_the_flow_in_python_is_the_one_in_yaml(in_python: tw.Flow, guards: list[Any]) -> None:
    assert tw.check(in_python) == []
    assert in_python == tw.load(CODE)
    assert link(in_python).fingerprint == link(tw.load(CODE), guards).fingerprint


def test_the_flow_in_python_needs_nothing_else_supplied(in_python: tw.Flow) -> None:
    with tw.open_sync(in_python) as app:
        chat = app.chat("main")
        turn = chat.say("Hi, I'm Ines, I'm 38, and I agree to the terms")
    assert turn.state is not None
    assert turn.state.node == "profiler"
    assert turn.taken == ("to_profiler",)
