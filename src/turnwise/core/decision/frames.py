"""Continues a conversation after a scope was opened or closed (laws 6.1 to 6.4)."""

from __future__ import annotations

from turnwise.core import scopes
from turnwise.core.addresses import ROOT, local_name, scope_of
from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.decision.dropped import drop_held, drop_rest
from turnwise.core.decision.moves import enter, leave
from turnwise.core.forms.speak import say_closed
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.scopes import Opening, offers
from turnwise.core.scopes.summaries import is_by_model, summary_text
from turnwise.core.state import Fault, State
from turnwise.core.state.commands import Add
from turnwise.core.state.effects import CallModel
from turnwise.core.state.events import ModelFailed, ModelReplied, Moved, WorkDone
from turnwise.core.state.kinds import BY_CLOCK
from turnwise.core.turn import Phase, StepBuilder


def open_scope(step: StepBuilder, opening: Opening) -> Fault | None:
    """Open a scope and enter its first node; return the failure if that is not possible (then nothing has changed),
    else `None`.
    """
    why = scopes.why_not_opened(step.machine, step.state, opening.scope)
    if why is not None:
        message, is_limit = scopes.obstacle_text(why, opening.scope, step.machine), why == "frames"
        return Fault("limit" if is_limit else "refused", message, subject=why if is_limit else opening.scope)
    mark = step.savepoint()
    if opening.by == "call" and step.doing.calls:  # a tool that opens it has dropped those behind it
        drop_rest(step, f"'{local_name(opening.scope)}' was opened")
    say_closed(step)
    if step.state.offers:
        offers.scope_opened(step, opening.scope, opening.by)
    refused = scopes.push(step, opening) or enter(step)
    if refused is not None:
        step.roll_back_to(mark)
    return refused


def close_scope(step: StepBuilder, outcome: str) -> Phase | Fault:
    """Close the scope in charge; return the phase in which the node around it continues, or the failure of a write.

    Where a model writes the summary, request that first: the scope is closed when it comes. Where the scope has a
    result, the node in charge is left: the failure is that of a write on leaving.
    """
    frame = step.state.frame
    refused = leave(step) if outcome not in scopes.WITHOUT_RESULT else None
    if refused is not None:
        return refused
    if step.state.offers:
        offers.close_inner_offers(step)
    if frame.waiting_calls:
        drop_held(step, f"the scope was closed: {outcome}")
    if step.doing.calls:
        drop_rest(step)
    form = step.node.form
    if form is None or form.questions:  # a form over an empty list asked nothing, so it thanks for nothing
        say_closed(step)
    if is_by_model(step, outcome) and step.may_call_model("summary"):
        return step.ask(CallModel(step.effect_id(), "summary", outcome))
    return _pop(step, outcome, "")


def close_with_summary(step: StepBuilder, outcome: str, event: ModelReplied | ModelFailed) -> Phase | Fault:
    """Close the scope in charge with the summary that a model wrote, or with the template if it wrote none."""
    text = summary_text(step, event.text) if isinstance(event, ModelReplied) else ""
    if isinstance(event, ModelFailed):
        step.warn("summary_failed", event.reason)
    mark = step.savepoint()
    closed = _pop(step, outcome, text)
    if isinstance(closed, Fault):
        step.roll_back_to(mark)
    return closed


def _pop(step: StepBuilder, outcome: str, summary: str) -> Phase | Fault:
    opened = step.state.frame.scope
    assert opened is not None
    inside = step.state
    scope = scopes.pop(step, outcome, summary)
    if scope.target_list and outcome not in scopes.WITHOUT_RESULT:
        _add_item(step, scope, inside)
    assert scope.scope is not None
    if opened.by == "node":
        return Phase.AFTER
    is_by_timer = step.doing.kind in BY_CLOCK
    around = step.state.frame.scope.name if step.state.frame.scope is not None else ROOT
    on_return = scope.scope.on_return
    if on_return == "replace" and scope_of(opened.name) != around:
        on_return = "resume"  # the node of the scope is no node of the frame that it interrupted
    match on_return:
        case "resume":
            return Phase.FINISH if is_by_timer else Phase.WORK
        case "re-enter":
            node = step.state.frame.node
            step.emit(Moved(node, node, "", f"'{opened.name}' was closed"))
            refused = enter(step)
            return refused or (Phase.FINISH if is_by_timer else Phase.WORK)
        case "replace":
            refused = leave(step)
            if refused is not None:
                return refused
            step.emit(Moved(step.state.frame.node, opened.name, "", f"'{opened.name}' was closed"))
            step.emit(WorkDone(opened.name))
            return Phase.AFTER


def _add_item(step: StepBuilder, scope: LinkedScope, inside: State) -> None:
    """Add the record that a scope gives back to its list, as every item is added: bounds and validators may refuse it,
    with a reason. A record without any value is no item.
    """
    found = {one.inside.rpartition(".")[2]: inside.values.get(one.inside) for one in scope.returned}
    item = {name: value.value for name, value in found.items() if value is not None}
    if item:
        form = step.node.form if step.state.frame.form is not None else None
        fields = CommandInterpreter(step, "scope", form)
        from turnwise.core.commands.items import ItemInterpreter

        ItemInterpreter(fields, scope.target_list, step.machine.fields[scope.target_list]).apply(
            Add(field=scope.target_list, item=item)
        )
