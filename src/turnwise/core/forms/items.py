"""Asks for the items of lists of records (law 5.17). While an item is completed, its values are in the fields of its
record, so that questions, guards and texts can use them as any other fields. The item joins the list when its questions
are answered.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from turnwise.core.commands import holds
from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.forms import (
    AT_REST,
    is_answered,
    is_open,
    is_stop,
    lists,
    questions_in_order,
    suggestion_for,
    without_offers,
)
from turnwise.core.forms.shown_items import chosen_item
from turnwise.core.guards import env_of
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.state import FormRun, State, ValueOrigin
from turnwise.core.state import commands as c
from turnwise.core.state.events import CommandApplied, FieldCleared, FieldSet
from turnwise.core.state.items import ID, Item, index_of, number_of
from turnwise.core.state.kinds import CommandRefusal
from turnwise.core.turn import StepBuilder


def settle_item(step: StepBuilder, form: LinkedForm, run: FormRun) -> FormRun:
    """Add the item that was asked for to its list once it is complete, and begin the next if the list needs one."""
    while True:
        following = _settled_once(step, form, run)
        if following == run:
            return run
        run = following


def _settled_once(step: StepBuilder, form: LinkedForm, run: FormRun) -> FormRun:
    if run.status in AT_REST or _is_stopped(form, run, step.state):
        return run
    if run.filling:
        return _with_answers(step, form, run, form.by_address[run.filling])
    if run.editing:
        return run
    for question in questions_in_order(form, step.state, run):
        if question.items:
            unfinished = _unfinished(form, step.state, question)
            if unfinished or lists.needs_items(question, step.state):
                return begin_item(step, form, run, question, unfinished)
        if is_open(question, run, step.state):
            return run
    return run


def _is_stopped(form: LinkedForm, run: FormRun, state: State) -> bool:
    return any(
        one.stop_values and is_answered(run, state, one.address) and is_stop(one, state.values[one.address].value)
        for one in form.questions
    )


def _with_answers(step: StepBuilder, form: LinkedForm, run: FormRun, question: Question) -> FormRun:
    """Store the item that is asked for if nothing of it is open; drop it if its list is no longer asked for."""
    state = step.state
    is_gone = bool(run.item) and index_of(lists.items_of(state, question), run.item) < 0
    if is_gone or not holds(question.ask_when, env_of(state)):
        return drop_item(step, form, run)
    own = [form.by_address[address] for address in question.items]
    if _came_by_sentence(run, state, question):
        return drop_item(step, form, run)
    is_edited = run.editing == "chooser" or (run.editing == "one" and run.asked in question.items)
    is_edited = is_edited or any(address in question.items for address in run.walk)
    if is_edited or any(is_open(one, run, state) for one in questions_in_order(form, state, run) if one in own):
        return run
    _store(step, form, run, question)
    return drop_item(step, form, run)


def _came_by_sentence(run: FormRun, state: State, question: Question) -> bool:
    """Return whether a sentence added items while a new one was asked for, so that the list needs no more."""
    added = any(number_of(item[ID]) > run.newest for item in lists.items_of(state, question))
    given = any(is_answered(run, state, address) for address in question.items)
    return added and not run.item and not given and not lists.needs_items(question, state)


def _unfinished(form: LinkedForm, state: State, question: Question) -> str:
    """Return the id of the first item of a list that lacks a required value, as one that came by a sentence may."""
    items = lists.items_of(state, question)
    return next((item[ID] for item in items if _lacks(form, state, question, item)), "")


def _lacks(form: LinkedForm, state: State, question: Question, item: Item) -> bool:
    """Return whether an item lacks a required value that is asked for."""
    asked = [form.by_address[address] for address in question.items]
    required = [one for one in asked if one.form_field.asked and one.form_field.required]
    lacking = [one for one in required if one.field.name not in item]
    env = env_of(lists.with_item(state, question, item)) if lacking else None
    return env is not None and any(holds(one.ask_when, env) for one in lacking)


def begin_item(step: StepBuilder, form: LinkedForm, run: FormRun, question: Question, id_: str = "") -> FormRun:
    """Return the run that asks for an item: a new one, or the one with the id `id_`, whose values fill the fields."""
    asked = [form.by_address[address] for address in question.items]
    walk = tuple([address for address in run.walk if address != question.address])
    editing = "walk" if walk and run.editing == "walk" else ""
    newest = step.state.last_item
    run = replace(run, filling=question.address, item=id_, newest=newest, editing=editing, choosing="", walk=walk)
    if not id_:
        suggested = dict(run.suggested)
        for one in asked:
            if one.address not in step.state.values:
                suggested |= suggestion_for(step, form, one)
        return replace(run, suggested=suggested)
    items = lists.items_of(step.state, question)
    item, skipped = items[index_of(items, id_)], list(run.skipped)
    for one in asked:
        if one.field.name in item:
            step.emit(FieldSet(one.address, item[one.field.name], "set"))
        elif not one.form_field.required:
            skipped.append(one.address)  # it was not given before, and is not asked for now
    return replace(run, skipped=tuple(skipped))


def drop_item(step: StepBuilder, form: LinkedForm, run: FormRun) -> FormRun:
    """Return the run that no longer asks for an item, and clear the fields of the item's record."""
    own = form.by_address[run.filling].items
    for address in own:
        if address in step.state.values or address in step.state.shelved:
            step.emit(FieldCleared(address, "set"))
    return replace(
        run,
        filling="",
        item="",
        newest=0,
        editing="" if run.asked in own or run.editing == "chooser" else run.editing,
        asked="" if run.asked in own else run.asked,
        awaits_other=False if run.asked in own else run.awaits_other,
        skipped=tuple([name for name in run.skipped if name not in own]),
        misses={name: count for name, count in run.misses.items() if name not in own},
        suggested={name: value for name, value in run.suggested.items() if name not in own},
    )


def follow_item_change(step: StepBuilder, form: LinkedForm, run: FormRun, before: Item | None) -> FormRun:
    """Write the fields of a record anew after a command changed its item; return the run without offers for them.
    `before` is the item as it was.
    """
    question = form.by_address.get(run.filling)
    now = item_of(step.state, form, run)
    if question is None or before is None or now is None:
        return run
    for address in question.items:
        name = form.by_address[address].field.name
        if before.get(name) == now.get(name):
            continue
        run = without_offers(run, address)
        if name in now:
            step.emit(FieldSet(address, now[name], "set"))
        elif address in step.state.values:
            step.emit(FieldCleared(address, "set"))
    return run


def item_of(state: State, form: LinkedForm, run: FormRun) -> Item | None:
    """Return the item of the list that is being completed or changed; `None` if a new one is asked for, or none."""
    return chosen_item(state, form.by_address[run.filling], run) if run.filling else None


def may_drop(form: LinkedForm, run: FormRun, state: State) -> bool:
    """Return whether a wish to cancel concerns only the item that is asked for, not the whole form."""
    if not run.filling:
        return False
    question = form.by_address[run.filling]
    given = any(is_answered(run, state, address) for address in question.items)
    return bool(run.item) or given or not lists.needs_items(question, state)


def leave_out_item(step: StepBuilder, form: LinkedForm, run: FormRun, how: ValueOrigin) -> FormRun:
    """Return the run after the user left out the item that is asked for: an incomplete one is removed from the list. A
    complete one stays, and only its question is closed. `how` is the origin of the user's command.
    """
    question, known = form.by_address[run.filling], lists.items_of(step.state, form.by_address[run.filling])
    at = index_of(known, run.item) if run.item else -1
    is_kept = at >= 0 and not _lacks(form, step.state, question, known[at])
    step.emit(CommandApplied("cancel", question.items[0] if is_kept else run.filling))
    left = drop_item(step, form, run)
    if at >= 0 and not is_kept:
        from turnwise.core.commands.items import ItemInterpreter

        interpreter = ItemInterpreter(_OwnItems(step, how, form), question.address, question.field)
        interpreter.apply(c.Remove(confidence=None, field=question.address, item=run.item))
    return left


def may_end(form: LinkedForm, run: FormRun, state: State) -> bool:
    """Return whether a no may mean that no more items follow: no value of a new one is known, and none is needed."""
    question, asked = form.by_address.get(run.filling), form.by_address.get(run.asked)
    if question is None or asked is None or run.item or asked.item_of != run.filling or not asked.form_field.required:
        return False
    given = any(is_answered(run, state, address) for address in question.items)
    return not given and bool(lists.items_of(state, question)) and not lists.needs_items(question, state)


def needs_more(form: LinkedForm, run: FormRun, state: State) -> bool:
    """Return whether a no to the question for a new item must be refused, since the list needs more items."""
    question, asked = form.by_address.get(run.filling), form.by_address.get(run.asked)
    if question is None or asked is None or run.item or asked.item_of != run.filling:
        return False
    given = any(is_answered(run, state, address) for address in question.items)
    return not given and lists.needs_items(question, state)


def decline_more_items(step: StepBuilder, form: LinkedForm, run: FormRun) -> FormRun:
    """Return the run of a form after the user wants no more items in the list."""
    question = form.by_address[run.filling]
    step.emit(CommandApplied("deny", question.address))
    return close_list(drop_item(step, form, run), step.state, question)


def close_list(run: FormRun, state: State, question: Question) -> FormRun:
    """Return the run of a form with a list marked as complete: the user wants no item, or no more items."""
    if not lists.items_of(state, question):
        return replace(run, skipped=tuple(dict.fromkeys((*run.skipped, question.address))))
    walk = tuple([address for address in run.walk if address != question.address])
    editing = "" if run.editing == "one" or not walk else run.editing
    run = replace(run, walk=walk, editing=editing)
    return replace(run, complete=tuple(dict.fromkeys((*run.complete, question.address))))


def _store(step: StepBuilder, form: LinkedForm, run: FormRun, question: Question) -> None:
    """Add the item, or what was changed of it, to its list."""
    values = {
        form.by_address[address].field.name: step.state.values[address].value
        for address in question.items
        if is_answered(run, step.state, address)
    }
    from turnwise.core.commands.items import ItemInterpreter

    interpreter = ItemInterpreter(_OwnItems(step, _origin(step, question), form), question.address, question.field)
    if not run.item:
        interpreter.apply(c.Add(confidence=None, field=question.address, item=values))
        return
    before: Item = lists.items_of(step.state, question)[index_of(lists.items_of(step.state, question), run.item)]
    for address in question.items:
        name = form.by_address[address].field.name
        if before.get(name) != values.get(name):
            change = c.Change(field=question.address, item=run.item, name=name, value=values.get(name))
            interpreter.apply(change)


def _origin(step: StepBuilder, question: Question) -> ValueOrigin:
    """Return how the last answer about an item came."""
    found = [step.state.values[address] for address in question.items if address in step.state.values]
    last = max(found, key=lambda one: (one.turn, one.at_ms, one.how != "set"), default=None)
    return last.how if last is not None else "set"


class _OwnItems(CommandInterpreter):
    """Applies what the form itself does with a list: its values were accepted when they were answered."""

    def unasked_secret(self, address: str) -> CommandRefusal | Literal[""]:  # noqa: ARG002  the name of the port
        """Return no reason: no model gives the item."""
        return ""

    def was_changed_elsewhere(self, address: str) -> bool:  # noqa: ARG002  the name of the port
        """Return false: other items of the same message are other items."""
        return False

    def words_of(self, command: c.AnyCommand) -> tuple[int, int] | None:  # noqa: ARG002  the name of the port
        """Return none: the item comes from several answers."""
        return None
