"""Renders decisions as text: the verdict line, candidates, conditions, missing values, needs.

It chooses no colours: each line names its topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

from turnwise.core.explain.tree import operands, value_now
from turnwise.core.phrase import Phrase, joined, phrase, read_phrase
from turnwise.core.state import BrokenOff
from turnwise.core.state.events import NothingSet
from turnwise.core.trace import (
    ActionName,
    Considered,
    Decision,
    Failure,
    Group,
    Leaf,
    Need,
    Operand,
    Outcome,
    Verdict,
)
from turnwise.core.values import REDACTED
from turnwise.flow.late_pattern import late_pattern

OFFERED = "offered to the model"
"""What decisions store for a transition that the model may choose and did not."""
BROKEN_OFF: dict[BrokenOff, str] = {
    "stopped": "the form was stopped",
    "cancelled": "the form was cancelled",
    "handed_off": "the form was handed over before it was confirmed",
    "left": "the same message asked to stop, or for a person",
}
"""How a form ended early, in words, by how it was left: then only transitions that read its status are judged."""
_NO_CANDIDATES = {
    "before": Phrase("no candidates before the work"),
    "after": Phrase("no candidates after the work"),
    "tool": Phrase("no candidates after a tool"),
    "calls": Phrase("no candidates after all calls of the reply"),
    "error": Phrase("no candidates for what failed"),
    "timer": Phrase("no candidates for this timer"),
    "event": Phrase("no candidates for this event"),
    "choice": Phrase("no candidates to choose from"),
}


def verdict_line(
    node: str,
    moment: str,
    candidates: tuple[Considered, ...],
    failure: Failure | None = None,
    nothing_set: tuple[NothingSet, ...] = (),
    operator: str = "",
    reason: str = "",
) -> str:
    """Return the sentence for a decision, such as what was taken, and why. `failure` is what an `error` moment was
    judged for, `nothing_set` lists the fields in which the move set nothing; `operator` is the person who decided,
    empty for the machine, and `reason` what that person gave as the reason.
    """
    head, rest = line_parts(node, moment, candidates)
    rest = "" if operator else rest
    chosen = phrase("chosen by {operator}, a person[: {reason}]", operator=operator, reason=reason) if operator else ""
    failed = (failure.summary,) if failure is not None else ()
    also = (*filter(None, (chosen,)), *failed, *(event.text for event in nothing_set))
    return joined((phrase("{head}[: {rest}]", head=head, rest=rest), *also), "; ")


def line_of(decision: Decision) -> str:
    """Return the sentence for a decision as a phrase, which can be translated."""
    return verdict_line(
        decision.node,
        decision.moment,
        decision.candidates,
        decision.failure,
        decision.nothing_set,
        decision.operator,
        decision.reason,
    )


def line_parts(node: str, moment: str, candidates: tuple[Considered, ...]) -> tuple[str, str]:
    """Return the two parts of the sentence for a decision: what happened, and why (empty if there is no reason)."""
    for candidate in candidates:
        if candidate.outcome == "taken":
            return _taken(node, candidate)
        if candidate.outcome == "blocked":
            why = candidate.failure.summary if candidate.failure is not None else by_in_words(candidate)
            held = "{transition}[ to {target}] held, but {reason}"
            return _stayed(node), phrase(held, transition=candidate.id, target=candidate.target, reason=why)
    return _stayed(node), _why_stayed(node, moment, candidates)


def _stayed(node: str) -> Phrase:
    return phrase("stayed in {node}", node=node)


def _why_stayed(node: str, moment: str, candidates: tuple[Considered, ...]) -> str:
    found = [candidate for candidate in candidates if not candidate.is_mirror]
    judged = judged_of(candidates)
    if not judged and any(candidate.by in BROKEN_OFF.values() for candidate in found):
        return phrase("{reason}, and no transition reads form.status", reason=by_in_words(found[0]))
    if not judged:
        is_same = found and moment != "event"
        return _NOTHING_CHANGED if is_same else _NO_CANDIDATES[moment]
    errors = joined([candidate.id for candidate in judged if candidate.outcome == "error"], ", ")
    offered = joined([candidate.id for candidate in judged if candidate.outcome == "outranked"], ", ")
    if offered:
        return phrase("offered to the model: {transitions}[; in error: {errors}]", transitions=offered, errors=errors)
    count = _ONE_FAILED if len(judged) == 1 else phrase("{count} candidates, none held", count=len(judged))
    nearest = nearest_candidate(node, candidates)
    lacks = what_it_lacks(nearest) if nearest is not None else ""
    return phrase("{judged}[; in error: {errors}][; nearest is {lacks}]", judged=count, errors=errors, lacks=lacks)


_NOTHING_CHANGED = Phrase("no candidate changed since it was judged")
_ONE_FAILED = Phrase("1 candidate, which did not hold")


def nearest_candidate(node: str, candidates: tuple[Considered, ...]) -> Considered | None:
    """Return the candidate that was nearest to holding, if none held; `None` if no way is known to make one hold.

    An exception is never the nearest, and a guard that reads nothing but the message is not near: any message may be
    next.
    """
    judged = judged_of(candidates)
    if any(candidate.outcome in _CHOSEN for candidate in judged):
        return None
    others = [one for one in judged if (one.target != node or one.action != "to") and not _is_never_near(one)]
    nearest = min(others, key=_distance, default=None)
    return nearest if nearest is not None and lacking_in_words(nearest) else None


def _is_never_near(candidate: Considered) -> bool:
    if candidate.is_exception:
        return True
    read = operands(candidate.verdict) if candidate.verdict is not None else ()
    return {one.name.partition(".")[0] for one in read} == {"message"}


def what_it_lacks(candidate: Considered) -> str:
    """Return in words what a candidate that did not hold lacks: `→ profiler, which lacks user.name`."""
    lacks = lacking_in_words(candidate)
    if not candidate.target:
        return phrase("{transition}, which {lacks}", transition=candidate.id, lacks=lacks)
    return phrase("→ {node}, which {lacks}", node=candidate.target, lacks=lacks)


_CHOSEN: tuple[Outcome, ...] = ("taken", "blocked", "outranked")


def judged_of(candidates: tuple[Considered, ...]) -> list[Considered]:
    """Return the candidates that were judged, without those that only describe a Python guard."""
    return [candidate for candidate in candidates if not candidate.is_mirror and candidate.outcome != "not_reached"]


def _taken(node: str, candidate: Considered) -> tuple[str, str]:
    values = {"node": node, "target": candidate.target, "transition": candidate.id}
    if candidate.action == "to" and candidate.target == node and candidate.level == "enter":
        return _stayed(node), _OWN_ENTRY
    if candidate.action == "to" and candidate.planned:
        return _stayed(node), phrase(_PLANNED, **values, because=candidate.because)
    return phrase(_TAKEN[candidate.action], **values), candidate.because


_OWN_ENTRY = Phrase("its own enter_when holds")
_PLANNED = "goes to {target} with the next message, by {transition}[: {because}]"
_TAKEN: dict[ActionName, str] = {
    "to": "{node} → {target} by {transition}",
    "stay": "held in {node} by {transition}",
    "block": "blocked in {node} by {transition}",
    "end": "ended from {node} by {transition}",
    "call": "opened a scope from {node} by {transition}",
    "return": "closed the scope of {node} by {transition}",
}


def candidate_line(candidate: Considered) -> str:
    """Return in words the outcome of a candidate in a what-if: `would not hold: it lacks user.name`."""
    match candidate.outcome:
        case "taken":
            return Phrase("would be taken")
        case "outranked":
            return phrase("would hold, and be {outranked}", outranked=why_outranked(candidate))
        case "blocked":
            return phrase("would hold, and be blocked: {reason}", reason=by_in_words(candidate))
        case "not_reached":
            return phrase("would not be judged: {reason}", reason=by_in_words(candidate))
        case "false" | "unknown" | "error":
            return phrase("would not hold[: it {lacks}]", lacks=lacking_in_words(candidate))
    assert_never(candidate.outcome)


def why_outranked(candidate: Considered) -> str:
    """Return in words why a candidate that held was not taken: `outranked by refused`."""
    is_other = not candidate.is_mirror and candidate.by != OFFERED
    if not is_other:
        return phrase("outranked, {reason}", reason=by_in_words(candidate))
    return phrase("outranked by {transition}", transition=candidate.by)


def by_in_words(candidate: Considered) -> str:
    """Return as a phrase, which can be translated, what kept a candidate from being taken."""
    return next((found for one in BY_WORDS if (found := read_phrase(one, candidate.by)) is not None), candidate.by)


BY_WORDS = (
    OFFERED,
    *BROKEN_OFF.values(),
    "a transition that was blocked",
    "a mirror only describes, it never fires",
    "the timer that fired is {transition}",
    "the event that came is {event}",
    "judging ended at {transition}",
    "judging had ended",
    "nothing that it reads has changed since it was judged",
    "nothing that it reads has changed since it was judged; it held then",
    "nothing that it reads has changed since it was judged; it did not hold then",
    "nothing that it reads has changed since it was judged; it was unknown then",
    "nothing that it reads has changed since it was judged; it was in error then",
    "{node} was entered before in this turn",
    "the limit of {limit} moves in a turn was reached",
)
"""The texts that decisions store to say why a candidate was not taken."""


def _distance(candidate: Considered) -> tuple[int, int, int, int]:
    """Return how far a candidate was from holding, as a key for sorting.

    A missing value is nearer than another value, and a guard is nearer the more of its conditions hold.
    """
    held = -_held(candidate.verdict)
    if candidate.needs:
        needed = candidate.needs[0]
        return (0, sum(need.now is not None for need in needed), len(needed), held)
    return (1, 0, 0, held) if candidate.in_words else (2, 0, 0, held)


def _held(verdict: Verdict | None) -> int:
    """Return how many of the conditions of a guard hold."""
    if isinstance(verdict, Group):
        return sum(_held(part) for part in verdict.parts)
    return int(verdict is not None and verdict.verdict == "held")


def lacking_in_words(candidate: Considered) -> str:
    """Return in words what the nearest candidate lacks to hold; empty if no way is proved."""
    if not candidate.needs:
        ways = joined(ways_in_words(candidate), ", or ")
        return phrase("waits for {ways}", ways=ways) if candidate.in_words else ""
    needed = candidate.needs[0]
    if all(need.now is None for need in needed):
        return phrase("lacks {fields}", fields=joined([need.field for need in needed], ", "))
    return phrase("needs {rules}", rules=joined(dict.fromkeys(map(need_in_words, needed)), ", "))


def need_in_words(need: Need) -> str:
    """Return a needed condition with the value that it reads now: `user.age >= 38 (is 35)`."""
    if need.text == need.rule:
        return phrase("{rule}", rule=need.rule)
    missing = phrase("{rule} (not known)", rule=need.rule)
    if missing == need.text:
        return missing
    text = phrase("{rule} (is {value})", rule=need.rule, value=need.now)
    if text == need.text:
        return phrase("{rule} (is {value})", rule=need.rule, value=need.now, field=need.field)
    named = phrase("{rule} ({field} is {value})", rule=need.rule, value=need.now, field=need.field)
    return named if named == need.text else need.text


def held_conditions(candidate: Considered) -> str:
    """Return the conditions by which a guard held, with the values that they read: `u.n > 5: u.n is 9`. An empty text
    where no value can be named: texts of any length and secrets are left out.
    """
    held = list(_held_parts(candidate.verdict)) if candidate.verdict is not None else []
    rules = [rule for rule in holding_rules(candidate) if _COMPARISON.search(rule)]  # a value says equality itself
    read = {one.name: value_now(one, one.name) for leaf in held for one in leaf.operands if _is_shown(one)}
    if not read or len(read) > _MOST_HELD:
        return ""
    return phrase("[{rules}: ]{values}", rules=joined(rules, " and "), values=joined(read.values(), ", "))


def holding_rules(candidate: Considered) -> list[str]:
    """Return the conditions by which a candidate's guard held, without those that read secrets."""
    held = _held_parts(candidate.verdict) if candidate.verdict is not None else ()
    return list(dict.fromkeys(leaf.text for leaf in held))


_COMPARISON = late_pattern(r"[<>]|!=|\bin\b|\.\w+\(")
_MOST_HELD = 3
"""The most values of a guard that are named in one sentence."""


def _is_shown(read: Operand) -> bool:
    return read.how != "missing" and read.name not in _LONG and not _is_test(read)


def _held_parts(verdict: Verdict) -> Iterator[Leaf]:
    """Yield the conditions that made a guard hold: all parts of `&&`, the first part of `||` that held."""
    match verdict:
        case Leaf():
            if verdict.verdict == "held" and not any(one.value == REDACTED for one in verdict.operands):
                yield verdict
        case Group(op="any"):
            yield from next((list(_held_parts(one)) for one in verdict.parts if one.verdict == "held"), ())
        case Group(op="not"):
            (part,) = verdict.parts
            if isinstance(part, Leaf):
                yield from _held_parts(replace(part, verdict="held", text=f"not {part.text}"))
        case Group(op="if"):
            test, then, other = verdict.parts
            yield from _held_parts(then if test.verdict == "held" else other)
        case Group():
            for one in verdict.parts:
                yield from _held_parts(one)


def ways_in_words(candidate: Considered) -> list[str]:
    """Return a candidate's ways to hold, each with the values read now: `form.status == "confirmed" (is stopped)`.

    Left out are texts of any length, secrets, and a function that is true or false: its rule says which.
    """
    read = {one.name: one for one in operands(candidate.verdict)} if candidate.verdict is not None else {}
    shown_ = [one for one in read.values() if one.name not in _LONG and one.value != REDACTED and not _is_test(one)]
    return [_with_values(way, [one for one in shown_ if _is_named(one.name, way)]) for way in candidate.in_words]


_LONG = ("message.text", "error.message")


def _is_test(value: Operand) -> bool:
    return isinstance(value.value, bool) and value.name.endswith(")")


def _is_named(name: str, way: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", way) is not None


def _with_values(way: str, read: list[Operand]) -> str:
    is_bare = len(read) == 1 and all(rule.startswith(read[0].name) for rule in way.split(" && "))
    values = [value_now(one, "" if is_bare else one.name) for one in read]
    return phrase("{rule}[ ({values})]", rule=way, values=joined(values, ", "))
