"""Makes the tree of a DyGram document from a flow: nodes with their keys as attributes, transitions and permissions as
edges where these express the same.

What edges cannot say stays a key of its node. A part whose name another part has too, or that is no valid name in
DyGram, is declared under another name, with `@name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from itertools import chain, count, groupby
from typing import Any, cast

from turnwise.authoring.dygram import syntax as s
from turnwise.authoring.dygram.compile.fields import PATTERNS, TYPES
from turnwise.authoring.dygram.compile.names import NAME
from turnwise.authoring.dygram.nesting import nested, nested_nodes, nested_parts, with_items
from turnwise.authoring.dygram.scanner import KEYWORDS
from turnwise.authoring.seeds.rewriting import name_from
from turnwise.flow.addresses import split_name
from turnwise.flow.codec import write_flow
from turnwise.flow.model import Flow

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TYPES = {"datetime": "Date", "date": "Day", "integer": "Integer"}
_OF_PATTERN = {PATTERNS["uuid"]: "UUID", PATTERNS["url"]: "URL"}
_SINGLE = ("string", "number", "boolean", "time", "duration", "email", "phone")
_SECTIONS = ("flow", "title", "start", "records", "tools", "nodes", "autonomous", "imports")
_ON_EDGES = ("at", "when", "because", "to")
Data = Mapping[str, Any]
"""A part of a flow as the data of a document: values by key."""


def document_of(flow: Flow) -> s.Document:
    """Return the syntax tree of the DyGram document for a flow, as far as DyGram can express the flow."""
    data = write_flow(flow)
    nodes: Data = data.get("nodes", {})
    targets = {way["to"] for node in nodes.values() if _has_edges(data, node) for way in node.get("transitions", [])}
    inside = nested_nodes(data, targets)
    modules = inside & {name.rpartition(".")[0] for name in inside}
    parts = {section: nested_parts(data, section, inside) for section in ("records", "tools")}
    names = Names(data, {"nodes": inside, **parts})
    items, of_nodes = list[s.Item](), dict[str, list[s.Item]]()
    for section, make in (("records", _record), ("tools", _tool)):
        for name, part in data.get(section, {}).items():
            around = of_nodes.setdefault(name.rpartition(".")[0], []) if name in parts[section] else items
            around.append(make(names, name, part))
    for top, group in groupby(nodes, key=lambda name: name.partition(".")[0] if name in inside else name):
        members = list(group)
        written = {name: _node_in(data, names, name, is_module=name in modules) for name in members}
        is_nested = top not in written or top in inside
        items += [
            nested(top, members, written, of_nodes) if is_nested else with_items(written[top], of_nodes.get(top, ()))
        ]
        for name in members:
            if _has_edges(data, nodes[name]) and name not in modules:
                items += _edges(names, name, nodes[name])
    imports = tuple(_import(one) for one in data.get("imports", []))
    return s.Document(imports, _machine(data), tuple(items))


def _node_in(data: Data, names: Names, name: str, *, is_module: bool) -> s.Node:
    """Return a node of a flow. A module says by its braces where it leads."""
    node: Data = data["nodes"][name]
    is_without = data.get("tools") and "tools" not in node and "prompt" in node
    whole = {**node, "tools": None} if is_without else node  # where nothing is said, a task may use every tool
    has_edges = is_module or _has_edges(data, node)
    return _node(names, name, whole, is_start=name == data.get("start"), has_edges=has_edges)


class Names:
    """The names that the document uses for the records, tools and nodes of a flow, without duplicates."""

    def __init__(self, data: Data, inside: Mapping[str, Set[str]]) -> None:
        self.of: dict[tuple[str, str], str] = {}
        self.records: Data = data.get("records", {})
        keys = [(section, name) for section in ("records", "tools", "nodes") for name in data.get(section, {})]
        words = {word for names in inside.values() for name in names for word in name.split(".")}
        all_names, taken = {name for _, name in keys} | words, set[str]()
        for section, name in keys:
            if name in inside[section]:
                self.of[section, name] = name
                continue
            is_free = name not in taken and _NAME.fullmatch(name) and name not in KEYWORDS
            written = name if is_free else _other_name(name, section, all_names | taken)
            self.of[section, name] = written
            taken.add(written)

    def written_name(self, section: str, name: str) -> tuple[s.Name, tuple[s.Annotation, ...]]:
        """Return the name that the document uses for a part of the flow, by the key of its section and its name, with
        an annotation `@name` if the flow has another.
        """
        written = self.of[section, name]
        own = () if written == name else (s.Annotation(s.Name(NAME), _string(name)),)
        return s.Name(written.rpartition(".")[2]), own


def _other_name(name: str, section: str, taken: Set[str]) -> str:
    """Return a name of the language like another, which nothing has."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    stem = f"{plain if plain[:1].isalpha() else f'_{plain}'}_{section.removesuffix('s')}"
    path = (plain,) if "." in name and _NAME.fullmatch(plain) else ()
    others = (f"{stem}_{number}" for number in count(2))
    return next(one for one in chain(path, (stem,), others) if one not in taken)


def _machine(data: Data) -> s.Machine:
    title = data.get("title", "")
    shown = title or data["flow"]
    attributes = [] if name_from(shown, "machine") == data["flow"] else [_attribute("flow", data["flow"])]
    attributes += [] if title else [_attribute("title", "")]
    attributes += [] if data.get("start") in data.get("nodes", {}) else [_attribute("start", data.get("start"))]
    attributes += [] if data.get("autonomous") else [_attribute("autonomous", value=False)]
    attributes += [_attribute(key, value) for key, value in data.items() if key not in _SECTIONS]
    return s.Machine(_string(shown), attributes=s.Attributes(tuple(attributes)) if attributes else None)


def _import(one: Data) -> s.Import:
    pairs = [name.partition(" as ") for name in one["names"]]
    names = tuple(s.ImportedName(s.Name(name), s.Name(alias) if alias else None) for name, _, alias in pairs)
    return s.Import(names, s.Scalar("string", one["from"]))


def _record(names: Names, name: str, record: Data) -> s.Node:
    fields = [_field(names, key, cast("Data", field)) for key, field in record.items()]
    written, annotations = names.written_name("records", name)
    return s.Node(written, s.Name("context"), None, annotations, s.Block(tuple(fields)))


def _field(names: Names, name: str, field: Data) -> s.Attribute:
    """Return a field with its type in angle brackets, its default as the value, or all further keys in braces."""
    type_ = _type(names, field)
    in_type = {"type", "of", "options"} if type_.name != "any" else set[str]()
    if {type_.name, *(one.name for one in type_.of)} & {*_OF_PATTERN.values()}:
        in_type.add("pattern")
    more = {key: value for key, value in field.items() if key not in in_type}
    default: object = more["default"] if more.keys() == {"default"} else more
    value: object = more if isinstance(default, dict) else default  # braces hold the keys of a field
    is_object = isinstance(value, dict)
    return s.Attribute(s.Name(name), type_, None if is_object and not value else _value(value))


def _type(names: Names, field: Data) -> s.TypeName:
    """Return the type of a field; `any` for one whose keys say it."""
    word, of, options = field.get("type", "string"), field.get("of"), field.get("options")
    if word == "choice" and options and all(isinstance(one, str) for one in options):
        return s.TypeName(union=tuple(_string(one) for one in options))
    if options or word not in (*_SINGLE, *_TYPES, "list") or of in ("choice", "question"):
        return s.TypeName("any")
    if of and word != "list":
        return s.TypeName("any")
    if of and of not in (*_SINGLE, *_TYPES):
        item = names.of.get(("records", of), "")
        if not item or item.lower() in TYPES:
            return s.TypeName("any")
        return s.TypeName("List", (s.TypeName(item),))
    form = _OF_PATTERN.get(field.get("pattern", ""), "")
    if form and word == "string":
        return s.TypeName(form)
    inner = (s.TypeName(form if form and of == "string" else _TYPES.get(of, str(of))),) if of else ()
    return s.TypeName("List" if word == "list" else _TYPES.get(word, word), inner)


def _tool(names: Names, name: str, tool: Data) -> s.Node:
    keys = {key: value for key, value in tool.items() if key != "about"}
    body = s.Block(tuple(_attribute(key, value) for key, value in keys.items())) if keys else None
    written, annotations = names.written_name("tools", name)
    return s.Node(written, s.Name("tool"), _title(tool.get("about", "")), annotations, body)


def _node(names: Names, name: str, node: Data, *, is_start: bool, has_edges: bool) -> s.Node:
    """Return a node with all of its keys that no edge says."""
    on_edges = ("transitions", "reads", "writes") if has_edges else ()
    keys = {key: value for key, value in node.items() if key not in ("description", *on_edges)}
    description = node.get("description", "")
    if "title" in node and "scope" not in node:
        keys, description = {"description": description, **keys}, ""  # a title alone is read as the description
    if not node.get("transitions") and not any(key in node for key in ("end", "once")):
        keys["end"] = ""
    body = s.Block(tuple(_attribute(key, value) for key, value in keys.items())) if keys else None
    written, annotations = names.written_name("nodes", name)
    annotations += (s.Annotation(s.Name("start")),) if is_start else ()
    type_ = s.Name("task" if "prompt" in node else "state")
    return s.Node(written, type_, _title(description), annotations, body)


def _has_edges(data: Data, node: Data) -> bool:
    """Return whether edges say the permissions and transitions of a node, all of them."""
    ways: list[Data] = node.get("transitions", [])
    records: Data = data.get("records", {})
    named = [(kind, one) for kind in ("reads", "writes") for one in node.get(kind, [])]
    permitted = [split_name(one, records)[0] for _, one in named]
    if not all(map(_is_edge, ways)) or _order(ways) != ways or (permitted and "prompt" not in node):
        return False
    if len({*named}) < len(named):
        return False  # edges that say the same are one permission
    is_known = all(way["to"] in data.get("nodes", {}) for way in ways)
    open_ = [way for way in ways if "at" not in way and "when" not in way]
    is_known = is_known and all(one in records for one in permitted)
    return is_known and len(open_) <= 1 and bool(ways or permitted)


def _edges(names: Names, name: str, node: Data) -> Iterator[s.Edge]:
    """Yield the edges that say the permissions and transitions of a node."""
    ways: list[Data] = node.get("transitions", [])
    permitted = [(kind, one) for kind in ("reads", "writes") for one in node.get(kind, [])]
    source = names.of["nodes", name]
    for kind, one in permitted:
        yield _permission(names, source, kind, one)
    for way in ways:
        words = (s.Scalar("word", "catch"),) if way.get("at") == "error" else ()
        guard = (s.Setting(s.Name("when"), _string(way["when"])),) if "when" in way else ()
        because = (_string(way["because"]),) if "because" in way else ()
        yield _edge(source, names.of["nodes", way["to"]], (*words, *guard, *because))


def _permission(names: Names, source: str, kind: str, address: str) -> s.Edge:
    """Return the edge by which a node may read or write a record or field. A field that no name of the language can be
    stands in the label.
    """
    record, field = split_name(address, names.records)
    written = names.of["records", record]
    if field in KEYWORDS:
        return _edge(source, written, (s.Setting(s.Name(kind), _string(field)),))
    return _edge(source, f"{written}.{field}" if field else written, (s.Scalar("word", kind),))


def _is_edge(way: Data) -> bool:
    """Return whether an edge can say a transition."""
    is_caught = way.get("at") == "error" and "because" not in way
    return (
        way.keys() <= {*_ON_EDGES}
        and isinstance(way.get("when", ""), str)
        and "to" in way
        and (is_caught or "at" not in way)
    )


def _order(ways: list[Data]) -> list[Data]:
    """Return transitions in the order in which the edges of a node are judged."""

    def rank(way: Data) -> int:
        is_caught, is_open = way.get("at") == "error", "when" not in way
        return 1 + is_open if is_caught else 3 * is_open

    return sorted(ways, key=rank)


def _edge(source: str, target: str, label: tuple[s.LabelPart, ...]) -> s.Edge:
    return s.Edge((s.Name(source),), (s.Segment("->", (s.Name(target),), label),))


def _title(text: str) -> s.Scalar | None:
    return _string(text) if text else None


def _string(text: str) -> s.Scalar:
    return s.Scalar("string", text)


def _attribute(name: str, value: Any) -> s.Attribute:
    return s.Attribute(s.Name(name), value=_value(value))


def _value(value: Any) -> s.Value:
    """Return plain data as a value."""
    match value:
        case dict():
            pairs = cast("dict[str, Any]", value).items()
            return s.Attributes(tuple(_attribute(str(key), one) for key, one in pairs), is_inline=True)
        case list():
            return s.Array(tuple(_value(one) for one in cast("list[Any]", value)))
        case bool() | None:
            return s.Scalar("word", {True: "true", False: "false", None: "null"}[value])
        case int() | float():
            return s.Scalar("number", value)
        case _:
            return _string(str(value))
