"""Lets the user choose an item of a list: to change it from the summary, or where a command fits several items.

From the summary, the user then chooses which of its values to change, or removes it.

What is chosen is an `edit` whose field names an item (`order.items[i2]`) or one value of it (`order.items[i2].size`).
"""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.commands import holds
from turnwise.core.forms import items, lists, text_env
from turnwise.core.forms.shown_items import candidate_buttons, chosen_item, numbered_items
from turnwise.core.guards import env_of
from turnwise.core.linked_form import LinkedForm, Question
from turnwise.core.machine import Machine
from turnwise.core.state import FormRun, State
from turnwise.core.state.commands import Add, Affirm, AnyCommand, Copy, Edit, ItemCommand, Remove
from turnwise.core.state.events import Button
from turnwise.core.state.items import ID, index_of
from turnwise.core.turn import StepBuilder
from turnwise.core.values.json_data import as_object
from turnwise.flow.late_pattern import late_pattern

MORE, REMOVE = "more", "remove"
_CELL = late_pattern(r"(?P<list>[^\[\]]+)\[(?P<id>i[0-9]+)\](?:\.(?P<name>\w+))?")


def item_chooser_buttons(machine: Machine, state: State, form: LinkedForm, run: FormRun) -> tuple[Button, ...]:
    """Return one button per item; once an item is chosen, one per value of it, and one to remove it."""
    question, language = form.by_address[run.choosing], machine.language
    if run.asks_which_item:
        return candidate_buttons(machine, state, question, run)
    item = chosen_item(state, question, run)
    if item is None:
        found = [
            Button(lists.item_text(machine, state, question, one), one[ID]) for one in lists.items_of(state, question)
        ]
        return tuple(found) if lists.is_full(question, state) else (*found, Button(language.text("buttons_add"), MORE))
    within = lists.with_item(state, question, item)
    asked = [form.by_address[address] for address in question.items]
    applying = [one for one in asked if holds(one.ask_when, env_of(within))]
    found = [Button(one.ask(text_env(form, run, within, one.address)), one.field.name) for one in applying]
    return (*found, Button(language.text("buttons_remove"), REMOVE))


def ask_which_item(step: StepBuilder, run: FormRun, question: Question, command: ItemCommand) -> FormRun | None:
    """Return the run that asks which item a command means, if its description fits several; else `None`.
    A second command with the same description waits too.
    """
    wanted = as_object(command.item) if not isinstance(command, Add) else None
    if wanted is None or question.field.secret or (isinstance(command, Copy) and lists.is_full(question, step.state)):
        return None
    from turnwise.core.commands.items import items_with_values

    found = items_with_values(question.field, lists.items_of(step.state, question), wanted, step.rules)
    shown = numbered_items(step.machine, step.state, question, found)
    if len(shown) < 2 or (run.asks_which_item and (run.choosing, run.candidates) != (question.address, shown)):
        return None
    waiting = (*run.waiting, command) if run.asks_which_item else (command,)
    return replace(
        run,
        editing="chooser",
        choosing=question.address,
        waiting=waiting,
        candidates=shown,
        asked="",
        awaits_other=False,
    )


def chosen_commands(run: FormRun, field: str) -> tuple[ItemCommand, ...]:
    """Return the commands that waited for the user's choice of an item, now with the item that the `field` of an `edit`
    names; none if none was chosen.
    """
    found = _CELL.fullmatch(field)
    if found is None or found["name"] or found["list"] != run.choosing or found["id"] not in dict(run.candidates):
        return ()
    waiting = [one for one in run.waiting if not isinstance(one, Add)]
    return tuple([replace(one, item=found["id"], words=None) for one in waiting])


def item_chooser_text(machine: Machine, state: State, form: LinkedForm, run: FormRun) -> str:
    """Return the text with which the user is asked to choose an item."""
    question = form.by_address[run.choosing]
    if run.asks_which_item:
        return machine.language.text("choose_which")
    item = chosen_item(state, question, run)
    if item is None:
        return machine.language.text("choose_item")
    return machine.language.text("choose_part", item=lists.item_text(machine, state, question, item))


def command_of_chooser(run: FormRun, value: str, words: tuple[int, int]) -> AnyCommand:
    """Return the command of a button of the item chooser; `value` is that of the button, `words` the span of its text
    in the message.
    """
    if run.asks_which_item or not run.item:
        return Affirm(words, 1.0) if value == MORE else Edit(words, 1.0, field=f"{run.choosing}[{value}]")
    if value == REMOVE:
        return Remove(words, 1.0, field=run.choosing, item=run.item)
    return Edit(words, 1.0, field=f"{run.choosing}[{run.item}].{value}")


def run_after_edit(step: StepBuilder, form: LinkedForm, run: FormRun, field: str) -> FormRun | None:
    """Return the run of a form after the user asked to edit a list, an item or a value of it; else `None`."""
    found = _CELL.fullmatch(field)
    question = form.by_address.get(found["list"] if found else field)
    known = lists.items_of(step.state, question) if question is not None and question.items else []
    if question is None or not known:
        return None
    status = "collecting" if run.status in ("confirmed", "handed_off") else run.status
    run = replace(items.drop_item(step, form, run) if run.filling else run, status=status)
    id_ = found["id"] if found else known[0][ID] if len(known) == 1 and question.more is None else ""
    if found and index_of(known, id_) < 0:
        return None
    if not found or not found["name"]:
        return replace(run, editing="chooser", choosing=question.address, item=id_, asked="", awaits_other=False)
    part = next((one for one in question.items if form.by_address[one].field.name == found["name"]), "")
    if not part:
        return None
    run = items.begin_item(step, form, run, question, id_)
    return replace(run, editing="one", asked=part, choosing="", awaits_other=False, walk=())
