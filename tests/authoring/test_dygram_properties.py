"""What holds for any DyGram text: a tree that is written is read again, formatting settles at once, another reader accepts
the same texts, and no text takes long or raises.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from random import Random

import pytest

from support.counted import calls_of
from support.dygram_grammar import is_document
from support.dygram_trees import bare, random_document
from turnwise.api.documents import check_text
from turnwise.authoring.dygram.compile.machine import compile_dygram
from turnwise.authoring.dygram.formatter import format_document
from turnwise.authoring.dygram.statements import Parsed, parse
from turnwise.authoring.source import MAX_BYTES
from turnwise.flow.diagnostic import has_errors

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SEEDS = range(int(os.environ.get("TURNWISE_SOAK_TEXTS", "100000")) if IS_SOAK else 150)
CHUNK = 50
_PIECE = re.compile(r'\s+|\w+|"[^"\n]*"|[^\w\s]')
_PIECES = (
    *(
        "->",
        "-->",
        "=>",
        "-",
        "--",
        "=",
        "a",
        "b",
        "task",
        '"x"',
        ":",
        ";",
        ",",
        "{",
        "}",
        "@",
        "(",
        ")",
        "[",
        "]",
        "<",
    ),
    *(
        ">",
        ".",
        "#",
        "#x",
        "|",
        "?",
        "5",
        "\n",
        "when",
        "import",
        "machine",
        "//c\n",
        "o-->",
        "'",
        '"',
        "/*",
        "*/",
        "<-->",
    ),
    *("ä", "&", "from", "as", "context", "catch", "writes", "{{", "\\", "\t", "\r\n"),
)


def mutated(text: str, random: Random) -> str:
    """A text with a few words or signs that are missing, doubled, exchanged or new."""
    pieces = _PIECE.findall(text)
    for _ in range(random.randint(1, 3)):
        if not pieces:
            break
        kind, at = random.random(), random.randrange(len(pieces))
        if kind < 0.35:
            del pieces[at]
        elif kind < 0.6:
            pieces.insert(at, random.choice(_PIECES))
        elif kind < 0.8:
            pieces[at] = random.choice(_PIECES)
        else:
            other = random.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
    return "".join(pieces)


def _is_read(parsed: Parsed) -> bool:
    return not has_errors(parsed.diagnostics)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_a_tree_that_is_written_is_read_again(first: int) -> None:
    for seed in range(first, first + CHUNK):
        tree = random_document(seed)
        text = format_document(tree)
        parsed = parse(text)
        assert _is_read(parsed), (seed, text, parsed.diagnostics)
        assert bare(parsed.document) == bare(tree), (seed, text)
        assert format_document(parsed.document) == text, (seed, text)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_another_reader_accepts_the_same_texts(first: int) -> None:
    """What stands where none of its kind can stand (TW135), several values that are no guard in quotes (TW134), an arrow
    in two pieces and numbers without an end are documents for the grammar, and none for the parser.
    """
    for seed in range(first, first + CHUNK):
        text = format_document(random_document(seed))
        if len(text) > 1200:
            continue
        text = mutated(text, Random(seed))
        parsed = parse(text)
        errors = [one for one in parsed.diagnostics if one.severity == "error"]
        is_stricter = bool(errors) and all(
            one.code in ("TW134", "TW135") or one.message.startswith("no label") or one.message.endswith("too large")
            for one in errors
        )
        assert _is_read(parsed) == is_document(text) or is_stricter, (seed, text, parsed.diagnostics)


@pytest.mark.parametrize("first", range(SEEDS.start, SEEDS.stop, CHUNK))
def test_no_text_raises_or_takes_long(first: int) -> None:
    for seed in range(first, first + CHUNK):
        random = Random(seed)
        text = format_document(random_document(seed))
        for _ in range(random.randint(1, 10)):
            text = mutated(text, random)
        begin = time.process_time()
        document, diagnostics = compile_dygram(text, "mutated.dy")
        assert document.pairs or diagnostics, (seed, text)
        parsed = parse(text)
        once = format_document(parsed.document)
        if _is_read(parsed):
            assert format_document(parse(once).document) == once, (seed, text)
        assert time.process_time() - begin < 1.0, (seed, text)


def test_a_random_flow_is_checked_without_an_exception() -> None:
    for seed in range(2000 if IS_SOAK else 40):
        check_text(mutated(format_document(random_document(seed)), Random(seed)).encode(), "random.dy")


SIZE = 150_000 if IS_SOAK else 60_000  # below the most words and signs of a document
HOSTILE = {
    "nested nodes": ("a { " * 10_000, "TW004", "nested more than 64 deep"),
    "nested lists": ("x: " + "[" * 10_000, "TW004", "nested more than 64 deep"),
    "nested types": ("a<" + "b<" * 10_000, "TW004", "nested more than 64 deep"),
    "nested objects": ("x: " + "{ a: " * 10_000, "TW004", "nested more than 64 deep"),
    "one long line": ("a -> b; " * 1_300_000, "TW002", f"more than {MAX_BYTES:,} characters"),
    "a zero": ("task a;\ntask \0b;", "TW130", "the character U+0000"),
    "quotes": ('"\\' * SIZE, "TW132", "the text that begins here does not end"),
    "texts without an end": ('x: "a\nb"c ' * (SIZE // 10), "TW132", "does not end in its line"),
    "comments without an end": ("/* " * SIZE, "TW132", "the comment that begins here does not end"),
    "edges": ("a -> " * 150_000, "TW005", "parts, which is the limit"),
    "many to many": (
        ", ".join(f"a{n}" for n in range(300)) + " -> " + ", ".join(f"b{n}" for n in range(300)),
        "TW005",
        "edges",
    ),
    "nodes": ("".join(f"n{n}; " for n in range(12_000)), "TW005", "nodes, which is the limit"),
    "signs": ("@" * SIZE, "TW130", "'@' stands here"),
    "closing braces": ("}" * SIZE, "TW130", "'}' closes nothing here"),
    "dots": ("a." * SIZE, "TW130", "where a name after"),
    "a label": ("a -" + "x " * SIZE, "TW130", "the document ends"),
    "a guard": ("a -when: " + "x < " * SIZE, "TW134", "has no quotes"),
    "mistakes": ("a: b.c\n" * (SIZE // 10), "TW130", "a value with a dot needs quotes"),
    "left halves of characters": ('task a "\ud800"; task \udfff;', "TW130", "U+FFFD"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_ends_soon_with_a_diagnostic(name: str) -> None:
    text, code, message = HOSTILE[name]
    begin = time.process_time()
    _, diagnostics = compile_dygram(text, "hostile.dy")
    assert time.process_time() - begin < (30.0 if IS_SOAK else 6.0)
    found = [one for one in diagnostics if one.severity == "error"]
    assert any(one.code == code and message in f"{one.message}; {one.hint}" for one in found), found[:3]
    assert len(diagnostics) <= 200 or name in ("nodes", "many to many")


def test_the_mark_of_the_byte_order_and_ends_of_lines_are_no_part_of_a_text() -> None:
    text = '\ufefftask a "A" {\r\n\tprompt: "one\r\ntwo";\r\n}\r\n// the end\r\n'
    parsed = parse(text)
    assert parsed.diagnostics == []
    assert format_document(parsed.document) == 'task a "A" {\n  prompt: "one\ntwo";\n}\n// the end\n'


def _large(nodes: int) -> str:
    """A document of so many tasks and twice as many edges, every second of them with a guard."""
    tasks = [f'task n{n} "Number {n}" {{\n  prompt: "Do number {n}.";\n}}' for n in range(nodes)]
    ends = [(n % nodes, (n * 7 + 1) % nodes, n) for n in range(2 * nodes)]
    edges = [f'n{a} -when: "c.v{n} == {n}"-> n{b};' if n % 2 else f"n{a} -> n{b};" for a, b, n in ends]
    fields = [f"v{n}: {n};" for n in range(2 * nodes)]
    return "\n".join([*tasks, "context c {", *fields, "}", *edges])


WORKS: dict[str, Callable[[str], object]] = {
    "read": parse,
    "format": lambda text: format_document(parse(text).document),
    "compile": lambda text: compile_dygram(text, "x.dy"),
}


@pytest.mark.parametrize("name", WORKS)
def test_a_large_document_costs_as_much_for_each_node_as_a_small_one(name: str) -> None:
    work, small, large = WORKS[name], _large(50), _large(200)
    assert _is_read(parse(large))
    assert calls_of(lambda: work(large)) < 4.4 * calls_of(lambda: work(small))
