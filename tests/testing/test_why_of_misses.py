"""A scenario that misses a value says why the value is as it is."""

from __future__ import annotations

from pathlib import Path

from support.shell import run

ROOT = Path(__file__).parents[2]
SCENARIO = f"""flow: {ROOT}/examples/eligibility/eligibility.flow.yaml

scenario: the purpose is another one
user: hello
user: Yes
user: there were some problems once, so partial
field case.insurance_history: No
field case.urgency: Urgent
"""


def test_a_missed_value_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "one.scenario"
    file.write_text(SCENARIO, "utf-8")
    ran = run("test", file)
    assert ran.code == 1
    text = ran.out + ran.err
    assert "why:      case.insurance_history was set to Partial" in text
    assert "because   the user said “there were some problems once, so partial”" in text
    assert "why:      case.urgency has no value" in text
