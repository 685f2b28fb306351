"""Links the lists from which fields have their options, and gives the machine of a conversation the options of the
moment (law 5.18).
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.link.builder import Builder
from turnwise.core.link.forms import option_buttons
from turnwise.core.linked_form import LinkedForm
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.option_sources import ITEM_ROOT, OptionSource
from turnwise.core.options import field_with
from turnwise.core.state import OptionLists
from turnwise.core.template import Template
from turnwise.core.values.json_data import as_list
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field, OptionsFrom

_TAKING = ("choice", "string", "list")
_TEXTS = ("string", "choice", "email", "phone")


def link_sources(builder: Builder) -> dict[str, OptionSource]:
    """Return the lists from which fields read their options, by field address."""
    found: dict[str, OptionSource] = {}
    for record in builder.flow.records:
        for field in builder.names.records[record.name].values():
            source = _source(builder, field) if field.options_from is not None else None
            if source is not None:
                found[builder.names.address(f"{record.name}.{field.name}")] = source
    return found


def _source(builder: Builder, field: Field) -> OptionSource | None:
    """Return the list of a field's options; `None` if it is wrong, which is reported."""
    written, span = field.options_from, field.span.of("options_from")
    assert written is not None
    if field.options:
        hint = "leave one of them out"
        builder.report("TW129", f"'{field.name}' has 'options' and 'options_from'", span, hint)
        return None
    if field.type not in _TAKING or field.parts or field.of not in (None, "string", "choice") or field.value:
        hint = "make it a choice, or a list of texts"
        builder.report("TW129", f"'{field.name}' takes no options, so none from a list", span, hint)
        return None
    if field.default is not None:
        hint = "leave 'default' out, or write the options with 'options'"
        builder.report("TW129", f"'{field.name}' has a default, which may be no option of the list", span, hint)
        return None
    listed = builder.field(written.list, written.span.of("list"))
    if listed is None:
        return None
    if listed.secret and not field.secret:
        message = f"'{written.list}' is secret, and the options of '{field.name}' are shown"
        builder.report("TW127", message, written.span.of("list"), "make the list no secret")
        return None
    label, default = None, as_list(listed.default) or ()
    if listed.parts:
        label = _label(builder, written, listed)
    elif not _is_of_texts(listed):
        message = f"'{written.list}' is no list of texts, and none of a record"
        builder.report("TW127", message, written.span.of("list"), "{type: list, of: string}, or of a record")
        return None
    elif written.label or written.value:
        key = "label" if written.label else "value"
        message = f"'{written.list}' is a list of texts: each is its own option, without '{key}'"
        builder.report("TW128", message, written.span.of(key))
        return None
    address = builder.names.address(written.list)
    return OptionSource(address, label, written.value, tuple(default))


def _is_of_texts(field: Field) -> bool:
    return field.type == "list" and (field.of is None or field.of in _TEXTS)


def _label(builder: Builder, written: OptionsFrom, listed: Field) -> Template | None:
    """Return the label of the items of a record, which reads nothing but the item."""
    span = written.span
    parts = {part.name: part for part in listed.parts}
    if not written.label and not written.value:
        known = ", ".join(list(parts)[:4])
        builder.report("TW128", f"an item of '{written.list}' is no text: it needs a 'label' or a 'value'", span, known)
    if written.value and written.value not in parts:
        message = f"the record '{listed.of}' has no field '{written.value}'"
        builder.report("TW128", message, span.of("value"), nearest(written.value, parts))
    elif written.value and parts[written.value].type not in _TEXTS:
        message = f"'{written.value}' is no text, and the value of an option is one"
        builder.report("TW128", message, span.of("value"), "name a text, or leave it out to store the label")
    if not written.label:
        return None
    all_names = builder.text_names
    builder.text_names = replace(all_names, records={ITEM_ROOT: parts}, places={})
    try:
        return builder.template(written.label, span.of("label"), is_said=False)
    finally:
        builder.text_names = all_names


def with_options(machine: Machine, lists: OptionLists) -> dict[str, Any]:
    """Return the attributes of a machine that change when fields get the options of `lists`, by the
    attribute's name.
    """
    fields = {
        address: field_with(machine.fields[address], lists[address].items)
        for address in machine.option_sources
        if address in lists
    }
    nodes = {name: _of_node(machine, node, fields) for name, node in machine.nodes.items()}
    table: Any = type(machine.fields)
    return {"fields": table({**machine.fields, **fields}), "nodes": nodes}


def _of_node(machine: Machine, node: LinkedNode, fields: dict[str, Field]) -> LinkedNode:
    form = node.form
    if form is None or form.by_address.keys().isdisjoint(fields):
        return node
    return replace(node, form=_of_form(machine, form, fields))


def _of_form(machine: Machine, form: LinkedForm, fields: dict[str, Field]) -> LinkedForm:
    changed = {
        address: replace(
            question,
            field=fields[address],
            buttons=option_buttons(machine.language, fields[address], question.form_field),
        )
        for address, question in form.by_address.items()
        if address in fields
    }
    by_address = {**form.by_address, **changed}
    return replace(
        form,
        questions=tuple([by_address[one.address] for one in form.questions]),
        in_order=tuple([by_address[one.address] for one in form.in_order]),
        by_address=by_address,
    )
