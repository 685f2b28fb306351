"""Collects the names that a flow declares, and reports duplicates and unusable ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from turnwise.core.guards.scope import FUNCTION_ROOTS, ROOTS, Names
from turnwise.core.link.builder import Builder
from turnwise.core.link.fields import sound
from turnwise.core.link.suppression import Place, place_of
from turnwise.core.state.commands import CommandName
from turnwise.core.values import Refused, Rules, read_value
from turnwise.flow import model
from turnwise.flow.diagnostic import Span, nearest
from turnwise.flow.kinds import ARGUMENT_NAME, IDENTIFIER, TOOL_NAME, NameRule

_ROOT_NAMES = frozenset({key.partition(".")[0] for key in ROOTS} | set(FUNCTION_ROOTS))

_RECORD_TOOLS = ("read", "write")


def declared(flow: model.Flow, rules: Rules, doubts: frozenset[Place] = frozenset()) -> Names:
    """What guards of this flow may name. A default is taken in its canonical form, as any value is."""
    tools = {tool.name for tool in flow.tools}
    for record in flow.records:
        tools |= {f"{what}_{record.name}" for what in _RECORD_TOOLS}
    tools |= {f"go_to_{node.name}" for node in flow.nodes}
    tools |= {node.scope.tool or f"open_{node.name}" for node in flow.nodes if node.scope}
    fields = [(field, f"{record.name}.{field.name}") for record in flow.records for field in record.fields]
    return Names(
        records={r.name: {field.name: _canonical(field, rules) for field in r.fields} for r in flow.records},
        roots={},
        tools=frozenset(tools),
        nodes=frozenset(node.name for node in flow.nodes),
        overlays=frozenset(overlay.name for overlay in flow.overlays),
        bare={field.name: f"did you mean '{address}'?" for field, address in fields},
        unsure=frozenset(address for field, address in fields if place_of(field.span) in doubts),
    )


def _canonical(field: model.Field, rules: Rules) -> model.Field:
    """The field with its default as it would be stored; what cannot be used of it is reported elsewhere."""
    field = sound(field)
    if field.default is None:
        return field
    default = read_value(field, field.default, rules)
    return replace(field, default=None if isinstance(default, Refused) else default)


def check(builder: Builder) -> None:
    """Names that stand twice, cannot be names, or are taken; the start; the exposed commands."""
    flow = builder.flow
    groups: list[tuple[str, Iterable[tuple[str, Span]]]] = [
        ("record", ((r.name, r.span) for r in flow.records)),
        ("node", ((n.name, n.span) for n in flow.nodes)),
        ("overlay", ((o.name, o.span) for o in flow.overlays)),
        ("schedule", ((s.name, s.span) for s in flow.schedules)),
    ]
    for what, found in groups:
        _check_names(builder, what, list(found))
    _check_names(builder, "tool", [(t.name, t.span) for t in flow.tools], TOOL_NAME)
    _check_names(builder, "server", [(m.name, m.span) for m in flow.mcp], TOOL_NAME)
    for tool in flow.tools:
        _check_names(builder, "argument", [(arg.name, arg.span) for arg in tool.args], ARGUMENT_NAME)
    for record in flow.records:
        _check_names(builder, "field", [(f.name, f.span) for f in record.fields])
        if record.name in _ROOT_NAMES:
            hint = "guards use this word for something else"
            builder.report("TW016", f"a record cannot be called '{record.name}'", record.span, hint)
    _check_generated(builder)
    _check_start(builder)
    _check_commands(builder)
    _check_servers(builder)


def _check_names(builder: Builder, what: str, found: list[tuple[str, Span]], rule: NameRule = IDENTIFIER) -> None:
    first: dict[str, Span] = {}
    told: set[str] = set()
    for name, span in found:
        if not rule.allows(name):
            if span.is_read:
                continue  # reading the document has said so
            builder.report("TW016", f"{name!r} is no name for a {what}", span, rule.hint)
        elif name in first and name not in told:
            other = first[name]
            hint = f"the first stands at {other}" if other.line and other != span else ""
            builder.report("TW017", f"two {what}s are called '{name}'", span, hint)
            told.add(name)
        first.setdefault(name, span)


def _check_generated(builder: Builder) -> None:
    """A declared tool has no name under which the flow generates one."""
    flow = builder.flow
    made = {f"{what}_{record.name}": f"the record '{record.name}'" for record in flow.records for what in _RECORD_TOOLS}
    made |= {f"go_to_{node.name}": f"the node '{node.name}'" for node in flow.nodes}
    for tool in flow.tools:
        if tool.name in made:
            message = f"'{tool.name}' is the name of a tool that {made[tool.name]} brings along"
            builder.report("TW017", message, tool.span, "give it another name")


def _check_start(builder: Builder) -> None:
    flow = builder.flow
    if not flow.nodes and builder.doubts:
        return
    if not flow.nodes:
        builder.report("TW013", "a flow needs at least one node", flow.span.of("nodes"))
    elif flow.start and flow.start not in builder.names.nodes:
        hint = nearest(flow.start, builder.names.nodes)
        builder.report(
            "TW018", f"the flow starts at '{flow.start}', which no node is called", flow.span.of("start"), hint
        )
    elif not flow.start and not builder.doubts:  # else reading has said so
        builder.report("TW018", "the flow does not say where it starts", flow.span.of("start"))


def _check_servers(builder: Builder) -> None:
    """A server is a command or an address, and what belongs to the one does not stand beside the other."""
    for server in builder.flow.mcp:
        hint = "give it 'command', or 'url'"
        if bool(server.command) == bool(server.url):
            told = "has both a command and an address" if server.url else "has no command and no address"
            builder.report("TW015", f"the server '{server.name}' {told}", server.span, hint)
        elif server.url and not server.url.startswith(("http://", "https://")):
            told = f"'{server.url}' is no address of a server"
            builder.report("TW011", told, server.span.of("url"), "it begins with http:// or https://")
        elif (server.url and server.env) or (server.command and server.token):
            key, other = ("env", "command") if server.url else ("token", "url")
            builder.report("TW041", f"'{key}' needs '{other}'", server.span.of(key))


def _check_commands(builder: Builder) -> None:
    commands = builder.flow.commands
    for number, name in enumerate(commands.names):
        if name not in get_args(CommandName):
            span = commands.span.of(f"names.{number}")
            builder.report("TW026", f"there is no command '{name}'", span, nearest(name, get_args(CommandName)))
