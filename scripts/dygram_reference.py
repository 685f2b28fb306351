"""Makes the reference page of DyGram: the grammar and the tables of the compiler, and each construct with an example of
the documents in `tests/flows/dsl`. `scripts/reference.py` writes and checks the page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from turnwise.authoring.dygram.compile import fields, links, machine, nodes, texts, tools, ways_out
from turnwise.authoring.dygram.compile.names import CONTEXTS, MOST_NODES, NAME
from turnwise.authoring.dygram.scanner import KEYWORDS, MOST_TOKENS
from turnwise.flow.diagnostic import CODES
from turnwise.flow.shapes import SHAPES

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests"))

from support.dygram_grammar import RULES  # noqa: E402
from support.dygram_rows import FOLDER, SECTIONS, Row, documents_of  # noqa: E402

_MOST_LINES = 9
"""A longer example is cut in the middle."""
_CODE = re.compile(r"\b(TW\d+)\b")

_ANNOTATIONS = {
    NAME: "the name of the node, context or tool in the flow, in quotes",
    "start": "`start` of the flow",
    "retry": '`retry` of the node: `@retry(3)`, or `@retry(times: 3; pause: "2s")`',
    "timeout": '`timeout` of the node: `@timeout("30s")`; a bare number counts seconds',
}
_ON_EDGES = {
    "auto": "the edge is never a choice of the model",
    "priority": "`priority` of the transition: lower is judged first",
    "timeout": "a transition with `at: timer`, taken after so much time without a message",
}
_ABOUT_LINKS = {"read": "`reads` of the node", "write": "`writes` of the node"}


def page() -> str:
    """The page about the whole language."""
    lines = [
        "# Reference of DyGram",
        "",
        "This page lists each construct of [DyGram](../dygram.md) with its meaning in a flow, an example and what the",
        "checker reports about it. `scripts/reference.py` generates it from the tables of the parser and compiler, and",
        "from the tested documents in `tests/flows/dsl`. To learn the language, begin with",
        "[the tutorial](../dygram-tutorial.md).",
        "",
        "- [Grammar](#grammar)",
    ]
    lines += [f"- [{title}](#{title.lower().replace(' ', '-')})" for title in (*SECTIONS, *_TABLES, "Mistakes")]
    lines += _grammar()
    for title, rows in SECTIONS.items():
        lines += ["", f"## {title}"]
        for name, row in rows.items():
            lines += _construct(name, row)
    for title, table in _TABLES.items():
        lines += ["", f"## {title}", "", *table()]
    return "\n".join([*lines, *_mistakes()]) + "\n"


def _grammar() -> list[str]:
    return [
        "",
        "## Grammar",
        "",
        "`ID` is a name of the letters a to z in both cases, digits and `_`, which begins with no digit; `EXTERNAL` is",
        "`#` and a name. `?`, `*` and `+` stand behind what may be left out or repeated. `!SAMELINE`: no name follows",
        "in this line, `!TIGHT`: no blank stands here. Tests compare the parser with these rules on random texts.",
        "",
        "```",
        *RULES.strip().splitlines(),
        "```",
        "",
        f"Words that cannot be names: {_codes(sorted(KEYWORDS))}.",
        "",
        f"A document has at most {MOST_TOKENS:,} words and signs, {MOST_NODES:,} nodes and {links.MOST_EDGES:,} edges,",
        "each pair of a source and a target counted.",
    ]


# constructs ------------------------------------------------------------------------------------


def _construct(name: str, row: Row) -> Iterator[str]:
    """A construct with the shortest document that shows it."""
    document, *_ = documents_of(row)
    path = FOLDER / f"{document}.dy"
    text = path.read_bytes().decode()
    first, last = _lines_of(text, row.pattern)
    yield from ("", f"### {name}" if re.fullmatch(r"[\w' ]+", name) else f"### `{name}`", "", row.becomes, "")
    yield from ("```dygram", *_excerpt(text, first, last), "```")
    found = _reported(path, first, last)
    if found:
        yield from ("", "```", *found, "```")
    become = f", which becomes [{path.stem}.yaml]({_link(path.with_suffix('.yaml'))})"
    yield from (
        "",
        f"From [{path.name}]({_link(path)})" + (become if document.startswith("valid") else "") + _pages(found),
    )


def _link(path: Path) -> str:
    return f"../../{path.relative_to(ROOT).as_posix()}"


def _pages(found: Iterable[str]) -> str:
    """The end of a sentence that names the pages of the codes in some reports."""
    codes = dict.fromkeys(code for line in found for code in _CODE.findall(line))
    return "; see " + ", ".join(f"[{code}](../checks/{code}.md)" for code in codes) + "." if codes else "."


def _lines_of(text: str, pattern: str) -> tuple[int, int]:
    """The lines around what a pattern finds first, counted from 0, such that their braces are closed."""
    found = re.search(pattern, text)
    assert found is not None
    lines = text.split("\n")
    first, last = text.count("\n", 0, found.start()), text.count("\n", 0, max(found.end() - 1, found.start()))
    while first > 0 and _depths(lines[first : last + 1])[0] < 0:
        first -= 1
    while last + 1 < len(lines) and _depths(lines[first : last + 1])[1] > 0:
        last += 1
    return first, last


def _depths(lines: list[str]) -> tuple[int, int]:
    """The lowest depth of braces in some lines, and the depth at their end."""
    lowest = depth = 0
    for sign in "\n".join(lines):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        lowest = min(lowest, depth)
    return lowest, depth


def _excerpt(text: str, first: int, last: int) -> list[str]:
    lines = [line.rstrip("\r").expandtabs(2) for line in text.split("\n")[first : last + 1]]
    indented = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    lines = [line[indented:] for line in lines]
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 2], "  // …", lines[-1]]


def _reported(path: Path, first: int, last: int) -> list[str]:
    """What the checker reports about some lines of a document."""
    known = path.with_suffix(".txt").read_text("utf-8").splitlines()
    return [line for line in known if first <= int(line.split(":")[1]) - 1 <= last]


# tables ----------------------------------------------------------------------------------------


def _types_of_nodes() -> Iterator[str]:
    yield from ("| type | becomes |", "|---|---|")
    yield "| `task` | a node where a model works, if it has a `prompt` or may write, use tools or choose |"
    yield "| `state` | a node where no model works, unless it has a `prompt` |"
    yield "| `init` | a `state` with which a run begins |"
    yield f"| {_codes(sorted(CONTEXTS))} | a record |"
    yield "| `tool` | a tool |"
    yield "| `type` | a record whose objects a list holds |"
    yield "| `note` | a line in the description of the node with its name |"
    yield "| `style` | nothing, with a warning |"
    yield "| any other word, or none | by its attributes: a task, tool or context, else like a task |"


def _attributes() -> Iterator[str]:
    yield from (
        "Attributes are keys of [the flow format](flow-format.md); these are more:",
        "",
        "| of | attribute | becomes |",
    )
    yield "|---|---|---|"
    for owner, names in (
        ("the machine", machine.NAMES | machine.LIMITS),
        ("nodes", nodes.NAMES),
        ("tools", tools.NAMES),
    ):
        for word, key in names.items():
            yield f"| {owner} | `{word}` | `{f'limits.{key}' if word in machine.LIMITS else key}` |"
    yield f"| nodes | {_codes(nodes.DESCRIPTIONS)} | `description` |"
    yield f"| tools | {_codes(tools.ARGUMENTS)} | `args` |"
    for word, reason in machine.REFUSED.items():
        yield f"| the machine | `{word}` | a warning: {reason} |"
    for word, reason in nodes.REFUSED.items():
        yield f"| nodes | `{word}` | an error: {reason} |"
    yield f"| nodes | {_codes(nodes.DRAWN)} | a warning: flows have one look |"
    yield f"| tools | {_codes(tools.CODE)} | an error: a document holds no code |"
    yield f"| tools | {_codes(tools.RESULTS)} | a warning: results are not checked |"
    for word, reason in ways_out.REFUSED.items():
        yield f"| edges | `{word}` | a warning: {reason} |"
    for shape in ("Flow", "Node", "Tool", "Transition"):
        owner, keys = f"[{shape}](flow-format.md#{shape.lower()})", _codes(key.name for key in SHAPES[shape].keys)
        yield f"| {owner} | {keys} | the key itself, where an edge or the name does not say it |"


def _annotations() -> Iterator[str]:
    yield from ("| of | annotation | becomes |", "|---|---|---|")
    yield f"| the machine | {_annotated(machine.STRICT)} | a name that only edges have is an error |"
    for name in nodes.ANNOTATIONS:
        yield f"| nodes | `@{name}` | {_ANNOTATIONS[name]} |"
    for name in links.ANNOTATIONS:
        yield f"| edges | `@{name}` | {_ON_EDGES[name]} |"
    for reason in dict.fromkeys(links.CONCURRENT.values()):
        names = [name for name, one in links.CONCURRENT.items() if one == reason]
        yield f"| edges | {_annotated(names)} | an error: {reason} |"
    yield "| the machine, nodes | `@meta` | an error: a flow is not changed while it runs |"
    yield f"| edges | {_annotated(links.LOOK_ATTRIBUTES)} | a warning: flows have one look |"
    yield "| all | any other | a warning |"


def _annotated(names: Iterable[str]) -> str:
    return _codes(f"@{name}" for name in names)


def _words_in_labels() -> Iterator[str]:
    yield from ("| label | becomes |", "|---|---|")
    yield f"| {_codes(f'{word}: …' for word in ways_out.GUARDS)} | `when` of the transition |"
    yield f"| {_codes(links.CATCH_WORDS)} | a transition with `at: error` |"
    for kind, about in _ABOUT_LINKS.items():
        yield f"| {_codes(word for word, one in links.PERMISSIONS.items() if one == kind)} | {about} |"
    yield f"| {_codes(links.STRUCTURE)} as arrows | a warning: they only describe a relation |"
    yield "| any other words | `because` of the transition |"
    yield from ("", "In guards and texts these are read as others:", "", "| written | read as |", "|---|---|")
    yield from (f"| `{word}` | `{other}` |" for word, other in texts.OTHER_SPELLINGS.items())


def _types_of_fields() -> Iterator[str]:
    yield from ("The names of types are read in any case.", "", "| type | of the field |", "|---|---|")
    plain = {word: type_ for word, type_ in fields.TYPES.items() if word not in fields.PATTERNS}
    for type_ in dict.fromkeys(plain.values()):
        yield f"| {_codes(word for word, one in plain.items() if one == type_)} | `{type_}` |"
    for word, pattern in fields.PATTERNS.items():
        yield f"| `{word}` | `{fields.TYPES[word]}` with `pattern: {pattern}` |"
    yield f"| {_codes(f'{word}<T>' for word in fields.LISTS)} | `list` of T: a type of this table, or a `type` node |"
    yield f"| {_codes(f'{word}<T>' for word in fields.TRANSPARENT)}, `T?` | as T |"
    yield "| `'a' \\| 'b'` | `choice` with these options |"
    yield "| `any` | that of its attribute `type`, else `string` |"
    yield "| any other | an error |"


_TABLES = {
    "Types of nodes": _types_of_nodes,
    "Attributes": _attributes,
    "Annotations": _annotations,
    "Words in labels": _words_in_labels,
    "Types of fields": _types_of_fields,
}


def _codes(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`".replace("|", "\\|") for word in words)


# mistakes --------------------------------------------------------------------------------------


def _mistakes() -> Iterator[str]:
    """Each document with an error, and its reports, by the code of the first error."""
    yield from ("", "## Mistakes", "", "Each document of this section is reported as its lines below it say.")
    by_code: dict[str, list[Path]] = {}
    for path in sorted(FOLDER.glob("invalid/*.dy")):
        lines = path.with_suffix(".txt").read_text("utf-8").splitlines()
        error = next(line for line in lines if " warning: " not in line)
        by_code.setdefault(_CODE.findall(error)[0], []).append(path)
    for code, paths in sorted(by_code.items()):
        yield from ("", f"### {code}", "", f"[{code}](../checks/{code}.md): {CODES[code].about}.")
        for path in paths:
            yield from ("", "```dygram", *path.read_text("utf-8").rstrip("\n").splitlines(), "```")
            yield from ("", "```", *path.with_suffix(".txt").read_text("utf-8").splitlines(), "```")
