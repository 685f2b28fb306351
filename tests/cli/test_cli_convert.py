"""`turnwise convert`: from any form into any other, and what is told of code."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from support.shell import ROOT, run

EXAMPLE = ROOT / "examples" / "eligibility" / "eligibility.flow.yaml"
CODE = """\
import turnwise as tw


class User(tw.Record):
    age: int | None = tw.field(ge=0)


@tw.guard(to=["b"])
def route(user: User) -> str | None:
    return None


@tw.tool
def think(thought: str) -> None: ...


flow = tw.Flow(
    "intake",
    start="a",
    records=[User],
    tools=[think],
    nodes=[tw.Node("a", prompt="Ask.", before=[route]), tw.Node("b", say="Bye.", end="x")],
)
"""


@pytest.mark.parametrize("first", ["yaml", "json", "dygram", "python"])
@pytest.mark.parametrize("second", ["yaml", "json", "dygram", "python"])
def test_a_flow_stays_the_same_from_form_to_form(first: str, second: str, tmp_path: Path) -> None:
    suffixes = {"yaml": "flow.yaml", "json": "flow.json", "dygram": "dy", "python": "py"}
    one, two = tmp_path / f"one.{suffixes[first]}", tmp_path / f"two.{suffixes[second]}"
    for source, target in ((EXAMPLE, one), (one, two)):
        done = run("convert", source, "-o", target)
        assert (done.code, done.out, done.err) == (0, "", "")
    assert tw.load(two) == tw.load(EXAMPLE)
    assert run("convert", two, "--to", second).out == two.read_text("utf-8")


@pytest.mark.parametrize("form", ["yaml", "json", "python"])
def test_a_document_from_standard_input_is_converted_onto_standard_output(form: str) -> None:
    expected = run("convert", EXAMPLE, "--to", form).out
    for out in ((), ("-o", "-")):
        done = run("convert", "-", "--to", form, *out, given=EXAMPLE.read_bytes())
        assert (done.code, done.out, done.err) == (0, expected, "")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (b"", "<stdin>:1:1: TW007 there is nothing in it"),
        (
            b"flow: a\nstrat: b\n",
            "<stdin>:1:1: TW013 a flow needs 'start': its first node\n<stdin>:2:1: TW010 a flow has no key 'strat'",
        ),
        (b"flow: \xff", "<stdin>:1:7: TW001 byte 0xff is not UTF-8"),
    ],
)
@pytest.mark.parametrize("command", [("convert", "-", "--to", "json"), ("draw", "-")])
def test_what_is_wrong_with_standard_input_is_told_with_its_place(
    command: tuple[str, ...], given: bytes, expected: str
) -> None:
    done = run(*command, given=given)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(expected)


def test_a_file_that_is_there_is_replaced_only_if_that_is_said(tmp_path: Path) -> None:
    there = tmp_path / "flow.json"
    there.write_text("mine", "utf-8")
    refused = run("convert", EXAMPLE, "-o", "flow.json", at=tmp_path)
    assert (refused.code, refused.err) == (1, "flow.json: there is such a file already; --force replaces it\n")
    assert there.read_text("utf-8") == "mine"
    assert run("convert", EXAMPLE, "-o", "flow.json", "--force", at=tmp_path).code == 0
    assert tw.load(there) == tw.load(EXAMPLE)


@pytest.mark.parametrize("form", ["yaml", "json", "python"])
def test_code_is_named_and_told(form: str, tmp_path: Path) -> None:
    (tmp_path / "intake.py").write_text(CODE, "utf-8")
    done = run("convert", "intake.py", "--to", form, at=tmp_path)
    assert done.code == 0
    assert done.err.splitlines() == [
        f"the guard 'route' is code (intake.py:9): {form} names it; supply it with --python, or tw.open(…, guards=[…])",
        f"the tool 'think' is code (intake.py:13): {form} names it; supply it with --python, or tw.open(…, tools=[…])",
    ]
    target = tmp_path / f"out.{'py' if form == 'python' else form}"
    target.write_text(done.out, "utf-8")
    assert tw.load(target) == tw.load(tmp_path / "intake.py")
    assert run("check", target.name, "--python", "intake.py", at=tmp_path).code == 0


def test_what_cannot_be_converted_is_told(tmp_path: Path) -> None:
    (tmp_path / "lambda.py").write_text(CODE.replace("before=[route]", "before=[lambda user: True]"), "utf-8")
    (tmp_path / "wrong.py").write_text(CODE.replace('say="Bye."', "say=3"), "utf-8")
    for args, expected in [
        (("lambda.py", "--to", "yaml"), "TW016 '<lambda>' is no name"),
        (("wrong.py", "--to", "json"), "wrong.py:22:"),
        (("gone.yaml", "--to", "json"), "gone.yaml: TW001 there is no such file"),
        ((EXAMPLE, "--to", "yam"), "no form is called 'yam'; did you mean 'yaml'?"),
        ((EXAMPLE,), "name the form to write with --to: yaml, json, dygram, python"),
    ]:
        done = run("convert", *args, at=tmp_path)
        assert (done.code, done.out) == (2 if "form" in expected else 1, "")
        assert expected in done.err
