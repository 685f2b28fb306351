"""Asks the user about a waiting offer at the end of a turn in which nothing else is open (law 6.5)."""

from __future__ import annotations

from typing import Literal

from turnwise.core.decision.moves import input_of
from turnwise.core.forms import buttons
from turnwise.core.machine import Machine
from turnwise.core.offers import propose
from turnwise.core.offers.answers import is_unclear
from turnwise.core.proposals import LinkedOffer
from turnwise.core.scopes import Opening, lacking_input, why_not_opened
from turnwise.core.state import Ended, Failed, Fault, Proposal, State
from turnwise.core.state.effects import CallModel
from turnwise.core.state.events import OfferClosed, Said
from turnwise.core.state.frames import OPEN_FORM
from turnwise.core.state.kinds import BY_USER
from turnwise.core.state.proposals import BY_NODE, open_offer
from turnwise.core.turn import Phase, StepBuilder, TextRefused

MOST_TIMES_ASKED = 2
"""How often an offer is asked: once more after an answer that is neither yes nor no."""

Hindrance = Literal["scope", "person", "call", "offer", "form", "work", "cannot_open"]
"""Why an offer waits: another scope is open, a person takes part, a call waits for approval, another offer is open, a
form asks or confirms, the node has not done its work yet, or the scope cannot be opened at this moment.
"""


def why_not_proposed(machine: Machine, state: State, scope: str, frame: int) -> Hindrance | None:
    """Return why a scope cannot be proposed to the user now in the frame with the id `frame`; `None` if it can be
    proposed.
    """
    now = state.frame
    if frame != now.id:
        return "scope"
    if now.person is not None:
        return "person"
    if now.waiting_calls:
        return "call"
    if any(one.status == "open" for one in state.offers):
        return "offer"
    if now.form is not None and now.form.status in OPEN_FORM:
        return "form"
    if machine.nodes[now.node].work != "none" and not now.is_work_done:
        return "work"
    return "cannot_open" if why_not_opened(machine, state, scope) is not None else None


def next_offer(state: State) -> Proposal | None:
    """Return the offer that is asked next in the frame in charge: the first that waits; `None` if none does."""
    return next((one for one in state.offers if one.status == "waiting" and one.frame == state.frame.id), None)


def is_next(machine: Machine, state: State) -> bool:
    """Return whether an offer is asked after the model's current reply, so that the reply must not ask anything."""
    asked, own, waiting = open_offer(state), machine.nodes[state.frame.node].offer, next_offer(state)
    if asked is not None:
        return asked.asked < MOST_TIMES_ASKED and state.current.kind in BY_USER and is_unclear(machine, state, asked)
    if waiting is not None:
        scope = waiting.scope
    elif own is not None and not state.frame.has_offered:
        scope = own.scope
    else:
        return False
    return why_not_proposed(machine, state, scope, state.frame.id) in (None, "work")


def end_turn(step: StepBuilder) -> Phase | None:
    """Settle the offers at the end of a turn, and ask the next one if possible; return a phase if the turn goes on.
    It goes on where a model words the offer first; otherwise return `None`.
    """
    if type(step.state.status) is Ended or step.doing.kind == "undo":
        return None
    _drop(step)
    if type(step.state.status) is Failed:  # the next message tries again, and may answer what is open
        return None
    again = _settle(step)
    if again is not None:
        say(step, again, again.opener)
        return None
    own = step.node.offer
    if own is not None and not step.state.frame.has_offered and step.state.frame.visit:
        _propose_own(step, own)
    waiting = next_offer(step.state)
    if step.continues or waiting is None:
        return None
    if why_not_proposed(step.machine, step.state, waiting.scope, waiting.frame) is not None:
        return None
    may_word = step.node.prompt is not None and step.doing.model_calls < step.machine.flow.limits.model_calls
    if waiting.is_worded and may_word:
        return step.ask(CallModel(step.effect_id(), "offer", waiting.opener))
    say(step, waiting, waiting.opener)
    return None


def ask_in_words(step: StepBuilder, text: str) -> Phase:
    """Ask the next offer with the model's wording; with the author's opener if the model failed."""
    waiting = next_offer(step.state)
    assert waiting is not None, "a model words what is asked next"
    say(step, waiting, text.strip() or waiting.opener)
    return Phase.FINISH


def say(step: StepBuilder, offer: Proposal, text: str) -> None:
    """Send an offer to the user: it becomes the open question, with buttons for yes and no."""
    step.emit(Said(text, "offer", buttons.suggestion_buttons(step.machine.language), "offer", offer.scope))


def ask_again(step: StepBuilder) -> bool:
    """Ask the open offer again; return whether there was one."""
    offer = open_offer(step.state)
    if offer is not None:
        say(step, offer, offer.opener)
    return offer is not None


def _drop(step: StepBuilder) -> None:
    """Close the offers whose node was left, and one that is no longer the open question."""
    frame, asked = step.state.frame, open_offer(step.state)
    for one in step.state.offers:
        if one.frame != frame.id or one.status == "passed" or one is asked:
            continue
        was_left = bool(one.node) and (one.node, one.visit) != (frame.node, frame.visit)
        if one.status == "open":
            step.emit(OfferClosed(one.scope, "lapsed", "left" if frame.entered_turn == step.number else "question"))
        elif was_left:
            step.emit(OfferClosed(one.scope, "lapsed", "left"))


def _settle(step: StepBuilder) -> Proposal | None:
    """Close the open offer if this turn of the user did not answer it; return it if it is asked again."""
    frame, asked = step.state.frame, open_offer(step.state)
    question = frame.question
    if asked is None or question is None or step.doing.kind not in BY_USER or question.last > step.doing.seq:
        return None
    if frame.person is None and asked.asked < MOST_TIMES_ASKED and is_unclear(step.machine, step.state, asked):
        return asked
    step.emit(OfferClosed(asked.scope, "lapsed", "other_turn"))
    return None


def _propose_own(step: StepBuilder, own: LinkedOffer) -> None:
    """Propose the scope that the node in charge offers. Where its opener or its input lacks a value, that is tried
    again at the end of each turn, and reported once.
    """
    refused = _proposed(step, own)
    if refused is not None and step.state.frame.entered_turn == step.number:
        step.warn("offer_not_made", refused.message)


def _proposed(step: StepBuilder, own: LinkedOffer) -> Fault | None:
    """Propose the scope of an offer; return the failure if that is not possible."""
    given = input_of(step, own.input)
    if isinstance(given, Fault):
        return given
    lacking = lacking_input(step.machine, Opening(own.scope, "offer", given))
    if lacking is not None:
        return lacking
    try:
        opener = step.fill(own.opener) if own.opener is not None else ""
    except TextRefused as refusal:
        return refusal.fault
    return propose(step, own.scope, opener, given, BY_NODE, is_worded=own.is_worded)
