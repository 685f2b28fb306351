"""Scenario files as tests of pytest: a file is a module, a scenario an item."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import pytest

from turnwise.errors import TurnwiseError
from turnwise.runner.result import Turn
from turnwise.testing.asserting import why_not_in, why_not_taken
from turnwise.testing.coverage.report import shown_path
from turnwise.testing.play import Miss, Parts, Played, parts_of, play
from turnwise.testing.report import failures
from turnwise.testing.scenario import Scenario, ScenarioFile, read_scenarios


class ScenarioFailed(Exception):
    """A scenario did not come out as expected."""

    def __init__(self, played: Played) -> None:
        super().__init__(played.scenario.title)
        self.played = played


class ScenarioModule(pytest.File):
    """A scenario file."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its scenarios. Raises `CollectError` where the file as a whole is wrong."""
        try:
            file = read_scenarios(self.path)
            parts = parts_of(file)
        except TurnwiseError as error:
            raise self.CollectError(str(error)) from None
        for scenario in file.scenarios:
            of: dict[str, Any] = {"name": scenario.title, "file": file, "scenario": scenario, "parts": parts}
            yield ScenarioItem.from_parent(self, **of)  # pyright: ignore[reportUnknownMemberType]  pytest's own


class ScenarioItem(pytest.Item):
    """A scenario."""

    def __init__(self, *, file: ScenarioFile, scenario: Scenario, parts: Parts, **more: Any) -> None:
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]  pytest's own
        self.file = file
        self.scenario = scenario
        self.parts = parts

    def runtest(self) -> None:
        """Play it."""
        played = play(self.file, self.scenario, self.parts)
        if not played.passed:
            raise ScenarioFailed(played)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was not as expected, and why."""
        if isinstance(excinfo.value, ScenarioFailed):
            return "\n".join(_told(self.file, excinfo.value.played))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Where it stands."""
        return self.path, self.scenario.line - 1, f"scenario: {self.name}"


def _told(file: ScenarioFile, played: Played) -> Iterator[str]:
    yield from failures(Path(shown_path(str(file.path))), [played])
    for miss in played.misses:
        turn = _turn_of(played, miss)
        lines = _why(turn, miss) if turn is not None else []
        yield from (f"    {line}" for line in lines)


def _turn_of(played: Played, miss: Miss) -> Turn | None:
    steps = zip(played.scenario.steps, played.turns, strict=False)
    return next((turn for step, turn in steps if miss.line in step.expected), None)


def _why(turn: Turn, miss: Miss) -> list[str]:
    """Why a turn is not in the expected node, or did not take the expected transition."""
    line = miss.line
    if line.key == "node":
        return why_not_in(turn, line.value)
    return why_not_taken(turn, line.subject) if line.key == "transition" and line.value == "taken" else []
