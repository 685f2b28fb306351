"""A flow as JSON and back, with a format version; its JSON Schema; its fingerprint.

The JSON is the document itself, so a stored flow and an authored one are read by the same reader.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from turnwise.errors import UnknownFormat
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.located import locate
from turnwise.flow.model import Flow
from turnwise.flow.read import read_flow
from turnwise.flow.write import write_flow

FORMAT = 1


def encode_flow(flow: Flow) -> str:
    """The flow as one line of JSON, with its keys in the order of the model."""
    return json.dumps({"format": FORMAT, **write_flow(flow)}, ensure_ascii=False, separators=(",", ":"))


def decode_flow(text: str | bytes) -> Flow:
    """The flow that `encode_flow` wrote. Raises `UnknownFormat` or `FlowError`."""
    document: dict[str, Any] = json.loads(text)
    found = document.pop("format", None)
    if found != FORMAT:
        raise UnknownFormat("the flow", found, FORMAT)
    flow, diagnostics = read_flow(locate(document))
    if diagnostics:
        raise FlowError(diagnostics)
    return flow


def fingerprint(flow: Flow, sources: tuple[str, ...] = ()) -> str:
    """Sixteen hex digits that change with anything that the flow, or the code it names, says."""
    digest = hashlib.sha256(encode_flow(flow).encode())
    for source in sources:
        digest.update(b"\0" + source.encode())
    return digest.hexdigest()[:16]
