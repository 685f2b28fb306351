"""Every key of a flow that holds a name is known to rename: the keys come from the declarations of the flow.

A new key of a text fails here until it is a row of `editor/references.py`, or one of those that hold no name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from turnwise.editor.project import index_of_text
from turnwise.editor.references import EXPRESSION_KEYS, NAME_TABLES, REFERENCES
from turnwise.editor.text import EditedText
from turnwise.flow.kinds import Anything, FunctionName, Many, Name, Named, Object, Table, Text, WordOrName
from turnwise.flow.model import Flow
from turnwise.flow.shapes import SHAPES

At = tuple[str, str]
WORDS = frozenset(
    {
        *{("Budget", one) for one in ("money", "model", "queue", "outcome")},
        *{("Option", one) for one in ("value", "words")},
        *{("Field", one) for one in ("pattern", "about", "refuse", "default", "title", "format")},
        *{("Stop", one) for one in ("values", "say")},
        *{("FormField", one) for one in ("ask", "help", "buttons", "refuse", "rephrase", "more", "key", "label")},
        *{("Confirm", one) for one in ("summary", "buttons")},
        *{("Acknowledge", one) for one in ("text", "right", "wrong")},
        *{("Form", one) for one in ("statement", "handoff")},
        *{("Tool", one) for one in ("about", "ask", "expects", "title")},
        *{("McpServer", one) for one in ("command", "url", "env", "token")},
        *{("Summary", one) for one in ("fallback", "prompt", "model")},
        *{("Scope", one) for one in ("tool", "flow")},
        *{("PersonWork", one) for one in ("queue", "about")},
        *{("Transition", one) for one in ("id", "because", "note", "say", "block", "end")},
        *{
            ("Node", one)
            for one in ("description", "title", "starts", "persona", "model", "say", "prompt", "entry", "end")
        },
        *{("Overlay", one) for one in ("from", "to", "time_zone", "name", "persona", "addendum")},
        *{("Schedule", one) for one in ("cron", "at", "anchor", "opener", "instruct", "with", "quiet")},
        *{("Import", one) for one in ("from", "names")},
        *{("Flow", one) for one in ("flow", "title", "description", "time_zone", "language", "texts", "persona")},
        *{("Flow", one) for one in ("prompt", "model", "fallback")},
        *{
            ("Commands", "names"),
            ("Settings", "stop"),
            ("ReplyGuard", "say"),
            ("Offer", "opener"),
            ("Price", "currency"),
        },
    }
)
"""The keys whose texts hold no name that a document declares, but in `{{ }}`, or one that is read elsewhere (imports)."""
OF_ITEMS = frozenset({("OptionsFrom", "label"), ("OptionsFrom", "value")})
"""The keys about the items of a list, which have tests of their own."""
NAMES = {"node": "there", "address": "order.size", "record": "order", "tool": "price", "event": "paid"}
DECLARED = {
    "records": {"order": {"size": "string"}},
    "tools": {"price": "What it costs."},
    "events": {"paid": {}},
    "nodes": {"there": {"scope": {"start": "in", "nodes": {"in": {"say": "In."}}}}},
}


def keys_of_texts() -> Iterator[At]:
    """Yield each key that may hold a name: a text, a list or table of texts."""
    for shape in SHAPES.values():
        for key in shape.keys:
            kind = key.kind.of if isinstance(key.kind, Many) else key.kind
            if isinstance(kind, (Text, Name, WordOrName, Table, Anything)) and not isinstance(kind, FunctionName):
                yield shape.name, key.name


def test_every_key_of_a_text_is_known_to_hold_a_name_or_to_hold_none() -> None:
    known = {*REFERENCES, *NAME_TABLES, *EXPRESSION_KEYS}
    for at in keys_of_texts():
        assert (at in known) + (at in WORDS) + (at in OF_ITEMS) == 1, f"{at} is in none or in two of the lists"


def test_the_lists_have_no_key_that_is_gone() -> None:
    declared = {(shape.name, key.name) for shape in SHAPES.values() for key in shape.keys}
    assert {*REFERENCES, *NAME_TABLES, *EXPRESSION_KEYS, *WORDS, *OF_ITEMS} <= declared


def ways() -> dict[str, list[At]]:
    """The keys that lead from a flow to each of its classes, by the shortest way."""
    found: dict[str, list[At]] = {Flow.__name__: []}
    waiting = [*found]
    while waiting:
        shape = waiting.pop(0)
        for key in SHAPES[shape].keys:
            kind = key.kind.of if isinstance(key.kind, Many) else key.kind
            inner = getattr(kind, "shape", None) if isinstance(kind, (Object, Named)) else None
            if inner is not None and inner not in found:
                found[inner] = [*found[shape], (shape, key.name)]
                waiting.append(inner)
    return found


WAYS = ways()


def document(at: At, value: Any) -> str:
    """A flow in which a key has a value."""
    part: Any = {at[1]: value}
    for shape, name in reversed(WAYS[at[0]]):
        if (shape, name) == ("Record", "fields"):  # a record is written as its fields
            part = {"here": part}
            continue
        kind = SHAPES[shape].by_name[name].kind
        many = isinstance(kind, Many)
        inner: Any = [part] if many else {"here": part} if isinstance(kind, Named) else part
        part = {name: inner}
    found: dict[str, Any] = {"flow": "f"}
    for name in dict.fromkeys([*DECLARED, *part]):
        mine, declared = part.get(name), DECLARED.get(name)
        found[name] = {**declared, **mine} if isinstance(mine, dict) and declared is not None else mine or declared
    return json.dumps(found)


def named(at: At, value: Any) -> set[str]:
    """The names that the index of such a flow has at places that declare nothing."""
    text = EditedText(document(at, value))
    index = index_of_text(text, "f.flow.yaml")
    return {text.text[one.place.begin : one.place.end] for one in index.occurrences if not one.is_declaration}


def wanted(name: str) -> set[str]:
    return set(name.split("."))


@pytest.mark.parametrize("at", [one for one in REFERENCES if one != ("Flow", "start")], ids=".".join)
def test_a_name_at_each_key_is_found(at: At) -> None:
    name = NAMES[REFERENCES[at]]
    many = isinstance(SHAPES[at[0]].by_name[at[1]].kind, Many)
    assert wanted(name) <= named(at, [name] if many else name)


@pytest.mark.parametrize("at", NAME_TABLES, ids=".".join)
def test_a_name_in_each_table_is_found(at: At) -> None:
    of_keys, of_values = NAME_TABLES[at]
    key = NAMES[of_keys] if of_keys is not None else "x"
    found = named(at, {key: NAMES[of_values] if of_values is not None else 1})
    assert wanted(key) <= found
    assert of_values is None or wanted(NAMES[of_values]) <= found


@pytest.mark.parametrize("at", sorted(EXPRESSION_KEYS), ids=".".join)
def test_a_name_in_each_expression_is_found(at: At) -> None:
    kind = SHAPES[at[0]].by_name[at[1]].kind
    value = "size(order.size) + 1"
    assert {"order", "size"} <= named(at, {"order.size": value} if isinstance(kind, Table) else value)


@pytest.mark.parametrize("at", sorted(WORDS), ids=".".join)
def test_a_name_in_the_holes_of_each_text_is_found_where_it_is_a_template(at: At) -> None:
    kind = SHAPES[at[0]].by_name[at[1]].kind
    if at in NO_TEMPLATES or not isinstance(kind, Text):
        return
    assert {"order", "size"} <= named(at, "{{ order.size }}")


NO_TEMPLATES = frozenset({("Import", "from"), ("Import", "names")})
"""Where other documents are named."""
