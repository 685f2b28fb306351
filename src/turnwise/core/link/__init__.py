"""Links a flow: compiles it to a machine, or reports everything that is wrong with it.

Names are resolved, guards and texts compiled, constants checked. It reads no file and runs no guard.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from turnwise.core.language import LANGUAGES, language_of, phrase_kind
from turnwise.core.link import approvals, fields, names, nodes, tools, transitions
from turnwise.core.link.builder import Builder, unreadable_parts
from turnwise.core.machine import Machine
from turnwise.core.values import Rules
from turnwise.core.zones import is_zone, zone_hint
from turnwise.errors import WrongArgument
from turnwise.flow.code import PythonGuard, guards_of
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, FlowError, Span, has_errors, in_order, nearest, problem
from turnwise.flow.model import Flow
from turnwise.flow.type_check import check_types

_HARMLESS = ("TW017", "TW042", "TW046", "TW048")
"""Errors that leave every guard and target known, so that the checks can run."""


def link(flow: Flow, code: Iterable[PythonGuard] = ()) -> Machine:
    """Compile a flow to its machine. Raises `FlowError` with all diagnostics."""
    if not isinstance(flow, Flow):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
        raise WrongArgument("flow", flow, "a Flow, as load gives it")
    supplied = list(code)
    for guard in supplied:
        if not isinstance(guard, PythonGuard):  # pyright: ignore[reportUnnecessaryIsInstance]  the same
            raise WrongArgument("code", guard, "functions that are guards: @tw.guard")
    machine, diagnostics = examine(flow, supplied)
    if machine is None or has_errors(diagnostics):
        raise FlowError(diagnostics)
    return machine


def examine(
    flow: Flow, code: Iterable[PythonGuard] = (), found: Iterable[Diagnostic] = ()
) -> tuple[Machine | None, list[Diagnostic]]:
    """Return the machine, `None` if parts cannot be linked, and all diagnostics in document order.

    The machine may run if none of these is an error. Diagnostics in `found`, from reading the document, and errors that
    may only follow from them, are not repeated.
    """
    flow, wrong = check_types(flow)
    supplied = [*code, *guards_of(flow)]
    functions = {guard.name: guard for guard in reversed(supplied)}  # of two with one name, the first
    rules = _rules(flow)
    unreadable = unreadable_parts(flow, [*found, *wrong])
    builder = Builder(flow, rules, names.declared(flow, rules, unreadable), functions, unreadable)
    builder.diagnostics += [*wrong, *_settings(flow), *_twins(supplied)]
    names.check(builder)
    machine = _linked(builder)
    diagnostics = in_order(builder.diagnostics)
    if unreadable or any(one.severity == "error" and one.code not in _HARMLESS for one in diagnostics):
        return None, diagnostics
    return replace(machine, warnings=tuple(diagnostics)), diagnostics


def _linked(builder: Builder) -> Machine:
    """Return the machine of all parts that could be linked; the builder has diagnostics for the others."""
    flow = builder.flow
    approvals.link_approvals(builder)
    linked_fields = fields.link_fields(builder)
    derived_fields = fields.link_derived(builder)
    flow_candidates = transitions.of_flow(builder)
    enter_candidates = transitions.of_entering(builder)
    for tool in flow.tools:
        tools.check_destination(builder, tool.into, tool.span.of("into"))
    linked_nodes = {node.name: nodes.link_node(builder, node) for node in flow.nodes}
    forms_of: dict[str, tuple[str, ...]] = {}
    for name, node in linked_nodes.items():
        for question in node.form.questions if node.form else ():
            forms_of[question.address] = (*forms_of.get(question.address, ()), name)
    fallback = builder.template(
        flow.fallback or builder.rules.language.text("fallback"), flow.span.of("fallback"), is_said=False
    )
    return Machine(
        flow=flow,
        language=builder.rules.language,
        rules=builder.rules,
        names=builder.names,
        fields=linked_fields.fields,
        validators=linked_fields.validators,
        refusals=linked_fields.refusals,
        tools=builder.tools,
        nodes=linked_nodes,
        flow_candidates=flow_candidates,
        enter_candidates=enter_candidates,
        forms_of=forms_of,
        fallback=fallback,
        code=builder.code,
        person=nodes.link_person(builder, flow.person),
        derived=derived_fields,
        secret_results=tools.secret_results(linked_fields.fields, linked_nodes),
    )


def _twins(supplied: list[PythonGuard]) -> list[Diagnostic]:
    """Report Python guards that share a name."""
    by_name: dict[str, dict[int, PythonGuard]] = {}
    for guard in supplied:
        by_name.setdefault(guard.name, {})[id(guard.original or guard.function)] = guard
    hint = "give one of them a name: @guard(name=…)"
    return [
        problem(
            "TW017",
            f"two functions are called '{name}'",
            Span(guard.file, guard.line, 1) if guard.line else NOWHERE,
            hint,
        )
        for name, twins in by_name.items()
        for guard in list(twins.values())[1:]
    ]


def _rules(flow: Flow) -> Rules:
    code = flow.language if flow.language in LANGUAGES else "en"
    zone = flow.time_zone if is_zone(flow.time_zone) else "UTC"
    own = {key: value for key, value in flow.texts.items() if isinstance(value, str) or _is_phrases(value)}
    return Rules(language_of(code, own), zone, flow.limits.strings, flow.limits.lists)


def _is_phrases(value: object) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)  # pyright: ignore[reportUnknownVariableType]


def _settings(flow: Flow) -> list[Diagnostic]:
    """Report an unknown language or time zone, and keys in `texts` that replace no fixed text."""
    found: list[Diagnostic] = []
    if flow.language not in LANGUAGES:
        span, hint = flow.span.of("language"), nearest(flow.language, LANGUAGES)
        found.append(problem("TW027", f"there are no phrases for the language '{flow.language}'", span, hint))
    if not is_zone(flow.time_zone):
        span, hint = flow.span.of("time_zone"), zone_hint(flow.time_zone)
        found.append(problem("TW028", f"'{flow.time_zone}' is no time zone", span, hint))
    texts, phrases = LANGUAGES.get(flow.language, LANGUAGES["en"])
    for key, value in flow.texts.items():
        span = flow.span.of(f"texts.{key}")
        is_text, is_list = key in texts, phrase_kind(key, phrases) != ""
        if not is_text and not is_list:
            found.append(problem("TW025", f"no fixed text is called '{key}'", span, nearest(key, [*texts, *phrases])))
        elif not (is_text and isinstance(value, str)) and not (is_list and _is_phrases(value)):
            kinds = [kind for kind, holds in (("one text", is_text), ("a list of phrases", is_list)) if holds]
            found.append(problem("TW025", f"'{key}' takes {' or '.join(kinds)}", span))
        elif isinstance(value, str) and "{{" in value:
            found.append(problem("TW025", f"'{key}' is a fixed text, and no template", span, "leave the braces out"))
    return found
