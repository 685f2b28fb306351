"""Compiles the tree of a DyGram document to the document of a flow."""

from __future__ import annotations

from pathlib import PurePath

from turnwise.authoring.dygram.compile.fields import record_of
from turnwise.authoring.dygram.compile.links import Link, links_of
from turnwise.authoring.dygram.compile.names import MOST_NODES, NAME, Declared, World
from turnwise.authoring.dygram.compile.nodes import Ways, entry_of, has_work, node_of, read_attributes
from turnwise.authoring.dygram.compile.placed import Output, Pair, hint_of_similar
from turnwise.authoring.dygram.compile.tools import tool_of
from turnwise.authoring.dygram.statements import Parsed, parse
from turnwise.authoring.dygram.syntax import Document, Import, Scalar
from turnwise.authoring.seeds.rewriting import name_from, name_of_file
from turnwise.flow.diagnostic import Diagnostic, has_errors
from turnwise.flow.located import Located, Pairs
from turnwise.flow.shapes import SHAPES

NAMES = {"desc": "description", "modelId": "model", "logLevel": "log"}
"""Keys of the flow by attributes of the machine that have another name."""
_OWN = ("flow", "title", "start")
"""The keys of the flow that the document has by itself, where the machine does not say them."""
LIMITS = {"maxSteps": "run_moves"}
"""Limits of the flow by attributes of the machine."""
_SECTIONS = ("flow", "start", "records", "tools", "nodes", "imports", "autonomous", "title")
REFUSED = {
    "maxConcurrentPaths": "a conversation has one path",
    "timeout": "a run has no time limit: set one on tasks, or limits.budgets",
    "circuitBreakerThreshold": "errors are caught by edges",
    "circuitBreakerTimeout": "errors are caught by edges",
    "maxCheckpoints": "every turn is stored",
}
"""Attributes that a flow cannot have, each with the reason."""
STRICT = ("strict", "strictmode")
"""Names of the annotation that makes the machine strict."""


def compile_dygram(text: str, file: str) -> tuple[Pairs, list[Diagnostic]]:
    """Return the document of the flow that a DyGram document describes, and all problems.

    If its text cannot be read as a whole, the document is empty.
    """
    parsed = parse(text, file)
    if has_errors(parsed.diagnostics):
        return Pairs([], 1, 1), parsed.diagnostics
    if not (parsed.document.items or parsed.document.machine or parsed.document.imports):
        output = Output(parsed.source)
        output.report("TW007", "there is nothing in it", 0)
        return Pairs([], 1, 1), output.diagnostics
    return _compiled(parsed)


def _compiled(parsed: Parsed) -> tuple[Pairs, list[Diagnostic]]:
    output = Output(parsed.source)
    world = World(output)
    world.collect(parsed.document)
    world.settle_kinds()
    if len(world.by_path) > MOST_NODES:
        output.report("TW005", f"the document has more than {MOST_NODES:,} nodes, which is the limit", 0)
        return Pairs([], 1, 1), [*parsed.diagnostics, *output.diagnostics]
    ways = Ways(links := links_of(world))
    pairs = _header(output, world, parsed.document)
    start, is_named = _named_start(world), any(key.text == "start" for key, _ in pairs)
    if not is_named:
        start = _start(world, ways, links)
    if start is not None and not is_named:
        pairs.append((output.key("start", start.at), output.text(start.name, start.at)))
    pairs += _sections(world, ways, _nodes(world, ways, links, start))
    return output.pairs(pairs, 0), [*parsed.diagnostics, *output.diagnostics]


def _header(output: Output, world: World, document: Document) -> list[Pair]:
    """Return the keys of the flow itself."""
    machine = document.machine
    at = machine.title.at if machine is not None else 0
    name = name_from(str(machine.title.value), "machine") if machine is not None else ""
    name = name or name_of_file(output.source.file, "machine")
    pairs: list[Pair] = [(output.key("flow", at), output.text(name, at))]
    if machine is not None:
        pairs.append((output.key("title", at), output.scalar(machine.title)))
    given = {one.name.text: output.pair(one) for one in world.attributes if one.name.text in _OWN}
    pairs = [given.pop(key.text, (key, value)) for key, value in pairs]
    pairs += given.values()
    for annotation in world.annotations:
        word, place = annotation.name.text, annotation.name.at
        if word.lower() == "meta":
            output.report("TW136", f"@{word} does not run: a flow is not changed while it runs", place)
        elif word.lower() not in STRICT:
            output.report("TW137", f"@{word} has no effect on a machine", place, hint_of_similar(word, ("StrictMode",)))
    pairs += _attributes(output, world)
    if document.imports:
        imports = [_import(output, one) for one in document.imports]
        pairs.append((output.key("imports", document.imports[0].source.at), output.items(imports, 0)))
    return pairs


def _attributes(output: Output, world: World) -> list[Pair]:
    """Return the attributes of the machine that are keys of a flow; others are reported."""
    known = SHAPES["Flow"].by_name
    pairs: list[Pair] = []
    limits: list[Pair] = []
    autonomous: Located = output.plain(value=True, at=0)
    for attribute in world.attributes:
        word, at = attribute.name.text, attribute.name.at
        name = NAMES.get(word, word)
        if word in REFUSED:
            output.report("TW137", f"'{word}' has no effect: {REFUSED[word]}", at)
        elif word in LIMITS:
            limits.append(output.pair(attribute, LIMITS[word]))
        elif word in _OWN:
            continue
        elif word == "autonomous":
            autonomous = output.pair(attribute)[1]
        elif name in known and name not in _SECTIONS:
            pairs.append(output.pair(attribute, name))
        else:
            output.report(
                "TW137", f"'{word}' of the machine has no effect", at, hint_of_similar(word, [*known, *LIMITS])
            )
    own = next((value for key, value in pairs if key.text == "limits"), None)
    if isinstance(own, Pairs):
        own.pairs.extend(limits)
    elif limits:
        pairs.append((output.key("limits", 0), output.pairs(limits, 0)))
    return [*pairs, (output.key("autonomous", 0), autonomous)]


def _import(output: Output, one: Import) -> Located:
    """Return an import. A file without an ending is in this language."""
    source = str(one.source.value)
    source = source if PurePath(source).suffix else f"{source}.dy"
    names = [
        output.text(
            name.name.text + (f" as {name.alias.text}" if name.alias is not None else ""),
            name.name.at,
        )
        for name in one.names
    ]
    at = one.source.at
    pairs = [
        (output.key("from", at), output.scalar(one.source, source)),
        (output.key("names", at), output.items(names, at)),
    ]
    return output.pairs(pairs, at)


def _named_start(world: World) -> Declared | None:
    """Return the node that the attribute `start` of the machine names, by its name in the flow."""
    values = [one.value for one in world.attributes if one.name.text == "start"]
    given = [str(value.value) for value in values if isinstance(value, Scalar)]
    return next((one for one in world.by_path.values() if one.is_executable and one.name in given), None)


def _start(world: World, ways: Ways, links: list[Link]) -> Declared | None:
    """Return the node that a run begins with: one with `@start`, of the type `init`, or called `start`; else the first
    from which edges lead away, and to which none lead.
    """
    nodes = [one for one in world.by_path.values() if one.is_executable]
    marked = [one for one in nodes if any(name.lower() == "start" for name in one.annotations)]
    inits = [one for one in nodes if one.kind == "init" and (one.parent is None or not one.parent.is_executable)]
    named = [one for one in nodes if one.last_part.lower() == "start"]
    for found in (marked, inits, named):
        for other in found[1:]:
            message = f"a run begins at '{found[0].path}', and cannot begin at '{other.path}' too"
            world.output.report("TW136", message, other.at, "a conversation has one path")
        if found:
            return found[0]
    reached = {link.target.path for link in links if link.kind in ("control", "catch")}
    reached |= {one.path for node in nodes if (one := entry_of(node, ways)) is not None}
    roots = [one for one in nodes if one.path not in reached]
    leading = [one for one in roots if ways.control[one.path] or entry_of(one, ways) is not None]
    return next(iter([*leading, *[one for one in roots if has_work(one, ways)], *roots, *nodes]), None)


def _nodes(world: World, ways: Ways, links: list[Link], start: Declared | None) -> list[Declared]:
    """Return the nodes of the flow: all that can be executed but modules that nothing enters as a whole."""
    entered = {link.target.path for link in links}
    if start is not None:
        entered.add(start.path)
    found: list[Declared] = []
    for one in world.by_path.values():  # a node stands before those inside of it
        entry = entry_of(one, ways) if one.is_executable else None
        if one.is_executable and (entry is None or one.path in entered):
            found.append(one)
            if entry is not None:
                entered.add(entry.path)
    return found


def _sections(world: World, ways: Ways, nodes: list[Declared]) -> list[Pair]:
    """Return the records, tools and nodes."""
    output = world.output
    declared = list(world.by_path.values())
    tools = [one for one in declared if one.kind == "tool"]
    offered = [one for one in tools if one.path not in ways.used]
    made = [tool_of(world, one) for one in tools]
    records = [record_of(world, one) for one in declared if one.kind == "context"]
    types, waiting = dict[str, Pair](), True
    while waiting:  # the objects of a type may have lists of others
        new = [one for one in declared if one.kind == "type" and one.path in world.items and one.path not in types]
        types |= {one.path: record_of(world, one) for one in new}
        waiting = bool(new)
    for one in declared:
        if one.kind == "type" and one.path not in types:
            output.report("TW137", f"the type '{one.path}' has no effect: no list holds its objects", one.at)
        if not one.is_executable:
            _report_unused(output, one)
    converted = [node_of(world, one, ways, offered) for one in nodes]
    sections = {"records": [*types.values(), *records, *read_attributes(world)], "tools": made, "nodes": converted}
    return [(output.key(key, 0), output.pairs(pairs, 0)) for key, pairs in sections.items() if pairs]


def _report_unused(output: Output, node: Declared) -> None:
    """Report what a context, tool or type has that no record and no tool can have."""
    for annotation in node.annotations.values():
        if annotation.name.text.lower() == NAME and node.kind != "type":
            continue
        output.report("TW137", f"@{annotation.name.text} has no effect on a {node.kind}", annotation.name.at)
    titles = [node.title] if node.title is not None and node.kind != "tool" else []
    for text in [*titles, *node.notes]:
        output.report(
            "TW137", f"this text about '{node.path}' has no effect: a {node.kind} has no description", text.at
        )
