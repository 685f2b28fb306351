"""Reads the answer to an offer, before the node in charge reads the message (laws 5.5, 6.5, 7.1a)."""

from __future__ import annotations

from turnwise.core.commands.interpreter import CommandInterpreter
from turnwise.core.decision import fail
from turnwise.core.decision.frames import open_scope
from turnwise.core.forms import buttons
from turnwise.core.language.answers import Echo, begins_with_no, cautions_of, echo_of, has_yes, plain_answer, words_of
from turnwise.core.machine import Machine
from turnwise.core.scopes import Opening
from turnwise.core.state import Proposal, State, ValueOrigin
from turnwise.core.state.commands import Affirm, AnyCommand, Deny
from turnwise.core.state.events import CommandApplied, OfferClosed
from turnwise.core.state.proposals import open_offer
from turnwise.core.turn import Phase, StepBuilder

_ASIDE = frozenset(("help", "repeat", "wait", "why"))
"""Commands beside which an offer stays open."""


def read_message(step: StepBuilder) -> Phase | None:
    """Open the offered scope if the message says yes, continue if it says no; return `None` for any other message.
    What follows a no is for the node in charge.
    """
    offer, doing, language = open_offer(step.state), step.doing, step.machine.language
    if offer is None:
        return None
    if doing.button is not None:
        pressed = buttons.button_with(buttons.suggestion_buttons(language), doing.button)
        said = None if pressed is None else pressed.value == buttons.YES
    else:
        said = plain_answer(language, doing.message or "", "offer", _echo(step.machine, offer))
    if said is None:
        if begins_with_no(language, doing.message or "", _echo(step.machine, offer)):
            step.emit(OfferClosed(offer.scope, "declined"))
        return None
    step.emit(CommandApplied("affirm" if said else "deny"))
    return take(step) if said else _declined(step, offer)


def answered_by(step: StepBuilder, commands: tuple[AnyCommand, ...]) -> bool:
    """Return whether one of the commands answers the open offer."""
    return open_offer(step.state) is not None and any(_is_answer(one) for one in commands)


def apply_answer(step: StepBuilder, commands: tuple[AnyCommand, ...], how: ValueOrigin) -> tuple[AnyCommand, ...]:
    """Apply the yes or no to the open offer that is among commands, and return the other commands; `how` is their
    origin. A yes is only noted: `take` opens the scope when the others are applied.
    """
    offer = open_offer(step.state)
    answers = [one for one in commands if _is_answer(one)]
    if offer is None or not answers:
        return commands
    is_no = any(isinstance(one, Deny) for one in answers)  # a yes beside a no is none
    step.emit(CommandApplied("deny" if is_no else "affirm"))
    if is_no:
        _declined(step, offer)
    others = tuple([one for one in commands if not _is_answer(one)])
    return CommandInterpreter(step, how).without_objections(others)


def _is_answer(command: AnyCommand) -> bool:
    return isinstance(command, Affirm | Deny) and not command.objection


def take(step: StepBuilder) -> Phase:
    """Open the scope of the open offer, with its input; if that is impossible, close the offer as lapsed."""
    offer = open_offer(step.state)
    assert offer is not None, "only an open offer is taken"
    refused = open_scope(step, Opening(offer.scope, "offer", offer.given))
    if refused is None:
        return Phase.UNDERSTAND
    step.emit(OfferClosed(offer.scope, "lapsed", "refused"))
    return fail(step, refused)


def _declined(step: StepBuilder, offer: Proposal) -> Phase:
    step.emit(OfferClosed(offer.scope, "declined"))
    return Phase.BEFORE


def is_unclear(machine: Machine, state: State, offer: Proposal) -> bool:
    """Return whether a message may mean yes, but asks, doubts or limits something, or only asks for help or time.
    Also if it only asks for the question or for the reason.
    """
    kinds = {one.kind for one in state.current.outcomes}
    if kinds and kinds <= _ASIDE:
        return True
    return has_yes(machine.language, state.current.message or "", "offer", _echo(machine, offer))


def _echo(machine: Machine, offer: Proposal) -> Echo:
    """Return what a yes may repeat: the words of the opener, and those of the title."""
    language = machine.language
    words = [*words_of(offer.opener), *words_of(machine.node_title(offer.scope))]
    known = [word for word in words if word not in cautions_of(language)]
    return echo_of(known, (), language)
