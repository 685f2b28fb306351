"""The types of the studio are those of the server's OpenAPI document."""

from __future__ import annotations

import subprocess
import sys

from support.shell import ROOT


def test_the_types_of_the_studio_are_generated_from_the_present_api() -> None:
    command = [sys.executable, "scripts/studio_types.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}: run `make types`"
