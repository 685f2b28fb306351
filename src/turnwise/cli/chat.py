"""The command `chat`: talk with a flow in the terminal, and ask it why; or line by line as JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from turnwise.api.open import SyncChat, Turn, open_sync
from turnwise.api.output import STANDARD_STREAM
from turnwise.cli import clock, operator, overlays
from turnwise.cli.answers import print_answer, print_candidates
from turnwise.cli.chat_recording import Recorder
from turnwise.cli.inputs import code_of, flow_of
from turnwise.cli.lines import numbered_choice, piped_lines, typed_lines
from turnwise.cli.show import (
    headings,
    plain_console,
    planned_moves,
    print_decision,
    print_line,
    print_state,
    print_story,
    print_turn,
)
from turnwise.cli.spending import print_spending
from turnwise.cli.talk import JsonTalk, Talk
from turnwise.cli.watching import UnshownTurns, is_unprompted
from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.explain.now import MOMENTS
from turnwise.errors import NoClearSubject, SubjectCandidate, UnknownSubject, UnknownTransition, UnknownTurn, WrongUsage
from turnwise.flow.diagnostic import nearest

HELP = f"""\
Type a message, or the number of a button.
/why [SUBJECT]        why the last turn moved, or did not; or why a field, node, tool, turn, … is as it is
/why-not [NAME]       why a transition or each, or the way to a node or scope was not taken, and what would make it hold
/state                where the conversation is, and its values
/spending             what its calls have used, and what its budgets leave
/undo                 take back the last turn
/event NAME [DATA]    an event of another system, with its data as JSON
{operator.HELP}
{overlays.HELP}
{clock.HELP}
/new                  begin a new conversation
/quit                 leave"""
"""The text of `/help` in `turnwise chat`."""
ALL_OPTION = "--all"
"""Before or after the subject of `/why`: print all causes, also those of what a person would name."""
USUAL_OPTION = "--usual"
"""After the subject of `/why`: also count in how many conversations that was so."""
_ACTS = ("/undo", "/spending", "/event", *operator.COMMANDS, overlays.COMMAND, clock.COMMAND)
COMMANDS = ("/why", "/why-not", "/state", *_ACTS, "/new", "/help", "/quit")
"""The commands that a user may type in `turnwise chat` in place of a message."""
_ALIASES = {"/exit": "/quit", "/q": "/quit", "/?": "/help"}
_COMMAND = re.compile(r"/\s*(why not\b|\S+)\s*(.*)", re.IGNORECASE | re.DOTALL)
Offer = Callable[[str, str], Sequence[str]]
"""A function that returns the lines that a demonstration offers in a node, after what was said last."""


def run_chat(  # noqa: PLR0913, PLR0917  the options of the command
    flow: Path,
    debug: bool,
    python: Path | None,
    as_json: bool,
    store: str,
    conversation: str,
    model: str,
    question_model: str,
    record: Path | None,
) -> int:
    """Talk with a flow in the terminal until the end of input; return the exit code.
    With `record`, the talk becomes a scenario that is played from a recording of the model beside it.
    """
    if str(flow) == STANDARD_STREAM:
        raise WrongUsage(
            "chat reads messages from standard input, so it cannot read the flow there; name a flow document"
        )
    console = plain_console()
    code, found = code_of(python), flow_of(flow)
    tools = code.tools_of(found)
    speaks, reads = model or None, question_model or None
    keeps = Recorder(record, model, store) if record is not None else None
    time = clock.clock_of_talk(store)
    with open_sync(
        found,
        store=keeps.store if keeps is not None else store,
        guards=code.guards,
        tools=tools,
        model=keeps.model if keeps is not None else speaks,
        question_model=reads,
        clock=time,
    ) as app:
        chat = app.chat(conversation)
        is_person = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        talk = JsonTalk(chat) if as_json else TerminalTalk(chat, console, debug=debug, is_person=is_person)
        talk.run(typed_lines() if is_person else piped_lines())
        if keeps is not None:
            return keeps.write(talk.chat, flow, python)
    return 0


def command_of(line: str) -> tuple[str, str]:
    """Return the command of a typed line in its usual spelling, and the rest; an empty command for a message."""
    text = line.strip()
    if text.casefold() in ("why?", "why not?"):
        return "/why", ""
    found = _COMMAND.fullmatch(text)
    if found is None:
        return "", ""
    name = "/" + found[1].casefold().replace(" ", "-")
    return _ALIASES.get(name, name), found[2]


class TerminalTalk(Talk):
    """A conversation in the terminal, with commands such as `/why`.

    A demonstration may `offer` lines by number, and `restart` is called before a new conversation.
    """

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
        super().__init__(chat, is_person=is_person)
        self.console = console
        self.debug = debug
        self.offer = offer
        self.restart = restart
        self.offered: Sequence[str] = ()
        self.said = ""
        self.candidates: Sequence[SubjectCandidate] = ()
        """What the question of the line before may be about, where it was not clear."""
        self.count = 1
        """The number of conversations in this talk."""
        self.refused: Turn | None = None
        """The last turn, if it was refused."""

    def command_of(self, line: str) -> tuple[str, str]:
        """Return the command of a typed line and the rest; *why?* is a message where the flow itself answers it."""
        found, machine, state = command_of(line), self.chat.machine, self.chat.state()
        is_answered = state.node in machine.nodes and "why" in allowed_input(machine, state).commands
        return ("", "") if is_answered and not line.strip().startswith("/") else found

    def answer(self, line: str) -> bool:
        """Run a command, or send a message; return false where the line ends the talk."""
        chosen, self.candidates = numbered_choice(line, self.candidates), ()
        name, rest = ("/why", chosen.subject) if chosen is not None else self.command_of(line)
        if name == "/quit" or (self.is_person and self.has_ended() and not line.strip()):
            return False
        match name:
            case "/why":
                self.print_why(rest)
            case "/why-not":
                self.print_why_not(rest)
            case "/state":
                print_state(self.console, self.chat.machine, self.chat.state())
            case _ if name in _ACTS:
                self.act(name, rest)
            case "/new":
                self.begin_new()
            case "/help":
                for text in HELP.split("\n"):
                    print_line(self.console, text)
            case _ if name and not line.strip().startswith("/ "):
                hint = nearest(name, COMMANDS)
                hint = hint if hint.startswith("did") else "/help lists the commands"
                print_line(self.console, f"there is no {name}; {hint}", "yellow")
            case _:
                self.show_all(self.say(line))
        return True

    def act(self, name: str, rest: str) -> None:
        """Run the command `name` with the `rest` of its line: undo, spending, an act of another system or a person, an
        overlay, or the clock.
        """
        if name == clock.COMMAND:
            clock.print_clock(self.console, self.chat, rest)
            self.look()
            return
        if name == "/spending":
            print_spending(self.console, self.chat.spending())
            return
        if name == overlays.COMMAND:
            overlays.run_overlay(self.chat, self.console, rest)
            return
        if name == "/undo":
            self.show(self.chat.undo())
            self.show_offer()
            return
        done = operator.operate(self.chat, name, rest)
        if isinstance(done, str):
            print_line(self.console, done, "yellow")
        else:
            self.show_all(done)
            if name == "/give-back":
                operator.print_refused_give_back(self.console, done)

    def say(self, line: str) -> Turn:
        """Press a button or send an offered line by its number, or send a message; return the turn."""
        self.said = numbered_choice(line, self.offered) or line
        if self.said != line:
            print_line(self.console, f"you › {self.said}", "bold")
        return super().say(self.said)

    def has_ended(self) -> bool:
        """Return true if the conversation has ended: only questions and a new conversation are left."""
        return self.last is not None and self.last.status == "ended"

    def print(self, turn: Turn, missed: Sequence[Turn]) -> None:
        """Print a turn after those that were not shown; a turn that the user did not begin has a heading."""
        for one in missed:
            heading = one.about if is_unprompted(one) else "this turn was interrupted, and was completed later"
            print_line(self.console, f"({heading})", "dim")
            operator.print_acts(self.console, one)
            print_turn(self.console, one, debug=self.debug)
            operator.print_wait(self.console, one)
        if is_unprompted(turn) and not self.chat.machine.flow.autonomous:
            print_line(self.console, f"({turn.about})", "dim")
        if turn.is_duplicate and not turn.entries:
            print_line(self.console, "(this conversation continues; its earlier turns are no longer stored)", "dim")
        operator.print_acts(self.console, turn)
        print_turn(self.console, turn, debug=self.debug)
        operator.print_wait(self.console, turn)
        self.refused = turn if turn.refused else None

    def show_offer(self) -> None:
        """Print the offered lines as numbers, or after the end what is left to do."""
        last, self.offered = self.last, ()
        if self.has_ended():
            if self.is_person:
                hint = "The conversation has ended: /why explains it, /new begins another, Enter leaves"
                print_line(self.console, hint, "dim")
        elif self.offer is not None and last is not None and last.node is not None:
            self.offered = self.offer(last.node, self.said)[: 0 if last.buttons else None]
            for number, line in enumerate(self.offered, 1):
                print_line(self.console, f"[{number}] {line}", "cyan")

    def begin_new(self) -> None:
        """Begin a new conversation beside the current one."""
        self.count += 1
        self.chat = self.chat.app.chat(f"{self.chat.name.partition(' ')[0]} {self.count}")
        self.last = self.seen = self.read = None
        self.watch = UnshownTurns()
        if self.restart is not None:
            self.restart()
        self.begin()

    # why -------------------------------------------------------------------------------------------

    def print_why(self, question: str = "") -> None:
        """Explain the last turn, or answer a question about a subject."""
        self._print_refusal()
        if question.strip():
            try:
                options = [word for word in question.split() if word in (USUAL_OPTION, ALL_OPTION)]
                asked = " ".join(word for word in question.split() if word not in (USUAL_OPTION, ALL_OPTION))
                found = self.chat.why(asked, usual=USUAL_OPTION in options)
                print_answer(self.console, found, everything=ALL_OPTION in options)
            except NoClearSubject as error:
                self.candidates = error.candidates
                print_candidates(self.console, error)
            except (UnknownSubject, UnknownTurn) as error:
                print_line(self.console, str(error), "yellow")
            return
        if self.last is not None:
            print_story(self.console, self.last, self._last_decided(), self.chat.why(turn=self.last.number))

    def print_why_not(self, name: str) -> None:
        """Explain why a transition, the ways to a node, or all transitions were not taken.
        It shows how they were judged last; if they never were, how they would be judged now.
        """
        decided = self._last_decided()
        if not name:
            self._print_not_taken(decided)
            return
        found = tuple(decision for decision in (decided.decisions if decided else ()) if decision.about(name))
        if name in self.chat.machine.scopes:
            print_answer(self.console, self.chat.why(name))
            if not found:
                return
        try:
            found = found or self.chat.explain(transition=name)
        except UnknownTransition as error:
            self._print_refusal()
            has_names = error.hint and name not in self.chat.machine.nodes
            print_line(self.console, str(error) if has_names else f"{error}; {self._transitions()}", "yellow")
            return
        self._print_headings(decided)
        for decision in found:
            print_decision(self.console, decision, name)

    def _print_not_taken(self, decided: Turn | None) -> None:
        self._print_headings(decided)
        judged = decided.decisions if decided is not None else ()
        others = [replace(one, candidates=tuple(c for c in one.candidates if c.outcome != "taken")) for one in judged]
        for decision in others:
            if decision.candidates:
                print_decision(self.console, decision)
        if any(decision.candidates for decision in others):
            return
        if any(decision.candidates for decision in judged):
            print_line(self.console, "each transition that was judged was taken")
            return
        for text in planned_moves(decided) if decided is not None else ():
            print_line(self.console, text)
        print_line(self.console, f"no transition was judged; {self._transitions()}", "yellow")

    def _last_decided(self) -> Turn | None:
        """Return the last turn that decided something, after an undo the one that it went back to."""
        if self.last is None or self.last.decisions:
            return self.last
        found = self.chat.explain()
        return self.chat.turn(found[0].turn) if found else None

    def _print_refusal(self) -> None:
        """Print that the last message was refused, since the explanation is about the turn before it."""
        if self.refused is not None:
            print_line(self.console, f"the last message was {self.refused.about}; the turn before it:", "yellow")

    def _print_headings(self, decided: Turn | None) -> None:
        self._print_refusal()
        if self.last is not None:
            for line in headings(self.last, decided):
                print_line(self.console, line, "bold")

    def _transitions(self) -> str:
        """Return the names of the current node's transitions, as part of a sentence."""
        state, machine = self.chat.state(), self.chat.machine
        known = (c.id for moment in MOMENTS for c in machine.candidates(state.node, moment).all)
        names = ", ".join(dict.fromkeys(known))
        return f"{state.node} has {names}" if names else f"{state.node} has no transition"
