"""Rules about scopes whose words are erased: what keeps them nevertheless."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CheckedFlow, Texts
from turnwise.core.addresses import local_name, scope_of
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.machine import Machine
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import syntax as s
from turnwise.flow.model import Field, Scope


def check_kept(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW100: report a summary, or a returned text of a scope, that contains words which the scope's `keep` erases."""
    for scope in checked.machine.scopes.values():
        if scope.scope is not None and scope.keep_ms is not None:
            yield from _in_summary(checked.machine, scope, scope.scope)
            yield from _in_result(checked.machine, scope, scope.scope)


_ASKING = frozenset(("form", "prompt", "person"))
"""The works of nodes that wait for the user, or for a person."""


def check_closing(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW120: report a scope with `keep` that stays open when its user leaves, so that its words are never erased."""
    machine = checked.machine
    for name, scope in machine.scopes.items():
        waits = any(scope_of(node) == name and one.work in _ASKING for node, one in machine.nodes.items())
        if scope.scope is not None and scope.keep_ms is not None and scope.idle_ms is None and waits:
            message = f"'keep' counts from the closing of '{local_name(name)}', which stays open where its user leaves"
            yield problem("TW120", message, scope.scope.span.of("keep"), "add 'limits: {idle: 1d}'")


def _in_summary(machine: Machine, scope: LinkedScope, of: Scope) -> Iterator[Diagnostic]:
    span, name = of.span.of("summary"), local_name(scope.name)
    if scope.summary_prompt is not None:
        message = f"a model writes the summary of '{name}', from words that 'keep' erases"
        yield problem("TW100", message, span, "use a template that names no free text")
        return
    parts = (part for text, *_ in Texts(of.summary, scope.names).expressions for part in s.walk(text))
    read = {
        f"{part.of.name}.{part.name}" for part in parts if isinstance(part, s.Select) and isinstance(part.of, s.Name)
    }
    for field in sorted(one for one in read if _is_free(machine.fields.get(one))):
        message = f"the summary of '{name}' has the free text '{field}', from words that 'keep' erases"
        yield problem("TW100", message, span, "leave it out of the summary")


def _in_result(machine: Machine, scope: LinkedScope, of: Scope) -> Iterator[Diagnostic]:
    free = [f"'{one.outside}'" for one in scope.returned if _is_free(machine.fields.get(one.inside))]
    if free:
        stay = "is a free text" if len(free) == 1 else "are free texts"
        message = f"{', '.join(free)} {stay} that '{local_name(scope.name)}' returns, from words that 'keep' erases"
        yield problem("TW100", message, of.span.of("returns"), "return a choice or a number")


def _is_free(field: Field | None) -> bool:
    """Return whether a field takes any text."""
    return field is not None and field.type == "string" and not field.options
