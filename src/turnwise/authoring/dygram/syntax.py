"""The syntax tree of a DyGram document: what stands there, in its order, with places and comments.

`at` and `end` of a part count characters of the document. They, the comments and the layout are no part of what two
trees are compared by: tests compare the notation alone.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.authoring.dygram.scanner import Comment

ScalarKind = Literal["string", "number", "word", "external"]
"""How a single value is written; `external` is a reference with `#`."""


TYPES = ("task", "state", "context", "init", "tool", "note", "style", "type")
"""Words that are types of nodes also where the name of the node follows in another line: those with a meaning."""


class Name(Struct, frozen=True, gc=False):
    """A name in the document, maybe qualified: `a.b`."""

    text: str
    """The name, with its dots."""
    at: int = 0
    """The offset of the name's first character in the document, from 0."""
    end: int = 0
    """The offset behind the name's last character."""


class Scalar(Struct, frozen=True, gc=False):
    """A single value: a string, a number, a word (`true`, or a name), or `#name`."""

    kind: ScalarKind
    """What the value is: a string, a number, a word or an external name."""
    value: str | int | float
    """The value, without quotes."""
    at: int = 0
    """The offset of the value's first character in the document, from 0."""
    end: int = 0
    """The offset behind the value's last character."""
    written: str = ""
    """The value as the author wrote it; empty in a tree that was made by a program."""


class Array(Struct, frozen=True, gc=False):
    """A list of values: `[a, b]`."""

    items: tuple[Value, ...]
    """The values, in order."""
    at: int = 0
    """The offset of the array's bracket in the document, from 0."""
    end: int = 0
    """The offset behind the array's closing bracket."""


class Layout(Struct, frozen=True, gc=False):
    """The comments and the blank line around a statement."""

    before: tuple[Comment, ...] = ()
    """The comments in the lines before the statement."""
    after: tuple[Comment, ...] = ()
    """The comments behind the statement in its last line."""
    gap: bool = False
    """True if a blank line precedes the statement and its comments."""


_PLAIN = Layout()


class TypeName(Struct, frozen=True, gc=False):
    """The type of an attribute: `List<User>?`, or a union of strings."""

    name: str = ""
    """The name of the type; empty for a union."""
    of: tuple[TypeName, ...] = ()
    """The type arguments: `User` in `List<User>`."""
    is_optional: bool = False
    """True for a type with `?`, which allows no value."""
    union: tuple[Scalar, ...] = ()
    """The strings of a union; empty for other types."""
    at: int = 0
    """The offset of the type's first character in the document, from 0."""
    end: int = 0
    """The offset behind the type's last character."""


class Attribute(Struct, frozen=True, gc=False):
    """An attribute `name<type>: value`, of which type and value may be left out."""

    name: Name
    """The name before the colon."""
    type: TypeName | None = None
    """The type; `None` without one."""
    value: Value | None = None
    """The value; `None` without one."""
    layout: Layout = _PLAIN
    """The comments around the attribute."""


class Attributes(Struct, frozen=True, gc=False):
    """Attributes in braces: an object, or the options of an edge or machine."""

    items: tuple[Attribute, ...] = ()
    """The attributes, in order."""
    at: int = 0
    """The offset of the opening brace in the document, from 0."""
    end: int = 0
    """The offset behind the closing brace."""
    comments: tuple[Comment, ...] = ()
    """The comments behind the last attribute, before the closing brace."""
    is_inline: bool = False
    """True if the first attribute is in the line of the opening brace."""


Value = Scalar | Array | Attributes
"""What may stand as the value of an attribute."""


class Parameter(Struct, frozen=True, gc=False):
    """A parameter of an annotation, `name: value`."""

    name: Name
    """The name before the colon."""
    value: Scalar | None = None
    """The value; `None` without one."""


class Annotation(Struct, frozen=True, gc=False):
    """An annotation: `@name`, `@name(value)` or `@name(parameters)`."""

    name: Name
    """The name behind the `@`."""
    value: Scalar | None = None
    """The single value in the brackets; `None` without one."""
    parameters: tuple[Parameter, ...] = ()
    """The named values in the brackets."""


class Setting(Struct, frozen=True, gc=False):
    """A named part of a label: `when: "x > 1"`."""

    name: Name
    """The name before the colon."""
    value: Scalar
    """The value behind the colon."""


LabelPart = Annotation | Setting | Scalar
"""What may stand in the label of an edge."""


class Segment(Struct, frozen=True, gc=False):
    """An arrow and its targets; an arrow with a label is the pair of its halves, such as `-->` for `--x-->`."""

    arrow: str
    """The arrow as the author wrote it, without its label."""
    targets: tuple[Name, ...]
    """The nodes at which the arrow ends."""
    label: tuple[LabelPart, ...] = ()
    """The parts of the arrow's label: titles and settings; empty without a label."""
    source_multiplicity: Scalar | None = None
    """The multiplicity at the beginning of the arrow; `None` without one."""
    target_multiplicity: Scalar | None = None
    """The multiplicity at the end of the arrow; `None` without one."""
    at: int = 0
    """The offset of the arrow in the document, from 0."""


class Edge(Struct, frozen=True, gc=False):
    """A statement of edges: from each source to each target of the first arrow, from these to those of the next."""

    sources: tuple[Name, ...]
    """The nodes at which the first arrow begins."""
    segments: tuple[Segment, ...]
    """The arrows, in order, each with its targets."""
    attributes: Attributes | None = None
    """The attributes in braces behind the edges; `None` without braces."""
    layout: Layout = _PLAIN
    """The comments around the statement."""


class Block(Struct, frozen=True, gc=False):
    """Statements in braces."""

    items: tuple[Item, ...] = ()
    """The statements of the block, in order."""
    comments: tuple[Comment, ...] = ()
    """The comments behind the last statement, before the closing brace."""
    is_inline: bool = False
    """True if the block is in one line."""


class Node(Struct, frozen=True, gc=False):
    """A node `type name "title" @annotation { … }`, of which all but the name may be left out."""

    name: Name
    """The name of the node."""
    type: Name | None = None
    """The word before the name, such as `task`; `None` without one."""
    title: Scalar | None = None
    """The title of the node; `None` without one."""
    annotations: tuple[Annotation, ...] = ()
    """The annotations of the node, in order."""
    body: Block | None = None
    """The statements in the node's braces; `None` without braces."""
    layout: Layout = _PLAIN
    """The comments around the node."""


Item = Edge | Node | Attribute
"""What may stand as a statement."""


class ImportedName(Struct, frozen=True, gc=False):
    """A name that a document imports."""

    name: Name
    """The name in the other document."""
    alias: Name | None = None
    """The name in the importing document; `None` for the same name."""


class Import(Struct, frozen=True, gc=False):
    """An import statement: `import { a, b as c } from "file";`."""

    names: tuple[ImportedName, ...]
    """The imported names, in order."""
    source: Scalar
    """The path of the imported document."""
    layout: Layout = _PLAIN
    """The comments around the statement."""


class Machine(Struct, frozen=True, gc=False):
    """The header of a document: `machine "title" @annotation { … }`."""

    title: Scalar
    """The title of the flow, behind `machine`."""
    annotations: tuple[Annotation, ...] = ()
    """The annotations of the header, in order."""
    attributes: Attributes | None = None
    """The attributes in braces; `None` without braces."""
    layout: Layout = _PLAIN
    """The comments around the header."""


class Document(Struct, frozen=True, gc=False):
    """A whole document."""

    imports: tuple[Import, ...] = ()
    """The import statements, in order."""
    machine: Machine | None = None
    """The header; `None` without one."""
    items: tuple[Item, ...] = ()
    """The statements of the document without imports and header, in order."""
    comments: tuple[Comment, ...] = ()
    """The comments behind the last statement of the document."""
