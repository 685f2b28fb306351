"""What the machine answers where a user may ask it why (`commands: [why]`): one sentence, without names of the flow.

It says what the state proves: why a question is asked or asked again, why it waits for a person, the reason that the
author gave for the last move. The full answer, with everything that was read, is `turnwise.why`.
"""

from __future__ import annotations

from collections.abc import Callable

from turnwise.core.commands.allowed_input import fields_to_collect
from turnwise.core.costs import amount_text
from turnwise.core.language import is_why_question
from turnwise.core.machine import Machine
from turnwise.core.spending import allowed_by
from turnwise.core.state import SAID_BY_USER, FormRun, State, Waiting
from turnwise.core.state.proposals import BY_NODE, open_offer

Text = Callable[..., str]
"""A function that returns a fixed text with its values."""


def may_ask_why(machine: Machine, message: str) -> bool:
    """Return whether a message asks why, alone or among other things, and the flow allows that question."""
    language, allowed = machine.language, machine.flow.commands.names
    return "why" in allowed and (language.asks_why(message) or is_why_question(message))


def reason(
    machine: Machine, state: State, address: str = "", text: Text | None = None, moves_since: int | None = None
) -> str:
    """Return why the conversation is where it is, in words for the user; with a field at `address`, why the field is
    asked for or known. `text` looks up the fixed texts, by default in the conversation's language. The reason for the
    last move goes before an open question if that move was made in the turn number `moves_since` or later; by default,
    in this turn or the one before.
    """
    text = text or machine.language.text
    if address in machine.fields:
        return _of_field(machine, state, address, text)
    return reason_for_node(machine, state, text, moves_since) or text("why_waiting")


def reason_for_node(machine: Machine, state: State, text: Text, moves_since: int | None = None) -> str:
    """Return the reason for the last move (if made in the turn number `moves_since` or later; by default in this turn
    or the one before), the wait or the question, in words; empty if none is known.
    """
    since = state.turn - 1 if moves_since is None else moves_since
    moved = _of_move(state, text) if state.frame.entered_turn >= since else ""
    if not moved and state.frame.scope is not None and state.frame.scope.by == "schedule":
        moved = text("why_schedule") if state.frame.scope.turn >= since else ""
    asked = _of_budget(machine, state, text) or _of_offer(state, text) or _of_question(machine, state, text, moved)
    return _of_wait(state, text) or asked or _of_node(machine, state, text, moved)


def reason_for_wait(machine: Machine, state: State) -> str:
    """Return why the conversation waits for a person, in words for the user; empty if no reason is known."""
    text = machine.language.text
    if state.frame.person is None or not state.frame.person.is_work:
        return text("why_wait_asked") if state.frame.person is not None else ""
    because = state.frame.because.strip().rstrip(".")
    return text("why_wait_because", reason=because) if because else ""


def _of_field(machine: Machine, state: State, address: str, text: Text) -> str:
    title = machine.short_title(address)
    if address in state.values:
        is_told = state.values[address].how in SAID_BY_USER
        return text("why_told_secret" if is_told else "why_found_secret", field=title)
    question = state.frame.question
    is_wanted = address in fields_to_collect(machine, state) or (question is not None and question.field == address)
    return text("why_asked" if is_wanted else "why_not_known", field=title)


def _of_wait(state: State, text: Text) -> str:
    """Return why it waits for a person, for a yes or no, or for itself; empty where it does none of that."""
    if state.frame.person is not None:
        return text("why_person_in_charge" if state.frame.person.operator else "why_person_awaited")
    if isinstance(state.status, Waiting) and state.status.what == "continuation":
        return text("why_goes_on")
    if state.frame.awaiting_approval is not None:
        return text("why_consent")
    return text("why_consent_operator") if state.frame.approvals else ""


def _of_budget(machine: Machine, state: State, text: Text) -> str:
    """Return why the user is asked whether to go on beyond a budget; empty where that is not the question."""
    name = state.spending.asked if state.spending is not None else ""
    budget = next((one for one in machine.budgets if one.name == name), None)
    if budget is None:
        return ""
    amount = amount_text(budget.measure, allowed_by(budget, state), budget.currency, machine.language.thousands_mark)
    return text("why_budget", amount=amount)


def _of_offer(state: State, text: Text) -> str:
    """Return why something is offered; empty where no offer is the open question."""
    offer = open_offer(state)
    if offer is None:
        return ""
    by_itself = "" if offer.by == BY_NODE else text("why_schedule")
    return f"{by_itself} {text('why_offered')}".strip()


def _of_question(machine: Machine, state: State, text: Text, moved: str) -> str:
    """Return why the open question is asked, after the reason for a move that has just been made."""
    run = state.frame.form
    asked = _asked(machine, state, run, text) if run is not None else ""
    if not asked:
        return ""
    return f"{moved} {asked}".strip()


def _asked(machine: Machine, state: State, run: FormRun, text: Text) -> str:
    if run.status == "stopped" and run.stopped_at in machine.fields:
        return text("why_stopped", field=machine.short_title(run.stopped_at))
    if run.status not in ("awaiting_confirmation", "collecting"):
        return ""
    if run.asks_which_item:
        return text("why_which_item")
    if run.editing:
        return text("why_edited")
    if run.status == "awaiting_confirmation":
        return text("why_confirm")
    if run.asked not in machine.fields:
        return ""
    field, title = machine.fields[run.asked], machine.short_title(run.asked)
    if run.asked in state.values and run.asked not in run.suggested:  # by the message that asks why
        return text("why_was_asked", field=title)
    if not run.misses.get(run.asked):
        return text("why_asked", field=title)
    options = ", ".join(option.shown for option in field.options)
    known = text("why_options", options=options) if options and not field.secret else ""
    return f"{text('why_not_understood', field=title)} {known}".strip()


def _of_move(state: State, text: Text) -> str:
    if state.frame.is_by_person:
        return text("why_person_chose")
    because = state.frame.because.strip().rstrip(".")
    return text("why_because", reason=because) if because else ""


def _of_node(machine: Machine, state: State, text: Text, moved: str) -> str:
    """Return the reason for the last move, and what is still needed here."""
    needed = fields_to_collect(machine, state) if machine.nodes[state.frame.node].work == "prompt" else ()
    if needed:
        return f"{moved} {text('why_asked', field=machine.short_title(needed[0]))}".strip()
    return _of_move(state, text)
