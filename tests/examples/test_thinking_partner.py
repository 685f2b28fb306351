"""The thinking partner: the configuration in JSON and the flow in YAML are one flow, but for the end."""

from __future__ import annotations

import dataclasses
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support import fake_server as fake
from support.fake_server import fake_server
from support.shell import ROOT, run
from turnwise.authoring.python import read_code
from turnwise.flow.code import ToolCall
from turnwise.models.scripted import call
from turnwise.testing.notation import calls_of
from turnwise.testing.play import play_file
from turnwise.testing.scenario import parse_scenarios

FOLDER = ROOT / "examples" / "thinking_partner"
JSON = FOLDER / "thinking_partner.json"
YAML = FOLDER / "thinking_partner.flow.yaml"


@pytest.mark.requirement("001-03")
def test_json_and_yaml_are_read_to_the_same_flow_but_for_the_end() -> None:
    assert tw.load(JSON) == dataclasses.replace(tw.load(YAML), transitions=())


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
    with tw.open_sync(YAML) as app:
        chat = app.chat("main")
        chat.start()
        chat.tool_used("web_search", {"query": "others"}, [])
        turn = chat.say("Let's plan it")
        (decision,) = chat.explain(transition="enter_planning_mode")
    assert turn.state is not None
    assert turn.state.node == "general"
    planning = decision.candidate("enter_planning_mode")
    assert planning is not None
    assert planning.in_words == ('!tools.used("web_search", within: 3)',)


@pytest.mark.requirement("001-03")
@pytest.mark.parametrize("name", ["thinking_partner", "refusals"])
def test_the_configuration_in_json_has_every_conversation_that_the_flow_has(name: str) -> None:
    path = FOLDER / f"{name}.scenario"
    text = path.read_text("utf-8").replace("flow: thinking_partner.flow.yaml", "flow: thinking_partner.json")
    played = play_file(parse_scenarios(text, path))
    assert len(played) > 3
    assert [one.scenario.title for one in played if not one.passed] == []


@pytest.mark.parametrize("words", ["bye", "Thanks, that's all for today.", "No, thank you", "stop"])
def test_it_ends_in_every_step_when_the_user_says_goodbye(words: str) -> None:
    with tw.open_sync(YAML) as app:
        for number, opening in enumerate(("hello", "some research first", "let's plan it")):
            chat = app.chat(f"{number}")
            chat.start()
            chat.say(opening)
            turn = chat.say(words)
            assert (turn.status, turn.outcome) == ("ended", "completed"), opening


def test_notes_are_not_kept_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THINKING_PARTNER_NOTES", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (saved,) = read_code(FOLDER / "tools.py").tools
    saved.function("kept", call=ToolCall("key"))
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_the_page_shows_what_stands_in_the_scenario() -> None:
    (shown,) = [
        text for text in (FOLDER / "README.md").read_text("utf-8").split("```text\n") if text.startswith("user: ")
    ]
    lines = (FOLDER / "thinking_partner.scenario").read_text("utf-8").splitlines()
    assert [line for line in shown.split("```")[0].splitlines() if line not in lines] == []


def test_notes_are_kept_found_again_and_never_kept_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKING_PARTNER_NOTES", str(tmp_path / "notes.jsonl"))
    code = read_code(FOLDER / "tools.py")
    flow = tw.load(YAML)
    model = tw.ScriptedModel([
        call("think", thought="costs"), call("summarize", points=["Costs are high.", "Rent"]),
        call("save_result", text="Costs are high. Rent."), call("search", words="rent or food"), "Kept.",
    ])  # fmt: skip
    with tw.open_sync(flow, model=model, tools=code.tools_of(flow)) as app:
        chat = app.chat("main")
        turn = chat.say("What does it cost?")
    assert [seen.end for seen in calls_of(turn)] == [
        '=> "noted"', '=> "Costs are high. Rent."', '=> {"notes": 1}', '=> ["Costs are high. Rent."]',
    ]  # fmt: skip
    (saved,) = code.tools
    assert saved.check is not None
    key = json.loads((tmp_path / "notes.jsonl").read_text("utf-8"))["key"]
    assert saved.check(ToolCall(key)) == {"notes": 1}
    with pytest.raises(tw.NotDone):
        saved.check(ToolCall("another"))


def test_what_wikipedia_answers_is_read_without_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"query": {"search": [{"title": "Cache", "snippet": "a &quot;<span>cache</span>&quot; keeps"}]}}
    asked: list[str] = []

    def opened(request: Any, timeout: float) -> BytesIO:
        asked.append(request.full_url)
        return BytesIO(json.dumps(found).encode())

    code = read_code(FOLDER / "tools.py")
    web_search = code.functions["web_search"]
    monkeypatch.setitem(web_search.__globals__, "urlopen", opened)
    assert web_search("what is a cache?") == [{"title": "Cache", "text": 'a "cache" keeps'}]
    assert "srsearch=what+is+a+cache%3F" in asked[0]


@pytest.mark.requirement("001-02", "001-20", "001-28")
def test_a_model_over_a_wire_is_told_of_the_step_s_tools_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNWISE_NO_MODELS", "0")
    flow = tw.load(YAML)
    tools = read_code(FOLDER / "tools.py").tools_of(flow)
    with fake_server() as server:
        server.answers(
            fake.calls(("think", {"thought": "no reason to stay"})),
            fake.calls(("think", {"thought": "again"}), ("summarize", {"points": ["money", "people"]})),
            fake.words("Money against people."),
        )
        with tw.open_sync(flow, tools=tools, model=f"compatible:fake@{server.address}/v1") as app:
            chat = app.chat("main")
            turn = chat.say("Shall I change my job?")
        offered = [[tool["function"] for tool in one.body["tools"]] for one in server.asked]
    assert [[tool["name"] for tool in tools] for tools in offered] == [
        ["think", "search", "web_search"],
        ["summarize", "save_result"],
        ["summarize", "save_result"],
    ]
    points = offered[1][0]["parameters"]["properties"]["points"]
    assert (points["type"], points["items"]["type"]) == ("array", "string")
    assert [seen.line for seen in calls_of(turn)] == [
        'think {"thought": "no reason to stay"} => "noted"',
        'think {"thought": "again"} refused not_allowed',
        'summarize {"points": ["money", "people"]} => "money. people."',
    ]
    assert (turn.text, turn.state and turn.state.node) == ("Money against people.", "post_analysis_step")
