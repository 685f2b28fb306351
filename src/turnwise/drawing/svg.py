"""Renders a graph as SVG by Graphviz, with a light and a dark theme."""

from __future__ import annotations

import re
import shutil
import subprocess

from turnwise.drawing.dot import dot, escaped
from turnwise.drawing.graph import IN_THE_DARK, PAPER, Graph, Path
from turnwise.drawing.words import heading, seen
from turnwise.errors import NoGraphviz

PROGRAM = "dot"
LONGEST_S = 120.0
_INSTALL = "install Graphviz (apt-get install graphviz, brew install graphviz, winget install Graphviz.Graphviz)"


def svg(graph: Graph, path: Path | None = None, *, with_tests: bool = True) -> str:
    """The drawing as SVG. Raises `NoGraphviz`."""
    laid_out = _run(dot(graph, path, with_tests=with_tests))
    start = laid_out.find("<svg")
    if start < 0:
        raise NoGraphviz("Graphviz gave no SVG; --format dot writes what it was given")
    return _with_schemes(_in_front(_named(laid_out[start:], graph)), graph, path)


def _run(text: str) -> str:
    program = shutil.which(PROGRAM)
    if program is None:
        raise NoGraphviz(
            f"SVG needs Graphviz, and '{PROGRAM}' is not on the path: {_INSTALL}, or write another --format"
        )
    try:
        done = subprocess.run(  # noqa: S603  the program is Graphviz, its input a text of ours
            [program, "-Tsvg"], input=text.encode(), capture_output=True, check=False, timeout=LONGEST_S
        )
    except OSError as error:
        raise NoGraphviz(f"{program} cannot be run: {error}") from None
    except subprocess.TimeoutExpired:
        raise NoGraphviz(
            f"Graphviz was not ready after {LONGEST_S:g} s; --format dot writes what it was given"
        ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoGraphviz(f"Graphviz failed: {said[0] if said else f'exit {done.returncode}'}")
    return done.stdout.decode("utf-8", "replace")


def _with_schemes(text: str, graph: Graph, path: Path | None) -> str:
    """The picture with a name for those who do not see it, and with other colours in the dark."""
    head, end, rest = text.partition(">")
    title = escaped(": ".join(heading(graph, path)[:2]) or seen(graph.name))
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}' for light, dark in IN_THE_DARK.items()
    )
    style = (
        f"<style>svg{{color-scheme:light dark}}{_HALO}@media(prefers-color-scheme:dark){{{rules}{_DARK_HALO}}}</style>"
    )
    return f'{head} role="img" aria-label="{title}"{end}\n{style}{rest}'


_HALO = (
    f"@supports(paint-order:stroke){{.label text{{"
    f"paint-order:stroke;stroke:{PAPER};stroke-width:4px;stroke-linejoin:round}}}}"
)
"""Paper around the letters of a label, where what shows the picture can put it behind them."""
_DARK_HALO = f"@supports(paint-order:stroke){{.label text{{stroke:{IN_THE_DARK[PAPER]}}}}}"


def _named(text: str, graph: Graph) -> str:
    """The picture whose nodes and arrows are called as in the flow, where a pointer rests on them."""
    names = {vertex.id: escaped(seen(vertex.name[:_LONGEST])) for vertex in graph.vertices}

    def name(found: re.Match[str]) -> str:
        ends = [names.get(end, "") for end in found[1].split("&#45;&gt;")]
        return f"<title>{' → '.join(ends)}</title>" if all(ends) else ""

    return _TITLE.sub(name, text)


def _in_front(text: str) -> str:
    """The picture with the labels of its arrows in front of all arrows, so that none is crossed out."""
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
