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
node: expert
transition done: taken
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
    assert "because   case.urgency is not asked" not in text, "the line above says it already"
    assert "why:      expert was never entered: expert did not hold, because it needs case.insurance_history" in text
    assert "why:      done was not judged in turn 3: it is judged when the work of the node is done" in text


def test_the_reader_of_a_missed_value_is_named(tmp_path: Path) -> None:
    flow = """
      flow: parcel
      start: ask
      records: {parcel: {city: {type: string}, weight: {type: integer}}}
      nodes:
        ask:
          form: {fields: [{field: parcel.city, ask: Which city?}, {field: parcel.weight, ask: How heavy is it?}]}
    """
    file = tmp_path / "one.scenario"
    file.write_text(
        f"flow:{flow}\nscenario: the rules\nuser: hello\nuser: Oslo\nuser: it weighs 12\nfield parcel.weight: 13\n"
        "\nscenario: a script\nuser: hello\nuser: Oslo\nunderstand: set(parcel.weight, 12)\nuser: a dozen\n"
        "field parcel.weight: 13\n"
    )
    text = run("test", file).out
    assert "parcel.weight was set to 12, as the rules understood it" in text
    assert "as the program's own function understood it" in text
