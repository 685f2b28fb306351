"""Yes and no: as words, as statements about a field, and as the answer to a confirmation."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.state.commands import Affirm, AnyCommand, Deny
from turnwise.understanding.clauses import Clause, Heard
from turnwise.understanding.labels import name_words, title_words
from turnwise.understanding.questions import is_request
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import stem
from turnwise.understanding.vocabulary.shape import Phrases, is_one_of, length_at


def answer_of(said: Sequence[str], situation: Situation, tables: Sequence[tuple[bool, Phrases]] = ()) -> bool | None:
    """True for words that only say yes, false for words that only say no, else `None`.

    `tables` are the phrases for either, where it is not the answer to a question.
    """
    speech = situation.vocabulary.speech
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
    speech, endings = situation.vocabulary.speech, situation.vocabulary.endings
    if clause.readings or clause.is_question or clause.is_doubtful or speech.modals.intersection(clause.said):
        return None
    content = {
        word
        for word in without_phrases(clause.said, situation)
        if word not in speech.filler and word not in speech.negators and word not in speech.common
    }
    is_so = _sign(clause.said, situation)
    if is_so is None or situation.vocabulary.requests.edit_verbs.intersection(clause.said):
        return None
    known = situation.labels.stems.get(field.address, frozenset[str]())
    agrees = content & speech.agreement
    is_asked = situation.asked is not None and situation.asked.address == field.address
    has_subject = is_asked or any(word in speech.subjects for word in clause.said)
    if agrees and not has_subject and agrees <= {*title_words(field, situation.vocabulary), *name_words(field)}:
        return None  # it may be no more than the name of the field: `consent`
    if agrees and field.address in situation.labels.agreements:
        rest = {stem(word, endings) for word in content - agrees - speech.agreement_marks - speech.agreement_objects}
        return is_so if rest <= known else None
    given = {stem(word, endings) for word in content}
    if not has_subject or any(char.isdigit() for char in field.title) or not given <= known:
        return None
    wordings = [
        {stem(word, endings) for word in some - speech.common} for some in situation.labels.titles[field.address]
    ]
    if is_asked and _only_decides(clause, content, situation):
        wordings.append({stem(word, endings) for word in name_words(field)})
    return is_so if any(wanted and wanted <= given for wanted in wordings) else None


def _only_decides(clause: Clause, content: set[str], situation: Situation) -> bool:
    """True where nothing but a yes, a no, or a set phrase comes with the words (`no pets`, `outside would be fine`)."""
    speech = situation.vocabulary.speech
    rest = [word for word in without_phrases(clause.said, situation) if word not in content]
    is_small = all(word in speech.trailing or word in speech.denials or word in speech.answers for word in rest)
    return is_small and len(clause.said) > len(content)


def _sign(said: Sequence[str], situation: Situation) -> bool | None:
    """Whether words say that something is so, or is not; `None` where they deny it in a way that may be either."""
    speech = situation.vocabulary.speech
    found = [word for word in said if word in speech.negators]
    if not found:
        return True
    return False if len(found) == 1 and found[0] in speech.denials else None


def contradicts(clause: Clause, field: ExposedField, situation: Situation, *, is_so: bool) -> bool:
    """True if a clause speaks of what a yes-or-no field asks, not quite in its words, with the other sign."""
    titles = frozenset[str]().union(*situation.labels.titles[field.address])
    endings = situation.vocabulary.endings
    wanted = {stem(word, endings) for word in titles - situation.vocabulary.speech.common}
    speaks_of_it = any(stem(word, endings) in wanted for word in clause.said)
    return speaks_of_it and _sign(clause.said, situation) is not is_so


def has_reservation(heard: Heard, situation: Situation) -> bool:
    """True for a yes with a "but" after it that is not understood, or that ends in the middle of it."""
    speech = situation.vocabulary.speech
    said = [token.word for token in heard.tokens if token.kind != "mark"]
    if said and (said[-1] in speech.contrasts or speech.reservations.intersection(said)):
        return True
    if any(length_at(speech.conditions, said, at) for at in range(len(said))):
        return True
    return any(
        clause.joint in speech.contrasts
        and (clause.foreign or clause.is_negated)
        and not any(statement_of(clause, field, situation) is not None for field in situation.exposed.fields)
        for clause in heard.clauses
        if not clause.is_question
    )


def without_phrases(said: Sequence[str], situation: Situation) -> list[str]:
    """The words without set phrases such as `at the moment`."""
    kept: list[str] = []
    at = 0
    while at < len(said):
        size = length_at(situation.vocabulary.speech.fill_phrases, said, at)
        if not size:
            kept.append(said[at])
        at += size or 1
    return kept


def agreeing_words(clause: Clause, situation: Situation) -> bool:
    """True if a clause says yes or no with a word of consent (`yes, I agree`)."""
    speech = situation.vocabulary.speech
    return bool((speech.agreement | speech.disagreement).intersection(clause.said))


def verdict_of(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The affirm or deny that a message is, if it is one."""
    clauses = [clause for clause in heard.clauses if not clause.is_question]
    if any(clause.is_doubtful for clause in clauses) or has_reservation(heard, situation):
        return []
    known = situation.vocabulary.requests.commands
    tables = ((True, known["affirm"]), (False, known["deny"]))
    speech = situation.vocabulary.speech
    found: dict[bool, tuple[int, int]] = {}
    is_clear = True
    for clause in clauses:
        said = None if clause.readings else answer_of(clause.said, situation, tables)
        if said is not None:
            found.setdefault(said, heard.words(clause.first, clause.stop))
        elif clause.readings or any(word not in speech.filler for word in without_phrases(clause.said, situation)):
            is_clear = False
        is_clear = is_clear and not is_request(clause.said, situation)
    if set(found) == {True} and is_clear:
        return [Affirm(found[True], 1.0)]
    return [Deny(found[False], 1.0)] if set(found) == {False} else []


def leaves_chooser(heard: Heard, situation: Situation) -> list[AnyCommand]:
    """The deny that says that no answer is to be changed after all."""
    table = situation.vocabulary.requests.commands["leave"]
    said = tuple(word for clause in heard.clauses for word in clause.said)
    core = tuple(word for word in said if word not in situation.vocabulary.speech.trailing)
    return [Deny(heard.words(0, len(heard.tokens)), 1.0)] if is_one_of(table, core) or is_one_of(table, said) else []
