"""LibYAML reads most documents in a tenth of the time, and reads the same in them as the parser of all of YAML 1.2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from turnwise.authoring import compose
from turnwise.authoring.compose import compose_fully, compose_yaml
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.located import Items, Located, Pairs, Scalar

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.yaml"))
TEXTS = [path.read_text("utf-8", errors="replace") for path in (*EXAMPLES, *(ROOT / "tests" / "flows").rglob("*.yaml"))]

FORMS = """\
# a comment
flow: every form      # of usual documents
"quoted key": 'it''s'
escapes: "a\\tb \\u00e9 \\x41 \\\\ \\" \\/"
numbers: [1, -2, 0.5, 0x10, 0o7, 1e3, .5, 017, 1_000, 12:30]
words: {yes: true, no: False, nothing: null, tilde: ~, text: "true", on: off}
empty:
folded: >-
  two lines
  in one

  and a second one
kept: |+
  a
    deeper

bare: a text
  of three

  lines, and more
list:
- at the same column
-
  - nested
- - compact
- key: of a mapping
  further: one
- &anchor {a: 1, b: [c, d: e]}
- *anchor
braces: {a: &inner [1, 2], b: *inner,
  d: over two lines,   # with a comment
}
url: http://example.org/#part
emoji: 🙂 and é
"""


def seen(tree: Located | Diagnostic) -> Any:
    """A tree as it is compared: where nothing is written, its place is that of the key, or of what follows."""
    match tree:
        case Scalar(text="", style="plain"):
            return None
        case Scalar():
            return tree.value, type(tree.value), tree.line, tree.column, tree.style, tree.lines
        case Items():
            return "items", tree.line, tree.column, [seen(one) for one in tree.items]
        case Pairs():
            return "pairs", tree.line, tree.column, tree.inline, [(seen(key), seen(one)) for key, one in tree.pairs]
        case Diagnostic():
            return tree


@pytest.mark.parametrize("text", [*TEXTS, FORMS])
def test_both_parsers_read_the_same(text: str) -> None:
    assert seen(compose_yaml(text)) == seen(compose_fully(text))


def test_most_documents_are_read_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "compose_fully", lambda *_: pytest.fail("the other parser was asked"))
    for path in EXAMPLES:
        compose_yaml(path.read_text("utf-8"))


@pytest.mark.parametrize(
    "text", ["a: b\tc", "a: b\u2028c: d", "a: b\x85c", "%YAML 1.1\n---\na: yes", "&a: b", "a: *b:c", "a: [&b :3]", "a: [:3]", "a text", "a: !!int b", "a: \ud800",
     "a: b\n...\n...", "a: >-#c\n  x", "a: |2#c\n   x", "a: |#c\n  x", "a: [!, b]", "a: &b?{c:d}", "a: [\n? ,,\n b]"]
)  # fmt: skip
def test_what_yaml_1_1_reads_otherwise_is_left_to_the_other_parser(text: str) -> None:
    assert compose._composed_quickly(text) is None
    assert seen(compose_yaml(text)) == seen(compose_fully(text))


def test_without_libyaml_the_other_parser_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    assert compose._composed_quickly(FORMS) is None
    assert isinstance(compose_yaml(FORMS), Pairs)


PIECES = st.sampled_from([
    "|#", ">-#", "!,", "? ,", "&a?",     ": ", " ", "\n", "- ", "#", " #", "'", '"', "{", "}", "[", "]", ",", "|\n", ">-\n", "|+\n", "\n\n", "\n  ", "? ", "!", "&a ",
    "*a", ":", "-", "\\", "\t", "a", "1", "~", "---\n", "...", "%", "@", "\u00a0", "é", "\\n", "''", "- - ", ": &a ", "*a : ", "🙂",
    "&b", "\r\n", "\r", "\u2028", "yes", "0o7", "017",
])  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """Some lines of a document, with pieces put in, left out and doubled."""
    lines = draw(st.sampled_from([FORMS, *TEXTS])).split("\n")
    begin = draw(st.integers(0, len(lines) - 1))
    text = "\n".join(lines[begin : begin + draw(st.integers(1, 12))]) + draw(st.sampled_from(["", "\n"]))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(PIECES | st.just("")) + text[at + draw(st.integers(0, 3)) :]
    return text


@given(spoiled())
@example("a: b\n  - c\n")
@example("a:\nb: c\n")
@example("- a: b\n  c:\n- d\n")
def test_what_both_can_read_they_read_alike(text: str) -> None:
    """LibYAML takes a few documents that YAML 1.2 forbids: those are left to the other parser."""
    assert seen(compose_yaml(text)) == seen(compose_fully(text))
