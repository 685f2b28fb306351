"""Flows as Python source: running it gives the same flow, and formatters and linters have nothing to say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import turnwise as tw
from strategies.flows import flows, flows_with
from turnwise.authoring.document import read_document
from turnwise.authoring.python_text import write_python
from turnwise.flow.model import Flow, Record
from turnwise.flow.shapes import SHAPES

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["tests/flows/health_intake.flow.yaml", "examples/eligibility/eligibility.flow.yaml"]


def run(text: str) -> Flow:
    names: dict[str, Any] = {"__name__": "written"}
    exec(compile(text, "written.py", "exec", dont_inherit=True), names)
    return names["flow"]


@given(flows())
@settings(deadline=None)
def test_running_what_was_written_gives_the_same_flow(flow: Flow) -> None:
    assert run(write_python(flow)) == flow


@pytest.mark.parametrize("shape", SHAPES)
@given(st.data())
@settings(max_examples=12 if settings.default.max_examples < 1000 else 400, deadline=None)
def test_an_object_of_every_class_survives(shape: str, data: st.DataObject) -> None:
    flow = data.draw(flows_with(shape))
    assert run(write_python(flow)) == flow


def field(**parts: Any) -> Flow:
    return Flow("f", "a", records=[Record("health_plan", [tw.Field(**{"name": "x"} | parts)])])


KINDS = st.sampled_from(["string", "integer", "number", "boolean", "date", "time", "datetime", "duration", "email", "phone", "choice", "list"])  # fmt: skip
WORDS = st.sampled_from(["a", "b", 'say "c"', "d'e", "f\\g", "ü", "\n"])


@given(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["x", "date", "copy", "class", "_x", "model_x"]), "type": KINDS},
        optional={
            "of": KINDS.filter(lambda kind: kind != "list"),
            "options": st.lists(st.builds(tw.Option, WORDS, st.lists(WORDS, max_size=1)), max_size=3),
            "min": st.integers(-2, 2) | st.floats(0, 1) | st.just("2026-01-01"),
            "max": st.integers(-2, 2),
            "pattern": WORDS,
            "about": WORDS,
            "default": st.sampled_from([0, "", [], {}, False, "x", [1], None]),
            "value": WORDS,
            "secret": st.booleans(),
            "validate": WORDS | st.just((tw.Condition("tool_used", "think", 3),)),
            "refuse": WORDS,
        },
    )
)
@example({"type": "list", "of": "email"})
@example({"type": "choice", "options": ["a", "a"]})
def test_a_field_in_a_class_says_what_it_said(parts: dict[str, Any]) -> None:
    flow = field(**parts)
    assert run(write_python(flow)) == flow


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_written_is_clean(document: str, tmp_path: Path) -> None:
    file = tmp_path / "written.py"
    file.write_text(write_python(tw.load(ROOT / document)), "utf-8")
    ruff = [str(Path(sys.executable).parent / "ruff")]
    for command in (["format", "--check", "--isolated"], ["check", "--isolated", "--select", "E4,E7,E9,F,I,UP,B"]):
        done = subprocess.run([*ruff, *command, "--no-cache", str(file)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) in ((0, "All checks passed!\n"), (0, "1 file already formatted\n"))
    assert run(file.read_text("utf-8")) == tw.load(ROOT / document)


@given(flows())
@example(Flow("a", "b", tools=[tw.Tool("a", about="日本語"), tw.Tool("user", about="yes", timeout_s=0.01)]))
@settings(max_examples=10, deadline=None)
def test_any_flow_is_written_as_formatters_write_it(flow: Flow) -> None:
    ruff = str(Path(sys.executable).parent / "ruff")
    text = write_python(flow)
    done = subprocess.run(
        [ruff, "format", "--isolated", "--stdin-filename", "x.py", "-"],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == text


WRITTEN = '''\
"""The flow intake."""

from typing import Literal

import turnwise as tw

# supplied by code: import each function, and give it instead of its name
#   route


class User(tw.Record):
    age: int | None = tw.field(ge=0)
    size: Literal["S", "L"] | None = tw.field("S")


class Plan(tw.Record, name="plan_"):
    text: str | None = None


ask = tw.Node(
    "ask",
    prompt=(
        "Ask for the age, and be as brief as you can be in all that you say.\\n"
        "Then stop.\\n"
    ),
    collect=[User, "plan_.text"],
    before=[tw.Transition(guard="route")],
    after=[tw.Transition(to="class")],
)
class_ = tw.Node("class", say="Bye.", end="done", timeout_s="30m")
flow = tw.Flow("intake", start="ask", records=[User, Plan], nodes=[ask, class_])
'''


def test_this_is_how_it_looks() -> None:
    document = """
flow: intake
start: ask
records:
  user: {age: {type: integer, min: 0}, size: {type: choice, options: [S, L], default: S}}
  plan_: {text: string}
nodes:
  ask:
    prompt: |
      Ask for the age, and be as brief as you can be in all that you say.
      Then stop.
    collect: [user, plan_.text]
    transitions: [{at: before, guard: route}, {to: class}]
  class: {say: Bye., timeout: 30m, end: done}
"""
    assert write_python(read_document(document, "x").flow) == WRITTEN


def test_what_is_no_flow_is_refused() -> None:
    with pytest.raises(tw.WrongArgument):
        write_python(3)  # type: ignore[arg-type]
    with pytest.raises(tw.FlowError):
        write_python(tw.Flow("f", start=3.5, nodes=["a"]))  # type: ignore[list-item]
