"""Resolves the names of a DyGram document: paths with dots in edges, guards and texts, and the names of the flow in
attributes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnwise.authoring.dygram.compile.names import Declared, World
from turnwise.authoring.dygram.syntax import Attribute, Name, Scalar
from turnwise.editor.expressions import Argument, Chain, Part
from turnwise.editor.index import Index, KeyPlace, Occurrence, Symbol, Unread
from turnwise.editor.references import ReferenceKind
from turnwise.editor.text import EditedText, Span, inside_quotes
from turnwise.editor.tree_index import TreeIndexer
from turnwise.flow import located
from turnwise.flow.shapes import SHAPES

_NAMES = {"modelId": "model", "desc": "description"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_KINDS: dict[ReferenceKind, tuple[str, ...]] = {
    "node": ("task", "state", "init", "other"),
    "record": ("context", "type"),
    "tool": ("tool",),
}


class DygramNames:
    """The index of one DyGram document while it is built, and the meaning of its names."""

    def __init__(self, text: EditedText, world: World) -> None:
        self.text = text
        self.world = world
        self.index = Index()
        self._source = world.output.source
        self._is_same = self._source.text == text.text
        self._flow_names: dict[str, list[Declared]] = {}
        for one in world.by_path.values():
            self._flow_names.setdefault(one.name, []).append(one)
        self._attributes = _Attributes(self)

    def finish(self) -> None:
        """Add what was found in attributes to the index: their keys, and texts that cannot be read."""
        inner = self._attributes.index
        self.index.keys += [KeyPlace(self.raw(*one.place), one.shape, one.name) for one in inner.keys]
        self.index.unread += [Unread(self.raw(*one.place), one.why, one.words) for one in inner.unread]
        self.index.files += inner.files
        self.index.guards += inner.guards

    # places ------------------------------------------------------------------------------------

    def raw(self, begin: int, end: int) -> Span:
        """Return the part from `begin` to `end` of the normalised text as a part of the editor's text, which may have
        CRLF line breaks.
        """
        if self._is_same:
            return Span(begin, end)
        return Span(*(self.text.place(*self._source.place(at), is_yaml=False) for at in (begin, end)))

    def closing(self, at: int) -> int:
        """Return the offset behind the brace that closes the block after the offset `at`."""
        found = self._source.text.find("}", at)
        return found + 1 if found >= 0 else at

    def words(self, name: Name) -> list[Part]:
        """Return the words of a qualified name, with their offsets."""
        written = self._source.text[name.at : name.end]
        return [Part(one[0], name.at + one.start(), name.at + one.end()) for one in _WORD.finditer(written)]

    def in_quotes(self, one: Chain | Argument, value: Scalar) -> Chain | Argument | None:
        """Return the name `one`, found in the quoted text `value`, with its offset in the document; `None` if its
        offset is not known.
        """
        parts: list[Part] = [one.name] if isinstance(one, Argument) else [*one.parts]
        placed: list[Part] = []
        for part in parts:
            is_quoted = self._source.text[value.at : value.at + 1] in ('"', "'")
            begin = value.at + part.begin
            if is_quoted:
                begin = inside_quotes(self._source.text, value.at, part.begin, is_yaml=False)
            if not self._source.text.startswith(part.text, begin):
                self.index.unread.append(Unread(self.raw(value.at, value.end), "a text with escapes", part.text))
                return None
            placed.append(Part(part.text, begin, begin + len(part.text)))
        return one._replace(name=placed[0]) if isinstance(one, Argument) else one._replace(parts=tuple(placed))

    # names -------------------------------------------------------------------------------------

    def path(self, words: list[Part], path: str, *, is_declaration: bool = False) -> None:
        """Add occurrences for words that are the last parts of a path to the index. With `is_declaration` the first
        word declares the name.
        """
        parts = path.split(".")
        for number, word in enumerate(reversed(words)):
            if len(parts) > number and parts[-1 - number] == word.text:
                key = f"name:{'.'.join(parts[: len(parts) - number])}"
                declared = is_declaration and number == 0
                self.index.occurrences.append(Occurrence(key, self.raw(word.begin, word.end), is_declaration=declared))

    def reference(self, name: Name, scope: Declared | None) -> Declared | None:
        """Add an occurrence of a node's name, in the braces of `scope`, to the index, and return the node; `None` if it
        is unknown.
        """
        words = self.words(name)
        found = self.world.find(name.text, scope)
        if found:
            self.path(words, found[0].path)
            return found[0]
        if name.text in self.world.imported:
            place = self.raw(name.at, name.end)
            self.index.occurrences.append(Occurrence(f"import:{name.text}", place))
            return None
        before, _, last = name.text.rpartition(".")
        owner = (
            next((one for one in self.world.find(before, scope) if last in one.attributes), None) if before else None
        )
        if owner is not None:
            self.path(words[:-1], owner.path)
            self.field(owner, last, words[-1].begin)
            return owner
        self._undeclared(name, words)
        return None

    def _undeclared(self, name: Name, words: list[Part]) -> None:
        """Note a name that only edges have."""
        key = f"name:{name.text}"
        place = self.raw(words[-1].begin, words[-1].end) if words else self.raw(name.at, name.end)
        symbol = Symbol(key, "node", name.text, name.text, place, place, "", f"node {name.text}, which only edges name")
        is_new = key not in self.index.symbols
        self.index.symbols.setdefault(key, symbol)
        self.index.occurrences.append(Occurrence(key, place, is_declaration=is_new))

    def field(self, owner: Declared, field: str, begin: int) -> None:
        """Add an occurrence of the name of a field or attribute of the node `owner`, at the offset `begin`, to the
        index.
        """
        if field in owner.attributes:
            place = self.raw(begin, begin + len(field))
            self.index.occurrences.append(Occurrence(f"field:{owner.path}.{field}", place))

    def expression(self, one: Chain | Argument, scope: Declared | None) -> None:
        """Add an occurrence of a name in a guard or a hole, in the braces of the node `scope`, to the index."""
        if isinstance(one, Argument):
            self.flow_name("node" if one.function == "visits" else "tool", one.name)
            return
        if one.item_of:
            self.field_of_item(one.item_of, one.parts[1], scope)
            return
        parts = list(one.parts)
        for count in range(len(parts) - 1, 0, -1):
            word = parts[count]
            for node in self.world.find(".".join(part.text for part in parts[:count]), scope):
                if node.kind in ("context", "type") or word.text in node.attributes:
                    self.path(parts[:count], node.path)
                    self.field(node, word.text, word.begin)
                    return
        for count in range(len(parts), 0, -1):
            if self._imported(_joined(parts[:count])):
                self._imported_field(parts[: count + 1], count)
                return
        if any(self.flow_name("record", _joined(parts[:count])) for count in range(len(parts) - 1, 0, -1)):
            return
        found = [node for node in self.world.find(parts[0].text, scope) if node.kind == "context"]
        if found:
            self.path(parts[:1], found[0].path)

    def field_of_item(self, list_: str, word: Part, scope: Declared | None) -> None:
        """Add an occurrence of the field `word` of the items of the list `list_` (`order.pizzas`), in the braces of the
        node `scope`, to the index. The type that the list holds declares it.
        """
        path, _, field = list_.rpartition(".")
        owners = [*self.world.find(path, scope), *self._flow_names.get(path, ())]
        declared = next((one.attributes[field] for one in owners if field in one.attributes), None)
        types = declared.type.of if declared is not None and declared.type is not None else ()
        for type_ in types:
            for owner in self.world.find(type_.name, scope):
                self.field(owner, word.text, word.begin)
                return

    def _imported(self, word: Part) -> bool:
        if word.text not in self.world.imported:
            return False
        self.index.occurrences.append(Occurrence(f"import:{word.text}", self.raw(word.begin, word.end)))
        return True

    def _imported_field(self, parts: list[Part], count: int) -> None:
        """Note the field of a record that another document declares, behind the words of its name."""
        for field in parts[count:]:
            key = f"import:{_joined(parts).text}"
            self.index.occurrences.append(Occurrence(key, self.raw(field.begin, field.end)))

    def flow_name(self, kind: ReferenceKind, word: Part) -> Declared | None:
        """Add to the index that `word`, such as `morning.greet`, names a part of the flow of this kind; return where
        that part is declared, `None` if nowhere.
        """
        found = [one for one in self._flow_names.get(word.text, []) if one.kind in _KINDS.get(kind, ())]
        if not found:
            self._imported(word)
            return None
        if found[0].path != word.text:
            place = self.raw(word.begin, word.end)
            self.index.occurrences.append(Occurrence(f"given:{found[0].path}", place))
            return found[0]
        parts, at = list[Part](), word.begin
        for piece in found[0].path.split("."):
            parts.append(Part(piece, at, at + len(piece)))
            at += len(piece) + 1
        self.path(parts, found[0].path)
        return found[0]

    # attributes --------------------------------------------------------------------------------

    def flow_key(self, shape: str, attribute: Attribute, scope: Declared | None) -> bool:
        """Add the names in an attribute of a node to the index if the attribute is a key of the flow class `shape`;
        return whether it is.
        """
        key = _NAMES.get(attribute.name.text, attribute.name.text)
        if key not in SHAPES[shape].by_name:
            return False
        self._attributes.go(shape, key, attribute, scope)
        return True


class _Attributes(TreeIndexer):
    """Goes through the values of attributes, whose names are those of the flow, and in texts those of the document."""

    def __init__(self, names: DygramNames) -> None:
        super().__init__(EditedText(names.world.output.source.text), is_yaml=False)
        self.names = names
        self.scope: Declared | None = None

    def go(self, shape: str, key: str, attribute: Attribute, scope: Declared | None) -> None:
        """Go through an attribute, and resolve the names in it."""
        self.scope = scope
        self.pending.clear()
        place, value = self.names.world.output.pair(attribute, key)
        self.index.keys.append(KeyPlace(Span(attribute.name.at, attribute.name.end), shape, key))
        if not (isinstance(value, located.Scalar) and value.value is None and place.line):
            self._value(shape, SHAPES[shape].by_name[key], value, "", "")
        self.resolve()

    def resolve(self) -> None:
        """Resolve the names of the attribute that was gone through."""
        for one in self.pending:
            begin = one.place.begin
            if one.of:
                self.names.field_of_item(one.of, Part(one.text, begin, one.place.end), self.scope)
                continue
            if one.kind != "address":
                self.names.flow_name(one.kind, Part(one.text, begin, one.place.end))
                continue
            parts = [Part(found[0], begin + found.start(), begin + found.end()) for found in _WORD.finditer(one.text)]
            self._note_address(parts)

    def _note_address(self, parts: list[Part]) -> None:
        """Note the record and the field of an address: by their names in the flow, else by those of the document."""
        for count in range(len(parts), 0, -1):
            owner = self.names.flow_name("record", _joined(parts[:count]))
            if owner is not None:
                for field in parts[count : count + 1]:
                    self.names.field(owner, field.text, field.begin)
                return
        self.names.expression(Chain(tuple(parts)), self.scope)


def _joined(parts: Sequence[Part]) -> Part:
    """Return words with dots between them as one."""
    return Part(".".join(part.text for part in parts), parts[0].begin, parts[-1].end)
