"""A question in plain words, taken apart: what is asked, in which clause, what it repeats of the conversation."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.numbers import number_at
from turnwise.understanding.readings import text_of
from turnwise.understanding.tokens import closest
from turnwise.understanding.vocabulary import CODES, shipped
from turnwise.why.answer import SubjectKind
from turnwise.why.names import words_in
from turnwise.why.reading.clauses import (
    AGAIN,
    AROUND,
    BY_MACHINE,
    BY_WHOM,
    CLAUSE,
    CONTRAST,
    FIRST_CLAUSE,
    FROM,
    HAPPENED_WHEN,
    HOW_MANY,
    HOW_OFTEN,
    INTRODUCTION,
    MENTION,
    PREVENTED,
    QUOTED,
    TOLD,
    USUAL,
    WHEN,
    WHICH,
    WHY_LAST,
    WHY_LATER,
)
from turnwise.why.reading.cues import CLEAR, CUES, PHRASES, Cue
from turnwise.why.reading.words import (
    AUXILIARIES,
    BEFORE_NOUNS,
    NEGATIONS,
    NOTING,
    PRESENT,
    SAID,
    TIMES,
    content_of,
)

TURN = late_pattern(r"\b(?:in |at |of |im |in der )?(?:turn|runde|zug) (\d{1,9})\b")
"""The number of a turn in a folded text."""
_NTH_TURN = late_pattern(
    r"\b(?:the|der|dem|im) (?P<nth>first|second|third|fourth|fifth|ersten?|zweiten?|dritten?|vierten?|fünften?) "
    r"(?:turn|runde|zug)\b"
)
_STEP = late_pattern(r"\b(?:step|schritt) (\d{1,9})\b")
_NTH = ("first erste ersten", "second zweite zweiten", "third dritte dritten", "fourth vierte vierten")
_NOBODY = late_pattern(r"\bno[ -]one\b")
_ONE = late_pattern(
    r"\b(hat|hatte|wird|wurde|kann|konnte|muss|musste|soll|darf|warum|wieso|weshalb|dass|ob|wie|wenn) man\b"
)
"""The German pronoun, which is no man."""
_FIRST_TIME = late_pattern(r"\b(?:first|erste[mnrs]?|zuerst)\b")


class Quote(NamedTuple):
    """Words that a question repeats of the conversation: those of the machine, or of the user. They stand in quotation
    marks or after a word such as `said`. In an `aside` they only say when: `when I said 36`.
    """

    words: tuple[str, ...]
    is_aside: bool = False
    is_marked: bool = False
    is_by_machine: bool = False


class Sentence(NamedTuple):
    """A question in plain words. `unquoted` is its text without what it quotes, `clause` the part of it that asks.
    `main` has the words of that part, without what it repeats; `aside` those of the others. Numbers are digits in both.
    `turn` is the one that it names.
    """

    text: str
    unquoted: str
    clause: str
    main: tuple[str, ...]
    aside: tuple[str, ...]
    quotes: tuple[Quote, ...]
    turn: int | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all clauses, with what they repeat."""
        return (*self.main, *self.aside, *(word for quote in self.quotes for word in quote.words))

    @property
    def is_negated(self) -> bool:
        """Whether it asks why something is not so."""
        return not NEGATIONS.isdisjoint(self.main)

    @property
    def is_present(self) -> bool:
        """Whether it asks how something stands now."""
        return next((word in PRESENT for word in self.main if word in AUXILIARIES), False)

    @property
    def is_about_first(self) -> bool:
        """Whether the first of several moments is meant."""
        return _FIRST_TIME.search(self.text) is not None

    @property
    def is_about_time(self) -> bool:
        """Whether a time to come is asked for, or a time that passed."""
        return not TIMES.isdisjoint(self.words) or WHEN.match(self.text) is not None

    @property
    def is_about_when(self) -> bool:
        """Whether it asks when something happened."""
        return HAPPENED_WHEN.match(self.text) is not None

    @property
    def is_about_who(self) -> bool:
        """Whether it asks who did something."""
        return BY_WHOM.match(self.text) is not None

    @property
    def is_about_which(self) -> bool:
        """Whether it asks which of several, or where."""
        return WHICH.match(self.text) is not None

    @property
    def is_about_repetition(self) -> bool:
        """Whether it asks why something happened more than once, and not only how often."""
        return self.main[:1] == ("why",) and AGAIN.search(self.clause) is not None

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers in it that may be values."""
        return frozenset([word for quote in self.quotes for word in quote.words if word.isdecimal()])

    @property
    def asked(self) -> tuple[str, ...]:
        """The words of the clause that asks that may be words of the conversation."""
        said = (*self.main, *(word for quote in self.quotes if not quote.is_aside for word in quote.words))
        return content_of(said)

    @property
    def content(self) -> tuple[str, ...]:
        """The words that may be words of the conversation."""
        return content_of(self.words)

    @property
    def has_phrase(self) -> bool:
        """Whether it has a phrase that hints at something."""
        return has_phrase(self.unquoted)

    @property
    def is_about_itself(self) -> bool:
        """Whether the clause that asks hints at something by itself, so that the others only say when."""
        if _phrase_in(self.clause) is not None:
            return True
        found = cue_of(self.main)
        return found is not None and (found.kind in (*CLEAR, "end") or found.happening is not None)

    @property
    def is_about_move(self) -> bool:
        """Whether the clause that asks has a phrase for a move: `why was I let in`."""
        cue = _phrase_in(self.clause)
        return cue is not None and cue.happening in ("admission", "rejection", "return", "move")

    def cue(self) -> Cue | None:
        """Return what it hints at: its phrases, else its words, first those of the clause that asks."""
        own = [quote for quote in self.quotes if not quote.is_aside and not quote.is_by_machine]
        asked = [word for quote in own for word in quote.words]
        for text in (self.clause, self.unquoted):
            found = _phrase_in(text)
            if found is not None:
                return found
        for said in ((*self.main, *asked), self.words):
            found = cue_of(said)
            if found is not None:
                return found
        return None

    def misspelled_cue(self) -> Cue | None:
        """Return what a misspelled word hints at."""
        words = [word for word in self.content if len(word) >= _LEAST_MISSPELLED]
        found = next((one for word in words if (one := closest(word, _places())) is not None), None)
        return CUES[int(found[0])][1] if found is not None else None


_LEAST_MISSPELLED = 5


@cache
def _places() -> dict[str, str]:
    """Return the place in `CUES` of each of their words."""
    return {word: str(at) for at, (words, _) in reversed([*enumerate(CUES)]) for word in words}


@lru_cache(maxsize=64)
def _phrase_in(text: str) -> Cue | None:
    return next((cue for pattern, cue in PHRASES if pattern.search(text)), None)


def has_phrase(text: str) -> bool:
    """Return whether a text has a phrase that hints at something."""
    return _phrase_in(text.casefold()) is not None


def hint_of(said: tuple[str, ...]) -> Cue | None:
    """Return what words hint at: as a phrase, else one of them."""
    return _phrase_in(" ".join(said)) or cue_of(said)


def cue_of(said: Iterable[str]) -> Cue | None:
    """Return what single words hint at."""
    words = frozenset(said)
    forms = words | {form for word in words for form in forms_of(word)}
    return next((cue for known, cue in CUES if not known.isdisjoint(forms)), None)


def forms_of(word: str) -> Iterator[str]:
    """Yield the words of which a word may be a form: `end` of `ending`, `stop` of `stopping`, `hide` of `hiding`."""
    for ending in ("ing", "ed", "es", "s"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= _LEAST_BASE:
            yield from (base, f"{base}e", base[:-1] if base[-1] == base[-2] else base)


_LEAST_BASE = 3


def asks_how_usual(question: str) -> bool:
    """Return whether a question asks how often something is so."""
    return USUAL.search(question.casefold()) is not None


def asks_for_count(question: str, kind: SubjectKind) -> bool:
    """Return whether a question about a kind of subject asks how often that happened in the conversation."""
    folded = question.casefold()
    if HOW_OFTEN.search(folded):
        return True
    found = HOW_MANY.search(folded)
    return found is not None and found[1] not in TIMES and kind not in ("field", "question", "form")


def sentence_of(text: str, names: Container[str]) -> Sentence:
    """Take a question apart; what stands in quotes is one of the `names`, or is repeated from the conversation."""
    folded = _NOBODY.sub("nobody", text.casefold().replace("’", "'"))
    folded = _ONE.sub(r"\1 es", folded)
    folded = _NTH_TURN.sub(lambda found: f"turn {_nth(found['nth'])}", folded)
    if not any(name in names for name in ("step", "schritt", *(f"step_{one}" for one in _STEP.findall(folded)))):
        folded = _STEP.sub(r"turn \1", folded)
    found = TURN.search(folded)
    rest = TURN.sub(" ", folded)
    begins = INTRODUCTION.match(rest)
    rest = f"why {rest[begins.end() :]}" if begins is not None and begins[0] else rest
    last = WHY_LAST.search(rest)
    rest = f"why {rest[: last.start()]}" if last is not None else rest
    quotes: list[Quote] = []
    unquoted = _unquoted(rest, names, quotes)
    main, aside = _clauses(unquoted)
    clauses: list[tuple[str, ...]] = []
    for clause, is_aside in ((main, False), *((one, True) for one in aside)):
        kept, mentioned = _mentioned(clause, is_aside=is_aside)
        words = spoken(kept)
        quotes += [mentioned] if mentioned is not None else []
        quotes += [Quote((word,), is_aside) for word, after in pairwise((*words, "")) if _is_said(word, after)]
        clauses.append(words)
    others = tuple([word for clause in clauses[1:] for word in clause])
    turn = int(found[1]) if found is not None else None
    return Sentence(folded, unquoted, main, clauses[0], others, tuple(quotes), turn)


def _nth(word: str) -> int:
    return next((at for at, words in enumerate(_NTH, 1) if word in words.split()), len(_NTH) + 1)


def _is_said(word: str, after: str) -> bool:
    """Return whether a word is a number that may have been said, and no time such as `30 minutes`."""
    return word.isdecimal() and after not in TIMES


def _unquoted(text: str, names: Container[str], quotes: list[Quote]) -> str:
    """Return a text without what it quotes of the conversation, which goes to `quotes`."""
    parts, last = list[str](), 0
    for found in QUOTED.finditer(text):
        quoted, before = found[found.lastindex or 0], words_in(text[: found.start()])[-1:]
        if not words_in(quoted) or (quoted in names and not SAID.intersection(before)):
            continue
        said = MENTION.search(text)
        is_by_machine = said is not None and said.start() < found.start() and _is_by_machine(text[: said.start()])
        is_aside = _is_in_aside(text, found.start())
        quotes.append(Quote(spoken(quoted), is_aside, is_marked=True, is_by_machine=is_by_machine))
        parts.append(text[last : found.start()])
        last = found.end()
    return " ".join((*parts, text[last:]))


def _is_in_aside(text: str, at: int) -> bool:
    found = CLAUSE.search(text)
    return found is not None and bool(words_in(text[: found.start()])[1:]) and found.start() < at


def _clauses(text: str) -> tuple[str, list[str]]:
    """Return the clause that asks, and the others."""
    kept_from = PREVENTED.search(text)
    if kept_from is not None:
        return f"why not {kept_from[1]}", [text[: kept_from.start()]]
    for pattern in (WHY_LATER, FIRST_CLAUSE):
        before = pattern.search(text)
        if before is not None:
            main, aside = _clauses(f"why {text[before.end() :].removeprefix('why ')}")
            return main, [before["aside"], *aside]
    for pattern in (TOLD, CONTRAST, CLAUSE):
        for found in pattern.finditer(text):
            main, aside = text[: found.start()], text[found.start() :]
            around = AROUND.match(aside)
            if words_in(main)[1:]:
                return FROM.sub("", f"{main} {around['verb']}" if around is not None else main), [aside]
    return FROM.sub("", text), []


def _mentioned(clause: str, *, is_aside: bool) -> tuple[str, Quote | None]:
    """Return a clause up to a word such as `said`, and the words of the conversation that come after it."""
    found = MENTION.search(clause)
    while found is not None and _is_noun(clause[: found.start()], found["verb"]):
        found = MENTION.search(clause, found.start("words"))
    said = spoken(found["words"]) if found is not None else ()
    words = content_of(said)
    words = words or (said if is_aside and said[1:] else ())
    if found is None or not words:
        return clause, None
    return clause[: found.start("words")], Quote(words, is_aside, is_by_machine=_is_by_machine(clause[: found.start()]))


def _is_by_machine(before: str) -> bool:
    return BY_MACHINE.search(before) is not None


def _is_noun(before: str, verb: str) -> bool:
    """Return whether a word such as `answer` is a noun after some text: `my answer`; or a verb that needs no words of a
    message: `who wrote the result`.
    """
    last = words_in(before)[-1:]
    return bool(BEFORE_NOUNS.intersection(last)) or (last in (("who",), ("wer",)) and verb in NOTING)


_SPOKEN = late_pattern(r"(?i)\d[.,]\d|(?:teen|ty|hundred|thousand|zehn|zig|ßig|ssig|hundert|tausend)\b")


def has_spoken(text: str) -> bool:
    """Return whether a text may have numbers that are no digits alone."""
    return _SPOKEN.search(text) is not None


@lru_cache(maxsize=1024)
def spoken(text: str) -> tuple[str, ...]:
    """Return the words of a text, its numbers as digits: `thirty-five` and `fünfunddreißig` are `35`."""
    spans: dict[int, tuple[int, str]] = {}
    for code in CODES:
        read = text_of(text, shipped(code), _ANY_DAY)
        at = 0
        while at < len(read.tokens):
            found = number_at(read, at)
            if found is None or (read.kind(at) == "word" and not _is_amount(found.value)):
                at += 1
                continue
            start, stop = read.span(at, found.stop)
            spans.setdefault(start, (stop, f"{found.value:g}" if abs(found.value) < _EXACT else str(found.value)))
            at = found.stop
    return tuple(_with_digits(text, spans))


def _is_amount(value: float) -> bool:
    """Return whether a number in words is meant as one, and not as in `one of them` or `two model calls`."""
    return value >= _LEAST_SPOKEN


_LEAST_SPOKEN = 13
_EXACT = 1e6
_ANY_DAY = date(2000, 1, 1)


def _with_digits(text: str, spans: dict[int, tuple[int, str]]) -> Iterator[str]:
    last = 0
    for start, (stop, digits) in sorted(spans.items()):
        if start >= last:
            yield from words_in(text[last:start])
            yield digits
            last = stop
    yield from words_in(text[last:])
