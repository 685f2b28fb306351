"""The source position of each part of a flow that was written in Python.

A call is noted with its file, line and column, and no more; its source is looked at when somebody asks where
one of its arguments stands, as a diagnostic does.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import CodeType, FrameType

from turnwise.flow.diagnostic import NOWHERE, Span
from turnwise.flow.located import Place, lines_of

Extent = tuple[int, int, int, int]
"""First line and column, last line and column, as Python counts them."""


def call_site() -> Span:
    """Return the place of the call of the function that calls this one; `NOWHERE` for calls in turnwise itself.

    As the default factory of a dataclass's field it is the place where a program makes an object. A function cannot
    know its caller but by its frame: this is the only place that looks at one. Where Python has none (not CPython) the
    place is `NOWHERE`; where it keeps no columns (`-X no_debug_ranges`) it is the line.
    """
    called = _frame(1)
    caller = called and called.f_back
    if called is None or caller is None or _package(caller) == "turnwise":
        return NOWHERE
    file, extent = caller.f_code.co_filename, _extent(caller.f_code, caller.f_lasti // 2)
    names = called.f_code.co_varnames[1 : called.f_code.co_argcount]
    return Span(file, extent[0], extent[1] + 1, Arguments(file, extent, names))


def class_site(name: str) -> Span:
    """Return the place of the statement of a class of a program, whose creation calls the caller of this function."""
    frame = _frame(1)
    while frame is not None and _package(frame) in _NOT_THE_PROGRAM:
        frame = frame.f_back
    if frame is None:
        return NOWHERE
    return Span(frame.f_code.co_filename, frame.f_lineno, 1, ClassFields(frame.f_code.co_filename, name))


_NOT_THE_PROGRAM = ("pydantic", "turnwise", "abc", "typing")
"""Packages whose code runs between the statement of a class and `__init_subclass__`."""


def _frame(depth: int) -> FrameType | None:
    """Return the frame so many calls above the caller, `None` where Python has no frames."""
    frame_of: Callable[[int], FrameType] | None = getattr(sys, "_getframe", None)
    return frame_of(depth + 1) if frame_of is not None else None


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def within(span: Span, key: str) -> Span:
    """The place of what stands under a key of a call: that of the call, and asked for, that of the value."""
    if not isinstance(span.parts, Arguments):
        return NOWHERE if span.parts is None else Span(*span[:3])
    return Span(*span[:3], span.parts.under(key))


_tables: dict[int, tuple[CodeType, list[Extent]]] = {}
_MOST_TABLES = 8


def _extent(code: CodeType, number: int) -> Extent:
    """Where the instruction of a number stands; the table of a long module is made once, not for each call."""
    known = _tables.get(id(code))
    if known is None or known[0] is not code:
        if len(_tables) >= _MOST_TABLES:
            _tables.clear()
        known = _tables[id(code)] = (code, [_whole(*place) for place in code.co_positions()])
    return known[1][number] if number < len(known[1]) else (code.co_firstlineno, 0, 0, 0)


def _whole(line: int | None, last: int | None, column: int | None, last_column: int | None) -> Extent:
    return (line or 0, column or 0, last or 0, last_column or 0)


class Arguments(Mapping[str, Place]):
    """Where the arguments of a call stand, looked up by `name`, or by `name.0.inner` for what is inside of them."""

    __slots__ = ("extent", "file", "names", "path")

    def __init__(self, file: str, extent: Extent, names: tuple[str, ...], path: str = "") -> None:
        self.file = file
        self.extent = extent
        self.names = names
        self.path = path

    def under(self, key: str) -> Arguments:
        """The places of what stands under a key."""
        return Arguments(self.file, self.extent, self.names, f"{self.path}.{key}" if self.path else key)

    def __getitem__(self, key: str) -> Place:
        path = ".".join(part for part in (self.path, key) if part)
        found = self._find(path) if path else None
        if found is None and self.path and key:
            found = self._find(self.path)
        if found is None:
            raise KeyError(key)
        return found

    def _find(self, path: str) -> Place | None:
        source = _source(self.file)
        call = source.calls.get(self.extent) if source else None
        found = _inside(call, path, self.names) if call is not None else None
        return source.place(found) if source and found is not None else None

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class ClassFields(Mapping[str, Place]):
    """Where a class and its fields stand, looked up by the name of the field and what is said of it."""

    __slots__ = ("field", "file", "name")

    def __init__(self, file: str, name: str, field: str = "") -> None:
        self.file = file
        self.name = name
        self.field = field

    def under(self, field: str) -> ClassFields:
        """The places of what is said of a field."""
        return ClassFields(self.file, self.name, field)

    def __getitem__(self, key: str) -> Place:
        source = _source(self.file)
        name = self.field or key
        found = source.statement(self.name, name) if source and name else None
        if source is None or found is None:
            raise KeyError(key)
        said = found.value if isinstance(found, ast.AnnAssign) else None
        words = {word.arg: word.value for word in said.keywords} if isinstance(said, ast.Call) and self.field else {}
        return source.place(next((words[word] for word in _WORDS.get(key, (key,)) if word in words), found))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


_WORDS = {
    "min": ("ge", "gt", "min_length"),
    "max": ("le", "lt", "max_length"),
    "about": ("about", "description", "title"),
}
"""The words by which bounds and texts are said of the field of a class."""


# the source --------------------------------------------------------------------------------------


class Source:
    """A file of Python: its calls and its classes, by where they stand."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.calls: dict[Extent, ast.Call] = {}
        self.classes: dict[tuple[str, int], ast.ClassDef] = {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                extent = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
                self.calls[extent] = node
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name, node.lineno] = node

    def statement(self, name: str, field: str) -> ast.stmt | None:
        """The statement of a class that declares a field, or makes something else of that name."""
        for (known, _), made in self.classes.items():
            for one in made.body if known == name else ():
                target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
                if getattr(target, "id", getattr(one, "name", "")) == field:
                    return one
        return None

    def place(self, node: ast.expr | ast.stmt) -> Place:
        """Line and column where something begins, counted from 1; a text begins behind its quotes."""
        line = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        column = len(line.encode()[: node.col_offset].decode("utf-8", "replace"))
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return node.lineno, column + 1
        column += _opening(line[column:])
        if node.end_lineno in (None, node.lineno):
            return node.lineno, column + 1
        last = (node.end_lineno - 1, node.end_col_offset or 0)
        lines = lines_of(node.value, self.lines, (node.lineno - 1, column), last, "'\"")
        return node.lineno, column + 1, lines


def _opening(text: str) -> int:
    """The length of what opens a text: letters and quotes."""
    letters = len(text) - len(text.lstrip("rRuUbBfF"))
    quotes = text[letters : letters + 3]
    return letters + (3 if quotes in ('"""', "'''") else 1)


def source_of(file: str) -> Source | None:
    """The source of a file, where there is one that can be read."""
    return _source(file)


_sources: dict[str, tuple[list[str], Source | None]] = {}
_MOST_SOURCES = 8


def _source(file: str) -> Source | None:
    """The source of a file, parsed once for as long as its lines are the same list."""
    lines = linecache.getlines(file)
    known = _sources.get(file)
    if known is None or known[0] is not lines:
        if len(_sources) >= _MOST_SOURCES:
            _sources.clear()
        known = _sources[file] = (lines, _parsed("".join(lines)) if lines else None)
    return known[1]


def _parsed(text: str) -> Source | None:
    try:
        return Source(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


# inside a call -----------------------------------------------------------------------------------

_ALSO = {
    "from": "starts",
    "to": "ends",
    "name": "persona_name",
    "with": "arguments",
    "fallback": "template",
    "flow": "name",
}
"""Keys of documents whose arguments are called otherwise."""


def _inside(call: ast.Call, path: str, names: tuple[str, ...]) -> ast.expr | None:
    """The expression under a path of keys, numbers and names of arguments; the nearest one around it."""
    key, _, rest = path.partition(".")
    node = _argument(call, key, names)
    found = node
    while node is not None and rest:
        key, node, rest = _step(node, rest)
        found = node or found
    return found


def _argument(call: ast.Call, key: str, names: tuple[str, ...]) -> ast.expr | None:
    given = {word.arg: word.value for word in call.keywords}
    positional = [arg for arg in call.args if not isinstance(arg, ast.Starred)]
    given |= {name: value for name, value in zip(names, positional, strict=False) if len(positional) == len(call.args)}
    for name in (key, f"{key}_s", f"{key}_", _ALSO.get(key, key)):
        if name in given:
            return given[name]
    return None


def _step(node: ast.expr, path: str) -> tuple[str, ast.expr | None, str]:
    """One step further in: into a list by number, into a mapping by key, into a call by argument."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if isinstance(name, str) and (path == name or path.startswith(name + ".")):
                return name, value, path[len(name) + 1 :]
        return path, None, ""
    head, _, rest = path.partition(".")
    if isinstance(node, ast.List | ast.Tuple) and head.isdigit():
        item = next(islice(node.elts, int(head), None), None)
        return head, None if isinstance(item, ast.Starred) else item, rest
    if isinstance(node, ast.Call):
        return head, _argument(node, head, ()), rest
    return head, None, ""
