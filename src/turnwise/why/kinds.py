"""The closed list of the kinds of facts, and the words for each: the only place where facts become sentences.

In a text `{name}` is a value of the fact; `phrase` says how it is read. `archive/texts/` has the texts in German.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from turnwise.core.phrase import Phrase, phrase
from turnwise.why.call_words import CALL_WORDS, CallFact
from turnwise.why.external_event_words import EXTERNAL_EVENT_WORDS, ExternalEventFact
from turnwise.why.form_words import FORM_WORDS, FormFact
from turnwise.why.overlay_words import OVERLAY_WORDS, OverlayFact
from turnwise.why.schedule_words import SCHEDULE_WORDS, ScheduleFact
from turnwise.why.scope_words import SCOPE_WORDS, ScopeFact

FactKind = Literal[
    # what began a turn
    "conversation_started",
    "message_received",
    "button_pressed",
    "commands_received",
    "flow_continued",
    "undo_asked",
    # understanding
    "understood",
    "understood_nothing",
    "understanding_failed",
    "command_applied",
    "command_refused",
    "not_understood",
    "aside_not_answered",
    "words_hidden",
    # fields
    "field_set",
    "field_cleared",
    "items_added",
    "items_removed",
    "item_added",
    "item_changed",
    "item_removed",
    "item_moved",
    "list_holds",
    "item_holds",
    "item_part_empty",
    "item_absent",
    "item_change_undone",
    "nothing_set",
    "nothing_returned",
    "field_shelved",
    "field_revived",
    "language_changed",
    "value_read",
    "value_missing",
    "value_not_computed",
    "root_read",
    # decisions and moves
    "decided",
    "move_planned",
    "node_left",
    "conversation_ended",
    "write_refused",
    "limit_reached",
    "guard_failed",
    "text_refused",
    # forms
    "form_progressed",
    "question_asked",
    "form_closed",
    "artefact_made",
    "text_said",
    # tools and models
    # calls, moves and limits in detail
    "rules_disagree",
    "move_blocked",
    "move_undone",
    "run_went_on",
    "run_stopped",
    "outranked",
    "outranked_else",
    "move_waits",
    "enter_when_skipped",
    "enter_when_judged",
    "item_decided",
    "item_unknown",
    "no_item_decided",
    "uses_read",
    "came_closest",
    "code_returned",
    "code_failed",
    "counted",
    "person_in_charge",
    "person_is_awaited",
    "no_person",
    # people
    "person_awaited",
    "person_took_over",
    "person_said",
    "person_gave_back",
    "give_back_refused",
    "event_refused",
    "nobody_came",
    "person_acted",
    # the conversation as a whole
    "warned",
    "result_not_stored",
    "text_gap",
    "button_stale",
    "turn_undone",
    "undo_refused",
    "turn_failed",
    "turn_ended",
    "turn_recovered",
    "caller_left",
    "forked",
    "began_here",
    "migrated",
    "erased",
    # comparisons and ways forward
    "ways_part",
    "not_taken",
    "same_moves",
    "moves_erased",
    "values_differ",
    "versions_differ",
    "flows_differ",
    "way",
    "no_way",
    "usual",
    "usual_not_counted",
    # how things stand, without an event
    "turn_under_way",
    "moves_left_out",
    "not_searched",
    "message_not_kept",
    "yes_to_nothing",
    "words_not_taken",
    "field_empty",
    "write_not_called",
    "field_inactive",
    "field_default",
    "node_in_charge",
    "node_not_in_charge",
    "node_never_entered",
    "transition_not_judged",
    "transition_was_taken",
    "transition_judged",
    "conversation_waits",
    "conversation_goes_on",
    "conversation_failed",
    # time
    "timer_fired",
    "reminder_said",
    "timer_armed",
    "timer_dropped",
    "timer_late",
    "timer_is_armed",
    "timer_not_armed",
    "time_passed",
    "delivery_stands",
    "delivery_none",
    "happened_at",
    FormFact,
    CallFact,
    ScopeFact,
    OverlayFact,
    ScheduleFact,
    ExternalEventFact,
]
"""The kinds of facts; `value_read` and `value_missing` are what a rule read, and never events of their own."""

WORDS: dict[FactKind, str] = {
    "conversation_started": "the conversation began in {node} with version {version} of the flow {flow}",
    "message_received": "the user said “{said}”",
    "button_pressed": "the user pressed “{said}”",
    "commands_received": "{by} sent commands: {commands}",
    "flow_continued": "the flow went on by itself, without a message",
    "undo_asked": "an undo was asked for[, back to turn {to}]",
    "understood": "understood by {by}[ ({model})]: {commands}",
    "understood_nothing": "nothing in the message was understood[ by {by}][ in {node}]"
    "[; what can be understood there: {open}]",
    "understanding_failed": "understanding failed: {reason}[ ({at})]",
    "command_applied": "the command {command}[ of {scope}][ on {field}] was applied[, which removed {given}]",
    "command_refused": "the command {command}[ of {scope}][ on {field}][ to {given}] was refused because {reason}"
    "[; the reply was “{replied}”]",
    "not_understood": "[{failed}; ]the answer[ about {field}] was not understood, so nothing was stored"
    "[; the whole message “{said}” is no answer because {as_answer}]",
    "aside_not_answered": "the question aside was not answered because {reason}",
    "words_hidden": "words of the message are secret, and are hidden from models",
    "field_set": "{field} was set to {value}, {how}[, as {formula}][, shown as {shown}]"
    "[, from “{part}”][, as {synonym}][ with a confidence of {confidence}][ (was {before})]"
    "[; the message also names {also}, which was not taken]"
    "[; it is {judged}]",
    "field_cleared": "{field} {did}[ {before}], {how}[; {none}]",
    "items_added": "turn {turn} added {before} to {field}",
    "items_removed": "turn {turn} removed {before} from {field}",
    "item_added": "item {number} ({item}) was added to {field}[ as a copy of item {copied}], {how}[, from “{part}”]",
    "item_changed": "{name} of item {number} of {field} {did}, {how}[, from “{part}”][ (was {before})]",
    "item_removed": "item {number} ({item}) was removed from {field}, {how}",
    "item_moved": "item {number} of {field} was moved to position {to}, {how}",
    "list_holds": "{field} has {count}: {value}",
    "item_holds": "{what} of {field} is {value}",
    "item_part_empty": "{name} of item {number} of {field} has no value: {reason}",
    "item_absent": "item {id} is not in {field}: {reason}",
    "item_change_undone": "turn {turn} undid this: {did}",
    "nothing_set": "{missing} not known, so nothing was set in {field}[; {removed}]",
    "nothing_returned": "{tool} returned no value for {field}[ in turn {turn}], which leaves it as it is",
    "field_shelved": "the answer {field}[, {value},] became inactive: it is kept, and counts as missing",
    "field_revived": "the answer {field} counts again",
    "language_changed": "the conversation goes on in {language}",
    "value_read": "{name} was {value}[, {how}][ in turn {since}]",
    "root_read": "{name} was {value}[, by the use of {used} in turn {since}]",
    "value_missing": "{name} had no value[: {failed}]",
    "value_not_computed": "{field} could not be computed: {reason}[, as {reads}]",
    "decided": "{moment}: {line}[ ({rule})][; {unguarded}][; {grounds}][; {erased}]",
    "move_planned": "{transition} was chosen, to be taken with the next message: {node} → {target}",
    "node_left": "{node} → {target}[ by {transition}][: {because}][ ({rule})][; {unguarded}][; {grounds}]"
    "[; {also} held, too][; it handed over: {note}]"
    "[; chosen by {person}][; {planned}][; earlier in this turn: {earlier}]",
    "conversation_ended": "the conversation ended with the outcome {outcome}[ by {transition}]"
    "[, because the transition {entered} led to {node}, which ends it][, because {complete}]"
    "[: {because}][ ({rule})][; {grounds}]"
    "[; {also} held, too][; chosen by {person}]",
    "write_refused": "a write was refused: {reason}[; given {value}][ ({at})]",
    "limit_reached": "the limit {limit} was reached, which allows {bound}[ {counted}]",
    "text_refused": "a text was not said: {reason}[ ({at})]",
    "guard_failed": "a guard failed: {reason}[ ({at})]",
    "form_progressed": "the form of {node} {is} {status}[, and asks for {field}]"
    "[; {unasked} was its next question, and was not asked]"
    "[; {note}]",
    "question_asked": "the user was asked {what}[ {field}]",
    "form_closed": "the form of {node} was closed: {status}",
    "artefact_made": "the artefact {artefact} was made",
    "text_said": "the machine said “{said}” ({reply})",
    "rules_disagree": "the rules and the code disagree in {node}: the rules say {rules}[ by {transition}], and the "
    "function {guard} chose {code}[ after reading {reads}]",
    "move_blocked": "{transition} held, but the move {node} → {target} was not made, because {reason}",
    "move_undone": "{transition} held, but the move {node} → {target} was taken back, because {reason}",
    **SCOPE_WORDS,
    **OVERLAY_WORDS,
    **SCHEDULE_WORDS,
    **EXTERNAL_EVENT_WORDS,
    "person_awaited": "the wait for a person in the queue {queue} began[: {topic}][, until {until} at most]",
    "person_took_over": "{operator} took over[ from {before}][ after a wait of {waited}][: {reason}]",
    "person_said": "{operator} said “{said}”",
    "person_gave_back": "{operator} gave the conversation back[ with the outcome {outcome}][, set {given}]"
    "[, took {transition}][, ended it with {end}][; the reason: {reason}]",
    "give_back_refused": "{operator} wanted to give the conversation back with {given}, was refused at {time}, and "
    "stays in charge",
    "event_refused": "{event}[ “{given}”][ by {operator}] was refused[ at {time}], because {reason}"
    "[; its sender got: {said}]",
    "nobody_came": "no person took over from the queue {queue} in time[ (it waited {waited})], and the machine went on",
    "person_acted": "{line}",
    "button_stale": "the button “{said}” was not accepted, because it belongs to an earlier question",
    "warned": "a warning was recorded ({code}): {reason}",
    "result_not_stored": "{reason}",
    "text_gap": "{reason}",
    "turn_undone": "the state of the end of turn {to} was restored[, which took back {given}]"
    "[; what {kept} did was not reversed]",
    "undo_refused": "the undo changed nothing, because {reason}[; the reply was “{replied}”]",
    "turn_failed": "the turn failed ({reason})[: {said}][; {needs}]",
    "turn_ended": "the turn ended[, and the conversation waits for {waits}]",
    "turn_recovered": "the turn was cut off, and was resumed",
    "caller_left": "the results of turns {turns} were not delivered: their callers had left",
    "forked": "everything before was copied from the conversation {origin}, up to turn {to}[, at {at}][; {effects}]",
    "began_here": "the conversation is no copy: it began at {at}[ in {node} with version {version} of the flow {flow}]"
    "[; {first}]",
    "migrated": "the conversation went on with another version of its flow, {fingerprint}"
    "[ (version {version} instead of {old})][; there {renamed}][; {dropped} not kept]",
    "erased": "turn {turn} was erased by retention[ on {on}, which keeps events for {kept}]",
    "ways_part": "{same}{one} {did}[ in turn {turn}], and {other} {did_other}[ in turn {other_turn}]",
    "not_taken": "{one} did not take {way}: {reason}",
    "same_moves": "{one} and {other} made the same moves: {count}",
    "moves_erased": "the moves of {one} up to turn {until} are not known: {reason}",
    "values_differ": "{field} is {value} in {one}, and {theirs} in {other}[; {decides}]",
    "versions_differ": "they run different versions of the flow: {version} and {other}",
    "flows_differ": "{one} is a conversation of {flow}, and {other} of {other_flow}: two flows have no moves in common",
    "way": "{steps}: leads to {target}[, if {if}][; {failing}]",
    "no_way": "no way to {target} was found: {reason}",
    "usual": "{name} {did} in {share}[, in this one {own}][, never since version {since}]"
    "[, and in {here} of version {version}]"
    "[; retention erased a part of {erased}, of which only the rest is counted]",
    "usual_not_counted": "how usual this is is not counted; it is for nodes, transitions, tools, timers and fields",
    "run_went_on": "the run goes on by itself in {node}, because {reason}",
    "run_stopped": "the run does not go on by itself, because {reason}",
    "outranked": "{by} went before {transition}[, which held, too ({because})], because {reason}",
    "outranked_else": "{transition}, which has no condition, is only taken where {by} does not hold",
    "move_waits": "the move {node} → {target} by {transition} is made with the next message[; turn {since} decided it]",
    "enter_when_skipped": "the enter_when of {target} was not judged again because nothing that it reads changed"
    "[; {then}]",
    "enter_when_judged": "the enter_when of {target} was judged[ because {changed} since it was last judged]",
    "item_decided": "{rule} {holds}, because item {number} of {count}, {value}, {did}",
    "item_unknown": "{rule} {holds}, because its condition is unknown for item {number} of {count}, {value}",
    "no_item_decided": "{rule} {holds}, because {did}",
    "uses_read": "{rule} of {transition} {holds}: {did}",
    "came_closest": "in turn {since} only {rule} stood against {transition}[: {reads}]",
    "code_returned": "the function {guard} returned {result}[ after reading {reads}]",
    "code_failed": "the function {guard} failed: {reason}[ ({at})][ after reading {reads}]",
    "yes_to_nothing": "no call waited for a yes or no any more: {reason} in turn {turn}",
    "message_not_kept": "the conversation ended in turn {turn}, and a message after the end is refused and not kept",
    "counted": "{name} {did}[ {times}] in this conversation[ {where}][, {turns}][: {given}][; it changed {changed}]"
    "[; {tokens} tokens in all][; it was {refused}][; {undone} of these in turns that {by} took back]",
    "person_in_charge": "{operator} is in charge since {since}[: {reason}]",
    "person_is_awaited": "a person of the queue {queue} is awaited since {since}[, at most until {until}]: {reason}",
    "no_person": "no person is awaited or in charge[: {over}]; {reason}",
    "turn_under_way": "turn {turn} is not done yet: it waits for {what}",
    "moves_left_out": "not listed here: {moves}",
    "words_not_taken": "“{word}” in the message of turn {turn} {means}, and was not taken[: {reason}]",
    "not_searched": "the turns before turn {first} were not searched for this answer",
    "write_not_called": "the model could write {field} with {tool} in turn {turn}, and did not: {did}"
    "[; the turn failed ({failed})]",
    "field_empty": "{field} has no value: {reason}[; {asked}]",
    "field_inactive": "{field} is inactive: its answer[ {value}] is kept, and counts as missing",
    "field_default": "{field} has no value of its own; guards read its default {value}[; {instead}]",
    "node_in_charge": "{node} is in charge since turn {since}",
    "node_not_in_charge": "{node} is not in charge: the conversation is in {now}[; it was {visit}]",
    "node_never_entered": "{node} was never entered[: {reason}]",
    "transition_not_judged": "{line}[ {refused}]",
    "transition_was_taken": "{transition} was taken in turn {turn}[: {because}][; turn {undone} undid that]; {line}",
    "transition_judged": "{transition} {did}[: {because}][, because {by}]",
    "conversation_waits": "the conversation [is {person}][waits for {what} since {since}][; {reason}]",
    "conversation_goes_on": "the conversation has not ended: {reason}",
    "conversation_failed": "the last turn failed ({reason})[: {said}][; {needs}]; {again}",
    "timer_fired": "the timer {timer} came due[ at {due}][, and fired {late} later][; {did}]",
    "reminder_said": "the reminder {timer} was said after {waited} without a message[, the {number} of {most}]"
    "[; {open} stayed open]: “{said}”",
    "timer_armed": "the timer {timer} was armed[ {anew}], to come due at {due}",
    "timer_dropped": "the timer {timer} was dropped, because {reason}",
    "timer_late": "the timer {timer} came due and changed nothing, because {reason}",
    "delivery_none": "nothing had to be delivered[ of turn {turn}][, for {reason}]: "
    "a receiver gets the turns for which no caller waits, where the program gave `deliver`",
    "delivery_stands": "what it said {how}[; the last error: {error}]",
    "timer_is_armed": "the timer {timer} is armed[ since turn {since}], and is not due yet: it is due at {due}"
    "[; it came due before, in turn {fired}]",
    "timer_not_armed": "the timer {timer} is not armed, because {reason}[; {fired}]",
    "time_passed": "{what} {duration}: from {at} (turn {since}) until {until}[ (turn {turn})]",
    "happened_at": "that was[ at {at},] in turn {turn}[, by {person}][: {did}]",
    **(FORM_WORDS | CALL_WORDS),
}
"""The sentence of each kind of fact; parts in brackets are left out where a value is missing."""

PRIVATE = frozenset(
    (
        *("said", "value", "before", "reason", "given", "result", "arguments", "commands", "line", "topic", "calls"),
        *("did", "error", "instead", "grounds", "asked", "applies", "reads", "needs", "part", "person", "rule"),
        *(
            "none",
            "parts",
            "as_answer",
            "named",
            "word",
            "means",
            "replied",
            "theirs",
            "shown",
            "stored",
            "failed",
            "formula",
        ),
        *("shut", "unreached", "refused", "summary", "note", "item"),
    )
)
"""The names of values that may contain words of users: secrets are hidden in them. All others come from the flow."""

QUOTED = frozenset(
    ("said", "value", "before", "given", "result", "arguments", "commands", "calls", "part", "replied", "item")
)
"""The names of values that quote texts from outside, of any length; they are shown in part."""


def words(kind: FactKind, values: Mapping[str, Any]) -> Phrase:
    """Return the sentence of a fact, made from its kind and its values."""
    return phrase(WORDS[kind], **values)


assert set(WORDS) == set(get_args(FactKind))
