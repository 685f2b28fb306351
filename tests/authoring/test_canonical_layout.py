"""`turnwise format` of YAML and JSON: order, comments, values stay, and what is formatted once is formatted."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from strategies.flows import flows
from support.counted import calls_of
from turnwise.authoring.canonical import canonical_text
from turnwise.authoring.document import read_alone
from turnwise.authoring.formats import compose
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.codec import encode_flow
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.located import plain
from turnwise.flow.model import Flow
from turnwise.flow.read import ReadResult

ROOT = Path(__file__).parents[2]
IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
MOST_COMMENTS = 12 if IS_SOAK else 4
UNREADABLE = ["alias_cycle", "alias_unknown", "empty", "inner_quotes", "key_of_parts", "laughs", "not_utf8", "not_yaml",
    "nothing_in_it", "tabs", "tag", "too_deep", "two_documents"]  # fmt: skip
"""The documents in `tests/flows/invalid` that are no YAML, or too much of it."""
_FOUND = [*ROOT.glob("examples/**/*.yaml"), *ROOT.glob("tests/flows/**/*.yaml")]
DOCUMENTS = [path for path in sorted(_FOUND) if path.parent.name != "invalid" or path.stem not in UNREADABLE]


def _text_of(path: Path) -> str:
    """The text of a document."""
    return path.read_bytes().decode().removeprefix("\ufeff")


@cache
def _reading(path: Path) -> ReadResult:
    """What a document is read as."""
    return read_alone(_text_of(path), path.name)


def formatted(text: str, file: str = "a.yaml") -> str:
    """The document in its canonical layout, which is also that of the result."""
    found = canonical_text(text, file)
    assert isinstance(found, str), (found, text)
    assert canonical_text(found, file) == found, text
    return found


@cache
def data(text: str, file: str = "a.yaml") -> object:
    """What stands in a document; nothing changes it."""
    tree = compose(text, file)
    assert not isinstance(tree, Diagnostic), text
    return plain(tree)


def with_comments(text: str, random: Random) -> tuple[str, list[str]]:
    """A document with comments at random places, where they are no part of a text."""
    marks: list[str] = []
    said = data(text)
    for number in range(random.randint(1, MOST_COMMENTS)):
        lines = text.split("\n")
        at, mark = random.randrange(len(lines)), f"# note {number} of {random.randrange(10**6)}."
        if random.random() < 0.5:
            indent = " " * random.choice((0, 2, 4, 6, len(lines[at]) - len(lines[at].lstrip())))
            lines[at:at] = [*[""] * random.randint(0, 1), indent + mark, *[""] * random.randint(0, 1)]
        else:
            lines[at] += f" {mark}"
        changed = "\n".join(lines)
        tree = compose(changed, "a.yaml")
        if not isinstance(tree, Diagnostic) and plain(tree) == said:
            text = changed
            marks.append(mark)
    return text, marks


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_comments_at_random_places_stay(path: Path) -> None:
    text = _text_of(path)
    before = _reading(path).flow
    for seed in range(40 if IS_SOAK else 1):
        noted, marks = with_comments(text, Random(f"{path.name} {seed}"))
        found = formatted(noted)
        assert [found.count(mark) for mark in marks] == [1] * len(marks), (seed, noted)
        assert data(found) == data(text)
        assert read_alone(found, path.name).flow == before, (seed, noted)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_keeps_what_it_says(path: Path) -> None:
    text = _text_of(path)
    found = formatted(text)
    assert data(found) == data(text)
    codes = [one.code for one in _reading(path).diagnostics]
    assert [one.code for one in read_alone(found, path.name).diagnostics] == codes


@given(flows())
def test_any_flow_is_formatted_as_the_same(flow: Flow) -> None:
    for text, file in ((write_yaml(flow), "a.yaml"), (encode_flow(flow), "a.json")):
        found = formatted(text, file)
        assert read_alone(found, file).flow == flow


@given(flows())
def test_json_keeps_its_order_and_its_numbers(flow: Flow) -> None:
    text = encode_flow(flow)
    assert formatted(text, "a.json") == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_numbers_of_json_stay_as_they_are_written() -> None:
    assert formatted('{"b": 1.50, "a": [1e3, -0.0, {}, []]}', "a.json") == (
        '{\n  "b": 1.50,\n  "a": [\n    1e3,\n    -0.0,\n    {},\n    []\n  ]\n}\n'
    )


LAID_OUT = [
    ("a:   1   # one\n", "a: 1  # one\n"),
    ("# head\n\n\na: 1\n\n\nb: 2\n", "# head\n\na: 1\n\nb: 2\n"),
    ("b:\n- 'x'\n-   v: 1\n    z: \"no\"\n", 'b:\n  - x\n  - v: 1\n    z: "no"\n'),
    ("a: {b: 1, # one\n  c: 2}\n", "a:\n  b: 1  # one\n  c: 2\n"),
    ("a: [1,\n  2]  # both\n", "a: [1, 2]  # both\n"),
    ("a: | # text\n   one\n   two\n# end\n", "a: |  # text\n  one\n  two\n# end\n"),
    ("a: >-\n     one\n     two\nb: 1\n", "a: >-\n  one\n  two\nb: 1\n"),
    ("a: one\n       two # last\n", "a: one\n  two  # last\n"),
    ("a:\n    b: 1\n    # of a\nc: 2\n", "a:\n  b: 1\n  # of a\nc: 2\n"),
    ("a:\n    b: 1\n# of c\nc: 2\n", "a:\n  b: 1\n# of c\nc: 2\n"),
    ("a: &x {b: 1}\nc: *x\nd: &y\n   e: 2\nf: [*y]\n", "a: &x {b: 1}\nc: *x\nd: &y\n  e: 2\nf: [*y]\n"),
    ("a:\n-  # first\n  b: 1\n", "a:\n  # first\n  - b: 1\n"),
    ("a: [\n  1,\n  # last\n]\nb: 2\n", "a:\n  - 1\n  # last\nb: 2\n"),
    ("a: ~\nb:\nc: 012\nd: 1.50\ne: yes\n", 'a: ~\nb:\nc: 012\nd: 1.50\ne: "yes"\n'),
    ("--- # begin\na: 1\n", "# begin\na: 1\n"),
    ("a: 1\r\n# c\r\nb: 2\r\n", "a: 1\n# c\nb: 2\n"),
    ("- a\n- - b\n  - c\n", "- a\n- - b\n  - c\n"),
]


@pytest.mark.parametrize(("text", "expected"), LAID_OUT)
def test_the_layout(text: str, expected: str) -> None:
    assert formatted(text) == expected
    assert data(expected) == data(text)


def test_comments_cost_as_much_for_each_as_a_few() -> None:
    """The work for nodes with two comments each grows with their number."""

    def calls_for(count: int) -> int:
        nodes = "".join(f"  # about {n}\n  n{n}: {{say: 'Number {n}'}} # here\n" for n in range(count))
        texts: list[object] = []
        calls = calls_of(lambda: texts.append(canonical_text(f"nodes:\n{nodes}", "a.yaml")))
        (found,) = texts
        assert isinstance(found, str)
        assert found.count("# about") == found.count("  # here") == count
        return calls

    calls_for(1)  # what is loaded once does not count
    assert calls_for(200) < 2.1 * calls_for(100)
