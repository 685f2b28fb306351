"""The thinking partner: the configuration in JSON and the flow in YAML are one flow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import turnwise as tw
from support.shell import ROOT, run

FOLDER = ROOT / "examples" / "thinking_partner"
JSON = FOLDER / "thinking_partner.json"
YAML = FOLDER / "thinking_partner.flow.yaml"


@pytest.mark.requirement("001-03")
def test_json_and_yaml_are_read_to_the_same_flow() -> None:
    assert tw.load(JSON) == tw.load(YAML)


@pytest.mark.requirement("001-03", "001-06", "001-09")
def test_its_step_after_the_analysis_has_the_shape_that_was_printed() -> None:
    steps = json.loads(JSON.read_text("utf-8"))["orchestration"]["steps"]
    (step,) = [one for one in steps if one["name"] == "post_analysis_step"]
    assert list(step) == ["name", "description", "conditions", "availableTools"]
    assert step["conditions"] == [{"type": "tool_used", "value": "think"}]
    assert step["availableTools"] == {"allowed": ["summarize", "save_result"]}


@pytest.mark.parametrize("document", [JSON, YAML])
def test_nothing_is_said_of_either(document: Path) -> None:
    assert tw.check(document) == []
    assert run("check", "--strict", document).code == 0


@pytest.mark.requirement("001-42", "001-47")
def test_why_planning_does_not_open_is_told_by_the_condition_that_fails() -> None:
    with tw.open(YAML).blocking as chat:
        chat.start()
        chat.tool_used("web_search", {"query": "others"}, [])
        turn = chat.say("Let's plan it")
        (decision,) = chat.explain(transition="enter_planning_mode")
    assert turn.state is not None
    assert turn.state.node == "general"
    planning = decision.candidate("enter_planning_mode")
    assert planning is not None
    assert planning.in_words == ('!tools.used("web_search", within: 3)',)
