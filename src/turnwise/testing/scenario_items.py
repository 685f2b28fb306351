"""Scenario files as pytest items."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import pytest

from turnwise.errors import TurnwiseError
from turnwise.testing.asserting import why_not_in, why_not_taken
from turnwise.testing.coverage.report import shown_path
from turnwise.testing.play import LinkedScenarios, PlayedScenario, link_scenarios, play
from turnwise.testing.report import failure_lines
from turnwise.testing.scenario import Scenario, ScenarioFile, read_scenarios


class ScenarioFailed(Exception):
    """The result of a scenario is not as expected."""

    def __init__(self, played: PlayedScenario) -> None:
        super().__init__(played.scenario.title)
        self.played = played


class ScenarioModule(pytest.File):
    """A scenario file as a pytest collector."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the scenarios of the file. Raises `CollectError` if the file as a whole is wrong."""
        try:
            file = read_scenarios(self.path)
            parts = link_scenarios(file)
        except TurnwiseError as error:
            raise self.CollectError(str(error)) from None
        for scenario in file.scenarios:
            of: dict[str, Any] = {"name": scenario.title, "file": file, "scenario": scenario, "parts": parts}
            yield ScenarioItem.from_parent(self, **of)  # pyright: ignore[reportUnknownMemberType]  pytest's own


class ScenarioItem(pytest.Item):
    """A scenario as a pytest item."""

    def __init__(self, *, file: ScenarioFile, scenario: Scenario, parts: LinkedScenarios, **more: Any) -> None:
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]  pytest's own
        self.file = file
        self.scenario = scenario
        self.parts = parts

    def runtest(self) -> None:
        """Play the scenario. Raises `ScenarioFailed` if an expectation is not met."""
        played = play(self.file, self.scenario, self.parts)
        if not played.passed:
            raise ScenarioFailed(played)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what was not as expected and why, as text."""
        if isinstance(excinfo.value, ScenarioFailed):
            return "\n".join(_report(self.file, excinfo.value.played))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Return the path of the scenario, its line (from 0) and its title."""
        return self.path, self.scenario.line - 1, f"scenario: {self.name}"


def _report(file: ScenarioFile, played: PlayedScenario) -> Iterator[str]:
    """Return the unmet expectations, and why a turn is not in the expected node or did not take the transition."""
    yield from failure_lines(Path(shown_path(str(file.path))), [played])
    for miss in played.misses:
        steps = zip(played.scenario.steps, played.turns, strict=False)
        turn = next((turn for step, turn in steps if miss.line in step.expected), None)
        if turn is not None and miss.line.key == "node":
            yield from (f"    {line}" for line in why_not_in(turn, miss.line.value))
        elif turn is not None and miss.line.key == "transition" and miss.line.value == "taken":
            yield from (f"    {line}" for line in why_not_taken(turn, miss.line.subject))
