"""Finds the question before the open one, to which `back` returns (law 7.3a). It changes no answer."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.forms import AT_REST, is_answered, questions_in_order
from turnwise.core.linked_form import LinkedForm
from turnwise.core.state import FormRun, State


def step_back(form: LinkedForm, run: FormRun, state: State) -> FormRun | None:
    """Return the run with the question before the open one asked again; `None` if there is none.

    From the choice of answers it leads back to the summary, from the text for *Other* to the question itself, and from
    the summary to the last question that was put. A stopped form still asks the question that stopped it.
    """
    if run.status in AT_REST:
        return None
    if run.editing == "chooser":
        return replace(run, editing="", correction=None, correction_place=None)
    if run.awaits_other:
        return replace(run, awaits_other=False)
    names = [question.address for question in questions_in_order(form, state, run)]
    before = names[: names.index(run.asked)] if run.asked in names else names
    put = [name for name in before if is_answered(run, state, name) or name in run.skipped]
    if not put:
        return None
    asked = put[-1]
    walk = (asked, *run.walk) if run.editing == "walk" else ()
    return replace(run, status="collecting", asked=asked, editing="walk" if walk else "one", walk=walk)
