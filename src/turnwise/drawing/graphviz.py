"""A graph in the language of Graphviz, and as SVG where Graphviz is installed, readable in light and dark.

Every text is part of a label in the HTML-like form, and escaped as such.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator

from turnwise.drawing import graph as p
from turnwise.drawing.graph import DARK_COLOURS, KINDS_WITHOUT_NODE, Arrow, ArrowHistory, Graph, Kind, Path, Vertex
from turnwise.drawing.words import KINDS, MOMENTS, Line, arrow_lines, heading, vertex_lines, visible_text, wrap_text
from turnwise.errors import NoGraphviz

_SHAPES: dict[Kind, dict[str, str]] = {
    "say": {"shape": "box", "style": "filled", "fillcolor": p.SAY},
    "prompt": {"shape": "box", "style": "rounded,filled", "fillcolor": p.PROMPT},
    "form": {"shape": "note", "style": "filled", "fillcolor": p.FORM},
    "tool": {"shape": "component", "style": "filled", "fillcolor": p.TOOL},
    "scope": {"shape": "folder", "style": "filled", "fillcolor": p.SCOPE},
    "person": {"shape": "house", "style": "filled", "fillcolor": p.PERSON},
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
    "calls": {"style": "dashed", "arrowhead": "ediamond"},
    "after": {"style": "bold", "arrowhead": "vee"},
    "error": {"style": "dotted", "arrowhead": "tee"},
    "timer": {"style": "dashed", "arrowhead": "odot"},
    "event": {"style": "dashed", "arrowhead": "dot"},
    "choice": {"style": "solid", "arrowhead": "onormal"},
    "": {"style": "solid", "arrowhead": "normal"},
}
_ENTITIES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("]"): "&#93;"}
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


def write_dot(graph: Graph, path: Path | None = None, *, with_tests: bool = True) -> str:
    """Return a graph in the DOT language (texts of guards if `with_tests`), with a legend of shapes and lines, and the
    `path` of a conversation, if any.
    """
    lines = ["digraph flow {", *_settings(graph, path)]
    lines += [f"  {_vertex(vertex, path)}" for vertex in graph.vertices if not vertex.cluster]
    lines += _clusters(graph, path, "", "  ")
    for place, arrow in enumerate(graph.arrows):
        passed = path.passed.get(place) if path is not None else None
        lines.append("  " + _arrow(arrow, passed, with_tests=with_tests))
    lines += [*_notes(graph), *_legend(graph, path), "}"]
    return "\n".join(lines) + "\n"


def escape_label(text: str) -> str:
    """Return a text with the escapes of an HTML-like label of Graphviz."""
    return text.translate(_ENTITIES)


def _settings(graph: Graph, path: Path | None) -> Iterator[str]:
    titles = [escape_label(text) for text in heading(graph, path)]
    title = "<br/>".join(
        f'<font point-size="13">{text}</font>' if number else f"<b>{text}</b>" for number, text in enumerate(titles)
    )
    label = {"label": f"<{title}>", "labelloc": "t", "fontsize": "18"} if title else {}
    base = {"rankdir": "TB", "bgcolor": p.PAPER, "nodesep": "0.45", "ranksep": "0.55", "pad": "0.3"}
    yield f"  graph [{_attributes({**base, **label, 'fontname': _FONT, 'fontcolor': p.INK})}]"
    text = {"fontname": _FONT, "fontsize": "11", "color": p.LINE, "fontcolor": p.INK}
    yield f"  node [{_attributes({**text, 'margin': '0.14,0.08'})}]"
    yield f"  edge [{_attributes(text)}]"


def _attributes(values: dict[str, str]) -> str:
    """Return attributes as they are written; a value in angle brackets is a label that is escaped already."""
    return ", ".join(f"{key}={value}" if value.startswith("<") else f'{key}="{value}"' for key, value in values.items())


# labels ------------------------------------------------------------------------------------------


def _label(lines: Iterable[Line], padding: int = 1, beside: str = "") -> str:
    """Return lines under one another, with some room beside them."""
    rows = "".join(
        f'<tr>{beside}<td align="{"left" if line.style == "field" else "center"}">{_line(line)}</td>{beside}</tr>'
        for line in lines
    )
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="{padding}">{rows}</table>>'


_BESIDE = '<td width="5"></td>'
"""Room between a line and its label."""


def _line(line: Line) -> str:
    face, size, color = _STYLES[line.style]
    text = escape_label(line.text)
    text = f"<b>{text}</b>" if line.style in ("name", "mark") else text
    font = f' face="{face}"' if face else ""
    return f'<font{font} point-size="{size}" color="{color}">{text}</font>'


# nodes -------------------------------------------------------------------------------------------


def _vertex(vertex: Vertex, path: Path | None) -> str:
    found = {"label": _label(vertex_lines(vertex, path)), **_SHAPES[vertex.kind]}
    if path is not None and vertex.id == path.current:
        found |= {"color": p.PATH, "penwidth": "2.5", "peripheries": "2"}
    elif path is not None and vertex.id in path.visits:
        found |= {"color": p.PATH, "penwidth": "2.5"}
    return f"{vertex.id} [{_attributes(found)}]"


def _clusters(graph: Graph, path: Path | None, parent: str, margin: str) -> Iterator[str]:
    for cluster in graph.clusters:
        if cluster.parent != parent:
            continue
        name = " ".join(wrap_text(cluster.name, 1))
        look = {"style": "rounded,filled", "color": p.LINE, "fillcolor": p.INSIDE, "label": f"<{escape_label(name)}>"}
        yield f"{margin}subgraph cluster_{cluster.id} {{"
        yield f"{margin}  graph [{_attributes({**look, 'labeljust': 'l', 'fontsize': '13'})}]"
        yield from (f"{margin}  {_vertex(one, path)}" for one in graph.vertices if one.cluster == cluster.id)
        yield from _clusters(graph, path, cluster.id, margin + "  ")
        yield f"{margin}}}"


def _notes(graph: Graph) -> Iterator[str]:
    for place, note in enumerate(graph.notes):
        lines = [
            Line(" ".join(wrap_text(note.title, 1)), "name"),
            *(Line(text, "plain") for text in wrap_text(note.text)),
        ]
        look = {"shape": "note", "style": "filled,dashed", "fillcolor": p.PAPER}
        yield f"  note{place} [{_attributes({'label': _label(lines), **look})}]"


# arrows ------------------------------------------------------------------------------------------


def _arrow(arrow: Arrow, passed: ArrowHistory | None, *, with_tests: bool) -> str:
    lines = arrow_lines(arrow, passed, with_tests=with_tests)
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
    """Return a table of the colours and lines that occur."""
    used = {vertex.kind for vertex in graph.vertices}
    kinds: list[Kind] = [kind for kind in KINDS if kind in used and kind not in (*KINDS_WITHOUT_NODE, "none")]
    rows = [("", _SHAPES[kind]["fillcolor"], KINDS[kind]) for kind in kinds]
    moments = {arrow.moment for arrow in graph.arrows}
    rows += [(_SIGNS[one], p.LINE, f"{one}: {MOMENTS[one]}") for one in MOMENTS if one in moments]
    rows += _FATES if path is not None else []
    if not rows:
        return
    cells = "".join(_row(*row) for row in rows)
    table = f'<table border="1" color="{p.PALE}" cellborder="0" cellspacing="4" cellpadding="2" style="rounded">'
    yield f'  legend [shape="plain", label=<{table}{cells}</table>>]'


def _row(sign: str, color: str, text: str) -> str:
    """Return a row of the legend: a sign in a colour, or a swatch of the colour."""
    look = "" if sign else f' bgcolor="{color}" border="1" color="{p.LINE}" width="22"'
    shown = f'<font color="{color}">{sign}</font>' if sign else ""
    words = _line(Line(text, "plain"))
    return f'<tr><td{look}>{shown}</td><td align="left">{words}</td>{_BESIDE}</tr>'


_SIGNS: dict[str, str] = {
    "before": "—▶",
    "tool": "- -◆",
    "calls": "- -◇",
    "after": "━➤",
    "error": "····|",
    "timer": "- -○",
    "event": "- -●",
    "choice": "—▷",
}
_FATES = [
    ("━━", p.PATH, "entered, or taken in these turns; thin: planned"),
    ("──", p.PALE, "not taken, or never judged"),
]


# SVG ---------------------------------------------------------------------------------------------

GRAPHVIZ_PROGRAM = "dot"
"""The name of Graphviz's program on the search path."""
TIMEOUT_S = 120.0
"""How long Graphviz may take for a drawing, in seconds."""
_INSTALL = "install Graphviz (apt-get install graphviz, brew install graphviz, winget install Graphviz.Graphviz)"


def render_svg(graph: Graph, path: Path | None = None, *, with_tests: bool = True) -> str:
    """Return a graph as SVG, with the texts of guards if `with_tests`, and the `path` of a conversation, if any. Raises
    `NoGraphviz` without Graphviz.
    """
    laid_out = _run(write_dot(graph, path, with_tests=with_tests))
    start = laid_out.find("<svg")
    if start < 0:
        raise NoGraphviz("Graphviz returned no SVG; --format dot writes its input")
    return _with_schemes(_in_front(_named(laid_out[start:], graph)), graph, path)


def _run(text: str) -> str:
    program = shutil.which(GRAPHVIZ_PROGRAM)
    if program is None:
        raise NoGraphviz(
            f"SVG needs Graphviz, and '{GRAPHVIZ_PROGRAM}' is not on the path: {_INSTALL}, or write another --format"
        )
    try:
        done = subprocess.run(  # noqa: S603  the program is Graphviz, its input a text of ours
            [program, "-Tsvg"], input=text.encode(), capture_output=True, check=False, timeout=TIMEOUT_S
        )
    except OSError as error:
        raise NoGraphviz(f"{program} cannot be run: {error}") from None
    except subprocess.TimeoutExpired:
        raise NoGraphviz(f"Graphviz was not ready after {TIMEOUT_S:g} s; --format dot writes its input") from None
    if done.returncode:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoGraphviz(f"Graphviz failed: {errors[0] if errors else f'exit {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


def _with_schemes(text: str, graph: Graph, path: Path | None) -> str:
    """Return the picture with a title for screen readers, and with other colours in dark mode."""
    head, end, rest = text.partition(">")
    title = escape_label(": ".join(heading(graph, path)[:2]) or visible_text(graph.name))
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}' for light, dark in DARK_COLOURS.items()
    )
    style = (
        f"<style>svg{{color-scheme:light dark}}{_HALO}@media(prefers-color-scheme:dark){{{rules}{_DARK_HALO}}}</style>"
    )
    return f'{head} role="img" aria-label="{title}"{end}\n{style}{rest}'


_HALO = (
    f"@supports(paint-order:stroke){{.label text{{"
    f"paint-order:stroke;stroke:{p.PAPER};stroke-width:4px;stroke-linejoin:round}}}}"
)
"""The colour of the paper around the letters of a label, in viewers that can put it behind them."""
_DARK_HALO = f"@supports(paint-order:stroke){{.label text{{stroke:{DARK_COLOURS[p.PAPER]}}}}}"


def _named(text: str, graph: Graph) -> str:
    """Return the picture with tooltips: the names of nodes and arrows in the flow."""
    names = {vertex.id: escape_label(visible_text(vertex.name[:_LONGEST])) for vertex in graph.vertices}

    def name(found: re.Match[str]) -> str:
        ends = [names.get(end, "") for end in found[1].split("&#45;&gt;")]
        return f"<title>{' → '.join(ends)}</title>" if all(ends) else ""

    return _TITLE.sub(name, text)


def _in_front(text: str) -> str:
    """Return the picture with the labels of its arrows in front of all arrows, so that none is crossed out."""
    labels: list[str] = []

    def take(found: re.Match[str]) -> str:
        rest = _TEXT.sub("", found[0])
        words = "".join(_TEXT.findall(found[0]))
        title = _TITLE.search(found[0])
        if words:
            labels.append(f'<g class="label">\n{title[0] if title else ""}{words}</g>\n')
        return rest

    head, end, tail = _EDGE.sub(take, text).rpartition("</g>\n</svg>")
    return f"{head}{''.join(labels)}{end}{tail}"


_EDGE = re.compile(r'<g id="edge\d+" class="edge">.*?</g>\n', re.DOTALL)
_TEXT = re.compile(r"<text[^>]*>[^<]*</text>\n")
_TITLE = re.compile(r"<title>([^<]*)</title>\n?")
_LONGEST = 200
