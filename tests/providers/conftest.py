"""A fake server of a provider for each test that asks for one, and clients of providers that are made quickly."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support.fake_server import FakeServer, fake_server


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server that answers what is planned."""
    with fake_server() as fake:
        yield fake


@pytest.fixture(autouse=True, scope="session")
def _clients_are_made_quickly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let clients load one certificate in place of all, and those of AWS read its descriptions once: no test here is
    about either, and a client takes a hundred milliseconds for them.
    """
    import botocore.loaders
    import certifi

    one, end, _ = Path(certifi.where()).read_text("utf-8").partition("-----END CERTIFICATE-----\n")
    file = tmp_path_factory.mktemp("certificates") / "one.pem"
    file.write_text(one + end, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        patch.setattr(botocore.loaders, "create_loader", cache(botocore.loaders.create_loader))
        yield
