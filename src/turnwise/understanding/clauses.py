"""A message as clauses: which words and readings belong together, and what colours them.

It marks doubt, negation, questions and corrections; what they do to a value is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token, touches
from turnwise.understanding.vocabulary.shape import length_at

ENDS_SENTENCE = frozenset(".!?…\n")
_ENDS_CLAUSE = ENDS_SENTENCE | frozenset(",;()/–—")
_SAYS_SOMETHING = frozenset("€$£%+<>=@*#")


class Clause(Struct, frozen=True):
    """A piece of a message between two breaks.

    `said` are its words outside readings and `places` their tokens; `foreign` are those that nothing
    here explains. `cues` are the tokens that say that it corrects something, `is_strong` that they leave
    no doubt of it; `olds` are readings that it takes back. `joint` is the word or mark before it.
    """

    first: int
    stop: int
    sentence: int
    said: tuple[str, ...]
    places: tuple[int, ...]
    readings: tuple[Reading, ...]
    joint: str = ""
    foreign: tuple[str, ...] = ()
    is_question: bool = False
    is_negated: bool = False
    is_doubtful: bool = False
    cues: tuple[int, ...] = ()
    is_strong: bool = False
    olds: tuple[Reading, ...] = ()

    def is_plain(self) -> bool:
        """True if nothing in it is unknown, doubtful, negated or asked."""
        return not (self.foreign or self.is_question or self.is_negated or self.is_doubtful)


class Heard(Struct, frozen=True):
    """A message taken apart."""

    message: str
    tokens: tuple[Token, ...]
    readings: tuple[Reading, ...]
    clauses: tuple[Clause, ...]

    def words(self, first: int, stop: int) -> tuple[int, int]:
        """The characters from one token up to another."""
        return self.tokens[first].start, self.tokens[stop - 1].end

    def text(self, first: int, stop: int) -> str:
        """The message from one token up to another, as typed."""
        start, end = self.words(first, stop)
        return self.message[start:end]


def clauses_of(tokens: tuple[Token, ...], readings: tuple[Reading, ...], situation: Situation) -> tuple[Clause, ...]:
    """The clauses of a message, coloured."""
    wholes = _pieces(tokens, readings, situation)
    pieces = [piece for whole in wholes for piece in _split_answer(whole, readings, situation)]
    return tuple(_coloured(piece, situation) for piece in pieces if piece.said or piece.readings)


# breaks --------------------------------------------------------------------------------------------


def _pieces(tokens: tuple[Token, ...], readings: tuple[Reading, ...], situation: Situation) -> Iterator[Clause]:
    by_first = {reading.first: reading for reading in readings}
    first, sentence, at, joint = 0, 0, 0, ""
    words: list[str] = []
    places: list[int] = []
    own: list[Reading] = []
    while at <= len(tokens):
        if at < len(tokens) and at in by_first:
            own.append(by_first[at])
            at = by_first[at].stop
            continue
        if at == len(tokens) or _breaks(tokens, at, words, situation):
            yield Clause(first, at, sentence, tuple(words), tuple(places), tuple(own), joint)
            words, places, own = [], [], []
            joint = tokens[at].word if at < len(tokens) else ""
            sentence += joint in ENDS_SENTENCE and bool(joint)
            first = at + 1
        elif tokens[at].kind != "mark" or tokens[at].text in _SAYS_SOMETHING:
            words.append(tokens[at].word)
            places.append(at)
        at += 1


def _breaks(tokens: tuple[Token, ...], at: int, words: list[str], situation: Situation) -> bool:
    token, speech = tokens[at], situation.vocabulary.speech
    if token.kind == "mark":
        if token.text == "." and _is_inner_stop(tokens, at, situation):
            return False
        return token.text in _ENDS_CLAUSE or (token.text == "-" and _is_dash(tokens, at))
    if token.word in speech.contrasts:
        return not speech.universals.intersection(words)
    return token.word in speech.joints and not speech.alternatives.intersection(words)


def _is_inner_stop(tokens: tuple[Token, ...], at: int, situation: Situation) -> bool:
    """True for the stop of `Dr.` and of `example.com`."""
    before = tokens[at - 1].word if at else ""
    joins = touches(tokens, at) and at > 0 and tokens[at - 1].end == tokens[at].start and tokens[at + 1].kind == "word"
    return joins or before in situation.vocabulary.naming.abbreviations


def _is_dash(tokens: tuple[Token, ...], at: int) -> bool:
    return at > 0 and tokens[at - 1].end < tokens[at].start and not touches(tokens, at)


def _split_answer(piece: Clause, readings: tuple[Reading, ...], situation: Situation) -> Iterator[Clause]:
    """Cuts a yes or no (or a sigh) off what follows it without a comma: `yes I'm 45`, `no it's 55`."""
    follows = bool(readings) and readings[0].first < piece.first
    size = _answer_size(piece, situation, follows=follows)
    if not size or (size == len(piece.said) and not piece.readings):
        yield piece
        return
    cut = piece.places[size - 1] + 1
    yield Clause(piece.first, cut, piece.sentence, piece.said[:size], piece.places[:size], (), piece.joint)
    rest = replace(piece, first=cut, said=piece.said[size:], places=piece.places[size:], joint=",")
    yield from _split_answer(rest, readings, situation) if rest.said else iter((rest,))


def _answer_size(piece: Clause, situation: Situation, *, follows: bool) -> int:
    """How many words at the beginning are an answer of their own; `follows`: a value came before."""
    speech = situation.vocabulary.speech
    if not piece.said or piece.said[0] not in speech.answers or piece.places[0] != _begin(piece):
        return 0
    tables = (speech.yes, speech.no, speech.doubt, speech.idle)
    yes, no, doubt, idle = (length_at(table, piece.said, 0) for table in tables)
    size = max(yes, no)
    if not size or max(doubt, idle) >= size:
        return 0
    if size == 1 and piece.said[0] in speech.refusals:
        return 1 if _is_followed_by_statement(piece, situation, follows=follows) else 0
    if size > 1 and piece.said[size - 1] in speech.negators:
        return 1 if piece.said[0] in speech.refusals else 0
    leads_to_value = any(reading.first == piece.places[size - 1] + 1 for reading in piece.readings)
    return 1 if leads_to_value else size


def _begin(piece: Clause) -> int:
    """The first token of a clause that says or means something."""
    return min([*piece.places[:1], *(reading.first for reading in piece.readings[:1])])


def _is_followed_by_statement(piece: Clause, situation: Situation, *, follows: bool) -> bool:
    """True where a "no" answers (`no it's 55`) rather than denies the next word (`no ham`)."""
    speech = situation.vocabulary.speech
    after = piece.places[0] + 1
    if len(piece.said) > 1 and piece.places[1] == after:
        return piece.said[1] in speech.filler or piece.said[1] in speech.refusals
    may_correct = follows or situation.asked is None or situation.asked.value is not None
    if not may_correct or not piece.readings or piece.readings[0].first != after:
        return False
    reading = piece.readings[0]
    return not any(one.kind in ("option", "duration") for one in (reading, *reading.others))


# colours -------------------------------------------------------------------------------------------


def _coloured(piece: Clause, situation: Situation) -> Clause:
    speech = situation.vocabulary.speech
    foreign: list[str] = []
    is_negated = is_doubtful = False
    at = 0
    while at < len(piece.said):
        word = piece.said[at]
        doubt, size = length_at(speech.doubt, piece.said, at), _known_size(piece, at, situation)
        if doubt and doubt >= size:
            is_doubtful, at = True, at + doubt
            continue
        if size:
            at += size
            continue
        is_negated = is_negated or word in speech.negators
        is_doubtful = is_doubtful or word in speech.alternatives
        if not (_explains(word, situation) or _explained_by_place(piece, at, situation)):
            foreign.append(word)
        at += 1
    is_doubtful = is_doubtful or _may_be(piece, situation)
    coloured = replace(piece, foreign=tuple(foreign), is_negated=is_negated, is_doubtful=is_doubtful)
    return _with_olds(_with_cues(coloured, situation), situation)


def _may_be(piece: Clause, situation: Situation) -> bool:
    """True for `es könnte … sein`."""
    speech = situation.vocabulary.speech
    return (
        bool(piece.said)
        and piece.said[-1] in speech.final_fillers
        and piece.said[0] in speech.impersonal
        and bool(speech.modals.intersection(piece.said))
    )


def _known_size(piece: Clause, at: int, situation: Situation) -> int:
    """How many words a phrase takes that says nothing more than itself."""
    speech, said = situation.vocabulary.speech, piece.said
    whole_no = length_at(speech.no, said, at)
    if at == 0 and whole_no == len(said) and not piece.readings:
        return whole_no
    tables = (speech.fill_phrases, speech.yes, speech.idle, speech.strong_cues, speech.weak_cues, speech.requests)
    size = max(length_at(table, said, at) for table in tables)
    return size if size > 1 or said[at] not in speech.negators else 0


def _explains(word: str, situation: Situation) -> bool:
    speech = situation.vocabulary.speech
    small = word in speech.filler or word in speech.negators or word in speech.hedges or word in speech.small_adverbs
    return small or situation.labels.knows(word)


def _explained_by_place(piece: Clause, at: int, situation: Situation) -> bool:
    """True for a verb at the very end (`soll 40 sein`) and a part of the day after a day (`Friday evening`)."""
    word, vocabulary = piece.said[at], situation.vocabulary
    if at == len(piece.said) - 1 and word in vocabulary.speech.final_fillers:
        return True
    after_day = any(reading.stop == piece.places[at] and reading.kind == "date" for reading in piece.readings)
    is_pronoun = word in vocabulary.speech.pronouns and situation.asks_about_third
    before_number = any(
        reading.first == piece.places[at] + 1 and reading.kind == "number" for reading in piece.readings
    )
    before_option = any(
        reading.first == piece.places[at] + 1 and reading.kind == "option" for reading in piece.readings
    )
    if before_option and word in vocabulary.speech.attributes:
        return True
    is_place = before_number and word in vocabulary.numbers.place_words and situation.asks_option
    return is_pronoun or is_place or (after_day and word in vocabulary.calendar.parts)


def _with_cues(piece: Clause, situation: Situation) -> Clause:
    speech = situation.vocabulary.speech
    cues: list[int] = []
    is_strong = False
    for at in range(len(piece.said)):
        strong = length_at(speech.strong_cues, piece.said, at)
        weak = length_at(speech.weak_cues, piece.said, at)
        is_answer = at == 0 and weak == len(piece.said) and not piece.readings
        if strong or (weak and (is_answer or piece.said[at] not in speech.refusals)):
            cues.append(piece.places[at])
            is_strong = is_strong or bool(strong)
    return replace(piece, cues=tuple(cues), is_strong=is_strong)


def _kept_before_not(piece: Clause, situation: Situation) -> tuple[Reading, ...]:
    """What stands before a "not" that sets it against what follows: `46 not 54`."""
    speech = situation.vocabulary.speech
    after_value = {reading.stop for reading in piece.readings}
    for at, word in zip(piece.places, piece.said, strict=True):
        if at in after_value and word in speech.negators - speech.refusals:
            kept = tuple(reading for reading in piece.readings if reading.stop <= at)
            return kept if len(kept) < len(piece.readings) else ()
    return ()


def _with_olds(piece: Clause, situation: Situation) -> Clause:
    """Marks what a clause takes back: all that it negates, `from 45`, `statt 45`, `instead of 45`."""
    if piece.is_negated:
        kept = _kept_before_not(piece, situation)
        olds = tuple(reading for reading in piece.readings if reading not in kept)
        return replace(piece, olds=olds, is_negated=not kept)
    before = dict(zip(piece.places, piece.said, strict=True))
    taken_back: list[Reading] = []
    explained: set[str] = set()
    for reading in piece.readings:
        word, earlier = before.get(reading.first - 1, ""), before.get(reading.first - 2, "")
        speech = situation.vocabulary.speech
        is_away = word in speech.instead or (word in speech.away and piece.is_strong)
        if is_away or earlier in speech.away_led or earlier in speech.instead:
            taken_back.append(reading)
            explained |= {word, earlier}
    foreign = tuple(word for word in piece.foreign if word not in explained)
    return replace(piece, olds=tuple(taken_back), foreign=foreign)
