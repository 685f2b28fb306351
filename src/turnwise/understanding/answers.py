"""Finds answers to the open question that no value reader finds: yes and no, inexact options, a bare name.

They are for the asked field, and for yes-or-no fields that a message names; never for others. Yes and no are read as
words, as statements about a field, and as the answer to a confirmation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.language import is_question
from turnwise.core.language.answers import hesitates, is_courtesy, plain_answer
from turnwise.core.state.commands import Set
from turnwise.core.values import Refused, read_value
from turnwise.understanding.clauses import Clause, ParsedMessage, without_phrases
from turnwise.understanding.labels import (
    name_words,
    title_words,
    yes_no_values,
)
from turnwise.understanding.names import bare_name_stop, ornaments_before
from turnwise.understanding.requests import edited_field
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stems_of, words_of
from turnwise.understanding.vocabulary.tables import Phrases, is_one_of, length_at

# yes and no ----------------------------------------------------------------------------------------


def yes_no_sets(message: ParsedMessage, found: Sequence[Set]) -> list[Set]:
    """Return one command for each yes-or-no field that a message answers; `found` are the values read so far."""
    situation, clauses = message.situation, message.statements()
    if situation.asks_if_minding:
        return _minding_set(message, clauses)
    if any(clause.is_doubtful and not clause.readings for clause in clauses) or has_reservation(message):
        return []
    taken = {one.field for one in found}
    whole = None if situation.confirms else plain_answer(situation.language, message.text.message, "true")
    sets: list[Set] = []
    for field in situation.allowed.fields:
        values = yes_no_values(field, situation.vocabulary)
        if field.address in taken or not values:
            continue
        if whole is not None and situation.asks(field):
            sets.append(_answer_set(message, message.clauses[0], field, values[whole]))
            continue
        answer = _answer_to(field, message, clauses, found)
        if answer is None:
            continue
        clause, is_yes = answer
        # a consent is none where its sentence says more, in unknown words (`yes, to section 1`), or asks
        after = [one for one in message.clauses if one.sentence == clause.sentence and one.first >= clause.stop]
        is_consent = is_yes and field.address in situation.labels.agreements
        if not (is_consent and any(one.is_question or one.foreign for one in after)):
            sets.append(_answer_set(message, clause, field, values[is_yes]))
    return sets


def _minding_set(message: ParsedMessage, clauses: list[Clause]) -> list[Set]:
    """Return the answer to `do you mind …?` if it is a no; a yes is ambiguous, so it sets nothing."""
    asked, table = message.situation.asked, message.situation.speech.not_minding
    agrees = all(is_one_of(table, one.said) or answer_of(one.said, message.situation) is False for one in clauses)
    return [_answer_set(message, clauses[0], asked, value=False)] if asked and clauses and agrees else []


def _answer_set(message: ParsedMessage, clause: Clause, field: AllowedField, value: Any) -> Set:
    situation = message.situation
    corrects = (
        any(one.cues and one.said[0] not in situation.speech.answers for one in message.clauses)
        or statement_of(clause, field, situation) is not None
        or agreeing_words(clause, situation)
        or field.address in situation.allowed.needed
        or situation.allowed.question in ("confirmation", "chooser")
    )
    return Set(
        field=field.address,
        value=value,
        correction=corrects and field.value is not None,
        words=message.span(clause),
        confidence=1.0,
    )


def _answer_to(
    field: AllowedField, message: ParsedMessage, clauses: list[Clause], sets: Sequence[Set]
) -> tuple[Clause, bool] | None:
    """Return the clause that answers a field, and its value; `None` if there is none, or if two disagree."""
    situation = message.situation
    takes_answer = situation.asks(field) and not (situation.is_only_need and any(one.readings for one in clauses))
    only_consent = set(situation.labels.agreements) == {field.address}  # `yes, I agree`
    found: list[tuple[int, Clause, bool]] = []
    segment = 0
    for clause in clauses:
        if clause.cues and found and not _is_bare_no(clause, situation):
            segment = clause.first
        is_so = statement_of(clause, field, situation)
        may_answer = takes_answer or (only_consent and agreeing_words(clause, situation))
        if is_so is None and not situation.confirms and may_answer:
            is_so = _answer(clause, sets, message)
        if is_so is not None:
            found.append((segment, clause, is_so))
    final = [(clause, is_so) for at, clause, is_so in found if at == found[-1][0]]
    if not final or any(is_so != final[0][1] for _, is_so in final):
        return None
    others = [clause for clause in clauses if all(clause is not one for _, one, _ in found)]
    if any(contradicts(one, field, situation, is_so=final[0][1]) for one in others):
        return None
    is_statement = any(statement_of(clause, field, situation) is not None for clause, _ in final)
    return final[0] if is_statement or _says_no_more(message, final, sets) else None


def _answer(clause: Clause, sets: Sequence[Set], message: ParsedMessage) -> bool | None:
    situation = message.situation
    if clause.readings or (_is_bare_no(clause, situation) and any(one.correction for one in sets)):
        return None
    speech, title = situation.speech, situation.asked.title if situation.asked else ""
    if is_one_of(speech.no_one, clause.said) and not speech.anyone.isdisjoint(words_of(title)):
        return False
    return plain_answer(situation.language, message.typed(clause), "true")


def _says_no_more(message: ParsedMessage, answers: Sequence[tuple[Clause, bool]], sets: Sequence[Set]) -> bool:
    """Return whether a message says nothing beside its last answer but courtesies and values of other fields
    (law 5.5).
    """
    language, first, typed = message.situation.language, answers[0][0].first, message.text.message
    is_cut = message.all_words()[-1] in message.situation.speech.joints  # `ok, and then`
    if is_question(typed) or hesitates(typed) or is_cut:
        return False
    for clause in message.clauses:
        if clause.first < first and any(one.cues for one in message.clauses if one.first >= first):
            continue  # the answer takes it back
        if any(clause is one for one, _ in answers):
            continue
        span = message.span(clause)
        is_value = any(one.words and one.words[0] < span[1] and span[0] < one.words[1] for one in sets)
        is_known = is_value or is_courtesy(language, message.typed(clause)) or _is_statement(clause, message.situation)
        is_known = is_known or _repeats_question(clause, message.situation)
        if clause.is_question or not is_known:
            return False
    return True


def _is_statement(clause: Clause, situation: Situation) -> bool:
    """Return whether a clause states that some allowed yes-or-no field is true or false."""
    fields = [field for field in situation.allowed.fields if field.field.type == "boolean" or field.field.options]
    return any(statement_of(clause, field, situation) is not None for field in fields)


def _repeats_question(clause: Clause, situation: Situation) -> bool:
    """Return whether a clause only repeats words of the open question, of which it leaves no alternative out."""
    asked, speech = situation.asked, situation.speech
    title = words_of(asked.title) if asked else ()
    is_whole = speech.alternatives.isdisjoint(title) and speech.joints.isdisjoint(title)
    if asked is None or not is_whole or clause.readings or not speech.negators.isdisjoint(clause.said):
        return False
    rest = [word for word in clause.said if word not in speech.leads and word not in speech.trailing]
    return bool(rest) and stems_of(rest, situation.vocabulary.endings) <= situation.labels.stems[asked.address]


def _is_bare_no(clause: Clause, situation: Situation) -> bool:
    return len(clause.said) == 1 and clause.said[0] in situation.speech.refusals


def changed_answers(message: ParsedMessage, found: Sequence[Set]) -> list[Set]:
    """Return the commands for yes-or-no fields that a message asks to change (`change the history to Yes`); fields that
    `found` already sets are left out.
    """
    situation, requests = message.situation, message.situation.requests
    sets, taken = dict[str, Set](), {one.field for one in found}
    for clause in message.clauses:
        field = situation.allowed.field(edited_field(clause, situation) or "")
        places = [at for at, word in enumerate(clause.said) if word in requests.into]
        if field is None or field.address in taken or not places or clause.is_negated:
            continue
        rest = [word for word in clause.said[places[-1] + 1 :] if word not in requests.edit_verbs]
        answer, values = answer_of(rest, situation), yes_no_values(field, situation.vocabulary)
        if answer is not None and values:
            sets[field.address] = _answer_set(message, clause, field, values[answer])
    return list(sets.values())


# names ---------------------------------------------------------------------------------


def name_sets(message: ParsedMessage, found: Sequence[Set]) -> list[Set]:
    """Return the command that sets the asked name of a person if the message, or one of its clauses, is only a name;
    none if `found` already sets that field.
    """
    situation, text = message.situation, message.text
    asked = _awaited_person(message)
    if asked is None or any(one.field == asked.address for one in found):
        return []
    first = ornaments_before(text)
    stop = bare_name_stop(text, first, len(text.tokens), situation)
    if stop == first:
        stated = message.statements()
        ends = [(one, bare_name_stop(text, one.first, one.stop, situation)) for one in stated if not one.readings]
        bare = [(one, end) for one, end in ends if end > one.first]
        if len(bare) != 1 or any(one.foreign and one is not bare[0][0] for one in stated):
            return []
        first, stop = bare[0][0].first, bare[0][1]
    value = read_value(asked.field, text.as_typed(first, stop).strip(" ,;!?"), situation.rules)
    if isinstance(value, Refused):
        return []
    return [Set(field=asked.address, value=value, words=text.span(first, stop), confidence=0.9)]


def _awaited_person(message: ParsedMessage) -> AllowedField | None:
    """The person whose name is asked for; or still needed, and nothing else is, or other values come with it."""
    situation, allowed, persons = message.situation, message.situation.allowed, message.situation.labels.persons
    if situation.asked is not None and not situation.is_only_need:
        return situation.asked if situation.asked.address in persons else None
    needed = [name for name in allowed.needed if name in persons]
    is_clear = len(needed) == 1 and (len(allowed.needed) == 1 or bool(message.readings))
    return allowed.field(needed[0]) if is_clear else None


# yes and no, as words and as statements ----------------------------------------------------------


def answer_of(said: Sequence[str], situation: Situation, tables: Sequence[tuple[bool, Phrases]] = ()) -> bool | None:
    """Return `True` if the words `said` only say yes, `False` if they only say no, else `None`. `tables` are the
    phrases for either, where they are not the answer to a question.
    """
    speech = situation.speech
    tables = tables or ((True, speech.yes), (False, speech.no))
    found: set[bool] = set()
    at = 0
    while at < len(said):
        size, is_yes = max((length_at(table, said, at), value) for value, table in tables)
        fill = length_at(speech.fill_phrases, said, at)
        if max(length_at(speech.doubt, said, at), length_at(speech.idle, said, at)) >= max(size, fill, 1):
            return None
        if size and size >= fill:
            found.add(is_yes)
            at += size
        elif fill or said[at] in speech.filler:
            at += max(fill, 1)
        else:
            return None
    return found.pop() if len(found) == 1 else None


def statement_of(clause: Clause, field: AllowedField, situation: Situation) -> bool | None:
    """Return whether a clause states that a yes-or-no field is true or false (`I don't smoke`); `None` if neither."""
    speech, vocabulary, said = situation.speech, situation.vocabulary, clause.said
    if clause.readings or clause.is_question or clause.is_doubtful or not speech.modals.isdisjoint(said):
        return None
    is_so = _sign(said, situation)
    if is_so is None or not situation.requests.edit_verbs.isdisjoint(said):
        return None
    small = speech.filler | speech.negators | speech.common
    content = {word for word in without_phrases(said, situation) if word not in small}
    known = situation.labels.stems.get(field.address, frozenset[str]())
    has_subject = situation.asks(field) or not speech.subjects.isdisjoint(said)
    agrees = content & speech.agreement
    if agrees and not has_subject and agrees.issubset((*title_words(field, vocabulary), *name_words(field))):
        return None  # it may be no more than the name of the field: `consent`
    if agrees and field.address in situation.labels.agreements:
        rest = content - agrees - speech.agreement_marks - speech.agreement_objects
        return is_so if stems_of(rest, situation.vocabulary.endings) <= known else None
    stems = stems_of(content, situation.vocabulary.endings)
    if not has_subject or any(char.isdigit() for char in field.title) or not stems <= known:
        return None
    wordings = [
        stems_of(some - speech.common, situation.vocabulary.endings) for some in situation.labels.titles[field.address]
    ]
    # nothing but a yes, a no, or a set phrase comes with the words: `no pets`, `outside would be fine`
    small = speech.trailing | speech.denials | speech.answers | content
    only_decides = len(said) > len(content) and small.issuperset(without_phrases(said, situation))
    if situation.asks(field) and only_decides:
        wordings.append(stems_of(name_words(field), situation.vocabulary.endings))
    return is_so if any(wanted and wanted <= stems for wanted in wordings) else None


def _sign(said: Sequence[str], situation: Situation) -> bool | None:
    """Return true for words without a negation, false for a clear one, `None` for an ambiguous one."""
    found = [word for word in said if word in situation.speech.negators]
    is_denial = len(found) == 1 and found[0] in situation.speech.denials
    return (False if is_denial else None) if found else True


def contradicts(clause: Clause, field: AllowedField, situation: Situation, *, is_so: bool) -> bool:
    """Return whether a clause uses words of a yes-or-no field's question and says the opposite of `is_so`."""
    titles = frozenset[str]().union(*situation.labels.titles[field.address])
    wanted = stems_of(titles - situation.speech.common, situation.vocabulary.endings)
    speaks_of_it = not wanted.isdisjoint(stems_of(clause.said, situation.vocabulary.endings))
    return speaks_of_it and _sign(clause.said, situation) is not is_so


def has_reservation(message: ParsedMessage) -> bool:
    """Return whether a message adds a condition or a "but" that is not understood, or ends in a "but"."""
    situation, speech, said = message.situation, message.situation.speech, message.all_words()
    if said and (said[-1] in speech.contrasts or not speech.reservations.isdisjoint(said)):
        return True
    if any(length_at(speech.conditions, said, at) for at in range(len(said))):
        return True
    return any(
        clause.joint in speech.contrasts
        and (clause.foreign or clause.is_negated)
        and all(statement_of(clause, field, situation) is None for field in situation.allowed.fields)
        for clause in message.statements()
    )


def agreeing_words(clause: Clause, situation: Situation) -> bool:
    """Return whether a clause has a word that gives or refuses consent (`yes, I agree`)."""
    speech = situation.speech
    return not (speech.agreement.isdisjoint(clause.said) and speech.disagreement.isdisjoint(clause.said))
