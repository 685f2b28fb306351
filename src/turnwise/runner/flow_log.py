"""Logs what the flows that have the key `log` do: decisions, calls and failures, each as a line.

The lines go to the logger `turnwise.flow.NAME` of the flow; to standard error where no handler is configured for it.
They name parts of the flow, and hold neither messages nor secret values.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from turnwise.core.secrets import HIDDEN_KEY, Values, joined_values, secret_arguments, without_values
from turnwise.core.state import Fault
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool
from turnwise.core.trace import Failure
from turnwise.runner.result import JudgedDecision, Turn

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class _Line(NamedTuple):
    level: int
    text: str


def log_entries(turn: Turn, after: int, keys: Values) -> None:
    """Log a turn's entries after position `after`, at the level that the flow sets; leaves out `keys`, the API keys."""
    flow = turn.machine.flow
    logger = logging.getLogger(f"turnwise.flow.{flow.name}")
    shown = [line for line in _lines(turn, after) if line.level >= _LEVELS[flow.log]]
    given = _given_secrets(turn) if shown else ()
    for level, text in shown:
        safe = without_values(without_values(turn.hide(text), given), keys, HIDDEN_KEY)
        line = f"{turn.conversation}: {safe}"
        _write(logger, level, "".join(one if one.isprintable() else ascii(one)[1:-1] for one in line))


def _given_secrets(turn: Turn) -> Values:
    """Return the secret arguments that models gave in the turn."""
    calls = [call for entry in turn.entries if isinstance(entry.event, e.ModelReplied) for call in entry.event.calls]
    return joined_values(*[secret_arguments(turn.machine, call.tool, call.arguments) for call in calls])


def _write(logger: logging.Logger, level: int, text: str) -> None:
    """Write a line. The level of the flow holds, whatever that of the logger is, so that no other flow is concerned."""
    if logger.hasHandlers():
        logger.handle(logger.makeRecord(logger.name, level, "", 0, text, (), None))
    elif sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]  a process may have none
        try:
            sys.stderr.write(f"{logging.getLevelName(level).lower()} {logger.name}: {text}\n")
        except (OSError, ValueError):
            return  # it is closed, which is no reason to break a turn


def _lines(turn: Turn, after: int) -> Iterator[_Line]:
    judged = {one.entry.seq: one for one in turn.judged}
    for entry in turn.entries:
        if entry.seq > after:
            yield from _decision(turn, judged[entry.seq]) if entry.seq in judged else _others(entry.event)


def _decision(turn: Turn, judged: JudgedDecision) -> Iterable[_Line]:
    """Return the line of a decision. In a flow with secrets it has names only, and no values that were compared."""
    decision = turn.decision(judged, is_brief=True)
    taken = decision.candidate(decision.taken) if decision.taken else None
    text = decision.line
    if turn.machine.has_secrets:
        text = f"took {taken.id}" if taken is not None else "took no transition"
        text = f"{decision.node}: {text}"
    if taken is not None and taken.source:
        text += f" ({taken.source})"
    level = logging.INFO if taken is not None else logging.DEBUG
    return (_Line(level, f"{decision.moment}: {text}"),)


def _others(event: e.Event) -> Iterator[_Line]:
    """Yield the line of an event that is no decision, if it has one."""
    match event:
        case e.EffectAsked(effect=RunTool(tool=tool)):
            yield _Line(logging.DEBUG, f"{tool} is called")
        case e.ToolReturned(tool=tool, ms=ms):
            yield _Line(logging.INFO, f"{tool} returned after {ms} ms")
        case e.CallAnswered(tool=tool, result=result):
            is_refused = result.get("success") is False
            yield _Line(logging.WARNING if is_refused else logging.INFO, f"{tool} was {_ANSWERED[is_refused]}")
        case e.ModelReplied(model=model, tokens_in=read, tokens_out=written, calls=calls):
            called = "".join(f", calls {call.tool}" for call in calls)
            yield _Line(logging.DEBUG, f"the model {model} replied: {read} tokens in, {written} out{called}")
        case e.Ended(outcome=outcome):
            yield _Line(logging.INFO, f"the conversation ended: {outcome}")
        case _:
            yield from _failures(event)


def _failures(event: e.Event) -> Iterator[_Line]:
    """Yield the line of an event that says what failed or was refused."""
    match event:
        case e.CallRefused(tool=tool, reason=reason):
            yield _Line(logging.WARNING, f"a call of {tool} was refused: {reason}")
        case e.UnderstandingFailed(reason=reason):
            yield _Line(logging.WARNING, f"understanding failed: {reason}")
        case e.Warned(code=code, message=message):
            yield _Line(logging.WARNING, f"{code}: {message}")
        case e.Faulted(fault=fault):
            yield _Line(logging.ERROR, _failure(fault))
        case e.Failed(reason=reason, message=message):
            yield _Line(logging.ERROR, f"the turn failed: {reason} {message}".rstrip())
        case _:
            pass


_ANSWERED = {False: "answered", True: "answered with a refusal"}


def _failure(fault: Fault) -> str:
    """Return a failure in words, without the value that was refused."""
    return Failure(fault.kind, fault.message, fault.tool, at=fault.at).text
