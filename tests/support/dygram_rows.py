"""The constructs of DyGram: a pattern that finds each in the documents of `tests/flows/dsl`, and what it means.

`test_dygram_rows.py` checks that a document shows each; `scripts/dygram_reference.py` makes a page of them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent.parent / "flows" / "dsl"


class Row(NamedTuple):
    """A construct: what finds it in a text, and what it becomes in a flow."""

    pattern: str
    becomes: str


SECTIONS: dict[str, dict[str, Row]] = {
    "Words and signs": {
        "comments in a line": Row(r"//", "Nothing. `turnwise format` keeps it."),
        "comments in braces": Row(
            r"/\*(?s:.*?)\*/", "Nothing. A comment inside of a statement moves before it when formatted."
        ),
        "texts in double quotes": Row(r'"[^"\n]+"', "A text."),
        "texts in single quotes": Row(r"'[^'\n]+'", "The same text as in double quotes."),
        "texts of several lines": Row(r': "[^"\n]+\n[^"]*"', "A text with line breaks; its indentation is part of it."),
        "escapes in texts": Row(r'\\["\\nu]', "`\\n`, `\\t` and so on are characters, `\\u00e4` is one by its number."),
        "fractions": Row(r"\d\.\d", "A number."),
        "exponents": Row(r"\de\d", "A number."),
        "negative numbers": Row(r": -\d", "A number with its sign."),
        "truths": Row(r"\b(true|false)\b", "`true` or `false`; as the default of a field without a type: a boolean."),
        "null": Row(r"\bnull\b", "No value: a field without a default; `tools: null;` is no tool."),
        "external values": Row(r": #\w", "The text with its `#`. A field cannot hold it."),
        "a hash that begins no comment": Row(r"(?m)^# ", "The node of that name."),
        "keywords as names": Row(
            r"(task|state) import\b", "`machine`, `import`, `from` and `as` cannot be names; all others can."
        ),
        "characters beyond ASCII in names": Row(r"[äöüß]", "Names have the letters a to z, digits and `_`."),
        "byte-order marks or other ends of lines": Row(
            r"\r\n", "Line ends are read as `\\n`; a byte-order mark is left out."
        ),
        "tabs": Row(r"\t", "A blank. Formatting writes two blanks for each level."),
    },
    "Statements": {
        "a machine with braces": Row(
            r"(?i)machine\s+[\"'][^\"']*[\"'][^;{]*\{", "The title of the flow, and keys of the flow in braces."
        ),
        "a machine without braces": Row(r'machine "[^"]*";', "The title of the flow; its name is made of that."),
        "nodes inside of the machine's braces": Row(
            r"machine[^{;]*\{[^}]*\btask\b", "The braces of the machine hold attributes only; nodes stand behind them."
        ),
        "imports with aliases": Row(
            r"import \{[^}]* as ", "`imports` of the flow: names of another document, in any format."
        ),
        "a bare name": Row(r"(?m)^\w+;$", "A node. In a context it is a field."),
        "qualified names": Row(
            r"task \w+\.\w+",
            "A node inside of others, which are made where nothing declares them.",
        ),
        "annotations without a value": Row(r"@\w+[ ;{]", "See [annotations](#annotations)."),
        "annotations with a value": Row(
            r"@\w+\([\w\"]+\)", '`@retry(2)`: `retry.times`; `@timeout("30s")`: `timeout`.'
        ),
        "annotations with parameters": Row(r"@\w+\(\w+: [^)]*[;)]", "`retry` with the keys `times` and `pause`."),
        "typed attributes": Row(r"\w<\w+>[:;]", "A field of this [type](#types-of-fields)."),
        "generics": Row(r"<(List|Array|Map)<", "A list of values, or of records. `Map` is an error."),
        "optional types": Row(r"\?>", "The type itself: every field may be missing."),
        "unions": Row(r"<['\"]\w+['\"] \|", "A field of the type `choice` with these options."),
        "lists": Row(r": \[", "A list; as the default of a field, a field of the type `list`."),
        "objects": Row(r": \{", "An object of the flow format, or the further keys of a field that has a type."),
        "notes": Row(r"\bnote \w+", "A line of the description of the node with this name."),
        "styles": Row(r"\bstyle\b", "Nothing, with a warning: all flows have one look."),
        "types": Row(
            r"(?i)\btype \w+ \{", "A record whose objects a list holds. A type that no list holds is a warning."
        ),
        "tools": Row(r"\btool \w+", "A tool, which code supplies: `input` and `input_schema` are its arguments."),
        "contexts": Row(r"\bcontext \w+", "A record; each attribute is a field."),
        "other words for contexts": Row(r"\b(data|input|output|result|entity|resource|concept) \w+", "A record, too."),
        "init": Row(r"\binit \w+", "A node where no model works, with which a run begins."),
        "other types": Row(r"\b(process|decision)\b \w+", "A node, by its attributes: with a `prompt` like a task."),
        "@start": Row(r"@start", "`start` of the flow."),
        "strict mode": Row(r"(?i)@strict", "A name that only edges have is an error, not a warning."),
    },
    "Edges": {
        "->": Row(r"\w -> \w", "A transition, judged after the work of the node."),
        "-->": Row(r"\w --> \w", "The same as `->`."),
        "=>": Row(r"\w => \w", "The same as `->`."),
        "==>": Row(r"==>", "The same as `=>`, with a warning."),
        "<-->": Row(r"<-->", "Nothing, with a warning: it only describes a relation."),
        "<--name-->": Row(r"<--\w+-->", "Nothing, with a warning."),
        "<|--": Row(r"<\|--", "Nothing, with a warning: contexts inherit nothing."),
        "*-->": Row(r"\*-->", "Nothing, with a warning."),
        "o-->": Row(r" o--> ", "Nothing, with a warning."),
        "labels of one word": Row(
            r"-(?!catch|error|reads|writes|stores|uses)\w+->",
            "`because` of the transition, unless the word [means more](#words-in-labels).",
        ),
        "labels in quotes": Row(r'-"[^"]+"->', "`because` of the transition."),
        "double labels": Row(r"--\w+-->|--\"[^\"]*\"-->", "The same as a label of `->`."),
        "labels of equal signs": Row(r"=\w[^=\n]*=>", "The same as a label of `->`."),
        "guards": Row(r'-when: "', "`when` of the transition. Several guards of one edge must all hold."),
        "if": Row(r'-if: "', "The same as `when`."),
        "unless": Row(r'-unless: "', "`when` with the negated guard."),
        "guards without quotes": Row(r"-when: [^\"'\n]*[<>=]", "A guard stands in quotes."),
        "catch": Row(r"-catch->", "A transition with `at: error`."),
        "error": Row(r"-error->", "The same as `catch`."),
        "reads": Row(r"-reads->", "`reads` of the node."),
        "writes": Row(r"-writes->", "`writes` of the node."),
        "stores": Row(r"-stores->", "The same as `writes`."),
        "permissions for fields": Row(r'-write: "', "`writes` of the node with these fields of the record only."),
        "cross products": Row(r"\w, \w+ -> \w", "A transition from each source to each target."),
        "chains": Row(r"\w -> \w+ -> \w", "A transition for each arrow."),
        "braces of edges": Row(r"-> \w+ \{", "Keys of the transition."),
        "multiplicities": Row(r'"1" \*?o?-', "Nothing, with a warning."),
        "annotations of edges": Row(r"-@\w+", "See [annotations](#annotations)."),
        "parallel paths": Row(r"@(async|parallel|spawn|barrier|map)", "An error: a conversation has one path."),
        "generated parts": Row(r"@meta", "An error: a flow is not changed while it runs."),
    },
    "Guards and texts": {
        "templates": Row(r"\{\{", "The value in a text; around a guard the braces are left out."),
        "spellings of JavaScript": Row(r"===", "`==`; `!==` is `!=`."),
        "counts of errors": Row(r"error(Count|s)\b", "`errors`, the number of failures in the conversation."),
    },
}
ROWS = {name: row for section in SECTIONS.values() for name, row in section.items()}


def texts() -> dict[str, str]:
    """The documents by their names, with the line ends that they have."""
    return {f"{path.parent.name}/{path.stem}": path.read_bytes().decode() for path in sorted(FOLDER.glob("*/*.dy"))}


def documents_of(row: Row) -> list[str]:
    """The names of the documents that show a construct: valid ones first, then the shortest."""
    found = [
        (name.startswith("invalid"), len(text), name) for name, text in texts().items() if re.search(row.pattern, text)
    ]
    return [name for _, _, name in sorted(found)]
