"""What the tests of why share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.stories import closing


@pytest.fixture(autouse=True, scope="module")
def close_apps() -> Iterator[None]:
    """Close the apps of a module's stories when it ends."""
    with closing():
        yield
