"""What is written is read back the same: as JSON, as YAML, and as the schema has it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from strategies.flows import flows, flows_with
from turnwise.authoring.document import read_alone
from turnwise.authoring.yaml_text import write_yaml
from turnwise.flow.codec import decode_flow, encode_flow, flow_schema
from turnwise.flow.model import Flow
from turnwise.flow.shapes import SHAPES

_VALIDATOR = Draft202012Validator(flow_schema())


@given(flows())
def test_a_flow_as_json_is_decoded_as_the_same_flow(flow: Flow) -> None:
    assert decode_flow(encode_flow(flow)) == flow


@given(flows())
def test_a_flow_as_json_document_is_read_as_the_same_flow(flow: Flow) -> None:
    found, diagnostics = read_alone(encode_flow(flow), "a.flow.json")
    assert diagnostics == []
    assert found == flow


@given(flows())
def test_a_flow_as_yaml_is_read_as_the_same_flow(flow: Flow) -> None:
    found, diagnostics = read_alone(write_yaml(flow), "a.flow.yaml")
    assert diagnostics == []
    assert found == flow


@pytest.mark.parametrize("shape", SHAPES)
@given(st.data())
@settings(max_examples=12 if settings.default.max_examples < 1000 else 400)
def test_an_object_of_every_class_survives_both_languages(shape: str, data: st.DataObject) -> None:
    flow = data.draw(flows_with(shape))
    for text, file in ((encode_flow(flow), "a.json"), (write_yaml(flow), "a.yaml")):
        found, diagnostics = read_alone(text, file)
        assert diagnostics == []
        assert found == flow


@given(flows())
def test_writing_what_was_read_changes_no_letter(flow: Flow) -> None:
    text = write_yaml(flow)
    assert write_yaml(read_alone(text, "a.flow.yaml").flow) == text


@given(flows())
def test_a_flow_as_json_is_valid_by_its_schema(flow: Flow) -> None:
    errors = [error.message for error in _VALIDATOR.iter_errors(json.loads(encode_flow(flow)))]
    assert errors == []
