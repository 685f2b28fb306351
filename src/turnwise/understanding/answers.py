"""Answers to the open question that are more than a value: yes and no, options in other words, a bare name.

It speaks for the asked field, and for yes-or-no fields that a message names; never for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.language import is_question
from turnwise.core.state.commands import Set
from turnwise.core.values import Refused, match_option, read_value
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.corrections import edited_field
from turnwise.understanding.free_text import is_bare_name
from turnwise.understanding.options import near_option, part_of_option, yes_no_options
from turnwise.understanding.polarity import agreeing_words, answer_of, contradicts, has_reservation, statement_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.shape import is_one_of


def exact_option(message: str, situation: Situation) -> str | None:
    """The option of the asked field that the whole message is, small words aside."""
    asked = situation.asked
    if asked is None or not asked.field.options or asked.field.type == "list":
        return None
    found = match_option(asked.field.options, message)
    if is_question(message):
        return found if found is not None and is_question(found) else None
    said = words_of(message)
    return found or (None if _goes_on_about(said, situation) else core_option(said, asked, situation))


def _goes_on_about(said: Sequence[str], situation: Situation) -> bool:
    """True where small words behind an option may say that it is well, where trouble is asked for (`it works`)."""
    speech = situation.vocabulary.speech
    last = next((word for word in reversed(said) if word not in speech.trailing), "")
    return situation.asks_for_trouble and last in speech.filler


def core_option(said: Sequence[str], field: ExposedField, situation: Situation) -> str | None:
    """The only option whose words are these, small words aside (`das weiß ich nicht` for `Weiß nicht`)."""
    wanted = _core(said, situation)
    if not wanted:
        return None
    found = {
        option.value
        for option in field.field.options
        for text in (option.value, *option.words)
        if _core(words_of(text), situation) == wanted
    }
    return found.pop() if len(found) == 1 else None


def _core(said: Sequence[str], situation: Situation) -> tuple[str, ...]:
    return tuple(word for word in said if word not in situation.vocabulary.speech.filler)


# yes and no ----------------------------------------------------------------------------------------


def yes_no_sets(heard: Heard, given: Sequence[Set], situation: Situation) -> list[Set]:
    """The yes-or-no fields that a message answers."""
    clauses = [clause for clause in heard.clauses if not clause.is_question]
    if situation.asks_if_minding:
        return _minding_set(heard, clauses, situation)
    if any(clause.is_doubtful and not clause.readings for clause in clauses) or has_reservation(heard, situation):
        return []
    taken = {one.field for one in given}
    found: list[Set] = []
    for field in situation.exposed.fields:
        answers = _values_of(field, situation)
        if not answers or field.address in taken:
            continue
        said = _said_of(field, clauses, given, situation)
        is_consent = said is not None and said[1] and field.address in situation.labels.agreements
        if said is not None and not (is_consent and _goes_on(said[0], heard)):
            found.append(_answer_set(heard, said[0], field, answers[said[1]], situation))
    return found


def _minding_set(heard: Heard, clauses: list[Clause], situation: Situation) -> list[Set]:
    """The answer to `do you mind …?`, where only a no is clear: a yes may agree just as well."""
    asked, table = situation.asked, situation.vocabulary.speech.not_minding
    if asked is None or not clauses:
        return []
    if not all(is_one_of(table, one.said) or answer_of(one.said, situation) is False for one in clauses):
        return []
    return [_answer_set(heard, clauses[0], asked, value=False, situation=situation)]


def _values_of(field: ExposedField, situation: Situation) -> dict[bool, bool | str]:
    if field.field.type == "boolean" and not field.field.options:
        return {True: True, False: False}
    return dict(yes_no_options(field, situation.vocabulary)) if field.field.options else {}


def _answer_set(heard: Heard, clause: Clause, field: ExposedField, value: Any, situation: Situation) -> Set:
    cued = any(one.cues and one.said[0] not in situation.vocabulary.speech.answers for one in heard.clauses)
    says_it = statement_of(clause, field, situation) is not None or agreeing_words(clause, situation)
    corrects = (
        cued
        or says_it
        or field.address in situation.exposed.needed
        or situation.exposed.question in ("confirmation", "chooser")
    )
    return Set(
        field=field.address,
        value=value,
        correction=corrects and field.value is not None,
        words=heard.words(clause.first, clause.stop),
        confidence=1.0,
    )


def _said_of(
    field: ExposedField, clauses: list[Clause], given: Sequence[Set], situation: Situation
) -> tuple[Clause, bool] | None:
    """The clause that answers a field, and how; `None` where none does or two disagree."""
    is_asked = situation.asked is not None and situation.asked.address == field.address
    takes_answer = is_asked and not (situation.is_only_need and any(clause.readings for clause in clauses))
    found: list[tuple[int, Clause, bool]] = []
    segment = 0
    for clause in clauses:
        if clause.cues and found and not _is_bare_no(clause, situation):
            segment += 1
        said = statement_of(clause, field, situation)
        if said is None and not situation.confirms and (takes_answer or _agrees_alone(clause, field, situation)):
            said = _answer(clause, given, situation)
        if said is not None:
            found.append((segment, clause, said))
    final = [(clause, said) for at, clause, said in found if at == found[-1][0]]
    if not final or any(said != final[0][1] for _, said in final):
        return None
    others = [clause for clause in clauses if all(clause is not told for _, told, _ in found)]
    return None if any(contradicts(one, field, situation, is_so=final[0][1]) for one in others) else final[0]


def _goes_on(clause: Clause, heard: Heard) -> bool:
    """True where the sentence of a yes says more, in words that nothing explains (`yes, to section 1`), or asks."""
    after = [one for one in heard.clauses if one.sentence == clause.sentence and one.first >= clause.stop]
    return any(one.is_question or one.foreign for one in after)


def _answer(clause: Clause, given: Sequence[Set], situation: Situation) -> bool | None:
    if clause.readings or (_is_bare_no(clause, situation) and any(one.correction for one in given)):
        return None
    speech, title = situation.vocabulary.speech, situation.asked.title if situation.asked else ""
    if is_one_of(speech.nobody, clause.said) and speech.anyone.intersection(words_of(title)):
        return False
    return answer_of(clause.said, situation)


def _is_bare_no(clause: Clause, situation: Situation) -> bool:
    return len(clause.said) == 1 and clause.said[0] in situation.vocabulary.speech.refusals


def _agrees_alone(clause: Clause, field: ExposedField, situation: Situation) -> bool:
    """True for `yes, I agree` where only this field asks for consent."""
    return set(situation.labels.agreements) == {field.address} and agreeing_words(clause, situation)


def changed_answers(heard: Heard, given: Sequence[Set], situation: Situation) -> list[Set]:
    """The yes-or-no fields that a message wants changed to a yes or a no (`change the history to Yes`)."""
    requests, found = situation.vocabulary.requests, dict[str, Set]()
    taken = {one.field for one in given}
    for clause in heard.clauses:
        field = situation.exposed.field(edited_field(clause, situation) or "")
        places = [at for at, word in enumerate(clause.said) if word in requests.into]
        if field is None or field.address in taken or not places or clause.is_negated:
            continue
        rest = [word for word in clause.said[places[-1] + 1 :] if word not in requests.edit_verbs]
        answer, values = answer_of(rest, situation), _values_of(field, situation)
        if answer is not None and values:
            found[field.address] = _answer_set(heard, clause, field, values[answer], situation)
    return list(found.values())


# options and names ---------------------------------------------------------------------------------


def option_sets(heard: Heard, situation: Situation) -> list[Set]:
    """The asked field's option that a clause says in part or with a slip of the pen."""
    asked = situation.asked
    if asked is None or not asked.field.options or asked.field.type == "list":
        return []
    found: dict[str, Set] = {}
    for clause in heard.clauses:
        option = None if clause.is_question else _option_in(clause, asked, situation)
        if option:
            words = heard.words(clause.first, clause.stop)
            found[option[0]] = Set(field=asked.address, value=option[0], words=words, confidence=option[1])
    return list(found.values()) if len(found) == 1 else []


def _option_in(clause: Clause, asked: ExposedField, situation: Situation) -> tuple[str, float] | None:
    if clause.readings or not clause.said or (situation.confirms and answer_of(clause.said, situation) is not None):
        return None
    if whole := core_option(clause.said, asked, situation):
        return whole, 0.95
    if clause.is_doubtful or clause.is_negated:
        return None
    content = _core(clause.said, situation)
    if part := part_of_option(content, asked, situation.vocabulary):
        only_labels = all(situation.labels.knows(word) for word in content)
        return None if only_labels else (part, 0.9)
    return near_option(content, asked, situation.vocabulary)


def name_sets(heard: Heard, situation: Situation) -> list[Set]:
    """The asked person's name, where the message or one of its clauses is nothing else."""
    asked = _awaited_person(heard, situation)
    if asked is None:
        return []
    if is_bare_name(heard.tokens, situation):
        return _name_set(heard, asked, 0, len(heard.tokens), situation)
    bare = [
        clause
        for clause in heard.clauses
        if not clause.is_question
        and not clause.readings
        and is_bare_name(heard.tokens[clause.first : clause.stop], situation)
    ]
    if len(bare) != 1 or any(
        clause.foreign and clause is not bare[0] and not clause.is_question for clause in heard.clauses
    ):
        return []
    return _name_set(heard, asked, bare[0].first, bare[0].stop, situation)


def _awaited_person(heard: Heard, situation: Situation) -> ExposedField | None:
    """The person whose name is asked for; or still needed, and nothing else is, or other values come with it."""
    asked, exposed = situation.asked, situation.exposed
    if asked is not None and not situation.is_only_need:
        return asked if asked.address in situation.labels.persons else None
    needed = [name for name in exposed.needed if name in situation.labels.persons]
    if len(needed) != 1 or not (len(exposed.needed) == 1 or heard.readings):
        return None
    return exposed.field(needed[0])


def _name_set(heard: Heard, asked: ExposedField, first: int, stop: int, situation: Situation) -> list[Set]:
    value = read_value(asked.field, heard.text(first, stop).strip(" ,;!?"), situation.rules)
    if isinstance(value, Refused):
        return []
    return [Set(field=asked.address, value=value, words=heard.words(first, stop), confidence=0.9)]
