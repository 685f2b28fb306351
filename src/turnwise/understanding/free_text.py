"""Reads names and other free texts in messages that name their field, such as `my city is Berlin`.

"My name is Ada" and "my city is Berlin" are such texts; "I am tired" is none.
"""

from __future__ import annotations

from turnwise.core.commands.exposure import ExposedField
from turnwise.understanding.calendar import day_at
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token
from turnwise.understanding.vocabulary.shape import is_one_of, length_at

_MOST_NAME_WORDS = 6
_MOST_SMALL_WORDS = 3
_ENDS = frozenset(".,;!?\n()")


def text_at(text: Text, at: int, situation: Situation) -> Reading | None:
    """Read a free text at a token, where the words name its field."""
    found = _named_text(text, at, situation) or _person_name(text, at, situation)
    possessors, before = text.vocabulary.naming.possessors, text.words[at - 1]
    if found is None or text.words[at] in possessors:
        return None
    # the name of another person than its field is about: `my wife's name is Eva`
    is_possessed = before.endswith("'s") or before in possessors
    is_anothers = is_possessed and situation.labels.named((before,)).isdisjoint(found.value)
    return None if is_anothers else found


# names of people -----------------------------------------------------------------------------------


def _person_name(text: Text, at: int, situation: Situation) -> Reading | None:
    """`My name is Ada`, `I'm Ada`."""
    field, naming, words = situation.named_person, text.vocabulary.naming, text.words
    if field is None:
        return None
    is_asked = situation.asked is field
    frames = [(naming.frames, True)]
    if is_asked or field.value is None:
        frames.append((naming.asked_frames if is_asked else naming.free_frames, False))
    for table, is_open in frames:
        size = length_at(table, words, at)
        if not size:
            continue
        begin = at + size + (words[at + size] == ":")
        says_self = is_asked and length_at(naming.self_frames, words, at) == size
        stop = _name_stop(text, begin, situation, is_open=is_open or (says_self and _is_lone_name(text, begin)))
        if stop > begin:
            return Reading("text", {field.address: text.typed(begin, stop)}, at, stop, 1.0 if is_open else 0.9)
    return None


def _is_lone_name(text: Text, at: int) -> bool:
    """True for an unknown word that ends its clause and has no adjective's ending (`i'm ada`, not `i'm bored`); who
    writes capitals would begin a name with one.
    """
    if text.kind(at) != "word" or not text.tokens[at].text.islower():
        return False
    ends = at + 1 == len(text.tokens) or text.words[at + 1] in _ENDS
    writes_capitals = any(token.kind == "word" and token.text[0].isupper() for token in text.tokens)
    return ends and not writes_capitals and not text.words[at].endswith(text.vocabulary.naming.adjective_endings)


def _name_stop(text: Text, begin: int, situation: Situation, *, is_open: bool) -> int:
    """The token after a name; `begin` itself where there is none. `is_open`: the frame says it is a name."""
    if text.kind(begin) != "word" or not _may_begin(text, begin, situation, is_open=is_open):
        return begin
    is_capital = text.tokens[begin].text[0].isupper()
    stop, count = begin + 1, 1
    while stop < len(text.tokens) and (more := _name_part(text, stop, situation, is_capital=is_capital)):
        stop, count = stop + more, count + (text.kind(stop) == "word")
    return stop if count <= (_MOST_NAME_WORDS if is_capital else _MOST_SMALL_WORDS) else begin


def _may_begin(text: Text, at: int, situation: Situation, *, is_open: bool) -> bool:
    """True if a word may be the first of a name."""
    token, naming, speech = text.tokens[at], text.vocabulary.naming, situation.speech
    if token.word.endswith("'s") or token.word in speech.negators or token.word in naming.not_names:
        return False
    if token.word in text.vocabulary.calendar.months and day_at(text, at):
        return False
    if not token.text[0].isupper() or is_open:
        return is_open and (token.text[0].isupper() or not _is_known(token.word, situation))
    # where the whole message is in capitals, a capital means nothing
    shouts = len(token.text) > 1 and all(one.text.isupper() for one in text.tokens if one.kind == "word")
    return is_initial(text.tokens, at) or not (_is_known(token.word, situation) or shouts)


def _name_part(text: Text, at: int, situation: Situation, *, is_capital: bool) -> int:
    """Return how many further tokens belong to a name: a word, a particle, a hyphen, the period of a title."""
    token, naming = text.tokens[at], text.vocabulary.naming
    follows_capital = at + 1 < len(text.tokens) and text.tokens[at + 1].text[0].isupper()
    if token.text == "." and _is_short_form(text, at) and at + 1 < len(text.tokens):
        return 1 if follows_capital else 0
    if token.text == "-":
        return 2 if text.touches(at) and text.touches(at - 1) and text.kind(at + 1) == "word" else 0
    if token.kind != "word":
        return 0
    starts_capital = token.text[0].isupper()
    follows = follows_capital and text.kind(at + 1) == "word"
    if is_initial(text.tokens, at) or (token.word in naming.particles and (follows or starts_capital)):
        return 1
    if _is_known(token.word, situation) or token.word in naming.not_names:
        return 0
    return 1 if starts_capital or not is_capital else 0


def is_initial(tokens: tuple[Token, ...], at: int) -> bool:
    """True for a capital letter with a period that another capital follows (`David I. Thompson`)."""
    if at + 2 >= len(tokens):
        return False
    letter, stop, after = tokens[at : at + 3]
    is_letter = letter.kind == "word" and len(letter.text) == 1 and letter.text.isupper()
    is_followed = stop.text == "." and letter.end == stop.start and after.kind == "word" and after.text[0].isupper()
    return is_letter and is_followed


def _is_short_form(text: Text, at: int) -> bool:
    """True for the period of `Dr.` and of an initial."""
    before = text.tokens[at - 1]
    is_short = before.word in text.vocabulary.naming.abbreviations or len(before.text) == 1
    return is_short and text.touches(at - 1)


def _is_known(word: str, situation: Situation) -> bool:
    """True if a word has another meaning than a name here."""
    vocabulary, speech = situation.vocabulary, situation.speech
    calendar, numbers = vocabulary.calendar, vocabulary.numbers
    words = (speech.filler, vocabulary.naming.name_words, speech.negators, speech.alternatives, speech.others)
    values = (speech.openers, calendar.weekdays, numbers.ones, numbers.tens, situation.options.phrases)
    answers = (speech.yes, speech.no, speech.doubt)
    is_word = any(word in table for table in words) or any(word in table for table in values)
    return is_word or (word,) in calendar.relative or any(is_one_of(table, (word,)) for table in answers)


def is_bare_name(tokens: tuple[Token, ...], situation: Situation) -> bool:
    """True if tokens are only a name: few words, none with another meaning."""
    said = [token for token in tokens if token.kind == "word"]
    if not 0 < len(said) <= _MOST_NAME_WORDS or any(token.kind in ("number", "email") for token in tokens):
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


def _named_text(text: Text, at: int, situation: Situation) -> Reading | None:
    """`My city is Berlin`, `company: Acme`, `change my city to Hamburg`."""
    words, naming = text.words, text.vocabulary.naming
    is_edit = words[at] in situation.requests.edit_verbs
    label = _label(text, at + is_edit, situation)
    if label is None:
        return None
    field, after = label
    size = 1 if words[after] in (":", "=") else length_at(naming.copulas, words, after)
    begin = after + size if size else 0
    if is_edit:  # the new text stands behind the last `to` of `from X to Y`
        towards = [place for place in range(after, after + 8) if words[place] in naming.towards]
        begin = towards[-1] + 1 if towards else 0
    if not begin or begin >= len(text.tokens):
        return None
    is_name = field.address in situation.labels.persons
    stop = _name_stop(text, begin, situation, is_open=True) if is_name else _text_stop(text, begin)
    is_explicit = is_edit or words[begin - 1] == ":" or is_name or _is_proper(text.tokens[begin], situation)
    if stop <= begin or not is_explicit:
        return None
    return Reading("text", {field.address: text.typed(begin, stop)}, at, stop)


def _label(text: Text, at: int, situation: Situation) -> tuple[ExposedField, int] | None:
    """The free-text field that the next words name, and the token after them."""
    words, labels = text.words, situation.labels
    own, links, begin = text.vocabulary.naming.own, situation.requests.target_links, at
    while begin < at + 4 and (words[begin] in own or words[begin] in links) and not labels.knows(words[begin]):
        begin += 1
    stop = begin
    while stop < begin + 3 and labels.knows(words[stop]):
        stop += 1
    named = labels.named(words[begin:stop])
    found = [field for field in situation.exposed.fields if field.address in named and field.is_free_text]
    return (found[0], stop) if len(found) == 1 and stop > begin else None


def _text_stop(text: Text, begin: int) -> int:
    """Return the token after a text: the end of its clause, without trailing filler words."""
    words, speech, stop = text.words, text.vocabulary.speech, begin
    while stop < len(text.tokens):
        after = words[stop + 1]
        if text.kind(stop) == "mark":
            ends = words[stop] in _ENDS and not (words[stop] == "." and _is_short_form(text, stop))
        else:
            ends = words[stop] in speech.joints and (not after or after in speech.filler or after in speech.refusals)
        if ends:
            break
        stop += 1
    while stop > begin and words[stop - 1] in speech.trailing:
        stop -= 1
    return stop


def _is_proper(token: Token, situation: Situation) -> bool:
    """True if a word looks like a proper name: it has a capital or a digit, and no other known meaning."""
    is_capital = token.kind == "word" and token.text[0].isupper()
    is_free = token.word not in situation.requests.wrong and not _is_known(token.word, situation)
    return token.kind == "number" or (is_capital and is_free)
