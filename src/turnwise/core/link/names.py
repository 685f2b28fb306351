"""Checks a whole flow: names, start, commands, servers, and documents that were not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import get_args

from msgspec import structs

from turnwise.core.guards.event_roots import EVENT, event_roots
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.scope import FUNCTION_ROOTS, PERSON, ROOTS, Names
from turnwise.core.link import start_phrases
from turnwise.core.link.builder import Builder
from turnwise.core.link.fields import without_wrong_bounds
from turnwise.core.link.spans import Place, place_of
from turnwise.core.state.commands import CommandName
from turnwise.core.state.effects import ToolSpec
from turnwise.core.toolbox import LinkedTool
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.schema import object_schema
from turnwise.flow import model
from turnwise.flow.diagnostic import Span, nearest
from turnwise.flow.frozen import make
from turnwise.flow.guard import Expression, GuardError, parse
from turnwise.flow.kinds import ARGUMENT_NAME, IDENTIFIER, PATH, TOOL_NAME, NameRule

_ROOT_NAMES = frozenset({key.partition(".")[0] for key in ROOTS} | set(FUNCTION_ROOTS)) - {PERSON}

_RECORD_TOOLS = ("read", "write")


def declared_names(flow: model.Flow, rules: Rules, unreadable: frozenset[Place] = frozenset()) -> Names:
    """Return the names that guards of a flow may use. Defaults are in canonical form, as stored values are; a field
    that is computed from a secret is secret, too. `unreadable` are the places of parts that could not be read.
    """
    tools = {tool.name for tool in flow.tools}
    for record in flow.records:
        tools |= {f"{what}_{record.name}" for what in _RECORD_TOOLS}
    tools |= {f"go_to_{node.name}" for node in flow.nodes}
    tools |= {opener_of(node) for node in flow.nodes if node.scope}
    fields = [(field, f"{record.name}.{field.name}") for record in flow.records for field in record.fields]
    found = Names(
        records={r.name: {field.name: _canonical(field, rules) for field in r.fields} for r in flow.records},
        roots=event_roots(flow.events),
        tools=frozenset(tools),
        nodes=frozenset(node.name for node in flow.nodes),
        overlays=frozenset(overlay.name for overlay in flow.overlays),
        bare={field.name: f"did you mean '{address}'?" for field, address in fields},
        unsure=frozenset(address for field, address in fields if place_of(field.span) in unreadable),
    )
    return with_computed_secrets(found)


def with_computed_secrets(names: Names) -> Names:
    """Return the names in which each field that is computed from a secret field is secret, too."""
    if not any(field.secret for fields in names.records.values() for field in fields.values()):
        return names
    computed = {
        (record, name): tree
        for record, fields in names.records.items()
        for name, field in fields.items()
        if field.value and not field.secret and (tree := _tree_of(field)) is not None
    }
    while secret := [place for place, tree in computed.items() if reads_secret(names, tree)]:
        records = {record: dict(fields) for record, fields in names.records.items()}
        for record, name in secret:
            del computed[record, name]
            records[record][name] = replace(records[record][name], secret=True)
        names = structs.replace(names, records=records)
    return names


def _tree_of(field: model.Field) -> Expression | None:
    """Return the expression of a derived field; `None` if it is wrong, which is reported where it is linked."""
    try:
        return parse(field.value)
    except GuardError:
        return None


def _canonical(field: model.Field, rules: Rules) -> model.Field:
    """Return the field with its default as it would be stored; a wrong default is reported by `fields`."""
    field = without_wrong_bounds(field)
    if field.parts:
        field = replace(field, parts=tuple([_canonical(part, rules) for part in field.parts]))
    if field.default is None or field.default == []:
        return replace(field, default=None) if field.type == "list" else field
    default = read_value(field, field.default, rules)
    return replace(field, default=None if isinstance(default, Refused) else default)


def opener_of(node: model.Node) -> str:
    """Return the name of the generated tool with which a model opens the scope of a node."""
    return node.scope.tool or f"open_{node.name}" if node.scope is not None else ""


def opener_tool(node: model.Node) -> LinkedTool:
    """Return the generated tool with which a model opens a scope: its arguments are the scope's input."""
    about = node.description or f"begin: {node.name.replace('_', ' ')}"
    fields = node.scope.input if node.scope is not None else ()
    tool = make(model.Tool, name=opener_of(node), about=about, args=fields, span=node.span.of("scope"))
    return LinkedTool(tool, {arg.name: arg for arg in fields}, ToolSpec(tool.name, about, object_schema(fields)))


def check_inside(builder: Builder, scope: model.Scope) -> None:
    """Report duplicate, reserved and invalid names inside a scope."""
    _check_nodes(builder, scope.nodes)
    _check_records(builder, scope.records)
    _check_names(builder, "input", [(field.name, field.span) for field in scope.input], ARGUMENT_NAME)
    for record in scope.records:
        _check_names(builder, "field", [(field.name, field.span) for field in record.fields])
        _check_reserved(builder, record)


def _check_reserved(builder: Builder, record: model.Record) -> None:
    if record.name in _ROOT_NAMES or (record.name == EVENT and builder.flow.events):
        hint = "guards use this word for something else"
        builder.report("TW016", f"a record cannot be called '{record.name}'", record.span, hint)


def check_names(builder: Builder) -> None:
    """Report duplicate, reserved and invalid names of a flow, a wrong start node, and documents that were not read."""
    flow = builder.flow
    groups: list[tuple[str, Iterable[tuple[str, Span]]]] = [
        ("event", ((one.name, one.span) for one in flow.events)),
        ("overlay", ((o.name, o.span) for o in flow.overlays)),
        ("schedule", ((s.name, s.span) for s in flow.schedules)),
    ]
    for what, found in groups:
        _check_names(builder, what, list(found))
    _check_records(builder, flow.records)
    _check_nodes(builder, flow.nodes)
    _check_names(builder, "tool", [(t.name, t.span) for t in flow.tools], TOOL_NAME)
    _check_names(builder, "server", [(m.name, m.span) for m in flow.mcp], TOOL_NAME)
    for tool in flow.tools:
        _check_names(builder, "argument", [(arg.name, arg.span) for arg in tool.args], ARGUMENT_NAME)
        _check_approval(builder, tool)
    for record in flow.records:
        _check_names(builder, "field", [(f.name, f.span) for f in record.fields])
        _check_reserved(builder, record)
    _check_generated(builder)
    _check_start(builder)
    _check_commands(builder)
    start_phrases.check_start_phrases(builder)
    _check_servers(builder)
    _check_documents(builder)


def _check_nodes(builder: Builder, nodes: Iterable[model.Node]) -> None:
    _check_names(builder, "node", [(node.name, node.span) for node in nodes], PATH)


def _check_records(builder: Builder, records: Iterable[model.Record]) -> None:
    """Report wrong names of records, also one that is the address of a field: `desk.memo` would mean both."""
    found = list(records)
    _check_names(builder, "record", [(record.name, record.span) for record in found], PATH)
    fields = {f"{record.name}.{field.name}": field.span for record in found for field in record.fields}
    for record in found:
        if record.name in fields:
            where = f"the field stands at {fields[record.name]}" if fields[record.name].line else ""
            builder.report("TW017", f"a record and a field are called '{record.name}'", record.span, where)


def _check_names(builder: Builder, what: str, found: list[tuple[str, Span]], rule: NameRule = IDENTIFIER) -> None:
    first: dict[str, Span] = {}
    reported: set[str] = set()
    for name, span in found:
        if not rule.allows(name):
            if span.is_read:
                continue  # reported when the document was read
            builder.report("TW016", f"{name!r} is no name for a {what}", span, rule.hint)
        elif name in first and name not in reported:
            other = first[name]
            hint = f"the first stands at {other}" if other.line and other != span else ""
            builder.report("TW017", f"two {what}s are called '{name}'", span, hint)
            reported.add(name)
        first.setdefault(name, span)


def _check_approval(builder: Builder, tool: model.Tool) -> None:
    """Report a tool that says who approves its calls, until when, or what is asked, and whose calls no one approves."""
    keys = {"ask": tool.ask, "approver": tool.approver != "user", "approve_within": tool.approve_within_s is not None}
    for key, is_set in keys.items():
        if is_set and not tool.confirm:
            message = f"'{tool.name}' has '{key}', and its calls are made without approval"
            builder.report("TW093", message, tool.span.of(key), "add 'confirm: true'")


def _check_generated(builder: Builder) -> None:
    """Report declared tools whose name belongs to a tool that the flow generates."""
    flow = builder.flow
    made = {f"{what}_{record.name}": f"the record '{record.name}'" for record in flow.records for what in _RECORD_TOOLS}
    made |= {f"go_to_{node.name}": f"the node '{node.name}'" for node in flow.nodes}
    for tool in flow.tools:
        if tool.name in made:
            message = f"'{tool.name}' is the name of a tool that {made[tool.name]} brings along"
            builder.report("TW017", message, tool.span, "give it another name")


def _check_start(builder: Builder) -> None:
    flow = builder.flow
    if not flow.nodes and builder.unreadable:
        return
    if not flow.nodes:
        builder.report("TW013", "a flow needs at least one node", flow.span.of("nodes"))
    elif flow.start and flow.start not in builder.names.nodes:
        hint = nearest(flow.start, builder.names.nodes)
        builder.report(
            "TW018", f"the flow starts at '{flow.start}', which no node is called", flow.span.of("start"), hint
        )
    elif not flow.start and not builder.unreadable:  # else reported when the document was read
        builder.report("TW018", "the flow does not say where it starts", flow.span.of("start"))


def _check_servers(builder: Builder) -> None:
    """Report servers with both a command and an address, with neither, or with keys of the other kind."""
    for server in builder.flow.mcp:
        hint = "give it 'command', or 'url'"
        if bool(server.command) == bool(server.url):
            fault = "has both a command and an address" if server.url else "has no command and no address"
            builder.report("TW015", f"the server '{server.name}' {fault}", server.span, hint)
        elif server.url and not server.url.startswith(("http://", "https://")):
            message = f"'{server.url}' is no address of a server"
            builder.report("TW011", message, server.span.of("url"), "it begins with http:// or https://")
        elif (server.url and server.env) or (server.command and server.token):
            key, other = ("env", "command") if server.url else ("token", "url")
            builder.report("TW041", f"'{key}' needs '{other}'", server.span.of(key))


def _check_commands(builder: Builder) -> None:
    commands = builder.flow.commands
    for number, name in enumerate(commands.names):
        if name not in get_args(CommandName):
            span = commands.span.of(f"names.{number}")
            builder.report("TW026", f"there is no command '{name}'", span, nearest(name, get_args(CommandName)))
    scopes = [node.name for node in builder.flow.nodes if node.scope is not None]
    for number, name in enumerate(commands.start):
        if name not in scopes:
            message = f"'start' names '{name}', and no node of that name has a scope"
            builder.report("TW094", message, commands.span.of(f"start.{number}"), nearest(name, scopes))
    if "start" in commands.names and not commands.start:
        hint = "write {start: [" + (", ".join(scopes) or "…") + "]}"
        builder.report("TW094", "'start' does not say which scopes users may begin", commands.span, hint)
    offered = {node.offer.scope for node in builder.flow.nodes if node.offer is not None}
    begun = {*commands.start, *offered, *[one.offer for one in builder.flow.schedules]}
    for node in builder.flow.nodes:
        for key in ("title", "starts"):
            if getattr(node, key) and node.name not in begun:
                message = f"'{key}' is for users who begin it, and 'commands' lets no one begin it"
                hint = f"add 'commands: [{{start: [{node.name}]}}]'"
                if node.scope is None:
                    message = f"'{key}' is for users who begin a scope, and '{node.name}' opens none"
                    hint = "write these words into 'description'" if key == "title" else "leave it out"
                builder.report("TW094", message, node.span.of(key), hint)


def _check_documents(builder: Builder) -> None:
    """Report documents that the flow names and that were not read."""
    flow = builder.flow
    for source, span in [(one.source, one.span) for one in flow.imports] + list(_flows_of_scopes(flow.nodes)):
        builder.report("TW097", f"'{source}' was not imported", span, "load the flow by its document")


def _flows_of_scopes(nodes: Iterable[model.Node]) -> Iterator[tuple[str, Span]]:
    """Yield the documents that scopes name, which are inside the scopes once they are read."""
    for scope in [node.scope for node in nodes if node.scope is not None]:
        if scope.flow:
            yield scope.flow, scope.span.of("flow")
        yield from _flows_of_scopes(scope.nodes)
