"""Python files named on the command line, and the guards that they supply."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from turnwise.errors import TurnwiseError
from turnwise.flow.code import PythonGuard


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
    return [value for value in vars(module).values() if isinstance(value, PythonGuard)]
