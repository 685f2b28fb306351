"""Writes a flow as Python source: records as classes, a variable for each node, functions by name.

Running what it writes gives an equal flow. What only code can supply is named in a comment.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Mapping
from typing import Any

from turnwise.authoring.class_text import (
    CallText,
    Class,
    CodeText,
    Expression,
    Items,
    class_of,
    expression_text,
    guard_text,
    literal_of,
)
from turnwise.errors import WrongArgument
from turnwise.flow import kinds as s
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.durations import read_duration_s, write_duration
from turnwise.flow.model import Flow, Node, Transition
from turnwise.flow.shapes import SHAPES
from turnwise.flow.type_check import check_types

_MOMENTS = ("before", "after")
_NAMED = ("collect", "reads", "writes", "returns", "inherits")
_FIRST = {
    "Flow": "name",
    "Record": "fields",
    "Option": "value",
    "SequencePosition": "tools",
    "Collect": "fields",
    "Stop": "values",
    "FormField": "field",
    "Form": "fields",
    "Offer": "scope",
    "ToolWork": "name",
    "PersonWork": "queue",
}
"""The arguments that stand first, without their names."""
_BARE = {
    "Option": "value",
    "Collect": "fields",
    "FormField": "field",
    "Stop": "values",
    "Acknowledge": "text",
    "OptionsFrom": "list",
    "Confirm": "",
    "Commands": "names",
    "SequencePosition": "tools",
    "Summary": "template",
    "NodeTranscript": "show",
}
"""The attribute that may stand for the whole part, if the others have their defaults."""
_NAMED_PARTS = {key.kind.shape for shape in SHAPES.values() for key in shape.keys if isinstance(key.kind, s.Named)}
"""The parts that have names, which stand first."""


def write_python(flow: Flow) -> str:
    """Return a flow as Python source; running it gives an equal flow. Raises `FlowError` for values of a wrong kind."""
    given: Any = flow
    if not isinstance(given, Flow):
        raise WrongArgument("flow", given, "a Flow, as load gives it")
    flow, wrong = check_types(flow)
    if wrong:
        raise FlowError(wrong)
    return _Writer(flow).text()


class _Writer:
    """One flow that is written."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.taken = {"tw", "flow", "PlainRecord", *dir(builtins), *keyword.kwlist, *keyword.softkwlist}
        self.classes: dict[str, Class] = {}
        for record in flow.records:
            found = class_of(record, self.taken)
            if found is not None:
                self.classes.setdefault(record.name, found)
                self.taken.add(found.name)
        self.imports = {line for one in self.classes.values() for line in one.imports}
        self.taken |= {line.split()[-1] for line in self.imports}
        self.plain = False

    def text(self) -> str:
        """Return the whole file."""
        variables = {id(node): self.variable(node.name) for node in self.flow.nodes}
        parts = [one.text for one in self.classes.values()]
        assigned = [f"{variables[id(node)]} = " for node in self.flow.nodes]
        nodes = [
            name + expression_text(self.part("Node", node), before=len(name))
            for name, node in zip(assigned, self.flow.nodes, strict=True)
        ]
        whole = "flow = " + expression_text(self.whole(variables), before=7)
        blocks = [self.head(), *parts, "\n".join([*nodes, whole])]
        return ("\n\n\n" if parts else "\n\n").join(blocks) + "\n"

    def head(self) -> str:
        """Return the head of the file: docstring, imports, and the functions that code must supply."""
        lines = [f'"""The flow {self.flow.name}."""', ""]
        standard = sorted(line for line in self.imports if "turnwise" not in line)
        lines += [*standard, ""] if standard else []
        lines.append("import turnwise as tw")
        if self.plain:
            lines.append("from turnwise.flow.model import Record as PlainRecord")
        names = list(dict.fromkeys(_guards(self.flow.transitions, self.flow.nodes)))
        if names:
            lines += ["", "# supplied by code: import each function, and give it instead of its name"]
            lines += [f"#   {name}".rstrip() for name in (" ".join(name.split()) for name in names)]
        return "\n".join(lines)

    def variable(self, name: str) -> str:
        """Return a variable for a node."""
        path = name.replace(".", "_")
        found = path if path.isidentifier() and path.isascii() else "node"
        while found in self.taken:
            found += "_"
        self.taken.add(found)
        return found

    def whole(self, variables: Mapping[int, str]) -> Expression:
        """Return the call that makes the flow."""
        nodes: Expression = Items(tuple([CodeText(variables[id(node)]) for node in self.flow.nodes]))
        records: Expression = Items(tuple([self.record(record) for record in self.flow.records]))
        return self.call("Flow", self.flow, {"nodes": nodes, "records": records})

    def record(self, record: Any) -> Expression:
        """Return the name of a record's class, or the call that makes a record without one."""
        known = self.classes.get(record.name)
        return CodeText(known.name) if known is not None and known.record is record else self.part("Record", record)

    # parts -----------------------------------------------------------------------------------

    def part(self, name: str, part: Any) -> Expression:
        """Return a part in its short form, or the call that makes it."""
        short = self.short(part)
        return self.call(name, part) if short is None else short

    def call(self, name: str, part: Any, put: Mapping[str, Expression] | None = None) -> CallText:
        """Return the call that makes a part, without what is at its default; `put` has some arguments already."""
        shape, made = SHAPES[name], put or {}
        of = shape.of.__name__
        named: list[tuple[str, Expression]] = [("", part.name)] if name in _NAMED_PARTS else []
        given: list[tuple[str, Expression]] = []
        for key, attribute, kind, default in shape.written:
            value = getattr(part, attribute)
            if value == default and isinstance(value, bool) == isinstance(default, bool):
                continue
            bare = "" if attribute == _FIRST.get(of) and not given else attribute
            given.append((bare, made.get(attribute) or self.value(kind, value, key)))
        if isinstance(part, Node):
            given = self.by_moment(part, given)
        self.plain = self.plain or of == "Record"
        return CallText("PlainRecord" if of == "Record" else f"tw.{of}", (*named, *given))

    def short(self, part: Any) -> Expression | None:
        """Return the short form of a part that says no more than it."""
        of = type(part).__name__
        bare = _BARE.get(of)
        if bare is None or not all(
            attribute == bare or getattr(part, attribute) == default for _, attribute, _, default in SHAPES[of].written
        ):
            return None
        if not bare:
            return CodeText("True")
        value = getattr(part, bare)
        if of == "Collect":
            return self.names(value)
        return literal_of(value[0] if of == "SequencePosition" and len(value) == 1 else value)

    def names(self, names: Iterable[str]) -> Expression:
        """Names, those of records by their classes."""
        known = self.classes
        return Items(tuple([CodeText(known[name].name) if name in known else name for name in names]))

    def by_moment(self, node: Node, given: list[tuple[str, Expression]]) -> list[tuple[str, Expression]]:
        """Return the ways out under the names of their moments, where that keeps their order."""
        moments = [way.at for way in node.transitions]
        if not set(moments) <= set(_MOMENTS) or moments != sorted(moments, reverse=True):
            return given
        kept = [one for one in given if one[0] != "transitions"]
        for moment in _MOMENTS:
            ways = [self.way(way) for way in node.transitions if way.at == moment]
            kept += [(moment, Items(tuple(ways)))] if ways else []
        return kept

    def way(self, transition: Transition) -> Expression:
        """Return a transition without its moment, under which it is listed."""
        call = self.call("Transition", transition)
        return CallText(call.head, tuple([one for one in call.arguments if one[0] != "at"]))

    def value(self, kind: s.Kind, value: Any, key: str) -> Expression:
        """Return a value of a kind."""
        match kind:
            case s.Object(name):
                return self.part(name, value) if value is not None else CodeText("None")
            case s.Many(s.Object(name)) | s.Named(name):
                return Items(tuple([self.part(name, item) for item in value]))
            case s.Many() if key in _NAMED:
                return self.names(value)
            case s.When():
                return guard_text(value)
            case s.Duration() if value is not None:
                text = write_duration(value)
                return text if read_duration_s(text) == value else CodeText(repr(value))
            case _:
                return literal_of(value)


def _guards(transitions: Iterable[Transition], nodes: Iterable[Node]) -> Iterable[str]:
    """Return the functions that transitions name."""
    for transition in transitions:
        if transition.guard:
            yield transition.guard
    for node in nodes:
        yield from _guards(node.transitions, ())
        if node.scope is not None:
            yield from _guards(node.scope.transitions, node.scope.nodes)
