"""`turnwise demo`: the shipped example, to talk with or to watch."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from turnwise.cli.chat import Talk, typed
from turnwise.cli.show import plain_console
from turnwise.errors import TurnwiseError
from turnwise.open import open as open_flow

EXAMPLE = Path("eligibility") / "eligibility.flow.yaml"
LINES = "demo.txt"
INTRO = """\
This is an example flow: five questions before an insurance check.
No model is connected; simple rules read what you type.

Answer in your own words or with the number of a button. After some answers
ask /why, or /why-not expert; at the end try: "no, that's not correct"."""


def run_demo(*, play: bool, debug: bool) -> int:
    """Talk with the example, or play a prepared conversation where nobody can type."""
    console = plain_console()
    flow = examples() / EXAMPLE
    is_played = play or not (sys.stdin.isatty() and sys.stdout.isatty())
    intro = Panel(Text(INTRO), title="turnwise demo", expand=False) if console.is_terminal else Text(INTRO + "\n")
    console.print(intro)
    with open_flow(flow).blocking as chat:
        talk = Talk(chat, console, debug=debug)
        talk.run(_prepared(console, flow.parent / LINES) if is_played else typed())
    if is_played:
        console.print(Text("\nNow talk with it yourself: turnwise demo, in a terminal.", style="bold"))
    return 0


def examples() -> Path:
    """The folder of the examples: inside an installed package, or beside the sources."""
    for folder in (Path(__file__).parents[1] / "examples", Path(__file__).parents[3] / "examples"):
        if (folder / EXAMPLE).is_file():
            return folder
    raise TurnwiseError("the examples are not installed with this copy of turnwise")


def _prepared(console: Console, path: Path) -> Iterator[str]:
    """The lines of the prepared conversation, at a speed at which they can be read."""
    for line in path.read_text("utf-8").splitlines():
        if console.is_terminal:
            time.sleep(0.7)
        console.print(Text(f"\nyou › {line}", style="bold"))
        yield line
