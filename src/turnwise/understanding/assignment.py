"""From mentions to values of fields: which field takes which, and what competes.

It gives a field one value or none. Where two are said for it, the one after a correction wins; without
one, neither does.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import Set
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.fitting import beyond, fit
from turnwise.understanding.mentions import Mention, takers_of
from turnwise.understanding.naming import speaks_of_self
from turnwise.understanding.requests import is_whole_answer
from turnwise.understanding.situation import Situation

_UNKNOWN = ""


class Assigned(Struct, frozen=True):
    """A mention with its field (empty: the machine finds it) and value; without a value it only competes."""

    mention: Mention
    field: str
    value: Any | None


def sets_of(heard: Heard, mentions: tuple[Mention, ...], situation: Situation) -> list[Set]:
    """The values that a message gives to fields, at most one for each."""
    by_field: dict[str, list[Assigned]] = {}
    for mention in mentions:
        assigned = _assigned(heard, mention, situation)
        if assigned:
            by_field.setdefault(assigned.field, []).append(assigned)
    winners = [(some, _winner(some, situation)) for some in by_field.values()]
    unclear = [one.mention.clause for some, winner in winners if winner is None and _are_options(some) for one in some]
    chosen = [winner for _, winner in winners if winner and not _counts_unclear(winner, unclear)]
    return [_set(heard, winner, situation) for winner in chosen]


def _are_options(some: list[Assigned]) -> bool:
    return len(some) > 1 and all(one.mention.reading.kind == "option" for one in some)


def _counts_unclear(winner: Assigned, unclear: list[Clause]) -> bool:
    """True for a number of something that is not clear itself (`two margheritas and a tuna`)."""
    return winner.mention.reading.kind == "number" and any(winner.mention.clause is clause for clause in unclear)


def _winner(some: list[Assigned], situation: Situation) -> Assigned | None:
    """The last word on a field, if it is one word; the value that it holds may be named beside it (`Rome to Oslo`)."""
    latest = max(one.mention.segment for one in some)
    final = [one for one in some if one.mention.segment == latest]
    field = situation.exposed.field(final[0].field)
    if field is not None and all(one.mention.cue == "strong" for one in final):
        final = [one for one in final if one.value != field.value] or final
    if any(one.value is None or one.mention.is_doubtful or one.value != final[0].value for one in final):
        return None
    return final[0]


def _set(heard: Heard, winner: Assigned, situation: Situation) -> Set:
    mention = winner.mention
    field = situation.exposed.field(winner.field)
    corrects = bool(mention.cue) or situation.exposed.question in ("confirmation", "chooser")
    hedges = situation.vocabulary.speech.hedges.intersection(mention.clause.said)
    return Set(
        field=winner.field,
        value=winner.value,
        correction=field is None or (corrects and field.value is not None),
        words=heard.words(mention.reading.first, mention.reading.stop),
        confidence=round(mention.reading.confidence * (0.8 if hedges else 1.0), 2),
    )


def _assigned(heard: Heard, mention: Mention, situation: Situation) -> Assigned | None:
    takers = takers_of(situation, mention)
    fits = [(field, value) for field in takers if (value := fit(situation, field, mention.reading)) is not None]
    by_old = _by_old_value(heard, fits, situation)
    if by_old:
        return Assigned(mention, by_old[0].address, by_old[1])
    if mention.named is not None:
        return _named(mention, takers, fits, situation)
    if speaks_of_self(heard, mention.clause, mention.reading, situation):
        return None
    if mention.cue and fits:
        return _corrected(mention, _unnamed_takers(heard, mention, fits, situation), situation)
    return _unnamed(heard, mention, takers, fits, situation)


def _named(
    mention: Mention, takers: list[ExposedField], fits: list[tuple[ExposedField, Any]], situation: Situation
) -> Assigned | None:
    if len(takers) > 1:
        asked = situation.asked
        preferred = [(field, value) for field, value in fits if asked is not None and field.address == asked.address]
        fits = preferred or fits
        return Assigned(mention, fits[0][0].address, fits[0][1]) if len(fits) == 1 else None
    if not takers:
        return None
    return Assigned(mention, takers[0].address, _value(takers[0], mention, fits, situation))


def _value(
    field: ExposedField, mention: Mention, fits: list[tuple[ExposedField, Any]], situation: Situation
) -> Any | None:
    """What a mention is for a field: a value that it takes, else one that is beyond its bounds."""
    value = next((value for other, value in fits if other is field), None)
    return value if value is not None else beyond(situation, field, mention.reading)


def _unnamed(
    heard: Heard,
    mention: Mention,
    takers: list[ExposedField],
    fits: list[tuple[ExposedField, Any]],
    situation: Situation,
) -> Assigned | None:
    """The asked field has precedence, whether or not it can take the value; else the only one that can."""
    asked = situation.asked
    is_among = mention.reading.kind == "number" and len(mention.clause.readings) > 1
    if asked is not None and asked.address in {f.address for f in takers if not (is_among and f.field.options)}:
        return _given(mention, asked, fits, situation)
    able = [field for field in takers if _needs_no_name(heard, mention, field, situation)]
    if len(able) != 1 or _replaces_another(able[0], situation):
        return None
    return _given(mention, able[0], fits, situation)


def _replaces_another(field: ExposedField, situation: Situation) -> bool:
    """True for a field that holds an answer, while another question is open: a bare value does not replace it."""
    return field.value is not None and situation.exposed.question == "field" and not situation.is_only_need


def _given(
    mention: Mention, field: ExposedField, fits: list[tuple[ExposedField, Any]], situation: Situation
) -> Assigned | None:
    """A mention for the field that takes it; a correction that it is none for does not compete."""
    value = _value(field, mention, fits, situation)
    return None if mention.cue and value is None else Assigned(mention, field.address, value)


def _needs_no_name(heard: Heard, mention: Mention, field: ExposedField, situation: Situation) -> bool:
    """True if a value fits a field's type so well that nobody need name it."""
    if mention.reading.kind == "option" and not (mention.cue == "strong" and field.value is not None):
        return is_whole_answer(heard.tokens, mention.clause, situation)
    if heard.tokens[mention.reading.first].word in situation.vocabulary.calendar.within:
        return is_whole_answer(heard.tokens, mention.clause, situation)
    if mention.reading.kind in ("number", "rating"):
        return field.field.type in ("integer", "number") and not field.field.options
    return mention.reading.kind != "nth"


def _unnamed_takers(
    heard: Heard, mention: Mention, fits: list[tuple[ExposedField, Any]], situation: Situation
) -> list[tuple[ExposedField, Any]]:
    asked = situation.exposed.asked
    return [
        (field, value)
        for field, value in fits
        if field.address == asked or _needs_no_name(heard, mention, field, situation)
    ]


def _corrected(mention: Mention, fits: list[tuple[ExposedField, Any]], situation: Situation) -> Assigned | None:
    """Law 7.3: the field asked or filled last, else the only filled one that can; else the machine asks which."""
    asked = situation.asked
    own = [pair for pair in fits if asked is not None and pair[0].address == asked.address]
    filled = [pair for pair in fits if pair[0].value is not None and pair not in own]
    if own and (own[0][0].value is not None or not filled):
        return Assigned(mention, own[0][0].address, own[0][1])
    if own and mention.cue == "weak":
        return _open(mention, own + filled)
    last = [pair for pair in filled if pair[0].address == situation.exposed.last]
    candidates = last or filled or fits
    if len(candidates) == 1:
        return Assigned(mention, candidates[0][0].address, candidates[0][1])
    return _open(mention, filled)


def _open(mention: Mention, candidates: list[tuple[ExposedField, Any]]) -> Assigned | None:
    """A correction whose field the machine finds, if it is the same value for all that can take it."""
    values = [value for _, value in candidates]
    same = values and all(value == values[0] and type(value) is type(values[0]) for value in values)
    return Assigned(mention, _UNKNOWN, values[0]) if same else None


def _by_old_value(
    heard: Heard, fits: list[tuple[ExposedField, Any]], situation: Situation
) -> tuple[ExposedField, Any] | None:
    """The field that holds the value which the message takes back (`40, not 45`)."""
    olds = [old for clause in heard.clauses if not clause.is_question for old in clause.olds]
    matches = [
        (field, value)
        for field, value in fits
        if field.value is not None and any(fit(situation, field, old) == field.value for old in olds)
    ]
    return matches[0] if len(matches) == 1 else None
