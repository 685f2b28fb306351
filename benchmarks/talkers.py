"""Workers that play blocks of turns when they are asked to, so that engines can be measured in turns."""

from __future__ import annotations

import json
import subprocess

import venvs

FORM = {
    "langgraph": ("langgraph", "serve", "none", ""),
    "langgraph_form": ("langgraph", "serve-form", "none", ""),
    "form": ("turnwise", "serve-form", "none", ""),
    "guards": ("turnwise", "serve-form", "none", "guards"),
    "say": ("turnwise", "serve-form", "memory", ""),
}
"""Turns one after another."""
TURN = {
    "langgraph": ("langgraph", "serve", "none", ""),
    "core": ("turnwise", "serve", "none", "core"),
    "ours": ("turnwise", "serve", "none", ""),
    "say": ("turnwise", "serve", "memory", ""),
}
"""Turns with a tool call, one after another."""
TURN_ON_DISK = {
    "langgraph": ("langgraph", "serve", "sqlite", ""),
    "exit": ("langgraph", "serve", "sqlite", "exit"),
    "ours": ("turnwise", "serve", "sqlite", ""),
}
"""The same on SQLite."""
MANY = {
    "langgraph": ("langgraph", "serve-w3", "sqlite", ""),
    "form": ("turnwise", "serve-form3", "sqlite", ""),
    "turn": ("turnwise", "serve-w3", "sqlite", ""),
}
"""Conversations at once."""


class Talker:
    """A worker that plays a block of turns whenever it is asked to."""

    def __init__(self, adapter: str, work: str, store: str, variant: str) -> None:
        environment = venvs.OF_ADAPTER[adapter]
        given = ["--adapter", adapter, "--work", work, "--store", store, "--variant", variant]
        self.process = subprocess.Popen(
            [venvs.python(environment), venvs.HERE / "worker.py", *given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=venvs.variables(environment),
        )
        self.answer()

    def block(self) -> float:
        """Microseconds per turn: the median of a block, or its whole time by the number of its turns."""
        return self.played()["us"]

    def played(self) -> dict[str, float]:
        """Play a block: its microseconds per turn, and where turns follow one another how many there were."""
        assert self.process.stdin is not None
        self.process.stdin.write("block\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> dict[str, float]:
        """The next line of the worker. Raises `RuntimeError` where it has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("a worker ended before its time")
        return json.loads(line)

    def close(self) -> None:
        """Let the worker end."""
        if self.process.poll() is None:
            self.process.communicate("end\n", timeout=60)
