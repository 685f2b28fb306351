"""Flows as the start page, the graph and the flow page show them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.drawing.graph import Action, Kind
from turnwise.flow.model import Moment
from turnwise.server.wire.trace import EdgeHistory


class Opening(Struct, frozen=True):
    """Where the page opens a prepared conversation of the demonstration."""

    conversation: str
    turn: int
    """0 where it opens at its end."""
    seq: int
    """The last position of the conversation; at another one it is not opened here."""
    shows: str = ""
    """What it shows, as a headline; empty where the start page does not recommend it."""
    about: str = ""
    """What is to be seen there."""


class Advice(Struct, frozen=True):
    """What a visitor of the demonstration may say in a node."""

    node: str
    """The address of the node."""
    field: str
    """The field that the form asks for; empty where none is asked."""
    missing: str
    """The field that must not have been given yet; empty for none."""
    lines: tuple[str, ...]
    """What the visitor may say, each a whole message."""


class FirstLook(Struct, frozen=True):
    """The conversations of the guided look of the demonstration: what to say first, where to see why, which value to
    try there, with which other turn to compare it, and which one waits for a person.
    """

    say: str
    """The first message to send."""
    conversation: str
    """The prepared conversation in which to see why."""
    turn: int
    """The turn of it that is explained."""
    field: str
    """The field to try another value for."""
    value: str
    """The value to try."""
    against_turn: int
    """The turn of it to compare that one with."""
    waiting: str
    """The conversation that waits for a person."""


class Demonstration(Struct, frozen=True):
    """What the demonstration prepares for a flow: a remark, the first question, conversations and lines to say."""

    tries: str = ""
    """A remark for the visitor."""
    asks: str = ""
    """The first question of the flow's first form."""
    openings: tuple[Opening, ...] = ()
    """The prepared conversations."""
    advice: tuple[Advice, ...] = ()
    """What to say in each place."""
    look: FirstLook | None = None
    """The guided look; `None` without one."""
    texts: dict[str, dict[str, str]] = {}
    """Its texts in other languages of the page: by the code of the language, then by the English text."""


class FlowSummary(Struct, frozen=True):
    """A flow of this server."""

    name: str
    title: str
    """What people call the flow."""
    description: str
    """What the flow is for, as its author wrote it."""
    version: int
    """Its version number."""
    fingerprint: str
    """The hash that identifies the version."""
    nodes: int
    """How many nodes it has."""
    conversations: int
    """How many stored conversations use it."""
    is_autonomous: bool
    """True where its conversations go on without messages."""
    file: str = ""
    """The path of its document; empty where a program made it."""
    errors: int = 0
    """How many errors the file on disk has now, where it is watched."""
    warnings: int = 0
    """How many warnings the file has."""
    tries: str = ""
    """A remark for the visitor of the demonstration."""
    asks: str = ""
    """The first question of its first form, in the demonstration."""
    openings: tuple[Opening, ...] = ()
    """Prepared conversations: those that the page recommends, and those that it opens before their end."""
    advice: tuple[Advice, ...] = ()
    """What a visitor of the demonstration may say in each place."""
    look: FirstLook | None = None
    """The guided look of the demonstration."""
    texts: dict[str, dict[str, str]] = {}
    """Texts of the demonstration in other languages of the page: by the language's code, then by the English text."""


class GraphNode(Struct, frozen=True):
    """A node of the drawing, or a mark (start, end)."""

    id: str
    """Its id in this drawing."""
    name: str
    """What the drawing calls it."""
    kind: Kind
    """The work of the node, or the mark that it is."""
    about: str = ""
    """A line about its work: what it says, or its instructions."""
    fields: tuple[str, ...] = ()
    """The fields that it asks or collects."""
    remarks: tuple[str, ...] = ()
    """What else there is to know about it."""
    parent: str = ""
    """The id of the frame around it; empty for the outermost."""
    line: int = 0
    """Its line in `file`, 0 where that is not known."""
    file: str = ""
    """The document that holds it: that of the flow, or one that the flow imports."""
    address: str = ""
    """Its name among all nodes of the flow, `survey/ask` inside a scope; empty for a mark."""
    opens: str = ""
    """The scope that it opens, whose level shows what is inside; empty if it opens none."""
    title: str = ""
    """What people call it; empty for a mark, and where the flow gives none."""


class GraphEdge(Struct, frozen=True):
    """A transition of the drawing."""

    id: str
    """Its id in this drawing."""
    source: str
    """The id of the node that it leaves."""
    target: str
    """The id of the node that it leads to."""
    transition: str
    """The name of the transition in the flow."""
    action: Action | Literal[""]
    """What taking it does: go to a node, open a scope, stay, end; empty without the right to see it."""
    moment: Moment | Literal[""] = ""
    """When its guard is judged; empty where nothing is judged."""
    node: str = ""
    """The address of the node that declares it; empty for one of the whole flow or scope."""
    test: str = ""
    """The text of its guard, or the name of its Python function."""
    because: str = ""
    """Why the author wants it."""
    priority: int = 100
    """Lower numbers are taken first."""
    is_code: bool = False
    """True where `test` is a Python function."""
    is_mirror: bool = False
    """True where its rule only describes a Python function, which decides."""
    is_timer: bool = False
    """True where a timer takes it."""
    remark: str = ""
    """What else there is to know about it: *the model calls*, *at the next message*."""
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
    """What people call the scope."""
    parent: str | None
    """The scope around it, `None` for the outermost conversation."""
    graph: GraphView


class FieldInfo(Struct, frozen=True):
    """A field of the flow, for editors of values."""

    name: str
    """Its address, `record.field`."""
    title: str
    """What people call it."""
    type: str
    """Its type: `text`, `number`, `list of text`."""
    options: tuple[str, ...] = ()
    """The values that it may have, of a choice."""
    is_secret: bool = False
    """True where its values are redacted."""
    is_derived: bool = False
    """True where its value is computed from others and cannot be set."""
    minimum: float | None = None
    """The least value; `None` for no limit."""
    maximum: float | None = None
    """The greatest value; `None` for no limit."""


class DiagnosticView(Struct, frozen=True):
    """A problem of the flow's document."""

    code: str
    """Its code, such as `TW041`."""
    severity: Literal["error", "warning"]
    message: str
    """What is wrong."""
    hint: str
    """What to do; empty where nothing is suggested."""
    file: str
    """The path of the document."""
    line: int
    """From 1; 0 where the place is not known."""
    column: int
    """From 1; 0 where the place is not known."""


class Coverage(Struct, frozen=True):
    """How often stored conversations visited each node and took each transition."""

    nodes: dict[str, int]
    """How often each node was visited."""
    edges: tuple[EdgeHistory, ...]
    """How often each transition was judged and taken."""
    conversations: int
    """How many conversations were counted."""


class FlowPage(Struct, frozen=True):
    """A flow with all that the graph and the flow page show.

    What the flow says and decides by needs `debug:read` or `operator`: without them there are only nodes and arrows.
    """

    flow: FlowSummary
    graph: GraphView
    """The whole flow as one drawing."""
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
    """The problems of its documents."""
    parked: dict[str, int] = {}
    """How many conversations wait in each node."""
    coverage: Coverage | None = None
    """What stored conversations did; `None` where it was not asked for or may not be seen."""
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
    """The whole document; empty where it cannot be read."""
    saved_ms: int
    """When it was last written, 0 where it cannot be read."""
    sha256: str
    """The hash of its bytes, which saving compares; empty where it cannot be read."""
    is_current: bool
    """False where the file on disk has changed since, so that this text is not what is there now."""


class FlowSource(Struct, frozen=True):
    """The documents of a flow, its own first; none where a program made the flow."""

    files: tuple[SourceFile, ...]
    """The documents."""
    is_followed: bool
    """Whether the server reloads the flow when a document changes."""
    is_editable: bool
    """Whether the server edits documents and the caller may."""
