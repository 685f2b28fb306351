"""turnwise runs structured conversations for LLM agents, and can always say why.

The public names; each is imported when it is first used, so that `import turnwise` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.authoring.python import guard as guard
    from turnwise.core import commands as commands
    from turnwise.core.events import Button as Button
    from turnwise.core.explain.single import judge as judge
    from turnwise.core.link import link as link
    from turnwise.core.migration.verdict import Renaming as Renaming
    from turnwise.core.retain import Retention as Retention
    from turnwise.core.trace import Decision as Decision
    from turnwise.documents import check as check
    from turnwise.documents import load as load
    from turnwise.errors import TurnwiseError as TurnwiseError
    from turnwise.flow.diagnostic import Diagnostic as Diagnostic
    from turnwise.flow.diagnostic import FlowError as FlowError
    from turnwise.flow.model import Collect as Collect
    from turnwise.flow.model import Confirm as Confirm
    from turnwise.flow.model import Field as Field
    from turnwise.flow.model import Flow as Flow
    from turnwise.flow.model import Form as Form
    from turnwise.flow.model import FormField as FormField
    from turnwise.flow.model import Node as Node
    from turnwise.flow.model import Option as Option
    from turnwise.flow.model import Record as Record
    from turnwise.flow.model import Stop as Stop
    from turnwise.flow.model import Tool as Tool
    from turnwise.flow.model import Transition as Transition
    from turnwise.open import Chat as Chat
    from turnwise.open import open as open  # noqa: A004  `tw.open` is the name that users read
    from turnwise.open import open_archive as open_archive
    from turnwise.runner.clocks import ManualClock as ManualClock
    from turnwise.runner.result import Turn as Turn
    from turnwise.stores.sqlite import SqliteStore as SqliteStore

__version__ = "0.1.0"

_MODULES: dict[str, tuple[str, ...]] = {
    "turnwise.authoring.python": ("guard",),
    "turnwise.core.events": ("Button",),
    "turnwise.core.explain.single": ("judge",),
    "turnwise.core.link": ("link",),
    "turnwise.core.migration.verdict": ("Renaming",),
    "turnwise.core.retain": ("Retention",),
    "turnwise.core.trace": ("Decision",),
    "turnwise.documents": ("check", "load"),
    "turnwise.errors": ("TurnwiseError",),
    "turnwise.flow.diagnostic": ("Diagnostic", "FlowError"),
    "turnwise.flow.model": (
        "Collect",
        "Confirm",
        "Field",
        "Flow",
        "Form",
        "FormField",
        "Node",
        "Option",
        "Record",
        "Stop",
        "Tool",
        "Transition",
    ),
    "turnwise.open": ("Chat", "open", "open_archive"),
    "turnwise.runner.clocks": ("ManualClock",),
    "turnwise.runner.result": ("Turn",),
    "turnwise.stores.sqlite": ("SqliteStore",),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Button",
    "Chat",
    "Collect",
    "Confirm",
    "Decision",
    "Diagnostic",
    "Field",
    "Flow",
    "FlowError",
    "Form",
    "FormField",
    "ManualClock",
    "Node",
    "Option",
    "Record",
    "Retention",
    "SqliteStore",
    "Stop",
    "Tool",
    "Transition",
    "Turn",
    "TurnwiseError",
    "check",
    "commands",
    "guard",
    "judge",
    "link",
    "load",
    "open",
    "open_archive",
]


def __getattr__(name: str) -> Any:
    if name == "commands":
        return import_module("turnwise.core.commands")
    module = _WHERE.get(name)
    if module is None:
        raise AttributeError(f"turnwise has no '{name}'")
    found = getattr(import_module(module), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


class _Package(ModuleType):
    """This package: importing its modules `open` or `check` does not hide the functions of these names."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _WHERE and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
