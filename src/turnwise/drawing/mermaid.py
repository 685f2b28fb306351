"""Writes a graph as a Mermaid flowchart, with generated ids and escaped texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from turnwise.drawing.graph import ArrowHistory, Graph, Kind, Path, Vertex
from turnwise.drawing.words import Line, arrow_lines, heading, vertex_lines, wrap_text

_SHAPES: dict[Kind, tuple[str, str]] = {
    "say": ("[", "]"),
    "prompt": ("(", ")"),
    "form": ("[[", "]]"),
    "tool": ("{{", "}}"),
    "scope": ("[/", "/]"),
    "person": ("[/", "\\]"),
    "none": ("([", "])"),
    "stay": (">", "]"),
    "code": ("{", "}"),
    "unknown": ("[\\", "\\]"),
    "start": ("((", "))"),
    "end": ("(((", ")))"),
    "any": ("((", "))"),
}
_LINES = {
    "before": "-->",
    "tool": "-.->",
    "calls": "-.->",
    "after": "==>",
    "error": "--x",
    "timer": "-.-o",
    "event": "-.->",
    "choice": "--o",
    "": "-->",
}
_WIDTH = 26
"""Mermaid breaks longer lines once more."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,_-+/()!?=*•…·“”→▶")


def write_mermaid(graph: Graph, path: Path | None = None, *, with_tests: bool = True) -> str:
    """Return a graph as a Mermaid flowchart from top to bottom, with the texts of guards if `with_tests`, and the
    `path` of a conversation, if any.
    """
    lines = ["flowchart TD", *_heading(graph, path)]
    lines += [f"    {_vertex(vertex, path)}" for vertex in graph.vertices if not vertex.cluster]
    lines += _clusters(graph, path, "", "    ")
    for place, arrow in enumerate(graph.arrows):
        words = arrow_lines(arrow, path and path.passed.get(place), with_tests=with_tests, width=_WIDTH)
        label = f'|"{_label(words)}"|' if words else ""
        lines.append(f"    {arrow.source} {_LINES[arrow.moment]}{label} {arrow.target}")
    lines += _notes(graph)
    if path is not None:
        lines += _of_path(graph, path)
    return "\n".join(lines) + "\n"


def escape_text(text: str) -> str:
    """Return a text with the escapes of a quoted text in Mermaid. What could mean something to Mermaid or to HTML
    becomes an entity; a zero-width space divides what Mermaid would read even then.
    """
    broken = _READ_ANYWAY.sub("\\g<0>\u200b", text)
    found = "".join(one if one in _PLAIN or (ord(one) > 127 and one.isalpha()) else f"#{ord(one)};" for one in broken)
    return found.replace("direction ", "direction#32;")


_READ_ANYWAY = re.compile(r"\\(?=n)|\$(?=\$)|fa[bklrs]?:(?=fa-)|¶(?=ß)|ﬂ(?=°)")
"""After its entities are replaced Mermaid looks for breaks of lines, formulas, icons and its own entities; a line with
the word `direction` and `LR` is a command to it, wherever they stand.
"""


def _label(lines: Iterable[Line]) -> str:
    return "<br/>".join(_line(line) for line in lines)


def _line(line: Line) -> str:
    text = escape_text(line.text)
    match line.style:
        case "name" | "mark":
            return f"<b>{text}</b>"
        case "muted":
            return f"<i>{text}</i>"
        case _:
            return text


def _heading(graph: Graph, path: Path | None) -> Iterator[str]:
    """Yield the title as a comment, and as a legend if there is a path."""
    texts = heading(graph, path)
    if texts:
        yield f"    %% {' '.join(map(escape_text, texts))}"
    if path is not None:
        yield f'    legend["{"<br/>".join(map(escape_text, [*texts, *_LEGEND]))}"]'


_LEGEND = ("thick: taken, or entered", "thin: judged, not taken", "pale and dotted: never judged")


def _clusters(graph: Graph, path: Path | None, parent: str, margin: str) -> Iterator[str]:
    for cluster in graph.clusters:
        if cluster.parent != parent:
            continue
        name = " ".join(wrap_text(cluster.name, 1))
        yield f'{margin}subgraph {cluster.id}["{escape_text(name)}"]'
        inside = (vertex for vertex in graph.vertices if vertex.cluster == cluster.id)
        yield from (f"{margin}    {_vertex(vertex, path)}" for vertex in inside)
        yield from _clusters(graph, path, cluster.id, margin + "    ")
        yield f"{margin}end"


def _vertex(vertex: Vertex, path: Path | None) -> str:
    opening, closing = _SHAPES[vertex.kind]
    return f'{vertex.id}{opening}"{_label(vertex_lines(vertex, path, _WIDTH))}"{closing}'


def _notes(graph: Graph) -> Iterator[str]:
    for place, note in enumerate(graph.notes):
        texts = [Line(" ".join(wrap_text(note.title, 1)), "name"), *(Line(t, "plain") for t in wrap_text(note.text))]
        yield f'    note{place}>"{_label(texts)}"]'


def _of_path(graph: Graph, path: Path) -> Iterator[str]:
    """Yield the path as strokes: without colours, so that every theme shows it."""
    yield "    classDef entered stroke-width:3px"
    yield "    classDef current stroke-width:6px"
    entered = [vertex.id for vertex in graph.vertices if vertex.id in path.visits and vertex.id != path.current]
    if entered:
        yield f"    class {','.join(entered)} entered"
    if path.current:
        yield f"    class {path.current} current"
    for place, passed in path.passed.items():
        yield f"    linkStyle {place} {_stroke(passed)}"


def _stroke(passed: ArrowHistory) -> str:
    if passed.turns:
        return "stroke-width:4px"
    if passed.is_planned:
        return "stroke-width:2px"
    return "opacity:0.75" if passed.judged else "opacity:0.4,stroke-dasharray:2 4"
