"""The command `explain`; and prints answers to questions of why: the answer, what caused it, and what else happened."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from turnwise.archive import Archive
from turnwise.cli.inputs import with_archive
from turnwise.cli.lines import numbered_choice, typed_lines
from turnwise.cli.show import headings, plain_console, print_decision, print_json, print_line, print_story
from turnwise.errors import NoClearSubject, WrongUsage
from turnwise.why.answer import WITH_DECISIONS, Answer, lines_of


def print_answer(console: Console, answer: Answer, *, everything: bool = False) -> None:
    """Print an answer, with all its causes if `everything` is asked for."""
    for line in lines_of(answer, everything=everything):
        print_line(console, line.text, line.style)
    if answer.subject.kind in WITH_DECISIONS:
        for decision in answer.decisions:
            print_decision(console, decision, answer.subject.name if answer.subject.kind == "transition" else "")


def print_candidates(console: Console, error: NoClearSubject) -> None:
    """Print that a question is not clear, and what it may be about as a numbered list."""
    print_line(console, f"it is not clear what “{error.question}” is about; it may be:", "yellow")
    for number, one in enumerate(error.candidates, 1):
        title = f": {one.title}" if one.title else ""
        print_line(console, f"[{number}] {one.subject}{title} ({one.because})", "cyan")
    print_line(console, "type its number, or ask by a name of the flow", "dim")


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
    everything: bool,
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
        return await _why(archive, conversation, question, turn, usual=usual, may_choose=not as_json)

    async def work(archive: Archive) -> int:
        if transition or not (given or usual):
            return await _explain_decisions(archive, conversation, turn, transition, as_json=as_json)
        answer = await answered(archive)
        print_json(answer.to_dict()) if as_json else print_answer(plain_console(), answer, everything=everything)
        return 0

    return with_archive(store, python, work, as_json=as_json, question_model=question_model)


async def _why(
    archive: Archive, conversation: str, question: str, turn: int | None, *, usual: bool, may_choose: bool
) -> Answer:
    """Return the answer to a question; where it is not clear, about what a person at the terminal chooses."""
    try:
        return await archive.why(conversation, question, turn=turn, usual=usual)
    except NoClearSubject as error:
        is_person = sys.stdin.isatty() and sys.stdout.isatty()
        chosen = _chosen(error) if is_person and may_choose else None
        if chosen is None:
            raise
        return await archive.why(conversation, chosen, turn=turn, usual=usual)


def _chosen(error: NoClearSubject) -> str | None:
    """Return the candidate whose number a person types; `None` where that is none."""
    print_candidates(plain_console(), error)
    found = numbered_choice(next(iter(typed_lines()), ""), error.candidates)
    return found.subject if found is not None else None


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
        print_line(console, line, "bold")
    for decision in decisions:
        print_decision(console, decision, transition)
    return 0
