"""Loads, checks and draws flow documents.

It runs nothing but the Python files that it is given as flows, and so it loads no provider, no store and no loop:
`turnwise check` is quick.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from linecache import getlines
from typing import TYPE_CHECKING, Any, cast

from turnwise.authoring.document import read_code, read_document, read_file, with_imports
from turnwise.authoring.formats import named_document
from turnwise.authoring.source import Load, decode_source, read_source
from turnwise.core.link import link_with_diagnostics
from turnwise.core.machine import Machine
from turnwise.errors import WrongArgument
from turnwise.flow.code import PythonGuard, guards_of
from turnwise.flow.diagnostic import Diagnostic, FlowError, has_errors, in_order, nearest, problem
from turnwise.flow.diagnostic_targets import with_subjects
from turnwise.flow.model import Flow
from turnwise.flow.read import ReadResult
from turnwise.flow.type_check import check_types
from turnwise.flow.walk import named_models

if TYPE_CHECKING:
    from pathlib import Path

    from turnwise.authoring.python import ProgramCode
    from turnwise.drawing import Format

    AnyFlow = Flow | Mapping[str, Any] | str | Path
    """A flow, the data of a document, or the path of a document or of Python code."""
    Guards = Iterable[PythonGuard | Any]
    Tools = Iterable[Callable[..., Any]] | Mapping[str, Any] | ProgramCode
    """Tools that are supplied: functions, which are tools by their names, a table of who is which tool, or a file."""

_UNREADABLE = frozenset(
    (
        *("TW001", "TW002", "TW003", "TW004", "TW005", "TW007", "TW009", "TW097", "TW098"),
        *("TW130", "TW131", "TW132", "TW134", "TW135"),
    )
)
"""With one of these a part of the flow is not known, and nothing is said of the rest."""


_MAPPING = "mapping.json"
"""How diagnostics call a mapping; their lines are those of the mapping as indented JSON."""


def load(path: Mapping[str, Any] | str | Path) -> Flow:
    """Return the flow of a document's path, of a mapping, or of Python code; only Python code is run. Code is named as
    `intake.py`, `intake.py:flow` or `package.module:flow`. Raises `FlowError` with every problem of reading.
    """
    return _read_whole(_reading(path))


def loads(text: str | bytes, name: str = "", *, format: str = "") -> Flow:  # noqa: A002  the name users know
    """Return the flow of a document's text in the format `yaml` (also JSON), `json` or `dygram`. Raises `FlowError`.
    Without a format, the ending of `name` says it; diagnostics show the name.
    """
    if not isinstance(text, str | bytes):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("text", text, "the text of a document")
    name = named_document(name, format)
    return load_text(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"), name)


def link_checked(flow: AnyFlow, guards: Sequence[PythonGuard] = ()) -> Machine:
    """Return the machine of a flow, with the Python guards that it names.
    Raises `FlowError` with every problem if the flow cannot run.
    """
    code = None if isinstance(flow, Flow | Mapping) else read_code(_path(flow))
    reading = with_imports(ReadResult(flow, [])) if isinstance(flow, Flow) else code or _reading(flow)
    machine, diagnostics = link_with_diagnostics(reading.flow, guards, reading.diagnostics)
    if machine is not None and not has_errors([*reading.diagnostics, *diagnostics]):
        return machine
    if isinstance(flow, Flow) or code is not None:
        raise FlowError(
            in_order(reading.diagnostics or _of_code(_examined(reading.flow, [], guards, ()), reading.flow))
        )
    raise FlowError(check(flow, guards))


def _reading(flow: Mapping[str, Any] | str | Path) -> ReadResult:
    """Read a mapping, a document or Python code; return its flow and diagnostics."""
    if isinstance(flow, Mapping):
        return read_document(_text_of(flow), _MAPPING)
    return read_code(_path(flow)) or read_file(flow)


def _text_of(flow: Mapping[str, Any]) -> str:
    """Return a mapping as the text of a document."""
    try:
        return json.dumps(dict(flow), indent=2, ensure_ascii=False, allow_nan=False, default=_shown)
    except (TypeError, ValueError, RecursionError) as error:
        raise WrongArgument("flow", flow, f"a mapping of JSON data ({error})") from None


def _shown(value: object) -> Any:
    """Convert values that JSON lacks to JSON data: mappings and lists of other classes, and dates."""
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Any, Any]", value))
    if isinstance(value, tuple | set | frozenset):
        return list(cast("Iterable[Any]", value))
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is none")


def load_text(content: bytes, name: str) -> Flow:
    """Return the flow of a document's content from elsewhere, such as standard input.
    The ending of `name` says the format; errors show the name. Raises `FlowError`.
    """
    text = decode_source(content, name)
    if isinstance(text, Diagnostic):
        raise FlowError([text])
    return _read_whole(read_document(text, name))


def _read_whole(reading: ReadResult) -> Flow:
    flow, diagnostics = reading
    if has_errors(diagnostics):
        raise FlowError(diagnostics)
    return flow


def check(flow: AnyFlow, guards: Guards = (), tools: Tools = ()) -> list[Diagnostic]:
    """Return every problem of a flow (also a mapping, a document or Python code), and of its guards and tools. The
    problems are in the order of the document; none of them raises an exception.
    """
    if isinstance(flow, Flow):
        whole, found = with_imports(ReadResult(flow, []))
        return _of_code(_examined(whole, found, guards, tools), whole)
    if isinstance(flow, Mapping):
        return _checked(_text_of(flow), _MAPPING, guards, tools)
    reading = read_code(_path(flow))
    if reading is not None:
        return in_order(reading.diagnostics or _of_code(_examined(reading.flow, [], guards, tools), reading.flow))
    text = read_source(_path(flow))
    return [text] if isinstance(text, Diagnostic) else _checked(text, str(flow), guards, tools)


def check_text(
    content: bytes, name: str, guards: Guards = (), tools: Tools = (), load: Load = read_source
) -> list[Diagnostic]:
    """Return every problem of a document's content from elsewhere, such as standard input.
    The ending of `name` says the format. `load` reads the documents that it imports.
    """
    text = decode_source(content, name)
    return [text] if isinstance(text, Diagnostic) else _checked(text, name, guards, tools, load)


def _checked(text: str, name: str, guards: Guards, tools: Tools, load: Load = read_source) -> list[Diagnostic]:
    """Return every problem of a document's text that no comment in it suppresses."""
    flow, wrong = read_document(text, name, load)
    texts = {name: text.splitlines(), **{file: _lines_of(file, load) for file in flow.files}}
    found = _not_suppressed(_examined(flow, wrong, guards, tools), texts)
    return in_order(with_subjects(found, flow) if found else found)


def _lines_of(file: str, load: Load = read_source) -> list[str]:
    text = load(file)
    return [] if isinstance(text, Diagnostic) else text.splitlines()


def _not_suppressed(found: list[Diagnostic], texts: Mapping[str, Sequence[str]]) -> list[Diagnostic]:
    """Return the problems without those that comments in these files suppress; a file of Python has other comments."""
    from turnwise.check.comments import not_suppressed

    for file, lines in texts.items():
        here = [one for one in found if one.span.file == file]
        others = [one for one in found if one.span.file != file]
        found = [*others, *not_suppressed(here, lines, file, is_whole=not file.endswith(".py"))]
    return found


def _of_code(found: list[Diagnostic], flow: Flow) -> list[Diagnostic]:
    """Return the problems of a flow that code made, without those that comments in the code suppress."""
    texts = {one.span.file: getlines(one.span.file) for one in found if one.span.file.endswith(".py")}
    files: tuple[str, ...] = getattr(flow, "files", ())  # a class of the program may have made nothing
    found = _not_suppressed(found, {**texts, **{file: _lines_of(file) for file in files}})
    return in_order(with_subjects(found, check_types(flow).flow) if found else found)


def draw(
    flow: AnyFlow,
    format: Format = "mermaid",  # noqa: A002  the name of the option is the name that users know
    *,
    with_tests: bool = True,
    guards: Iterable[PythonGuard | Any] = (),
    scope: str | None = None,
) -> str:
    """Return a flow or a document as a drawing: `mermaid`, `dot`, or `svg`, which needs Graphviz.
    `with_tests` shows the text of guards; `guards` are the functions that the flow names, whose targets are drawn;
    `scope` is the only scope that is drawn, `.` for what is outside of all. Raises `FlowError` for a document that
    cannot be read, and `NoGraphviz` if SVG cannot be made.
    """
    from turnwise.drawing import write_graph
    from turnwise.drawing.build import graph_of
    from turnwise.drawing.level import level_of

    found = check_types(_read_whole(with_imports(ReadResult(flow, []))) if isinstance(flow, Flow) else load(flow)).flow
    graph = graph_of(found, [*described_guards(guards), *guards_of(found)])
    return write_graph(graph if scope is None else level_of(graph, scope), format, with_tests=with_tests)


def described_guards(guards: Iterable[PythonGuard | Any]) -> list[PythonGuard]:
    """Return guards as `PythonGuard` objects: each plain function is converted, each other guard stays as it is."""
    if not isinstance(guards, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("guards", guards, "a list of functions")
    return [guard if isinstance(guard, PythonGuard) else _described(guard) for guard in guards]


def first_of_each_name(guards: Iterable[PythonGuard]) -> list[PythonGuard]:
    """Return the first guard of each name; later ones of that name belong to earlier versions of a flow."""
    found: dict[str, PythonGuard] = {}
    for guard in guards:
        found.setdefault(guard.name, guard)
    return list(found.values())


def _described(guard: Any) -> PythonGuard:
    from turnwise.flow.describe import describe

    return describe(guard)


def _path(path: str | Path) -> str | Path:
    if isinstance(path, str):
        return path
    from pathlib import Path

    if not isinstance(path, Path):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("flow", path, "a Flow, a mapping, or the path of a document; tw.loads takes text")
    return path


def _examined(flow: Flow, found: list[Diagnostic], guards: Guards, tools: Tools) -> list[Diagnostic]:
    """Return the diagnostics of reading, linking and the static rules, in the order of the document."""
    if any(diagnostic.code in _UNREADABLE for diagnostic in found):
        return found
    machine, linked = link_with_diagnostics(flow, described_guards(guards), found)
    in_shape = check_types(flow).flow if machine is None else machine.flow
    from turnwise.check import check as check_machine

    checked = check_machine(machine, linked) if machine is not None else []
    unused = _unused(in_shape, guards) if machine is not None and not has_errors([*found, *linked]) else ()
    return in_order(
        {*found, *linked, *checked, *unused, *(_unfit(flow, tools) if tools else ()), *_unknown_models(in_shape)}
    )


def _unused(flow: Flow, guards: Guards) -> Iterable[Diagnostic]:
    """Yield a diagnostic for each supplied guard that no transition names."""
    from pathlib import Path

    used = {way.guard for ways in (flow.transitions, *(node.transitions for node in flow.nodes)) for way in ways}
    used |= {part.guard_reply.guard for part in (flow, *flow.nodes) if part.guard_reply is not None}
    carried = {one.name for one in guards_of(flow)}
    for one in described_guards(guards):
        if one.name not in used | carried:
            where = f"the function is at {Path(one.file).name}:{one.line}" if one.line else ""
            hint = nearest(one.name, used - {""}) or where
            yield problem("TW079", f"no transition uses the guard '{one.name}'", flow.span, hint)


def _unknown_models(flow: Flow) -> Iterable[Diagnostic]:
    """Return the diagnostics of unknown model names; the list of models is loaded only if a flow names one."""
    if not any(named_models(flow)):
        return ()
    from turnwise.models.names import unknown_models

    return unknown_models(flow)


def _unfit(flow: Flow, tools: Tools) -> list[Diagnostic]:
    """Return the diagnostics of supplied tools that do not fit the flow."""
    from turnwise.authoring.python import ProgramCode
    from turnwise.authoring.tools import by_name, tool_differences

    return tool_differences(flow, by_name(tools.tools_of(flow) if isinstance(tools, ProgramCode) else tools))
