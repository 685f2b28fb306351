"""The time of the language server: completion after a keystroke, by a client over standard input and output."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import venvs

sys.path.insert(0, str(venvs.ROOT / "tests"))

CHECKED_S = 0.3
"""So long after a keystroke the check of the document runs: it begins after 0.15 s, and takes longer than as much again."""


def time_completion(repeats: int, nodes: int = 1000) -> dict[str, list[float]]:
    """Milliseconds from a keystroke to the offers: in a large document that is at rest, and while it is checked."""
    from figures import dygram_text
    from support.language_client import LanguageClient, insert

    found: dict[str, list[float]] = {"lsp_completion": [], "lsp_completion_checked": []}
    with TemporaryDirectory() as folder:
        client = LanguageClient(Path(folder).resolve())
        text = dygram_text(nodes)
        line = text.count("\n")
        client.open("large.dy", text)
        client.problems("large.dy", 1, wait_s=60)
        version = 1
        for key, pause in (("lsp_completion", 0.0), ("lsp_completion_checked", CHECKED_S)):
            for _ in range(repeats):
                version += 1
                client.change("large.dy", version, {"text": text + "n1 -> "})
                if pause:
                    time.sleep(pause)
                else:
                    client.problems("large.dy", version, wait_s=60)
                version += 1
                begin = time.perf_counter()
                client.change("large.dy", version, insert(line, 6, "n"))
                labels = client.labels("large.dy", line, 7)
                found[key].append((time.perf_counter() - begin) * 1e3)
                assert labels[0] == "n0"
                assert len(labels) == 200
                client.problems("large.dy", version, wait_s=60)
        client.stop()
    return found
