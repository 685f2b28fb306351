"""What a conversation does at the end of a turn: one headline, the same for list, panel, terminal and API."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from turnwise.archive.activity_words import headline_of, short_headline
from turnwise.archive.conversation_names import title_of_node
from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.forms import count_done, counted_questions, lists
from turnwise.core.linked_form import LinkedForm
from turnwise.core.machine import Machine
from turnwise.core.state import Ended, Failed, FormRun, Person, State, Waiting
from turnwise.core.state.approvals import ApprovalRequest
from turnwise.core.state.items import index_of
from turnwise.core.zones import local_time

ActivityKind = Literal[
    "ended",
    "failed",
    "waits_for_person",
    "with_person",
    "waits_for_approval",
    "waits_for_approvals",
    "asks_field",
    "changes_answer",
    "asks_item",
    "asks_another_item",
    "asks_which_item",
    "asks_which_answer",
    "confirms",
    "offers",
    "asks_about_budget",
    "form_stopped",
    "works",
    "waits_for_message",
]
"""The kinds of things that a conversation can be doing."""
QUESTIONS = frozenset(
    {
        *("asks_field", "changes_answer", "asks_item", "asks_another_item", "asks_which_item", "asks_which_answer"),
        *("confirms", "offers", "asks_about_budget"),
    }
)
"""The kinds of activity that are a question to the user."""
WITHOUT_NEWS = frozenset({"works", "waits_for_message"})
"""The kinds of activity that say no more than that nothing is open."""
_WORK = ("understanding", "model", "tool", "journal", "continuation")


class Activity(Struct, frozen=True):
    """What a conversation does, as a headline in one language."""

    kind: ActivityKind
    """The kind of activity."""
    text: str
    """The headline: `Asks for “purpose”: 3 of 5 answered`."""
    short: str
    """The headline in short, for a row of a list: `Asks for purpose, 3 of 5 answered`."""
    parts: dict[str, Any] = {}
    """The values in the headline by name: titles and texts, counts, `since` as a time in the conversation's zone and
    `since_ms` in milliseconds since 1970, `for_ms` as the time since then in milliseconds."""
    inside: str = ""
    """The title of the inner conversation in charge; empty for the outermost conversation."""


def activity_of(machine: Machine, state: State, now_ms: int, language: str = "en") -> Activity:
    """Return what a conversation does in a state, at a time in milliseconds since 1970.
    A language without words of its own is answered in English.
    """
    return activities_of(machine, state, now_ms, (language,))[0]


def activities_of(machine: Machine, state: State, now_ms: int, languages: tuple[str, ...]) -> list[Activity]:
    """Return what a conversation does in a state, in each of some languages, in the order of the languages."""
    kind, parts = _found(machine, state, now_ms)
    scope = state.frame.scope
    inside = title_of_node(machine, scope.name) if scope is not None else ""
    texts = [(headline_of(kind, parts, language), language) for language in languages]
    return [
        Activity(kind, text, short_headline(kind, parts, text, language), parts, inside) for text, language in texts
    ]


def _found(machine: Machine, state: State, now_ms: int) -> tuple[ActivityKind, dict[str, Any]]:
    status = state.status
    if isinstance(status, Ended):
        return "ended", {"outcome": status.outcome.replace("_", " ")}
    if isinstance(status, Failed):
        return "failed", {"reason": status.reason}
    if state.person is not None:
        return _person(state, state.person, now_ms)
    if state.waiting_calls:
        return _approvals(machine, state.waiting_calls)
    return _question(machine, state) or _wait(machine, state, status)


def _wait(machine: Machine, state: State, status: Waiting) -> tuple[ActivityKind, dict[str, Any]]:
    form = state.frame.form
    if form is not None and form.status == "stopped":
        return "form_stopped", {"answer": _field_title(machine, form.stopped_at)}
    where = {"node": title_of_node(machine, state.node)}
    return ("works" if status.what in _WORK else "waits_for_message"), where


def _person(state: State, person: Person, now_ms: int) -> tuple[ActivityKind, dict[str, Any]]:
    since_ms = person.taken_ms or person.since_ms
    since = {"since": f"{local_time(since_ms, state.time_zone):%H:%M}", "since_ms": since_ms}
    if not person.operator:
        return "waits_for_person", {**since, "for_ms": now_ms - person.since_ms}
    return "with_person", {"name": person.display or person.operator, **since}


def _approvals(machine: Machine, calls: tuple[ApprovalRequest, ...]) -> tuple[ActivityKind, dict[str, Any]]:
    titles = [_tool_title(machine, one.tool) for one in calls]
    if len(titles) == 1:
        return "waits_for_approval", {"tool": titles[0]}
    waiting = [title for one, title in zip(calls, titles, strict=True) if not one.is_approved]
    return "waits_for_approvals", {"waiting": len(waiting), "count": len(titles), "tools": waiting}


def _tool_title(machine: Machine, name: str) -> str:
    known = machine.tools.get(name)
    return tool_in_words(known.tool) if known is not None else name.replace("_", " ")


def _question(machine: Machine, state: State) -> tuple[ActivityKind, dict[str, Any]] | None:
    question = state.question
    if question is None:
        return None
    match question.kind:
        case "field":
            return _field(machine, state, question.field)
        case "confirmation":
            return "confirms", _counts(machine, state)
        case "chooser":
            return _chooser(machine, state)
        case "offer":
            return "offers", {"scope": title_of_node(machine, question.field)}
        case "budget":
            return "asks_about_budget", {}
        case "call":
            return None


def _field(machine: Machine, state: State, address: str) -> tuple[ActivityKind, dict[str, Any]]:
    parts: dict[str, Any] = {"field": _field_title(machine, address), **_counts(machine, state)}
    opened = _open_form(machine, state)
    if opened is None:
        return "asks_field", parts
    form, run = opened
    if run.filling:
        items = lists.items_of(state, form.by_address[run.filling])
        number = (index_of(items, run.item) if run.item else len(items)) + 1
        return "asks_item", {**parts, "list": machine.short_title(run.filling), "number": number}
    asked = form.by_address.get(address)
    items = lists.items_of(state, asked) if asked is not None and asked.items else []
    if items:
        return "asks_another_item", {**parts, "items": len(items)}
    is_changed = bool(run.editing) and address in state.values
    return ("changes_answer" if is_changed else "asks_field"), parts


def _chooser(machine: Machine, state: State) -> tuple[ActivityKind, dict[str, Any]]:
    run = state.frame.form
    if run is not None and run.choosing:
        return "asks_which_item", {"field": _field_title(machine, run.choosing)}
    return "asks_which_answer", _counts(machine, state)


def _field_title(machine: Machine, address: str) -> str:
    return machine.short_title(address) if address in machine.fields else address.rpartition(".")[2]


def _open_form(machine: Machine, state: State) -> tuple[LinkedForm, FormRun] | None:
    known, run = machine.nodes.get(state.node), state.frame.form
    return (known.form, run) if known is not None and known.form is not None and run is not None else None


def _counts(machine: Machine, state: State) -> dict[str, Any]:
    """Return how many questions of the open form are answered, and how many count: nothing without a form."""
    opened = _open_form(machine, state)
    if opened is None:
        return {}
    form, run = opened
    questions = counted_questions(form, state)
    return {"answered": count_done(run, state, questions), "count": len(questions)}
