"""Writes the TypeScript types of the API, `studio/src/api/schema.ts`, from the server's OpenAPI document.

python scripts/studio_types.py           write the types
python scripts/studio_types.py --check   exit 1 if the file differs from what the server has now
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import build_studio
from msgspec import Struct

from turnwise.server import openapi, wire
from turnwise.server.app import PREFIX, ROUTES


def main(arguments: list[str]) -> int:
    """Write or check the types; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(document()), "utf-8")
        node, _ = build_studio.find_node()
        command = [str(node), "scripts/types.mjs", str(file), *(["--check"] if "--check" in arguments else [])]
        return subprocess.run(command, cwd=build_studio.STUDIO, check=False).returncode


def document() -> dict[str, Any]:
    """Return the OpenAPI document, with the shapes of the wire that no operation names."""
    modules = [import_module(f"{wire.__name__}.{one.name}") for one in iter_modules(wire.__path__)]
    shapes = [
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == module.__name__
    ]
    return openapi.document([one for operations in ROUTES for one in operations], PREFIX, shapes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
