"""Loads the programs of `scripts/`, which is no package."""

from __future__ import annotations

import importlib.util
from types import ModuleType

from support.shell import ROOT


def load_script(name: str) -> ModuleType:
    """A program as a module of its own, so that a test may change its names."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
