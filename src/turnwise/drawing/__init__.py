"""Draws a flow in Mermaid, DOT or SVG, with the path of a conversation over it.

It decides nothing and reads no store: it is given a flow, and the journal of a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, assert_never, get_args

from turnwise.drawing.dot import dot
from turnwise.drawing.graph import Graph, Path
from turnwise.drawing.mermaid import mermaid
from turnwise.drawing.svg import svg
from turnwise.errors import WrongArgument

Format = Literal["mermaid", "dot", "svg"]
FORMATS: tuple[Format, ...] = get_args(Format)


def written(graph: Graph, form: Format, path: Path | None = None, *, with_tests: bool = True) -> str:
    """A graph in one of the forms. Raises `WrongArgument` for another, and `NoGraphviz` for SVG without it."""
    match form:
        case "mermaid":
            return mermaid(graph, path, with_tests=with_tests)
        case "dot":
            return dot(graph, path, with_tests=with_tests)
        case "svg":
            return svg(graph, path, with_tests=with_tests)
        case _:
            refuse(form, FORMATS)
            assert_never(form)


def refuse(given: object, known: Iterable[str]) -> None:
    """Raises `WrongArgument`: this is none of the forms."""
    raise WrongArgument("format", given, f"one of {', '.join(known)}")
