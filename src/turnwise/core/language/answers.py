"""Recognises yes and no, by the same rules for approvals, confirmations, offers, boolean fields and Yes/No options.

A message is a yes only if every part of it is one. It is split at punctuation and conjunctions into parts, and each
part must be wholly made of phrases that say yes, and of courtesies. Whatever is left over (a question, a doubt, a
condition, another value, an unknown word) makes it no plain answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Literal, cast
from unicodedata import category, normalize

from msgspec import Struct

from turnwise.core.language import Language, is_question
from turnwise.core.language.templates import Table, ends_of, expand, table_of
from turnwise.flow.late_pattern import late_pattern

Kind = Literal["affirm", "call", "true", "offer"]
"""What is answered: a confirmation, a call that waits for approval, a yes-or-no question, or an offer."""
_MOST_CHARS = 300
"""A longer message is no plain answer."""
QUOTES = str.maketrans("’‘`´ʼ“”„«»", "'''''\"\"\"\"\"")
"""Maps typographic quotes and apostrophes to `'` and `"`."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_STRETCHED = late_pattern(r"(.)\1{2,}")
_HESITATION = late_pattern(r"\.{3}|[:;=]['-]?[(\[/\\|]")
"""Three dots, or a face that is not glad."""
_INITIALS = late_pattern(r"\b((?:[^\W\d_]\.\s?)+[^\W\d_])\b\.?(?=\W|$)")
_TOKEN = late_pattern(
    r"(?P<word>\+1\b|%|[^\W_]+(?:'[^\W_]+)*)|(?P<mark>[:;=]['-]?[)dp]|[,.;:!\n\"'()*–—-])|(?P<sign>\S)"
)
_PLAIN = late_pattern(r"[a-z]+(?:[ '][a-z]+)*")
"""A phrase whose words are those between its blanks."""
_YES_SIGNS = frozenset("👍✅✔☑👌🆗🙆")
_NO_SIGNS = frozenset("👎❌✖❎🚫⛔🙅✗✘✕")
GLAD_SIGNS = frozenset("🙏🙂😊😀😃😄😁☺🤗🥰😍❤💚💙🎉✨🌟⭐🙌👏🤝🚀💪😎🌹🌷☀")
"""Pictures that are courtesies."""


class Answers(Struct, frozen=True, gc=False):
    """The phrases of a language that answer one kind of question."""

    yes: Table
    """The phrases that agree."""
    no: Table
    """The phrases that decline."""
    unclear: Table
    """The phrases that neither agree nor decline."""
    polite: Table
    """Polite phrases that may accompany an answer: *please*, *thanks*."""
    joints: frozenset[str]
    """The words for *and*."""


class Phrasing(Struct, frozen=True, gc=False):
    """The phrase templates of a language for answers, one per line: for any question, and for single kinds."""

    yes: str
    """The phrases that agree to any question, one per line."""
    yes_of: Mapping[Kind, str]
    """The phrases that agree to a question of one kind, by kind."""
    no: str
    """The phrases that decline any question, one per line."""
    no_of: Mapping[Kind, str]
    """The phrases that decline a question of one kind, by kind."""
    unclear: str
    """The phrases that are no yes although their words agree."""
    farewells: str
    """The phrases, such as a goodbye, that make a yes to a call or summary unclear."""
    polite: str
    """Polite phrases that may accompany an answer: *please*, *thanks*."""
    small: str
    """The small words that may join words of the question which an answer repeats."""
    function_words: str
    """The words that carry no meaning by themselves, such as articles."""
    cautions: str
    """The words that ask, doubt, limit, deny or change something, so that an answer is not plain."""
    negators: str
    """The cautions that deny what follows, up to the next of `contrasts`: *not*."""
    contrasts: str
    """The cautions that end a denial: *but*."""
    everything: str
    """The cautions that deny what follows only together with one of `contrasts`."""
    openers: str
    """The cautions that begin a request or question."""
    alternatives: str
    """The cautions that leave something open: *or*."""
    bounds: str
    """The cautions that make the value after them a bound or a part of a sum: *less than*, *plus*."""
    at_once: str
    """The phrases that ask to do the proposed thing without delay."""


class Denials(Struct, frozen=True, gc=False):
    """The words of a language by which a message denies, contrasts, requests, leaves open or bounds something."""

    negators: frozenset[str]
    """The words that deny what follows: *not*."""
    contrasts: frozenset[str]
    """The words that end a denial: *but*."""
    everything: frozenset[str]
    """The words that deny what follows only together with one of `contrasts`."""
    openers: frozenset[str]
    """The words that begin a request or question."""
    alternatives: frozenset[str]
    """The words that leave something open: *or*."""
    bounds: frozenset[str]
    """The words that make the value after them a bound or a part of a sum."""


def plain_answer(language: Language, message: str, kind: Kind = "affirm", echo: Echo | None = None) -> bool | None:
    """Return true if the whole message only says yes, false if it only says no, `None` for any other message. `kind` is
    what the message answers; `echo` has words of the question that a yes may repeat.
    """
    if len(message) > _MOST_CHARS or is_question(message):
        return None
    answers = answers_of(language, kind)
    parts = parts_of(message, answers.joints)
    found = _reading(parts, answers, echo)
    if found is None and echo is not None and _reading(parts, _without(answers, echo), echo) is True:
        return True  # `yes, cancel it`, where that is what is asked
    if found is None and language.own and len(parts) > 1:  # a phrase of the flow may have commas
        return _reading([words_of(message)], answers, echo)
    return found


def begins_with_no(language: Language, message: str, echo: Echo | None = None) -> bool:
    """Return whether the first part of a message only says no, and no later part says yes: `no, to Eve`. `echo` has
    words of the question that may be repeated.
    """
    if len(message) > _MOST_CHARS or is_question(message):
        return False
    answers = answers_of(language, "call")
    first, *rest = parts_of(message, answers.joints) or [()]
    says_yes = any(any(ends_of(answers.yes, part, at)) for part in rest for at in range(len(part)))
    return _reading([first], answers, echo) is False and not says_yes


def has_yes(language: Language, message: str, kind: Kind, echo: Echo | None = None) -> bool:
    """Return whether a part of a message says yes, alone or before a contrast: `yes, but what does it cost?`. `kind` is
    what the message answers; `echo` has words of the question that may be repeated.
    """
    if len(message) > _MOST_CHARS:
        return False
    answers, contrasts = answers_of(language, kind), denials_of(language.code).contrasts
    parts = list(parts_of(message, answers.joints))
    parts += [part[:at] for part in parts for at, word in enumerate(part) if at and word in contrasts]
    return any(_reading([part], answers, echo) is True for part in parts)


def is_courtesy(language: Language, message: str) -> bool:
    """Return whether a text is empty or has only courtesies."""
    answers = answers_of(language, "true")
    nothing = Answers({}, {}, {}, answers.polite, answers.joints)
    return not is_question(message) and all(
        _said(part, nothing, None) is not None for part in parts_of(message, answers.joints)
    )


def is_idle(language: Language, text: str, *, with_function_words: bool = False) -> bool:
    """Return whether a text has no content: only courtesies, yes and no, and, if allowed, function words."""
    words = words_of(text)
    small = _function_words(language.code) if with_function_words else None
    return not words or _said(words, answers_of(language, "true"), small) is not None


@lru_cache(maxsize=8)
def _function_words(code: str) -> Echo:
    """Return the words without a meaning of their own as what may stand beside an answer."""
    phrasing = phrasing_of(code)
    return Echo(
        table_of((simplified(word),) for word in f"{phrasing.function_words} {phrasing.small}".split()), frozenset()
    )


@lru_cache(maxsize=8)
def _cautions(code: str) -> frozenset[str]:
    return frozenset(map(simplified, phrasing_of(code).cautions.split()))


@lru_cache(maxsize=8)
def denials_of(code: str) -> Denials:
    """Return the words by which messages in a language deny, request or leave open what they name."""
    some = phrasing_of(code)
    tables = (some.negators, some.contrasts, some.everything, some.openers, some.alternatives, some.bounds)
    return Denials(*(frozenset(map(simplified, table.split())) for table in tables))


def cautions_of(language: Language) -> frozenset[str]:
    """Return the words of a language that ask, doubt, limit, deny or change something."""
    return _cautions(language.code)


class Echo(Struct, frozen=True, gc=False):
    """The parts of a question that an answer may repeat without meaning more."""

    phrases: Table
    """The phrases of the question that an answer may repeat."""
    small: frozenset[str]
    """The small words that may join these phrases."""


def echo_of(
    texts: Iterable[str], values: Iterable[str], language: Language, *, phrases: Iterable[tuple[str, ...]] = ()
) -> Echo:
    """Return what an answer may repeat of a question with some texts and values, without meaning more.
    That is the words and values of the texts, the small words between them, and phrases that change nothing.
    """
    small = frozenset(phrasing_of(language.code).small.split())
    words = [(word,) for text in texts for word in words_of(text.replace("_", " ")) if word not in small]
    return Echo(table_of([*words, *map(words_of, values), *phrases]), small)


def request_phrases(language: Language) -> list[tuple[str, ...]]:
    """Return the phrases of a language that ask to do something without delay."""
    return [words_of(phrase) for phrase in expand(phrasing_of(language.code).at_once)]


def _without(answers: Answers, echo: Echo) -> Answers:
    """Return the phrases of an answer without those that say no in the words of the question."""
    named = {phrase[0] for some in echo.phrases.values() for phrase in some if len(phrase) == 1}
    kept = (phrase for some in answers.no.values() for phrase in some if not named.issuperset(phrase))
    return Answers(answers.yes, table_of(kept), answers.unclear, answers.polite, answers.joints)


def _reading(parts: Sequence[tuple[str, ...]], answers: Answers, echo: Echo | None) -> bool | None:
    found: set[_Said] = set()
    for part in parts:
        said = _said(part, answers, echo)
        if said is None:
            return None
        found |= said
    if True in found:
        return True if len(found) == 1 else None
    return False if False in found else None


def _said(part: tuple[str, ...], answers: Answers, echo: Echo | None) -> set[_Said] | None:
    """Return what a part says, `None` if a word of it belongs to no phrase. The fewest phrases win: `of course not`."""
    best: list[tuple[int, frozenset[_Said]] | None] = [(0, frozenset()), *[None] * len(part)]
    for at in range(len(part)):
        reached = best[at]
        if reached is None:
            continue
        count, said = reached
        for stop, adds in _steps(part, at, answers, echo):
            before = best[stop]
            if before is None or count + 1 < before[0]:
                best[stop] = (count + 1, said | adds)
    last = best[-1]
    return None if last is None else set(last[1])


def _steps(
    part: tuple[str, ...], at: int, answers: Answers, echo: Echo | None
) -> Iterable[tuple[int, frozenset[_Said]]]:
    """Yield where a phrase that begins at a word ends, and what it says."""
    for table, adds in (
        (answers.no, _NO),
        (answers.yes, _YES),
        (answers.unclear, _UNCLEAR),
        (answers.polite, _NEITHER),
    ):
        for stop in ends_of(table, part, at):
            yield stop, adds
    if echo is not None:
        begin = at  # small words count only before a word of the question: `stimmt das` asks
        while begin + 1 < len(part) and part[begin] in echo.small:
            begin += 1
        for stop in ends_of(echo.phrases, part, begin):
            yield stop, _NEITHER


_Said = bool | None
"""What a phrase says: yes, no, or something that no yes stands beside."""
_YES, _NO, _UNCLEAR = frozenset[_Said]([True]), frozenset[_Said]([False]), frozenset[_Said]([None])
_NEITHER = frozenset[_Said]()


# messages as words -------------------------------------------------------------------------------


def simplified(text: str) -> str:
    """Return a text as answers are compared: compatible characters, without invisible ones, skin tones and variants."""
    plain = normalize("NFKC", text).translate(QUOTES).casefold()
    plain = plain.replace("\u200d♂", "").replace("\u200d♀", "")
    if not plain.isascii():
        kept = [
            one for one in plain if one not in _SKIN_TONES and not "\ufe00" <= one <= "\ufe0f" and category(one) != "Cf"
        ]
        plain = "".join(kept).translate(_UMLAUTS)
    plain = _INITIALS.sub(lambda found: re.sub(r"[.\s]", "", found[1]), plain)
    return _STRETCHED.sub(_once, plain)


def _once(found: re.Match[str]) -> str:
    return found[1] if found[1].isalpha() else found[0]


def words_of(text: str) -> tuple[str, ...]:
    """Return the words and emoji of a text, as answers are compared."""
    return tuple([one[0] for one in _TOKEN.finditer(_spaced(simplified(text))) if one.lastgroup != "mark"])


def _spaced(text: str) -> str:
    """Return a text without hyphens inside words."""
    return re.sub(r"(?<=\w)-(?=\w)", " ", text)


def hesitates(message: str) -> bool:
    """Return whether a message has three dots or an unhappy face, so that it expresses doubt."""
    return _HESITATION.search(simplified(message)) is not None


def parts_of(message: str, joints: frozenset[str]) -> list[tuple[str, ...]]:
    """Return the parts of a message, each as words; none if the message hesitates or ends unfinished. Besides marks,
    the words `joints` divide it.
    """
    text = simplified(message)
    if _HESITATION.search(text):
        return []
    parts: list[list[str]] = [[]]
    last = ""
    for found in _TOKEN.finditer(_spaced(text)):
        last = found[0] if found.lastgroup != "mark" else last
        if found.lastgroup == "mark" or found[0] in joints or found[0] == "&":
            parts.append([])
        elif found.lastgroup == "sign":
            parts += [[found[0]], []]
        else:
            parts[-1].append(found[0])
    return [] if last in joints else [tuple(part) for part in parts if part]


# vocabularies --------------------------------------------------------------------------------------


def answers_of(language: Language, kind: Kind) -> Answers:
    """Return the phrases of a language for answers to a kind of question, the flow's own in place of the usual ones."""
    return _answers(language.code, kind, tuple(sorted(language.own.items())), language.phrases["and"])


@lru_cache(maxsize=64)
def _answers(
    code: str, kind: Kind, own_items: tuple[tuple[str, tuple[str, ...]], ...], joints: frozenset[str]
) -> Answers:
    own, shipped = dict(own_items), phrasing_of(code)
    wording: Literal["affirm", "true"] = "true" if kind == "true" else "affirm"
    yes = _own_phrases(own.get(wording)) or (*_phrases(shipped.yes), *_phrases(shipped.yes_of[kind]))
    no = _own_phrases(own.get("false")) or (*_phrases(shipped.no), *_phrases(shipped.no_of[kind]))
    farewells, is_question_only = _phrases(shipped.farewells), kind == "true"
    unclear = (*_phrases(shipped.unclear), *(() if is_question_only else farewells))
    polite = (
        *_own_phrases(own.get("polite")),
        *_phrases(shipped.polite),
        *(farewells if is_question_only else ()),
    )
    return Answers(
        table_of([*yes, *zip(_YES_SIGNS)]),
        table_of([*no, *zip(_NO_SIGNS)]),
        table_of(unclear),
        table_of([*polite, *zip(GLAD_SIGNS)]),
        joints,
    )


@cache
def _phrases(templates: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of templates of a language, which most kinds of answers share."""
    return tuple(map(_phrase, expand(templates)))


def _own_phrases(texts: tuple[str, ...] | None) -> tuple[tuple[str, ...], ...]:
    return tuple(map(_phrase, texts or ()))


def _phrase(text: str) -> tuple[str, ...]:
    return tuple(text.split()) if _PLAIN.fullmatch(text) else words_of(text)


def phrasing_of(code: str) -> Phrasing:
    """Return the phrase templates of a language, which are loaded on first use."""
    return cast("Phrasing", import_module(f"turnwise.core.language.{code}_answers").PHRASING)
