"""The page that compares turnwise with other frameworks shows what its programs print, and code that they have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.shell import ROOT, run

PAGE = (ROOT / "docs" / "compared.md").read_text("utf-8")
FOLDER = ROOT / "benchmarks" / "compared"
VENVS = Path(os.environ.get("TURNWISE_PEERS", str(ROOT / ".bench" / "venvs")))
"""Where `benchmarks/make_venvs.sh` makes the environments."""
PYTHONS = {
    "turnwise": Path(sys.executable),
    **{
        name: VENVS / name.replace("_", "-") / "bin" / "python"
        for name in ("langgraph", "burr", "google_adk", "pipecat")
    },
}
OUTPUTS = re.findall(r'^```text title="?(with_(\w+)\.py)( kill)?"?\n(.*?)^```', PAGE, re.DOTALL | re.MULTILINE)
CODE = re.findall(r"^```py title=(\w+\.py)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def printed(program: str, name: str, folder: Path, *, kills: bool) -> str:
    """Return what a program prints, after it was killed once if `kills`."""
    python = PYTHONS[name]
    if not python.exists():
        pytest.skip(f"{name} is not installed: sh benchmarks/make_venvs.sh")
    words = [str(python), str(FOLDER / program), str(folder)]
    if kills:
        assert subprocess.run([*words, "kill"], capture_output=True, timeout=300, check=False).returncode == 9
    return subprocess.run(words, capture_output=True, text=True, timeout=300, check=True).stdout


@pytest.mark.parametrize(("program", "name", "kills", "shown"), OUTPUTS, ids=lambda one: str(one)[:20])
def test_the_page_shows_what_its_programs_print(
    program: str, name: str, kills: str, shown: str, tmp_path: Path
) -> None:
    found = printed(program, name, tmp_path, kills=bool(kills))
    missing = [line for line in shown.splitlines() if line.rstrip() not in map(str.rstrip, found.splitlines())]
    assert not missing, found


@pytest.mark.parametrize(("program", "code"), CODE, ids=[program for program, _ in CODE])
def test_the_code_of_the_page_is_in_its_programs(program: str, code: str) -> None:
    assert code in (FOLDER / program).read_text("utf-8")


@pytest.mark.parametrize("name", ["langgraph", "burr", "google_adk", "pipecat"])
def test_the_page_counts_the_lines_of_the_programs(name: str) -> None:
    lines = len((FOLDER / f"with_{name}.py").read_text("utf-8").splitlines())
    assert re.search(rf"with_{name}\.py\) \| {lines} \|", PAGE), lines
    flow = (FOLDER / "refund.flow.yaml").read_text("utf-8")
    assert f"| {len(flow.splitlines())} of YAML" in PAGE


def test_our_flow_has_its_scenarios() -> None:
    assert run("check", "--strict", FOLDER / "refund.flow.yaml").code == 0
    assert run("test", FOLDER).code == 0
