"""The kinds of facts that have no sentence for the person in the conversation, each with the reason why."""

from __future__ import annotations

from turnwise.why.kinds import FactKind

_OWN = "the person did it, or was shown it"
_ELSEWHERE = "another fact of the same answer says it"
_INNER = "it is about the rules and names inside the flow"
_MODEL = "how a model is asked is not for the person"
_COMPLETES = "it completes the answer for those who look closer"
_UPKEEP = "it is about how the system runs"
_AUTHORS = "only authors and auditors compare conversations and search ways"

UNSAID: dict[FactKind, str] = {
    **dict.fromkeys(("message_received", "button_pressed", "artefact_made", "text_said"), _OWN),
    "flow_continued": _ELSEWHERE,
    "understood": _ELSEWHERE,
    "root_read": _INNER,
    "value_missing": _ELSEWHERE,
    "language_changed": _OWN,
    "value_replaced": _ELSEWHERE,
    "question_applies": _ELSEWHERE,
    "validator_failed": _ELSEWHERE,
    "form_progress": _ELSEWHERE,
    "form_progressed": _ELSEWHERE,
    "form_closed": _ELSEWHERE,
    "message_read_exactly": _INNER,
    "words_hidden": "it would point to where a secret is",
    "tool_called": "its result or failure says what became of it",
    "call_made_again": _UPKEEP,
    "call_unknown": "there is no such call",
    **dict.fromkeys(("call_queued", "move_put_off", "approval_unclear"), _INNER),
    **dict.fromkeys(("calls_decided", "call_approved"), "the result or the refusal of the call says what became of it"),
    "tool_is_work": _INNER,
    "tools_of_node": _INNER,
    "sequence_advanced": _INNER,
    **dict.fromkeys(("model_called", "rules_sufficed"), _MODEL),
    **dict.fromkeys(("prompt_shown", "prompt_changed", "window_began"), _MODEL),
    **dict.fromkeys(("attempt_failed", "turn_ended", "turn_recovered", "caller_left"), _UPKEEP),
    **dict.fromkeys(("enter_when_skipped", "enter_when_judged", "uses_read", "came_closest", "code_returned"), _INNER),
    **dict.fromkeys(("item_decided", "item_unknown", "no_item_decided"), _INNER),
    "text_gap": _INNER,
    **dict.fromkeys(("counted", "time_passed", "happened_at", "message_not_kept"), _COMPLETES),
    "moves_left_out": "it says only which facts are not listed",
    "not_searched": "it says only where no search was made",
    **dict.fromkeys(("ways_part", "not_taken", "same_moves", "moves_erased", "values_differ"), _AUTHORS),
    **dict.fromkeys(("versions_differ", "flows_differ", "way", "no_way", "usual", "usual_not_counted"), _AUTHORS),
}
