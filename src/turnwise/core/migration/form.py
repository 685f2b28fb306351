"""The run of a form carried over to another version of the form."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.forms.run import standing
from turnwise.core.machine import LinkedForm
from turnwise.core.migration.verdict import Reason, Renaming, must_finish, needs_mapping
from turnwise.core.state import FormRun, State


def carried_run(form: LinkedForm, run: FormRun, state: State, renaming: Renaming) -> tuple[FormRun, tuple[Reason, ...]]:
    """The run in the new form, and why it cannot go on there. `state` has the values already."""
    reasons = tuple(
        needs_mapping(f"the question for '{address}' is gone")
        for address in dict.fromkeys((run.asked, run.stopped_at))
        if address and renaming.question(address) not in form.by_address
    )
    carried = _renamed(form, run, renaming)
    if reasons or run.status != "awaiting_confirmation":
        return carried, reasons
    return carried, _unconfirmed(form, carried, state)


def _renamed(form: LinkedForm, run: FormRun, renaming: Renaming) -> FormRun:
    def known(addresses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([new for new in map(renaming.question, addresses) if new in form.by_address])

    return replace(
        run,
        asked=renaming.question(run.asked) if run.asked else "",
        stopped_at=renaming.question(run.stopped_at) if run.stopped_at else "",
        walk=known(run.walk),
        skipped=known(run.skipped),
        misses={renaming.question(address): count for address, count in run.misses.items()},
        suggested={
            renaming.question(address): value
            for address, value in run.suggested.items()
            if renaming.question(address) in form.by_address
        },
    )


def _unconfirmed(form: LinkedForm, run: FormRun, state: State) -> tuple[Reason, ...]:
    """Answers that are being confirmed are complete in the new form too, and to be confirmed."""
    now = standing(form, run, state)
    if now.status == "awaiting_confirmation" or (run.editing == "chooser" and form.form.confirm is not None):
        return ()
    if now.status == "collecting":
        return (must_finish(f"its answers are being confirmed, and '{now.asked}' would have to be asked first"),)
    if now.status == "stopped":
        return (must_finish(f"its answers are being confirmed, and the one to '{now.stopped_at}' would end it"),)
    return (must_finish("its answers are being confirmed, and the form does not ask for that any more"),)
