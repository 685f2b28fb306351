"""Checks the arguments of public methods when they are called.

An argument of the wrong kind raises `WrongArgument`, which says what the argument takes. Names that the flow or the
store does not know are refused later, where they are looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.core.machine import Machine
from turnwise.core.state.retention import Retention
from turnwise.core.values.nesting import TOO_DEEP, is_too_deep
from turnwise.errors import UnknownTransition, WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Flow

if TYPE_CHECKING:
    from turnwise.core.migration import Renaming


def check_name(argument: str, value: str) -> str:
    """Return a name, checked: a text that a store can keep and that is not blank.
    Raises `WrongArgument`, which calls it `argument`.
    """
    if not check_encodable(argument, value).strip():
        raise WrongArgument(argument, value, "a name that is not empty")
    return value


def check_optional_name(argument: str, value: str | None) -> str | None:
    """Return a name, checked, or `None`. Raises `WrongArgument`, which calls it `argument`."""
    return None if value is None else check_name(argument, value)


def check_flow(value: str, machine: Machine) -> str:
    """Return `value` if it is the name of the machine's flow: an app has no other flow. Raises `WrongArgument`."""
    if value != machine.flow.name:
        raise WrongArgument("flow", value, f"{machine.flow.name!r}, the flow of this app")
    return value


def check_text(argument: str, value: str) -> str:
    """Return the value of the argument with this name, checked to be a text (`str`). Raises `WrongArgument`."""
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
        raise WrongArgument(argument, value, "a str")
    return value


def check_encodable(argument: str, value: str) -> str:
    """Return the value of the argument with this name, checked to be a text without lone surrogates, which UTF-8 cannot
    encode.
    """
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
        raise WrongArgument(argument, value, "a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise WrongArgument(argument, value, "a text of whole letters") from None
    return value


def check_number(argument: str, value: int | None) -> int | None:
    """Return the value of the argument with this name, checked to be an integer or `None`. Raises `WrongArgument`."""
    if value is not None and (not is_instance(value, int) or is_instance(value, bool)):
        raise WrongArgument(argument, value, "an int or None")
    return value


def check_hypothesis(values: Mapping[str, Any] | None, rules: Mapping[str, str] | None, flow: Any) -> None:
    """Raise an error unless the suppositions of a what-if are valid: values by field, guards by transition, a flow."""
    for name, given, content in (("values", values, "fields to values"), ("rules", rules, "transitions to guards")):
        if given is not None and not is_instance(given, Mapping):
            raise WrongArgument(name, given, f"a mapping from {content}")
        for key in given or {}:
            check_text(f"a name in {name}", key)
            if is_too_deep((given or {})[key]):
                raise WrongArgument(f"{name}[{key!r}]", TOO_DEEP, "a value that is not nested so deeply")
    for name, rule in (rules or {}).items():
        check_text(f"rules[{name!r}]", rule)
    if flow is not None and not is_instance(flow, Flow | Machine):
        raise WrongArgument("flow", flow, "a Flow, as load gives it")


def check_machine(flow: Machine) -> None:
    """Raise `WrongArgument` unless the version that conversations are moved to is a machine."""
    if not is_instance(flow, Machine):
        raise WrongArgument("flow", flow, "a machine, as link gives it")


def check_renaming(renaming: Renaming | None) -> None:
    """Raise `WrongArgument` unless a value is a renaming of nodes, fields and overlays."""
    from turnwise.core.migration import Renaming

    if renaming is None:
        return
    if not is_instance(renaming, Renaming):
        raise WrongArgument("renaming", renaming, "a tw.Renaming")
    for name in ("nodes", "fields", "overlays"):
        given = getattr(renaming, name)
        if not is_instance(given, Mapping) or not all(is_instance(one, str) for pair in given.items() for one in pair):
            raise WrongArgument(f"renaming.{name}", given, "a mapping from old names to new ones")


def check_progress(progress: object) -> None:
    """Raise `WrongArgument` unless a value can be called with the progress of long work."""
    if progress is not None and not callable(progress):
        raise WrongArgument("progress", progress, "a function of two numbers: how many are done, and of how many")


def check_retention(retention: Retention) -> Retention:
    """Return a retention of events and decisions, checked. Raises `WrongArgument`."""
    if not is_instance(retention, Retention):
        raise WrongArgument("retention", retention, "a tw.Retention")
    return retention


def check_file(data: bytes) -> bytes:
    """Return the bytes of an exported conversation, checked to be bytes. Raises `WrongArgument`."""
    if not is_instance(data, bytes | bytearray):
        raise WrongArgument("data", data, "the bytes of a file, as export gives them")
    return data


def check_transition_known(machine: Machine, transition: str) -> None:
    """Raise `UnknownTransition` unless a transition of the flow has this name, or leads to a node of this name."""
    from turnwise.core.explain.now import transitions_named

    if transitions_named(machine, transition):
        return
    if transition in machine.nodes:
        raise UnknownTransition(transition, f"and none leads to the node {transition!r}")
    raise UnknownTransition(transition, nearest(transition, (*machine.transitions(), *machine.nodes)))


def is_instance(value: object, kind: Any) -> bool:
    """Return whether a value is an instance of a type; callers may not check types, so an annotation proves nothing."""
    return isinstance(value, kind)
