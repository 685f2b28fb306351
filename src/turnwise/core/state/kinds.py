"""The closed lists of kinds, codes and reasons that states and events use.

Scenarios, documents and diagnostics read their lists from here, so no second list can differ.
"""

from __future__ import annotations

from typing import Final, Literal

from turnwise.core.state.commands import CommandName
from turnwise.flow.model import FieldType

ERASED: Final = "[erased]"
"""What stands in the place of the words and values inside a scope, when they have been erased."""

TurnKind = Literal[
    "started",
    "said",
    "chose",
    "commands",
    "tool",
    "timer",
    "schedule",
    "event",
    "continued",
    "approval",
    "undo",
    "taken_over",
    "operator",
    "given_back",
]
"""What began a turn."""
BY_USER: frozenset[TurnKind] = frozenset(("said", "chose", "commands"))
"""The kinds of turns of the user: by a message, a button, or the program in the place of the user."""
BY_CLOCK: frozenset[TurnKind] = frozenset(("timer", "schedule"))
"""The kinds of turns that begin since a time has come."""

FaultKind = Literal["model", "tool", "write", "limit", "guard", "refused", "text"]
"""What can fail (law 3.9)."""

FailureReason = Literal[FaultKind, "stuck"]
"""Why a turn failed; `stuck`: no transition leads out of a node that waits for nothing."""

OutcomeKind = Literal[CommandName, "cleared", "refused", "missed", "courtesy", "other"]
"""What a command did: it set or cleared a field, was refused, or was applied (then its own name)."""

AppliedCommand = Literal[CommandName, "courtesy", "other"]
"""A command that was applied, a courtesy that was answered, or the wish to answer in free text."""

ArtefactKind = Literal["PROBLEM_STATEMENT", "DRAFT_PLAN", "HANDOFF"]
"""What forms make for the host: a problem statement, the answers so far, a handover."""

Level = Literal["node", "flow", "enter"]
"""Where a transition was declared: at its node, for the whole flow, or as the `enter_when` of its target."""

Letter = Literal["t", "f", "u", "o", "n", "b", "r", "x", "e", "m", "-"]
"""What a decision says of one candidate; `core.decision.judge` names them."""

Wait = Literal[
    "user", "message", "button", "approval", "person", "continuation", "understanding", "model", "tool", "journal"
]
"""What a conversation waits for: the user, the approval of an operator, a person (to come, or to give back), the next
turn of an autonomous flow, or the result of an effect.
"""

ReplyKind = Literal[
    "say",
    "entry",
    "block",
    "reply",
    "cut",
    "fallback",
    "failed",
    "refused",
    "consent",
    "budget",
    "question",
    "chooser",
    "summary",
    "done",
    "stop",
    "cancelled",
    "help",
    "why",
    "wait",
    "hand_over",
    "person",
    "undo",
    "undone",
    "stale_button",
    "unseen_question",
    "reminder",
    "notice",
    "offer",
]
"""Why the machine said something; `cut` is the beginning of a reply whose model failed."""

ReplyFault = Literal[
    "blank", "call_as_text", "content_filter", "empty", "error", "length", "note_as_text", "only_thoughts"
]
"""Why a reply of a model is none: it is white space, a filter cut it, it ended for lack of tokens, and so on."""

WarningCode = Literal[
    "calls_not_run",
    "characters_replaced",
    "guard_error",
    "late",
    "offer_not_made",
    "options_left_out",
    "request_shortened",
    "reply_failed",
    "reply_replaced",
    "result_not_stored",
    "scope_not_opened",
    "silent_turn",
    "stale_button",
    "summary_failed",
    "text_gap",
    "transition_cascade_limit",
    "understanding_failed",
    "unknown_language",
    "unknown_time_zone",
    "wording_failed",
]
"""What the people who run the flow are warned of."""

RefusalCode = Literal[
    "approver",
    "arguments",
    "busy",
    "conversation_ended",
    "event_too_long",
    "events_waiting",
    "flow_unavailable",
    "key_reused",
    "message_empty",
    "message_too_long",
    "not_awaited",
    "not_due",
    "not_going_on",
    "no_person",
    "not_json",
    "other_flow",
    "result_too_long",
    "stale",
    "store_unavailable",
    "taken_over",
    "unknown_button",
    "unknown_call",
    "unknown_conversation",
    "unknown_event",
    "unknown_field",
    "unknown_schedule",
    "unknown_time_zone",
    "unknown_timer",
    "unknown_tool",
    "unknown_transition",
    "unknown_turn",
    "value_refused",
]
"""Why an event from outside was refused."""

CallRefusal = Literal[
    "already_open",
    "arguments",
    "cannot_open",
    "declined",
    "dropped",
    "expired",
    "fork",
    "not_allowed",
    "not_json",
    "not_open",
    "out_of_sequence",
    "replaced",
    "unknown_tool",
    "waiting",
]
"""Why a call of a tool was not run."""

ValueRefusal = Literal[
    FieldType,
    "ambiguous",
    "arguments",
    "blank",
    "digits",
    "fraction",
    "item",
    "items",
    "length",
    "list_bytes",
    "max",
    "min",
    "no_options",
    "option",
    "option_changed",
    "option_gone",
    "pattern",
    "placeholder",
    "repeated",
    "skipped",
    "unknown_argument",
    "validate",
    "write",
]
"""Why a value was refused; the name of a type: it is no value of that type."""

CommandRefusal = Literal[
    ValueRefusal,
    "already_applied",
    "already_known",
    "already_open",
    "beside_question",
    "cannot_open",
    "contradicted",
    "derived",
    "doubtful",
    "form_cancelled",
    "form_closed",
    "handed_over",
    "misquoted",
    "no_field",
    "no_item",
    "no_list",
    "no_person",
    "no_plain_yes",
    "no_position",
    "no_value",
    "not_asked_here",
    "not_exposed",
    "not_named",
    "nothing_before",
    "nothing_to_affirm",
    "nothing_to_cancel",
    "nothing_to_clear",
    "nothing_to_confirm",
    "nothing_to_deny",
    "nothing_to_edit",
    "nothing_to_skip",
    "nothing_to_start",
    "required",
    "secret_not_asked",
    "several_items",
    "unknown_field",
    "unsupported",
]
"""Why a command was refused: the reason of its value, or one of its own."""
