"""The virtual environments of the benchmarks: made when they are first needed, kept under `.bench/`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FOLDER = ROOT / ".bench" / "venvs"

OF_ADAPTER = {
    "plain_limit": "base",
    "turnwise": "turnwise",
    "langgraph": "langgraph",
    "burr": "burr",
    "pydantic_ai": "pydantic-ai",
    "openai_agents": "openai-agents",
    "google_adk": "google-adk",
    "llama_workflows": "llama",
    "crewai_flow": "crewai",
    "transitions_fsm": "fsm",
    "statemachine_fsm": "fsm",
    "pipecat_flows": "pipecat",
}
"""The environment of each adapter."""


def make(names: Iterable[str], folder: Path = FOLDER) -> dict[str, Path]:
    """The interpreters of these environments; one that could not be made is not among them."""
    wanted = list(dict.fromkeys(names))
    done = subprocess.run(["sh", HERE / "make_venvs.sh", "-d", folder, *wanted], check=False)
    if done.returncode == 2:
        sys.exit(2)
    return {name: python(name, folder) for name in wanted if (folder / f"{name}.made").exists()}


def python(name: str, folder: Path = FOLDER) -> Path:
    """The interpreter of an environment."""
    return folder / name / "bin" / "python"


def variables(name: str) -> dict[str, str]:
    """The variables of a process in an environment: turnwise is read from this checkout, nothing else is."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    return {**kept, "PYTHONPATH": str(ROOT / "src")} if name in ("turnwise", "server") else kept
