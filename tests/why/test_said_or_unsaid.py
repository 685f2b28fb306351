"""Every kind of fact has a sentence for the person in the conversation, or a reason why it has none."""

from __future__ import annotations

import re
from pathlib import Path

from turnwise.core.language import de, en
from turnwise.why.kinds import WORDS
from turnwise.why.plain import SENTENCES

ROOM = Path("src/turnwise/why/plain")
UNSAID = {
    "the person did it, or was shown it": (
        "message_received button_pressed artefact_made text_said language_changed time_zone_changed"
    ),
    "another fact of the same answer says it": (
        "flow_continued schedule_due understood value_missing value_replaced question_applies validator_failed form_progress"
        " form_progressed form_closed tool_called calls_decided call_approved"
        " item_change_undone"
    ),
    "it is about the rules and names inside the flow": (
        "root_read message_read_exactly call_queued move_put_off judging_planned approval_unclear tool_is_work tools_of_node"
        " sequence_advanced enter_when_skipped enter_when_judged uses_read came_closest code_returned item_decided"
        " item_unknown no_item_decided text_gap questions_read questions_copied options_read"
        " overlay_forced"
    ),
    "it would point to where a secret is": "words_hidden",
    "there is no such call": "call_unknown",
    "how a model is asked is not for the person": (
        "model_called call_settled rules_sufficed prompt_shown prompt_changed window_began words_summarized overlay_in_prompt"
    ),
    "it is about how the system runs": "call_made_again attempt_failed turn_ended turn_recovered caller_left delivery_stands"
    " delivery_none budget_undeclared",
    "it completes the answer for those who look closer": (
        "counted time_passed happened_at message_not_kept moves_left_out not_searched"
    ),
    "only authors and auditors compare conversations and search ways": (
        "ways_part not_taken same_moves moves_erased values_differ versions_differ flows_differ way no_way usual"
        " usual_not_counted"
    ),
}
"""The kinds of facts that have no sentence for the person in the conversation, by the reason."""


def test_every_kind_of_fact_has_a_sentence_or_a_reason_for_none() -> None:
    unsaid = " ".join(UNSAID.values()).split()
    assert sorted([*SENTENCES, *unsaid]) == sorted(WORDS)


def test_every_text_of_a_sentence_is_there_in_both_languages_and_is_used() -> None:
    sources = [*ROOM.glob("*.py"), ROOM.parent / "ask.py", Path("src/turnwise/core/commands/reasons.py")]
    used = set(re.findall(r'"(why_\w+)"|\'(why_\w+)\'', "".join(path.read_text("utf-8") for path in sources)))
    names = {one or other for one, other in used}
    names |= {
        f"{name}{form}" for name in names for form in ("_secret", "_then", "_once") if f"{name}{form}" in en.TEXTS
    }
    assert names == {name for name in en.TEXTS if name.startswith("why_")}
    assert names == {name for name in de.TEXTS if name.startswith("why_")}


def test_both_languages_fill_in_the_same_values() -> None:
    for name in (name for name in en.TEXTS if name.startswith("why_")):
        assert set(re.findall(r"\{\w+\}", en.TEXTS[name])) == set(re.findall(r"\{\w+\}", de.TEXTS[name])), name
