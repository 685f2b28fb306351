"""The package as its users import it: its public names are there, however its modules were imported before."""

from __future__ import annotations

import subprocess
import sys

import pytest

import turnwise as tw

FIRST = [
    "tw.load('tests/flows/health_intake.flow.yaml')",
    "tw.check('tests/flows/health_intake.flow.yaml')",
    "tw.Chat",
    "import turnwise.open",
    "import turnwise.check",
    "from turnwise.open import check, open as other",
    "import turnwise.testing.play, turnwise.cli.app",
    "pass",
]


@pytest.mark.parametrize("first", FIRST)
def test_open_and_check_are_the_functions_whatever_was_imported_before(first: str) -> None:
    program = f"import turnwise as tw; {first}; assert callable(tw.open), tw.open; assert callable(tw.check), tw.check"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_there_and_what_is_not_public_is_refused() -> None:
    for name in tw.__all__:
        assert getattr(tw, name) is getattr(tw, name)
    assert set(tw.__all__) <= set(dir(tw))
    with pytest.raises(AttributeError, match="turnwise has no 'opne'"):
        _ = tw.opne  # type: ignore[attr-defined]
