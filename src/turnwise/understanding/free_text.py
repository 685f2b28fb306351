"""Names and other free texts that a message gives to a field by naming it.

It takes "my name is Ada" and "my city is Berlin"; it never takes "I am tired".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.commands.exposure import ExposedField
from turnwise.understanding.calendar import day_at
from turnwise.understanding.readings import Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token, touches
from turnwise.understanding.vocabulary.shape import Phrases, length_at

_MOST_NAME_WORDS = 6
_MOST_SMALL_WORDS = 3
_ENDS = frozenset(".,;!?\n()")


def text_at(message: str, tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    """The free text that begins at a token with the words that name its field."""
    found = _named_text(message, tokens, at, situation) or _person_name(message, tokens, at, situation)
    return None if found is None or _is_anothers(tokens, at, found, situation) else found


def _is_anothers(tokens: tuple[Token, ...], at: int, found: Reading, situation: Situation) -> bool:
    """True for a name that belongs to somebody whom its field does not name (`my wife's name is Eva`)."""
    possessors, before = situation.vocabulary.naming.possessors, tokens[at - 1].word if at else ""
    if tokens[at].word in possessors:
        return True
    if not (before.endswith("'s") or before in possessors):
        return False
    return not situation.labels.named((before,)).intersection(found.value)


# names of people -----------------------------------------------------------------------------------


def _person_name(message: str, tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    field, naming = situation.named_person, situation.vocabulary.naming
    if field is None:
        return None
    for frames, is_open in _frames(situation, field):
        size = _frame(tokens, at, frames)
        begin = at + size
        if begin < len(tokens) and tokens[begin].text == ":":
            begin += 1
        says_self = bool(size) and situation.asked is field and _frame(tokens, at, naming.self_frames) == size
        is_lone = says_self and _is_lone_name(tokens, begin, situation)
        stop = _name_stop(tokens, begin, situation, is_open=is_open or is_lone) if size else begin
        if stop > begin:
            text = message[tokens[begin].start : tokens[stop - 1].end]
            return Reading("text", {field.address: text}, at, stop, 1.0 if is_open else 0.9)
    return None


def _is_lone_name(tokens: tuple[Token, ...], at: int, situation: Situation) -> bool:
    """True for an unknown word that ends its clause and has no adjective's ending (`i'm ada`, not `i'm bored`); who
    writes capitals would begin a name with one.
    """
    if at >= len(tokens) or tokens[at].kind != "word" or not tokens[at].text.islower():
        return False
    ends = at + 1 == len(tokens) or tokens[at + 1].text in _ENDS
    writes_capitals = any(token.kind == "word" and token.text[0].isupper() for token in tokens)
    return ends and not writes_capitals and not tokens[at].word.endswith(situation.vocabulary.naming.adjective_endings)


def _frames(situation: Situation, field: ExposedField) -> Iterator[tuple[Phrases, bool]]:
    naming = situation.vocabulary.naming
    yield naming.frames, True
    if situation.asked is field:
        yield naming.asked_frames, False
    elif field.value is None:
        yield naming.free_frames, False


def _frame(tokens: tuple[Token, ...], at: int, frames: Phrases) -> int:
    return length_at(frames, [token.word for token in tokens[at : at + 6]], 0)


def _name_stop(tokens: tuple[Token, ...], begin: int, situation: Situation, *, is_open: bool) -> int:
    """The token after a name; `begin` itself where there is none. `is_open`: the frame says it is a name."""
    if begin >= len(tokens) or not _may_begin(tokens, begin, situation, is_open=is_open):
        return begin
    is_capital = tokens[begin].text[0].isupper()
    stop, count = begin + 1, 1
    while stop < len(tokens) and (more := _name_part(tokens, stop, situation, is_capital=is_capital)):
        stop, count = stop + more, count + (tokens[stop].kind == "word")
    most = _MOST_NAME_WORDS if is_capital else _MOST_SMALL_WORDS
    return stop if count <= most else begin


def _may_begin(tokens: tuple[Token, ...], at: int, situation: Situation, *, is_open: bool) -> bool:
    token, naming, speech = tokens[at], situation.vocabulary.naming, situation.vocabulary.speech
    if (
        token.kind != "word"
        or token.word.endswith("'s")
        or token.word in speech.negators
        or token.word in naming.not_names
    ):
        return False
    if token.word in situation.vocabulary.calendar.months and day_at(tokens, at, situation.almanac):
        return False
    if token.text[0].isupper():
        return is_open or is_initial(tokens, at) or (not _is_known(token.word, situation) and not _shouts(tokens, at))
    return is_open and not _is_known(token.word, situation)


def _shouts(tokens: tuple[Token, ...], at: int) -> bool:
    """True where everything is in capitals, so that a capital tells nothing."""
    return len(tokens[at].text) > 1 and all(token.text.isupper() for token in tokens if token.kind == "word")


def _name_part(tokens: tuple[Token, ...], at: int, situation: Situation, *, is_capital: bool) -> int:
    """How many tokens more belong to a name: a word, a particle, a hyphen, the stop of a title."""
    token, naming = tokens[at], situation.vocabulary.naming
    if token.text == "." and _is_short_form(tokens, at, situation) and at + 1 < len(tokens):
        return 1 if tokens[at + 1].text[0].isupper() else 0
    if token.text == "-":
        joins = touches(tokens, at) and tokens[at - 1].end == token.start
        return 2 if joins and tokens[at + 1].kind == "word" else 0
    if token.kind != "word":
        return 0
    follows = at + 1 < len(tokens) and tokens[at + 1].kind == "word" and tokens[at + 1].text[0].isupper()
    if token.word in naming.particles and (follows or token.text[0].isupper()):
        return 1
    if is_initial(tokens, at):
        return 1
    if _is_known(token.word, situation) or token.word in naming.not_names:
        return 0
    return 1 if token.text[0].isupper() or not is_capital else 0


def is_initial(tokens: tuple[Token, ...], at: int) -> bool:
    """True for a capital letter with a stop that another capital follows (`David I. Thompson`)."""
    token = tokens[at]
    is_letter = token.kind == "word" and len(token.text) == 1 and token.text.isupper()
    if not is_letter or at + 2 >= len(tokens) or tokens[at + 1].text != "." or not touches(tokens, at):
        return False
    return tokens[at + 2].kind == "word" and tokens[at + 2].text[0].isupper()


def _is_short_form(tokens: tuple[Token, ...], at: int, situation: Situation) -> bool:
    before = tokens[at - 1]
    return before.end == tokens[at].start and (
        before.word in situation.vocabulary.naming.abbreviations or len(before.text) == 1
    )


def _is_known(word: str, situation: Situation) -> bool:
    """True if a word means something else here."""
    vocabulary = situation.vocabulary
    speech, calendar, numbers = vocabulary.speech, vocabulary.calendar, vocabulary.numbers
    return (
        word in speech.filler
        or word in vocabulary.naming.name_words
        or word in speech.negators
        or word in speech.alternatives
        or word in speech.others
        or word in speech.openers
        or word in calendar.weekdays
        or (word,) in calendar.relative
        or word in numbers.ones
        or word in numbers.tens
        or word in situation.options.phrases
        or (word,) in speech.yes.get(word, ())
        or (word,) in speech.no.get(word, ())
        or (word,) in speech.doubt.get(word, ())
    )


def is_bare_name(tokens: tuple[Token, ...], situation: Situation) -> bool:
    """True if tokens are nothing but a name: few words, none of which means anything else."""
    said = [token for token in tokens if token.kind == "word"]
    if not said or len(said) > _MOST_NAME_WORDS or any(token.kind in ("number", "email") for token in tokens):
        return False
    naming = situation.vocabulary.naming
    initials = {token.start for at, token in enumerate(tokens) if is_initial(tokens, at)}
    own = [token for token in said if len(said) == 1 or token.word not in naming.particles]
    own = [token for token in own if token.start not in initials]
    own = [token for token in own if token.word not in naming.also_names or token.text[0].islower()]
    if any(_is_known(token.word, situation) or token.word in naming.not_names for token in own):
        return False
    if any(token.text[0].isupper() for token in own) and any(token.text[0].islower() for token in own):
        return False
    return all(token.text in ".-'" for token in tokens if token.kind == "mark")


# other free texts ----------------------------------------------------------------------------------


def _named_text(message: str, tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    """`My city is Berlin`, `company: Acme`, `change my city to Hamburg`."""
    verbs = situation.vocabulary.requests.edit_verbs
    is_edit = tokens[at].word in verbs
    label = _label(tokens, at + 1 if is_edit else at, situation)
    if label is None:
        return None
    field, after = label
    begin = _target(tokens, after, situation) if is_edit else _copula(tokens, after, situation)
    is_name = field.address in situation.labels.persons
    if not begin or begin >= len(tokens):
        return None
    stop = _name_stop(tokens, begin, situation, is_open=True) if is_name else _text_stop(tokens, begin, situation)
    if stop <= begin:
        return None
    is_explicit = is_edit or tokens[begin - 1].text == ":"
    if not is_explicit and not is_name and not _is_proper(tokens[begin], situation):
        return None
    text = message[tokens[begin].start : tokens[stop - 1].end]
    return Reading("text", {field.address: text}, at, stop)


def _label(tokens: tuple[Token, ...], at: int, situation: Situation) -> tuple[ExposedField, int] | None:
    """The free-text field that the next words name, and the token after them."""
    owners = situation.vocabulary.naming.own | situation.vocabulary.requests.target_links
    begin = at
    while (
        begin < min(at + 4, len(tokens))
        and tokens[begin].word in owners
        and not situation.labels.knows(tokens[begin].word)
    ):
        begin += 1
    stop = begin
    while stop < len(tokens) and stop < begin + 3 and situation.labels.knows(tokens[stop].word):
        stop += 1
    named = situation.labels.named(token.word for token in tokens[begin:stop])
    found = [field for field in situation.exposed.fields if field.address in named and field.is_free_text]
    return (found[0], stop) if len(found) == 1 and stop > begin else None


def _copula(tokens: tuple[Token, ...], at: int, situation: Situation) -> int:
    if at < len(tokens) and tokens[at].text in (":", "="):
        return at + 1
    size = _frame(tokens, at, situation.vocabulary.naming.copulas) if at < len(tokens) else 0
    return at + size if size else 0


def _target(tokens: tuple[Token, ...], at: int, situation: Situation) -> int:
    """Where the new text begins: after the last `to` of `from X to Y`."""
    words = situation.vocabulary.naming.towards
    places = [place for place in range(at, min(at + 8, len(tokens))) if tokens[place].word in words]
    return places[-1] + 1 if places else 0


def _text_stop(tokens: tuple[Token, ...], begin: int, situation: Situation) -> int:
    stop = begin
    while stop < len(tokens) and not _ends_text(tokens, stop, situation):
        stop += 1
    while stop > begin and tokens[stop - 1].word in situation.vocabulary.speech.trailing:
        stop -= 1
    return stop


def _ends_text(tokens: tuple[Token, ...], at: int, situation: Situation) -> bool:
    token, speech = tokens[at], situation.vocabulary.speech
    if token.text == "." and at and _is_short_form(tokens, at, situation):
        return False
    if token.kind == "mark":
        return token.text in _ENDS
    if token.word in speech.joints:
        return at + 1 >= len(tokens) or tokens[at + 1].word in speech.filler or tokens[at + 1].word in speech.refusals
    return False


def _is_proper(token: Token, situation: Situation) -> bool:
    """True if a word stands for something by itself: a capital or a digit, and no word known otherwise."""
    if token.kind == "number":
        return True
    is_capital = token.kind == "word" and token.text[0].isupper()
    return is_capital and not _is_known(token.word, situation) and token.word not in situation.vocabulary.requests.wrong
