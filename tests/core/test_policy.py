"""What a node's `tools` lets be used: `allow` governs the tools that are declared, `deny` also those that are generated."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import problems_of
from turnwise.api.documents import check_text
from turnwise.core.link import link
from turnwise.core.tools.offered import usable_tools

DECLARED = frozenset({"think", "web_search", "web_fetch", "save"})
GENERATED = frozenset({"read_user", "write_user", "go_to_b"})


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (None, GENERATED),
        (tw.ToolPolicy(), DECLARED | GENERATED),
        (tw.ToolPolicy(allow=["*"]), DECLARED | GENERATED),
        (tw.ToolPolicy(allow=["think"]), {"think", *GENERATED}),
        (tw.ToolPolicy(allow=["web_*", "think"]), {"think", "web_search", "web_fetch", *GENERATED}),
        (tw.ToolPolicy(allow=["web_?etch"]), {"web_fetch", *GENERATED}),
        (tw.ToolPolicy(allow=["[st]*"]), {"save", "think", *GENERATED}),
        (tw.ToolPolicy(allow=["WEB_*"]), GENERATED),
        (tw.ToolPolicy(deny=["web_*"]), {"think", "save", *GENERATED}),
        (tw.ToolPolicy(deny=["write_*", "think"]), {"web_search", "web_fetch", "save", "read_user", "go_to_b"}),
        (tw.ToolPolicy(allow=["web_*"], deny=["web_fetch"]), {"web_search", *GENERATED}),
        (tw.ToolPolicy(allow=["think"], deny=["*"]), frozenset()),
    ],
)
def test_what_a_policy_lets_be_used(policy: tw.ToolPolicy | None, expected: set[str]) -> None:
    assert usable_tools(policy, DECLARED, GENERATED) == expected
    assert usable_tools(policy, DECLARED) == expected & DECLARED


def test_a_linked_node_knows_the_declared_tools_that_it_lets_be_used() -> None:
    flow = tw.Flow(
        "f",
        start="a",
        prompt="Help.",
        tools=[tw.Tool(name) for name in sorted(DECLARED)],
        nodes=[tw.Node("a", tools=tw.ToolPolicy(allow=["web_*"])), tw.Node("b", prompt="Talk.")],
        transitions=[tw.Transition(to="b")],
    )
    machine = link(flow)
    assert machine.nodes["a"].tools == {"web_search", "web_fetch"}
    assert machine.nodes["b"].tools == frozenset()


@pytest.mark.parametrize(
    ("policy", "codes"),
    [
        ("{allow: [think], sequence: [write_user, think]}", []),  # `allow` does not govern what is generated
        ("{allow: [think], deny: [write_user], sequence: [write_user]}", ["TW043"]),
        ("{allow: [think], sequence: [save]}", ["TW043"]),
        ("{allow: [think], deny: [think]}", ["TW043"]),
        ("{deny: [think, save]}", []),  # those that are generated are left
        ("{deny: ['*']}", ["TW043"]),
        ("{allow: [thing], deny: [think]}", ["TW021"]),
    ],
)
def test_a_policy_that_can_allow_nothing_is_an_error(policy: str, codes: list[str]) -> None:
    text = (
        "flow: f\nstart: a\nprompt: Help.\nrecords: {user: {name: string}}\ntools: {think: {}, save: {}}\n"
        f"nodes: {{a: {{writes: [user], tools: {policy}, end: done}}}}\n"
    )
    assert [one.code for one in check_text(text.encode(), "f.yaml") if one.severity == "error"] == codes


PATTERNS = [
    ("allow: ['wbe_*']", "TW021 no tool has a name like 'wbe_*' known: think, web_search"),
    ("allow: ['web_serch*']", "TW021 no tool has a name like 'web_serch*' did you mean 'web_search'?"),
    ("deny: ['nope*']", "TW021 no tool has a name like 'nope*' known: think, web_search"),
    ("deny: [wbe]", "TW021 no tool is called 'wbe' known: think, web_search"),
    ("deny: [red_u]", "TW021 no tool is called 'red_u' did you mean 'read_u'?"),
    ("deny: ['read_*']", ""),
]


@pytest.mark.law("4.1")
@pytest.mark.parametrize(("policy", "told"), PATTERNS, ids=[one[0] for one in PATTERNS])
def test_a_name_or_pattern_of_no_tool_is_told_with_the_tools_that_there_are(policy: str, told: str) -> None:
    flow = f"""
    flow: f
    start: a
    records: {{u: {{x: string}}}}
    tools: {{think: {{}}, web_search: {{}}}}
    nodes:
      a: {{prompt: x, reads: [u], tools: {{{policy}}}}}
    """
    assert problems_of(flow) == ([told] if told else [])


def test_a_pattern_where_no_tool_is_declared_says_so() -> None:
    flow = "flow: f\nstart: a\nnodes: {a: {prompt: x, tools: {allow: ['web_*']}}}"
    assert problems_of(flow) == ["TW021 no tool has a name like 'web_*' the flow declares no tools"]
