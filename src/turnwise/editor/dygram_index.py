"""Makes the index of a DyGram document, also of what can be read of a broken one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from turnwise.authoring.dygram.compile.names import NAME, Declared, World
from turnwise.authoring.dygram.compile.placed import Output, value_of_annotation
from turnwise.authoring.dygram.statements import parse
from turnwise.authoring.dygram.syntax import (
    Annotation,
    Array,
    Attribute,
    Attributes,
    Edge,
    Import,
    Item,
    Name,
    Node,
    Scalar,
    Segment,
    Setting,
    TypeName,
    Value,
)
from turnwise.editor.dygram_names import DygramNames
from turnwise.editor.expressions import names_in
from turnwise.editor.index import ImportedFile, ImportedName, Index, Occurrence, Symbol, SymbolKind, unique
from turnwise.editor.text import EditedText, Span
from turnwise.flow.diagnostic import has_errors

_GUARDS = ("when", "if", "unless")
_PERMISSIONS = ("read", "reads", "write", "writes", "store", "stores")
_DATA = ("context", "type")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SHOWN = 100


def dygram_index(text: EditedText, file: str) -> Index:
    """Return the index of a DyGram document."""
    parsed = parse(text.text, file)
    world = World(Output(parsed.source))
    world.collect(parsed.document)
    world.settle_kinds()
    walk = _Walk(text, world)
    for one in parsed.document.imports:
        walk.imported(one)
    machine = parsed.document.machine
    if machine is not None:
        walk.attributes("Flow", machine.attributes, None)
    walk.given_names()
    walk.items(parsed.document.items, None)
    walk.names.finish()
    index = walk.index
    index.is_whole = machine is not None
    index.is_broken = has_errors(parsed.diagnostics)
    index.occurrences = unique(index.occurrences)
    return index


class _Walk:
    """Goes through the statements of one document."""

    def __init__(self, text: EditedText, world: World) -> None:
        self.world = world
        self.names = DygramNames(text, world)
        self.index = self.names.index

    # statements --------------------------------------------------------------------------------

    def imported(self, one: Import) -> None:
        """Note what the document takes from another one."""
        source = str(one.source.value)
        source = source if PurePath(source).suffix else f"{source}.dy"
        self.index.files.append(ImportedFile(source, self.names.raw(one.source.at + 1, one.source.end - 1)))
        for name in one.names:
            flow_name = name.name.text
            local = name.alias.text if name.alias is not None else flow_name
            place = self.names.raw(name.name.at, name.name.end)
            alias = self.names.raw(name.alias.at, name.alias.end) if name.alias is not None else None
            self.index.imports.append(ImportedName(source, flow_name, f"import:{local}", place, alias))
            declared = Occurrence(f"import:{local}", alias or place, is_declaration=True)
            self.index.occurrences.append(declared)
            if alias is not None:
                self.index.occurrences.append(Occurrence(f"from:{source}:{flow_name}", place))

    def items(self, items: tuple[Item, ...], scope: Declared | None) -> int:
        """Go through statements; return a character near the end of the last one."""
        last = 0
        for item in items:
            match item:
                case Edge():
                    last = self.edge(item, scope)
                case Attribute():
                    last = self.attribute(item, scope)
                case Node():
                    last = self.node(item, scope)
        return last

    def node(self, node: Node, scope: Declared | None) -> int:
        """Note a declaration, and what stands in its braces."""
        type_ = node.type.text.lower() if node.type is not None else ""
        if type_ in ("note", "style"):
            self.names.reference(node.name, scope)
            return node.name.end
        path = f"{scope.path}.{node.name.text}" if scope is not None else node.name.text
        declared = self.world.by_path.get(path)
        if declared is None:  # a bare name in a context is a field
            return self.attribute(Attribute(node.name), scope)
        self.names.path(self.names.words(node.name), path, is_declaration=True)
        last = max([node.name.end, *(self._annotation(one) for one in node.annotations)])
        if node.title is not None:
            last = max(last, node.title.end)
        if node.body is not None:
            last = self.names.closing(max(last, self.items(node.body.items, declared)))
        self._declare(declared, node, last)
        return last

    def _annotation(self, annotation: Annotation) -> int:
        return annotation.value.end if annotation.value is not None else annotation.name.end

    def _declare(self, one: Declared, node: Node, end: int) -> None:
        """Add the symbol of a declaration; the first one of several counts."""
        kind: SymbolKind = {"context": "record", "tool": "tool", "type": "type"}.get(one.kind, "node")  # type: ignore[assignment]
        begin = node.type.at if node.type is not None else node.name.at
        word = one.type.text if one.type is not None else one.kind
        title = f' "{one.title.value}"' if one.title is not None else ""
        about = [str(note.value) for note in one.notes]
        about += [f"{name}: {_shown(given.value)}" for name, given in one.attributes.items() if given.value is not None]
        key = f"name:{one.path}"
        parent = f"name:{one.parent.path}" if one.parent is not None else ""
        place = self.names.raw(node.name.end - len(one.last_part), node.name.end)
        whole = self.names.raw(begin, end)
        detail = f"{word} {one.path}{title}"
        symbol = Symbol(key, kind, one.path, one.name, place, whole, parent, detail, tuple(about[:12]))
        self.index.symbols.setdefault(key, symbol)

    def given_names(self) -> None:
        """Note the names that `@name` gives: other parts of the flow use them, and not the paths."""
        for path, one in self.world.by_path.items():
            found = next((given for word, given in one.annotations.items() if word.lower() == NAME), None)
            value = value_of_annotation(found) if found is not None else None
            if value is not None and value.kind == "string" and one.name == str(value.value):
                place = self.names.raw(value.at + 1, value.end - 1)
                key = f"given:{path}"
                detail = f"the name of {path} in the flow"
                symbol = Symbol(key, "node", one.name, one.name, place, place, f"name:{path}", detail)
                self.index.symbols[key] = symbol
                self.index.occurrences.append(Occurrence(key, place, is_declaration=True))

    # edges -------------------------------------------------------------------------------------

    def edge(self, edge: Edge, scope: Declared | None) -> int:
        """Note the names of an edge, and those in its labels and braces."""
        sources = [self.names.reference(name, scope) for name in edge.sources]
        last = edge.sources[-1].end if edge.sources else 0
        for segment in edge.segments:
            targets = [self.names.reference(name, scope) for name in segment.targets]
            self._label(segment, sources, targets)
            last = segment.targets[-1].end if segment.targets else last
            sources = targets
        for attribute in edge.attributes.items if edge.attributes is not None else ():
            if attribute.name.text in _GUARDS and isinstance(attribute.value, Scalar):
                self._expression(attribute.value, sources[0] if sources else None)
        self.attributes("Transition", edge.attributes, scope, without=_GUARDS)
        return edge.attributes.end if edge.attributes is not None else last

    def _label(self, segment: Segment, sources: list[Declared | None], targets: list[Declared | None]) -> None:
        for part in segment.label:
            if isinstance(part, Setting) and part.name.text in _GUARDS:
                self._expression(part.value, sources[0] if sources else None)
            elif isinstance(part, Setting) and part.name.text.lower() in _PERMISSIONS and part.value.kind == "string":
                contexts = [one for one in (*targets, *sources) if one is not None and one.kind == "context"]
                for word in _WORD.finditer(part.value.written[1:-1]) if contexts else ():
                    begin = part.value.at + 1 + word.start()
                    self.names.field(contexts[0], word[0], begin)

    def _expression(self, value: Scalar, scope: Declared | None) -> None:
        if value.kind != "string":
            return
        for one in names_in(str(value.value)):
            placed = self.names.in_quotes(one, value)
            if placed is not None:
                self.names.expression(placed, scope)

    # attributes --------------------------------------------------------------------------------

    def attributes(
        self, shape: str, found: Attributes | None, scope: Declared | None, without: tuple[str, ...] = ()
    ) -> None:
        """Go through the attributes of a machine or an edge."""
        for one in found.items if found is not None else ():
            if one.name.text not in without:
                self.names.flow_key(shape, one, scope)

    def attribute(self, one: Attribute, scope: Declared | None) -> int:
        """Note an attribute: a field of a context, a key of a node or tool, or a value that guards read."""
        for type_ in _types(one.type):
            found = [node for node in self.world.find(type_.name, scope) if node.kind in _DATA]
            if found:
                self.names.path(self.names.words(Name(type_.name, type_.at, type_.at + len(type_.name))), found[0].path)
        last = max(one.name.end, *(type_.end for type_ in _types(one.type)), _end(one.value))
        if scope is None:
            self.names.flow_key("Flow", one, None)
        elif scope.kind in _DATA or not self.names.flow_key("Tool" if scope.kind == "tool" else "Node", one, scope):
            self._field(one, scope, last)
        return last

    def _field(self, one: Attribute, owner: Declared, end: int) -> None:
        key = f"field:{owner.path}.{one.name.text}"
        place = self.names.raw(one.name.at, one.name.end)
        kind = _type_text(one.type) if one.type is not None else ""
        value = f" = {_shown(one.value)}" if one.value is not None else ""
        name, detail = f"{owner.path}.{one.name.text}", f"field {owner.path}.{one.name.text}"
        detail += f"<{kind}>" if kind else ""
        whole = Span(place.begin, self.names.raw(one.name.at, end).end)
        parent = f"name:{owner.path}"
        symbol = Symbol(key, "field", name, one.name.text, place, whole, parent, f"{detail}{value}")
        self.index.symbols.setdefault(key, symbol)
        self.index.occurrences.append(Occurrence(key, place, is_declaration=True))


def _types(type_: TypeName | None) -> Iterator[TypeName]:
    """Yield a type and those between its angle brackets."""
    if type_ is not None:
        if type_.name:
            yield type_
        for one in type_.of:
            yield from _types(one)


def _type_text(type_: TypeName) -> str:
    if type_.union:
        return " | ".join(one.written for one in type_.union)
    of = f"<{', '.join(map(_type_text, type_.of))}>" if type_.of else ""
    return f"{type_.name}{of}{'?' * type_.is_optional}"


def _end(value: Value | None) -> int:
    return value.end if value is not None else 0


def _shown(value: Value | None) -> str:
    """Return a value in one line of bounded length."""
    match value:
        case Scalar():
            text = str(value.value)
        case Array():
            text = ", ".join(_shown(one) for one in value.items[:10])
        case Attributes():
            text = ", ".join(one.name.text for one in value.items[:10])
        case None:
            text = ""
    text = " ".join(text[: 4 * _SHOWN].split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
