"""Linking: checks a flow and compiles it to a machine, or reports every problem.

Names are resolved, guards and texts compiled, constants checked. It reads no file and runs no guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from turnwise.core.language import LANGUAGES, language_of, phrase_kind
from turnwise.core.link import fields, forms, names, nodes, transitions, unsupported
from turnwise.core.link import fields as derived
from turnwise.core.link.builder import Builder
from turnwise.core.link.suppression import doubtful
from turnwise.core.machine import Machine
from turnwise.core.values import Rules
from turnwise.core.zones import is_zone, zone_hint
from turnwise.errors import WrongArgument
from turnwise.flow.code import PythonGuard, guards_of
from turnwise.flow.diagnostic import Diagnostic, FlowError, Span, has_errors, in_order, nearest, problem
from turnwise.flow.model import Flow
from turnwise.flow.type_check import check_types

_ASIDE = ("TW017", "TW042", "TW046", "TW048")
"""Errors in spite of which every guard and target is known."""


def link(flow: Flow, code: Iterable[PythonGuard] = ()) -> Machine:
    """The machine of a flow. Raises `FlowError` with every problem."""
    if not isinstance(flow, Flow):  # pyright: ignore[reportUnnecessaryIsInstance]  who calls may not check types
        raise WrongArgument("flow", flow, "a Flow, as load gives it")
    supplied = list(code)
    for given in supplied:
        if not isinstance(given, PythonGuard):  # pyright: ignore[reportUnnecessaryIsInstance]  the same
            raise WrongArgument("code", given, "functions that are guards: @tw.guard")
    machine, diagnostics = examine(flow, supplied)
    if machine is None or has_errors(diagnostics):
        raise FlowError(diagnostics)
    return machine


def examine(
    flow: Flow, code: Iterable[PythonGuard] = (), found: Iterable[Diagnostic] = ()
) -> tuple[Machine | None, list[Diagnostic]]:
    """The machine, where every guard and target is known, and every problem in the order of the document. It
    may run where none of these is an error. What reading the document `found` is not said again, nor what may
    only follow from it.
    """
    flow, wrong = check_types(flow)
    supplied = [*code, *guards_of(flow)]
    functions = _by_name(supplied)
    rules = _rules(flow)
    doubts = doubtful(flow, [*found, *wrong])
    builder = Builder(flow, rules, names.declared(flow, rules, doubts), functions, doubts)
    builder.diagnostics += [*wrong, *_settings(flow), *_twins(supplied)]
    names.check(builder)
    unsupported.check(builder)
    machine = _linked(builder)
    diagnostics = in_order(builder.diagnostics)
    if doubts or any(one.severity == "error" and one.code not in _ASIDE for one in diagnostics):
        return None, diagnostics
    return replace(machine, warnings=tuple(diagnostics)), diagnostics


def _linked(builder: Builder) -> Machine:
    """The machine of all that could be linked; what could not is among the builder's diagnostics."""
    flow = builder.flow
    linked_fields = fields.link_fields(builder)
    derived_fields = derived.link_derived(builder)
    flow_candidates = transitions.of_flow(builder)
    enter_candidates = transitions.of_entering(builder)
    linked_nodes = {node.name: nodes.link_node(builder, node) for node in flow.nodes}
    fallback = builder.template(flow.fallback or builder.rules.language.text("fallback"), flow.span.of("fallback"))
    return Machine(
        flow=flow,
        language=builder.rules.language,
        rules=builder.rules,
        names=builder.names,
        fields=linked_fields.fields,
        validators=linked_fields.validators,
        tools=builder.tools,
        nodes=linked_nodes,
        flow_candidates=flow_candidates,
        enter_candidates=enter_candidates,
        forms_of=forms.by_field(linked_nodes),
        fallback=fallback,
        code=builder.code,
        derived=derived_fields,
    )


def _by_name(supplied: list[PythonGuard]) -> dict[str, PythonGuard]:
    """The functions by name; of two with one name the one that was given first."""
    functions: dict[str, PythonGuard] = {}
    for guard in supplied:
        functions.setdefault(guard.name, guard)
    return functions


def _twins(supplied: list[PythonGuard]) -> list[Diagnostic]:
    """Functions that share a name with another one, each at its own place."""
    by_name: dict[str, dict[int, PythonGuard]] = {}
    for guard in supplied:
        by_name.setdefault(guard.name, {})[id(guard.original or guard.function)] = guard
    hint = "give one of them a name: @guard(name=…)"
    return [
        problem("TW017", f"two functions are called '{name}'", Span(guard.file, guard.line, 1), hint)
        if guard.line
        else problem("TW017", f"two functions are called '{name}'", hint=hint)
        for name, twins in by_name.items()
        for guard in list(twins.values())[1:]
    ]


def _rules(flow: Flow) -> Rules:
    code = flow.language if flow.language in LANGUAGES else "en"
    zone = flow.time_zone if is_zone(flow.time_zone) else "UTC"
    return Rules(language_of(code, _own(flow.texts)), zone, flow.limits.strings, flow.limits.lists)


def _own(texts: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in texts.items() if isinstance(value, str) or _is_phrases(value)}


def _is_phrases(value: object) -> bool:
    """True for a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)  # pyright: ignore[reportUnknownVariableType]


def _settings(flow: Flow) -> list[Diagnostic]:
    """Language, time zone, and texts of its own."""
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
    return found
