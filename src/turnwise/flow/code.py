"""Python functions that a flow names: what is known about each, beside the function itself.

A document never supplies one; only code does, and loading a document runs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PythonGuard:
    """A pure function that judges transitions.

    `targets` are the nodes it may name; without any it gives true or false. `parameters` are the
    records and roots that it asks for. `source` is its text, or why there is none.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    targets: tuple[str, ...] = ()
    source: str = ""
    has_source: bool = True
    file: str = ""
    line: int = 0
    is_async: bool = False
