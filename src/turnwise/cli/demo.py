"""The command `demo`: the page with the shipped examples; or talk with one in the terminal, or watch it."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from turnwise.api.open import load, open_sync
from turnwise.cli.chat import TerminalTalk
from turnwise.cli.demo_examples import EXAMPLES, FIRST_EXAMPLE, Example, examples
from turnwise.cli.inputs import code_of
from turnwise.cli.lines import numbered_choice, typed_lines
from turnwise.cli.show import plain_console
from turnwise.core.language import language_of
from turnwise.errors import WrongUsage
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Flow
from turnwise.models.dialogue import DialogueModel, read_dialogue
from turnwise.models.scripted import ScriptedModel, scripted_model_of_file
from turnwise.runner.clocks import ForwardClock

LINES_FILE = "demo.txt"
"""The file with the lines that the demo types."""
INTRO = """\
This is an example flow: {about}
{model}

{tries}

Other examples: {others}."""
"""The text that `turnwise demo` begins with; its holes are filled from the example."""

_NO_MODEL = "No model is connected; simple rules read what you type."


def run_demo(  # noqa: PLR0913, PLR0917  the options of a command
    name: str,
    terminal: bool,
    play: bool,
    browser: bool | None,
    port: int | None,
    store: str,
    debug: bool,
    model: str,
    python: Path | None,
) -> int:
    """Open the page with the examples, talk in the terminal, or play a prepared conversation; return the exit code.
    Without a terminal it plays, so that a pipe or a build ends, unless `browser` says how to show the page.
    """
    if name and name not in EXAMPLES:
        raise WrongUsage(f"no example is called '{name}'; {nearest(name, EXAMPLES)}")
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal or play or debug or python is not None or (browser is None and not is_terminal):
        return _talk(name, play or not is_terminal, debug, model, python)
    from turnwise.cli.demo_page import PageOptions, run_page

    opens = is_terminal if browser is None else browser
    shown = [(example, examples() / folder) for folder, example in EXAMPLES.items()]
    return run_page(shown, PageOptions(name, model, store, port, opens))


def _talk(name: str, is_played: bool, debug: bool, model: str, python: Path | None) -> int:
    """Talk with an example in the terminal, or play its prepared conversation; return the exit code."""
    console = plain_console()
    name = name or (FIRST_EXAMPLE if is_played else _choose(console))
    example, folder = EXAMPLES[name], examples() / name
    flow = load(folder / example.flow)
    others = ", ".join(f"turnwise demo {other}" for other in EXAMPLES if other != name)
    text = INTRO.format(about=example.about, model=_about_model(model, example), tries=example.tries, others=others)
    intro = Panel(Text(text), title="turnwise demo", expand=False) if console.is_terminal else Text(text + "\n")
    console.print(intro)
    code = code_of(python or (folder / example.code if example.code else None))
    tools = code.tools_of(flow)
    scripted = None if model else _scripted(example, folder, flow)
    with (
        _temporary_notes(),
        open_sync(flow, model=scripted or model or None, guards=code.guards, tools=tools, clock=ForwardClock()) as app,
    ):
        talk = TerminalTalk(
            app.chat("demo"),
            console,
            debug=debug,
            is_person=not is_played,
            offer=scripted.offer if isinstance(scripted, DialogueModel) else None,
            restart=scripted.restart if scripted is not None else None,
        )
        talk.run(_prepared_lines(console, folder / LINES_FILE) if is_played else typed_lines())
    if is_played:
        again = "turnwise demo" if name == FIRST_EXAMPLE else f"turnwise demo {name}"
        console.print(Text(f"\nNow talk with it yourself: {again} opens a page, with --terminal here.", style="bold"))
    return 0


def _scripted(example: Example, folder: Path, flow: Flow) -> DialogueModel | ScriptedModel | None:
    """Return the model that replaces a real one; `None` for an example that needs none."""
    if example.dialogue:
        return DialogueModel(read_dialogue(folder / example.dialogue), language_of(flow.language))
    return scripted_model_of_file(str(folder / example.replies)) if example.replies else None


@contextmanager
def _temporary_notes() -> Generator[None]:
    """Let the tools of an example keep their notes in a folder that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="turnwise-demo-") as folder:
        os.environ.setdefault("LANGUAGE_BUDDY", folder)
        os.environ.setdefault("THINKING_PARTNER_NOTES", str(Path(folder) / "notes.jsonl"))
        yield


def _choose(console: Console) -> str:
    """Ask which example to talk with; Enter chooses the first."""
    for number, (name, example) in enumerate(EXAMPLES.items(), 1):
        console.print(Text(f"[{number}] {name}: {example.about}"))
    while True:
        try:
            line = input("which example? [1] › ").strip() or FIRST_EXAMPLE
        except EOFError:
            return FIRST_EXAMPLE
        found = line if line in EXAMPLES else numbered_choice(line, [*EXAMPLES])
        if found is not None:
            return found
        console.print(Text(f"type a number from 1 to {len(EXAMPLES)}, or a name", style="yellow"))


def _about_model(model: str, example: Example) -> str:
    if model:
        return _NO_MODEL if model == "offline" else f"{model} speaks; simple rules read what you type before it does."
    if example.dialogue:
        return "No model is connected: a script replies to the lines that are offered with numbers."
    return "No model is connected; a script replaces it." if example.replies else _NO_MODEL


def _prepared_lines(console: Console, path: Path) -> Iterator[str]:
    """Yield the lines of the prepared conversation, slowly enough to be read."""
    for line in path.read_text("utf-8").splitlines():
        if console.is_terminal:
            time.sleep(0.7)
        console.print(Text(f"\nyou › {line}", style="bold"))
        yield line
