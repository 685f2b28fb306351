"""The words for each reason of a refusal; `WORDS` in `why/kinds.py` has the sentences in which these words stand."""

from __future__ import annotations

from typing import get_args

from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state.kinds import CommandRefusal, RefusalCode, TurnKind, ValueRefusal, Wait
from turnwise.flow.model import FieldType

VALUE_REASONS: dict[ValueRefusal, Phrase] = {
    **{kind: phrase("it is no {kind}", kind=kind) for kind in get_args(FieldType)},
    "boolean": Phrase("it is neither yes nor no"),
    "choice": Phrase("it is none of the options"),
    "integer": Phrase("it is no whole number"),
    "string": Phrase("it is no text that can be stored"),
    "email": Phrase("it is no e-mail address"),
    "phone": Phrase("it is no telephone number"),
    "datetime": Phrase("it is no date with a time"),
    "ambiguous": Phrase("it can be read in two ways"),
    "arguments": Phrase("it does not fit the arguments"),
    "blank": Phrase("it is empty"),
    "digits": Phrase("it has too many digits"),
    "fraction": Phrase("it is no whole number"),
    "item": Phrase("it is no item, with its values by name"),
    "items": Phrase("it has more than {bound} items"),
    "length": Phrase("it is longer than {bound} characters"),
    "list_bytes": Phrase("the list has more than {bound} bytes"),
    "max": Phrase("it is more than the maximum {bound}"),
    "min": Phrase("it is less than the minimum {bound}"),
    "no_options": Phrase("the list of its options is empty"),
    "option": Phrase("it is none of the options {bound}"),
    "option_changed": Phrase("the option is no longer what was shown"),
    "option_gone": Phrase("the list of its options no longer has it"),
    "pattern": Phrase("it does not match the pattern {bound}"),
    "placeholder": Phrase("it contains the placeholder for a secret"),
    "repeated": Phrase("its local time comes twice when the clock changes"),
    "skipped": Phrase("its local time is skipped when the clock changes"),
    "unknown_argument": Phrase("there is no such argument"),
    "validate": Phrase("the validator {bound} does not hold"),
    "write": Phrase("it may not be written"),
}
"""Why a value is refused, in words, by the code of the reason; `{bound}` is what it exceeds, or does not fit."""

COMMAND_REASONS: dict[CommandRefusal, Phrase] = {
    **VALUE_REASONS,
    "already_applied": Phrase("the same message changed this field at another node already"),
    "already_known": Phrase("it has another value, which only a correction overwrites"),
    "already_open": Phrase("it is open already"),
    "beside_question": Phrase("the message asks something beside the yes"),
    "cannot_open": Phrase("it cannot be opened now"),
    "contradicted": Phrase("something else in the message takes the yes back, or changes what it was for"),
    "doubtful": Phrase("the message rather says something else than the answer"),
    "derived": Phrase("it is computed from other fields, so nothing else may set it"),
    "form_cancelled": Phrase("the form was cancelled"),
    "form_closed": Phrase("its form was confirmed and left"),
    "handed_over": Phrase("the conversation is with a person already"),
    "misquoted": Phrase("the words that the model quoted do not stand in the message"),
    "no_field": Phrase("it names no field, and not exactly one fits"),
    "no_item": Phrase("the list has no such item"),
    "no_list": Phrase("the field is no list"),
    "no_person": Phrase("no person takes over in this flow"),
    "no_position": Phrase("the list has no such position"),
    "no_plain_yes": Phrase("the words that the model quoted are no plain yes"),
    "no_value": Phrase("it only stands for a missing value, and the message does not say it"),
    "not_asked_here": Phrase("the `ask_when` of its question does not hold"),
    "not_exposed": Phrase("a message may not do this here"),
    "not_named": Phrase("another question was open, and the message neither names the value nor speaks of the field"),
    "nothing_to_affirm": Phrase("nothing is asked that a yes could answer"),
    "nothing_before": Phrase("no question comes before the open one"),
    "nothing_to_cancel": Phrase("there is nothing to cancel"),
    "nothing_to_clear": Phrase("it has no value"),
    "nothing_to_confirm": Phrase("nothing is asked that could be confirmed"),
    "nothing_to_deny": Phrase("nothing is asked that a no could answer"),
    "nothing_to_edit": Phrase("there is no answer of that name to change here"),
    "nothing_to_skip": Phrase("no question is open"),
    "nothing_to_start": Phrase("there is nothing to start"),
    "required": Phrase("its question is required"),
    "several_items": Phrase("several items of the list fit what was said"),
    "secret_not_asked": Phrase("it is secret, and was neither asked for nor named"),
    "unknown_field": Phrase("there is no such field"),
    "unsupported": Phrase("nothing in the message speaks of the value"),
}
"""Why a command is refused, in words, by the code of the reason."""


_OF_LENGTH = {
    "string": {"min": Phrase("it is shorter than {bound} characters")},
    "list": {"min": Phrase("it has fewer than {bound} items"), "max": Phrase("it has more than {bound} items")},
}
_WITHOUT_BOUND: dict[str, Phrase] = {
    "items": Phrase("it has too many items"),
    "length": Phrase("it is too long"),
    "list_bytes": Phrase("the list has too many bytes"),
    "max": Phrase("it is more than the maximum"),
    "min": Phrase("it is less than the minimum"),
    "option": Phrase("it is none of the options"),
    "pattern": Phrase("it does not match the pattern"),
    "validate": Phrase("a validator does not hold"),
}


def reason_in_words(reason: CommandRefusal, bound: object = None, kind: str = "") -> str:
    """Return the reason of a refusal in words; `bound` is the limit that was broken, `kind` the type of the field."""
    if bound in (None, "") and reason in _WITHOUT_BOUND:
        return _WITHOUT_BOUND[reason]
    measured = "string" if kind in ("email", "phone", "choice") else kind
    return _OF_LENGTH.get(measured, {}).get(reason, COMMAND_REASONS[reason]).with_values(bound=str(bound))


assert set(COMMAND_REASONS) == set(get_args(CommandRefusal))

EVENT_WORDS: dict[TurnKind, Phrase] = {
    "started": Phrase("a start"),
    "said": Phrase("a message"),
    "chose": Phrase("the press of the button"),
    "commands": Phrase("a list of commands"),
    "tool": Phrase("the use of the tool"),
    "timer": Phrase("the timer"),
    "schedule": Phrase("the schedule"),
    "event": Phrase("the event"),
    "continued": Phrase("the next turn of the run"),
    "approval": Phrase("a decision about calls that wait"),
    "undo": Phrase("an undo"),
    "taken_over": Phrase("taking over"),
    "operator": Phrase("a message to the user"),
    "given_back": Phrase("giving back"),
}
"""What would have begun a turn, in words, by the kind of turn."""
NAMED_EVENTS: dict[TurnKind, Phrase] = {
    **EVENT_WORDS,
    "undo": Phrase("an undo to turn"),
    "given_back": Phrase("giving back with"),
}
"""The events of `EVENT_WORDS`, worded to stand before the name that the event had."""

WAITS: dict[Wait, Phrase] = {
    "user": Phrase("a user"),
    "message": Phrase("a message"),
    "button": Phrase("a button"),
    "approval": Phrase("an approval"),
    "person": Phrase("a person"),
    "continuation": Phrase("a continuation"),
    "understanding": Phrase("an understanding"),
    "model": Phrase("a model"),
    "tool": Phrase("a tool"),
    "journal": Phrase("a journal"),
}
"""What a conversation waits for, in words, by the code in its status."""

EVENT_REASONS: dict[RefusalCode, Phrase] = {
    "busy": Phrase("another event was being processed"),
    "conversation_ended": Phrase("the conversation had ended"),
    "message_empty": Phrase("it had no text"),
    "message_too_long": Phrase("it was longer than the limit of {limit} characters"),
    "stale": Phrase("the user had sent something else since, or another question was asked"),
    "unknown_button": Phrase("no such button was offered"),
}
"""Why an event was refused, in words, by the code of the refusal. Codes are left out whose refusal has a text that an
answer can repeat; those that are here have one that is written to the user, in the language of the flow."""
