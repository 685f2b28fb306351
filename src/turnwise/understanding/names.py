"""Finds where the name of a person ends in a message: surnames that are also words, particles, initials, titles.

A name goes on as long as its words are written as names: with a capital, in a script without capitals, behind a
particle or a hyphen. Where it is not clear whether the next word belongs to it, there is no name: it is asked again.
"""

from __future__ import annotations

from turnwise.core.language.answers import GLAD_SIGNS
from turnwise.understanding.calendar import day_at
from turnwise.understanding.readings import Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token
from turnwise.understanding.vocabulary.tables import is_one_of, length_at

_MOST_WORDS = 6
_MOST_SMALL_WORDS = 3
_LEAST_NOUN = 7
_ENDS = frozenset(".,;:!?\n)–—")
_ORNAMENTS = GLAD_SIGNS | frozenset("\"'“”„«»‘’\ufe0f")
"""Marks around a name that say nothing: quotes, and pictures that are courtesies."""


def name_stop(text: Text, begin: int, situation: Situation, *, is_open: bool) -> int:
    """Return the index of the token after a name that begins at `begin`; `begin` itself if no clear name does.
    `is_open`: the words before announce a name.
    """
    if text.kind(begin) != "word" or not _may_begin(text, begin, situation, is_open=is_open):
        return begin
    stop = _end(text, begin, situation)
    is_single = not is_open and stop == begin + 1
    word, endings = text.words[begin], situation.vocabulary.naming.noun_endings
    is_noun = is_single and len(word) >= _LEAST_NOUN and word.endswith(endings)  # `Nigerian`, `Klempner`
    is_unclear = _is_unclear(text, stop, situation) or _is_corrected(text, begin, stop, situation)
    return begin if is_noun or is_unclear else stop


def bare_name_stop(text: Text, first: int, stop: int, situation: Situation) -> int:
    """Return the index of the token after a name if the tokens `first` to `stop` (exclusive) are a name and polite
    words only, else `first`.
    """
    naming, speech, tokens = situation.vocabulary.naming, situation.speech, text.tokens
    if text.kind(first) != "word" or not _may_stand_alone(text, first, situation):
        return first
    end = _end(text, first, situation)
    words = [token for token in tokens[first:end] if token.kind == "word"]
    is_mixed = any(token.text[0].islower() and token.word not in naming.particles for token in words)
    if end > stop or (is_mixed and is_written_as_name(tokens[first]) and len(words) > 1 and not _is_name(words[-1])):
        return first
    rest = [token.word for token in tokens[end:stop] if token.kind == "word"]
    is_signed = is_one_of(naming.signed, rest) and is_written_as_name(tokens[first])
    if not (is_signed or all(word in speech.trailing for word in rest)):
        return first
    marks = [token.word for token in tokens[end:stop] if token.kind == "mark"]
    return end if all(word in ".-" or word in _ORNAMENTS for word in marks) else first


def ornaments_before(text: Text) -> int:
    """Return the number of tokens at the start of a message that say nothing, such as quotes and smileys."""
    return next((at for at, word in enumerate(text.words) if word not in _ORNAMENTS), 0)


def is_written_as_name(token: Token) -> bool:
    """Return whether a word has a capital (`Ada`, `d'Arc`), or is of a script without capitals."""
    return token.kind == "word" and (not token.text[0].islower() or any(char.isupper() for char in token.text))


_is_name = is_written_as_name


def is_initial(tokens: tuple[Token, ...], at: int) -> bool:
    """Return whether token `at` is a capital with a period that another capital follows (`David I. Thompson`)."""
    if at + 2 >= len(tokens):
        return False
    letter, stop, after = tokens[at : at + 3]
    is_letter = letter.kind == "word" and len(letter.text) == 1 and letter.text.isupper()
    is_followed = stop.text == "." and letter.end == stop.start and after.kind == "word" and after.text[0].isupper()
    return is_letter and is_followed


def is_short_form(text: Text, at: int) -> bool:
    """Return whether token `at` is the period of `Dr.` or of an initial."""
    before = text.tokens[at - 1]
    is_short = before.word in text.vocabulary.naming.abbreviations or len(before.text) == 1
    return is_short and text.is_joined_to_next(at - 1)


def has_other_meaning(word: str, situation: Situation) -> bool:
    """Return whether a word has another meaning for the rules than a name."""
    vocabulary, speech = situation.vocabulary, situation.speech
    calendar, numbers = vocabulary.calendar, vocabulary.numbers
    words = (speech.filler, vocabulary.naming.name_words, speech.negators, speech.alternatives, speech.others)
    values = (speech.openers, calendar.weekdays, numbers.ones, numbers.tens, situation.options.phrases)
    answers = (speech.yes, speech.no, speech.doubt)
    is_word = any(word in table for table in words) or any(word in table for table in values)
    return is_word or (word,) in calendar.relative or any(is_one_of(table, (word,)) for table in answers)


# the first word ------------------------------------------------------------------------------------


def _may_begin(text: Text, at: int, situation: Situation, *, is_open: bool) -> bool:
    """True if a word behind a phrase such as `I'm` may be the first of a name."""
    token, naming, speech = text.tokens[at], text.vocabulary.naming, situation.speech
    if token.word.endswith("'s") or token.word in speech.negators or token.word in naming.no_names:
        return False
    if token.word in text.vocabulary.calendar.months and day_at(text, at):
        return False
    if _is_title(text, at) or _is_joined(text, at):
        return True
    is_other_word = token.word in naming.not_names or has_other_meaning(token.word, situation)
    if not _is_name(token):
        return is_open and not is_other_word
    if is_open:  # `my name is Klein`; a word of the grammar only with a surname (`my name is So Young`)
        is_small = _is_small(token.word, situation)
        return not is_small or (not _shouts(text) and _is_name_at(text, at + 1))
    is_free = token.word in naming.also_names or not is_other_word
    is_shouted = token.text.isupper() and len(token.text) > 1 and _shouts(text)
    return is_initial(text.tokens, at) or (is_free and not is_shouted)


def _may_stand_alone(text: Text, at: int, situation: Situation) -> bool:
    """True if a word may be the first of a name that is all a message says."""
    token, naming = text.tokens[at], situation.vocabulary.naming
    if token.word in naming.no_names:
        return False
    if is_initial(text.tokens, at) or _is_title(text, at) or _is_joined(text, at):
        return True
    if token.word in naming.also_names:
        return _is_name(token)
    leads = token.word in naming.particles and _particles_size(text, at, situation) > 0
    return leads or not (token.word in naming.not_names or has_other_meaning(token.word, situation))


def _is_title(text: Text, at: int) -> bool:
    """True for a form of address before a name (`Frau Weiß`, `Dr. Ng`)."""
    after = at + 1 + (text.words[at + 1] == ".")
    return text.words[at] in text.vocabulary.naming.titles and _is_name_at(text, after)


def _is_joined(text: Text, at: int) -> bool:
    """True for the first part of a name with a hyphen (`Young-Hee`)."""
    is_hyphen = text.words[at + 1] == "-" and text.is_joined_to_next(at) and text.is_joined_to_next(at + 1)
    return is_hyphen and _is_name_at(text, at) and _is_name_at(text, at + 2)


def _shouts(text: Text) -> bool:
    """True where the whole message is in capitals, so that a capital means nothing."""
    words = [one.text for one in text.tokens if one.kind == "word"]
    return any(len(word) > 1 for word in words) and all(word.isupper() for word in words)


def _is_name_at(text: Text, at: int) -> bool:
    return at < len(text.tokens) and _is_name(text.tokens[at])


# the words after it --------------------------------------------------------------------------------


def _end(text: Text, begin: int, situation: Situation) -> int:
    """Return the token after the words of a name; `begin` itself where there are too many for one."""
    is_upper = _is_name(text.tokens[begin]) and not _shouts(text)
    is_upper = is_upper or _particles_size(text, begin, situation) > 0
    stop, count = begin + 1, 1
    while stop < len(text.tokens) and (more := _part(text, stop, situation, is_upper=is_upper)):
        count += text.kind(stop) == "word" and text.words[stop] not in text.vocabulary.naming.particles
        stop += more
    return stop if count <= (_MOST_WORDS if is_upper else _MOST_SMALL_WORDS) else begin


def _part(text: Text, at: int, situation: Situation, *, is_upper: bool) -> int:
    """Return how many tokens belong to a name from here: a word, particles before one, a hyphen and what it joins."""
    token = text.tokens[at]
    if token.kind == "mark":
        return _joint_size(text, at)
    if token.kind == "number":  # `A-12`, `R2`; an age stands apart
        return 1 if text.is_joined_to_next(at - 1) else 0
    if token.kind != "word":
        return 0
    if is_upper:
        if _is_name(token):
            return 0 if _is_boundary(text, at, situation) else 1
        return _particles_size(text, at, situation)
    if token.word in text.vocabulary.naming.particles:
        return 1 if text.kind(at + 1) == "word" and not _is_other(text, at + 1, situation) else 0
    return 0 if _is_other(text, at, situation) else 1


def _joint_size(text: Text, at: int) -> int:
    """Return the size of a mark inside of a name, with the word that it joins."""
    word = text.words[at]
    if word == ".":
        return 1 if is_short_form(text, at) and _is_name_at(text, at + 1) else 0
    if word == "-":
        return (
            2
            if text.is_joined_to_next(at) and text.is_joined_to_next(at - 1) and text.kind(at + 1) in ("word", "number")
            else 0
        )
    return 2 if word in ("&", "+") and _is_name_at(text, at + 1) else 0


def _particles_size(text: Text, at: int, situation: Situation) -> int:
    """Return how many particles lead to a further word of the name (`von und zu Lichtenfels`); 0 if none do."""
    naming, stop = situation.vocabulary.naming, at
    while text.words[stop] in naming.particles or (stop > at and text.words[stop] in naming.particle_joints):
        stop += 1
    is_joined = text.words[stop] == "-" and _is_name_at(text, stop + 1) and _joint_size(text, stop) > 0  # `al-Fihri`
    return stop - at if _is_name_at(text, stop) or is_joined else 0


def _is_boundary(text: Text, at: int, situation: Situation) -> bool:
    """True for a word that begins something else though it has a capital: `I`, and `Sie` before a verb."""
    word = text.words[at]
    is_lone = text.words[at + 1] == "" or text.words[at + 1] in _ENDS
    return word in situation.vocabulary.naming.capital_pronouns and not is_lone


def _is_other(text: Text, at: int, situation: Situation) -> bool:
    word = text.words[at]
    return has_other_meaning(word, situation) or word in text.vocabulary.naming.not_names


def _is_small(word: str, situation: Situation) -> bool:
    """True for a word of the grammar, of which no name consists."""
    speech = situation.speech
    tables = (speech.filler, speech.openers, speech.negators, speech.alternatives, speech.joints, speech.pronouns)
    return any(word in table for table in tables) and word not in situation.vocabulary.naming.also_names


# whether the end is clear --------------------------------------------------------------------------


def _is_unclear(text: Text, stop: int, situation: Situation) -> bool:
    """True if what follows may belong to the name: a word without a meaning here, or one that may be a surname."""
    words, speech, naming = text.words, situation.speech, situation.vocabulary.naming
    if stop >= len(text.tokens) or words[stop] in _ENDS:
        is_led = words[stop] == "," and _is_name_at(text, stop + 1)  # `Bond, James Bond`: either may be meant
        return is_led and bare_name_stop(text, stop + 1, len(text.tokens), situation) > stop + 1
    if words[stop] in GLAD_SIGNS:
        return any(token.kind == "word" for token in text.tokens[stop:])
    if text.kind(stop) == "mark":  # `Robert "Bob" Smith`, `Robert (Bob) Smith`
        return words[stop] not in ("-", "(") or _is_name_at(text, stop + 1)
    word, is_last = words[stop], words[stop + 1] == "" or words[stop + 1] in _ENDS
    if word in speech.joints and _is_name_at(text, stop + 1) and not _is_boundary(text, stop + 1, situation):
        return words[stop + 2] == "" or words[stop + 2] in _ENDS  # `Tom and Max`
    if text.kind(stop) != "word" or word in speech.trailing or length_at(naming.signed, words, stop):
        return False
    if length_at(speech.fill_phrases, words, stop) or _is_small(word, situation):
        return False
    is_open_class = word in naming.not_names or word in naming.also_names or word in naming.particles
    if is_open_class:
        return is_last or word in naming.particles
    return not has_other_meaning(word, situation)


def _is_corrected(text: Text, begin: int, stop: int, situation: Situation) -> bool:
    """True if words of correction and another name follow (`I'm Bob, no wait, Rob`)."""
    speech, at, has_cue = situation.speech, stop, False
    while at < len(text.tokens):
        cue = max(length_at(speech.strong_cues, text.words, at), length_at(speech.weak_cues, text.words, at))
        if not cue and text.kind(at) != "mark":
            break
        has_cue, at = has_cue or cue > 0, at + (cue or 1)
    is_alike = at < len(text.tokens) and (_is_name(text.tokens[at]) or not _is_name(text.tokens[begin]))
    return has_cue and is_alike and bare_name_stop(text, at, len(text.tokens), situation) > at
