"""What an author is told about common mistakes: each hint is a way out that can be written as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import turnwise as tw
from turnwise.authoring.yaml_text import write_yaml

FLOW = """flow: visit
start: ask
records:
  visit: {{age: {{type: integer, optional: true}}}}
nodes:
  ask:
    say: {say}
    collect: [{field}]
    transitions:
      - {{when: '{when}', end: done}}
"""

AUTHORED: list[tuple[dict[str, str], str]] = [
    ({"when": "visit.age is None"}, "write !has(visit.age)"),
    ({"when": "visit.age is not None"}, "write has(visit.age)"),
    ({"when": "true && (visit.age is null)"}, "write !has(visit.age)"),
    ({"when": "visit.age is 3"}, "write '=='"),
    ({"say": '"Hi {{ visit.age | upper }}"'}, "a text is written as it is; formats are for dates, times and numbers"),
    ({"say": '"Hi {{ visit.age | lower }}"'}, "it is a function: write {{ lower(…) }}"),
    ({"when": "not (visit.age > 3)"}, "write '!' in place of 'not'"),
    ({"field": "age"}, "no field is called 'age'; did you mean 'visit.age'?"),
]

TEXTS: list[tuple[str, str]] = [
    ("a: 1\nb: 2\na: 3\n", "3:1: TW006 'a' stands twice; the first is in line 1"),
    ("a:\n  b: Note: this\n", "2:10: TW003 the text of 'b' has a colon and a blank in it; a text with ': ' in it needs quotes: "
     'write b: "Note: this"'),
    ("a:\n  - b: Note: this\n", 'write b: "Note: this"'),
    ("a:\n  b: hi\n    c: x\n", "3:6: TW003 this line is indented deeper than line 2, whose key has a value already; "
     "indent it as line 2: 2 blanks"),
    ("a:\n  b:\n    c: 1\n   d: 2\n", "4:4: TW003 this line is indented by 3 blanks, and no key above it is; "
     "indent it by 0, 2 or 4, as the keys above"),
    ("a:\n\tb: 1\n", "2:1: TW003 a tab indents this line; indent with spaces"),
    ("a: {b: Sorry: no}\n", "a text with ': ' in it needs quotes"),
    ("flow: f\nstart: a\nrecords: {stay: {price: number}}\n"
     "nodes: {a: {scope: {returns: stay.price}}}\n", "TW020 no record is called 'stay.price'; write 'stay', the record"),
    ("a: @b\n", "1:4: TW003 a text cannot begin with '@'; put the text into quotes"),
]  # fmt: skip
YAML_WORDS = ("mapping", "block", "token", "scalar", "scanning", "parsing")


@pytest.mark.parametrize(("changed", "hint"), AUTHORED, ids=[hint for _, hint in AUTHORED])
def test_a_common_mistake_names_its_way_out(changed: dict[str, str], hint: str, tmp_path: Path) -> None:
    parts = {"say": "Hello.", "field": "visit.age", "when": "visit.age > 3"} | changed
    path = tmp_path / "flow.yaml"
    path.write_text(FLOW.format(**parts))
    assert any(hint in str(one) for one in tw.check(path)), [str(one) for one in tw.check(path)]


@pytest.mark.parametrize(("text", "said"), TEXTS, ids=[said for _, said in TEXTS])
def test_what_is_no_yaml_is_told_in_plain_words(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "flow.yaml"
    path.write_text(text)
    told = [str(one) for one in tw.check(path)]
    assert any(said in one for one in told), told
    assert not any(word in one for one in told for word in YAML_WORDS if "TW003" in one)


def test_true_is_the_usual_confirmation() -> None:
    text = "flow: f\nstart: a\nrecords: {u: {n: string}}\nnodes: {a: {form: {fields: [{field: u.n, ask: N?}], confirm: %s}}}\n"
    short, long = tw.loads(text % "true"), tw.loads(text % "{}")
    assert short == long
    assert "confirm: {}" in write_yaml(short)
    with pytest.raises(tw.FlowError, match="write true for the usual confirmation"):
        tw.loads(text % "always")
