"""Orchestration steps become nodes: names, conditions, tools, the default, and what cannot be reached."""

from __future__ import annotations

import json
from typing import Any

import pytest

from turnwise.api.open import open_sync
from turnwise.authoring.document import read_document
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.link import link_with_diagnostics
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Condition, Flow, Node, SequencePosition, ToolPolicy
from turnwise.models.scripted import ScriptedModel

PRINTED = """{
  "name": "post_analysis_step",
  "description": "Opens once 'think' was used.",
  "conditions": [
    {
      "type": "tool_used",
      "value": "think"
    }
  ],
  "availableTools": {
    "allowed": ["summarize", "save_result"]
  }
}
"""


def _read(document: Any, file: str = "steps.json") -> tuple[Flow, list[str]]:
    """The flow, and what reading and linking say about it, without the hints that tools are not run yet."""
    text = document if isinstance(document, str) else json.dumps(document)
    flow, diagnostics = read_document(text, file)
    found = diagnostics + link_with_diagnostics(flow)[1]
    return flow, [str(d).removeprefix(f"{file}:") for d in found]


def _nodes(document: Any) -> dict[str, Node]:
    flow, said = _read(document)
    assert said == []
    return {node.name: node for node in flow.nodes}


def _step(name: str, **keys: Any) -> dict[str, Any]:
    return {"name": name, "conditions": [{"type": "tool_used", "value": "think"}], **keys}


@pytest.mark.requirement("001-03", "001-04", "001-05", "001-06", "001-09")
def test_one_step_as_printed_is_a_flow() -> None:
    flow, said = _read(PRINTED)
    assert said == []
    [general, step] = flow.nodes
    assert flow.start == general.name == "general"
    assert general.tools == ToolPolicy(allow=("*",))
    assert step.name == "post_analysis_step"
    assert step.description == "Opens once 'think' was used."
    assert step.enter_when == (Condition("tool_used", "think"),)
    assert step.tools == ToolPolicy(allow=("summarize", "save_result"))
    assert [tool.name for tool in flow.tools] == ["summarize", "save_result", "think"]
    assert "post_analysis_step: Opens once 'think' was used." in flow.prompt


@pytest.mark.requirement("001-03", "001-26", "001-27")
def test_the_printed_step_runs() -> None:
    flow, _ = _read(PRINTED)
    with open_sync(flow) as app:
        chat = app.chat("main")
        assert chat.start().state.node == "general"  # type: ignore[union-attr]
        turn = chat.tool_used("think")
        assert turn.state is not None
        assert turn.state.node == "post_analysis_step"
        [use] = turn.state.tools.last
        assert (use.tool, use.turn, use.node) == ("think", turn.number, "general")
        assert turn.state.tools.counts == {"think": 1}


@pytest.mark.parametrize(
    "document",
    [
        [json.loads(PRINTED)],
        {"steps": [json.loads(PRINTED)]},
        {"orchestration": {"steps": [json.loads(PRINTED)]}},
    ],
    ids=["a list", "steps", "orchestration"],
)
def test_steps_stand_alone_in_a_list_or_in_an_orchestration(document: Any) -> None:
    found, said = _read(document)
    assert said == []
    assert found == _read(PRINTED)[0]


@pytest.mark.requirement("001-25")
def test_the_default_step_is_the_start_and_needs_no_other() -> None:
    flow, said = _read([_step("after"), {"name": "general", "isDefault": True}])
    assert said == []
    assert flow.start == "general"
    assert [node.name for node in flow.nodes] == ["after", "general"]


def test_the_generated_start_takes_a_name_that_is_free() -> None:
    flow, said = _read([_step("general"), _step("general_2")])
    assert said == []
    assert flow.start == "general_3"


def test_a_default_that_is_named_beside_the_steps_is_the_start() -> None:
    flow, said = _read({"steps": [_step("a"), {"name": "b"}], "defaultStep": "b"})
    assert said == []
    assert flow.start == "b"
    said = _read({"steps": [_step("a")], "defaultStep": "c"})[1]
    assert said == ["1:100: TW018 no step is called 'c'"]


@pytest.mark.requirement("001-06")
def test_all_conditions_are_kept_as_they_are_written() -> None:
    conditions = [
        {"type": "message_contains", "value": "plan", "description": "wants to plan"},
        {"type": "not_recently_used", "value": "think", "window": 3},
    ]
    node = _nodes([_step("plan", conditions=conditions)])["plan"]
    assert node.enter_when == (
        Condition("message_contains", "plan", None, "wants to plan"),
        Condition("not_recently_used", "think", 3),
    )


@pytest.mark.requirement("001-14")
@pytest.mark.law("2.12", "4.2")
def test_a_sequence_is_kept_and_its_match_is_a_trigger() -> None:
    step = _step("done", conditions=[{"type": "sequence_match"}], sequence=["a", ["b", "c"], "a"])
    policy = _nodes([step])["done"].tools
    assert policy == ToolPolicy(
        allow=("*",),
        sequence=(SequencePosition(("a",)), SequencePosition(("b", "c")), SequencePosition(("a",))),
    )
    assert _read([_step("done", conditions=[{"type": "sequence_match"}])])[1] == [
        "1:34: TW035 sequence_match needs a 'sequence' in its own step"
    ]


@pytest.mark.law("4.1")
def test_a_step_without_a_list_of_tools_allows_every_tool() -> None:
    for available in ({}, {"availableTools": None}, {"availableTools": {}}, {"availableTools": {"allowed": None}}):
        assert _nodes([_step("a", **available)])["a"].tools == ToolPolicy(allow=("*",))


@pytest.mark.law("4.1")
def test_denied_tools_are_taken_from_the_allowed_ones() -> None:
    tools = {"allowed": ["a", "b"], "denied": ["b"]}
    assert _nodes([_step("s", availableTools=tools)])["s"].tools == ToolPolicy(("a", "b"), ("b",))
    assert _nodes([_step("s", availableTools={"denied": ["b"]})])["s"].tools == ToolPolicy(("*",), ("b",))


def test_a_step_that_allows_nothing_has_no_tools_and_still_something_to_do() -> None:
    nodes = _nodes([_step("s", availableTools={"allowed": []})])
    assert nodes["s"].tools is None
    assert nodes["s"].prompt


@pytest.mark.requirement("001-50")
def test_a_tool_that_the_configuration_does_not_declare_is_an_error() -> None:
    document = {"tools": ["think", "summarize"], "steps": [_step("s", availableTools={"allowed": ["sumarize"]})]}
    assert _read(document)[1] == ["1:148: TW021 no tool is called 'sumarize'; did you mean 'summarize'?"]
    document["tools"] = {"think": "note a thought", "sumarize": {"about": "shorten", "kind": "read"}}
    flow, said = _read(document)
    assert said == []
    assert [(tool.name, tool.about) for tool in flow.tools] == [("think", "note a thought"), ("sumarize", "shorten")]


def test_wildcards_name_no_tool() -> None:
    document = [
        _step("s", availableTools={"allowed": ["web_*"], "denied": ["*_delete"]}),
        _step("web", sequence=["web_read"]),
    ]
    flow, said = _read(document)
    assert said == ["1:126: TW021 no tool has a name like '*_delete'; known: think, web_read"]
    assert [tool.name for tool in flow.tools] == ["think", "web_read"]


@pytest.mark.requirement("001-16")
def test_an_unknown_condition_is_an_error_with_the_nearest_name() -> None:
    said = _read([_step("s", conditions=[{"type": "tool_usd", "value": "think"}])])[1]
    assert said == ["1:40: TW035 no condition has the type 'tool_usd'; did you mean 'tool_used'?"]


def test_a_step_that_nothing_leads_to_is_a_warning() -> None:
    document = [{"name": "a", "isDefault": True}, {"name": "b", "isDefault": True}, {"name": "c", "conditions": []}]
    flow, diagnostics = read_document(json.dumps(document), "s.json")
    assert flow.start == "a"
    assert [str(d) for d in diagnostics] == [
        "s.json:1:45: TW061 warning: 'b' is never entered: the conversation starts at the first default step; "
        "give it conditions",
        "s.json:1:79: TW061 warning: 'c' is never entered: it has no conditions and is not the default; "
        "give it conditions",
    ]
    assert not has_errors(diagnostics)


def test_a_name_that_is_none_is_changed_with_a_warning() -> None:
    flow, said = _read([_step("Nach der Prüfung"), _step("nach_der_prufung"), _step("???"), _step("2 go")])
    assert [node.name for node in flow.nodes][1:] == ["nach_der_prufung_2", "nach_der_prufung", "step_3", "go"]
    assert said[0] == (
        "1:11: TW063 warning: the step 'Nach der Prüfung' is called 'nach_der_prufung_2' here; letters, digits and _ only"
    )
    assert len(said) == 3


def test_descriptions_may_be_lists_and_are_the_prompt() -> None:
    document = {"description": ["Plan trips.", "Ask {{ first }}."], "steps": [_step("s", description=["One.", "Two."])]}
    flow, said = _read(document)
    assert said == []
    assert flow.description == "Plan trips.\nAsk {{ first }}."
    assert flow.prompt == (
        'Plan trips.\nAsk {{ "{{" }} first }}.\n\n'
        "The steps of this conversation, each with its own tools:\n- s: One. Two."
    )
    assert flow.nodes[1].description == "One.\nTwo."


def test_an_agent_gives_its_name_and_personality() -> None:
    document = {
        "name": "Trip Agent",
        "personality": ["You plan {trips}.", "You are brief: {{x}}"],
        "version": "1.0",
        "orchestration": {"steps": [_step("s", persona="You sum up.", prompt="Sum up.", model="a:b")]},
    }
    flow, said = _read(document)
    assert (flow.name, flow.title) == ("trip_agent", "Trip Agent")
    assert flow.persona == 'You plan {trips}.\nYou are brief: {{ "{{" }}x}}'
    assert (flow.nodes[1].persona, flow.nodes[1].prompt, flow.nodes[1].model) == ("You sum up.", "Sum up.", "a:b")
    assert said == ["1:86: TW060 warning: 'version' has no effect: only the steps of an agent are read"]


def test_initial_messages_are_said_once_before_anything_else() -> None:
    document = {
        "initialMessages": ["Hello! I am Ada.", "Ask me, {{name}}."],
        "orchestration": {
            "steps": [
                _step("greeting", isDefault=True, availableTools={"allowed": ["search"]}),
                _step("deeper", conditions=[{"type": "tool_used", "value": "search"}]),
            ]
        },
    }
    greeting = "Hello! I am Ada.\n\nAsk me, {{name}}."
    flow, said = _read(document)
    assert said == []
    with open_sync(flow, model=ScriptedModel(["Owls are birds.", "They fly."]), tools={"search": print}) as app:
        begun = app.chat("begun").start()
        assert (begun.text, begun.state.node) == (greeting, flow.start)
        answered = app.chat("begun").say("owls?")
        assert (answered.text, answered.state.node) == ("Owls are birds.", "greeting")
        at_once = app.chat("at once").say("owls?")
        assert (at_once.text, at_once.state.node) == (f"{greeting}\n\nThey fly.", "greeting")


@pytest.mark.parametrize("none", [[], None, "", ["", " "]])
def test_no_initial_messages_change_nothing(none: object) -> None:
    steps = [_step("ask", isDefault=True)]
    flow, said = _read({"initialMessages": none, "orchestration": {"steps": steps}})
    assert (flow, said) == _read({"orchestration": {"steps": steps}})
    assert flow.start == "ask"


def test_an_initial_message_is_a_text() -> None:
    flow, said = _read({"initialMessages": [{"role": "assistant"}, "Hi"], "steps": [_step("ask", isDefault=True)]})
    assert flow.nodes[0].entry == "Hi"
    assert [one.partition(": ")[2][:5] for one in said] == ["TW011"]


def test_every_key_is_used_or_named() -> None:
    document = {
        "steps": [
            {"name": "s", "isDefault": "yes", "nmae": 1, "availableTools": {"alowed": [], "allowed": "a"}},
            {"description": "no name"},
            7,
            {"name": ["x"]},
            {"name": "t", "conditions": "tool_used", "sequence": []},
            {"name": "u", "conditions": [{"type": "tool_used", "vlaue": "a"}], "Name": "v"},
            {"name": "u", "conditions": {"type": "tool_used", "value": 12}},
        ],
        "resetSequenceOn": ["message_received"],
        "defaultStep": None,
        "stpes": [],
    }
    text = json.dumps(document, indent=1)
    lines = text.splitlines()
    found = {(lines[int(row.split(":")[0]) - 1].strip(), row.split(": ", 1)[1]) for row in _read(text)[1]}
    assert found >= {
        ('"isDefault": "yes",', "TW011 found 'yes', expected true or false"),
        ('"nmae": 1,', "TW010 a step has no key 'nmae'; did you mean 'name'?"),
        ('"alowed": [],', "TW010 availableTools has no key 'alowed'; did you mean 'allowed'?"),
        ("7,", "TW011 found 7, expected a step: a mapping of name, description, conditions, …"),
        ('"conditions": "tool_used",', "TW011 found 'tool_used', expected a list of condition objects such as "
         '{"type": "tool_used", "value": "think"}'),
        ('"vlaue": "a"', "TW010 a condition object has no key 'vlaue'; did you mean 'value'?"),
        ('"Name": "v"', "TW006 'Name' stands twice; the first is in line 27"),
        ('"name": "u",', "TW006 'u' stands twice; the first is in line 27"),
        ('"resetSequenceOn": [', "TW060 warning: 'resetSequenceOn' has no effect: "
         "a sequence is judged by the last uses, and has no place that could be reset"),
        ('"stpes": []', "TW010 an orchestration has no key 'stpes'; did you mean 'steps'?"),
    }  # fmt: skip
    assert {row.split(" ", 2)[1] for row in _read(text)[1]} <= {
        "TW006",
        "TW010",
        "TW011",
        "TW013",
        "TW035",
        "TW060",
        "TW061",
    }


@pytest.mark.parametrize("document", [{"steps": []}, {"orchestration": {}}, {"orchestration": {"steps": None}}])
def test_a_configuration_without_steps_is_an_error(document: Any) -> None:
    assert any("TW013 there are no steps in it" in row for row in _read(document)[1])


def test_a_flow_document_is_none_of_these() -> None:
    flow, said = _read({"flow": "f", "start": "steps", "nodes": {"steps": {"say": "Hello."}}, "description": "x"})
    assert said == []
    assert flow.nodes[0].say == "Hello."


def test_steps_in_yaml_are_read_too() -> None:
    yaml = "- name: s\n  conditions: [{type: tool_used, value: think}]\n  availableTools: {allowed: [a]}\n"
    assert _read(yaml, "s.yaml")[0].nodes == _read([_step("s", availableTools={"allowed": ["a"]})])[0].nodes


def test_the_flow_has_the_name_of_its_file_and_survives_writing() -> None:
    flow, _ = _read(PRINTED, "some/where/post-analysis.flow.json")
    assert flow.name == "post_analysis"
    assert read_document(write_yaml(flow), "a.yaml").flow == flow


def test_places_are_those_of_the_configuration() -> None:
    flow, _ = _read(PRINTED)
    step = flow.nodes[1]
    assert (step.span.file, step.span.line, step.span.column) == ("steps.json", 1, 1)
    assert str(step.span.of("enter_when")) == "steps.json:4:17"
    assert step.tools is not None
    assert str(step.tools.span.of("allow.1")) == "steps.json:11:31"
