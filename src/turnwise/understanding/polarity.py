"""Yes and no: as words, as statements about a field, and as the answer to a confirmation."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import Affirm, AnyCommand, Deny
from turnwise.understanding.clauses import Clause, Message, is_led_by
from turnwise.understanding.labels import name_words, title_words
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stem
from turnwise.understanding.vocabulary.shape import Phrases, is_one_of, length_at


def answer_of(said: Sequence[str], situation: Situation, tables: Sequence[tuple[bool, Phrases]] = ()) -> bool | None:
    """True for words that only say yes, false for words that only say no, else `None`.

    `tables` are the phrases for either, where they are not the answer to a question.
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


def statement_of(clause: Clause, field: ExposedField, situation: Situation) -> bool | None:
    """Whether a clause says in its own words that a yes-or-no field is so (`I don't smoke`)."""
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
        return is_so if _stems(rest, situation) <= known else None
    stems = _stems(content, situation)
    if not has_subject or any(char.isdigit() for char in field.title) or not stems <= known:
        return None
    wordings = [_stems(some - speech.common, situation) for some in situation.labels.titles[field.address]]
    if situation.asks(field) and _only_decides(clause, content, situation):
        wordings.append(_stems(name_words(field), situation))
    return is_so if any(wanted and wanted <= stems for wanted in wordings) else None


def _stems(said: Sequence[str] | set[str] | frozenset[str], situation: Situation) -> set[str]:
    return {stem(word, situation.vocabulary.endings) for word in said}


def _only_decides(clause: Clause, content: set[str], situation: Situation) -> bool:
    """True where nothing but a yes, a no, or a set phrase comes with the words (`no pets`, `outside would be fine`)."""
    speech = situation.speech
    rest = [word for word in without_phrases(clause.said, situation) if word not in content]
    is_small = all(word in speech.trailing or word in speech.denials or word in speech.answers for word in rest)
    return is_small and len(clause.said) > len(content)


def _sign(said: Sequence[str], situation: Situation) -> bool | None:
    """Whether words say that something is so, or is not; `None` where they deny it in a way that may be either."""
    found = [word for word in said if word in situation.speech.negators]
    is_denial = len(found) == 1 and found[0] in situation.speech.denials
    return (False if is_denial else None) if found else True


def contradicts(clause: Clause, field: ExposedField, situation: Situation, *, is_so: bool) -> bool:
    """True if a clause speaks of what a yes-or-no field asks, not quite in its words, with the other sign."""
    titles = frozenset[str]().union(*situation.labels.titles[field.address])
    wanted = _stems(titles - situation.speech.common, situation)
    speaks_of_it = not wanted.isdisjoint(_stems(clause.said, situation))
    return speaks_of_it and _sign(clause.said, situation) is not is_so


def has_reservation(message: Message) -> bool:
    """True for a yes with a "but" after it that is not understood, or that ends in the middle of it."""
    situation, speech, said = message.situation, message.situation.speech, message.said()
    if said and (said[-1] in speech.contrasts or not speech.reservations.isdisjoint(said)):
        return True
    if any(length_at(speech.conditions, said, at) for at in range(len(said))):
        return True
    return any(
        clause.joint in speech.contrasts
        and (clause.foreign or clause.is_negated)
        and all(statement_of(clause, field, situation) is None for field in situation.exposed.fields)
        for clause in message.stated()
    )


def without_phrases(said: Sequence[str], situation: Situation) -> list[str]:
    """The words without set phrases such as `at the moment`."""
    kept: list[str] = []
    at = 0
    while at < len(said):
        size = length_at(situation.speech.fill_phrases, said, at)
        if not size:
            kept.append(said[at])
        at += size or 1
    return kept


def agreeing_words(clause: Clause, situation: Situation) -> bool:
    """True if a clause says yes or no with a word of consent (`yes, I agree`)."""
    speech = situation.speech
    return not (speech.agreement.isdisjoint(clause.said) and speech.disagreement.isdisjoint(clause.said))


def verdict_of(message: Message) -> list[AnyCommand]:
    """The affirm or deny that a message is, if it is one."""
    situation, speech, known = message.situation, message.situation.speech, message.situation.requests.commands
    if any(clause.is_doubtful for clause in message.stated()) or has_reservation(message):
        return []
    tables = ((True, known["affirm"]), (False, known["deny"]))
    found: dict[bool, tuple[int, int]] = {}
    is_clear = True
    for clause in message.stated():
        answer = None if clause.readings else answer_of(clause.said, situation, tables)
        if answer is not None:
            found.setdefault(answer, message.span(clause))
        elif clause.readings or any(word not in speech.filler for word in without_phrases(clause.said, situation)):
            is_clear = False
        is_clear = is_clear and not is_led_by(speech.requests, clause.said, speech)
    if set(found) == {True} and is_clear:
        return [Affirm(found[True], 1.0)]
    return [Deny(found[False], 1.0)] if set(found) == {False} else []


def leaves_chooser(message: Message) -> list[AnyCommand]:
    """The deny that says that no answer is to be changed after all."""
    situation = message.situation
    said = tuple(word for clause in message.clauses for word in clause.said)
    core = tuple(word for word in said if word not in situation.speech.trailing)
    table = situation.requests.commands["leave"]
    return [Deny(message.whole(), 1.0)] if is_one_of(table, core) or is_one_of(table, said) else []
