"""Flows as the start page, the graph and the flow page show them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.server.wire.trace import EdgeHistory


class Opening(Struct, frozen=True):
    """Where the page opens a prepared conversation of the demonstration, while that stands at the position `seq`."""

    conversation: str
    turn: int
    """0 where it opens at its end."""
    seq: int
    shows: str = ""
    """What it shows, as a headline; empty where the start page does not recommend it."""
    about: str = ""


class Advice(Struct, frozen=True):
    """What a visitor of the demonstration may say in a node, while its form asks for a field, or asks nothing, and
    while the field `missing` was not given.
    """

    node: str
    field: str
    missing: str
    lines: tuple[str, ...]


class FirstLook(Struct, frozen=True):
    """The conversations of the guided look of the demonstration: what to say first, where to see why, which value to
    try there, with which other conversation to compare, and which one waits for a person.
    """

    say: str
    conversation: str
    turn: int
    field: str
    value: str
    against: str
    waiting: str


class Demonstration(Struct, frozen=True):
    """What the demonstration prepares for a flow: a remark, the first question, conversations and lines to say."""

    tries: str = ""
    asks: str = ""
    openings: tuple[Opening, ...] = ()
    advice: tuple[Advice, ...] = ()
    look: FirstLook | None = None


class FlowSummary(Struct, frozen=True):
    """A flow of this server."""

    name: str
    title: str
    description: str
    version: int
    fingerprint: str
    nodes: int
    conversations: int
    is_autonomous: bool
    file: str = ""
    errors: int = 0
    """How many errors the file on disk has now, where it is watched."""
    warnings: int = 0
    tries: str = ""
    """A remark for the visitor of the demonstration."""
    asks: str = ""
    """The first question of its first form, in the demonstration."""
    openings: tuple[Opening, ...] = ()
    """Prepared conversations: those that the page recommends, and those that it opens before their end."""
    advice: tuple[Advice, ...] = ()
    look: FirstLook | None = None


class GraphNode(Struct, frozen=True):
    """A node of the drawing, or a mark (start, end)."""

    id: str
    name: str
    kind: str
    about: str = ""
    fields: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    parent: str = ""
    line: int = 0
    """Its line in `file`, 0 where that is not known."""
    file: str = ""
    """The document that holds it: that of the flow, or one that the flow imports."""
    address: str = ""
    """Its name among all nodes of the flow, `survey/ask` inside a scope; empty for a mark."""
    opens: str = ""
    """The scope that it opens, whose level shows what is inside; empty if it opens none."""


class GraphEdge(Struct, frozen=True):
    """A transition of the drawing. `node` is the address of the node that declares it, empty for one of the whole flow
    or scope.
    """

    id: str
    source: str
    target: str
    transition: str
    action: str
    moment: str = ""
    node: str = ""
    test: str = ""
    because: str = ""
    priority: int = 100
    is_code: bool = False
    is_mirror: bool = False
    is_timer: bool = False
    remark: str = ""
    line: int = 0
    """Its line in `file`, 0 where that is not known."""
    file: str = ""
    """The document that holds it: that of the flow, or one that the flow imports."""


class GraphView(Struct, frozen=True):
    """The drawing of a flow as data."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    clusters: tuple[tuple[str, str, str], ...] = ()
    """Id, name and parent of each frame around nodes."""


class GraphLevel(Struct, frozen=True):
    """What stands in one scope, or outside of all scopes, as a drawing in which each scope inside is one node."""

    scope: str
    """The address of the scope, empty for the outermost conversation."""
    title: str
    parent: str | None
    """The scope around it, `None` for the outermost conversation."""
    graph: GraphView


class FieldInfo(Struct, frozen=True):
    """A field of the flow, for editors of values."""

    name: str
    title: str
    type: str
    options: tuple[str, ...] = ()
    is_secret: bool = False
    is_derived: bool = False
    minimum: float | None = None
    maximum: float | None = None


class DiagnosticView(Struct, frozen=True):
    """A problem of the flow's document."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    hint: str
    file: str
    line: int
    column: int


class Coverage(Struct, frozen=True):
    """How often stored conversations visited each node and took each transition."""

    nodes: dict[str, int]
    edges: tuple[EdgeHistory, ...]
    conversations: int


class FlowPage(Struct, frozen=True):
    """A flow with all that the graph and the flow page show.

    What the flow says and decides by needs `debug:read` or `operator`: without them there are only nodes and arrows.
    """

    flow: FlowSummary
    graph: GraphView
    nodes: tuple[dict[str, Any], ...]
    """Per node, also those inside scopes, by address: `name`, `title`, `scope` (that it stands in), `description`,
    `work`, and its transitions (`id`, `moment`, `target`, `because`, `guard`).
    """
    fields: tuple[FieldInfo, ...]
    source: str | None = None
    """The document as it is on disk now, also where it has errors and conversations use an earlier version. A server
    that does not reload the flow shows it as it was when the server started.
    """
    saved_ms: int | None = None
    """When the document was last written."""
    diagnostics: tuple[DiagnosticView, ...] = ()
    parked: dict[str, int] = {}
    """How many conversations wait in each node."""
    coverage: Coverage | None = None
    levels: tuple[GraphLevel, ...] = ()
    """The drawing one level at a time: the outermost conversation, then each scope after the one around it."""


SourceFormat = Literal["dygram", "json", "yaml"]


class SourceFile(Struct, frozen=True):
    """A document of a flow: as it is on disk now where the server reloads the flow, else as it was at the start."""

    file: str
    """Its path, as the problems of the flow call it."""
    name: str
    """Its path from the folder of the flow's own document."""
    format: SourceFormat
    text: str
    saved_ms: int
    """When it was last written, 0 where it cannot be read."""
    sha256: str
    """The hash of its bytes, which saving compares; empty where it cannot be read."""
    is_current: bool
    """False where the file on disk has changed since, so that this text is not what is there now."""


class FlowSource(Struct, frozen=True):
    """The documents of a flow, its own first; none where a program made the flow."""

    files: tuple[SourceFile, ...]
    is_followed: bool
    """Whether the server reloads the flow when a document changes."""
    is_editable: bool
    """Whether the server edits documents and the caller may."""
