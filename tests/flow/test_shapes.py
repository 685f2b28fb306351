"""One table describes a document: what is read, what is written, and what the schema says are the same."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from turnwise.flow import kinds, model
from turnwise.flow.codec import flow_schema
from turnwise.flow.kinds import IDENTIFIER
from turnwise.flow.located import locate
from turnwise.flow.read import Reader
from turnwise.flow.shapes import SHAPES

NOT_WRITTEN = {"name", "span", "start_span", "code", "faults", "files", "strays", "is_read", "before", "after", "parts"}
NOT_WRITTEN_OF = {"Option": {"label"}}
"""The name of a thing is the key that it stands under; its place, and what lies beside its data, is no part of it."""


@pytest.mark.parametrize("name", SHAPES)
def test_the_keys_of_a_shape_are_the_attributes_of_its_class(name: str) -> None:
    described = SHAPES[name]
    attributes = {field.name for field in dataclasses.fields(described.of)}
    keys = {key.attribute for key in described.keys}
    assert keys | NOT_WRITTEN | NOT_WRITTEN_OF.get(name, set[str]()) >= attributes >= keys


def test_every_class_of_the_model_has_a_shape() -> None:
    classes = {value for value in vars(model).values() if dataclasses.is_dataclass(value)}
    assert classes - {described.of for described in SHAPES.values()} == {model.Condition}


@pytest.mark.parametrize("name", SHAPES)
def test_the_schema_has_the_keys_that_are_read(name: str) -> None:
    schema = flow_schema()["$defs"][name]
    forms = schema.get("anyOf", [schema])
    extra = {"format"} if name == "Flow" else set[str]()
    assert set(forms[-1]["properties"]) == {key.name for key in SHAPES[name].keys} | extra
    assert set(forms[-1].get("required", [])) == {key.name for key in SHAPES[name].keys if key.required}


@pytest.mark.parametrize("name", SHAPES)
def test_no_key_is_read_in_silence_that_no_shape_has(name: str) -> None:
    reader = Reader("a.yaml")
    reader.object(name, locate({"quite_unknown": 1, "another": 2}), **({"name": "x"} if name in NAMED else {}))
    assert reader.diagnostics


NAMED = {key.kind.shape for one in SHAPES.values() for key in one.keys if isinstance(key.kind, kinds.Named)}


def test_the_schema_of_a_condition_has_the_attributes_of_its_class() -> None:
    properties: dict[str, Any] = flow_schema()["$defs"]["Condition"]["properties"]
    assert set(properties) == {field.name for field in dataclasses.fields(model.Condition)} - NOT_WRITTEN


def test_every_key_has_a_line_about_it_and_a_name_that_can_be_typed() -> None:
    for described in SHAPES.values():
        for key in described.keys:
            assert key.about
            assert IDENTIFIER.allows(key.name)
