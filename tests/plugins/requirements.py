"""Which rows of the requirements the tests show.

A test says so with `@pytest.mark.requirement("000-07")`, a scenario file with `# requirement: 000-07`; an id
that `requirements.toml` does not have fails the collection. After a run, `.report/requirements.json` holds what became
of each row. Run as a program (`make requirements`), it runs the marked tests and prints the rows that no passing test
shows, grouped by what they wait for.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "requirements.toml"
REPORT = ROOT / ".report" / "requirements.json"
MARKER = "requirement"
_SHOWN = re.compile(rf"^# *{MARKER}:(.*)$", re.MULTILINE)


def rows() -> dict[str, dict[str, object]]:
    """The rows by id: seed, title, and what each waits for."""
    return tomllib.loads(TABLE.read_text("utf-8"))


class Requirements:
    """The plugin: it checks the markers and writes down what became of each row."""

    def __init__(self) -> None:
        self.known = rows()
        self.marked: set[str] = set()
        self.outcomes: dict[str, dict[str, str]] = defaultdict(dict)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Refuse unknown ids; tell each test's report which rows it shows."""
        unknown: list[str] = []
        for item in items:
            ids = ids_of(item)
            unknown += [f"{item.nodeid}: no requirement has the id {one!r}" for one in ids if one not in self.known]
            self.marked.update(ids)
            item.user_properties += [(MARKER, one) for one in ids]
        if unknown:
            raise pytest.UsageError("\n".join(unknown))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome of a test for its rows; what fails in any phase has failed."""
        for name, one in report.user_properties:
            if name == MARKER and (report.when == "call" or report.outcome != "passed"):
                self.outcomes[str(one)][report.nodeid] = report.outcome

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report, unless this is a worker or nothing was run."""
        if hasattr(session.config, "workerinput") or session.config.option.collectonly or not self.outcomes:
            return
        REPORT.parent.mkdir(exist_ok=True)
        found = {one: {**row, "tests": self.outcomes.get(one, {})} for one, row in self.known.items()}
        REPORT.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def ids_of(item: pytest.Item) -> list[str]:
    """The rows that a test says it shows."""
    return list(dict.fromkeys(str(one) for mark in item.iter_markers(MARKER) for one in mark.args))


def rows_shown(scenarios: Path) -> list[str]:
    """The rows that a scenario file says it shows: in lines `# requirement: 004-60 004-54`."""
    found = _SHOWN.findall(scenarios.read_text("utf-8"))
    return list(dict.fromkeys(one for line in found for one in line.split()))


def not_shown(report: dict[str, dict[str, object]]) -> list[str]:
    """The rows without a passing test, or with a failing one."""
    return [one for one, row in report.items() if "passed" not in _results(row) or "failed" in _results(row)]


def _results(row: dict[str, object]) -> Iterable[object]:
    tests = row["tests"]
    return tests.values() if isinstance(tests, dict) else ()


def summary(report: dict[str, dict[str, object]]) -> str:
    """The rows that are not shown, grouped by what they wait for, with counts."""
    groups: dict[str, list[str]] = defaultdict(list)
    missing = not_shown(report)
    for one in missing:
        needs = report[one]["needs"]
        groups[" + ".join(map(str, needs)) if isinstance(needs, list) else ""].append(one)
    lines = [f"{len(report) - len(missing)} of {len(report)} rows are shown by a passing test"]
    for needs, found in sorted(groups.items(), key=lambda group: (group[0] != "nothing", -len(group[1]))):
        lines.append(f"\n{needs}: {len(found)}")
        lines += [f"  {one}  {report[one]['title']}{_reason(report[one])}" for one in found]
    return "\n".join(lines)


def _reason(row: dict[str, object]) -> str:
    """Why no test can show a row; empty where one can."""
    return f": {row['reason']}" if "reason" in row else ""


def main() -> int:
    """Run the marked tests and print what is not shown."""
    REPORT.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-m", MARKER, "--no-header", "--tb=line"]
    done = subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1, _NOTHING_RUN):
        print(done.stdout + done.stderr)
    for line in done.stdout.splitlines():
        if line.startswith(("FAILED", "ERROR")):
            print(line)
    nothing_run = {one: {**row, "tests": {}} for one, row in rows().items()}
    print(summary(json.loads(REPORT.read_text("utf-8")) if REPORT.is_file() else nothing_run))
    return 0


_NOTHING_RUN = 5
"""What pytest says when no test was selected."""


if __name__ == "__main__":
    raise SystemExit(main())
