"""The words for each reason of a refusal; `kinds.WORDS` has the sentences that they stand in."""

from __future__ import annotations

from typing import get_args

from turnwise.core.state.kinds import CommandRefusal, RefusalCode, TurnKind, ValueRefusal
from turnwise.flow.model import FieldType

VALUE_REASONS: dict[ValueRefusal, str] = {
    **{kind: f"it is no {kind}" for kind in get_args(FieldType)},
    "boolean": "it is neither yes nor no",
    "choice": "it is none of the options",
    "integer": "it is no whole number",
    "string": "it is no text that can be stored",
    "email": "it is no e-mail address",
    "phone": "it is no telephone number",
    "datetime": "it is no date with a time",
    "ambiguous": "it can be read in two ways",
    "arguments": "it does not fit the arguments",
    "blank": "it is empty",
    "digits": "it has too many digits",
    "fraction": "it is no whole number",
    "item": "it is no item, with its values by name",
    "items": "it has more than {bound} items",
    "length": "it is longer than {bound} characters",
    "list_bytes": "the list has more than {bound} bytes",
    "max": "it is more than the maximum {bound}",
    "min": "it is less than the minimum {bound}",
    "no_options": "the list of its options is empty",
    "option": "it is none of the options {bound}",
    "option_changed": "the option is no longer what was shown",
    "option_gone": "the list of its options no longer has it",
    "pattern": "it does not match the pattern {bound}",
    "placeholder": "it contains the placeholder for a secret",
    "repeated": "its local time comes twice when the clock changes",
    "skipped": "its local time is skipped when the clock changes",
    "unknown_argument": "there is no such argument",
    "validate": "the validator {bound} does not hold",
    "write": "it may not be written",
}
"""Why a value is refused; `{bound}` is what it exceeds, or does not fit."""

COMMAND_REASONS: dict[CommandRefusal, str] = {
    **VALUE_REASONS,
    "already_applied": "the same message changed this field at another node already",
    "already_known": "it has another value, which only a correction overwrites",
    "already_open": "it is open already",
    "beside_question": "the message asks something beside the yes",
    "cannot_open": "it cannot be opened now",
    "contradicted": "something else in the message takes the yes back, or changes what it was for",
    "doubtful": "the message rather says something else than the answer",
    "derived": "it is computed from other fields, so nothing else may set it",
    "form_cancelled": "the form was cancelled",
    "form_closed": "its form was confirmed and left",
    "handed_over": "the conversation is with a person already",
    "misquoted": "the words that the model quoted do not stand in the message",
    "no_field": "it names no field, and not exactly one fits",
    "no_item": "the list has no such item",
    "no_list": "the field is no list",
    "no_person": "no person takes over in this flow",
    "no_position": "the list has no such position",
    "no_plain_yes": "the words that the model quoted are no plain yes",
    "no_value": "it only stands for a missing value, and the message does not say it",
    "not_asked_here": "the `ask_when` of its question does not hold",
    "not_exposed": "a message may not do this here",
    "not_named": "another question was open, and the message neither names the value nor speaks of the field",
    "nothing_to_affirm": "nothing is asked that a yes could answer",
    "nothing_before": "no question comes before the open one",
    "nothing_to_cancel": "there is nothing to cancel",
    "nothing_to_clear": "it has no value",
    "nothing_to_confirm": "nothing is asked that could be confirmed",
    "nothing_to_deny": "nothing is asked that a no could answer",
    "nothing_to_edit": "there is no answer of that name to change here",
    "nothing_to_skip": "no question is open",
    "nothing_to_start": "there is nothing to start",
    "required": "its question is required",
    "several_items": "several items of the list fit what was said",
    "secret_not_asked": "it is secret, and was neither asked for nor named",
    "unknown_field": "there is no such field",
    "unsupported": "nothing in the message speaks of the value",
}
"""Why a command is refused."""


_OF_LENGTH = {
    "string": {"min": "it is shorter than {bound} characters"},
    "list": {"min": "it has fewer than {bound} items", "max": "it has more than {bound} items"},
}
_WITHOUT_BOUND: dict[str, str] = {
    "items": "it has too many items",
    "length": "it is too long",
    "list_bytes": "the list has too many bytes",
    "max": "it is more than the maximum",
    "min": "it is less than the minimum",
    "option": "it is none of the options",
    "pattern": "it does not match the pattern",
    "validate": "a validator does not hold",
}


def reason_in_words(reason: CommandRefusal, bound: object = None, kind: str = "") -> str:
    """Return a reason in words; without a known bound, the words that need none. `kind` is the type of the field."""
    if bound in (None, "") and reason in _WITHOUT_BOUND:
        return _WITHOUT_BOUND[reason]
    measured = "string" if kind in ("email", "phone", "choice") else kind
    return _OF_LENGTH.get(measured, {}).get(reason, COMMAND_REASONS[reason]).replace("{bound}", str(bound))


assert set(COMMAND_REASONS) == set(get_args(CommandRefusal))

EVENTS: dict[TurnKind, str] = {
    "started": "a start",
    "said": "a message",
    "chose": "the press of the button",
    "commands": "a list of commands",
    "tool": "the use of the tool",
    "timer": "the timer",
    "schedule": "the schedule",
    "event": "the event",
    "continued": "the next turn of the run",
    "approval": "a decision about calls that wait",
    "undo": "an undo to turn",
    "taken_over": "taking over",
    "operator": "a message to the user",
    "given_back": "giving back with",
}
"""What would have begun a turn; the name that it had follows."""

EVENT_REASONS: dict[RefusalCode, str] = {
    "busy": "another event was being processed",
    "conversation_ended": "the conversation had ended",
    "message_empty": "it had no text",
    "message_too_long": "it was longer than the limit of {limit} characters",
    "stale": "the user had sent something else since, or another question was asked",
    "unknown_button": "no such button was offered",
}
"""Why an event is refused of which the user gets a text in the flow's language; other texts say it themselves."""
