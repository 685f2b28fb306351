"""The words for each reason of a refusal; `kinds.WORDS` has the sentences that they stand in."""

from __future__ import annotations

from typing import get_args

from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state.kinds import CommandRefusal, RefusalCode, TurnKind, ValueRefusal, Wait
from turnwise.flow.model import FieldType

VALUE_REASONS: dict[ValueRefusal, Phrase] = {
    **{kind: phrase("it is no {kind}", kind=kind) for kind in get_args(FieldType)},
    "boolean": phrase("it is neither yes nor no"),
    "choice": phrase("it is none of the options"),
    "integer": phrase("it is no whole number"),
    "string": phrase("it is no text that can be stored"),
    "email": phrase("it is no e-mail address"),
    "phone": phrase("it is no telephone number"),
    "datetime": phrase("it is no date with a time"),
    "ambiguous": phrase("it can be read in two ways"),
    "arguments": phrase("it does not fit the arguments"),
    "blank": phrase("it is empty"),
    "digits": phrase("it has too many digits"),
    "fraction": phrase("it is no whole number"),
    "item": phrase("it is no item, with its values by name"),
    "items": phrase("it has more than {bound} items"),
    "length": phrase("it is longer than {bound} characters"),
    "list_bytes": phrase("the list has more than {bound} bytes"),
    "max": phrase("it is more than the maximum {bound}"),
    "min": phrase("it is less than the minimum {bound}"),
    "no_options": phrase("the list of its options is empty"),
    "option": phrase("it is none of the options {bound}"),
    "option_changed": phrase("the option is no longer what was shown"),
    "option_gone": phrase("the list of its options no longer has it"),
    "pattern": phrase("it does not match the pattern {bound}"),
    "placeholder": phrase("it contains the placeholder for a secret"),
    "repeated": phrase("its local time comes twice when the clock changes"),
    "skipped": phrase("its local time is skipped when the clock changes"),
    "unknown_argument": phrase("there is no such argument"),
    "validate": phrase("the validator {bound} does not hold"),
    "write": phrase("it may not be written"),
}
"""Why a value is refused; `{bound}` is what it exceeds, or does not fit."""

COMMAND_REASONS: dict[CommandRefusal, Phrase] = {
    **VALUE_REASONS,
    "already_applied": phrase("the same message changed this field at another node already"),
    "already_known": phrase("it has another value, which only a correction overwrites"),
    "already_open": phrase("it is open already"),
    "beside_question": phrase("the message asks something beside the yes"),
    "cannot_open": phrase("it cannot be opened now"),
    "contradicted": phrase("something else in the message takes the yes back, or changes what it was for"),
    "doubtful": phrase("the message rather says something else than the answer"),
    "derived": phrase("it is computed from other fields, so nothing else may set it"),
    "form_cancelled": phrase("the form was cancelled"),
    "form_closed": phrase("its form was confirmed and left"),
    "handed_over": phrase("the conversation is with a person already"),
    "misquoted": phrase("the words that the model quoted do not stand in the message"),
    "no_field": phrase("it names no field, and not exactly one fits"),
    "no_item": phrase("the list has no such item"),
    "no_list": phrase("the field is no list"),
    "no_person": phrase("no person takes over in this flow"),
    "no_position": phrase("the list has no such position"),
    "no_plain_yes": phrase("the words that the model quoted are no plain yes"),
    "no_value": phrase("it only stands for a missing value, and the message does not say it"),
    "not_asked_here": phrase("the `ask_when` of its question does not hold"),
    "not_exposed": phrase("a message may not do this here"),
    "not_named": phrase("another question was open, and the message neither names the value nor speaks of the field"),
    "nothing_to_affirm": phrase("nothing is asked that a yes could answer"),
    "nothing_before": phrase("no question comes before the open one"),
    "nothing_to_cancel": phrase("there is nothing to cancel"),
    "nothing_to_clear": phrase("it has no value"),
    "nothing_to_confirm": phrase("nothing is asked that could be confirmed"),
    "nothing_to_deny": phrase("nothing is asked that a no could answer"),
    "nothing_to_edit": phrase("there is no answer of that name to change here"),
    "nothing_to_skip": phrase("no question is open"),
    "nothing_to_start": phrase("there is nothing to start"),
    "required": phrase("its question is required"),
    "several_items": phrase("several items of the list fit what was said"),
    "secret_not_asked": phrase("it is secret, and was neither asked for nor named"),
    "unknown_field": phrase("there is no such field"),
    "unsupported": phrase("nothing in the message speaks of the value"),
}
"""Why a command is refused."""


_OF_LENGTH = {
    "string": {"min": phrase("it is shorter than {bound} characters")},
    "list": {"min": phrase("it has fewer than {bound} items"), "max": phrase("it has more than {bound} items")},
}
_WITHOUT_BOUND: dict[str, Phrase] = {
    "items": phrase("it has too many items"),
    "length": phrase("it is too long"),
    "list_bytes": phrase("the list has too many bytes"),
    "max": phrase("it is more than the maximum"),
    "min": phrase("it is less than the minimum"),
    "option": phrase("it is none of the options"),
    "pattern": phrase("it does not match the pattern"),
    "validate": phrase("a validator does not hold"),
}


def reason_in_words(reason: CommandRefusal, bound: object = None, kind: str = "") -> str:
    """Return a reason in words; without a known bound, the words that need none. `kind` is the type of the field."""
    if bound in (None, "") and reason in _WITHOUT_BOUND:
        return _WITHOUT_BOUND[reason]
    measured = "string" if kind in ("email", "phone", "choice") else kind
    return _OF_LENGTH.get(measured, {}).get(reason, COMMAND_REASONS[reason]).with_values(bound=str(bound))


assert set(COMMAND_REASONS) == set(get_args(CommandRefusal))

EVENTS: dict[TurnKind, Phrase] = {
    "started": phrase("a start"),
    "said": phrase("a message"),
    "chose": phrase("the press of the button"),
    "commands": phrase("a list of commands"),
    "tool": phrase("the use of the tool"),
    "timer": phrase("the timer"),
    "schedule": phrase("the schedule"),
    "event": phrase("the event"),
    "continued": phrase("the next turn of the run"),
    "approval": phrase("a decision about calls that wait"),
    "undo": phrase("an undo"),
    "taken_over": phrase("taking over"),
    "operator": phrase("a message to the user"),
    "given_back": phrase("giving back"),
}
"""What would have begun a turn."""
NAMED_EVENTS: dict[TurnKind, Phrase] = {
    **EVENTS,
    "undo": phrase("an undo to turn"),
    "given_back": phrase("giving back with"),
}
"""The same before the name that it had."""

WAITS: dict[Wait, Phrase] = {
    "user": phrase("a user"),
    "message": phrase("a message"),
    "button": phrase("a button"),
    "approval": phrase("an approval"),
    "person": phrase("a person"),
    "continuation": phrase("a continuation"),
    "understanding": phrase("an understanding"),
    "model": phrase("a model"),
    "tool": phrase("a tool"),
    "journal": phrase("a journal"),
}
"""What a conversation waits for."""

EVENT_REASONS: dict[RefusalCode, Phrase] = {
    "busy": phrase("another event was being processed"),
    "conversation_ended": phrase("the conversation had ended"),
    "message_empty": phrase("it had no text"),
    "message_too_long": phrase("it was longer than the limit of {limit} characters"),
    "stale": phrase("the user had sent something else since, or another question was asked"),
    "unknown_button": phrase("no such button was offered"),
}
"""Why an event is refused of which the user gets a text in the flow's language; other texts say it themselves."""
