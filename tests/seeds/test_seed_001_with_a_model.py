"""Seed 001 with a model that calls the tools: what it asks for, and the defects of its first trial, each kept out."""

from __future__ import annotations

from typing import Any

import pytest

from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.models.scripted import Planned

TOOLS = ("think", "brainstorm", "compare", "search", "web_search", "summarize", "save")
HEAD = f"""
flow: thinking_partner
start: general
prompt: Help the user think.
records: {{user: {{age: integer}}}}
tools: {{{", ".join(f"{name}: {{about: {name}}}" for name in TOOLS)}}}
nodes:
  general: {{tools: {{allow: ["*"]}}}}
"""
ORDER = "[think, brainstorm, compare]"
MATCHED = f"matched: {{enter_when: [{{type: sequence_match}}], tools: {{sequence: {ORDER}}}}}"


def partner(model: list[Planned], *steps: str, **tools: Any) -> Stage:
    return Stage(HEAD + "".join(f"  {step}\n" for step in steps), model, dict.fromkeys(TOOLS, "done") | tools)


def refused(turn: Any) -> list[tuple[str, str]]:
    return [(one.tool, one.reason) for one in facts(turn, e.CallRefused)]


@pytest.mark.requirement("001-10")
def test_a_tool_that_a_model_used_once_was_used_for_good() -> None:
    late = "late: {enter_when: 'tools.used(\"search\") && user.age > 3'}"
    turns: list[Planned] = [uses("search"), "Found."]
    for _ in range(20):
        turns += [uses(*["think"] * 10), "Thought."]
    stage = partner(turns, late)
    stage.say("search")
    for number in range(20):
        turn = stage.say(f"think {number}")
    assert turn.state.tools.counts == {"search": 1, "think": 200}
    assert "search" not in {use.tool for use in turn.state.tools.last}
    assert stage.commands([c.Set(field="user.age", value=4)]).state.node == "late"


@pytest.mark.requirement("001-35")
def test_the_history_is_the_call_log() -> None:
    called = [["think", "search"], ["think", "think"], ["save"], ["compare", "think", "search"], ["brainstorm"]]
    stage = partner([reply for calls in called for reply in (uses(*calls), "So.")])
    for number, _ in enumerate(called):
        turn = stage.say(f"go on {number}")
    assert [use.tool for use in turn.state.tools.last] == [tool for calls in called for tool in calls]
    assert [use.turn for use in turn.state.tools.last] == [1, 1, 2, 2, 3, 4, 4, 4, 5]


# defects of the first trial ----------------------------------------------------------------------


@pytest.mark.law("2.12", "4.2")
@pytest.mark.parametrize("one_reply", [True, False])
@pytest.mark.parametrize(
    ("sequence", "used", "matches"),
    [
        (ORDER, "think brainstorm compare", True),
        (ORDER, "compare brainstorm think", False),
        (ORDER, "think compare brainstorm", False),
        (ORDER, "think brainstorm search compare", False),
        (ORDER, "think think brainstorm compare", True),
        ("[think, think]", "think think", True),
        ("[think, think]", "think search think", False),
        ("[think, search, think]", "think search think", True),
        ("[think, search, think]", "think search", False),
        ("[think, [search, web_search]]", "think web_search", True),
    ],
)
def test_the_right_order_matches_repeats_too_and_the_reverse_does_not(
    sequence: str, used: str, *, matches: bool, one_reply: bool
) -> None:
    calls = used.split()
    replies = [uses(*calls)] if one_reply else [uses(call) for call in calls]
    step = MATCHED.replace(ORDER, sequence)
    turn = partner([*replies, "So."], step).say("help me")
    assert (turn.state.node == "matched") is matches
    assert turn.text == "So."


@pytest.mark.requirement("001-15")
@pytest.mark.law("4.2")
def test_what_opened_a_step_is_not_demanded_again_in_it() -> None:
    stage = partner([uses("think", "brainstorm", "compare"), uses("save"), "Saved."], MATCHED)
    turn = stage.say("help me")
    assert refused(turn) == []
    assert turn.state.tools.counts["save"] == 1
    assert set(stage.shown(1)) == set(TOOLS)


@pytest.mark.law("2.2")
def test_a_tool_that_was_used_for_good_does_not_shadow_the_steps_behind_its_own() -> None:
    first = "first: {enter_when: [{type: tool_used, value: think}], tools: {allow: [search, save]}}"
    second = "second: {enter_when: [{type: tool_used, value: search}], tools: {allow: [save, summarize]}}"
    stage = partner([uses("think"), uses("search"), "In second.", uses("summarize"), "Still there."], first, second)
    turn = stage.say("help me")
    assert [event.target for event in facts(turn, e.Moved)] == ["first", "second"]
    assert stage.say("go on").state.node == "second"


@pytest.mark.law("4.1")
def test_a_sequence_advances_with_what_the_model_uses() -> None:
    step = f"ordered: {{enter_when: 'message.text == \"go\"', tools: {{sequence: {ORDER}}}}}"
    stage = partner([uses("think"), uses("think"), uses("brainstorm"), uses("compare"), uses("save"), "Done."], step)
    turn = stage.say("go")
    assert [stage.shown(n) for n in range(4)] == [["think"], ["brainstorm"], ["brainstorm"], ["compare"]]
    assert refused(turn) == [("think", "out_of_sequence")]
    assert set(stage.shown(4)) == set(TOOLS)
    assert turn.state.tools.counts == {"think": 1, "brainstorm": 1, "compare": 1, "save": 1}


@pytest.mark.law("4.1")
def test_behind_a_finished_sequence_the_allowed_tools_are_free_and_no_others() -> None:
    step = "ordered: {enter_when: 'message.text == \"go\"', tools: {allow: [think, save], sequence: [think]}}"
    stage = partner([uses("think"), uses("save", "search"), "Done."], step)
    turn = stage.say("go")
    assert stage.shown(0) == ["think"]
    assert stage.shown(1) == ["think", "save"]
    assert refused(turn) == [("search", "not_allowed")]


@pytest.mark.law("4.1")
def test_allowed_and_denied_together_both_count() -> None:
    step = "both: {enter_when: 'message.text == \"go\"', tools: {allow: [think, search, save], deny: [search]}}"
    stage = partner([uses("search"), "Done."], step)
    turn = stage.say("go")
    assert stage.shown(0) == ["think", "save"]
    assert refused(turn) == [("search", "not_allowed")]


@pytest.mark.law("4.3", "1.1")
def test_uses_are_recorded_where_no_step_is_open_in_order_and_with_repeats() -> None:
    turn = partner([uses("think", "search", "think"), "Done."]).say("help me")
    assert [(use.tool, use.node) for use in turn.state.tools.last] == [
        ("think", "general"), ("search", "general"), ("think", "general"),
    ]  # fmt: skip
    assert turn.state.tools.counts == {"think": 2, "search": 1}


@pytest.mark.requirement("001-36")
@pytest.mark.law("4.3")
def test_a_refused_call_opens_no_step_and_stands_in_no_sequence() -> None:
    step = "opened: {enter_when: [{type: tool_used, value: search}], tools: {allow: [save]}}"
    narrow = HEAD.replace('general: {tools: {allow: ["*"]}}', "general: {tools: {allow: [think]}}")
    stage = Stage(narrow + f"  {step}\n", [uses("search"), "Hm."], dict.fromkeys(TOOLS, "done"))
    turn = stage.say("help me")
    assert (turn.state.node, turn.state.tools.counts) == ("general", {})
    assert not stage.tools["search"].calls


@pytest.mark.law("4.3", "2.12")
def test_a_tool_that_failed_was_used() -> None:
    def fails(**_given: Any) -> Any:
        raise OSError("gone")

    step = "opened: {enter_when: [{type: tool_used, value: search}], tools: {allow: [save]}}"
    turn = partner([uses("search"), "In opened."], step, search=FakeTool(fails)).say("help me")
    assert turn.state.node == "opened"


@pytest.mark.law("2.2", "3.6")
@pytest.mark.requirement("001-01", "001-02", "001-07", "001-20", "001-28", "001-29")
def test_a_step_that_opens_in_a_turn_changes_the_tools_of_that_turn() -> None:
    step = "after: {enter_when: [{type: tool_used, value: think}], tools: {allow: [summarize, save]}}"
    stage = partner([uses("think", say="Let me think."), uses("search", "summarize"), "So."], step)
    turn = stage.say("help me")
    assert turn.state.node == "after"
    assert [stage.shown(n) for n in (0, 1)] == [list(TOOLS), ["summarize", "save"]]
    assert refused(turn) == [("search", "not_allowed")]
    assert not stage.tools["search"].calls
    assert [event.target for event in facts(turn, e.Moved)] == ["after"]


@pytest.mark.requirement("001-19", "001-44", "001-45", "001-07")
@pytest.mark.law("3.5", "2.12")
def test_a_message_opens_a_step_before_its_tools_are_offered() -> None:
    planning = (
        "planning: {enter_when: [{type: message_contains, value: plan}, "
        "{type: not_recently_used, value: web_search, window: 3}], tools: {allow: [think, brainstorm]}}"
    )
    research = (
        "research: {enter_when: [{type: message_contains, value: research}], tools: {allow: [search, web_search]}}"
    )
    stage = partner(["Plan.", uses("web_search"), "Found.", "Still."], planning, research)
    assert stage.say("Let us plan").state.node == "planning"
    assert stage.shown() == ["think", "brainstorm"]
    assert stage.say("now research it").state.node == "research"
    assert stage.shown() == ["search", "web_search"]
    turn = stage.say("plan again")
    assert turn.state.node == "research"


RESEARCH = """
flow: research
start: researcher
persona: You are polite.
tools:
  web_search: {about: search the web, args: {query: string}}
  summarize: {about: sum up, args: {text: string}}
  list_generation: {about: make a list, args: {steps: {type: list, of: string}}}
nodes:
  researcher:
    persona: You are a researcher who doubts everything.
    prompt: Search before you say anything, then sum up.
    tools: {allow: [web_search, summarize]}
  planner:
    persona: You are a planner who loves lists.
    prompt: Make a plan of the summary.
    enter_when: [{type: tool_used, value: summarize}]
    tools: {allow: [list_generation]}
"""


@pytest.mark.requirement("001-30", "001-31")
@pytest.mark.law("3.6", "2.12")
def test_a_researcher_hands_over_to_a_planner_within_the_turn() -> None:
    script: list[Planned] = [
        uses(made("web_search", query="caching"), say="I look."),
        uses(made("summarize", text="two ways")),
        uses(made("list_generation", steps=["measure", "choose"])),
        "First measure, then choose.",
    ]
    stage = Stage(RESEARCH, script, {"web_search": ["a", "b"], "summarize": "two ways", "list_generation": "1. 2."})
    turn = stage.say("How should we cache?")
    assert [(moved.source, moved.target) for moved in facts(turn, e.Moved)] == [("researcher", "planner")]
    assert [stage.shown(n) for n in range(4)] == [["web_search", "summarize"]] * 2 + [["list_generation"]] * 2
    personas = [request.instructions[0] for request in stage.model.calls]
    assert personas == ["You are a researcher who doubts everything."] * 2 + ["You are a planner who loves lists."] * 2
    for request in stage.model.calls[2:]:
        given = " ".join([*request.instructions, *request.notes, *(spec.about for spec in request.tools)])
        assert not {word for word in ("researcher", "doubts", "Search", "search the web", "polite") if word in given}
    said = [(one.role, one.text or one.result) for one in stage.transcript(2)]
    assert ("user", "How should we cache?") in said
    assert ("tool", "two ways") in said  # the planner works with what was found, not with who found it
    assert [said.text for said in turn.said] == ["I look.", "First measure, then choose."]
    stage.model.plan.extend(["Still planning."])
    assert stage.say("And then?").state.node == "planner"


@pytest.mark.requirement("001-38")
def test_a_node_with_a_prompt_and_two_tools_is_enough() -> None:
    flow = """
    flow: small
    start: talk
    tools: {think: {about: think}, save: {about: save}}
    nodes: {talk: {prompt: Help., tools: {allow: [think, save]}}}
    """
    stage = Stage(flow, [uses("think"), uses("save"), "Done."], {"think": "so", "save": True})
    turn = stage.say("help me")
    assert (turn.text, turn.state.tools.counts) == ("Done.", {"think": 1, "save": 1})
    assert stage.shown(0) == ["think", "save"]


@pytest.mark.requirement("001-39")
def test_where_no_step_is_open_every_tool_is_offered() -> None:
    stage = partner(["Hello."], MATCHED)
    assert stage.say("hi").state.node == "general"
    assert stage.shown() == list(TOOLS)


@pytest.mark.requirement("001-37")
@pytest.mark.law("2.14")
def test_the_model_chooses_among_the_ways_that_are_open() -> None:
    ways = (
        "general: {tools: {allow: ['*']}, transitions: [{at: choice, to: a}, {at: choice, when: user.age > 3, to: b}]}"
    )
    flow = HEAD.replace('general: {tools: {allow: ["*"]}}', ways) + "  a: {say: A.}\n  b: {say: B.}\n"
    stage = Stage(flow, [uses("go_to_a")], dict.fromkeys(TOOLS, "done"))
    assert stage.say("choose").outcome == "a"
    assert stage.shown(0) == [*TOOLS, "go_to_a"]
