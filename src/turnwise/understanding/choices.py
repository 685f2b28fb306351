"""Finds the option that a message chooses, unless it says more: a limit, a doubt, a condition (law 5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.language import is_question
from turnwise.core.language.answers import cautions_of, hesitates, is_courtesy, is_idle, plain_answer
from turnwise.core.state.commands import Set
from turnwise.core.values import match_option
from turnwise.core.values.yes_no import consent_of, yes_or_no_option
from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.answers import answer_of, has_reservation
from turnwise.understanding.clauses import Clause, ParsedMessage
from turnwise.understanding.labels import near_option, part_of_option, yes_no_options
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of

_SIGNED = late_pattern(r"(?<!\S)[-\N{MINUS SIGN}]\d")
"""A number below zero, which is no option above it."""


def exact_option(typed: str, situation: Situation) -> str | None:
    """Return the option of the asked field that a whole message means, apart from filler words; `None` if there is
    none. A yes that only shares a word with an option means none.
    """
    asked, speech = situation.asked, situation.speech
    if asked is None or not asked.field.options or asked.field.type == "list":
        return None
    found = match_option(asked.field.options, typed)
    if hesitates(typed) and yes_no_options(asked, situation.vocabulary):
        return None
    if is_question(typed):
        return found if found is not None and is_question(found) else None
    if found is None and (said := yes_or_no_option(asked.field.options, typed, situation.language)):
        return said
    said = words_of(typed)
    # where the question asks for trouble, small words behind an option may say that it is well (`it works`)
    last = next((word for word in reversed(said) if word not in speech.trailing), "")
    may_be_well = situation.asks_for_trouble and last in speech.filler
    if found is not None or may_be_well or hesitates(typed) or _SIGNED.search(typed):
        return found
    core = _core_option(said, asked, situation)
    if core is None or _is_set_phrase(typed, core, asked, situation):
        return None
    return None if is_cautious(_beside(core, said, asked), situation) else core


def _is_set_phrase(typed: str, option: str, field: AllowedField, situation: Situation) -> bool:
    """True for a yes that only shares a word with an option: `all good` for `All`."""
    is_yes = plain_answer(situation.language, typed, "affirm") is True
    return is_yes and consent_of(option, field.field.options, situation.language) is None


def _beside(option: str, said: Sequence[str], field: AllowedField) -> frozenset[str]:
    """Return the words of a message that belong to no wording of an option."""
    texts = [text for one in field.field.options if one.value == option for text in (one.value, *one.words)]
    return frozenset(said).difference(*map(words_of, texts))


def _core_option(said: Sequence[str], field: AllowedField, situation: Situation) -> str | None:
    """Return the only option with these words, without filler words (`das weiß ich nicht` for `Weiß nicht`)."""
    wanted = _core(said, situation)
    found = {
        option.value
        for option in field.field.options
        for text in (option.value, *option.words)
        if wanted and _core(words_of(text), situation) == wanted
    }
    return _unless_answer(found.pop(), field, situation) if len(found) == 1 else None


def _unless_answer(option: str | None, field: AllowedField, situation: Situation) -> str | None:
    """Return an option, but none that means only yes or no: those have one strict reading (law 5.5)."""
    return None if option in yes_no_options(field, situation.vocabulary).values() else option


def _core(said: Sequence[str], situation: Situation) -> tuple[str, ...]:
    return tuple(word for word in said if word not in situation.speech.filler)


def option_sets(message: ParsedMessage, found: Sequence[Set]) -> list[Set]:
    """Return the command for the option of the asked field that a clause names in part or with a spelling mistake;
    `found` are the values read so far.
    """
    asked = message.situation.asked
    if asked is None or not asked.field.options or asked.field.type == "list":
        return []
    sets: dict[str, Set] = {}
    for clause in message.statements():
        option = _option_in(clause, asked, message.situation)
        if option:
            words = message.span(clause)
            sets[option[0]] = Set(field=asked.address, value=option[0], words=words, confidence=option[1])
    return list(sets.values()) if len(sets) == 1 and all(one.field != asked.address for one in found) else []


def _option_in(clause: Clause, asked: AllowedField, situation: Situation) -> tuple[str, float] | None:
    """Return the option that a clause names, and the confidence (0 to 1)."""
    if clause.readings or not clause.said or (situation.confirms and answer_of(clause.said, situation) is not None):
        return None
    if whole := _core_option(clause.said, asked, situation):
        return whole, 0.95
    if clause.is_doubtful or clause.is_negated:
        return None
    content = _core(clause.said, situation)
    if part := part_of_option(content, asked, situation.vocabulary):
        is_named = all(situation.labels.names_field(word) for word in content)
        return None if is_named or not _unless_answer(part, asked, situation) else (part, 0.9)
    near = near_option(content, asked, situation.vocabulary)
    return near if near and _unless_answer(near[0], asked, situation) else None


# what is said beside an option ----------------------------------------------------------------------


def is_qualified(command: Set, found: Sequence[Set], message: ParsedMessage) -> bool:
    """Return whether a message limits or doubts the option that `command` sets, or adds what is neither understood nor
    in `found` (`accept, but only once`).
    """
    situation, typed = message.situation, message.text.message
    field = situation.allowed.field(command.field)
    if field is None or not field.field.options or field.field.type == "list" or command.words is None:
        return False
    if has_reservation(message) or hesitates(typed):
        return True
    others = [one for one in found if one.field != command.field]
    clauses = [one for one in message.clauses if not _has_value(one, others, message)]
    if _is_set_phrase(typed, str(command.value), field, situation):
        return True
    consent = consent_of(str(command.value), field.field.options, situation.language)
    if consent is not None:
        return not all(_says_same(one, command, message, is_yes=consent) for one in clauses)
    own = next((one for one in clauses if _has_value(one, [command], message)), None)
    return any(_limits(one, own, message) for one in clauses if own is not None)


def _limits(clause: Clause, own: Clause, message: ParsedMessage) -> bool:
    """True for a clause that limits or doubts the option of a clause, or says what is not understood behind it."""
    situation = message.situation
    if clause.cues or clause.olds or (own.cues and clause.first < own.first):
        return False
    if clause.is_question:
        return clause.sentence == own.sentence
    if clause.joint in situation.speech.contrasts and clause.first > own.first:
        return True  # `all but one`
    if clause.is_doubtful or is_cautious(clause.said, situation):
        return True
    if clause is own or clause.first <= own.first or not clause.foreign:
        return False
    return not is_courtesy(situation.language, message.typed(clause))


def is_cautious(said: Iterable[str], situation: Situation) -> bool:
    """Return whether words limit or doubt an option; `just one` and `rather blue` do not: they choose it."""
    speech = situation.speech
    return not (cautions_of(situation.language) - speech.exclusives - speech.trailing).isdisjoint(said)


def _says_same(clause: Clause, command: Set, message: ParsedMessage, *, is_yes: bool) -> bool:
    """True for a clause that says nothing but the consent, small words aside."""
    language, typed = message.situation.language, message.typed(clause)
    if clause.is_question or plain_answer(language, typed, "true") is (not is_yes):
        return False
    if plain_answer(language, typed, "call") is is_yes:
        return True
    (start, stop), begin = command.words or (0, 0), message.span(clause)[0]
    is_own = _has_value(clause, [command], message)
    rest = f"{typed[: max(start - begin, 0)]} {typed[max(stop - begin, 0) :]}" if is_own else typed
    is_idle_rest = is_idle(language, rest, with_function_words=True)
    return is_idle_rest and cautions_of(language).isdisjoint(words_of(rest))


def _has_value(clause: Clause, sets: Sequence[Set], message: ParsedMessage) -> bool:
    """True if a value was read from a clause."""
    span = message.span(clause)
    return any(one.words is not None and one.words[0] < span[1] and span[0] < one.words[1] for one in sets)
