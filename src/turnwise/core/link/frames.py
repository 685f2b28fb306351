"""Links what stands in one frame: its records, nodes and transitions, and then what stands inside its scopes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.candidates import Guard
from turnwise.core.guards.scope import Names
from turnwise.core.link import fields, nodes, options, scopes, tools, transitions
from turnwise.core.link.builder import Builder
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import Derived, LinkedNode
from turnwise.core.option_sources import OptionSource
from turnwise.core.template import Template
from turnwise.flow.model import Field, Node


class LinkedFrames(Struct):
    """The compiled parts of a flow and of the insides of its scopes, by full address."""

    fields: dict[str, Field] = {}
    """The fields, by address."""
    validators: dict[str, tuple[tuple[Guard, Template | None], ...]] = {}
    """The guards that new values of a field must not fail, each with its reply, by field address."""
    refusals: dict[str, Template] = {}
    """The author's texts for refused values, by field address."""
    derived: tuple[Derived, ...] = ()
    """The derived fields, each after those that it reads."""
    nodes: dict[str, LinkedNode] = {}
    """The nodes, by full address."""
    option_sources: dict[str, OptionSource] = {}
    """The lists from which fields read their options, by field address."""
    scopes: dict[str, LinkedScope] = {}
    """The scopes by full address, with the outermost conversation, whose address is empty."""
    records: dict[str, dict[str, Field]] = {}
    """The fields of each record inside a scope by name, by the address of the record."""


def link_flow(builder: Builder) -> LinkedFrames:
    """Return all compiled parts of a flow, with the insides of its scopes."""
    found = LinkedFrames()
    _link_fields(builder, found)
    candidates = transitions.of_flow(builder)
    found.scopes[""] = LinkedScope("", builder.names, candidates, transitions.of_entering(builder))
    _link_nodes(builder, found)
    return found


def _link_fields(builder: Builder, found: LinkedFrames) -> None:
    linked = fields.link_fields(builder)
    found.fields |= linked.fields
    found.validators |= linked.validators
    found.refusals |= linked.refusals
    found.derived += fields.link_derived(builder)
    found.option_sources |= options.link_sources(builder)


def _link_nodes(builder: Builder, found: LinkedFrames) -> None:
    for node in builder.flow.nodes:
        linked = nodes.link_node(builder, scopes.without_inside(node))
        found.nodes[linked.node.name] = linked
        if node.scope is not None:
            _link_inside(builder, node, found)


def _link_inside(builder: Builder, node: Node, found: LinkedFrames) -> None:
    """Link what stands inside the scope of a node."""
    assert node.scope is not None
    inner = scopes.inner_builder(builder, node, node.scope)
    tools.check_tools(inner)
    _link_fields(inner, found)
    scope = scopes.link_scope(builder, node, node.scope, inner)
    found.scopes[scope.name] = scope
    for record in inner.flow.records:
        found.records[inner.names.address(record.name)] = dict(inner.names.records[record.name])
    _link_nodes(inner, found)
    if scope.finish is not None and scope.start in found.nodes:
        only = found.nodes[scope.start]
        spec = scope.finish.spec
        box = replace(only.toolbox, specs={**only.toolbox.specs, spec.name: spec}, finish=spec.name)
        found.nodes[scope.start] = replace(only, toolbox=box)


def all_names(names: Names, found: LinkedFrames) -> Names:
    """Return the names of a flow together with the records inside its scopes (`found`), which nothing outside
    can name.
    """
    if len(found.scopes) == 1:
        return names
    tools = names.tools.union(*[scope.names.tools for scope in found.scopes.values()])
    return replace(names, records={**names.records, **found.records}, tools=tools, nodes=frozenset(found.nodes))
