"""Describes each object of a flow document: its keys, and the short forms that may stand for it.

The classes in `flow/model/` declare their shapes by `flow/declare.py`, which lists them here. It reads no document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from turnwise.flow.kinds import Kind, Many, Named, Object
from turnwise.flow.located import Located


class Key(Struct, frozen=True):
    """A key of flow documents: its kind of value, its description, and the attribute that stores it."""

    name: str
    """The key, as documents write it."""
    kind: Kind
    """The kind of value that the key accepts."""
    about: str
    """The description of the key, in one line."""
    attribute: str
    """The attribute of the flow class that stores the value."""
    required: bool = False
    """True if the key must be present."""


class ShortForm(Struct, frozen=True):
    """A short form in which a part of a flow may be written in documents."""

    schema: Mapping[str, Any]
    """The JSON Schema of the short forms."""
    widen: Callable[[Located], Located]
    """Returns the long form of a document's short form, before it is read."""
    narrow: Callable[[dict[str, Any]], Any] | None = None
    """Returns the short form of a long form, after it is written; `None` to keep the long form."""


class Shape(Struct, frozen=True):
    """How a class of the flow model is written in documents: its title, keys and short form."""

    title: str
    """The name of an object of the class in diagnostics, such as `a node`."""
    of: type[Any]
    """The class of the flow model."""
    keys: tuple[Key, ...]
    """The keys of the class in documents."""
    short: ShortForm | None = None
    """The short form in which an object may be written; `None` if there is none."""
    is_bare: bool = False
    """True if, in Python, the first argument of the class may stand for a whole object."""
    by_name: dict[str, Key] = {}
    """The keys of the class in documents, by name."""
    written: tuple[tuple[str, str, Kind, Any], ...] = ()
    """What the writer writes: key, attribute, kind, and the default that it leaves out."""
    has_span: bool = False
    """True if objects of the class store their place in the document."""

    def __post_init__(self) -> None:
        known = {one.name: one for one in fields(self.of)}
        written = [(one.name, one.attribute, one.kind, _left_out(one, known[one.attribute])) for one in self.keys]
        force_setattr(self, "by_name", {one.name: one for one in self.keys})
        force_setattr(self, "written", tuple(written))
        force_setattr(self, "has_span", "span" in known)

    @property
    def name(self) -> str:
        """The name of the class of the flow model."""
        return self.of.__name__

    @property
    def word(self) -> str:
        """The name of an object in a message: its class in words, or the key under which authors write it."""
        if self.name in _KEYS:
            return f"'{_KEYS[self.name]}'"
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).lower()
        return f"an {words}" if words[0] in "aeio" else f"a {words}"


def _left_out(key: Key, known: Field[Any]) -> Any:
    """Return the value at which a key is not written; a required number is always written, also a 0."""
    if key.required and isinstance(known.default, float):
        return MISSING
    return known.default if known.default_factory is MISSING else known.default_factory()


_KEYS = {
    "Collect": "collect",
    "Commands": "commands",
    "Confirm": "confirm",
    "Keep": "keep",
    "Limits": "limits",
    "NodeTranscript": "transcript",
    "PersonWork": "person",
    "Retry": "retry",
    "ScopeLimits": "limits",
    "Stop": "stop",
    "ReplyGuard": "guard_reply",
    "Settings": "settings",
    "ToolPolicy": "tools",
    "ToolWork": "tool",
}

SHAPES: dict[str, Shape] = {}
"""The shape of each class of the model by the name of the class, complete as soon as `flow/model/` is imported."""
SHAPE_OF: dict[type, Shape] = {}
"""The shapes of the classes of the flow model, by class."""


def inside(kind: Kind, value: Any) -> tuple[Any, ...]:
    """Return the parts of a flow in the value of a key of this kind."""
    match kind:
        case Named() | Many(Object()):
            return tuple(value)
        case Object() if value is not None:
            return (value,)
        case _:
            return ()


def class_under(kind: Kind) -> type[Any] | None:
    """Return the class of the parts in values of this kind; `None` if there are none."""
    match kind:
        case Named(name) | Many(Object(name)) | Object(name):
            return SHAPES[name].of
        case _:
            return None
