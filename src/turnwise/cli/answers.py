"""The command `explain`; and prints answers to questions of why: the answer, what caused it, and what else happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from turnwise.archive import Archive
from turnwise.cli.inputs import with_archive
from turnwise.cli.show import headings, plain_console, print_decision, print_json, print_story, put
from turnwise.errors import WrongUsage
from turnwise.why.answer import Answer, Fact

_MOST_OTHERS = 20
"""How many facts beside the first are printed; `--json` has all."""
_WITH_DECISIONS = ("transition", "node")
"""Kinds of subjects whose decisions are printed in full."""


class AnswerLine(NamedTuple):
    """A line of an answer, and its style."""

    text: str
    style: str = ""


def print_answer(console: Console, answer: Answer) -> None:
    """Print an answer."""
    for line in lines_of(answer):
        put(console, line.text, line.style)
    if answer.subject.kind in _WITH_DECISIONS:
        for decision in answer.decisions:
            print_decision(console, decision, answer.subject.name if answer.subject.kind == "transition" else "")


def lines_of(answer: Answer) -> Iterator[AnswerLine]:
    """Yield the lines of an answer: how it was read, the first fact with its causes, the others; nothing twice."""
    yield AnswerLine(answer.read_as, "dim")
    first, *others = answer.facts
    yield AnswerLine(_text(first, answer.turn), "bold")
    printed = [first.text]
    yield from _causes(first, "  ", answer.turn, printed)
    count = 0
    for fact in others:
        if _is_printed(fact, printed):
            continue
        count += 1
        if count <= _MOST_OTHERS:
            printed.append(fact.text)
            yield AnswerLine(f"· {_text(fact, answer.turn)}")
            yield from _causes(fact, "    ", answer.turn, printed)
    if count > _MOST_OTHERS:
        yield AnswerLine(f"… and {count - _MOST_OTHERS} more; --json has all", "dim")
    for subject in answer.also:
        yield AnswerLine(f"it may also be {subject}: ask “{subject}”", "dim")
    for text in (text for text in answer.erased if text != answer.line):
        yield AnswerLine(text, "yellow")


def _causes(fact: Fact, margin: str, turn: int, printed: list[str]) -> Iterator[AnswerLine]:
    """Yield what caused a fact, each cause once; of one that is printed already, what caused it."""
    for cause in fact.causes:
        if _is_printed(cause, printed):
            yield from _causes(cause, margin, turn, printed)
        else:
            printed.append(cause.text)
            yield AnswerLine(f"{margin}← {_text(cause, turn)}", "dim")
            yield from _causes(cause, margin + "  ", turn, printed)


def _is_printed(fact: Fact, printed: list[str]) -> bool:
    """Return whether a line says a fact already, as a whole or as a part of its sentence."""
    part = re.compile(rf"(?:^|[ (]){re.escape(fact.text)}(?:$|[;:)])")
    return any(part.search(text) for text in printed)


def _text(fact: Fact, turn: int) -> str:
    when = f"   (turn {fact.turn})" if fact.turn not in (0, turn) else ""
    source = f"   {fact.source}" if fact.source else ""
    return f"{fact.text}{when}{source}"


# the command -------------------------------------------------------------------------------------


def run_explain(  # noqa: PLR0913, PLR0917  the options of a command
    store: str,
    conversation: str,
    question: str,
    turn: int | None,
    transition: str,
    against: str,
    against_turn: int | None,
    to: str,
    usual: bool,
    question_model: str,
    python: Path | None,
    as_json: bool,
) -> int:
    """Print the answer to the question that the options ask; return the exit code."""
    asked = {"SUBJECT": question, "--transition": transition, "--to": to, "--against": against or against_turn}
    given = [name for name, value in asked.items() if value not in ("", None)]
    if len(given) > 1:
        raise WrongUsage(f"{given[0]} and {given[1]} are two questions; ask one at a time")
    if usual and given not in ([], ["SUBJECT"]):
        raise WrongUsage(f"--usual belongs to a SUBJECT, not to {given[0]}")

    async def answered(archive: Archive) -> Answer:
        if to:
            return await archive.ways_to(conversation, to, turn=turn)
        if "--against" in given:
            return await archive.compare(conversation, against or None, turn=turn, other_turn=against_turn)
        return await archive.why(conversation, question, turn=turn, usual=usual)

    async def work(archive: Archive) -> int:
        if transition or not (given or usual):
            return await _explain_decisions(archive, conversation, turn, transition, as_json=as_json)
        answer = await answered(archive)
        if as_json:
            print_json(answer.to_dict())
        else:
            print_answer(plain_console(), answer)
        return 0

    return with_archive(store, python, work, as_json=as_json, question_model=question_model)


async def _explain_decisions(
    archive: Archive, conversation: str, turn: int | None, transition: str, *, as_json: bool
) -> int:
    """Print why a turn moved, or did not; return the exit code."""
    decisions = await archive.explain(conversation, turn, transition or None)
    if as_json:
        about = {number: (await archive.turn(conversation, number)).about for number in {d.turn for d in decisions}}
        print_json([{"about": about[decision.turn], **decision.to_dict()} for decision in decisions])
        return 0
    last = await archive.turn(conversation, turn)
    decided = await archive.turn(conversation, decisions[0].turn) if decisions else None
    console = plain_console()
    if not transition:
        print_story(console, last, decided, await archive.why(conversation, turn=turn))
        return 0
    for line in headings(last, decided):
        put(console, line, "bold")
    for decision in decisions:
        print_decision(console, decision, transition)
    return 0
