"""Finds where a program constructed a part of a flow: the file, line and column of the call and of each argument.

A call costs a look at one frame. The source is read only when a diagnostic asks where an argument stands.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType

from turnwise.flow.diagnostic import NOWHERE, Span
from turnwise.flow.located import Place, source_lines_of
from turnwise.flow.shapes import SHAPES

Extent = tuple[int, int, int, int]
"""First line and column, last line and column, as Python counts them."""


def call_site() -> Span:
    """Return the line of the program (the code outside turnwise) that called the caller of this function; `NOWHERE` if
    there is none.

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
    """Return the place of the class statement `name` of a program, if the caller is called while it is created."""
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
    """Return the place of the argument `key` of a call; its exact position is computed when it is needed."""
    if not isinstance(span.parts, Arguments):
        return NOWHERE if span.parts is None else Span(*span[:3])
    return Span(*span[:3], span.parts.under(key))


_positions: dict[int, tuple[CodeType, list[Extent]]] = {}
_MOST_KEPT = 64


def _extent(code: CodeType, number: int) -> Extent:
    """Return the source position of an instruction by its number; the table of a long module is made once."""
    known = _positions.get(id(code))
    if known is None or known[0] is not code:
        if len(_positions) >= _MOST_KEPT:
            _positions.clear()
        table = [(line or 0, first or 0, last or 0, end or 0) for line, last, first, end in code.co_positions()]
        known = _positions[id(code)] = (code, table)
    return known[1][number] if number < len(known[1]) else (code.co_firstlineno, 0, 0, 0)


class _Places(Mapping[str, Place]):
    """Places that are looked up in the source when a diagnostic asks for one; they cannot be listed."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Arguments(_Places):
    """The places of the arguments of a call, by `name`, or by `name.0.inner` for a part of one."""

    __slots__ = ("extent", "file", "names", "path")

    def __init__(self, file: str, extent: Extent, names: tuple[str, ...], path: str = "") -> None:
        self.file = file
        self.extent = extent
        self.names = names
        self.path = path

    def under(self, key: str) -> Arguments:
        """Return the places of the parts of the argument under a key."""
        return Arguments(self.file, self.extent, self.names, f"{self.path}.{key}" if self.path else key)

    def __getitem__(self, key: str) -> Place:
        source = source_of(self.file)
        call = source.calls.get(self.extent) if source else None
        whole = ".".join(part for part in (self.path, key) if part)
        for path in (whole, self.path):
            found = _inside(call, path, self.names) if call is not None and path else None
            if source is not None and found is not None:
                return source.place(found)
        raise KeyError(key)


class ClassFields(_Places):
    """The places of a class and its fields, by the name of a field, or by a key of a field's declaration."""

    __slots__ = ("field", "file", "name")

    def __init__(self, file: str, name: str, field: str = "") -> None:
        self.file = file
        self.name = name
        self.field = field

    def under(self, field: str) -> ClassFields:
        """Return the places of the parts of a field's declaration."""
        return ClassFields(self.file, self.name, field)

    def __getitem__(self, key: str) -> Place:
        source = source_of(self.file)
        name = self.field or key
        found = source.statement(self.name, name) if source and name else None
        if source is None or found is None:
            raise KeyError(key)
        call = found.value if isinstance(found, ast.AnnAssign) and self.field else None
        arguments = {one.arg: one.value for one in call.keywords} if isinstance(call, ast.Call) else {}
        known = (arguments[one] for one in _ARGUMENTS_OF.get(key, (key,)) if one in arguments)
        return source.place(next(known, found))


_ARGUMENTS_OF = {
    "min": ("ge", "gt", "min_length"),
    "max": ("le", "lt", "max_length"),
    "about": ("about", "description", "title"),
}
"""The arguments of `tw.field` and pydantic's `Field` for a key of documents."""


# the source --------------------------------------------------------------------------------------


class Source:
    """A parsed Python file: its calls and classes, by line and column."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.calls: dict[Extent, ast.Call] = {}
        self.classes: list[ast.ClassDef] = []
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                extent = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
                self.calls[extent] = node
            elif isinstance(node, ast.ClassDef):
                self.classes.append(node)

    def statement(self, name: str, field: str) -> ast.stmt | None:
        """Return the statement in a class that declares a field or defines that name; `None` if there is none."""
        for one in [one for made in self.classes if made.name == name for one in made.body]:
            target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
            if getattr(target, "id", getattr(one, "name", "")) == field:
                return one
        return None

    def place(self, node: ast.expr | ast.stmt) -> Place:
        """Return the line and column, counted from 1, where a node begins; a string literal begins after its quotes."""
        line = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        column = len(line.encode()[: node.col_offset].decode("utf-8", "replace"))
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return node.lineno, column + 1
        unprefixed = line[column:].lstrip("rRuUbBfF")
        column = len(line) - len(unprefixed) + (3 if unprefixed[:3] in ('"""', "'''") else 1)
        if node.end_lineno in (None, node.lineno):
            return node.lineno, column + 1
        last = (node.end_lineno - 1, node.end_col_offset or 0)
        lines = source_lines_of(node.value, self.lines, (node.lineno - 1, column), last, "'\"")
        return node.lineno, column + 1, lines


_sources: dict[str, tuple[list[str], Source | None]] = {}


def source_of(file: str) -> Source | None:
    """Return the parsed source of a file, cached while its lines are unchanged; `None` if it is not Python."""
    lines = linecache.getlines(file)
    known = _sources.get(file)
    if known is None or known[0] is not lines:
        if len(_sources) >= _MOST_KEPT:
            _sources.clear()
        known = _sources[file] = (lines, None)
        with suppress(SyntaxError, ValueError, RecursionError):
            known = _sources[file] = (lines, Source("".join(lines)) if lines else None)
    return known[1]


# inside a call -----------------------------------------------------------------------------------


def _inside(call: ast.Call, path: str, names: tuple[str, ...]) -> ast.expr | None:
    """Return the expression under a path of keys, numbers and names of arguments; the nearest one around it."""
    key, _, rest = path.partition(".")
    node = found = _argument(call, key, names)
    while node is not None and rest:
        node, rest = _step(node, rest)
        found = node or found
    return found


def _argument(call: ast.Call, key: str, names: tuple[str, ...]) -> ast.expr | None:
    """Return the argument that a key names, itself or by the attribute that holds the value of the key."""
    given = {word.arg: word.value for word in call.keywords}
    if not any(isinstance(arg, ast.Starred) for arg in call.args):
        given |= dict(zip(names, call.args, strict=False))
    if key in given:
        return given[key]
    return next((given[name] for name in _attributes_of(key) if name in given), None)


@lru_cache(maxsize=1024)
def _attributes_of(key: str) -> tuple[str, ...]:
    """Return the attributes that hold the value of a key, of all classes that have it."""
    return tuple([shape.by_name[key].attribute for shape in SHAPES.values() if key in shape.by_name])


def _step(node: ast.expr, path: str) -> tuple[ast.expr | None, str]:
    """Go one step further in: into a list by number, a mapping by key, a call by argument. Return also the rest."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if isinstance(name, str) and (path == name or path.startswith(name + ".")):
                return value, path[len(name) + 1 :]
        return None, ""
    head, _, rest = path.partition(".")
    if isinstance(node, ast.List | ast.Tuple) and head.isdigit():
        item = next(islice(node.elts, int(head), None), None)
        return None if isinstance(item, ast.Starred) else item, rest
    return _argument(node, head, ()) if isinstance(node, ast.Call) else None, rest
