"""Folds events of fields and commands: values that are set and taken away, and what came of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import CommandOutcome, FieldValue, State, TurnState
from turnwise.core.state import events as e
from turnwise.core.state.options import OptionList, values_of
from turnwise.core.state.questions import QuestionList, QuestionLists
from turnwise.flow.addresses import map_of


def without_key(table: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a copy of a dict without a key; the same dict if it lacks the key."""
    return {k: v for k, v in table.items() if k != key} if key in table else table


def with_answer(
    values: dict[str, FieldValue], lists: QuestionLists, address: str, value: FieldValue
) -> dict[str, FieldValue]:
    """Return `values` (by address) with one answer of a field of answers set, if the address names a question in
    `lists`.
    """
    field = map_of(address)
    if field not in lists:
        return _without_answers(values, address) if isinstance(value.value, dict) else values
    known: dict[str, Any] = values[field].value if field in values else {}
    return {**values, field: replace(value, value={**known, address[len(field) + 1 :]: value.value}, place=None)}


def without_answer(values: dict[str, FieldValue], lists: QuestionLists, address: str) -> dict[str, FieldValue]:
    """Return `values` (by address) without the answer at an address, or without all answers of a field of answers."""
    field = map_of(address)
    if field not in lists:
        return _without_answers(values, address)
    if field not in values:
        return values
    left = without_key(values[field].value, address[len(field) + 1 :])
    return {**values, field: replace(values[field], value=left)} if left else without_key(values, field)


def _without_answers(values: dict[str, FieldValue], field: str) -> dict[str, FieldValue]:
    begin = f"{field}."
    return {key: value for key, value in values.items() if not key.startswith(begin)}


def _questions_fixed(state: State, _entry: e.Entry, event: e.QuestionsFixed) -> State:
    found = QuestionList(event.questions, event.source, event.node)
    return replace(state, question_lists={**(state.question_lists or {}), event.field: found})


def _options_fixed(state: State, _entry: e.Entry, event: e.OptionsFixed) -> State:
    lists = state.option_lists or {}
    known, value = lists.get(event.field), state.values.get(event.field) or state.shelved.get(event.field)
    chosen = (
        [known.chosen_option(one) for one in values_of(value.value)] if known is not None and value is not None else []
    )
    found = OptionList(event.options, event.source, tuple([one for one in chosen if one is not None]))
    return replace(state, option_lists={**lists, event.field: found})


def _chosen_anew(state: State, address: str) -> State:
    """Return the state in which the value of a field was chosen from the options as they are shown now."""
    known = (state.option_lists or {}).get(address)
    if known is None or not known.chosen:
        return state
    return replace(state, option_lists={**(state.option_lists or {}), address: replace(known, chosen=())})


def _field_set(state: State, entry: e.Entry, event: e.FieldSet) -> State:
    doing, place = state.current, event.place
    if place is None and event.words is not None:
        place = (doing.seq, *event.words)
    value = FieldValue(event.value, event.how, entry.turn, entry.at_ms, event.confidence, place)
    values = {**state.values, event.field: value}
    if state.option_lists is not None:
        state = _chosen_anew(state, event.field)
    if event.last_item:
        state = replace(state, last_item=event.last_item)
    if state.question_lists is not None:
        values = with_answer(values, state.question_lists, event.field, value)
    if event.how == "derived":
        return replace(state, values=values)
    frame = state.frame
    return replace(
        state,
        frame=replace(frame, last_field=event.field) if event.how != "set" else frame,
        values=values,
        shelved=without_key(state.shelved, event.field) if state.shelved else state.shelved,
        doing=replace(
            doing,
            is_used_up=doing.is_used_up or event.how in ("button", "direct"),
            outcomes=(*doing.outcomes, CommandOutcome("set", event.field)),
        ),
    )


def _field_cleared(state: State, _entry: e.Entry, event: e.FieldCleared) -> State:
    values = without_key(state.values, event.field)
    if state.question_lists is not None:
        values = without_answer(values, state.question_lists, event.field)
    if event.how == "derived":
        return replace(state, values=values)
    doing = state.current
    is_used_up = doing.is_used_up or event.how in ("button", "direct")
    doing = replace(doing, is_used_up=is_used_up, outcomes=(*doing.outcomes, CommandOutcome("cleared", event.field)))
    return replace(state, values=values, shelved=without_key(state.shelved, event.field), doing=doing)


def _field_shelved(state: State, _entry: e.Entry, event: e.FieldShelved) -> State:
    shelved = {**state.shelved, event.field: state.values[event.field]}
    return replace(state, values=without_key(state.values, event.field), shelved=shelved)


def _field_revived(state: State, _entry: e.Entry, event: e.FieldRevived) -> State:
    values = {**state.values, event.field: state.shelved[event.field]}
    return replace(state, values=values, shelved=without_key(state.shelved, event.field))


_USING_UP = ("affirm", "deny", "start", "cancel", "skip", "back", "edit", "restart", "hand_over", "undo")
"""Commands that use a message up; help, repeat, wait and questions are answered by whichever node speaks."""


def _language_changed(state: State, _entry: e.Entry, event: e.LanguageChanged) -> State:
    """Set the language of the conversation."""
    return replace(state, language=event.language)


def _command_applied(state: State, _entry: e.Entry, event: e.CommandApplied) -> State:
    doing = state.current
    is_of_message = all(one.kind != "missed" for one in doing.outcomes)  # else a ladder did it (law 5.8)
    is_used_up = doing.is_used_up or (event.command in _USING_UP and is_of_message)
    outcomes = (*doing.outcomes, CommandOutcome(event.command, event.field, event.text))
    doing = replace(doing, outcomes=outcomes, is_used_up=is_used_up)
    if event.command == "start" and (event.input or event.text in state.frame.wish_inputs):
        inputs = without_key(state.frame.wish_inputs, event.text)
        inputs = {**inputs, event.text: event.input} if event.input else inputs
        state = replace(state, frame=replace(state.frame, wish_inputs=inputs))
    if event.command == "undo":  # is no turn that a later undo takes back
        doing = replace(doing, base=state.came_from)
    return replace(state, doing=_wanting_out(state, doing) if event.command == "hand_over" else doing)


def _wanting_out(state: State, doing: TurnState) -> TurnState:
    """Return the turn of a message that wants to leave a node without a form: no effect follows it (law 5.1)."""
    return replace(doing, wants_out=True) if state.frame.form is None else doing


def _command_refused(state: State, _entry: e.Entry, event: e.CommandRefused) -> State:
    if event.scope:  # of a message before, so no outcome of the one that is handled now
        wishes = tuple([one for one in state.frame.wishes if one != event.scope])
        by_program = tuple([one for one in state.frame.program_wishes if one != event.scope])
        inputs = without_key(state.frame.wish_inputs, event.scope)
        frame = replace(state.frame, wishes=wishes, program_wishes=by_program, wish_inputs=inputs)
        return replace(state, frame=frame)
    doing, outcome = state.current, CommandOutcome("refused", event.field, event.text, event.iso)
    doing = replace(doing, outcomes=(*doing.outcomes, outcome))
    return replace(state, doing=_wanting_out(state, doing) if event.reason == "nothing_to_cancel" else doing)


def _missed(state: State, _entry: e.Entry, event: e.Missed) -> State:
    doing = state.current
    return replace(state, doing=replace(doing, outcomes=(*doing.outcomes, CommandOutcome("missed", event.field))))


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.QuestionsFixed: _questions_fixed,
    e.OptionsFixed: _options_fixed,
    e.FieldSet: _field_set,
    e.FieldCleared: _field_cleared,
    e.FieldShelved: _field_shelved,
    e.FieldRevived: _field_revived,
    e.LanguageChanged: _language_changed,
    e.CommandApplied: _command_applied,
    e.CommandRefused: _command_refused,
    e.Missed: _missed,
}
"""The functions that return the state after an event, by the class of the event."""
