"""Known defects are planted at random places of sound flows: nearly all must be reported, with code and line.

150 of them, 3,000 with `TURNWISE_SOAK=1`; `PYTHONPATH=tests python -m check.planting 300 -v` prints each that was missed.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from check.defects import KINDS
from check.planting import LEAST, SOUND, plant, table
from turnwise.api.documents import check, check_text, load
from turnwise.authoring.yaml_text import write_yaml

COUNT = 3000 if os.environ.get("TURNWISE_SOAK") == "1" else 150


@pytest.mark.parametrize("path", SOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_sound_flow_gets_no_report(path: Path) -> None:
    assert check(path) == []
    written = check_text(write_yaml(load(path)).encode(), path.name)  # without the comments, which set hints aside
    assert list(written) == []


def test_planted_defects_are_reported_with_their_code_at_their_line() -> None:
    tried = list(plant(COUNT))
    print(table(tried))
    assert Counter(one.kind for one in tried).keys() == KINDS.keys()
    assert sum(one.is_told for one in tried) >= LEAST * len(tried), table(tried)


def test_no_kind_of_defect_is_overlooked() -> None:
    tried = list(plant(len(KINDS) * 2, seed=1))
    told = Counter(one.kind for one in tried if one.is_told)
    assert set(told) == set(KINDS), table(tried)
