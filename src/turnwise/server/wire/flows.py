"""Flows as the start page, the graph and the flow page show them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.drawing.graph import Action, Kind
from turnwise.flow.model import Moment
from turnwise.server.wire.trace import EdgeHistory


class Opening(Struct, frozen=True):
    """The place at which the page opens a prepared conversation of the demonstration."""

    conversation: str
    """The name of the conversation."""
    turn: int
    """The number of the turn at which the conversation is opened; 0 for its end."""
    seq: int
    """The position of the conversation's last entry; if it has moved on, it is not opened here."""
    shows: str = ""
    """What the conversation shows, as a headline; empty where the start page does not recommend it."""
    about: str = ""
    """A sentence about what to look at in the conversation."""


class Advice(Struct, frozen=True):
    """Messages that a visitor of the demonstration may send in a node."""

    node: str
    """The address of the node."""
    field: str
    """The field that the form asks for; empty where none is asked."""
    missing: str
    """The field that must have no value yet for this advice; empty for none."""
    lines: tuple[str, ...]
    """The messages that the visitor may send."""


class FirstLook(Struct, frozen=True):
    """The conversations of the demonstration's guided tour, and what to look at in them.
    It says what to say first, where to see why, which value to try there, with which other turn to compare it, and
    which one waits for a person.
    """

    say: str
    """The first message to send."""
    conversation: str
    """The prepared conversation in which to see why."""
    turn: int
    """The number of the turn in `conversation` that is explained."""
    field: str
    """The field for which to try another value."""
    value: str
    """The value to try."""
    against_turn: int
    """The number of the turn in `conversation` with which to compare `turn`."""
    waiting: str
    """The id of the conversation that waits for a person."""


class Demonstration(Struct, frozen=True):
    """What the demonstration prepares for a flow: a remark, the first question, conversations and messages."""

    tries: str = ""
    """A remark for the visitor about what to try; empty without one."""
    asks: str = ""
    """The first question of the flow's first form; empty without a form."""
    openings: tuple[Opening, ...] = ()
    """The prepared conversations."""
    advice: tuple[Advice, ...] = ()
    """Messages that a visitor may send, by node."""
    look: FirstLook | None = None
    """The guided tour; `None` without one."""
    texts: dict[str, dict[str, str]] = {}
    """The texts of the demonstration in other languages: by the language's code, then by the English text."""


class FlowSummary(Struct, frozen=True):
    """A summary of a flow that this server serves."""

    name: str
    """The name of the flow."""
    title: str
    """The title of the flow for people."""
    description: str
    """What the flow is for, as its author wrote it."""
    version: int
    """The version number of the flow, from 1."""
    fingerprint: str
    """The hash that identifies the version of the flow."""
    nodes: int
    """How many nodes the flow has."""
    conversations: int
    """How many stored conversations use the flow."""
    is_autonomous: bool
    """True where the flow's conversations go on without messages."""
    file: str = ""
    """The path of the flow's document; empty where a program made the flow."""
    errors: int = 0
    """How many errors the file on disk has now; 0 where it is not watched."""
    warnings: int = 0
    """How many warnings the file on disk has."""
    tries: str = ""
    """A remark for the visitor of the demonstration about what to try; empty elsewhere."""
    asks: str = ""
    """The first question of the flow's first form, in the demonstration; empty elsewhere."""
    openings: tuple[Opening, ...] = ()
    """Prepared conversations: those that the page recommends, and those that it opens before their end."""
    advice: tuple[Advice, ...] = ()
    """Messages that a visitor of the demonstration may send, by node."""
    look: FirstLook | None = None
    """The guided tour of the demonstration; `None` without one."""
    texts: dict[str, dict[str, str]] = {}
    """Texts of the demonstration in other languages of the page: by the language's code, then by the English text."""


class GraphNode(Struct, frozen=True):
    """A node of a flow's drawing, or a mark (start, end)."""

    id: str
    """The id of the node in this drawing."""
    name: str
    """The label of the node in the drawing."""
    kind: Kind
    """The work of the node, or the mark that it is."""
    about: str = ""
    """A line about the node's work: what it says, or its instructions; empty without one."""
    fields: tuple[str, ...] = ()
    """The fields that the node asks for or collects."""
    remarks: tuple[str, ...] = ()
    """Further remarks about the node, such as its limits."""
    parent: str = ""
    """The id of the frame around the node; empty for the outermost."""
    line: int = 0
    """The line of the node in `file`, from 1; 0 where that is not known."""
    file: str = ""
    """The path of the document that has the node: the flow's own, or one that the flow imports."""
    address: str = ""
    """The address of the node in the flow, `survey/ask` inside a scope; empty for a start or an end."""
    opens: str = ""
    """The scope that the node opens, whose level shows what is inside; empty if it opens none."""
    title: str = ""
    """The title of the node for people; empty for a mark, and where the flow gives none."""


class GraphEdge(Struct, frozen=True):
    """A transition of a flow's drawing."""

    id: str
    """The id of the transition in this drawing."""
    source: str
    """The id of the node that the transition leaves."""
    target: str
    """The id of the node that the transition leads to."""
    transition: str
    """The name of the transition in the flow."""
    action: Action | Literal[""]
    """What taking the transition does: go to a node, open a scope, stay, end; empty without the right to see it."""
    moment: Moment | Literal[""] = ""
    """When the guard is judged; empty where nothing is judged."""
    node: str = ""
    """The address of the node that declares the transition; empty for one of the whole flow or scope."""
    test: str = ""
    """The text of the guard, or the name of its Python function; empty for a transition without a guard."""
    condition: str = ""
    """The guard in words, in the language of `Accept-Language` if the page has it; empty for a Python function."""
    because: str = ""
    """Why the author wants the transition; empty if not given."""
    priority: int = 100
    """The priority of the transition; those with lower numbers are taken first."""
    is_code: bool = False
    """True where `test` is a Python function."""
    is_mirror: bool = False
    """True where the rule only describes a Python function, which decides."""
    is_timer: bool = False
    """True where a timer takes the transition."""
    remark: str = ""
    """A further remark about the transition: *the model calls*, *at the next message*; empty without one."""
    line: int = 0
    """The line of the transition in `file`, from 1; 0 where that is not known."""
    file: str = ""
    """The path of the document that has the transition: the flow's own, or one that the flow imports."""


class GraphView(Struct, frozen=True):
    """The drawing of a flow as data."""

    nodes: tuple[GraphNode, ...]
    """The nodes of the drawing."""
    edges: tuple[GraphEdge, ...]
    """The arrows of the drawing."""
    clusters: tuple[tuple[str, str, str], ...] = ()
    """The frames around nodes: id, label and id of the frame around it (empty for the outermost) of each."""


class GraphLevel(Struct, frozen=True):
    """The inside of one scope, or of the outermost conversation, as a drawing in which each inner scope is one node."""

    scope: str
    """The address of the scope, empty for the outermost conversation."""
    title: str
    """The title of the scope for people."""
    parent: str | None
    """The address of the scope around this level; `None` for the outermost conversation."""
    graph: GraphView
    """The drawing of this level."""


class FieldInfo(Struct, frozen=True):
    """What editors of values need to know of a field of the flow."""

    name: str
    """The address of the field, `record.field`."""
    title: str
    """The title of the field for people."""
    type: str
    """The type of the field: `text`, `number`, `list of text`."""
    options: tuple[str, ...] = ()
    """The values that the field may have, if it is a choice; empty for any."""
    is_secret: bool = False
    """True where values of the field are redacted."""
    is_derived: bool = False
    """True where the value is computed from other fields and cannot be set."""
    minimum: float | None = None
    """The least allowed value; `None` for no limit."""
    maximum: float | None = None
    """The greatest allowed value; `None` for no limit."""


class DiagnosticView(Struct, frozen=True):
    """A problem of the flow's document."""

    code: str
    """The code of the problem, such as `TW041`."""
    severity: Literal["error", "warning"]
    """Whether the problem is an error or a warning."""
    message: str
    """What is wrong, in words."""
    hint: str
    """What to do; empty where nothing is suggested."""
    file: str
    """The path of the document."""
    line: int
    """The line of the problem, from 1; 0 where the place is not known."""
    column: int
    """The column of the problem, from 1; 0 where the place is not known."""


class Coverage(Struct, frozen=True):
    """How often stored conversations visited each node and took each transition."""

    nodes: dict[str, int]
    """How many conversations visited each node, by its address."""
    edges: tuple[EdgeHistory, ...]
    """How often each transition was judged and taken."""
    conversations: int
    """How many conversations were counted."""


class FlowPage(Struct, frozen=True):
    """A flow with all that the graph and the flow page show.

    What the flow says and decides by needs `debug:read` or `operator`: without them there are only nodes and arrows.
    """

    flow: FlowSummary
    """The flow in short, as lists show it."""
    graph: GraphView
    """The whole flow as one drawing."""
    nodes: tuple[dict[str, Any], ...]
    """A description of each node by its address, also of those inside scopes.
    It has `name`, `title`, `scope` (that it stands in), `description`, `work`, and its transitions (`id`, `moment`,
    `target`, `because`, `guard`)."""
    fields: tuple[FieldInfo, ...]
    """The fields of the flow."""
    source: str | None = None
    """The text of the flow's document as it is on disk now; `None` without a document or the right to see it.
    It is shown also where it has errors and conversations use an earlier version. A server that does not reload the
    flow shows it as it was when the server started."""
    saved_ms: int | None = None
    """When the document was last written, in milliseconds since 1970; `None` without one."""
    diagnostics: tuple[DiagnosticView, ...] = ()
    """The problems of the flow's documents."""
    parked: dict[str, int] = {}
    """How many conversations wait in each node, by its address."""
    coverage: Coverage | None = None
    """How often stored conversations used nodes and transitions; `None` where not asked for or not allowed."""
    levels: tuple[GraphLevel, ...] = ()
    """The drawing one level at a time: the outermost conversation, then each scope after the one around it."""
    reasons: dict[str, str] = {}
    """The reason of each transition that has one which no other transition has, by transition name."""


SourceFormat = Literal["dygram", "json", "yaml"]
"""The format of a document."""


class SourceFile(Struct, frozen=True):
    """A document of a flow: as it is on disk now where the server reloads the flow, else as it was at the start."""

    file: str
    """The path of the document, as the problems of the flow name it."""
    name: str
    """The path of the document, relative to the folder of the flow's own document."""
    format: SourceFormat
    """The format of the document."""
    text: str
    """The whole text of the document; empty where it cannot be read."""
    saved_ms: int
    """When the document was last written, in milliseconds since 1970; 0 where it cannot be read."""
    sha256: str
    """The SHA-256 of the file's bytes, which saving compares; empty where it cannot be read."""
    is_current: bool
    """False where the file on disk has changed since, so that its text is another one now."""


class FlowSource(Struct, frozen=True):
    """The documents of a flow, its own first; none where a program made the flow."""

    files: tuple[SourceFile, ...]
    """The documents, the flow's own one first."""
    is_followed: bool
    """Whether the server reloads the flow when a document changes."""
    is_editable: bool
    """Whether the server edits documents and the caller may edit them."""
