"""Shared state and services of linking: names, diagnostics, compilation of guards, texts and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from turnwise.core import template
from turnwise.core.addresses import addressed
from turnwise.core.answers import count_right_answers_in
from turnwise.core.candidates import Guard
from turnwise.core.guards import Evaluate, Ref
from turnwise.core.guards.compile import Compiler
from turnwise.core.guards.functions import reads_secret
from turnwise.core.guards.hints import impossible_constants
from turnwise.core.guards.scope import FORM_RIGHT, REPLY_TEXT, Names, Reads, Root
from turnwise.core.guards.types import comparable, conversion_hint, to_stored, type_of, type_words
from turnwise.core.link.spans import Place, place_of
from turnwise.core.link.texts import (
    MISSING_VALUE,
    NOT_SAID,
    TEMPLATE_ROOTS,
    are_words,
    fill_of,
    repeated_fill,
    takes_words,
    value_writer,
    with_own_format,
)
from turnwise.core.state.effects import ToolSpec
from turnwise.core.template import Template
from turnwise.core.toolbox import LinkedTool
from turnwise.core.values import REDACTED, Refused, Rules, read_value
from turnwise.core.values.schema import object_schema
from turnwise.flow import model
from turnwise.flow.addresses import split_name
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import Diagnostic, Span, nearest, problem
from turnwise.flow.guard import Expression, GuardError, conditions, parse, text_of
from turnwise.flow.guard.syntax import Name, walk
from turnwise.flow.template import TemplateExpression, TemplateLoop, parse_template

_QUOTES = "a constant text needs quotes inside, as in '\"basic\"'"


class Builder:
    """The shared state while a flow is linked (compiled): names, compiled parts and diagnostics."""

    def __init__(
        self,
        flow: model.Flow,
        rules: Rules,
        names: Names,
        code: Mapping[str, PythonGuard],
        unreadable: frozenset[Place] = frozenset(),
    ) -> None:
        self.flow = flow
        self.unreadable = unreadable
        self.rules = rules
        self.names = names
        self.declared = frozenset(tool.name for tool in flow.tools)
        self.with_scopes = [node for node in flow.nodes if node.scope is not None]
        self.text_names = replace(names, roots={**names.roots, **TEMPLATE_ROOTS})
        self.code = code
        self.tools = {
            tool.name: LinkedTool(
                tool,
                {arg.name: arg for arg in tool.args},
                ToolSpec(tool.name, tool.about, object_schema(tool.args)),
            )
            for tool in flow.tools
        }
        self.diagnostics: list[Diagnostic] = []
        self.flow_texts: dict[str, Template | None] = {}
        self.names_of_flow: set[str] = set()
        self.outer: Builder | None = None
        """What links the frame around the scope that is linked."""
        self.has_own_persona = False
        """True inside a scope whose node, or one around it, has a persona of its own."""

    @cached_property
    def fields(self) -> dict[str, model.Field]:
        """The fields that this part of the flow can name, by their full addresses in the state."""
        records = self.names.records.items()
        return {self.names.address(f"{record}.{name}"): field for record, of in records for name, field in of.items()}

    def is_unreadable(self, span: Span) -> bool:
        """Return whether an error was found when the part that begins at a span was read."""
        return place_of(span) in self.unreadable

    def report(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Add a diagnostic about the part of the flow at `span`."""
        self.diagnostics.append(problem(code, message, span, hint))

    def fault(self, error: GuardError, span: Span) -> None:
        """Add a diagnostic for an error in a guard or text that begins at `span`."""
        self.report(error.code, error.message, span.at_character(error.at), error.hint)

    # guards ----------------------------------------------------------------------------------

    def guard(self, when: model.Guard, span: Span, sequence: tuple[model.SequencePosition, ...] = ()) -> Guard | None:
        """Return the compiled guard; `None` if none or wrong (reported). `sequence` is for `sequence_match`."""
        if not when:
            return None
        if isinstance(when, str):
            try:
                tree = parse(when)
            except GuardError as error:
                self.fault(error, span)
                return None
            return self._compiled(tree, span, lambda error: self.fault(error, span))
        tree = conditions.tree_of(when, sequence)
        if isinstance(tree, list):
            self.diagnostics += tree
            return None
        place = when[0].span if len(when) == 1 else span

        def report(error: GuardError) -> None:
            # An unknown tool of the step's own sequence is reported at the sequence.
            if error.code != "TW021" or when[error.at].type != "sequence_match":
                self.report(error.code, error.message, conditions.place_of(when, error), error.hint)

        return self._compiled(tree, place, report)

    def reply_guard(self, when: model.Guard, span: Span) -> Guard | None:
        """Return the compiled guard on replies of models, which can read `reply.text` too; `None` as in `guard`."""
        if not when or not isinstance(when, str):
            return self.guard(when, span)
        names = replace(self.names, roots={**self.names.roots, REPLY_TEXT: Root("string", lambda _state: None)})
        try:
            return self._compiled(parse(when), span, lambda error: self.fault(error, span), names)
        except GuardError as error:
            self.fault(error, span)
            return None

    def _compiled(
        self, expression: Expression, span: Span, note: Callable[[GuardError], None], names: Names | None = None
    ) -> Guard | None:
        """Return the compiled tree of a guard; `None` if it has faults, which are all noted."""
        faults: list[GuardError] = []
        compiler = Compiler(names or self.names, faults=faults)
        test = compiler.condition(expression)
        for fault in faults or impossible_constants(expression, compiler.reads.refs, self.names.tools):
            note(fault)
        if faults:
            return None
        tree = addressed(expression, self.names) if self.names.prefix else expression
        return Guard(tree, test, tuple(compiler.reads.refs.values()), span)

    # texts -----------------------------------------------------------------------------------

    def template(self, text: str, span: Span, *, is_said: bool = True) -> Template:
        """Return the template of a text; report a wrong text and keep it as literal text. A text that is a part of
        something else, and not sent as such (`is_said` is false), can require no value.
        """
        return Template(self.parts(text, span, is_said=is_said))

    def statement(self, text: str, span: Span) -> tuple[Template, Template] | None:
        """Return two templates, one without and one with visible gaps for missing values; `None` for an empty text."""
        parts = self.parts(text, span, is_said=False)
        return (Template(parts), Template(parts, MISSING_VALUE)) if text else None

    def parts(
        self, text: str, span: Span, *, is_prompt: bool = False, is_said: bool = True
    ) -> Sequence[str | template.LinkedExpression]:
        """Return the fixed parts and `{{ }}` of a text; all of it as one part if it is wrong, which is reported."""
        if "{{" not in text:
            return (text,)
        return [part for part, _ in self.parts_with_holes(text, span, is_prompt=is_prompt, is_said=is_said)]

    def parts_with_holes(
        self, text: str, span: Span, *, is_prompt: bool = False, is_said: bool = True
    ) -> Sequence[tuple[str | template.LinkedExpression, TemplateExpression | None]]:
        """Return the parts of a text: fixed texts, and compiled expressions with the `{{ }}` that each comes from."""
        faults: list[GuardError] = []
        parts: list[tuple[str | template.LinkedExpression, TemplateExpression | None]] = []
        for part in parse_template(text, faults):
            if isinstance(part, str):
                parts.append((part, None))
                continue
            parts.append((self.compile_hole(part, span, is_prompt=is_prompt), part))
            if part.is_required and not is_said:
                self.report("TW038", NOT_SAID, span.at_character(part.at), "take '| required' out")
        for fault in faults:
            self.fault(fault, span)
        return [(text, None)] if faults else parts

    def prompt(self, text: str, span: Span) -> Template:
        """Return the template of a text for a model, which renders dates and times in ISO form."""
        return Template(self.parts(text, span, is_prompt=True))

    def optional(self, text: str, span: Span, *, is_said: bool = True) -> Template | None:
        """Return the template of a text, as `template` does; `None` if there is no text."""
        return self.template(text, span, is_said=is_said) if text else None

    def flow_text(self, key: str) -> Template | None:
        """Return the template of the flow's persona or prompt, compiled once for all nodes; `None` without one."""
        if key not in self.flow_texts:
            text: str = getattr(self.flow, key)
            self.flow_texts[key] = self.prompt(text, self.flow.span.of(key)) if text else None
        return self.flow_texts[key]

    def compile_hole(
        self, hole: TemplateExpression, span: Span, *, is_prompt: bool, within: Compiler | None = None
    ) -> template.LinkedExpression:
        """Return the compiled `{{ }}` of a text; report errors in it, and secrets, which are redacted.
        `within` compiles what stands in the loop around it.
        """
        faults: list[GuardError] = []
        compiler, place = Compiler(self.text_names, faults=faults), span.at_character(hole.at)
        if within is not None:
            compiler.variables, compiler.depth = within.variables, within.depth
        if hole.loop is not None:
            return self._loop(hole, hole.loop, span, compiler, is_prompt=is_prompt)
        term = compiler.term(hole.expression)
        for fault in faults or impossible_constants(hole.expression, compiler.reads.refs, self.names.tools):
            self.fault(fault, place)
        text = text_of(hole.expression)
        if faults:
            return template.LinkedExpression(lambda _env: None, text)
        try:
            shown = hole if is_prompt else with_own_format(hole, self.text_names)
            written = value_writer(shown, term.type, self.rules.language, is_prompt=is_prompt)
        except GuardError as error:
            self.fault(error, place)
            return template.LinkedExpression(lambda _env: "", text)
        is_secret = reads_secret(self.names, hole.expression)
        if is_secret:
            self.report("TW047", f"this is a secret, and is shown as {REDACTED}", place, "has() may be shown")
        fields = tuple([ref.address for ref in compiler.reads.refs.values() if ref.address])
        fill = fill_of(term.run, written, is_secret=is_secret)
        return template.LinkedExpression(fill, text, fields, place.line_text, hole.is_required)

    def _loop(
        self, hole: TemplateExpression, loop: TemplateLoop, span: Span, compiler: Compiler, *, is_prompt: bool
    ) -> template.LinkedExpression:
        """Return a compiled loop, with the compiled holes in it."""
        place, text = span.at_character(hole.at), text_of(hole.expression)
        try:
            compiler.faults = None
            group, inner = compiler.compile_loop(hole.expression, loop.item, loop.number, 0)
        except GuardError as error:
            self.fault(error, place)
            return template.LinkedExpression(lambda _env: None, text)
        parts = [
            part if isinstance(part, str) else self.compile_hole(part, span, is_prompt=is_prompt, within=inner)
            for part in loop.parts
        ]
        is_secret = reads_secret(self.names, hole.expression)
        if is_secret:
            self.report("TW047", f"this is a secret, and is shown as {REDACTED}", place, "has() may be shown")
        fill = repeated_fill(group.run, inner.depth, template.Template(parts), is_secret=is_secret)
        fields = tuple([ref.address for ref in compiler.reads.refs.values() if ref.address])
        return template.LinkedExpression(fill, text, fields, place.line_text, hole.is_required)

    # values that are written -----------------------------------------------------------------

    def value(self, address: str, written: Any, span: Span, reads: Reads | None = None) -> Evaluate | None:
        """Return the closure of a constant or expression written to a field; `None` if it is wrong.
        What an expression reads is noted in `reads`.
        """
        field = self.written_field(address, span)
        return None if field is None else self.value_for(field, written, span, reads)

    def value_for(self, field: model.Field, written: Any, span: Span, reads: Reads | None = None) -> Evaluate | None:
        """Return the closure of a constant or expression for a field or tool argument; `None` if it is wrong."""
        if not isinstance(written, str):
            return self.constant(field, written, span)
        try:
            expression = parse(written)
        except GuardError as error:
            if are_words(written) and takes_words(field):
                return self.constant(field, written, span)
            self.fault(error, span)
            return None
        if isinstance(expression, Name) and takes_words(field):
            return self.constant(field, written, span)
        return self.expression(field, expression, span, reads)

    def constant(self, field: model.Field, written: Any, span: Span) -> Evaluate | None:
        """Return the closure of a constant; `None`, and a report, if it is wrong. `null` removes the value."""
        if written is None:
            return lambda _env: None
        value = read_value(field, written, self.rules)
        if isinstance(value, Refused) and not self.is_unreadable(field.span):
            hint = _QUOTES if isinstance(written, str) else ""
            self.report("TW046", f"{written!r} cannot be stored in '{field.name}': {value.text}", span, hint)
            return None
        return lambda _env: value

    def derived(
        self, field: model.Field, text: str, span: Span, answers: str = ""
    ) -> tuple[Evaluate, tuple[Ref, ...]] | None:
        """Return a derived field's expression and what it reads, else `None`; `form.right` is counted in `answers`."""
        reads, names = Reads(), self.names
        if answers:
            counted = Root("int", lambda state: count_right_answers_in(state, answers))
            names = replace(names, roots={**names.roots, FORM_RIGHT: counted})
        try:
            value = self.expression(field, parse(text), span, reads, names)
        except GuardError as error:
            self.fault(error, span)
            return None
        return None if value is None else (value, tuple(reads.refs.values()))

    def expression(
        self,
        field: model.Field,
        expression: Expression,
        span: Span,
        reads: Reads | None = None,
        names: Names | None = None,
    ) -> Evaluate | None:
        """Return the closure of an expression for a field, `None` if it is wrong; add what it reads to `reads`."""
        faults: list[GuardError] = []
        compiler = Compiler(names or self.names, reads, faults=faults)
        term = compiler.term(expression)
        for fault in faults:
            words = any(isinstance(part, Name) and fault.at == part.at for part in walk(expression))
            hint = fault.hint or (_QUOTES if words else "")
            self.fault(GuardError(fault.code, fault.message, fault.at, hint), span)
        if faults:
            return None
        for fault in impossible_constants(expression, compiler.reads.refs, self.names.tools):
            self.fault(fault, span)
        is_sure = not self.is_unreadable(field.span)
        if is_sure and not comparable(term.type, type_of(field)) and term.type not in ("null", "string"):
            message = f"this is {type_words(term.type)}, and '{field.name}' takes {type_words(type_of(field))}"
            self.report("TW046", message, span, conversion_hint(term.type, type_of(field)))
            return None
        if term.is_constant and is_sure and isinstance(term.constant, str) and term.constant.strip():
            return self.constant(field, term.constant, span)
        if reads_secret(self.names, expression) and not field.secret:
            message = f"'{field.name}' would hold a secret, and is shown to everyone"
            self.report("TW047", message, span, f"make '{field.name}' secret")
        run = term.run
        return lambda env: to_stored(run(env))

    # names -----------------------------------------------------------------------------------

    def field(self, address: str, span: Span) -> model.Field | None:
        """Return the field at an address; `None`, and a report with the nearest name, if there is none."""
        record, name = split_name(address, self.names.records)
        fields = self.names.records.get(record)
        if fields is not None and name in fields:
            return fields[name]
        if not address and self.unreadable:
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

    def written_field(self, address: str, span: Span) -> model.Field | None:
        """Return the field at an address that is written; `None`, and a report, if this part may not write it."""
        field = self.field(address, span)
        if field is None:
            return None
        if field.value:
            self.report("TW019", f"'{address}' is derived, and nothing writes it", span)
            return None
        return None if self.is_read_only(address, span) else field

    def is_read_only(self, address: str, span: Span) -> bool:
        """Return whether a scope only inherits and reads a record, or the record of a field; report it if so."""
        record, _ = split_name(address, self.names.records)
        if record not in self.names.read_only:
            return False
        hint = f"let the scope return '{record}', too"
        self.report("TW094", f"'{address}' is inherited by the scope, which only reads it", span, hint)
        return True

    def addresses(self, named_: tuple[str, ...], span: Span, key: str) -> tuple[str, ...]:
        """Return the addresses of all fields in a list of names of fields and whole records."""
        found: dict[str, None] = {}
        for number, name in enumerate(named_):
            if name in self.names.records:
                fields = self.names.records[name]
                if key != "reads":
                    self.is_read_only(name, span.of(f"{key}.{number}"))
                place = self.names.address(name)
                found.update(dict.fromkeys(f"{place}.{f}" for f in fields if key == "reads" or not fields[f].value))
                continue
            where = span.of(f"{key}.{number}")
            field = self.field(name, where) if key == "reads" else self.written_field(name, where)
            if field is not None:
                found[self.names.address(name)] = None
        return tuple(found)
