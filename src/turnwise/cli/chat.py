"""`turnwise chat`: a conversation with a flow in the terminal, with `/why` and other commands."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from msgspec.json import encode
from msgspec.structs import replace
from rich.console import Console

from turnwise.api.open import SyncChat, Turn, open_sync
from turnwise.api.output import STANDARD, put_data
from turnwise.cli.show import (
    headings,
    plain_console,
    planned_moves,
    print_decision,
    print_state,
    print_story,
    print_turn,
    put,
    turn_data,
)
from turnwise.cli.supply import code_of, flow_of
from turnwise.cli.watching import PROMPT, Watch, followed, is_unprompted, starts_turns, watched
from turnwise.core.explain.now import MOMENTS
from turnwise.core.state.events import Button
from turnwise.errors import UnknownTransition, UnknownTurn, WrongUsage
from turnwise.flow.diagnostic import nearest
from turnwise.runner.result import together

HELP = """\
Type a message, or the number of a button.
/why                  why the last turn moved, or did not
/why-not [NAME]       why a transition, or the way to a node, or each was not taken, and what it would need
/state                where the conversation is, and what it knows
/undo                 take the last turn back
/new                  begin a new conversation
/quit                 leave"""
_ALIASES = {"/exit": "/quit", "/q": "/quit", "/?": "/help"}
Offer = Callable[[str], Sequence[str]]
"""The lines that can be said in a node, for a demonstration."""
T = TypeVar("T")
_MOST_DIGITS = 3
"""The most digits of the number of a button or a line."""
_PLAIN = ("why?", "why not?")
_COMMAND = re.compile(r"/\s*(why not\b|\S+)\s*(.*)", re.IGNORECASE | re.DOTALL)


def run_chat(
    flow: Path, python: Path | None, store: str, conversation: str, model: str, *, debug: bool, as_json: bool
) -> int:
    """Talk until the end of input; gives the exit code."""
    if str(flow) == STANDARD:
        raise WrongUsage("what is said comes from standard input, so the flow cannot: name a document")
    console = plain_console()
    code, found = code_of(python), flow_of(flow)
    tools = code.tools_of(found)
    with open_sync(found, store=store, guards=code.guards, tools=tools, model=model or None) as app:
        chat = app.chat(conversation)
        is_person = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        talk = JsonTalk(chat) if as_json else Talk(chat, console, debug=debug, is_person=is_person)
        talk.run(typed() if is_person else piped())
    return 0


def typed() -> Iterator[str]:
    """The lines that a person types, with editing and history where the system has them."""
    with suppress(ImportError):
        import_module("readline")  # `input` uses it
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            sys.stdout.write("\n")
            return
        except UnicodeDecodeError:
            yield ""


def piped() -> Iterator[str]:
    """The lines that come through a pipe; what is no UTF-8 in them becomes a replacement character."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n")


def numbered(line: str, things: Sequence[T]) -> T | None:
    """Return the thing whose number, counted from 1, a line is; `None` where it is no such number."""
    text = line.strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return things[int(text) - 1] if is_number and 1 <= int(text) <= len(things) else None


def pressed(line: str, buttons: Sequence[Button]) -> Button | None:
    """The button whose number a line is, unless a button is called so."""
    return None if line.strip() in {button.label for button in buttons} else numbered(line, buttons)


def begun(chat: SyncChat) -> Turn:
    """Begin a conversation, or give the last turn of one that has begun, so that it goes on from there."""
    turn = chat.start()
    if not turn.is_duplicate:
        return turn
    try:
        return chat.turn()
    except UnknownTurn:
        return turn


def command_of(line: str) -> tuple[str, str]:
    """The command that a line is, however it is written, and what follows it; an empty name for a message."""
    text = line.strip()
    if text.casefold() in _PLAIN:
        return "/why", ""
    found = _COMMAND.fullmatch(text)
    if found is None:
        return "", ""
    name = "/" + found[1].casefold().replace(" ", "-")
    return _ALIASES.get(name, name), found[2]


class Talk:
    """A conversation in the terminal."""

    def __init__(
        self,
        chat: SyncChat,
        console: Console,
        *,
        debug: bool,
        is_person: bool = False,
        offer: Offer | None = None,
        restart: Callable[[], object] | None = None,
    ) -> None:
        self.chat = chat
        self.console = console
        self.debug = debug
        self.is_person = is_person
        self.offer = offer
        self.restart = restart
        """Called before a new conversation, so that a demonstration begins anew."""
        self.offered: Sequence[str] = ()
        self.begun = 1
        """How many conversations were begun in this talk."""
        self.last: Turn | None = None
        self.refused: Turn | None = None
        """The last message, if it was refused."""
        self.watch = Watch()
        self.commands: dict[str, Callable[[str], None]] = {
            "/why": self.why,
            "/why-not": self.why_not,
            "/state": self.state,
            "/undo": self.undo,
            "/new": self.new,
            "/help": self.help,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Begin the conversation, or go on with it, and take the lines one by one."""
        self.begin()
        if starts_turns(self.chat.machine):
            lines = watched(lines, self.look, is_person=self.is_person)
        for line in lines:
            if not self.take(line):
                return

    def look(self) -> bool:
        """Print the turns that the machine has started itself since the last look; false if there are none."""
        new = self.watch.new(self.chat)
        for turn in new:
            self.show(turn)
        if new:
            self.show_offer()
        return bool(new)

    def begin(self) -> None:
        """Begin the conversation, or show the last turn of one that has begun."""
        first = begun(self.chat)
        if first.is_duplicate and not first.entries:
            put(self.console, "(it goes on; what was said before is no longer kept)", "dim")
        self.show_all(first)
        self.watch.begin(self.chat)

    def take(self, line: str) -> bool:
        """Take one line; false where it ends the talk."""
        name, rest = command_of(line)
        if name == "/quit" or (self.is_person and self.has_ended() and not line.strip()):
            return False
        command = self.commands.get(name)
        if command is not None:
            command(rest)
        elif name and not line.strip().startswith("/ "):
            hint = nearest(name, self.commands)
            hint = hint if hint.startswith("did") else "/help lists what there is"
            put(self.console, f"there is no {name}; {hint}", "yellow")
        else:
            self.show_all(self.say(line))
        return True

    def say(self, line: str) -> Turn:
        """A message, or a button by its number."""
        button = pressed(line, self.last.buttons if self.last is not None else ())
        if button is not None:
            return self.chat.choose(button)
        offered = numbered(line, self.offered)
        if offered is not None:
            put(self.console, f"you › {offered}", "bold")
        return self.chat.say(offered or line)

    def has_ended(self) -> bool:
        """True if the conversation has ended: only questions and a new conversation are left."""
        return self.last is not None and self.last.status == "ended"

    def show_all(self, turn: Turn) -> None:
        """Print a turn, and what a flow that goes on by itself did behind it; `/why` then tells of all of that."""
        turns: list[Turn] = []
        for one in followed(self.chat, turn):
            self.show(one)
            turns.append(one)
        if len(turns) > 1:
            self.last = together(turns)
        self.show_offer()

    def show_offer(self) -> None:
        """Print the lines that can be said now as numbers, or after the end what is left to do."""
        last, self.offered = self.last, ()
        if last is None:
            return
        if self.has_ended():
            if self.is_person:
                put(self.console, "The conversation has ended: /why explains it, /new begins anew, Enter leaves", "dim")
        elif self.offer is not None and not last.buttons and last.node is not None:
            self.offered = self.offer(last.node)
            for number, line in enumerate(self.offered, 1):
                put(self.console, f"[{number}] {line}", "cyan")

    def show(self, turn: Turn) -> None:
        """Print a turn, after those before it that nobody has seen; a refusal leaves the buttons as they are."""
        for one in self.watch.missed(turn):
            is_own = is_unprompted(one)
            put(self.console, f"({one.about})" if is_own else "(this was cut off, and went on by itself)", "dim")
            print_turn(self.console, one, debug=self.debug)
        if is_unprompted(turn) and not self.chat.machine.flow.autonomous:
            put(self.console, f"({turn.about})", "dim")
        print_turn(self.console, turn, debug=self.debug)
        self.refused = turn if turn.refused else None
        if not turn.refused and turn.entries:
            self.last = turn

    def why(self, _rest: str) -> None:
        """Why the last turn moved, or did not."""
        self._print_refusal()
        if self.last is not None:
            print_story(self.console, self.last, self.explained())

    def explained(self) -> Turn | None:
        """Return the last turn, or where it decided nothing the last one that did: of an undo the one that it went
        back to. `None` where there is none.
        """
        if self.last is None or self.last.decisions:
            return self.last
        found = self.chat.explain()
        return self.chat.turn(found[0].turn) if found else None

    def _print_refusal(self) -> None:
        """Say that the last message was refused: what follows is about the turn before it."""
        if self.refused is not None:
            put(self.console, f"the last message was {self.refused.about}; the turn before it:", "yellow")

    def why_not(self, name: str) -> None:
        """Why a transition, or those that lead to a node, were not taken: as they were judged, else as they stand."""
        told = self.explained()
        if not name:
            self.why_none(told)
            return
        found = tuple(decision for decision in (told.decisions if told is not None else ()) if decision.about(name))
        try:
            found = found or self.chat.explain(transition=name)
        except UnknownTransition as error:
            self._print_refusal()
            more = "" if "did you" in str(error) else f"; {self.ways_out()}"
            put(self.console, f"{error}{more}", "yellow")
            return
        self._print_headings(told)
        for decision in found:
            print_decision(self.console, decision, name)

    def ways_out(self) -> str:
        """Return the transitions of the node in charge in words."""
        state, machine = self.chat.state(), self.chat.machine
        known = (c.id for moment in MOMENTS for c in machine.candidates(state.node, moment).all)
        names = ", ".join(dict.fromkeys(known))
        return f"{state.node} has {names}" if names else f"{state.node} has no transition"

    def _print_headings(self, told: Turn | None) -> None:
        self._print_refusal()
        if self.last is not None:
            for line in headings(self.last, told):
                put(self.console, line, "bold")

    def why_none(self, told: Turn | None) -> None:
        """Why each transition that was not taken was not, where no transition is named."""
        self._print_headings(told)
        judged = told.decisions if told is not None else ()
        others = [
            replace(one, candidates=tuple(candidate for candidate in one.candidates if candidate.outcome != "taken"))
            for one in judged
        ]
        for decision in others:
            if decision.candidates:
                print_decision(self.console, decision)
        if any(decision.candidates for decision in others):
            return
        if any(decision.candidates for decision in judged):
            put(self.console, "each transition that was judged was taken")
            return
        for text in planned_moves(told) if told is not None else ():
            put(self.console, text)
        put(self.console, f"no transition was judged; {self.ways_out()}", "yellow")

    def state(self, _rest: str) -> None:
        """Where the conversation is."""
        print_state(self.console, self.chat.machine, self.chat.state())

    def undo(self, _rest: str) -> None:
        """Take the last turn back."""
        self.show(self.chat.undo())
        self.show_offer()

    def new(self, _rest: str) -> None:
        """Begin a new conversation, beside the one that was had."""
        self.begun += 1
        self.chat = self.chat.app.chat(f"{self.chat.name.partition(' ')[0]} {self.begun}")
        self.last, self.watch = None, Watch()
        if self.restart is not None:
            self.restart()
        self.begin()

    def help(self, _rest: str) -> None:
        """What can be typed."""
        for line in HELP.split("\n"):
            put(self.console, line)


class JsonTalk:
    """A conversation for machines: one JSON line per turn."""

    def __init__(self, chat: SyncChat) -> None:
        self.chat = chat
        self.buttons: Sequence[Button] = ()
        self.watch = Watch()

    def run(self, lines: Iterable[str]) -> None:
        """Begin the conversation, or go on with it, and take the lines one by one: messages, or numbers of
        buttons.
        """
        self.show_all(begun(self.chat))
        self.watch.begin(self.chat)
        if starts_turns(self.chat.machine):
            lines = watched(lines, self.look, is_person=False)
        for line in lines:
            button = pressed(line, self.buttons)
            if button is not None:
                self.show_all(self.chat.choose(button))
            else:
                self.show_all(self.chat.say(line))

    def look(self) -> bool:
        """Print the turns that the machine has started itself since the last look; false if there are none."""
        new = self.watch.new(self.chat)
        for turn in new:
            self.show(turn)
        return bool(new)

    def show_all(self, turn: Turn) -> None:
        """Print a turn, and what a flow that goes on by itself did behind it."""
        for one in followed(self.chat, turn):
            self.show(one)

    def show(self, turn: Turn) -> None:
        """Print a turn as a line, after those before it that nobody has seen; a refusal leaves the buttons as they
        are.
        """
        if not turn.refused:
            self.buttons = turn.buttons
        for one in (*self.watch.missed(turn), turn):
            put_data(encode(turn_data(one)).decode())
