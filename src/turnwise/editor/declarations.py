"""What an editor shows about a declaration: its kind and name, and its content by line."""

from __future__ import annotations

from turnwise.editor.index import SymbolKind
from turnwise.flow.located import Items, Located, Pairs, Scalar
from turnwise.flow.shapes import SHAPES

_LONGEST = 100
_WORKS = ("say", "prompt", "form", "tool", "scope", "person")
_SHOWN: dict[SymbolKind, tuple[str, ...]] = {
    "node": ("title", "description", *_WORKS, "end"),
    "field": ("about", "options", "min", "max", "pattern", "default", "value", "secret", "names"),
    "tool": ("title", "about", "kind", "args", "into"),
    "record": ("fields",),
    "event": ("fields",),
    "type": ("fields",),
    "overlay": ("from", "to", "every", "name"),
    "schedule": ("cron", "at", "every", "idle", "call", "offer"),
    "server": ("command", "url"),
    "price": ("input", "output"),
}
"""The keys whose values are shown, by the kind of the declaration."""


def detail_of(kind: SymbolKind, name: str, shape: str, part: Located) -> str:
    """Return a description of a declaration in one line; `shape` is the class of the flow model of which `part` is the
    content.
    """
    values = _values(shape, part)
    if kind == "field":
        of = f" of {values['of']}" if "of" in values else ""
        return f"field {name}: {values.get('type', 'string')}{of}"
    if kind == "node":
        work = next((word for word in _WORKS if word in values), "")
        title = f' "{values["title"]}"' if "title" in values else ""
        return f"node {name}{title}" + (f" ({work})" if work else "")
    return f"{kind} {name}"


def about_of(kind: SymbolKind, part: Located) -> tuple[str, ...]:
    """Return the main keys of a declaration with their values, such as `title: …`, one a line."""
    shape = {"node": "Node", "field": "Field", "tool": "Tool", "record": "Record", "event": "Record"}.get(kind, "")
    values = _values(shape, part)
    return tuple(f"{key}: {values[key]}" for key in _SHOWN.get(kind, ()) if values.get(key))


def _values(shape: str, part: Located) -> dict[str, str]:
    known = SHAPES.get(shape)
    if known is not None and known.short is not None:
        part = known.short.widen(part)
    return {key.text: shown(value) for key, value in part.pairs} if isinstance(part, Pairs) else {}


def shown(value: Located) -> str:
    """Return a value in one line, cut if it is long."""
    match value:
        case Scalar():
            text = value.text
        case Items():
            text = ", ".join(shown(one) for one in value.items[:10])
        case Pairs():
            text = ", ".join(key.text for key, _ in value.pairs[:10])
    text = " ".join(text[: 4 * _LONGEST].split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
