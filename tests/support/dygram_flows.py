"""Random flows whose parts fit together: transitions lead to nodes, permissions name records, so that edges can say them.

`strategies.flows` draws every key of every object, and its names lead nowhere; a flow of this module takes a fiftieth of
the time, so that thousands are affordable.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from turnwise.authoring.document import read_alone
from turnwise.authoring.dygram.compile.fields import PATTERNS
from turnwise.flow.diagnostic import has_errors
from turnwise.flow.model import Flow

_WORDS = ("a", "b", "desk", "import", "end", "x1", "_y", "Form", "when", "type", "from")
_OTHER = ("weigh-it", "go/to")
_TEXTS = ("x", "two words", 'a "quote"', "it's", "back\\slash", "line\nbreak", "{{ a.b }}", "ä→", "//", "*/", "#1", " ")
_GUARDS = ("turns > 1", "errors == 0", "a.x1 != 'y'", 'size(desk.b) > 2 && "x" in desk.b', "!(turns > 3)")
_FIELDS: tuple[dict[str, Any], ...] = (
    {},
    {"type": "string", "default": "it's"},
    {"type": "string", "pattern": "[a-z]+", "about": "letters"},
    {"type": "string", "pattern": PATTERNS["uuid"]},
    {"type": "list", "of": "string", "pattern": PATTERNS["url"], "about": "links"},
    {"type": "list", "pattern": PATTERNS["url"]},
    {"type": "number", "min": -1.5, "max": 1e9},
    {"type": "number", "default": -4},
    {"type": "integer", "min": 0, "default": 3},
    {"type": "boolean", "default": False},
    {"type": "choice", "options": ["small", "two words"]},
    {"type": "choice", "options": [{"value": "s", "words": ["tiny"]}, "l"]},
    {"type": "list", "of": "string", "default": []},
    {"type": "list", "of": "integer", "max": 4},
    {"type": "list"},
    {"type": "datetime"},
    {"type": "date"},
    {"type": "time", "default": "09:30"},
    {"type": "duration"},
    {"type": "email"},
    {"type": "phone", "about": "where to call"},
)


class Maker:
    """Makes the parts of one flow."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.records = self.names(3)
        self.tools = self.names(2, _OTHER)
        self.nodes = self.names(6, tuple(self.path() for _ in range(4)))
        self.modules: dict[str, str] = {}
        if self.maybe(0.4):
            self.add_group(self.random.choice(("Desk", "a", "shop")))
        self.records = self.with_paths(self.records)
        self.tools = self.with_paths(self.tools)

    def with_paths(self, names: list[str]) -> list[str]:
        """Names of records or tools, some with the path of a node or another path before them."""
        around = [*self.nodes, "shop", "away.from"]
        changed = [f"{self.random.choice(around)}.{name}" if self.maybe(0.4) else name for name in names]
        return [*dict.fromkeys(changed)]

    def add_group(self, top: str) -> None:
        """Add nodes below a path, and maybe the module that begins with one of them."""
        inside = [f"{top}.{name}" for name in self.random.sample(("one", "two.x", "two.y", "when", "b"), 3)]
        has_module = self.maybe(0.7)
        self.nodes = [*(name for name in self.nodes if name != top and name not in inside), *inside]
        if has_module:
            self.nodes.insert(self.nodes.index(inside[0]), top)
            self.modules[top] = self.random.choice((inside[0], *inside))

    def names(self, most: int, more: tuple[str, ...] = ()) -> list[str]:
        """Some names, each once."""
        pool = [*dict.fromkeys((*_WORDS, *more, *more))]
        return self.random.sample(pool, self.random.randint(1, most))

    def path(self) -> str:
        """A name with dots."""
        return ".".join(self.random.choice(_WORDS) for _ in range(self.random.randint(2, 3)))

    def maybe(self, chance: float = 0.3) -> bool:
        """True so often."""
        return self.random.random() < chance

    def text(self) -> str:
        """A text."""
        return self.random.choice(_TEXTS)

    def flow(self) -> Flow:
        """The flow."""
        fields = {name: [*self.names(4)] for name in self.records}
        self.addresses = [*self.records, *(f"{name}.{field}" for name in fields for field in fields[name])]
        data: dict[str, Any] = {
            "flow": self.random.choice(("f", "parcel_desk")),
            "start": self.random.choice(self.nodes),
            "records": {name: {field: self.field() for field in fields[name]} for name in self.records},
            "tools": {name: self.tool() for name in self.tools} if self.maybe(0.6) else {},
            "nodes": {name: self.node(name) for name in self.nodes},
            "autonomous": self.maybe(0.6),
            **({"title": self.random.choice(("F", "Parcel desk", "f"))} if self.maybe(0.6) else {}),
            **({"persona": self.text(), "limits": {"run_moves": 9}} if self.maybe() else {}),
            **({"transitions": [self.transition()]} if self.maybe(0.1) else {}),
        }
        flow, found = read_alone(json.dumps(data), "flow.json")
        assert not has_errors(found), found
        return flow

    def field(self) -> dict[str, Any]:
        """A field; a list may hold records."""
        if self.maybe(0.1):
            return {"type": "list", "of": self.random.choice(self.records)}
        return self.random.choice(_FIELDS)

    def tool(self) -> dict[str, Any]:
        """A tool."""
        more = {"kind": "effect", "confirm": True, "timeout": "10s"} if self.maybe() else {}
        args = {"args": {name: self.random.choice(_FIELDS[1:8]) for name in self.names(2)}} if self.maybe(0.5) else {}
        return {"about": self.text(), **args, **more}

    def node(self, name: str) -> dict[str, Any]:
        """A node with one kind of work, permissions and transitions."""
        if name in self.modules:
            about = {"description": self.text()} if self.maybe() else {}
            return {**about, "transitions": [{"to": self.modules[name]}]}
        work: dict[str, Any] = self.random.choice(
            (
                {},
                {"prompt": self.text(), **self.permissions()},
                {"prompt": self.text(), **self.permissions()},
                {"say": self.text()},
                {"form": {"fields": [{"field": self.random.choice(self.addresses), "ask": self.text()}]}},
                {"tool": {"name": self.random.choice(self.tools), "with": {"a": "turns"}}},
            )
        )
        more: dict[str, Any] = {"description": self.text()} if self.maybe() else {}
        more |= {"title": self.text()} if self.maybe(0.15) else {}
        more |= {"retry": {"times": 2, "pause": "2s"}, "timeout": "30s"} if self.maybe(0.15) else {}
        more |= {"set": {self.random.choice(self.addresses): "turns + 1"}} if self.maybe(0.15) else {}
        if self.maybe(0.2):
            return {**work, **more, "end": self.text()}
        ways = self.edges() if self.maybe(0.7) else [self.transition() for _ in range(self.random.randint(0, 3))]
        return {**work, **more, **({"transitions": ways} if ways else {})}

    def permissions(self) -> dict[str, Any]:
        """What a model may read, write and use."""
        found: dict[str, Any] = {}
        for key in ("reads", "writes"):
            if self.maybe(0.5):
                found[key] = self.random.sample(self.addresses, self.random.randint(1, 2))
        return found | ({"tools": {"allow": self.random.sample(self.tools, 1)}} if self.maybe() else {})

    def edges(self) -> list[dict[str, Any]]:
        """Transitions as edges say them: guards, errors, and one without a guard, in their order."""
        guarded = [{"when": self.random.choice(_GUARDS), **self.way()} for _ in range(self.random.randint(0, 2))]
        caught = [{"at": "error", **self.way()}] if self.maybe() else []
        return [*guarded, *caught, *([self.way()] if self.maybe(0.8) else [])]

    def way(self) -> dict[str, Any]:
        """Where a transition leads, maybe with its reason."""
        return {"to": self.random.choice(self.nodes), **({"because": self.text()} if self.maybe() else {})}

    def transition(self) -> dict[str, Any]:
        """A transition with keys that no edge has by itself."""
        more: dict[str, Any] = self.random.choice(
            (
                {"at": "before", "when": self.random.choice(_GUARDS), "priority": 3},
                {"at": "choice"},
                {"at": "timer", "in": "10m"},
                {"id": "way", "say": self.text(), "set": {self.random.choice(self.addresses): "1"}},
                {"note": self.text(), "when": self.random.choice(_GUARDS)},
            )
        )
        return {**more, **self.way()}


def random_flow(seed: int) -> Flow:
    """A flow; the same for the same seed."""
    return Maker(Random(seed)).flow()
