"""Handles a message (law 3.4): exact rules first, else one request for understanding."""

from __future__ import annotations

from turnwise.core.commands.exposure import command_phrase, exposed, listens
from turnwise.core.commands.interpreter import Hearing
from turnwise.core.forms.direct import needs_model
from turnwise.core.forms.message import hear_form, take
from turnwise.core.state import How
from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.effects import Understand
from turnwise.core.state.events import CommandApplied
from turnwise.core.step.undo import undo
from turnwise.core.step.work import answer_commands
from turnwise.core.tools import consent
from turnwise.core.turn import Phase, Turn


def hear(turn: Turn) -> Phase:
    """Read the turn's message for the node in charge, where there is one and it is not used up."""
    doing = turn.doing
    if doing.is_used_up or doing.kind not in ("said", "chose") or (doing.button is not None and doing.entered):
        return Phase.BEFORE  # a button belongs to the node that offered it
    if doing.understood_for:
        return _hear_again(turn)
    answer = consent.heard(turn) if turn.state.held is not None else ""
    if answer:
        turn.emit(CommandApplied(answer))
        return Phase.BEFORE
    return _hear_first(turn)


def _hear_first(turn: Turn) -> Phase:
    """A form hears in its own way; elsewhere a phrase may be a command, and the rest is understood."""
    doing, form = turn.doing, turn.node.form
    if form is not None and turn.state.frame.form is not None:
        return after_hearing(turn, hear_form(turn, form))
    if doing.message is None or not listens(turn.machine, turn.state):
        return Phase.BEFORE
    command = command_phrase(turn.machine, turn.state, doing.message)
    if command is not None:
        return apply(turn, (command,), "direct")
    return turn.ask(Understand(turn.effect_id()))


def _hear_again(turn: Turn) -> Phase:
    """Law 2.7: what was understood elsewhere may be understood again, for this node's own fields only."""
    form = turn.node.form
    if form is not None and turn.state.frame.form is not None and not needs_model(turn.state, form):
        return Phase.BEFORE
    fields = exposed(turn.machine, turn.state).fields
    return turn.ask(Understand(turn.effect_id())) if fields and turn.doing.message else Phase.BEFORE


def apply(turn: Turn, commands: tuple[AnyCommand, ...], how: How) -> Phase:
    """Apply commands at the node in charge, whoever proposed them."""
    form = turn.node.form
    if form is not None and turn.state.frame.form is not None:
        return after_hearing(turn, take(turn, form, commands, how))
    Hearing(turn, how).apply_all(commands)
    if turn.node.work not in ("prompt", "form"):
        _tell(turn)
    return after_hearing(turn, Phase.BEFORE)


def _tell(turn: Turn) -> None:
    """Where no prompt and no form tells it, say what became of the commands."""
    refusals = (heard.text for heard in turn.doing.heard if heard.kind == "refused" and heard.field)
    for text in dict.fromkeys(refusals):
        turn.say(text, "refused")
    answer_commands(turn)


def after_hearing(turn: Turn, phase: Phase) -> Phase:
    """An undo takes the place of everything else that the turn would do."""
    if any(heard.kind == "undo" for heard in turn.doing.heard):
        return undo(turn, None)
    return phase
