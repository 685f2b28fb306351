"""The command `format`: writes documents in their canonical layout, or reports which are not in it."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwise.api.output import put_text
from turnwise.authoring.canonical import canonical_text
from turnwise.authoring.source import read_source
from turnwise.cli.check import Checked, print_checked
from turnwise.flow.diagnostic import Diagnostic


def run_format(files: list[Path], check: bool) -> int:
    """Format files in place, or with `check` list those that would change; return the exit code."""
    refused: list[Checked] = []
    changed: list[Path] = []
    for path in files:
        text = read_source(path)
        found = [text] if isinstance(text, Diagnostic) else canonical_text(text, str(path))
        if isinstance(found, list):
            refused.append((str(path), text.splitlines() if isinstance(text, str) else [], found))
        elif path.read_bytes() != found.encode("utf-8"):
            changed.append(path)
            if not check:
                put_text(path, found)
    for path in changed:
        sys.stderr.write(f"{'would format' if check else 'formatted'} {path}\n")
    if refused:
        print_checked(refused, [one for _, _, problems in refused for one in problems])
    return 1 if refused or (check and changed) else 0
