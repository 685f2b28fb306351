"""Nodes, transitions, scopes and overlays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from turnwise.flow import short_forms as short
from turnwise.flow.call_sites import call_site
from turnwise.flow.converters import convert, copy_with, without_subclass
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.frozen import put
from turnwise.flow.kinds import PATH, TOOL_NAME, Integer, Many, Name, Named, Object, one_of
from turnwise.flow.model.forms import Collect, Form
from turnwise.flow.model.settings import GUARD_NAME, ReplyGuard, Settings, name_guard
from turnwise.flow.model.tools import Retry, ToolPolicy, ToolWork
from turnwise.flow.model.values import FIELDS, GUARD, RECORDS, Field, Guard, Record
from turnwise.flow.model.words import (
    REFERENCE,
    REFERENCES,
    SECONDS,
    TEXTS,
    WRITTEN,
    Function,
    Moment,
    Naming,
    Namings,
    OnReturn,
    Reply,
    Shown,
    Wording,
)

_WAYS_OUT = Many(Object("Transition"))

RECORD: Takes[Naming, str] = converter(Name(PATH))
"""The converter of a record, or its name, to the name."""
SUMMARY: Takes[Summary | str, Summary] = converter(Object("Summary"))
"""The converter of the summary of a scope, or its template."""
NODES: Takes[Sequence[Node], tuple[Node, ...]] = converter(Named("Node", PATH))
"""The converter of a list of nodes."""
TOOL_WORK: Takes[ToolWork | Naming | None, ToolWork | None] = converter(Object("ToolWork"))
"""The converter of a tool as the work of a node, or the tool's name."""
TRANSCRIPT: Takes[NodeTranscript | Shown | None, NodeTranscript | None] = converter(Object("NodeTranscript"))
"""The converter of `transcript` of a node, or how much of it is shown."""
PERSON_WORK: Takes[PersonWork | str | None, PersonWork | None] = converter(Object("PersonWork"))
"""The converter of a person as the work of a node, or the queue."""
TOOL_POLICY: Takes[ToolPolicy | Namings | None, ToolPolicy | None] = converter(Object("ToolPolicy"))
"""The converter of the tool policy of a node, or the names of the allowed tools."""
COLLECT: Takes[Collect | Namings | None, Collect | None] = converter(Object("Collect"))
"""The converter of `collect` of a node, or the fields."""
WAYS_OUT: Takes[Sequence[Transition | Function], tuple[Transition, ...]] = converter(_WAYS_OUT)
"""The converter of a list of transitions, or of functions that declare them, to transitions."""


@part("when an inner conversation closes by itself")
class ScopeLimits:
    """The limits at which a scope (inner conversation) closes by itself."""

    turns: int | None = key("after how many turns of the user it closes", Integer(1), default=None)
    idle_s: float | None = key(
        "after how long without a message it closes", converter=SECONDS, default=None, name="idle"
    )
    tokens: int | None = key("after how many tokens of model calls it closes", Integer(1), default=None)


@part("what an inner conversation leaves behind", short.SUMMARY, is_bare=True)
class Summary:
    """The summary of a scope (inner conversation): a template, or a model's text with the template as fallback."""

    template: str = key(
        "a template; where a model writes it, the template for a call that fails", default="", name="fallback"
    )
    prompt: str = key("a model writes it, by these instructions", default="")
    model: str = key("the model that writes it; the node's where left out", default="")

    @property
    def is_by_model(self) -> bool:
        """True if a model writes the summary."""
        return bool(self.prompt or self.model)


@part("an inner conversation")
class Scope:
    """A scope, an inner conversation: its input, nodes, result and summary."""

    inherits: tuple[str, ...] = key("records that it sees, and `message`", converter=REFERENCES, default=())
    input: tuple[Field, ...] = key("fields that the opener of the scope fills", converter=FIELDS, default=())
    returns: str = key("the record that it returns", converter=RECORD, default="")
    into: str = key(
        "a list of the record that it gives back, in the conversation around it: the result is a new item of the list",
        converter=REFERENCE,
        default="",
    )
    summary: Summary = key("the text that stays in the transcript", converter=SUMMARY, default=Summary())
    limits: ScopeLimits = key("when it closes by itself", Object("ScopeLimits"), default=ScopeLimits())
    tool: str = key("the name of the tool that opens it", Name(TOOL_NAME), default="")
    on_return: OnReturn = key("how the interrupted node continues", one_of(OnReturn), default="resume")
    keep_s: float | None = key(
        "how long its words are kept after it has closed", converter=SECONDS, default=None, name="keep"
    )
    records: tuple[Record, ...] = key("records that only it has", converter=RECORDS, default=())
    start: str = key("its first node", converter=REFERENCE, default="")
    nodes: tuple[Node, ...] = key("its nodes", converter=NODES, default=())
    transitions: tuple[Transition, ...] = key("transitions out of every node in it", converter=WAYS_OUT, default=())
    flow: str = key("the document whose flow runs in it", default="")
    start_span: Span | None = hidden(default=None)
    """Where the scope's first node is named, if that is in another document; else `None`."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("what of the transcript a model reads", short.TRANSCRIPT, is_bare=True)
class NodeTranscript:
    """Which part of the transcript a node's model sees; it always sees the current turn."""

    show: Shown = key("which part it sees: all, since the node was entered, or none", one_of(Shown), default="all")
    last: int | None = key("at most so many turns before the present one", Integer(1), default=None)


@part("a person who takes over", short.PERSON_WORK, is_bare=True)
class PersonWork:
    """A handover to a person, as a node's work or the answer to `hand_over`: the queue, a text, the longest wait."""

    queue: str = key("the queue in which the conversation waits", default="human")
    about: str = key("a text for the person: what it is about", default="")
    timeout_s: float | None = key(
        "how long it waits for a person; `limits.person_wait` where left out",
        converter=SECONDS,
        default=None,
        name="timeout",
    )
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a scope that is proposed")
class Offer:
    """A scope that a node offers to the user, and the text of the offer."""

    scope: str = key("the scope that is offered", converter=REFERENCE)
    opener: str = key("the question that proposes it; a fixed text where left out", default="")
    with_: Mapping[str, Any] = key(
        "the input of that scope: constants or expressions", converter=WRITTEN, factory=dict[str, Any], name="with"
    )
    wording: Wording = key("who words the opener", one_of(Wording), default="fixed")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("a way out of a node", prepare=name_guard)
class Transition:
    """A transition of a node: the moment at which it is judged, its guard, and exactly one action."""

    id: str = key("its name; made from the target where it is left out", Name(), default="")
    at: Moment = key("when it is judged", one_of(Moment), default="after")
    when: Guard = key("the condition under which it is taken", converter=GUARD, default="")
    guard: str = key("the Python function that is its guard", converter=GUARD_NAME, default="")
    mirror: bool = key("it only describes a Python guard and never fires", default=False)
    because: str = key("its reason, in a sentence", default="")
    priority: int = key("lower is judged first", default=100)
    event: tuple[str, ...] = key(
        "of `at: event`: the events at which it is judged; all, where left out", converter=TEXTS, default=()
    )
    delay_s: float | None = key(
        "of a timer: the delay; at a node of a person the `timeout` where left out",
        converter=SECONDS,
        default=None,
        name="in",
    )
    set: Mapping[str, Any] = key(
        "fields that it writes: constants or expressions", converter=WRITTEN, factory=dict[str, Any]
    )
    note: str = key("a text that the model of the node or scope which it goes to reads", default="")
    any: bool = key("after a form: judged also where the form was cancelled, stopped or broken off", default=False)
    exception: bool = key("it is not named as what the conversation is nearest to", default=False)
    reply: Reply = key("whether the target speaks in this turn", one_of(Reply), default="now")
    to: str = key("the node that it goes to", converter=REFERENCE, default="")
    call: str = key("the scope that it opens", converter=REFERENCE, default="")
    with_: Mapping[str, Any] = key(
        "the input of that scope: constants or expressions", converter=WRITTEN, factory=dict[str, Any], name="with"
    )
    stay: bool = key("it holds here, and nothing after it is judged", default=False)
    say: str = key("of a timer or event that stays: what it says, which leaves the open question open", default="")
    repeat: int = key("of a timer that stays: how often it fires in one wait, at most", Integer(1), default=1)
    block: str = key("it refuses the move, and this text is the reply", default="")
    return_: bool = key("it closes the scope in which it stands", default=False, name="return")
    end: str = key("it ends the conversation with this outcome", default="")
    code: Sequence[Function] = hidden(default=())
    """The Python guard that a program gave as `guard`, or nothing."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


def _add_ways_out(made: Node) -> None:
    """Put the transitions that are listed by their moment behind the others; keep what is none in `strays`."""
    put(made, "transitions", convert(_WAYS_OUT, made.transitions, made.span, "transitions"))
    listed: Mapping[Moment, Any] = {"before": made.before, "after": made.after}
    for moment, given in listed.items():
        if given == ():
            continue
        put(made, moment, ())
        found: Any = convert(_WAYS_OUT, given, made.span, moment)
        known: Any = made.transitions
        if not isinstance(found, tuple) or not isinstance(known, tuple):
            message = f"'{moment}' takes a list of transitions or guards"
            put(made, "faults", (*made.faults, problem("TW011", message, made.span.of(moment))))
            continue
        items = cast("tuple[Any, ...]", found)
        ways = [one for one in items if isinstance(one, Transition)]
        for one in ways:
            if one.at not in (moment, "after"):
                message = f"this transition is listed under '{moment}', and says 'at={one.at}'"
                put(made, "faults", (*made.faults, problem("TW041", message, one.span)))
        ways = [copy_with(without_subclass(one), at=moment) for one in ways]
        strays = [(moment, number, one) for number, one in enumerate(items) if not isinstance(one, Transition)]
        put(made, "transitions", (*cast("tuple[Any, ...]", known), *ways))
        put(made, "strays", (*made.strays, *strays))


@part("a place that a conversation can be in", prepare=_add_ways_out)
class Node:
    """A node of the flow: its work, the data and tools that it may use, and its transitions."""

    name: str
    """The name of the node, unique among its neighbours."""
    description: str = key("what it is for, shown in drawings", default="")
    title: str = key("what users call the scope of this node, where they may begin it", default="")
    starts: tuple[str, ...] = key(
        "phrases by which users begin its scope; `{name}` in one fills that input", converter=TEXTS, default=()
    )
    persona: str = key("the persona at this node", default="")
    model: str = key("the name of the model for this node", default="")
    settings: Settings = key("settings of its model, which replace the flow's", Object("Settings"), default=Settings())
    guard_reply: ReplyGuard | None = key(
        "a check of each reply of its model, instead of the flow's", Object("ReplyGuard"), default=None
    )
    say: str = key("work: a text", default="")
    prompt: str = key("work: instructions for the model; beside a form or scope, its voice", default="")
    form: Form | None = key("work: questions", Object("Form"), default=None)
    tool: ToolWork | None = key("work: a tool", converter=TOOL_WORK, default=None)
    scope: Scope | None = key("work: an inner conversation", Object("Scope"), default=None)
    person: PersonWork | None = key("work: a person, who takes over", converter=PERSON_WORK, default=None)
    transcript: NodeTranscript | None = key(
        "what of the transcript its model reads; all, where left out", converter=TRANSCRIPT, default=None
    )
    entry: str = key("a text sent on each entering, before the work; a prompt sees it for its first reply", default="")
    collect: Collect | None = key("fields that are filled from messages", converter=COLLECT, default=None)
    reads: tuple[str, ...] = key("records or fields that the model may read", converter=REFERENCES, default=())
    writes: tuple[str, ...] = key("records or fields that the model may write", converter=REFERENCES, default=())
    tools: ToolPolicy | None = key("the tools that it may use", converter=TOOL_POLICY, default=None)
    enter_when: Guard = key("a guard that opens this node from every other node", converter=GUARD, default="")
    set: Mapping[str, Any] = key("fields that are written on entering", converter=WRITTEN, factory=dict[str, Any])
    set_on_leave: Mapping[str, Any] = key(
        "fields that are written on leaving", converter=WRITTEN, factory=dict[str, Any]
    )
    offer: Offer | None = key("a scope that it proposes", Object("Offer"), default=None)
    once: str = key(
        "this node works once, the next message goes to that one: an unguarded `reply: next`",
        converter=REFERENCE,
        default="",
    )
    end: str = key("the conversation ends here, with this outcome, after the work", default="")
    retry: Retry = key("how failed work is retried", Object("Retry"), default=Retry())
    timeout_s: float | None = key(
        "after how long its work counts as failed", converter=SECONDS, default=None, name="timeout"
    )
    transitions: tuple[Transition, ...] = key("the transitions out of the node", converter=WAYS_OUT, default=())
    before: Sequence[Transition | Function] = hidden(default=())
    """Transitions and Python guards for the moment `before`, as a program may list them."""
    after: Sequence[Transition | Function] = hidden(default=())
    """Transitions and Python guards for the moment `after`, as a program may list them."""
    faults: tuple[Diagnostic, ...] = hidden(default=())
    """The diagnostics found when the node was made."""
    strays: tuple[tuple[str, int, Any], ...] = hidden(default=())
    """Items in `before` and `after` that are no transitions: the moment, the index from 0, and the item."""
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""
