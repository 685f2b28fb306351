"""Seed 001: steps that open by what was done and said; here by tools that the host's own code uses."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from support.chats import candidate, flow_of, node_of, outcomes_of, scripted_chat
from turnwise.api.chat import Chat
from turnwise.api.open import SyncChat, Turn, check, check_text
from turnwise.api.open import open as open_flow
from turnwise.authoring.document import read_document
from turnwise.core.link import link_with_diagnostics
from turnwise.core.trace import Group, Leaf, Verdict
from turnwise.flow.model import Flow
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding

TOOLS = ("think", "search", "web_search", "summarize", "save_result", "list_generation", "a", "b", "c", "d")
HEAD = f"""
flow: thinking_partner
start: general
prompt: Help the user think.
records: {{user: {{age: integer}}}}
tools: {{{", ".join(f"{name}: {{about: {name}}}" for name in TOOLS)}}}
nodes:
  general: {{tools: {{allow: ["*"]}}, collect: [user]}}
"""


def steps(*more: str) -> str:
    return HEAD + "".join(f"  {one}\n" for one in more)


THINKING = "after_thinking: {enter_when: [{type: tool_used, value: think}], tools: {allow: [summarize, save_result]}}"
PLANNING = (
    "planning_mode: {enter_when: [{type: message_contains, value: plan}, "
    "{type: not_recently_used, value: web_search, window: 3}], tools: {allow: [think, list_generation]}}"
)
RESEARCH = "research: {enter_when: [{type: message_contains, value: research}], tools: {allow: [search, web_search]}}"


def use(chat: SyncChat, *tools: str) -> Turn:
    """The last of the turns in which these tools are used."""
    turns = [chat.tool_used(tool) for tool in tools]
    return turns[-1]


def begun(flow: str | Flow) -> SyncChat:
    chat = scripted_chat(flow)
    chat.start()
    return chat


def leaves(verdict: Verdict | None) -> list[Leaf]:
    if isinstance(verdict, Group):
        return [leaf for part in verdict.parts for leaf in leaves(part)]
    return [verdict] if verdict is not None else []


# the conditions ------------------------------------------------------------------------------------------


@pytest.mark.requirement("001-08", "001-21")
@pytest.mark.law("2.12")
def test_all_conditions_of_a_step_must_hold_and_the_decision_shows_which_failed() -> None:
    with begun(steps(PLANNING, RESEARCH, THINKING)) as chat:
        use(chat, "web_search")
        turn = chat.say("Let's plan it")
    assert node_of(turn) == "general"
    decision = turn.decisions[0]
    assert [one.id for one in decision.candidates] == ["enter_planning_mode", "enter_research", "enter_after_thinking"]
    assert [(leaf.text, leaf.verdict) for leaf in leaves(candidate(decision, "enter_planning_mode").verdict)] == [
        ('message.text.lower().contains("plan")', "held"),
        ('tools.used("web_search", within: 3)', "held"),
    ]
    assert candidate(decision, "enter_planning_mode").outcome == "false"
    assert all(leaves(one.verdict) for one in decision.candidates)


@pytest.mark.requirement("001-10", "001-49")
def test_a_tool_that_was_used_once_was_used_for_good() -> None:
    flow = steps(THINKING.replace("think}", "search}"), "two: {enter_when: 'tools.used(\"search\") && user.age > 3'}")
    with begun(flow) as chat:
        turn = use(chat, "search")
        assert node_of(turn) == "after_thinking"
        for number in range(20):
            use(chat, *["summarize"] * 10)
            chat.say(f"and {number}")
        state = chat.state()
        assert state.tools.counts == {"search": 1, "summarize": 200}
        assert len(state.tools.last) == 64
        assert "search" not in {one.tool for one in state.tools.last}
        turn = chat.say("once more")
    verdict = candidate(turn.decisions[0], "enter_two").verdict
    assert next(leaf.verdict for leaf in leaves(verdict)) == "held"


SEQUENCE = "by_sequence: {{enter_when: [{{type: sequence_match}}], tools: {{sequence: {0}, allow: {0}}}}}"


@pytest.mark.requirement("001-11", "001-12", "001-14")
@pytest.mark.law("2.12")
@pytest.mark.parametrize(
    ("sequence", "used", "opens"),
    [
        ("[a, b, c]", "abc", True),
        ("[a, b, c]", "dabc", True),
        ("[a, b, c]", "cba", False),
        ("[a, b, c]", "abcd", True),  # it opened when c had been used, and stays open
        ("[a, b, c]", "ab", False),
        ("[a, b, c]", "abdc", False),
        ("[a, a, b]", "aab", True),
        ("[a, a, b]", "ab", False),
        ("[a, a, b]", "bab", False),
        ("[a, [b, c]]", "ac", True),
        ("[a, {tool: b, optional: true}, c]", "ac", True),
        ("[a, {tool: b, optional: true}, c]", "abc", True),
    ],
)
def test_a_sequence_is_the_true_end_of_the_history(sequence: str, used: str, opens: bool) -> None:
    policy = "[a, b, c]" if "{" in sequence or "[b" in sequence else sequence
    step = SEQUENCE.format(sequence).replace(f"allow: {sequence}", f"allow: {policy}")
    with begun(steps(step)) as chat:
        turn = use(chat, *used)
    assert (node_of(turn) == "by_sequence") is opens


@pytest.mark.requirement("001-11")
def test_a_sequence_that_is_no_longer_the_end_does_not_hold() -> None:
    flow = steps('elsewhere: {enter_when: \'tools.ended_with(["a", "b", "c"]) && user.age > 3\'}')
    with begun(flow) as chat:
        turn = use(chat, "a", "b", "c", "d")
    (leaf, _) = leaves(candidate(turn.decisions[0], "enter_elsewhere").verdict)
    assert leaf.verdict == "not_held"


@pytest.mark.requirement("001-13", "001-14", "001-16", "001-50")
@pytest.mark.parametrize(
    ("step", "code", "said"),
    [
        (SEQUENCE.format(str(["a", "b"] * 32 + ["a"])), "TW044", "65"),
        ("one: {enter_when: 'tools.used(\"a\", within: 65)'}", "TW044", "from 1 to 64"),
        ("one: {enter_when: [{type: not_recently_used, value: a, window: 65}]}", "TW044", "64"),
        ("one: {enter_when: [{type: sequence_match}]}", "TW035", "sequence"),
        ("one: {enter_when: [{type: tool_usd, value: a}]}", "TW035", "did you mean 'tool_used'?"),
        ("one: {enter_when: [{type: not_recently_used, value: a}]}", "TW035", "window"),
        ("one: {enter_when: [{type: tool_used}]}", "TW035", "value"),
        ("one: {enter_when: [{type: tool_used, value: thnik}]}", "TW021", "did you mean 'think'?"),
        ("one: {tools: {allow: [sumarize]}}", "TW021", "did you mean 'summarize'?"),
    ],
)
def test_a_step_that_could_never_open_as_meant_is_reported(step: str, code: str, said: str) -> None:
    found = [one for one in link_with_diagnostics(flow_of(steps(step)))[1] if one.severity == "error"]
    assert {one.code for one in found} == {code}
    assert any(said in str(one) for one in found)
    assert all(one.span.line for one in found)


@pytest.mark.requirement("001-32", "001-40", "001-41")
@pytest.mark.parametrize(
    ("said", "holds"), [("Okay, let's plan the project structure.", True), ("PLAN it", True), ("hello", False)]
)
def test_a_condition_on_the_message_compares_without_case_and_shows_what_it_compared(said: str, holds: bool) -> None:
    with begun(steps(PLANNING, RESEARCH)) as chat:
        turn = chat.say(said)
    assert (node_of(turn) == "planning_mode") is holds
    first = candidate(turn.decisions[0], "enter_research")
    (leaf,) = leaves(first.verdict)
    assert leaf.verdict == "not_held"
    assert [(operand.name, operand.value) for operand in leaf.operands] == [("message.text", said)]


@pytest.mark.requirement("001-33")
def test_a_step_may_open_by_a_value() -> None:
    from turnwise.core.state.commands import Set

    with begun(steps("grown: {enter_when: user.age > 18}")) as chat:
        assert node_of(chat.commands([Set(field="user.age", value=18)])) == "general"
        assert node_of(chat.commands([Set(field="user.age", value=19)])) == "grown"


@pytest.mark.requirement("001-42")
@pytest.mark.parametrize(
    ("used", "holds"),
    [
        ((), True),
        (("web_search",), False),
        (("web_search", "a", "b"), False),
        (("web_search", "a", "b", "c"), True),
        (("a", "b", "web_search"), False),
    ],
)
def test_not_recently_used_looks_at_the_last_uses_only(used: tuple[str, ...], holds: bool) -> None:
    with begun(steps(PLANNING)) as chat:
        for tool in used:
            chat.tool_used(tool)
        turn = chat.say("plan")
    assert (node_of(turn) == "planning_mode") is holds


@pytest.mark.requirement("001-34")
def test_two_steps_on_one_condition_are_found_and_both_are_named() -> None:
    (found,) = check(flow_of(steps(PLANNING, PLANNING.replace("planning_mode", "second_planner"))))
    assert (found.code, found.span.line) == ("TW054", 10)
    assert "'second_planner' has the same guard as 'planning_mode', which is entered first" in str(found)


@pytest.mark.requirement("001-46")
@pytest.mark.parametrize(
    ("condition", "code", "said"),
    [
        ("turns >= 0", "TW053", "always"),
        ("turns < 0", "TW052", "never"),
        ("user.age > 5 && user.age < 3", "TW052", "never"),
    ],
)
def test_a_condition_that_is_too_broad_or_too_narrow_is_found(condition: str, code: str, said: str) -> None:
    (found,) = check(flow_of(steps(f"odd: {{enter_when: '{condition}', tools: {{allow: [think]}}}}")))
    assert found.code == code
    assert said in str(found)


# the steps -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("001-22", "001-21")
@pytest.mark.law("2.2", "2.4")
def test_of_several_that_match_the_first_in_the_document_wins_and_keeps() -> None:
    second = PLANNING.replace("planning_mode", "second_planner")
    with begun(steps(PLANNING, second)) as chat:
        turn = chat.say("plan it")
        assert outcomes_of(turn.decisions[0]) == {"enter_planning_mode": "taken", "enter_second_planner": "outranked"}
        turn = chat.say("plan again")
    assert node_of(turn) == "planning_mode"
    assert turn.state is not None
    assert turn.state.visits == {"general": 1, "planning_mode": 1}
    assert turn.decisions[0].line == "stayed in planning_mode: its own enter_when holds"


@pytest.mark.requirement("001-24", "001-25")
def test_nothing_matches_it_stays_or_takes_the_else() -> None:
    with begun(steps(PLANNING, RESEARCH)) as chat:
        state = chat.state()
        assert (state.node, state.tools.counts) == ("general", {})
        assert node_of(chat.say("good morning")) == "general"
        assert node_of(chat.say("research caching strategies")) == "research"
        assert node_of(chat.say("good night")) == "research"
    otherwise = PLANNING[:-1] + ", transitions: [{at: before, to: general, because: nothing else}]}"
    with begun(steps(otherwise)) as chat:
        assert node_of(chat.say("plan it")) == "planning_mode"
        assert node_of(chat.say("plan it again")) == "planning_mode"
        assert node_of(chat.say("thanks")) == "general"


@pytest.mark.requirement("001-43")
def test_the_printed_conversation_opens_planning_and_then_research() -> None:
    with begun(steps(RESEARCH, PLANNING)) as chat:
        turn = chat.say("Okay, let's plan the project structure.")
        assert outcomes_of(turn.decisions[0]) == {"enter_research": "false", "enter_planning_mode": "taken"}
        assert node_of(turn) == "planning_mode"
        assert node_of(chat.say("research caching strategies")) == "research"


@pytest.mark.requirement("001-47")
def test_why_not_names_the_condition_that_fails() -> None:
    with begun(steps(PLANNING)) as chat:
        use(chat, "web_search")
        chat.say("plan it")
        (decision,) = chat.explain(transition="enter_planning_mode")
    told = candidate(decision, "enter_planning_mode")
    assert told.in_words == ('!tools.used("web_search", within: 3)',)
    assert decision.line.endswith('nearest is → planning_mode, which waits for !tools.used("web_search", within: 3)')


# the history -------------------------------------------------------------------------------------------------


@pytest.mark.requirement("001-17")
@pytest.mark.law("1.2")
def test_two_conversations_at_once_have_their_own_history() -> None:
    chat = open_flow(
        flow_of(steps(THINKING)), understand=ScriptedUnderstanding(), model=ScriptedModel(["…"] * 40)
    ).chat("main")

    async def both() -> tuple[str, str]:
        await asyncio.gather(Chat(chat.runtime, "one").start(), Chat(chat.runtime, "two").start())
        await asyncio.gather(
            Chat(chat.runtime, "one").tool_used("think"), Chat(chat.runtime, "two").tool_used("search")
        )
        await asyncio.gather(Chat(chat.runtime, "one").say("hello"), Chat(chat.runtime, "two").say("hello"))
        return (await Chat(chat.runtime, "one").state()).node, (await Chat(chat.runtime, "two").state()).node

    assert asyncio.run(both()) == ("after_thinking", "general")


@pytest.mark.requirement("001-35", "001-26")
def test_the_history_has_every_use_in_order_with_repeats() -> None:
    calls = [TOOLS[number % 4] for number in range(17)] + ["think"] * 3
    told: list[tuple[Any, ...]] = []
    with begun(HEAD) as chat:
        for number, tool in enumerate(calls):
            if number % 4 == 0:
                chat.say("go on")
            turn = chat.tool_used(tool, {"n": number}, number)
            told.append((tool, turn.number, "general"))
        state = chat.state()
    assert [(use.tool, use.turn, use.node) for use in state.tools.last] == told
    assert state.tools.counts == {tool: calls.count(tool) for tool in calls}


@pytest.mark.requirement("001-49")
def test_a_tool_that_is_not_declared_cannot_have_been_used() -> None:
    with begun(steps(THINKING)) as chat:
        turn = chat.tool_used("thnik")
        assert turn.refused == "unknown_tool"
        assert "did you mean 'think'?" in turn.text
        turn = chat.tool_used("think", {"about": "life"}, "42")
    assert node_of(turn) == "after_thinking"


# configurations of the first trial, and what it did with them ------------------------------------------------


def configured(*given: dict[str, Any]) -> tuple[Flow, list[str]]:
    """The flow of some steps in JSON, and what is said of it."""
    flow, found = read_document(json.dumps({"steps": list(given)}), "steps.json")
    return flow, [one.code for one in found + link_with_diagnostics(flow)[1]]


GENERAL: dict[str, Any] = {"name": "general", "isDefault": True}
SEARCHED = {"type": "tool_used", "value": "search"}


def test_defect_two_steps_of_one_name_passed() -> None:
    step = {"name": "twin", "conditions": [SEARCHED]}
    assert configured(GENERAL, step, step)[1] == ["TW006"]


def test_defect_a_key_that_nobody_knows_was_left_out_in_silence() -> None:
    assert configured(GENERAL, {"name": "one", "conditions": [SEARCHED], "prio": 1})[1] == ["TW010"]


def test_defect_groups_in_a_sequence_failed() -> None:
    grouped = {"name": "grouped", "conditions": [{"type": "sequence_match"}], "sequence": [["a", "b"], "search"]}
    flow, said = configured(GENERAL, grouped)
    assert said == []
    for first, opens in (("a", True), ("b", True), ("search", False)):
        with begun(flow) as chat:
            assert (node_of(use(chat, first, "search")) == "grouped") is opens


def test_defect_the_conditions_of_the_default_were_ignored_and_nothing_led_back_to_it() -> None:
    general = GENERAL | {"conditions": [{"type": "message_contains", "value": "start over"}]}
    flow, said = configured(general, {"name": "found", "conditions": [SEARCHED]})
    assert said == []
    with begun(flow) as chat:
        assert chat.state().node == "general"
        assert node_of(use(chat, "search")) == "found"
        assert node_of(chat.say("go on")) == "found"
        assert node_of(chat.say("let us start over")) == "general"


@pytest.mark.parametrize(
    ("step", "codes"),
    [
        ({"name": "alone"}, ["TW051", "TW061"]),
        ({"name": "doubled", "conditions": [SEARCHED], "sequence": ["search", "save"]}, ["TW073"]),
    ],
)
def test_mistakes_of_the_configurations_that_were_shipped_are_found(step: dict[str, Any], codes: list[str]) -> None:
    found = check_text(json.dumps({"steps": [GENERAL, step]}).encode(), "steps.json")
    assert [one.code for one in found] == codes


def test_three_tools_that_never_come_together_are_found() -> None:
    one_of = [{"type": "tool_used", "value": tool} for tool in ("think", "search", "save")]
    flow, _ = configured(
        GENERAL | {"availableTools": {"allowed": ["think"]}},
        {"name": "either", "conditions": one_of, "availableTools": {"allowed": ["search", "save"]}},
    )
    assert [one.code for one in check(flow)] == ["TW071"]


@pytest.mark.requirement("001-22", "001-34")
@pytest.mark.law("2.2")
def test_the_first_of_two_steps_with_one_condition_is_entered_and_stays() -> None:
    by_think = [{"type": "tool_used", "value": "think"}]
    document = {
        "name": "agent",
        "orchestration": {
            "steps": [
                {"name": "general", "isDefault": True, "availableTools": {"allowed": ["*"]}},
                {"name": "first", "conditions": by_think, "availableTools": {"allowed": ["summarize"]}},
                {"name": "second", "conditions": by_think, "availableTools": {"allowed": ["save_result"]}},
                {"name": "third", "conditions": [{"type": "tool_used", "value": "summarize"}]},
            ]
        },
        "tools": ["think", "summarize", "save_result"],
    }
    told = check_text(json.dumps(document).encode(), "agent.json")
    assert [one.code for one in told if "second" in one.message] == ["TW054"]
    flow, _ = read_document(json.dumps(document), "agent.json")
    with begun(flow) as chat:
        use(chat, "think")
        turns = [chat.say("and now?"), chat.tool_used("think"), chat.say("and now?"), chat.tool_used("summarize")]
    assert [node_of(turn) for turn in turns] == ["first", "first", "first", "third"]
