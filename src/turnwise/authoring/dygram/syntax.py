"""The syntax tree of a DyGram document: what stands there, in its order, with places and comments.

`at` and `end` of a part count characters of the document. They, the comments and the layout are no part of what two
trees are compared by: tests compare the notation alone.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.authoring.dygram.scanner import Comment

ScalarKind = Literal["string", "number", "word", "external"]


TYPES = ("task", "state", "context", "init", "tool", "note", "style", "type")
"""Words that are types of nodes also where the name of the node follows in another line: those with a meaning."""


class Name(Struct, frozen=True, gc=False):
    """A name, qualified by the names of the nodes around it where it has dots."""

    text: str
    """The name, with its dots."""
    at: int = 0
    """Where it begins in the document, in characters."""
    end: int = 0
    """Where it ends."""


class Scalar(Struct, frozen=True, gc=False):
    """A single value: a string, a number, a word (`true`, `x`, `a.b` where a name may stand), or `#name`."""

    kind: ScalarKind
    value: str | int | float
    """The value, without quotes."""
    at: int = 0
    """Where it begins in the document, in characters."""
    end: int = 0
    """Where it ends."""
    written: str = ""
    """How it stands in the document; empty in a tree that was made by a program."""


class Array(Struct, frozen=True, gc=False):
    """`[a, b]`."""

    items: tuple[Value, ...]
    at: int = 0
    """Where it begins in the document, in characters."""
    end: int = 0
    """Where it ends."""


class Layout(Struct, frozen=True, gc=False):
    """The comments around a statement: those before it, those behind it in its last line; and whether a blank line
    stands before all of it.
    """

    before: tuple[Comment, ...] = ()
    """The comments before the statement."""
    after: tuple[Comment, ...] = ()
    """The comments behind it in its last line."""
    gap: bool = False
    """True where a blank line stands before all of it."""


_PLAIN = Layout()


class TypeName(Struct, frozen=True, gc=False):
    """The type of an attribute: `List<User>?`, or a union of strings."""

    name: str = ""
    """The name of the type; empty for a union."""
    of: tuple[TypeName, ...] = ()
    """Its type arguments."""
    is_optional: bool = False
    union: tuple[Scalar, ...] = ()
    """The strings of a union."""
    at: int = 0
    """Where it begins in the document, in characters."""
    end: int = 0
    """Where it ends."""


class Attribute(Struct, frozen=True, gc=False):
    """`name<type>: value`, of which type and value may be left out."""

    name: Name
    type: TypeName | None = None
    value: Value | None = None
    layout: Layout = _PLAIN


class Attributes(Struct, frozen=True, gc=False):
    """Attributes in braces: an object, or what an edge or machine is given."""

    items: tuple[Attribute, ...] = ()
    at: int = 0
    """Where the braces begin in the document, in characters."""
    end: int = 0
    """Where they end."""
    comments: tuple[Comment, ...] = ()
    """The comments behind the last attribute."""
    is_inline: bool = False
    """True where the first attribute stands in the line of the brace."""


Value = Scalar | Array | Attributes


class Parameter(Struct, frozen=True, gc=False):
    """One parameter of an annotation, `name: value`."""

    name: Name
    value: Scalar | None = None


class Annotation(Struct, frozen=True, gc=False):
    """`@name`, `@name(value)` or `@name(parameters)`."""

    name: Name
    value: Scalar | None = None
    """The one value in the brackets; `None` without one."""
    parameters: tuple[Parameter, ...] = ()
    """The values with names in the brackets."""


class Setting(Struct, frozen=True, gc=False):
    """A part of a label with a name: `when: "x > 1"`."""

    name: Name
    value: Scalar


LabelPart = Annotation | Setting | Scalar
"""What may stand in the label of an edge."""


class Segment(Struct, frozen=True, gc=False):
    """An arrow and what it leads to. An arrow with a label is the pair of its halves, such as `-->` for `--x-->`."""

    arrow: str
    """The arrow as it is written."""
    targets: tuple[Name, ...]
    """The nodes that it leads to."""
    label: tuple[LabelPart, ...] = ()
    """The parts of the label."""
    source_multiplicity: Scalar | None = None
    """The multiplicity at the beginning of the arrow."""
    target_multiplicity: Scalar | None = None
    """The multiplicity at its end."""
    at: int = 0
    """Where the arrow begins in the document, in characters."""


class Edge(Struct, frozen=True, gc=False):
    """A statement of edges: from each source to each target of the first arrow, from these to those of the next."""

    sources: tuple[Name, ...]
    """The nodes that the first arrow leaves."""
    segments: tuple[Segment, ...]
    """Its arrows, in order, each with its targets."""
    attributes: Attributes | None = None
    layout: Layout = _PLAIN


class Block(Struct, frozen=True, gc=False):
    """Statements in braces."""

    items: tuple[Item, ...] = ()
    """The statements, in order."""
    comments: tuple[Comment, ...] = ()
    """The comments behind the last statement."""
    is_inline: bool = False
    """True where it stands in one line."""


class Node(Struct, frozen=True, gc=False):
    """`type name "title" @annotation { … }`, of which all but the name may be left out."""

    name: Name
    type: Name | None = None
    """The word before the name, such as `task`; `None` without one."""
    title: Scalar | None = None
    """The title; `None` without one."""
    annotations: tuple[Annotation, ...] = ()
    body: Block | None = None
    """What stands in its braces; `None` without braces."""
    layout: Layout = _PLAIN


Item = Edge | Node | Attribute
"""What may stand as a statement."""


class ImportedName(Struct, frozen=True, gc=False):
    """A name that a document imports."""

    name: Name
    """The name in the other document."""
    alias: Name | None = None
    """The name that it has here; `None` for the same."""


class Import(Struct, frozen=True, gc=False):
    """`import { a, b as c } from "file";`."""

    names: tuple[ImportedName, ...]
    source: Scalar
    """The document that they come from."""
    layout: Layout = _PLAIN


class Machine(Struct, frozen=True, gc=False):
    """The header: `machine "title" @annotation { … }`."""

    title: Scalar
    annotations: tuple[Annotation, ...] = ()
    attributes: Attributes | None = None
    layout: Layout = _PLAIN


class Document(Struct, frozen=True, gc=False):
    """A whole document."""

    imports: tuple[Import, ...] = ()
    machine: Machine | None = None
    """The header; `None` without one."""
    items: tuple[Item, ...] = ()
    """The statements, in order."""
    comments: tuple[Comment, ...] = ()
    """The comments behind the last statement."""
