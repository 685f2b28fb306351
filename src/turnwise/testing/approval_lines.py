"""Reads the lines by which scenarios and the terminal decide calls that wait: `approve transfer {"amount": 40}` and
`decline remind; because(not today)`, each in a line of its own, and `by(Lena)` where an operator decides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.flow.late_pattern import late_pattern
from turnwise.testing.notation import NotationError

_LINE = late_pattern(
    r"(?s)(approve|decline)(?:\s+(?!because\()([\w-]+?)(?:#([1-9]\d*))?)?\s*(\{.*\})?\s*(?:;?\s*because\((.*)\))?"
)
_BY = late_pattern(r"by\((.+)\)")
EXPECTED_FORM = (
    'write it like approve TOOL, approve TOOL#2 {"amount": 40}, decline TOOL; because(WHY), or approve for all'
)
"""How a line with a decision about calls is written, for messages."""

NO_ARGUMENTS: Mapping[str, Any] = MappingProxyType({})
"""No changed arguments of a call."""


class Choice(NamedTuple):
    """A decision about one or all tool calls that wait for approval."""

    does: Literal["approve", "decline"]
    """Whether the call is approved or declined."""
    tool: str = ""
    """The name of the tool whose call is decided; empty for the calls of all tools."""
    number: int = 1
    """Which of the tool's waiting calls is decided, counted from 1."""
    arguments: Mapping[str, Any] = NO_ARGUMENTS
    """Arguments of the call that the decision replaces, by name."""
    reason: str = ""
    """Why the call is declined; empty if no reason is given."""


class Decisions(NamedTuple):
    """Decisions about waiting tool calls, and who makes them."""

    choices: tuple[Choice, ...]
    """The decisions, in order."""
    operator: str | None = None
    """The operator who decides; `None` for the user."""

    def of(self, state: State | None) -> tuple[e.CallDecision, ...]:
        """Return the decisions with the ids of the calls that wait in `state`.
        A call that does not wait keeps its name.
        """
        waiting = state.waiting_calls if state is not None else ()
        approver = "user" if self.operator is None else "operator"
        found: list[e.CallDecision] = []
        for choice in self.choices:
            named = [one.name for one in waiting if one.tool == choice.tool]
            names = [one.name for one in waiting if one.approver == approver] if not choice.tool else named
            names = names if not choice.tool else names[choice.number - 1 : choice.number] or [choice.tool]
            is_yes = choice.does == "approve"
            found += [e.CallDecision(name, is_yes, dict(choice.arguments), choice.reason) for name in names]
        return tuple(found)


def read_decisions(text: str) -> Decisions:
    """Return the decisions of a text, one in each line. Raises `NotationError` for a line that cannot be read."""
    choices: list[Choice] = []
    operator = None
    for line in filter(None, map(str.strip, text.split("\n"))):
        by = _BY.fullmatch(line)
        if by is not None:
            operator = by[1].strip()
        else:
            choices.append(_choice(line))
    if not choices:
        raise NotationError(f"{text!r} decides nothing; {EXPECTED_FORM}")
    return Decisions(tuple(choices), operator)


def _choice(line: str) -> Choice:
    found = _LINE.fullmatch(line)
    if found is None or (found[4] and not found[2]):
        raise NotationError(f"{line!r} is no decision about a call; {EXPECTED_FORM}")
    does, tool, number, arguments, reason = found.groups()
    try:
        given: Any = json.loads(arguments) if arguments else {}
    except json.JSONDecodeError as error:
        raise NotationError(f"the arguments of {line!r} are no JSON: {error}") from None
    if (does == "approve" and reason) or (does == "decline" and given):
        raise NotationError(f"{line!r}: only what is approved has arguments, and what is declined a reason")
    return Choice(cast("Any", does), tool or "", int(number or 1), given, (reason or "").strip().strip('"'))


def write_decisions(event: e.CallsDecided, before: State | None) -> str:
    """Return decisions in the notation of `read_decisions`; `before` is the state in which the calls waited."""
    seen: Counter[str] = Counter()
    names: dict[str, str] = {}
    for request in before.waiting_calls if before is not None else ():
        seen[request.tool] += 1
        number = seen[request.tool]
        names[request.name] = request.tool if number == 1 else f"{request.tool}#{number}"
    lines = [_written(decision, names.get(decision.call, decision.call)) for decision in event.decisions]
    lines += [f"by({event.by or 'an operator'})"] if event.is_operator else []
    return "\n".join(lines)


def _written(decision: e.CallDecision, name: str) -> str:
    line = f"{'approve' if decision.approve else 'decline'} {name}"
    if decision.approve and decision.arguments:
        line += f" {json.dumps(decision.arguments, ensure_ascii=False)}"
    return f"{line}; because({decision.reason})" if decision.reason and not decision.approve else line
