"""A fake server of a provider for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.fake_server import FakeServer, fake_server


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server that answers what is planned."""
    with fake_server() as fake:
        yield fake
