"""Python as a source of flows: loads flows from files and modules, and the guards and tools that a file defines.

It is the one place that runs an author's code. An error in that code is one diagnostic with the line of the author's
file, never a traceback.
"""

from __future__ import annotations

import importlib.util
import inspect
import linecache
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast, overload

from turnwise.authoring.missing import MODULE_NAME, hint_for_module
from turnwise.authoring.source import read_source, shown_text
from turnwise.errors import TurnwiseError, WrongArgument
from turnwise.flow.code import PythonGuard
from turnwise.flow.code import guards_of as carried_by
from turnwise.flow.converters import name_of
from turnwise.flow.describe import describe
from turnwise.flow.diagnostic import Diagnostic, FlowError, Span, nearest, problem
from turnwise.flow.model import Flow
from turnwise.flow.model.tools import PythonTool
from turnwise.flow.read import ReadResult

Function = Callable[..., Any]
"""A Python function of an author: a guard or a tool."""


@overload
def guard(function: Function, /, *, to: Any = (), name: str = "") -> PythonGuard: ...
@overload
def guard(*, to: Any = (), name: str = "") -> Callable[[Function], PythonGuard]: ...
def guard(
    function: Function | None = None, /, *, to: Any = (), name: str = ""
) -> PythonGuard | Callable[[Function], PythonGuard]:
    """Make a pure function a guard: `@guard`, or `@guard(to=["a", "b"])` if it names its target. Its parameters name
    records, or `tools`, `message`, `visits`, `turns`, `errors`, `error`, `now`, `today`.
    """
    targets = _targets(to)
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("name", name, "a str")
    if function is not None:
        return describe(_function(function), targets, name)

    def decorate(made: Function) -> PythonGuard:
        return describe(_function(made), targets, name)

    return decorate


def _function(given: Any) -> Function:
    """Return the function that is decorated; raise `WrongArgument` for anything else."""
    if isinstance(given, PythonGuard):
        return given.original or given.function
    if not callable(given):
        raise WrongArgument("guard", given, "a function: write @guard, or @guard(to=…)")
    return given


def _targets(to: Any) -> tuple[str, ...]:
    """Return the names of the nodes that a guard may choose."""
    one = to if isinstance(to, str) else name_of(to)
    if one or isinstance(to, str):
        return (one,) if one else ()
    given = list(cast("Iterable[Any]", to)) if isinstance(to, Iterable) and not isinstance(to, str | bytes) else [to]
    found = [node if isinstance(node, str) else name_of(node) for node in given]
    if not all(found):
        raise WrongArgument("to", cast("object", to), "the name of a node, or a list of names")
    return tuple(found)


class ProgramCode(NamedTuple):
    """The guards, tools and functions that a Python file defines."""

    guards: list[PythonGuard]
    """The guards of the file and those of its flows."""
    tools: list[PythonTool]
    """The tools of the file."""
    functions: dict[str, Callable[..., Any]]
    """The other functions of the file, keyed by name."""

    def tools_of(self, flow: Flow, others: Iterable[Flow] = ()) -> dict[str, Any]:
        """Return the tools of a file that implement those of a flow, keyed by name; a function counts by its name.
        A tool that only other flows declare is left out: `others` are the flows that share the file.
        """
        declared = {tool.name for tool in flow.tools}
        elsewhere = {tool.name for other in others for tool in other.tools} - declared
        plain = {name: function for name, function in self.functions.items() if name in declared}
        return plain | {tool.name: tool for tool in self.tools if tool.name not in elsewhere}


NO_CODE = ProgramCode([], [], {})
"""The code of a flow without guards and tools in Python."""


def read_code(path: Path) -> ProgramCode:
    """Run a Python file and return what it defines. Raises `TurnwiseError` if it cannot be run."""
    if not path.is_file():
        raise TurnwiseError(f"{path}: there is no such Python file")
    spec = importlib.util.spec_from_file_location(f"turnwise_supplied_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise TurnwiseError(f"{path}: this is no Python file: its name ends otherwise than with .py")
    module = importlib.util.module_from_spec(spec)
    linecache.checkcache(str(path))
    try:
        with redirect_stdout(sys.stderr):  # what it prints is no output of ours
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  the file is the user's, and may raise anything
        raise TurnwiseError(f"{path}: the file cannot be run: {error_text(error)}") from None
    return _defined(vars(module), module.__name__)


def _defined(names: dict[str, Any], module: str) -> ProgramCode:
    """Return the functions that a module defines; one that it imports counts only if it is a decorated tool."""
    values = list(names.values())
    flows = [flow for flow in values if isinstance(flow, Flow)]
    guards = [one for one in values if isinstance(one, PythonGuard)] + [
        one for flow in flows for one in carried_by(flow)
    ]
    own = {name: one for name, one in names.items() if inspect.isfunction(one) and one.__module__ == module}
    return ProgramCode(
        list({id(guard): guard for guard in guards}.values()),
        list({id(one): one for one in values if isinstance(one, PythonTool)}.values()),
        own,
    )


# flows -------------------------------------------------------------------------------------------

_LONGEST = 300
_LINK = re.compile(r"\s*For further information visit \S+$")
"""What pydantic writes behind its errors."""


class FlowPlace(NamedTuple):
    """A path to a flow in Python: a file or module, and the name of the flow in it."""

    file_or_module: str
    """The path of the file, or the name of the module."""
    name: str
    """The name of the flow's variable; empty if it is not specified."""
    is_file: bool
    """True for a file, false for a module."""


def python_place(path: str | Path) -> FlowPlace | None:
    """Return the Python file or module that a path names (`intake.py`, `intake.py:flow`, `package.module:flow`); `None`
    for any other path.
    """
    text = str(path)
    source, _, name = text.rpartition(":")
    if text.endswith(".py"):
        return FlowPlace(text, "", is_file=True)
    if not MODULE_NAME.fullmatch(name) or Path(text).exists():
        return None
    if source.endswith(".py"):
        return FlowPlace(source, name, is_file=True)
    return FlowPlace(source, name, is_file=False) if MODULE_NAME.fullmatch(source) else None


def read_python(place: FlowPlace) -> ReadResult:
    """Return the flow of a Python file or module, or the diagnostics that say why there is none."""
    try:
        module = _run(place.file_or_module) if place.is_file else _imported(place)
    except FlowError as error:
        return _nothing(*error.diagnostics)
    found = _flow_of(module, place)
    return ReadResult(found, []) if isinstance(found, Flow) else _nothing(found)


def _nothing(*diagnostics: Diagnostic) -> ReadResult:
    return ReadResult(Flow("", span=diagnostics[0].span), list(diagnostics))


# running -----------------------------------------------------------------------------------------


def _run(file: str) -> ModuleType:
    """Run a file as a module with a name that nothing else has, and return it. Raise `FlowError` if it fails."""
    text = read_source(file)
    if isinstance(text, Diagnostic):
        raise FlowError([text])
    _keep_lines(file, text)
    name = "turnwise_flow_" + re.sub(r"\W", "_", Path(file).stem)
    module = ModuleType(name)
    module.__file__ = str(Path(file).resolve())
    before = sys.modules.get(name)
    sys.modules[name] = module  # types that are written as texts are looked up there
    try:
        with _guarded(file, str(Path(file).resolve().parent)):
            exec(compile(text, file, "exec", dont_inherit=True), vars(module))  # noqa: S102  the author asked for it
    except FlowError:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
        raise
    return module


def _keep_lines(file: str, text: str) -> None:
    """Keep the text of a file as it is run: places in it are read from these lines, also after the file has changed."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def _imported(place: FlowPlace) -> ModuleType:
    """Import a module by its name, from the current folder too. Raise `FlowError` if it fails."""
    with _guarded(place.file_or_module, str(Path.cwd()), place.name):
        return import_module(place.file_or_module)


@contextmanager
def _guarded(source: str, folder: str, flow: str = "") -> Generator[None, None, None]:
    """Run an author's code: what it prints goes to standard error, and what it raises becomes a `FlowError`."""
    sys.path.insert(0, folder)
    try:
        with redirect_stdout(sys.stderr):
            yield
    except FlowError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (source == error.name or source.startswith(error.name + ".")):
            hint = hint_for_module(source, flow) or "it is looked for from this folder on; a file is named with .py"
            raise FlowError([problem("TW087", f"there is no module '{error.name}'", Span(source), hint)]) from None
        raise FlowError([_code_failed(source, error)]) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  the code is the author's, and may raise anything
        raise FlowError([_code_failed(source, error)]) from None
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


def _code_failed(source: str, error: BaseException) -> Diagnostic:
    """Report what an author's code raised, at the innermost line of the author's own files."""
    text, span = error_text(error), Span(source)
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        span = Span(error.filename, error.lineno, max(error.offset or 1, 1))
        text = f"{type(error).__name__}: {error.msg}"
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.lineno and is_user_file(frame.filename):
                span = Span(frame.filename, frame.lineno, (frame.colno or 0) + 1)
    hint = f"name it as a module, {_dotted(source)}:flow" if "no known parent package" in text else ""
    return problem("TW087", f"the code cannot be run: {shown_text(text, _LONGEST)}", span, hint)


def error_text(error: BaseException) -> str:
    """Return an exception of an author's code as text: its type, and its message if it has one."""
    try:
        return _LINK.sub("", f"{type(error).__name__}: {error}").rstrip(": ")
    except Exception:  # noqa: BLE001  the text of an error is code as well
        return type(error).__name__


def _dotted(source: str) -> str:
    """Return the file as a module that is imported from the current folder."""
    path = Path(source).resolve()
    parts = path.relative_to(Path.cwd()).with_suffix("").parts if path.is_relative_to(Path.cwd()) else ()
    name = ".".join(parts)
    return name if MODULE_NAME.fullmatch(name) else "package.module"


_OTHERS = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")} | {str(Path(__file__).parents[1])}
)


def is_user_file(file: str) -> bool:
    """Return whether a file belongs to the program, and not to Python, an installed package or turnwise."""
    return not file.startswith(("<", *_OTHERS))


# finding -----------------------------------------------------------------------------------------


def _flow_of(module: ModuleType, place: FlowPlace) -> Flow | Diagnostic:
    """Return the flow of that name, or the only one."""
    flows = {name: value for name, value in vars(module).items() if isinstance(value, Flow)}
    here = Span(place.file_or_module)
    if place.name:
        return _named(module, place, flows, here)
    single = {id(flow): flow for flow in flows.values()}
    if len(single) == 1:
        return next(iter(single.values()))
    if not flows:
        hint = "make one: flow = tw.Flow(…)"
        return problem("TW088", "there is no flow in this file", here, hint)
    hint = f"name one: {place.file_or_module}:{next(iter(flows))}"
    return problem("TW088", f"there are several flows: {', '.join(flows)}", here, hint)


def _named(module: ModuleType, place: FlowPlace, flows: Mapping[str, Flow], here: Span) -> Flow | Diagnostic:
    found: Any = module
    for part in place.name.split("."):
        if not hasattr(found, part):
            return problem("TW088", f"nothing is called '{place.name}' there", here, nearest(place.name, flows))
        found = getattr(found, part)
    if isinstance(found, Flow):
        return found
    kind = type(found).__name__
    return problem("TW088", f"'{place.name}' is no flow but of the type {kind}", here, nearest(place.name, flows))
