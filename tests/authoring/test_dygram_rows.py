"""Which documents of `tests/flows/dsl` show which row of the language: each construct stands in at least one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "flows" / "dsl"
TEXTS = {f"{path.parent.name}/{path.stem}": path.read_bytes().decode() for path in sorted(FOLDER.glob("*/*.dy"))}
FEWEST = 100

ROWS = {
    # lexical
    "comments in a line": r"//",
    "comments in braces": r"/\*",
    "texts in double quotes": r'"[^"\n]+"',
    "texts in single quotes": r"'[^'\n]+'",
    "texts of several lines": r'"[^"\n]*\n[^"]*"',
    "escapes in texts": r'\\["\\nu]',
    "fractions": r"\d\.\d",
    "exponents": r"\de\d",
    "negative numbers": r": -\d",
    "truths": r"\b(true|false)\b",
    "null": r"\bnull\b",
    "external values": r": #\w",
    "a hash that begins no comment": r"(?m)^# ",
    "keywords as names": r"\bimport\b",
    "characters beyond ASCII in names": r"[äöüß]",
    "byte-order marks or other ends of lines": r"\r\n",
    "tabs": r"\t",
    # statements
    "a machine with braces": r"(?i)machine\s+[\"'][^\"']*[\"'][^;{]*\{",
    "a machine without braces": r'machine "[^"]*";',
    "nodes inside of the machine's braces": r"machine[^{]*\{[^}]*\btask\b",
    "imports with aliases": r"import \{[^}]* as ",
    "a bare name": r"(?m)^\w+;?$",
    "qualified names": r"\b[a-z]\w*\.[a-z]\w*\b *(\"|->|\{)",
    "annotations without a value": r"@\w+[ ;{]",
    "annotations with a value": r"@\w+\([\w\"]",
    "annotations with parameters": r"@\w+\(\w+: [^)]*[;)]",
    "typed attributes": r"\w<\w+>[:;]",
    "generics": r"<(List|Array|Map)<",
    "optional types": r"\?>",
    "unions": r"<['\"]\w+['\"] \|",
    "lists": r": \[",
    "objects": r": \{",
    "notes": r"\bnote \w+",
    "styles": r"\bstyle\b",
    "types": r"(?i)\btype \w+ \{",
    "tools": r"\btool \w+",
    "contexts": r"\bcontext \w+",
    "other words for contexts": r"\b(data|input|output|result|entity|resource|concept) \w+",
    "init": r"\binit \w+",
    "other types": r"\b(process|decision)\b \w+",
    "@start": r"@start",
    "strict mode": r"(?i)@strict",
    # edges
    "->": r"\w -> \w",
    "-->": r"\w --> \w",
    "=>": r"\w => \w",
    "==>": r"==>",
    "<-->": r"<-->",
    "<--name-->": r"<--\w+-->",
    "<|--": r"<\|--",
    "*-->": r"\*-->",
    "o-->": r" o--> ",
    "labels of one word": r"-\w+->",
    "labels in quotes": r'-"[^"]+"->',
    "double labels": r"--\w+-->|--\"[^\"]*\"-->",
    "labels of equal signs": r"=\w[^=\n]*=>",
    "guards": r'-when: "',
    "if": r'-if: "',
    "unless": r'-unless: "',
    "guards without quotes": r"-when: [^\"'\n]*[<>=]",
    "catch": r"-catch->",
    "error": r"-error->",
    "reads": r"-reads->",
    "writes": r"-writes->",
    "stores": r"-stores->",
    "permissions for fields": r'-write: "',
    "cross products": r"\w, \w+ -> \w",
    "chains": r"\w -> \w+ -> \w",
    "braces of edges": r"-> \w+ \{",
    "multiplicities": r'"1" \*?o?-',
    "annotations of edges": r"-@\w+",
    "parallel paths": r"@(async|parallel|spawn|barrier|map)",
    "generated parts": r"@meta",
    # conditions and texts
    "templates": r"\{\{",
    "spellings of JavaScript": r"===",
    "counts of errors": r"error(Count|s)\b",
}


def test_there_are_enough_documents() -> None:
    assert len(TEXTS) >= FEWEST


@pytest.mark.parametrize("row", ROWS)
def test_a_document_shows_the_row(row: str) -> None:
    shown = [name for name, text in TEXTS.items() if re.search(ROWS[row], text)]
    assert shown, f"no document of {FOLDER} has {row}"
