"""A drawing as plain data, from which every format is written: nodes, arrows, clusters, notes, colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turnwise.flow.model import Moment

PAPER = "#ffffff"
"""The background."""
INSIDE = "#f4f6f9"
"""The background of a scope."""
INK = "#1b2430"
"""Names and texts."""
MUTED = "#586374"
"""Texts beside them."""
LINE = "#5a6675"
"""Arrows and borders."""
PALE = "#a6afbb"
"""What a conversation has not reached."""
PATH = "#0a58ca"
"""What it has passed."""
SAY = "#e6f1fd"
"""Nodes with a text."""
PROMPT = "#efe9fd"
"""Nodes where a model speaks."""
FORM = "#fff3d9"
"""Nodes with a form."""
TOOL = "#e3f6ea"
"""Nodes that run a tool."""
SCOPE = "#eceff3"
"""Nodes with an inner conversation."""
PERSON = "#fde8ee"
"""Nodes with a person."""

DARK_COLOURS = {
    PAPER: "#11161d",
    INSIDE: "#171e27",
    INK: "#e8edf3",
    MUTED: "#a9b4c2",
    LINE: "#8d99a8",
    PALE: "#56616f",
    PATH: "#6cb0ff",
    SAY: "#16304d",
    PROMPT: "#2f2550",
    FORM: "#453512",
    TOOL: "#143a26",
    SCOPE: "#2a323d",
    PERSON: "#48202c",
}
"""Every colour that a drawing may have, with the one that replaces it in dark mode."""


Kind = Literal[
    "say", "prompt", "form", "tool", "scope", "person", "none", "start", "end", "any", "stay", "code", "unknown"
]
"""The kind of work of a node. The last six are marks: start, end, any node of a frame, staying, a node that a function
names, an unknown name.
"""
KINDS_WITHOUT_NODE: tuple[Kind, ...] = ("start", "end", "any", "stay", "code", "unknown")
"""The kinds that are no nodes of the flow."""
Action = Literal["to", "call", "stay", "block", "return", "end", "once", "start", "offer"]
"""What taking a transition does; `once`, `start` and `offer` are no transitions of the flow."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node of the flow, or a mark."""

    id: str
    """Short, and safe in every form of the drawing."""
    kind: Kind
    """The work of the node, or the mark that it is."""
    name: str
    """What people read."""
    about: str = ""
    """A line about its work."""
    fields: tuple[str, ...] = ()
    """What its form asks or what it collects."""
    remarks: tuple[str, ...] = ()
    """What else there is to know about it."""
    cluster: str = ""
    """The id of the box around it; empty if there is none."""
    frame: str = ""
    """The scope in which it stands; empty for the outermost conversation."""

    @property
    def address(self) -> str:
        """Its name among all nodes of the flow: `survey/ask`."""
        return f"{self.frame}/{self.name}" if self.frame else self.name


@dataclass(frozen=True, slots=True)
class Arrow:
    """A transition as an arrow."""

    source: str
    """The id of the vertex that it leaves."""
    target: str
    """The id of the vertex that it leads to."""
    action: Action
    """What taking the transition does."""
    moment: Moment | Literal[""] = ""
    """When its guard is judged; empty where nothing is judged."""
    node: str = ""
    """The address of the node that declares it; empty for all of a frame."""
    id: str = ""
    """The name of the transition."""
    test: str = ""
    """The text of a rule, or the name of a function with `is_code`; empty for an `else`."""
    is_code: bool = False
    """True where `test` is the name of a function."""
    is_else: bool = False
    """True where it is taken if no other holds."""
    is_mirror: bool = False
    """True where its rule only describes a Python function, which decides."""
    is_entering: bool = False
    """True for the `enter_when` of its target."""
    because: str = ""
    """Why the author wants it."""
    note: str = ""
    """What it hands over to the model of the target."""
    priority: int = 100
    """Lower numbers are taken first."""
    remark: str = ""
    """What else there is to know about it."""
    frame: str = ""
    """The scope in which it stands; empty for the outermost conversation."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A box around the nodes of a scope."""

    id: str
    name: str
    """What people call the scope."""
    parent: str = ""
    """The id of the box around it; empty if there is none."""
    frame: str = ""
    """The address of the scope."""


@dataclass(frozen=True, slots=True)
class Note:
    """A text box that describes an overlay or a schedule."""

    title: str
    text: str
    """When it holds or is due, and what it does."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The whole drawing of a flow."""

    name: str
    title: str
    """What people call the flow."""
    vertices: tuple[Vertex, ...]
    """Its nodes and marks."""
    arrows: tuple[Arrow, ...]
    """Its transitions."""
    clusters: tuple[Cluster, ...] = ()
    """The boxes around the nodes of scopes."""
    notes: tuple[Note, ...] = ()
    """Text boxes about overlays and schedules."""


@dataclass(frozen=True, slots=True)
class ArrowHistory:
    """The history of an arrow in a conversation: the turns in which it was taken, how often it was judged, and whether
    it will be taken with the next message.
    """

    turns: tuple[int, ...] = ()
    """The turns in which it was taken."""
    judged: int = 0
    """How often it was judged."""
    is_planned: bool = False
    """True where it will be taken with the next message."""


@dataclass(frozen=True, slots=True)
class Path:
    """The path of a conversation over a graph."""

    about: str
    """The title of the drawing."""
    visits: dict[str, tuple[int, ...]]
    """The turns in which each node was entered."""
    passed: dict[int, ArrowHistory]
    """The history of each arrow, by its index."""
    current: str = ""
    """The node in charge."""
    remarks: tuple[str, ...] = ()
    """What else there is to know about the conversation."""
    waiting: tuple[str, ...] = ()
    """The nodes around open scopes."""
