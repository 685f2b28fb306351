"""A drawing as plain data, from which every format is written: nodes, arrows, clusters, notes, colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turnwise.flow.model import Moment

PAPER = "#ffffff"
"""The colour of the background."""
INSIDE = "#f4f6f9"
"""The colour of the background of a scope."""
INK = "#1b2430"
"""The colour of names and texts."""
MUTED = "#586374"
"""The colour of secondary texts, such as the kind of a node."""
LINE = "#5a6675"
"""The colour of arrows and borders."""
PALE = "#a6afbb"
"""The colour of arrows that a conversation has not taken."""
PATH = "#0a58ca"
"""The colour of nodes and arrows that a conversation has passed."""
SAY = "#e6f1fd"
"""The colour of nodes that send a text."""
PROMPT = "#efe9fd"
"""The colour of nodes where a model speaks."""
FORM = "#fff3d9"
"""The colour of nodes with a form."""
TOOL = "#e3f6ea"
"""The colour of nodes that run a tool."""
SCOPE = "#eceff3"
"""The colour of nodes with an inner conversation, and of the marks for start and end."""
PERSON = "#fde8ee"
"""The colour of nodes that hand over to a person."""

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
"""The colour in dark mode that replaces each colour of a drawing."""


Kind = Literal[
    "say", "prompt", "form", "tool", "scope", "person", "none", "start", "end", "any", "stay", "code", "unknown"
]
"""The kind of work of a node. The last six are marks: start, end, any node of a frame, staying, a node that a function
names, an unknown name.
"""
KINDS_WITHOUT_NODE: tuple[Kind, ...] = ("start", "end", "any", "stay", "code", "unknown")
"""The kinds of vertices that are marks, not nodes of the flow."""
Action = Literal["to", "call", "stay", "block", "return", "end", "once", "start", "offer"]
"""What taking a transition does; `once`, `start` and `offer` are no transitions of the flow."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A box of the drawing: a node of the flow, or a mark such as the start."""

    id: str
    """A short id of the vertex, which every output format allows."""
    kind: Kind
    """The work of the node, or what the mark means."""
    name: str
    """The name that the drawing shows."""
    about: str = ""
    """A line about the node's work; empty if there is none."""
    fields: tuple[str, ...] = ()
    """The fields that the node's form asks for or that it collects."""
    remarks: tuple[str, ...] = ()
    """Further lines about the node."""
    cluster: str = ""
    """The id of the box that contains the vertex; empty if there is none."""
    frame: str = ""
    """The address of the scope in which the node is; empty for the outermost conversation."""

    @property
    def address(self) -> str:
        """The node's name among all nodes of the flow: `survey/ask`."""
        return f"{self.frame}/{self.name}" if self.frame else self.name


@dataclass(frozen=True, slots=True)
class Arrow:
    """A transition as an arrow."""

    source: str
    """The id of the vertex at which the arrow begins."""
    target: str
    """The id of the vertex at which the arrow ends."""
    action: Action
    """What taking the transition does."""
    moment: Moment | Literal[""] = ""
    """When the guard of the transition is judged; empty if nothing is judged."""
    node: str = ""
    """The address of the node that declares the transition; empty if it is declared for all nodes of a scope."""
    id: str = ""
    """The name of the transition."""
    test: str = ""
    """The text of the guard, or the name of its function if `is_code`; empty for an `else`."""
    is_code: bool = False
    """True if `test` is the name of a Python function."""
    is_else: bool = False
    """True if the transition is taken when no other holds."""
    is_mirror: bool = False
    """True if the rule only describes a Python function, which decides."""
    is_entering: bool = False
    """True if the transition is the `enter_when` of its target."""
    because: str = ""
    """The author's reason for the transition; empty if there is none."""
    note: str = ""
    """The text that the transition hands over to the model of its target; empty if there is none."""
    priority: int = 100
    """The priority of the transition; the lowest number is judged first."""
    remark: str = ""
    """A further line about the transition; empty if there is none."""
    frame: str = ""
    """The address of the scope in which the transition is; empty for the outermost conversation."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A box around the nodes of a scope."""

    id: str
    """A short id of the box, which every output format allows."""
    name: str
    """The title of the scope."""
    parent: str = ""
    """The id of the box that contains this one; empty if there is none."""
    frame: str = ""
    """The address of the scope."""


@dataclass(frozen=True, slots=True)
class Note:
    """A text box that describes an overlay or a schedule."""

    title: str
    """The name of the overlay or schedule."""
    text: str
    """When the overlay is active or the schedule is due, and what it does."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The whole drawing of a flow."""

    name: str
    """The name of the flow."""
    title: str
    """The title of the flow."""
    vertices: tuple[Vertex, ...]
    """The nodes and marks of the flow."""
    arrows: tuple[Arrow, ...]
    """The transitions of the flow."""
    clusters: tuple[Cluster, ...] = ()
    """The boxes around the nodes of scopes."""
    notes: tuple[Note, ...] = ()
    """Text boxes about overlays and schedules."""


@dataclass(frozen=True, slots=True)
class ArrowHistory:
    """The history of one arrow in a conversation.

    The turns in which it was taken, how often it was judged, and whether it will be taken with the next message.
    """

    turns: tuple[int, ...] = ()
    """The numbers of the turns in which the transition was taken."""
    judged: int = 0
    """How often the transition was judged."""
    is_planned: bool = False
    """True if the transition will be taken with the next message."""


@dataclass(frozen=True, slots=True)
class Path:
    """The path of a conversation over a graph."""

    about: str
    """The title of the drawing with the path."""
    visits: dict[str, tuple[int, ...]]
    """The numbers of the turns in which each vertex was entered, by the id of the vertex."""
    passed: dict[int, ArrowHistory]
    """The history of each arrow, by the index of the arrow in the graph, from 0."""
    current: str = ""
    """The id of the vertex in charge; empty if none is."""
    remarks: tuple[str, ...] = ()
    """Further lines about the conversation."""
    waiting: tuple[str, ...] = ()
    """The ids of the vertices of nodes that wait for a scope that was opened in them."""
