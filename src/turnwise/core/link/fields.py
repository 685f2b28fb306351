"""Linking of fields: types, bounds, options, defaults and validators; derived fields in their order (law 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct

from turnwise.core.candidates import Guard
from turnwise.core.guards.scope import FORM_RIGHT
from turnwise.core.guards.types import is_blank, type_of
from turnwise.core.language import folded, language_of
from turnwise.core.link.builder import Builder
from turnwise.core.link.items import check_items
from turnwise.core.machine import Derived, Template
from turnwise.core.values import Refused, Rules, bounds, read_value
from turnwise.core.values.json_data import as_list
from turnwise.core.values.moving_bounds import is_empty_range, is_moving, moving_fault
from turnwise.core.values.patterns import regex, regex_fault
from turnwise.core.values.questions import WrongQuestion, read_questions
from turnwise.core.values.room import room_of
from turnwise.flow.addresses import record_of
from turnwise.flow.diagnostic import Span
from turnwise.flow.durations import read_duration_s
from turnwise.flow.guard import GuardError
from turnwise.flow.model import Field, Option
from turnwise.flow.model.words import INPUT
from turnwise.flow.template import read_format

Validators = tuple[tuple[Guard, Template | None], ...]
"""Guards that a new value must not fail, each with its reply."""
_NUMBERS = ("integer", "number", "duration")
_MEASURED = ("string", "email", "phone", "choice", "list")
_MOMENTS = {"date": "2026-11-21", "time": "18:30", "datetime": "2026-11-21T18:30:00Z"}
_ANY = Rules(language_of("en"))
"""Any language and zone: values in stored form are the same in all."""


class LinkedFields(Struct, frozen=True):
    """All fields of a flow with their validators and texts of refusal, by address."""

    fields: Mapping[str, Field]
    """The fields, by address."""
    validators: Mapping[str, Validators]
    """The validators of the fields, by address."""
    refusals: Mapping[str, Template]
    """The author's texts for values beyond a bound or pattern of the field, by address."""


def link_fields(builder: Builder) -> LinkedFields:
    """Return all fields of a flow, with their validators and refusals; report errors in them and in tool arguments."""
    fields: dict[str, Field] = {}
    validators: dict[str, Validators] = {}
    refusals: dict[str, Template] = {}
    for record in builder.flow.records:
        for field in record.fields:
            address = builder.names.address(f"{record.name}.{field.name}")
            fields[address] = builder.names.records[record.name].get(field.name, field)
            check_field(builder, field, is_of_record=True)
            if field.optional and record.name != INPUT:
                message = "'optional' is for the arguments of tools and the input of scopes"
                hint = "a field of a record may always be missing"
                builder.report("TW041", message, field.span.of("optional"), hint)
            _check_name(builder, field, address, f"{record.name}.{field.name}")
            found = validator(builder, field.validate, field.refuse, field.span)
            if found:
                validators[address] = found
            if field.refuse and not field.validate and is_bounded(field):
                refusals[address] = builder.template(field.refuse, field.span.of("refuse"), is_said=False)
    return LinkedFields(fields, validators, refusals)


def _check_name(builder: Builder, field: Field, address: str, own: str) -> None:
    """Report a field that cannot name the conversation: a secret, or one of a scope, which is only a part of it."""
    if not field.names or builder.is_unreadable(field.span):
        return
    span = field.span.of("names")
    if builder.names.records[record_of(own)][field.name].secret:
        builder.report("TW047", f"'{field.name}' is a secret, and no conversation is named by it", span, "name another")
    if address != own:
        hint = "mark a field of the conversation around it"
        builder.report("TW041", "'names' is for the fields of a conversation, and this is one of a scope", span, hint)


def check_tools(builder: Builder) -> None:
    """Report errors in the arguments of the flow's tools."""
    for tool in builder.flow.tools:
        _check_about(builder, tool.about, tool.span)
        for arg in tool.args:
            check_field(builder, arg)
            if arg.names:
                hint = "mark the field of a record that holds it"
                builder.report("TW041", "'names' is for the fields of a record", arg.span.of("names"), hint)


def _check_about(builder: Builder, about: str, span: Span) -> None:
    """Report braces in what a tool or a field is about: users and models read it as it is written."""
    if "{{" in about:
        builder.report("TW025", "'about' is a fixed text, and no template", span.of("about"), "leave the braces out")


def validator(builder: Builder, validate: object, refuse: str, span: Span) -> Validators:
    """Return the validators that a field or question declares: one or none. `validate` is the guard as it is written,
    `refuse` the reply to a value that fails it.
    """
    guard = builder.guard(validate, span.of("validate"))  # type: ignore[arg-type]
    return ((guard, builder.optional(refuse, span.of("refuse"), is_said=False)),) if guard is not None else ()


def is_bounded(field: Field) -> bool:
    """Return whether a field has a lower or upper bound or a pattern."""
    return field.min is not None or field.max is not None or bool(field.pattern)


def check_field(builder: Builder, field: Field, *, is_of_record: bool = False) -> None:
    """Report bounds, options, defaults and other keys that do not fit the type of a field (`is_of_record`: of a
    record).
    """
    span = field.span
    if builder.is_unreadable(span):
        return
    if field.options_from is not None and not is_of_record:
        hint = "leave it out: the value is checked where it is written to a field"
        builder.report("TW129", "only a field of a record has options from a list", span.of("options_from"), hint)
    if field.type == "choice" and not field.options and field.options_from is None:
        builder.report("TW042", f"'{field.name}' is a choice without options", span)
    if field.of is not None and field.type != "list":
        builder.report("TW042", f"'of' is for lists, and '{field.name}' is none", span.of("of"))
    if field.options and field.type not in ("choice", "string", "list"):
        hint = "make it a choice"
        builder.report("TW042", f"a field of type {field.type} has no options", span.of("options"), hint)
    check_items(builder, field)
    check_options(builder, field.options, span)
    if field.refuse and not field.validate and not is_bounded(field):
        message = "'refuse' says nothing without 'validate', 'min', 'max' or 'pattern'"
        builder.report("TW041", message, span.of("refuse"))
    _check_bounds(builder, field)
    _check_about(builder, field.about, span)
    _check_format(builder, field)
    if fault := _pattern_fault(field.pattern):
        builder.report("TW034", f"the pattern is refused: {fault}", span.of("pattern"))
    if not is_blank(field.default):
        _check_default(builder, field)


def _check_format(builder: Builder, field: Field) -> None:
    """Report a format that cannot be read, or is for values of another type."""
    if not field.format:
        return
    from turnwise.core.formatting import formatter

    try:
        formatter(read_format(field.format), type_of(field))
    except GuardError as error:
        builder.report("TW038", error.message, field.span.of("format"), error.hint)


def _check_default(builder: Builder, field: Field) -> None:
    """Report a default that is no value of its field; in a list of questions, the first that is wrong."""
    questions = as_list(field.default) if field.of == "question" else None
    if questions is not None:
        read = read_questions(questions, builder.rules)
        if isinstance(read, WrongQuestion):
            message = f"question {read.number} of '{field.name}': {read.why}"
            item = f"default.{read.number - 1}"
            is_known = field.span.parts is not None and bool(field.span.parts.get(item))  # it is not in a program
            builder.report("TW042", message, field.span.of(item if is_known else "default"))
            return
    value = read_value(without_wrong_bounds(field), field.default, builder.rules)
    if isinstance(value, Refused):
        message = f"{field.default!r} is no value of '{field.name}': {value.text}"
        builder.report("TW042", message, field.span.of("default"))


def check_options(builder: Builder, options: tuple[Option, ...], span: Span) -> None:
    """Report duplicate options, and synonyms that belong to two options."""
    owners: dict[str, Option] = {}
    for number, option in enumerate(options):
        if "{{" in option.value:
            hint = "write the option's value, and its label as a template under 'buttons' of the form"
            builder.report("TW042", "an option is no template", span.of(f"options.{number}"), hint)
        for word in (option.value, *option.words):
            owner = owners.setdefault(folded(word), option)
            if owner is not option:
                message = f"'{word}' stands twice among the options"
                hint = "" if word is option.value else f"it means '{owner.value}' already"
                builder.report("TW017", message, span.of(f"options.{number}"), hint)


def without_wrong_bounds(field: Field) -> Field:
    """Return the field without wrong bounds or pattern, so that these are reported only once."""
    wrong: dict[str, Any] = {}
    for key, bound in (("min", field.min), ("max", field.max)):
        is_wrong = bound is not None and (not _fits(field, bound) or _is_no_count(field, key, bound))
        if field.type == "boolean" or is_wrong:
            wrong[key] = None
    if _pattern_fault(field.pattern):
        wrong["pattern"] = ""
    return replace(field, **wrong) if wrong else field


def _check_bounds(builder: Builder, field: Field) -> None:
    for key, bound in (("min", field.min), ("max", field.max)):
        if bound is None:
            continue
        if field.type == "boolean":
            builder.report("TW042", "true and false have no bounds", field.span.of(key))
        elif not _fits(field, bound):
            message, hint = _bound_fault(builder, field, bound)
            builder.report("TW042", message, field.span.of(key), hint)
        elif _is_no_count(field, key, bound):
            builder.report("TW042", *_count_fault(field, key, bound))
    low, high = bounds(without_wrong_bounds(field))
    is_empty = low is not None and high is not None and low > high
    if is_empty or is_empty_range(field.type, field.min, field.max):
        message = f"no value is both at least {field.min} and at most {field.max}"
        builder.report("TW042", message, field.span.of("min"))
    room = room_of(field, builder.rules)
    if room is not None and isinstance(low, int | float) and low > room.most:
        message = f"'{field.name}' can never have a value: it needs {low:g} {room.things}, and {room.limit} allows"
        builder.report(
            "TW042", f"{message} {room.most:,}", field.span.of("min"), f"lower 'min', or raise '{room.limit}'"
        )


def _fits(field: Field, bound: float | str) -> bool:
    if field.type == "duration" and isinstance(bound, str):
        return read_duration_s(bound) is not None
    if field.type in _NUMBERS or field.type in _MEASURED:
        return not isinstance(bound, str)
    if isinstance(bound, str) and is_moving(field.type, bound):
        return moving_fault(field.type, bound) is None
    return _stored(field, bound, _ANY) == bound


def _is_no_count(field: Field, key: str, bound: float | str) -> bool:
    """Return whether a bound for the length of a text or list is no number of characters or items."""
    if field.type not in _MEASURED or isinstance(bound, str):
        return False
    return bound < (1 if key == "max" else 0) or not float(bound).is_integer()


def _count_fault(field: Field, key: str, bound: float | str) -> tuple[str, Span, str]:
    """Return what is wrong with a bound that is no number of characters or items, where, and how to write it."""
    things = "items" if field.type == "list" else "characters"
    message = f"'{key}' of '{field.name}' counts {things}, and {bound} is no number of them"
    if key == "max" and bound == 0:
        message = f"'{field.name}' can never have a value: it has at most 0 {things}"
    return message, field.span.of(key), f"write a whole number of {1 if key == 'max' else 0} or more, or leave it out"


def _bound_fault(builder: Builder, field: Field, bound: float | str) -> tuple[str, str]:
    """Return what is wrong with a bound that does not fit, and how to write it: as stored values are, to which it is
    compared, or counted from the present.
    """
    if isinstance(bound, str) and is_moving(field.type, bound):
        return moving_fault(field.type, bound) or ("", "")
    message = f"{bound!r} is no bound for a field of type {field.type}"
    if field.type not in _MOMENTS:
        return message, ""
    value = _stored(field, bound, builder.rules)
    return message, f"write it like {_MOMENTS[field.type]}" if isinstance(value, Refused) else f"write {value}"


def _stored(field: Field, bound: float | str, rules: Rules) -> object:
    return read_value(Field(field.name, type=field.type), bound, rules)


def _pattern_fault(pattern: str) -> str:
    """Return what is wrong with a pattern, empty if nothing is."""
    if not pattern:
        return ""
    try:
        regex(pattern)
    except Exception as error:  # noqa: BLE001  the library's own error class is not typed
        return regex_fault(error)
    return ""


def link_derived(builder: Builder) -> tuple[Derived, ...]:
    """Return the derived fields, in an order in which each comes after those that it reads."""
    made: dict[str, Derived] = {}
    fields: dict[str, Field] = {}
    for record in builder.flow.records:
        for field in builder.names.records[record.name].values():
            address = builder.names.address(f"{record.name}.{field.name}")
            found = _derived(builder, address, field) if field.value else None
            if found is not None:
                made[address], fields[address] = found, field
    order: dict[str, Derived] = {}
    for address in made:
        _place(builder, address, made, fields, order)
    return tuple(order.values())


def _derived(builder: Builder, address: str, field: Field) -> Derived | None:
    span = field.span.of("value")
    if field.default is not None:
        builder.report("TW019", f"'{field.name}' is derived, so it has no default", field.span.of("default"))
    counted = _counted(builder, address)
    found = builder.derived(field, field.value, span, counted)
    if found is None:
        return None
    value, refs = found
    is_score = counted and any(ref.key == FORM_RIGHT for ref in refs)
    others = [ref.key for ref in refs if not ref.address and not (is_score and ref.key == FORM_RIGHT)]
    if others:
        message = f"'{field.name}' is derived from fields only, and reads '{others[0]}'"
        builder.report("TW019", message, span, "it is computed again only when a field changes")
        return None
    reads = tuple([ref.address for ref in refs if ref.address])
    return Derived(address, field, value, (*reads, counted) if is_score and counted not in reads else reads)


def _counted(builder: Builder, address: str) -> str:
    """Return the field whose right answers `form.right` counts in a derived field: the only map of answers of the same
    record; empty if there is none.
    """
    record = record_of(address)
    fields = {builder.names.address(name): known for name, known in builder.names.records.items()}.get(record, {})
    found = [name for name, field in fields.items() if field.type == "answers"]
    return f"{record}.{found[0]}" if len(found) == 1 else ""


def _place(
    builder: Builder, start: str, made: dict[str, Derived], fields: dict[str, Field], order: dict[str, Derived]
) -> None:
    """Append a field after those that it reads; report a field that reads itself, directly or through others."""
    path: dict[str, int] = {start: 0}
    while path:
        address = next(reversed(path))
        reads = [one for one in made[address].reads if one in made and one not in order]
        again = next((one for one in reads if one in path), None)
        if again is not None:
            circle = " → ".join([*list(path)[list(path).index(again) :], again])
            builder.report("TW019", f"'{again}' is derived from itself: {circle}", fields[again].span.of("value"))
            order[address] = made[address]
            path.popitem()
        elif reads:
            path[reads[0]] = 0
        else:
            order[address] = made[address]
            path.popitem()
