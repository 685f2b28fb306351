"""The words for facts about scopes; the table of all facts is `WORDS` in `why/kinds.py`."""

from __future__ import annotations

from typing import Literal

ScopeFact = Literal[
    "scope_opened",
    "scope_closed",
    "scope_is_open",
    "scope_not_open",
    "scope_never_opened",
    "node_waits",
    "words_summarized",
    "offered",
    "offer_closed",
    "offer_stands",
]
"""The kinds of facts about scopes, nodes around scopes, and words said in scopes: events of the journal, or how things
stand at the end of a turn."""

SCOPE_WORDS: dict[ScopeFact, str] = {
    "scope_opened": "the scope '{scope}' was opened by {who}[ ({by})][: {because}][; it handed over: {note}]"
    "[; {erased}]",
    "scope_closed": "the scope '{scope}' was closed: {outcome}[, because {why}][; what stays of it: {summary}][, {by}]"
    "[; {kept} keeps what it had][; {erased}]",
    "scope_is_open": "{scope} is open since turn {since}, opened by {who}[; it {used}]; {now} is in charge in it",
    "scope_not_open": "{scope} is not open: it was opened in turn {since} and closed in turn {turn} as {outcome}"
    "[, because {why}][; {waits}]",
    "scope_never_opened": "{scope} was never opened: {reason}",
    "node_waits": "{node} waits while the scope {scope} is open, since turn {since}; {now} is in charge",
    "offered": "{who} proposed the scope {scope}: “{said}”",
    "offer_closed": "the offer of the scope {scope} {outcome}[, because {why}]",
    "offer_stands": "the offer of the scope {scope} {how}",
    "words_summarized": "what was said in {scope} left the transcript in turn {turn}; a model outside of it is shown "
    "instead: “{summary}”",
}
"""The words for facts about scopes, by the kind of fact."""
