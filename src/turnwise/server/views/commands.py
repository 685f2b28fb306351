"""Commands of the terminal that do what a view of the studio does. Each can be pasted into a POSIX shell as it is."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.json import encode

from turnwise.core.machine import Machine
from turnwise.runner.ports import Store
from turnwise.runner.store_upkeep import StoreUpkeep


def what_if_command(
    store: Store,
    machine: Machine,
    conversation: str | None,
    turn: int | None,
    values: Mapping[str, Any],
    rules: Mapping[str, str],
    *,
    is_local: bool,
) -> str:
    """Return the shell command `turnwise what-if` for a question; empty where no other process can open the store.
    Only local readers (`is_local`) learn where the files of the server are; for others the command takes the store from
    the variable `TURNWISE_STORE`.
    """
    if not isinstance(store, StoreUpkeep):
        return ""
    parts = ["turnwise", "what-if"]
    if is_local:
        parts += ["--store", store.address]
    if is_local and (python := _python_file(machine)):
        parts += ["--python", python]
    if turn is not None:
        parts += ["--turn", str(turn)]
    for field, value in values.items():
        parts += ["--set", f"{field}={_argument(value)}"]
    for transition, guard in rules.items():
        parts += ["--rule", f"{transition}={guard}"]
    if conversation is not None:
        parts += ["--", conversation] if conversation.startswith("-") else [conversation]
    return shlex.join(parts)


def _argument(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else encode(value).decode()


def _python_file(machine: Machine) -> str:
    """Return the file that defines the guards of a machine, empty if it has none or they are not in one file."""
    codes = [getattr(guard.original or guard.function, "__code__", None) for guard in machine.code.values()]
    files = {str(getattr(code, "co_filename", "")) for code in codes}
    path = Path(files.pop()) if len(files) == 1 else Path()
    return str(path.absolute()) if path.is_file() else ""
