"""Schemathesis over the whole OpenAPI document: every answer is declared, and nothing fails that should not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from turnwise.server import openapi
from turnwise.server.app import PREFIX, ROUTES

ROOT = Path(__file__).parents[2]
STREAMS = ("/api/stream",)
"""A stream does not end; `test_streams` has its tests."""

CONFIG = SchemathesisConfig.from_dict(
    {
        "request-timeout": 10,
        "checks": {
            # a value of the right type may name what is not there, or not fit now
            "positive_data_acceptance": {
                "expected-statuses": ["2xx", "401", "403", "404", "406", "409", "422", "429", "501", "503"]
            },
        },
    }
)


@schemathesis.serializer("application/x-ndjson")
def send_lines(ctx: Any, value: Any) -> bytes:
    """Send a file as it is."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    env = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
    command = [sys.executable, "-m", "support.seeded_server"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


OPERATIONS = [one for operations in ROUTES for one in operations]
DOCUMENT = openapi.document(OPERATIONS, PREFIX)
schema = schemathesis.openapi.from_dict(DOCUMENT, config=CONFIG).exclude(path=list(STREAMS))


@schemathesis.hook
def map_path_parameters(ctx: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Name a conversation that is there in three of four cases."""
    known = ("x", "y", "z")
    if path_parameters and isinstance(path_parameters.get("id"), str) and (at := len(path_parameters["id"]) % 4) < 3:
        return {**path_parameters, "id": known[at]}
    return path_parameters


@schema.parametrize()
@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_declared_and_nothing_fails(case: schemathesis.Case, address: str) -> None:
    case.call_and_validate(base_url=address)


def test_every_operation_is_in_the_document_with_its_errors() -> None:
    for one in OPERATIONS:
        found = DOCUMENT["paths"][PREFIX + one.path][one.method.lower()]
        assert found["summary"].endswith("."), one.name
        assert {"400", "403", "429", "500", "503"} <= set(found["responses"]), one.name
        for status, response in found["responses"].items():
            if int(status) >= 400:
                assert list(response["content"]) == ["application/problem+json"], (one.name, status)
        if one.body is not None:
            assert "examples" in found["requestBody"]["content"]["application/json"], f"{one.name} has no example"
    names = [one.name for one in OPERATIONS]
    assert sorted(set(names)) == sorted(names), "the names of operations are the names of functions in clients"
