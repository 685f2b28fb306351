"""Static checks of a linked flow, without running a conversation.

Every rule is a function over one checked flow; `RULES` lists all of them, each with the codes that it reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from turnwise.check import (
    after_forms,
    budgets,
    external_events,
    fields,
    forms,
    guards,
    kept_words,
    offers,
    overlays,
    paths,
    people,
    schedules,
    scopes,
    tools,
)
from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.machine import Machine
from turnwise.flow.diagnostic import Diagnostic

Rule = Callable[[CheckedFlow], Iterator[Diagnostic]]
"""A function that finds the problems of one kind in a flow."""

RULES: dict[Rule, tuple[str, ...]] = {
    guards.check_values: ("TW049",),
    guards.check_verdicts: ("TW052", "TW053"),
    guards.check_order: ("TW050", "TW054"),
    paths.check_unreachable: ("TW051",),
    paths.check_no_way_out: ("TW055",),
    paths.check_unguarded: ("TW039",),
    paths.check_skipped: ("TW095",),
    paths.check_stuck: ("TW066",),
    people.check_waits: ("TW066",),
    people.check_outcomes: ("TW068",),
    people.check_asked: ("TW069",),
    people.check_handed_twice: ("TW146",),
    paths.check_loops: ("TW056",),
    paths.check_cascades: ("TW057",),
    fields.check_never_filled: ("TW058",),
    fields.check_writes_of_missing: ("TW065",),
    fields.check_results: ("TW122",),
    fields.check_bounds: ("TW119",),
    forms.check_texts: ("TW059",),
    tools.check_usable: ("TW070",),
    tools.check_uses: ("TW071",),
    tools.check_expected: ("TW072",),
    tools.check_triggers: ("TW073",),
    tools.check_other_calls: ("TW092",),
    tools.check_moment_of_calls: ("TW118",),
    forms.check_questions: ("TW075", "TW076"),
    forms.check_required: ("TW076",),
    forms.check_statuses: ("TW049", "TW074"),
    forms.check_phrases: ("TW077",),
    forms.check_empty: ("TW141",),
    after_forms.check_effects: ("TW083",),
    guards.check_mirrors: ("TW078",),
    kept_words.check_kept: ("TW100",),
    kept_words.check_closing: ("TW120",),
    scopes.check_outcomes: ("TW101",),
    scopes.check_notes: ("TW121",),
    budgets.check_prices: ("TW113",),
    budgets.check_reached: ("TW113",),
    overlays.check_effect: ("TW108",),
    overlays.check_overlaps: ("TW108",),
    schedules.check_times: ("TW103",),
    schedules.check_keys: ("TW104",),
    offers.check_made: ("TW106",),
    external_events.check_gaps: ("TW111",),
}
"""All rules, each with the codes that it reports."""


def check(machine: Machine, found: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
    """Return every problem of a flow, except those that follow from the linking errors in `found`."""
    linking = tuple(found)
    flows = [CheckedFlow(one, linking) for one in machine.languages.values() or (machine,)]
    return list(dict.fromkeys(diagnostic for rule in RULES for checked in flows for diagnostic in rule(checked)))
