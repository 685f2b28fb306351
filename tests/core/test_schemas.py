"""The schemas that are shipped as files are the ones that the code makes; `TURNWISE_REWRITE=1` writes them anew."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from support.chats import INTAKE
from turnwise.api.open import load
from turnwise.flow.codec import encode_flow, flow_schema
from turnwise.runner.transition_eval import payload_schema

SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "flow.schema.json": flow_schema,
    "debug_transition_eval.schema.json": payload_schema,
}
FOLDER = Path(str(files("turnwise"))) / "schemas"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_shipped_schema_is_the_one_that_the_code_makes(name: str) -> None:
    made = json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("TURNWISE_REWRITE") == "1":
        (FOLDER / name).write_text(made, "utf-8")
    assert (FOLDER / name).read_text("utf-8") == made, "run this test with TURNWISE_REWRITE=1 and review the difference"


def test_no_other_file_is_shipped_as_a_schema() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_shipped_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(json.loads((FOLDER / name).read_text("utf-8")))


def test_an_editor_that_has_the_schema_accepts_a_flow_and_marks_what_is_wrong() -> None:
    validator = Draft202012Validator(json.loads((FOLDER / "flow.schema.json").read_text("utf-8")))
    flow = json.loads(encode_flow(load(INTAKE)))
    assert validator.is_valid(flow)
    flow["nodes"]["introduction"]["transitions"][0]["wehn"] = "true"
    assert not validator.is_valid(flow)
