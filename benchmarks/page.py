"""Measures the page in a browser: a conversation of 2,000 turns in a flow of 200 nodes is opened, and stepped through.

    python benchmarks/page.py [TURNS]

It needs the built page and Chromium. The figures are printed, never judged: the promises are 1 s to open and 100 ms for a
step, in the conversation and in its graph. `tests/studio/test_long_conversation.py` judges counts, which do not depend on
the machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

import turnwise as tw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

TURNS, NODES = 2_000, 200
STEPS = 12
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
OPENED = """(turns) => {
    const at = document.querySelector('.tlh .pos');
    return at?.textContent.includes(`of ${turns}`) && document.querySelector('.score .mk') && document.querySelector('.verdict h2');
}"""
STEPPED = """async (key) => {
    const at = () => document.querySelector('.tlh .pos').textContent + document.querySelector('.verdict h2')?.textContent;
    const before = at(), began = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    while (at() === before) await new Promise(requestAnimationFrame);
    return performance.now() - began;
}"""


def large_flow() -> str:
    """Return a flow in which each node leads to the next one at a word, and the last one to the first."""
    lines = ["flow: large", "start: n0", "nodes:"]
    for number in range(NODES):
        target = f"n{(number + 1) % NODES}"
        way = f'{{at: after, reply: next, when: message.text == "on", because: it is asked for, to: {target}}}'
        lines += [f"  n{number}: {{say: Question {number}, transitions: [{way}]}}"]
    return "\n".join(lines)


def talk(file: Path, store: str, turns: int) -> None:
    """Let one conversation have many turns."""
    with tw.open_sync(file, store=store) as app:
        chat = app.chat("long")
        chat.start()
        for number in range(turns - 1):
            chat.say("on" if number % 3 else "what is that?")


@contextmanager
def served(file: Path, store: str) -> Iterator[str]:
    """Serve the flow; yield the address."""
    command = [Path(sys.executable).parent / "turnwise", "serve", file, "--store", store, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield next(found[0] for line in process.stdout if (found := re.search(r"http://[^\s/]+", line)))
        process.terminate()


def opened_in(page: Page, address: str, turns: int) -> float:
    """Return the seconds until the end of the conversation, its timeline and its verdict are there."""
    page.goto(address)
    page.wait_for_function(OPENED, arg=turns, timeout=60_000)
    return page.evaluate("performance.now()") / 1000


class Found(NamedTuple):
    """The figures: seconds to open, elements of the page, milliseconds of steps."""

    opening: list[float]
    elements: int
    steps: list[float]
    in_graph: list[float]


def measured(chromium: str, file: Path, store: str, turns: int) -> Found:
    """Open the conversation and step through it, in the chat and in the graph."""
    with sync_playwright() as playwright, served(file, store) as address:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        opened_in(page, f"{address}/c/long", turns)  # the first visit compiles the script
        opening = [opened_in(page, f"{address}/c/long", turns) for _ in range(3)]
        elements = page.evaluate("document.querySelectorAll('*').length")
        steps = [page.evaluate(STEPPED, "ArrowLeft") for _ in range(STEPS)]
        page.goto(f"{address}/c/long?view=graph")
        page.wait_for_selector(".gn.now", timeout=60_000)
        in_graph = [page.evaluate(STEPPED, "ArrowLeft") for _ in range(STEPS)]
        browser.close()
    return Found(opening, elements, steps, in_graph)


def main(turns: int) -> int:
    """Print the figures."""
    chromium = subprocess.run(
        ["/bin/sh", "scripts/browser.sh"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with TemporaryDirectory() as folder:
        file, store = Path(folder) / "large.flow.yaml", f"sqlite:///{folder}/long.db"
        file.write_text(large_flow(), "utf-8")
        talk(file, store, turns)
        found = measured(chromium, file, store, turns)
    print(f"a conversation of {turns:,} turns in a flow of {NODES} nodes, in Chromium")
    print(f"  open                {median(found.opening):6.2f} s, {found.elements:,} elements")
    print(f"  a step              {median(found.steps):6.0f} ms, at most {max(found.steps):.0f}")
    print(f"  a step in the graph {median(found.in_graph):6.0f} ms, at most {max(found.in_graph):.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS))
