"""The words for facts about fields, forms and questions; `kinds.WORDS` is the whole table, and says how it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.why.kinds import FactKind

FORM_WORDS: dict[FactKind, str] = {
    "value_refused": "the value {given}[, as {by} understood it,] was refused for {field} because {reason}"
    "[; the user was told “{said}”]",
    "validator_failed": "the validator of {field}, {rule}, does not hold[: {reads}]",
    "question_applies": "the `ask_when` of {field}, {rule}, holds[: {reads}]",
    "answer_elsewhere": "the message of turn {turn} came while {field} was asked, and was stored in {others} instead",
    "message_not_interpreted": "the message was not interpreted because {person}",
    "message_not_read": "the message was not read for commands because nothing in {node} takes any",
    "value_suggested": "{value} is suggested for {field} because it is {origin}, and counts when the user agrees",
    "value_undone": "{field} had the value {before} until the undo of turn {turn}",
    "value_lost": "{field} had the value {before} until the conversation went on with another version of its flow",
    "value_copied": "the value of {field} was copied from the conversation {origin}, which was forked at turn {to}",
    "field_computed": "nobody is asked for {field} because it is computed from other fields",
    "field_collected": "no form asks for {field}; it is taken from what the user says in {nodes}",
    "field_written_by": "{field} can be set by {writers}",
    "field_without_form": "no form asks for {field}, and no node takes it from what the user says",
    "question_next": "{field} is asked because it is the first question of {node} without an answer[; {before}]"
    "[; it is {optional}, and no required one is left]",
    "question_kept": "{field} is asked because its question was open already; {next} comes next in the order",
    "question_edited": "{field} is asked again because the user wanted to change this answer",
    "question_walked": "{field} is asked again because the answers are gone through again[; after it comes {after}]",
    "question_repeated": "{field} is asked again because the answer was not understood {misses}[; {then}]",
    "question_was_asked": "the user was asked for {field} in turn {turn}",
    "question_again": "{field} is asked again: {reason}",
    "question_not_put": "the form of {node} has come to {field}, but the user was not asked in turn {turn}",
    "question_later": "{field} is not asked yet because {first} is asked first[: {reason}]",
    "question_not_due": "{field} is not asked now: {reason}",
    "question_answered": "{field} is not asked because it has an answer already",
    "question_never_put": "{field} is never asked: the form of {node} only takes this answer when the user gives it",
    "question_skipped": "{field} is not asked because it is optional and was skipped",
    "question_condition_failed": "{field} is not asked because its `ask_when`, {rule}, does not hold[: {reads}]"
    "[; it would hold with {needs}]",
    "question_none": "no question is open: {node} asks none[; {reason}]",
    "form_none": "the flow has no form",
    "message_read_exactly": "the message was read as an exact answer or a fixed phrase, so nothing else interpreted it",
    "message_none": "turn {turn} has no message of the user[: {began}]",
    "confirmation_due": "the form of {node} asks to confirm because no question is left to ask[; it has {answered}]",
    "confirmation_later": "the form of {node} asks to confirm when no question is left; it still asks for {missing}",
    "chooser_due": "the form of {node} asks which answer to change because the user named none[; it has {answered}]",
    "correction_unclear": "the form of {node} asks which answer to change because {given} fits {answered}",
    "form_progress": "the form of {node} has {done} of {total} required answers, {percent} %[; it lacks {missing}]",
    "form_unconfirmed": "the form of {node} does not ask to confirm because the flow gives it no `confirm`",
    "form_stopped": "the form of {node} stopped because {field} is {value}[, one of its stop values {stops}]",
    "form_cancelled": "the form of {node} asks nothing because the user cancelled it",
    "form_confirmed": "the form of {node} asks nothing more because it is complete[, and was handed over to {to}]",
    "form_handed_over": "the form of {node} asks nothing more because it was handed over[ to {to}]",
    "form_ended": "the form of {node} asks nothing more because the conversation has ended with the outcome {outcome}",
    "form_waits_for_person": "the form of {node} asks nothing while the conversation is {person}",
    "form_not_open": "[{field} is not asked because ]the form of {node} is not open: {reason}",
    "form_not_reached": "[{field} is not asked because ]the form of {node} was not reached: {node} was never entered",
    "form_left": "[{field} is not asked because ]the form of {node} was left[ after {closed}], and {now} is in charge",
}
