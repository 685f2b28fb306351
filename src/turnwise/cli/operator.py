"""Plays an operator or another system in the terminal, and shows what a person did."""

from __future__ import annotations

from rich.console import Console

from turnwise.api.open import SyncChat, Turn
from turnwise.cli.show import print_line
from turnwise.core.state.events import CallApproved, GivenBack, OperatorSaid, PersonAwaited, TakenOver
from turnwise.flow.late_pattern import late_pattern
from turnwise.testing.approval_lines import read_decisions
from turnwise.testing.notation import NotationError, read_event
from turnwise.testing.operator_lines import read_give_back, read_take_over

HELP = """\
/take-over NAME       become the person in charge; NAME; because(WHY); instead_of(NAME)
/operator TEXT        say something as the person in charge
/give-back [OUTCOME]  give back; OUTCOME; set(FIELD, VALUE); take(TRANSITION); because(WHY)
/approve [TOOL]       approve calls that wait, all or of one TOOL, also TOOL#2 {"amount": 40}; by(NAME) as an operator
/decline [TOOL]       decline calls that wait; TOOL; because(WHY); by(NAME)"""
"""The lines of `/help` about persons and approvals."""
_BY = late_pattern(r";?\s*(by\([^()]*\))\s*$")
"""Who decides, which in a scenario is a line of its own."""
COMMANDS = ("/take-over", "/operator", "/give-back", "/approve", "/decline")
"""The commands of an operator in `turnwise chat`."""


def operate(chat: SyncChat, name: str, rest: str) -> Turn | str:
    """Run the command `name` of the operator or of another system, with the `rest` of its line; return its turn, or a
    message about what is wrong.
    """
    try:
        match name:
            case "/take-over":
                return chat.take_over(**read_take_over(rest)._asdict())
            case "/operator":
                return chat.operator_say(rest)
            case "/event":
                return chat.event(*read_event(rest))
            case "/approve" | "/decline":
                text = f"{name[1:]} {rest}".rstrip()
                found = read_decisions(_BY.sub(r"\n\1", text))
                return chat.decide(found.of(chat.state()), operator=found.operator)
            case _:
                return chat.give_back(**read_give_back(rest)._asdict())
    except NotationError as error:
        return str(error)


def print_acts(console: Console, turn: Turn) -> None:
    """Print what a person did and said in a turn."""
    for event in turn.events:
        match event:
            case OperatorSaid(text, operator):
                print_line(console, f"{operator} › {text}", "bold magenta")
            case TakenOver(operator):
                print_line(
                    console, f"  ({operator} has taken over: nothing is interpreted until they give back)", "magenta"
                )
            case CallApproved(tool=tool, by=by):
                print_line(console, f"  ({tool} was approved{f' by {by}' if by else ''})", "magenta")
            case GivenBack(outcome=outcome, operator=operator):
                print_line(console, f"  ({operator} has given back: {outcome})", "magenta")
            case _:
                pass


def print_refused_give_back(console: Console, turn: Turn) -> None:
    """Print that the person is still in charge after a give-back that was refused."""
    person = turn.after.person if turn.refused and turn.after is not None else None
    if person is not None and person.operator:
        print_line(
            console, f"  ({person.display or person.operator} stays in charge: nothing was given back)", "magenta"
        )


def print_wait(console: Console, turn: Turn) -> None:
    """Print that the conversation begins to wait for a person, and why a message was not interpreted."""
    for event in turn.events:
        if isinstance(event, PersonAwaited):
            about = f", {event.about}" if event.about else ""
            print_line(console, f"  (waits for a person: queue {event.queue}{about})", "magenta")
    if turn.note:
        print_line(console, f"  ({turn.note})", "dim")
