"""The words of a drawing: the lines in a node and at an arrow, short enough to be read there."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Literal, NamedTuple

from turnwise.drawing.graph import Arrow, ArrowHistory, Graph, Kind, Path, Vertex
from turnwise.flow.guard.conditions import TYPES
from turnwise.flow.model import Condition, Guard

LINE_WIDTH = 34
"""How many characters a line of a label has at most."""
NAME, TEXT, FIELDS = 2, 3, 8
"""How many lines a name and a text may take, and how many fields are listed."""

Style = Literal["name", "muted", "plain", "field", "test", "mark"]
"""How a line of a label looks."""


class Line(NamedTuple):
    """A line of a label, and its style."""

    text: str
    """The text of the line."""
    style: Style
    """How the line looks, by its role: a name, a field, a test and so on."""


KINDS: dict[Kind, str] = {
    "say": "says its text",
    "prompt": "a model speaks",
    "form": "form",
    "tool": "tool",
    "scope": "inner conversation",
    "person": "a person takes over",
    "none": "passes on",
    "end": "the end",
    "code": "chosen by code",
    "unknown": "no node has this name",
}
"""What each kind of node is called in a drawing, by kind."""
MOMENTS = {
    "before": "before the work, with every message",
    "tool": "after a tool was used",
    "calls": "after all calls of a reply",
    "after": "when the work is done",
    "error": "when something failed",
    "timer": "when its delay has come",
    "event": "when its event comes",
    "choice": "when the model chooses",
}
"""When transitions are judged, in words, by moment."""
_ACTIONS = {"call": "opens it", "return": "goes back", "offer": "offers it"}
_UNSEEN = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def condition_text(guard: Guard) -> str:
    """Return a guard as its author wrote it; condition objects in words."""
    return guard if isinstance(guard, str) else " and ".join(map(_condition, guard))


def _condition(of: Condition) -> str:
    if of.description:
        return of.description
    words = of.type.replace("_", " ") if of.type in TYPES else of.type
    window = f" in the last {of.window} uses" if of.window is not None else ""
    return f"{words} {of.value}".rstrip() + window


def visible_text(text: str) -> str:
    """Return a text without characters that are invisible or not allowed in a document."""
    return _UNSEEN.sub(" ", text)


def wrap_text(text: str, lines: int = TEXT, width: int = LINE_WIDTH) -> list[str]:
    """Return a text in at most `lines` lines of `width` characters; `…` marks what was cut."""
    clean = visible_text(text[: 4 * lines * width])
    found = textwrap.wrap(clean, width, max_lines=lines, placeholder="…", break_on_hyphens=False)
    return found if len(text) <= 4 * lines * width or not found else [*found[:-1], found[-1].rstrip("…") + "…"]


def _lines(width: int) -> int:
    """Return how many narrower lines a text may have, so that as much of it is shown."""
    return -(-TEXT * LINE_WIDTH // width)


def vertex_lines(vertex: Vertex, path: Path | None, width: int = LINE_WIDTH) -> list[Line]:
    """Return the lines in the box of a node, with its turns if a path is drawn."""
    found = [Line(text, "name") for text in wrap_text(vertex.name, NAME, width) or ["(no name)"]]
    if vertex.kind in KINDS:
        found.append(Line(KINDS[vertex.kind], "muted"))
    found += [Line(text, "plain") for text in wrap_text(vertex.about, _lines(width), width)]
    found += [Line(f"• {text}", "field") for name in vertex.fields[:FIELDS] for text in wrap_text(name, 1)]
    if len(vertex.fields) > FIELDS:
        found.append(Line(f"and {len(vertex.fields) - FIELDS} more", "field"))
    found += [Line(text, "muted") for remark in vertex.remarks for text in wrap_text(remark, 2, width)]
    if path is not None and (turns := path.visits.get(vertex.id, ())):
        found.append(Line(_in_turns("reached" if vertex.kind == "end" else "entered", turns), "mark"))
    if path is not None and vertex.id == path.current:
        here = "▶ the conversation ended here" if vertex.kind == "end" else "▶ the conversation is here"
        found.append(Line(here, "mark"))
    elif path is not None and vertex.id in path.waiting:
        found.append(Line("▶ waits for an inner conversation", "mark"))
    return found


def arrow_lines(arrow: Arrow, passed: ArrowHistory | None, *, with_tests: bool, width: int = LINE_WIDTH) -> list[Line]:
    """Return the lines at an arrow, with the text of a guard if `with_tests`; `passed` is its history, `None` if the
    drawing shows no conversation.
    """
    found = [Line(text, "muted") for text in wrap_text(" · ".join(_head(arrow)), 2, width)]
    because = f"“{arrow.because}”" if arrow.because else ""
    found += [Line(text, "plain") for text in wrap_text(because, _lines(width), width)]
    if with_tests or arrow.is_code:
        found += [Line(text, "test") for text in wrap_text(arrow.test)]
    elif arrow.test and not arrow.because:
        found += [Line(text, "plain") for text in wrap_text(arrow.id, 1)]
    found += [Line(text, "muted") for text in wrap_text(f"note: {arrow.note}" if arrow.note else "", 2, width)]
    found += [Line(text, "plain") for text in wrap_text(_ACTIONS.get(arrow.action, ""))]
    if passed is not None and arrow.moment:
        found.append(Line(_history(passed), "mark"))
    return found


def _head(arrow: Arrow) -> Iterator[str]:
    if arrow.moment:
        yield "before or after a tool" if arrow.is_entering else arrow.moment
    if arrow.action == "once":
        yield "once"
    elif arrow.moment and not arrow.test:
        yield "else" if arrow.is_else else "always"
    if arrow.is_mirror:
        yield "mirror: only describes"
    if arrow.priority != 100:
        yield f"priority {arrow.priority}"
    if arrow.remark:
        yield arrow.remark


def _history(passed: ArrowHistory) -> str:
    taken = _in_turns("taken", passed.turns) if passed.turns else ""
    if passed.is_planned:
        return f"{taken}, and planned" if taken else "planned for the next message"
    return taken or (f"judged {_times(passed.judged)}, not taken" if passed.judged else "never judged")


def _in_turns(what: str, turns: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, turns[:_MANY])) + (", …" if len(turns) > _MANY else "")
    times = f" ({_times(len(turns))})" if len(turns) > 1 else ""
    return f"{what} in turn{'s' if len(turns) > 1 else ''} {shown}{times}"


_MANY = 5


def _times(number: int) -> str:
    return f"{number} time" if number == 1 else f"{number} times"


def heading(graph: Graph, path: Path | None) -> list[str]:
    """Return the lines above a drawing: the title of the flow, and the path's title and remarks if one is drawn."""
    found = wrap_text(graph.title, NAME, 70)
    return found if path is None else [*found, *wrap_text(path.about, NAME, 70), *path.remarks]
