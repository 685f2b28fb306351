"""Babel is loaded by the first value that it writes, and by nothing else."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import turnwise as tw
flow = tw.Flow("f", start="a", nodes=[tw.Node("a", say=TEXT, once="b"), tw.Node("b", say="B.", end="done")])
with tw.open_sync(flow) as app:
    app.chat("one").start()
print("babel" in sys.modules)
"""


def loads_babel(text: str) -> bool:
    program = PROGRAM.replace("TEXT", repr(text))
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return found.stdout.strip() == "True"


def test_only_a_text_that_writes_a_date_loads_babel() -> None:
    assert not loads_babel("Turn {{ turns }}: {{ 'hello' }}.")
    assert loads_babel("Today is {{ today }}.")
