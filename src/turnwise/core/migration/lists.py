"""Carries the questions and options that are data of a conversation over to another version of the flow."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.migration import Renaming
from turnwise.core.state import OptionLists, QuestionLists


def questions_renamed(lists: QuestionLists | None, renaming: Renaming) -> QuestionLists | None:
    """Return the questions of forms over data under the new names of fields and nodes, `None` if there are none; their
    texts do not change.
    """
    if lists is None:
        return None
    named = {renaming.field(field): found for field, found in lists.items()}
    return {
        name: replace(found, source=renaming.question(found.source), node=renaming.node(found.node))
        for name, found in named.items()
        if name
    } or None


def options_renamed(machine: Machine, lists: OptionLists | None, renaming: Renaming) -> OptionLists | None:
    """Return the shown options under the new names of fields, for fields that still read them from a list; `None` if
    there are none.
    """
    if lists is None:
        return None
    named = {renaming.field(field): found for field, found in lists.items()}
    return {
        name: replace(found, source=machine.option_sources[name].list)
        for name, found in named.items()
        if name in machine.option_sources
    } or None
