"""Texts for the user: that nothing was understood of a message, or of the words beside a question in it."""

from __future__ import annotations

from itertools import pairwise

from turnwise.core.state.commands import Ask, DropReason
from turnwise.core.state.events import Understood
from turnwise.core.turn import StepBuilder

_LONGEST_QUOTE = 120
"""How many characters of a message are said back at most."""
_MAY_BE_MEANT: frozenset[DropReason] = frozenset({"several", "doubtful", "beside_question", "other_words"})
"""Why words were left out that the user may mean all the same."""


def nothing_taken(step: StepBuilder) -> str:
    """Return the text for the user that nothing of the message was understood, with the message if it is short and
    holds no secret.
    """
    return _nothing_taken_of(step, step.doing.message or "") or step.machine.language.text("nothing_taken")


def not_taken_beside_question(step: StepBuilder) -> str:
    """Return the text for the user that nothing was understood of the words beside a question in the message, with
    these words; empty if there are none.
    """
    read = next((one.event for one in reversed(step.entries) if isinstance(one.event, Understood)), None)
    left = sorted({one.words for one in read.dropped if one.reason in _MAY_BE_MEANT}) if read is not None else []
    if read is None or not left:
        return ""
    taken = [one.words for one in read.commands if one.words is not None and not isinstance(one, Ask)]
    parts = [left[0]]
    for before, words in pairwise(left):
        if any(before[1] <= start and stop <= words[0] for start, stop in taken):
            parts.append(words)
        else:
            parts[-1] = (parts[-1][0], words[1])
    message = step.doing.message or ""
    return " ".join(filter(None, [_nothing_taken_of(step, message[start:stop]) for start, stop in parts]))


def _nothing_taken_of(step: StepBuilder, words: str) -> str:
    """Return that nothing was taken of some words; empty if they are not to be said back."""
    shown = " ".join(words.split())
    if not shown or len(shown) > _LONGEST_QUOTE or step.machine.has_secrets:
        return ""
    return step.machine.language.text("nothing_taken_of", message=shown)
