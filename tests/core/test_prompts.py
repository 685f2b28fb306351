"""The hash of a request covers all of it, however long it is."""

from __future__ import annotations

from hashlib import sha256

import pytest
from msgspec.json import encode

from turnwise.core.prompts import ModelRequest


@pytest.mark.parametrize("length", [0, 1, 1990, 2046, 2047, 2048, 4094, 10_000])
def test_a_request_is_known_by_all_of_it(length: int) -> None:
    request = ModelRequest("talk", ("a" * length,))
    assert request.fingerprint() == sha256(encode(request)).hexdigest()[:16]
    assert request.fingerprint() != ModelRequest("talk", ("a" * length + "b",)).fingerprint()
