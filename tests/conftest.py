"""What all tests share: the markers that tie a test to a law or a row of the requirements, and how long to try."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from plugins.requirements import Requirements

_SLOW_STARTS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "ci", deadline=None, max_examples=25, derandomize=True, database=None, suppress_health_check=_SLOW_STARTS
)
settings.register_profile("soak", deadline=None, max_examples=5000, suppress_health_check=_SLOW_STARTS)
settings.load_profile("soak" if os.environ.get("TURNWISE_SOAK") == "1" else "ci")


def _in_memory(folder: Path = Path("/dev/shm"), room: int = 2 << 30) -> bool:
    """True if there is a file system in memory with room, from which programs may be run."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize > room and not found.f_flag & os.ST_NOEXEC


# Stores sync each turn, and no test is about a power cut: a process that is killed loses nothing of what is in memory.
if "TMPDIR" not in os.environ and _in_memory():
    os.environ["TMPDIR"] = tempfile.tempdir = "/dev/shm"

# Compile modules once for all workers and all processes that tests start, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


pytest_plugins = ["support.engines"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes `-n auto` begins: tests of pages, replicas and servers wait for half of their time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 2


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, and what becomes of the requirements."""
    gc.disable()
    config.addinivalue_line("markers", "requirement(*ids): shows these rows of the requirements, such as '001-03'")
    config.addinivalue_line("markers", "law(*ids): shows these numbered laws of a turn, such as '1.3'")
    config.pluginmanager.register(Requirements(), "requirements")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests of pages and of processes that are killed, each of which takes seconds: what comes last is
    short, so that no worker is left with a long rest.
    """
    long = ("tests/studio/", "tests/durability/")
    items.sort(key=lambda item: not item.nodeid.startswith(long))


def pytest_collection_finish() -> None:
    """Take the collected tests and all modules out of garbage collection: they live until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # little of what tests make is in circles
    gc.enable()


def _counted() -> dict[Path, int]:
    """What was counted in random machines, and when it was written."""
    found = (Path(__file__).parents[1] / ".report").glob("machines*.txt")
    return {path: path.stat().st_mtime_ns for path in found}


_BEFORE = _counted()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what occurred in the random machines of this run; any process may have tried them, so it is read."""
    for path, written_at in _counted().items():
        if _BEFORE.get(path) != written_at:
            terminalreporter.section("random machines")
            terminalreporter.write(path.read_text("utf-8"))
