"""Links nodes: their work, texts, collected fields, and tool policy (laws 4.1, 4.4)."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.core.addresses import local_name
from turnwise.core.candidates import Block, Candidate
from turnwise.core.guards import Evaluate
from turnwise.core.link import forms, tools, transitions
from turnwise.core.link.builder import Builder
from turnwise.core.link.names import opener_of, opener_tool
from turnwise.core.link.offers import link_offer
from turnwise.core.machine import LinkedNode, LinkedPerson, Template, Work
from turnwise.core.state.effects import ToolSpec
from turnwise.core.toolbox import LinkedTool, LinkedToolWork, Toolbox
from turnwise.core.tools.offered import matching_tools, usable_tools
from turnwise.core.values.schema import is_needed, object_schema, value_schema
from turnwise.flow.addresses import record_of
from turnwise.flow.converters import copy_with
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Condition, Field, Node, PersonWork, SequencePosition, ToolPolicy, ToolWork


def link_toolbox(builder: Builder, node: Node, reads: tuple[str, ...], writes: tuple[str, ...]) -> Toolbox:
    """Return the tools of a node by its policy, also those to read the fields `reads` and write the fields `writes`."""
    policy = node.tools
    if policy is None and not reads and not writes:
        return _NO_TOOLS
    readers, writers = _by_record("read", reads), _by_record("write", writes)
    fields = builder.fields
    generated = {name: _reading(name, [fields[a] for a in addresses]) for name, addresses in readers.items()}
    generated |= {name: _writing(name, [fields[a] for a in addresses]) for name, addresses in writers.items()}
    found = usable_tools(policy, frozenset(builder.tools), frozenset(generated))
    specs = {name: tool.spec for name, tool in builder.tools.items() if name in found} if found else {}
    specs |= {name: spec for name, spec in generated.items() if name in found}
    denied = policy.deny if policy is not None else ()
    opens = _openers(builder, policy)
    specs |= {name: opener.spec for name, (_, opener) in opens.items()}
    return Toolbox(
        specs, readers, writers, denied, _enforced(node, policy), {name: place for name, (place, _) in opens.items()}
    )


_NO_TOOLS = Toolbox({}, {}, {})


def _openers(builder: Builder, policy: ToolPolicy | None) -> dict[str, tuple[str, LinkedTool]]:
    """Return the tools that open scopes and that the policy allows by name, each with its scope."""
    if policy is None:
        return {}
    found = {opener_of(node): node for node in builder.with_scopes if opener_of(node) in policy.allow}
    return {
        name: (builder.names.node(node.name), opener_tool(node))
        for name, node in found.items()
        if not matching_tools(policy.deny, frozenset((name,)))
    }


def _enforced(node: Node, policy: ToolPolicy | None) -> tuple[SequencePosition, ...]:
    """Return the tool sequence that the node enforces; none if it only triggers a `sequence_match` (law 4.2)."""
    if policy is None:
        return ()
    conditions: tuple[Condition, ...] = node.enter_when if isinstance(node.enter_when, tuple) else ()
    is_trigger = any(condition.type == "sequence_match" for condition in conditions)
    return policy.sequence if policy.enforce or not is_trigger else ()


def _by_record(what: str, addresses: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the addresses grouped by the generated tool that accesses them, such as `read_<record>`."""
    found: dict[str, tuple[str, ...]] = {}
    for address in addresses:
        name = f"{what}_{local_name(record_of(address))}"
        found[name] = (*found.get(name, ()), address)
    return found


def _reading(name: str, fields: list[Field]) -> ToolSpec:
    record = name.removeprefix("read_")
    names = [field.name for field in fields]
    chosen = {
        "type": "array",
        "items": {"type": "string", "enum": names},
        "description": "which fields; without it all of them",
    }
    return ToolSpec(name, f"read what is known in '{record}': {', '.join(names)}", _object({"fields": chosen}))


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


_IDS = {"type": "array", "items": {"type": "string", "description": "the id of an item"}}


def _writing(name: str, fields: list[Field]) -> ToolSpec:
    record = name.removeprefix("write_")
    values = object_schema(fields, may_lack=True)
    properties = {"set": values | {"description": "fields that are given a value; the others stay"}}
    lists = {field.name: value_schema(field) for field in fields if field.type == "list"}
    if lists:
        ids = {field.name: _IDS for field in fields if field.parts}
        properties["add"] = _object(lists) | {"description": "items to add to lists"}
        properties["remove"] = _object(lists | ids) | {"description": "items to take out of lists"}
        if ids:
            changed = _object({name: lists[name] for name in ids})
            properties["change"] = changed | {
                "description": "new values of items, each with its id; null takes one away"
            }
    parameters = _object(properties)
    names = ", ".join(field.name for field in fields)
    return ToolSpec(name, f"write into '{record}': {names}. Nothing is stored without it.", parameters)


# a tool as the work of a node --------------------------------------------------------------------


def link_tool_work(builder: Builder, node: Node) -> LinkedToolWork | None:
    """Return the tool that a node runs as its work, with compiled arguments; `None` if it runs none."""
    work = node.tool
    if work is None:
        return None
    tool = builder.tools.get(work.name)
    if tool is None and not work.name and work.span.is_read:
        return None  # reported when the document was read
    if tool is None:
        hint = nearest(work.name, builder.tools)
        builder.report("TW021", f"no tool is called '{work.name}'", work.span.of("name"), hint)
        return None
    tools.check_destination(builder, work.into, work.span.of("into"))
    if builder.outer is not None and tool.tool.into and not work.into:
        tools.check_inherited(builder, tool.tool, work.span)
    into = builder.names.address(work.into or tool.tool.into)
    return LinkedToolWork(tool, _arguments(builder, work, tool), into, work.span.line_text)


def _arguments(builder: Builder, work: ToolWork, tool: LinkedTool) -> dict[str, Evaluate]:
    """Return the compiled arguments; report unknown ones, and required ones that are missing."""
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
            hint = f"write {{name: {work.name}, with: {{{name}: …}}}}"
            builder.report("TW029", f"'{work.name}' needs the argument '{name}'", work.span, hint)
    return found


# a person as the work of a node ------------------------------------------------------------------


def link_person(builder: Builder, work: PersonWork | None) -> LinkedPerson | None:
    """Return the compiled handover to a person; `None` if there is no `work`. Report an empty queue and a wait of no
    time.
    """
    if work is None:
        return None
    span, limits = work.span, builder.flow.limits
    if not work.queue.strip():
        hint = "name the queue in which the conversation waits for a person"
        builder.report("TW067", "a person's 'queue' is empty", span.of("queue"), hint)
    if work.timeout_s is not None and work.timeout_s <= 0:
        message, hint = (
            "a person needs time to come: 'timeout' is not more than 0",
            "leave it out for 'limits.person_wait'",
        )
        builder.report("TW067", message, span.of("timeout"), hint)
    elif limits.person_wait_s <= 0:
        message = "a person needs time to come: 'person_wait' is not more than 0"
        builder.report("TW067", message, limits.span.of("person_wait"))
    seconds = limits.person_wait_s if work.timeout_s is None else work.timeout_s
    return LinkedPerson(
        work.queue, builder.optional(work.about, span.of("about"), is_said=False), round(seconds * 1000)
    )


def link_node(builder: Builder, node: Node) -> LinkedNode:
    """Return a node with all its parts compiled."""
    span = node.span
    work = _work(builder, node)
    if node.tools is not None:
        tools.check_policy(builder, node.tools, _enforced(node, node.tools))
    collects = builder.addresses(node.collect.fields, node.collect.span, "fields") if node.collect else ()
    reads = builder.addresses(node.reads, span, "reads")
    writes = builder.addresses(node.writes, span, "writes")
    if node.once and node.end:
        builder.report("TW015", "'once' goes on and 'end' ends: a node has one of them", span.of("once"))
    return LinkedNode(
        node=copy_with(node, name=builder.names.node(node.name)) if builder.names.prefix else node,
        work=work,
        persona=_inherited(builder, node, "persona"),
        prompt=_inherited(builder, node, "prompt"),
        say=builder.optional(node.say, span.of("say")),
        form=forms.link_form(builder, node.form) if node.form is not None else None,
        entry=_entry(builder, node, work),
        collects=collects,
        tools=usable_tools(node.tools, builder.declared),
        writes=transitions.compiled_writes(builder, node.set, span, "set"),
        writes_on_leave=transitions.compiled_writes(builder, node.set_on_leave, span, "set_on_leave"),
        candidates=transitions.of_node(builder, node),
        toolbox=link_toolbox(builder, node, reads, writes),
        tool=link_tool_work(builder, node),
        person=link_person(builder, node.person),
        reply_guard=_reply_guard(builder, node),
        offer=link_offer(builder, node),
        result_targets=tools.destinations(builder, node),
        settings=builder.flow.settings.given() | node.settings.given(),
        has_own_persona=builder.has_own_persona or bool(node.persona),
    )


def _reply_guard(builder: Builder, node: Node) -> Candidate | None:
    """Return the check of replies of a node, else that of the flow."""
    declared = node.guard_reply or builder.flow.guard_reply
    if declared is None:
        return None
    if bool(declared.when) == bool(declared.guard):
        message = "'guard_reply' needs one of 'when' and 'guard': what says that a reply is replaced"
        builder.report("TW041", message, declared.span)
    code = None
    if declared.guard:
        code = transitions.python_guard(builder, declared.guard, declared.span.of("guard"), ("reply",))
    guard = builder.reply_guard(declared.when, declared.span.of("when"))
    say = Block(builder.template(declared.say, declared.span.of("say"), is_said=False))
    return Candidate("guard_reply", "after", "node", say, guard, code=code, span=declared.span)


_KINDS: tuple[Work, ...] = ("say", "form", "tool", "scope", "person")


def _work(builder: Builder, node: Node) -> Work:
    """Return the kind of a node's work (law 2.1); a prompt beside a form or scope does not count as work."""
    kinds: list[Work] = [name for name in _KINDS if getattr(node, name)]
    if node.prompt and not (node.form or node.scope):
        kinds.append("prompt")
    if kinds == ["form", "scope"]:
        kinds = ["scope"]
    if len(kinds) > 1:
        message = f"a node has one kind of work, this has {' and '.join(kinds)}"
        hint = "'entry' says a text on arrival, before the work" if "say" in kinds else "make a node of each"
        builder.report("TW015", message, node.span.of(kinds[-1]), hint)
    if not kinds and (node.tools or node.collect or node.reads or node.writes):
        if not builder.flow.prompt:
            hint = "give the node a prompt, or the flow"
            builder.report("TW040", f"'{node.name}' has something to do and no prompt to do it with", node.span, hint)
        return "prompt"
    return kinds[0] if kinds else "none"


def _entry(builder: Builder, node: Node, work: Work) -> Template | None:
    """Return the entry text of a node; if a model speaks there, the text is a part of its prompt."""
    if not node.entry:
        return None
    return (builder.prompt if work == "prompt" else builder.template)(node.entry, node.span.of("entry"))


def _inherited(builder: Builder, node: Node, key: Literal["persona", "prompt"]) -> Template | None:
    """Return the node's own text, else the flow's."""
    own: str = getattr(node, key)
    if own:
        return builder.prompt(own, node.span.of(key))
    return builder.flow_text(key)
