"""Suggests a file or module for a path that does not exist: the nearest one that may contain a flow.

Only a document that cannot be read loads this module. It imports none of the modules that it names.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec, PathFinder
from itertools import islice
from pathlib import Path
from pkgutil import iter_modules

from turnwise.flow.diagnostic import nearest_name

_NAME = r"[A-Za-z_]\w*"
MODULE_NAME = re.compile(rf"{_NAME}(\.{_NAME})*")
"""Matches the name of a Python module."""
_MOST_FILES = 5000


def hint_for_file(path: str | Path, suffixes: tuple[str, ...]) -> str:
    """Return a hint for the path of a missing file; empty if there is no suggestion. A flow has one of `suffixes`."""
    text, suffix = str(path), Path(path).suffix
    if MODULE_NAME.fullmatch(text) and suffix not in suffixes:
        found = _spec(text)
        if found is not None and found.origin is not None and (hint := _as_module(text, Path(found.origin))):
            return hint
    known = {_stem(name, suffixes): name for name in _files(Path(text).parent, suffixes)}
    near = nearest_name(_stem(Path(text).name, suffixes), known)
    if near:
        return f"did you mean '{Path(text).with_name(known[near])}'?"
    if MODULE_NAME.fullmatch(text) and suffix and suffix not in suffixes:
        return hint_for_module(text) or f"a file is named with its ending, and a module with its flow: {text}:flow"
    return ""


def hint_for_folder(path: str | Path, suffixes: tuple[str, ...]) -> str:
    """Return a hint for the path of a folder, which names a flow in the folder; empty if the folder has none. A flow
    has one of `suffixes`.
    """
    known = [name for name in _files(Path(path), suffixes) if ".flow." in name]
    return f"name a flow in it, such as '{Path(path) / known[0]}'" if known else ""


def hint_for_module(module: str, flow: str = "flow") -> str:
    """Return a hint for a missing module: the most similar name, or a file of that name; empty if there is none. `flow`
    is the name of the flow in the module.
    """
    if Path(module).is_file():
        return f"a document holds one flow: leave ':{flow}' out"
    parts = module.split(".")
    for number, part in enumerate(parts):
        if _spec(".".join(parts[: number + 1])) is None:
            near = nearest_name(part, _modules(".".join(parts[:number])))
            meant = ".".join([*parts[:number], near, *parts[number + 1 :]])
            return f"did you mean '{meant}:{flow}'?" if near else ""
    return ""


def _stem(name: str, suffixes: tuple[str, ...]) -> str:
    """Return the name of a file without the ending that many share."""
    return name.removesuffix(next((one for one in suffixes if name.endswith(one)), "")).removesuffix(".flow")


def _files(folder: Path, suffixes: tuple[str, ...]) -> list[str]:
    """Return the files of a folder that may hold flows."""
    try:
        return sorted(one.name for one in islice(folder.iterdir(), _MOST_FILES) if one.suffix in suffixes)
    except OSError:
        return []


def _spec(module: str) -> ModuleSpec | None:
    """Return where a module would be imported from, found without importing any; `None` where there is none."""
    places: Iterable[str] = [str(Path.cwd()), *sys.path]
    found: ModuleSpec | None = None
    parts = module.split(".")
    for number in range(len(parts)):
        found = PathFinder.find_spec(".".join(parts[: number + 1]), [*places])
        if found is None:
            return None
        places = found.submodule_search_locations or ()
    return found


def _modules(package: str) -> list[str]:
    """Return the modules of a package; those of the current folder where none is named."""
    found = _spec(package) if package else None
    places = [str(Path.cwd())] if not package else (found.submodule_search_locations or ()) if found else ()
    return [one.name for one in islice(iter_modules([*places]), _MOST_FILES)]


def _as_module(module: str, file: Path) -> str:
    """Return a hint how to name a module or its file; empty if it is installed and has no flow."""
    is_near = file.is_relative_to(Path.cwd())
    flow = _flow_in(file) or ("flow" if is_near else "")
    shown = file.relative_to(Path.cwd()) if is_near else file
    hint = f"a module is named with its flow, '{module}:{flow}', and a file with its ending, '{shown}'"
    return hint if flow else ""


def _flow_in(file: Path) -> str:
    """Return the name that the source of a module gives to a flow, empty where it makes none."""
    try:
        made = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""
    for one in made:
        match one:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(_, "Flow") | ast.Name("Flow"))):
                return name
            case ast.AnnAssign(ast.Name(name), _, ast.Call(ast.Attribute(_, "Flow") | ast.Name("Flow"))):
                return name
            case _:
                pass
    return ""
