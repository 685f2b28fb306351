"""DyGram trees as data, and random ones: `bare` leaves out places and layout, `random_document` makes a tree."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import msgspec

from turnwise.authoring.dygram import syntax as s
from turnwise.authoring.dygram.scanner import KEYWORDS, Comment

_LAYOUT = ("at", "end", "written", "is_inline")


def bare(tree: Any) -> Any:
    """The tree as JSON data: what stands there, with its comments, and not where."""
    if isinstance(tree, Comment):
        return tree.text
    if isinstance(tree, tuple):
        return [bare(one) for one in cast("tuple[Any, ...]", tree)]
    if isinstance(tree, s.Layout):
        comments = {"before": [one.text for one in tree.before], "after": [one.text for one in tree.after]}
        return {key: texts for key, texts in comments.items() if texts}
    if isinstance(tree, msgspec.Struct):
        pairs = {key: bare(getattr(tree, key)) for key in tree.__struct_fields__ if key not in _LAYOUT}
        if isinstance(tree, s.Name):
            return tree.text
        kept = {key: value for key, value in pairs.items() if value not in (None, [], {}, False, "")}
        return {
            "is": type(tree).__name__.lower(),
            **kept,
            **({"value": tree.value} if isinstance(tree, s.Scalar) else {}),
        }
    return tree


_NAMES = ("a", "b", "o", "task", "end", "x1", "_y", "Config", "when", "type")
_TEXTS = (
    "",
    "\0\x1f",
    "x",
    "two words",
    'with "quotes"',
    "it's",
    "back\\slash",
    "line\nbreak",
    "tab\t",
    "{{ a.b }}",
    "ä→",
    "//",
    "*/",
)
_COMMENTS = ("// one", "/* two */", "/* of\n two lines */", "//")


class Maker:
    """Makes random parts of trees, up to a depth."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def maybe(self, part: Any, chance: float = 0.3) -> Any:
        """A part, or `None`."""
        return part() if self.random.random() < chance else None

    def many(self, part: Any, least: int = 0, most: int = 3) -> tuple[Any, ...]:
        """Some parts."""
        return tuple(part() for _ in range(self.random.randint(least, most)))

    def name(self) -> s.Name:
        """A name without dots."""
        return s.Name(self.random.choice(_NAMES))

    def path(self) -> s.Name:
        """A name, maybe with dots."""
        return s.Name(".".join(one.text for one in self.many(self.name, 1, 3 if self.random.random() < 0.2 else 1)))

    def string(self) -> s.Scalar:
        """A text."""
        return s.Scalar("string", self.random.choice(_TEXTS))

    def scalar(self) -> s.Scalar:
        """A single value."""
        kind = self.random.choice(("string", "number", "word", "external"))
        match kind:
            case "string":
                return self.string()
            case "number":
                return s.Scalar("number", self.random.choice((0, 5, -5, 1.5, -2.25, 1e22, 1e-9)))
            case "word":
                return s.Scalar("word", self.name().text)
            case _:
                return s.Scalar("external", f"#{self.name().text}")

    def value(self, depth: int) -> s.Value:
        """A value."""
        kind = self.random.random()
        if depth and kind < 0.15:
            return s.Array(self.many(lambda: self.value(depth - 1)))
        return self.attributes(depth - 1) if depth and kind < 0.3 else self.scalar()

    def type(self, depth: int) -> s.TypeName:
        """A type."""
        if self.random.random() < 0.2:
            return s.TypeName(union=self.many(self.string, 1, 3))
        of = self.many(lambda: self.type(depth - 1), 0, 2) if depth else ()
        return s.TypeName(self.path().text, of, is_optional=self.random.random() < 0.2)

    def layout(self) -> s.Layout:
        """Comments around a statement."""
        if self.random.random() < 0.7:
            return s.Layout()
        before = tuple(Comment(self.random.choice(_COMMENTS), 0, 0, self.random.random() < 0.3) for _ in range(2))
        after = (Comment("// behind", 0, 0, gap=False),) if self.random.random() < 0.5 else ()
        return s.Layout(before, after, self.random.random() < 0.5)

    def comments(self) -> tuple[Comment, ...]:
        """Comments before a closing brace. Where a statement stands before them they begin their own lines."""
        return (Comment("/* last */", 0, 0, gap=False),) if self.random.random() < 0.1 else ()

    def attribute(self, depth: int, *, is_bare: bool = True) -> s.Attribute:
        """An attribute; a bare one is a node where nodes may stand."""
        type_, value = self.maybe(lambda: self.type(1)), self.maybe(lambda: self.value(depth), 0.8)
        if type_ is None and value is None and not is_bare:
            value = self.scalar()
        name = self.name()
        if is_bare and value is not None and type_ is None and self.random.random() < 0.2:
            name = s.Name(self.random.choice(("a.b", "", "two words", "from", "a.machine", "it's", 'q"', "1")))
        if not is_bare and self.random.random() < 0.1:
            name = s.Name(self.random.choice(("from", "two words", "", "it's")))
        return s.Attribute(name, type_, value, self.layout())

    def attributes(self, depth: int, *, is_header: bool = False) -> s.Attributes:
        """Attributes in braces; those of the header have names that nodes could have."""
        items = self.many(lambda: self.attribute(depth, is_bare=not is_header))
        return s.Attributes(items, comments=self.comments(), is_inline=self.random.random() < 0.5)

    def annotation(self) -> s.Annotation:
        """An annotation."""
        kind = self.random.random()
        if kind < 0.3:
            return s.Annotation(self.name(), self.scalar())
        if kind < 0.4:
            return s.Annotation(self.name(), s.Scalar("word", self.path().text))
        if kind < 0.6:
            return s.Annotation(self.name(), None, self.many(self.parameter, 1, 3))
        return s.Annotation(self.name())

    def parameter(self) -> s.Parameter:
        """A parameter."""
        return s.Parameter(self.name(), self.maybe(self.scalar, 0.7))

    def part(self) -> s.LabelPart:
        """A part of a label."""
        kind = self.random.random()
        if kind < 0.3:
            return self.annotation()
        return s.Setting(self.name(), self.scalar()) if kind < 0.6 else self.scalar()

    def segment(self) -> s.Segment:
        """An arrow and its targets."""
        arrow, label = self.random.choice(("->", "-->", "=>")), self.many(self.part, 0, 3)
        if not label and self.random.random() < 0.3:
            arrow = self.random.choice(("<-->", "<--sync-->", "<|--", "*-->", "o-->"))
        several = self.many(self.path, 1, 2)
        return s.Segment(arrow, several, label, self.maybe(self.string, 0.1), self.maybe(self.string, 0.1))

    def edge(self) -> s.Edge:
        """Edges."""
        sources, segments = self.many(self.path, 1, 2), self.many(self.segment, 1, 2)
        return s.Edge(sources, segments, self.maybe(lambda: self.attributes(1), 0.2), self.layout())

    def node(self, depth: int) -> s.Node:
        """A node."""
        body = self.maybe(lambda: self.block(depth - 1), 0.4) if depth else None
        annotations = self.many(self.annotation, 0, 1)
        return s.Node(
            self.path(), self.maybe(self.name, 0.7), self.maybe(self.string), annotations, body, self.layout()
        )

    def block(self, depth: int) -> s.Block:
        """Statements in braces."""
        return s.Block(self.many(lambda: self.item(depth)), self.comments(), self.random.random() < 0.5)

    def item(self, depth: int) -> s.Item:
        """A statement."""
        kind = self.random.random()
        if kind < 0.35:
            return self.edge()
        return self.node(depth) if kind < 0.7 else self.attribute(depth, is_bare=False)

    def document(self) -> s.Document:
        """A document."""
        imported = lambda: s.ImportedName(self.path(), self.maybe(self.name))  # noqa: E731
        imports = self.many(lambda: s.Import(self.many(imported, 1, 2), self.string(), self.layout()), 0, 1)
        machine = self.maybe(
            lambda: s.Machine(
                self.string(),
                self.many(self.annotation, 0, 1),
                self.maybe(lambda: self.attributes(2, is_header=True)),
                self.layout(),
            )
        )
        return s.Document(imports, machine, self.many(lambda: self.item(3), 0, 5), ())


def random_document(seed: int) -> s.Document:
    """The tree of a document; no two seeds need to differ."""
    assert KEYWORDS.isdisjoint(_NAMES)
    return Maker(Random(seed)).document()
