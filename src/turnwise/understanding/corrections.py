"""Corrections: which readings correct something, and which answers a message wants changed or removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from turnwise.core.state.commands import AnyCommand, Clear, Edit
from turnwise.understanding.clauses import Clause, Message
from turnwise.understanding.fitting import fit
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.shape import length_at

Cue = Literal["", "weak", "strong"]
"""How clearly words say that they correct something."""


def corrections_of(message: Message) -> Mapping[int, tuple[int, Cue]]:
    """For every reading, by its first token: how many corrections of earlier readings come before it, and its cue."""
    values = [(reading.first, False, False) for clause in message.clauses for reading in clause.readings]
    cues = [(at, True, clause.is_strong) for clause in message.clauses for at in clause.cues]
    is_sure = any(clause.olds for clause in message.clauses)
    cue: Cue = "strong" if is_sure else ""
    found: dict[int, tuple[int, Cue]] = {}
    segment, has_value = 0, False
    for at, is_cue, is_strong in sorted([*values, *cues]):
        if is_cue:
            segment, has_value = segment + has_value, False
            is_sure = is_sure or is_strong
            cue = "strong" if is_sure else "weak"
        else:
            found[at] = (segment, cue)
            has_value = True
    # what follows the last reading corrects it too (`my name is Adam, sorry`)
    last = max(found, default=-1)
    behind = [is_strong for at, _, is_strong in cues if at > last]
    if behind and last in found and not found[last][1]:
        found[last] = (found[last][0], "strong" if any(behind) else "weak")
    return found


def has_cue(message: Message, reading: Reading) -> bool:
    """True if a text comes with the words that change it (`change my city to …`)."""
    said = message.text.words[reading.first : reading.stop] if reading.kind == "text" else ()
    return any(length_at(message.situation.speech.strong_cues, said, at) for at in range(len(said)))


def edits_of(message: Message) -> list[Edit]:
    """The answers that a message calls wrong or wants changed."""
    found: dict[str, Edit] = {}
    continues = False
    for clause in message.clauses:
        field = edited_field(clause, message.situation)
        if field is None and continues and _only_names(clause, message.situation):
            field = message.situation.labels.only_named(clause.said)
        continues = field is not None
        if field:
            found.setdefault(field, Edit(field=field, words=message.span(clause), confidence=1.0))
    return list(found.values())


def edited_field(clause: Clause, situation: Situation) -> str | None:
    """The field whose answer a clause calls wrong or wants changed, by its name or by the value that it holds."""
    requests, said, labels = situation.requests, clause.said, situation.labels
    if clause.is_question or clause.is_doubtful:
        return None
    is_wrong = not requests.wrong.isdisjoint(said)
    if clause.readings:  # `Oslo is wrong`: the only field that holds the one value
        if not is_wrong or len(clause.readings) != 1 or not requests.wrong.issuperset(clause.foreign):
            return None
        fields = [field for field in situation.exposed.fields if field.value is not None]
        holders = [field.address for field in fields if fit(situation, field, clause.readings[0]) == field.value]
        return holders[0] if len(holders) == 1 else None
    for at in range(len(said)):
        if size := length_at(requests.exceptions, said, at):
            return labels.only_named(said[at + size :])
    is_not_right = clause.is_negated and not requests.right.isdisjoint(said)
    wants = not clause.is_negated and not requests.edit_verbs.isdisjoint(said)
    return labels.only_named(said) if is_wrong or is_not_right or wants else None


def _only_names(clause: Clause, situation: Situation) -> bool:
    """True for the rest of an enumeration: `(change my name) and age`."""
    filler, labels = situation.speech.filler, situation.labels
    return not clause.readings and all(word in filler or labels.knows(word) for word in clause.said)


def clears_of(message: Message) -> Iterator[Clear]:
    """The values that a message wants taken away."""
    situation, continues = message.situation, False
    for clause in message.clauses:
        verbs = situation.requests.clear_verbs.intersection(clause.said)
        is_plain = clause.asserts() and not clause.readings
        is_request = is_plain and bool(verbs) and verbs.issuperset(clause.foreign)
        continues = is_request or (continues and _only_names(clause, situation))
        name = situation.labels.only_named(clause.said) if continues else None
        field = situation.exposed.field(name) if name else None
        if field and field.value is not None:
            yield Clear(field=field.address, words=message.span(clause), confidence=1.0)


def chosen_fields(message: Message) -> list[AnyCommand]:
    """The answers that a message picks out of those shown: by name or by place."""
    found: dict[str, AnyCommand] = {}
    for clause in message.clauses:
        labels = message.situation.labels
        name = (labels.only_named(clause.said) or _at_place(clause, message.situation)) if clause.asserts() else None
        if name:
            found.setdefault(name, Edit(field=name, words=message.span(clause), confidence=1.0))
    return list(found.values())


def named_answer(message: Message) -> list[AnyCommand]:
    """The answer that a message names and says no more about (`consent`), to be asked again."""
    clause = message.clauses[0] if len(message.clauses) == 1 else None
    if clause is None or clause.foreign or not clause.asserts() or not _only_names(clause, message.situation):
        return []
    name = message.situation.labels.only_named(clause.said)
    return [Edit(field=name, words=message.span(clause), confidence=1.0)] if name else []


def _at_place(clause: Clause, situation: Situation) -> str | None:
    shown = [field.address for field in situation.exposed.fields if field.value is not None]
    places: list[int] = [reading.value for reading in clause.readings if reading.kind in ("nth", "place")]
    if clause.foreign or len(places) != 1 or not places[0] or not -len(shown) <= places[0] <= len(shown):
        return None
    return shown[places[0] - 1 if places[0] > 0 else places[0]]
