"""Links a flow: compiles it to a machine, or reports everything that is wrong with it.

Names are resolved, guards and texts compiled, constants checked. It reads no file and runs no guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import force_setattr

from turnwise.core.answers import AnswerFields
from turnwise.core.language import LANGUAGES
from turnwise.core.link import (
    approvals,
    budgets,
    external_events,
    fields,
    frames,
    item_questions,
    names,
    nodes,
    overlays,
    schedules,
    settings,
    tools,
)
from turnwise.core.link.builder import Builder
from turnwise.core.link.items import with_items
from turnwise.core.link.question_lists import with_lists
from turnwise.core.link.spans import unreadable_parts
from turnwise.core.locale import language_for
from turnwise.core.machine import LinkedNode, Machine
from turnwise.errors import WrongArgument
from turnwise.flow.code import PythonGuard, guards_of
from turnwise.flow.diagnostic import NOWHERE, Diagnostic, FlowError, Span, has_errors, in_order, problem
from turnwise.flow.model import Field, Flow
from turnwise.flow.type_check import check_types

_HARMLESS = ("TW017", "TW042", "TW046", "TW048")
"""Errors that leave every guard and target known, so that the checks can run."""


def link(flow: Flow, code: Iterable[PythonGuard] = ()) -> Machine:
    """Compile a flow to its machine, with the Python guards that it names in `code`. Raises `FlowError` with all
    diagnostics.
    """
    if not isinstance(flow, Flow):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may not check types
        raise WrongArgument("flow", flow, "a Flow, as load gives it")
    supplied = list(code)
    for guard in supplied:
        if not isinstance(guard, PythonGuard):  # pyright: ignore[reportUnnecessaryIsInstance]  the same
            raise WrongArgument("code", guard, "functions that are guards: @tw.guard")
    machine, diagnostics = link_with_diagnostics(flow, supplied)
    if machine is None or has_errors(diagnostics):
        raise FlowError(diagnostics)
    return machine


def link_with_diagnostics(
    flow: Flow, code: Iterable[PythonGuard] = (), found: Iterable[Diagnostic] = ()
) -> tuple[Machine | None, list[Diagnostic]]:
    """Return the machine, `None` if parts cannot be linked, and all diagnostics in document order; `code` has the
    Python guards that the flow names. The machine may run if none of these is an error. Diagnostics in `found`, from
    reading the document, and errors that may only follow from them, are not repeated.
    """
    flow, wrong = check_types(flow)
    flow = with_items(flow)
    supplied = [*code, *guards_of(flow)]
    functions = {guard.name: guard for guard in reversed(supplied)}  # of two with one name, the first
    unreadable = unreadable_parts(flow, [*found, *wrong])

    def linked_in(language: str = "") -> tuple[Machine, list[Diagnostic]]:
        rules = settings.rules_in(flow, language)
        builder = Builder(flow, rules, names.declared_names(flow, rules, unreadable), functions, unreadable)
        builder.diagnostics += [*wrong, *settings.settings_faults(flow), *_twins(supplied)]
        names.check_names(builder)
        return _linked(builder), builder.diagnostics

    machine, diagnostics = _in_each_language(linked_in) if settings.is_computed(flow) else linked_in()
    diagnostics = in_order(dict.fromkeys(diagnostics))  # a record is linked in each scope that returns it
    if unreadable or any(one.severity == "error" and one.code not in _HARMLESS for one in diagnostics):
        return None, diagnostics
    for one in machine.languages.values() or (machine,):
        force_setattr(one, "warnings", tuple(diagnostics))
    return machine, diagnostics


def _in_each_language(
    linked_in: Callable[[str], tuple[Machine, list[Diagnostic]]],
) -> tuple[Machine, list[Diagnostic]]:
    """Link a flow once for each language that its conversations may be in. Return the machine of the language in which
    they begin, and what any of them reports.
    """
    linked = {code: linked_in(code) for code in LANGUAGES}
    machines = {code: machine for code, (machine, _) in linked.items()}
    diagnostics: list[Diagnostic] = []
    for _, found in linked.values():
        diagnostics += [one for one in found if one not in diagnostics]
    for machine in machines.values():
        force_setattr(machine, "languages", machines)
    first = language_for(next(iter(machines.values())), {})
    return machines[first], diagnostics


def _linked(builder: Builder) -> Machine:
    """Return the machine of all parts that could be linked; the builder has diagnostics for the others."""
    flow = builder.flow
    speaks = settings.link_language(builder)
    approvals.link_approvals(builder)
    tools.check_tools(builder, frozenset(tools.records_inside(flow.nodes)) - builder.names.records.keys())
    linked = frames.link_flow(builder)
    item_questions.check_shared(builder, linked.nodes.values())
    fields.check_tools(builder)
    fallback, span = flow.fallback or builder.rules.language.text("fallback"), flow.span.of("fallback")
    return Machine(
        flow=flow,
        language=builder.rules.language,
        rules=builder.rules,
        names=frames.all_names(builder.names, linked),
        fields=AnswerFields(linked.fields) if _has_answers(linked.fields.values()) else linked.fields,
        validators=linked.validators,
        refusals=linked.refusals,
        tools=builder.tools,
        events=external_events.link_events(builder),
        nodes=linked.nodes,
        forms_of=_forms_of(linked.nodes),
        fallback=builder.template(fallback, span, is_said=False),
        code=builder.code,
        person=nodes.link_person(builder, flow.person),
        derived=linked.derived,
        secret_results=tools.secret_results(linked.fields, linked.nodes),
        time_zone=settings.link_time_zone(builder),
        schedules=schedules.link_schedules(builder, linked.scopes) if flow.schedules else {},
        scopes=linked.scopes,
        join_lists=with_lists if linked.option_sources or _has_answers(linked.fields.values()) else None,
        option_sources=linked.option_sources,
        speaks=speaks,
        budgets=budgets.link_budgets(builder),
        prices=budgets.link_prices(flow.limits.prices),
        overlays=overlays.link_overlays(builder) if flow.overlays else {},
    )


def _forms_of(nodes: Mapping[str, LinkedNode]) -> dict[str, tuple[str, ...]]:
    """Return the nodes whose forms ask for a field, by its address."""
    forms_of: dict[str, tuple[str, ...]] = {}
    for name, node in nodes.items():
        for question in node.form.questions if node.form else ():
            forms_of[question.address] = (*forms_of.get(question.address, ()), name)
    return forms_of


def _has_answers(fields: Iterable[Field]) -> bool:
    return any(field.type == "answers" for field in fields)


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
