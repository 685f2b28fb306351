"""What-if as data: the decisions that were judged again, and the problems of what was typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.archive.asking import Supposition, what_if
from turnwise.core.explain.what_if import ChangedDecision, rule_of, with_rules, wrong_values
from turnwise.core.link import link
from turnwise.core.trace import Considered, Decision
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import Diagnostic, FlowError
from turnwise.runner.search import ConversationQuery
from turnwise.runner.stored import with_pauses
from turnwise.server.views.commands import what_if_command
from turnwise.server.wire.what_if import ChangedConversation, GuardProblem, WhatIfDecision, WhatIfPage, WhatIfResult

MOST_DECISIONS = 100
"""How many decisions of a whole conversation an answer has at most."""


async def what_if_of_chat(
    chat: Chat, turn: int | None, values: Mapping[str, Any], rules: Mapping[str, str], *, is_local: bool
) -> WhatIfResult:
    """Judge a turn again (`None`: all turns) with other values by field or guards by transition; return the result,
    with a command of the terminal that asks the same (`is_local`: the reader may see where the store is). All decisions
    of one turn are returned, of all turns those that differ. With a problem in a value or a guard nothing is judged.
    """
    machine = await chat.runtime.machines.shown_of_state(await chat.state())
    wrong = [_of_value(field, why) for field, why in wrong_values(machine, values).items()]
    if wrong:
        return WhatIfResult(0, 0, problems=tuple(wrong))
    runtime, supposition = chat.runtime, Supposition(dict(values), dict(rules))
    try:
        found = await what_if(runtime.store, runtime.machines, supposition, chat.name, turn, keep_same=turn is not None)
    except FlowError as error:
        return WhatIfResult(0, 0, problems=tuple(_of_guards(error.diagnostics)))
    except TurnwiseError as error:
        unknown = next((name for name in sorted(rules) if f"'{name}'" in str(error)), "")
        if not unknown:
            raise
        return WhatIfResult(0, 0, problems=(GuardProblem(unknown, "rule", str(error), 1, 1),))
    shown = found.otherwise[:MOST_DECISIONS]
    recorded = await _recorded(chat, shown)
    decisions = [_decision(one, recorded[one.decision.seq], rules) for one in shown if one.decision.seq in recorded]
    differs = sum(one.differs for one in found.otherwise)
    command = what_if_command(runtime.store, chat.machine, chat.name, turn, values, rules, is_local=is_local)
    return WhatIfResult(found.judged, differs, tuple(decisions), skipped=found.skipped, command=command)


async def what_if_of_all(
    app: App, query: ConversationQuery, values: Mapping[str, Any], rules: Mapping[str, str], *, all_versions: bool
) -> WhatIfPage:
    """Judge the conversations that match a `query`, a page, again with other values by field or guards by transition;
    return the result. With a problem in one nothing is judged. Without `all_versions` the conversations of other
    versions of the flow are skipped.
    """
    runtime, supposition = app.runtime, Supposition(dict(values), dict(rules))
    problems = [_of_value(field, why) for field, why in wrong_values(app.machine, values).items()]
    if not problems:
        try:
            link(with_rules(app.machine, rules), app.machine.code.values())
        except FlowError as error:
            problems = list(_of_guards(error.diagnostics))
    if problems:
        return WhatIfPage(0, 0, 0, 0, problems=tuple(problems))
    page = await runtime.store.find(query)
    changed: list[ChangedConversation] = []
    judged = skipped = 0
    for row in page.rows:
        if not all_versions and row.fingerprint != app.machine.fingerprint:
            skipped += 1
            continue
        try:
            found = await what_if(runtime.store, runtime.machines, supposition, row.conversation)
        except TurnwiseError:  # another version of the flow, or a conversation that was deleted meanwhile
            skipped += 1
            continue
        judged += found.judged
        if found.otherwise:
            turn = min(one.turn for one in found.otherwise)
            changed.append(ChangedConversation(row.conversation, len(found.otherwise), turn))
    differs = sum(one.differs for one in changed)
    return WhatIfPage(len(page.rows), page.total, judged, differs, tuple(changed), skipped, next=page.next or None)


async def _recorded(chat: Chat, found: Sequence[ChangedDecision]) -> dict[int, Decision]:
    """Return the decisions as they were made, by position."""
    turns = dict.fromkeys(one.turn for one in found)
    decided = [(await chat.turn(turn)).decisions async for turn in with_pauses(turns, every=1)]
    return {decision.seq: decision for decisions in decided for decision in decisions}


def _decision(one: ChangedDecision, was: Decision, rules: Mapping[str, str]) -> WhatIfDecision:
    would = one.decision
    replaced = tuple(candidate.id for candidate in would.candidates if candidate.id in rules)
    differs = one.differs or _outcomes(was.candidates) != _outcomes(would.candidates)
    return WhatIfDecision(would.seq, one.turn, would.node, was, would, differs, replaced)


def _outcomes(candidates: Sequence[Considered]) -> dict[str, str]:
    return {candidate.id: candidate.outcome for candidate in candidates}


# problems ----------------------------------------------------------------------------------------


def _of_value(field: str, why: str) -> GuardProblem:
    return GuardProblem(field, "value", why, 1, 1)


def _of_guards(diagnostics: Sequence[Diagnostic]) -> Iterator[GuardProblem]:
    for one in diagnostics:
        if one.severity == "error":
            yield GuardProblem(rule_of(one.span), one.code, one.message, one.span.line, one.span.column, one.hint)
