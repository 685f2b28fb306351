"""`turnwise demo`: a shipped example, to talk with or to watch."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from turnwise.api.open import load, open_sync
from turnwise.cli.chat import Talk, typed
from turnwise.cli.show import plain_console
from turnwise.cli.supply import code_of
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.diagnostic import nearest

LINES = "demo.txt"
FIRST = "eligibility"


@dataclass(frozen=True, slots=True)
class Example:
    """A shipped example: its flow, what it is, and what to try. `code` is the file with its tools; `replies` are what
    a model says where none is connected: in the prepared conversation, and wherever no user is needed.
    """

    flow: str
    about: str
    tries: str
    code: str = ""
    replies: str = ""


EXAMPLES = {
    FIRST: Example(
        "eligibility.flow.yaml",
        "five questions before an insurance check.",
        """\
Answer in your own words or with the number of a button. After some answers
ask /why, or /why-not expert; at the end try: "no, that's not correct".""",
    ),
    "health_intake": Example(
        "health_intake.flow.yaml",
        "who may take part, three groups of symptoms, goodbye.",
        """\
Tell your name and age, a bit at a time or all at once, and agree to the terms.
After each message ask /why, or /why-not complete. Then try an age under 38.""",
    ),
    "thinking_partner": Example(
        "thinking_partner.flow.yaml",
        "steps that open by what was said, and by what was done.",
        """\
Say that you want to plan something, then that you need research; ask /why, or
/why-not enter_planning_mode. Its tools wait for a model: --model openai:gpt-5-mini.""",
        code="tools.py",
        replies="demo.replies.yaml",
    ),
    "context_machine": Example(
        "context_machine.flow.yaml",
        "a machine that works by itself, and goes on when the work is done.",
        """\
It needs no message. Ask /why-not done: why it went on, and /state: what it knows.""",
        replies="demo.replies.yaml",
    ),
}
INTRO = """\
This is an example flow: {about}
{model}

{tries}

Other examples: {others}."""

NOBODY = "No model is connected; simple rules read what you type."


def run_demo(name: str, model: str, python: Path | None, *, play: bool, debug: bool) -> int:
    """Talk with an example, or play a prepared conversation where nobody can type."""
    example = _named(name)
    console = plain_console()
    folder = examples() / name
    is_played = play or not (sys.stdin.isatty() and sys.stdout.isatty())
    flow = load(folder / example.flow)
    replies = f"scripted:{folder / example.replies}" if example.replies and (is_played or flow.autonomous) else ""
    others = ", ".join(f"turnwise demo {other}" for other in EXAMPLES if other != name)
    text = INTRO.format(about=example.about, model=_told(model, replies), tries=example.tries, others=others)
    intro = Panel(Text(text), title="turnwise demo", expand=False) if console.is_terminal else Text(text + "\n")
    console.print(intro)
    code = code_of(python or (folder / example.code if example.code else None))
    speaks, tools = model or replies or None, code.tools_of(flow)
    with open_sync(flow, model=speaks, guards=code.guards, tools=tools) as app:
        talk = Talk(app.chat("demo"), console, debug=debug)
        talk.run(_prepared(console, folder / LINES) if is_played else typed())
    if is_played:
        again = "turnwise demo" if name == FIRST else f"turnwise demo {name}"
        console.print(Text(f"\nNow talk with it yourself: {again}, in a terminal.", style="bold"))
    return 0


def _told(model: str, replies: str) -> str:
    """Who speaks and who reads."""
    if model:
        nobody = model == "offline"
        return NOBODY if nobody else f"{model} speaks; simple rules read what you type before it does."
    return "No model is connected; what one would say is written down." if replies else NOBODY


def _named(name: str) -> Example:
    """The example of a name. Raises `TurnwiseError` with the nearest one where there is none."""
    found = EXAMPLES.get(name)
    if found is None:
        raise WrongUsage(f"no example is called '{name}'; {nearest(name, EXAMPLES)}")
    return found


def examples() -> Path:
    """The folder of the examples: inside an installed package, or beside the sources."""
    for folder in (Path(__file__).parents[1] / "examples", Path(__file__).parents[3] / "examples"):
        if (folder / FIRST / EXAMPLES[FIRST].flow).is_file():
            return folder
    raise TurnwiseError("the examples are not installed with this copy of turnwise")


def _prepared(console: Console, path: Path) -> Iterator[str]:
    """The lines of the prepared conversation, at a speed at which they can be read."""
    for line in path.read_text("utf-8").splitlines():
        if console.is_terminal:
            time.sleep(0.7)
        console.print(Text(f"\nyou › {line}", style="bold"))
        yield line
