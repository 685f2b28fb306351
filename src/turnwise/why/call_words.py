"""The words for facts about tools, models and their calls; `kinds.WORDS` is the whole table and says how it is read."""

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
]
"""What a fact about a tool, a model, a call or a limit can be."""

CALL_WORDS: dict[CallFact, str] = {
    "tool_used_by_host": "the program used {tool}",
    "tool_called": "{tool} was called[ with {arguments}][ by {by}][; {again}]",
    "tool_returned": "{tool} returned {result}[ after {ms} ms]",
    "tool_failed": "{tool} failed: {reason}[ ({at})][; {doubt}]",
    "call_answered": "the machine answered the model's call of {tool}[ with {arguments}]: {result}",
    "call_refused": "the call of {tool} was refused ({reason})[: {said}][; {argument} was {value}][, bound {bound}]"
    "[; it was called with {arguments}]",
    "call_awaits_approval": "the call of {tool} waits for approval[, with {arguments}], "
    "because its `confirm` asks for one",
    "sequence_advanced": "the tool sequence of {node} is at position {to}",
    "model_called": "the model was called to {purpose} in {node}",
    "model_replied": "the model[ {model}] replied[ with calls of {calls}][: “{said}”][ ({tokens} tokens)]",
    "model_failed": "the model[ {model}] failed[ to {purpose}] in {node}, because it gave the error “{reason}”"
    "[ ({at})]",
    "work_done": "the work of {node} was done",
    "attempt_failed": "attempt {number} of {what} failed at {time}[ after {ms} ms]: {reason}[ ({at})]",
    "call_made_again": "the turn was cut off while {tool} ran: {policy}",
    "tool_given_up": "no further call of {tool} was reported to the model, because {reason}",
    "call_still_awaits": "the call of {tool} waits for the user's approval[ since turn {since}]",
    "call_unknown": "no call {call} is known",
    "tool_offered": "{tool} is offered to the model in {node}[, because {reason}][; {none}]",
    "tool_not_called": "{tool} was offered to the model in {node}, which {did}[; it is offered there because {reason}]",
    "tool_not_offered": "{tool} is not offered to the model in {node}, because {reason}",
    "tools_of_node": "{node} offers the model {offered}[; it does not offer {others}]",
    "tool_is_work": "{tool} is the work of {nodes}, and {now}",
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
}
