"""Nodes with their ways out, and the conversations that run inside of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from turnwise.flow.call_sites import within
from turnwise.flow.code import PythonGuard
from turnwise.flow.converters import (
    altered,
    function,
    guard,
    lenient,
    many,
    part_of,
    put,
    seconds,
    short,
    table,
    text,
    texts,
    without_subclass,
)
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.frozen import frozen
from turnwise.flow.model.forms import Collect, Form
from turnwise.flow.model.tools import Retry, ToolPolicy, ToolWork
from turnwise.flow.model.values import AnyGuard, Field, Guard, Record, record
from turnwise.flow.model.words import (
    AnySpan,
    Function,
    Moment,
    Naming,
    Namings,
    OnReturn,
    Reply,
    hidden,
    span,
    table_of,
)


@lenient(idle_s=seconds)
@frozen
class ScopeLimits:
    """When an inner conversation closes by itself."""

    turns: int | None = None
    idle_s: float | None = None
    tokens: int | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            turns: int | None = None,
            idle_s: AnySpan | None = None,
            tokens: int | None = None,
        ) -> None: ...


@lenient()
@frozen
class Summary:
    """What an inner conversation leaves behind: a template, or a model's text with it as fallback."""

    template: str = ""
    model: bool = False


@lenient(
    inherits=texts,
    input=many(part_of),
    returns=text,
    summary=short(Summary, text),
    keep_s=seconds,
    records=many(record),
    start=text,
    nodes=many(part_of),
)
@frozen
class Scope:
    """An inner conversation: what it takes in, runs, gives back, and leaves behind."""

    inherits: tuple[str, ...] = ()
    input: tuple[Field, ...] = ()
    returns: str = ""
    summary: Summary = Summary()
    limits: ScopeLimits = ScopeLimits()
    tool: str = ""
    on_return: OnReturn = "resume"
    keep_s: float | None = None
    records: tuple[Record, ...] = ()
    start: str = ""
    nodes: tuple[Node, ...] = ()
    flow: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            inherits: Namings = (),
            input: Sequence[Field] = (),
            returns: Naming = "",
            summary: Summary | str = Summary(),
            limits: ScopeLimits = ScopeLimits(),
            tool: str = "",
            on_return: OnReturn = "resume",
            keep_s: AnySpan | None = None,
            records: Sequence[Record | type[Any]] = (),
            start: Naming = "",
            nodes: Sequence[Node] = (),
            flow: str = "",
            span: Span = ...,
        ) -> None: ...


@lenient(scope=text)
@frozen
class Offer:
    """A scope that a node proposes to the user, and the words for it."""

    scope: str
    opener: str = ""
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            scope: Naming,
            opener: str = "",
            span: Span = ...,
        ) -> None: ...


def _named_guard(made: Transition, _aside: dict[str, Any]) -> None:
    """A guard that is given as a function is named, and the function kept beside the name."""
    given: Any = function(made.guard)
    if isinstance(given, PythonGuard):
        put(made, "guard", given.name)
        put(made, "code", (*made.code, given))


@lenient(_named_guard, when=guard, delay_s=seconds, set=table, to=text, call=text, code=many(function))
@frozen
class Transition:
    """A way out of a node: when it is judged, its guard, and exactly one action."""

    id: str = ""
    at: Moment = "after"
    when: Guard = ""
    guard: str = ""
    mirror: bool = False
    because: str = ""
    priority: int = 100
    delay_s: float | None = None
    set: Mapping[str, Any] = table_of()
    reply: Reply = "now"
    to: str = ""
    call: str = ""
    stay: bool = False
    block: str = ""
    return_: bool = False
    end: str = ""
    code: tuple[PythonGuard, ...] = hidden(())
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            id: str = "",
            at: Moment = "after",
            when: AnyGuard = "",
            guard: str | Function = "",
            mirror: bool = False,
            because: str = "",
            priority: int = 100,
            delay_s: AnySpan | None = None,
            set: Mapping[str, Any] = ...,
            reply: Reply = "now",
            to: Naming = "",
            call: Naming = "",
            stay: bool = False,
            block: str = "",
            return_: bool = False,
            end: str = "",
            code: Sequence[Function] = (),
            span: Span = ...,
        ) -> None: ...


def transition(value: Any, span: Span, key: str) -> Any:
    """A way out, or the function that decides about one."""
    given = function(value)
    return Transition(guard=given, span=within(span, key)) if isinstance(given, PythonGuard) else value


_transitions = many(transition)


def _ways_out(made: Node, aside: dict[str, Any]) -> None:
    """Ways out that are listed by their moment stand behind the others; what is no way out is kept aside."""
    for moment, given in aside.items():
        found: Any = _transitions(given, made.span, moment)
        known: Any = made.transitions
        if not isinstance(found, tuple) or not isinstance(known, tuple):
            message = f"'{moment}' takes a list of transitions or guards"
            put(made, "faults", (*made.faults, problem("TW011", message, made.span.of(moment))))
            continue
        items = cast("tuple[Any, ...]", found)
        ways = [_at(made, moment, one) for one in items if isinstance(one, Transition)]
        strays = [(moment, number, one) for number, one in enumerate(items) if not isinstance(one, Transition)]
        put(made, "transitions", (*cast("tuple[Any, ...]", known), *ways))
        put(made, "strays", (*made.strays, *strays))


def _at(made: Node, moment: Any, one: Transition) -> Transition:
    if one.at not in (moment, "after"):
        message = f"this transition is listed under '{moment}', and says 'at={one.at}'"
        put(made, "faults", (*made.faults, problem("TW041", message, one.span)))
    return altered(without_subclass(one), at=moment)


@lenient(
    _ways_out,
    ("before", "after"),
    tool=short(ToolWork, text),
    collect=short(Collect, texts),
    reads=texts,
    writes=texts,
    enter_when=guard,
    set=table,
    set_on_leave=table,
    once=text,
    timeout_s=seconds,
    transitions=many(transition),
)
@frozen
class Node:
    """One place a conversation can be: its work, what it may read, write and use, its ways out."""

    name: str
    description: str = ""
    persona: str = ""
    model: str = ""
    say: str = ""
    prompt: str = ""
    form: Form | None = None
    tool: ToolWork | None = None
    scope: Scope | None = None
    entry: str = ""
    collect: Collect | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    tools: ToolPolicy | None = None
    enter_when: Guard = ""
    set: Mapping[str, Any] = table_of()
    set_on_leave: Mapping[str, Any] = table_of()
    offer: Offer | None = None
    once: str = ""
    end: str = ""
    retry: Retry = Retry()
    timeout_s: float | None = None
    transitions: tuple[Transition, ...] = ()
    faults: tuple[Diagnostic, ...] = hidden(())
    strays: tuple[tuple[str, int, Any], ...] = hidden(())
    span: Span = span()

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            description: str = "",
            persona: str = "",
            model: str = "",
            say: str = "",
            prompt: str = "",
            form: Form | None = None,
            tool: ToolWork | Naming | None = None,
            scope: Scope | None = None,
            entry: str = "",
            collect: Collect | Namings | None = None,
            reads: Namings = (),
            writes: Namings = (),
            tools: ToolPolicy | None = None,
            enter_when: AnyGuard = "",
            set: Mapping[str, Any] = ...,
            set_on_leave: Mapping[str, Any] = ...,
            offer: Offer | None = None,
            once: Naming = "",
            end: str = "",
            retry: Retry = Retry(),
            timeout_s: AnySpan | None = None,
            transitions: Sequence[Transition | Function] = (),
            before: Sequence[Transition | Function] = (),
            after: Sequence[Transition | Function] = (),
            faults: tuple[Diagnostic, ...] = (),
            span: Span = ...,
        ) -> None: ...
