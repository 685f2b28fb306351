"""Sorts edges: those that read or write a context, those that allow a tool, those that catch errors, and the others, by
which a conversation goes from node to node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from turnwise.authoring.dygram.compile.names import Declared, ScopedEdge, World
from turnwise.authoring.dygram.compile.placed import hint_of_similar
from turnwise.authoring.dygram.syntax import Annotation, Edge, Name, Scalar, Segment, Setting, Value

MOST_EDGES = 10_000
"""How many edges a document may have; each pair of a source and a target counts."""
LinkKind = Literal["control", "catch", "read", "write", "tool"]
"""What an edge means: a way out, a way after a failure, a permission, a tool."""
STRUCTURE = ("<|--", "*-->", "o-->")
"""Arrows of class diagrams, which mean nothing in a flow."""
CATCH_WORDS = ("catch", "error")
"""Labels by which an edge leads on after a failure."""
_READ, _WRITE, _STORE = ("read",), ("write", "update", "set"), ("store", "calculate")
PERMISSIONS = {
    "read": "read",
    "reads": "read",
    "write": "write",
    "writes": "write",
    "stores": "write",
    "store": "write",
}
"""Labels by which an edge allows a node to read or write a context."""
CONCURRENT = {
    **dict.fromkeys(("async", "spawn", "fork", "parallel"), "a conversation has one path"),
    **dict.fromkeys(
        ("barrier", "wait", "sync", "join", "merge"), "a conversation has one path, and nothing to wait for"
    ),
    **dict.fromkeys(("map", "foreach", "each"), "a conversation has one path, not one for each item"),
}
"""Annotations that would make several paths run at once, each with the reason why no flow runs them."""
LOOK_ATTRIBUTES = ("style", "hidelabel", "hideannotation")
"""Attributes of an edge that only change how it is drawn."""
ANNOTATIONS = ("auto", "priority", "timeout")
"""The annotations that an edge may have, in lower case."""


class Option(Struct, frozen=True):
    """A named option in the label or braces of an edge: `when: "x > 1"`."""

    value: Value | None
    """The value of the option; `None` for a name without a value."""
    at: int
    """The offset of the option in the document, in characters from 0."""


class Link(Struct, frozen=True):
    """An edge from one node to another."""

    kind: LinkKind
    """What the edge means: a way of the conversation, a caught error, a permission to read or write, or a tool."""
    source: Declared
    """The node at which the arrow begins."""
    target: Declared
    """The node at which the arrow ends."""
    at: int
    """The offset of the edge in the document, in characters from 0."""
    label: str = ""
    """The text of the label; empty without one."""
    options: dict[str, Option] = {}
    """The options in the label and braces of the edge, keyed by name."""
    annotations: dict[str, Annotation] = {}
    """The annotations of the edge, keyed by name."""
    fields: tuple[str, ...] = ()
    """The fields that a `read` or `write` edge names; empty for all fields, and for other kinds."""


class _Given(Struct):
    """What the label of a segment and the braces of its statement hold."""

    words: list[str] = []
    label: list[str] = []
    options: dict[str, Option] = {}
    annotations: dict[str, Annotation] = {}


def links_of(world: World) -> list[Link]:
    """Return the edges of the document that `world` holds, each from one node to one other; an edge that is not
    possible is reported as a problem.
    """
    found: list[Link] = []
    for scoped in world.edges:
        for link in _expanded(world, scoped):
            if len(found) == MOST_EDGES:
                message = f"the document has more than {MOST_EDGES:,} edges, which is the limit"
                hint = "each source of a statement is connected with each of its targets"
                world.output.report("TW005", message, scoped.edge.sources[0].at, hint)
                return found
            found.append(link)
    return found


def _expanded(world: World, scoped: ScopedEdge) -> Iterator[Link]:
    """Yield each pair of a source and a target of a statement."""
    edge, scope = scoped
    sources = edge.sources
    for segment in edge.segments:
        given = _given(world, edge, segment)
        if not _is_structure(world, segment):
            ends = [_end(world, name, scope, given) for name in segment.targets]
            for source in sources:
                begin = _end(world, source, scope, given)
                for end in ends:
                    link = _link(world, begin, end, segment, given)
                    if link is not None:
                        yield link
        sources = segment.targets


class _End(NamedTuple):
    """An end of an edge: the node, and the attribute of it that is named."""

    node: Declared
    name: Name
    attribute: str = ""


def _end(world: World, name: Name, scope: Declared | None, given: _Given) -> _End:
    """Return the node at an end of an edge; one that is nowhere declared is made."""
    found = world.resolve(name, scope)
    if found is not None:
        return _End(found, name)
    before, _, last = name.text.rpartition(".")
    owners = [one for one in world.find(before, scope) if last in one.attributes] if before else []
    if owners:
        if owners[0].kind != "context":
            world.output.report("TW137", f"'.{last}' has no effect: an edge connects nodes", name.at)
        return _End(owners[0], name, last)
    return _End(_undeclared(world, name, is_data=_permission(given) is not None), name)


def _undeclared(world: World, name: Name, *, is_data: bool) -> Declared:
    """Make a node that only an edge names, and report it, unless it is imported. Of one that the edge would read or
    write more is said later.
    """
    hint = hint_of_similar(name.text, [one.path for one in world.by_path.values() if one.is_declared])
    hint = hint or f"declare it: state {name.text};"
    if name.text.lower() in (*CATCH_WORDS, *PERMISSIONS):
        hint = f"a label stands inside of the arrow: -{name.text}->"
    made = world.declare(name, None, None)
    for one in (made, *made.nodes_around()):
        one.kind = one.kind or "other"
        one.name = one.name or one.path
    if made.name in world.imported:
        made.kind = "imported"
    elif any(one.name.text.lower() in ("strict", "strictmode") for one in world.annotations):
        world.output.report("TW023", f"no node is called '{name.text}'", name.at, hint)
    elif not is_data:
        message = f"the node '{name.text}' stands only in edges: it does nothing"
        world.output.report("TW138", message, name.at, hint)
    return made


def _given(world: World, edge: Edge, segment: Segment) -> _Given:
    """Return what a segment is given; the braces of the statement hold for each of its segments."""
    given = _Given([], [], {}, {})
    for attribute in edge.attributes.items if edge.attributes is not None else ():
        given.options[attribute.name.text] = Option(attribute.value, attribute.name.at)
    for part in segment.label:
        match part:
            case Annotation():
                given.annotations[part.name.text.lower()] = part
            case Setting():
                given.options[part.name.text] = Option(part.value, part.name.at)
            case Scalar():
                given.label.append(str(part.value))
    given.words = [word.lower() for text in given.label for word in text.split()]
    for name, annotation in given.annotations.items():
        _check_annotation(world, name, annotation)
    return given


def _check_annotation(world: World, name: str, annotation: Annotation) -> None:
    at = annotation.name.at
    if name in CONCURRENT:
        message = f"@{annotation.name.text} does not run: {CONCURRENT[name]}"
        world.output.report("TW136", message, at)
    elif name in LOOK_ATTRIBUTES:
        world.output.report("TW137", f"@{annotation.name.text} has no effect: flows have one look", at)
    elif name not in ANNOTATIONS:
        hint = hint_of_similar(name, [*ANNOTATIONS, *CONCURRENT])
        world.output.report("TW137", f"@{annotation.name.text} has no effect on an edge", at, hint)
    elif name == "auto" and (annotation.value or annotation.parameters):
        world.output.report("TW137", "what @auto is given has no effect", at, "leave out the parentheses")


def _is_structure(world: World, segment: Segment) -> bool:
    """Return whether an arrow only describes how nodes are related, which changes nothing in a run."""
    is_structure = segment.arrow in STRUCTURE or segment.arrow.startswith("<--")
    counted = segment.source_multiplicity or segment.target_multiplicity
    if is_structure:
        world.output.report("TW137", f"'{segment.arrow}' has no effect: it only describes a relation", segment.at)
    elif counted is not None:
        world.output.report("TW137", f"the multiplicity {counted.value} has no effect in a run", counted.at)
    return is_structure


def _link(world: World, begin: _End, end: _End, segment: Segment, given: _Given) -> Link | None:
    """Return the edge between two nodes, `None` and a report for two that no edge can connect."""
    source, target, at = begin.node, end.node, segment.at
    permission = _permission(given)
    is_imported = "imported" in (source.kind, target.kind) and permission is not None
    if "context" in (source.kind, target.kind) or is_imported:
        return _permitting(world, begin, end, given, permission or "read")
    if target.kind == "tool" and source.is_executable:
        _report_options(world, given, f"on an edge to the tool '{target.path}'")
        return Link("tool", source, target, at)
    for one in (source, target):
        if not one.is_executable and one.kind != "imported":
            message = f"an edge connects '{source.path}' with '{target.path}', and '{one.path}' is a {one.kind}"
            world.output.report("TW136", message, at, "a conversation goes from a task or state to another")
            return None
    if permission is not None and any(word in PERMISSIONS for word in given.words):
        message = f"'{source.path}' {given.words[0]} '{target.path}', which is no context"
        hint = hint_of_similar(target.path, [one.path for one in world.by_path.values() if one.kind == "context"])
        world.output.report("TW020", message, end.name.at, hint or f"declare it: context {target.last_part} {{ … }}")
        return None
    kind: LinkKind = "catch" if any(word in CATCH_WORDS for word in given.words) else "control"
    label = "" if kind == "catch" and len(given.words) == 1 else " ".join(given.label)
    return Link(kind, source, target, at, label, given.options, given.annotations)


def _permission(given: _Given) -> Literal["read", "write"] | None:
    """Return what a label permits: by the names of its settings, else by its words."""
    named = [PERMISSIONS[key.lower()] for key in given.options if key.lower() in PERMISSIONS]
    text = " ".join(given.words)
    if "write" in named or any(word in text for word in (*_WRITE, *_STORE)):
        return "write"
    return "read" if named or any(word in text for word in _READ) else None


def _report_options(world: World, given: _Given, where: str) -> None:
    """Report what an edge is given that has a meaning only where an edge leads from node to node."""
    for key, option in given.options.items():
        if key.lower() not in PERMISSIONS:
            world.output.report("TW137", f"'{key}' has no effect {where}", option.at)
    for name, annotation in given.annotations.items():
        if name in ANNOTATIONS:
            world.output.report("TW137", f"@{annotation.name.text} has no effect {where}", annotation.name.at)


def _permitting(
    world: World, begin: _End, end: _End, given: _Given, permission: Literal["read", "write"]
) -> Link | None:
    """Return the edge by which a node may read or write a context."""
    is_from = begin.node.kind == "context"
    context, node = (begin, end.node) if is_from else (end, begin.node)
    if not node.is_executable:
        message = f"an edge from '{begin.node.path}' to '{end.node.path}' has no effect: no node reads or writes by it"
        world.output.report("TW137", message, end.name.at)
        return None
    fields = [context.attribute] if context.attribute else []
    for key, option in given.options.items():
        if key.lower() in PERMISSIONS and isinstance(option.value, Scalar):
            fields += [one.strip() for one in str(option.value.value).split(",") if one.strip()]
    _report_options(world, given, f"where '{node.path}' reads or writes '{context.node.path}'")
    kind: LinkKind = "read" if is_from else permission
    return Link(kind, node, context.node, end.name.at, fields=tuple(dict.fromkeys(fields)))
