"""The examples: sound, covered, drawn as their pages show, and saying in the terminal what their pages say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

import turnwise as tw
from support.shell import ROOT, run
from turnwise.flow.codec import flow_schema

EXAMPLES = ROOT / "examples"
FLOWS = sorted(EXAMPLES.glob("*/*.flow.yaml"))
DYGRAM = sorted(EXAMPLES.glob("*/*.dy"))
PAGES = sorted(EXAMPLES.glob("*/README.md"))
_EDITOR = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _id(path: Path) -> str:
    return str(path.relative_to(EXAMPLES))


def _code_of(flow: Path) -> list[str | Path]:
    """The option that supplies the functions which a flow names."""
    if flow.suffix == ".yaml" and "guard:" in flow.read_text("utf-8"):
        return ["--python", flow.parent / "guards.py"]
    tools = flow.parent / "tools.py"
    return ["--python", tools] if tools.is_file() else []


def _flow_of(page: Path) -> Path:
    """The flow that a page is about: in YAML, else in DyGram."""
    flow = page.parent / f"{page.parent.name}.flow.yaml"
    return flow if flow.is_file() else flow.with_name(f"{page.parent.name}.dy")


def _blocks(page: Path, language: str) -> list[str]:
    return [text for found, text in _FENCED.findall(page.read_text("utf-8")) if found == language]


def test_there_are_examples() -> None:
    assert {path.parent.name for path in (*FLOWS, *DYGRAM)} == {path.parent.name for path in PAGES}
    assert len(PAGES) == 7


MACHINES = ("context_machine", "write_and_read", "work_first", "catch")
IN_PYTHON = [EXAMPLES / "health_intake" / "health_intake.py"]
IN_PYTHON += [EXAMPLES / "context_machine" / f"context_machine.py:{name}" for name in MACHINES]


@pytest.mark.parametrize("flow", [*FLOWS, *IN_PYTHON, *DYGRAM], ids=_id)
def test_an_example_is_without_a_report(flow: Path) -> None:
    ran = run("check", "--strict", flow, *_code_of(flow))
    assert (ran.code, ran.out + ran.err) == (0, f"{flow}: no problems\n")


def test_the_scenarios_of_the_examples_see_everything() -> None:
    ran = run("test", EXAMPLES, "--coverage", "--fail-under", "100")
    assert ran.code == 0, ran.out + ran.err
    assert all(f"{_id(flow)} " in ran.out for flow in [*FLOWS, EXAMPLES / "returns_desk" / "returns_desk.dy"])


@pytest.mark.parametrize("flow", FLOWS, ids=_id)
def test_the_editor_line_leads_to_the_schema_and_the_example_is_valid_by_it(flow: Path) -> None:
    text = flow.read_text("utf-8")
    named = _EDITOR.match(text)
    assert named is not None
    schema = json.loads((flow.parent / named[1]).read_text("utf-8"))
    assert schema == flow_schema()
    Draft202012Validator(schema).validate(YAML(typ="safe").load(text))


@pytest.mark.requirement("000-75", "001-05")
@pytest.mark.parametrize("page", PAGES, ids=_id)
def test_the_picture_of_a_page_is_what_draw_prints(page: Path) -> None:
    flow = _flow_of(page)
    ran = run("draw", flow)
    assert (ran.code, ran.err) == (0, "")
    assert _blocks(page, "mermaid") == [ran.out]


SAID = {
    "eligibility": ["Yes", "there were some problems once, so partial", "it is for a referral", "/why"],
    "health_intake": ["Hello", "I'm Maria, and I'm fifty-two", "/why-not complete"],
    "thinking_partner": ["let's plan it", "First I must research it", "/why-not enter_planning_mode"],
    "pizza": ["a large salami and two small margheritas", "make the second one large", "/why order.pizzas[1].size"],
    "context_machine": [],  # nothing is said to it: its model speaks
    "returns_desk": [],
    "language_buddy": (EXAMPLES / "language_buddy" / "demo.txt").read_text("utf-8").splitlines(),
}


@pytest.mark.parametrize("page", PAGES, ids=_id)
def test_what_a_page_shows_of_the_terminal_is_what_the_terminal_shows(page: Path, tmp_path: Path) -> None:
    name = page.parent.name
    said = "\n".join(SAID[name])
    model = [] if said else ["--model", f"scripted:{page.parent / 'demo.replies.yaml'}"]
    flow = _flow_of(page)
    ran = run("chat", flow, *_code_of(flow), *model, given=said, LANGUAGE_BUDDY=str(tmp_path))
    shown = _blocks(page, "")[0]
    assert shown.count("\n") > 4
    assert shown in ran.out


def test_the_page_of_the_intake_shows_how_rules_and_code_differ(tmp_path: Path) -> None:
    folder = EXAMPLES / "health_intake"
    changed = (folder / "guards.py").read_text("utf-8").replace("user.age < 38", "user.age < 40")
    (tmp_path / "guards.py").write_text(changed, "utf-8")
    said = "I'm Maria, I'm 39, and I agree to the terms\n/why\n"
    ran = run("chat", folder / "with_code.flow.yaml", "--python", tmp_path / "guards.py", given=said)
    shown = _blocks(folder / "README.md", "")[1].splitlines()
    assert len(shown) == 2
    assert [line for line in ran.lines if line in shown][:2] == shown


def test_a_turn_of_an_example_can_be_asked_about_later(tmp_path: Path) -> None:
    flow, store = EXAMPLES / "health_intake" / "health_intake.flow.yaml", f"sqlite:///{tmp_path / 'intake.db'}"
    run("chat", flow, "--store", store, given="Hello\nI'm Maria, and I'm fifty-two\n")
    ran = run("explain", "--store", store, "main", "--turn", "3", "--transition", "complete")
    assert ran.code == 0
    assert ran.out == _blocks(EXAMPLES / "health_intake" / "README.md", "")[0]


def test_a_number_changed_in_the_flow_changes_the_picture_and_the_answer_alike(tmp_path: Path) -> None:
    text = (EXAMPLES / "health_intake" / "health_intake.flow.yaml").read_text("utf-8")
    path = tmp_path / "changed.flow.yaml"
    path.write_text(re.sub(r"user\.age (<|>=) 38", r"user.age \1 40", text), "utf-8")
    assert "user.age #60; 40" in tw.draw(path)
    ran = run("chat", path, given="I'm 39\n/why-not too_young\n")
    assert "    ✓ user.age < 40   user.age is 39 (understood, turn 2)" in ran.lines


def test_the_form_of_eligibility_says_the_truth_also_where_nothing_was_confirmed() -> None:
    with tw.open_sync(EXAMPLES / "eligibility" / "eligibility.flow.yaml") as app:
        chat = app.chat("x")
        chat.start()
        turn = chat.commands([tw.commands.HandOver()])
        assert turn.node == "handed_over"
        (decision,) = [one for one in chat.explain() if one.taken]
        taken = next(one for one in decision.candidates if one.outcome == "taken")
        assert taken.because == "the form handed the case over"
