"""The command `format`: writes documents in their canonical layout, or reports which are not in it."""

from __future__ import annotations

import sys
from pathlib import Path

from turnwise.api.output import STANDARD_STREAM, put_text
from turnwise.authoring.canonical import canonical_text
from turnwise.authoring.source import SUFFIXES, YAML, decode_source, read_source
from turnwise.cli.check import Checked, print_checked
from turnwise.cli.standard_input import read_standard
from turnwise.flow.diagnostic import Diagnostic


def run_format(files: list[Path], check: bool) -> int:
    """Format files in place, or with `check` list those that would change; return the exit code."""
    refused: list[Checked] = []
    changed: list[Path] = []
    for path in files:
        if str(path) == STANDARD_STREAM:
            changed += _format_standard(refused, check=check)
            continue
        text = read_source(path)
        found = [text] if isinstance(text, Diagnostic) else canonical_text(text, str(path))
        if isinstance(found, list):
            refused.append((str(path), text.splitlines() if isinstance(text, str) else [], found))
        elif path.read_bytes() != found.encode("utf-8"):
            changed.append(path)
            if not check:
                put_text(path, found)
    for path in [one for one in changed if check or str(one) != STANDARD_STREAM]:
        sys.stderr.write(f"{'would format' if check else 'formatted'} {path}\n")
    if refused:
        print_checked(refused, [one for _, _, problems in refused for one in problems])
    return 1 if refused or (check and changed) else 0


def _format_standard(refused: list[Checked], *, check: bool) -> list[Path]:
    """Print what standard input holds in its canonical layout; return it where that differs."""
    content, name = read_standard()
    name = name if name.endswith(SUFFIXES) else f"{name}{YAML[0]}"
    text = decode_source(content, name)
    found = [text] if isinstance(text, Diagnostic) else canonical_text(text, name)
    if isinstance(found, list):
        refused.append((name, text.splitlines() if isinstance(text, str) else [], found))
        return []
    if not check:
        put_text(None, found)
    return [] if content == found.encode("utf-8") else [Path(STANDARD_STREAM)]
