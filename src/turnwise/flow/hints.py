"""Suggests corrections for misplaced keys and values of a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import nearest, nearest_name
from turnwise.flow.guard.conditions import TYPES
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.located import Items, Located, Scalar
from turnwise.flow.model import Tool
from turnwise.flow.shapes import SHAPES, Shape

_MEANT = {
    **dict.fromkeys(("if", "condition"), "when"),
    **dict.fromkeys(("then", "goto", "target", "next"), "to"),
    **dict.fromkeys(("text", "message"), "say"),
    "question": "ask",
    "name": "flow",
}
"""Keys of other formats, and what they are called here."""
_ELSE = ("else", "otherwise")
_MOST_PLACES = 4
_LONGEST = 60
_ADDRESS = late_pattern(r"[a-zA-Z_][\w.]{0,60}")


# documents ---------------------------------------------------------------------------------------


def of_key(key: str, value: Located, shape: Shape) -> str:
    """Return a hint for an unknown key of a shape: the key that is meant, or where it belongs; else empty."""
    if key in _ELSE and ("transitions" in shape.by_name or "when" in shape.by_name):
        target = value.text if isinstance(value, Scalar) and _ADDRESS.fullmatch(value.text) else "…"
        return f"the else is a transition of its own without 'when': {{to: {target}}}"
    meant = _MEANT.get(key, "")
    if meant in shape.by_name:
        return f"did you mean '{meant}'?"
    near = nearest_name(key, shape.by_name)
    places = list(dict.fromkeys(other.word for other in SHAPES.values() if key in other.by_name))
    if not 0 < len(places) <= _MOST_PLACES:
        return nearest(key, shape.by_name)
    belongs = f"'{key}' is a key of {' and of '.join(places)}"
    return f"{belongs}; or did you mean '{near}'?" if near else belongs


def of_condition(key: str, value: Located) -> str:
    """Return a hint for an unknown key of a condition object; empty if none is known."""
    if key in TYPES:
        known = f", value: {_shown(value)}" if isinstance(value, Scalar) and value.text else ""
        return f"write {{type: {key}{known}}}"
    return ""


def of_value(shape: str, tree: Located) -> str:
    """Return a hint with the long form of a short form that people expect but that does not exist; empty if none."""
    match shape, tree:
        case "FormField", Scalar(text=text) if _ADDRESS.fullmatch(text):
            return f"write {{field: {text}}}"
        case "Transition", Scalar(text=text) if _ADDRESS.fullmatch(text):
            return f"write {{to: {text}}}"
        case "Confirm", Scalar():
            return "write true for the usual confirmation"
        case "Field", Items():
            return "write {type: choice, options: […]}"
        case "Form", Items():
            return "write {fields: […]}"
        case "Stop", Scalar() | Items():
            return f"write {{values: {_listed(tree)}}}"
        case _:
            return ""


def _listed(tree: Scalar | Items) -> str:
    """Return a list of texts as an author writes it, `[…]` if it is long."""
    items = tree.items if isinstance(tree, Items) else [tree]
    written = ", ".join(_shown(item) for item in items)
    return f"[{written}]" if len(written) <= _LONGEST else "[…]"


def _shown(tree: Located) -> str:
    if not isinstance(tree, Scalar):
        return "…"
    return repr(tree.text) if tree.style == "quoted" else tree.text


# Python ------------------------------------------------------------------------------------------


def of_argument(of: type, value: Any) -> str:
    """Return a hint how to write a value as a part of a flow, of the class `of`, in Python; empty if none is known."""
    if callable(value) and not isinstance(value, type | PythonGuard):
        return "decorate it: @tw.tool" if of is Tool else ""
    if isinstance(value, str):
        written = _FROM_TEXT.get(of.__name__, "tw.{of}({text}, …)").format(of=of.__name__, text=repr(value[:_LONGEST]))
        return f"write {written}"
    if isinstance(value, list | tuple) and of.__name__ in _FROM_LIST:
        text = repr(list(cast("list[object]", value)))
        return f"write {_FROM_LIST[of.__name__].format(text=text if len(text) <= _LONGEST else '[…]')}"
    if isinstance(value, Mapping):
        names = [name for name in cast("Mapping[object, object]", value) if isinstance(name, str)]
        return f"write tw.{of.__name__}({', '.join(f'{name}=…' for name in names[:_MOST_PLACES])})" if names else ""
    return ""


_FROM_TEXT = {
    "Transition": "tw.Transition(to={text}), or tw.Transition(guard={text}, …)",
    "Form": "tw.Form([{text}])",
    "ToolPolicy": "tw.ToolPolicy(allow=[{text}])",
}
_FROM_LIST = {"Form": "tw.Form({text})", "ToolPolicy": "tw.ToolPolicy(allow={text})"}


def of_when(value: Any) -> str:
    """Return a hint how to write an item of a `when` list as a condition object; empty if none is known."""
    if isinstance(value, str):
        return "one text is one guard: join several with &&"
    if not isinstance(value, Mapping):
        return ""
    given = cast("Mapping[object, object]", value)
    kind = next((key for key in given if key in TYPES), given.get("type"))
    argument = given.get("value", given.get(kind))
    is_known = kind in TYPES and argument is not None
    return f"write tw.Condition({kind!r}, {argument!r})" if is_known else "write tw.Condition(…)"
