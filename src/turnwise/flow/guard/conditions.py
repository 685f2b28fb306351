"""The condition objects of seed 001 as the tree that they spell (law 2.12)."""

from __future__ import annotations

from collections.abc import Sequence as Positions

from turnwise.flow.diagnostic import Diagnostic, nearest, problem
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
_MESSAGE = Select(Name("message"), "text")
_TOOLS = Name("tools")


def tree_of(
    conditions: Positions[Condition], sequence: Positions[SequencePosition] = ()
) -> Expression | list[Diagnostic]:
    """The conjunction of some conditions; `sequence_match` reads the step's own sequence."""
    parts: list[Expression] = []
    problems: list[Diagnostic] = []
    for condition in conditions:
        found = _tree(condition, sequence)
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            parts.append(found)
    if problems:
        return problems
    if not parts:
        return Literal(value=True)
    return parts[0] if len(parts) == 1 else Logic("&&", tuple(parts))


def _tree(condition: Condition, sequence: Positions[SequencePosition]) -> Expression | Diagnostic:
    wrong = _wrong(condition, sequence)
    if wrong is not None:
        return wrong
    value = Literal(condition.value)
    match condition.type:
        case "sequence_match":
            return Call("ended_with", (_positions(sequence),), _TOOLS)
        case "tool_used":
            return Call("used", (value,), _TOOLS)
        case "not_recently_used":
            return Not(Call("used", (value,), _TOOLS, (("within", Literal(condition.window)),)))
        case "message_regex":
            return Call("matches", (value,), _MESSAGE)
        case _:
            folded = Literal(condition.value.casefold())
            method = "contains" if condition.type == "message_contains" else "startsWith"
            return Call(method, (folded,), Call("lower", (), _MESSAGE))


def _wrong(condition: Condition, sequence: Positions[SequencePosition]) -> Diagnostic | None:
    """What keeps a condition object from being one."""
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


def _positions(sequence: Positions[SequencePosition]) -> Sequence:
    """A position of several tools, or an optional one, is a list; an empty text in it leaves it out."""
    items: list[Expression] = []
    for position in sequence:
        names: list[Expression] = [Literal(tool) for tool in position.tools]
        if position.optional:
            names.append(Literal(""))
        items.append(names[0] if len(names) == 1 else Sequence(tuple(names)))
    return Sequence(tuple(items))
