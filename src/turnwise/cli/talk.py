"""A conversation line by line: what is shown, and what a line answers; for machines as one line of JSON a turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress

from turnwise.api.open import SyncChat, Turn
from turnwise.cli.lines import numbered_choice
from turnwise.cli.show import print_json, turn_data
from turnwise.cli.watching import UnshownTurns, lines_while_watching, starts_turns, with_following_turns
from turnwise.errors import UnknownTurn
from turnwise.runner.result import merge_turns


class Talk(ABC):
    """A conversation that is typed line by line. It shows every turn once, also those that the machine starts."""

    def __init__(self, chat: SyncChat, *, is_person: bool = False) -> None:
        self.chat = chat
        self.is_person = is_person
        self.last: Turn | None = None
        """The last turn that was not refused."""
        self.seen: int | None = None
        """The position of the last entry that was shown."""
        self.read: tuple[Turn | None, int | None] | None = None
        """The last turn and the position that were shown when the line was typed that is answered next."""
        self.watch = UnshownTurns()

    def run(self, lines: Iterable[str]) -> None:
        """Begin the conversation, or continue it, and answer each line until one ends the talk."""
        self.begin()
        if starts_turns(self.chat.machine):
            lines = lines_while_watching(lines, self.look, self.mark_shown, is_person=self.is_person)
        for line in lines:
            if not self.answer(line):
                return

    def begin(self) -> None:
        """Begin the conversation, or show the last turn of one that has begun."""
        turn = self.chat.start()
        if turn.is_duplicate:
            with suppress(UnknownTurn):  # retention may have erased it
                turn = self.chat.turn()
        self.show_all(turn)
        self.watch.begin(self.chat)

    def look(self) -> bool:
        """Show the turns that the machine has started itself since the last call; return false if there are none."""
        new = self.watch.new(self.chat)
        for turn in new:
            self.show(turn)
        if new:
            self.show_offer()
        return bool(new)

    def mark_shown(self) -> None:
        """Record what was shown when a line arrives: the line answers nothing that is shown after that."""
        self.read = (self.last, self.seen)

    def answer(self, line: str) -> bool:
        """Answer a line of input; return false where it ends the talk."""
        self.show_all(self.say(line))
        return True

    def say(self, line: str) -> Turn:
        """Press a button by its number, unless another button has that label, or send a message; return the turn."""
        (last, seen), self.read = self.read or (self.last, self.seen), None
        buttons = last.buttons if last is not None else ()
        button = None if line.strip() in {one.label for one in buttons} else numbered_choice(line, buttons)
        if last is not None and button is not None:
            return self.chat.choose(button, position=last.position)
        return self.chat.say(line, position=seen if starts_turns(self.chat.machine) else None)

    def show_all(self, turn: Turn) -> None:
        """Show a turn, and those that an autonomous flow starts after it; together they are the last turn."""
        turns: list[Turn] = []
        for one in with_following_turns(self.chat, turn):
            self.show(one)
            turns.append(one)
        if len(turns) > 1:
            self.last = merge_turns(turns)
        self.show_offer()

    def show(self, turn: Turn) -> None:
        """Print a turn after the missed ones. A refused turn leaves the buttons as they are."""
        self.print(turn, self.watch.missed(turn))
        if not turn.refused and turn.entries:
            self.last, self.seen = turn, turn.entries[-1].seq
        elif turn.refused and turn.after is not None:
            self.seen = turn.after.seq

    @abstractmethod
    def print(self, turn: Turn, missed: Sequence[Turn]) -> None:
        """Print missed turns and a turn."""

    def show_offer(self) -> None:  # noqa: B027  machines are offered nothing
        """Print what can be typed now, after the turns."""


class JsonTalk(Talk):
    """A conversation for machines: one JSON line per turn."""

    def print(self, turn: Turn, missed: Sequence[Turn]) -> None:
        """Print each turn as a line of JSON."""
        for one in (*missed, turn):
            print_json(turn_data(one))
