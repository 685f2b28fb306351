"""Makes the index of a document that is a positioned tree: YAML and JSON, and objects in attributes of DyGram.

It goes through the tree along the declared keys, and resolves the names when all declarations are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwise.editor.declarations import about_of, detail_of
from turnwise.editor.expressions import Argument, Chain, names_in, names_in_template
from turnwise.editor.index import (
    SECTIONS,
    ImportedFile,
    ImportedName,
    Index,
    KeyPlace,
    Occurrence,
    Symbol,
    SymbolKind,
    Unread,
    unique,
)
from turnwise.editor.references import EXPRESSION_KEYS, NAME_TABLES, REFERENCES, SECTION_OF, ReferenceKind
from turnwise.editor.text import EditedText, Span, inside_quotes
from turnwise.flow.kinds import Many, Named, Object, Table, When
from turnwise.flow.located import Items, Located, Pairs, Scalar, place_in
from turnwise.flow.shapes import SHAPES, Key

_RENAMED = " as "
_KINDS: dict[str, SymbolKind] = {section: kind for kind, section in SECTIONS.items()}
_MOST_DEPTH = 80


class Pending(NamedTuple):
    """A name whose meaning is found when all declarations are known."""

    kind: ReferenceKind
    """The kind of thing that the name refers to."""
    text: str
    """The name, as it is written."""
    frame: str
    """The scopes in which the name is written, each with `/` behind it."""
    place: Span
    """Where the name is written."""
    of: str = ""
    """The list, if the name is a field of its items; empty for other names."""


class TreeIndexer:
    """Adds the names of one tree to an index.

    `frame` is the path of scopes in which a part stands, with `/` behind each.
    """

    def __init__(self, text: EditedText, *, is_yaml: bool) -> None:
        self.text = text
        self.is_yaml = is_yaml
        self.index = Index()
        self.pending: list[Pending] = []
        self.lists: dict[str, str] = {}
        """By the keys of fields that are lists the records of their items."""
        self._items_of = ""
        """The list whose items the questions are about that stand inside of another."""
        self._depth = 0

    def whole(self, tree: Located) -> Index:
        """Return the index of the tree of a whole flow."""
        if isinstance(tree, Pairs):
            self.index.is_whole = any(key.text in ("flow", "start") for key, _ in tree.pairs)
        self.part("Flow", tree, "", "")
        self.resolve()
        self.index.occurrences = unique(self.index.occurrences)
        return self.index

    # the tree ----------------------------------------------------------------------------------

    def part(self, shape_name: str, tree: Located, frame: str, owner: str) -> None:
        """Add the names in a part of the flow, of the flow class `shape_name`, to the index. `frame` are the scopes
        around the part, each with `/` behind it; `owner` is the key of the symbol that contains the part.
        """
        shape = SHAPES[shape_name]
        tree = shape.short.widen(tree) if shape.short is not None else tree
        self._depth += 1
        if isinstance(tree, Pairs) and self._depth < _MOST_DEPTH:
            if shape_name == "Import":
                self._import(tree)
            of = _list_of(shape_name, tree)
            for key, value in tree.pairs:
                self.index.keys.append(KeyPlace(self.key_place(key), shape_name, key.text))
                known = shape.by_name.get(key.text)
                if known is not None and not self._of_items((shape_name, key.text), value, frame, of):
                    self._value(shape_name, known, value, frame, owner)
            if shape_name == "Field" and of:
                self.lists[owner] = of
        self._depth -= 1

    def _of_items(self, at: tuple[str, str], value: Located, frame: str, of: str) -> bool:
        """Note what a key says about the items of a list; return whether it is such a key."""
        if at == ("FormField", "items"):
            before, self._items_of = self._items_of, of
            for one in value.items if isinstance(value, Items) else ():
                self.part("FormField", one, frame, "")
            self._items_of = before
            return True
        if not isinstance(value, Scalar) or not isinstance(value.value, str):
            return False
        if at == ("FormField", "field") and self._items_of:
            self.name("address", value, frame, self._items_of)
        elif at == ("OptionsFrom", "value"):
            self.name("address", value, frame, of)
        elif at == ("OptionsFrom", "label"):
            names = names_in_template(value.value)
            self._names(value, (_of_option(one, of) for one in names), frame)
        else:
            return False
        return True

    def _value(self, shape: str, key: Key, value: Located, frame: str, owner: str) -> None:
        match key.kind:
            case Named(name):
                self._named(key.name, name, value, frame, owner)
            case Object(name) | Many(Object(name)):
                inner = f"{frame}{_name_of(owner)}/" if (shape, key.name) == ("Node", "scope") else frame
                for one in value.items if isinstance(value, Items) and isinstance(key.kind, Many) else (value,):
                    self.part(name, one, inner, owner)
            case When():
                self._guard(value, frame)
            case Table():
                self._table((shape, key.name), value, frame)
            case _:
                for one in _scalars(value):
                    self._scalar((shape, key.name), one, frame)

    def _named(self, section: str, shape: str, value: Located, frame: str, owner: str) -> None:
        """Go through a mapping of parts, each of which is a declaration."""
        kind: SymbolKind = _KINDS.get(section, "field")
        for key, part in value.pairs if isinstance(value, Pairs) else ():
            symbol = f"{owner}.{key.text}" if kind == "field" else f"{section}:{frame}{key.text}"
            place = self.key_place(key)
            name = symbol.partition(":")[2].rpartition("/")[2]
            declared = Symbol(
                symbol,
                kind,
                name,
                key.text,
                place,
                Span(place.begin, max(self.end_of(part), place.end)),
                owner,
                detail_of(kind, name, shape, part),
                about_of(kind, part),
                is_fixed=section in ("args", "input"),
            )
            self.index.symbols.setdefault(symbol, declared)
            self.index.occurrences.append(Occurrence(symbol, place, is_declaration=True))
            self.part(shape, part, frame, symbol)

    def _guard(self, value: Located, frame: str) -> None:
        if isinstance(value, Scalar):
            self.expression(value, frame)
            return
        for one in _all_scalars(value):  # condition objects
            begin = self.offset(one.line, one.column)
            self.index.unread.append(Unread(Span(begin, begin + len(one.text)), "a condition object", one.text))

    def _table(self, at: tuple[str, str], value: Located, frame: str) -> None:
        of_keys, of_values = NAME_TABLES.get(at, (None, None))
        for key, one in value.pairs if isinstance(value, Pairs) else ():
            if of_keys is not None:
                self.pending.append(Pending(of_keys, key.text, frame, self.key_place(key)))
            for scalar in _all_scalars(one):
                if of_values is not None:
                    self.name(of_values, scalar, frame)
                elif at in EXPRESSION_KEYS:
                    self.expression(scalar, frame)
                else:
                    self.template(scalar, frame)

    def _scalar(self, at: tuple[str, str], value: Scalar, frame: str) -> None:
        kind = REFERENCES.get(at)
        if kind is not None:
            self.name(kind, value, frame)
        elif at in EXPRESSION_KEYS:
            self.expression(value, frame)
        elif at in (("Transition", "guard"), ("ReplyGuard", "guard")):
            self.index.guards.append(value.text)
        else:
            if at == ("Scope", "flow"):
                self.index.files.append(ImportedFile(value.text, self.scalar_place(value)))
            self.template(value, frame)

    def _import(self, tree: Pairs) -> None:
        values = {key.text: value for key, value in tree.pairs}
        source = values.get("from")
        if not isinstance(source, Scalar):
            return
        self.index.files.append(ImportedFile(source.text, self.scalar_place(source)))
        for one in _scalars(values.get("names", Items([]))):
            self._imported(source.text, one)

    def _imported(self, source: str, one: Scalar) -> None:
        name, _, alias = one.text.partition(_RENAMED)
        section, dot, rest = name.strip().partition(".")
        simple = rest if dot and section in _KINDS else name.strip()
        begin = one.text.find(simple)
        place = self.inside(one, begin, begin + len(simple))
        local = alias.strip() or simple
        at = one.text.rfind(local)
        renamed = self.inside(one, at, at + len(local)) if alias.strip() else None
        if place is not None:
            key = f"import:{local}"
            self.index.imports.append(ImportedName(source, name.strip(), key, place, renamed))
            self.index.occurrences.append(Occurrence(key, renamed or place, is_declaration=True))
            if renamed is not None:
                self.index.occurrences.append(Occurrence(f"from:{source}:{name.strip()}", place))

    # texts and names ---------------------------------------------------------------------------

    def name(self, kind: ReferenceKind, value: Scalar, frame: str, of: str = "") -> None:
        """Add a value that is a name of a kind to the index; `of` is the list if it names a field of a list's items."""
        place = self.inside(value, 0, len(value.text)) if isinstance(value.value, str) else None
        if place is not None:
            self.pending.append(Pending(kind, value.text, frame, place, of))

    def expression(self, value: Scalar, frame: str) -> None:
        """Add the names in an expression to the index."""
        if isinstance(value.value, str):
            self._names(value, names_in(value.value), frame)

    def template(self, value: Scalar, frame: str) -> None:
        """Add the names in the holes of a template to the index."""
        if isinstance(value.value, str) and "{{" in value.value:
            self._names(value, names_in_template(value.value), frame)

    def _names(self, value: Scalar, names: Iterator[Chain | Argument], frame: str) -> None:
        for one in names:
            of = one.item_of if isinstance(one, Chain) else ""
            if isinstance(one, Argument):
                kind: ReferenceKind = "node" if one.function == "visits" else "tool"
                place = self.inside(value, one.name.begin, one.name.end)
                text = one.name.text
            else:
                kind = "address"
                parts = one.parts[1:2] if of else one.parts
                text = ".".join(part.text for part in parts)
                place = self.inside(value, parts[0].begin, parts[-1].end)
            if place is not None:
                self.pending.append(Pending(kind, text, frame, place, of))

    # resolving ---------------------------------------------------------------------------------

    def resolve(self) -> None:
        """Find the meaning of the pending names, and add them to the index."""
        for one in self.pending:
            if one.kind == "address":
                self._address(one)
                continue
            key = self._found(SECTION_OF[one.kind], one.text, one.frame) if one.kind in SECTION_OF else ""
            if key:
                self.index.occurrences.append(Occurrence(key, one.place))

    def _address(self, one: Pending) -> None:
        if one.of:
            self._field_of_item(one)
            return
        key, record, field = self._record_in(one.text, one.frame)
        if not key:
            return
        begin = one.place.begin
        self.index.occurrences.append(Occurrence(key, Span(begin, begin + len(record))))
        if field and (key.startswith("import:") or f"{key}.{field}" in self.index.symbols):
            at = self.text.text.find(field, begin + len(record))
            self.index.occurrences.append(Occurrence(f"{key}.{field}", Span(at, at + len(field))))

    def _record_in(self, text: str, frame: str) -> tuple[str, str, str]:
        """Return the key of the record with which an address begins, its name, and the name behind it."""
        words = text.split(".")
        for count in range(len(words), 0, -1):
            record = ".".join(words[:count])
            key = self._found("records", record, frame)
            if key and (key not in self.index.symbols or self.index.symbols[key].kind != "field"):
                return key, record, words[count] if count < len(words) else ""
        return "", "", ""

    def _field_of_item(self, one: Pending) -> None:
        """Note a field of the items of a list, which is one of the record that the list holds."""
        list_, _, field = self._record_in(one.of, one.frame)
        of = self.lists.get(f"{list_}.{field}", "")
        key = f"{self._found('records', of, one.frame)}.{one.text}" if of else ""
        if key in self.index.symbols:
            self.index.occurrences.append(Occurrence(key, one.place))

    def _found(self, section: str, name: str, frame: str) -> str:
        """Return the key of what a name means in a scope: of what stands next on the way outwards."""
        while True:
            key = f"{section}:{frame}{name}"
            if key in self.index.symbols:
                return key
            if not frame:
                break
            frame = frame[: frame.rstrip("/").rfind("/") + 1]
        imported = f"import:{name}"
        return imported if any(one.key == imported for one in self.index.imports) else ""

    # places ------------------------------------------------------------------------------------

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column of the tree, both counted from 1."""
        return self.text.place(line, column, is_yaml=self.is_yaml)

    def key_place(self, key: Scalar) -> Span:
        """Return the span of a key, without its quotes."""
        begin = self.offset(key.line, key.column)
        begin += self.text.text[begin : begin + 1] in ('"', "'") and not key.text.startswith(('"', "'"))
        return Span(begin, begin + len(key.text))

    def scalar_place(self, value: Scalar) -> Span:
        """Return the span of a value, without its quotes."""
        found = self.inside(value, 0, len(value.text))
        begin = self.offset(value.line, value.column)
        return found or Span(begin, begin + 1)

    def inside(self, value: Scalar, begin: int, end: int) -> Span | None:
        """Return the span in the document of the characters `begin` to `end` of a value; `None`, and an unread text, if
        it is not known.
        """
        wanted = value.text[begin:end]
        if value.lines:
            start = self.offset(*place_in(value.lines, begin))
        else:
            start = self.offset(value.line, value.column) + begin
            start += value.style == "quoted" and self.text.text[start - begin : start - begin + 1] in ('"', "'")
        if not self.text.text.startswith(wanted, start) and value.style == "quoted" and not value.lines:
            opening = self.offset(value.line, value.column)
            start = inside_quotes(self.text.text, opening, begin, is_yaml=self.is_yaml)
        if self.text.text.startswith(wanted, start):
            return Span(start, start + len(wanted))
        self.index.unread.append(Unread(Span(start, start), "a text with escapes", wanted))
        return None

    def end_of(self, tree: Located) -> int:
        """Return the offset at which a part roughly ends: behind the last value in it whose place is known."""
        last = tree
        while True:
            inner: Located | None = None
            if isinstance(last, Pairs) and last.pairs:
                inner = last.pairs[-1][1]
            elif isinstance(last, Items) and last.items:
                inner = last.items[-1]
            if inner is None or inner.line < last.line:
                break
            last = inner
        size = len(last.text) if isinstance(last, Scalar) else 1
        if isinstance(last, Scalar) and last.lines:
            begin, line, column = last.lines[-1]
            return min(self.offset(line, column) + size - begin, len(self.text.text))
        return min(self.offset(last.line, last.column) + size, len(self.text.text))


_LISTS = {"Field": "of", "FormField": "field", "OptionsFrom": "list"}
"""By the class the key that names a list, or the record of its items."""


def _list_of(shape: str, tree: Pairs) -> str:
    """Return the list that a part is about, of a field the record of its items; empty where there is none."""
    found = next((value for key, value in tree.pairs if key.text == _LISTS.get(shape)), None)
    return found.text if isinstance(found, Scalar) else ""


def _of_option(one: Chain | Argument, of: str) -> Chain | Argument:
    """Return a name of the label of options, in which `option` stands for an item of the list."""
    is_of_item = isinstance(one, Chain) and len(one.parts) > 1 and one.parts[0].text == "option"
    return Chain(one.parts, of) if is_of_item and isinstance(one, Chain) else one


def _name_of(key: str) -> str:
    return key.rpartition(":")[2].rpartition("/")[2]


def _scalars(value: Located) -> Iterator[Scalar]:
    """Yield a value, or the values of a list."""
    for one in value.items if isinstance(value, Items) else (value,):
        if isinstance(one, Scalar):
            yield one


def _all_scalars(value: Located) -> Iterator[Scalar]:
    """Yield all values in a part, with a bound on its depth by that of documents."""
    match value:
        case Scalar():
            yield value
        case Items():
            for one in value.items:
                yield from _all_scalars(one)
        case Pairs():
            for _, one in value.pairs:
                yield from _all_scalars(one)
