"""Options that come from a list of the conversation: when they are read, and which answers they refuse (law 5.18)."""

from __future__ import annotations

from typing import Any, Protocol

from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.option_sources import read_options
from turnwise.core.state import OptionList, ShownOption, State
from turnwise.core.state.events import AnyEvent, OptionsFixed
from turnwise.core.state.kinds import WarningCode
from turnwise.core.state.options import values_of
from turnwise.core.values import Refused
from turnwise.flow.converters import copy_with
from turnwise.flow.frozen import make
from turnwise.flow.model import Field, Option


class Recorder(Protocol):
    """The interface that records events: the step in progress."""

    machine: Machine
    """The machine of the conversation."""
    state: State
    """The state after all events recorded so far."""

    def emit(self, event: AnyEvent, frame: int | None = None) -> None:
        """Record an event (of the frame in charge, or of `frame`), and update the state with it."""
        ...

    def speak(self) -> None:
        """Switch to the machine in the language of the state, with its questions and options."""
        ...

    def warn(self, code: WarningCode, message: str, fields: tuple[str, ...] = ()) -> None:
        """Record a warning for operators, with the fields that it is about."""
        ...


def fix_options(step: Recorder, address: str) -> None:
    """Read the options of the field at an address from its list now, and record them if they have changed."""
    source = step.machine.option_sources[address]
    known, read = (step.state.option_lists or {}).get(address), read_options(source, step.state)
    if known is not None and known.items == read.items:
        return
    step.emit(OptionsFixed(address, source.list, read.items, read.left_out))
    step.speak()
    if read.left_out:
        message = (
            f"{read.left_out} items of {source.list} are no options of {address}: their values lack or are doubled"
        )
        step.warn("options_left_out", message, (source.list, address))


def fix_options_from(step: Recorder, written: str) -> None:
    """Read the options that come from the list `written` again, except for those of the open question.
    These stay as they were shown until it is asked again.
    """
    open_ = {frame.question.field for frame in step.state.frames if frame.question is not None}
    for address, source in step.machine.option_sources.items():
        if source.list == written and address not in open_:
            fix_options(step, address)


def field_with(field: Field, options: tuple[ShownOption, ...]) -> Field:
    """Return a field whose options are `options`, as they are shown."""
    made = [make(Option, value=one.value, words=(one.label,) if one.label else (), label=one.label) for one in options]
    return copy_with(field, options=tuple(made))


def field_now(machine: Machine, state: State, address: str) -> Field:
    """Return a field with the options that its list has now."""
    return field_with(machine.fields[address], read_options(machine.option_sources[address], state).items)


def refused_answer(machine: Machine, state: State, address: str, value: Any) -> Refused | None:
    """Return the refusal of an answer whose option no longer exists or now means something else, else `None`."""
    known = (state.option_lists or {}).get(address)
    return _refused(machine, state, address, value, known.items if known is not None else ())


def refused_choice(machine: Machine, state: State, address: str, value: Any) -> Refused | None:
    """Return the refusal of a stored answer whose option no longer exists or shows another text now, else `None`."""
    known = (state.option_lists or {}).get(address)
    return _refused(machine, state, address, value, (*known.chosen, *known.items) if known is not None else ())


def _refused(
    machine: Machine, state: State, address: str, value: Any, shown: tuple[ShownOption, ...]
) -> Refused | None:
    rules = rules_of(machine, state)
    now = OptionList(read_options(machine.option_sources[address], state).items, "")
    if not now.items:
        return rules.refused("no_options")
    for one in values_of(value):
        before, found = OptionList(shown, "").shown_option(one), now.shown_option(one)
        if found is None:
            options = ", ".join([option.text for option in now.items])
            return rules.refused("option_gone", option=before.text if before is not None else one, options=options)
        if before is not None and before.text != found.text:
            return rules.refused("option_changed", option=before.text, now=found.text)
    return None
