"""Assigns the values that a message mentions to fields, and resolves competing values.

A field gets one value or none. Of two, the one after a correction wins; without a correction, neither does.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import Set
from turnwise.understanding.clauses import ParsedMessage
from turnwise.understanding.dates import is_bare_pair
from turnwise.understanding.field_values import (
    MOMENTS,
    fitting_value,
    is_span,
    joined_days,
    joined_values,
    takes_kind,
    values_out_of_bounds,
)
from turnwise.understanding.labels import name_words
from turnwise.understanding.mentions import Mention, speaks_of_self
from turnwise.understanding.readings import Day
from turnwise.understanding.requests import is_whole_answer
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary import item_words
from turnwise.understanding.vocabulary.tables import Phrases, length_at

_UNKNOWN = ""

Fit = tuple[AllowedField, Any]
"""A field and the value that a mention is for it."""


class Assigned(Struct, frozen=True):
    """A mention that is assigned to a field."""

    mention: Mention
    """The value that the message mentions."""
    field: str
    """The address of the field; empty if the machine is to find the field by the value."""
    value: Any | None
    """The value for the field; `None` if the mention only competes with others for the field."""


def sets_of(message: ParsedMessage, mentions: tuple[Mention, ...]) -> list[Set]:
    """Return commands that set fields to the mentioned values, at most one for each field."""
    by_field: dict[str, list[Assigned]] = {}
    for mention in mentions:
        assigned = _assigned(message, mention)
        if assigned:
            by_field.setdefault(assigned.field, []).append(assigned)
    spans = _span_sets(message, mentions)
    taken = {one.field for one in spans}
    winners = [
        (some, _winner(some, message.situation) or _choice(some, message))
        for field, some in by_field.items()
        if field not in taken
    ]
    rivals = [some for some, winner in winners if winner is None and len(some) > 1]
    unclear = [
        one.mention.clause
        for some in rivals
        if all(one.mention.reading.kind == "option" for one in some)
        for one in some
    ]
    return spans + [
        _set(message, winner)
        for _, winner in winners
        if winner
        # not a number of something that is not clear itself (`two margheritas and a tuna`)
        and not (winner.mention.reading.kind == "number" and any(winner.mention.clause is one for one in unclear))
    ]


def _winner(some: list[Assigned], situation: Situation) -> Assigned | None:
    """Return the last value for a field, `None` if ambiguous; the old value may stand beside it (`Rome to Oslo`)."""
    latest = max(one.mention.segment for one in some)
    final = [one for one in some if one.mention.segment == latest]
    field = situation.allowed.field(final[0].field)
    if field is not None and all(one.mention.cue == "strong" for one in final):
        final = [one for one in final if one.value != field.value] or final
    if any(one.value is None or one.mention.is_doubtful or one.value != final[0].value for one in final):
        return None
    return final[0]


def _choice(some: list[Assigned], message: ParsedMessage) -> Assigned | None:
    """Return several days or times for a field as one value: the machine refuses it, and names them."""
    latest = max(one.mention.segment for one in some)
    final = [one for one in some if one.mention.segment == latest and one.value is not None]
    field = message.situation.allowed.field(final[0].field) if len(final) > 1 else None
    if field is None or field.field.type not in MOMENTS or field.field.options:
        return None
    neither = message.situation.vocabulary.calendar.neither
    if any(not neither.isdisjoint(one.mention.clause.said) for one in final):
        return None
    both = joined_values(part for one in final for part in str(one.value).split("/"))
    first, last = final[0].mention, final[-1].mention
    whole = replace(first, reading=replace(first.reading, stop=last.reading.stop))
    return replace(final[0], mention=whole, value=both) if both else None


def _span_sets(message: ParsedMessage, mentions: tuple[Mention, ...]) -> list[Set]:
    """Return the two days of a span for the two fields without an answer that ask for its begin and its end."""
    situation, hints = message.situation, message.situation.vocabulary.calendar.order_hints
    spans = [one for one in mentions if is_span(one.reading) and not one.is_doubtful]
    fields = [one for one in situation.allowed.fields if one.field.type == "date" and not one.field.options]
    order = {one.address: place for one in fields if (place := _place_in(hints, one)) >= 0}
    if len(spans) != 1 or len(fields) != 2 or len(set(order.values())) != 2 or any(one.value for one in fields):
        return []
    value: Day = spans[0].reading.value
    days = (replace(value, other=None, is_span=False), value.other)
    fields.sort(key=lambda one: order[one.address])
    pairs = [
        (one, fitting_value(situation, one, replace(spans[0].reading, value=day)))
        for one, day in zip(fields, days, strict=True)
    ]
    is_whole = all(value is not None for _, value in pairs)
    return [_set(message, Assigned(spans[0], one.address, value)) for one, value in pairs] if is_whole else []


def _place_in(hints: tuple[Phrases, ...], field: AllowedField) -> int:
    """Return which of several groups of phrases a field's name or question has one of; -1 if none, or several."""
    said = (*words_of(field.title), "", *name_words(field), "", *words_of(field.field.about))
    found = [at for at, table in enumerate(hints) if any(length_at(table, said, place) for place in range(len(said)))]
    return found[0] if len(found) == 1 else -1


def _set(message: ParsedMessage, winner: Assigned) -> Set:
    mention, allowed = winner.mention, message.situation.allowed
    field = allowed.field(winner.field)
    corrects = bool(mention.cue) or allowed.question in ("confirmation", "chooser")
    is_hedged = not message.situation.speech.hedges.isdisjoint(mention.clause.said)
    return Set(
        field=winner.field,
        value=winner.value,
        correction=field is None or (corrects and field.value is not None),
        words=message.span(mention.reading),
        confidence=round(mention.reading.confidence * (0.8 if is_hedged else 1.0), 2),
    )


def _assigned(message: ParsedMessage, mention: Mention) -> Assigned | None:
    """Assign a mention: to the field with the corrected value, to the named field, or to one that accepts it."""
    situation, reading, named = message.situation, mention.reading, mention.named
    takers = [
        field
        for field in situation.allowed.fields
        if field.field.type != "list"
        and not _counts_items(message, mention, field)
        and (takes_kind(situation, field, reading) if named is None else field.address in named)
    ]
    fits = [(field, value) for field in takers if (value := fitting_value(situation, field, reading)) is not None]
    olds = [old for clause in message.statements() for old in clause.olds]
    by_old = [  # the field that holds the value which the message takes back (`40, not 45`)
        (field, value)
        for field, value in fits
        if field.value is not None and any(fitting_value(situation, field, old) == field.value for old in olds)
    ]
    if len(by_old) == 1:
        return Assigned(mention, by_old[0][0].address, by_old[0][1])
    if named is not None and len(takers) > 1:
        able = [(field, value) for field, value in fits if situation.asks(field)] or fits
        return Assigned(mention, able[0][0].address, able[0][1]) if len(able) == 1 else None
    if named is not None:
        return Assigned(mention, takers[0].address, _value(takers[0], mention, fits, situation)) if takers else None
    if speaks_of_self(message, mention.clause, reading):
        return None
    if not mention.cue or not fits:
        return _unnamed(message, mention, takers, fits)
    asked = situation.allowed.asked
    able = [one for one in fits if one[0].address == asked or _needs_no_name(message, mention, one[0])]
    return _corrected(mention, able, situation)


def _value(field: AllowedField, mention: Mention, fits: list[Fit], situation: Situation) -> Any | None:
    """Return the value of a mention for a field: one that it accepts, else one beyond its bounds."""
    value = next((value for other, value in fits if other is field), None)
    value = value if value is not None else values_out_of_bounds(situation, field, mention.reading)
    return value if value is not None else joined_days(situation, field, mention.reading)


def _unnamed(message: ParsedMessage, mention: Mention, takers: list[AllowedField], fits: list[Fit]) -> Assigned | None:
    """Assign to the asked field, even if it refuses the value; else to the only field that accepts it, unless it
    holds an answer while another question is open.
    """
    situation, is_among = message.situation, mention.reading.kind == "number" and len(mention.clause.readings) > 1
    chosen = [field for field in takers if situation.asks(field) and not (is_among and field.field.options)]
    if not chosen:
        chosen = [field for field in takers if _needs_no_name(message, mention, field)]
        is_aside = situation.allowed.question == "field" and not situation.is_only_need
        if len(chosen) != 1 or (is_aside and chosen[0].value is not None):
            return None
    value = _value(chosen[0], mention, fits, situation)
    is_other = mention.cue and value is None  # a correction that is no value of the field does not compete
    return None if is_other else Assigned(mention, chosen[0].address, value)


def _counts_items(message: ParsedMessage, mention: Mention, field: AllowedField) -> bool:
    """True for a number that counts items, at a question about one: `two pizzas` and `make it two` are no place."""
    at, text, situation = mention.reading.stop, message.text, message.situation
    if mention.reading.kind != "number" or not field.field.options or not situation.is_of_item(field):
        return False
    is_named = at < len(text.tokens) and text.kind(at) == "word" and situation.labels.names_field(text.words[at])
    return is_named or any(_makes(word, situation) for word in text.words[: mention.reading.first])


def _makes(word: str, situation: Situation) -> bool:
    """True for a verb that changes an item."""
    phrases = item_words(situation.vocabulary.code).phrases
    return word in phrases and ((word,), ("change",)) in phrases[word]


def _needs_no_name(message: ParsedMessage, mention: Mention, field: AllowedField) -> bool:
    """True if a value fits a field's type so clearly that the message need not name the field."""
    kind, first = mention.reading.kind, message.text.words[mention.reading.first]
    is_part_of_day = kind == "time" and first in message.situation.vocabulary.clock.day_parts  # `Freitag Mittag`
    if is_part_of_day or (kind in ("date", "time") and is_bare_pair(message.text, mention.reading)):
        return False
    is_correction = mention.cue == "strong" and field.value is not None
    if (kind == "option" and not is_correction) or first in message.situation.vocabulary.calendar.within:
        return is_whole_answer(message.text, mention.clause, message.situation)
    if kind in ("number", "rating"):
        return field.field.type in ("integer", "number") and not field.field.options
    return kind != "nth"


def _corrected(mention: Mention, fits: list[Fit], situation: Situation) -> Assigned | None:
    """Law 7.3: correct the asked or last filled field, else the only filled one that fits; else the machine asks."""
    own = [one for one in fits if situation.asks(one[0])]
    filled = [one for one in fits if one[0].value is not None and one not in own]
    if own and (own[0][0].value is not None or not filled):
        return Assigned(mention, own[0][0].address, own[0][1])
    last = [one for one in filled if one[0].address == situation.allowed.last]
    candidates = last or filled or fits
    if own and mention.cue == "weak":
        filled = own + filled
    elif len(candidates) == 1:
        return Assigned(mention, candidates[0][0].address, candidates[0][1])
    # the machine finds the field, if it is the same value for all that can take it
    values = [value for _, value in filled]
    same = values and all(value == values[0] and type(value) is type(values[0]) for value in values)
    return Assigned(mention, _UNKNOWN, values[0]) if same else None
