"""`turnwise chat`: talk with a flow in the terminal, and ask it why."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec.json import encode
from rich.console import Console
from rich.text import Text

from turnwise.cli.show import print_decision, print_state, print_turn, print_why
from turnwise.cli.supply import guards_of
from turnwise.core.explain.now import Standing, standing
from turnwise.flow.diagnostic import nearest
from turnwise.open import BlockingChat, Turn
from turnwise.open import open as open_flow

HELP = """\
Type a message, or the number of a button.
/why                  why the last turn moved, or did not
/why-not TRANSITION   why a transition was not taken, and what it would need
/state                where the conversation is, and what it knows
/undo                 take the last turn back
/quit                 leave"""
_ALIASES = {"why?": "/why", "why not?": "/why", "/why not": "/why-not", "/exit": "/quit", "/q": "/quit", "/?": "/help"}


def run_chat(flow: Path, python: Path | None, *, debug: bool, as_json: bool) -> int:
    """Talk until the end of input; gives the exit code."""
    console = Console(highlight=False, soft_wrap=True)
    with open_flow(flow, guards=guards_of(python)).blocking as chat:
        talk = JsonTalk(chat) if as_json else Talk(chat, console, debug=debug)
        talk.run(typed(console, is_silent=as_json))
    return 0


def typed(console: Console, *, is_silent: bool) -> Iterator[str]:
    """The lines that a person types, or that come through a pipe."""
    is_person = sys.stdin.isatty() and not is_silent
    while True:
        try:
            if is_person:
                console.print(Text("you › ", style="bold"), end="")
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            yield "\0"
            continue
        if not line:
            return
        yield line.rstrip("\n")


class Talk:
    """A conversation in the terminal."""

    def __init__(self, chat: BlockingChat, console: Console, *, debug: bool) -> None:
        self.chat = chat
        self.console = console
        self.debug = debug
        self.last: Turn | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "/why": self.why,
            "/why-not": self.why_not,
            "/state": self.state,
            "/undo": self.undo,
            "/help": self.help,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Begin the conversation and take the lines one by one."""
        self.show(self.chat.start())
        for line in lines:
            if not self.take(line):
                return

    def take(self, line: str) -> bool:
        """Take one line; false where it ends the talk."""
        line = _ALIASES.get(line.strip().casefold(), line)
        name, _, rest = line.strip().partition(" ")
        if name == "/quit":
            return False
        command = self.commands.get(name)
        if command is not None:
            command(rest.strip())
        elif name.startswith("/") and len(name) > 1:
            hint = nearest(name, self.commands) or "/help lists what there is"
            self.console.print(Text(f"there is no {name}; {hint}", style="yellow"))
        else:
            self.show(self.say(line))
        return True

    def say(self, line: str) -> Turn:
        """A message, or a button by its number."""
        buttons = self.last.buttons if self.last is not None else ()
        text = line.strip()
        if text.isdigit() and 1 <= int(text) <= len(buttons) and text not in {b.label for b in buttons}:
            return self.chat.choose(buttons[int(text) - 1])
        return self.chat.say(line)

    def show(self, turn: Turn) -> None:
        """Print a turn; a refusal leaves the buttons as they are."""
        print_turn(self.console, turn, debug=self.debug)
        if not turn.refused and turn.entries:
            self.last = turn

    def why(self, _rest: str) -> None:
        """Why the last turn moved, or did not."""
        if self.last is not None:
            print_why(self.console, self.last)

    def why_not(self, transition: str) -> None:
        """Why a transition was not taken: as it was judged, else as it stands now."""
        found = self.chat.explain(transition=transition) if transition else ()
        if found:
            for decision in found:
                print_decision(self.console, decision, transition)
            return
        now = standing(self.chat.chat.machine, self.chat.state(), transition)
        if isinstance(now, Standing):
            self.console.print(Text(now.why))
            print_decision(self.console, now.decision, transition)
            return
        self.console.print(Text(f"which? {', '.join(now)}" if now else "this node has no transitions", style="yellow"))

    def state(self, _rest: str) -> None:
        """Where the conversation is."""
        print_state(self.console, self.chat.chat.machine, self.chat.state())

    def undo(self, _rest: str) -> None:
        """Take the last turn back."""
        self.show(self.chat.undo())

    def help(self, _rest: str) -> None:
        """What can be typed."""
        self.console.print(Text(HELP))


class JsonTalk:
    """A conversation for machines: one JSON line per turn."""

    def __init__(self, chat: BlockingChat) -> None:
        self.chat = chat

    def run(self, lines: Iterable[str]) -> None:
        """Begin the conversation and take the lines one by one."""
        self.show(self.chat.start())
        for line in lines:
            self.show(self.chat.say(line))

    def show(self, turn: Turn) -> None:
        """Print a turn as a line."""
        sys.stdout.write(encode(turn_data(turn)).decode() + "\n")
        sys.stdout.flush()


def turn_data(turn: Turn) -> dict[str, Any]:
    """A turn as JSON data."""
    return {
        "turn": turn.number,
        "text": turn.text,
        "buttons": turn.buttons,
        "node": turn.state.node if turn.state is not None else None,
        "refused": turn.refused or None,
        "outcome": turn.outcome or None,
        "form": turn.form,
        "artefacts": [{"kind": artefact.kind, "data": artefact.data} for artefact in turn.artefacts],
        "warnings": [{"code": warning.code, "message": warning.message} for warning in turn.warnings],
        "decisions": turn.decisions,
    }
