"""How often each action, moment and outcome occurred in some runs, so that no property holds for want of cases."""

from __future__ import annotations

from collections import Counter

from support.random_runs import Run
from turnwise.core.candidates import Candidate
from turnwise.core.decision.judge import MIRROR, SKIPPED
from turnwise.core.explain.decision import action_of
from turnwise.core.explain.decision import outcome_of as shown_outcome_of
from turnwise.core.state import Ended, Failed
from turnwise.core.state import events as e
from turnwise.core.state.effects import RunTool

ROWS: dict[str, tuple[str, ...]] = {
    "action": ("to", "stay", "block", "end", "set", "reply: next"),
    "moment": ("before", "tool", "after", "error", "timer", "choice"),
    "outcome": (
        "taken", "false", "unknown", "outranked", "not reached", "blocked", "error", "held, but a mirror", "unchanged",
    ),
    "run": ("waits", "ended", "failed"),
    "call": ("made", "returned", "failed", "answered", "refused", "dropped", "held", "declined"),
    "turn": ("of its own", "sequence advanced"),
    "person": ("awaited", "taken over", "given back", "nobody came", "transition taken"),
    "needs": ("set that was applied",),
}  # fmt: skip
"""What is counted. An action counts where it was taken, `set` where it wrote; an outcome per candidate."""

_OF_THEIR_OWN = {MIRROR: "held, but a mirror", SKIPPED: "unchanged"}


_OF_PEOPLE: dict[type, str] = {
    e.PersonAwaited: "awaited",
    e.TakenOver: "taken over",
    e.GivenBack: "given back",
    e.NobodyCame: "nobody came",
}


def outcome_of(letter: str) -> str:
    """The outcome that a letter stands for; two that explanations tell as another count on their own."""
    return _OF_THEIR_OWN.get(letter) or shown_outcome_of(letter).replace("_", " ")


def event_of(event: e.AnyEvent) -> tuple[str, str] | None:
    """What an event counts as, on its own."""
    match event:
        case e.EffectAsked(RunTool()):
            return "call", "made"
        case e.ToolReturned():
            return "call", "returned"
        case e.ToolFailed():
            return "call", "failed"
        case e.CallAnswered():
            return "call", "answered"
        case e.CallRefused(reason=reason):
            return "call", reason if reason in ROWS["call"] else "refused"
        case e.CallHeld():
            return "call", "held"
        case e.Continued():
            return "turn", "of its own"
        case e.PersonAwaited() | e.TakenOver() | e.GivenBack() | e.NobodyCame():
            return "person", _OF_PEOPLE[type(event)]
        case e.Decided(operator=operator) if operator:
            return "person", "transition taken"
        case e.SequenceAdvanced():
            return "turn", "sequence advanced"
        case _:
            return None


class Tally:
    """The counts of all runs so far."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.runs = 0
        self.turns = 0

    def add(self, run: Run, needs: int) -> None:
        """Count one run, and how many sets of needs were applied in it."""
        self.runs += 1
        self.counts["needs", ROWS["needs"][0]] += needs
        self.turns += run.state.turn
        status = run.state.status
        self.counts[
            "run", "ended" if isinstance(status, Ended) else "failed" if isinstance(status, Failed) else "waits"
        ] += 1
        for entry in run.entries:
            if name := event_of(entry.event):
                self.counts[name] += 1
        for entry, following in zip(run.entries, run.entries[1:], strict=False):
            if isinstance(entry.event, e.Decided):
                self._add_decision(run, entry.event, following.event)

    def _add_decision(self, run: Run, decided: e.Decided, following: e.AnyEvent) -> None:
        candidates = run.machine.candidates(decided.node, decided.moment).all  # type: ignore[arg-type]
        self.counts["moment", decided.moment] += 1
        for letter in decided.outcomes:
            self.counts["outcome", outcome_of(letter)] += 1
        if decided.taken >= 0:
            self._add_action(candidates[decided.taken], following)

    def _add_action(self, taken: Candidate, following: e.AnyEvent) -> None:
        self.counts["action", "reply: next" if taken.reply == "next" else action_of(taken.action)] += 1
        if taken.writes and isinstance(following, e.FieldSet | e.FieldCleared) and following.how == "set":
            self.counts["action", "set"] += 1

    def below(self, floor: int) -> list[str]:
        """What occurred less often than this."""
        rows = ((kind, name) for kind, names in ROWS.items() for name in names)
        return [f"{kind} {name}: {self.counts[kind, name]}" for kind, name in rows if self.counts[kind, name] < floor]

    def table(self) -> str:
        """All counts, as lines."""
        lines = [f"{self.runs} random machines, {self.turns} turns"]
        for kind, names in ROWS.items():
            lines += [f"  {kind:8} {name:20} {self.counts[kind, name]:9,}" for name in names]
        return "\n".join(lines) + "\n"
