"""An earlier version of turnwise, built as a wheel from the commit that `tests/compat/commit` names, and unpacked once."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMIT = ROOT / "tests" / "compat" / "commit"


def earlier() -> Path:
    """The folder of its package, for PYTHONPATH; skips the test where the commit is not here."""
    commit = COMMIT.read_text().strip()
    folder = Path(tempfile.gettempdir()) / f"turnwise-of-{commit}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _build(commit, folder)
    return folder


def _build(commit: str, folder: Path) -> None:
    known = subprocess.run(["git", "cat-file", "-e", commit], cwd=ROOT, capture_output=True, check=False)
    if known.returncode:
        pytest.skip(f"the commit {commit[:8]} of tests/compat/commit is not in this copy of the repository")
    with tempfile.TemporaryDirectory() as made:
        sources, wheels = Path(made) / "sources", Path(made) / "wheels"
        sources.mkdir()
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
        subprocess.run(["tar", "x"], cwd=sources, input=archive, check=True)
        program = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)]
        subprocess.run(
            program, cwd=sources, env={**os.environ, "TURNWISE_STUDIO": "skip"}, check=True, capture_output=True
        )
        with zipfile.ZipFile(next(wheels.glob("*.whl"))) as wheel:
            wheel.extractall(Path(made) / "package")
        shutil.move(Path(made) / "package", folder)
