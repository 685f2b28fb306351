"""Reads why a reply ended: whether it is whole, and if not, why (law 2.1)."""

from __future__ import annotations

from turnwise.core.state.kinds import ReplyFault

_WHOLE = frozenset(
    (
        *("stop", "end_turn", "stop_sequence", "eos", "eos_token", "end", "endoftext", "end_of_text", "end_of_turn"),
        *("complete", "completed", "finish", "finished", "finished_successfully"),
    )
)
_CALLS = frozenset(("tool_calls", "tool_call", "tool_use", "function_call", "function_calls"))
"""The reasons that mean a whole reply only where a call came."""
_CUT: dict[str, ReplyFault] = {
    **dict.fromkeys(
        (
            *("length", "max_tokens", "max_output_tokens", "max_completion_tokens", "model_length", "token_limit"),
            *("model_context_window_exceeded", "max_length", "limit", "continuation"),
        ),
        "length",
    ),
    **dict.fromkeys(
        (
            *("content_filter", "content_filtered", "guardrail_intervened", "guardrail", "refusal", "safety"),
            *("recitation", "blocklist", "prohibited_content", "spii", "image_safety", "sensitive", "model_armor"),
            *("error_toxic", "image_prohibited_content"),
        ),
        "content_filter",
    ),
}
"""The reasons that mean a reply which was cut off, as providers name them. Every reason that is in no list is an
error.
"""


def fault_of_finish(finish: str, *, has_calls: bool) -> ReplyFault | None:
    """Return the fault of a reply that ended for the reason `finish`; `None` if the reply is whole. A model of a
    program may give no reason. `has_calls`: the reply calls tools.
    """
    reason = _folded(finish)
    if not reason or reason in _WHOLE or (reason in _CALLS and has_calls):
        return None
    return _CUT.get(reason, "error")


def claims_calls(finish: str) -> bool:
    """Return whether a finish reason says that the reply ended to call tools."""
    return _folded(finish) in _CALLS


def words_of_error(finish: str) -> str:
    """Return what ended a reply with an error, in words that continue a sentence with the model as its subject."""
    reason = _folded(finish)
    if claims_calls(finish):
        return f"ended its reply with {finish.strip()!r}, but made no call"
    return "ended its reply with an error" + (f": {finish.strip()!r}" if reason != "error" else "")


def _folded(finish: str) -> str:
    """Return a reason without the differences between providers: `FinishReason.STOP`, `FINISH_REASON_STOP`."""
    reason = finish.strip().rpartition(".")[2].casefold().replace("-", "_").replace(" ", "_")
    return reason.removeprefix("finish_reason_").removeprefix("finishreason_")
