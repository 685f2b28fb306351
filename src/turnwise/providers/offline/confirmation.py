"""What a message says to a confirmation that is awaited: yes, no, change something, or nothing clear.

Doubt, and a yes next to anything that it does not know, is no yes.
"""

from __future__ import annotations

from turnwise.core.commands import Affirm, AnyCommand, Deny
from turnwise.providers.offline.clauses import Heard
from turnwise.providers.offline.polarity import answer_of, has_reservation, without_phrases
from turnwise.providers.offline.questions import is_request
from turnwise.providers.offline.situation import Situation
from turnwise.providers.offline.vocabulary.shape import is_one_of


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
