"""The kinds of facts about what would have been with other values, and the words for each; `kinds.WORDS` is the whole
table, and says how it is read.
"""

from __future__ import annotations

from typing import Literal

SupposedFact = Literal[
    "supposed",
    "supposed_candidate",
    "supposed_question",
    "supposed_stop",
    "supposed_reach",
    "supposed_refused",
    "supposed_not_tried",
    "supposed_not_read",
]

"""`supposed` is a decision that was judged again; what it supposes is shown as the asker gave it."""

SUPPOSED_WORDS: dict[SupposedFact, str] = {
    "supposed": "with {supposed} (was {before}),[ {asked}:] {would}[: {because}]; {was}",
    "supposed_candidate": "{transition} {did}[; it {was}]",
    "supposed_question": "with {supposed} (was {before}) at the end of turn {turn} {field} {did} the questions of "
    "{node}, because {reason}[; {kept}]",
    "supposed_stop": "the form of {node} would stop, because {field} = {supposed} is one of its stop values",
    "supposed_reach": "only this decision of turn {turn} was judged again[, and not the form of {form}]: what the user"
    " or a model would have said or done after it is not known[; {chose}]",
    "supposed_refused": "{supposed} would have been refused for {field}: {reason}",
    "supposed_not_tried": "no other value of {field} is tried here, because it is secret, or a rule reads it "
    "together with a secret",
    "supposed_not_read": "with {supposed} no decision that can be judged again would differ, because none reads {field}"
    "[ {where}]",
}
