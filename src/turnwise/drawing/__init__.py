"""Drawing: a flow as a picture, in Mermaid, DOT or SVG, and the path of a conversation over it.

It decides nothing and reads no store: its input is a flow, and the journal of a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never, get_args

from turnwise.drawing.graph import Graph, Path
from turnwise.drawing.graphviz import render_svg, write_dot
from turnwise.drawing.mermaid import write_mermaid
from turnwise.errors import WrongArgument

Format = Literal["mermaid", "dot", "svg"]
"""The format of a drawing."""
FORMATS: tuple[Format, ...] = get_args(Format)
"""All formats of drawings."""


def write_graph(graph: Graph, form: Format, path: Path | None = None, *, with_tests: bool = True) -> str:
    """Return a graph in a format, with the texts of guards if `with_tests`, and the `path` of a conversation over it,
    if any. Raises `WrongArgument` for an unknown format, and `NoGraphviz` for SVG without Graphviz.
    """
    match form:
        case "mermaid":
            return write_mermaid(graph, path, with_tests=with_tests)
        case "dot":
            return write_dot(graph, path, with_tests=with_tests)
        case "svg":
            return render_svg(graph, path, with_tests=with_tests)
        case _:
            refuse_format(form, FORMATS)
            assert_never(form)


def refuse_format(value: object, known: Iterable[str]) -> None:
    """Raise `WrongArgument` for a value that is none of the known formats."""
    raise WrongArgument("format", value, f"one of {', '.join(known)}")
