"""What the README says that its program and its flow print is what they print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.shell import ROOT, run

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Return the code blocks of the README in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_program_prints_what_stands_below_it() -> None:
    (program,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, timeout=120, check=True
    )
    assert done.stdout in blocks("text")


def test_why_prints_what_stands_below_the_flow(tmp_path: Path) -> None:
    (flow,) = [one for one in blocks("yaml") if one.startswith("flow:")]
    path = tmp_path / "intake.flow.yaml"
    path.write_text(flow, "utf-8")
    assert "no problems" in run("check", path).out
    said = re.search(r'A user says "(.*?)"', README)
    assert said is not None
    done = run("chat", path, given=f"{said[1]}\n/why\n".encode())
    assert done.out[done.out.index("after turn 2") :] in blocks("text")
