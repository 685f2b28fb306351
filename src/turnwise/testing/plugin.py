"""The pytest plugin: scenario files as tests, fixtures, explained failures, coverage.

It is loaded with every run of pytest where turnwise is installed, so it imports nothing of turnwise until it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from turnwise.api.listeners import LISTENERS

if TYPE_CHECKING:
    from turnwise.api.sync import SyncApp, SyncChat
    from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding
    from turnwise.runner.clocks import ManualClock
    from turnwise.runner.result import Turn
    from turnwise.testing.coverage import Coverage

NOON_MS = 1_767_960_000_000
"""When the clock of a test begins, in milliseconds since 1970: noon of 9 January 2026, UTC."""
_KEPT = 20
"""How many turns of a test are remembered, to explain it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the command-line options and settings of the plugin to pytest."""
    group = parser.getgroup("turnwise")
    group.addoption("--turnwise", action="store_true", help="collect *.scenario files as tests")
    group.addoption(
        "--turnwise-coverage", action="store_true", help="report what the tests have not seen of their flows"
    )
    group.addoption("--turnwise-html", metavar="DIR", help="write the coverage as pages into a folder")
    group.addoption("--turnwise-fail-under", metavar="PERCENT", type=float, help="fail if less was seen than this")
    parser.addini("turnwise_scenarios", "collect *.scenario files as tests", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Collect the turns of this run, and forbid calls of real models unless `TURNWISE_NO_MODELS=0`.

    Raises `UsageError` if the pages of coverage cannot be written.
    """
    os.environ.setdefault("TURNWISE_NO_MODELS", "1")
    folder: str | None = config.getoption("--turnwise-html")
    if folder:
        from turnwise.errors import CannotWrite
        from turnwise.testing.coverage.page import make_folder

        try:
            make_folder(Path(folder))
        except CannotWrite as error:
            raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(_Watching(config), "turnwise-watching")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a scenario file if the options ask for it; `None` for other files."""
    config = parent.config
    if file_path.suffix != ".scenario" or not (config.getoption("--turnwise") or config.getini("turnwise_scenarios")):
        return None
    from turnwise.testing.scenario_items import ScenarioModule

    return ScenarioModule.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]  pytest's own


class _Watching:
    """Remembers the last turns of the tests in this process, and counts all of them."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.turns: list[Turn] = []
        self.coverage: Coverage | None = None
        self.parts: list[str] = []
        options = ("--turnwise-coverage", "--turnwise-html", "--turnwise-fail-under")
        self.is_counting = any(config.getoption(option) not in (None, False) for option in options)
        LISTENERS.append(self.watch)

    def watch(self, turn: Turn) -> None:
        """Remember a turn, and count it."""
        self.turns = [*self.turns[1 - _KEPT :], turn]
        if self.is_counting:
            self.counted().add(turn)

    def counted(self) -> Coverage:
        """The counts so far, of this process and of others."""
        if self.coverage is None:
            from turnwise.testing.coverage import Coverage

            self.coverage = Coverage()
        return self.coverage

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        """Each test begins without turns."""
        self.turns = []
        return (yield)

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> list[str] | None:
        """Explain a failed comparison with the node of a turn, or with the transitions that it took."""
        if not self.turns or op not in ("==", "in") or not isinstance(left, str):
            return None
        from turnwise.testing.asserting import explain_comparison

        return explain_comparison(self.turns, op, left, right)

    # coverage --------------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of a process of pytest-xdist that has ended."""
        written = getattr(node, "workeroutput", {}).get("turnwise_coverage")
        if written:
            self.counted().add_json(written)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the counts to the main process; there, write the pages and check the limit."""
        if not self.is_counting:
            return
        handed: dict[str, Any] | None = getattr(self.config, "workeroutput", None)
        if handed is not None:
            handed["turnwise_coverage"] = self.counted().to_json()
            return
        folder = self.config.getoption("--turnwise-html")
        if folder:
            from turnwise.testing.coverage.page import write_pages

            write_pages(self.counted().flows, Path(folder))
        if self.coverage_shortfall() and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def coverage_shortfall(self) -> str:
        """The message where too little was seen; empty otherwise."""
        from turnwise.testing.coverage.report import coverage_shortfall

        return coverage_shortfall(self.counted().flows, self.config.getoption("--turnwise-fail-under"))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The report, below the tests."""
        if not self.is_counting:
            return
        from turnwise.testing.coverage.report import lines

        terminalreporter.section("coverage of flows")
        for line in lines(self.counted().flows):
            terminalreporter.write_line(line)
        if self.coverage_shortfall():
            terminalreporter.write_line(self.coverage_shortfall(), red=True)

    def pytest_unconfigure(self) -> None:
        """Stop listening to turns."""
        LISTENERS.remove(self.watch)


# fixtures ----------------------------------------------------------------------------------------


@pytest.fixture
def turnwise_clock() -> ManualClock:
    """Provide a clock that stands at noon of 9 January 2026, UTC, until it is moved."""
    from turnwise.runner.clocks import ManualClock

    return ManualClock(NOON_MS)


@pytest.fixture
def scripted_model() -> Iterator[ScriptedModel]:
    """Provide a model that returns planned replies: `scripted_model.plan.append("Hello.")`; all must be requested."""
    from turnwise.models.scripted import ScriptedModel

    model = ScriptedModel()
    yield model
    model.assert_complete()


@pytest.fixture
def scripted_understanding() -> Iterator[ScriptedUnderstanding]:
    """Provide an understanding that returns planned commands, message by message; all must be requested."""
    from turnwise.models.scripted import ScriptedUnderstanding

    understanding = ScriptedUnderstanding()
    yield understanding
    understanding.assert_complete()


@pytest.fixture
def turnwise_chat(request: pytest.FixtureRequest, turnwise_clock: ManualClock) -> Iterator[Callable[..., SyncChat]]:
    """Provide a function that opens a flow for a test and takes the arguments of `tw.open_sync`.
    `turnwise_chat("intake.flow.yaml")` returns one conversation of it, a `SyncChat`; its `app` has more. A path may
    begin at the folder of the test. The store is in memory, the clock is `turnwise_clock`.
    """
    from turnwise.api.open import open_sync

    opened: list[SyncApp] = []

    def open_chat(flow: Any, **parts: Any) -> SyncChat:
        beside = request.path.parent / flow if isinstance(flow, str | Path) else None
        found = beside if beside is not None and beside.is_file() else flow
        parts.setdefault("clock", turnwise_clock)
        opened.append(open_sync(found, **parts))
        return opened[-1].chat("test")

    yield open_chat
    for one in opened:
        one.close()
