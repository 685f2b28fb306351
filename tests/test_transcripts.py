"""Transcripts: every scenario file here and of the examples is played, and comes out as it stands there.

A file whose name begins with `law-2-4-` shows law 2.4; its lines `# requirement: 004-60 004-54` name the rows
of the requirements that it shows. `turnwise test --rewrite tests/transcripts` writes down what comes out, for
review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plugins.requirements import rows_shown
from turnwise.testing.play import play_file
from turnwise.testing.report import failure_lines
from turnwise.testing.scenario import read_scenarios

TESTS = Path(__file__).parent
FOLDERS = (TESTS / "transcripts", TESTS.parent / "examples")
_LAW = re.compile(r"law-(\d+)-(\d+[a-z]?)-")


def _files() -> Iterator[Any]:
    for path in (path for folder in FOLDERS for path in sorted(folder.rglob("*.scenario"))):
        found = _LAW.match(path.name)
        marks = [pytest.mark.law(f"{found[1]}.{found[2]}")] if found else []
        if shown := rows_shown(path):
            marks.append(pytest.mark.requirement(*shown))
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", list(_files()))
def test_a_transcript_comes_out_as_it_stands(path: Path) -> None:
    played = play_file(read_scenarios(path))
    assert played, "a file without a scenario shows nothing"
    assert all(one.scenario.steps for one in played)
    assert all(any(step.expected for step in one.scenario.steps) for one in played)
    assert all(one.passed for one in played), "\n" + "\n".join(failure_lines(path, played))
