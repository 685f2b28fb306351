"""A line of a scenario file, and the declaration of its key: what it is for, and what may stand in its line.

`expectations.py` declares the expectations. The parser, the type check, the player and the reference page use these
declarations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from turnwise.testing.approval_lines import read_decisions
from turnwise.testing.key_checks import (
    DEFAULT_CLOCK,
    Check,
    check_clock,
    check_commands,
    check_forcing,
    check_give_back,
    check_time_span,
    check_tool,
    check_understanding,
    check_zone,
    not_empty,
    readable_by,
    whole_number,
)
from turnwise.testing.notation import read_event, read_reply, read_result, read_tool_use
from turnwise.testing.operator_lines import read_take_over


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a scenario file."""

    number: int
    """The number of the line with the mistake, from 1."""
    text: str
    """What is wrong with the line, in words."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a scenario file, with the indented lines that continue its value."""

    key: str
    """The key at the start of the line, such as `field`."""
    subject: str
    """What the key is about (`user.age` in `field user.age: 45`); empty if the key has no subject."""
    value: str
    """The text behind the colon."""
    number: int
    """The number of the line, from 1."""
    height: int = 1
    """The number of lines of the file that the line fills, with those that continue its value."""

    @property
    def head(self) -> str:
        """The key with its subject, as they are written before the colon."""
        return f"{self.key} {self.subject}".rstrip()


class Subject(NamedTuple):
    """What follows a key in its line, before the colon, and the check of it."""

    form: str
    """The placeholder for the subject in the reference, in capitals: `FIELD`."""
    check: Check
    """Returns what is wrong with a subject; `None` if nothing is."""


@dataclass(frozen=True, slots=True)
class ScenarioKey:
    """The declaration of a key of scenario files."""

    name: str
    """The key, as scenario files write it."""
    about: str
    """What the key is for."""
    value: Check | None = None
    """The check of the value; `None` if any text is allowed."""
    subject: Subject | None = None
    """What may follow the key; `None` if nothing may."""
    example: str = ""
    """An example line for the reference; empty without one."""


def _by_name(*keys: ScenarioKey) -> Mapping[str, ScenarioKey]:
    """Return keys by their names."""
    return {key.name: key for key in keys}


TITLE = ScenarioKey("scenario", "begins a scenario, with its title")
"""The line that begins a scenario."""
_PYTHON = "a Python file with the guards and tools that the flow names: functions with `@tw.tool` or the name of a tool"
_DECISIONS = (
    'decides calls that wait, one in each line: `approve ship`, `approve ship#2 {"crates": 3}` for the second call of '
    "a tool with another argument, `decline scrap; because(not today)`, `approve` for all; `by(Lena)` in a line of its "
    "own is an operator"
)
_OVERLAY = "forces an overlay: `viking_weekend on`, `off` or `auto`; `for all` may follow, and `; by(Lena)`"
_PRESS = "a button, by label or value; `Yes @ 12` names the journal position that offered it"
_NO_WORDS = "what does the operator say? 'operator: Hello, I am Lena.'"
_GIVE_BACK = "`solved; set(case.code, 7); take(known); because(agreed)`, or `done; end(closed)`"
_UNDERSTOOD = "the commands that understanding proposes: `set(user.age, 45)`; `nothing`, or `fails`"
_RESULT = "the result of the next call of this tool, as JSON; or `fails` or `in doubt` and the reason"
_RECORDING = (
    "a recording of a model, from this file: its replies are played, and every prompt must be the same to the letter"
)
HEADER = _by_name(
    ScenarioKey(
        "flow", "the path of the flow, from this file; or the flow itself, indented", example="intake.flow.yaml"
    ),
    ScenarioKey("python", _PYTHON, example="intake.py"),
    ScenarioKey("clock", "the time at the start, with a zone; `wait` moves it", check_clock, example=DEFAULT_CLOCK),
    ScenarioKey("zone", "the time zone of the conversation", check_zone, example="Europe/Berlin"),
    ScenarioKey("recording", _RECORDING, not_empty("which file? 'recording: talk.json'"), example="talk.json"),
)
"""The keys before the first scenario, by name."""
INPUTS = _by_name(
    ScenarioKey("user", "a message"),
    ScenarioKey("press", _PRESS, not_empty("which button? 'press: Yes'")),
    ScenarioKey("commands", "commands of your program: `set(case.urgency, Urgent); affirm`", check_commands),
    ScenarioKey(
        "tool", 'a use that your program reports: `think {"about": "x"} => "done"`', readable_by(read_tool_use)
    ),
    ScenarioKey("wait", "advances the clock, `2h`; timers that come due fire in order", check_time_span),
    ScenarioKey("until", "moves the clock forward to a time with a zone; what comes due fires in order", check_clock),
    ScenarioKey("start", "begins the conversation without a message; a time zone may follow", check_zone),
    ScenarioKey("run", "begins an autonomous flow and waits until it stops"),
    ScenarioKey("event", 'an event of another system: `payment_received {"amount": 20}`', readable_by(read_event)),
    ScenarioKey("fire", "fires a timer, named by its transition", not_empty("which timer? 'fire: remind'")),
    ScenarioKey("overlay", _OVERLAY, check_forcing),
    ScenarioKey("decide", _DECISIONS, readable_by(read_decisions)),
    ScenarioKey("undo", "takes the last turn back, or all turns after a number", whole_number("number of a turn")),
    ScenarioKey("take over", "an operator: `Lena`, or `Lena; because(on shift)`", readable_by(read_take_over)),
    ScenarioKey("operator", "the operator says something", not_empty(_NO_WORDS)),
    ScenarioKey("give back", _GIVE_BACK, check_give_back),
)
"""The keys of inputs."""
SCRIPTS = _by_name(
    ScenarioKey("understand", _UNDERSTOOD, check_understanding),
    ScenarioKey("model", "a reply: a text, then its calls, one per line; or `fails` and why", readable_by(read_reply)),
    ScenarioKey("result", _RESULT, readable_by(read_result), Subject("TOOL", check_tool)),
)
"""The keys of replies of models and results of tools."""
