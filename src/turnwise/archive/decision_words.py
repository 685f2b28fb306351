"""What a decision, or an act of a person, came to, for people: a sentence in each language of the page, with titles in
place of ids. The verdict line of the engine, with ids, is made by `core.explain.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from msgspec import Struct

from turnwise.archive.activity_words import duration_in, fill_template
from turnwise.archive.condition_words import CONDITIONS, rule_in_words
from turnwise.archive.conversation_names import title_of_node
from turnwise.core.candidates import Open
from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.explain.headline import Headline
from turnwise.core.explain.text import holding_rules, judged_of
from turnwise.core.field_titles import capital
from turnwise.core.machine import Machine
from turnwise.core.state import Person, State
from turnwise.core.state import events as e
from turnwise.core.trace import Considered, Decision
from turnwise.flow.model import Moment

_ENGLISH = {
    "moved": "Moved to {target}",
    "ended": "Ended by the flow",
    "planned": "Goes to {target} with the next message",
    "opened": "Opened {target}",
    "closed": "Closed {node}",
    "own_entry": "Stayed in {node}",
    "held": "Stayed in {node}",
    "blocked": "Stayed: the move was blocked",
    "needs": "Stayed: needs {what}",
    "offered": "Stayed: the model may choose {targets}",
    "error": "Stayed: a rule failed",
    "none_of_one": "Stayed: its only rule did not hold",
    "none_of": "Stayed: none of {count} rules held",
    "nothing_new": "Stayed: nothing changed for its rules",
    "no_rules": "Stayed in {node}",
    "would": "With that it would go to {target}",
    "own_entry_why": "Its own condition for being entered holds",
    "unread": "Nothing in the message was understood",
    "by_person": "{operator} decided",
    "took_over": "{operator} took over",
    "took_over_from": "{operator} took over from {before}",
    "took_over_after": "{operator} took over after {duration}",
    "gave_back": "{operator} gave the conversation back[, set {fields}][, took {transition}][, ended it as {end}]",
    "person": "The person",
}
_GERMAN = {
    "moved": "Weiter zu {target}",
    "ended": "Vom Ablauf beendet",
    "planned": "Geht mit der nächsten Nachricht weiter zu {target}",
    "opened": "{target} begonnen",
    "closed": "{node} beendet",
    "own_entry": "Geblieben in {node}",
    "held": "Geblieben in {node}",
    "blocked": "Geblieben: der Wechsel war gesperrt",
    "needs": "Geblieben: nötig ist {what}",
    "offered": "Geblieben: das Modell darf {targets} wählen",
    "error": "Geblieben: eine Regel schlug fehl",
    "none_of_one": "Geblieben: die einzige Regel traf nicht zu",
    "none_of": "Geblieben: keine von {count} Regeln traf zu",
    "nothing_new": "Geblieben: für die Regeln ist alles wie zuvor",
    "no_rules": "Geblieben in {node}",
    "would": "Damit ginge es zu {target}",
    "own_entry_why": "Die eigene Bedingung für den Eintritt gilt",
    "unread": "Nichts in der Nachricht wurde verstanden",
    "by_person": "{operator} hat entschieden",
    "took_over": "{operator} hat übernommen",
    "took_over_from": "{operator} hat von {before} übernommen",
    "took_over_after": "{operator} hat nach {duration} übernommen",
    "gave_back": "{operator} hat das Gespräch zurückgegeben[, {fields} gesetzt][, {transition} gewählt]"
    "[, als {end} beendet]",
    "person": "Der Mensch",
}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {**CONDITIONS["en"], **_ENGLISH},
    "de": {**CONDITIONS["de"], **_GERMAN},
}
LANGUAGES = tuple(_WORDS)
"""The codes of the languages in which decisions are put into words."""


class VerdictWords(Struct, frozen=True):
    """A decision in words: what happened, and why, without a full stop."""

    headline: str
    """What happened: `Moved to Profiler`, `Stayed: needs Age ≥ 38 (is 35)`."""
    reason: str = ""
    """Why it was decided so: `Terms accepted`, `With that it would go to Expert: old enough`; may be empty."""

    def redacted(self, hide: Callable[[str], str]) -> VerdictWords:
        """Return the words without secrets."""
        return VerdictWords(hide(self.headline), hide(self.reason))


class DecisionWording(NamedTuple):
    """A decision with what is needed to put it into words."""

    machine: Machine
    """The machine of the decision's flow."""
    state: State | None
    """The state on which the decision was made; `None` where that is not known."""
    decision: Decision
    """The decision."""
    short: Headline
    """The decision in short."""
    is_unread: bool = False
    """Whether nothing was understood in the message of its turn, in a step that reads values from messages."""

    def words(self) -> dict[str, VerdictWords]:
        """Return the decision in words, by the code of each language of the page."""
        return {language: self._in(language) for language in LANGUAGES}

    def _in(self, language: str) -> VerdictWords:
        words, taken = _WORDS[language], self.decision.candidate(self.decision.taken)
        if taken is None:
            stayed = self._stayed(words, language)
            reasons = filter(None, [words["unread"] if self.is_unread else "", stayed.reason])
            return VerdictWords(stayed.headline, ". ".join(reasons))
        names = {"node": self._title(self.decision.node), "target": self._title(taken.target or self._opened(taken))}
        reason = taken.because or self._held(taken, language)
        if self.decision.operator:
            reason = self.decision.reason or words["by_person"].format(operator=self.decision.operator)
        kind = _kind_of(taken, self.decision.node)
        if kind == "own_entry":
            reason = words["own_entry_why"]
        return VerdictWords(words[kind].format_map(names), capital(reason))

    def _opened(self, taken: Considered) -> str:
        """Return the scope that a transition opened; empty for all others."""
        moment = cast("Moment", self.decision.moment)
        linked = (
            self.machine.candidates(self.decision.node, moment).all if self.decision.node in self.machine.nodes else ()
        )
        found = next((one.action for one in linked if one.id == taken.id), None)
        return found.scope if isinstance(found, Open) else ""

    def _stayed(self, words: Mapping[str, str], language: str) -> VerdictWords:
        node, candidates = self._title(self.decision.node), self.decision.candidates
        blocked = next((one for one in candidates if one.outcome == "blocked"), None)
        if blocked is not None:
            return VerdictWords(words["blocked"], self._leads(blocked, words))
        failed = next((one for one in candidates if one.outcome == "error"), None)
        if failed is not None:
            return VerdictWords(words["error"], self._leads(failed, words))
        offered = [self._title(one.target) for one in candidates if one.outcome == "outranked" and one.target]
        if offered:
            return VerdictWords(words["offered"].format(targets=f" {words['or']} ".join(offered)))
        nearest = self.decision.candidate(self.short.nearest)
        if nearest is not None:
            what = self._lacking(nearest, language)
            return VerdictWords(words["needs"].format(what=what), self._leads(nearest, words))
        return VerdictWords(_none_held(candidates, words).format(node=node, count=len(judged_of(candidates))))

    def _leads(self, candidate: Considered, words: Mapping[str, str]) -> str:
        """Return where a candidate would lead, and its reason: `With that it would go to Expert: old enough`."""
        if not candidate.target:
            return capital(candidate.because)
        to = words["would"].format(target=self._title(candidate.target))
        return f"{to}: {candidate.because}" if candidate.because else to

    def _lacking(self, candidate: Considered, language: str) -> str:
        """Return what a candidate lacks: `Age ≥ 38 (is 35)`, or the titles of fields that are missing."""
        words = _WORDS[language]
        if not candidate.needs:
            rules = [self._rule(rule, language) for rule in candidate.in_words]
            return f", {words['or']} ".join(rules)
        needed = candidate.needs[0]
        if all(need.now is None for need in needed):
            return _joined([self._field(need.field) for need in needed], words)
        return _joined(list(dict.fromkeys(self._rule(need.rule, language) for need in needed)), words)

    def _held(self, candidate: Considered, language: str) -> str:
        """Return the comparisons by which a guard held, of a transition without a reason."""
        return _joined([self._rule(rule, language) for rule in holding_rules(candidate)], _WORDS[language])

    def _rule(self, rule: str, language: str) -> str:
        if self.state is None:
            return rule
        return rule_in_words(self.machine, self.state, self.decision.node, rule, CONDITIONS[language])

    def _field(self, address: str) -> str:
        return self.machine.short_title(address) if address in self.machine.fields else address

    def _title(self, node: str) -> str:
        return title_of_node(self.machine, node)


def is_unread(machine: Machine, state: State, event: e.Understood) -> bool:
    """Return whether nothing was understood in a message, in a step without an open question that reads values."""
    if event.commands or event.dropped:
        return False
    allowed = allowed_input(machine, state)
    return bool(allowed.fields) and not allowed.question


def happened_words(machine: Machine, happened: str, node: str, target: str, language: str) -> str:
    """Return in one sentence what a decision at `node` did (`happened`, as in its headline), without its reason, which
    may have values: `Moved to Profiler`.
    """
    kind = happened if happened in ("moved", "planned", "ended", "blocked", "error") else "held"
    titles = {"node": title_of_node(machine, node), "target": title_of_node(machine, target)}
    return _WORDS[language][kind].format_map(titles)


def act_words(event: Any, at_ms: int, person: Person | None, reason: str) -> dict[str, VerdictWords]:
    """Return what an operator did in an event (took over, gave back), by language of the page; empty for other events
    (law 6.10). `person` is who was in charge or awaited before, `at_ms` the time of the event, `reason` the one that
    was given with it.
    """
    match event:
        case e.TakenOver(operator=operator, instead_of=before, display=display):
            kind = "took_over" if person is None else "took_over_from" if before else "took_over_after"
            parts = {"operator": display or operator, "before": (person.display if person else "") or before}
        case e.GivenBack(operator=operator, display=display):
            parts = {"operator": display or operator, "fields": ", ".join(map(_in_words, event.set))}
            kind, parts = "gave_back", {**parts, "transition": _in_words(event.transition), "end": event.end}
        case _:
            return {}
    waited = at_ms - person.since_ms if person is not None else 0
    return {language: _act(language, kind, parts, waited, reason) for language in LANGUAGES}


def _act(language: str, kind: str, parts: dict[str, str], waited_ms: int, reason: str) -> VerdictWords:
    words = _WORDS[language]
    named = {**parts, "operator": parts["operator"] or words["person"], "duration": duration_in(language, waited_ms)}
    return VerdictWords(fill_template(words[kind], named), reason)


def _in_words(name: str) -> str:
    """Return the name of a field or transition in words: `user.tos_accepted` is *tos accepted*."""
    return name.rpartition(".")[2].replace("_", " ")


def _kind_of(taken: Considered, node: str) -> str:
    if taken.planned:
        return "planned"
    if taken.action == "to" and taken.target == node and taken.level == "enter":
        return "own_entry"
    return _KINDS[taken.action]


_KINDS = {"to": "moved", "end": "ended", "call": "opened", "return": "closed", "stay": "held", "block": "held"}


def _none_held(candidates: tuple[Considered, ...], words: Mapping[str, str]) -> str:
    judged = judged_of(candidates)
    if not judged:
        return words["nothing_new" if any(not one.is_mirror for one in candidates) else "no_rules"]
    return words["none_of_one" if len(judged) == 1 else "none_of"]


def _joined(parts: list[str], words: Mapping[str, str]) -> str:
    *first, last = parts or [""]
    return f"{', '.join(first)} {words['and']} {last}" if first else last
