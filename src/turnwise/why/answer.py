"""The answer to a question of why, as data: its subject, its facts with their causes, and ways to another outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import force_setattr, replace

from turnwise.core.explain.decision_lines import lines_of_decision
from turnwise.core.phrase import Writer
from turnwise.core.trace import Decision
from turnwise.why.fact import Fact, Subject, SubjectKind
from turnwise.why.kinds import FactKind
from turnwise.why.text import AnswerLine, lines_of_facts

__all__ = ["WITH_DECISIONS", "Answer", "Fact", "Subject", "SubjectKind", "in_language", "lines_of", "text_of"]

WITH_DECISIONS: tuple[SubjectKind, ...] = ("transition", "node")
"""Kinds of subjects whose decisions are printed in full."""


class Answer(Struct, frozen=True, gc=False, omit_defaults=True):
    """The answer about a subject at the end of a turn.

    The first of the `facts` answers the question; the others complete it, in the order in which they happened.
    """

    conversation: str
    """The id of the conversation that was asked about."""
    subject: Subject
    """What the question is about."""
    turn: int
    """The turn at whose end the answer holds."""
    seq: int
    """The position in the journal of the last entry that the answer takes into account."""
    read_as: str
    """How the question was read, in words."""
    facts: tuple[Fact, ...]
    """The facts that answer the question, the most direct answer first."""
    plain: str = ""
    """The answer in one sentence for the user of the conversation; empty if there is none."""
    decisions: tuple[Decision, ...] = ()
    """The decisions that the answer refers to. With titles, `in_words` of their candidates has them, too."""
    also: tuple[Subject, ...] = ()
    """Other subjects with the same name, which the question may mean."""
    erased: tuple[str, ...] = ()
    """What the retention rules erased, and when; if not empty, facts may be missing."""
    line: str = ""
    """The answer in one line: the first fact."""
    language: str = "en"
    """The code of the language of the sentences; only `plain` is in the language of the conversation."""

    def __post_init__(self) -> None:
        if not self.line:
            force_setattr(self, "line", self.facts[0].text)

    @property
    def chain(self) -> tuple[Fact, ...]:
        """The first fact, its main cause, the main cause of that, and so on."""
        found = [self.facts[0]]
        while found[-1].causes:
            found.append(found[-1].causes[0])
        return tuple(found)

    def fact(self, kind: FactKind) -> Fact | None:
        """Return the first fact of a kind, including the causes of facts; `None` if there is none."""
        return next((one for fact in self.facts for one in fact.walk() if one.kind == kind), None)

    def __str__(self) -> str:
        """Return the answer as the terminal prints it."""
        return text_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON data."""
        return to_builtins(self)


def text_of(answer: Answer, *, everything: bool = False) -> str:
    """Return an answer as the terminal prints it, with the decisions that it refers to, and with all causes if
    `everything`.
    """
    found = [line.text for line in lines_of(answer, everything=everything)]
    if answer.subject.kind in WITH_DECISIONS:
        name = answer.subject.name if answer.subject.kind == "transition" else ""
        found += [f"{line.text}{line.aside}" for one in answer.decisions for line in lines_of_decision(one, name)]
    return "\n".join(found)


def lines_of(answer: Answer, *, everything: bool = False) -> Iterator[AnswerLine]:
    """Yield the lines of an answer: how it was read, its facts with their causes (all if `everything`), and what else
    it may be.
    """
    yield AnswerLine(answer.read_as, "dim")
    yield from lines_of_facts(answer.facts, answer.turn, everything=everything)
    for subject in answer.also:
        yield AnswerLine(f"it may also be {subject}: ask “{subject}”", "dim")
    for text in (text for text in answer.erased if text != answer.line):
        yield AnswerLine(text, "yellow")


def in_language(answer: Answer, writer: Writer | None) -> Answer:
    """Return an answer with its sentences written by `writer` in its language; in English if `writer` is `None`."""
    if writer is None:
        write, facts = str, tuple(map(_plain, answer.facts))
    else:
        write, facts = writer.text, tuple([_written(fact, writer) for fact in answer.facts])
        answer = replace(answer, decisions=tuple([_with_rules(one, writer) for one in answer.decisions]))
    return replace(
        answer,
        read_as=write(answer.read_as),
        facts=facts,
        erased=tuple(map(write, answer.erased)),
        line=facts[0].text,
        language="en" if writer is None else writer.language,
    )


def _written(fact: Fact, writer: Writer) -> Fact:
    """Return a fact and its causes with texts in the language of a writer, also in its values."""
    causes = tuple([_written(cause, writer) for cause in fact.causes])
    return replace(fact, text=writer.text(fact.text), values=writer.data(fact.values), causes=causes)


def _with_rules(decision: Decision, writer: Writer) -> Decision:
    """Return a decision with what its candidates would need as a writer has it."""
    candidates = [
        replace(one, in_words=tuple([writer.text(rule, "rules") for rule in one.in_words])) if one.in_words else one
        for one in decision.candidates
    ]
    return replace(decision, candidates=tuple(candidates))


_AS_MADE = Writer("en", {})
"""Writes sentences as they were made."""


def _plain(fact: Fact) -> Fact:
    """Return a fact and its causes with plain texts, also in its values. Most answers are made so, and in few calls."""
    values: dict[str, Any] = {}
    for name, value in fact.values.items():
        is_simple = value is None or isinstance(value, int | float)
        values[name] = str(value) if isinstance(value, str) else value if is_simple else _AS_MADE.data(value)
    causes = tuple(map(_plain, fact.causes)) if fact.causes else ()
    return replace(fact, text=str(fact.text), values=values, causes=causes)
