"""What a node may ever use: declared tools by its policy, and those that its records generate (laws 4.1, 4.4)."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.core.link.builder import Builder
from turnwise.core.machine import Evaluate, LinkedTool, LinkedToolWork, Toolbox
from turnwise.core.messages import ToolSpec
from turnwise.core.policy import usable
from turnwise.core.schema import is_needed, object_schema, value_schema
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Condition, Field, Node, SequencePosition, ToolPolicy, ToolWork


def link_toolbox(builder: Builder, node: Node, reads: tuple[str, ...], writes: tuple[str, ...]) -> Toolbox:
    """The tools of a node; `reads` and `writes` are the fields that it may read and write."""
    policy = node.tools
    given, taken = _by_record("read", reads), _by_record("write", writes)
    fields = {f"{record}.{name}": f for record, of in builder.names.records.items() for name, f in of.items()}
    generated = {name: _reading(name, found, fields) for name, found in given.items()}
    generated |= {name: _writing(name, found, fields) for name, found in taken.items()}
    found = usable(policy, frozenset(builder.tools), frozenset(generated))
    specs = {name: tool.spec for name, tool in builder.tools.items() if name in found}
    specs |= {name: spec for name, spec in generated.items() if name in found}
    denied = policy.deny if policy is not None else ()
    return Toolbox(specs, given, taken, denied, _enforced(node, policy))


def _enforced(node: Node, policy: ToolPolicy | None) -> tuple[SequencePosition, ...]:
    """Law 4.2: a sequence that opens the node by its own `sequence_match` is not demanded in it as well."""
    if policy is None:
        return ()
    conditions: tuple[Condition, ...] = node.enter_when if isinstance(node.enter_when, tuple) else ()
    is_trigger = any(condition.type == "sequence_match" for condition in conditions)
    return policy.sequence if policy.enforce or not is_trigger else ()


# generated tools ---------------------------------------------------------------------------------


def _by_record(what: str, addresses: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The generated tools that fields need, each with its fields."""
    found: dict[str, tuple[str, ...]] = {}
    for address in addresses:
        name = f"{what}_{address.partition('.')[0]}"
        found[name] = (*found.get(name, ()), address)
    return found


def _reading(name: str, addresses: tuple[str, ...], fields: Mapping[str, Field]) -> ToolSpec:
    record = name.removeprefix("read_")
    names = [fields[address].name for address in addresses]
    told = {
        "type": "array",
        "items": {"type": "string", "enum": names},
        "description": "which fields; without it all of them",
    }
    parameters = {"type": "object", "properties": {"fields": told}, "additionalProperties": False}
    return ToolSpec(name, f"read what is known in '{record}': {', '.join(names)}", parameters)


def _writing(name: str, addresses: tuple[str, ...], fields: Mapping[str, Field]) -> ToolSpec:
    record = name.removeprefix("write_")
    own = [fields[address] for address in addresses]
    lists = [field for field in own if field.type == "list"]
    values = object_schema(own, may_lack=True)
    properties = {"set": values | {"description": "fields that are given a value; the others stay"}}
    for key, about in (("add", "items to add to lists"), ("remove", "items to take out of lists")):
        if lists:
            of = {field.name: value_schema(field) for field in lists}
            properties[key] = {
                "type": "object",
                "properties": of,
                "additionalProperties": False,
                "description": about,
            }
    parameters = {"type": "object", "properties": properties, "additionalProperties": False}
    names = ", ".join(field.name for field in own)
    return ToolSpec(name, f"write into '{record}': {names}. Nothing is stored without it.", parameters)


# a tool as the work of a node --------------------------------------------------------------------


def link_tool_work(builder: Builder, node: Node) -> LinkedToolWork | None:
    """The tool that a node runs, its arguments compiled."""
    work = node.tool
    if work is None:
        return None
    tool = builder.tools.get(work.name)
    if tool is None and not work.name and work.span.is_read:
        return None  # the document was found to lack it
    if tool is None:
        hint = nearest(work.name, builder.tools)
        builder.report("TW021", f"no tool is called '{work.name}'", work.span.of("name"), hint)
        return None
    _check_into(builder, work)
    arguments = _arguments(builder, work, tool)
    return LinkedToolWork(tool, arguments, work.into, work.span.line_text)


def _arguments(builder: Builder, work: ToolWork, tool: LinkedTool) -> dict[str, Evaluate]:
    """The arguments as closures; each is one that the tool takes, and none that it needs is missing."""
    found: dict[str, Evaluate] = {}
    for name, expression in work.arguments.items():
        span = work.span.of(f"with.{name}")
        if name not in tool.args:
            builder.report("TW029", f"'{work.name}' takes no argument '{name}'", span, nearest(name, tool.args))
            continue
        value = builder.value_for(tool.args[name], expression, span)
        if value is not None:
            found[name] = value
    for name, arg in tool.args.items():
        if is_needed(arg) and name not in work.arguments:
            builder.report("TW029", f"'{work.name}' needs the argument '{name}'", work.span, "give it under 'with'")
    return found


def _check_into(builder: Builder, work: ToolWork) -> None:
    if work.into and work.into not in builder.names.records:
        hint = nearest(work.into, builder.names.records)
        builder.report("TW020", f"no record is called '{work.into}'", work.span.of("into"), hint)
