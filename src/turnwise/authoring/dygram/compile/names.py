"""Collects what a document declares: nodes by their full paths, notes, styles and edges; and resolves names.

A node is known by its path, so that `a.step` and `b.step` are two. Definitions of one path are merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from turnwise.authoring.dygram.compile.placed import Output, value_of_annotation
from turnwise.authoring.dygram.syntax import TYPES, Annotation, Attribute, Document, Edge, Item, Name, Node, Scalar
from turnwise.flow.diagnostic import nearest

MOST_NODES = 10_000
"""How many nodes a document may declare; those that a qualified name makes count too."""
NAME = "name"
"""The annotation that gives a node, context or tool its name in the flow."""
CONTEXTS = frozenset(("context", "data", "input", "output", "result", "entity", "resource", "concept"))
"""The types of nodes that hold data."""
_ALIKE = 0.85
"""How much like the name of a type a slip is: `contxt`, and not `stage`."""
_TOOL_KEYS = ("input", "output", "parameters", "schema", "returns")
_WORK_KEYS = ("prompt", "meta", "condition", "action", "say", "form", "person", "end", "model", "persona")


class Declared:
    """A node of a DyGram document, with what all its definitions say."""

    def __init__(self, path: str, at: int, parent: Declared | None) -> None:
        self.path = path
        self.at = at
        self.parent = parent
        self.type: Name | None = None
        self.title: Scalar | None = None
        self.annotations: dict[str, Annotation] = {}
        self.attributes: dict[str, Attribute] = {}
        self.children: list[Declared] = []
        self.notes: list[Scalar] = []
        self.kind = ""
        """`task`, `state`, `init`, `context`, `tool`, `type`, or `other`; found by `settle_kinds`."""
        self.name = ""
        """Its name in the flow."""
        self.is_declared = False
        self.has_implied_type = False
        """True if it has the type of a node inside of it, `task a.b`: a type of its own replaces that."""

    @property
    def is_executable(self) -> bool:
        """True for a node that a conversation can be in, such as a task or a state."""
        return self.kind in ("task", "state", "init", "other")

    @property
    def last_part(self) -> str:
        """The last part of the node's path: `c` for `a.b.c`."""
        return self.path.rpartition(".")[2]

    def nodes_around(self) -> Iterator[Declared]:
        """Yield the nodes that contain the node, the innermost first."""
        one = self.parent
        while one is not None:
            yield one
            one = one.parent


class ScopedEdge(NamedTuple):
    """A statement of edges, and the node in whose braces it is."""

    edge: Edge
    """The statement of edges."""
    scope: Declared | None
    """The node in whose braces the statement is; `None` at the top level."""


class World:
    """All nodes, contexts, tools and types that a DyGram document declares, by path: what its names may mean."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.by_path: dict[str, Declared] = {}
        self.by_simple: dict[str, list[Declared]] = {}
        self.edges: list[ScopedEdge] = []
        self.attributes: list[Attribute] = []
        """The attributes of the machine: those of its header and those outside of all nodes."""
        self.annotations: list[Annotation] = []
        self.notes: list[tuple[Node, Declared | None]] = []
        self.imported: set[str] = set()
        self.items: set[str] = set()
        """The types whose objects are items of a list."""
        self.other_attributes: dict[str, list[Attribute]] = {}
        """By the path of a node: its attributes that no node of a flow has."""
        self.read: set[tuple[str, str]] = set()
        """The attributes of nodes that a guard or text reads, by the path of the node and their names."""

    # declaring ---------------------------------------------------------------------------------

    def collect(self, document: Document) -> None:
        """Read all statements of a document into this collection."""
        machine = document.machine
        if machine is not None:
            self.annotations += machine.annotations
            own = machine.attributes.items if machine.attributes is not None else ()
            self._check_once(own)
            self.attributes += own
        for one in document.imports:
            self.imported |= {(name.alias or name.name).text for name in one.names}
        self._items(document.items, None)
        for note, scope in self.notes:
            self._note(note, scope)

    def _items(self, items: tuple[Item, ...], scope: Declared | None) -> None:
        self._check_once(items)
        for item in items:
            match item:
                case Edge():
                    self.edges.append(ScopedEdge(item, scope))
                case Attribute():
                    if scope is None:
                        self.attributes.append(item)
                    else:
                        scope.attributes[item.name.text] = item
                case Node():
                    self._node(item, scope)

    def _check_once(self, items: Iterable[Item]) -> None:
        """Report an attribute that stands twice in one pair of braces: the last one counts."""
        last: dict[str, Attribute] = {}
        for item in [one for one in items if isinstance(one, Attribute)]:
            earlier = last.get(item.name.text)
            if earlier is not None:
                message = f"'{item.name.text}' stands twice: this one has no effect"
                hint = f"the one in line {self.output.source.place(item.name.at)[0]} counts"
                self.output.report("TW137", message, earlier.name.at, hint)
            last[item.name.text] = item

    def _node(self, node: Node, scope: Declared | None) -> None:
        """Declare a node and what stands inside of it. In a context a bare name is a field."""
        type_ = node.type.text.lower() if node.type is not None else ""
        if type_ == "note":
            self.notes.append((node, scope))
            return
        if type_ == "style":
            self.output.report(
                "TW137", f"the style '{node.name.text}' has no effect: flows have one look", node.name.at
            )
            return
        if scope is not None and _is_field(node, scope):
            scope.attributes[node.name.text] = Attribute(node.name)
            return
        declared = self.declare(node.name, scope, node.type)
        declared.is_declared = True
        is_one = self._merge(declared, node)
        if node.body is not None:  # of another type it has other attributes, which would be reported one by one
            items = node.body.items
            self._items(items if is_one else tuple([one for one in items if not isinstance(one, Attribute)]), declared)

    def declare(self, name: Name, scope: Declared | None, type_: Name | None) -> Declared:
        """Return the node at a path below `scope`; it, and the nodes that contain it, are made if they are new. `type_`
        is the type of new nodes that contain it.
        """
        parent = scope
        parts = name.text.split(".")
        for number, part in enumerate(parts):
            path = f"{parent.path}.{part}" if parent is not None else part
            known = self.by_path.get(path)
            if known is None:
                known = self._made(path, name.at, parent)
                if number < len(parts) - 1:
                    known.type, known.is_declared, known.has_implied_type = type_, True, True
            parent = known
        assert parent is not None
        return parent

    def _made(self, path: str, at: int, parent: Declared | None) -> Declared:
        made = Declared(path, at, parent)
        self.by_path[path] = made
        self.by_simple.setdefault(made.last_part, []).append(made)
        if parent is not None:
            parent.children.append(made)
        return made

    def _merge(self, declared: Declared, node: Node) -> bool:
        """Add a definition to a node: its title replaces that of an earlier one. Return whether it has its type; one
        of another type is reported, and not added.
        """
        if node.type is not None:
            before = None if declared.has_implied_type else declared.type
            if before is not None and before.text.lower() != node.type.text.lower():
                message = f"'{declared.path}' is a {before.text} and a {node.type.text}"
                line = self.output.source.place(before.at)[0]
                hint = (
                    f'give one another name (line {line} has the first), and @name("{declared.last_part}") for the flow'
                )
                self.output.report("TW139", message, node.type.at, hint)
                return False
            declared.type, declared.has_implied_type = before or node.type, False
        declared.title = node.title or declared.title
        for annotation in node.annotations:
            declared.annotations[annotation.name.text] = annotation
        return True

    def _note(self, note: Node, scope: Declared | None) -> None:
        """Add a note to the node that it is about."""
        about = self.resolve(note.name, scope)
        if about is None:
            message = f"the note is about '{note.name.text}', which does not exist"
            self.output.report("TW137", message, note.name.at, nearest(note.name.text, self.by_simple))
        elif note.title is not None:
            about.notes.append(note.title)
        if note.title is None or note.annotations or note.body is not None:
            self.output.report("TW137", "of a note only its text has an effect", note.name.at)

    # resolving ---------------------------------------------------------------------------------

    def resolve(self, name: Name, scope: Declared | None) -> Declared | None:
        """Return the node that a name means inside the braces of `scope`; `None` if it means none. The nearest one
        outwards, else the only one with this name.
        """
        found = self.find(name.text, scope)
        if len(found) > 1:
            paths = ", ".join(sorted(one.path for one in found))
            self.output.report("TW139", f"'{name.text}' means several nodes: {paths}", name.at, "write the whole path")
        return found[0] if found else None

    def find(self, text: str, scope: Declared | None) -> list[Declared]:
        """Return the nodes that the name `text` may mean inside the braces of `scope`: the nearest one outwards, else
        all whose path ends with the name; empty if none.
        """
        around = scope
        while around is not None:
            found = self.by_path.get(f"{around.path}.{text}")
            if found is not None:
                return [found]
            around = around.parent
        whole = self.by_path.get(text)
        if whole is not None:
            return [whole]
        alike = self.by_simple.get(text.rpartition(".")[2], [])
        return [one for one in alike if f".{one.path}".endswith(f".{text}")]

    # kinds -------------------------------------------------------------------------------------

    def settle_kinds(self) -> None:
        """Set the kind of each node, and its name in the flow: the one of `@name`, else its usual one."""
        for one in self.by_path.values():
            one.kind = _kind(one)
            if one.kind == "other" and one.type is not None and not one.has_implied_type:
                self._warn_of_type(one.type)
        named = self._take_given_names()
        for one in self.by_path.values():
            number = 1
            while not one.name:
                name = one.path if number == 1 else f"{one.path}_{number}"
                one.name = name if (_section(one), name) not in named else ""
                number += 1

    def _warn_of_type(self, type_: Name) -> None:
        """Warn of the type of a node that is nearly one with a meaning."""
        word = type_.text.lower()
        alike = get_close_matches(word, TYPES, n=1, cutoff=_ALIKE)
        alike = alike or [one for one in TYPES if sorted(one) == sorted(word)]
        if alike:
            message = f"no type is called '{type_.text}': the node is read by what it has"
            self.output.report("TW137", message, type_.at, f"did you mean '{alike[0]}'?")

    def _take_given_names(self) -> set[tuple[str, str]]:
        """Give nodes the names of their annotations, and return these with their sections of the flow. A name that
        another of the same section has is reported.
        """
        marked = {path: given for path, one in self.by_path.items() if (given := _given_name(one)) is not None}
        free = [one for path, one in self.by_path.items() if path not in marked]
        taken = {(_section(one), one.path): one for one in free}
        for path, annotation in marked.items():
            one, value = self.by_path[path], value_of_annotation(annotation)
            place = annotation.name.at
            if value is None or value.kind != "string" or not value.value:
                self.output.report("TW142", "@name takes a name in quotes", place, f'write @name("{one.last_part}")')
                continue
            key = (_section(one), str(value.value))
            if key in taken:
                message = f"'{path}' and '{taken[key].path}' are both called '{value.value}'"
                self.output.report("TW142", message, place, f"two {key[0]} have two names")
                continue
            one.name, taken[key] = key[1], one
        return {key for key, one in taken.items() if one.path in marked}


def _is_field(node: Node, scope: Declared) -> bool:
    """Return whether a bare name in braces is a field of a context, and no node in it."""
    is_bare = node.type is None and node.title is None and node.body is None and not node.annotations
    return is_bare and "." not in node.name.text and scope.type is not None and scope.type.text.lower() in CONTEXTS


def _section(node: Declared) -> str:
    """Return the section of the flow in which a node is."""
    return "records" if node.kind in ("context", "type") else "tools" if node.kind == "tool" else "nodes"


def _given_name(node: Declared) -> Annotation | None:
    """Return the annotation that gives a node its name in the flow; types are no part of a flow by themselves."""
    found = (one for word, one in node.annotations.items() if word.lower() == NAME)
    return None if node.kind == "type" else next(found, None)


def _kind(node: Declared) -> str:
    """Return the kind of a node, by its type, else by what it has."""
    if node.type is not None:
        word = node.type.text.lower()
        if word in CONTEXTS:
            return "context"
        return word if word in ("task", "state", "init", "tool", "type") else "other"
    keys = node.attributes.keys()
    if "prompt" in keys:
        return "task"
    if not keys.isdisjoint(_TOOL_KEYS):
        return "tool"
    if keys and keys.isdisjoint(_WORK_KEYS):
        return "context"
    return "other"
