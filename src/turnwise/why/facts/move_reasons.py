"""Says in words why a transition held, from the values that its guard read: for moves whose author gave no reason."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.candidates import Candidate
from turnwise.core.explain.now import MOMENTS
from turnwise.core.guards.types import value_text
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, GuardCode
from turnwise.flow.model import Moment
from turnwise.why.answer import Fact
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.values import FACTS_OF_ROOT

_HOLDS: dict[Moment, Phrase] = {
    "before": Phrase("with the next message, whatever that is"),
    "tool": Phrase("after any use of a tool"),
    "calls": Phrase("when all calls of a reply of the model have their results"),
    "after": Phrase("as soon as the work of {node} is done"),
    "event": Phrase("with its event"),
    "timer": Phrase("when its delay has passed"),
    "choice": Phrase("where the model chooses it"),
}
"""When a transition without a guard holds, by its moment."""


def unguarded(builder: FactBuilder, taken: Candidate | None) -> str:
    """Return why a transition without guard and reason was taken: in words, that it holds whenever its moment comes,
    and what that moment is. Empty for one with a guard or a reason, for one at an `error`, and for `None`.
    """
    if taken is None or taken.is_guarded or taken.level == "enter" or taken.because or taken.moment == "error":
        return ""
    later = Phrase("with the next message") if taken.reply == "next" else ""
    when = _HOLDS[taken.moment].with_values(node=builder.node)
    return phrase("it has no condition, and holds {when}[, to be taken {later}]", when=when, later=later)


def transition_of(builder: FactBuilder, event: e.Moved) -> Candidate | None:
    """Return the transition of a move, even if an earlier turn planned it; `None` if there is none."""
    every = (one for moment in MOMENTS for one in builder.machine.candidates(event.source, moment).all)
    return next((one for one in every if one.id == event.transition), None)


def what_counted(considered: Considered, reads: Iterable[Fact]) -> str:
    """Return what the function of a taken transition returned, and which failed call its rule counted, in words.
    `reads` are the facts about what the transition read.
    """
    code, parts = considered.code, list[str]()
    if code is not None and code.call == "called" and not code.error:
        returned, read = value_text(code.returned), values_read(code) if code.reads else ""
        text = "the function {name} returned {returned}[ after reading {reads}]"
        parts.append(phrase(text, name=code.name, returned=returned, reads=read))
    uses = [one for one in reads if one.kind == "root_read" and str(one.values["name"]).startswith("tools")]
    failed = [cause for one in uses for cause in one.causes if cause.kind == "tool_failed"]
    tools = dict.fromkeys(str(one.values["tool"]) for one in failed)
    return joined(
        [
            *parts,
            *(phrase("the call of {tool} failed, and a call that failed is a use, too", tool=tool) for tool in tools),
        ],
        "; ",
    )


_NOTHING = Phrase("nothing")


def values_read(code: GuardCode) -> str:
    """Return the values that a Python guard read, in words: `a = 1, b = nothing`."""
    return joined(
        (
            phrase("{name} = {value}", name=name, value=_NOTHING if value is None else value_text(value))
            for name, value in code.reads.items()
        ),
        ", ",
    )


def failure_behind(builder: FactBuilder, decided: Fact | None) -> str:
    """Return the failure that led to a move by a decision (the fact `decided`), in the words of what failed; empty for
    any other move.
    """
    failed = (
        builder.first(*FACTS_OF_ROOT["error"]) if decided is not None and decided.values["moment"] == "error" else None
    )
    return str(failed.values.get("said") or failed.values.get("reason") or "") if failed is not None else ""
