"""Shared by all parts of linking: known names, compilation of guards and texts, diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from turnwise.core.formatting import Place as Reading
from turnwise.core.formatting import for_models, for_people, formatter
from turnwise.core.guards import Env, GuardFault, Ref
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.hints import impossible_constants
from turnwise.core.guards.scope import TIME_ZONE, Names, Reads, Root, time_zone
from turnwise.core.guards.types import comparable, named, to_stored, type_of
from turnwise.core.link.suppression import Place, place_of
from turnwise.core.machine import Evaluate, Guard, LinkedTool, Template
from turnwise.core.state.effects import ToolSpec
from turnwise.core.values import REDACTED, Refused, Rules, is_free_text, read_value
from turnwise.core.values.schema import object_schema
from turnwise.flow import model
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic, Span, nearest, problem
from turnwise.flow.guard import Expression, GuardError, conditions, parse
from turnwise.flow.guard.syntax import Name, walk
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Tool
from turnwise.flow.template import Hole, parse_template


def link_tools(tools: tuple[Tool, ...]) -> dict[str, LinkedTool]:
    """The declared tools by name."""
    return {tool.name: _linked(tool) for tool in tools}


def _linked(tool: Tool) -> LinkedTool:
    spec = ToolSpec(tool.name, tool.about, object_schema(tool.args))
    return LinkedTool(tool, {arg.name: arg for arg in tool.args}, spec)


TEMPLATE_ROOTS: dict[str, Root] = {
    "form.number": Root("int", lambda _state: None),
    "form.total": Root("int", lambda _state: None),
    "form.progress": Root("int", lambda _state: None),
}
"""What a form's texts may read beside the roots of guards; the form tells them when it speaks."""

Fill = Callable[[Env], str | None]
Part = str | Fill
GAP = "…"
"""What stands for a missing value in a text that is told before all is known."""

_WORDS = late_pattern(r"[\w .,;:'’-]+")


class Builder:
    """One linking under way."""

    def __init__(
        self,
        flow: model.Flow,
        rules: Rules,
        names: Names,
        code: Mapping[str, PythonGuard],
        doubts: frozenset[Place] = frozenset(),
    ) -> None:
        self.flow = flow
        self.doubts = doubts
        self.rules = rules
        self.names = names
        self.declared = frozenset(tool.name for tool in flow.tools)
        self.text_names = Names(
            names.records,
            TEMPLATE_ROOTS,
            names.tools,
            names.nodes,
            names.overlays,
            bare=names.bare,
            unsure=names.unsure,
        )
        self.code = code
        self.tools = link_tools(flow.tools)
        self.diagnostics: list[Diagnostic] = []
        self.flow_texts: dict[str, Template | None] = {}
        self.names_of_flow: set[str] = set()

    def doubts_of(self, span: Span) -> bool:
        """True if what begins at a place could not be read in full."""
        return place_of(span) in self.doubts

    def report(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Note a problem."""
        self.diagnostics.append(problem(code, message, span, hint))

    def fault(self, error: GuardError, span: Span) -> None:
        """Note what is wrong in a guard or text that begins at `span`."""
        self.report(error.code, error.message, span.shifted(error.at), error.hint)

    # guards ----------------------------------------------------------------------------------

    def guard(self, when: model.Guard, span: Span, sequence: tuple[model.SequencePosition, ...] = ()) -> Guard | None:
        """A guard as written, compiled; `None` where there is none, or where it is wrong."""
        if not when:
            return None
        if isinstance(when, str):
            try:
                tree = parse(when)
            except GuardError as error:
                self.fault(error, span)
                return None
            return self.compiled(tree, span, lambda error: self.fault(error, span))
        tree = conditions.tree_of(when, sequence)
        if isinstance(tree, list):
            self.diagnostics += tree
            return None
        place = when[0].span if len(when) == 1 else span
        return self.compiled(tree, place, lambda error: self.wrong_condition(when, error))

    def wrong_condition(self, when: Sequence[model.Condition], error: GuardError) -> None:
        """Note what is wrong in the tree of some conditions."""
        if not conditions.is_of_sequence(when, error):
            self.report(error.code, error.message, conditions.place_of(when, error), error.hint)

    def compiled(self, expression: Expression, span: Span, note: Callable[[GuardError], None]) -> Guard | None:
        """A guard's tree, compiled; `None` where something in it is wrong, and all of that is noted."""
        faults: list[GuardError] = []
        compiler = Compiler(self.names, faults=faults)
        test = compiler.condition(expression)
        for fault in faults or impossible_constants(expression):
            note(fault)
        return None if faults else Guard(expression, test, tuple(compiler.reads.refs.values()), span)

    # texts -----------------------------------------------------------------------------------

    def template(self, text: str, span: Span) -> Template:
        """A text with its holes, compiled; a wrong one is reported and stands as it is."""
        return _filled(self.parts(text, span))

    def statement(self, text: str, span: Span) -> tuple[Template, Template] | None:
        """A text that is also told while values are missing, and how it is told then: with gaps that show."""
        parts = self.parts(text, span)
        return (_filled(parts), _filled(parts, GAP)) if text else None

    def parts(self, text: str, span: Span, *, is_prompt: bool = False) -> Sequence[Part]:
        """The fixed and the open parts of a text; a wrong text is reported, and is one fixed part."""
        if "{{" not in text:
            return (text,)
        faults: list[GuardError] = []
        parts = [
            part if isinstance(part, str) else self.hole(part, span, is_prompt=is_prompt)
            for part in parse_template(text, faults)
        ]
        for fault in faults:
            self.fault(fault, span)
        return (text,) if faults else parts

    def prompt(self, text: str, span: Span) -> Template:
        """A text for a model, whose dates and times are in ISO form."""
        return _filled(self.parts(text, span, is_prompt=True))

    def optional(self, text: str, span: Span) -> Template | None:
        """The template of a text, `None` where there is no text."""
        return self.template(text, span) if text else None

    def of_flow(self, key: str) -> Template | None:
        """The persona or prompt of the flow itself, compiled once for all nodes."""
        if key not in self.flow_texts:
            text: str = getattr(self.flow, key)
            self.flow_texts[key] = self.prompt(text, self.flow.span.of(key)) if text else None
        return self.flow_texts[key]

    def hole(self, hole: Hole, span: Span, *, is_prompt: bool) -> Fill:
        """What stands in a hole, as people read it: `None` for a missing value, or an error. A secret is
        not told.
        """
        faults: list[GuardError] = []
        term = Compiler(self.text_names, faults=faults).term(hole.expression)
        for fault in faults or impossible_constants(hole.expression):
            self.fault(fault, span.shifted(hole.at))
        if faults:
            return lambda _env: None
        written = self.writer(hole, term.type, span, is_prompt=is_prompt)
        is_secret = reads_secret(self.names, hole.expression)
        if is_secret:
            message = f"this would tell a secret, and stands as {REDACTED}"
            self.report("TW047", message, span.shifted(hole.at), "has() may be told")

        def fill(env: Env) -> str | None:
            try:
                value = term.run(env)
            except (GuardFault, OverflowError):
                return None
            if value is None:
                return None
            return REDACTED if is_secret else written(value, env)

        return fill

    def writer(self, hole: Hole, kind: str, span: Span, *, is_prompt: bool) -> Callable[[Any, Env], str]:
        """How the value of a hole becomes text: by its format, else in ISO form for models, else for people."""
        language = self.rules.language
        if hole.format is not None:
            try:
                of = formatter(hole.format, kind)
            except GuardError as error:
                self.fault(error, span.shifted(hole.at))
                return lambda _value, _env: ""
            return lambda value, env: of(value, Reading(language.code, _zone(env)))
        if is_prompt:
            return lambda value, _env: for_models(language, value)
        if kind in _WITH_ZONE:
            return lambda value, env: for_people(language, _zone(env), kind, value)
        return lambda value, _env: for_people(language, "UTC", kind, value)

    # values that are written -----------------------------------------------------------------

    def value(self, address: str, written: Any, span: Span, reads: Reads | None = None) -> Evaluate | None:
        """A constant or an expression that is written to a field; `None` where it is wrong. What an expression reads
        is noted in `reads`.
        """
        field = self.field(address, span)
        if field is not None and field.value:
            self.report("TW019", f"'{address}' is derived, and nothing writes it", span)
            return None
        return None if field is None else self.value_for(field, written, span, reads)

    def value_for(self, field: model.Field, written: Any, span: Span, reads: Reads | None = None) -> Evaluate | None:
        """A constant or an expression for a field, or for an argument of a tool; `None` where it is wrong."""
        if not isinstance(written, str):
            return self.constant(field, written, span)
        try:
            expression = parse(written)
        except GuardError as error:
            if _WORDS.fullmatch(written) and is_text(field):
                return self.constant(field, written, span)
            self.fault(error, span)
            return None
        if isinstance(expression, Name) and is_text(field):
            return self.constant(field, written, span)
        return self.expression(field, expression, span, reads)

    def constant(self, field: model.Field, written: Any, span: Span) -> Evaluate | None:
        """A constant in the field's canonical form; `null` clears."""
        if written is None:
            return lambda _env: None
        value = read_value(field, written, self.rules)
        if isinstance(value, Refused) and not self.doubts_of(field.span):
            hint = "a text of its own needs quotes inside, as in '\"basic\"'" if isinstance(written, str) else ""
            self.report("TW046", f"{written!r} cannot be stored in '{field.name}': {value.text}", span, hint)
            return None
        return lambda _env: value

    def derived(self, field: model.Field, text: str, span: Span) -> tuple[Evaluate, tuple[Ref, ...]] | None:
        """The expression of a derived field, and all that it reads."""
        reads = Reads()
        try:
            value = self.expression(field, parse(text), span, reads)
        except GuardError as error:
            self.fault(error, span)
            return None
        return None if value is None else (value, tuple(reads.refs.values()))

    def expression(
        self, field: model.Field, expression: Expression, span: Span, reads: Reads | None = None
    ) -> Evaluate | None:
        """An expression whose type fits the field; what it reads is noted in `reads`."""
        faults: list[GuardError] = []
        term = Compiler(self.names, reads, faults=faults).term(expression)
        for fault in faults:
            words = any(isinstance(part, Name) and fault.at == part.at for part in walk(expression))
            hint = fault.hint or ("a text of its own needs quotes inside, as in '\"basic\"'" if words else "")
            self.fault(GuardError(fault.code, fault.message, fault.at, hint), span)
        if faults:
            return None
        for fault in impossible_constants(expression):
            self.fault(fault, span)
        is_sure = not self.doubts_of(field.span)
        if is_sure and not comparable(term.type, type_of(field)) and term.type not in ("null", "string"):
            message = f"this is {named(term.type)}, and '{field.name}' takes {named(type_of(field))}"
            self.report("TW046", message, span, _converted(term.type, type_of(field)))
            return None
        if term.is_constant and is_sure and isinstance(term.constant, str) and term.constant.strip():
            return self.constant(field, term.constant, span)
        if reads_secret(self.names, expression) and not field.secret:
            message = f"'{field.name}' would hold a secret, and is told to everyone"
            self.report("TW047", message, span, f"make '{field.name}' secret")
        run = term.run
        return lambda env: to_stored(run(env))

    # names -----------------------------------------------------------------------------------

    def field(self, address: str, span: Span) -> model.Field | None:
        """The field at an address, or a report with the nearest name."""
        record, _, name = address.partition(".")
        fields = self.names.records.get(record)
        if fields is not None and name in fields:
            return fields[name]
        if not address and self.doubts:
            return None  # the document was found to lack it
        if fields is None:
            known = [f"{r}.{f}" for r, fs in self.names.records.items() for f in fs]
            known = known if "." in address else [*self.names.records, *known]
            hint = self.names.bare.get(address) or nearest(address, known)
            self.report("TW020", f"no field is called '{address}'", span, hint)
        elif not name:
            known = [f"{record}.{field}" for field in list(fields)[:4]]
            self.report("TW020", f"'{record}' is a record, name one of its fields", span, ", ".join(known))
        else:
            hint = nearest(name, fields)
            self.report("TW020", f"the record '{record}' has no field '{name}'", span, hint)
        return None

    def addresses(self, named_: tuple[str, ...], span: Span, key: str) -> tuple[str, ...]:
        """The addresses that a list of fields and whole records names."""
        found: dict[str, None] = {}
        for number, name in enumerate(named_):
            if name in self.names.records:
                fields = self.names.records[name]
                found.update(dict.fromkeys(f"{name}.{f}" for f in fields if key == "reads" or not fields[f].value))
                continue
            place = span.of(f"{key}.{number}")
            field = self.field(name, place)
            if field is not None and field.value and key != "reads":
                self.report("TW019", f"'{name}' is derived, and nothing writes it", place)
            elif field is not None:
                found[name] = None
        return tuple(found)


def _converted(kind: str, wanted: str) -> str:
    """How a value of one type becomes one of another, empty where nothing does that."""
    match kind, wanted:
        case "timestamp", "date" | "time":
            return f"take it from the moment: {wanted}(…)"
        case "date" | "time", "timestamp":
            return "make a moment of it: datetime(day, time)"
        case "date" | "time" | "timestamp" | "duration" | "int" | "double", "string":
            return "write it as a text: string(…)"
        case _:
            return ""


_WITH_ZONE = ("timestamp", "list:timestamp", "dyn")


def _zone(env: Env) -> str:
    return env.source.get(TIME_ZONE, time_zone) or "UTC"


def is_text(field: model.Field) -> bool:
    """True if a bare word may be meant as a constant for this field."""
    return is_free_text(field) or bool(field.options)


def _filled(parts: Sequence[Part], gap: str = "") -> Template:
    """The text of parts; `gap` stands where a value is missing."""
    if all(isinstance(part, str) for part in parts):
        text = "".join(part for part in parts if isinstance(part, str))
        return lambda _env: text
    return lambda env: "".join([part if isinstance(part, str) else _or(part(env), gap) for part in parts])


def _or(told: str | None, gap: str) -> str:
    return gap if told is None else told
