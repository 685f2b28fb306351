"""The words for facts about tools, models and their calls; the table of all facts is `WORDS` in `why/kinds.py`."""

from __future__ import annotations

from typing import Literal

CallFact = Literal[
    "tool_used_by_host",
    "tool_called",
    "tool_returned",
    "tool_failed",
    "call_answered",
    "call_refused",
    "call_awaits_approval",
    "call_queued",
    "approval_unclear",
    "call_approved",
    "calls_decided",
    "move_put_off",
    "judging_planned",
    "sequence_advanced",
    "model_called",
    "model_replied",
    "model_failed",
    "work_done",
    "attempt_failed",
    "call_made_again",
    "tool_given_up",
    "call_still_awaits",
    "call_unknown",
    "tool_offered",
    "tool_not_called",
    "tool_not_offered",
    "tools_of_node",
    "tool_is_work",
    "tool_used",
    "tool_never_used",
    "tool_called_often",
    "model_not_called",
    "model_called_often",
    "no_model_connected",
    "rules_sufficed",
    "prompt_shown",
    "prompt_changed",
    "window_began",
    "limit_used",
    "limit_stands",
    "call_settled",
    "budget_reached",
    "budget_answered",
    "budget_stands",
    "budget_undeclared",
]
"""The kinds of facts about tools, models, calls and limits."""

CALL_WORDS: dict[CallFact, str] = {
    "tool_used_by_host": "the program used {tool}",
    "tool_called": "{tool} was called[ with {arguments}][ by {by}][; {again}]",
    "tool_returned": "{tool} returned {result}[ after {ms} ms][; {before}]",
    "tool_failed": "{tool} failed: {reason}[ ({at})][; {doubt}][; {before}]",
    "call_answered": "the machine answered the model's call of {tool}[ with {arguments}]: {result}",
    "call_refused": "the call of {tool} was refused ({reason})[ by {by}][: {said}][, because {shut}]"
    "[; {argument} was {value}][, bound {bound}][; it was called with {arguments}]",
    "call_awaits_approval": "the call of {tool} waits for approval[ by {approver}][ until {until}]"
    "[, with {arguments}], because {reason}",
    "call_queued": "the call of {tool} waits, because an earlier call of the same reply waits for approval",
    "approval_unclear": "{tool} was neither approved nor declined, because the message is no plain yes or no",
    "call_approved": "{by} approved the call of {tool}, with {arguments}[, {edited}]",
    "calls_decided": "{by} decided about calls that wait: {decided}",
    "move_put_off": "{transition} moves to {target} when the other calls of {tool} in the same reply are done",
    "judging_planned": "the transitions at `{moment}` of {node} are judged when {when}",
    "sequence_advanced": "the tool sequence of {node} is at position {to}",
    "model_called": "the model was called to {purpose} in {node}[; its instructions had a text of the schedule {left}]",
    "model_replied": "the model[ {model}] replied[ with calls of {calls}][: “{said}”][ ({tokens} tokens)]",
    "model_failed": "the model[ {model}] failed[ to {purpose}] in {node}, because it gave the error “{reason}”"
    "[ ({at})]",
    "work_done": "the work of {node} was done",
    "attempt_failed": "attempt {number} of {what} failed at {time}[ after {ms} ms]: {reason}[ ({at})]",
    "call_made_again": "the turn was cut off while {tool} ran: {policy}",
    "tool_given_up": "no further call of {tool} was reported to the model, because {reason}",
    "call_still_awaits": "the call of {tool} waits for the {by}'s approval[ since turn {since}]",
    "call_unknown": "no call {call} is known",
    "tool_offered": "{tool} is offered to the model in {node}[, because {reason}][; {none}]",
    "tool_not_called": "{tool} was offered to the model in {node}, which {did}[; it is offered there because {reason}]",
    "tool_not_offered": "{tool} is not offered to the model in {node}, because {reason}[; {unreached}]",
    "tools_of_node": "{node} offers the model {offered}[; it does not offer {others}]",
    "tool_is_work": "{tool} is the work of {nodes}, and {now}[; {unreached}]",
    "tool_used": "{tool} was used {times}[ (and {others})][, the last time in turn {turn} in {node}][, called by {by}]"
    "[; that failed: {error}][; the undo of turn {undone} {kept}][; {refused}]",
    "tool_never_used": "{tool} was not used in this conversation so far[; {reason}]",
    "tool_called_often": "{tool} was called {count} times in turn {turn}: {did}",
    "model_not_called": "no model was called in turn {turn}, because {reason}",
    "model_called_often": "the model was called {count} times in turn {turn}: {did}",
    "no_model_connected": "no model is connected to {purpose} in {node}[; the reply was “{replied}”]",
    "rules_sufficed": "the message of turn {turn} was understood by the rules, without a model",
    "prompt_shown": "in {node} the model was asked to {purpose}, and was shown {names}[, {proof}][; {unproved}]"
    "[: {asked}]",
    "prompt_changed": "since the prompt before, {what}",
    "window_began": "the transcript that the model was shown began with “{said}” of turn {since}, because {reason}",
    "limit_used": "the limit {limit} allows {bound} {counted}, and turn {turn} {did} {used}",
    "limit_stands": "the limit {limit} allows {bound} {counted}[, and turn {turn} used none]",
    "call_settled": "the call of {what}[ to {purpose}] in turn {turn} used {used}[; {reserved} had been reserved]"
    "[; {note}]",
    "budget_reached": "the budget of {amount} per {per} was reached in turn {turn}: {spent} of it were used, and a "
    "call of {what} needed {needed}, so {did}[; it would fit with {fitting}]",
    "budget_answered": "the user answered that the conversation {goes_on} beyond the budget {budget}"
    "[, with {more} more]",
    "budget_undeclared": "the flow declares no budget of {limit}, so nothing bounds what calls use of it",
    "budget_stands": "of the budget of {amount} per {per} {spent} are used and {left} are left[; {turns} used "
    "most]; where it is reached, {then}",
}
"""The words for facts about tool calls, by the kind of fact."""
