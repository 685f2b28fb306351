"""Nodes: one kind of work, the texts they say, what they collect, and their tool policy."""

from __future__ import annotations

from typing import Literal

from turnwise.core.guards.roots import SEQUENCE_LONGEST
from turnwise.core.link import forms, toolbox, transitions
from turnwise.core.link.builder import Builder
from turnwise.core.machine import LinkedNode, Template, Work
from turnwise.core.policy import is_wild, matching, usable
from turnwise.flow.diagnostic import Span, nearest, nearest_name
from turnwise.flow.model import Node, ToolPolicy


def link_node(builder: Builder, node: Node) -> LinkedNode:
    """A node with everything in it compiled."""
    span = node.span
    work = _work(builder, node)
    if node.tools is not None:
        _check_policy(builder, node.tools)
    collects = builder.addresses(node.collect.fields, node.collect.span, "fields") if node.collect else ()
    reads = builder.addresses(node.reads, span, "reads")
    writes = builder.addresses(node.writes, span, "writes")
    if node.once and node.end:
        builder.report("TW015", "'once' goes on and 'end' ends: a node has one of them", span.of("once"))
    return LinkedNode(
        node=node,
        work=work,
        persona=_inherited(builder, node, "persona"),
        prompt=_inherited(builder, node, "prompt"),
        say=builder.optional(node.say, span.of("say")),
        form=forms.link_form(builder, node.form) if node.form is not None else None,
        entry=_entry(builder, node, work),
        collects=collects,
        tools=usable(node.tools, builder.declared),
        writes=transitions.writes(builder, node.set, span, "set"),
        writes_on_leave=transitions.writes(builder, node.set_on_leave, span, "set_on_leave"),
        candidates=transitions.of_node(builder, node),
        toolbox=toolbox.link_toolbox(builder, node, reads, writes),
        tool=toolbox.link_tool_work(builder, node),
    )


def _work(builder: Builder, node: Node) -> Work:
    """The kind of work (law 2.1); a prompt beside a form or scope is its voice."""
    kinds = [name for name in ("say", "form", "tool", "scope") if getattr(node, name)]
    if node.prompt and not (node.form or node.scope):
        kinds.append("prompt")
    if kinds == ["form", "scope"]:
        kinds = ["scope"]
    if len(kinds) > 1:
        message = f"a node has one kind of work, this has {' and '.join(kinds)}"
        builder.report("TW015", message, node.span.of(kinds[-1]))
    if not kinds and (node.tools or node.collect or node.reads or node.writes):
        if not builder.flow.prompt:
            hint = "give the node a prompt, or the flow"
            builder.report("TW040", f"'{node.name}' has something to do and no prompt to do it with", node.span, hint)
        return "prompt"
    works: dict[str, Work] = {"say": "say", "prompt": "prompt", "form": "form", "tool": "tool"}
    return works.get(kinds[0], "none") if kinds else "none"


def _entry(builder: Builder, node: Node, work: Work) -> Template | None:
    """The text of entering: a part of the prompt where a model speaks, else said to the user."""
    if not node.entry:
        return None
    return (builder.prompt if work == "prompt" else builder.template)(node.entry, node.span.of("entry"))


def _inherited(builder: Builder, node: Node, key: Literal["persona", "prompt"]) -> Template | None:
    """The node's own text, else the flow's."""
    own: str = getattr(node, key)
    if own:
        return builder.prompt(own, node.span.of(key))
    return builder.of_flow(key)


def _check_policy(builder: Builder, policy: ToolPolicy) -> None:
    """Tools that exist, a sequence that can be remembered, and something that is allowed."""
    tools = builder.names.tools
    for key, patterns in (("allow", policy.allow), ("deny", policy.deny)):
        for number, pattern in enumerate(patterns):
            if pattern != "*" and not matching([pattern], tools):
                span = policy.span.of(f"{key}.{number}")
                builder.report("TW021", *_no_tool(builder, pattern, span))
    for number, position in enumerate(policy.sequence):
        for tool in position.tools:
            if tool not in tools:
                span = policy.span.of(f"sequence.{number}")
                builder.report("TW021", f"no tool is called '{tool}'", span, nearest(tool, tools))
    if len(policy.sequence) > SEQUENCE_LONGEST:
        message = f"a sequence of {len(policy.sequence)} is longer than the {SEQUENCE_LONGEST} uses that are kept"
        builder.report("TW044", message, policy.span.of("sequence"))
    _check_allows(builder, policy)


def _no_tool(builder: Builder, pattern: str, span: Span) -> tuple[str, Span, str]:
    """What is told of a name that is no tool's, and of a pattern that none has: what a policy is for are tools that
    the flow declares, so those are listed.
    """
    if is_wild(pattern):
        hint = nearest(pattern, builder.declared) if builder.declared else "the flow declares no tools"
        return f"no tool has a name like '{pattern}'", span, hint
    near = nearest_name(pattern, builder.names.tools)
    hint = f"did you mean '{near}'?" if near else nearest(pattern, builder.declared)
    return f"no tool is called '{pattern}'", span, hint


def _check_allows(builder: Builder, policy: ToolPolicy) -> None:
    """A policy that can allow nothing is an error (law 4.1)."""
    declared = builder.declared
    generated = builder.names.tools - declared
    governed = declared if policy.allow else builder.names.tools
    names_known = all(pattern == "*" or matching([pattern], declared) for pattern in policy.allow)
    if governed and names_known and not usable(policy, declared, frozenset() if policy.allow else generated):
        message = "what is allowed is denied too: no tool is left" if policy.allow else "every tool is denied"
        builder.report("TW043", message, policy.span)
    for number, position in enumerate(policy.sequence):
        known = [tool for tool in position.tools if tool in builder.names.tools]
        if known and not position.optional and not usable(policy, declared & {*known}, generated & {*known}):
            span = policy.span.of(f"sequence.{number}")
            builder.report("TW043", f"the sequence needs {' or '.join(known)}, which is not allowed", span)
