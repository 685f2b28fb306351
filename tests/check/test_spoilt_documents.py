"""Whatever became of a document: it is checked without a traceback, soon, and in bounded memory.

200 documents, 100,000 with `TURNWISE_SOAK=1`. Random trees of the shapes of a flow are in `tests/authoring/test_any_document.py`.
"""

from __future__ import annotations

import os
import time
import tracemalloc

import pytest

from check.spoiling import DOCUMENTS, spoilt
from turnwise.api.documents import check_text
from turnwise.flow.diagnostic import CODES

COUNT = 100_000 if os.environ.get("TURNWISE_SOAK") == "1" else 200
PARTS = 10
SECONDS = 5.0
"""Of the processor, for one document."""
MOST_BYTES = 32_000_000
"""The memory that checking one document may take at its peak; the largest of these takes some two."""
TEXTS = {path: path.read_text("utf-8", "surrogateescape") for path in DOCUMENTS}


@pytest.mark.parametrize("part", range(PARTS))
def test_no_document_gives_a_traceback_or_takes_long(part: int) -> None:
    for number in range(part, COUNT, PARTS):
        name, content = spoilt(number, TEXTS)
        begun = time.process_time()
        found = check_text(content, name)
        taken = time.process_time() - begun
        assert taken < SECONDS, f"document {number}: {taken:.2f} s"
        lines = content.count(b"\n") + content.count(b"\r") + 1
        wrong = [one for one in found if one.code not in CODES or not 0 <= one.span.line <= lines]
        assert not wrong, f"document {number}: {wrong}"


def test_no_document_takes_much_memory() -> None:
    for number in range(0, COUNT, COUNT // 10):
        name, content = spoilt(number, TEXTS)
        tracemalloc.start()
        try:
            check_text(content, name)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < MOST_BYTES, f"document {number}: {peak:,} bytes"
