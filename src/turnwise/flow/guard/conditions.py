"""Converts condition objects, a form in which documents may write guards (`type: tool_used`), to guards (law 2.12)."""

from __future__ import annotations

from collections.abc import Sequence as Positions

from turnwise.flow.diagnostic import Diagnostic, Span, nearest, problem
from turnwise.flow.guard.parse import GuardError
from turnwise.flow.guard.syntax import Call, Expression, Literal, Logic, Name, Not, Select, Sequence
from turnwise.flow.model import Condition, SequencePosition

TYPES = (
    "tool_used",
    "sequence_match",
    "not_recently_used",
    "message_contains",
    "message_starts_with",
    "message_regex",
)
"""The types of conditions that a guard may be written as."""
_MESSAGE = Select(Name("message"), "text")
_TOOLS = Name("tools")


def tree_of(
    conditions: Positions[Condition], sequence: Positions[SequencePosition] = ()
) -> Expression | list[Diagnostic]:
    """Return the conjunction of condition objects as a syntax tree, or what is wrong with them. `sequence` is the tool
    sequence of the node, which `sequence_match` reads. The place of each part is the number of its condition.
    """
    parts: list[Expression] = []
    problems: list[Diagnostic] = []
    for number, condition in enumerate(conditions):
        found = _tree(condition, sequence, number)
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            parts.append(found)
    if problems:
        return problems
    if not parts:
        return Literal(value=True)
    return parts[0] if len(parts) == 1 else Logic("&&", tuple(parts))


def place_of(conditions: Positions[Condition], error: GuardError) -> Span:
    """Return the place in the document of an error in the tree that `tree_of` made of some conditions."""
    return conditions[error.at].span.of("window" if error.code == "TW044" else "value")


def _tree(condition: Condition, sequence: Positions[SequencePosition], at: int) -> Expression | Diagnostic:
    wrong = _wrong(condition, sequence)
    if wrong is not None:
        return wrong
    value = Literal(condition.value, at)
    match condition.type:
        case "sequence_match":
            return Call("ended_with", (_positions(sequence, at),), _TOOLS, at=at)
        case "tool_used":
            return Call("used", (value,), _TOOLS, at=at)
        case "not_recently_used":
            return Not(Call("used", (value,), _TOOLS, (("within", Literal(condition.window, at)),), at), at)
        case "message_regex":
            return Call("matches", (value,), _MESSAGE, at=at)
        case _:
            folded = Literal(condition.value.casefold(), at)
            method = "contains" if condition.type == "message_contains" else "startsWith"
            return Call(method, (folded,), Call("lower", (), _MESSAGE), at=at)


def _wrong(condition: Condition, sequence: Positions[SequencePosition]) -> Diagnostic | None:
    """Report what is wrong with a condition object."""
    kind, span = condition.type, condition.span
    if kind not in TYPES:
        return problem("TW035", f"no condition has the type '{kind}'", span.of("type"), nearest(kind, TYPES))
    if kind == "sequence_match":
        return None if sequence else problem("TW035", "sequence_match needs a 'sequence' in its own step", span)
    if not condition.value:
        return problem("TW035", f"{kind} needs a 'value'", span)
    if kind == "not_recently_used" and condition.window is None:
        return problem("TW035", "not_recently_used needs a 'window'", span, "how many of the last uses to look at")
    return None


def _positions(sequence: Positions[SequencePosition], at: int) -> Sequence:
    """Return a sequence as an expression: a position of several tools is a list, with an empty text if optional."""
    items = [[Literal(tool, at) for tool in (*one.tools, *[""] * one.optional)] for one in sequence]
    return Sequence(tuple([one[0] if len(one) == 1 else Sequence(tuple(one), at) for one in items]), at)
