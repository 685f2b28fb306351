"""Values of the fields of a flow that stand in a question, read by the words of each language that the rules know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from turnwise.core.commands.exposure import Exposed, ExposedField
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.understanding.field_values import beyond, fit
from turnwise.understanding.labels import yes_no_options
from turnwise.understanding.readings import Reading, Text, text_of
from turnwise.understanding.scan import readings_of
from turnwise.understanding.situation import Situation, situation_of
from turnwise.understanding.tokens import tokens_of
from turnwise.understanding.vocabulary import CODES
from turnwise.why.reading.words import words_of

_YES, _NO = words_of("yes ja true wahr"), words_of("no nein false falsch kein keine keinen keinem keiner")
YES_OR_NO = _YES | _NO
"""Words that are a yes or a no."""
_AHEAD, _LATER = words_of("in vor after nach within"), words_of("later from ago hence später her")
"""Words before and after a length of time that is none of a field: `in 10 years`, `a year later`."""


class Said(NamedTuple):
    """Words of a question that may be a value: the value that each field would read in them."""

    words: str
    fits: Mapping[str, Any]
    is_option: bool = False

    @property
    def is_no(self) -> bool:
        """Whether it is a no, which may also only negate something."""
        return self.words in _NO


class ValueReader:
    """Reads values of the fields of a flow in a text, by the words of each language that the rules know."""

    def __init__(self, machine: Machine, state: State) -> None:
        fields = tuple([ExposedField(name, field, machine.title(name)) for name, field in machine.fields.items()])
        asked = [Exposed(code, state.time_zone, state.at_ms, fields) for code in CODES]
        self.fields = fields
        self.situations = [found for one in asked if (found := situation_of(one)) is not None]

    def read(self, text: str) -> Iterator[Said]:
        """Yield the words of a text that may be values, each once."""
        read = [(one, text_of(text, one.vocabulary, one.today)) for one in self.situations]
        found = [(one, tokens, reading) for one, tokens in read for reading in readings_of(tokens, one)]
        spans = [_span(tokens, reading) for _, tokens, reading in found]
        done: set[str] = set()
        for situation, tokens, reading in found:
            own = range(reading.first, reading.stop)
            if any(len(span) > len(own) and own[0] in span and own[-1] in span for span in spans):
                continue  # the other language reads more words together
            words = tokens.typed(reading.first, reading.stop)
            values = {one.address: _read(situation, one, reading) for one in self.fields}
            fits = {name: value for name, value in values.items() if value is not None}
            if fits and words not in done:
                done.add(words)
                yield Said(words, fits, reading.kind == "option")
        for token in tokens_of(text):
            if token.word in _YES | _NO and token.text not in done:
                done.add(token.text)
                yield Said(token.text, self._yes_or_no(token.word))

    def _yes_or_no(self, word: str) -> dict[str, Any]:
        """Return what a yes or no is as a value of each field that takes one."""
        is_yes, found = word in _YES, dict[str, Any]()
        for one in self.fields:
            if one.field.type == "boolean" and not one.field.options:
                found[one.address] = is_yes
            for situation in self.situations:
                option = yes_no_options(one, situation.vocabulary).get(is_yes)
                if option is not None:
                    found[one.address] = option
        return found


def _span(text: Text, reading: Reading) -> range:
    """Return the tokens of a reading; of a length of time that says how far off something is with the words for that,
    so that it is none of a field.
    """
    first, stop = reading.first, reading.stop
    if reading.kind != "duration":
        return range(first, stop)
    is_ahead = first > 0 and text.words[first - 1] in _AHEAD
    return range(first - is_ahead, stop + (text.words[stop] in _LATER))


def _read(situation: Situation, field: ExposedField, reading: Reading) -> Any | None:
    """Return the value of a reading for a field, also one that only the bounds of the field exclude."""
    found = fit(situation, field, reading)
    return found if found is not None else beyond(situation, field, reading)
