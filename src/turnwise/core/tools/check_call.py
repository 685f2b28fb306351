"""Checks a tool call when it arrives (law 3.6): whether it is allowed now, and its arguments."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.decision.faults import RefusedCall
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.state import State
from turnwise.core.state.effects import Call
from turnwise.core.toolbox import LinkedTool
from turnwise.core.tools.offered import choices, in_sequence, now_in_sequence
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.from_model import as_declared
from turnwise.flow.diagnostic import nearest, nearest_name


def refusal(machine: Machine, state: State, call: Call) -> RefusedCall | None:
    """Return why a tool call of a model is refused now, worded for that model; `None` if it is allowed."""
    if call.wrong:
        return RefusedCall("not_json", f"the arguments cannot be read: {call.wrong}")
    node = machine.nodes[state.frame.node]
    if call.tool.startswith(CHOICE_PREFIX) and call.tool not in machine.tools:
        return _choice(machine, state, call.tool)
    if call.tool not in node.toolbox.specs:
        return _outside(machine, state, node, call.tool)
    if node.toolbox.sequence and not in_sequence(node, state, call.tool):
        now = " or ".join(now_in_sequence(node, state))
        return RefusedCall("out_of_sequence", f"'{call.tool}' is not next in the order of tools here; use {now} first")
    return fork_refusal(machine, state, call.tool) if state.is_bound else None


def fork_refusal(machine: Machine, state: State, tool: str) -> RefusedCall | None:
    """Return the refusal of a tool with side effects in a fork, unless it was made with `effects` (law 6.9)."""
    declared = machine.tools.get(tool)
    if not state.is_bound or declared is None or declared.tool.kind != "effect":
        return None
    return RefusedCall("fork", f"'{tool}' changes the world, and this conversation is a copy that may not")


def _choice(machine: Machine, state: State, tool: str) -> RefusedCall | None:
    open_now = [CHOICE_PREFIX + local_name(candidate.target) for candidate in choices(machine, state)]
    if tool in open_now:
        return None
    others = f"; these are open: {', '.join(open_now)}" if open_now else ""
    return RefusedCall("not_open", f"'{tool}' is not open now{others}")


def _outside(machine: Machine, state: State, node: LinkedNode, tool: str) -> RefusedCall:
    """Refuse a tool that the node does not allow, or that does not exist."""
    own = [name for name in node.toolbox.specs if in_sequence(node, state, name)]
    own += [CHOICE_PREFIX + local_name(candidate.target) for candidate in choices(machine, state)]
    others = f"; available are: {', '.join(own)}" if own else "; none is available"
    if tool in machine.names.tools:
        return RefusedCall("not_allowed", f"'{tool}' is not allowed here{others}")
    shown = tool[:60]
    near = nearest_name(shown, own)
    return RefusedCall(
        "unknown_tool", f"there is no tool '{shown}'{others}" + (f". Did you mean '{near}'?" if near else "")
    )


def read_arguments(
    tool: LinkedTool, given: dict[str, Any], rules: Rules, *, by_model: bool = False
) -> dict[str, Any] | RefusedCall:
    """Return the arguments `given` in canonical form, or a refusal that lists all errors in them. What a model
    (`by_model`) sends as text is read as JSON of the declared type.
    """
    found, wrong = wrong_arguments(tool, given, rules, by_model=by_model)
    return _refused(wrong) if wrong else found


def wrong_arguments(
    tool: LinkedTool, given: dict[str, Any], rules: Rules, *, by_model: bool = False
) -> tuple[dict[str, Any], list[Refused]]:
    """Return the arguments in canonical form, with defaults, and the refusals of wrong or missing ones. `by_model`: the
    values are as a model sends them.
    """
    found, wrong = _given(tool, given, rules, by_model=by_model)
    for name, field in tool.args.items():
        if name not in found and field.default is not None:
            found[name] = field.default
        elif name not in found and not field.optional and given.get(name) is None:
            wrong.append(Refused("arguments", f"{name} is missing", subject=name))
    return found, wrong


def _refused(wrong: list[Refused]) -> RefusedCall:
    """Join the refusals of several arguments into one; the subject is the first argument."""
    text = "; ".join(one.text for one in wrong)
    return RefusedCall("arguments", text, wrong[0].subject, wrong[0].value, wrong[0].bound)


def reported_arguments(tool: LinkedTool, given: dict[str, Any], rules: Rules) -> dict[str, Any] | RefusedCall:
    """Return the arguments of a tool use that the host reports, in canonical form, or a refusal.
    It may omit some, and may report any if the tool declares none.
    """
    found, wrong = _given(tool, given, rules) if tool.args else (given, [])
    return _refused(wrong) if wrong else found


def too_long(length: int, most: int) -> str:
    """Return in words that a result of `length` characters is longer than `most` (`result_chars`); empty if
    it is not.
    """
    return f"the result is {length:,} characters long, and {most:,} are allowed (result_chars)" if length > most else ""


def _given(
    tool: LinkedTool, given: dict[str, Any], rules: Rules, *, by_model: bool = False
) -> tuple[dict[str, Any], list[Refused]]:
    """Return the arguments that are present in canonical form, and the refusals of the others."""
    wrong: list[Refused] = []
    found: dict[str, Any] = {}
    for name, value in given.items():
        taken = _argument(tool, name, value, rules, by_model=by_model)
        if type(taken) is Refused:
            wrong.append(replace(taken, subject=name[:60], value=value))
        elif taken is not None:
            found[name] = taken
    return found, wrong


def _argument(tool: LinkedTool, name: str, value: Any, rules: Rules, *, by_model: bool) -> Any:
    """Return one argument in canonical form. `None` counts as absent; a text or a list may be empty."""
    field = tool.args.get(name)
    if field is None:
        shown = name[:60]
        return Refused("unknown_argument", f"there is no argument '{shown}'; {nearest(shown, tool.args)}".rstrip("; "))
    if by_model:
        value = as_declared(field, value, rules)
        if type(value) is Refused:
            return replace(value, text=f"{name}: {value.text}")
    if value is None or (value == "" and field.type == "string" and not field.options):
        return value
    if value == [] and field.type == "list" and not field.min:
        return value
    taken = read_value(field, value, rules)
    return replace(taken, text=f"{name}: {taken.text}") if type(taken) is Refused else taken
