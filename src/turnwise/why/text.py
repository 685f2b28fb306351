"""Renders the facts of an answer as text: what answers the question, what caused that, and what else happened.

It chooses no colours: each line names its style. `print(answer)` and the terminal print these lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from turnwise.why.fact import Fact
from turnwise.why.kinds import FactKind

_MOST_OTHERS = 20
"""How many facts beside the first are printed; the data has all."""
_NAMEABLE: frozenset[FactKind] = frozenset(
    {
        "message_received",
        "button_pressed",
        "commands_received",
        "event_received",
        "conversation_started",
        "undo_asked",
        "tool_returned",
        "tool_failed",
        "tool_used_by_host",
        "person_took_over",
        "person_said",
        "person_gave_back",
        "migrated",
    }
)
"""Events that a person would name as the cause: words, a press, a person's act, the result of a tool. What led to them
is printed only where everything is asked for.
"""


class AnswerLine(NamedTuple):
    """A line of an answer, with its style for the terminal."""

    text: str
    """The text of the line, without a line break."""
    style: str = ""
    """How a terminal shows the line: `bold`, `dim`, a colour; empty for plain text."""


def lines_of_facts(facts: Sequence[Fact], turn: int, *, everything: bool = False) -> Iterator[AnswerLine]:
    """Yield the lines of an answer about a turn: the first fact with its causes, then the others, each once.
    A chain of causes ends at the first event that a person would name, unless `everything` is asked for.
    """
    first, *others = facts
    yield AnswerLine(_text(first, turn), "bold")
    printed, folded = [first.text], _Folded(everything)
    yield from _causes(first, "  ", turn, printed, folded)
    count = 0
    for fact in others:
        if _is_printed(fact, printed):
            continue
        count += 1
        if count <= _MOST_OTHERS:
            printed.append(fact.text)
            yield AnswerLine(f"· {_text(fact, turn)}")
            yield from _causes(fact, "    ", turn, printed, folded)
    if count > _MOST_OTHERS:
        yield AnswerLine(f"… and {count - _MOST_OTHERS} more; --json has all", "dim")
    if folded.texts:
        earlier = "1 earlier cause" if len(folded.texts) == 1 else f"{len(folded.texts)} earlier causes"
        yield AnswerLine(f"… {earlier}: --all", "dim")


class _Folded:
    """The causes that were left out."""

    def __init__(self, everything: bool) -> None:  # noqa: FBT001  it is passed on
        self.everything = everything
        self.texts: set[str] = set()

    def ends_at(self, fact: Fact, printed: list[str]) -> bool:
        """Return whether the chain ends at a fact; then its causes are left out."""
        if self.everything or fact.kind not in _NAMEABLE:
            return False
        left_out = (one.text for cause in fact.causes for one in cause.walk() if not _is_printed(one, printed))
        self.texts.update(left_out)
        return True


def _causes(fact: Fact, margin: str, turn: int, printed: list[str], folded: _Folded) -> Iterator[AnswerLine]:
    """Yield what caused a fact, each cause once; of one that is printed already, what caused it."""
    for cause in fact.causes:
        if _is_printed(cause, printed):
            if cause.kind not in _NAMEABLE or folded.everything:
                yield from _causes(cause, margin, turn, printed, folded)
        else:
            printed.append(cause.text)
            yield AnswerLine(f"{margin}← {_text(cause, turn)}", "dim")
            if not folded.ends_at(cause, printed):
                yield from _causes(cause, margin + "  ", turn, printed, folded)


def _is_printed(fact: Fact, printed: list[str]) -> bool:
    """Return whether a line says a fact already, as a whole or as a part of its sentence."""
    part = re.compile(rf"(?:^|[ (]){re.escape(fact.text.rstrip('.'))}(?:\.?$|[;:)])")
    return any(part.search(text) for text in printed)


def _text(fact: Fact, turn: int) -> str:
    when = f"   (turn {fact.turn})" if fact.turn not in (0, turn) else ""
    source = f"   {fact.source}" if fact.source else ""
    return f"{fact.text}{when}{source}"
