"""Writes a graph as DOT for Graphviz, with every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.drawing import graph as p
from turnwise.drawing.graph import MARKS, Arrow, Graph, Kind, Passed, Path, Vertex
from turnwise.drawing.words import KINDS, MOMENTS, Line, heading, of_arrow, of_vertex, wrapped

_SHAPES: dict[Kind, dict[str, str]] = {
    "say": {"shape": "box", "style": "filled", "fillcolor": p.SAY},
    "prompt": {"shape": "box", "style": "rounded,filled", "fillcolor": p.PROMPT},
    "form": {"shape": "note", "style": "filled", "fillcolor": p.FORM},
    "tool": {"shape": "component", "style": "filled", "fillcolor": p.TOOL},
    "scope": {"shape": "folder", "style": "filled", "fillcolor": p.SCOPE},
    "none": {"shape": "ellipse", "style": "filled", "fillcolor": p.PAPER},
    "stay": {"shape": "plaintext", "margin": "0.03"},
    "code": {"shape": "cds", "style": "filled", "fillcolor": p.PAPER, "margin": "0.3,0.12"},
    "unknown": {"shape": "box", "style": "dashed,filled", "fillcolor": p.PAPER},
    "start": {"shape": "circle", "style": "filled", "fillcolor": p.SCOPE, "margin": "0.03"},
    "end": {"shape": "box", "style": "rounded,filled", "peripheries": "2", "fillcolor": p.SCOPE},
    "any": {"shape": "circle", "style": "dashed,filled", "fillcolor": p.PAPER, "margin": "0.03"},
}
_LINES: dict[str, dict[str, str]] = {
    "before": {"style": "solid", "arrowhead": "normal"},
    "tool": {"style": "dashed", "arrowhead": "diamond"},
    "after": {"style": "bold", "arrowhead": "vee"},
    "error": {"style": "dotted", "arrowhead": "tee"},
    "timer": {"style": "dashed", "arrowhead": "odot"},
    "choice": {"style": "solid", "arrowhead": "onormal"},
    "": {"style": "solid", "arrowhead": "normal"},
}
_FONT = "Helvetica,Arial,sans-serif"
_CODE = "Courier New,Courier,monospace"
_STYLES = {
    "name": ("", 14, p.INK),
    "muted": ("", 10, p.MUTED),
    "plain": ("", 11, p.INK),
    "field": ("", 11, p.INK),
    "test": (_CODE, 11, p.INK),
    "mark": ("", 11, p.PATH),
}


def dot(graph: Graph, path: Path | None = None, *, with_tests: bool = True) -> str:
    """The text of a directed graph, with a legend of the shapes and lines that occur."""
    lines = ["digraph flow {", *_settings(graph, path)]
    lines += [f"  {_vertex(vertex, path)}" for vertex in graph.vertices if not vertex.cluster]
    lines += _clusters(graph, path, "", "  ")
    for place, arrow in enumerate(graph.arrows):
        passed = path.passed.get(place) if path is not None else None
        lines.append("  " + _arrow(arrow, passed, with_tests=with_tests))
    lines += [*_notes(graph), *_legend(graph, path), "}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """A text as it may stand in a label in the HTML-like form. Graphviz trips over two closing brackets."""
    return text.translate(_ENTITIES)


_ENTITIES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("]"): "&#93;"}


def _settings(graph: Graph, path: Path | None) -> Iterator[str]:
    titles = [escaped(text) for text in heading(graph, path)]
    title = "<br/>".join(
        f'<font point-size="13">{text}</font>' if number else f"<b>{text}</b>" for number, text in enumerate(titles)
    )
    label = {"label": f"<{title}>", "labelloc": "t", "fontsize": "18"} if title else {}
    base = {"rankdir": "TB", "bgcolor": p.PAPER, "nodesep": "0.45", "ranksep": "0.55", "pad": "0.3"}
    yield f"  graph [{_attributes({**base, **label, 'fontname': _FONT, 'fontcolor': p.INK})}]"
    text = {"fontname": _FONT, "fontsize": "11", "color": p.LINE, "fontcolor": p.INK}
    yield f"  node [{_attributes({**text, 'margin': '0.14,0.08'})}]"
    yield f"  edge [{_attributes(text)}]"


def _attributes(given: dict[str, str]) -> str:
    """Attributes as they are written; a value in angle brackets is a label that is escaped already."""
    return ", ".join(f"{key}={value}" if value.startswith("<") else f'{key}="{value}"' for key, value in given.items())


# labels ------------------------------------------------------------------------------------------


def _label(lines: Iterable[Line], padding: int = 1, beside: str = "") -> str:
    """Lines under one another, with some room beside them."""
    rows = "".join(f'<tr>{beside}<td align="{_side(line)}">{_line(line)}</td>{beside}</tr>' for line in lines)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="{padding}">{rows}</table>>'


_BESIDE = '<td width="5"></td>'
"""Room between a line and its label."""


def _side(line: Line) -> str:
    return "left" if line.style == "field" else "center"


def _line(line: Line) -> str:
    face, size, color = _STYLES[line.style]
    text = escaped(line.text)
    text = f"<b>{text}</b>" if line.style in ("name", "mark") else text
    font = f' face="{face}"' if face else ""
    return f'<font{font} point-size="{size}" color="{color}">{text}</font>'


# nodes -------------------------------------------------------------------------------------------


def _vertex(vertex: Vertex, path: Path | None) -> str:
    found = {"label": _label(of_vertex(vertex, path)), **_SHAPES[vertex.kind]}
    if path is not None and vertex.id == path.current:
        found |= {"color": p.PATH, "penwidth": "2.5", "peripheries": "2"}
    elif path is not None and vertex.id in path.visits:
        found |= {"color": p.PATH, "penwidth": "2.5"}
    return f"{vertex.id} [{_attributes(found)}]"


def _clusters(graph: Graph, path: Path | None, parent: str, margin: str) -> Iterator[str]:
    for cluster in graph.clusters:
        if cluster.parent != parent:
            continue
        name = " ".join(wrapped(cluster.name, 1))
        look = {"style": "rounded,filled", "color": p.LINE, "fillcolor": p.INSIDE, "label": f"<{escaped(name)}>"}
        yield f"{margin}subgraph cluster_{cluster.id} {{"
        yield f"{margin}  graph [{_attributes({**look, 'labeljust': 'l', 'fontsize': '13'})}]"
        yield from (f"{margin}  {_vertex(one, path)}" for one in graph.vertices if one.cluster == cluster.id)
        yield from _clusters(graph, path, cluster.id, margin + "  ")
        yield f"{margin}}}"


def _notes(graph: Graph) -> Iterator[str]:
    for place, note in enumerate(graph.notes):
        lines = [Line(" ".join(wrapped(note.title, 1)), "name"), *(Line(text, "plain") for text in wrapped(note.text))]
        look = {"shape": "note", "style": "filled,dashed", "fillcolor": p.PAPER}
        yield f"  note{place} [{_attributes({'label': _label(lines), **look})}]"


# arrows ------------------------------------------------------------------------------------------


def _arrow(arrow: Arrow, passed: Passed | None, *, with_tests: bool) -> str:
    lines = of_arrow(arrow, passed, with_tests=with_tests)
    found = dict(_LINES[arrow.moment])
    if passed is not None and passed.turns:
        found |= {"color": p.PATH, "penwidth": "3"}
    elif passed is not None and passed.is_planned:
        found |= {"color": p.PATH, "penwidth": "1.5"}
    elif passed is not None:
        found |= {"color": p.PALE, "penwidth": "1"}
        lines = [line._replace(style="muted") if line.style != "test" else line for line in lines]
    if lines:
        found["label"] = _label(lines, 2, _BESIDE)
    return f"{arrow.source} -> {arrow.target} [{_attributes(found)}]"


# the legend --------------------------------------------------------------------------------------


def _legend(graph: Graph, path: Path | None) -> Iterator[str]:
    """What the colours and lines mean that occur, in a table of its own."""
    used = {vertex.kind for vertex in graph.vertices}
    kinds: list[Kind] = [kind for kind in KINDS if kind in used and kind not in (*MARKS, "none")]
    rows = [("", _SHAPES[kind]["fillcolor"], KINDS[kind]) for kind in kinds]
    rows += [(_SIGNS[one], p.LINE, f"{one}: {MOMENTS[one]}") for one in MOMENTS if _occurs(graph, one)]
    rows += _FATES if path is not None else []
    if not rows:
        return
    cells = "".join(_row(*row) for row in rows)
    table = f'<table border="1" color="{p.PALE}" cellborder="0" cellspacing="4" cellpadding="2" style="rounded">'
    yield f'  legend [shape="plain", label=<{table}{cells}</table>>]'


def _occurs(graph: Graph, moment: str) -> bool:
    return any(arrow.moment == moment for arrow in graph.arrows)


def _row(sign: str, color: str, text: str) -> str:
    """A swatch of a colour where there is no sign, else the sign in that colour."""
    look = "" if sign else f' bgcolor="{color}" border="1" color="{p.LINE}" width="22"'
    shown = f'<font color="{color}">{sign}</font>' if sign else ""
    words = _line(Line(text, "plain"))
    return f'<tr><td{look}>{shown}</td><td align="left">{words}</td>{_BESIDE}</tr>'


_SIGNS: dict[str, str] = {
    "before": "—▶",
    "tool": "- -◆",
    "after": "━➤",
    "error": "····|",
    "timer": "- -○",
    "choice": "—▷",
}
_FATES = [
    ("━━", p.PATH, "entered, or taken in these turns; thin: planned"),
    ("──", p.PALE, "not taken, or never judged"),
]
