"""Splits a message into clauses: words and readings that belong together, with their doubt, negation and correction.

Clauses are marked as doubtful, negated, asked or correcting; what that does to a value is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.scan import readings_of
from turnwise.understanding.situation import Situation
from turnwise.understanding.vocabulary.speech_shape import Speech
from turnwise.understanding.vocabulary.tables import Phrases, is_one_of, length_at

_ENDS_SENTENCE = frozenset(".!?…\n")
_ENDS_CLAUSE = _ENDS_SENTENCE | frozenset(",;()/–—")
_SAYS_SOMETHING = frozenset("€$£%+<>=@*#")


class Clause(Struct, frozen=True):
    """A piece of a message between two breaks, such as commas and conjunctions."""

    first: int
    """The index of the first token of the clause in the message, from 0."""
    stop: int
    """The index of the token after the last one of the clause."""
    sentence: int
    """The number of the sentence of the clause in the message, from 0."""
    said: tuple[str, ...]
    """The folded words of the clause that are not part of a value."""
    places: tuple[int, ...]
    """The token indices of the words in `said`, in the same order."""
    readings: tuple[Reading, ...]
    """The values that tokens of the clause mean."""
    joint: str = ""
    """The word or mark that joins the clause to the one before; empty for the first clause."""
    foreign: tuple[str, ...] = ()
    """The words of the clause that the rules do not know."""
    is_question: bool = False
    """True if the clause asks something."""
    is_negated: bool = False
    """True if the clause denies something."""
    is_doubtful: bool = False
    """True if the clause leaves something open."""
    cues: tuple[int, ...] = ()
    """The indices of the tokens by which the clause corrects something."""
    is_strong: bool = False
    """True if the cues leave no doubt that the clause corrects something."""
    olds: tuple[Reading, ...] = ()
    """The values that the clause takes back: `Berlin` in `not Berlin but Bonn`."""

    def is_assertion(self) -> bool:
        """Return whether the clause states something, without doubt, negation or question."""
        return not (self.is_question or self.is_negated or self.is_doubtful)

    def words_before(self, at: int) -> list[str]:
        """Return the words of the clause (`said`) before the token with index `at`."""
        return [word for place, word in zip(self.places, self.said, strict=True) if place < at]

    def words_after(self, at: int) -> list[str]:
        """Return the words of the clause (`said`) from the token with index `at` on."""
        return [word for place, word in zip(self.places, self.said, strict=True) if place >= at]


class ParsedMessage(Struct, frozen=True):
    """A message with the values and clauses that were found in it."""

    text: Text
    """The message as tokens."""
    readings: tuple[Reading, ...]
    """The values that tokens of the message mean, in order."""
    clauses: tuple[Clause, ...]
    """The clauses of the message, in order."""
    situation: Situation
    """The fields and commands that the message may propose."""

    def span(self, part: Clause | Reading) -> tuple[int, int]:
        """Return the first and the end offset of a clause or reading in the message, in characters, end exclusive."""
        return self.text.span(part.first, part.stop)

    def typed(self, part: Clause) -> str:
        """Return the text of a clause as the user typed it."""
        return self.text.as_typed(part.first, part.stop)

    def whole(self) -> tuple[int, int]:
        """Return the offset of the first token in the message and the offset behind the last one, in characters."""
        return self.text.span(0, len(self.text.tokens))

    def all_words(self) -> tuple[str, ...]:
        """Return all folded words of the message, without punctuation."""
        return self.text.words_between(0, len(self.text.tokens))

    def statements(self) -> list[Clause]:
        """Return the clauses that are not questions."""
        return [clause for clause in self.clauses if not clause.is_question]


def parse(text: Text, situation: Situation) -> ParsedMessage:
    """Return a message with its values and clauses, from its tokens."""
    readings = readings_of(text, situation)
    pieces = [piece for whole in _pieces(text, readings) for piece in _without_answer(whole, readings, situation)]
    clauses = [_coloured(piece, situation) for piece in pieces if piece.said or piece.readings]
    return ParsedMessage(text, readings, tuple(_with_questions(clauses, text)), situation)


# breaks --------------------------------------------------------------------------------------------


def _pieces(text: Text, readings: tuple[Reading, ...]) -> Iterator[Clause]:
    """Yield the clauses of a message, split at punctuation and joining words."""
    by_first = {reading.first: reading for reading in readings}
    first, sentence, at, joint = 0, 0, 0, ""
    said: list[str] = []
    places: list[int] = []
    own: list[Reading] = []
    while at <= len(text.tokens):
        if at in by_first:
            own.append(by_first[at])
            at = by_first[at].stop
            continue
        if at == len(text.tokens) or _breaks(text, at, said):
            yield Clause(first, at, sentence, tuple(said), tuple(places), tuple(own), joint)
            said, places, own, joint = [], [], [], text.words[at]
            sentence += joint in _ENDS_SENTENCE
            first = at + 1
        elif text.kind(at) != "mark" or text.words[at] in _SAYS_SOMETHING:
            said.append(text.words[at])
            places.append(at)
        at += 1


def _breaks(text: Text, at: int, said: list[str]) -> bool:
    """True if a clause ends before a token; `said` are its words so far."""
    word, speech, before = text.words[at], text.vocabulary.speech, text.words[at - 1]
    if text.kind(at) != "mark":
        if word in speech.contrasts:
            return speech.universals.isdisjoint(said)
        return word in speech.joints and speech.alternatives.isdisjoint(said)
    if word == ".":  # but not the stop of `Dr.` and of `example.com`
        joins = text.is_joined_to_next(at - 1) and text.is_joined_to_next(at) and text.kind(at + 1) == "word"
        return not (joins or before in text.vocabulary.naming.abbreviations)
    is_dash = word == "-" and at > 0 and not text.is_joined_to_next(at - 1) and not text.is_joined_to_next(at)
    return word in _ENDS_CLAUSE or is_dash


def _without_answer(piece: Clause, readings: tuple[Reading, ...], situation: Situation) -> Iterator[Clause]:
    """Split a leading yes, no or interjection from the rest of a clause without a comma: `yes I'm 45`, `no it's 55`."""
    follows = bool(readings) and readings[0].first < piece.first
    size = _answer_size(piece, situation, follows=follows)
    if not size or (size == len(piece.said) and not piece.readings):
        yield piece
        return
    cut = piece.places[size - 1] + 1
    yield Clause(piece.first, cut, piece.sentence, piece.said[:size], piece.places[:size], (), piece.joint)
    rest = replace(piece, first=cut, said=piece.said[size:], places=piece.places[size:], joint=",")
    yield from _without_answer(rest, readings, situation) if rest.said else iter((rest,))


def _answer_size(piece: Clause, situation: Situation, *, follows: bool) -> int:
    """Return how many leading words are an answer by themselves; `follows` is true if a value precedes the clause."""
    speech, said = situation.speech, piece.said
    is_behind_value = bool(piece.readings) and bool(said) and piece.readings[0].first < piece.places[0]
    if not said or said[0] not in speech.answers or is_behind_value:
        return 0
    size = max(length_at(speech.yes, said, 0), length_at(speech.no, said, 0))
    if not size or max(length_at(speech.doubt, said, 0), length_at(speech.idle, said, 0)) >= size:
        return 0
    if size == 1 and said[0] in speech.refusals:
        return 1 if _is_followed_by_statement(piece, situation, follows=follows) else 0
    if size > 1 and said[size - 1] in speech.negators:
        return 1 if said[0] in speech.refusals else 0
    leads_to_value = any(reading.first == piece.places[size - 1] + 1 for reading in piece.readings)
    return 1 if leads_to_value else size


def _is_followed_by_statement(piece: Clause, situation: Situation, *, follows: bool) -> bool:
    """True where a "no" is an answer (`no it's 55`), not a negation of the next word (`no ham`)."""
    after = piece.places[0] + 1
    if after in piece.places:
        return piece.said[1] in situation.speech.filler or piece.said[1] in situation.speech.refusals
    may_correct = follows or situation.asked is None or situation.asked.value is not None
    if not may_correct or not piece.readings or piece.readings[0].first != after:
        return False
    reading = piece.readings[0]
    kinds = {one.kind for one in (reading, *reading.others)}
    return "option" not in kinds and ("duration" not in kinds or follows)


# colours -------------------------------------------------------------------------------------------


def _coloured(piece: Clause, situation: Situation) -> Clause:
    """Return a clause with its unknown words, doubt, negation and corrections marked."""
    speech, said = situation.speech, piece.said
    foreign: list[str] = []
    is_negated = is_doubtful = False
    at = 0
    while at < len(said):
        doubt, size = length_at(speech.doubt, said, at), _known_size(piece, at, situation)
        if doubt and doubt >= size:
            is_doubtful, at = True, at + doubt
            continue
        if not size:
            is_negated = is_negated or said[at] in speech.negators
            is_doubtful = is_doubtful or said[at] in speech.alternatives
            if not _is_explained(piece, at, situation):
                foreign.append(said[at])
        at += size or 1
    if said and said[-1] in speech.final_fillers and said[0] in speech.impersonal:  # `es könnte … sein`
        is_doubtful = is_doubtful or not speech.modals.isdisjoint(said)
    coloured = replace(piece, foreign=tuple(foreign), is_negated=is_negated, is_doubtful=is_doubtful)
    return _with_olds(_with_cues(coloured, speech), speech)


def _known_size(piece: Clause, at: int, situation: Situation) -> int:
    """Return the length in words of a set phrase that adds no information; 0 if there is none here."""
    speech, said = situation.speech, piece.said
    if at == 0 and length_at(speech.no, said, 0) == len(said) and not piece.readings:
        return len(said)
    tables = (speech.fill_phrases, speech.yes, speech.idle, speech.strong_cues, speech.weak_cues, speech.requests)
    size = max(length_at(table, said, at) for table in tables)
    return size if size > 1 or said[at] not in speech.negators else 0


def _is_explained(piece: Clause, at: int, situation: Situation) -> bool:
    """True if a word needs no reading: a filler, the name of a field, or a word explained by its place: a final verb
    (`soll 40 sein`), a part of the day after a day (`Friday evening`), what counts or describes an option.
    """
    word, place, speech = piece.said[at], piece.places[at], situation.speech
    if word in speech.filler or word in speech.negators or word in speech.hedges or word in speech.small_adverbs:
        return True
    if situation.labels.names_field(word) or (at == len(piece.said) - 1 and word in speech.final_fillers):
        return True
    if word in speech.pronouns and situation.asks_about_third:
        return True
    before = {reading.kind for reading in piece.readings if reading.stop == place}
    if "date" in before and word in situation.vocabulary.calendar.parts:
        return True
    after = {reading.kind for reading in piece.readings if reading.first == place + 1}
    is_place = "number" in after and word in situation.vocabulary.numbers.place_words and situation.asks_option
    return is_place or ("option" in after and word in speech.attributes)


def _with_cues(piece: Clause, speech: Speech) -> Clause:
    """Marks the words by which a clause corrects something; a word of refusal counts only if it is the whole clause."""
    cues: list[int] = []
    is_strong = False
    for at, (place, word) in enumerate(zip(piece.places, piece.said, strict=True)):
        strong = length_at(speech.strong_cues, piece.said, at)
        weak = length_at(speech.weak_cues, piece.said, at)
        is_answer = at == 0 and weak == len(piece.said) and not piece.readings
        if strong or (weak and (is_answer or word not in speech.refusals)):
            cues.append(place)
            is_strong = is_strong or bool(strong)
    return replace(piece, cues=tuple(cues), is_strong=is_strong)


def _with_olds(piece: Clause, speech: Speech) -> Clause:
    """Marks the old values that a clause replaces: all that it negates, `from 45`, `statt 45`, `instead of 45`."""
    words = dict(zip(piece.places, piece.said, strict=True))
    if piece.is_negated:
        # a "not" right behind a value sets it against what follows: `46 not 54`
        stops, negators = [reading.stop for reading in piece.readings], speech.negators - speech.refusals
        against = next((at for at, word in words.items() if at in stops and word in negators), piece.stop)
        olds = tuple(reading for reading in piece.readings if reading.stop > against)
        return replace(piece, olds=olds or piece.readings, is_negated=not olds)
    taken_back: list[Reading] = []
    explained: set[str] = set()
    for reading in piece.readings:
        word, earlier = words.get(reading.first - 1, ""), words.get(reading.first - 2, "")
        is_away = word in speech.instead or (word in speech.away and piece.is_strong)
        if is_away or earlier in speech.away_led or earlier in speech.instead:
            taken_back.append(reading)
            explained |= {word, earlier}
    foreign = tuple(word for word in piece.foreign if word not in explained)
    return replace(piece, olds=tuple(taken_back), foreign=foreign)


def without_phrases(said: Sequence[str], situation: Situation) -> list[str]:
    """Return folded words without the filler phrases among them, such as `at the moment`."""
    kept: list[str] = []
    at = 0
    while at < len(said):
        size = length_at(situation.speech.fill_phrases, said, at)
        if not size:
            kept.append(said[at])
        at += size or 1
    return kept


# questions -----------------------------------------------------------------------------------------


def _with_questions(clauses: list[Clause], text: Text) -> Iterator[Clause]:
    """Marks the clauses of each sentence that belong to a question."""
    for _, some in groupby(clauses, key=lambda clause: clause.sentence):
        sentence = list(some)
        begin = _question_begin(sentence, text)
        yield from (replace(clause, is_question=at >= begin) for at, clause in enumerate(sentence))


def _question_begin(sentence: list[Clause], text: Text) -> int:
    """Return the index of the first clause of a question in a sentence; its length if there is none."""
    speech, has_mark = text.vocabulary.speech, sentence_asks(sentence, text)
    for at, clause in enumerate(sentence):
        if is_led_by(speech.requests, clause.said, speech):
            return len(sentence)
        is_behind_value = clause.readings and clause.said and clause.readings[0].first < clause.places[0]
        is_answer = any(is_one_of(table, clause.said) for table in (speech.yes, speech.no, speech.doubt))
        if not clause.said or is_behind_value or is_answer:
            continue
        first = next((word for word in clause.said if word not in speech.starters), "")
        if is_led_by(speech.inverted, clause.said, speech) or (has_mark and first in speech.openers):
            return at
    last = sentence[-1]
    is_tag = len(sentence) > 1 and not last.readings and len(last.said) == 1 and last.said[0] in speech.tags
    return 0 if has_mark and not is_tag else len(sentence)


def is_led_by(table: Phrases, said: Sequence[str], speech: Speech) -> bool:
    """Return whether the words `said` begin with a phrase of a table; filler words (of `speech`) before it
    are ignored.
    """
    for at, word in enumerate(said):
        if length_at(table, said, at):
            return True
        if word not in speech.starters:
            return False
    return False


def questions_of(clauses: Sequence[Clause], text: Text) -> list[tuple[int, int]]:
    """Return the questions among the clauses as pairs of token indices, the second exclusive and behind the question
    mark.
    """
    sentences = groupby((clause for clause in clauses if clause.is_question), key=lambda clause: clause.sentence)
    asked = [list(some) for _, some in sentences]
    return [(some[0].first, _question_end(some, text)[0]) for some in asked]


def sentence_asks(sentence: Sequence[Clause], text: Text) -> bool:
    """Return whether the clauses of a sentence end with a question mark."""
    return _question_end(sentence, text)[1]


def _question_end(sentence: Sequence[Clause], text: Text) -> tuple[int, bool]:
    """Return the token after a sentence and its question mark, and whether it has one."""
    stop = sentence[-1].stop
    while stop < len(text.tokens) and text.words[stop] not in _ENDS_SENTENCE:
        stop += 1
    at = stop
    while text.words[at] in ("!", "?"):
        at += 1
    has_mark = "?" in text.words[stop:at]
    return at if has_mark else stop, has_mark
