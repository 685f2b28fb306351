"""Comments set warnings aside, with a reason; none is left that does nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwise.api.documents import check, check_text

FLOW = """\
flow: f
start: a
records: {{user: {{name: string}}}}
nodes:
  a:
    say: "Hello {{{{ user.name }}}}."{beside}
{above}
    end: done
"""


def found(beside: str = "", above: str = "", flow: str = FLOW) -> list[str]:
    return [f"{d.span.line}: {d.code}" for d in check_text(flow.format(beside=beside, above=above).encode(), "f.yaml")]


def test_a_warning_is_told() -> None:
    assert found() == ["6: TW058"]


@pytest.mark.parametrize(
    "comment",
    [
        "  # turnwise: ignore TW058 the host fills it",
        "  # turnwise:ignore tw058: the host fills it",
        "  # turnwise: ignore TW058, the host fills it",
    ],
)
def test_a_comment_in_its_line_sets_it_aside(comment: str) -> None:
    assert found(comment) == []


def test_a_comment_in_a_line_of_its_own_is_about_the_next_one() -> None:
    flow = FLOW.replace("    say:", "    # turnwise: ignore TW058 the host fills it\n\n    # (it does)\n    say:")
    assert found(flow=flow) == []
    assert found(above="    # turnwise: ignore TW058 the host fills it") == ["6: TW058", "7: TW081"]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# turnwise: ignore TW058", ["6: TW058", "6: TW080"]),
        ("# turnwise: ignore because I say so", ["6: TW058", "6: TW080"]),
        ("# turnwise: ignroe TW058 why", ["6: TW058", "6: TW080"]),
        ("# turnwise: ignore TW999 why", ["6: TW058", "6: TW080"]),
        ("# turnwise: ignore TW012 why", ["6: TW058", "6: TW080"]),
        ("# turnwise: ignore TW055 why", ["6: TW058", "6: TW081"]),
        ("# turnwise: ignore TW058 TW055 why", ["6: TW081"]),
        ("# turnwise is fine", ["6: TW058"]),
    ],
)
def test_a_comment_that_cannot_be_heeded_is_told(comment: str, codes: list[str]) -> None:
    assert found(f"  {comment}") == codes


@pytest.mark.parametrize(
    "said",
    [
        "say: |{beside}\n      Hello,\n\n      {{{{ user.name }}}}.",
        "say: >-{beside}\n      Hello,\n      {{{{ user.name }}}}.",
        'say: "Hello,\n      {{{{ user.name }}}}."',
        "say: Hello,\n      {{{{ user.name }}}}.",
    ],
)
def test_a_comment_is_about_all_lines_of_a_text(said: str) -> None:
    flow = FLOW.replace('say: "Hello {{{{ user.name }}}}."{beside}', said)
    line = 1 + next(number for number, text in enumerate(flow.split("\n")) if "user.name }}" in text)
    assert found(flow=flow) == [f"{line}: TW058"]
    above = flow.replace("    say:", "    # turnwise: ignore TW058 the host fills it\n    say:")
    assert found(flow=above) == []
    if "{beside}" in said:
        assert found(flow=flow, beside="  # turnwise: ignore TW058 the host fills it") == []


def test_a_comment_is_not_about_the_keys_beside_a_text() -> None:
    flow = """\
flow: f
start: a
records: {user: {name: string, age: integer}}
nodes:
  a:
    # turnwise: ignore TW058 the host fills it
    say: |
      Hello {{ user.name }}.
    transitions:
      - id: one  # turnwise: ignore TW058 the host fills it
        when: user.age > 3
        to: b
  b: {say: Bye., end: done}
"""
    assert [f"{d.span.line}: {d.code}" for d in check_text(flow.encode(), "f.yaml")] == ["10: TW081", "11: TW058"]


def test_an_error_stays_an_error() -> None:
    flow = FLOW.replace("end: done", "once: nobody  # turnwise: ignore TW012 I know")
    assert found(flow=flow)[-2:] == ["8: TW012", "8: TW080"]


PYTHON = """
import turnwise as tw

flow = tw.Flow(
    "f",
    start="a",
    nodes=[
        tw.Node("a", say="Hello."),{beside}
    ],
)
"""


def test_comments_in_code_are_about_all_lines_of_a_text(tmp_path: Path) -> None:
    text = '''
import turnwise as tw


class User(tw.Record):
    name: str | None = None


flow = tw.Flow("f", start="a", records=[User], nodes=[
    tw.Node("a", end="x", say="""Hello,
and good day,

   {{ user.name }} and so on.
"""),
])
'''
    file = tmp_path / "made.py"
    file.write_text(text, "utf-8")
    assert [(d.span.line, d.span.column, d.code) for d in check(file)] == [(13, 7, "TW058")]
    other = tmp_path / "other.py"
    other.write_text(text.replace('    tw.Node("a"', '    # turnwise: ignore TW058 the host\n    tw.Node("a"'), "utf-8")
    assert check(other) == []


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("", ["TW055"]),
        ("  # turnwise: ignore TW055 it is the last word", []),
        ("  # turnwise: ignore TW055", ["TW055", "TW080"]),
        ("  # turnwise: ignore TW055, TW058 another flow of this file needs it", []),
    ],
)
def test_comments_in_code_do_the_same(tmp_path: Path, comment: str, codes: list[str]) -> None:
    file = tmp_path / "made.py"
    file.write_text(PYTHON.format(beside=comment), "utf-8")
    assert [diagnostic.code for diagnostic in check(file)] == codes
