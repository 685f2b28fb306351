"""Understands a message while a free-text question is open (law 5.10).

The whole message is the answer, unless it is a command's phrase or answers nothing. A message that answers and asks
(`Bergen. Do you have vegan food?`) is split only where the answer is certain; otherwise only the question counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.state.commands import AnyCommand, CommandName, Set, name_of
from turnwise.core.values import Refused, read_value
from turnwise.understanding.answers import answer_of
from turnwise.understanding.clauses import Clause, ParsedMessage, parse, questions_of, sentence_asks
from turnwise.understanding.corrections import correction_of
from turnwise.understanding.navigation import hesitates, navigation_of
from turnwise.understanding.readings import Text
from turnwise.understanding.requests import Asked, asked_aside, command_named, kind_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.text_lists import text_items
from turnwise.understanding.tokens import words_of
from turnwise.understanding.verdicts import verdict_of
from turnwise.understanding.vocabulary.tables import is_one_of, length_at

_EXACT: tuple[CommandName, ...] = ("skip", "help", "why", "repeat", "wait", "cancel", "restart", "undo", "hand_over")
_HARMLESS = ("help", "repeat", "wait")
"""Commands that a whole message may ask for in any wording, since they change nothing."""
_LONGEST_ANSWER = 5
"""A longer statement beside a question may be an introduction to it as well, in words."""
_LONGEST_QUESTION = 10
"""A longer message without a question mark is no question, in words."""

Sentence = tuple[Clause, ...]
"""The clauses of one sentence, in order."""


def free_text_answer(text: Text, asked: AllowedField, situation: Situation, *, is_long: bool) -> list[AnyCommand]:
    """Return the commands of a message at an open question for free text; a message that `is_long` is not parsed."""
    if not any(map(str.isalnum, text.message)) and not asked.takes_anything:
        return []  # signs and pictures alone say nothing
    if not is_long and not asked.takes_anything and hesitates(text, situation):
        return []
    kind = _exact_kind(text, situation, is_long=is_long)
    if kind and (situation.allows(kind) or kind not in ("hand_over", "why")):
        command = command_named(kind, (0, len(text.message)))
        return [command] if command and situation.allows(kind) else []
    moved = _moved(text, situation) if not is_long and not asked.takes_anything else None
    if moved is not None:
        return moved
    is_parsed = not is_long and (situation.confirms or not asked.takes_anything)
    message = parse(text, situation) if is_parsed else None
    verdict = verdict_of(message) if message and situation.confirms else []
    if verdict:
        return [one for one in verdict if situation.allows(name_of(one))]
    if message and not asked.takes_anything:
        aside = _aside(message, asked)
        if aside is not None:
            return [one for one in aside if situation.allows(name_of(one))]
        parts = _split(message)
        if parts is not None:
            answer = _stored(text, parts[0], asked, situation) if parts[0] is not None else []
            asides = [one for one in parts[1] if situation.allows(name_of(one))]
            return sorted([*answer, *asides], key=lambda one: one.words or (0, 0))
        return _read_whole(message, asked)
    return _stored(text, (0, len(text.message)), asked, situation)


def _read_whole(message: ParsedMessage, asked: AllowedField) -> list[AnyCommand]:
    """Return the command of a message that may be the answer as a whole: one that rather says something else at the
    question for an address is asked aside, or is marked so that the form asks whether it is meant.
    """
    from turnwise.understanding.doubtful_texts import read_as_address

    situation, whole = message.situation, (0, len(message.text.message))
    reading = read_as_address(message, asked)
    if reading == "request":
        return [asked_aside(message.text.message.strip(), whole, situation)]
    found = _stored(message.text, whole, asked, situation)
    return found if reading == "text" else [replace(one, objection="doubtful") for one in found]


def _moved(text: Text, situation: Situation) -> list[AnyCommand] | None:
    """Return the commands of a message that corrects an answer or moves through the conversation (law 7.3a)."""
    if situation.confirms:
        return None
    moved = navigation_of(text, situation)
    return moved if moved is not None else correction_of(text, situation)


def is_exact(command: AnyCommand, text: Text, situation: Situation) -> bool:
    """Return whether the whole message is a phrase of a command; a command without effect may have any wording."""
    name = name_of(command)
    is_asked_for = name in _HARMLESS and kind_of(text.words_between(0, len(text.tokens)), situation) == name
    return is_asked_for or _exact_kind(text, situation, is_long=False) == name


def _exact_kind(text: Text, situation: Situation, *, is_long: bool) -> Asked:
    """Return the command of which the whole message is a phrase, without polite words; empty if there is none."""
    said = () if is_long else text.words_between(0, len(text.tokens))
    core = " ".join(word for word in said if word not in situation.polite_words)
    for typed in ((text.message, " ".join(said)), (core,)):
        for kind in _EXACT:
            if any(one and situation.language.means(kind, one) for one in typed):
                return kind
    return ""


def _stored(text: Text, span: tuple[int, int], asked: AllowedField, situation: Situation) -> list[AnyCommand]:
    """Return the command that stores a part of a message as the answer; empty if the field refuses it."""
    if asked.field.type == "list" and not asked.takes_anything:
        value = text_items(asked.field, text.message[slice(*span)], situation)
    else:
        value = read_value(asked.field, text.message[slice(*span)], situation.rules)
    if isinstance(value, Refused) or value is None or not situation.allows("set"):
        return []
    return [Set(field=asked.address, value=value, words=span, confidence=1.0)]


# messages that answer nothing ----------------------------------------------------------------------


def _aside(message: ParsedMessage, asked: AllowedField) -> list[AnyCommand] | None:
    """Return the request of a message that cannot be the answer: help, repeat, wait, or a question of the user. A bare
    yes and "I don't know" ask for nothing. `None` for a message that may be the answer.
    """
    situation, said, everything = message.situation, message.all_words(), (0, len(message.text.message))
    kind = kind_of(said, situation)
    command = command_named(kind, everything) if kind in _HARMLESS else None
    if command is not None:
        return [command]
    if _is_question(message):
        return [asked_aside(message.text.message.strip(), everything, situation)]
    return [] if _is_bare_answer(message, asked) or _is_unknown(said, situation) else None


def _is_question(message: ParsedMessage) -> bool:
    """True if every part of a message asks, small words aside; or if it is a question without its mark, a question
    word and soon after it a verb before its subject: `which cities do you serve`.
    """
    speech, said, stated = message.situation.speech, message.all_words(), message.statements()
    is_short = len(said) <= _LONGEST_QUESTION
    if len(stated) < len(message.clauses):
        small = all(word in speech.filler or word in speech.starters for one in stated for word in one.said)
        return small and not any(one.readings for one in stated) and (is_short or "?" in message.text.message)
    first = next((at for at, word in enumerate(said) if word not in speech.starters), len(said))
    if first >= len(said) or said[first] not in speech.openers or not is_short:
        return False
    return any(length_at(speech.inverted, said, at) for at in range(first + 1, min(first + 4, len(said))))


def _is_bare_answer(message: ParsedMessage, asked: AllowedField) -> bool:
    """True for a plain yes, and for a plain no where the question asks which, what or when."""
    situation, speech, said = message.situation, message.situation.speech, message.all_words()
    if answer_of(said, situation) is True:
        return not speech.answers.isdisjoint(said) or situation.language.means("true", message.text.message)
    is_refusal = all(word in speech.refusals or word in speech.filler for word in said)
    asks_which = words_of(asked.title)[:1]
    return is_refusal and not speech.refusals.isdisjoint(said) and not speech.openers.isdisjoint(asks_which)


def _is_unknown(said: Sequence[str], situation: Situation) -> bool:
    """True if the message says that the answer is not known, and nothing else."""
    speech, phrases = situation.speech, situation.language.phrases["dont_know"]
    if len(said) > _LONGEST_QUESTION:
        return False
    idle = [word in speech.filler or word in speech.openers or situation.labels.names_field(word) for word in said]
    return any(
        " ".join(said[first:stop]) in phrases and all(idle[:first]) and all(idle[stop:])
        for first in range(len(said))
        for stop in range(first + 1, len(said) + 1)
    )


# messages that answer and ask ----------------------------------------------------------------------


def _split(message: ParsedMessage) -> tuple[tuple[int, int] | None, list[AnyCommand]] | None:
    """The characters of the answer (`None` if uncertain) and the questions of a message that states and asks; `None`
    for any other message.
    """
    text, clauses = message.text, message.clauses
    sentences: list[Sentence] = [tuple(some) for _, some in groupby(clauses, key=lambda clause: clause.sentence)]
    asks = [any(one.is_question for one in sentence) or sentence_asks(sentence, text) for sentence in sentences]
    stated = [sentence for sentence, is_question in zip(sentences, asks, strict=True) if not is_question]
    # one sentence such as `Bergen, do you have vegan food?`; a request or a tag is no such question
    states_first = any(sentence[-1].is_question and not sentence[0].is_question for sentence in sentences)
    if not any(asks) or not (stated or states_first):
        return None
    is_at_an_end = len(stated) == 1 and not (asks[0] and asks[-1])
    asking = [sentence for sentence, is_question in zip(sentences, asks, strict=True) if is_question]
    return _bare_answer(stated[0], message) if is_at_an_end else None, _questions(asking, message)


def _bare_answer(sentence: Sentence, message: ParsedMessage) -> tuple[int, int] | None:
    """Return the characters of a sentence that is a name or a short noun phrase, not a remark about the question."""
    situation, speech, text = message.situation, message.situation.speech, message.text
    small = speech.filler | speech.small_adverbs | speech.hedges | speech.negators | speech.subjects | speech.pronouns
    small |= speech.modals | speech.copulas | speech.starters | speech.openers | speech.answers | speech.remarks
    first, stop = sentence[0].first, sentence[-1].stop
    said = text.words_between(first, stop)
    typed = [token.text for token in text.tokens[first:stop] if token.kind != "mark"]
    is_name_like = len(typed) == 1 or all(word[0].isupper() for word in typed)  # `New York`, unlike `Fair enough`
    is_remark = (
        not is_name_like
        or not small.isdisjoint(said)
        or any(clause.is_negated or clause.is_doubtful or clause.readings for clause in sentence)
        or any(is_one_of(table, said) for table in (speech.yes, speech.no, speech.doubt, speech.idle))
        or bool(kind_of(said, situation) or situation.language.courtesy(text.as_typed(first, stop)))
        or all(situation.labels.names_field(word) for word in said)
    )
    return None if is_remark or len(said) > _LONGEST_ANSWER else text.span(first, stop)


def _questions(asking: Sequence[Sentence], message: ParsedMessage) -> list[AnyCommand]:
    """The questions in their order, each with its closing mark."""
    clauses: list[Clause] = []
    for sentence in asking:  # of a request with a question mark, all clauses ask
        is_request = not any(clause.is_question for clause in sentence)
        clauses += [replace(one, is_question=True) for one in sentence if is_request or one.is_question]
    found: list[AnyCommand] = []
    for first, stop in questions_of(clauses, message.text):
        typed = message.text.as_typed(first, stop)
        if len(words_of(typed)) > 1 and not kind_of(words_of(typed), message.situation):
            found.append(asked_aside(typed, message.text.span(first, stop), message.situation))
    return found
