"""Finds what of a flow a DyGram document can declare inside of a node, because its name is a path: the node
`desk.step`, the record `desk.memo`.

A node in braces has what the node around it has: its ways out, the errors that it catches, what it may read. So nodes
are nested only in parents that have none of this: names that are no node of their own, and modules, whose only way
out leads to their first node.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Any

import msgspec

from turnwise.authoring.dygram import syntax as s
from turnwise.authoring.dygram.scanner import KEYWORDS

Data = Mapping[str, Any]
"""A part of a flow as the data of a document: values by key."""
Parts = Mapping[str, Sequence[s.Item]]
"""The records and tools that stand in braces, by the path of what is around them."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BEGUN = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\.")
_SECTIONS = ("records", "tools", "nodes")
_DEEPEST = 16
"""Nodes with more braces around them are not nested: the parser reads only so many, those of objects counted."""


def nested_nodes(data: Data, entered: Set[str]) -> set[str]:
    """Return the names of the nodes of a flow that DyGram writes in braces, or with others in their braces. `entered`
    are those to which edges lead.
    """
    nodes: Data = data.get("nodes", {})
    others = {*data.get("records", {}), *data.get("tools", {})}
    entered = {*entered, data.get("start", "")}
    runs = [(top, list(group)) for top, group in groupby(nodes, key=lambda name: name.partition(".")[0])]
    counts, found = Counter(top for top, _ in runs), set[str]()
    for top, members in runs:
        is_together = counts[top] == 1 and members != [top]
        if is_together and _is_nestable(nodes, top, members, others, entered):
            found.update(members)
    return found


def _is_nestable(nodes: Data, path: str, members: list[str], others: Set[str], entered: Set[str]) -> bool:
    """Return whether a path and the nodes below it can be declared as one node with braces."""
    simple = path.rpartition(".")[2]
    if not _is_plain(simple) or simple in others or path.count(".") > _DEEPEST:
        return False
    if members == [path]:
        return True
    if path in members and members[0] != path:
        return False
    inside = _children(path, members)
    if path in nodes and not (path in entered and _is_module(nodes, path, inside)):
        return False
    below = {*entered, *(way["to"] for way in nodes[path]["transitions"])} if path in nodes else entered
    is_together = [name for names in inside.values() for name in names] == [name for name in members if name != path]
    return is_together and all(_is_nestable(nodes, child, names, others, below) for child, names in inside.items())


def _is_module(nodes: Data, path: str, inside: Iterable[str]) -> bool:
    """Return whether a node only goes to the one inside that a module begins with: the first task, else the first."""
    entry = min(inside, key=lambda child: "prompt" not in nodes.get(child, {}))
    node: Data = nodes[path]
    return node.keys() <= {"description", "transitions"} and node.get("transitions") == [{"to": entry}]


def _children(path: str, members: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths directly below a path, each with the names that are it or below it."""
    found: dict[str, list[str]] = {}
    for name in members:
        if name != path:
            found.setdefault(f"{path}.{name[len(path) + 1 :].partition('.')[0]}", []).append(name)
    return found


def nested_parts(data: Data, section: str, inside: Set[str]) -> set[str]:
    """Return the names of the records or tools (the key `section`) of a flow that DyGram writes in the braces of nodes.
    `inside` are the nodes that stand in braces or have braces.

    A short name in braces is seen before all others of this name. So it must be the only one, and no text may read
    something that begins with it, such as `message.text`. And a document declares what stands outside of all braces
    first, then what the nodes have, in their order: all of a section, or nothing.
    """
    begun = {*_BEGUN.findall(json.dumps(data, default=str).replace("\\n", " "))}
    names = [name for one in _SECTIONS for name in data.get(one, {})]
    counts, words = Counter(names), Counter(word for name in names for word in {*name.split(".")})
    around = [name for name in data.get("nodes", {}) if name in inside or (_is_plain(name) and counts[name] == 1)]
    found: dict[str, list[str]] = {path: [] for name in around for path in _paths_to(name)}
    outside: list[str] = []
    for name in data.get(section, {}):
        path, _, simple = name.rpartition(".")
        is_inside = path in found and _is_plain(simple) and words[simple] == 1 and simple not in begun
        (found[path] if is_inside else outside).append(name)
    in_order = [name for own in found.values() for name in own]
    return {*in_order} if [*outside, *in_order] == [*data.get(section, {})] else set()


def _paths_to(name: str) -> Iterator[str]:
    """Yield the paths around a name, from the outside, and the name."""
    words = name.split(".")
    yield from (".".join(words[:count]) for count in range(1, len(words) + 1))


def _is_plain(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and name not in KEYWORDS


def nested(path: str, members: Iterable[str], written: Mapping[str, s.Node], parts: Parts) -> s.Node:
    """Return the declaration of the node at `path`, with the nodes below it in its braces. `members` are the names of
    all of these nodes, `written` their declarations without braces, `parts` the records and tools that stand in braces,
    each by path.
    """
    name = s.Name(path.rpartition(".")[2])
    own = written.get(path, s.Node(name, s.Name("state")))
    inner = [nested(child, names, written, parts) for child, names in _children(path, members).items()]
    return with_items(msgspec.structs.replace(own, name=name), [*parts.get(path, ()), *inner])


def with_items(node: s.Node, items: Sequence[s.Item]) -> s.Node:
    """Return a node with further statements in its braces."""
    if not items:
        return node
    own = node.body.items if node.body is not None else ()
    return msgspec.structs.replace(node, body=s.Block((*own, *items)))
