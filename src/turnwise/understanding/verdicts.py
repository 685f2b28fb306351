"""Reads a message as the answer to a confirmation, an offer, a call that waits for approval, or a choice of answers to
change.
"""

from __future__ import annotations

from turnwise.core.language.answers import plain_answer
from turnwise.core.state.commands import Affirm, AnyCommand, Deny
from turnwise.understanding.answers import answer_of, has_reservation
from turnwise.understanding.clauses import ParsedMessage
from turnwise.understanding.tokens import words_of
from turnwise.understanding.vocabulary.tables import is_one_of


def verdict_of(message: ParsedMessage) -> list[AnyCommand]:
    """Return the affirm command if the whole message says yes, the deny command if it says no, else an empty list."""
    situation, known = message.situation, message.situation.requests.commands
    is_call = situation.allowed.question == "call"
    kind = situation.allowed.question if situation.allowed.question in ("call", "offer") else "affirm"
    if situation.asked is not None and situation.asked.field.parts:
        kind = "true"  # it is asked whether another item follows
    said = plain_answer(situation.language, message.text.message, kind)
    if said is None and not is_call:
        said = plain_answer(situation.language, message.text.message, "true")
    if said is not None or is_call:
        return [] if said is None else [Affirm(message.whole(), 1.0) if said else Deny(message.whole(), 1.0)]
    if any(clause.is_doubtful for clause in message.statements()) or has_reservation(message):
        return []
    if _speaks_of_items(message):
        return []
    tables = ((True, known["affirm"]), (False, known["deny"]))
    found: dict[bool, tuple[int, int]] = {}
    for clause in message.statements():
        answer = None if clause.readings else answer_of(clause.said, situation, tables)
        if answer is not None:
            found.setdefault(answer, message.span(clause))
    return [Deny(found[False], 1.0)] if set(found) == {False} else []


def _speaks_of_items(message: ParsedMessage) -> bool:
    """True for a message that names an option of an item, where another item is asked for: `no, large`."""
    asked = message.situation.asked
    parts = asked.field.parts if asked is not None else ()
    texts = [text for part in parts for one in part.options for text in (one.value, *one.words)]
    return not set(words_of(" ".join(texts))).isdisjoint(
        word for clause in message.statements() for word in clause.foreign
    )


def leaves_chooser(message: ParsedMessage) -> list[AnyCommand]:
    """Return the deny command if the message declines to change any answer, else an empty list."""
    situation = message.situation
    said = tuple(word for clause in message.clauses for word in clause.said)
    core = tuple(word for word in said if word not in situation.speech.trailing)
    table = situation.requests.commands["leave"]
    return [Deny(message.whole(), 1.0)] if is_one_of(table, core) or is_one_of(table, said) else []
