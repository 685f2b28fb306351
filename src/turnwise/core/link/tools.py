"""Links which tools a node allows, and where their results go (laws 4.1, 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from turnwise.core.guards.scope import SEQUENCE_LONGEST
from turnwise.core.link.builder import Builder
from turnwise.core.machine import LinkedNode
from turnwise.core.tools.offered import is_wild, matching_tools, usable_tools
from turnwise.flow.addresses import record_of, split_name
from turnwise.flow.diagnostic import Span, nearest, nearest_name
from turnwise.flow.model import Field, Node, SequencePosition, Tool, ToolPolicy

# where results go --------------------------------------------------------------------------------


def destinations(builder: Builder, node: Node) -> Mapping[str, str]:
    """Return the record or field that stores the results of each tool at a node, by tool.
    The node's own setting comes before that of the tool.
    """
    known = builder.names.records
    tools = [tool for tool in builder.flow.tools if split_name(tool.into, known)[0] in known]
    by_tools = {tool.name: builder.names.address(tool.into) for tool in tools}
    if node.tools is None:
        return by_tools
    allowed = usable_tools(node.tools, builder.declared)
    for tool in builder.flow.tools if builder.outer is not None else ():
        if tool.into and tool.name in allowed and tool.name not in node.tools.into:
            check_inherited(builder, tool, node.tools.span)
    for name, into in node.tools.into.items():
        span = node.tools.span.of(f"into.{name}")
        if name not in builder.declared:
            builder.report("TW021", f"no tool is called '{name}'", span, nearest(name, builder.declared))
        elif name not in allowed:
            message = f"'{node.name}' does not allow '{name}', so it has no result to store"
            builder.report("TW043", message, span, "allow it, or leave its 'into' out")
        if not into:
            builder.report("TW020", f"the 'into' of '{name}' is empty", span, "name a record or a field")
        check_destination(builder, into, span)
    return by_tools | {name: builder.names.address(into) for name, into in node.tools.into.items()}


def check_tools(builder: Builder, inside: frozenset[str] = frozenset()) -> None:
    """Report tools whose results cannot be stored. `inside` are the records that only scopes have: tools that store
    results in these are checked where the scope is linked.
    """
    own = {record.name for record in builder.flow.records} if builder.outer is not None else None
    for tool in builder.flow.tools:
        record, _ = split_name(tool.into, inside if own is None else own)
        if record not in inside if own is None else record in own:
            check_destination(builder, tool.into, tool.span.of("into"))


def records_inside(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the names of the records that only scopes have."""
    for scope in [node.scope for node in nodes if node.scope is not None]:
        yield from (record.name for record in scope.records)
        yield from records_inside(scope.nodes)


def check_inherited(builder: Builder, tool: Tool, span: Span) -> None:
    """Report a tool that is used inside a scope and stores its results in a record that the scope does not own."""
    record, _ = split_name(tool.into, builder.names.records)
    if record in builder.names.records and record not in builder.names.read_only:
        return
    message = f"'{tool.name}' stores its results in '{tool.into}', which the scope does not fill"
    builder.report("TW094", message, span, f"let the scope return '{record}', or give the tool an 'into' inside")


def secret_results(fields: Mapping[str, Field], nodes: Mapping[str, LinkedNode]) -> Mapping[str, frozenset[str]]:
    """Return the parts of results that go into secret fields, by tool; an empty part stands for the whole result.
    `nodes` say where results are stored.
    """
    into = {pair for node in nodes.values() for pair in node.result_targets.items()}
    into |= {(node.tool.tool.tool.name, node.tool.result_target) for node in nodes.values() if node.tool is not None}
    found: dict[str, frozenset[str]] = {}
    for tool, target in into:
        names = [name for name, field in fields.items() if field.secret and target in (name, record_of(name))]
        if target and names:
            parts = frozenset(name.removeprefix(target).removeprefix(".") for name in names)
            found[tool] = found.get(tool, frozenset()) | parts
    return found


def check_destination(builder: Builder, into: str, span: Span) -> None:
    """Report a wrong destination `into` of a result: it must be empty, a record, or a field that is not derived."""
    if not into:
        return
    if into in builder.names.records:
        builder.is_read_only(into, span)
        return
    if "." not in into:
        hint = nearest(into, builder.names.records) or "name a record, or a field as record.field"
        builder.report("TW020", f"no record is called '{into}'", span, hint)
        return
    builder.written_field(into, span)


# which tools are allowed -------------------------------------------------------------------------


def check_policy(builder: Builder, policy: ToolPolicy, enforced: tuple[SequencePosition, ...]) -> None:
    """Report errors in a tool policy: unknown tools, a sequence that is too long, or nothing that is allowed. Also a
    policy that does not allow what its `enforced` sequence needs.
    """
    tools = builder.names.tools
    for key, patterns in (("allow", policy.allow), ("deny", policy.deny)):
        for number, pattern in enumerate(patterns):
            if pattern != "*" and not matching_tools([pattern], tools):
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
    _check_allows(builder, policy, enforced)


def _no_tool(builder: Builder, pattern: str, span: Span) -> tuple[str, Span, str]:
    """Return the diagnostic for a name or pattern that no tool has; its hint lists tools that the flow declares."""
    if is_wild(pattern):
        hint = nearest(pattern, builder.declared) if builder.declared else "the flow declares no tools"
        return f"no tool has a name like '{pattern}'", span, hint
    near = nearest_name(pattern, builder.names.tools)
    hint = f"did you mean '{near}'?" if near else nearest(pattern, builder.declared)
    return f"no tool is called '{pattern}'", span, hint


def _check_allows(builder: Builder, policy: ToolPolicy, enforced: tuple[SequencePosition, ...]) -> None:
    """Report a policy that allows no tool, or no tool that its enforced sequence needs (law 4.1).

    A sequence that only opens its node demands nothing, and such a node may do without tools (law 4.2).
    """
    declared = builder.declared
    generated = builder.names.tools - declared
    governed = declared if policy.allow else builder.names.tools
    names_known = all(pattern == "*" or matching_tools([pattern], declared) for pattern in policy.allow)
    needs_some = bool(governed and names_known) and (bool(policy.allow) or enforced == policy.sequence)
    if needs_some and not usable_tools(policy, declared, frozenset() if policy.allow else generated):
        message = "what is allowed is denied too: no tool is left" if policy.allow else "every tool is denied"
        builder.report("TW043", message, policy.span)
    for number, position in enumerate(enforced):
        known = [tool for tool in position.tools if tool in builder.names.tools]
        if known and not position.optional and not usable_tools(policy, declared & {*known}, generated & {*known}):
            span = policy.span.of(f"sequence.{number}")
            builder.report("TW043", f"the sequence needs {' or '.join(known)}, which is not allowed", span)
