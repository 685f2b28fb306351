"""Descriptions of attributes: they reach the OpenAPI document, and no attribute of the wire lacks one that it needs."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules
from typing import get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields

from turnwise.server import openapi, wire
from turnwise.server.app import OPERATIONS, PREFIX
from turnwise.server.shape_docs import attribute_docs
from turnwise.server.wire.editing import PlaceInText
from turnwise.server.wire.flows import GraphNode

PLAIN = {
    *("about", "approve", "arguments", "at_ms", "cells", "clear", "conversation", "conversations", "data"),
    *("description", "due_ms", "edges", "entry", "event", "events", "field", "file", "flow", "format", "id"),
    *("input", "is_open", "is_optional", "is_secret", "items", "kind", "ledger", "limit", "limits", "lines"),
    *("maximum", "message", "minimum", "moment", "name", "node", "nodes", "problems", "requests_per_minute"),
    *("result", "scope", "set", "severity", "status", "summary", "text", "time_zone", "title", "tokens_in"),
    *("tokens_out", "took_ms", "tool", "transition", "turn", "value", "values"),
}
"""Names that need no description: the class has one, and the term is in the glossary or an everyday word."""
SHAPES = [
    one
    for module in iter_modules(wire.__path__)
    for one in vars(import_module(f"{wire.__name__}.{module.name}")).values()
    if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == f"{wire.__name__}.{module.name}"
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_an_attribute_of_the_wire_is_described_or_explains_itself(shape: type[Struct]) -> None:
    docs, named = attribute_docs(shape), set(re.findall(r"`(\w+)`", shape.__doc__ or ""))
    unclear = [
        one.name
        for one in fields(shape)
        if one.name not in docs and one.name not in named | PLAIN and not _parts(one.type) & set(SHAPES)
    ]
    assert not unclear


def test_the_openapi_document_has_the_descriptions_of_attributes() -> None:
    document = openapi.document(OPERATIONS, PREFIX)
    schemas = document["components"]["schemas"]
    assert schemas["PlaceInText"]["properties"]["line"]["description"] == "The line, from 0."
    assert schemas["PlaceInText"]["properties"]["line"]["description"] == attribute_docs(PlaceInText)["line"]
    long = attribute_docs(GraphNode)["file"]
    assert "\n" not in long
    assert schemas["GraphNode"]["properties"]["file"]["description"] == long


def test_the_openapi_document_describes_parameters() -> None:
    document = openapi.document(OPERATIONS, PREFIX)
    parameters = document["paths"][f"{PREFIX}/conversations"]["get"]["parameters"]
    (text,) = [one for one in parameters if one["name"] == "text"]
    assert text["description"] == "Words to search for in name, node and messages; empty for all conversations."
    assert "description" not in text["schema"]


def test_a_class_whose_name_another_has_keeps_its_own_descriptions() -> None:
    schemas = openapi.document(OPERATIONS, PREFIX)["components"]["schemas"]
    stored, shown = (schemas[f"turnwise.{name}.Waiting"] for name in ("core.state", "server.wire.conversations"))
    assert stored["properties"]["what"]["description"] == (
        "What the conversation waits for, such as a message or the result of an effect."
    )
    assert shown["properties"]["person"]["description"] == "The person in charge, or the wait for a person."


def _parts(kind: object) -> set[object]:
    return {kind}.union(*[_parts(one) for one in get_args(kind)]) if get_args(kind) else {kind}
