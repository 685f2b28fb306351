"""Python code named on the command line: flows, and the guards that files supply."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from turnwise.documents import load, load_text
from turnwise.errors import TurnwiseError
from turnwise.flow.code import PythonGuard
from turnwise.flow.code import guards_of as carried_by
from turnwise.flow.model import Flow
from turnwise.output import STANDARD

_SLOW_S = 1.0


def flow_of(path: Path) -> Flow:
    """The flow that a path names, or of standard input for '-'; running Python code that takes long is told. Raises
    `FlowError`.
    """
    if str(path) == STANDARD:
        return load_text(sys.stdin.buffer.read(), "<stdin>")
    with told_if_slow(path):
        return load(path)


@contextmanager
def told_if_slow(path: Path) -> Generator[None, None, None]:
    """Say what is being waited for, where Python code takes its time."""
    is_python = ".py" in path.name or ":" in path.name
    timer = Timer(_SLOW_S, lambda: sys.stderr.write(f"{path}: the code is being run …\n"))
    timer.daemon = True
    if is_python:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def guards_of(path: Path | None) -> list[PythonGuard]:
    """The guards that a file defines. Raises `TurnwiseError` where it cannot be run."""
    if path is None:
        return []
    spec = importlib.util.spec_from_file_location(f"turnwise_supplied_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise TurnwiseError(f"{path}: there is no such Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  the file is the user's, and may raise anything
        raise TurnwiseError(f"{path}: the file cannot be run: {type(error).__name__}: {error}") from None
    values = list(vars(module).values())
    flows = [flow for flow in values if isinstance(flow, Flow)]
    found = [one for one in values if isinstance(one, PythonGuard)] + [
        one for flow in flows for one in carried_by(flow)
    ]
    return list({id(guard): guard for guard in found}.values())
