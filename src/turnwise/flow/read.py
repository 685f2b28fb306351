"""Reads a document tree into a flow, and collects every problem with its position.

What cannot be read falls back to its default, so that one mistake hides no other. Names are not
looked up here; that is linking.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from turnwise.flow import hints
from turnwise.flow import kinds as s
from turnwise.flow.diagnostic import FAULT_MARK, Diagnostic, Span, nearest, nearest_name, problem
from turnwise.flow.durations import read_duration_s
from turnwise.flow.frozen import make, put
from turnwise.flow.located import Items, Located, Pairs, Place, Scalar, plain
from turnwise.flow.model import Condition, Flow
from turnwise.flow.shapes import SHAPES, Shape


class ReadResult(NamedTuple):
    """A flow, as far as it could be read from a document, and all errors and warnings."""

    flow: Flow
    """The flow; defaults replace what could not be read."""
    diagnostics: list[Diagnostic]
    """All errors and warnings, empty if there are none."""


class _Bad:
    """Stands for a value that could not be read; the default takes its place."""


_BAD = _Bad()


def read_flow(tree: Located, file: str = "") -> ReadResult:
    """Return the flow that a document tree describes, with all errors in it."""
    reader = Reader(file)
    flow = reader.object("Flow", tree)
    if not isinstance(flow, Flow):
        flow = make(Flow, name="", span=reader.span(tree))
    put(flow, "is_read", True)  # noqa: FBT003  its parts have the types that they should
    return ReadResult(flow, reader.diagnostics)


class Reader:
    """Reads the parts of one document, and collects the errors in them."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self.diagnostics: list[Diagnostic] = []
        self.faults: list[Place] = []
        """Where the problems are that belong to the object being read, and to no part of it that has a span."""

    def span(self, tree: Located) -> Span:
        """Return the place of a part of the document."""
        return Span(self.file, tree.line, tree.column)

    def report(self, code: str, message: str, tree: Located, hint: str = "") -> _Bad:
        """Add a diagnostic for a part of the document, and return the marker of a bad value."""
        self.diagnostics.append(problem(code, message, self.span(tree), hint))
        self.faults.append((tree.line, tree.column))
        return _BAD

    # objects ---------------------------------------------------------------------------------

    def object(self, shape_name: str, tree: Located, **given: Any) -> Any:
        """Return an object of the shape (flow class) `shape_name`; if the tree is something else, report it and return
        the marker of a bad value. `given` are further attributes.
        """
        shape = SHAPES[shape_name]
        if shape.short is not None:
            tree = shape.short.widen(tree)
        if not isinstance(tree, Pairs):
            shown = ", ".join(list(shape.by_name)[:_SHOWN]) + (", …" if len(shape.by_name) > _SHOWN else "")
            expected = f"{shape.word}: a mapping of {shown}"
            return self.wrong(tree, expected, hints.of_value(shape_name, tree))
        values: dict[str, Any] = dict(given)
        places: dict[str, Place] = {}
        outer, self.faults = self.faults, []
        seen: set[str] = set()
        previous = ""
        for key, value in tree.pairs:
            if key.text in seen:
                self.report_duplicate(key, tree)
                continue
            seen.add(key.text)
            known = shape.by_name.get(key.text)
            if known is None:
                self.unknown_key(key, value, tree, previous, shape)
                continue
            previous = key.text
            places[key.text] = _content(value)
            found = self.value(known.kind, value, places, key.text)
            if not isinstance(found, _Bad):
                values[known.attribute] = found
        self.missing(shape, values, seen, tree)
        if shape.has_span:
            places |= {f"{FAULT_MARK}{number}": place for number, place in enumerate(self.faults)}
            self.faults = []
            values["span"] = Span(self.file, tree.line, tree.column, places)
        self.faults = outer + self.faults
        return make(shape.of, **values)

    def report_duplicate(self, key: Scalar, tree: Pairs) -> None:
        """Report a key that occurs twice in a mapping, with the place of the first."""
        first = next(other for other, _ in tree.pairs if other.text == key.text)
        hint = f"the first is in line {first.line}" if first.line else ""
        self.report("TW006", f"'{key.text}' stands twice", key, hint)

    def missing(self, shape: Shape, values: dict[str, Any], seen: set[str], tree: Located) -> None:
        """Report the required keys of a shape that are neither in `values` (by attribute) nor in `seen` (by key), and
        set all that have no value to harmless ones. `tree` is the place of the report.
        """
        for key in shape.keys:
            if key.required and key.attribute not in values:
                if key.name not in seen:
                    self.report("TW013", f"{shape.word} needs '{key.name}': {key.about}", tree)
                values[key.attribute] = () if isinstance(key.kind, s.Many) else ""

    def unknown_key(self, key: Scalar, value: Located, tree: Pairs, previous: str, shape: Shape) -> None:
        """Report a key that the shape does not have; in an inline mapping it may be a part of an unquoted text, that of
        the key `previous` before it.
        """
        if tree.inline and isinstance(value, Scalar) and value.value is None and not value.text:
            hint = f"put quotes around the text of '{previous}'" if previous else "put quotes around the text"
            self.report("TW008", f"the comma before '{key.text}' ends the text, and this became a key", key, hint)
        else:
            self.report("TW010", f"{shape.word} has no key '{key.text}'", key, hints.of_key(key.text, value, shape))

    # values ----------------------------------------------------------------------------------

    def value(self, kind: s.Kind, tree: Located, places: dict[str, Place], key: str) -> Any:
        """Return the value that a tree has as the kind `kind`; a wrong one is reported, and the marker of a bad value
        returned. The places of list items are stored in `places` as `key.0`.
        """
        match kind:
            case s.Text():
                return self.text(tree)
            case s.Object(name):
                return self.object(name, tree)
            case s.Many():
                return self.many(kind, tree, places, key)
            case s.Named():
                return self.named(kind, tree, places, key)
            case s.Table(of):
                return self.table(of, tree, places, key)
            case s.When():
                return self.when(tree)
            case s.Anything():
                items = tree.items if isinstance(tree, Items) else ()
                places.update({f"{key}.{number}": _content(item) for number, item in enumerate(items)})
                return plain(tree)
            case _:
                return self.scalar(kind, tree)

    def scalar(self, kind: s.Kind, tree: Located) -> Any:
        """Return a single value that is not a text; a wrong one is reported, and the marker of a bad value returned."""
        value = tree.value if isinstance(tree, Scalar) else None
        match kind:
            case s.Name(rule):
                return self.name(tree, rule)
            case s.Integer():
                if isinstance(value, int) and not isinstance(value, bool) and value >= kind.least:
                    return value
                return self.wrong(tree, f"a whole number of {kind.least} or more")
            case s.Number():
                return self.number(kind, tree)
            case s.Flag():
                return value if isinstance(value, bool) else self.wrong(tree, "true or false")
            case s.OneOf(words):
                is_name = isinstance(kind, s.WordOrName) and isinstance(value, str) and s.PATH.allows(value)
                return value if is_name else self.one_of(words, tree)
            case s.Duration():
                return self.duration(tree)
            case _:
                if isinstance(value, int | float) and not isinstance(value, bool):
                    return value
                return value if isinstance(value, str) and value else self.wrong(tree, "a number, or a date or time")

    def number(self, kind: s.Number, tree: Located) -> Any:
        """Return a number within the bounds of its kind; a wrong one is reported, and the marker of a bad value
        returned.
        """
        value = tree.value if isinstance(tree, Scalar) else None
        if isinstance(value, int | float) and not isinstance(value, bool) and kind.least <= value <= kind.most:
            return value
        return self.wrong(tree, s.number_between(kind))

    def text(self, tree: Located) -> Any:
        """Return a text; anything else is reported, and the marker of a bad value returned. An unquoted number is read
        as the text that was written.
        """
        if isinstance(tree, Scalar):
            value = tree.value
            if isinstance(value, str):
                return value
            if isinstance(value, int | float) and not isinstance(value, bool):
                return tree.text
        hint = 'write it in quotes: "…"' if isinstance(tree, Scalar) and isinstance(tree.value, bool) else ""
        return self.wrong(tree, "a text", hint)

    def name(self, tree: Located, rule: s.NameRule) -> Any:
        """Return a name that a rule allows; any other is reported, and the marker of a bad value returned."""
        text = self.text(tree)
        if isinstance(text, str) and not rule.allows(text):
            first, dot, _ = text.partition(".")
            hint = f"write '{first}' alone, without the '.'" if dot and rule.allows(first) else rule.hint
            return self.report("TW016", f"{text!r} is no name", tree, hint)
        return text

    def one_of(self, words: tuple[str, ...], tree: Located) -> Any:
        """Return a value that is one of some words; any other is reported, and the marker of a bad value returned."""
        text = self.text(tree)
        if isinstance(text, _Bad) or text in words:
            return text
        known = [word for word in words if word]
        found = nearest_name(text, known)
        hint = f"did you mean '{found}'?" if found else ""
        return self.report("TW014", f"{text!r} is not one of {', '.join(known)}", tree, hint)

    def duration(self, tree: Located) -> Any:
        """Return a time span in seconds; anything else, also a number without unit, is reported, and the marker of a
        bad value returned.
        """
        if isinstance(tree, Scalar) and isinstance(tree.value, str):
            seconds = read_duration_s(tree.value)
            if seconds is not None:
                return seconds
        return self.wrong(tree, "a time span with its unit", "such as 90s, 30m, 2h, 3d, 2w")

    def when(self, tree: Located) -> Any:
        """Return a guard (its text, also for a bare `true`, or condition objects); anything else is reported, and the
        marker of a bad value returned.
        """
        if isinstance(tree, Items):
            found = [self.condition(item) for item in tree.items]
            return tuple(c for c in found if isinstance(c, Condition))
        if isinstance(tree, Scalar) and isinstance(tree.value, bool):
            return "true" if tree.value else "false"
        if isinstance(tree, Scalar) and isinstance(tree.value, str):
            return tree.value
        return self.wrong(tree, "a guard, or a list of condition objects")

    def condition(self, tree: Located) -> Any:
        """Return a condition object such as `type: tool_used`; a wrong one is reported, and the marker of a bad value
        returned.
        """
        if not isinstance(tree, Pairs):
            return self.wrong(tree, "a condition object such as {type: tool_used, value: think}")
        parts = {key.text: value for key, value in tree.pairs}
        for key, value in tree.pairs:
            if key.text not in _CONDITION_KEYS:
                known = hints.of_condition(key.text, value)
                hint = known or nearest(key.text, _CONDITION_KEYS)
                bad = self.report("TW010", f"a condition object has no key '{key.text}'", key, hint)
                if known:
                    return bad
        kind = self.text(parts["type"]) if "type" in parts else self.report("TW013", "a condition needs 'type'", tree)
        value = self.text(parts["value"]) if "value" in parts else ""
        about = self.text(parts["description"]) if "description" in parts else ""
        window = self.scalar(s.Integer(1), parts["window"]) if "window" in parts else None
        if isinstance(kind, _Bad) or isinstance(value, _Bad) or isinstance(window, _Bad) or isinstance(about, _Bad):
            return _BAD
        places = {key: (part.line, part.column) for key, part in parts.items()}
        return make(
            Condition,
            type=kind,
            value=value,
            window=window,
            description=about,
            span=Span(self.file, tree.line, tree.column, places),
        )

    # collections -----------------------------------------------------------------------------

    def many(self, kind: s.Many, tree: Located, places: dict[str, Place], key: str) -> Any:
        """Return a list as a tuple, without the items that could not be read; the place of each is stored in `places`
        as `key.0`. Anything but a list is reported, and the marker of a bad value returned.
        """
        if kind.split and isinstance(tree, Pairs):
            items: list[Located] = [Pairs([pair], pair[0].line, pair[0].column) for pair in tree.pairs]
        elif isinstance(tree, Items):
            items = tree.items
        elif kind.single and not (isinstance(tree, Scalar) and tree.value is None):
            items = [tree]
        else:
            return self.wrong(tree, "a list")
        values: list[Any] = []
        for number, item in enumerate(items):
            value = self.value(kind.of, item, places, key)
            if not isinstance(value, _Bad):
                places[f"{key}.{number}"] = _content(item)
                values.append(value)
        return tuple(values)

    def named(self, kind: s.Named, tree: Located, places: dict[str, Place], of: str) -> Any:
        """Return a mapping from names to parts as a tuple; `of` is its key, and the place of each name is stored in
        `places` as `nodes.home`. Anything but a mapping is reported, and the marker of a bad value returned.
        """
        if isinstance(tree, Scalar) and tree.value is None:
            return ()
        if not isinstance(tree, Pairs):
            return self.wrong(tree, "a mapping from names to their descriptions")
        values: dict[str, Any] = {}
        for key, part in tree.pairs:
            if key.text in values:
                self.report_duplicate(key, tree)
                places[f"{of}.{key.text}{FAULT_MARK}"] = (key.line, key.column)
            else:
                places[f"{of}.{key.text}"] = (key.line, key.column)
                self.name(key, kind.rule)
                is_empty = isinstance(part, Scalar) and part.value is None
                content = Pairs([], key.line, key.column) if is_empty else part
                value = self.object(kind.shape, content, name=key.text)
                if isinstance(value, _Bad):  # it has its name at least, and others may refer to it
                    value = make(SHAPES[kind.shape].of, name=key.text, span=self.span(part))
                values[key.text] = value
        return tuple(values.values())

    def table(self, of: s.Kind, tree: Located, places: dict[str, Place], key: str) -> Any:
        """Return a mapping from texts to values of the kind `of`, without those that could not be read; the place of
        each is stored in `places` below `key`. Anything but a mapping is reported, and the marker of a bad value
        returned.
        """
        if not isinstance(tree, Pairs):
            return self.wrong(tree, "a mapping")
        values: dict[str, Any] = {}
        for name, part in tree.pairs:
            if name.text in values:
                self.report_duplicate(name, tree)
                places[f"{key}.{name.text}{FAULT_MARK}"] = (name.line, name.column)
                continue
            value = self.value(of, part, places, f"{key}.{name.text}")
            if not isinstance(value, _Bad):
                places[f"{key}.{name.text}"] = _content(part)
                values[name.text] = value
        return cast("Mapping[str, Any]", values)

    def wrong(self, tree: Located, expected: str, hint: str = "") -> _Bad:
        """Report a value of the wrong kind, and return the marker of a bad value."""
        return self.report("TW011", f"found {described(tree)}, expected {expected}", tree, hint)


_CONDITION_KEYS = ("type", "value", "window", "description")
_SHOWN = 6


def _content(tree: Located) -> Place:
    """Return where the text of a scalar begins: after its opening quote, or below the header of a block."""
    if not isinstance(tree, Scalar):
        return (tree.line, tree.column)
    if tree.lines:
        return (*tree.lines[0][1:], tree.lines)
    return (tree.line, tree.column + 1) if tree.style == "quoted" and tree.line else (tree.line, tree.column)


def described(tree: Located) -> str:
    """Return a value of the document in words, for a message."""
    match tree:
        case Items():
            return "a list"
        case Pairs():
            return "a mapping"
        case Scalar(value=None):
            return "nothing"
        case Scalar():
            return f"{tree.text[:40]!r}" if isinstance(tree.value, str) else tree.text[:40]
