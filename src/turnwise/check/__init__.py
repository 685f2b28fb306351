"""Static checks of a linked flow. They run no conversation.

Every rule is a function over one subject; `RULES` is all of them, each beside the codes that it reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from turnwise.check import fields, forms, guards, texts, tools, unset
from turnwise.check import paths as ends
from turnwise.check import texts as words
from turnwise.check.subject import Subject
from turnwise.core.machine import Machine
from turnwise.flow.diagnostic import Diagnostic

Rule = Callable[[Subject], Iterator[Diagnostic]]

RULES: dict[Rule, tuple[str, ...]] = {
    guards.check_values: ("TW049",),
    guards.check_verdicts: ("TW052", "TW053"),
    guards.check_order: ("TW050", "TW054"),
    ends.check_reached: ("TW051",),
    ends.check_left: ("TW055",),
    ends.check_unguarded: ("TW039",),
    ends.check_loops: ("TW056",),
    ends.check_cascades: ("TW057",),
    fields.check: ("TW058",),
    unset.check: ("TW065",),
    texts.check: ("TW059",),
    tools.check_usable: ("TW070",),
    tools.check_uses: ("TW071",),
    tools.check_expected: ("TW072",),
    tools.check_triggers: ("TW073",),
    forms.check: ("TW075", "TW076"),
    forms.check_required: ("TW076",),
    forms.check_statuses: ("TW049", "TW074"),
    words.check_phrases: ("TW077",),
    words.check_mirrors: ("TW078",),
}


def check(machine: Machine, found: Iterable[Diagnostic] = ()) -> list[Diagnostic]:
    """Every problem that the rules see in a machine. `found` is what linking found: nothing that only follows
    from it is told.
    """
    subject = Subject(machine, tuple(found))
    return list(dict.fromkeys(diagnostic for rule in RULES for diagnostic in rule(subject)))
