"""Acts where a call would exceed a budget (asks, hands over, changes the model, or ends), handles the user's answer,
and records what each call used.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.commands.phrases import command_phrase
from turnwise.core.costs import LinkedBudget, amount_text
from turnwise.core.decision import fail
from turnwise.core.decision.dropped import drop_held
from turnwise.core.forms.buttons import button_with
from turnwise.core.handover import await_person
from turnwise.core.language.answers import plain_answer
from turnwise.core.machine import LinkedPerson
from turnwise.core.spending import CallPlan, allowed_by, day_of, period_of, plan_call, price_of, spent_of
from turnwise.core.state import Ended, Fault, State, Waiting
from turnwise.core.state import events as e
from turnwise.core.state.effects import AnyEffect, CallModel, RunTool, Understand
from turnwise.core.state.kinds import BY_USER
from turnwise.core.state.spending import TokenCount, Used
from turnwise.core.tools import consent
from turnwise.core.turn import Phase, StepBuilder

_ANSWERING = BY_USER | {"undo"}


def handle_reached(step: StepBuilder, refused: CallPlan) -> Phase:
    """Do what the flow defines for a call that would exceed a budget; return the next phase.
    A call of a model without a price is a failure.
    """
    budget = refused.refused
    if budget is None:
        model = refused.model or "the model of the program"
        message = f"{model} has no price, and there is a budget of money: add it to 'limits.prices'"
        return fail(step, Fault("limit", message, subject="money", value=refused.model or None))
    step.record_reached(budget, refused, budget.then)
    match budget.then:
        case "ask":
            return _ask(step, budget)
        case "hand_over":
            _say(step, budget, "budget_hand_over")
            person = step.machine.person
            if budget.queue or person is None:
                person = LinkedPerson(budget.queue, None, round(step.machine.flow.limits.person_wait_s * 1000))
            if step.state.frame.person is None:
                await_person(step, person)
                step.say(step.machine.language.text("person_awaited"), "person")
            return Phase.FINISH
        case "end":
            _say(step, budget, "budget_end")
            drop_held(step, "a budget ended the conversation first")
            step.emit(e.Ended(budget.outcome))
            return Phase.FINISH
        case "model":
            raise AssertionError("a budget with a cheaper model refuses no call")


def _text(step: StepBuilder, budget: LinkedBudget, name: str) -> str:
    """Return a text about a budget, with its amounts."""
    language, state = step.machine.language, step.state

    def shown(amount: int) -> str:
        return amount_text(budget.measure, amount, budget.currency, language.thousands_mark)

    spent, allowed = shown(spent_of(budget, state)), shown(allowed_by(budget, state))
    wanted = shown(state.spending.wanted if state.spending is not None else 0)
    per = language.text(f"budget_per_{budget.per}")
    return language.text(name, per=per, amount=allowed, spent=spent, more=wanted)


def _say(step: StepBuilder, budget: LinkedBudget, name: str) -> None:
    step.say(_text(step, budget, name), "budget")


def _ask(step: StepBuilder, budget: LinkedBudget) -> Phase:
    step.emit(
        e.Said(_text(step, budget, "budget_ask"), "budget", consent.answer_buttons(step.machine.language), "budget")
    )
    return Phase.FINISH


def ask_again(step: StepBuilder) -> None:
    """Ask again whether to exceed a budget, at the end of a turn in which the user only gave a command."""
    question, budget = step.state.frame.question, asked_budget(step, step.state)
    if question is None or question.last >= step.doing.seq or budget is None:
        return
    if step.doing.kind in _ANSWERING and step.state.frame.person is None and type(step.state.status) is not Ended:
        _ask(step, budget)


def after_understanding(step: StepBuilder, phase: Phase, event: e.Understood) -> Phase:
    """Return the next phase after a message was interpreted: `phase`, or if a budget left no model to interpret it, the
    phase in which that is handled.
    """
    if not event.is_over_budget or phase is not Phase.BEFORE:
        return phase
    refused = plan_call(step.machine, step.state, "understand")
    return phase if refused.may_call else handle_reached(step, refused)


def asked_budget(step: StepBuilder, before: State) -> LinkedBudget | None:
    """Return the budget about which the user is asked; `None` if the flow no longer has it. `before` is the state
    before the event.
    """
    name = before.spending.asked if before.spending is not None else ""
    return next((one for one in step.machine.budgets if one.name == name), None)


def handle_answer(step: StepBuilder, before: State, event: e.OutsideEvent) -> Phase | None:
    """Handle the user's answer whether to exceed a budget; return the phase, `None` for an event that is no answer.
    `before` is the state before the event. After a yes the node does its work.
    """
    if before.spending is None or not before.spending.asked or before.frame.person is not None:
        return None
    if not isinstance(event, e.UserSaid | e.UserChose):
        return None
    budget = asked_budget(step, before)
    if budget is None:
        step.emit(e.BudgetAnswered(before.spending.asked, ""))
        return None
    answer = _answer(step, event)
    if answer is None:
        is_command = isinstance(event, e.UserSaid) and command_phrase(step.machine, step.state, event.text) is not None
        return _ask(step, budget) if not is_command else None
    step.emit(e.BudgetAnswered(budget.name, period_of(budget, step.state), before.spending.wanted if answer else 0))
    step.emit(e.CommandApplied(consent.YES if answer else consent.NO))
    if answer:
        return Phase.BEFORE
    _say(step, budget, "budget_no")
    return Phase.FINISH


def _answer(step: StepBuilder, event: e.UserSaid | e.UserChose) -> bool | None:
    language = step.machine.language
    if isinstance(event, e.UserChose):
        button = button_with(consent.answer_buttons(language), event.value)
        return None if button is None else button.value == consent.YES
    return plain_answer(language, event.text)


# settling ----------------------------------------------------------------------------------------


def settle(step: StepBuilder, before: State, awaited: AnyEffect, event: e.ResultEvent) -> None:
    """Record what a call, the effect `awaited`, used, by the counts of the provider. `before` is the state during the
    call.
    """
    machine = step.machine
    if isinstance(event, e.ToolReturned | e.ToolFailed):
        if any(one.measure == "time" for one in machine.budgets) and event.ms:
            used = Used(0, 0, event.ms)
            step.emit(e.CallSettled(event.effect, used, day_of(before), tool=event.tool, node=before.frame.node))
        return
    count: TokenCount | None = getattr(event, "count", None)
    if count is None and isinstance(event, e.ModelFailed | e.UnderstandingFailed):
        count = TokenCount()  # it took its time
    if count is None or not isinstance(awaited, CallModel | Understand):
        return
    was = plan_call(machine, before, purpose_of(awaited))
    price = price_of(machine, was.model)
    money = price.cost(count.tokens_in, count.tokens_out, count.tokens_cached) if price is not None else 0
    ms = step.at_ms - before.status.since_ms if isinstance(before.status, Waiting) else 0
    used = Used(money, count.tokens_in + count.tokens_out, max(0, ms))
    if isinstance(awaited, Understand) and awaited.model:
        for one in was.cheaper:
            step.record_reached(one, was, "model")
    step.emit(
        e.CallSettled(
            event.effect,
            used,
            was.day,
            was.purpose,
            was.model,
            node=before.frame.node,
            tokens_in=count.tokens_in,
            tokens_out=count.tokens_out,
            cached=count.tokens_cached,
            reserved=was.reserved,
            is_estimated=count.is_estimated,
        )
    )


def purpose_of(effect: CallModel | Understand) -> str:
    """Return the purpose for which a model is called, such as `reply`."""
    return effect.purpose if isinstance(effect, CallModel) else "understand"


def settle_lost(step: StepBuilder, awaited: AnyEffect) -> None:
    """Count the reserved amounts of the call `awaited`, whose process ended before the reply came, as used: it may be
    charged.
    """
    if isinstance(awaited, RunTool | CallModel):
        was = plan_call(step.machine, step.state, "tool" if isinstance(awaited, RunTool) else awaited.purpose)
        values: dict[str, Any] = {"tool": awaited.tool} if isinstance(awaited, RunTool) else {"model": was.model}
        node = step.state.frame.node
        step.emit(
            e.CallSettled(
                awaited.id, was.reserved, was.day, was.purpose, node=node, reserved=was.reserved, is_lost=True, **values
            )
        )
