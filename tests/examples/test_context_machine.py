"""The four context machines: in YAML, in Python and in DyGram they are one flow each, and behave alike."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.shell import ROOT, run
from turnwise.testing.play import PlayedScenario, play_file
from turnwise.testing.scenario import parse_scenarios

FOLDER = ROOT / "examples" / "context_machine"
SCENARIOS = sorted(FOLDER.glob("*.scenario"))


def _in_python(name: str) -> tw.Flow:
    spec = importlib.util.spec_from_file_location("context_machine_example", FOLDER / "context_machine.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


@pytest.mark.parametrize("document", sorted(FOLDER.glob("*.flow.yaml")), ids=lambda path: path.name)
def test_a_machine_in_python_is_the_one_in_yaml(document: Path) -> None:
    assert _in_python(document.name.removesuffix(".flow.yaml")) == tw.load(document)


@pytest.mark.parametrize("document", sorted(FOLDER.glob("*.flow.yaml")), ids=lambda path: path.name)
def test_a_machine_in_dygram_is_the_one_in_yaml(document: Path, tmp_path: Path) -> None:
    name = document.name.removesuffix(".flow.yaml")
    assert tw.load(FOLDER / f"{name}.dy") == tw.load(document)
    for source, target in ((f"{name}.dy", "yaml"), (document.name, "dygram")):
        written = run("convert", FOLDER / source, "--to", target)
        assert written.code == 0
        assert tw.loads(written.out, format=target) == tw.load(document)
    assert run("format", "--check", FOLDER / f"{name}.dy").code == 0


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("context_machine", "complete"),
        ("write_and_read", "read"),
        ("work_first", "complete"),
        ("catch", "failed"),
    ],
)
def test_a_machine_in_dygram_runs_offline_with_its_replies(name: str, end: str) -> None:
    replies = FOLDER / ("demo" if name == "context_machine" else name)
    ran = run("chat", FOLDER / f"{name}.dy", "--model", f"scripted:{replies}.replies.yaml")
    assert (ran.code, ran.lines[-1].strip()) == (0, f"(ended: {end})")


def _came_out(played: list[PlayedScenario]) -> list[Any]:
    return [
        (one.passed, one.scenario.title, turn.text, turn.state, turn.events) for one in played for turn in one.turns
    ]


@pytest.mark.parametrize("form", ["python", "dygram"])
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_a_machine_in_another_form_answers_every_scenario_alike(path: Path, form: str) -> None:
    text = path.read_text("utf-8")
    by_name = text.replace("flow: ", "flow: context_machine.py:").replace(".flow.yaml", "")
    if form == "dygram":
        by_name = text.replace(".flow.yaml", ".dy")
    documents = _came_out(play_file(parse_scenarios(text, path)))
    code = _came_out(play_file(parse_scenarios(by_name, path)))
    assert documents
    assert [one[:3] for one in code] == [one[:3] for one in documents]
    assert [[type(event) for event in one[4]] for one in code] == [
        [type(event) for event in one[4]] for one in documents
    ]


def test_a_machine_without_the_write_says_why_it_stays(tmp_path: Path) -> None:
    replies = (FOLDER / "demo.replies.yaml").read_text("utf-8").splitlines()
    (tmp_path / "replies.yaml").write_text("\n".join(line for line in replies if "call" not in line), "utf-8")
    flow = FOLDER / "context_machine.flow.yaml"
    ran = run("chat", flow, "--model", f"scripted:{tmp_path / 'replies.yaml'}", given="/why-not done\n")
    assert "  done → complete “there is a result”: false" in ran.lines
    assert "    not known: config.result" in ran.lines
