"""Reads names and other free texts in messages that name their field, such as `my city is Berlin`.

"My name is Ada" and "my city is Berlin" are such texts; "I am tired" is none.
"""

from __future__ import annotations

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.understanding.names import has_other_meaning, is_short_form, name_stop
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token
from turnwise.understanding.vocabulary.tables import length_at

_ENDS = frozenset(".,;!?\n()")


def text_at(text: Text, at: int, situation: Situation) -> Reading | None:
    """Return the free text that begins at token `at`, if the words before it name its field; else `None`."""
    found = _named_text(text, at, situation) or _person_name(text, at, situation)
    possessors, before = text.vocabulary.naming.possessors, text.words[at - 1]
    if found is None or text.words[at] in possessors:
        return None
    # the name of another person than its field is about: `my wife's name is Eva`
    is_possessed = before.endswith("'s") or before in possessors
    is_anothers = is_possessed and situation.labels.fields_named((before,)).isdisjoint(found.value)
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
        while words[begin] in naming.softeners and text.kind(begin + 1) == "word":
            begin += 1
        says_self = is_asked and length_at(naming.self_frames, words, at) == size
        stop = name_stop(text, begin, situation, is_open=is_open or (says_self and _is_lone_name(text, begin)))
        if stop > begin:
            return Reading("text", {field.address: text.as_typed(begin, stop)}, at, stop, 1.0 if is_open else 0.9)
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
    stop = name_stop(text, begin, situation, is_open=True) if is_name else _text_stop(text, begin)
    is_explicit = is_edit or words[begin - 1] == ":" or is_name or _is_proper(text.tokens[begin], situation)
    if stop <= begin or not is_explicit:
        return None
    return Reading("text", {field.address: text.as_typed(begin, stop)}, at, stop)


def _label(text: Text, at: int, situation: Situation) -> tuple[AllowedField, int] | None:
    """The free-text field that the next words name, and the token after them."""
    words, labels = text.words, situation.labels
    own, links, begin = text.vocabulary.naming.own, situation.requests.target_links, at
    while begin < at + 4 and (words[begin] in own or words[begin] in links) and not labels.names_field(words[begin]):
        begin += 1
    stop = begin
    while stop < begin + 3 and labels.names_field(words[stop]):
        stop += 1
    named = labels.fields_named(words[begin:stop])
    found = [field for field in situation.allowed.fields if field.address in named and field.is_free_text]
    return (found[0], stop) if len(found) == 1 and stop > begin else None


def _text_stop(text: Text, begin: int) -> int:
    """Return the token after a text: the end of its clause, without trailing filler words."""
    words, speech, stop = text.words, text.vocabulary.speech, begin
    while stop < len(text.tokens):
        after = words[stop + 1]
        if text.kind(stop) == "mark":
            ends = words[stop] in _ENDS and not (words[stop] == "." and is_short_form(text, stop))
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
    is_free = token.word not in situation.requests.wrong and not has_other_meaning(token.word, situation)
    return token.kind == "number" or (is_capital and is_free)
