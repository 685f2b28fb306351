"""Links the events of other systems: the types of their data, and the transitions that name them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from turnwise.core.guards.event_roots import EVENT, EVENT_NAME
from turnwise.core.link import fields
from turnwise.core.link.builder import Builder
from turnwise.core.state.effects import ToolSpec
from turnwise.core.toolbox import LinkedTool
from turnwise.core.values.schema import object_schema
from turnwise.flow import model
from turnwise.flow.diagnostic import Span, nearest
from turnwise.flow.frozen import make
from turnwise.flow.guard import GuardError, parse
from turnwise.flow.guard import syntax as s
from turnwise.flow.template import holes, parse_template

_UNUSED = {"value": "derived", "validate": "validated by a guard", "names": "what the conversation is called"}


def link_events(builder: Builder) -> Mapping[str, LinkedTool]:
    """Return the external events of a flow by name, each with the fields of its data; report errors in these."""
    found: dict[str, LinkedTool] = {}
    for event in builder.flow.events:
        for field in event.fields:
            _check_field(builder, event, field)
        about = event.name.replace("_", " ")
        tool = make(model.Tool, name=event.name, about=about, args=event.fields, span=event.span)
        args = {field.name: field for field in event.fields}
        schema = object_schema(event.fields, with_defaults=True)
        found[event.name] = LinkedTool(tool, args, ToolSpec(event.name, about, schema))
    return found


def _check_field(builder: Builder, event: model.Record, field: model.Field) -> None:
    fields.check_field(builder, field)
    if field.name == "name":
        message = f"'{EVENT_NAME}' is the name of the event, so '{event.name}' cannot have a field 'name'"
        builder.report("TW109", message, field.span, "give the field another name")
    for key, what in _UNUSED.items():
        if getattr(field, key):
            message = f"the data of an event comes as it is: '{field.name}' cannot be {what}"
            builder.report("TW109", message, field.span.of(key), "let the guard of a transition read it")


def check_events(builder: Builder, transition: model.Transition) -> None:
    """Report wrong uses of events in a transition: unknown events, the wrong moment, unknown data fields."""
    span, declared = transition.span, {one.name: one for one in builder.flow.events}
    if transition.at != "event":
        if transition.event:
            hint = "write 'at: event'"
            builder.report("TW109", "'event' works at 'event' only", span.of("event"), hint)
        return
    if not declared:
        message = "'at: event' is for events of other systems, and the flow declares none"
        builder.report("TW109", message, span.of("at"), "declare them under 'events' of the flow")
        return
    for number, name in enumerate(transition.event):
        if name not in declared:
            builder.report("TW109", f"no event is called '{name}'", span.of(f"event.{number}"), nearest(name, declared))
    known = [declared[name] for name in transition.event if name in declared]
    if known:
        _check_reads(builder, transition, known)


def _check_reads(builder: Builder, transition: model.Transition, known: list[model.Record]) -> None:
    """Report what a transition reads of events other than those that it is for: it would never have a value."""
    has = {field.name for event in known for field in event.fields} | {"name"}
    others = {field.name for event in builder.flow.events for field in event.fields} - has
    names = ", ".join(event.name for event in known)
    for tree, span in _read_by(transition):
        for part in s.walk(tree):
            if not (isinstance(part, s.Select) and isinstance(part.of, s.Name) and part.of.name == EVENT):
                continue
            if part.name in others:
                message = f"'{EVENT}.{part.name}' never has a value here: {names} has no field '{part.name}'"
                builder.report("TW110", message, span, nearest(part.name, has))


def _read_by(transition: model.Transition) -> Iterator[tuple[s.Expression, Span]]:
    """Yield all expressions of a transition: of its guard, of what it writes or gives to a scope, and in its texts. A
    wrong one is reported where it is compiled.
    """
    span = transition.span
    written = [(transition.when, span.of("when"))]
    written += [(text, span.of(f"set.{field}")) for field, text in transition.set.items()]
    written += [(text, span.of(f"with.{field}")) for field, text in transition.with_.items()]
    for text, place in written:
        if isinstance(text, str) and text:
            with suppress(GuardError):
                yield parse(text), place
    for key in ("say", "note"):
        parts = parse_template(getattr(transition, key), [])
        yield from ((part.expression, span.of(key).at_character(part.at)) for part in holes(parts))
