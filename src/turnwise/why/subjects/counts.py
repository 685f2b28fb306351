"""How often something happened in a conversation, and in which turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

from turnwise.core.addresses import scope_of
from turnwise.core.phrase import Phrase, joined, listed, phrase
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import visited_nodes
from turnwise.flow.addresses import map_of
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact, Subject, SubjectKind
from turnwise.why.item_names import item_subjects
from turnwise.why.path import with_undos
from turnwise.why.query import Query
from turnwise.why.subjects.field_history import refuses_value
from turnwise.why.subjects.uses import undos_in_words

_MOST_TIMES = 8
"""How many turns or values are listed: the last."""


class _Count(NamedTuple):
    """What is counted of some kinds of subjects: what it is called, what it did, and which events are that: of these
    types, with the name of the subject in `named`, and for which `only` is true. A count of nothing is a fact only if
    it has words for that, `did_not`.
    """

    kinds: tuple[SubjectKind, ...]
    called: Phrase
    did: str
    types: tuple[type[e.AnyEvent], ...]
    named: str = ""
    did_not: str = ""
    only: Callable[[Any, str], bool] | None = None


class _Found(NamedTuple):
    """An event that counts, and the turn of the undo that took it back, if there is one."""

    turn: int
    event: e.AnyEvent
    undo: int | None


async def answer_counts(query: Query) -> list[Fact]:
    """Return facts about how often the subject of a question, and what can go wrong with it, happened so far.
    Undone turns count. Empty if the subject is of a kind that is not counted, such as the end. For a field inside a
    scope, only what happened since the scope was opened last counts.
    """
    query = _of_asked_field(query)
    name, kind = query.subject.name, query.subject.kind
    is_asked = name in query.machine.forms_of
    is_list = kind == "field" and name in query.machine.fields and bool(query.machine.fields[name].parts)
    found: dict[_Count, list[_Found]] = {
        one: []
        for one in _COUNTS
        if kind in one.kinds and (is_asked or one.types != (e.Said,)) and (one.did != "was set" or not is_list)
    }
    if not found:
        return []
    by_type: dict[type[e.AnyEvent], list[_Count]] = {}
    for count in found:
        for type_ in count.types:
            by_type.setdefault(type_, []).append(count)
    scope = scope_of(name) if kind in _FIELD else ""
    digressions, since = _Digressions() if len(query.machine.scopes) > 1 and e.Missed in by_type else None, 0
    of_scopes = (e.ScopeOpened, e.Decided) if digressions is not None else (e.ScopeOpened,) if scope else ()
    async for entry, undo in with_undos(query.entries_backwards(e.Undone, *of_scopes, *by_type)):
        event = entry.event
        if digressions is not None and digressions.has(entry):
            continue
        for count in by_type.get(type(event), ()):
            called = getattr(event, count.named) if count.named else name
            is_named = called == name or map_of(called) == name
            if not is_named or (count.only is not None and not count.only(event, name)):
                continue
            if not isinstance(event, e.Decided) or await _is_taken(query, entry, event):
                found[count].append(_Found(entry.turn, event, undo.turn if undo is not None else None))
        if scope and undo is None and isinstance(event, e.ScopeOpened) and event.scope == scope:
            since = entry.turn
            break
    searched = query.turns_searched
    where = phrase("since {scope} was opened in turn {since}", scope=scope, since=since) if since else searched
    return [_fact(query, one, every[::-1], where) for one, every in found.items() if every or one.did_not]


def _of_asked_field(query: Query) -> Query:
    """Return a question about the open question as one about the field that is asked for."""
    asked = query.state.frame.question
    is_open = query.subject == Subject("question") and asked is not None
    return query.about_subject(Subject("question", asked.field)) if is_open and asked is not None else query


class _Digressions:
    """Messages that opened a scope before they were judged as answers: they were not meant as answers. The entries come
    with the newest first.
    """

    def __init__(self) -> None:
        self.opened = 0
        self.turn = 0

    def has(self, entry: e.Entry) -> bool:
        """Return whether an entry says that such a message was not understood as an answer."""
        match entry.event:
            case e.ScopeOpened():
                self.opened = entry.seq
            case e.Decided(moment="before") if entry.seq == self.opened - 1:
                self.turn = entry.turn
            case _:
                pass
        return isinstance(entry.event, e.Missed) and entry.turn == self.turn


async def _is_taken(query: Query, entry: e.Entry, decided: e.Decided) -> bool:
    """Return whether a decision took the transition of the question, by the version of the flow at that time; an
    `enter_when` of the node in charge that only keeps it is not taken.
    """
    turn = await query.history.stored_turn(entry.turn)
    machine = await query.history.machines.shown_of_state(turn.after) if turn is not None else query.machine
    taken = machine.candidates(decided.node, cast("Moment", decided.moment)).all[decided.taken]
    return taken.id == query.subject.name and (taken.level != "enter" or taken.target != decided.node)


def _fact(query: Query, count: _Count, found: Sequence[_Found], where: str) -> Fact:
    name, has_values = query.subject.name, count.types == (e.FieldSet,)
    if has_values:  # a value that each node which read the message set once more counts once
        found = [one for one, last in zip(found, [None, *found], strict=False) if not last or _set(one) != _set(last)]
    undos = [one.undo for one in found if one.undo is not None]
    values: dict[str, Any] = {
        "name": count.called.with_values(name=name),
        "did": count.did if found else count.did_not,
        "count": len(found),
        "times": _often(len(found)) if found else "",
        "where": where,
        "turns": "" if has_values else _turns(found),
        "given": _values(query, found) if has_values else "",
        "changed": _often(_changes(found)) if has_values else "",
        "refused": _refused(found) if count.types == _CALLS else "",
        "tokens": sum([_tokens(one.event) for one in found]) or None,
        "undone": len(undos) or None,
        "by": undos_in_words(undos),
    }
    return query.end.fact_of_state("counted", query.subject, **values)


# in words -----------------------------------------------------------------------------------------


def _often(count: int) -> str:
    return "" if not count else Phrase("once") if count == 1 else phrase("{count} times", count=count)


def _turns(found: Sequence[_Found]) -> str:
    """Return in words in which turns something happened, and how often in each."""
    counts = Counter(one.turn for one in found)
    named = [
        phrase("{turn}[ ({often})]", turn=turn, often=_often(count) if count > 1 < len(counts) else "")
        for turn, count in counts.items()
    ]
    if not named:
        return ""
    if len(named) == 1:
        return phrase("in turn {turns}", turns=named[0])
    text = "the last in turns {turns}" if len(named) > _MOST_TIMES else "in turns {turns}"
    return phrase(text, turns=listed(named[-_MOST_TIMES:]))


def _values(query: Query, found: Sequence[_Found]) -> str:
    """Return in words which values were set."""
    shown: list[str] = []
    for turn, field, value in [_set(one) for one in found[-_MOST_TIMES:]]:
        question = field.removeprefix(map_of(field) + ".") if field != query.subject.name else ""
        given = query.end.value(field, value)
        shown.append(
            phrase("[{question}: ]{value} in turn {turn}", question=question, value=given, turn=turn, field=field)
        )
    text = "at last {values}" if len(found) > _MOST_TIMES else "{values}"
    return phrase(text, values=joined(shown, ", then "))


def _changes(found: Sequence[_Found]) -> int:
    """Return how often a value was another one than before; each answer to a question of a list has its own."""
    by_field: dict[str, list[Any]] = {}
    for _, field, value in map(_set, found):
        by_field.setdefault(field, []).append(value)
    return sum(one != other for values in by_field.values() for one, other in pairwise(values))


def _set(found: _Found) -> tuple[int, str, Any]:
    """Return the turn in which a value was set, the field, which is one answer of a field of answers, and the value."""
    event = found.event
    return (found.turn, event.field, event.value) if isinstance(event, e.FieldSet) else (found.turn, "", None)


def _refused(found: Sequence[_Found]) -> str:
    """Return in words how many calls were refused, and in which turns."""
    refused = [one for one in found if _is_refused(one.event)]
    if len(refused) == len(found):
        return "" if not found else Phrase("refused") if len(found) == 1 else Phrase("refused each time")
    return phrase("refused {often}, {turns}", often=_often(len(refused)), turns=_turns(refused)) if refused else ""


def _tokens(event: e.AnyEvent) -> int:
    return event.tokens_in + event.tokens_out if isinstance(event, e.ModelReplied | e.Understood) else 0


# what is counted ----------------------------------------------------------------------------------

_CALLS = (e.ToolReturned, e.ToolUsed, e.ToolFailed, e.CallAnswered, e.CallRefused)


def _having(name: str, value: object) -> Callable[[Any, str], bool]:
    return lambda event, _name: getattr(event, name) == value


def _is_question(event: e.Said, _name: str) -> bool:
    return event.question == "field" and event.kind != "reminder"


def _took_any(event: e.Decided, _name: str) -> bool:
    return event.taken >= 0


def _is_by_model(event: e.ModelReplied | e.ModelFailed | e.Understood, _name: str) -> bool:
    return not isinstance(event, e.Understood) or event.by == "model"


def _is_from(event: e.OperatorSaid, name: str) -> bool:
    return name in ("", event.operator)


def _was_called(event: e.AnyEvent, _name: str) -> bool:
    return not isinstance(event, e.ToolFailed) or not event.not_run


def _is_refused(event: e.AnyEvent, _name: str = "") -> bool:
    return isinstance(event, e.CallRefused) or (isinstance(event, e.CallAnswered) and not event.result["success"])


def _is_entry(event: e.Started | e.Moved | e.ScopeOpened, name: str) -> bool:
    return name in visited_nodes(event)


def _is_of_item(event: e.ItemChanged, name: str) -> bool:
    return name in [one.name for one in item_subjects(event.field, event.id, event.name)]


def _is_refused_value(event: e.CommandRefused | e.Faulted | e.GiveBackRefused, _name: str) -> bool:
    match event:
        case e.CommandRefused(field=name):
            return bool(name)
        case e.Faulted(fault=fault):
            return fault.kind == "write" and bool(fault.subject)
        case _:
            return True


_FIELD: tuple[SubjectKind, ...] = ("field", "question")
_ALL: tuple[SubjectKind, ...] = ("conversation",)
_BY_MODEL = (e.ModelReplied, e.ModelFailed, e.Understood)
_REFUSALS = (e.CommandRefused, e.GiveBackRefused, e.Faulted, e.Warned)

_COUNTS: tuple[_Count, ...] = (
    _Count(("field",), Phrase("{name}"), Phrase("was set"), (e.FieldSet,), "field", Phrase("was not set")),
    _Count(("field",), Phrase("an item of {name}"), Phrase("was added"), (e.ItemAdded,), "field"),
    _Count(("field",), Phrase("an item of {name}"), Phrase("was changed"), (e.ItemChanged,), "field"),
    _Count(("field",), Phrase("an item of {name}"), Phrase("was removed"), (e.ItemRemoved,), "field"),
    _Count(("item",), Phrase("{name}"), Phrase("was changed"), (e.ItemChanged,), only=_is_of_item),
    _Count(
        _FIELD, Phrase("{name}"), Phrase("was asked for"), (e.Said,), "field", Phrase("was not asked for"), _is_question
    ),
    _Count(_FIELD, Phrase("an answer about {name}"), Phrase("was not understood"), (e.Missed,), "field"),
    _Count(_FIELD, Phrase("a value for {name}"), Phrase("was refused"), _REFUSALS, only=refuses_value),
    _Count(
        ("node",),
        Phrase("{name}"),
        Phrase("was entered"),
        (e.Started, e.Moved, e.ScopeOpened),
        "",
        Phrase("was not entered"),
        _is_entry,
    ),
    _Count(
        ("transition",), Phrase("{name}"), Phrase("was taken"), (e.Decided,), "", Phrase("was not taken"), _took_any
    ),
    _Count(("tool",), Phrase("{name}"), Phrase("was called"), _CALLS, "tool", Phrase("was not called"), _was_called),
    _Count(("tool",), Phrase("{name}"), Phrase("failed"), (e.ToolFailed,), "tool"),
    _Count(("event",), Phrase("{name}"), Phrase("came"), (e.EventReceived,), "name", Phrase("did not come")),
    _Count(("timer",), Phrase("{name}"), Phrase("came due"), (e.TimerFired,), "timer", Phrase("did not come due")),
    _Count(
        ("model",), Phrase("the model"), Phrase("was called"), _BY_MODEL, "", Phrase("was not called"), _is_by_model
    ),
    _Count(("model",), Phrase("a tool"), Phrase("was called"), _CALLS, only=_was_called),
    _Count(("model",), Phrase("the model"), Phrase("failed"), (e.ModelFailed,)),
    _Count(("person",), Phrase("a person"), Phrase("took over"), (e.TakenOver,), "", Phrase("did not take over")),
    _Count(("person",), Phrase("{name}"), Phrase("wrote"), (e.OperatorSaid,), only=_is_from),
    _Count(
        ("form",), Phrase("the form"), Phrase("was cancelled"), (e.CommandApplied,), only=_having("command", "cancel")
    ),
    _Count(("form",), Phrase("a form"), Phrase("began anew"), (e.CommandApplied,), only=_having("command", "restart")),
    _Count(_ALL, Phrase("the user"), Phrase("wrote"), (e.UserSaid, e.UserChose), "", Phrase("did not write")),
    _Count(_ALL, Phrase("a button"), Phrase("was pressed"), (e.UserChose,)),
    _Count(_ALL, Phrase("a button"), Phrase("was refused"), (e.Warned,), only=_having("code", "stale_button")),
    _Count(_ALL, Phrase("an answer"), Phrase("was not understood"), (e.Missed,)),
    _Count(_ALL, Phrase("a value"), Phrase("was refused"), _REFUSALS[:3], only=_is_refused_value),
    _Count(_ALL, Phrase("a call"), Phrase("was refused"), (e.CallRefused, e.CallAnswered), only=_is_refused),
    _Count(_ALL, Phrase("a call"), Phrase("failed"), (e.ToolFailed,), only=_was_called),
    _Count(_ALL, Phrase("a turn"), Phrase("failed"), (e.Failed,)),
    _Count(_ALL, Phrase("an undo"), Phrase("was made"), (e.Undone,)),
)
"""What is counted of each kind of subject."""
