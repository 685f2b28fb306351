"""Text becomes a tree with places, or one diagnostic that says what keeps it from being one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.flows import data
from turnwise.authoring.formats import compose
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.located import Items, Located, Pairs, Scalar, plain

MEANINGS: list[tuple[str, object]] = [
    ("yes", "yes"), ("No", "No"), ("on", "on"), ("y", "y"), ("true", True), ("FALSE", False), ("null", None), ("~", None),
    ("12", 12), ("012", 12), ("0o17", 15), ("0x1F", 31), ("-7", -7), ("+7", 7), ("1_000", "1_000"), ("12:30", "12:30"),
    ("1.5", 1.5), (".5", 0.5), ("1e3", 1000.0), ("1e999", "1e999"), (".inf", ".inf"), (".nan", ".nan"), ("9" * 41, "9" * 41),
    ("2026-11-20", "2026-11-20"), ("'12'", "12"), ('"true"', "true"), ("!!str 12", "12"), ("a b", "a b"), ("<<", "<<"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), MEANINGS, ids=[text[:12] for text, _ in MEANINGS])
def test_a_word_means_what_it_means_in_yaml_1_2(text: str, value: object) -> None:
    found = _tree(f"key: {text}\n")
    assert plain(found) == {"key": value}
    assert type(plain(found)["key"]) is type(value)


REFUSED: list[tuple[str, str, str]] = [
    ("a.yaml", "a: b: c", "a.yaml:1:5: TW003 the text of 'a' has a colon and a blank in it; a text with ': ' in it needs quotes: "
     'write a: "b: c"'),
    ("a.yaml", "a: @b", "a.yaml:1:4: TW003 a text cannot begin with '@'; put the text into quotes"),
    ("a.yaml", "a: *b", "a.yaml:1:4: TW003 no part is anchored as &b"),
    ("a.yaml", "a: &b [*b]", "a.yaml:1:8: TW005 *b stands inside the part that it names"),
    ("a.yaml", "? [a]\n: b", "a.yaml:1:3: TW003 a key must be a single text"),
    ("a.yaml", "a: !x b", "a.yaml:1:4: TW003 tags such as !x are not used in flows"),
    ("a.yaml", "!x {a: b}", "a.yaml:1:1: TW003 tags such as !x are not used in flows"),
    ("a.yaml", "a: 1\n---\nb: 2", "a.yaml:2:1: TW003 a second document begins here; one file holds one"),
    ("a.yaml", "a: \x00", "a.yaml:1:4: TW003 the character U+0000 is not allowed here; "
     "write it as an escape, in double quotes"),
    ("a.yaml", "a:\n- \x07", "a.yaml:2:3: TW003 the character U+0007 is not allowed here; "
     "write it as an escape, in double quotes"),
    ("a.yaml", "", "a.yaml:1:1: TW007 there is nothing in it"),
    ("a.yaml", "~", "a.yaml:1:1: TW007 there is nothing in it"),
    ("a.json", " \n", "a.json:1:1: TW007 there is nothing in it"),
    ("a.json", "null", "a.json:1:1: TW007 there is nothing in it"),
    ("a.json", "a: 1", "a.json:1:1: TW003 found 'a', expected a value"),
    ("a.json", "[1,\n 2,\n]", "a.json:3:1: TW003 found ']', expected a value; no comma after the last one"),
    ("a.json", "[1 2]", "a.json:1:4: TW003 found '2', expected ',' or ']'"),
    ("a.json", "[01]", "a.json:1:2: TW003 found '01', expected a value"),
    ("a.json", "[NaN]", "a.json:1:2: TW003 found 'NaN', expected a value"),
    ("a.json", "[+1]", "a.json:1:2: TW003 found '+1', expected a value"),
    ("a.json", "[.5]", "a.json:1:2: TW003 found '.5', expected a value"),
    ("a.json", "[1", "a.json:1:3: TW003 the document ends here, expected ',' or ']'"),
    ("a.json", '{"a" 1}', "a.json:1:6: TW003 found '1', expected ':' after the key"),
    ("a.json", "{1: 2}", "a.json:1:2: TW003 found '1', expected a key in double quotes"),
    ("a.json", '{"a": 1 # one\n}', "a.json:1:9: TW003 found '#', expected ',' or '}'; JSON has no comments; YAML has"),
    ("a.json", '["a\tb"]', "a.json:1:4: TW003 this character cannot stand in a text; "
     "a text has no line break or control character in it: write \\n"),
    ("a.json", '["\\u12"]', "a.json:1:3: TW003 this is no escape; "
     'a backslash stands before " \\ / b f n r t or u and four hex digits'),
    ("a.json", '["a', "a.json:1:2: TW003 this text has no closing quote"),
    ("a.json", "\x00", "a.json:1:1: TW003 found '\\x00', expected a value"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "text", "said"), REFUSED, ids=[text[:16] or "nothing" for _, text, _ in REFUSED])
def test_what_is_no_document_is_refused_where_it_goes_wrong(file: str, text: str, said: str) -> None:
    assert str(compose(text, file)) == said


@given(data.filter(lambda value: value is not None))
def test_json_is_read_as_json_has_it(value: Any) -> None:
    for indent in (None, 2, "\t"):
        text = json.dumps(value, indent=indent)
        assert plain(_tree(text, "a.json")) == value
        raw = json.dumps(value, ensure_ascii=False, indent=indent)
        assert plain(_tree(raw, "a.json")) == value


@given(st.text(max_size=40), st.sampled_from(["a.yaml", "a.json"]))
def test_no_text_makes_it_raise(text: str, file: str) -> None:
    found = compose(text, file)
    places = (
        [found.span[1:3]] if isinstance(found, Diagnostic) else [(part.line, part.column) for part in _parts(found)]
    )
    assert all(line >= 0 and column >= 0 for line, column in places)


@given(st.text(st.sampled_from("ab1:,-?{}[]&*!|>'\"%@#\\ \n\t\r~<.\x85\u2028\ufeff"), max_size=40))
def test_no_yaml_makes_it_raise(text: str) -> None:
    compose(text, "a.yaml")


def test_parts_know_where_they_stand() -> None:
    yaml = _tree("flow: a\nnodes:\n  b: {say: 'Hi', to: [c, d]}\n")
    assert [(s.text, s.line, s.column) for s in _scalars(yaml)] == [
        ("flow", 1, 1), ("a", 1, 7), ("nodes", 2, 1), ("b", 3, 3), ("say", 3, 7), ("Hi", 3, 12), ("to", 3, 18),
        ("c", 3, 23), ("d", 3, 26),
    ]  # fmt: skip
    tree = _tree('{"flow": "a",\r\n\t"nodes": [1, true]}', "a.json")
    assert [(s.text, s.line, s.column) for s in _scalars(tree)] == [
        ("flow", 1, 2), ("a", 1, 10), ("nodes", 2, 2), ("1", 2, 12), ("true", 2, 15),
    ]  # fmt: skip


def test_a_key_that_stands_twice_is_left_to_the_reader() -> None:
    for tree in (_tree("a: 1\na: 2\n"), _tree('{"a": 1, "a": 2}', "a.json")):
        assert isinstance(tree, Pairs)
        assert [(key.text, plain(value)) for key, value in tree.pairs] == [("a", 1), ("a", 2)]


def test_json_without_a_file_name_is_json_too() -> None:
    assert plain(_tree('{\n\t"a": "b\u2028c"}', "")) == {"a": "b\u2028c"}
    assert plain(_tree("{a: 1, b: 2,}", "")) == {"a": 1, "b": 2}


def test_halves_of_characters_are_joined_or_replaced() -> None:
    for file in ("a.yaml", "a.json"):
        assert plain(_tree('{"a": "\\ud83d\\ude00 \\ud800"}', file)) == {"a": "😀 \ufffd"}


def _tree(text: str, file: str = "a.yaml") -> Located:
    found = compose(text, file)
    assert not isinstance(found, Diagnostic), found
    return found


def _parts(tree: Located) -> Iterator[Located]:
    yield tree
    match tree:
        case Items():
            for item in tree.items:
                yield from _parts(item)
        case Pairs():
            for key, value in tree.pairs:
                yield key
                yield from _parts(value)
        case Scalar():
            pass


def _scalars(tree: Located) -> Iterator[Scalar]:
    return (part for part in _parts(tree) if isinstance(part, Scalar))
