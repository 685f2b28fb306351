"""Makes the nodes of a flow from those of a DyGram document: what each does, which data and tools it may use, and its
transitions.
"""

from __future__ import annotations

from collections import defaultdict

from turnwise.authoring.dygram.compile.fields import record_of
from turnwise.authoring.dygram.compile.links import Link
from turnwise.authoring.dygram.compile.names import NAME, Declared, World
from turnwise.authoring.dygram.compile.placed import Output, Pair, hint_of_similar, value_of_annotation
from turnwise.authoring.dygram.compile.texts import template_text
from turnwise.authoring.dygram.compile.ways_out import is_open, time_span, transitions_of
from turnwise.authoring.dygram.syntax import Annotation, Attribute, Scalar
from turnwise.flow.located import Items, Located
from turnwise.flow.shapes import SHAPES

NAMES = {"modelId": "model"}
"""Keys of a node by attributes that have another name."""
DESCRIPTIONS = ("title", "desc", "description")
"""Attributes that describe a node."""
DRAWN = ("style", "direction", "grid", "shape", "color")
"""Attributes that only change how a node is drawn."""
ANNOTATIONS = (NAME, "start", "retry", "timeout")
"""The annotations that a node may have, in lower case."""
REFUSED = {
    "meta": "a flow is not changed while it runs",
    "code": "a document holds no code: supply functions with --python",
    "code_path": "a document holds no code: supply functions with --python",
    "schema": "what a node writes is typed by its contexts",
}
"""Attributes that a node cannot have, each with the reason."""
_ENTRIES = ("task", "state", "init", "other")
"""The kinds of nodes inside of a module, in the order in which one is looked for that it begins with."""


class Ways:
    """The edges of a document, keyed by the node at which they begin."""

    def __init__(self, links: list[Link]) -> None:
        self.control: dict[str, list[Link]] = defaultdict(list)
        self.catch: dict[str, list[Link]] = defaultdict(list)
        self.read: dict[str, list[Link]] = defaultdict(list)
        self.write: dict[str, list[Link]] = defaultdict(list)
        self.tool: dict[str, list[Link]] = defaultdict(list)
        for link in links:
            getattr(self, link.kind)[link.source.path].append(link)
        self.used = {link.target.path for link in links if link.kind == "tool"}

    def out_of(self, node: Declared) -> list[Link]:
        """Return the edges at a node; if it has none, those of the nearest node around it that lead to other nodes."""
        for one in (node, *node.nodes_around()):
            found = _for(node, self.control[one.path])
            if found:
                return found
        return []

    def catching(self, node: Declared) -> list[Link]:
        """Return the edges that catch an error of a node, its own before those of the nodes around it."""
        return [link for one in (node, *node.nodes_around()) for link in _for(node, self.catch[one.path])]


def _for(node: Declared, links: list[Link]) -> list[Link]:
    """Return the edges that a node has, of its own or of a node around it; those of another do not lead back to it."""
    return [link for link in links if link.source is node or link.target is not node]


def entry_of(node: Declared, ways: Ways) -> Declared | None:
    """Return the node with which a module (a node with other nodes, and no work) begins; `None` if the node is none.
    `ways` has the edges of the document.
    """
    inside = [one for one in node.children if one.is_executable]
    if not inside or has_work(node, ways):
        return None
    return min(inside, key=lambda one: _ENTRIES.index(one.kind))


def has_work(node: Declared, ways: Ways) -> bool:
    """Return whether a model works in a node: it has a prompt, or is a task that may write, use tools or choose by its
    edges in `ways`.
    """
    if "prompt" in node.attributes:
        return True
    if node.kind not in ("task", "other") or _has_other_work(node):
        return False
    is_module = any(one.is_executable for one in node.children)
    return bool(ways.write[node.path] or ways.tool[node.path]) or (not is_module and _has_choice(node, ways))


def _has_other_work(node: Declared) -> bool:
    return any(name in node.attributes for name in ("say", "form", "tool", "person", "scope"))


def _has_choice(node: Declared, ways: Ways) -> bool:
    """Return whether several edges without a guard lead out of a node."""
    found = [link for link in ways.out_of(node) if is_open(link) and "auto" not in link.annotations]
    return len({link.target.path for link in found}) > 1


def node_of(world: World, node: Declared, ways: Ways, offered: list[Declared]) -> Pair:
    """Return the flow's node for a node of the document, whose edges are in `ways`; `offered` are tools that each node
    with a prompt may use.
    """
    output, at = world.output, node.at
    pairs = _described(output, node)
    pairs += _attributes(world, node)
    pairs += _annotated(output, node)
    works = has_work(node, ways)
    if works and "prompt" not in node.attributes:
        title = node.title
        text = output.scalar(title) if title is not None else output.text(node.last_part.replace("_", " "), at)
        pairs.append((output.key("prompt", at), text))
    if works:
        pairs += _permissions(output, node, ways, offered)
    elif ways.write[node.path] or ways.tool[node.path]:
        message = f"'{node.path}' is a {node.kind} without a prompt: no model writes or uses tools there"
        output.report("TW137", message, at, "make it a task")
    pairs += _ways_out(world, node, ways, works=works)
    return output.key(node.name, at), output.pairs(_merged(pairs), at)


def _is_description(node: Declared, name: str) -> bool:
    """Return whether an attribute describes a node. The `title` of a scope, and one beside the attribute `description`,
    is what users call the node.
    """
    is_described = "scope" in node.attributes or "description" in node.attributes
    return name in DESCRIPTIONS and not (name == "title" and is_described)


def _described(output: Output, node: Declared) -> list[Pair]:
    """Return the description of a node: its title, its other descriptions and its notes."""
    own = [one.value for name, one in node.attributes.items() if _is_description(node, name)]
    texts = [one for one in (node.title, *own, *node.notes) if isinstance(one, Scalar)]
    if not texts:
        return []
    whole = None if len(texts) == 1 else "\n".join(str(one.value) for one in texts if one.value != "")
    return [(output.key("description", texts[0].at), output.scalar(texts[0], whole))]


def read_attributes(world: World) -> list[Pair]:
    """Return records, named after nodes, for those attributes of nodes that guards and texts read. Attributes that no
    node of a flow has are reported. Call this after all guards and texts were converted.
    """
    known, records = SHAPES["Node"].by_name, list[Pair]()
    for path, attributes in world.other_attributes.items():
        node = world.by_path[path]
        read = [one for one in attributes if (path, one.name.text) in world.read]
        for one in attributes:
            if one not in read:
                name = one.name.text
                world.output.report(
                    "TW137", f"'{name}' of '{path}' has no effect", one.name.at, hint_of_similar(name, known)
                )
        if read and any(one.name == node.name and one.kind == "context" for one in world.by_path.values()):
            message = f"the values of '{path}' would be a record called '{node.name}', which a context is"
            world.output.report("TW142", message, node.at, "give the node another name")
        elif read:
            record = Declared(path, node.at, None)
            record.name, record.attributes = node.name, {one.name.text: one for one in read}
            records.append(record_of(world, record))
    return records


def _attributes(world: World, node: Declared) -> list[Pair]:
    """Return the attributes of a node that are keys of nodes of flows; others are reported."""
    output, known = world.output, SHAPES["Node"].by_name
    pairs: list[Pair] = []
    for attribute in node.attributes.values():
        name = NAMES.get(attribute.name.text, attribute.name.text)
        at = attribute.name.at
        if name in REFUSED:
            output.report("TW136", f"'{name}' of '{node.path}' does not run: {REFUSED[name]}", at)
        elif _is_description(node, name):
            if not isinstance(attribute.value, Scalar):
                output.report("TW136", f"'{name}' of '{node.path}' is no text", at)
        elif name == "tools" and _is_nothing(attribute):
            continue  # a node may use no tool
        elif name in known:
            pairs.append((output.key(name, at), _value(world, attribute, node)))
        elif name in DRAWN:
            output.report("TW137", f"'{name}' of '{node.path}' has no effect: flows have one look", at)
        else:
            world.other_attributes.setdefault(node.path, []).append(attribute)
    return pairs


def _is_nothing(attribute: Attribute) -> bool:
    """Return whether an attribute has the value `null`."""
    value = attribute.value
    return isinstance(value, Scalar) and value.kind == "word" and value.value == "null"


def _value(world: World, attribute: Attribute, node: Declared) -> Located:
    """Return the value of an attribute; names of contexts in the holes of a text become those of records."""
    value = attribute.value
    if value is None:
        return world.output.plain(None, attribute.name.at)
    if isinstance(value, Scalar) and value.kind == "string":
        text = template_text(world, str(value.value), node)
        return world.output.scalar(value, None if text == value.value else text)
    return world.output.value(value)


def _annotated(output: Output, node: Declared) -> list[Pair]:
    """Return the keys that the annotations of a node mean; others are reported."""
    pairs: list[Pair] = []
    for annotation in node.annotations.values():
        name, at = annotation.name.text.lower(), annotation.name.at
        if name == "retry":
            pairs.append((output.key("retry", at), output.pairs(_retry(output, annotation), at)))
        elif name == "timeout":
            pairs.append((output.key("timeout", at), time_span(output, annotation)))
        elif name == "meta":
            output.report("TW136", f"@{annotation.name.text} does not run: a flow is not changed while it runs", at)
        elif name == NAME:
            continue
        elif name == "start":
            if annotation.value or annotation.parameters:
                output.report("TW137", "what @start is given has no effect", at, "leave out the parentheses")
        else:
            hint = hint_of_similar(name, ANNOTATIONS)
            output.report("TW137", f"@{annotation.name.text} has no effect on a {node.kind}", at, hint)
    return pairs


def _retry(output: Output, annotation: Annotation) -> list[Pair]:
    """Return the keys of a retry: `@retry(3)`, or `@retry(times: 3; pause: "2s")`."""
    if annotation.parameters:
        given = [(one.name, one.value) for one in annotation.parameters if one.value is not None]
        return [(output.key(name.text, name.at), _number(output, value)) for name, value in given]
    value = value_of_annotation(annotation)
    at = annotation.name.at
    return [(output.key("times", at), output.plain(1, at) if value is None else _number(output, value))]


def _number(output: Output, value: Scalar) -> Located:
    """Return a value; digits in quotes are a number."""
    is_digits = value.kind == "string" and str(value.value).isdigit()
    return output.plain(int(str(value.value)), value.at) if is_digits else output.scalar(value)


def _permissions(output: Output, node: Declared, ways: Ways, offered: list[Declared]) -> list[Pair]:
    """Return what a node may read, write and use. What a node around it may read or write, it may read."""
    at = node.at
    around = [link for one in node.nodes_around() for link in (*ways.read[one.path], *ways.write[one.path])]
    own = {link.target.path for link in (*ways.read[node.path], *ways.write[node.path])}
    inherited = [link for link in around if link.target.path not in own]
    pairs: list[Pair] = []
    for key, links in (("reads", [*ways.read[node.path], *inherited]), ("writes", ways.write[node.path])):
        names = dict.fromkeys(name for link in links for name in _addresses(link))
        if names:
            pairs.append((output.key(key, at), output.items([output.text(name, links[0].at) for name in names], at)))
    own_tools = node.attributes.get("tools")
    if own_tools is not None and ways.tool[node.path]:
        message = f"'tools' of '{node.path}' has no effect: its edges say which tools it may use"
        output.report("TW137", message, own_tools.name.at)
    shared = offered if own_tools is None else []
    tools = dict.fromkeys([*[link.target.name for link in ways.tool[node.path]], *[one.name for one in shared]])
    if tools:
        allowed = output.items([output.text(name, at) for name in tools], at)
        pairs.append((output.key("tools", at), output.pairs([(output.key("allow", at), allowed)], at)))
    return pairs


def _addresses(link: Link) -> list[str]:
    """Return the record, or the fields, that a node may read or write."""
    return [f"{link.target.name}.{field}" for field in link.fields] or [link.target.name]


def _ways_out(world: World, node: Declared, ways: Ways, *, works: bool) -> list[Pair]:
    """Return the transitions of a node. A module goes to the node that it begins with; a node without any ends."""
    output, at = world.output, node.at
    entry = entry_of(node, ways)
    if entry is not None:
        to = output.pairs([(output.key("to", at), output.text(entry.name, at))], at)
        return [(output.key("transitions", at), output.items([to], at))]
    links, caught = ways.out_of(node), ways.catching(node)
    has_choice = works and _has_choice(node, ways)
    found = transitions_of(world, links, caught, has_choice=has_choice)
    if found:
        return [(output.key("transitions", at), output.items(found, at))]
    if any(name in node.attributes for name in ("end", "once", "transitions")):
        return []
    return [(output.key("end", at), output.text(node.name, at))]


def _merged(pairs: list[Pair]) -> list[Pair]:
    """Return pairs with each key once: lists of one key are joined, otherwise the later value wins."""
    found: dict[str, Pair] = {}
    for key, value in pairs:
        before = found[key.text][1] if key.text in found else None
        if isinstance(before, Items) and isinstance(value, Items):
            before.items.extend(value.items)
        else:
            found[key.text] = (key, value)
    return list(found.values())
