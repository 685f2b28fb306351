"""Schemathesis over the whole OpenAPI document: what the document allows is taken, every answer is declared with its
shape, and nothing fails.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import positive_data_acceptance
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test

from support.served import Client, Listening, in_loop, served
from turnwise.server import openapi
from turnwise.server.app import PREFIX, ROUTES

ROOT = Path(__file__).parents[2]
OPERATIONS = [one for operations in ROUTES for one in operations]
DOCUMENT = openapi.document(OPERATIONS, PREFIX)
OF_A_PERSON = {"say", "give_back", "preview"}
"""Operations on a conversation of which a person is in charge."""

CONFIG = SchemathesisConfig.from_dict(
    {
        "request-timeout": 10,
        "checks": {
            # 404: there is no such turn; 409: it does not fit the present state
            "positive_data_acceptance": {"expected-statuses": ["2xx", "404", "409"]},
        },
    }
)
_FIELDS = "the flow says which fields there are, and what each takes"
_TRANSITIONS = "the flow says which transitions there are"
_DECISIONS = "each call is decided once, and its tool says which arguments there are: no schema relates items of a list"
_WHOLE = "to a JSON schema 5.0 is an integer; a count of lines or characters is written without a fraction"
NEEDS: Mapping[str, Mapping[str, str]] = {
    "begin": {"/time_zone": "which time zones there are is known to the zone database of the server"},
    "complete_source": {"/(line|character)": _WHOLE},
    "hover_source": {"/(line|character)": _WHOLE},
    "import_": {"/0|": "a file of lines cannot be described by a JSON schema"},
    "stream": {"\\?after": "one position for each conversation: OpenAPI cannot relate two parameters"},
    "decisions": {r"\?transition": _TRANSITIONS},
    "why": {
        r"\?(subject|against|against_turn|to)": "two questions at once: OpenAPI cannot relate two parameters",
    },
    "edit": {"/(set|clear|items)(/.*)?": _FIELDS},
    "give_back": {"/set/.*": _FIELDS, "/transition": _TRANSITIONS},
    "preview": {"/set/.*": _FIELDS, "/transition": _TRANSITIONS},
    "take": {
        "/button": "the conversation says which buttons there are",
        "/commands/.*": _FIELDS,
        "/tool/.*": "the flow says which tools there are, and their arguments",
        "/timer/transition": "the flow says which timers there are",
    },
    "decide": {"(/decisions.*)?": _DECISIONS},
    "decide_as_operator": {"(/decisions.*|/operator)?": _DECISIONS},
    "send_event": {"/data(/.*)?": "the flow says which data its events have"},
    "set_schedule_input": {"/input(/.*)?": "the scope of the schedule says which input it takes"},
    "what_if": {"/(values|rules)/.*": _FIELDS},
    "what_if_all": {"/(values|rules)/.*": _FIELDS},
}
"""For each operation the places whose values only the flow, the state or the host can judge, as regular expressions,
each with its reason: 422 is a right answer there.
"""


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


def with_names_that_exist(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document for generated requests: the flow and the conversation are those of the server, so that not
    every answer is that there is none.
    """
    found = copy.deepcopy(document)
    known = {
        "id": {"enum": ["x"]},
        "flow": {"enum": ["eligibility", "health_intake"]},
        "n": {"enum": [1, 2]},
        "name": {"enum": ["feedback"]},
        "period": {"enum": ["2026-11"]},
        "delivery": {"enum": ["0"]},
    }
    for operation in [one for path in found["paths"].values() for one in path.values()]:
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                parameter["schema"] = known[parameter["name"]]
            elif parameter["name"] == "conversation":
                parameter["schema"] = {"type": "array", "items": {"enum": ["x", "y"]}}
    found["components"]["schemas"]["NewConversation"]["properties"]["flow"] = known["flow"]
    return found


COPIES = itertools.count()
CLIENT = httpx.Client(trust_env=False)
SESSION = requests.Session()
SESSION.trust_env = False
EXAMPLES = "hypothesis_explicit_examples"
"""Where hypothesis keeps the cases that schemathesis derived from the parts of a document."""
MOST_COVERED = sys.maxsize if os.environ.get("TURNWISE_SOAK") == "1" else 25
"""How many of these are tried for each operation, evenly chosen; a body with many members gives more than a thousand."""


@pytest.fixture(scope="module")
def schema() -> schemathesis.BaseSchema:
    """The document, from which cases are built in the worker that tests them, not whenever tests are collected."""
    return schemathesis.openapi.from_dict(with_names_that_exist(DOCUMENT), config=CONFIG)


@pytest.fixture(scope="module")
def taken() -> Iterator[dict[str, bool]]:
    """Whether some request of each operation that was called was taken."""
    found: dict[str, bool] = {}
    yield found
    # a file of lines is not generated, no call waits for the approvals, nothing is delivered, and flows of a program
    # have no documents (test_document_editing.py)
    of_documents = {f"{name}_source" for name in ("check", "complete", "hover", "format", "save")}
    refused = {name for name, is_taken in found.items() if not is_taken}
    assert refused <= {"import_", "decide", "decide_as_operator", "send_again", *of_documents}, (
        "nothing of them is tested but refusals"
    )


@pytest.mark.parametrize("name", [one.name for one in OPERATIONS])
def test_what_is_allowed_is_taken_and_every_answer_is_declared(
    name: str, schema: schemathesis.BaseSchema, address: str, taken: dict[str, bool]
) -> None:
    test = build_operation_test(
        config=schema.config,
        operation=schema.find_operation_by_id(name),
        test_func=is_answered_as_declared,
        given_kwargs={},
        feedback=FeedbackSources(),
    )
    found = getattr(test, EXAMPLES)
    setattr(test, EXAMPLES, found[:: math.ceil(len(found) / MOST_COVERED)])
    test(address=address, taken=taken)


@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def is_answered_as_declared(case: schemathesis.Case, address: str, taken: dict[str, bool]) -> None:
    name = case.operation.definition.raw["operationId"]
    if "id" in case.path_parameters:
        case.path_parameters["id"] = conversation_for(case, name, address)
    response = case.call(base_url=address, session=SESSION)
    problem = response.json() if response.status_code == 422 else {}
    places = NEEDS.get(name, {})
    is_justified = bool(problem) and all(
        any(re.fullmatch(place, fault["at"], re.DOTALL) for place in places) for fault in problem["errors"]
    )
    case.validate_response(response, excluded_checks=[positive_data_acceptance] if is_justified else [])
    taken[name] = taken.get(name, False) or response.status_code < 300


def conversation_for(case: schemathesis.Case, operation: str, address: str) -> str:
    """Return a conversation for a request: one that is there, a new copy of it for a request that may change it."""
    if case.path_parameters["id"] != "x":
        return f"none{case.path_parameters['id']}"
    source = "y" if operation in OF_A_PERSON else "x"
    if case.method == "GET":
        return source
    name = f"copy-{next(COPIES)}"
    answer = CLIENT.post(f"{address}/api/conversations/{source}/fork", json={"name": name})
    assert answer.status_code == 201, answer.text
    return name


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


# the events of streams ---------------------------------------------------------------------------


async def begun(client: Client) -> None:
    await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})
    await client.post("/api/conversations/x/turns", json={"text": "we have some"})


@pytest.mark.parametrize(
    ("operation", "path", "body", "names"),
    [
        (
            "stream",
            "/api/stream?conversation=x&after=0&debug=true&list=true",
            b"",
            {"ping", "entry", "message", "seam", "debug_transition_eval", "turn", "summary", "forgotten"},
        ),
        ("stream", "/api/stream?conversation=x&after=0", b"", {"ping", "message", "turn", "forgotten"}),
        ("events", "/api/conversations/x/events", b"", {"ping", "entry", "forgotten"}),
        (
            "take",
            "/api/conversations/x/turns?debug=true",
            b'{"text": "24 months"}',
            {"entry", "message", "debug_transition_eval", "seam", "turn"},
        ),
        ("take", "/api/conversations/x/turns", b'{"button": "no such"}', {"turn"}),
    ],
)
def test_every_event_of_a_stream_is_declared_with_its_shape(
    operation: str, path: str, body: bytes, names: set[str]
) -> None:
    @in_loop
    async def listens() -> None:
        async with served() as client:
            await begun(client)
            listening = Listening(client.server, path, {"content-type": "application/json"}, body)
            if operation != "take":
                await listening.until(lambda events: any(one["event"] in ("turn", "entry") for one in events))
                await client.post("/api/conversations/x/turns", json={"text": "24 months"})
                await listening.until(lambda _: "summary" not in names or bool(listening.named("summary")))
                await client.delete("/api/conversations/x")
                await listening.until(lambda _: bool(listening.named("forgotten")))
                await listening.leave()
            await listening.ended()
            assert {one["event"] for one in listening.events} == names
            shapes = shapes_of_events(operation)
            for event in listening.events:
                jsonschema.validate(json.loads(event["data"]), shapes[event["event"]])

    listens()


def shapes_of_events(operation: str) -> dict[str, Any]:
    """Return the schema of the data of each event that an operation declares, by name."""
    (one,) = [one for one in OPERATIONS if one.name == operation]
    responses = DOCUMENT["paths"][PREFIX + one.path][one.method.lower()]["responses"]
    cases = [case["properties"] for case in responses["200"]["content"]["text/event-stream"]["schema"]["oneOf"]]
    components = {"components": DOCUMENT["components"]}
    return {case["event"]["const"]: {**case["data"]["contentSchema"], **components} for case in cases}
