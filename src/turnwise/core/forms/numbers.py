"""What the texts of a form may read beside fields and roots: the numbers of the form (law 5.11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.core.forms.run import in_order, progress
from turnwise.core.guards.env import Env
from turnwise.core.machine import LinkedForm
from turnwise.core.state import FormRun, State


def told(form: LinkedForm, run: FormRun, state: State, address: str) -> Env:
    """The surroundings of a text about the question of a field."""
    return Env(state.values, _Numbers(form, run, state, address))


class _Numbers:
    """The number of a question, of how many, and the progress; counted when a text reads them."""

    __slots__ = ("address", "form", "run", "state")

    def __init__(self, form: LinkedForm, run: FormRun, state: State, address: str) -> None:
        self.form = form
        self.run = run
        self.state = state
        self.address = address

    def get(self, key: str, read: Callable[[State], Any]) -> Any:
        """The value of a root, `None` where it is missing."""
        if key == "form.progress":
            return progress(self.form, self.run, self.state)
        if key not in ("form.number", "form.total"):
            return read(self.state)
        names = [question.address for question in in_order(self.form, self.state)]
        if key == "form.total":
            return len(names)
        return names.index(self.address) + 1 if self.address in names else len(names)
